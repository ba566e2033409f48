/* apps/ripple/verbs/verb_sweep.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_sweep, cli_sweep_errors. */
/**
 * @file
 * ripple sweep: many simulations over parameters, into a database.
 */
#include "output/error.h"
#include "output/number_text.h"
#include "study/sweep_options.h"
#include "sweep/sweep_estimate.h"
#include "sweep/sweep_print.h"
#include "sweep/sweep_report.h"
#include "sweep/sweep_run.h"
#include "system/stop.h"
#include "verbs/verb_list.h"

#include <string.h>

enum { JSON_SCHEMA = 2 };

#define DEFAULT_DATABASE "ripple-sweep.db"

typedef struct sweep {
    app_sweep_options options;
    gboolean dry_run;
    gboolean no_symmetry;
    char *page;
} sweep;

static void options(void *state, app_options *options)
{
    sweep *self = state;
    const GOptionEntry entries[] = {
        {"dry-run", 0, 0, G_OPTION_ARG_NONE, &self->dry_run,
         "check all points and say how long they will take; write nothing", NULL},
        {"no-symmetry", 0, 0, G_OPTION_ARG_NONE, &self->no_symmetry, APP_NO_SYMMETRY_HELP, NULL},
        {"page", 0, 0, G_OPTION_ARG_FILENAME, &self->page,
         "draw the results as well, into this folder, as 'ripple report' does", "FOLDER"},
        {NULL},
    };
    app_sweep_options_add(&self->options, options);
    app_options_add(options, "Result", entries);
}

static const char *database_path(const app_context *context)
{
    return context->output != NULL ? context->output : DEFAULT_DATABASE;
}

static void clear(void *state)
{
    sweep *self = state;
    app_sweep_options_clear(&self->options);
    g_free(self->page);
}

/* The value that a parameter has wherever it has an effect; NULL: several, or nowhere. Owned. */
static char *common_value(const app_sweep_table *table, app_parameter_id id)
{
    const app_sweep_value *first = NULL;
    for (size_t i = 0; i < table->num_points; i++) {
        const app_sweep_value *value = &table->points[i].values[id];
        if (value->has && first == NULL) {
            first = value;
        } else if (value->has && !app_sweep_value_equal(value, first)) {
            return NULL;
        }
    }
    return first != NULL ? app_sweep_value_format(id, first) : NULL;
}

/* What was asked for, and what else took effect, in the line that heads the result. */
static void add_to_manifest(const app_sweep_study *study, const app_sweep_table *table,
                            app_manifest *manifest)
{
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        const char *asked = study->swept[id] != NULL ? study->swept[id] : study->fixed[id];
        g_autofree char *text =
            asked != NULL ? g_strdup(asked) : common_value(table, (app_parameter_id)id);
        if (text != NULL && id != APP_PARAMETER_SEED) {
            app_manifest_add(manifest, app_parameters[id].name, "%s", text);
        }
    }
    for (guint i = 0; i < table->measurements->len; i++) {
        app_noise_add_measurement(g_ptr_array_index(table->measurements, i), i + 1, manifest);
    }
    app_manifest_add(manifest, "points", "%zu", table->num_points);
    const char *seeds = study->swept[APP_PARAMETER_SEED];
    const char *seed = study->fixed[APP_PARAMETER_SEED];
    if (seeds != NULL) {
        app_manifest_add(manifest, "seed", "%s", seeds);
    } else {
        app_manifest_set_seed(manifest, seed != NULL ? g_ascii_strtoull(seed, NULL, 10) : 1);
    }
}

/*
 * What is ahead, on standard error; an error if the disk is too small for it.
 * @param seconds it is thought to take; 0: so few that nobody asks
 */
static bool announce(const app_context *context, const app_sweep_plan *plan, app_sweep_maker *maker,
                     const bool *left, double *seconds, GError **error)
{
    const app_work work = app_sweep_plan_left(plan, left);
    size_t points = 0;
    for (size_t i = 0; i < plan->num_points; i++) {
        points += left[i];
    }
    *seconds = 0;
    for (guint i = 0; i < plan->notices->len; i++) {
        const app_sweep_notice *n = &g_array_index(plan->notices, app_sweep_notice, i);
        app_context_note(context,
                         "%s (%" G_GUINT64_FORMAT "; in %" G_GUINT64_FORMAT " of %zu points)",
                         n->what, n->count, n->points, plan->num_points);
    }
    if (points == 0) {
        app_context_note(context, "all %zu points are there", plan->num_points);
        return true;
    }
    const double bytes = app_sweep_estimate_disk(points, (double)work.runs);
    if (!app_sweep_estimate_check_disk(database_path(context), bytes, error)) {
        return false;
    }
    g_autofree char *runs = app_format_number(work.runs);
    g_autofree char *all = app_format_number(plan->num_points);
    g_autofree char *some = app_format_number(points);
    g_autofree char *head =
        points < plan->num_points
            ? g_strdup_printf("%s of %s points are left, %s runs", some, all, runs)
            : g_strdup_printf("%s points, %s runs", all, runs);
    if (context->quiet || app_work_total(&work) < app_sweep_worth_estimating) {
        app_context_note(context, "%s", head);
        return true;
    }
    app_estimate e;
    if (!app_sweep_estimate_measure(plan, maker, left, context->threads, &e, error)) {
        return false;
    }
    *seconds = app_estimate_seconds(&e, &work);
    app_estimate_say(&e, &work, context->verb, head, context->threads);
    return true;
}

/* An error after the first point was done says what is kept. */
static void add_kept(app_sweep_database *database, const char *path, size_t num_points,
                     GError **error)
{
    const int64_t done = app_sweep_database_count_done(database, NULL);
    if (error != NULL && *error != NULL && done > 0) {
        char *message = g_strdup_printf("%s; %" G_GINT64_FORMAT
                                        " of %zu points are in %s, and the same command goes on "
                                        "from there",
                                        (*error)->message, done, num_points, path);
        g_free((*error)->message);
        (*error)->message = message;
    }
}

static bool draw(const app_context *context, const char *page, GError **error)
{
    g_autoptr(app_sweep_table) drawn =
        app_sweep_report_database(database_path(context), page, error);
    if (drawn == NULL) {
        return false;
    }
    app_context_note(context, "the report is %s/%s", page, APP_SWEEP_PAGE);
    return true;
}

static bool sweep_all(app_context *context, const app_sweep_study *study, const sweep *self,
                      GError **error)
{
    const char *path = database_path(context);
    g_autoptr(app_sweep_maker) maker = app_sweep_maker_new();
    g_autoptr(app_sweep_database) database = app_sweep_database_open(path, error);
    g_autoptr(app_sweep_plan) plan =
        database != NULL ? app_sweep_plan_new(study, maker, database, error) : NULL;
    if (plan == NULL) {
        return false;
    }
    app_stop_catch_signals();
    g_autofree bool *left = g_new(bool, plan->num_points);
    app_sweep_run_options options = {
        .threads = context->threads,
        .verb = context->verb,
        .quiet = context->quiet,
        .no_symmetry = self->no_symmetry,
    };
    const bool done = app_sweep_left(plan, database, left, error) >= 0 &&
                      announce(context, plan, maker, left, &options.seconds, error) &&
                      app_sweep_run(plan, maker, database, left, &options, error);
    if (!done) {
        add_kept(database, path, plan->num_points, error);
    }
    app_stop_release_signals();
    g_autoptr(app_sweep_table) table = done ? app_sweep_table_read(database, error) : NULL;
    if (table == NULL) {
        return false;
    }
    add_to_manifest(study, table, context->manifest);
    app_manifest_set_schema(context->manifest, JSON_SCHEMA);
    if (!app_result_write(context, NULL, context->format, &app_sweep_writer, table, error)) {
        return false;
    }
    if (self->page != NULL) {
        app_context_note(context, "%zu points are in %s", plan->num_points, path);
        return draw(context, self->page, error);
    }
    app_context_note(context, "%zu points are in %s; 'ripple report %s' draws them",
                     plan->num_points, path, path);
    return true;
}

static bool check_only(app_context *context, const app_sweep_study *study, GError **error)
{
    g_autoptr(app_sweep_maker) maker = app_sweep_maker_new();
    g_autoptr(app_sweep_plan) plan = app_sweep_plan_new(study, maker, NULL, error);
    if (plan == NULL) {
        return false;
    }
    g_autofree bool *left = g_new(bool, plan->num_points);
    for (size_t i = 0; i < plan->num_points; i++) {
        left[i] = true;
    }
    double seconds;
    return announce(context, plan, maker, left, &seconds, error);
}

static int run(app_context *context, void *state, GError **error)
{
    sweep *self = state;
    const app_option_use symmetry = {"--no-symmetry", self->no_symmetry,
                                     self->dry_run ? "with --dry-run" : NULL};
    const app_option_use format = {"--format", context->format_given,
                                   self->dry_run ? "with --dry-run, which prints no result" : NULL};
    const app_option_use page = {"--page", self->page != NULL,
                                 self->dry_run ? "with --dry-run, which has no result" : NULL};
    if (!app_context_check_args(context, 0, 1, error) ||
        !app_options_refuse_idle(&format, 1, error) || !app_options_refuse_idle(&page, 1, error) ||
        !app_options_refuse_idle(&symmetry, 1, error)) {
        return APP_EXIT_USAGE;
    }
    g_autoptr(app_sweep_study) study =
        app_sweep_options_resolve(&self->options, context->args[0], error);
    size_t num_points;
    if (study == NULL || !app_sweep_study_count(study, &num_points, error)) {
        return APP_EXIT_USAGE;
    }
    const bool ok =
        self->dry_run ? check_only(context, study, error) : sweep_all(context, study, self, error);
    return ok ? APP_EXIT_DONE : APP_EXIT_ERROR;
}

static const char *const EXAMPLES[] = {
    "ripple sweep collective:allreduce:1B --sweep ranks=2^6..2^20/x4 --sweep noise=altix,jaguar "
    "--sweep cosched=no,yes -o results.db",
    "A small allreduce on 8 sizes, under two noises, each unsynchronized and co-scheduled.",
    "ripple sweep app.trace --ranks=1Ki --noise=jaguar --sweep L=1us..100us/log:10 "
    "--sweep o=0.5us..4us/x2",
    "A recorded program on networks of other latencies and overheads.",
    "ripple sweep study.ini -o results.db && ripple report results.db -o report",
    "A study from a file, and its figures.",
    "ripple sweep study:synchronisation --noise=here.detours -o here.db --page=here",
    "What measured noise costs programs that synchronise often or seldom, on few ranks or many.",
    NULL,
};

const app_verb app_verb_sweep = {
    .name = "sweep",
    .summary = "simulate over ranges of parameters, into a database; can be stopped and goes on",
    .usage = "[STUDY.ini|study:NAME|PROGRAM]",
    .description =
        "Simulates every combination of the values of the parameters that are varied. These are:\n"
        "program, ranks, bytes, interval, repeat, coll, compute, p2p, collectives, roots, "
        "copies\n(recorded, resampled), copies-seed, extrapolate (blocks, regrid), grid, "
        "explained, "
        "scaling (weak, strong), fit, wildcards, reduce;\n"
        "machine, L, o, g, G, O, S, progress, rendezvous, distance, L_hop, H, node.L,\n"
        "node.o, node.g, node.G, node.O, node.S, node.H; ranks-per-node, placement,\n"
        "threads-per-rank, cores-per-node; noise, without, cosched (no, yes), sigma (its clock "
        "error), replicas,\n"
        "accept-invalid (no, yes), seed. What is not varied is as the options of simulate say.\n"
        "Lists are separated by ',', or by ';' if there is one; docs/sweep.md has the ranges and\n"
        "the form of a study file. study:synchronisation comes with Ripple: the slowdown over the\n"
        "interval between synchronisations and over the number of ranks, under the noise of "
        "--noise.\n"
        "\n"
        "Results go into one SQLite file, each point in a transaction. A sweep that was stopped "
        "or\n"
        "killed goes on where it was when the same command is given again; its end is the same.\n"
        "The same command given several times at once shares the points.\n"
        "With cosched=yes the noisy runs of a point are co-scheduled, else unsynchronized.\n"
        "\n"
        "The slowdown is that of 'repeat' passes from a cold start. Each row says how many "
        "detours\n"
        "its runs met, and remarks what that means for the number.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT | APP_TAKES_THREADS | APP_TAKES_LIMIT,
    .output_help = "the database [" DEFAULT_DATABASE "]",
    .state_size = sizeof(sweep),
    .options = options,
    .run = run,
    .clear = clear,
};
