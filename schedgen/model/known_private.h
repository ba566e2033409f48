/* schedgen/model/known_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Things that are kept once, and have numbers from 0: which number has one that is equal? A hash
 * table of numbers; the things lie elsewhere, and who asks compares them:
 *
 *     const uint32_t hash = sched_known_hash(thing, size);
 *     uint32_t at = hash;
 *     while (sched_known_next(&known, hash, &at, &number)) {
 *         if (... number is equal ...) { return number; }
 *     }
 *     sched_known_add(&known, hash, number = ...);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sched_known {
    uint32_t *slot; /* [size] number + 1; 0: vacant */
    uint32_t *hash; /* [size] */
    uint32_t size;  /* a power of two */
    uint32_t used;
} sched_known;

void sched_known_init(sched_known *known);
void sched_known_clear(sched_known *known);
uint32_t sched_known_hash(const void *bytes, size_t n);
/** @p number is below 2^31. Amortised O(1) */
void sched_known_add(sched_known *known, uint32_t hash, uint32_t number);
/** @return false: there are no more numbers with this hash */
bool sched_known_next(const sched_known *known, uint32_t hash, uint32_t *at, uint32_t *number);
