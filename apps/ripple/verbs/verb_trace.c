/* apps/ripple/verbs/verb_trace.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_record_errors, test_tracer_mine. */
/**
 * @file
 * ripple trace: record an MPI program, unmodified.
 */
#include "live/live_run.h"
#include "losses/losses.h"
#include "output/error.h"
#include "output/miner_news.h"
#include "output/miner_print.h"
#include "program/record.h"
#include "program/synopsis.h"
#include "sim/unit.h"
#include "tracer/protocol.h"
#include "verbs/verb_list.h"

typedef struct tracing {
    app_record_options record;
    char *mine;   /* NULL: not wanted; "": no tables before the end */
    char *detect; /* path of a model; NULL: not wanted */
    gboolean no_archive;
} tracing;

static void options(void *state, app_options *table)
{
    tracing *self = state;
    app_record_add_options(&self->record, table);
    const GOptionEntry entries[] = {
        {"mine", 0, 0, G_OPTION_ARG_STRING, &self->mine,
         "write no archive, but mine the ranks while they run (NoiseMiner) and print what noise "
         "struck them; with a time, also so often before the end",
         "[=TIME]"},
        {NULL},
    };
    app_options_add(table, "Mining", entries);
    const GOptionEntry detection[] = {
        {"detect", 0, 0, G_OPTION_ARG_FILENAME, &self->detect,
         "say when something outside the program begins to disturb a rank, by what 'ripple detect "
         "learn' has learned of it, and score all ranks at the end",
         "MODEL"},
        {"no-archive", 0, 0, G_OPTION_ARG_NONE, &self->no_archive,
         "with --detect: write no archive", NULL},
        {NULL},
    };
    app_options_add(table, "Detection", detection);
}

/* What there is by now, or at the end. @param last the table before, to be replaced by this one;
 * NULL: nobody asks what is new */
static bool print_mined(const char *folder, noise_miner_report **last, unsigned *num_parts,
                        GError **error)
{
    noise_miner_options how;
    noise_miner_options_init(&how, NOISE_MINER_MODERN);
    g_autoptr(noise_miner) miner = app_synopsis_read(folder, &how, num_parts, error);
    if (miner == NULL) {
        return false;
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(miner);
    app_miner_report_print(report, stdout);
    if (last != NULL && *last != NULL) {
        app_miner_news_print(*last, report, stdout);
    }
    const uint64_t lost = noise_miner_lost(miner);
    if (lost > 0) {
        g_print("%" G_GUINT64_FORMAT " events did not fit into the memory of their ranks and are "
                "not counted.\n",
                lost);
    }
    (void)fflush(stdout);
    if (last != NULL) {
        noise_miner_report_free(*last);
        *last = g_steal_pointer(&report);
    }
    return true;
}

typedef struct table {
    const char *folder;
    gint64 begun;             /* us */
    noise_miner_report *last; /* what the table before said; NULL: there was none */
} table;

/* Ranks that have not made a call since have nothing to say yet, or say what they last said. */
static void print_table(void *data)
{
    table *t = data;
    unsigned num_parts = 0;
    if (app_synopsis_is(t->folder)) {
        g_autofree char *when =
            sim_unit_format_time_short((g_get_monotonic_time() - t->begun) * SIM_US);
        g_print("After %s:\n", when);
        (void)print_mined(t->folder, &t->last, &num_parts, NULL);
        g_print("\n");
    }
}

static int run_mined(app_context *context, const tracing *self, const char *folder, GError **error)
{
    sim_time every = 0;
    if (self->mine[0] != '\0' &&
        (!sim_unit_parse_time(self->mine, SIM_S, &every, error) || every < 100 * SIM_MS)) {
        if (error == NULL || *error == NULL) {
            g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "'%s' is less than 100 ms", self->mine);
        }
        app_error_blame_option(error, "--mine");
        return APP_EXIT_USAGE;
    }
    table at = {folder, g_get_monotonic_time(), NULL};
    const app_child_beat beat = {every / SIM_US, print_table, &at};
    const app_record_live live = {.mine = true,
                                  .mine_every = (double)every / (double)SIM_S,
                                  .beat = every > 0 ? &beat : NULL};
    bool program_ok = false;
    unsigned num_parts = 0;
    if (!app_record_without_archive(context, &self->record, &live, folder, &program_ok, error) ||
        !print_mined(folder, NULL, &num_parts, error)) {
        noise_miner_report_free(at.last);
        return APP_EXIT_ERROR;
    }
    noise_miner_report_free(at.last);
    if (num_parts > 0) {
        app_context_note(context,
                         "%u ranks ended before MPI_Finalize or were stopped; this is what they "
                         "had left by then",
                         num_parts);
    }
    return program_ok && num_parts == 0 ? APP_EXIT_DONE : APP_EXIT_ERROR;
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
    const tracing *self = state;
    const app_record_options *record = &self->record;
    const app_option_use uses[] = {
        {"--max-cpu", record->max_cpu != NULL, record->watch ? NULL : "without --watch"},
        {"--watch", record->watch,
         self->mine != NULL ? "with --mine: it needs an archive"
         : self->no_archive ? "with --no-archive: it needs one"
                            : NULL},
        {"--detect", self->detect != NULL, self->mine != NULL ? "with --mine" : NULL},
        {"--no-archive", self->no_archive, self->detect != NULL ? NULL : "without --detect"},
    };
    if (!app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error)) {
        return APP_EXIT_USAGE;
    }
    if (self->mine != NULL) {
        return run_mined(context, self, folder, error);
    }
    if (self->detect != NULL) {
        const app_live_run_options live = {record, folder, self->detect, !self->no_archive};
        return app_live_run(context, &live, error);
    }
    bool program_ok = false;
    app_watched watched = {0};
    g_autoptr(sched_trace) trace =
        app_record(context, record, NULL, folder, &watched, &program_ok, error);
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
    tracing *self = state;
    app_record_clear(&self->record);
    g_free(self->mine);
    g_free(self->detect);
}

static const char *const EXAMPLES[] = {
    "ripple trace -o run1 -- mpirun -n 8 ./a-program",
    "Record eight ranks into the folder run1.",
    "ripple simulate --ranks 64,1Ki --noise jaguar run1",
    "Enlarge what was recorded and see what noise does to it.",
    "ripple trace --watch -o run1 -- mpirun -n 8 --bind-to core ./a-program",
    "Record, and name who took CPU time from which rank meanwhile.",
    "ripple trace --mine=10s -- mpirun -n 8 ./a-program",
    "See every 10 s, and at the end, which noise strikes the program; no archive.",
    "ripple trace --detect=a-program.model -o run2 -- mpirun -n 8 ./a-program",
    "See when something outside the program disturbs one of its ranks, and record.",
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
        "With --mine no archive is written: each rank keeps a synopsis of its computations and of "
        "the\ncalls that do not wait for others, up to 16 MiB. At the end rank 0 leaves that of "
        "all in\nmine.synopsis in the folder, which 'ripple mine' reads.\n\n"
        "With --detect each rank looks for the typical sequences of the model (see 'ripple "
        "detect') in\nits calls while it runs. A line on standard error says when a rank begins "
        "to look disturbed; the\ntable at the end is that of 'ripple detect score' for this "
        "run.\n\n"
        "The launcher (mpirun, mpiexec, srun, or none) is understood from the command. The "
        "exit code\nis 1 if the program fails; what it recorded until then is kept and can be "
        "read. SIGINT, SIGTERM\nand SIGHUP are passed on to the command; what has not ended 5 s "
        "later gets SIGTERM, and after\nanother 5 s SIGKILL, and ripple ends by the signal it got.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_COMMAND | APP_TAKES_OUTPUT,
    .output_help = "folder of the archive, made if need be [" TRACER_DEFAULT_DIR "]",
    .state_size = sizeof(tracing),
    .options = options,
    .run = run,
    .clear = clear,
};
