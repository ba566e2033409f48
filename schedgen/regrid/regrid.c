/* schedgen/regrid/regrid.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid, test_regrid_refused, cli_regrid. */
#include "regrid/regrid_private.h"

static void way_clear(gpointer data)
{
    g_free(((sched_regrid_way *)data)->calls);
}

static void rest_clear(gpointer data)
{
    g_free(((sched_regrid_rest *)data)->what);
}

static size_t num_ways(const regrid_match *match)
{
    size_t n = 0;
    for (guint w = 0; w < match->ways->len; w++) {
        n += regrid_match_way(match, w)->explained;
    }
    return n;
}

/* Of those that explain as much, fewer ways are better. */
static bool is_better(const regrid_match *a, const regrid_match *b)
{
    const uint64_t x = sched_regrid_match_score(a);
    const uint64_t y = sched_regrid_match_score(b);
    return x != y ? x > y : num_ways(a) < num_ways(b);
}

static bool is_as_good(const regrid_match *a, const regrid_match *b)
{
    return sched_regrid_match_score(a) == sched_regrid_match_score(b) && num_ways(a) == num_ways(b);
}

/*
 * Grids are matched message by message in the order of what their pairs of ranks promise, until
 * none promises more than has been found, or several have been tried.
 */
void sched_regrid_choose(sched_regrid *g, const sched_regrid_options *options)
{
    enum { TRIES = 12 };
    g_autoptr(GArray) candidates = sched_regrid_candidates_find(&g->record, &g->orders, options);
    const double all = (double)MAX(g->record.messages, 1);
    for (guint i = 0; i < candidates->len; i++) {
        const regrid_candidate *c = &g_array_index(candidates, regrid_candidate, i);
        const uint64_t found = g->match != NULL ? sched_regrid_match_score(g->match) : 0;
        const bool hopeless = c->messages < found || (c->messages == found && g->match != NULL &&
                                                      c->num_ways > num_ways(g->match));
        if (c->messages == 0 || i >= TRIES || hopeless) {
            g->runner_up = MAX(g->runner_up, (double)MIN(c->messages, found) / all);
            break;
        }
        regrid_match *match = sched_regrid_match_new(&g->record, &c->layout);
        const bool better = g->match == NULL || is_better(match, g->match);
        regrid_match *worse = better ? g->match : match;
        if (worse != NULL) {
            const double share = (double)sched_regrid_match_score(worse) / all;
            const bool as_good = is_as_good(match, g->match);
            g->ambiguous = as_good || (g->ambiguous && !better);
            g->runner_up = MAX(g->runner_up, share);
        }
        g->match = better ? match : g->match;
        sched_regrid_match_free(worse);
    }
}

sched_regrid *sched_regrid_new(void)
{
    sched_regrid *g = g_new0(sched_regrid, 1);
    g->runner_up = -1;
    g->refusals = g_ptr_array_new_with_free_func(g_free);
    g->ways = g_array_new(FALSE, FALSE, sizeof(sched_regrid_way));
    g->rest = g_array_new(FALSE, FALSE, sizeof(sched_regrid_rest));
    g_array_set_clear_func(g->ways, way_clear);
    g_array_set_clear_func(g->rest, rest_clear);
    return g;
}

sched_regrid *sched_regrid_recognise(const sched_trace *trace, const sched_convert_options *convert,
                                     const sched_regrid_options *options, GError **error)
{
    sched_regrid *g = sched_regrid_new();
    sched_convert_options with_messages =
        *convert; /* the grid is in them, be they left out later */
    with_messages.no_p2p = false;
    if (!sched_regrid_record_init(&g->record, trace, &with_messages, error)) {
        sched_regrid_free(g);
        return NULL;
    }
    sched_regrid_orders_init(&g->orders, &g->record);
    sched_regrid_choose(g, options);
    if (g->match != NULL) {
        sched_regrid_classes_init(&g->classes, &g->record, g->match);
    }
    sched_regrid_refusals_find(g, options);
    if (g->refusals->len > 0 && options->grid.num_dims == 0) {
        g->butterfly = sched_regrid_butterfly_find(&g->record);
        g_ptr_array_set_size(g->refusals, g->butterfly != NULL ? 0 : (gint)g->refusals->len);
    }
    sched_regrid_findings_make(g);
    return g;
}

void sched_regrid_free(sched_regrid *g)
{
    if (g == NULL) {
        return;
    }
    sched_regrid_match_free(g->match);
    sched_regrid_butterfly_free(g->butterfly);
    sched_regrid_classes_clear(&g->classes);
    if (g->orders.comms != NULL) {
        sched_regrid_orders_clear(&g->orders);
    }
    sched_regrid_record_clear(&g->record);
    g_ptr_array_unref(g->refusals);
    g_array_unref(g->ways);
    g_array_unref(g->rest);
    g_free(g->pattern);
    g_free(g);
}
