/* apps/ripple/verbs/verb_trace.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_record_errors. */
/**
 * @file
 * ripple trace: record an MPI program, unmodified.
 */
#include "losses/losses.h"
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
    const app_record_options *record = state;
    const app_option_use use = {"--max-cpu", record->max_cpu != NULL,
                                record->watch ? NULL : "without --watch"};
    if (!app_options_refuse_idle(&use, 1, error)) {
        return APP_EXIT_USAGE;
    }
    bool program_ok = false;
    app_watched watched = {0};
    g_autoptr(sched_trace) trace =
        app_record(context, record, folder, &watched, &program_ok, error);
    if (trace == NULL) {
        app_losses_drop(&watched);
        return APP_EXIT_ERROR;
    }
    if (record->watch) {
        g_autoptr(app_losses) losses = app_losses_new(folder, trace, &watched, error);
        if (losses == NULL || !app_losses_write_detours(losses, folder, NULL, error)) {
            return APP_EXIT_ERROR;
        }
        app_losses_print(losses, stdout);
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
    "ripple trace --watch -o run1 -- mpirun -n 8 --bind-to core ./a-program",
    "Record, and name who took CPU time from which rank meanwhile.",
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
        "With --watch this node is watched meanwhile: each rank records when it was off its CPU, "
        "the\nmonitor (see 'ripple monitor') who ran; both are joined, and what others took is "
        "left "
        "in\n" APP_LOSSES_DETOURS " in the folder, as noise to simulate with.\n\n"
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
