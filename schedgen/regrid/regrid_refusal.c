/* schedgen/regrid/regrid_refusal.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid_refused. */
#include "regrid/regrid_private.h"

#include <math.h>

G_GNUC_PRINTF(2, 3) static void refuse(sched_regrid *g, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_ptr_array_add(g->refusals, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

static const char *name_of(const sched_regrid *g, const regrid_coll *coll)
{
    return sched_regrid_record_name(&g->record, coll->name);
}

/* Can every rank of a larger grid make it? */
static bool check_collective(sched_regrid *g, const regrid_coll *coll)
{
    const sched_comm *comm = &g->record.trace->comms[coll->comm];
    const regrid_comm *on_grid = &g->match->comms[coll->comm];
    if (on_grid->family == REGRID_NONE) {
        refuse(g, "%s on %s: its %u members are no line or plane of the grid", name_of(g, coll),
               comm->name, comm->size);
        return false;
    }
    if (!on_grid->in_order) {
        refuse(g, "%s on %s: its ranks are not in the order of the grid", name_of(g, coll),
               comm->name);
        return false;
    }
    if (coll->uneven) {
        refuse(g, "%s on %s: its counts differ from partner to partner", name_of(g, coll),
               comm->name);
        return false;
    }
    if (coll->root_counts) {
        refuse(g, "%s on %s: only its root knows the counts", name_of(g, coll), comm->name);
        return false;
    }
    return true;
}

static bool same_collective(const sched_regrid *g, const regrid_coll *a, const regrid_coll *b)
{
    return a->what == b->what && a->root == b->root &&
           g->match->comms[a->comm].family == g->match->comms[b->comm].family;
}

/* Do ranks of one class make the same collectives? */
static bool check_class(sched_regrid *g, uint32_t class_number)
{
    const uint32_t *ranks = g->classes.ranks + g->classes.first[class_number];
    const uint32_t n = g->classes.first[class_number + 1] - g->classes.first[class_number];
    if (n == 0) {
        refuse(g, "class %u of %u of the ranks has nobody whose messages are explained",
               class_number + 1, g->classes.num_classes);
        return false;
    }
    const regrid_rank *first = &g->record.ranks[ranks[0]];
    for (uint32_t i = 1; i < n; i++) {
        const regrid_rank *other = &g->record.ranks[ranks[i]];
        if (other->num_colls != first->num_colls) {
            refuse(g, "ranks %u and %u, of one class, make %u and %u collectives", ranks[0],
                   ranks[i], first->num_colls, other->num_colls);
            return false;
        }
        for (uint32_t c = 0; c < first->num_colls; c++) {
            if (!same_collective(g, &first->colls[c], &other->colls[c])) {
                refuse(g, "ranks %u and %u, of one class, make different collectives: %s, %s",
                       ranks[0], ranks[i], name_of(g, &first->colls[c]),
                       name_of(g, &other->colls[c]));
                return false;
            }
        }
    }
    return true;
}

static void check_collectives(sched_regrid *g)
{
    for (uint32_t r = 0; r < g->record.trace->num_ranks; r++) {
        for (uint32_t c = 0; c < g->record.ranks[r].num_colls; c++) {
            if (!check_collective(g, &g->record.ranks[r].colls[c])) {
                return;
            }
        }
    }
    for (uint32_t c = 0; c < g->classes.num_classes; c++) {
        if (!check_class(g, c)) {
            return;
        }
    }
}

static char *format_way(const sched_grid *grid, const regrid_point *by)
{
    GString *text = g_string_new("(");
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        g_string_append_printf(text, "%s%d", d > 0 ? "," : "", by->x[d]);
    }
    g_string_append_c(text, ')');
    return g_string_free(text, FALSE);
}

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 1;
}

void sched_regrid_refusals_find(sched_regrid *g, const sched_regrid_options *options)
{
    const regrid_match *match = g->match;
    if (g->record.messages == 0) {
        refuse(g, "no rank sends a message to another by point-to-point calls");
        return;
    }
    if (match == NULL || sched_regrid_match_score(match) == 0) {
        refuse(g, "no grid of the %u ranks explains who sends what to whom",
               g->record.trace->num_ranks);
        return;
    }
    const double explained = share(sched_regrid_match_score(match), g->record.messages);
    if (explained < options->explain) {
        g_autofree char *grid = sched_grid_format(&match->layout.grid);
        /* rounded down: what is named here as a limit is one that the grid keeps to */
        const double percent = floor(1e4 * explained) / 100;
        refuse(g,
               "the best grid, %s, explains %.2f %% of the messages: --explained allows no "
               "less than %g %%",
               grid, percent, 100 * options->explain);
    }
    if (g->ambiguous) {
        refuse(g, "another grid explains as much, and grows to another program: say which one it "
                  "is with --grid");
    }
    if (explained >= options->explain && match->unbalanced != REGRID_NONE) {
        g_autofree char *way =
            format_way(&match->layout.grid, &regrid_match_way(match, match->unbalanced)->by);
        refuse(g,
               "of what is explained, not as many messages are sent by %s as received from there: "
               "receives from any source need --wildcards=recorded",
               way);
    }
    bool grows = false;
    for (uint32_t d = 0; d < match->layout.grid.num_dims; d++) {
        grows = grows || !match->fixed[d];
    }
    if (!grows) {
        g_autofree char *grid = sched_grid_format(&match->layout.grid);
        refuse(g,
               "the grid, %s, cannot grow: no dimension has a rank inside that is on no border, "
               "or two neighbours that differ",
               grid);
    }
    check_collectives(g);
}
