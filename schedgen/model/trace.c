/* schedgen/model/trace.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sched/trace.h"

#include "model/packed_private.h"

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

/* Pools double when they are full, which is at every power of two: no capacity need be kept. */
static gsize grown(uint64_t len)
{
    return (len & (len - 1)) == 0 ? 2 * (gsize)len + (len == 0) : 0;
}

sched_call *sched_rank_append(sched_rank *rank)
{
    const gsize capacity = grown(rank->num_calls);
    if (capacity > 0) {
        rank->calls = g_renew(sched_call, rank->calls, capacity);
    }
    sched_call *call = &rank->calls[rank->num_calls++];
    *call = (sched_call){.request = SCHED_NO_REQUEST,
                         .cpu = -1,
                         .cpu_inside = -1,
                         .room = -1,
                         .matched_peer = SCHED_UNKNOWN,
                         .matched_tag = SCHED_UNKNOWN};
    return call;
}

uint64_t sched_rank_add_request(sched_rank *rank, uint64_t request)
{
    const gsize capacity = grown(rank->num_requests);
    if (capacity > 0) {
        rank->requests = g_renew(uint64_t, rank->requests, capacity);
    }
    rank->requests[rank->num_requests] = request;
    return rank->num_requests++;
}

uint64_t sched_rank_add_count(sched_rank *rank, int64_t bytes)
{
    const gsize capacity = grown(rank->num_counts);
    if (capacity > 0) {
        rank->counts = g_renew(int64_t, rank->counts, capacity);
    }
    rank->counts[rank->num_counts] = bytes;
    return rank->num_counts++;
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
