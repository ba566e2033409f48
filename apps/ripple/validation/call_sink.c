/* apps/ripple/validation/call_sink.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_call_times. */
#include "validation/call_sink.h"

#include "sim/program.h"

static bool is_posting(uint8_t kind)
{
    return kind == SCHED_CALL_ISEND || kind == SCHED_CALL_IRECV || kind == SCHED_CALL_START ||
           kind == SCHED_CALL_ICOLLECTIVE;
}

/* In which call the rank was before it computed what comes before @p call. */
static uint64_t call_before(const app_rank_calls_made *r, uint64_t call)
{
    uint64_t k = call;
    while (k > r->at && k > 0 && (k == call || r->kind[k] == SCHED_CALL_OTHER)) {
        k--;
    }
    return k;
}

static void charge(app_call_sink *s, const app_rank_calls_made *r, uint64_t call, sim_time time)
{
    if (call < r->num_calls) {
        const uint32_t name = r->name[call];
        s->time[name] += (double)time;
        s->first_time[name] += call == r->first[name] ? (double)time : 0;
    }
}

static void take_event(app_call_sink *s, const sim_event *e)
{
    app_rank_calls_made *r = &s->rank[e->rank];
    const sim_time waited = MAX(e->start - r->end, 0);
    const sim_time took = e->end - MAX(e->start, r->end);
    if (e->op >= r->num_ops) { /* a message that nobody has posted a receive for yet */
        charge(s, r, r->at, e->end - r->end);
    } else if ((r->call[e->op] & SCHED_OP_COMPUTES) != 0) {
        const uint64_t next = r->call[e->op] & ~SCHED_OP_COMPUTES;
        charge(s, r, call_before(r, next), waited);
        r->computed += took;
        r->at = next;
    } else {
        const uint64_t call = r->call[e->op];
        const bool late = is_posting(r->kind[call]) && e->type == SIM_OP_RECV;
        if (late) { /* in the call that waits for it, or in whatever comes before that */
            charge(s, r, r->at > call ? r->at : r->waited_by[call], waited + took);
        } else {
            r->at = MAX(r->at, call);
            charge(s, r, r->at, waited + took);
        }
    }
    r->end = MAX(r->end, e->end);
}

static void take_events(sim_sink *sink, const sim_event *events, size_t n)
{
    app_call_sink *s = (app_call_sink *)(void *)sink;
    for (size_t i = 0; i < n; i++) {
        take_event(s, &events[i]);
    }
}

/* The first call of each name that the rank makes more than once. */
static void find_first(app_rank_calls_made *r, size_t num_names)
{
    g_autofree uint64_t *calls = g_new0(uint64_t, num_names + 1);
    r->first = g_new(uint64_t, num_names + 1);
    for (uint64_t k = r->num_calls; k > 0; k--) {
        calls[r->name[k - 1]]++;
        r->first[r->name[k - 1]] = k - 1;
    }
    for (size_t i = 0; i < num_names; i++) {
        r->first[i] = calls[i] > 1 ? r->first[i] : r->num_calls;
    }
}

/* Which call completes what each posted: by its requests. */
static void read_calls(app_rank_calls_made *to, const sched_rank *from)
{
    to->num_calls = from->num_calls;
    to->name = g_new(uint32_t, from->num_calls + 1);
    to->kind = g_new(uint8_t, from->num_calls + 1);
    to->waited_by = g_new(uint64_t, from->num_calls + 1);
    g_autoptr(GHashTable) posted = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    sched_walk walk;
    sched_walk_begin(&walk, from);
    for (const sched_call *call; (call = sched_walk_next(&walk)) != NULL;) {
        const uint64_t k = walk.next - 1;
        to->name[k] = call->name;
        to->kind[k] = call->kind;
        to->waited_by[k] = k;
        if (is_posting(call->kind) && call->kind != SCHED_CALL_START) {
            g_hash_table_insert(posted, g_memdup2(&call->request, sizeof call->request),
                                GSIZE_TO_POINTER(k + 1));
        }
        for (uint32_t i = 0; i < call->num_list; i++) {
            const uint64_t *request = &walk.requests[call->list + i];
            if (call->kind == SCHED_CALL_START) {
                g_hash_table_insert(posted, g_memdup2(request, sizeof *request),
                                    GSIZE_TO_POINTER(k + 1));
            } else if (call->kind == SCHED_CALL_COMPLETE) {
                const gsize post = GPOINTER_TO_SIZE(g_hash_table_lookup(posted, request));
                if (post > 0) {
                    to->waited_by[post - 1] = k;
                    g_hash_table_remove(posted, request);
                }
            }
        }
    }
    sched_walk_end(&walk);
}

app_call_sink *app_call_sink_new(const sched_trace *trace, sched_rank_source *source,
                                 GError **error)
{
    g_autoptr(app_call_sink) s = g_new0(app_call_sink, 1);
    s->sink = (sim_sink){.events = take_events, .is_brief = true};
    s->num_ranks = trace->num_ranks;
    s->rank = g_new0(app_rank_calls_made, s->num_ranks);
    s->num_names = trace->names->len;
    s->time = g_new0(double, s->num_names + 1);
    s->first_time = g_new0(double, s->num_names + 1);
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        sched_rank_ops ops;
        if (!source->get(source, r, &ops, error)) {
            return NULL;
        }
        read_calls(&s->rank[r], &trace->ranks[r]);
        find_first(&s->rank[r], s->num_names);
        s->rank[r].num_ops = ops.num_ops;
        s->rank[r].call = g_memdup2(ops.calls, ops.num_ops * sizeof *ops.calls);
    }
    return g_steal_pointer(&s);
}

void app_call_sink_free(app_call_sink *s)
{
    if (s != NULL) {
        for (uint32_t r = 0; r < s->num_ranks; r++) {
            g_free(s->rank[r].name);
            g_free(s->rank[r].kind);
            g_free(s->rank[r].waited_by);
            g_free(s->rank[r].first);
            g_free(s->rank[r].call);
        }
        g_free(s->rank);
        g_free(s->time);
        g_free(s->first_time);
        g_free(s);
    }
}

void app_call_sink_finish(app_call_sink *s, const sim_time *finish)
{
    for (uint32_t i = 0; i < s->num_ranks; i++) {
        app_rank_calls_made *r = &s->rank[i];
        const uint64_t last = r->num_calls > 0 ? r->num_calls - 1 : 0; /* MPI_Finalize */
        charge(s, r, call_before(r, last), finish[i] - r->end);
        r->end = finish[i];
    }
}
