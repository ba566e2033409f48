/* sim/noise.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The hook through which noise reaches the engine: "when does work w finish?"
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct sim_noise sim_noise;
struct sim_noise {
    /**
     * W(rank, start, work) of docs/model.md, section 5: the instant by which @p rank,
     * starting at @p start, has received @p work ps of CPU time. The result is >= start + work;
     * work 0 gives start; W is additive. Never fails; called by several threads at once.
     */
    sim_time (*finish)(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work);
    /** A hint that @p rank will soon be asked about: bring near what that takes. May be NULL. */
    void (*prefetch)(const sim_noise *noise, uint32_t rank);
    /** Are all ranks told the same? May be false where they are. */
    bool same;
};

G_END_DECLS
