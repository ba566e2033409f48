/* sim/large.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Large arrays that are accessed at random: on huge pages where the system offers them, since with
 * small pages most accesses would miss the TLB as well as the cache.
 */
#pragma once

#include <stddef.h>

/** @p n times @p size bytes, uninitialised, on a cache line. Never NULL; aborts like g_malloc(). */
void *sim_large_new(size_t n, size_t size);
void sim_large_free(void *memory); /* NULL is a no-op */

/**
 * For programs that make many runs: what the process frees, it keeps for the next run, up to some
 * 64 MiB for each thread, except for blocks of 8 MiB and more. Memory that the system hands out
 * anew costs a small run as much as all that happens in it. Call it first; it holds for all of
 * malloc(). Nothing happens where the C library does not offer it.
 */
void sim_large_keep_freed(void);
