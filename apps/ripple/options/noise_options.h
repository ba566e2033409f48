/* apps/ripple/options/noise_options.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The options that say which noise a program is simulated under.
 */
#pragma once

#include "noise/signature.h"
#include "options/options.h"
#include "output/manifest.h"
#include "places/places.h"
#include "sim/time.h"

typedef struct app_noise_options {
    char *noise;
    char *without;
    char *cosched; /* NULL: not given; "": no clock error */
    char *replicas;
    gboolean accept_invalid;
    bool single;          /* one run only: there is no --replicas */
    bool of_study;        /* what is idle in one point may not be in the next: the study looks */
    const char *standard; /* what it is without --noise, then co-scheduled, too; NULL: no noise */
} app_noise_options;

/** What they mean. */
typedef struct app_noise {
    noise_signature *signature; /* owned; no components: no noise */
    bool cosched;               /* co-scheduled runs too */
    bool only_cosched;          /* and no unsynchronized ones */
    bool invalid;               /* of a measurement that is not valid, and was accepted */
    sim_time sigma;             /* clock error of co-scheduling */
    uint32_t replicas;
    const app_places *places; /* borrowed; NULL: each rank on a node of its own */
} app_noise;

/** @param replicas also --replicas; else there is one run */
void app_noise_options_add(app_noise_options *self, bool replicas, app_options *options);
void app_noise_options_clear(app_noise_options *self);
/**
 * @p noise is filled on success; every parameter goes into @p manifest.
 * @param places where ranks are; kept
 * @param sizes [num_sizes] numbers of ranks: noise on ranks that none of them has is an error.
 *   NULL: not known
 */
bool app_noise_options_resolve(const app_noise_options *self, const app_places *places,
                               const uint32_t *sizes, size_t num_sizes, uint64_t seed,
                               app_manifest *manifest, app_noise *noise, GError **error);
/**
 * Where measured noise comes from, as keys: detours-file, -verdict, -length, -runs, -clock,
 * -host, -kernel; detours2-verdict and so on where @p number, from 1, says that it is the second.
 */
void app_noise_add_measurement(const noise_provenance *measurement, unsigned number,
                               app_manifest *manifest);
/** The same of all files of @p signature. */
void app_noise_add_measurements(const noise_signature *signature, app_manifest *manifest);
/** A seed without noise is a mistake: nothing is drawn. */
bool app_noise_check_seed(const app_noise *noise, bool seed_given, GError **error);
void app_noise_clear(app_noise *noise);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_noise, app_noise_clear)
/** Which nodes @p num_ranks ranks are on. */
sim_placement app_noise_placement(const app_noise *noise, uint32_t num_ranks);
/** Cores of a rank, >= 1. */
uint32_t app_noise_threads(const app_noise *noise);
/** Cores of a node, at least what the ranks of one use. */
uint32_t app_noise_cores(const app_noise *noise);
/** Is there anything to inject? */
bool app_noise_is_some(const app_noise *noise);
