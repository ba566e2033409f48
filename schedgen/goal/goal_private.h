/* schedgen/goal/goal_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the readers and writers of GOAL share.
 */
#pragma once

#include "model/cycle_private.h"
#include "sched/goal.h"
#include "sched/rank_source.h"

#define GOAL_MAGIC          UINT64_C(4223)
#define GOAL_MAGIC_CONSUMED UINT64_C(2342) /* a simulator ran in place and destroyed it */
#define GOAL_MAX_INDEX      254            /* of a CPU or NIC: the reference counts in a byte */
/* Ranks that a file may announce without describing them: more is taken for damage. */
#define GOAL_MAX_SILENT_RANKS (UINT32_C(1) << 22)

sim_graph *sched_goal_text_read(const char *name, const char *data, size_t len, bool strict,
                                GError **error);
/** @param mapped the data are a read-only mapping of a file; what has been read is let go */
sim_graph *sched_goal_binary_read(const char *name, const unsigned char *data, size_t len,
                                  bool mapped, GError **error);

/** The tags in GOAL of the messages of a program with communicators. */
typedef struct goal_tags goal_tags;

/**
 * Communicator 0 keeps its tags; a pair of (communicator, tag) of another one keeps its tag where
 * that is free, else it gets the lowest free tag; in order of pairs, so that the same graph gives
 * the same tags. "Any tag" stays, unless it would meet messages of another communicator
 * (goal_any.h). One pass over the program, up to four more if there are other communicators.
 * @return owned by the caller; NULL with SCHED_ERROR_UNSUPPORTED, or an error of the source
 */
goal_tags *sched_goal_tags_new(sched_rank_source *source, GError **error);
/** The tag of a send or receive of @p rank. */
uint32_t sched_goal_tags_find(const goal_tags *tags, uint32_t rank, const sim_op *op);
void sched_goal_tags_free(goal_tags *tags);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(goal_tags, sched_goal_tags_free)

/** The longest calc that GOAL can say, in ns. */
#define GOAL_MAX_NS ((uint64_t)(SIM_TIME_MAX / SIM_NS))

/** Duration of a calc as GOAL has it: ns, rounded to nearest. */
static inline uint64_t goal_ns(sim_time t)
{
    const uint64_t ns = ((uint64_t)t + SIM_NS / 2) / SIM_NS;
    return ns < GOAL_MAX_NS ? ns : GOAL_MAX_NS;
}
