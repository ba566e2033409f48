/* tests/noise/sequences/program_strings.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The calls of known programs as strings of small numbers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CG_CYCLE = 789, /* calls of an outer iteration */
    CG_OUTER = 76,  /* one to warm up, and 75 */
    CG_CALLS = CG_CYCLE * CG_OUTER,
    FT_CALLS = 47,
};

/* Sums along a row of 8 ranks: Irecv, Send, Wait with each of three partners. */
static inline size_t cg_reduce(uint64_t *out, size_t n)
{
    for (uint64_t stage = 0; stage < 3; stage++) {
        out[n++] = 2 * stage;
        out[n++] = 2 * stage + 1;
        out[n++] = 8; /* Wait */
    }
    return n;
}

static inline size_t cg_transpose(uint64_t *out, size_t n)
{
    out[n++] = 6;
    out[n++] = 7;
    out[n++] = 8;
    return n;
}

/**
 * The first @p num calls of NPB CG, class C, on a grid of 8 x 8 ranks, with the partners of a rank,
 * by its source conj_grad(): rho; 25 times the product of matrix and vector (sums, exchange), d,
 * rho; then the residual. Out of it the norms of the outer iteration: two numbers, summed at once.
 * @param out [num + CG_CYCLE]
 */
static inline void cg_string(uint64_t *out, size_t num)
{
    for (size_t n = 0; n < num;) {
        n = cg_reduce(out, n);
        for (int inner = 0; inner < 25; inner++) {
            n = cg_transpose(out, cg_reduce(out, n));
            n = cg_reduce(out, cg_reduce(out, n));
        }
        n = cg_reduce(out, cg_transpose(out, cg_reduce(out, n)));
        n = cg_reduce(out, n);
    }
}

/** NPB FT: calls to set up, @p repeat times (Alltoall, Reduce), calls at the end. @return how many
 */
static inline size_t ft_string(uint64_t *out, int repeat)
{
    size_t n = 0;
    for (uint64_t i = 0; i < 5; i++) { /* Comm_rank, Bcast, Barrier, ...: each once */
        out[n++] = 10 + i;
    }
    for (int i = 0; i < repeat; i++) {
        out[n++] = 1;
        out[n++] = 2;
    }
    out[n++] = 20;
    out[n++] = 21;
    return n;
}
