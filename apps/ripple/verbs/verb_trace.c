/* apps/ripple/verbs/verb_trace.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_record_errors. */
/**
 * @file
 * ripple trace: record an MPI program, unmodified.
 */
#include "output/error.h"
#include "program/record.h"
#include "tracer/protocol.h"
#include "verbs/verb_list.h"

static void options(void *state, app_options *table)
{
    app_record_add_options(state, table);
}

static int run(app_context *context, void *state, GError **error)
{
    if (!app_context_check_args(context, 0, 0, error)) {
        return APP_EXIT_USAGE;
    }
    if (context->command == NULL || context->command[0] == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "what is to be recorded? Put the command after '--'");
        return APP_EXIT_USAGE;
    }
    const char *folder = context->output != NULL ? context->output : TRACER_DEFAULT_DIR;
    bool program_ok = false;
    g_autoptr(sched_trace) trace = app_record(context, state, folder, &program_ok, error);
    if (trace == NULL) {
        return APP_EXIT_ERROR;
    }
    return program_ok ? APP_EXIT_DONE : APP_EXIT_ERROR;
}

static void clear(void *state)
{
    app_record_clear(state);
}

static const char *const EXAMPLES[] = {
    "ripple trace -o run1 -- mpirun -n 8 ./a-program",
    "Record eight ranks into the folder run1.",
    "ripple simulate --ranks 64,1Ki --noise jaguar run1",
    "Enlarge what was recorded and see what noise does to it.",
    NULL,
};

const app_verb app_verb_trace = {
    .name = "trace",
    .summary = "record an MPI program, unmodified",
    .usage = "-- COMMAND [ARGUMENT]...",
    .description =
        "Runs the command with Ripple's tracer preloaded into its MPI processes and records "
        "every\nMPI call that matters for its communication, with wall-clock and CPU time of the "
        "computation\nbetween calls, into an OTF2 archive.\n\n"
        "The launcher (mpirun, mpiexec, srun, or none) is understood from the command. The "
        "exit code\nis 1 if the program fails; what it recorded until then is kept and can be "
        "read. SIGINT, SIGTERM\nand SIGHUP are passed on to the command; what has not ended 5 s "
        "later gets SIGTERM, and after\nanother 5 s SIGKILL, and ripple ends by the signal it got.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_COMMAND | APP_TAKES_OUTPUT,
    .output_help = "folder of the archive, made if need be [" TRACER_DEFAULT_DIR "]",
    .state_size = sizeof(app_record_options),
    .options = options,
    .run = run,
    .clear = clear,
};
