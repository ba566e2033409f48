/* schedgen/liballprof/liballprof_request.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_liballprof. */
#include "liballprof/liballprof_private.h"

/*
 * The format names a request by the address of the program's variable. A request lives from its
 * post to the wait that names its variable. Where a call may or may not complete it (wait-any and
 * test calls), it counts as complete at the last such call before its variable is used again: by
 * then it was, or the program would have lost it. A request that no call names is waited for by
 * none, and the conversion says so.
 */

static void list(sched_lap_file *file, uint64_t call, uint64_t request)
{
    const sched_lap_listed entry = {call, request, file->listed->len};
    g_array_append_val(file->listed, entry);
}

/* The variable of a pending request is used anew, or the program ends. */
static void complete_late(sched_lap_file *file, sched_lap_request *request)
{
    if (request->last_any >= 0) {
        list(file, (uint64_t)request->last_any, request->number);
        file->unsure.any++;
    }
    request->active = false;
    request->last_any = -1;
}

void sched_lap_requests_post(sched_lap_file *file, uint64_t address, uint64_t number,
                             bool persistent)
{
    sched_lap_request *request = g_hash_table_lookup(file->requests, &address);
    if (request == NULL) {
        request = g_new0(sched_lap_request, 1);
        request->address = address;
        g_hash_table_insert(file->requests, &request->address, request);
        file->odd = file->odd || address % 8 != 0;
    } else if (request->active) {
        complete_late(file, request);
    }
    request->number = number;
    request->last_any = -1;
    request->persistent = persistent;
    request->active = !persistent;
}

static void apply_one(sched_lap_file *file, const sched_lap_line *line, uint64_t call,
                      sched_lap_request *request)
{
    if (line->layout->kind == SCHED_CALL_START) {
        if (!request->persistent) {
            file->unsure.bad_start++;
            return;
        }
        if (request->active) {
            complete_late(file, request);
        }
        request->active = true;
        list(file, call, request->number);
    } else if (line->layout->action == LAP_FREE_REQ) {
        if (request->active) {
            complete_late(file, request);
        }
        request->persistent = false;
    } else if (request->active && line->layout->action == LAP_ANY) {
        request->last_any = (int64_t)call;
    } else if (request->active) { /* wait, cancel */
        list(file, call, request->number);
        request->active = line->layout->kind == SCHED_CALL_CANCEL;
        request->last_any = -1;
    }
}

static int by_address(const void *a, const void *b)
{
    const sched_lap_request *const *x = a;
    const sched_lap_request *const *y = b;
    return ((*x)->address > (*y)->address) - ((*x)->address < (*y)->address);
}

/* The known requests in an array of @p n variables of @p stride bytes, by address. */
static GPtrArray *covered(const sched_lap_file *file, uint64_t base, uint64_t n, uint64_t stride)
{
    GPtrArray *found = g_ptr_array_new();
    if (n <= g_hash_table_size(file->requests)) {
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t address = base + i * stride;
            sched_lap_request *request = g_hash_table_lookup(file->requests, &address);
            if (request != NULL) {
                g_ptr_array_add(found, request);
            }
        }
        return found;
    }
    GHashTableIter iter;
    void *value;
    g_hash_table_iter_init(&iter, file->requests);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const uint64_t offset = ((sched_lap_request *)value)->address - base;
        if (offset % stride == 0 && offset / stride < n) {
            g_ptr_array_add(found, value);
        }
    }
    g_ptr_array_sort(found, by_address);
    return found;
}

static uint32_t num_pending(const GPtrArray *requests, bool persistent)
{
    uint32_t n = 0;
    for (guint i = 0; i < requests->len; i++) {
        const sched_lap_request *request = g_ptr_array_index(requests, i);
        n += persistent ? request->persistent : request->active;
    }
    return n;
}

void sched_lap_requests_apply(sched_lap_file *file, const sched_lap_line *line, uint64_t call)
{
    /* MPI_Request is a pointer in Open MPI's C binding, else an int. Both are tried: an array that
     * is waited for is full of pending requests, and the wrong stride misses some of them. */
    const uint64_t n = (uint64_t)line->num_requests;
    g_autoptr(GPtrArray) ints = covered(file, line->request, n, 4);
    g_autoptr(GPtrArray) pointers = covered(file, line->request, n, 8);
    const bool start = line->layout->kind == SCHED_CALL_START;
    const uint32_t four = num_pending(ints, start);
    const uint32_t eight = num_pending(pointers, start);
    const GPtrArray *requests = four > eight || (four == eight && file->odd) ? ints : pointers;
    for (guint i = 0; i < requests->len; i++) {
        apply_one(file, line, call, g_ptr_array_index(requests, i));
    }
    if (start && n > requests->len) {
        file->unsure.bad_start += n - requests->len;
    }
}

static int by_call(const void *a, const void *b)
{
    const sched_lap_listed *x = a;
    const sched_lap_listed *y = b;
    if (x->call != y->call) {
        return x->call < y->call ? -1 : 1;
    }
    return (x->order > y->order) - (x->order < y->order);
}

/* Mostly they are: only what completes late is listed out of order. */
static bool is_in_order(const GArray *listed)
{
    for (guint i = 1; i < listed->len; i++) {
        if (by_call(&g_array_index(listed, sched_lap_listed, i - 1),
                    &g_array_index(listed, sched_lap_listed, i)) > 0) {
            return false;
        }
    }
    return true;
}

static int by_number(const void *a, const void *b)
{
    const sched_lap_request *const *x = a;
    const sched_lap_request *const *y = b;
    return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

void sched_lap_requests_finish(sched_lap_file *file)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    GHashTableIter iter;
    void *value;
    g_hash_table_iter_init(&iter, file->requests);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        g_ptr_array_add(all, value);
    }
    g_ptr_array_sort(all, by_number); /* a hash table's order is nobody's */
    for (guint i = 0; i < all->len; i++) {
        sched_lap_request *request = g_ptr_array_index(all, i);
        if (request->active) {
            complete_late(file, request);
        }
    }
    if (!is_in_order(file->listed)) {
        g_array_sort(file->listed, by_call);
    }
    for (guint i = 0; i < file->listed->len; i++) {
        const sched_lap_listed *entry = &g_array_index(file->listed, sched_lap_listed, i);
        sched_call *call = &file->rank.calls[entry->call];
        const uint64_t at = sched_rank_add_request(&file->rank, entry->request);
        if (call->num_list++ == 0) {
            call->list = at;
        }
    }
}
