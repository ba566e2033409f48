/* schedgen/convert/convert_resample.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The computation of copies, drawn from what was recorded: each copy of a rank computes what that
 * rank did, but in another order. docs/conversion.md, section 4.1.
 *
 * A call site is what comes before a computation and after it. Computations of one site that the
 * ranks make at the same time are alike if they take about as long on all ranks; those that are
 * alike are a *set*, in the order in which they were recorded. A copy goes round its sets, and
 * begins in each at the same share of it. So what it computes in all, at which site how long, and
 * what follows on what, are recorded; no value is made up, and nothing is kept for a copy.
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct conv_template;
struct sched_comm;
typedef struct conv_resample conv_resample;

/** The computations of one recorded rank, by set. */
typedef struct conv_series {
    uint32_t num_calcs;
    uint32_t *set;   /* [num_calcs] of each computation, in the order of the template */
    uint32_t *place; /* [num_calcs] in its set */
    uint32_t *first; /* [sets + 1] in size */
    sim_time *size;  /* [num_calcs] */
} conv_series;

conv_resample *sched_convert_resample_new(uint32_t num_records, uint64_t seed);
conv_resample *sched_convert_resample_ref(conv_resample *resample); /* NULL: NULL */
void sched_convert_resample_unref(conv_resample *resample); /* the last one frees; NULL: no-op */

/**
 * Take the computations of a recorded rank; again, instead of those before. Different threads may
 * add different ranks. O(steps)
 */
void sched_convert_resample_add(conv_resample *resample, uint32_t record,
                                const struct conv_template *template,
                                const struct sched_comm *comms);
/**
 * All ranks are there: find the sets. 16 bytes for each computation stay. O(n log n)
 * @return share of the computation, 0..1, of which nothing is alike: it stays where it is
 */
double sched_convert_resample_finish(conv_resample *resample);
bool sched_convert_resample_is_finished(const conv_resample *resample);

/**
 * Where copy @p who begins in its sets in pass @p pass, as a share of 2^32. The record itself is
 * copy 0, which begins at 0: as it was recorded. Any thread. O(1)
 */
uint32_t sched_convert_resample_turn(const conv_resample *resample, uint32_t who, uint32_t pass);

/** The series of all records, once it is finished. Borrowed. */
const conv_series *sched_convert_resample_series(const conv_resample *resample);

/** How long a copy that begins at @p turn computes where its record has computation @p calc. */
static inline sim_time conv_series_size(const conv_series *series, uint32_t calc, uint32_t turn)
{
    const uint32_t set = series->set[calc];
    const uint32_t n = series->first[set + 1] - series->first[set];
    uint32_t place = series->place[calc] + (uint32_t)((uint64_t)turn * n >> 32);
    place -= place >= n ? n : 0;
    return series->size[series->first[set] + place];
}
