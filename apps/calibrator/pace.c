/* apps/calibrator/pace.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibrator. */
#include "pace.h"

#include <time.h>

enum { ROUNDS = 3500 };

int64_t pace_clock(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t pace_now(void)
{
    uint64_t a = 1;
    uint64_t b = 2;
    uint64_t c = 3;
    uint64_t d = 4;
    uint64_t e = 5;
    uint64_t f = 6;
    const int64_t begin = pace_clock();
    for (int i = 0; i < ROUNDS; i++) {
        a++, b++, c++, d++, e++, f++;
        /* Values must be in registers here, so nothing is folded into one instruction. */
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
        a ^= 1, b ^= 1, c ^= 1, d ^= 1, e ^= 1, f ^= 1;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    }
    return pace_clock() - begin;
}
