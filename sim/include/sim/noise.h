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

/** A time in which a rank is left alone: work that begins and ends in it takes no longer. */
typedef struct sim_quiet {
    sim_time from;
    sim_time until;
} sim_quiet;

typedef struct sim_noise sim_noise;
struct sim_noise {
    /**
     * W(rank, start, work) of docs/model.md, section 5: the instant by which @p rank,
     * starting at @p start, has received @p work ps of CPU time. The result is >= start + work;
     * work 0 gives start; W is additive. Never fails; called by several threads at once.
     */
    sim_time (*finish)(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work);
    /**
     * The same, and @p quiet becomes such a time, from @p start on, if one is known that @p work
     * fits into; else it stays as it was. May be NULL. Who keeps it need not ask again until it is
     * over.
     */
    sim_time (*finish_quiet)(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work,
                             sim_quiet *quiet);
    /** A hint that @p rank will soon be asked about: bring near what that takes. May be NULL. */
    void (*prefetch)(const sim_noise *noise, uint32_t rank);
    /** Are all ranks told the same? May be false where they are. */
    bool same;
};

G_END_DECLS
