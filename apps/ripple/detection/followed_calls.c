/* apps/ripple/detection/followed_calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "detection/followed_calls.h"

#include "detection/recorded_calls.h"

/* The first call of the stream that is not before this one of the record. */
static size_t find_call(const app_rank_calls *calls, uint64_t index)
{
    size_t low = 0;
    for (size_t high = calls->n; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (calls->at[middle] < index) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void fill_calls(app_rank_script *s, const app_rank_calls *calls, size_t passes)
{
    s->num_calls = passes * calls->n;
    s->symbol = g_new(uint64_t, s->num_calls + 1);
    s->base = g_new(sim_time, s->num_calls + 1);
    s->anchor = g_new(bool, s->num_calls + 1);
    for (size_t k = 0; k < s->num_calls; k++) {
        const noise_sequence_call *call = &calls->call[k % calls->n];
        s->symbol[k] = call->symbol;
        s->base[k] = call->compute;
        s->anchor[k] = call->anchor;
    }
}

/* To which calls of the stream the operations belong. */
static void fill_parts(app_rank_script *s, const app_rank_calls *calls, uint64_t recorded,
                       const sched_rank_ops *ops)
{
    size_t begun = SIZE_MAX;
    s->num_ops = ops->num_ops;
    s->part = g_new(uint32_t, s->num_ops + 1);
    for (size_t i = 0; i < s->num_ops; i++) {
        const uint64_t index = ops->calls[i] & ~SCHED_OP_COMPUTES;
        const size_t in_pass = find_call(calls, index % recorded);
        const size_t k = index / recorded * calls->n + in_pass;
        s->part[i] = APP_PART_NONE;
        if ((ops->calls[i] & SCHED_OP_COMPUTES) != 0) {
            s->part[i] = (uint32_t)k;
            if (in_pass < calls->n) { /* else what follows the last call comes before a next pass */
                s->base[k] -= ops->ops[i].size;
            }
        } else if (k != begun && in_pass < calls->n && calls->at[in_pass] == index % recorded) {
            s->part[i] = (uint32_t)k | APP_PART_BEGINS;
            begun = k;
        }
    }
}

static bool fill_rank(app_rank_script *s, const app_rank_calls *calls, uint64_t recorded,
                      sched_rank_source *source, uint32_t rank, GError **error)
{
    sched_rank_ops ops;
    if (!source->get(source, rank, &ops, error)) {
        return false;
    }
    const uint64_t last = ops.num_ops > 0 ? ops.calls[ops.num_ops - 1] & ~SCHED_OP_COMPUTES
                                          : 0; /* of the last pass */
    recorded = MAX(recorded, 1);               /* no call, no operation */
    fill_calls(s, calls, last / recorded + 1);
    fill_parts(s, calls, recorded, &ops);
    return true;
}

app_call_script *app_followed_script_new(const sched_trace *trace, sched_rank_source *ops,
                                         noise_match match, GError **error)
{
    g_autoptr(app_run_calls) calls = app_recorded_calls(trace, match);
    g_autoptr(app_call_script) s = app_call_script_empty(ops->num_ranks);
    for (uint32_t rank = 0; rank < ops->num_ranks; rank++) {
        const uint32_t own = rank % trace->num_ranks;
        if (!fill_rank(&s->rank[rank], &calls->rank[own], trace->ranks[own].num_calls, ops, rank,
                       error)) {
            return NULL;
        }
    }
    g_hash_table_unref(s->names);
    s->names = g_hash_table_ref(calls->names);
    return g_steal_pointer(&s);
}
