/* tests/collectives/calls.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Calls as every rank makes them, and the steps that come of them.
 */
#pragma once

#include "coll/walk.h"

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

/** A step, and the phase that it belongs to. */
typedef struct calls_step {
    coll_step step;
    uint8_t phase;
} calls_step;

/** How long the block is that i contributes or ends with; vectors: the whole. */
int64_t calls_block(const calls_spec *spec, uint32_t i);
/** What @p from sends to @p to in an alltoall of any sort. */
int64_t calls_pair(const calls_spec *spec, uint32_t from, uint32_t to);
/** The call of @p rank. Its counts live in @p counts [2 * period]. */
coll_call calls_of(const calls_spec *spec, uint32_t rank, int64_t *counts);
/** [size] arrays of calls_step, one for each rank. Owned by the caller; calls_steps_free(). */
GArray **calls_steps(const calls_spec *spec);
void calls_steps_free(GArray **steps, uint32_t size);
/** "allreduce:ring p=7 root=0 bytes=8 …" Owned by the caller. */
char *calls_describe(const calls_spec *spec);
/** What can do @p kind: every algorithm of the table, with several values of its parameter. */
size_t calls_algorithm_count(coll_kind kind);
coll_algorithm calls_algorithm_at(coll_kind kind, size_t i);
