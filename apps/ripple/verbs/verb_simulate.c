/* apps/ripple/verbs/verb_simulate.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate, cli_simulate_errors. */
/**
 * @file
 * ripple simulate: program + machine + noise -> times.
 */
#include "experiment/estimate.h"
#include "findings/breakdown_table.h"
#include "findings/distribution.h"
#include "findings/experiment_print.h"
#include "knockout/knockout_print.h"
#include "options/setting.h"
#include "options/steady_options.h"
#include "output/error.h"
#include "output/number_text.h"
#include "output/output.h"
#include "output/result.h"
#include "sched/pattern.h"
#include "sched/reader.h"
#include "sim/json_member.h"
#include "steady/steady.h"
#include "system/stop.h"
#include "verbs/verb_list.h"

typedef struct simulate {
    app_program_options program;
    app_machine_options machine;
    app_place_options places;
    app_noise_options noise;
    app_steady_options steady;
    char *replica_csv;
    char *record;
    char *knock_out;
    gboolean per_rank;
    gboolean explain;
    gboolean distribution;
    gboolean no_symmetry;
} simulate;

static void options(void *state, app_options *options)
{
    simulate *self = state;
    const GOptionEntry entries[] = {
        {"per-rank", 0, 0, G_OPTION_ARG_NONE, &self->per_rank,
         "when each rank finishes (CSV: ranks,noise,replica,rank,finish_ns; with --cosched of "
         "the co-scheduled runs)",
         NULL},
        {"explain", 0, 0, G_OPTION_ARG_NONE, &self->explain,
         "say what bounds the result: the operations and ranks on the critical path; records where "
         "the time goes beyond 10 million operations, too",
         NULL},
        {"distribution", 0, 0, G_OPTION_ARG_NONE, &self->distribution,
         "how the makespans are distributed: quantiles, whiskers, outliers, mean (CSV: a row for "
         "each series instead of each replica)",
         NULL},
        {"knock-out", 0, 0, G_OPTION_ARG_STRING, &self->knock_out,
         APP_KNOCKOUT_HELP " (CSV: a row for each component instead of each replica)",
         "[=pairs|largest]"},
        {"no-symmetry", 0, 0, G_OPTION_ARG_NONE, &self->no_symmetry, APP_NO_SYMMETRY_HELP, NULL},
        {"replica-csv", 0, 0, G_OPTION_ARG_FILENAME, &self->replica_csv,
         "write a row for each run, too: ranks,mode,replica,makespan_ns,slowdown", "FILE"},
        {"record", 0, 0, G_OPTION_ARG_FILENAME, &self->record,
         "keep what each step of a run waited for, which ripple analyze reads (replica 0, "
         "unsynchronized if there is noise), "
         "some 10 bytes per operation",
         "FILE"},
        {NULL},
    };
    self->program.may_be_auto = true;
    self->machine.may_be_compat = true;
    app_program_options_add(&self->program, options);
    app_program_options_add_flops(&self->program, options);
    app_machine_options_add(&self->machine, options);
    app_place_options_add(&self->places, options);
    app_noise_options_add(&self->noise, true, options);
    app_steady_options_add(&self->steady, options);
    app_options_add(options, "Result", entries);
}

static void clear(void *state)
{
    simulate *self = state;
    app_program_options_clear(&self->program);
    app_machine_options_clear(&self->machine);
    app_place_options_clear(&self->places);
    app_noise_options_clear(&self->noise);
    app_steady_options_clear(&self->steady);
    g_free(self->replica_csv);
    g_free(self->record);
    g_free(self->knock_out);
}

/** The request and the result. */
typedef struct outcome {
    const simulate *asked;
    const app_source *source;
    const app_noise *noise;
    const app_results *results;
    const app_findings *findings;
    const app_knockout *knockout; /* NULL: not asked for */
} outcome;

static void print_text(const void *result, FILE *out)
{
    const outcome *o = result;
    const app_series *first = &o->results->series[0];
    app_findings_print_first(o->findings, out);
    g_autofree char *operations = app_format_number(first->num_ops);
    g_autofree char *messages = app_format_number(first->num_messages);
    g_autofree char *ranks = app_format_ranks(first->ranks);
    fprintf(out, "%s: %s operations and %s messages at %s\n\n", app_source_description(o->source),
            operations, messages, ranks);
    app_findings_print(o->findings, out);
    if (o->asked->distribution) {
        app_distribution_print(o->results, out);
    }
    if (o->asked->per_rank) {
        app_results_print_ranks(o->results, out);
    }
    if (o->asked->explain) {
        app_explanations_print(o->results, out);
    }
    if (o->knockout != NULL) {
        app_knockout_print(o->knockout, out);
    }
    app_findings_print_last(o->findings, out);
}

static void print_csv(const void *result, FILE *out)
{
    const outcome *o = result;
    if (o->asked->per_rank) {
        app_results_print_ranks_csv(o->results, o->noise, out);
    } else if (o->asked->distribution) {
        app_distribution_print_csv(o->results, o->noise, out);
    } else if (o->knockout != NULL) {
        app_knockout_print_csv(o->knockout, out);
    } else {
        app_results_print_csv(o->results, o->noise, out);
    }
}

static void build(const void *result, JsonBuilder *builder)
{
    const outcome *o = result;
    sim_json_text(builder, "program", app_source_description(o->source));
    app_source_build_notices(o->source, builder);
    app_findings_build(o->findings, builder);
    if (o->knockout != NULL) {
        app_knockout_build(o->knockout, builder);
    }
}

static const app_result_writer WRITER = {print_text, print_csv, build};

static void print_replicas(const void *result, FILE *out)
{
    const outcome *o = result;
    app_replicas_print_csv(o->results, out);
}

/* Where LogGOPSim's defects have a say. */
static void note_departures(const app_context *context, const app_results *results)
{
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        for (guint k = 0; s->departures != NULL && k < s->departures->len; k++) {
            g_autofree char *ranks = app_format_ranks(s->ranks);
            app_context_note(context, "LogGOPSim's times may be others at %s: %s", ranks,
                             (const char *)s->departures->pdata[k]);
        }
    }
}

/* LogGOPSim's noise works in another way, and in its order of events no causes are kept. */
static bool check_compat(const simulate *self, const app_noise *noise, GError **error)
{
    if (!app_machine_options_is_compat(&self->machine)) {
        return true;
    }
    const char *idle = "with --compat=loggopsim, whose runs are not recorded";
    const app_option_use uses[] = {{"--explain", self->explain, idle},
                                   {"--record", self->record != NULL, idle}};
    if (app_noise_is_some(noise)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--compat: noise works in another way in LogGOPSim; --set=progress=async "
                    "--set=rendezvous=instant takes its rules for messages, in Ripple's own order");
        return false;
    }
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error);
}

static bool write_results(const app_context *context, const simulate *self, const outcome *o,
                          GError **error)
{
    static const app_result_writer replicas = {.csv = print_replicas};
    if (self->replica_csv != NULL &&
        !app_result_write(context, self->replica_csv, APP_FORMAT_CSV, &replicas, o, error)) {
        return false;
    }
    return app_result_write(context, context->output, context->format, &WRITER, o, error);
}

/* Said before hours of work, not after them. */
static bool check_request(const app_context *context, const simulate *self, GError **error)
{
    const app_option_use uses[] = {
        {"--explain", self->explain,
         context->format == APP_FORMAT_CSV ? "with --format=csv" : NULL},
        {"--distribution", self->distribution,
         context->format == APP_FORMAT_JSON ? "with --format=json, which always has it" : NULL},
    };
    if (!app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error)) {
        return false;
    }
    const char *const tables[] = {self->per_rank ? "--per-rank" : NULL,
                                  self->distribution ? "--distribution" : NULL,
                                  self->knock_out != NULL ? "--knock-out" : NULL};
    const char *first = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(tables) && context->format == APP_FORMAT_CSV; i++) {
        if (first != NULL && tables[i] != NULL) {
            g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                        "%s and %s are different tables: one at a time with --format=csv", first,
                        tables[i]);
            return false;
        }
        first = first != NULL ? first : tables[i];
    }
    const char *const taken[] = {context->output, context->args[0], self->record};
    const app_output_place record = {"--record", self->record, true};
    const app_output_place replicas = {"--replica-csv", self->replica_csv, false};
    return (self->record == NULL || app_output_check(&record, 2, taken, error)) &&
           (self->replica_csv == NULL ||
            app_output_check(&replicas, G_N_ELEMENTS(taken), taken, error));
}

static bool resolve_steady(const app_context *context, const simulate *self,
                           const app_source *source, const app_noise *noise, app_steady_wish *wish,
                           GError **error)
{
    if (!app_steady_options_resolve(&self->steady, self->program.repeat,
                                    app_steady_never(source, noise), context->manifest, wish,
                                    error)) {
        return false;
    }
    const char *idle = wish->wanted ? "with --repeat=auto" : NULL;
    const app_option_use uses[] = {
        {"--per-rank", self->per_rank, idle},
        {"--record", self->record != NULL, idle},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error);
}

static app_results *run_experiment(const app_experiment *experiment, const app_steady_wish *wish,
                                   GError **error)
{
    if (wish->wanted) {
        return app_steady_run(experiment, wish, error);
    }
    return app_estimate_run(experiment, error);
}

static bool simulate_all(app_context *context, const simulate *self, GError **error)
{
    g_auto(app_setting) setting = {0};
    app_steady_wish wish = {0};
    app_knockout_wish knock_out;
    g_autoptr(app_source) source =
        app_source_open(context->args[0], &self->program, false, context->manifest, error);
    size_t num_sizes = 0;
    g_autofree uint32_t *sizes =
        source != NULL ? app_source_sizes(source, context->manifest, &num_sizes, error) : NULL;
    if (sizes == NULL ||
        !app_setting_resolve(&self->machine, &self->places, &self->noise, sizes, num_sizes, context,
                             &setting, error) ||
        !app_source_take_calls(source, setting.machine, error) ||
        !check_compat(self, &setting.noise, error) ||
        !resolve_steady(context, self, source, &setting.noise, &wish, error) ||
        !app_knockout_resolve(self->knock_out, &setting.noise, context->manifest, &knock_out,
                              error)) {
        return false;
    }
    if (self->record != NULL && num_sizes > 1) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--record: one size in --ranks at a time");
        return false;
    }
    app_source_report_notices(source, context);
    g_autofree char *label = app_manifest_line(context->manifest);
    const app_experiment experiment = {
        .source = source,
        .sizes = sizes,
        .num_sizes = num_sizes,
        .params = &setting.machine->params,
        .places = setting.places,
        .noise = &setting.noise,
        .seed = context->seed,
        .threads = context->threads,
        .keep_finish = self->per_rank,
        .explain = self->explain,
        .no_symmetry = self->no_symmetry,
        .record = self->record,
        .record_label = label,
        .verb = context->verb,
        .quiet = context->quiet,
    };
    app_stop_catch_signals();
    g_autoptr(app_results) results = run_experiment(&experiment, &wish, error);
    g_autoptr(app_knockout) knockout = NULL;
    const bool ok =
        results != NULL && app_knockout_run_if(&knock_out, &experiment, results, &knockout, error);
    app_stop_release_signals();
    if (!ok) {
        return false;
    }
    app_manifest_set_schema(context->manifest, APP_FINDINGS_SCHEMA);
    app_results_mark_absent(results, context->manifest);
    app_results_mark_symmetry(results, context->manifest);
    note_departures(context, results);
    g_autoptr(app_findings) findings = app_findings_new(results, &setting.noise, source);
    const outcome o = {self, source, &setting.noise, results, findings, knockout};
    return write_results(context, self, &o, error) && app_results_check_whole(results, error) &&
           (knockout == NULL || !knockout->is_stopped || app_stop_fail(error));
}

static int run(app_context *context, void *state, GError **error)
{
    if (!app_context_check_args(context, 1, 1, error) || !check_request(context, state, error)) {
        return APP_EXIT_USAGE;
    }
    return simulate_all(context, state, error) ? APP_EXIT_DONE : APP_EXIT_ERROR;
}

static const char *const EXAMPLES[] = {
    "ripple simulate collective:allreduce:1B --ranks=64,64Ki --noise=jaguar --cosched",
    "What the noise of Jaguar does to a small allreduce, and what co-scheduling would save.",
    "ripple simulate --machine=chic --set=L=3us --explain app.goal",
    "A schedule on another machine, and what bounds it.",
    "ripple simulate trace/ --ranks=1Ki --noise=fixed:1kHz:100us --replicas=20 --format=csv",
    "A recorded program repeated to 1Ki ranks, one row for each replica.",
    "ripple simulate 'pattern:stencil3d:8KiB,calc=1ms,allreduce:8B*20' --noise=altix",
    "Twenty iterations of a program that need not exist.",
    "ripple simulate collective:barrier --ranks=16Ki --noise=altix --replicas=1k --distribution",
    "How a thousand replicas are distributed.",
    NULL,
};

static char *describe(void)
{
    g_autofree char *schedules = sched_reader_forms(false);
    g_autofree char *traces = sched_reader_forms(true);
    g_autofree char *items = sched_pattern_list_items();
    return g_strdup_printf(
        "PROGRAM is a stored schedule (%s), a trace (%s), "
        "collective:NAME[:ALGORITHM][:BYTES], e.g. collective:allreduce:dissemination:1B, or "
        "pattern:ITEM,..., e.g. pattern:stencil3d:8KiB,calc=1ms,allreduce:8B*20. Items are %s; "
        "*N repeats the item or the (group) before it, at the very end all of them: "
        "docs/patterns.md.\n"
        "\n"
        "Every size in --ranks is simulated without noise (ideal) and, if there is noise, in "
        "--replicas runs with unsynchronized noise; with --cosched in as many with co-scheduled "
        "noise. The slowdown is (noisy - ideal) / ideal of the passes that --repeat asks for, from "
        "a cold start; with --repeat=auto, that of the long run. It is the mean of the replicas, "
        "with its 95 %% interval, or the range of fewer than five; where too few detours were met "
        "to say anything, that is said instead. Below the tables stands what the numbers stand on, "
        "and last what they come to. A trace is repeated to larger sizes: rank r of replica e of "
        "H recorded ranks becomes rank r + e H. So is a stored schedule, but its copies do not "
        "communicate with each other, since it has no collectives that could grow.\n"
        "\n"
        "Stopped by Ctrl-C, SIGTERM or --time-limit it prints the sizes that are finished and "
        "which are\n"
        "missing; a second Ctrl-C ends it at once.",
        schedules, traces, items);
}

const app_verb app_verb_simulate = {
    .name = "simulate",
    .summary = "run a program on a machine under noise: ideal, unsynchronized, co-scheduled",
    .usage = "PROGRAM",
    .describe = describe,
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT | APP_TAKES_SEED | APP_TAKES_THREADS | APP_TAKES_LIMIT,
    .state_size = sizeof(simulate),
    .options = options,
    .run = run,
    .clear = clear,
};
