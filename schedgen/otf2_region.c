/* schedgen/otf2_region.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "otf2_private.h"

#include <string.h>

/* Functions other than collectives. Lower case: old tools write Fortran names. */
static const struct {
    const char *name;
    uint8_t kind;
    bool synchronous;
    bool message;
} FUNCTION[] = {
    {"init", SCHED_CALL_INIT, false, false},
    {"init_thread", SCHED_CALL_INIT, false, false},
    {"finalize", SCHED_CALL_FINALIZE, false, false},
    {"send", SCHED_CALL_SEND, false, true},
    {"bsend", SCHED_CALL_SEND, false, true},
    {"ssend", SCHED_CALL_SEND, true, true},
    {"rsend", SCHED_CALL_SEND, false, true},
    {"recv", SCHED_CALL_RECV, false, true},
    {"mrecv", SCHED_CALL_RECV, false, true},
    {"sendrecv", SCHED_CALL_SENDRECV, false, true},
    {"sendrecv_replace", SCHED_CALL_SENDRECV, false, true},
    {"isend", SCHED_CALL_ISEND, false, true},
    {"ibsend", SCHED_CALL_ISEND, false, true},
    {"issend", SCHED_CALL_ISEND, true, true},
    {"irsend", SCHED_CALL_ISEND, false, true},
    {"irecv", SCHED_CALL_IRECV, false, true},
    {"imrecv", SCHED_CALL_IRECV, false, true},
    {"send_init", SCHED_CALL_SEND_INIT, false, false},
    {"bsend_init", SCHED_CALL_SEND_INIT, false, false},
    {"ssend_init", SCHED_CALL_SEND_INIT, true, false},
    {"rsend_init", SCHED_CALL_SEND_INIT, false, false},
    {"recv_init", SCHED_CALL_RECV_INIT, false, false},
    {"start", SCHED_CALL_START, false, false},
    {"startall", SCHED_CALL_START, false, false},
    {"wait", SCHED_CALL_COMPLETE, false, false},
    {"waitany", SCHED_CALL_COMPLETE, false, false},
    {"waitall", SCHED_CALL_COMPLETE, false, false},
    {"waitsome", SCHED_CALL_COMPLETE, false, false},
    {"test", SCHED_CALL_COMPLETE, false, false},
    {"testany", SCHED_CALL_COMPLETE, false, false},
    {"testall", SCHED_CALL_COMPLETE, false, false},
    {"testsome", SCHED_CALL_COMPLETE, false, false},
    /* probes and what is switched off: neither computation nor communication */
    {"probe", SCHED_CALL_COMPLETE, false, false},
    {"iprobe", SCHED_CALL_COMPLETE, false, false},
    {"mprobe", SCHED_CALL_COMPLETE, false, false},
    {"improbe", SCHED_CALL_COMPLETE, false, false},
    {"pcontrol", SCHED_CALL_COMPLETE, false, false},
};

/* They move data between ranks, and nothing of it is converted. */
static const char *const NOT_CONVERTED[] = {
    "neighbor_",        "ineighbor_", "win_",          "put",         "get",
    "accumulate",       "rput",       "rget",          "raccumulate", "fetch_and_op",
    "compare_and_swap", "file_",      "get_accumulate"};

sched_otf2_region sched_otf2_region_classify(const char *name)
{
    sched_otf2_region r = {.kind = SCHED_CALL_OTHER};
    r.mpi = g_ascii_strncasecmp(name, "MPI_", 4) == 0;
    if (!r.mpi) {
        return r;
    }
    g_autofree char *base = g_ascii_strdown(name + 4, -1);
    for (size_t i = 0; i < G_N_ELEMENTS(FUNCTION); i++) {
        if (strcmp(base, FUNCTION[i].name) == 0) {
            r.kind = FUNCTION[i].kind;
            r.synchronous = FUNCTION[i].synchronous;
            r.message = FUNCTION[i].message;
            return r;
        }
    }
    coll_kind kind = COLL_BARRIER;
    if (coll_kind_parse(base, &kind)) {
        r.kind = SCHED_CALL_COLLECTIVE;
        r.message = true;
    } else if (base[0] == 'i' && coll_kind_parse(base + 1, &kind)) {
        r.kind = SCHED_CALL_ICOLLECTIVE;
        r.message = true;
    }
    r.collective = (uint8_t)kind;
    for (size_t i = 0; r.kind == SCHED_CALL_OTHER && i < G_N_ELEMENTS(NOT_CONVERTED); i++) {
        const char *known = NOT_CONVERTED[i];
        const size_t n = strlen(known);
        r.message |= known[n - 1] == '_' ? strncmp(base, known, n) == 0 : strcmp(base, known) == 0;
    }
    return r;
}
