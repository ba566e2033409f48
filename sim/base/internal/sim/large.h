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
