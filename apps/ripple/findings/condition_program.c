/* apps/ripple/findings/condition_program.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_condition. */
#include "findings/condition_private.h"
#include "findings/result_text.h"
#include "output/number_text.h"

static uint32_t largest_size(const app_results *results)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < results->num_series; i++) {
        largest = MAX(largest, results->series[i].ranks);
    }
    return largest;
}

/* Which quantity the slowdown is, if it is not the steady one. */
static void add_pass(app_condition_maker *m)
{
    for (size_t i = 0; i < m->results->num_series; i++) {
        const app_series *s = &m->results->series[i];
        if (s->mode != APP_IDEAL && s->quantity == APP_PASS) {
            g_autofree char *passes = app_format_passes(s->passes);
            g_autofree char *brief = g_strdup_printf("Of %s from a cold start.", passes);
            app_condition_add(m, "pass", brief,
                              "The slowdown is that of %s from a cold start, not that of a long "
                              "run.",
                              passes);
            return;
        }
    }
}

/* On a larger grid. */
static void add_grid(app_condition_maker *m, uint32_t largest, uint32_t own)
{
    g_autofree char *recorded = app_format_ranks(own);
    g_autofree char *size = app_format_ranks(largest);
    g_autofree char *small = app_source_grid_text(m->source, own);
    g_autofree char *large = app_source_grid_text(m->source, largest);
    g_autofree char *computation = app_source_computation_text(m->source, largest);
    g_autofree char *brief = g_strdup_printf("Enlarged from %s.", recorded);
    app_condition_add(
        m, "extrapolated", brief,
        "Enlarged: %s are a grid of %s, as %s recorded are one of %s; each follows a "
        "recorded rank at the same borders, whose computation it has%s%s, and messages "
        "go to its own neighbours (--extrapolate=regrid).",
        size, large, recorded, small, computation,
        app_source_is_resampled(m->source) ? " in an order of its own (--copies=resampled)" : "");
}

static void add_copies(app_condition_maker *m)
{
    const uint32_t largest = largest_size(m->results);
    const uint32_t own = app_source_own_ranks(m->source);
    if (app_source_is_computed(m->source) || largest <= own) {
        return;
    }
    if (app_source_is_regridded(m->source)) {
        add_grid(m, largest, own);
        return;
    }
    g_autofree char *recorded = app_format_ranks(own);
    g_autofree char *size = app_format_ranks(largest);
    g_autofree char *copies = app_format_number(largest / own);
    g_autofree char *brief = g_strdup_printf("Enlarged from %s.", recorded);
    const char *roots = app_source_roots(m->source);
    const char *collectives = roots == NULL ? ""
                              : g_str_equal(roots, "global")
                                  ? "; collectives span all of them, those with a root have "
                                    "one (--roots=global)"
                                  : "; collectives span all of them, those with a root have "
                                    "one in each copy (--roots=copy)";
    app_condition_add(m, "extrapolated", brief,
                      "Enlarged: %s are %s copies of a %s of %s, side by side (rank r of copy e is "
                      "rank r + %u e), each with the same messages and computation%s%s.",
                      size, copies,
                      app_source_get_kind(m->source) == APP_SOURCE_TRACE ? "record" : "schedule",
                      recorded, own,
                      app_source_is_resampled(m->source)
                          ? ", which it makes in an order of its own (--copies=resampled)"
                          : "",
                      collectives);
    if (app_source_limit(m->source, largest) != NULL) {
        app_condition_add(
            m, "copies-apart", "Copies do not communicate.",
            "Copies of a stored schedule do not communicate with each other: no delay "
            "spreads beyond its copy, so at scale the slowdown is too small for a "
            "program whose ranks all depend on each other.");
    }
}

/* Sizes that are not comparable with the others. */
static void add_long_grids(app_condition_maker *m)
{
    g_autofree uint32_t *sizes = g_new(uint32_t, m->results->num_series);
    g_autoptr(GString) grids = g_string_new(NULL);
    size_t n = 0;
    for (size_t i = 0; i < m->results->num_series; i++) {
        const uint32_t ranks = m->results->series[i].ranks;
        const bool is_next = i == 0 || m->results->series[i - 1].ranks != ranks;
        g_autofree char *grid = is_next ? app_source_long_grid(m->source, ranks) : NULL;
        if (grid != NULL) {
            g_autofree char *size = app_format_ranks(ranks);
            g_string_append_printf(grids, "%s%s (%s)", n > 0 ? ", " : "", grid, size);
            sizes[n++] = ranks;
        }
    }
    if (n > 0) {
        g_autofree char *brief = g_strdup_printf("Long grid: %s.", grids->str);
        app_condition *c = app_condition_add(
            m, "long-grid", brief,
            "Long grid: %s. Ranks have fewer neighbours there, or delays farther to go, than on a "
            "grid about as long as wide: such a size does not compare with others; one with "
            "small divisors does.",
            grids->str);
        c->ranks = g_steal_pointer(&sizes);
        c->num_ranks = n;
    }
}

/* Time of the record that may not be what it counts as: so much of it that results may hang on it.
 */
static void add_record(app_condition_maker *m)
{
    static const double MATTERS = 0.05;
    const GArray *notices = app_source_notices(m->source);
    for (guint i = 0; i < notices->len; i++) {
        const sched_notice *n = &g_array_index(notices, sched_notice, i);
        if (n->share >= MATTERS) {
            app_condition_add(m, "record", "", "Record: %s.", n->what);
        }
    }
}

void app_condition_add_program(app_condition_maker *m)
{
    add_pass(m);
    if (m->source != NULL) {
        add_copies(m);
        add_long_grids(m);
        add_record(m);
    }
}
