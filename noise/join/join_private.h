/* noise/join/join_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "noise/join.h"

/** Who was on a CPU for certain. */
typedef struct join_slice {
    uint64_t from, to;
    uint64_t wake;
    uint32_t tid;
} join_slice;

/**
 * Which slices are of one wake-up: from when a thread was woken until it slept again, the scheduler
 * may have put it on a CPU several times. It goes on as long as the thread could have run on when
 * it was taken off, by the records of the CPU it left or by its own.
 */
typedef struct join_wakes join_wakes;
join_wakes *noise_join_wakes_new(const noise_join_input *input);
void noise_join_wakes_free(join_wakes *wakes);
/** Of slice @p i of input->cpu[@p cpu]. */
uint64_t noise_join_wakes_of_slice(const join_wakes *wakes, size_t cpu, size_t i);
/** Of what input->thread[@p thread] ran before its time off @p i, or, with i = n, after the last.
 */
uint64_t noise_join_wakes_of_run(const join_wakes *wakes, size_t thread, size_t i);

/** What was seen of a thread between two looks, and how often it fell asleep in between. */
typedef struct join_sleeps {
    uint64_t wake;  /* of its pieces, until they are told apart */
    uint32_t count; /* voluntary switches */
} join_sleeps;
/**
 * Tell the pieces from @p first on that were laid, which are in order of time, apart: as many
 * wake-ups as the thread fell asleep, between which are the longest gaps.
 * @param sleeps [n] by wake, ascending without holes
 */
void noise_join_tell_apart(join_wakes *wakes, GArray *pieces, guint first,
                           const join_sleeps *sleeps, size_t n);
/** A number for @p n wake-ups that no other has, and those after it. */
uint64_t noise_join_wakes_take(join_wakes *wakes, uint64_t n);

/** @p cpu of @p node: slices by time that do not overlap; those of the CPU, else of the threads'
 * own records. GArray of join_slice, owned by the caller. */
GArray *noise_join_known_slices(const noise_join_input *input, const join_wakes *wakes,
                                uint32_t node, uint32_t cpu);

/** Index in nit->threads by node, tid and time; of those that began at one time the last one; -1:
 * never seen. */
typedef struct join_names join_names;
join_names *noise_join_names_new(const noise_join_input *input);
void noise_join_names_free(join_names *names);
int32_t noise_join_names_find(const join_names *names, uint32_t node, uint32_t tid, uint64_t when);
/** From when on it was this thread, as far as ticks tell, ns; 0: not known. */
uint64_t noise_join_names_start(const noise_nit *nit, size_t thread);

/** What is sure of a program's part: index in nit->threads and ns. */
typedef struct join_sure {
    uint32_t main;
    int32_t thread;
    uint64_t ns;
} join_sure;

/**
 * Append the pieces of thread @p main, by time.
 * @param pieces of noise_join_piece
 * @param sure of join_sure: of what was laid by time windows
 */
void noise_join_pieces_of(const noise_join_input *input, uint32_t main, const join_names *names,
                          join_wakes *wakes, GArray *pieces, GArray *sure);
