/* apps/ripple/verbs/verb_mine.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_mine, cli_trace_input. */
/**
 * @file
 * ripple mine: NoiseMiner over a recorded trace or a simulated run.
 */
#include "experiment/single_run.h"
#include "impact/exemplar_again.h"
#include "impact/impact_print.h"
#include "impact/mine_options.h"
#include "impact/mined.h"
#include "mining/inputs.h"
#include "output/error.h"
#include "output/output.h"
#include "pages/component_page.h"
#include "sim/run.h"
#include "verbs/verb_list.h"

static void options(void *state, app_options *options)
{
    app_mine_options_add(state, options);
}

static void clear(void *state)
{
    app_mine_options_clear(state);
}

/* What one call of the verb is about; borrowed but for the setting. */
typedef struct job {
    app_context *context;
    const app_mine_options *self;
    app_mine_wish wish;
    app_source *source; /* NULL: what cannot be simulated */
    bool is_simulated;
    uint32_t ranks;      /* of a simulated run */
    app_setting setting; /* of simulated runs, and where rows are sent back to one */
} job;

/* Once to be mined; once more, of the same seed, for @p again, which makes *@p n exemplars. */
static bool run_program(job *j, uint32_t ranks, noise_miner *miner, app_exemplar_again *again,
                        app_exemplar **exemplars, size_t *n, GError **error)
{
    g_auto(app_single_run) run = {0};
    if (!app_single_run_begin(&run, j->source, &j->setting, ranks, 0, j->context, error)) {
        return false;
    }
    g_autoptr(noise_injection) injection =
        noise_injection_new(j->setting.noise.signature, ranks, &run.injection);
    const sim_run_options options = {
        .noise = noise_injection_hook(injection),
        .levels = run.levels,
        .sink = again != NULL ? app_exemplar_again_sink(again) : noise_miner_sink(miner),
        .threads = j->context->threads,
        .watch = &run.watch.watch,
    };
    g_autoptr(sim_result) result = sim_run(run.program, run.params, &options, error);
    if (result != NULL && again != NULL) {
        *exemplars =
            app_exemplar_again_find(again, run.program, noise_injection_hook(injection), n);
    }
    return result != NULL;
}

/* A recorded trace is mined as it is, unless the options speak of a simulated run. */
static bool is_simulated(const app_mine_options *self, const app_source *source)
{
    return app_source_get_kind(source) != APP_SOURCE_TRACE || self->single.noise.noise != NULL ||
           self->single.program.ranks != NULL || self->single.program.repeat != NULL;
}

/* The folder in which a trace lies, or that it is; owned by the caller. */
static char *folder_of(const char *path)
{
    return g_file_test(path, G_FILE_TEST_IS_DIR) ? g_strdup(path) : g_path_get_dirname(path);
}

static bool choose_row(const app_mine_wish *wish, const noise_miner_report *report, app_mined *out,
                       GError **error)
{
    out->shows = wish->shows;
    out->row = wish->row > 0 ? (size_t)wish->row - 1 : SIZE_MAX;
    if (wish->row > report->num_rows) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "--exemplars: there is no row %" G_GUINT64_FORMAT ", only %zu", wish->row,
                    report->num_rows);
        return false;
    }
    return true;
}

static bool write_page(const job *j, const app_mined *mined, GError **error)
{
    if (j->self->report == NULL) {
        return true;
    }
    g_autofree char *title = g_strdup_printf("Noise in %s", j->context->args[0]);
    g_autofree char *made_by = app_manifest_line(j->context->manifest);
    g_auto(GStrv) gains = mined->impact != NULL ? app_impact_lines(mined->impact) : NULL;
    g_auto(GStrv) notes = mined->impact != NULL ? app_impact_conditions(mined->impact) : NULL;
    const app_component_view view = {.title = title,
                                     .made_by = made_by,
                                     .report = mined->report,
                                     .exemplars = mined->exemplars,
                                     .num_exemplars = mined->n,
                                     .gains = (const char *const *)gains,
                                     .notes = (const char *const *)notes};
    return app_component_page_write(&view, j->self->report, error);
}

/* That the page cannot be written is said before anything is mined. */
static bool check_page(const app_context *context, const app_mine_options *self, GError **error)
{
    const char *const taken[] = {context->output, context->args[0]};
    const app_output_place page = {"--report", self->report, false};
    return self->report == NULL || app_output_check(&page, G_N_ELEMENTS(taken), taken, error);
}

/* What the rows cost; NULL: an error. */
static app_impact *find_impact(job *j, const noise_miner_report *report, GError **error)
{
    const app_experiment program = {
        .source = j->source,
        .params = &j->setting.machine->params,
        .places = j->setting.places,
        .noise = &j->setting.noise,
        .seed = j->context->seed,
        .threads = j->context->threads,
        .verb = j->context->verb,
        .quiet = j->context->quiet,
    };
    return app_impact_run(&program, report, !j->is_simulated, &j->wish.impact, error);
}

/* What went on around events of each row; of a simulated run only where it is shown, since that
 * takes the run once more. */
static bool find_exemplars(job *j, app_mined *mined, app_exemplar **own, GError **error)
{
    if (j->source == NULL) {
        return true;
    }
    if (!j->is_simulated) {
        g_autofree char *folder = folder_of(j->context->args[0]);
        *own = app_exemplars_find(app_source_trace(j->source), j->wish.calls, mined->report, folder,
                                  &mined->n);
    } else if (j->wish.shows || j->self->report != NULL) {
        g_autoptr(app_exemplar_again) again = app_exemplar_again_new(mined->report, j->ranks);
        if (!run_program(j, j->ranks, NULL, again, own, &mined->n, error)) {
            return false;
        }
    }
    mined->exemplars = *own;
    return true;
}

static bool show(job *j, noise_miner *miner, GError **error)
{
    g_autoptr(noise_miner_report) report = noise_miner_report_new(miner);
    app_mined mined = {.report = report};
    if (!choose_row(&j->wish, report, &mined, error)) {
        return false;
    }
    g_autoptr(app_impact) impact = j->wish.impact.wanted ? find_impact(j, report, error) : NULL;
    if (j->wish.impact.wanted && impact == NULL) {
        return false;
    }
    mined.impact = impact;
    app_exemplar *exemplars = NULL;
    const bool ok = find_exemplars(j, &mined, &exemplars, error) &&
                    app_mined_write(&mined, j->context, error) && write_page(j, &mined, error);
    app_exemplars_free(exemplars, mined.n);
    return ok;
}

/* What is mined as it is, and cannot be simulated. */
static int mine_input(job *j, const app_mine_input *input, GError **error)
{
    app_context *context = j->context;
    if (!app_mine_options_refuse_program(j->self, context->seed_given, input->idle, error)) {
        return APP_EXIT_USAGE;
    }
    app_manifest_add(context->manifest, "program", "%s", context->args[0]);
    app_manifest_add(context->manifest, "run", "%s", input->run);
    app_mine_options_note(&j->wish, false, context->manifest);
    j->wish.miner.tick = input->tick != NULL ? input->tick(context->args[0]) : 0;
    g_autoptr(noise_miner) miner = noise_miner_new(&j->wish.miner);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    const bool tool_types = j->wish.miner.mode == NOISE_MINER_PROJECTIONS;
    if (!input->mine(context->args[0], tool_types, miner, notes, error)) {
        return APP_EXIT_ERROR;
    }
    for (guint i = 0; i < notes->len; i++) {
        app_context_note(context, "%s", (const char *)notes->pdata[i]);
    }
    return show(j, miner, error) ? APP_EXIT_DONE : APP_EXIT_ERROR;
}

/* The size of a job that rows are sent back to; what is wrong with it is said before the work. */
static bool check_impact_size(job *j, GError **error)
{
    app_impact_wish *wish = &j->wish.impact;
    if (wish->ranks == 0 || app_source_check_size(j->source, wish->ranks, error)) {
        return true;
    }
    app_error_blame_option(error, "--impact");
    return false;
}

static bool mine_simulated(job *j, noise_miner *miner, GError **error)
{
    const uint32_t ranks = app_single_run_size(j->source, j->context, error);
    if (ranks == 0 || !check_impact_size(j, error)) {
        return false;
    }
    j->ranks = ranks;
    if (!app_setting_resolve(&j->self->single.machine, &j->self->single.places,
                             &j->self->single.noise, &ranks, 1, j->context, &j->setting, error) ||
        !app_source_take_calls(j->source, j->setting.machine, error)) {
        return false;
    }
    app_source_report_notices(j->source, j->context);
    return run_program(j, ranks, miner, NULL, NULL, NULL, error);
}

static bool mine_recorded(job *j, noise_miner *miner, GError **error)
{
    if (j->wish.impact.wanted) {
        app_impact_wish *wish = &j->wish.impact;
        wish->ranks = wish->ranks > 0 ? wish->ranks : app_source_own_ranks(j->source);
        app_context context = *j->context;
        context.seed_given = false; /* it is for the noise that will be found */
        if (!check_impact_size(j, error) ||
            !app_setting_resolve(&j->self->single.machine, &j->self->single.places,
                                 &j->self->single.noise, &wish->ranks, 1, &context, &j->setting,
                                 error) ||
            !app_source_take_calls(j->source, j->setting.machine, error)) {
            return false;
        }
        app_source_report_notices(j->source, j->context);
    }
    app_trace_mine(app_source_trace(j->source), j->wish.calls, miner);
    return true;
}

static int mine_program(job *j, GError **error)
{
    app_context *context = j->context;
    if (j->is_simulated ? !app_mine_options_refuse_on_simulated(j->self, error)
                        : !app_mine_options_refuse_on_record(j->self, context->seed_given, error)) {
        return APP_EXIT_USAGE;
    }
    app_manifest_add(context->manifest, "run", "%s", j->is_simulated ? "simulated" : "recorded");
    app_mine_options_note(&j->wish, !j->is_simulated, context->manifest);
    j->wish.miner.tick = j->is_simulated ? 0 : app_trace_tick(app_source_trace(j->source));
    g_autoptr(noise_miner) miner = noise_miner_new(&j->wish.miner);
    const bool ok =
        j->is_simulated ? mine_simulated(j, miner, error) : mine_recorded(j, miner, error);
    return ok && show(j, miner, error) ? APP_EXIT_DONE : APP_EXIT_ERROR;
}

static int run(app_context *context, void *state, GError **error)
{
    job j = {.context = context, .self = state};
    if (!app_context_check_args(context, 1, 1, error) ||
        !app_mine_options_resolve(j.self, context->manifest, &j.wish, error) ||
        !check_page(context, j.self, error)) {
        return APP_EXIT_USAGE;
    }
    const app_mine_input *input = app_mine_input_find(context->args[0]);
    if (input != NULL) {
        return mine_input(&j, input, error);
    }
    g_autoptr(app_source) source =
        app_source_open(context->args[0], &j.self->single.program, false, context->manifest, error);
    if (source == NULL) {
        return APP_EXIT_ERROR;
    }
    j.source = source;
    j.is_simulated = is_simulated(j.self, source);
    const int code = mine_program(&j, error);
    app_setting_clear(&j.setting);
    return code;
}

static const char *const EXAMPLES[] = {
    "ripple mine trace/",
    "Which noise struck the computations and MPI calls of a recorded program.",
    "ripple mine collective:allreduce:1B --repeat=10k --noise=fixed:21.34ms:5.7ms@0",
    "Find an injected detour again: its length, its period and its rank.",
    "ripple mine app.goal --noise=here.detours --mode=paper",
    "The noise of a measured machine in a simulated run, by the method as published.",
    "ripple mine trace/ --impact=1Ki",
    "What each kind of noise in a recorded run would cost the program on 1Ki ranks.",
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
        "and the simulated run is mined. Logs of Projections (NAME.sts, or its folder) and traces "
        "for\nParaver (NAME.prv) are mined as they are.\n"
        "\n"
        "Each row is one kind of noise: the mean time it adds (with its 95 % confidence interval), "
        "how\noften, with which period and how surely, on which ranks, when, and the share of run "
        "time "
        "it "
        "takes.\nSmaller rows are counted, not shown. With --impact each row also says what the "
        "job "
        "gains\nwithout it: the program is simulated under all that was found, and without each.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT | APP_TAKES_SEED | APP_TAKES_THREADS,
    .state_size = sizeof(app_mine_options),
    .options = options,
    .run = run,
    .clear = clear,
};
