/* apps/ripple/mining/exemplar.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * An event that stands for a row of the miner's report, with what surrounds it: its neighbours and
 * calls on the same rank, and who ran on its CPU.
 */
#pragma once

#include "noise/miner.h"
#include "noise/miner_event.h"

#include <stddef.h>
#include <stdint.h>

/** Where a slice is drawn. */
typedef enum app_exemplar_kind {
    APP_EXEMPLAR_COMPUTE, /* in the middle: a computation */
    APP_EXEMPLAR_CALL,    /* above: an MPI call */
    APP_EXEMPLAR_SYSTEM,  /* below: who ran on the CPU of the rank */
} app_exemplar_kind;

typedef struct app_exemplar_slice {
    sim_time begin; /* <= end */
    sim_time end;
    app_exemplar_kind kind;
    char *name;     /* "MPI_Send", "computation", "burner/1234"; owned */
    int64_t bytes;  /* -1: none */
    int64_t peer;   /* rank; -1: none */
    sim_time cpu;   /* CPU time used; -1: not recorded */
    int cpu_number; /* of a system slice; -1: not known */
} app_exemplar_slice;

typedef struct app_exemplar {
    size_t row;                 /* of the report's rows */
    noise_miner_event event;    /* its type says whether it is a call: noise_event_type_kind() */
    char *type;                 /* "MPI_Send <= 8 KiB to rank+1"; owned; NULL: not known */
    sim_time from;              /* what the slices cover: the length of the event on either side, */
    sim_time to;                /* less where the run begins or ends */
    size_t num_slices;          /* 0: what surrounds it is not known */
    app_exemplar_slice *slices; /* [num_slices] in order of begin; owned */
    size_t num_facts;
    char *(*facts)[2]; /* [num_facts] key and value for people, what the event itself does not say:
                        * "host", "node7"; owned */
} app_exemplar;

/** [n], with all they own. NULL is a no-op. */
void app_exemplars_free(app_exemplar *exemplars, size_t n);
