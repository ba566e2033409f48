/* apps/ripple/view/recorded.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_recorded. */
#include "view/recorded.h"

/* A record that is being pictured. */
typedef struct recording {
    const sched_trace *trace;
    app_picture *picture;
    GArray *slices;
    sim_time origin; /* the first instant of all */
} recording;

/* What a rank does in a call: sends, receives, or waits, which is all that others are for. */
static app_picture_kind kind_of(const sched_call *call)
{
    switch ((sched_call_kind)call->kind) {
    case SCHED_CALL_SEND:
    case SCHED_CALL_ISEND:
    case SCHED_CALL_START:
    case SCHED_CALL_SEND_INIT:
        return APP_PICTURE_SEND;
    case SCHED_CALL_RECV:
    case SCHED_CALL_IRECV:
    case SCHED_CALL_RECV_INIT:
        return APP_PICTURE_RECV;
    case SCHED_CALL_SENDRECV:
    case SCHED_CALL_COMPLETE:
    case SCHED_CALL_COLLECTIVE:
        return APP_PICTURE_WAIT;
    default: /* its time counts as computation */
        return APP_PICTURE_COMPUTE;
    }
}

static void add(recording *r, app_picture_lane *lane, bool is_shown, app_picture_slice slice)
{
    lane->time[slice.kind] += slice.end - slice.begin;
    slice.begin = MAX(slice.begin, r->picture->from);
    slice.end = MIN(slice.end, r->picture->to);
    if (is_shown && slice.begin < slice.end) {
        g_array_append_val(r->slices, slice);
    }
}

static app_picture_lane make_lane(recording *r, uint32_t rank, bool is_shown)
{
    const sched_rank *record = &r->trace->ranks[rank];
    app_picture_lane lane = {
        .rank = rank, .first_slice = r->slices->len, .whole_until = SIM_TIME_MAX};
    sim_time at = record->num_calls > 0 ? record->calls[0].enter - r->origin : 0;
    for (uint64_t i = 0; i < record->num_calls; i++) {
        const sched_call *call = &record->calls[i];
        app_picture_slice slice = {.begin = at,
                                   .ripple = APP_PICTURE_NONE,
                                   .end = MAX(call->enter - r->origin, at),
                                   .from = APP_PICTURE_NONE,
                                   .op = (uint32_t)i,
                                   .component = APP_PICTURE_NONE,
                                   .kind = APP_PICTURE_COMPUTE};
        add(r, &lane, is_shown, slice);
        at = MAX(call->leave - r->origin, slice.end);
        slice.begin = slice.end;
        slice.end = at;
        slice.kind = (uint8_t)kind_of(call);
        const sched_comm *comm =
            call->comm < r->trace->num_comms ? &r->trace->comms[call->comm] : NULL;
        const uint32_t from = call->matched_peer < SCHED_UNKNOWN ? call->matched_peer : call->peer;
        if (slice.kind == APP_PICTURE_RECV && comm != NULL && from < comm->size) {
            slice.from = comm->members != NULL ? comm->members[from] : from;
        }
        add(r, &lane, is_shown, slice);
    }
    lane.finish = at;
    lane.num_slices = r->slices->len - lane.first_slice;
    return lane;
}

static void find_ends(recording *r)
{
    sim_time first = SIM_TIME_MAX;
    sim_time last = 0;
    for (uint32_t rank = 0; rank < r->trace->num_ranks; rank++) {
        const sched_rank *record = &r->trace->ranks[rank];
        if (record->num_calls > 0) {
            const sim_time end = record->calls[record->num_calls - 1].leave;
            last = first == SIM_TIME_MAX ? end : MAX(last, end);
            first = MIN(first, record->calls[0].enter);
        }
    }
    r->origin = first != SIM_TIME_MAX ? first : 0;
    r->picture->makespan = MAX(last - r->origin, 0);
}

app_picture *app_recorded_picture(const sched_trace *trace, const uint32_t *lanes, uint32_t n,
                                  sim_time from, sim_time to)
{
    app_picture *p = g_new0(app_picture, 1);
    recording r = {trace, p, g_array_new(FALSE, FALSE, sizeof(app_picture_slice)), 0};
    find_ends(&r);
    p->num_ranks = trace->num_ranks;
    p->is_recorded = true;
    p->from = from;
    p->to = to > 0 ? MIN(to, p->makespan) : p->makespan;
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        const app_picture_lane all = make_lane(&r, rank, false);
        for (int k = 0; k < APP_PICTURE_NUM_KINDS; k++) {
            p->time[k] += all.time[k];
        }
    }
    p->num_lanes = n;
    p->lanes = g_new0(app_picture_lane, MAX(n, 1));
    for (uint32_t i = 0; i < n; i++) {
        p->lanes[i] = make_lane(&r, lanes != NULL ? lanes[i] : i, true);
    }
    p->num_slices = r.slices->len;
    p->slices = (app_picture_slice *)(void *)g_array_free(r.slices, FALSE);
    return p;
}
