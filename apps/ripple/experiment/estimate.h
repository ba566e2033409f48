/* apps/ripple/experiment/estimate.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a long experiment will take, said before it begins: it is run at a small size and timed.
 */
#pragma once

#include "experiment/experiment.h"

typedef struct app_estimate {
    double ns;       /* per operation of a run, measured */
    uint32_t ranks;  /* the size at which it was */
    uint32_t runs;   /* that were timed together */
    uint64_t memory; /* of the process, bytes */
} app_estimate;

/** Time @p experiment at a size not above its largest. Takes a second or so. */
bool app_estimate_measure(const app_experiment *experiment, app_estimate *estimate, GError **error);

/**
 * How much longer an operation takes at @p ranks than at the smaller size where it was measured:
 * data that have left the caches. bench/README.md, "Estimates".
 */
double app_estimate_growth(const app_estimate *estimate, uint32_t ranks);

/**
 * Say on standard error what @p experiment will take, if that is long, it can be had at other sizes
 * and is not to be quiet. An error says that it does not fit.
 */
bool app_estimate_announce(const app_experiment *experiment, GError **error);

/** "80 s", "12 min", "1.5 h". Owned by the caller. */
char *app_estimate_format_time(double seconds);
/** "1.2 GiB", "34 MiB". Owned by the caller. */
char *app_estimate_format_bytes(double bytes);
