/* schedgen/otf2/otf2_region.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_otf2. */
#include "otf2/otf2_private.h"

#include <string.h>

/* Functions that are converted, but for collectives. Lower case: old tools write Fortran names. */
static const struct {
    const char *name;
    uint8_t kind;
    bool synchronous;
} FUNCTION[] = {
    {"init", SCHED_CALL_INIT, false},
    {"init_thread", SCHED_CALL_INIT, false},
    {"finalize", SCHED_CALL_FINALIZE, false},
    {"send", SCHED_CALL_SEND, false},
    {"bsend", SCHED_CALL_SEND, false},
    {"ssend", SCHED_CALL_SEND, true},
    {"rsend", SCHED_CALL_SEND, false},
    {"recv", SCHED_CALL_RECV, false},
    {"mrecv", SCHED_CALL_RECV, false},
    {"sendrecv", SCHED_CALL_SENDRECV, false},
    {"sendrecv_replace", SCHED_CALL_SENDRECV, false},
    {"isend", SCHED_CALL_ISEND, false},
    {"ibsend", SCHED_CALL_ISEND, false},
    {"issend", SCHED_CALL_ISEND, true},
    {"irsend", SCHED_CALL_ISEND, false},
    {"irecv", SCHED_CALL_IRECV, false},
    {"imrecv", SCHED_CALL_IRECV, false},
    {"send_init", SCHED_CALL_SEND_INIT, false},
    {"bsend_init", SCHED_CALL_SEND_INIT, false},
    {"ssend_init", SCHED_CALL_SEND_INIT, true},
    {"rsend_init", SCHED_CALL_SEND_INIT, false},
    {"recv_init", SCHED_CALL_RECV_INIT, false},
    {"start", SCHED_CALL_START, false},
    {"startall", SCHED_CALL_START, false},
    {"wait", SCHED_CALL_COMPLETE, false},
    {"waitany", SCHED_CALL_COMPLETE, false},
    {"waitall", SCHED_CALL_COMPLETE, false},
    {"waitsome", SCHED_CALL_COMPLETE, false},
    {"test", SCHED_CALL_COMPLETE, false},
    {"testany", SCHED_CALL_COMPLETE, false},
    {"testall", SCHED_CALL_COMPLETE, false},
    {"testsome", SCHED_CALL_COMPLETE, false},
    {"request_get_status", SCHED_CALL_COMPLETE, false}, /* a test that completes nothing */
    {"request_get_status_any", SCHED_CALL_COMPLETE, false},
    {"request_get_status_all", SCHED_CALL_COMPLETE, false},
    {"request_get_status_some", SCHED_CALL_COMPLETE, false},
};

sched_otf2_region sched_otf2_region_classify(const char *name)
{
    sched_otf2_region r = {.kind = SCHED_CALL_OTHER};
    const bool standard = g_ascii_strncasecmp(name, "MPI_", 4) == 0;
    r.mpi = standard || g_ascii_strncasecmp(name, "MPIX_", 5) == 0;
    if (!standard) {
        return r;
    }
    g_autofree char *base = g_ascii_strdown(name + 4, -1);
    if (g_str_has_suffix(base, "_c")) { /* with large counts */
        base[strlen(base) - 2] = '\0';
    }
    for (size_t i = 0; i < G_N_ELEMENTS(FUNCTION); i++) {
        if (strcmp(base, FUNCTION[i].name) == 0) {
            r.kind = FUNCTION[i].kind;
            r.synchronous = FUNCTION[i].synchronous;
            r.probed = g_str_equal(base, "mrecv") || g_str_equal(base, "imrecv");
            return r;
        }
    }
    coll_kind kind = COLL_BARRIER;
    if (coll_kind_parse(base, &kind)) {
        r.kind = SCHED_CALL_COLLECTIVE;
    } else if (base[0] == 'i' && coll_kind_parse(base + 1, &kind)) {
        r.kind = SCHED_CALL_ICOLLECTIVE;
    }
    r.collective = (uint8_t)kind;
    return r;
}
