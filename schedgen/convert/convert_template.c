/* schedgen/convert/convert_template.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert, test_convert_copies. */
#include "convert/convert_filler.h"
#include "convert/convert_resample.h"

#include <assert.h>
#include <string.h>

/* ---- computation -------------------------------------------------------------------------- */

/* The stretch between the call before and this one, as the CPU saw it. */
static void pass_time(conv_filler *f, const sched_call *call)
{
    const sim_time wall = call->enter - f->previous;
    f->cpu = conv_add_times(f->cpu, call->cpu >= 0 ? call->cpu : wall);
    f->previous = call->leave;
}

/* What was computed from the last converted call to @p until becomes a calc. */
static void compute(conv_filler *f, sim_time until)
{
    const bool cpu = f->context->options->compute == SCHED_COMPUTE_CPU;
    sim_time gap = cpu ? f->cpu : until - f->last_leave;
    if (gap < 0) {
        conv_notice(f, 1,
                    "calls that start before the one before ends: no computation between them");
        gap = 0;
    }
    gap = MIN(gap, SIM_TIME_MAX); /* instants may be twice as far apart: no run gets that far */
    sched_convert_warmth_pass(&f->warmth, gap);
    if (gap > 0) {
        const conv_step step = {.type = CONV_CALC, .size = gap, .slot = CONV_NONE, .call = f->call};
        g_array_append_val(f->out->steps, step);
        f->context->report->compute = conv_add_times(f->context->report->compute, gap);
    }
    f->cpu = 0;
}

/* ---- point-to-point ------------------------------------------------------------------------ */

/* A rank of the communicator in the world. Wildcards stay. */
static bool translate(const conv_filler *f, const sched_call *call, uint32_t peer, uint32_t *world,
                      GError **error)
{
    const sched_comm *comm = &f->context->trace->comms[call->comm];
    if (peer == SCHED_ANY) {
        *world = SIM_ANY;
        return true;
    }
    if (peer >= comm->size) {
        return conv_refuse(f, call, SCHED_ERROR_BAD_FILE, error, "no such rank in the communicator",
                           peer);
    }
    *world = comm->members[peer];
    return true;
}

/* With SCHED_WILDCARD_RECORDED: what came instead of what was asked for. */
static void resolve_wildcard(const conv_filler *f, const sched_call *call, uint32_t *peer,
                             uint32_t *tag)
{
    bool kept = false;
    if (*peer != SCHED_ANY && *tag != SCHED_ANY) {
        return;
    }
    if (!sched_convert_is_wild(f->context, call, &kept)) {
        *peer = call->matched_peer;
        *tag = call->matched_tag;
    } else if (kept) {
        conv_notice(f, 1, "wildcard receives for which the record does not say what came: kept");
    }
}

static bool add_message(conv_filler *f, const sched_call *call, conv_step step, bool is_recv,
                        uint32_t peer, GError **error)
{
    if (is_recv) {
        resolve_wildcard(f, call, &peer, &step.tag);
        step.size = sched_convert_room(f->context, f->rank, call);
    }
    if (!translate(f, call, peer, &step.peer, error)) {
        return false;
    }
    if (step.size < 0) {
        return conv_refuse(f, call, SCHED_ERROR_BAD_FILE, error, "bytes below zero, less",
                           (uint64_t)-step.size);
    }
    step.comm = conv_messages_of(call->comm);
    step.call = f->call;
    f->context->report->p2p += !is_recv;
    g_array_append_val(f->out->steps, step);
    if (f->context->tally != NULL) {
        sched_convert_tally_add(f->context->tally, &step, is_recv, f->rank);
    } else if (f->context->match != NULL) {
        sched_convert_match_add(f->context->match, &step, is_recv, f->rank, call, f->messages);
    }
    f->messages++;
    return true;
}

static bool add_sendrecv(conv_filler *f, const sched_call *call, GError **error)
{
    const bool sends = call->peer != SCHED_PROC_NULL;
    const conv_step send = {
        .type = CONV_SEND, .size = call->bytes, .tag = call->tag, .slot = CONV_NONE};
    const conv_step recv = {.type = sends ? CONV_EXCHANGE : CONV_RECV,
                            .size = call->recv_bytes,
                            .tag = call->recv_tag,
                            .slot = CONV_NONE};
    return (!sends || add_message(f, call, send, false, call->peer, error)) &&
           (call->recv_peer == SCHED_PROC_NULL ||
            add_message(f, call, recv, true, call->recv_peer, error));
}

static bool is_send(const sched_call *call)
{
    return call->kind == SCHED_CALL_SEND || call->kind == SCHED_CALL_ISEND ||
           call->kind == SCHED_CALL_SEND_INIT;
}

/* Nothing is pending behind the request any more. */
static void settle(conv_filler *f, conv_request *request)
{
    f->pending -= request->pending;
    request->pending = false;
    request->slot = CONV_NONE;
}

/* The request is posted anew, or the record ends. */
static void lose(conv_filler *f, const conv_request *request)
{
    if (request->pending) {
        f->lost++;
        sched_convert_lonely_note(f->context->lonely, f->rank, request->message);
    }
}

/* The next message finds no partner: go on without it. */
static bool is_lonely(conv_filler *f)
{
    const bool lonely = sched_convert_is_lonely(f->context->lonely, f->rank, f->messages);
    f->messages += lonely;
    return lonely;
}

/* Start what @p request stands for. */
static bool post(conv_filler *f, conv_request *request, GError **error)
{
    const uint64_t ordinal = f->posts++;
    lose(f, request);
    settle(f, request);
    if (!request->converted) {
        return true;
    }
    const sched_call *call = &request->post;
    const bool never =
        f->cancelled != NULL && g_hash_table_contains(f->cancelled, GSIZE_TO_POINTER(ordinal + 1));
    if (never || call->peer == SCHED_PROC_NULL || is_lonely(f)) {
        return true;
    }
    request->message = f->messages;
    request->slot = f->out->num_slots++;
    request->pending = true;
    f->pending++;
    const conv_step step = {.type = is_send(call) ? CONV_ISEND : CONV_IRECV,
                            .size = call->bytes,
                            .tag = call->tag,
                            .slot = request->slot};
    return add_message(f, call, step, !is_send(call), call->peer, error);
}

static conv_request *define_request(conv_filler *f, const sched_call *call, bool converted)
{
    conv_request *request = sched_by_number_find(&f->requests, call->request);
    if (request == NULL) {
        request = f->vacant != NULL ? f->vacant : g_new(conv_request, 1);
        f->vacant = f->vacant != NULL ? f->vacant->next : NULL;
        *request = (conv_request){.number = call->request, .slot = CONV_NONE};
        sched_by_number_put(&f->requests, call->request, request);
    }
    lose(f, request);
    settle(f, request);
    request->post = *call;
    request->converted = converted;
    return request;
}

static bool start(conv_filler *f, const sched_call *call, GError **error)
{
    for (uint32_t i = 0; i < call->num_list; i++) {
        const uint64_t *number = &f->walk.requests[call->list + i];
        conv_request *request = sched_by_number_find(&f->requests, *number);
        if (request == NULL) {
            return conv_refuse(f, call, SCHED_ERROR_BAD_FILE, error, "no such persistent request",
                               *number);
        }
        if (!post(f, request, error)) {
            return false;
        }
    }
    return true;
}

/* ---- requests that are through -------------------------------------------------------------- */

/*
 * A request that is posted once and completed is forgotten, but for the fact that it was: readers
 * number requests from 0, so that takes a bit for each. Numbers beyond that are not forgotten.
 */
#define MOST_RETIRED ((uint64_t)1 << 28)

static bool is_retired(const conv_filler *f, uint64_t number)
{
    return number / 8 < f->retired->len && (f->retired->data[number / 8] >> number % 8 & 1) != 0;
}

static void retire(conv_filler *f, conv_request *request)
{
    const uint64_t number = request->number;
    const bool persistent =
        request->post.kind == SCHED_CALL_SEND_INIT || request->post.kind == SCHED_CALL_RECV_INIT;
    if (persistent || !request->converted || number >= MOST_RETIRED) {
        return;
    }
    const guint len = f->retired->len;
    if (number / 8 >= len) {
        g_byte_array_set_size(f->retired, (guint)(number / 8) + 1);
        memset(f->retired->data + len, 0, f->retired->len - len);
    }
    f->retired->data[number / 8] |= (guint8)(1U << number % 8);
    (void)sched_by_number_take(&f->requests, number);
    request->next = f->vacant;
    f->vacant = request;
}

/* Does the call wait for something that is converted, or for nothing at all? */
static bool completes_converted(const conv_filler *f, const sched_call *call)
{
    for (uint32_t i = 0; i < call->num_list; i++) {
        const uint64_t *number = &f->walk.requests[call->list + i];
        const conv_request *request = sched_by_number_find(&f->requests, *number);
        if (request != NULL ? request->converted : is_retired(f, *number)) {
            return true;
        }
    }
    return call->num_list == 0 && !f->context->options->no_p2p;
}

static void complete(conv_filler *f, const sched_call *call)
{
    for (uint32_t i = 0; i < call->num_list; i++) {
        const uint64_t *number = &f->walk.requests[call->list + i];
        conv_request *request = sched_by_number_find(&f->requests, *number);
        if (request == NULL) {
            if (!is_retired(f, *number)) {
                conv_notice(f, 1, "waits for a request that was never posted: left out");
            }
            continue;
        }
        if (request->slot != CONV_NONE) {
            const conv_step step = {.type = CONV_JOIN, .slot = request->slot, .call = f->call};
            g_array_append_val(f->out->steps, step);
            settle(f, request);
        }
        retire(f, request);
    }
}

static bool post_collective(conv_filler *f, conv_request *request, GError **error)
{
    request->slot = f->out->num_slots++;
    request->pending = true;
    f->pending++;
    return sched_convert_collective_add(f, &request->post, request->slot, error);
}

/* ---- the record ---------------------------------------------------------------------------- */

static bool convert_call(conv_filler *f, const sched_call *call, GError **error)
{
    conv_step step = {.size = call->bytes, .tag = call->tag, .slot = CONV_NONE};
    switch ((sched_call_kind)call->kind) {
    case SCHED_CALL_SEND:
        step.type = CONV_SEND;
        return call->peer == SCHED_PROC_NULL || is_lonely(f) ||
               add_message(f, call, step, false, call->peer, error);
    case SCHED_CALL_RECV:
        step.type = CONV_RECV;
        return call->peer == SCHED_PROC_NULL || add_message(f, call, step, true, call->peer, error);
    case SCHED_CALL_SENDRECV:
        return add_sendrecv(f, call, error);
    case SCHED_CALL_ISEND:
    case SCHED_CALL_IRECV:
        return post(f, define_request(f, call, true), error);
    case SCHED_CALL_SEND_INIT:
    case SCHED_CALL_RECV_INIT:
        (void)define_request(f, call, true);
        return true;
    case SCHED_CALL_START:
        return start(f, call, error);
    case SCHED_CALL_COMPLETE:
        complete(f, call);
        return true;
    case SCHED_CALL_COLLECTIVE:
        return sched_convert_collective_add(f, call, CONV_NONE, error);
    case SCHED_CALL_ICOLLECTIVE:
        return post_collective(f, define_request(f, call, true), error);
    default:
        return true;
    }
}

/* A call whose time counts as computation: say so where that is not what one would think. */
static bool leave_out(conv_filler *f, const sched_call *call, GError **error)
{
    const bool posts = call->kind == SCHED_CALL_ISEND || call->kind == SCHED_CALL_IRECV;
    if (posts || call->kind == SCHED_CALL_SEND_INIT || call->kind == SCHED_CALL_RECV_INIT ||
        call->kind == SCHED_CALL_ICOLLECTIVE) {
        conv_request *request = define_request(f, call, false);
        if (posts && !post(f, request, error)) {
            return false;
        }
    }
    if (call->kind == SCHED_CALL_START && !start(f, call, error)) {
        return false;
    }
    if (call->kind == SCHED_CALL_OTHER || f->context->trace->comms[call->comm].members == NULL) {
        sched_convert_left_out_add(f->context->left_out, call);
    }
    f->cpu = conv_add_times(f->cpu, call->leave - call->enter);
    return true;
}

static bool fill(conv_filler *f, GError **error)
{
    for (const sched_call *call; (call = sched_walk_next(&f->walk)) != NULL;) {
        f->call = (uint32_t)(f->walk.next - 1);
        if (f->call == 0) {
            f->previous = call->enter;
            f->last_leave = call->enter;
            f->begin = call->enter;
        }
        pass_time(f, call);
        const bool converted = call->kind == SCHED_CALL_COMPLETE
                                   ? completes_converted(f, call)
                                   : sched_convert_is_converted(f->context, call);
        if (call->kind == SCHED_CALL_INIT) {
            f->last_leave = call->leave;
            f->begin = call->leave;
            f->cpu = 0;
        } else if (call->kind == SCHED_CALL_FINALIZE) {
            compute(f, call->enter);
            sched_convert_left_out_pass(f->context->left_out, call->enter - f->begin);
            return true;
        } else if (!f->context->options->no_collectives &&
                   sched_convert_left_out_waits(f->context->left_out, call)) {
            f->last_leave += call->leave - call->enter; /* as if it had not been */
            sched_convert_left_out_add(f->context->left_out, call);
        } else if (!converted) {
            if (!leave_out(f, call, error)) {
                return false;
            }
        } else {
            compute(f, call->enter);
            conv_add_beside(f,
                            sched_convert_warmth_call(&f->warmth, call, f->context->options->cold));
            if (!convert_call(f, call, error)) {
                return false;
            }
            f->last_leave = call->leave;
            f->context->report->calls++;
            if (call->kind == SCHED_CALL_COMPLETE && call->num_list == 0) {
                sched_convert_left_out_add(f->context->left_out, call);
            }
            if (call->synchronous) {
                conv_notice(f, 1, "synchronous sends: taken as standard sends");
            }
        }
    }
    compute(f, f->previous);
    sched_convert_left_out_pass(f->context->left_out, f->previous - f->begin);
    return true;
}

conv_template sched_convert_template_new(void)
{
    return (conv_template){.steps = g_array_new(FALSE, FALSE, sizeof(conv_step)),
                           .colls = g_array_new(FALSE, FALSE, sizeof(conv_coll))};
}

void sched_convert_template_clear(conv_template *template)
{
    g_clear_pointer(&template->steps, g_array_unref);
    g_clear_pointer(&template->colls, g_array_unref);
}

bool sched_convert_template_fill(conv_template *template, const conv_context *context,
                                 uint32_t rank, GError **error)
{
    g_array_set_size(template->steps, 0);
    g_array_set_size(template->colls, 0);
    template->num_slots = 0;
    template->num_calls = context->trace->ranks[rank].num_calls;
    conv_filler f = {
        .context = context, .out = template, .record = &context->trace->ranks[rank], .rank = rank};
    sched_by_number_init(&f.requests);
    f.retired = g_byte_array_new();
    f.cancelled = sched_convert_cancelled_posts(f.record);
    sched_walk_begin(&f.walk, f.record);
    const bool ok = fill(&f, error) && sched_convert_collectives_finish(&f, error);
    if (ok && context->options->growth != NULL) {
        context->options->growth->methods->adapt(context->options->growth, rank, template);
    }
    if (ok && context->resample != NULL && !sched_convert_resample_is_finished(context->resample)) {
        sched_convert_resample_add(context->resample, rank, template, context->trace->comms);
    }
    for (uint32_t i = 0; i < f.requests.size; i++) {
        conv_request *request = f.requests.entry[i].thing;
        if (request != NULL) {
            lose(&f, request);
            g_free(request);
        }
    }
    if (f.lost > 0) {
        conv_notice(&f, f.lost,
                    "requests that no call waits for: they happen, and nothing follows");
    }
    sched_walk_end(&f.walk);
    sched_by_number_clear(&f.requests);
    g_byte_array_unref(f.retired);
    while (f.vacant != NULL) {
        conv_request *vacant = f.vacant;
        f.vacant = vacant->next;
        g_free(vacant);
    }
    g_clear_pointer(&f.cancelled, g_hash_table_unref);
    return ok;
}
