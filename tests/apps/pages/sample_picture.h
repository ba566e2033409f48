/* tests/apps/pages/sample_picture.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file A picture of a run that never was, all of whose numbers follow from a few rules. */
#pragma once

#include "view/picture.h"

enum {
    SAMPLE_PERIOD_US = 50, /* of a lane's slices: compute, send, receive, wait */
    SAMPLE_LANE_STEP = 5,  /* rank of lane i: i * SAMPLE_LANE_STEP */
};

/**
 * @p ranks in a heat map of @p cells by @p cells (a power of two) with an idle wave from rank
 * ranks/2; @p lanes of @p periods periods each. Every 16th period of a lane has a detour of 200 ns,
 * and lane i waits for noise i ns longer in each period: so the last one lost most, and comes
 * first.
 */
/**
 * A ripple for each detour, in the order of slices: the k-th is in the one before, but where k is a
 * multiple of 4; waiting for noise is in that of the last detour before it in its lane. k + 1 waits
 * of 1 us each, until k us.
 */
void sample_picture_add_ripples(app_picture *picture);
/** Blocks of a row each for the ranks of the lanes and for the middle; rows of 64 ranks for all. */
void sample_picture_add_blocks(app_picture *picture);
app_picture *sample_picture_new(uint32_t ranks, uint32_t cells, uint32_t lanes, uint32_t periods);
/** For a picture that shall have none. */
void sample_injection_free(app_picture_injection *injection);
