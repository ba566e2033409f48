/* noise/extrae.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A Paraver trace that Extrae wrote, laid over what was watched: its marks (libripple-marker.so)
 * say what the node's clock showed at some of its instants. What is written is one Paraver trace:
 * its applications, then the system as another.
 */
#pragma once

#include "noise/activity_trace.h"

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

typedef struct noise_extrae noise_extrae;

/**
 * Check and keep a .prv: header, order of times, every record's place. O(size).
 * @param text is kept
 * @return owned by the caller; NULL with NOISE_ERROR_BAD_FILE naming line and value
 */
noise_extrae *noise_extrae_parse(const char *name, GBytes *text, GError **error);
void noise_extrae_free(noise_extrae *extrae); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_extrae, noise_extrae_free)

/** How its times become those of the trace: origin + scale * time, ns since the trace's origin. */
typedef struct noise_extrae_fit {
    double scale;         /* 1: by one mark alone, or by marks too near each other for a rate */
    int64_t offset_ns;    /* of its instant 0 */
    double most_error_ns; /* of any mark from there */
    size_t marks;
} noise_extrae_fit;

/**
 * Fit by the marks. Its nodes are those of @p trace in the same order.
 * @param to_common from a node's CLOCK_MONOTONIC to the clock of the trace's file; NULL: it is that
 * @return false with NOISE_ERROR_BAD_FILE: no mark, another number of nodes, CPUs that the nodes do
 * not have, or clocks more than 1000 ppm apart
 */
bool noise_extrae_fit_marks(const noise_extrae *extrae, const noise_activity_trace *trace,
                            uint64_t (*to_common)(const void *data, uint32_t node, uint64_t when),
                            const void *data, noise_extrae_fit *out, GError **error);

/**
 * Write both as one. Records of the application that would begin before time 0 begin the trace; the
 * trace's own ranks are left out, since the application is there.
 */
void noise_extrae_write_prv(const noise_extrae *extrae, const noise_extrae_fit *fit,
                            const noise_activity_trace *trace, FILE *out);
/** Names: the trace's, and the events and states of Extrae's @p pcf (NULL: none). */
void noise_extrae_write_pcf(const noise_activity_trace *trace, const char *pcf, FILE *out);
void noise_extrae_write_row(const noise_extrae *extrae, const noise_activity_trace *trace,
                            FILE *out);

G_END_DECLS
