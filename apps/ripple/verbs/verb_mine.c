/* apps/ripple/verbs/verb_mine.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_mine, cli_trace_input. */
/**
 * @file
 * ripple mine: NoiseMiner over a recorded trace or a simulated run.
 */
#include "experiment/single_run.h"
#include "mining/inputs.h"
#include "mining/mined.h"
#include "output/error.h"
#include "output/output.h"
#include "pages/component_page.h"
#include "program/synopsis.h"
#include "sim/run.h"
#include "sim/unit.h"
#include "verbs/verb_list.h"

typedef struct mine {
    app_program_options program;
    app_machine_options machine;
    app_place_options places;
    app_noise_options noise;
    char *mode;
    char *calls;
    char *exemplars;
    char *report;
    char *min_share;
    char *min_count;
    char *quantum;
    char *cutoff;
} mine;

static void options(void *state, app_options *options)
{
    mine *self = state;
    const GOptionEntry entries[] = {
        {"mode", 0, 0, G_OPTION_ARG_STRING, &self->mode,
         "how to look: robust statistics with confidence, as published in 2009, or as the tool "
         "Projections does [modern]",
         "modern|paper|projections"},
        {"calls", 0, 0, G_OPTION_ARG_STRING, &self->calls,
         "MPI calls of a recorded run to look into, beside the computations between them: all of "
         "which is known how long they waited for others, those that wait for nobody, or none "
         "[all]",
         "all|local|none"},
        {"exemplars", 0, 0, G_OPTION_ARG_STRING, &self->exemplars,
         "print events of this row, counted from 1, or of all rows of a recorded run, with what "
         "went on around them",
         "ROW|all"},
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &self->report,
         "also write a page: the rows and, of a recorded run, their events as small timelines",
         "FILE"},
        {"min-share", 0, 0, G_OPTION_ARG_STRING, &self->min_share,
         "mode modern: leave out what takes a smaller share of the run time [1e-4]", "SHARE"},
        {"min-count", 0, 0, G_OPTION_ARG_STRING, &self->min_count,
         "modes modern and projections: leave out what occurs less often [3; projections: 6]", "N"},
        {"quantum", 0, 0, G_OPTION_ARG_STRING, &self->quantum,
         "the scheduler's time slice, for the label internal or external [100ms]", "TIME"},
        {"cutoff", 0, 0, G_OPTION_ARG_STRING, &self->cutoff,
         "mode paper: leave out what has a smaller t_noise / period [0]; mode projections: what "
         "has "
         "no higher importance, t_noise / period * ln(t_noise / us) [0.8]",
         "RATIO"},
        {NULL},
    };
    app_program_options_add(&self->program, options);
    app_program_options_add_flops(&self->program, options);
    app_machine_options_add(&self->machine, options);
    app_place_options_add(&self->places, options);
    app_noise_options_add(&self->noise, false, options);
    app_options_add(options, "Mining", entries);
}

static void clear(void *state)
{
    mine *self = state;
    app_program_options_clear(&self->program);
    app_machine_options_clear(&self->machine);
    app_place_options_clear(&self->places);
    app_noise_options_clear(&self->noise);
    g_free(self->mode);
    g_free(self->calls);
    g_free(self->exemplars);
    g_free(self->report);
    g_free(self->min_share);
    g_free(self->min_count);
    g_free(self->quantum);
    g_free(self->cutoff);
}

static bool parse_ratio(const char *option, const char *text, double *out, GError **error)
{
    if (text == NULL) {
        return true;
    }
    char *end = NULL;
    const double value = g_ascii_strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0.0) || !(value <= 1.0)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "%s: '%s' is not a number from 0 to 1",
                    option, text);
        return false;
    }
    *out = value;
    return true;
}

static const char *const MODES[] = {"modern", "paper", "projections", NULL};

static const char *const CALLS[] = {"all", "local", "none", NULL};

static bool read_calls(const mine *self, app_calls *out, GError **error)
{
    unsigned calls = APP_CALLS_ALL;
    if (self->calls != NULL && !app_parse_choice("--calls", self->calls, CALLS, &calls, error)) {
        return false;
    }
    *out = (app_calls)calls;
    return true;
}

static bool read_options(const mine *self, noise_miner_options *o, GError **error)
{
    unsigned mode = NOISE_MINER_MODERN;
    if (self->mode != NULL && !app_parse_choice("--mode", self->mode, MODES, &mode, error)) {
        return false;
    }
    noise_miner_options_init(o, (noise_miner_mode)mode);
    if (!parse_ratio("--min-share", self->min_share, &o->min_share, error) ||
        !parse_ratio("--cutoff", self->cutoff, &o->cutoff, error)) {
        return false;
    }
    if (self->min_count != NULL &&
        !app_parse_unsigned("--min-count", self->min_count, 1, UINT64_MAX, &o->min_count, error)) {
        return false;
    }
    if (self->quantum != NULL && !sim_unit_parse_time(self->quantum, SIM_MS, &o->quantum, error)) {
        app_error_blame_option(error, "--quantum");
        return false;
    }
    return true;
}

static bool refuse_idle_in_mode(const mine *self, noise_miner_mode mode, GError **error)
{
    const char *in_paper = mode == NOISE_MINER_PAPER ? "with --mode=paper" : NULL;
    const char *in_projections =
        mode == NOISE_MINER_PROJECTIONS ? "with --mode=projections" : in_paper;
    const char *in_modern =
        mode == NOISE_MINER_MODERN ? "without --mode=paper or --mode=projections" : NULL;
    const app_option_use uses[] = {
        {"--min-share", self->min_share != NULL, in_projections},
        {"--min-count", self->min_count != NULL, in_paper},
        {"--cutoff", self->cutoff != NULL, in_modern},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error);
}

/* What is said of a simulated run, where there is none. */
static bool refuse_idle_on_record(const mine *self, bool seed_given, GError **error)
{
    static const char *const IDLE =
        "on a recorded run; --noise, --ranks or --repeat make it a simulated one";
    const app_program_options *p = &self->program;
    const app_machine_options *m = &self->machine;
    const app_option_use uses[] = {
        {"--coll", p->coll != NULL, IDLE},
        {"--compute", p->compute != NULL, IDLE},
        {"--no-p2p", p->no_p2p, IDLE},
        {"--no-collectives", p->no_collectives, IDLE},
        {"--roots", p->roots != NULL, IDLE},
        {"--wildcards", p->wildcards != NULL, IDLE},
        {"--reduce", p->reduce != NULL, IDLE},
        {"--machine", m->machine != NULL, IDLE},
        {"--set", m->set != NULL, IDLE},
        {"--compat", m->compat != NULL, IDLE},
        {"--without", self->noise.without != NULL, IDLE},
        {"--cosched", self->noise.cosched != NULL, IDLE},
        {"--ranks-per-node", self->places.ranks_per_node != NULL, IDLE},
        {"--placement", self->places.placement != NULL, IDLE},
        {"--threads-per-rank", self->places.threads_per_rank != NULL, IDLE},
        {"--cores-per-node", self->places.cores_per_node != NULL, IDLE},
        {"--accept-invalid", self->noise.accept_invalid, IDLE},
        {"--seed", seed_given, IDLE},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error);
}

static bool refuse_idle_on_simulated(const mine *self, GError **error)
{
    const app_option_use uses[] = {
        {"--calls", self->calls != NULL, "on a simulated run"},
        {"--exemplars", self->exemplars != NULL, "on a simulated run"},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error);
}

static void add_to_manifest(const noise_miner_options *o, app_manifest *manifest)
{
    g_autofree char *quantum = sim_unit_format_time(o->quantum);
    app_manifest_add(manifest, "mode", "%s", MODES[o->mode]);
    if (o->mode == NOISE_MINER_MODERN) {
        app_manifest_add(manifest, "min-share", "%g", o->min_share);
    }
    if (o->mode != NOISE_MINER_PAPER) {
        app_manifest_add(manifest, "min-count", "%" G_GUINT64_FORMAT, o->min_count);
    }
    app_manifest_add(manifest, "quantum", "%s", quantum);
    if (o->mode != NOISE_MINER_MODERN) {
        app_manifest_add(manifest, "cutoff", "%g", o->cutoff);
    }
}

static bool mine_run(app_context *context, const mine *self, app_source *source, noise_miner *miner,
                     GError **error)
{
    const uint32_t ranks = app_single_run_size(source, context, error);
    if (ranks == 0) {
        return false;
    }
    app_source_report_notices(source, context);
    g_auto(app_setting) setting = {0};
    g_auto(app_single_run) run = {0};
    if (!app_setting_resolve(&self->machine, &self->places, &self->noise, &ranks, 1, context,
                             &setting, error) ||
        !app_single_run_begin(&run, source, &setting, ranks, 0, context, error)) {
        return false;
    }
    g_autoptr(noise_injection) injection =
        noise_injection_new(setting.noise.signature, ranks, &run.injection);
    const sim_run_options options = {
        .noise = noise_injection_hook(injection),
        .levels = run.levels,
        .sink = noise_miner_sink(miner),
        .threads = context->threads,
        .watch = &run.watch.watch,
    };
    g_autoptr(sim_result) result = sim_run(run.program, run.params, &options, error);
    return result != NULL;
}

/* A recorded trace is mined as it is, unless the options speak of a simulated run. */
static bool is_simulated(const mine *self, const app_source *source)
{
    return app_source_trace(source) == NULL || self->noise.noise != NULL ||
           self->program.ranks != NULL || self->program.repeat != NULL;
}

/* The folder in which a trace lies, or that it is; owned by the caller. */
static char *folder_of(const char *path)
{
    return g_file_test(path, G_FILE_TEST_IS_DIR) ? g_strdup(path) : g_path_get_dirname(path);
}

/* "3", or "all", or nothing. */
static bool read_row(const mine *self, const noise_miner_report *report, app_mined *out,
                     GError **error)
{
    out->row = SIZE_MAX;
    out->shows = self->exemplars != NULL;
    if (self->exemplars == NULL || g_str_equal(self->exemplars, "all")) {
        return true;
    }
    uint64_t row = 0;
    if (!app_parse_unsigned("--exemplars", self->exemplars, 1, UINT32_MAX, &row, error)) {
        return false;
    }
    if (row > report->num_rows) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "--exemplars: there is no row %" G_GUINT64_FORMAT ", only %zu", row,
                    report->num_rows);
        return false;
    }
    out->row = (size_t)row - 1;
    return true;
}

static bool write_page(const app_context *context, const mine *self, const app_mined *mined,
                       GError **error)
{
    g_autofree char *title = g_strdup_printf("Noise in %s", context->args[0]);
    g_autofree char *made_by = app_manifest_line(context->manifest);
    const app_component_view view = {.title = title,
                                     .made_by = made_by,
                                     .report = mined->report,
                                     .exemplars = mined->exemplars,
                                     .num_exemplars = mined->n};
    return self->report == NULL || app_component_page_write(&view, self->report, error);
}

/* That the page cannot be written is said before anything is mined. */
static bool check_page(const app_context *context, const mine *self, GError **error)
{
    const char *const taken[] = {context->output, context->args[0]};
    const app_output_place page = {"--report", self->report, false};
    return self->report == NULL || app_output_check(&page, G_N_ELEMENTS(taken), taken, error);
}

/* @param trace NULL: of a simulated run */
static bool show(const app_context *context, const mine *self, const sched_trace *trace,
                 app_calls calls, const noise_miner_report *report, GError **error)
{
    app_mined mined = {.report = report};
    if (!read_row(self, report, &mined, error)) {
        return false;
    }
    app_exemplar *exemplars = NULL;
    if (trace != NULL) {
        g_autofree char *folder = folder_of(context->args[0]);
        exemplars = app_exemplars_find(trace, calls, report, folder, &mined.n);
        mined.exemplars = exemplars;
    }
    const bool ok =
        app_mined_write(&mined, context, error) && write_page(context, self, &mined, error);
    app_exemplars_free(exemplars, mined.n);
    return ok;
}

/* What a simulated run, or an archive, is asked for. */
static bool refuse_idle_on_mined(const mine *self, bool seed_given, GError **error)
{
    static const char *const IDLE = "on what was mined while the program ran";
    const app_option_use uses[] = {
        {"--noise", self->noise.noise != NULL, IDLE},
        {"--ranks", self->program.ranks != NULL, IDLE},
        {"--repeat", self->program.repeat != NULL, IDLE},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error) &&
           refuse_idle_on_record(self, seed_given, error);
}

/* A report of what ripple trace --mine has left. */
static int run_on_mined(app_context *context, const mine *self, const noise_miner_options *options,
                        GError **error)
{
    unsigned num_parts = 0;
    if (!refuse_idle_on_mined(self, context->seed_given, error)) {
        return APP_EXIT_USAGE;
    }
    app_manifest_add(context->manifest, "run", "mined while it ran");
    add_to_manifest(options, context->manifest);
    g_autoptr(noise_miner) miner = app_synopsis_read(context->args[0], options, &num_parts, error);
    if (miner == NULL) {
        return APP_EXIT_ERROR;
    }
    if (num_parts > 0) {
        app_context_note(context, "the program did not come to MPI_Finalize; %u ranks left this",
                         num_parts);
    }
    if (noise_miner_lost(miner) > 0) {
        app_context_note(context, "%" G_GUINT64_FORMAT " events did not fit into memory",
                         noise_miner_lost(miner));
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(miner);
    return show(context, self, NULL, APP_CALLS_LOCAL, report, error) ? APP_EXIT_DONE
                                                                     : APP_EXIT_ERROR;
}

/* What is mined as it is, and cannot be simulated. */
static int mine_input(app_context *context, const mine *self, const app_mine_input *input,
                      noise_miner_options *options, GError **error)
{
    static const char *const IDLE = "on what cannot be simulated";
    const app_option_use uses[] = {
        {"--noise", self->noise.noise != NULL, IDLE},
        {"--ranks", self->program.ranks != NULL, IDLE},
        {"--repeat", self->program.repeat != NULL, IDLE},
        {"--calls", self->calls != NULL, IDLE},
        {"--exemplars", self->exemplars != NULL, IDLE},
    };
    if (!app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error) ||
        !refuse_idle_on_record(self, context->seed_given, error)) {
        return APP_EXIT_USAGE;
    }
    app_manifest_add(context->manifest, "program", "%s", context->args[0]);
    app_manifest_add(context->manifest, "run", "recorded");
    add_to_manifest(options, context->manifest);
    options->tick = input->tick;
    g_autoptr(noise_miner) miner = noise_miner_new(options);
    if (!input->mine(context->args[0], options->mode == NOISE_MINER_PROJECTIONS, miner, error)) {
        return APP_EXIT_ERROR;
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(miner);
    return show(context, self, NULL, APP_CALLS_NONE, report, error) ? APP_EXIT_DONE
                                                                    : APP_EXIT_ERROR;
}

static int run(app_context *context, void *state, GError **error)
{
    const mine *self = state;
    noise_miner_options miner_options;
    app_calls calls;
    if (!app_context_check_args(context, 1, 1, error) ||
        !read_options(self, &miner_options, error) || !read_calls(self, &calls, error) ||
        !refuse_idle_in_mode(self, miner_options.mode, error) ||
        !check_page(context, self, error)) {
        return APP_EXIT_USAGE;
    }
    if (app_synopsis_is(context->args[0])) {
        return run_on_mined(context, self, &miner_options, error);
    }
    const app_mine_input *input = app_mine_input_find(context->args[0]);
    if (input != NULL) {
        return mine_input(context, self, input, &miner_options, error);
    }
    g_autoptr(app_source) source =
        app_source_open(context->args[0], &self->program, false, context->manifest, error);
    if (source == NULL) {
        return APP_EXIT_ERROR;
    }
    const bool simulated = is_simulated(self, source);
    if (!simulated && !refuse_idle_on_record(self, context->seed_given, error)) {
        return APP_EXIT_USAGE;
    }
    if (simulated && !refuse_idle_on_simulated(self, error)) {
        return APP_EXIT_USAGE;
    }
    app_manifest_add(context->manifest, "run", "%s", simulated ? "simulated" : "recorded");
    if (!simulated) {
        app_manifest_add(context->manifest, "calls", "%s", CALLS[calls]);
    }
    add_to_manifest(&miner_options, context->manifest);
    miner_options.tick = simulated ? 0 : app_trace_tick(app_source_trace(source));
    noise_miner *miner = noise_miner_new(&miner_options);
    bool ok = true;
    if (simulated) {
        ok = mine_run(context, self, source, miner, error);
    } else {
        app_trace_mine(app_source_trace(source), calls, miner);
    }
    if (ok) {
        g_autoptr(noise_miner_report) report = noise_miner_report_new(miner);
        ok = show(context, self, simulated ? NULL : app_source_trace(source), calls, report, error);
    }
    noise_miner_free(miner);
    return ok ? APP_EXIT_DONE : APP_EXIT_ERROR;
}

static const char *const EXAMPLES[] = {
    "ripple mine trace/",
    "Which noise struck the computations and MPI calls of a recorded program.",
    "ripple mine collective:allreduce:1B --repeat=10k --noise=fixed:21.34ms:5.7ms@0",
    "Find an injected detour again: its length, its period and its rank.",
    "ripple mine app.goal --noise=here.detours --mode=paper",
    "The noise of a measured machine in a simulated run, by the method as published.",
    NULL,
};

const app_verb app_verb_mine = {
    .name = "mine",
    .summary = "find out which noise struck a recorded or simulated run (NoiseMiner)",
    .usage = "PROGRAM",
    .description =
        "PROGRAM is as for simulate. A trace is mined as it was recorded: the code between two "
        "MPI\n"
        "calls should take equally long whenever the same two calls enclose it, and so should a "
        "call of\n"
        "one size and distance, less what it waited for a partner that came late (--calls). With "
        "--noise,\n"
        "--ranks or --repeat it is simulated first, as a schedule, a collective or a pattern "
        "always is,\n"
        "and the simulated run is mined. Logs of Projections (NAME.sts, or its folder) are mined "
        "as they\nare.\n"
        "\n"
        "Each row is one kind of noise: the mean time it adds (with its 95 % confidence interval), "
        "how\noften, with which period and how surely, on which ranks, and the share of run time "
        "it "
        "takes.\nSmaller rows are counted, not shown.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT | APP_TAKES_SEED | APP_TAKES_THREADS,
    .state_size = sizeof(mine),
    .options = options,
    .run = run,
    .clear = clear,
};
