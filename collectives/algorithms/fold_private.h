/* collectives/algorithms/fold_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Fold: algorithms made for 2^K ranks on any number of them. Of the first 2·rest ranks every
 * even one hands its data to the odd one beside it and waits; the others, renumbered, are the
 * core of 2^K ranks. docs/collectives.md, section 2.5.
 */
#pragma once

#include "algorithms/round_private.h"

typedef struct coll_fold {
    uint32_t levels; /* K */
    uint32_t core;   /* 2^K, the largest power of two <= size */
    uint32_t rest;   /* size - core */
} coll_fold;

static inline coll_fold coll_fold_new(uint32_t size)
{
    const uint32_t levels = coll_log2_floor(size);
    return (coll_fold){.levels = levels, .core = 1U << levels, .rest = size - (1U << levels)};
}
/** Does @p rank hand over its data and wait? */
static inline bool coll_fold_waits(coll_fold fold, uint32_t rank)
{
    return rank < 2 * fold.rest && rank % 2 == 0;
}
/** Does @p rank stand in for the one before it? */
static inline bool coll_fold_doubles(coll_fold fold, uint32_t rank)
{
    return rank < 2 * fold.rest && rank % 2 == 1;
}
/** The number in the core of a rank that does not wait. */
static inline uint32_t coll_fold_member(coll_fold fold, uint32_t rank)
{
    return rank < 2 * fold.rest ? rank / 2 : rank - fold.rest;
}
/** The rank of core member @p n. */
static inline uint32_t coll_fold_rank(coll_fold fold, uint32_t n)
{
    return n < fold.rest ? 2 * n + 1 : n + fold.rest;
}
/** The first rank that core member @p n stands for; for n = core: size. */
static inline uint32_t coll_fold_first(coll_fold fold, uint32_t n)
{
    return n < fold.rest ? 2 * n : n + fold.rest;
}
