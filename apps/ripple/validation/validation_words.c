/* apps/ripple/validation/validation_words.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_validation. */
#include "validation/validation_words.h"

#include "output/number_text.h"
#include "output/sentences.h"
#include "sim/unit.h"

#include <math.h>

enum { MOST_NAMED = 3 };
/** Of the wall clock: a row with less is not named, unless it is the first of one that is outside.
 */
static const double LEAST_SHARE = 0.005;

char *app_validation_percent(double fraction)
{
    g_autofree char *text = app_format_percent(fraction);
    return g_strconcat(fraction > 0 ? "+" : "", text, NULL);
}

/* "+1.3 % (95 % interval +1.0 % to +1.6 %)" */
static char *with_interval(const app_statistics *s)
{
    g_autofree char *median = app_validation_percent(app_validation_fraction(s->median));
    g_autofree char *low = app_validation_percent(app_validation_fraction(s->low));
    g_autofree char *high = app_validation_percent(app_validation_fraction(s->high));
    if (s->level < APP_VALIDATION_LEVEL) {
        return g_strdup_printf("%s (%s to %s in these runs)", median, low, high);
    }
    return g_strdup_printf("%s (%.3g %% interval %s to %s)", median, 100 * s->level, low, high);
}

static void add_verdict(const app_validation *v, GPtrArray *out)
{
    const bool is_inside = v->verdict == APP_VALIDATION_INSIDE;
    g_autofree char *error = with_interval(&v->error);
    g_autofree char *limit = app_format_percent(v->tolerance);
    app_sentences_add(out,
                      "%s%s: simulated over wall clock, less 1, is %s; the limit is %s either way.",
                      is_inside ? "Inside" : "Outside",
                      v->is_close ? " by the median, not settled" : "", error, limit);
    if (v->is_close) {
        app_sentences_add(out, "The interval is on both sides of the limit: other runs might be "
                               "judged differently. More runs (--runs) make it narrower.");
    }
}

static void add_no_verdict(const app_validation *v, GPtrArray *out)
{
    g_autofree char *bound = sim_unit_format_time_short(v->bound.median);
    g_autofree char *wall = sim_unit_format_time_short(v->wall.median);
    g_autofree char *cpu = sim_unit_format_time_short(v->cpu.median);
    app_sentences_add(
        out,
        "No verdict: %u ranks have %zu CPU%s, so some wait for each other's CPU, which "
        "the model does not have: a simulated rank computes whenever it can. The "
        "makespan is that of ranks with a CPU each.",
        v->num_ranks, v->num_cpus, v->num_cpus == 1 ? "" : "s");
    app_sentences_add(out,
                      "What can be said: the computations that were recorded take %s at least on "
                      "these CPUs (their CPU time over %zu); the wall clock says %s, %.3g times "
                      "that%s. The processes used %s of CPU time, waiting for messages included.",
                      bound, v->num_cpus, wall, (double)v->wall.median / (double)v->bound.median,
                      v->holds ? ""
                               : ", which cannot be: recorded and timed runs did not compute "
                                 "the same",
                      cpu);
}

/* "recorded 12us a call, simulated 15us" */
static char *each_call(const app_validation *v, const app_validation_row *row)
{
    const double n = row->calls / v->num_ranks; /* rows are means of the ranks */
    if (row->kind != APP_TIME_CALL || n <= 0) {
        g_autofree char *recorded = sim_unit_format_time_short(row->recorded.median);
        g_autofree char *simulated = sim_unit_format_time_short(row->simulated.median);
        return g_strdup_printf("recorded %s, simulated %s", recorded, simulated);
    }
    g_autofree char *recorded =
        sim_unit_format_time_short(llround((double)row->recorded.median / n));
    g_autofree char *simulated =
        sim_unit_format_time_short(llround((double)row->simulated.median / n));
    return g_strdup_printf("recorded %s a call, simulated %s", recorded, simulated);
}

static void add_carriers(const app_validation *v, GPtrArray *out)
{
    GString *list = g_string_new(NULL);
    guint named = 0;
    for (guint i = 0; i < v->rows->len && named < MOST_NAMED; i++) {
        const app_validation_row *row = &g_array_index(v->rows, app_validation_row, i);
        const double share = (double)row->difference.median / (double)v->wall.median;
        const bool must = v->verdict == APP_VALIDATION_OUTSIDE && named == 0;
        if (row->kind == APP_TIME_RECORDING) {
            continue; /* timed runs have none of it, so it carries nothing of the error */
        }
        if (fabs(share) >= LEAST_SHARE || (must && share != 0)) {
            g_autofree char *text = app_validation_percent(share);
            g_autofree char *times = each_call(v, row);
            g_string_append_printf(list, "%s%s carries %s of the wall clock (%s)",
                                   named > 0 ? "; " : "", row->name, text, times);
            named++;
        }
    }
    if (named > 0) {
        app_sentences_add(out, "Simulated against recorded: %s.", list->str);
    }
    (void)g_string_free(list, TRUE);
    g_autofree char *recording = with_interval(&v->recording);
    app_sentences_add(
        out, "Recorded over timed runs, less 1: %s. What recording costs is not in the makespan.",
        recording);
}

static void add_collectives(const app_validation *v, GPtrArray *out)
{
    GString *far = g_string_new(NULL);
    guint num = 0;
    guint near = 0;
    for (guint i = 0; i < v->rows->len; i++) {
        const app_validation_row *row = &g_array_index(v->rows, app_validation_row, i);
        if (row->is_collective && row->recorded.median > 0) {
            const double off = (double)row->simulated.median / (double)row->recorded.median - 1;
            num++;
            if (fabs(off) <= APP_VALIDATION_COLLECTIVES) {
                near++;
            } else {
                g_autofree char *text = app_validation_percent(off);
                g_string_append_printf(far, "%s%s %s", far->len > 0 ? ", " : "", row->name, text);
            }
        }
    }
    if (num > 0) {
        app_sentences_add(out,
                          "Of %u collectives, waiting for the last rank included, %u take what was "
                          "recorded to within %g %%%s%s.",
                          num, near, 100 * APP_VALIDATION_COLLECTIVES,
                          far->len > 0 ? "; not: " : "", far->str);
    }
    (void)g_string_free(far, TRUE);
}

static void add_conditions(const app_validation *v, GPtrArray *out)
{
    g_autofree char *outside = sim_unit_format_time_short(v->outside.median);
    app_sentences_add(out,
                      "Compared is from the end of MPI_Init to the beginning of MPI_Finalize. Of "
                      "the command, %s lie outside (median): launcher, start-up, MPI_Init and "
                      "MPI_Finalize, of which the model says nothing.",
                      outside);
    if (v->has_room && !v->is_pinned) {
        app_sentences_add(out, "Ranks may be moved from CPU to CPU: bind them (--bind-to core).");
    }
    if (v->has_room && v->num_disturbed > 0) {
        app_sentences_add(out,
                          "In %zu of %zu timed runs a rank was off its CPU for more than %g %% of "
                          "the time: something else ran there, or the rank slept. That is in the "
                          "wall clock, and not in the simulation.",
                          v->num_disturbed, v->num_pairs, 100 * APP_VALIDATION_DISTURBED);
    }
    if (v->num_pairs < APP_VALIDATION_LEAST) {
        app_sentences_add(out,
                          "%zu runs are too few for an interval: it takes %d. What stands in its "
                          "place is the smallest and the largest.",
                          v->num_pairs, APP_VALIDATION_LEAST);
    }
    app_sentences_add(out,
                      "The timed runs had whatever noise this machine has: ranks were preempted "
                      "%.3g times a run. The simulated ones have none.",
                      (double)v->preempted / (double)v->num_pairs);
}

GPtrArray *app_validation_sentences(const app_validation *v)
{
    GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
    if (v->verdict == APP_VALIDATION_NONE) {
        add_no_verdict(v, out);
    } else {
        add_verdict(v, out);
        add_carriers(v, out);
        add_collectives(v, out);
    }
    add_conditions(v, out);
    return out;
}
