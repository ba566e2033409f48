/* apps/tracer/live/mine_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Synopses on their way: to files, and from rank to rank. */
#pragma once

#include "synopsis/synopsis.h"

#include <stdbool.h>

/** Write mine.RANK, whole or not at all. @return false: could not; said the first time */
bool tracer_mine_file_write(const noise_synopsis *synopsis, int rank);
/** Remove it. */
void tracer_mine_file_drop(int rank);
/**
 * Rank 0 gets the synopses of all ranks and writes mine.synopsis; cleared everywhere. Along a
 * binomial tree, so that no rank gets more than log2 messages. Collective.
 * @return false: could not; said
 */
bool tracer_mine_file_unite(noise_synopsis *synopsis);
