/* sim/base/large.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_replica, test_large. */
#include "sim/large.h"

#include <glib.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define HUGE_PAGE  ((size_t)2 << 20)
#define CACHE_LINE ((size_t)64)

void *sim_large_new(size_t n, size_t size)
{
    if (size > 0 && n > (G_MAXSIZE - HUGE_PAGE) / size) {
        g_error("%zu times %zu bytes are more than there are addresses", n, size);
    }
    const size_t bytes = n * size;
    if (bytes < 2 * HUGE_PAGE) {
        return g_aligned_alloc(1, bytes + CACHE_LINE, CACHE_LINE); /* never of no bytes */
    }
    void *memory = g_aligned_alloc(1, bytes, HUGE_PAGE);
    (void)madvise(memory, bytes, MADV_HUGEPAGE); /* where it is refused, small pages will do */
    return memory;
}

void sim_large_free(void *memory)
{
    g_aligned_free(memory);
}

void sim_large_keep_freed(void)
{
#ifdef __GLIBC__
    enum { KEPT = 64 << 20, APART = 8 << 20 };
    (void)mallopt(M_TRIM_THRESHOLD, KEPT);
    (void)mallopt(M_MMAP_THRESHOLD, APART);
#endif
}
