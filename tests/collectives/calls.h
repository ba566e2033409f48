/* tests/collectives/calls.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Calls as every rank makes them, and the steps that come of them.
 */
#pragma once

#include "coll/step.h"

#include <glib.h>

/** What a collective is to do; the views of the ranks are made from it. */
typedef struct calls_spec {
    coll_kind kind;
    coll_algorithm algorithm;
    uint32_t size;
    uint32_t root;   /* 0 where the kind has none; the calls then name one that is none */
    int64_t bytes;   /* where the kind has no counts */
    uint32_t period; /* of the counts; 0: none are given */
    uint64_t seed;   /* of the counts; about a third of them are 0 */
    sim_rate reduce;
    bool in_place;
} calls_spec;

/** How long the block is that i contributes or ends with; vectors: the whole. */
int64_t calls_block(const calls_spec *spec, uint32_t i);
/** What @p from sends to @p to in an alltoall of any sort. */
int64_t calls_pair(const calls_spec *spec, uint32_t from, uint32_t to);
/** The call of @p rank. Its counts live in @p counts [2 * period]. */
coll_call calls_of(const calls_spec *spec, uint32_t rank, int64_t *counts);
/** [size] arrays of coll_step, one for each rank. Owned by the caller; calls_steps_free(). */
GArray **calls_steps(const calls_spec *spec);
void calls_steps_free(GArray **steps, uint32_t size);
/** "allreduce:ring p=7 root=0 bytes=8 …" Owned by the caller. */
char *calls_describe(const calls_spec *spec);
/** Does this kind take per-rank counts? */
bool calls_counted(coll_kind kind);
