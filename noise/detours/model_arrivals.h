/* noise/detours/model_arrivals.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * When the detours of a model begin: each detour once, with a length that the model draws.
 * docs/noise.md, section 3.
 */
#pragma once

#include "detours/model.h"

#include <glib.h>

typedef struct noise_arrival {
    sim_time start; /* in 0..period - 1 */
    sim_time length;
    size_t model;  /* which, so that ties are served in the order of the text */
    size_t number; /* among all of the trace; where some of them are left out, or stay */
    uint64_t stay; /* detours of one model with the same one strike the same core at the place
                    * "node"; 0: it strikes a core of its own */
} noise_arrival;

struct noise_arrivals {
    GArray *list; /* of noise_arrival */
    sim_time period;
    uint64_t seed;
    size_t model; /* the one that is placed */
    bool alone;   /* there is no other */
};

void noise_arrivals_add(noise_arrivals *arrivals, sim_time start, sim_time length);
/** One of a stay, > 0: detours of a stay follow one another. */
void noise_arrivals_add_to(noise_arrivals *arrivals, sim_time start, sim_time length,
                           uint64_t stay);
/** One detour every interval, from 0 on if it is alone, else from a random phase on; the phase has
 * the counter 0, the lengths those from 1 on. */
void noise_arrivals_every(const noise_model *model, noise_arrivals *out);
/** A Poisson process of mean gap interval; its points have the even counters, the lengths the odd
 * ones. */
void noise_arrivals_at_random(const noise_model *model, noise_arrivals *out);

/** A length that was computed, as it is drawn: at least 1 ps, at most @p longest. */
sim_time noise_arrivals_length(double length, sim_time longest);

/** Of models whose detours all have the same length, which is their second parameter. */
double noise_arrivals_share_of_one_length(const noise_model *model);
sim_time noise_arrivals_one_length(const noise_model *model, uint64_t seed, uint64_t counter,
                                   sim_time longest);
