/* apps/ripple/program/record.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_record_errors, test_tracer_ends. */
#include "program/record.h"

#include "noise/cpu_file.h"
#include "noise/sample_record.h"
#include "output/error.h"
#include "output/folder.h"
#include "program/synopsis.h"
#include "system/node_watch.h"
#include "tracer/protocol.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>

static const char *const MPIS[] = {"auto", "openmpi", "mpich", NULL};
static const char *const CLOCKS[] = {"auto", "measure", NULL};

void app_record_add_options(app_record_options *record, app_options *options)
{
    const GOptionEntry entries[] = {
        {"mpi", 0, 0, G_OPTION_ARG_STRING, &record->mpi,
         "MPI that the program uses [auto: by launcher and linked libraries]",
         app_options_keep(options, app_join(MPIS, "|"))},
        {"clock", 0, 0, G_OPTION_ARG_STRING, &record->clock,
         "clock offsets: between nodes, or measure between all ranks [auto]",
         app_options_keep(options, app_join(CLOCKS, "|"))},
        {"anonymous", 0, 0, G_OPTION_ARG_NONE, &record->anonymous,
         "leave host names out of the archive", NULL},
        {"watch", 0, 0, G_OPTION_ARG_NONE, &record->watch,
         "watch this node meanwhile and name who took CPU time from which rank", NULL},
        {"max-cpu", 0, 0, G_OPTION_ARG_STRING, &record->max_cpu,
         "with --watch: CPU time that watching may take, of one CPU [1%]", "SHARE"},
        {NULL},
    };
    app_options_add(options, "Recording", entries);
}

void app_record_clear(app_record_options *record)
{
    g_free(record->mpi);
    g_free(record->clock);
    g_free(record->max_cpu);
}

static bool read_options(const app_record_options *record, const char *folder,
                         app_launch_options *launch, GError **error)
{
    unsigned mpi = 0;
    unsigned clock = 0;
    if ((record->mpi != NULL && !app_parse_choice("--mpi", record->mpi, MPIS, &mpi, error)) ||
        (record->clock != NULL &&
         !app_parse_choice("--clock", record->clock, CLOCKS, &clock, error))) {
        return false;
    }
    *launch = (app_launch_options){.folder = folder,
                                   .mpi = (app_mpi)mpi,
                                   .measure_clock = clock == 1,
                                   .anonymous = record->anonymous,
                                   .switches = record->watch};
    return true;
}

static bool report_end(const app_context *context, int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return true;
    }
    if (WIFSIGNALED(status)) {
        app_context_note(context, "%s was ended by signal %d (%s)", context->command[0],
                         WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
        app_context_note(context, "%s ended with exit code %d", context->command[0],
                         WEXITSTATUS(status));
    }
    return false;
}

/* Ranks whose record does not end with MPI_Finalize: what they did later is lost. @return some? */
static bool report_incomplete(const app_context *context, const sched_trace *trace)
{
    uint32_t lost = 0;
    uint32_t first = 0;
    for (uint32_t r = trace->num_ranks; r-- > 0;) {
        if (!trace->ranks[r].complete) {
            lost++;
            first = r;
        }
    }
    if (lost > 0) {
        app_context_note(context,
                         "the record of %u of %u ranks (the first is %u) does not come to "
                         "MPI_Finalize: what they did later is lost",
                         lost, trace->num_ranks, first);
    }
    return lost > 0;
}

/* What the tracer refuses, said before the program has run. */
static bool check_empty(const char *folder, GError **error)
{
    static const char *const NAMES[] = {TRACER_ANCHOR, TRACER_ARCHIVE, TRACER_MINE_FILE,
                                        TRACER_MINE_PART "0", NOISE_SAMPLE_FILE "0"};
    for (size_t i = 0; i < G_N_ELEMENTS(NAMES); i++) {
        g_autofree char *path = g_build_filename(folder, NAMES[i], NULL);
        if (g_file_test(path, G_FILE_TEST_EXISTS)) {
            g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT,
                        "%s: there is %s already; it is not overwritten", folder,
                        i < 2   ? "an archive"
                        : i < 4 ? "what was mined"
                                : "what was scored");
            return false;
        }
    }
    return true;
}

/* The command, watched if that is wanted. A watch that could not be written to its end is said, and
 * what there is is used. */
static bool run_command(const app_context *context, const app_launch_options *launch, double share,
                        app_watched *watched, app_child_end *end, GError **error)
{
    app_node_watch *watch =
        launch->switches ? app_node_watch_start(launch->folder, share, error) : NULL;
    if (launch->switches && watch == NULL) {
        return false;
    }
    const bool started = app_launch_run(context->command, launch, end, error);
    g_autoptr(GError) why = NULL;
    if (watch != NULL && !app_node_watch_stop(watch, &watched->slices, &watched->refusal, &why)) {
        app_context_note(context, "%s", why->message);
    }
    return started;
}

static bool left_something(const app_launch_options *launch)
{
    g_autofree char *anchor = g_build_filename(launch->folder, TRACER_ANCHOR, NULL);
    g_autofree char *samples = g_build_filename(launch->folder, NOISE_SAMPLE_FILE "0", NULL);
    return launch->mine         ? app_synopsis_is(launch->folder)
           : launch->no_archive ? g_file_test(samples, G_FILE_TEST_EXISTS)
                                : g_file_test(anchor, G_FILE_TEST_EXISTS);
}

/* Into a folder that can be written. @return is there a record? */
static bool run_into(const app_context *context, const app_launch_options *launch, double share,
                     app_watched *watched, bool *program_ok, GError **error)
{
    const char *folder = launch->folder;
    app_child_end end;
    if (!run_command(context, launch, share, watched, &end, error)) {
        return false;
    }
    const bool some = left_something(launch);
    if (end.stopped_by != 0) {
        app_context_note(
            context, "stopped by signal %d (%s), and %s with it; %s %s", end.stopped_by,
            strsignal(end.stopped_by), context->command[0],
            some ? "what its ranks had written by then is in" : "nothing was recorded in", folder);
        if (some && launch->stopped != NULL) {
            launch->stopped(launch->beat->data);
        }
        app_child_die(end.stopped_by);
    }
    *program_ok = report_end(context, end.status);
    if (!some) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "nothing was recorded in %s: %s", folder,
                    *program_ok ? "unless the tracer has said why, the program never called "
                                  "MPI_Init, is linked statically, or uses another MPI than the "
                                  "tracer (see --mpi)"
                                : "the program ended before the archive was begun");
    }
    return some;
}

static sched_trace *record_into(const app_context *context, const app_launch_options *launch,
                                double share, app_watched *watched, bool *program_ok,
                                GError **error)
{
    sched_trace *trace = run_into(context, launch, share, watched, program_ok, error)
                             ? sched_trace_read(launch->folder, error)
                             : NULL;
    if (trace != NULL) {
        *program_ok &= !report_incomplete(context, trace);
    }
    return trace;
}

static void add_live(app_launch_options *launch, const app_record_live *live)
{
    launch->mine = live->mine;
    launch->mine_every = live->mine_every;
    launch->detect = live->detect;
    launch->beat = live->beat;
    launch->stopped = live->stopped;
}

sched_trace *app_record(const app_context *context, const app_record_options *record,
                        const app_record_live *live, const char *folder, app_watched *watched,
                        bool *program_ok, GError **error)
{
    app_launch_options launch;
    unsigned num_new = 0;
    double share = 0.01;
    if ((record->max_cpu != NULL && !app_node_watch_parse_share(record->max_cpu, &share, error)) ||
        !read_options(record, folder, &launch, error) || !check_empty(folder, error) ||
        !app_folder_make(folder, &num_new, error)) {
        return NULL;
    }
    if (live != NULL) {
        add_live(&launch, live);
    }
    sched_trace *trace = record_into(context, &launch, share, watched, program_ok, error);
    if (trace == NULL) {
        if (record->watch) { /* of nothing that was recorded */
            g_autofree char *path = g_build_filename(folder, APP_NODE_WATCH_FILE, NULL);
            g_autofree char *cpus = g_build_filename(folder, NOISE_CPU_FILE, NULL);
            (void)g_remove(path);
            (void)g_remove(cpus);
        }
        app_folder_drop(folder, num_new);
    }
    return trace;
}

bool app_record_without_archive(const app_context *context, const app_record_options *record,
                                const app_record_live *live, const char *folder, bool *program_ok,
                                GError **error)
{
    app_launch_options launch;
    unsigned num_new = 0;
    if (!read_options(record, folder, &launch, error) || !check_empty(folder, error) ||
        !app_folder_make(folder, &num_new, error)) {
        return false;
    }
    add_live(&launch, live);
    launch.no_archive = true;
    const bool ok = run_into(context, &launch, 0, NULL, program_ok, error);
    if (!ok) {
        app_folder_drop(folder, num_new);
    }
    return ok;
}
