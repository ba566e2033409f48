/* schedgen/convert/convert_stamp.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert, test_convert_copies. */
#include "convert/convert_private.h"
#include "convert/convert_resample.h"

#include "coll/walk.h"

#include <assert.h>

/*
 * The rank's operations form a chain. Its end is what the next operation depends on: it requires
 * the operations in `ends` and irequires `begun`, the one posted last. A post's start implies the
 * start of all posts before it, so one is enough.
 *
 * Per operation: one append and, as a rule, one edge, into arrays that every rank uses again.
 */
struct conv_stamp {
    const conv_context *context;
    GArray *ops;      /* of sim_op: of the rank */
    GArray *calls;    /* of uint64_t: of which call each operation is */
    GArray *edges;    /* of sched_edge */
    GArray *ends;     /* of uint32_t */
    GArray *stage;    /* of uint32_t: the stage of a collective that is being made */
    GArray *slots;    /* of conv_slot */
    GArray *slot_ops; /* of uint32_t */
    uint32_t begun;   /* CONV_NONE: nothing */
    uint32_t rank;
    uint32_t shift; /* first rank of the copy */
    uint32_t copy;
    uint32_t repetition;
    const conv_series *series; /* of the record; NULL: computation is as recorded */
    uint32_t turn;
    uint32_t calc; /* of the template, the next */
};

/* What a request stands for: slot_ops[first .. first + n). */
typedef struct conv_slot {
    uint32_t first;
    uint32_t n;
} conv_slot;

conv_stamp *sched_convert_stamp_new(const conv_context *context)
{
    conv_stamp *s = g_new0(conv_stamp, 1);
    s->context = context;
    s->ops = g_array_new(FALSE, FALSE, sizeof(sim_op));
    s->calls = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    s->edges = g_array_new(FALSE, FALSE, sizeof(sched_edge));
    s->ends = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    s->stage = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    s->slots = g_array_new(FALSE, TRUE, sizeof(conv_slot));
    s->slot_ops = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    return s;
}

void sched_convert_stamp_free(conv_stamp *s)
{
    if (s != NULL) {
        g_array_unref(s->ops);
        g_array_unref(s->calls);
        g_array_unref(s->edges);
        g_array_unref(s->ends);
        g_array_unref(s->stage);
        g_array_unref(s->slots);
        g_array_unref(s->slot_ops);
        g_free(s);
    }
}

static uint32_t at(const GArray *ops, guint i)
{
    return g_array_index(ops, uint32_t, i);
}

static uint32_t add(conv_stamp *s, const sim_op *op)
{
    g_array_append_vals(s->ops, op, 1);
    return s->ops->len - 1;
}

static void depend(conv_stamp *s, uint32_t later, uint32_t earlier, bool start)
{
    const sched_edge edge = {.later = later, .earlier = earlier, .start = start};
    g_array_append_vals(s->edges, &edge, 1);
}

/* Append an operation that follows the end of the chain. */
static uint32_t follow(conv_stamp *s, const sim_op *op)
{
    const uint32_t index = add(s, op);
    for (guint i = 0; i < s->ends->len; i++) {
        depend(s, index, at(s->ends, i), false);
    }
    if (s->begun != CONV_NONE) {
        depend(s, index, s->begun, true);
    }
    return index;
}

/* The chain now ends with @p index: with its finish, or with its start. */
static void end_with(conv_stamp *s, uint32_t index, bool start)
{
    g_array_set_size(s->ends, 0);
    s->begun = CONV_NONE;
    if (start) {
        s->begun = index;
    } else {
        g_array_append_val(s->ends, index);
    }
}

static void remember(conv_stamp *s, uint32_t slot, const uint32_t *ops, guint n)
{
    g_array_index(s->slots, conv_slot, slot) = (conv_slot){s->slot_ops->len, n};
    g_array_append_vals(s->slot_ops, ops, n);
}

/* What follows requires what @p slot stands for, too. */
static void join(conv_stamp *s, uint32_t slot)
{
    const conv_slot *waited = &g_array_index(s->slots, conv_slot, slot);
    for (uint32_t i = 0; i < waited->n; i++) {
        const uint32_t op = at(s->slot_ops, waited->first + i);
        s->begun = s->begun == op ? CONV_NONE : s->begun; /* it finishes: so it started */
        g_array_append_val(s->ends, op);
    }
}

static void swap_ends(conv_stamp *s)
{
    GArray *ends = s->ends;
    s->ends = s->stage;
    s->stage = ends;
    g_array_set_size(s->stage, 0);
    s->begun = CONV_NONE;
}

static void stamp_collective(conv_stamp *s, const conv_coll *coll, uint32_t slot)
{
    const sched_growth *growth = s->context->options->growth;
    const coll_call call = conv_coll_call(coll, s->context->options, s->rank, s->copy);
    coll_course course;
    coll_walk walk = {0};
    coll_step step;
    uint32_t first = CONV_NONE;
    uint32_t last = CONV_NONE;
    coll_course_init(&course, &call, coll_profile_select(s->context->profile, &call));
    while (coll_walk_next(&course, call.rank, &walk, &step)) {
        sim_op op = conv_coll_op(coll, &step, s->shift, s->repetition);
        if (growth != NULL && op.type != SIM_OP_CALC) {
            op.peer = growth->methods->member(growth, s->rank, coll->span, step.peer);
        }
        if (step.with_previous) {
            assert(last != CONV_NONE);
            const uint32_t index = add(s, &op);
            depend(s, index, last, true);
            last = index;
        } else {
            if (first != CONV_NONE) {
                swap_ends(s);
            }
            last = follow(s, &op);
        }
        g_array_append_val(s->stage, last);
        first = first == CONV_NONE ? last : first;
    }
    if (first != CONV_NONE) {
        swap_ends(s);
    }
    if (slot != CONV_NONE && first != CONV_NONE) { /* what follows the post needs only its start */
        remember(s, slot, (const uint32_t *)(const void *)s->ends->data, s->ends->len);
        end_with(s, first, true);
    }
}

static void stamp_step(conv_stamp *s, const conv_template *template, const conv_step *step)
{
    if (step->type == CONV_JOIN) {
        join(s, step->slot);
        return;
    }
    if (step->type == CONV_COLL) {
        const conv_coll *coll = &g_array_index(template->colls, conv_coll, (guint)step->size);
        stamp_collective(s, coll, step->slot);
        return;
    }
    const sched_growth *growth = s->context->options->growth;
    sim_op op = conv_step_op(step, s->shift);
    if (step->type == CONV_CALC && s->series != NULL) {
        op.size = conv_series_size(s->series, s->calc++, s->turn);
    }
    if (growth != NULL && op.type != SIM_OP_CALC && op.peer != SIM_ANY) {
        op.peer = growth->methods->peer(growth, s->rank, step->peer);
    }
    if (step->type == CONV_EXCHANGE) { /* the send right before it is the end of the chain */
        const uint32_t index = add(s, &op);
        depend(s, index, index - 1, true);
        g_array_append_val(s->ends, index);
        return;
    }
    const uint32_t index = follow(s, &op);
    const bool nonblocking = step->type == CONV_ISEND || step->type == CONV_IRECV;
    end_with(s, index, nonblocking);
    if (nonblocking) {
        remember(s, step->slot, &index, 1);
    }
}

/* A pass begins: from where on in its record does the rank compute? */
static void begin_pass(conv_stamp *s)
{
    const conv_context *c = s->context;
    if (c->resample != NULL) {
        const uint32_t who =
            conv_resample_who(c->options->growth, c->trace->num_ranks, s->rank, s->copy);
        s->series = &sched_convert_resample_series(c->resample)[conv_record_of(c, s->rank)];
        s->turn = sched_convert_resample_turn(c->resample, who, s->repetition);
        s->calc = 0;
    }
    g_array_set_size(s->slot_ops, 0);
    g_array_set_size(s->slots, 0);
}

/* The operations that are new are of this step's call. */
static void name_calls(conv_stamp *s, const conv_step *step, uint64_t before)
{
    const uint64_t call = (before + step->call) | (step->type == CONV_CALC ? SCHED_OP_COMPUTES : 0);
    while (s->calls->len < s->ops->len) {
        g_array_append_val(s->calls, call);
    }
}

sched_rank_ops sched_convert_stamp_rank(conv_stamp *s, const conv_template *template, uint32_t rank)
{
    s->rank = rank;
    s->copy = s->context->options->growth != NULL ? 0 : rank / s->context->trace->num_ranks;
    s->shift = s->copy * s->context->trace->num_ranks;
    s->begun = CONV_NONE;
    g_array_set_size(s->ops, 0);
    g_array_set_size(s->calls, 0);
    g_array_set_size(s->edges, 0);
    g_array_set_size(s->ends, 0);
    g_array_set_size(s->stage, 0);
    for (s->repetition = 0; s->repetition < conv_repeat(s->context->options); s->repetition++) {
        begin_pass(s);
        g_array_set_size(s->slots, template->num_slots);
        for (guint i = 0; i < template->steps->len; i++) {
            const conv_step *step = &g_array_index(template->steps, conv_step, i);
            stamp_step(s, template, step);
            name_calls(s, step, s->repetition * template->num_calls);
        }
    }
    return (sched_rank_ops){.ops = (const sim_op *)(const void *)s->ops->data,
                            .num_ops = s->ops->len,
                            .edges = (const sched_edge *)(const void *)s->edges->data,
                            .num_edges = s->edges->len,
                            .calls = (const uint64_t *)(const void *)s->calls->data};
}
