/* apps/tracer/calls/completion.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The wait and test families, cancelling and freeing. MPI overwrites the handles of requests that
 * are complete, so they are kept from before the call; ours are looked up only for those that
 * completed.
 */
#include "calls/completion.h"

#include "calls/entry.h"
#include "record/record.h"

#include <stdlib.h>
#include <string.h>

/* Per thread: kept handles, and statuses where the program wants none. */
static _Thread_local struct {
    uint64_t *handles;
    MPI_Status *statuses;
    int room;
} scratch;

static void keep_handles(int n, const MPI_Request *requests)
{
    if (n > scratch.room) {
        free(scratch.handles);
        free(scratch.statuses);
        scratch.room = n > 64 ? n : 64;
        scratch.handles = tracer_calloc((size_t)scratch.room, sizeof *scratch.handles);
        scratch.statuses = tracer_calloc((size_t)scratch.room, sizeof *scratch.statuses);
    }
    for (int i = 0; i < n; i++) {
        scratch.handles[i] = tracer_request_bits(requests[i]);
    }
}

/* A communicator that was made without waiting is there now: its id has been on the way. */
static void comm_completed(tracer_request *r)
{
    PMPI_Wait(&r->id_sent, MPI_STATUS_IGNORE);
    tracer_comm_add(*r->new_comm, r->new_id);
}

static void complete(tracer_request *r, const MPI_Status *status)
{
    if (r->kind == REQUEST_COMM) {
        comm_completed(r);
    } else {
        if (r->cancelled) {
            int really = 0;
            PMPI_Test_cancelled(status, &really);
            r->cancelled = really != 0;
        }
        tracer_put_complete(r, status);
    }
    tracer_request_finish(r);
}

static void completed(uint64_t handle, const MPI_Status *status)
{
    tracer_request *r = tracer_request_find(handle);
    if (r != NULL && r->active) { /* else MPI_REQUEST_NULL, or of a call that is not converted */
        complete(r, status);
    }
}

/* Did a completion of several fail for some? Then those whose handle is gone have completed. */
static bool gone(int rc, MPI_Request request)
{
    return rc == MPI_SUCCESS || request == MPI_REQUEST_NULL;
}

static int all_completed(tracer_call *c, tracer_region region, int rc, int n,
                         const MPI_Request *requests, const MPI_Status *statuses)
{
    tracer_leave(c);
    tracer_open(c, region);
    for (int i = 0; i < n; i++) {
        if (gone(rc, requests[i])) {
            completed(scratch.handles[i], &statuses[i]);
        }
    }
    tracer_close();
    return rc;
}

static int some_completed(tracer_call *c, tracer_region region, int rc, int n, const int *indices,
                          const MPI_Status *statuses)
{
    tracer_leave(c);
    tracer_open(c, region);
    for (int i = 0; rc == MPI_SUCCESS && n != MPI_UNDEFINED && i < n; i++) {
        completed(scratch.handles[indices[i]], &statuses[i]);
    }
    tracer_close();
    return rc;
}

static int not_completed(tracer_call *c, tracer_region region, int rc)
{
    tracer_leave(c);
    tracer_poll(c, region);
    return rc;
}

TRACER_WRAP(Wait, (MPI_Request * request, MPI_Status *status), (request, status))
{
    tracer_call c;
    tracer_enter(&c);
    keep_handles(1, request);
    MPI_Status *s = status != MPI_STATUS_IGNORE ? status : scratch.statuses;
    const int rc = real_Wait()(request, s);
    return all_completed(&c, REGION_Wait, rc, 1, request, s);
}

TRACER_WRAP(Waitall, (int n, MPI_Request *requests, MPI_Status *statuses), (n, requests, statuses))
{
    tracer_call c;
    tracer_enter(&c);
    keep_handles(n, requests);
    MPI_Status *s = statuses != MPI_STATUSES_IGNORE ? statuses : scratch.statuses;
    const int rc = real_Waitall()(n, requests, s);
    return all_completed(&c, REGION_Waitall, rc, n, requests, s);
}

TRACER_WRAP(Waitany, (int n, MPI_Request *requests, int *index, MPI_Status *status),
            (n, requests, index, status))
{
    tracer_call c;
    tracer_enter(&c);
    keep_handles(n, requests);
    MPI_Status *s = status != MPI_STATUS_IGNORE ? status : scratch.statuses;
    const int rc = real_Waitany()(n, requests, index, s);
    return some_completed(&c, REGION_Waitany, rc, *index == MPI_UNDEFINED ? 0 : 1, index, s);
}

TRACER_WRAP(Waitsome, (int n, MPI_Request *requests, int *num, int *indices, MPI_Status *statuses),
            (n, requests, num, indices, statuses))
{
    tracer_call c;
    tracer_enter(&c);
    keep_handles(n, requests);
    MPI_Status *s = statuses != MPI_STATUSES_IGNORE ? statuses : scratch.statuses;
    const int rc = real_Waitsome()(n, requests, num, indices, s);
    return some_completed(&c, REGION_Waitsome, rc, *num, indices, s);
}

TRACER_WRAP(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status))
{
    tracer_call c;
    tracer_enter(&c);
    keep_handles(1, request);
    MPI_Status *s = status != MPI_STATUS_IGNORE ? status : scratch.statuses;
    const int rc = real_Test()(request, flag, s);
    return rc == MPI_SUCCESS && !*flag ? not_completed(&c, REGION_Test, rc)
                                       : all_completed(&c, REGION_Test, rc, 1, request, s);
}

TRACER_WRAP(Testall, (int n, MPI_Request *requests, int *flag, MPI_Status *statuses),
            (n, requests, flag, statuses))
{
    tracer_call c;
    tracer_enter(&c);
    keep_handles(n, requests);
    MPI_Status *s = statuses != MPI_STATUSES_IGNORE ? statuses : scratch.statuses;
    const int rc = real_Testall()(n, requests, flag, s);
    return rc == MPI_SUCCESS && !*flag ? not_completed(&c, REGION_Testall, rc)
                                       : all_completed(&c, REGION_Testall, rc, n, requests, s);
}

TRACER_WRAP(Testany, (int n, MPI_Request *requests, int *index, int *flag, MPI_Status *status),
            (n, requests, index, flag, status))
{
    tracer_call c;
    tracer_enter(&c);
    keep_handles(n, requests);
    MPI_Status *s = status != MPI_STATUS_IGNORE ? status : scratch.statuses;
    const int rc = real_Testany()(n, requests, index, flag, s);
    const bool one = *flag && *index != MPI_UNDEFINED;
    return rc == MPI_SUCCESS && !*flag
               ? not_completed(&c, REGION_Testany, rc)
               : some_completed(&c, REGION_Testany, rc, one ? 1 : 0, index, s);
}

TRACER_WRAP(Testsome, (int n, MPI_Request *requests, int *num, int *indices, MPI_Status *statuses),
            (n, requests, num, indices, statuses))
{
    tracer_call c;
    tracer_enter(&c);
    keep_handles(n, requests);
    MPI_Status *s = statuses != MPI_STATUSES_IGNORE ? statuses : scratch.statuses;
    const int rc = real_Testsome()(n, requests, num, indices, s);
    return rc == MPI_SUCCESS && *num == 0
               ? not_completed(&c, REGION_Testsome, rc)
               : some_completed(&c, REGION_Testsome, rc, *num, indices, s);
}

/* Whether it succeeds is known when the request completes. */
TRACER_WRAP(Cancel, (MPI_Request * request), (request))
{
    tracer_call c;
    tracer_enter(&c);
    keep_handles(1, request);
    const int rc = real_Cancel()(request);
    tracer_leave(&c);
    tracer_request *r = tracer_request_find(scratch.handles[0]);
    if (r != NULL && rc == MPI_SUCCESS) {
        r->cancelled = true;
    }
    tracer_plain(&c, REGION_Cancel);
    return rc;
}

static void cancelled_and_left(tracer_request *r)
{
    if (r->active && r->cancelled) {
        MPI_Request request;
        MPI_Status status;
        int done = 0;
        memcpy(&request, &r->handle,
               sizeof request); // NOLINT(bugprone-sizeof-expression): a handle
        if (PMPI_Request_get_status(request, &done, &status) == MPI_SUCCESS && done) {
            complete(r, &status);
        }
    }
}

void tracer_complete_cancelled(void)
{
    tracer_request_each(cancelled_and_left);
}

/* A freed request completes unseen. One that was cancelled before may never have been a message. */
TRACER_WRAP(Request_free, (MPI_Request * request), (request))
{
    tracer_call c;
    tracer_enter(&c);
    keep_handles(1, request);
    int done = 0;
    int cancelled = 0;
    MPI_Status status;
    if (*request != MPI_REQUEST_NULL &&
        PMPI_Request_get_status(*request, &done, &status) == MPI_SUCCESS && done) {
        PMPI_Test_cancelled(&status, &cancelled);
    }
    const int rc = real_Request_free()(request);
    tracer_leave(&c);
    tracer_open(&c, REGION_Request_free);
    tracer_request *r = tracer_request_find(scratch.handles[0]);
    if (r != NULL) {
        if (r->active && r->cancelled && cancelled) {
            tracer_put_complete(r, &status);
        }
        tracer_request_drop(r);
    }
    tracer_close();
    return rc;
}
