/* bench/sc10/recorded/app_case.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What is made of a record, and on what it is run.
 */
#pragma once

#include "proxy.h"

#include <glib.h>
#include <stdbool.h>

/** What becomes of the computation between calls. */
typedef enum {
    SC10_AS_RECORDED,
    /** Between two collectives a rank computes as much as recorded of it on average, of all ranks
     * that the stretch has more of: what varies from one stretch to the next by itself is gone. */
    SC10_STEADY,
    /** Between two collectives all ranks compute the same. */
    SC10_BALANCED
} sc10_computation;

/** Equal cases are run once. Text is borrowed and static; zeroed: as the paper did it. */
typedef struct sc10_app_case {
    const char *machine;    /* preset: Table III */
    const char *noise;      /* text form of noise/signature.h; NULL: none */
    const char *algorithms; /* "allreduce=ring": other than the paper's; NULL: none */
    double stretch;         /* computation takes so many times as long; 0: as it is */
    sc10_proxy_id proxy;
    uint32_t copies; /* of the record */
    uint32_t repeat; /* passes through the program; 0: one */
    int network;     /* L, g and G: 0 as they are, 10 times as slow, -10 as fast */
    sc10_computation computation;
    bool no_p2p;
    bool no_collectives;
    bool roots_per_copy; /* rooted collectives begin in each copy, not at one rank for all */
    bool cosched;
} sc10_app_case;

/** Computation takes so many times as long as recorded. */
static inline double sc10_app_stretch(const sc10_app_case *what)
{
    return what->stretch > 0 ? what->stretch : 1;
}

/** Ranks of a run. */
static inline uint32_t sc10_app_ranks(const sc10_app_case *what)
{
    return SC10_PROXIES[what->proxy].ranks * what->copies;
}

/** What tells its program from others. Owned by the caller. */
char *sc10_app_program_key(const sc10_app_case *what);
/** What tells its runs from others, but for the replica. Owned by the caller. */
char *sc10_app_run_key(const sc10_app_case *what);
