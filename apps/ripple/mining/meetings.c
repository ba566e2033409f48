/* apps/ripple/mining/meetings.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_waits. */
#include "mining/meetings.h"

#include "noise/event_type.h"

/* One collective. */
typedef struct meeting {
    sim_time last; /* when its last member came */
    uint32_t who;
    uint32_t members; /* that came */
} meeting;

/* The collectives of each communicator, in their order, which is the same on all its members. */
typedef struct meetings {
    const sched_trace *trace;
    GArray **of;    /* [communicators] of meeting */
    uint64_t *made; /* [communicators] by the rank that is gone through */
} meetings;

static bool is_collective(const sched_call *call)
{
    return call->kind == SCHED_CALL_COLLECTIVE || call->kind == SCHED_CALL_ICOLLECTIVE;
}

/* The place of the rank's next collective on the communicator. */
static meeting *next(const meetings *m, uint32_t comm)
{
    const guint place = (guint)m->made[comm]++;
    if (place >= m->of[comm]->len) {
        g_array_set_size(m->of[comm], place + 1); /* cleared */
    }
    return &g_array_index(m->of[comm], meeting, place);
}

static void arrive(const meetings *m, uint32_t rank, const sched_call *call)
{
    meeting *now = next(m, call->comm);
    if (now->members++ == 0 || call->enter > now->last) {
        now->last = call->enter;
        now->who = rank;
    }
}

static bool sends_at_once(const sched_trace *trace, uint32_t rank, const sched_call *call)
{
    const sched_comm *comm = &trace->comms[call->comm];
    const bool from_root = call->collective == COLL_BCAST || call->collective == COLL_SCATTER ||
                           call->collective == COLL_SCATTERV;
    return from_root && call->bytes >= 0 && call->bytes <= NOISE_EVENT_EAGER_BYTES &&
           comm->members != NULL && call->root < comm->size && comm->members[call->root] == rank;
}

static sim_time judge(const meetings *m, uint32_t rank, const sched_call *call)
{
    const meeting *now = next(m, call->comm);
    const bool whole = now->members == m->trace->comms[call->comm].size;
    const bool last = whole && now->who == rank;
    return last || sends_at_once(m->trace, rank, call) ? 0 : -1;
}

static void each(meetings *m, sim_time **waited)
{
    for (uint32_t rank = 0; rank < m->trace->num_ranks; rank++) {
        const sched_rank *r = &m->trace->ranks[rank];
        memset(m->made, 0, m->trace->num_comms * sizeof *m->made);
        for (uint64_t i = 0; i < r->num_calls; i++) {
            const sched_call *call = &r->calls[i];
            if (!is_collective(call) || call->comm >= m->trace->num_comms) {
                continue;
            }
            if (waited == NULL) {
                arrive(m, rank, call);
            } else {
                const sim_time is = judge(m, rank, call);
                waited[rank][i] = call->kind == SCHED_CALL_COLLECTIVE ? is : waited[rank][i];
            }
        }
    }
}

void app_meetings_judge(const sched_trace *trace, sim_time **waited)
{
    meetings m = {.trace = trace,
                  .of = g_new(GArray *, trace->num_comms),
                  .made = g_new0(uint64_t, trace->num_comms)};
    for (uint32_t i = 0; i < trace->num_comms; i++) {
        m.of[i] = g_array_new(FALSE, TRUE, sizeof(meeting));
    }
    each(&m, NULL);
    each(&m, waited);
    for (uint32_t i = 0; i < trace->num_comms; i++) {
        g_array_unref(m.of[i]);
    }
    g_free(m.of);
    g_free(m.made);
}
