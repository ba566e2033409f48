/* schedgen/model/trace.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sched/trace.h"

#include "model/packed_private.h"
#include "model/packer_private.h"

#include <string.h>

static void notice_clear(void *data)
{
    sched_notice *notice = data;
    g_free(notice->what);
}

GArray *sched_notices_new(void)
{
    GArray *notices = g_array_new(FALSE, FALSE, sizeof(sched_notice));
    g_array_set_clear_func(notices, notice_clear);
    return notices;
}

void sched_notices_add(GArray *notices, uint64_t n, const char *what)
{
    for (guint i = 0; i < notices->len; i++) {
        sched_notice *notice = &g_array_index(notices, sched_notice, i);
        if (g_str_equal(notice->what, what)) {
            notice->count += n;
            return;
        }
    }
    const sched_notice notice = {.what = g_strdup(what), .count = n};
    g_array_append_val(notices, notice);
}

sched_trace *sched_trace_new(const char *path, const char *format, uint32_t num_ranks)
{
    sched_trace *trace = g_new0(sched_trace, 1);
    trace->path = g_strdup(path);
    trace->format = g_strdup(format);
    trace->num_ranks = num_ranks;
    trace->ranks = g_new0(sched_rank, (gsize)num_ranks + 1);
    trace->names = g_ptr_array_new_with_free_func(g_free);
    trace->name_index = g_hash_table_new(g_str_hash, g_str_equal);
    trace->notices = sched_notices_new();
    uint32_t *world = g_new(uint32_t, (gsize)num_ranks + 1);
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        world[rank] = rank;
    }
    sched_trace_add_comm(trace, "MPI_COMM_WORLD", num_ranks, world);
    return trace;
}

void sched_trace_free(sched_trace *trace)
{
    if (trace == NULL) {
        return;
    }
    for (uint32_t i = 0; i < trace->num_ranks; i++) {
        sched_rank_clear(&trace->ranks[i]);
    }
    for (uint32_t i = 0; i < trace->num_comms; i++) {
        g_free(trace->comms[i].name);
        g_free(trace->comms[i].members);
    }
    g_free(trace->ranks);
    g_free(trace->comms);
    g_hash_table_unref(trace->name_index);
    g_ptr_array_unref(trace->names);
    g_array_unref(trace->notices);
    g_free(trace->path);
    g_free(trace->format);
    g_free(trace);
}

uint32_t sched_trace_name(sched_trace *trace, const char *name)
{
    void *found;
    if (g_hash_table_lookup_extended(trace->name_index, name, NULL, &found)) {
        return GPOINTER_TO_UINT(found);
    }
    char *copy = g_strdup(name);
    const uint32_t index = trace->names->len;
    g_ptr_array_add(trace->names, copy);
    g_hash_table_insert(trace->name_index, copy, GUINT_TO_POINTER(index));
    return index;
}

uint32_t sched_trace_add_comm(sched_trace *trace, const char *name, uint32_t size,
                              uint32_t *members)
{
    if ((trace->num_comms & (trace->num_comms - 1)) ==
        0) { /* full at every power of two, and at 0 */
        trace->comms = g_renew(sched_comm, trace->comms, 2 * (gsize)trace->num_comms + 1);
    }
    trace->comms[trace->num_comms] =
        (sched_comm){.name = g_strdup(name), .size = size, .members = members};
    return trace->num_comms++;
}

void sched_trace_notice(sched_trace *trace, uint64_t n, const char *what, ...)
{
    va_list args;
    va_start(args, what);
    g_autofree char *text = g_strdup_vprintf(what, args);
    va_end(args);
    sched_notices_add(trace->notices, n, text);
}

/* Room for one more behind the @p len that are there; arrays double when they are full. What was
 * not appended is there without room. */
static bool is_full(uint64_t len, uint64_t *room)
{
    if (len < *room) {
        return false;
    }
    enum { FIRST = 16 };
    *room = MAX(2 * len, FIRST);
    return true;
}

sched_call *sched_rank_append(sched_rank *rank)
{
    if (is_full(rank->num_calls, &rank->max_calls)) {
        rank->calls = g_renew(sched_call, rank->calls, rank->max_calls);
    }
    /* Copied: to clear so much gcc 12 takes "rep stos", whose start alone takes longer. */
    static const sched_call FRESH = {.request = SCHED_NO_REQUEST,
                                     .cpu = -1,
                                     .cpu_inside = -1,
                                     .room = -1,
                                     .matched_peer = SCHED_UNKNOWN,
                                     .matched_tag = SCHED_UNKNOWN};
    sched_call *call = &rank->calls[rank->num_calls++];
    *call = FRESH;
    return call;
}

uint64_t sched_rank_add_request(sched_rank *rank, uint64_t request)
{
    if (is_full(rank->num_requests, &rank->max_requests)) {
        rank->requests = g_renew(uint64_t, rank->requests, rank->max_requests);
    }
    rank->requests[rank->num_requests] = request;
    return rank->num_requests++;
}

uint64_t sched_rank_add_count(sched_rank *rank, int64_t bytes)
{
    if (is_full(rank->num_counts, &rank->max_counts)) {
        rank->counts = g_renew(int64_t, rank->counts, rank->max_counts);
    }
    rank->counts[rank->num_counts] = bytes;
    return rank->num_counts++;
}

/* Lists lie in the order of their calls; those of counts nearly so: a collective that says late
 * what it was has them behind those of others. */
void sched_rank_drop(sched_rank *rank, uint64_t n)
{
    uint64_t requests = rank->num_requests;
    uint64_t counts = rank->num_counts;
    rank->num_calls -= n;
    memmove(rank->calls, rank->calls + n, rank->num_calls * sizeof *rank->calls);
    for (uint64_t i = 0; i < rank->num_calls; i++) {
        const sched_call *c = &rank->calls[i];
        requests = c->num_list > 0 ? MIN(requests, c->list) : requests;
        counts = c->num_send_counts > 0 || c->num_recv_counts > 0 ? MIN(counts, c->counts) : counts;
    }
    rank->num_requests -= requests;
    rank->num_counts -= counts;
    for (uint64_t i = 0; i < rank->num_requests; i++) {
        rank->requests[i] = rank->requests[requests + i];
    }
    for (uint64_t i = 0; i < rank->num_counts; i++) {
        rank->counts[i] = rank->counts[counts + i];
    }
    for (uint64_t i = 0; i < rank->num_calls; i++) {
        sched_call *c = &rank->calls[i];
        c->list -= c->num_list > 0 ? requests : c->list;
        c->counts -= c->num_send_counts > 0 || c->num_recv_counts > 0 ? counts : c->counts;
    }
}

void sched_rank_clear(sched_rank *rank)
{
    g_free(rank->file);
    g_free(rank->calls);
    sched_packed_free(rank->packed);
    g_free(rank->requests);
    g_free(rank->counts);
    *rank = (sched_rank){0};
}
