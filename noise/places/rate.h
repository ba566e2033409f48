/* noise/places/rate.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Cores that give less than all of their time. On integers: of the picoseconds before t a core at
 * rate q has given floor(t q), so the picosecond that begins at t is the program's where that
 * number grows. Work is then additive, and never done early or late by more than a picosecond.
 */
#pragma once

#include "detours/model.h"
#include "noise/signature.h"
#include "sim/time.h"

#include <stdint.h>

/** Picoseconds of 0..@p t - 1 that are given. @p gives of NOISE_RATE_WHOLE, 1.. */
static inline sim_time noise_rate_given(uint32_t gives, sim_time t)
{
    return gives == NOISE_RATE_WHOLE ? t : (sim_time)((sim_int128)t * gives / NOISE_RATE_WHOLE);
}

/** When so many have been given: the least t. At most 2 * SIM_TIME_MAX. */
static inline sim_time noise_rate_reached(uint32_t gives, sim_time given)
{
    const sim_int128 t = gives == NOISE_RATE_WHOLE
                             ? (sim_int128)given
                             : ((sim_int128)given * NOISE_RATE_WHOLE + gives - 1) / gives;
    const sim_time latest = 2 * SIM_TIME_MAX;
    return t < latest ? (sim_time)t : latest;
}

/** A rate of the signature, as it is laid over the cores. */
typedef struct noise_rate {
    noise_model_rate what;
    noise_place place;
    sim_time phase; /* where instant 0 of its phases is; beside what is drawn for a core */
} noise_rate;

/** Is it slow at @p pos, counted in a period from its beginning, and for how much longer? */
static inline uint32_t noise_rate_at(const noise_model_rate *r, sim_time pos, sim_time *longer)
{
    *longer = (pos < r->length ? r->length : r->period) - pos;
    return pos < r->length ? r->gives : NOISE_RATE_WHOLE;
}
