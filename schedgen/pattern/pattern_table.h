/* schedgen/pattern/pattern_table.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The items of patterns: a row here, and a file each. Whatever has none of these names is a
 * collective.
 */
#pragma once

#include "pattern/pattern_private.h"

#define PATTERN_ITEMS(ROW)                                                                         \
    ROW(calc)                                                                                      \
    ROW(stencil1d)                                                                                 \
    ROW(stencil2d)                                                                                 \
    ROW(stencil3d)                                                                                 \
    ROW(wavefront)                                                                                 \
    ROW(ring)                                                                                      \
    ROW(random)

#define PATTERN_DECLARE(name) extern const pattern_item_class sched_pattern_item_##name;
PATTERN_ITEMS(PATTERN_DECLARE)
#undef PATTERN_DECLARE
extern const pattern_item_class sched_pattern_item_collective;

/** [n] in the order of the rows. */
extern const pattern_item_class *const sched_pattern_item_table[];
extern const size_t sched_pattern_item_table_size;
