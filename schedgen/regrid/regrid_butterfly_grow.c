/* schedgen/regrid/regrid_butterfly_grow.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid_butterfly. */
/*
 * A butterfly on more ranks has more stages: those with the largest distances, each with what was
 * done from the one before the last recorded one to that (or, downwards, from the first to the
 * second). All ranks are one class.
 */
#include "regrid/regrid_private.h"

#include <xxhash.h>

typedef struct butterfly_growth {
    sched_growth growth; /* first: it is handed on as this */
    const sched_regrid *regrid;
    uint32_t more; /* stages */
    uint32_t num_records;
    uint64_t seed;
} butterfly_growth;

static const butterfly_growth *of(const sched_growth *growth)
{
    return (const butterfly_growth *)(const void *)growth; /* its first member */
}

static uint32_t record_of(const sched_growth *growth, uint32_t rank)
{
    const butterfly_growth *g = of(growth);
    return growth->num_ranks == g->num_records
               ? rank
               : (uint32_t)(XXH3_64bits_withSeed(&rank, sizeof rank, g->seed) % g->num_records);
}

/* A way is twice its stage, and one more of what comes from there. */
static uint32_t peer_of(const sched_growth *growth, uint32_t rank, uint32_t way)
{
    const uint32_t by = 1U << way / 2;
    if (of(growth)->regrid->butterfly->mirror) {
        return rank ^ by;
    }
    const uint32_t n = growth->num_ranks;
    return way % 2 == 1 ? (rank >= by ? rank - by : rank + (n - by))
                        : (by < n - rank ? rank + by : rank - (n - by));
}

static uint32_t place_of(const sched_growth *growth, uint32_t rank, uint32_t span)
{
    (void)growth;
    (void)span;
    return rank;
}

static uint32_t member_of(const sched_growth *growth, uint32_t rank, uint32_t span, uint32_t place)
{
    (void)growth;
    (void)rank;
    (void)span;
    return place;
}

/* ---- the record ---------------------------------------------------------------------------- */

typedef struct weaver {
    const butterfly_growth *g;
    GArray *in;   /* of conv_step */
    GArray *out;  /* of conv_step */
    uint32_t *at; /* [items + 1] step of each message; then the end */
    uint32_t num_items;
    uint32_t num_slots; /* with those of further stages */
    uint32_t *slot;     /* [slots of the record] in the stage that is being copied */
} weaver;

static conv_step step_at(const weaver *w, uint32_t i)
{
    return g_array_index(w->in, conv_step, i);
}

/* Behind the last step of the messages before item @p item: them, and the waits that follow. */
static uint32_t end_of(const weaver *w, uint32_t item)
{
    uint32_t end = w->at[item - 1] + 1;
    for (uint32_t i = end; i < w->at[item]; i++) {
        const conv_step step = step_at(w, i);
        if (step.type == CONV_COLL) {
            break;
        }
        end = step.type == CONV_JOIN ? i + 1 : end;
    }
    return end;
}

static uint32_t way_of(const conv_step *step, uint32_t stage)
{
    return 2 * stage + (conv_step_op(step, 0).type == SIM_OP_RECV);
}

static int64_t scale(int64_t bytes, int32_t powers)
{
    return powers < 0 ? bytes >> MIN(-powers, 62) : bytes << MIN(powers, 20);
}

/* The steps [begin, end), as a stage further: @p by, in the order of stages; may be below 0. */
static void copy_stage(weaver *w, const regrid_run *run, uint32_t begin, uint32_t end,
                       uint32_t stage, int32_t by)
{
    for (uint32_t i = begin; i < end; i++) {
        conv_step step = step_at(w, i);
        if (conv_step_is_message(&step)) {
            step.peer = way_of(&step, stage);
            step.tag = (uint32_t)((int64_t)step.tag + by * run->tag_step);
            step.size = scale(step.size, by * run->power);
            if (step.slot != CONV_NONE) {
                w->slot[step.slot] = w->num_slots;
                step.slot = w->num_slots++;
            }
        } else if (step.type == CONV_JOIN) {
            step.slot = w->slot[step.slot];
        }
        g_array_append_val(w->out, step);
    }
}

/* Steps up to @p end as they are, but for their peers. */
static void copy_until(weaver *w, uint32_t *from, uint32_t end, const uint32_t *ways,
                       uint32_t *item)
{
    for (; *from < end; (*from)++) {
        conv_step step = step_at(w, *from);
        if (conv_step_is_message(&step)) {
            step.peer = ways[(*item)++];
        }
        g_array_append_val(w->out, step);
    }
}

static void weave(weaver *w, const uint32_t *ways)
{
    const regrid_butterfly *b = w->g->regrid->butterfly;
    uint32_t from = 0;
    uint32_t item = 0;
    for (guint r = 0; r < b->runs->len; r++) {
        const regrid_run *run = &g_array_index(b->runs, regrid_run, r);
        const uint32_t behind = run->first + b->num_stages * run->items;
        if (run->up) {
            const uint32_t begin = end_of(w, behind - run->items);
            const uint32_t end = end_of(w, behind);
            copy_until(w, &from, end, ways, &item);
            for (uint32_t c = 0; c < w->g->more; c++) {
                copy_stage(w, run, begin, end, b->num_stages + c, (int32_t)c + 1);
            }
        } else {
            const uint32_t begin = w->at[run->first];
            const uint32_t end = w->at[run->first + run->items];
            copy_until(w, &from, begin, ways, &item);
            for (uint32_t c = w->g->more; c > 0; c--) {
                copy_stage(w, run, begin, end, b->num_stages + c - 1, -(int32_t)c);
            }
        }
    }
    copy_until(w, &from, w->in->len, ways, &item);
}

static void adapt(const sched_growth *growth, uint32_t record, struct conv_template *template)
{
    const butterfly_growth *g = of(growth);
    const regrid_record *recorded = &g->regrid->record;
    const uint32_t n = recorded->ranks[record].num_items;
    g_autofree uint32_t *ways = g_new0(uint32_t, (gsize)n + 1);
    g_autofree uint32_t *at = g_new0(uint32_t, (gsize)n + 1);
    g_autofree uint32_t *slot = g_new0(uint32_t, (gsize) template->num_slots + 1);
    weaver w = {.g = g, .in = template->steps, .at = at, .num_items = n, .slot = slot};
    w.num_slots = template->num_slots;
    w.out = g_array_new(FALSE, FALSE, sizeof(conv_step));
    uint32_t item = 0;
    for (guint i = 0; i < template->steps->len; i++) {
        const conv_step step = step_at(&w, i);
        if (conv_step_is_message(&step)) {
            const uint32_t by = sched_regrid_butterfly_stage(g->regrid->butterfly, recorded, item);
            at[item] = i;
            ways[item++] = way_of(&step, by);
        }
    }
    at[n] = template->steps->len;
    if (item == n) {
        weave(&w, ways);
    } else { /* messages are left out: nothing says which computation is that of a stage */
        g_array_append_vals(w.out, template->steps->data, template->steps->len);
    }
    for (guint i = 0; i < template->colls->len; i++) {
        conv_coll *coll = &g_array_index(template->colls, conv_coll, i);
        coll->members = NULL;
        coll->grows = false;
        coll->call.rank = 0;
        coll->call.size = growth->num_ranks;
        coll->call.root = coll->call.root > 0 && coll->call.root + 1 == g->num_records
                              ? growth->num_ranks - 1
                              : coll->call.root;
    }
    g_array_unref(template->steps);
    template->steps = w.out;
    template->num_slots = w.num_slots;
}

static void growth_free(sched_growth *growth)
{
    g_free(growth);
}

static const sched_growth_class BUTTERFLY = {
    .free = growth_free,
    .record = record_of,
    .peer = peer_of,
    .place = place_of,
    .member = member_of,
    .adapt = adapt,
};

bool sched_regrid_butterfly_fit(const sched_regrid *regrid, const sched_regrid_target *target,
                                sched_grid *grid, GError **error)
{
    const uint32_t small = regrid->record.trace->num_ranks;
    const uint32_t n = target->ranks;
    if (n < small || (n & (n - 1)) != 0 || target->strong ||
        (target->grid.num_dims > 0 &&
         (target->grid.num_dims != 1 || target->grid.extent[0] != n))) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                    "'%u' ranks: a butterfly of %u grows to powers of two, by weak scaling", n,
                    small);
        return false;
    }
    *grid = (sched_grid){.num_dims = 1, .extent = {n}, .periodic = {true}};
    return true;
}

sched_growth *sched_regrid_butterfly_grow(const sched_regrid *regrid,
                                          const sched_regrid_target *target)
{
    butterfly_growth *g = g_new0(butterfly_growth, 1);
    g->growth = (sched_growth){.methods = &BUTTERFLY, .num_ranks = target->ranks};
    g->regrid = regrid;
    g->num_records = regrid->record.trace->num_ranks;
    g->more = (uint32_t)__builtin_ctz(target->ranks) - regrid->butterfly->num_stages;
    g->seed = target->seed;
    return &g->growth;
}
