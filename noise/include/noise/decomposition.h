/* noise/decomposition.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The detours of a measurement divided into the sources that they come from: what comes at regular
 * intervals, what the kernel's records name, what is of one length, and the rest. Every detour has
 * one source. docs/noise.md, section 9.
 */
#pragma once

#include "noise/detour_file.h"
#include "noise/detour_statistics.h"

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

/** So many rows a reader can look at: what is smaller is of the rest. */
enum { NOISE_MOST_SOURCES = 12 };

typedef enum {
    NOISE_RHYTHM_PERIODIC,
    NOISE_RHYTHM_BURSTY,    /* gaps scatter 1.5 times as much as their mean, or more */
    NOISE_RHYTHM_RANDOM,    /* like a Poisson process, 0.7 to 1.5 times */
    NOISE_RHYTHM_IRREGULAR, /* less, but without a beat */
    NOISE_RHYTHM_RARE,      /* fewer than 8 on any CPU: nothing can be said */
} noise_rhythm;

typedef struct noise_source {
    char *name;     /* "tick", "every-10.2ms", "about-40us", a class's name, "rest": each once, in
                     * letters that a signature takes */
    char *kind;     /* of the class, or "not known" */
    char *evidence; /* one line: what it is told by */
    size_t count;
    size_t num_cpus; /* that it was seen on */
    double share;    /* of the time of all CPUs, 0..1 */
    double interval; /* ps: time of the CPUs it was seen on, by count */
    double mean;     /* ps: length */
    sim_time median;
    sim_time longest;
    noise_rhythm rhythm;
    double on_beat; /* 0..1: share of its detours that is on the beat of the next five; 0: it has
                       none */
    double period;  /* ps; 0 without a beat, as the next four: mean over CPUs */
    double jitter;  /* ps: standard deviation of the starts about the beat */
    double met;     /* 0..1: share of the beats, of those that are not within a detour of others */
    double false_alarm; /* of the clearest CPU: that starts at random look as regular */
    size_t over_beat;   /* detours of others that cover a beat of it: what came then is in their
                         * length,   not told apart */
} noise_source;

typedef struct noise_decomposition {
    size_t num_sources;    /* <= NOISE_MOST_SOURCES */
    noise_source *sources; /* those with most of the time first, "rest" last */
    size_t num_cpus;
    uint16_t **source; /* [num_cpus][n] which one each detour belongs to */
} noise_decomposition;

/**
 * Divide the detours of @p cpus, which were seen at the same time or one CPU after the other. What
 * takes less than 1 % of the stolen time, and is neither the tick nor named by a class, is of the
 * rest.
 * @param classes [num_classes] what noise_observation.kind points to; may be NULL with 0. Of one
 *   kind "not known" sources are told by rhythm and length alone.
 * @return owned by the caller. O(n log n), and some 0.1 s for each rhythm on each CPU.
 */
noise_decomposition *noise_decompose(const noise_observation *cpus, size_t num_cpus,
                                     const noise_detour_source *classes, size_t num_classes);
void noise_decomposition_free(noise_decomposition *decomposition); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_decomposition, noise_decomposition_free)

G_END_DECLS
