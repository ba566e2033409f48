/* schedgen/regrid/regrid_grow.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid, test_regrid_counts. */
/*
 * The larger program. Rank X is the point X of the larger grid, row-major; it follows a recorded
 * rank of its class, and its partners are as far from it as that rank's partners were. On the grid
 * that was recorded every rank follows itself.
 */
#include "regrid/regrid_private.h"
#include "sched/growth.h"

#include <math.h>
#include <xxhash.h>

typedef struct regrid_growth {
    sched_growth growth; /* first: it is handed on as this */
    const sched_regrid *regrid;
    sched_grid grid;
    uint32_t *record; /* [growth.num_ranks] whom each follows: asked for every operation */
    uint32_t all;     /* the span of all ranks: there a number in it is a rank */
    int64_t *offset;  /* [ways] to the partner, if that is not round an end */
    bool *wraps;      /* [ways] it may be: the way goes in a periodic dimension */
    uint64_t seed;
    bool strong;
    sched_regrid_part part;              /* computation is as its volume */
    const sched_regrid_scaling *scaling; /* or as this says; NULL: as its volume */
    double *factors;                     /* of it */
    double *bytes;                       /* [ways] messages are so large as they were recorded */
} regrid_growth;

/* ---- who and whom -------------------------------------------------------------------------- */

static const regrid_growth *of(const sched_growth *growth)
{
    return (const regrid_growth *)(const void *)growth; /* its first member */
}

static uint32_t record_of(const sched_growth *growth, uint32_t rank)
{
    return of(growth)->record[rank];
}

/* Drawn among the recorded ranks of its class. */
static uint32_t draw_record(const regrid_growth *g, uint32_t rank)
{
    const regrid_classes *classes = &g->regrid->classes;
    const uint32_t c =
        sched_regrid_class_of(classes, &g->grid, sched_regrid_grid_point(&g->grid, rank));
    const uint32_t first = classes->first[c];
    const uint32_t n = classes->first[c + 1] - first;
    return classes
        ->ranks[first + (n > 1 ? XXH3_64bits_withSeed(&rank, sizeof rank, g->seed) % n : 0)];
}

static uint32_t peer_of(const sched_growth *growth, uint32_t rank, uint32_t way)
{
    const regrid_growth *g = of(growth);
    if (!g->wraps[way]) {
        return (uint32_t)(rank + g->offset[way]);
    }
    const regrid_point *by = &regrid_match_way(g->regrid->match, way)->by;
    regrid_point point = sched_regrid_grid_point(&g->grid, rank);
    for (uint32_t d = 0; d < g->grid.num_dims; d++) {
        const int32_t n = (int32_t)g->grid.extent[d];
        int32_t x = point.x[d] + by->x[d];
        x += x < 0 ? n : x >= n ? -n : 0; /* only periodic ones get there */
        point.x[d] = x;
    }
    return sched_regrid_grid_index(&g->grid, &point);
}

static uint32_t place_of(const sched_growth *growth, uint32_t rank, uint32_t span)
{
    const sched_grid *grid = &of(growth)->grid;
    if (span == of(growth)->all) {
        return rank;
    }
    const regrid_point point = sched_regrid_grid_point(grid, rank);
    uint32_t place = 0;
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        if ((span >> d & 1U) != 0) {
            place = place * grid->extent[d] + (uint32_t)point.x[d];
        }
    }
    return place;
}

static uint32_t member_of(const sched_growth *growth, uint32_t rank, uint32_t span, uint32_t place)
{
    const sched_grid *grid = &of(growth)->grid;
    if (span == of(growth)->all) {
        return place;
    }
    regrid_point point = sched_regrid_grid_point(grid, rank);
    for (uint32_t d = grid->num_dims; d > 0; d--) {
        if ((span >> (d - 1) & 1U) != 0) {
            point.x[d - 1] = (int32_t)(place % grid->extent[d - 1]);
            place /= grid->extent[d - 1];
        }
    }
    return sched_regrid_grid_index(grid, &point);
}

/* ---- the record ---------------------------------------------------------------------------- */

/* A root at an upper end stays there; others keep their coordinates. */
static uint32_t move_root(const regrid_growth *g, uint32_t span, uint32_t root)
{
    const sched_grid *small = &g->regrid->match->layout.grid;
    uint32_t moved = 0;
    uint32_t stride = 1;
    for (uint32_t d = small->num_dims; d > 0; d--) {
        if ((span >> (d - 1) & 1U) != 0) {
            const uint32_t n = small->extent[d - 1];
            const uint32_t m = g->grid.extent[d - 1];
            const uint32_t x = root % n;
            moved += stride * (n > 1 && x + 1 == n ? m - 1 : x);
            stride *= m;
            root /= n;
        }
    }
    return moved;
}

static void adapt_collectives(const regrid_growth *g, conv_template *template)
{
    const regrid_match *match = g->regrid->match;
    for (guint i = 0; i < template->colls->len; i++) {
        conv_coll *coll = &g_array_index(template->colls, conv_coll, i);
        const regrid_comm *comm = &match->comms[coll->comm / 2];
        coll->span = comm->span;
        coll->comm = 2 * comm->family + 1;
        coll->members = NULL;
        coll->grows = false;
        coll->call.rank = 0;
        coll->call.size = 1;
        for (uint32_t d = 0; d < g->grid.num_dims; d++) {
            coll->call.size *= (comm->span >> d & 1U) != 0 ? g->grid.extent[d] : 1;
        }
        coll->call.root = move_root(g, comm->span, coll->call.root);
    }
}

static int64_t scale(int64_t value, double by)
{
    return value > 0 ? MAX((int64_t)llround(MIN((double)value * by, (double)SIM_TIME_MAX)), 1)
                     : value;
}

/* The @p calc-th computation of a recorded rank. */
static int64_t scale_calc(const regrid_growth *g, uint32_t record, uint32_t calc, int64_t size)
{
    if (!g->strong) {
        return size;
    }
    return scale(size, g->scaling == NULL
                           ? g->part.volume
                           : sched_regrid_scaling_factor(g->scaling, g->factors, record, calc));
}

/* A call of which nothing is left takes no time beside its messages either. */
static void drop_beside(GArray *kept, const GArray *steps, guint i)
{
    const conv_step *last = kept->len > 0 ? &g_array_index(kept, conv_step, kept->len - 1) : NULL;
    const uint32_t call = g_array_index(steps, conv_step, i).call;
    const bool goes_on = i + 1 < steps->len && g_array_index(steps, conv_step, i + 1).call == call;
    if (last != NULL && last->type == CONV_BESIDE && last->call == call && !goes_on) {
        g_array_set_size(kept, kept->len - 1);
    }
}

static void adapt(const sched_growth *growth, uint32_t record, struct conv_template *template)
{
    const regrid_growth *g = of(growth);
    const regrid_match *match = g->regrid->match;
    const uint32_t *ways = match->item[record];
    GArray *kept = g_array_new(FALSE, FALSE, sizeof(conv_step));
    g_autofree bool *dropped = g_new0(bool, (gsize) template->num_slots + 1);
    bool left_out = false; /* the message before */
    bool pair = false;     /* the step before is kept, and is the send that an exchange follows */
    uint32_t message = 0;
    uint32_t calc = 0;
    for (guint i = 0; i < template->steps->len; i++) {
        conv_step step = g_array_index(template->steps, conv_step, i);
        if (step.type == CONV_CALC) {
            conv_step *last = kept->len > 0 ? &g_array_index(kept, conv_step, kept->len - 1) : NULL;
            step.size = scale_calc(g, record, calc++, step.size);
            if (left_out && last != NULL && last->type == CONV_CALC) { /* on both sides of it */
                last->size = MIN(last->size, SIM_TIME_MAX - step.size) + step.size;
                left_out = false;
                continue;
            }
        } else if (step.type == CONV_JOIN) {
            if (dropped[step.slot]) {
                drop_beside(kept, template->steps, i);
                left_out = true;
                continue;
            }
        } else if (conv_step_is_message(&step)) {
            const uint32_t way = ways[message++];
            if (way == REGRID_NONE) {
                const bool posts = step.type == CONV_ISEND || step.type == CONV_IRECV;
                if (posts) {
                    dropped[step.slot] = true;
                }
                drop_beside(kept, template->steps, i);
                left_out = true;
                pair = false;
                continue;
            }
            step.type = step.type == CONV_EXCHANGE && !pair ? CONV_RECV : step.type;
            step.peer = way;
            step.comm = 2 * match->comms[step.comm / 2].family;
            step.size = g->strong ? scale(step.size, g->bytes[way]) : step.size;
        }
        pair = step.type == CONV_SEND;
        left_out = false;
        g_array_append_val(kept, step);
    }
    g_array_unref(template->steps);
    template->steps = kept;
    adapt_collectives(g, template);
}

/* ---- the growth ---------------------------------------------------------------------------- */

static void growth_free(sched_growth *growth)
{
    regrid_growth *g = (regrid_growth *)(void *)growth; /* its first member */
    g_free(g->record);
    g_free(g->offset);
    g_free(g->wraps);
    g_free(g->bytes);
    g_free(g->factors);
    g_free(g);
}

static const sched_growth_class REGRID = {
    .free = growth_free,
    .record = record_of,
    .peer = peer_of,
    .place = place_of,
    .member = member_of,
    .adapt = adapt,
};

/*
 * The whole problem stays as it is: what a rank has of it shrinks in each dimension as that grows.
 * A message in some dimensions is a part of the border between two ranks, whose extent is that in
 * all others: of a face, an edge, a corner.
 */
static void scale_all(regrid_growth *g)
{
    const regrid_match *match = g->regrid->match;
    const sched_grid *small = &match->layout.grid;
    g->bytes = g_new(double, match->ways->len);
    g->part = sched_regrid_part_of(small, &g->grid);
    for (guint w = 0; w < match->ways->len; w++) {
        g->bytes[w] = 1;
        for (uint32_t d = 0; d < small->num_dims; d++) {
            if (regrid_match_way(match, w)->by.x[d] == 0) {
                g->bytes[w] *= (double)small->extent[d] / g->grid.extent[d];
            }
        }
    }
}

/* Partners without a division, but at the ends of periodic dimensions. */
static void find_offsets(regrid_growth *g)
{
    const regrid_match *match = g->regrid->match;
    g->offset = g_new0(int64_t, (gsize)match->ways->len + 1);
    g->wraps = g_new0(bool, (gsize)match->ways->len + 1);
    for (uint32_t d = 0; d < g->grid.num_dims; d++) {
        g->all |= g->grid.extent[d] > 1 ? 1U << d : 0;
    }
    for (guint w = 0; w < match->ways->len; w++) {
        const regrid_point *by = &regrid_match_way(match, w)->by;
        for (uint32_t d = 0; d < g->grid.num_dims; d++) {
            g->offset[w] = g->offset[w] * g->grid.extent[d] + by->x[d];
            g->wraps[w] = g->wraps[w] || (g->grid.periodic[d] && by->x[d] != 0);
        }
    }
}

static void follow_itself(regrid_growth *g)
{
    const regrid_layout *layout = &g->regrid->match->layout;
    for (uint32_t r = 0; r < g->growth.num_ranks; r++) {
        g->record[layout->place != NULL ? layout->place[r] : r] = r;
    }
}

static void follow_class(regrid_growth *g)
{
    for (uint32_t r = 0; r < g->growth.num_ranks; r++) {
        g->record[r] = draw_record(g, r);
    }
}

sched_growth *sched_regrid_grow(const sched_regrid *regrid, const sched_regrid_target *target,
                                GError **error)
{
    sched_grid grid;
    if (!sched_regrid_fit(regrid, target, &grid, error)) {
        return NULL;
    }
    if (regrid->butterfly != NULL) {
        return sched_regrid_butterfly_grow(regrid, target);
    }
    regrid_growth *g = g_new0(regrid_growth, 1);
    g->growth = (sched_growth){.methods = &REGRID, .num_ranks = target->ranks};
    g->regrid = regrid;
    g->grid = grid;
    g->seed = target->seed;
    g->strong = target->strong;
    scale_all(g);
    if (target->strong && target->scaling != NULL) {
        g->scaling = target->scaling;
        g->factors = sched_regrid_scaling_factors(target->scaling, g->part);
    }
    g->record = g_new(uint32_t, target->ranks);
    find_offsets(g);
    bool itself = target->ranks == regrid->record.trace->num_ranks;
    for (uint32_t r = 0; itself && r < target->ranks; r++) {
        itself = !regrid->match->odd[r];
    }
    if (itself) {
        follow_itself(g);
    } else {
        follow_class(g);
    }
    return &g->growth;
}

void sched_growth_free(sched_growth *growth)
{
    if (growth != NULL) {
        growth->methods->free(growth);
    }
}
