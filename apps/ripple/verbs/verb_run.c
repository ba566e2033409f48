/* apps/ripple/verbs/verb_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_record_errors, test_option_effects. */
/**
 * @file
 * ripple run: record, enlarge, simulate, mine and report in one go.
 */
#include "findings/breakdown_table.h"
#include "findings/experiment_print.h"
#include "findings/experiment_report.h"
#include "knockout/knockout_print.h"
#include "knockout/knockout_report.h"
#include "losses/losses_report.h"
#include "options/setting.h"
#include "options/steady_options.h"
#include "output/error.h"
#include "output/folder.h"
#include "output/miner_print.h"
#include "output/number_text.h"
#include "output/result.h"
#include "program/record.h"
#include "sim/json_member.h"
#include "steady/mined_run.h"
#include "steady/steady.h"
#include "system/stop.h"
#include "tracer/protocol.h"
#include "verbs/verb_list.h"

#include <string.h>

#define DEFAULT_FOLDER "ripple-report"
#define DEFAULT_NOISE  "jaguar"
#define WATCHED_BUDGET "5min" /* so that large sizes are reached: what runs is looked at once */
static const double MIN_SHARE = 1e-5; /* at scale a share that looks like nothing matters */
enum { FIRST_SIZE = 64, LAST_SIZE = 1 << 20 };

typedef struct run_state {
    app_program_options program;
    app_machine_options machine;
    app_place_options places;
    app_noise_options noise;
    app_steady_options steady;
    app_record_options record;
    char *knock_out;
    gboolean explain;
    gboolean no_symmetry;
    app_losses *losses; /* with --watch */
    bool by_watch;      /* what is left out follows from it, nobody asked for it */
} run_state;

static void options(void *state, app_options *options)
{
    run_state *self = state;
    const GOptionEntry entries[] = {
        {"explain", 0, 0, G_OPTION_ARG_NONE, &self->explain,
         "say what bounds the result: the operations and ranks on the critical path; records where "
         "the time goes beyond 10 million operations, too",
         NULL},
        {"no-symmetry", 0, 0, G_OPTION_ARG_NONE, &self->no_symmetry, APP_NO_SYMMETRY_HELP, NULL},
        {"knock-out", 0, 0, G_OPTION_ARG_STRING, &self->knock_out, APP_KNOCKOUT_HELP,
         "[=pairs|largest]"},
        {NULL},
    };
    self->program.may_be_auto = true;
    app_program_options_add(&self->program, options);
    app_machine_options_add(&self->machine, options);
    app_place_options_add(&self->places, options);
    self->noise.standard = DEFAULT_NOISE;
    app_noise_options_add(&self->noise, true, options);
    self->steady.standard = true;
    app_steady_options_add(&self->steady, options);
    app_record_add_options(&self->record, options);
    app_options_add(options, "Result", entries);
}

static void clear(void *state)
{
    run_state *self = state;
    app_program_options_clear(&self->program);
    app_machine_options_clear(&self->machine);
    app_place_options_clear(&self->places);
    app_noise_options_clear(&self->noise);
    app_steady_options_clear(&self->steady);
    app_record_clear(&self->record);
    g_free(self->knock_out);
    app_losses_free(self->losses);
}

/** The result. */
typedef struct outcome {
    const app_source *source;
    const app_noise *noise;
    const app_results *results;
    const noise_miner_report *mined; /* NULL: the size to be mined is not finished */
    const app_findings *findings;
    const app_knockout *knockout; /* NULL: not asked for */
    const app_losses *losses;     /* NULL: it was not watched */
    char *mined_from;
    const char *page;
} outcome;

/* "OTF2 (Ripple), 16 ranks recorded"; what is computed has no ranks of its own. Owned. */
static char *name_program(const app_source *source)
{
    const char *description = app_source_description(source);
    if (app_source_is_computed(source)) {
        return g_strdup(description);
    }
    g_autofree char *ranks = app_format_ranks(app_source_own_ranks(source));
    return g_strdup_printf("%s, %s%s", description, ranks,
                           app_source_get_kind(source) == APP_SOURCE_TRACE ? " recorded" : "");
}

static void print_text(const void *result, FILE *out)
{
    const outcome *o = result;
    g_autofree char *program = name_program(o->source);
    app_findings_print_first(o->findings, out);
    fprintf(out, "%s\n\n", program);
    if (o->losses != NULL) {
        app_losses_print(o->losses, out);
        fputc('\n', out);
    }
    app_findings_print(o->findings, out);
    app_explanations_print(o->results, out);
    if (o->knockout != NULL) {
        app_knockout_print(o->knockout, out);
    }
    fprintf(out, "\n%s\n", o->mined_from);
    if (o->mined != NULL) {
        app_miner_report_print(o->mined, out);
    }
    app_findings_print_last(o->findings, out);
    fprintf(out, "Report: %s\n", o->page);
}

static void print_csv(const void *result, FILE *out)
{
    const outcome *o = result;
    if (o->knockout != NULL) {
        app_knockout_print_csv(o->knockout, out);
    } else {
        app_results_print_csv(o->results, o->noise, out);
    }
}

static void build(const void *result, JsonBuilder *builder)
{
    const outcome *o = result;
    sim_json_text(builder, "program", app_source_description(o->source));
    app_findings_build(o->findings, builder);
    if (o->knockout != NULL) {
        app_knockout_build(o->knockout, builder);
    }
    if (o->losses != NULL) {
        app_losses_build(o->losses, builder);
    }
    if (o->mined != NULL) {
        app_miner_report_build(o->mined, builder);
    }
    sim_json_text(builder, "report", o->page);
}

static const app_result_writer WRITER = {print_text, print_csv, build};

static bool add_sections(const void *data, app_page *page, const char *folder, GError **error)
{
    const outcome *o = data;
    return (o->losses == NULL || app_losses_report(o->losses, page, folder, error)) &&
           (o->knockout == NULL || app_knockout_report(o->knockout, page, folder, error));
}

static bool finish(app_context *context, const outcome *o, GError **error)
{
    g_autofree char *name = name_program(o->source);
    g_autofree char *program = g_strdup_printf("Program: %s.", name);
    const app_report report = {
        .title = "What noise does to this program at scale",
        .program = program,
        .manifest = context->manifest,
        .findings = o->findings,
        .mined_from = o->mined != NULL ? o->mined_from : NULL,
        .mined = o->mined,
        .section = add_sections,
        .section_data = o,
    };
    const char *folder = context->output != NULL ? context->output : DEFAULT_FOLDER;
    return app_report_write(&report, folder, error) &&
           app_result_write(context, NULL, context->format, &WRITER, o, error);
}

/* What is wanted beside the slowdown. */
typedef struct run_wish {
    app_mined_run *mining;
    const app_knockout_wish *knock_out;
    const app_losses *losses; /* NULL: it was not watched */
} run_wish;

static bool mine_and_report(app_context *context, app_experiment *experiment,
                            const app_steady_wish *wish, const run_wish *more, GError **error)
{
    app_mined_run *m = more->mining;
    app_stop_catch_signals();
    g_autoptr(app_results) results = app_mined_run_all(experiment, wish, m, error);
    g_autoptr(app_knockout) knockout = NULL;
    const bool ran = results != NULL &&
                     app_knockout_run_if(more->knock_out, experiment, results, &knockout, error);
    app_stop_release_signals();
    if (!ran) {
        return false;
    }
    app_manifest_set_schema(context->manifest, APP_FINDINGS_SCHEMA);
    app_results_mark_absent(results, context->manifest);
    app_results_mark_symmetry(results, context->manifest);
    const char *folder = context->output != NULL ? context->output : DEFAULT_FOLDER;
    g_autofree char *page = g_build_filename(folder, APP_REPORT_PAGE, NULL);
    g_autofree char *ranks = app_format_ranks(m->ranks);
    g_autofree char *mined_from =
        g_strdup_printf("NoiseMiner on the simulated stream of %s, %s noise%s", ranks,
                        m->mode == APP_IDEAL ? "without" : app_mode_name(m->mode),
                        m->done ? ":" : ": not finished");
    g_autoptr(app_findings) findings =
        app_findings_new(results, experiment->noise, experiment->source);
    noise_miner_report *mined = m->done ? noise_miner_report_new(m->miner) : NULL;
    const outcome o = {experiment->source, experiment->noise, results,    mined, findings,
                       knockout,           more->losses,      mined_from, page};
    const bool ok = finish(context, &o, error) && app_results_check_whole(results, error) &&
                    (knockout == NULL || !knockout->is_stopped || app_stop_fail(error));
    noise_miner_report_free(mined);
    return ok;
}

static bool experiment_and_report(app_context *context, run_state *self, const char *program,
                                  GError **error)
{
    g_auto(app_setting) setting = {0};
    app_steady_wish wish;
    app_knockout_wish knock_out;
    g_autoptr(app_source) source =
        app_source_open(program, &self->program, false, context->manifest, error);
    if (source == NULL) {
        return false;
    }
    app_source_scale_by_default(source, FIRST_SIZE, LAST_SIZE);
    size_t num_sizes = 0;
    g_autofree uint32_t *sizes = app_source_sizes(source, context->manifest, &num_sizes, error);
    if (sizes == NULL ||
        !app_setting_resolve(&self->machine, &self->places, &self->noise, sizes, num_sizes, context,
                             &setting, error) ||
        !app_source_take_calls(source, setting.machine, error) ||
        !app_steady_options_resolve(&self->steady, self->program.repeat,
                                    app_steady_never(source, &setting.noise), context->manifest,
                                    &wish, error) ||
        !app_knockout_resolve(self->knock_out, &setting.noise, context->manifest, &knock_out,
                              error)) {
        return false;
    }
    wish.only_settled = self->program.ranks == NULL && num_sizes > 1 && wish.threshold <= 0;
    app_source_report_notices(source, context);
    app_experiment experiment = {
        .source = source,
        .sizes = sizes,
        .num_sizes = num_sizes,
        .params = &setting.machine->params,
        .places = setting.places,
        .noise = &setting.noise,
        .seed = context->seed,
        .threads = context->threads,
        .explain = self->explain,
        .no_symmetry = self->no_symmetry,
        .verb = context->verb,
        .quiet = context->quiet,
    };
    noise_miner_options miner_options;
    noise_miner_options_init(&miner_options, NOISE_MINER_MODERN);
    miner_options.min_share = MIN_SHARE;
    app_mined_run m = {.miner = noise_miner_new(&miner_options),
                       .mode = app_noise_is_some(&setting.noise) ? APP_UNSYNCHRONIZED : APP_IDEAL};
    app_mined_run_choose(&m, sizes, num_sizes);
    if (self->by_watch) { /* all that nobody asked for in so many words takes so long at most */
        knock_out.seconds = (double)wish.budget / (double)SIM_S;
    }
    const run_wish more = {&m, &knock_out, self->losses};
    const bool ok = mine_and_report(context, &experiment, &wish, &more, error);
    noise_miner_free(m.miner);
    return ok;
}

/* Who took what from the ranks; and that as noise, one program left out after the other, unless
 * another noise is wanted. */
static bool join_losses(const app_context *context, run_state *self, const char *folder,
                        const sched_trace *trace, app_watched *watched, GError **error)
{
    g_autofree char *detours = NULL;
    self->losses = app_losses_new(folder, trace, watched, error);
    if (self->losses == NULL || !app_losses_write_detours(self->losses, folder, &detours, error)) {
        return false;
    }
    if (self->noise.noise == NULL && detours == NULL) {
        app_context_note(context, "nothing was taken: simulated under " DEFAULT_NOISE);
    } else if (self->noise.noise == NULL) {
        self->noise.noise = g_steal_pointer(&detours);
        self->noise.standard = NULL; /* nodes are hit each at its own time */
        self->by_watch = self->knock_out == NULL;
        self->steady.budget =
            self->steady.budget != NULL ? self->steady.budget : g_strdup(WATCHED_BUDGET);
        self->knock_out = self->by_watch ? g_strdup("largest") : self->knock_out;
    }
    return true;
}

/* The trace of a live run lies in the report's folder. Owned by the caller; NULL with an error. */
static char *record_live(app_context *context, run_state *self, const char *folder, GError **error)
{
    g_autofree char *trace_folder = g_build_filename(folder, "trace", NULL);
    bool program_ok = false;
    app_watched watched = {0};
    g_autoptr(sched_trace) trace =
        app_record(context, &self->record, NULL, trace_folder, &watched, &program_ok, error);
    if (trace == NULL) {
        app_losses_drop(&watched);
        return NULL;
    }
    if (self->record.watch && !join_losses(context, self, trace_folder, trace, &watched, error)) {
        return NULL;
    }
    if (!program_ok) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "the program failed; what was recorded is in %s", trace_folder);
        return NULL;
    }
    return g_steal_pointer(&trace_folder);
}

static int run(app_context *context, void *state, GError **error)
{
    run_state *self = state;
    const bool live = context->command != NULL && context->command[0] != NULL;
    if (live != (context->nargs == 0)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "wanted a program that was recorded, or a command after '--' to record");
        return APP_EXIT_USAGE;
    }
    const char *idle = live ? NULL : "without a command to record";
    const app_option_use uses[] = {
        {"--mpi", self->record.mpi != NULL, idle},
        {"--clock", self->record.clock != NULL, idle},
        {"--anonymous", self->record.anonymous, idle},
        {"--watch", self->record.watch, idle},
        {"--max-cpu", self->record.max_cpu != NULL, self->record.watch ? NULL : "without --watch"},
    };
    if (!app_context_check_args(context, 0, 1, error) ||
        !app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error)) {
        return APP_EXIT_USAGE;
    }
    const char *folder = context->output != NULL ? context->output : DEFAULT_FOLDER;
    unsigned num_new = 0;
    if (!app_folder_make(folder, &num_new, error)) { /* said before minutes of work */
        return APP_EXIT_ERROR;
    }
    g_autofree char *recorded = live ? record_live(context, self, folder, error) : NULL;
    const char *program = live ? recorded : context->args[0];
    if (program == NULL || !experiment_and_report(context, self, program, error)) {
        app_folder_drop(folder, num_new);
        return APP_EXIT_ERROR;
    }
    return APP_EXIT_DONE;
}

static const char *const EXAMPLES[] = {
    "ripple run --machine=xt4 --noise=jaguar trace/",
    "The whole way from a recorded program to a report.",
    "ripple run --noise=here.detours -- mpirun -n 8 ./a-program",
    "Record a program and see what the measured noise of this machine does to it at scale.",
    NULL,
};

const app_verb app_verb_run = {
    .name = "run",
    .summary = "record, enlarge, simulate, mine and report in one go",
    .usage = "PROGRAM | -- COMMAND [ARGUMENT]...",
    .description =
        "PROGRAM is as for simulate; a command after '--' is recorded first, as by trace. "
        "Without\n--ranks the program is repeated to 64, 256, ... 1Mi ranks (multiples of its "
        "own size);\na stored schedule keeps its own, since copies of it do not communicate with "
        "each other.\n"
        "Each size is simulated ideal, under unsynchronized and under co-scheduled noise; without\n"
        "--noise that is '" DEFAULT_NOISE
        "'. The slowdown is that of the long run, as well known as "
        "--half-width asks\nand --budget allows: without --ranks, sizes that do not settle within "
        "it are "
        "left out and named.\nOf collectives, and with --repeat=N, that of so "
        "many "
        "passes from a\ncold start, where large sizes get fewer than --replicas runs, by a rule on "
        "their number of\noperations: at least 5, one where a run is very large. NoiseMiner looks "
        "at "
        "the\nlargest unsynchronized run, of up to 50 million operations a pass.\n"
        "\n"
        "With --watch this node is watched while the command runs, and what is said first is who "
        "took CPU\ntime from which rank. Without --noise that is the noise, and --knock-out says "
        "what each program\ncosts at each size.\n"
        "\n"
        "Results go to standard output; the report is " APP_REPORT_PAGE " in the folder named by "
        "-o, with every\nfigure as SVG (wide and narrow), CSV and gnuplot script beside it.\n"
        "Stopped by Ctrl-C, SIGTERM or --time-limit it reports the sizes that are finished and "
        "says\n"
        "which are missing.",
    .examples = EXAMPLES,
    .takes =
        APP_TAKES_FORMAT | APP_TAKES_SEED | APP_TAKES_THREADS | APP_TAKES_COMMAND | APP_TAKES_LIMIT,
    .output_help = "folder of the report, made if need be [" DEFAULT_FOLDER "]",
    .state_size = sizeof(run_state),
    .options = options,
    .run = run,
    .clear = clear,
};
