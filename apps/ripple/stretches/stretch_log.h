/* apps/ripple/stretches/stretch_log.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * All stretches of a run in a file without a name in $TMPDIR, in some 4 to 8 bytes each, so that
 * those of a few ranks can be had when it is known which. Cheaper than the run once more.
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** A stretch as it was, with the idle time before it. */
typedef struct app_observed_stretch {
    sim_time idle_from;
    sim_time start;
    sim_time end;
    sim_time work;
    sim_time usual_idle; /* before it, of the run without noise */
    uint32_t rank;
    uint32_t op;
    uint32_t cause_rank;
    uint32_t cause_op; /* where that is another rank; else it means nothing */
    uint8_t type;      /* sim_op_type */
} app_observed_stretch;

typedef struct app_stretch_log app_stretch_log;

/** @return owned by the caller */
app_stretch_log *app_stretch_log_new(void);
/** NULL is a no-op. */
void app_stretch_log_free(app_stretch_log *log);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_stretch_log, app_stretch_log_free)

/** Of a rank, in order of time; it begins where the one before ends, at idle_from, or at 0. */
void app_stretch_log_add(app_stretch_log *log, const app_observed_stretch *stretch);

typedef void app_stretch_log_visit(const app_observed_stretch *stretch, void *user);

/**
 * All have been added: visit those of some ranks, of a rank in order of time.
 * @param wanted [num_ranks]
 * @return false: the file system was full, or the file cannot be read; what was visited is not to
 *   be relied on
 */
bool app_stretch_log_read(app_stretch_log *log, const bool *wanted, uint32_t num_ranks,
                          app_stretch_log_visit *visit, void *user);
