/* apps/proxies/pack_record.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Turn a record of 'ripple trace' into a time-independent trace of SimGrid, on stdout: what each
 * rank computes, and with whom it communicates how much. Waiting, which a simulation works out
 * anew, is not in it, so that it packs well. A flop is a microsecond of the computation's CPU
 * time; what is rounded off is carried to the next computation. Usage: pack_record RECORD
 * Tests: test_proxies.
 */
#include "sched/trace.h"

#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

static const sim_time FLOP = 1000000; /* ps */

/* What has been written of a rank. */
typedef struct packing {
    const sched_trace *trace;
    uint32_t rank;
    sim_time carried; /* computed, but not written */
    sim_time leave;   /* of the call before */
    bool began;
    uint64_t open; /* requests */
} packing;

static bool refuse(const packing *p, const sched_call *call, const char *why)
{
    const char *name = g_ptr_array_index(p->trace->names, call->name);
    (void)fprintf(stderr, "pack_record: %s: rank %u, record %u: %s: %s\n", p->trace->path, p->rank,
                  call->line, name, why);
    return false;
}

static void write_computation(packing *p, const sched_call *call)
{
    p->carried += call->cpu >= 0 ? call->cpu : call->enter - p->leave;
    const sim_time flops = (p->carried + FLOP / 2) / FLOP;
    if (flops > 0) {
        printf("%u compute %" PRId64 "\n", p->rank, flops);
        p->carried -= flops * FLOP;
    }
}

static bool write_message(const packing *p, const sched_call *call, const char *action)
{
    if (call->peer == SCHED_PROC_NULL) {
        return true;
    }
    if (call->comm != 0 || call->peer == SCHED_ANY || call->tag == SCHED_ANY) {
        return refuse(p, call, "only named peers and tags of the world are packed");
    }
    printf("%u %s %u %u %" PRId64 "\n", p->rank, action, call->peer, call->tag, call->bytes);
    return true;
}

static bool write_counts(const packing *p, const sched_call *call)
{
    const sched_rank *rank = &p->trace->ranks[p->rank];
    if (call->num_recv_counts != p->trace->num_ranks) {
        return refuse(p, call, "has not a count for each rank");
    }
    printf("%u allgatherv %" PRId64, p->rank, call->bytes);
    for (uint32_t i = 0; i < call->num_recv_counts; i++) {
        printf(" %" PRId64, rank->counts[call->counts + call->num_send_counts + i]);
    }
    (void)putchar('\n');
    return true;
}

static bool write_collective(const packing *p, const sched_call *call)
{
    if (call->comm != 0) {
        return refuse(p, call, "only collectives of the world are packed");
    }
    switch ((coll_kind)call->collective) {
    case COLL_BARRIER:
        printf("%u barrier\n", p->rank);
        return true;
    case COLL_BCAST:
        printf("%u bcast %" PRId64 " %u\n", p->rank, call->bytes, call->root);
        return true;
    case COLL_ALLREDUCE:
        printf("%u allreduce %" PRId64 " 0\n", p->rank, call->bytes);
        return true;
    case COLL_SCAN:
        printf("%u scan %" PRId64 " 0\n", p->rank, call->bytes);
        return true;
    case COLL_ALLGATHER:
        printf("%u allgather %" PRId64 " %" PRId64 "\n", p->rank, call->bytes, call->bytes);
        return true;
    case COLL_ALLGATHERV:
        return write_counts(p, call);
    default:
        return refuse(p, call, "is not packed");
    }
}

static bool write_completion(packing *p, const sched_call *call)
{
    if (call->num_list == 0) { /* the tracer wrote what it had noted */
        return true;
    }
    if (call->num_list != p->open) {
        return refuse(p, call, "does not complete all that is open");
    }
    p->open = 0;
    printf("%u waitall\n", p->rank);
    return true;
}

static bool write_call(packing *p, const sched_call *call)
{
    switch ((sched_call_kind)call->kind) {
    case SCHED_CALL_SEND:
        return write_message(p, call, "send");
    case SCHED_CALL_RECV:
        return write_message(p, call, "recv");
    case SCHED_CALL_ISEND:
        p->open++;
        return write_message(p, call, "isend");
    case SCHED_CALL_IRECV:
        p->open++;
        return write_message(p, call, "irecv");
    case SCHED_CALL_COMPLETE:
        return write_completion(p, call);
    case SCHED_CALL_COLLECTIVE:
        return write_collective(p, call);
    case SCHED_CALL_FINALIZE:
        printf("%u finalize\n", p->rank);
        return true;
    default:
        return refuse(p, call, "is not packed");
    }
}

static bool write_rank(const sched_trace *trace, uint32_t rank)
{
    packing p = {.trace = trace, .rank = rank};
    bool ok = true;
    sched_walk walk;
    sched_walk_begin(&walk, &trace->ranks[rank]);
    for (const sched_call *call; ok && (call = sched_walk_next(&walk)) != NULL;) {
        if (call->kind == SCHED_CALL_INIT) {
            printf("%u init\n", rank);
            p.began = true;
        } else if (p.began) {
            write_computation(&p, call);
            ok = write_call(&p, call);
        }
        p.leave = call->leave;
    }
    sched_walk_end(&walk);
    return ok;
}

int main(int argc, char **argv)
{
    (void)setlocale(LC_CTYPE, "");
    if (argc != 2) {
        (void)fprintf(stderr, "usage: pack_record RECORD\n");
        return 2;
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = sched_trace_read(argv[1], &error);
    if (trace == NULL) {
        (void)fprintf(stderr, "pack_record: %s\n", error->message);
        return 1;
    }
    for (uint32_t i = 0; i < trace->num_ranks; i++) {
        if (!write_rank(trace, i)) {
            return 1;
        }
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        (void)fprintf(stderr, "pack_record: standard output cannot be written\n");
        return 1;
    }
    return 0;
}
