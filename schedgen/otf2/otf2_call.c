/* schedgen/otf2/otf2_call.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_otf2. */
#include "otf2/otf2_call.h"

static const char *name_of(const sched_otf2_rank *s)
{
    return sched_otf2_local_name_of(s->local, s->archive, s->call.region->name);
}

static void notice(sched_otf2_rank *s, const char *what)
{
    g_autofree char *text = g_strdup_printf("%s: %s", name_of(s), what);
    sched_notices_add(s->local->notices, 1, text);
}

static bool fail(sched_otf2_rank *s, const char *what, uint64_t value)
{
    if (s->error == NULL) {
        s->error = g_error_new(SCHED_ERROR, SCHED_ERROR_BAD_FILE,
                               "%s/%" G_GUINT64_FORMAT ".evt: event %" G_GUINT64_FORMAT
                               ": %s: %s %" G_GUINT64_FORMAT,
                               s->archive->folder, s->archive->location[s->number], s->events,
                               name_of(s), what, value);
    }
    return false;
}

/* ---- requests ---- */
static sched_otf2_request *request_add(sched_otf2_rank *s, uint64_t id, bool persistent)
{
    sched_otf2_request *r = sched_by_number_find(&s->requests, id);
    if (r == NULL) {
        r = s->spare != NULL ? s->spare : g_new0(sched_otf2_request, 1);
        s->spare = r->next;
        sched_by_number_put(&s->requests, id, r);
    }
    *r = (sched_otf2_request){.number = s->next_request++,
                              .call = s->taken + s->rank->num_calls - 1,
                              .persistent = persistent};
    return r;
}

/* ---- filling in ---- */
static uint32_t size_of(const sched_otf2_rank *s, uint32_t comm)
{
    return sched_otf2_local_comm_size(s->local, s->archive, comm);
}

static bool set_comm(sched_otf2_rank *s, sched_call *call, uint32_t ref)
{
    call->comm = sched_otf2_local_comm(s->local, s->archive, ref);
    return call->comm != SCHED_UNKNOWN || fail(s, "undefined communicator", ref);
}

static bool check_peer(sched_otf2_rank *s, uint32_t comm, uint32_t peer)
{
    return peer >= SCHED_UNKNOWN || peer < size_of(s, comm) ||
           fail(s, "no such rank in its communicator:", peer);
}

static bool set_send(sched_otf2_rank *s, sched_call *call, const sched_otf2_message *m)
{
    if (!m->there) {
        call->peer = SCHED_PROC_NULL;
        return true;
    }
    call->peer = m->peer;
    call->tag = m->tag;
    call->bytes = (int64_t)MIN(m->bytes, (uint64_t)INT64_MAX / 4);
    return set_comm(s, call, m->comm) && check_peer(s, call->comm, m->peer);
}

/* The bytes that were posted; -1: not said, or the buffer was made for the message that came. */
static int64_t room(const sched_otf2_rank *s)
{
    return s->call.has_recv_bytes && !s->call.region->probed
               ? (int64_t)MIN(s->call.recv_bytes, (uint64_t)INT64_MAX / 4)
               : -1;
}

/* What came; what was asked for is the same but for wildcards. */
static bool set_recv(sched_otf2_rank *s, sched_call *call, bool sendrecv)
{
    const sched_otf2_message *m = &s->call.recv;
    uint32_t *peer = sendrecv ? &call->recv_peer : &call->peer;
    uint32_t *tag = sendrecv ? &call->recv_tag : &call->tag;
    int64_t *bytes = sendrecv ? &call->recv_bytes : &call->bytes;
    if (!m->there) {
        *peer = SCHED_PROC_NULL;
        return true;
    }
    *bytes = (int64_t)MIN(m->bytes, (uint64_t)INT64_MAX / 4);
    call->room = room(s);
    *peer = s->call.source != SCHED_UNKNOWN ? s->call.source : m->peer;
    *tag = s->call.recv_tag != SCHED_UNKNOWN ? s->call.recv_tag : m->tag;
    call->matched_peer = m->peer;
    call->matched_tag = m->tag;
    return set_comm(s, call, m->comm) && check_peer(s, call->comm, m->peer);
}

static void take_counts(sched_otf2_rank *s, sched_call *call)
{
    const sched_otf2_call *c = &s->call;
    call->counts = s->rank->num_counts;
    call->num_send_counts = c->send_counts->len;
    call->num_recv_counts = c->recv_counts->len;
    for (guint i = 0; i < c->send_counts->len; i++) {
        (void)sched_rank_add_count(s->rank, g_array_index(c->send_counts, int64_t, i));
    }
    for (guint i = 0; i < c->recv_counts->len; i++) {
        (void)sched_rank_add_count(s->rank, g_array_index(c->recv_counts, int64_t, i));
    }
}

/* Of another tool: op, communicator, root and totals. */
static bool derive_collective(sched_otf2_rank *s, sched_call *call, const sched_otf2_done *done)
{
    coll_kind kind;
    if (!sched_otf2_collective_kind(done->op, &kind)) {
        call->kind = SCHED_CALL_OTHER; /* makes a communicator, a window or the like */
        return true;
    }
    if (!set_comm(s, call, done->comm)) {
        return false;
    }
    const sched_otf2_collective totals = {
        .kind = kind,
        .size = size_of(s, call->comm),
        .rank = sched_otf2_local_comm_rank(s->local, call->comm, s->number),
        .root = done->root,
        .sent = done->sent,
        .received = done->received};
    if (totals.rank == SCHED_UNKNOWN) {
        return fail(s, "the rank is not a member of communicator", done->comm);
    }
    call->collective = (uint8_t)kind;
    call->root = done->root < totals.size ? done->root : 0;
    bool equal = false;
    sched_otf2_collective_bytes(&totals, s->rank, call, &equal);
    if (equal) {
        notice(s, "only the total is recorded: equal parts are assumed");
    }
    return true;
}

/* Ours: the attributes and lists of the call itself. */
static bool set_collective(sched_otf2_rank *s, sched_call *call)
{
    call->collective = s->call.region->collective;
    call->bytes = (int64_t)MIN(s->call.bytes, (uint64_t)INT64_MAX / 4);
    call->in_place = s->call.in_place;
    take_counts(s, call);
    const uint32_t size = size_of(s, call->comm);
    if ((call->num_send_counts > 0 && call->num_send_counts != size) ||
        (call->num_recv_counts > 0 && call->num_recv_counts != size)) {
        return fail(s, "its counts are not one per rank; ranks:", size);
    }
    return call->root < size || fail(s, "no such root in its communicator:", call->root);
}

static bool blocking_collective(sched_otf2_rank *s, sched_call *call)
{
    const sched_otf2_done *done = &s->call.collective;
    if (!done->there) {
        call->kind = SCHED_CALL_OTHER;
        notice(s, "what it communicates is not recorded");
        return true;
    }
    if (!s->call.has_bytes) {
        return derive_collective(s, call, done);
    }
    call->root = done->root != OTF2_COLLECTIVE_ROOT_NONE ? done->root : 0;
    return set_comm(s, call, done->comm) && set_collective(s, call);
}

/* ---- one function for each way of posting ---- */
static bool post(sched_otf2_rank *s, sched_call *call, const sched_otf2_post *p)
{
    call->kind = p->kind;
    if (p->kind == SCHED_CALL_ISEND) {
        if (!set_send(s, call, &p->message)) {
            return false;
        }
    } else if (s->call.comm == OTF2_UNDEFINED_COMM) { /* another tool's: known later */
        call->peer = SCHED_UNKNOWN;
        call->comm = SCHED_UNKNOWN;
    } else if (!set_comm(s, call, s->call.comm)) {
        return false;
    } else if (p->kind == SCHED_CALL_IRECV) {
        call->peer = s->call.source;
        call->tag = s->call.recv_tag;
        call->bytes = (int64_t)MIN(s->call.recv_bytes, (uint64_t)INT64_MAX / 4);
        call->room = room(s);
        if (!check_peer(s, call->comm, call->peer)) {
            return false;
        }
    } else {
        call->root = s->call.root != SCHED_UNKNOWN ? s->call.root : 0;
        if (!set_collective(s, call)) {
            return false;
        }
    }
    call->request = request_add(s, p->request, false)->number;
    return true;
}

static bool nonblocking(sched_otf2_rank *s, sched_call *call)
{
    if (s->call.posts.num > 0) {
        return post(s, call, &s->call.posts.at[0]);
    }
    if (s->call.has_request) { /* for MPI_PROC_NULL */
        call->peer = SCHED_PROC_NULL;
        call->request = request_add(s, s->call.request, false)->number;
        return true;
    }
    call->kind = s->archive->ripple ? SCHED_CALL_OTHER : SCHED_CALL_COMPLETE; /* MPI_PROC_NULL */
    if (s->archive->ripple) {
        notice(s, "what it communicates is not recorded");
    }
    return true;
}

static bool define_persistent(sched_otf2_rank *s, sched_call *call)
{
    const sched_otf2_call *c = &s->call;
    if (!c->has_request) { /* another tool's: its starts are posts */
        call->kind = SCHED_CALL_OTHER;
        return true;
    }
    const bool send = call->kind == SCHED_CALL_SEND_INIT;
    call->peer = send ? c->peer : c->source;
    call->tag = send ? c->tag : c->recv_tag;
    call->bytes = (int64_t)MIN(send ? c->bytes : c->recv_bytes, (uint64_t)INT64_MAX / 4);
    call->room = send ? -1 : room(s);
    call->request = request_add(s, c->request, true)->number;
    return set_comm(s, call, c->comm) && check_peer(s, call->comm, call->peer);
}

/* Ours start what was defined; the starts of other tools are posts of their own. */
static bool start(sched_otf2_rank *s, sched_call *call)
{
    const sched_otf2_posts *posts = &s->call.posts;
    const sched_call like = *call;
    const uint64_t place = s->rank->num_calls - 1;
    bool first = true;
    call->list = s->rank->num_requests;
    for (uint32_t i = 0; i < posts->num; i++) {
        const sched_otf2_post *p = &posts->at[i];
        const sched_otf2_request *r = sched_by_number_find(&s->requests, p->request);
        if (r != NULL && r->persistent) {
            (void)sched_rank_add_request(s->rank, r->number);
            s->rank->calls[place].num_list++;
        } else if (p->kind == SCHED_CALL_START) {
            return fail(s, "starts undefined request", p->request);
        } else {
            sched_call *c = first ? &s->rank->calls[place] : sched_rank_append(s->rank);
            const uint64_t list = c->list;
            if (!first) {
                *c = like;
                c->enter = like.leave;
                c->cpu = 0;
            }
            c->list = list;
            first = false;
            if (!post(s, c, p)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- completion ---- */
static bool complete_recv(sched_otf2_rank *s, sched_call *posted, const sched_otf2_message *m)
{
    if (posted->peer == SCHED_UNKNOWN) {
        posted->peer = m->peer;
        posted->tag = m->tag;
        if (!set_comm(s, posted, m->comm)) {
            return false;
        }
    }
    if (!check_peer(s, posted->comm, m->peer)) {
        return false;
    }
    posted->matched_peer = m->peer;
    posted->matched_tag = m->tag;
    if (posted->kind == SCHED_CALL_IRECV) {
        posted->bytes = (int64_t)MIN(m->bytes, (uint64_t)INT64_MAX / 4);
    }
    return true;
}

static bool complete_one(sched_otf2_rank *s, const sched_otf2_completion *done, uint64_t *number,
                         bool *known)
{
    const sched_otf2_request *r = sched_by_number_find(&s->requests, done->request);
    *known = r != NULL;
    if (r == NULL) {
        notice(s, "completes a request that was never posted");
        return true;
    }
    sched_call *posted = &s->rank->calls[r->call - s->taken];
    *number = r->number;
    const bool is_recv = posted->kind == SCHED_CALL_IRECV || posted->kind == SCHED_CALL_RECV_INIT;
    bool ok = true;
    if (done->message.there && is_recv) {
        ok = complete_recv(s, posted, &done->message);
    } else if (done->collective.there && posted->kind == SCHED_CALL_ICOLLECTIVE &&
               posted->comm == SCHED_UNKNOWN) {
        ok = derive_collective(s, posted, &done->collective);
    }
    if (!r->persistent) {
        sched_otf2_request *spare = sched_by_number_take(&s->requests, done->request);
        spare->next = s->spare;
        s->spare = spare;
    }
    return ok;
}

/* List the completions that were, or were not, cancellations. */
static bool list_completions(sched_otf2_rank *s, uint64_t place, bool cancelled)
{
    const sched_otf2_completions *all = &s->call.completions;
    s->rank->calls[place].list = s->rank->num_requests;
    for (uint32_t i = 0; i < all->num; i++) {
        const sched_otf2_completion *done = &all->at[i];
        uint64_t number = 0;
        bool known = false;
        if (done->cancelled == cancelled) {
            if (!complete_one(s, done, &number, &known)) {
                return false;
            }
            if (known) {
                (void)sched_rank_add_request(s->rank, number);
                s->rank->calls[place].num_list++;
            }
        }
    }
    return true;
}

/* A wait, or the end: first what was cancelled, as a call of its own that takes no time. */
static bool complete(sched_otf2_rank *s)
{
    const uint64_t place = s->rank->num_calls - 1;
    bool cancelled = false;
    const bool end = s->call.region->kind == SCHED_CALL_FINALIZE;
    bool completed = end || s->call.region->kind == SCHED_CALL_COMPLETE;
    for (uint32_t i = 0; i < s->call.completions.num; i++) {
        const bool c = s->call.completions.at[i].cancelled;
        cancelled |= c;
        completed |= !c;
    }
    if (!cancelled) {
        s->rank->calls[place].kind = end ? SCHED_CALL_FINALIZE : SCHED_CALL_COMPLETE;
        return list_completions(s, place, false);
    }
    s->rank->calls[place].kind = SCHED_CALL_CANCEL;
    if (!list_completions(s, place, true) || !completed) {
        return s->error == NULL;
    }
    const sched_call like = s->rank->calls[place];
    s->rank->calls[place].leave = like.enter;
    sched_call *c = sched_rank_append(s->rank);
    c->enter = like.enter;
    c->leave = like.leave;
    c->cpu = 0;
    c->name = like.name;
    c->line = like.line;
    c->kind = end ? SCHED_CALL_FINALIZE : SCHED_CALL_COMPLETE;
    return list_completions(s, place + 1, false);
}

static bool fill(sched_otf2_rank *s, sched_call *call)
{
    const sched_otf2_call *c = &s->call;
    const bool silent = !c->send.there && !c->recv.there && c->peer != SCHED_PROC_NULL &&
                        c->source != SCHED_PROC_NULL;
    switch (call->kind) {
    case SCHED_CALL_SEND:
    case SCHED_CALL_RECV:
    case SCHED_CALL_SENDRECV:
        if (silent && s->archive->ripple) { /* another tool's: MPI_PROC_NULL */
            call->kind = SCHED_CALL_OTHER;
            notice(s, "what it communicates is not recorded");
            return true;
        }
        return (call->kind == SCHED_CALL_RECV || set_send(s, call, &c->send)) &&
               (call->kind == SCHED_CALL_SEND ||
                set_recv(s, call, call->kind == SCHED_CALL_SENDRECV));
    case SCHED_CALL_ISEND:
    case SCHED_CALL_IRECV:
    case SCHED_CALL_ICOLLECTIVE:
        return nonblocking(s, call);
    case SCHED_CALL_SEND_INIT:
    case SCHED_CALL_RECV_INIT:
        return define_persistent(s, call);
    case SCHED_CALL_START:
        return start(s, call);
    case SCHED_CALL_COLLECTIVE:
        return blocking_collective(s, call);
    case SCHED_CALL_COMPLETE:
        return complete(s);
    case SCHED_CALL_FINALIZE:
        s->rank->complete = true;
        return c->completions.num == 0 || complete(s);
    default:
        return c->completions.num == 0 || complete(s);
    }
}

bool sched_otf2_call_end(sched_otf2_rank *s, sim_time leave)
{
    const sched_otf2_region *region = s->call.region;
    if (s->taken + s->rank->num_calls >= UINT32_MAX) {
        return fail(s, "more calls than can be counted:", s->taken + s->rank->num_calls);
    }
    sched_otf2_window_move(s);
    sched_call *call = sched_rank_append(s->rank);
    call->enter = s->call.enter;
    call->leave = MAX(leave, s->call.enter);
    call->cpu = s->call.cpu;
    call->cpu_inside = s->call.cpu_inside >= 0 || !s->call.all_cpu ? s->call.cpu_inside
                                                                   : call->leave - call->enter;
    call->name = region->name;
    call->line = (uint32_t)MIN(s->events, UINT32_MAX);
    call->kind = region->kind;
    call->synchronous = region->synchronous;
    return fill(s, call);
}
