/* apps/ripple/live/live_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_tracer_detect, cli_record_errors. */
#include "live/live_run.h"

#include "live/live_lines.h"
#include "live/live_scores.h"
#include "losses/losses.h"
#include "output/error.h"
#include "scores/culprits.h"
#include "scores/score.h"
#include "sim/unit.h"

#include <glib/gstdio.h>
#include <stdio.h>

static const gint64 EVERY = 250000; /* us between two looks at what ranks have handed on */

/* A run that goes on. */
typedef struct going {
    const app_context *context;
    const char *folder;
    sched_trace *trace; /* the archive; NULL: there is none, or it cannot be read */
    noise_interference_model *model;
    app_live_lines *lines;
    app_live_scores *scores;
} going;

static void say(void *to, const char *line)
{
    const going *g = to;
    app_context_note(g->context, "%s", line);
}

static void poll(void *data)
{
    const going *g = data;
    app_live_scores_poll(g->scores);
}

static void report_end(const app_context *context, const app_live_end *end)
{
    if (end->cut_off > 0) {
        g_autofree char *until = sim_unit_format_time_short(end->until);
        app_context_note(context,
                         "%u of %u ranks (the first is %u) did not come to MPI_Finalize: scored is "
                         "what they had handed on by then, up to %s of the run",
                         end->cut_off, end->num_ranks, end->first, until);
    }
    if (end->missing > 0) {
        app_context_note(context, "of %u ranks nothing was handed on", end->missing);
    }
}

/* What the table is worth. */
typedef struct worth {
    bool whole;     /* all ranks came to their end */
    bool is_judged; /* some rank could be judged */
} worth;

/* @return false: there is nothing to print */
static bool print(going *g, worth *of, GError **error)
{
    app_live_end end;
    if (!app_live_scores_finish(g->scores, &end, error)) {
        return false;
    }
    g_autoptr(app_score) score =
        app_score_new(g->model, app_live_scores_scorer(g->scores), end.num_ranks, APP_SCORE_ALPHA);
    if (g->trace != NULL) {
        app_culprits_find(score, g->trace, g->folder);
    }
    app_score_print(score, stdout);
    (void)fflush(stdout);
    report_end(g->context, &end);
    app_live_scores_remove(g->scores);
    *of = (worth){.whole = end.cut_off == 0, .is_judged = score->num_judged > 0};
    return true;
}

/* A signal stops us: what there is by now. */
static void print_stopped(void *data)
{
    going *g = data;
    worth of = {false, false};
    g_autoptr(GError) error = NULL;
    if (!print(g, &of, &error)) {
        app_context_note(g->context, "%s", error->message);
    }
}

static bool print_losses(const going *g, app_watched *watched, GError **error)
{
    g_autoptr(app_losses) losses = app_losses_new(g->folder, g->trace, watched, error);
    if (losses == NULL || !app_losses_write_detours(losses, g->folder, NULL, error)) {
        return false;
    }
    app_losses_print(losses, stdout);
    return true;
}

/* Run and record. @return false: there is no record, or it cannot be read */
static bool record(going *g, const app_live_run_options *o, const app_record_live *live,
                   bool *program_ok, GError **error)
{
    app_watched watched = {0};
    if (!o->archive) {
        return app_record_without_archive(g->context, o->record, live, o->folder, program_ok,
                                          error);
    }
    g->trace = app_record(g->context, o->record, live, o->folder, &watched, program_ok, error);
    if (g->trace == NULL || !o->record->watch) {
        app_losses_drop(&watched);
        return g->trace != NULL;
    }
    return print_losses(g, &watched, error);
}

static int run(going *g, const app_live_run_options *o, GError **error)
{
    const app_child_beat beat = {EVERY, poll, g};
    g_autofree char *model = g_canonicalize_filename(o->model, NULL);
    const app_record_live live = {.detect = model, .beat = &beat, .stopped = print_stopped};
    const bool was_there = g_file_test(o->folder, G_FILE_TEST_EXISTS);
    bool program_ok = false;
    worth of = {false, false};
    GError *why = NULL;
    const bool recorded = record(g, o, &live, &program_ok, &why);
    const bool some = app_live_scores_are_in(o->folder);
    const bool printed = (recorded || some) && print(g, &of, why == NULL ? &why : NULL);
    if (why != NULL) {
        g_propagate_error(error, why);
    }
    if (!o->archive && !was_there) {
        (void)g_rmdir(o->folder); /* it is empty, unless samples could not be read */
    }
    if (!recorded || !printed || !program_ok || !of.whole) {
        return APP_EXIT_ERROR;
    }
    return of.is_judged ? APP_EXIT_DONE : APP_EXIT_INVALID;
}

int app_live_run(const app_context *context, const app_live_run_options *o, GError **error)
{
    noise_interference_error why = {""};
    going g = {.context = context,
               .folder = o->folder,
               .model = noise_interference_model_load(o->model, &why)};
    if (g.model == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s", why.text);
        return APP_EXIT_ERROR;
    }
    g.lines = app_live_lines_new(g.model, say, &g);
    g.scores = app_live_scores_new(o->folder, g.model, app_live_lines_tell, g.lines);
    const int code = run(&g, o, error);
    app_live_scores_free(g.scores);
    app_live_lines_free(g.lines);
    noise_interference_model_free(g.model);
    sched_trace_free(g.trace);
    return code;
}
