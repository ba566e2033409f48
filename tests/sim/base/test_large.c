/* tests/sim/base/test_large.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "sim/large.h"

#include <glib.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

/* Sanitizers bring a malloc() of their own. */
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
enum { KEEPS = 1 };
#else
enum { KEEPS = 0 };
#endif

/* Faults of the pages that are touched, of six blocks of @p mib MiB that are made and freed. */
static long faults_of_use(size_t mib)
{
    struct rusage before;
    struct rusage after;
    char *block[6];
    getrusage(RUSAGE_SELF, &before);
    for (size_t i = 0; i < G_N_ELEMENTS(block); i++) {
        block[i] = sim_large_new(mib, 1 << 20);
        memset(block[i], 1, mib << 20);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(block); i++) {
        sim_large_free(block[i]);
    }
    getrusage(RUSAGE_SELF, &after);
    return after.ru_minflt - before.ru_minflt;
}

static void blocks_begin_on_a_cache_line(void)
{
    for (size_t bytes = 0; bytes < 9 << 20; bytes = 3 * bytes + 1) {
        void *block = sim_large_new(bytes, 1);
        CHECK(block != NULL && (uintptr_t)block % 64 == 0, "%zu bytes: %p", bytes, block);
        sim_large_free(block);
    }
}

static void memory_that_was_freed_is_used_again(void)
{
    sim_large_keep_freed();
    const size_t sizes[] = {1, 3, 5}; /* MiB; 5 lies on huge pages, where there are any */
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        const long first = faults_of_use(sizes[i]);
        const long again = faults_of_use(sizes[i]);
        CHECK(!KEEPS || again <= 2, "%zu MiB: %ld faults, then %ld", sizes[i], first, again);
    }
}

SUITE_MAIN("large", TEST(blocks_begin_on_a_cache_line), TEST(memory_that_was_freed_is_used_again))
