/* schedgen/dumpi/dumpi_request.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_dumpi, fuzz_dumpi. */
#include "dumpi/dumpi_private.h"

#include <string.h>

/* A request as the program holds it. */
typedef struct dumpi_request {
    uint64_t number; /* in the trace */
    uint64_t call;   /* that made it */
    bool is_persistent;
    bool is_active;
    bool may_be_cancelled; /* MPI_Cancel was called; else a status that says so was never written */
} dumpi_request;

void sched_dumpi_match(sched_call *receive, int64_t *bytes, uint32_t asked, uint32_t tag,
                       const dumpi_status *status)
{
    if (status->source < 0 || status->tag < 0 || status->is_cancelled ||
        (asked != SCHED_ANY && asked != (uint32_t)status->source) ||
        (tag != SCHED_ANY && tag != (uint32_t)status->tag)) {
        return; /* of a request that has none, nobody wrote one */
    }
    if (status->bytes >= 0 && status->bytes <= *bytes) {
        *bytes = status->bytes;
    }
    receive->matched_peer = (uint32_t)status->source;
    receive->matched_tag = (uint32_t)status->tag;
}

void sched_dumpi_request_post(const dumpi_reading *in, sched_call *call, bool is_persistent)
{
    dumpi_request *request = g_new(dumpi_request, 1);
    *request = (dumpi_request){.number = in->rank->next_request++,
                               .call = (uint64_t)(call - in->out->calls),
                               .is_persistent = is_persistent,
                               .is_active = !is_persistent};
    call->request = request->number;
    (void)g_hash_table_replace(in->rank->requests, GUINT_TO_POINTER(in->r->request), request);
}

static void list(const dumpi_reading *in, uint64_t number)
{
    sched_call *call = in->call;
    const uint64_t at = sched_rank_add_request(in->out, number);
    call->list = call->num_list == 0 ? at : call->list;
    call->num_list++;
}

static dumpi_request *request_at(const dumpi_reading *in, uint32_t i)
{
    const dumpi_list *requests = &in->r->requests;
    const uint32_t handle =
        requests->at != NULL ? (uint32_t)sched_dumpi_entry(requests, i) : in->r->request;
    return g_hash_table_lookup(in->rank->requests, GUINT_TO_POINTER(handle));
}

static uint32_t num_requests(const dumpi_reading *in)
{
    const bool has_list = strchr(in->r->function->args, 'Q') != NULL;
    return has_list ? in->r->requests.n : 1;
}

/* Request i of the record is complete; status @p k, if any, is its own. */
static bool complete(const dumpi_reading *in, int64_t i, uint32_t k, bool cancelled)
{
    if (i < 0 || i >= num_requests(in)) {
        return sched_dumpi_fail(&in->rank->stream, "no request in the list has the number", i,
                                in->error);
    }
    dumpi_request *request = request_at(in, (uint32_t)i);
    dumpi_status status;
    const bool has_status = sched_dumpi_status(in->r, k, &status);
    if (request == NULL || !request->is_active ||
        cancelled != (has_status && status.is_cancelled && request->may_be_cancelled)) {
        return true; /* there was none, or it is of the other kind */
    }
    sched_call *posted = &in->out->calls[request->call];
    if (has_status && posted->kind == SCHED_CALL_IRECV) {
        sched_dumpi_match(posted, &posted->bytes, posted->peer, posted->tag, &status);
    }
    list(in, request->number);
    request->is_active = false;
    request->may_be_cancelled = false;
    if (!request->is_persistent) {
        const dumpi_list *requests = &in->r->requests;
        const uint32_t handle = requests->at != NULL
                                    ? (uint32_t)sched_dumpi_entry(requests, (uint32_t)i)
                                    : in->r->request;
        (void)g_hash_table_remove(in->rank->requests, GUINT_TO_POINTER(handle));
    }
    return true;
}

bool sched_dumpi_requests_complete(const dumpi_reading *in, bool cancelled)
{
    const dumpi_record *r = in->r;
    bool ok = true;
    if (r->function->action == DUMPI_SOME) {
        for (uint32_t k = 0; ok && k < r->indices.n; k++) {
            ok = complete(in, sched_dumpi_entry(&r->indices, k), k, cancelled);
        }
        return ok;
    }
    if (r->flag == 0) {
        return true;
    }
    if (r->function->action == DUMPI_ANY) {
        return r->index < 0 || complete(in, r->index, 0, cancelled);
    }
    for (uint32_t i = 0; ok && i < num_requests(in); i++) {
        ok = complete(in, i, i, cancelled);
    }
    return ok;
}

void sched_dumpi_requests_start(const dumpi_reading *in)
{
    for (uint32_t i = 0; i < num_requests(in); i++) {
        dumpi_request *request = request_at(in, i);
        if (request != NULL && request->is_persistent && !request->is_active) {
            request->is_active = true;
            list(in, request->number);
        }
    }
}

void sched_dumpi_request_mark(const dumpi_reading *in)
{
    dumpi_request *request = request_at(in, 0);
    if (request != NULL) {
        request->may_be_cancelled = request->is_active;
        in->rank->has_cancelled = true;
    }
}

bool sched_dumpi_requests_cancel(dumpi_reading *in, uint32_t name)
{
    if (!in->rank->has_cancelled) {
        return true;
    }
    const sched_call wait = *in->call;
    *in->call = (sched_call){.enter = wait.enter,
                             .leave = wait.enter,
                             .cpu = wait.cpu,
                             .cpu_inside = wait.cpu_inside,
                             .room = -1,
                             .request = SCHED_NO_REQUEST,
                             .matched_peer = SCHED_UNKNOWN,
                             .matched_tag = SCHED_UNKNOWN,
                             .name = name,
                             .line = wait.line,
                             .kind = SCHED_CALL_CANCEL};
    if (!sched_dumpi_requests_complete(in, true)) {
        return false;
    }
    if (in->call->num_list == 0) { /* there was none */
        *in->call = wait;
        return true;
    }
    in->call = sched_rank_append(in->out);
    *in->call = wait;
    in->call->cpu = 0;
    in->call->cpu_inside = 0;
    return true;
}
