/* tests/schedgen/convert/trace_write_liballprof.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* docs/conversion.md, section 5: the fields of each call. */
#include "trace_write.h"

#include <ftw.h>
#include <stdio.h>

typedef struct writer {
    const sched_trace *trace;
    const sched_rank *rank;
    uint32_t number;
    FILE *out;
} writer;

static uint32_t place_in(const sched_comm *comm, uint32_t world)
{
    uint32_t i = 0;
    while (i < comm->size && comm->members[i] != world) {
        i++;
    }
    return i;
}

static void put_comm(const writer *w, uint32_t comm)
{
    const sched_comm *c = &w->trace->comms[comm];
    (void)fprintf(w->out, "%u,%u,%u:", 3000000000U + 16 * comm, place_in(c, w->number), c->size);
}

/* Microseconds, to the picosecond. */
static void put_time(const writer *w, sim_time t)
{
    (void)fprintf(w->out, "%" G_GINT64_FORMAT ".%06" G_GINT64_FORMAT, t / SIM_US, t % SIM_US);
}

static void begin(const writer *w, const char *name, sim_time enter)
{
    (void)fprintf(w->out, "%s:", name);
    put_time(w, enter);
    (void)fputc(':', w->out);
}

static void end(const writer *w, sim_time leave)
{
    put_time(w, leave);
    (void)fputc('\n', w->out);
}

static void put_signed(const writer *w, uint32_t value)
{
    (void)fprintf(w->out, "%" G_GINT64_FORMAT ":", value == SCHED_ANY ? -1 : (int64_t)value);
}

/* Buffer, count, type. */
static void put_buffer(const writer *w, int64_t bytes)
{
    (void)fprintf(w->out, "4096:%" G_GINT64_FORMAT ":13,1,1:", bytes);
}

static uint64_t address(uint64_t request)
{
    return 1000000 + 8 * request;
}

static void put_message(const writer *w, const sched_call *call)
{
    put_buffer(w, call->room >= 0 ? call->room : call->bytes);
    put_signed(w, call->peer);
    put_signed(w, call->tag);
}

static void put_sendrecv(const writer *w, const sched_call *call)
{
    put_buffer(w, call->bytes);
    put_signed(w, call->peer);
    put_signed(w, call->tag);
    put_buffer(w, call->room);
    put_signed(w, call->recv_peer);
    put_signed(w, call->recv_tag);
    put_comm(w, call->comm);
    (void)fputs("0:", w->out);
}

static void put_collective(const writer *w, const sched_call *call)
{
    switch ((coll_kind)call->collective) {
    case COLL_BARRIER:
        break;
    case COLL_BCAST:
        put_buffer(w, call->bytes);
        (void)fprintf(w->out, "%u:", call->root);
        break;
    case COLL_REDUCE:
        (void)fputs("8192:", w->out);
        put_buffer(w, call->bytes);
        (void)fprintf(w->out, "3:%u:", call->root);
        break;
    case COLL_ALLREDUCE:
    case COLL_SCAN:
    case COLL_EXSCAN:
    case COLL_REDUCE_SCATTER_BLOCK:
        (void)fputs("8192:", w->out);
        put_buffer(w, call->bytes);
        (void)fputs("3:", w->out);
        break;
    default: /* allgather, alltoall, gather, scatter */
        put_buffer(w, call->bytes);
        put_buffer(w, call->bytes);
        if (coll_kind_is_rooted((coll_kind)call->collective)) {
            (void)fprintf(w->out, "%u:", call->root);
        }
    }
    put_comm(w, call->comm);
}

static void put_split(const writer *w)
{
    for (uint32_t c = 1; c < w->trace->num_comms; c++) {
        const uint32_t place = place_in(&w->trace->comms[c], w->number);
        if (place < w->trace->comms[c].size) {
            put_comm(w, 0);
            (void)fprintf(w->out, "%u:%u:77:", c, place);
        }
    }
}

/* A wait for several requests that do not lie side by side: a wait for each. */
static void put_waits(const writer *w, const sched_call *call)
{
    for (uint32_t i = 0; i < call->num_list; i++) {
        begin(w, "MPI_Wait", i == 0 ? call->enter : call->leave);
        (void)fprintf(w->out,
                      "%" G_GUINT64_FORMAT ":0:", address(w->rank->requests[call->list + i]));
        end(w, call->leave);
    }
    if (call->num_list == 0) {
        begin(w, "MPI_Waitall", call->enter);
        (void)fputs("0:64:0:", w->out);
        end(w, call->leave);
    }
}

static void put_arguments(const writer *w, const sched_call *call, const char *name)
{
    switch ((sched_call_kind)call->kind) {
    case SCHED_CALL_SENDRECV:
        put_sendrecv(w, call);
        break;
    case SCHED_CALL_SEND:
    case SCHED_CALL_RECV:
    case SCHED_CALL_ISEND:
    case SCHED_CALL_IRECV:
        put_message(w, call);
        put_comm(w, call->comm);
        if (call->kind == SCHED_CALL_RECV) {
            (void)fputs("0:", w->out);
        }
        break;
    case SCHED_CALL_COLLECTIVE:
    case SCHED_CALL_ICOLLECTIVE:
        put_collective(w, call);
        break;
    default:
        if (g_str_equal(name, "MPI_Comm_split")) {
            put_split(w);
        } else if (g_str_equal(name, "MPI_Comm_rank")) {
            put_comm(w, 0);
            (void)fputs("4:", w->out);
        } else {
            (void)fputs(g_str_equal(name, "MPI_Test") ? "8:0:0:" : "8:", w->out);
        }
    }
    if (call->request != SCHED_NO_REQUEST) {
        (void)fprintf(w->out, "%" G_GUINT64_FORMAT ":", address(call->request));
    }
}

static void put_call(const writer *w, const sched_call *call)
{
    const char *name = g_ptr_array_index(w->trace->names, call->name);
    if (call->kind == SCHED_CALL_INIT) {
        (void)fputs("MPI_Init:-:1:2:", w->out);
        end(w, call->leave);
    } else if (call->kind == SCHED_CALL_FINALIZE) {
        begin(w, name, call->enter);
        (void)fputs("-\n", w->out);
    } else if (call->kind == SCHED_CALL_COMPLETE && !g_str_equal(name, "MPI_Test")) {
        put_waits(w, call);
    } else {
        begin(w, name, call->enter);
        put_arguments(w, call, name);
        end(w, call->leave);
    }
}

void trace_write_liballprof(const sched_trace *trace, const char *dir)
{
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        g_autofree char *path = g_strdup_printf("%s/trace-%u.txt", dir, rank);
        const writer w = {trace, &trace->ranks[rank], rank, fopen(path, "w")};
        g_assert_nonnull(w.out);
        (void)fputs("# htor's PMPI Tracer 1.1 Output File\n\n", w.out);
        for (uint64_t i = 0; i < w.rank->num_calls; i++) {
            put_call(&w, &w.rank->calls[i]);
        }
        g_assert_cmpint(fclose(w.out), ==, 0);
    }
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

void trace_write_remove(const char *dir)
{
    g_assert_cmpint(nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS), ==, 0);
}
