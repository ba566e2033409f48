/* schedgen/dumpi/dumpi_call.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_dumpi, fuzz_dumpi. */
#include "dumpi/dumpi_private.h"

#include "sched/error.h"

enum { WORLD = 2, SELF = 3, TURN_S = 1 << 16, MOST_S = SIM_TIME_MAX / SIM_S - 1 };

static void map_comm(dumpi_rank *rank, uint16_t handle, uint32_t local)
{
    (void)g_hash_table_insert(rank->comm_of, GUINT_TO_POINTER(handle), GUINT_TO_POINTER(local + 1));
}

void sched_dumpi_rank_init(dumpi_rank *rank)
{
    const dumpi_comm own = {.parent = DUMPI_NONE, .is_member = true, .comm = DUMPI_NONE};
    *rank = (dumpi_rank){.last = -SIM_TIME_MAX, .last_cpu = -1, .thread = -1};
    rank->head.sizes = g_array_new(FALSE, FALSE, sizeof(int64_t));
    rank->requests = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    rank->comm_of = g_hash_table_new(NULL, NULL);
    rank->comms = g_array_new(FALSE, FALSE, sizeof(dumpi_comm));
    for (unsigned handle = WORLD; handle <= SELF; handle++) {
        g_array_append_val(rank->comms, own);
        map_comm(rank, (uint16_t)handle, handle - WORLD);
    }
}

void sched_dumpi_rank_clear(dumpi_rank *rank)
{
    g_array_unref(rank->head.sizes);
    g_hash_table_unref(rank->requests);
    g_hash_table_unref(rank->comm_of);
    g_array_unref(rank->comms);
}

/* ---- communicators ---- */

static bool find_comm(const dumpi_reading *in, uint16_t handle, uint32_t *local)
{
    const dumpi_rank *rank = in->rank;
    *local = GPOINTER_TO_UINT(g_hash_table_lookup(rank->comm_of, GUINT_TO_POINTER(handle)));
    return (*local)-- > 0 ||
           sched_dumpi_fail(&rank->stream, "a communicator that no call has made:", handle,
                            in->error);
}

static bool make_comm(const dumpi_reading *in)
{
    const dumpi_record *r = in->r;
    const bool is_member = r->new_comm >= WORLD;
    dumpi_comm made = {.action = r->function->action,
                       .is_member = is_member,
                       .reorder = r->reorder != 0,
                       .color = r->color,
                       .key = r->key,
                       .dims = r->dims,
                       .comm = DUMPI_NONE,
                       .line = in->rank->stream.record};
    if (!find_comm(in, r->comm, &made.parent)) {
        return false;
    }
    if (is_member) {
        map_comm(in->rank, r->new_comm, in->rank->comms->len);
    }
    g_array_append_val(in->rank->comms, made);
    return true;
}

/* ---- messages ---- */

static uint32_t tag_of(int32_t tag)
{
    return tag < 0 ? SCHED_ANY : (uint32_t)tag;
}

/* Below zero: anybody is -1; what is no process differs between libraries. */
static uint32_t source_of(int32_t source)
{
    return source >= 0 ? (uint32_t)source : source == -1 ? SCHED_ANY : SCHED_PROC_NULL;
}

static bool fill_send(const dumpi_reading *in, sched_call *call)
{
    const dumpi_record *r = in->r;
    call->peer = r->dest < 0 ? SCHED_PROC_NULL : (uint32_t)r->dest;
    call->tag = tag_of(r->tag);
    call->synchronous = r->function->detail == 1;
    return (r->tag >= 0 || r->dest < 0 ||
            sched_dumpi_fail(&in->rank->stream, "no tag of a message:", r->tag, in->error)) &&
           sched_dumpi_bytes(in, r->count, r->type, &call->bytes);
}

static bool fill_receive(const dumpi_reading *in, sched_call *call)
{
    const dumpi_record *r = in->r;
    dumpi_status status;
    call->peer = source_of(r->source);
    call->tag = tag_of(r->tag);
    if (!sched_dumpi_bytes(in, r->count, r->type, &call->bytes)) {
        return false;
    }
    call->room = call->bytes;
    if (sched_dumpi_status(r, 0, &status)) {
        sched_dumpi_match(call, &call->bytes, call->peer, call->tag, &status);
    }
    return true;
}

static bool fill_both(const dumpi_reading *in, sched_call *call)
{
    const dumpi_record *r = in->r;
    const bool replace = strchr(r->function->args, 'N') == NULL;
    dumpi_status status;
    if (!fill_send(in, call) ||
        !sched_dumpi_bytes(in, replace ? r->count : r->other_count,
                           replace ? r->type : r->other_type, &call->recv_bytes)) {
        return false;
    }
    call->recv_peer = source_of(r->source);
    call->recv_tag = tag_of(r->other_tag);
    call->room = call->recv_bytes;
    if (sched_dumpi_status(r, 0, &status)) {
        sched_dumpi_match(call, &call->recv_bytes, call->recv_peer, call->recv_tag, &status);
    }
    return true;
}

/* ---- collectives ---- */

/* One type for all counts, or (types.n > 0) one for each. */
static bool add_counts(const dumpi_reading *in, const dumpi_list *counts, uint16_t type,
                       const dumpi_list *types, uint32_t *num)
{
    for (uint32_t i = 0; i < counts->n; i++) {
        int64_t bytes = 0;
        const uint16_t of = i < types->n ? (uint16_t)sched_dumpi_entry(types, i) : type;
        if (!sched_dumpi_bytes(in, sched_dumpi_entry(counts, i), of, &bytes)) {
            return false;
        }
        (void)sched_rank_add_count(in->out, bytes);
    }
    *num = counts->n;
    return true;
}

static bool fill_collective(const dumpi_reading *in, sched_call *call)
{
    const dumpi_record *r = in->r;
    const coll_kind kind = (coll_kind)r->function->detail;
    /* Of these each rank has what it receives, too; and what it sends may be in place. */
    const bool other = kind == COLL_ALLGATHER || kind == COLL_ALLTOALL ||
                       ((kind == COLL_GATHER || kind == COLL_SCATTER) && r->comm_rank == r->root);
    const bool none = kind == COLL_BARRIER || kind == COLL_ALLTOALLV || kind == COLL_ALLTOALLW ||
                      kind == COLL_REDUCE_SCATTER || kind == COLL_ALLGATHERV;
    /* The second type is that of the counts where the call has one. */
    const uint16_t sent = kind == COLL_SCATTERV ? r->other_type : r->type;
    const uint16_t received = kind == COLL_REDUCE_SCATTER ? r->type : r->other_type;
    call->collective = (uint8_t)kind;
    call->root = (uint32_t)r->root;
    call->counts = in->out->num_counts;
    return (none || sched_dumpi_bytes(in, other ? r->other_count : r->count,
                                      other ? r->other_type : r->type, &call->bytes)) &&
           add_counts(in, &r->send_counts, sent, &r->types, &call->num_send_counts) &&
           add_counts(in, &r->recv_counts, received, &r->other_types, &call->num_recv_counts);
}

/* ---- a record ---- */

/* Seconds of 16 bits begin anew every 18 hours. */
static bool instant(dumpi_reading *in, uint64_t seconds, uint32_t ns, uint64_t offset,
                    uint64_t *turn, uint64_t *last, sim_time *out)
{
    if (seconds + TURN_S / 2 < *last) {
        *turn += TURN_S;
    }
    *last = seconds;
    const uint64_t all = offset + *turn + seconds;
    if (all > MOST_S) {
        return sched_dumpi_fail(&in->rank->stream, "longer than 26 days after the first rank:",
                                (int64_t)MIN(all, (uint64_t)INT64_MAX), in->error);
    }
    *out = (sim_time)all * SIM_S + (sim_time)ns * SIM_NS;
    return true;
}

static bool set_times(dumpi_reading *in, sched_call *call)
{
    dumpi_rank *rank = in->rank;
    const dumpi_record *r = in->r;
    sim_time wall[2] = {0, 0};
    sim_time cpu[2] = {-1, -1};
    if (!r->has_wall) {
        return sched_dumpi_fail(&rank->stream, "no wall-clock time in record", rank->stream.record,
                                in->error);
    }
    for (int i = 0; i < 2; i++) {
        if (!instant(in, r->wall_s[i], r->wall_ns[i], rank->offset_s, &rank->wall_turn,
                     &rank->last_wall_s, &wall[i]) ||
            (r->has_cpu && !instant(in, r->cpu_s[i], r->cpu_ns[i], 0, &rank->cpu_turn,
                                    &rank->last_cpu_s, &cpu[i]))) {
            return false;
        }
    }
    rank->set_back += wall[0] < rank->last || wall[1] < wall[0];
    call->enter = MAX(wall[0], rank->last);
    call->leave = MAX(wall[1], call->enter);
    rank->last = call->leave;
    if (r->has_cpu) {
        call->cpu = rank->last_cpu >= 0 && cpu[0] >= rank->last_cpu ? cpu[0] - rank->last_cpu : -1;
        call->cpu_inside = cpu[1] >= cpu[0] ? cpu[1] - cpu[0] : -1;
    }
    rank->last_cpu = cpu[1];
    return true;
}

static bool fill(dumpi_reading *in, sched_call *call)
{
    const dumpi_function *f = in->r->function;
    const bool has_comm = call->kind != SCHED_CALL_OTHER && strchr(f->args, 'c') != NULL;
    if (has_comm && !find_comm(in, in->r->comm, &call->comm)) {
        return false;
    }
    switch ((sched_call_kind)call->kind) {
    case SCHED_CALL_SEND:
        return fill_send(in, call);
    case SCHED_CALL_RECV:
        return fill_receive(in, call);
    case SCHED_CALL_SENDRECV:
        return fill_both(in, call);
    case SCHED_CALL_ISEND:
    case SCHED_CALL_SEND_INIT:
        sched_dumpi_request_post(in, call, call->kind == SCHED_CALL_SEND_INIT);
        return fill_send(in, call);
    case SCHED_CALL_IRECV:
    case SCHED_CALL_RECV_INIT:
        sched_dumpi_request_post(in, call, call->kind == SCHED_CALL_RECV_INIT);
        return fill_receive(in, call);
    case SCHED_CALL_START:
        sched_dumpi_requests_start(in);
        return true;
    case SCHED_CALL_COMPLETE:
        return sched_dumpi_requests_complete(in, false);
    case SCHED_CALL_COLLECTIVE:
        return fill_collective(in, call);
    default:
        return true;
    }
}

/* What else the call does, to what is known of the rank. */
static bool act(const dumpi_reading *in)
{
    const dumpi_record *r = in->r;
    switch ((dumpi_action)r->function->action) {
    case DUMPI_TYPE:
        sched_dumpi_type_make(in->rank, r);
        return true;
    case DUMPI_TYPE_OF:
        sched_dumpi_type_make_of_blocks(in->rank, r);
        return true;
    case DUMPI_CANCEL:
        sched_dumpi_request_mark(in);
        return true;
    case DUMPI_FORGET:
        (void)g_hash_table_remove(in->rank->requests, GUINT_TO_POINTER(r->request));
        return true;
    case DUMPI_COMM_FREE:
        (void)g_hash_table_remove(in->rank->comm_of, GUINT_TO_POINTER(r->comm));
        return true;
    case DUMPI_COMM_DUP:
    case DUMPI_COMM_SPLIT:
    case DUMPI_COMM_CART:
    case DUMPI_COMM_SUB:
    case DUMPI_COMM_OTHER:
        return make_comm(in);
    default:
        return true;
    }
}

bool sched_dumpi_rank_read(dumpi_rank *rank, sched_trace *trace, sched_rank *out, GError **error)
{
    bool is_end = false;
    while (!out->complete) {
        dumpi_record record;
        if (!sched_dumpi_record_read(&rank->stream, &record, &is_end, error)) {
            return false;
        }
        if (is_end) {
            break;
        }
        if (rank->thread >= 0 && record.thread != rank->thread) {
            return sched_dumpi_fail(&rank->stream,
                                    "calls of another thread are not read:", record.thread, error);
        }
        rank->thread = record.thread;
        dumpi_reading in = {rank, out, &record, sched_rank_append(out), error};
        in.call->kind = record.function->kind;
        in.call->name = sched_trace_name(trace, record.function->name);
        in.call->line = rank->stream.record;
        if (!set_times(&in, in.call) ||
            (record.function->kind == SCHED_CALL_COMPLETE &&
             !sched_dumpi_requests_cancel(&in, in.call->name)) ||
            !fill(&in, in.call) || !act(&in)) {
            return false;
        }
        out->complete = record.function->kind == SCHED_CALL_FINALIZE;
    }
    return true;
}
