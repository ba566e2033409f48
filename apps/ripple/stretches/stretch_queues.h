/* apps/ripple/stretches/stretch_queues.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Stretches that wait to be asked for: a queue for each rank, of bytes, so that a million of them
 * stay near. What comes in is coded already; who codes is another thread.
 */
#pragma once

#include "sim/time.h"
#include "stretches/length_table.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** A stretch of CPU activity on CPU 0 of a rank. */
typedef struct app_reference_stretch {
    sim_time idle; /* before it, since the end of the one before */
    sim_time start;
    sim_time end;
    uint32_t op;
} app_reference_stretch;

/** Where a rank is, for who codes and for who reads. Zero: at its beginning. */
typedef struct app_stretch_place {
    sim_time end;     /* of the stretch before */
    uint32_t next_op; /* that after the one before */
} app_stretch_place;

/** A stretch takes at most so many bytes, and a group of them that comes in at once. */
enum { APP_STRETCH_BYTES = 32, APP_STRETCH_GROUP = 58 };

/** @return behind what was written, at most APP_STRETCH_BYTES */
uint8_t *app_stretch_put(uint8_t *out, app_length_table *lengths, app_stretch_place *place,
                         sim_time start, sim_time end, uint32_t op);

typedef struct app_stretch_queues app_stretch_queues;

/** @param lengths borrowed. Owned by the caller. */
app_stretch_queues *app_stretch_queues_new(uint32_t num_ranks, const app_length_table *lengths);
/** NULL is a no-op. */
void app_stretch_queues_free(app_stretch_queues *queues);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_stretch_queues, app_stretch_queues_free)

/** @param bytes [n] of whole stretches of @p rank, n <= APP_STRETCH_GROUP */
void app_stretch_queues_add(app_stretch_queues *queues, uint32_t rank, const uint8_t *bytes,
                            size_t n);
/** @return false: the queue of @p rank is empty */
bool app_stretch_queues_take(app_stretch_queues *queues, uint32_t rank, app_reference_stretch *out);
/** @p rank comes soon: bring its queue near. */
void app_stretch_queues_near(const app_stretch_queues *queues, uint32_t rank);
/** Some time after that: what comes first in it, and what comes last. */
void app_stretch_queues_near_first(const app_stretch_queues *queues, uint32_t rank);
void app_stretch_queues_near_last(const app_stretch_queues *queues, uint32_t rank);
