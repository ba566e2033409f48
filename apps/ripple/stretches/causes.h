/* apps/ripple/stretches/causes.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which detour made a stretch begin late: from what it waited for, back to what that waited for,
 * until one is found. Also what waited after each of them. docs/view.md, section 2.1.
 */
#pragma once

#include "stretches/stretch_log.h"

/** No stretch. */
#define APP_CAUSES_NONE UINT32_MAX

/** What waited for noise behind a stretch that detours have lengthened. */
typedef struct app_ripple {
    uint64_t waits;
    sim_time waited;   /* sum of their waiting for noise */
    sim_time until;    /* the last of them ended; 0: there are none */
    sim_time absorbed; /* ranks that were late behind it waited less than without noise */
} app_ripple;

typedef struct app_causes {
    uint32_t *after;     /* [n] the last lengthened stretch before, on the way back from there;
                          * APP_CAUSES_NONE: it does not begin late, or none is known */
    uint32_t *relieved;  /* [n] of one that waits less than without noise: which has made its rank
                          * late, after which it is less so; APP_CAUSES_NONE: none, or not known */
    app_ripple *ripples; /* [n] of stretches that are lengthened, and of all that are after them */
} app_causes;

/**
 * @param s [n] all stretches of a run on the first CPU of all ranks, of a rank in order of time;
 *   n < APP_CAUSES_NONE  @param causes for app_causes_clear(). O(n log n).
 */
void app_causes_find(const app_observed_stretch *s, size_t n, uint32_t num_ranks,
                     app_causes *causes);
void app_causes_clear(app_causes *causes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_causes, app_causes_clear)
