/* sched/growth.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How a recorded program becomes one of more ranks in another way than by copies side by side:
 * which recorded rank each rank follows, and who its partners are there. The conversion and the
 * replay ask; who knows how is above them (sched/regrid.h).
 */
#pragma once

#include "sched/convert.h"

struct conv_template;

typedef struct sched_growth_class {
    void (*free)(sched_growth *growth);
    /** The recorded rank that @p rank follows. */
    uint32_t (*record)(const sched_growth *growth, uint32_t rank);
    /** The partner of @p rank in direction @p way: what adapt() made of a step's peer. */
    uint32_t (*peer)(const sched_growth *growth, uint32_t rank, uint32_t way);
    /** The number of @p rank in its communicator that spans @p span (conv_coll.span). */
    uint32_t (*place)(const sched_growth *growth, uint32_t rank, uint32_t span);
    /** The rank that has number @p place there. */
    uint32_t (*member)(const sched_growth *growth, uint32_t rank, uint32_t span, uint32_t place);
    /**
     * From what the recorded rank did to what every rank does that follows it: peers become ways,
     * collectives get their size, root and span; messages that do not grow are left out.
     */
    void (*adapt)(const sched_growth *growth, uint32_t record, struct conv_template *template);
} sched_growth_class;

struct sched_growth {
    const sched_growth_class *methods;
    uint32_t num_ranks;
};
