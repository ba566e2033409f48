/* noise/nit/nit_records.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "nit/nit_format.h"
#include "noise/nit.h"

/** What has been read of a file. */
typedef struct noise_nit_contents {
    noise_nit_node node;
    GArray *threads;    /* of noise_nit_thread */
    GArray *activities; /* of noise_nit_activity */
    GArray *goes_on;    /* of uint32_t: thread -> 1 + index of the activity that may continue */
    GArray *lines;      /* of noise_nit_line */
    GArray *interrupts; /* of noise_nit_interrupts */
    GArray *steals;     /* of noise_nit_steal */
    GArray *markers;    /* of noise_nit_marker */
    GArray *clocks;     /* of noise_nit_clocks */
    nit_seen seen;      /* sums */
} noise_nit_contents;

void noise_nit_contents_init(noise_nit_contents *contents);
void noise_nit_contents_clear(noise_nit_contents *contents);
/** Take the payload of a frame. @return NULL, or what is wrong with it (static) */
const char *noise_nit_contents_take(noise_nit_contents *contents, nit_frame_kind kind,
                                    nit_cursor *c);
/** All that was taken, sorted; @p contents is empty then. */
noise_nit *noise_nit_contents_finish(noise_nit_contents *contents);
