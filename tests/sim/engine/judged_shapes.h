/* tests/sim/engine/judged_shapes.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Kinds of random programs on which the engine is held against the judge, by what they try.
 */
#pragma once

#include "random_program.h"

/* What every kind has, but for what it changes. */
#define JUDGED_SHAPE                                                                               \
    .max_ranks = 12, .max_steps = 40, .max_cpus = 3, .max_nics = 3, .max_size = 60, .max_calc = 5000

static const random_shape SHAPE_PLAIN = {JUDGED_SHAPE};

static inline random_shape shape_of_wildcards(random_shape shape)
{
    shape.wildcards = true;
    return shape;
}

/* Some get stuck. */
static inline random_shape shape_of_competing_wildcards(random_shape shape)
{
    shape.loose = true;
    shape.max_ranks = 4;
    return shape;
}

static inline random_shape shape_of_blocking(random_shape shape)
{
    shape.blocking = true;
    return shape;
}

/* Work of one CPU goes on while messages wake the others: thousands of windows ahead. */
static inline random_shape shape_of_narrow_windows(random_shape shape)
{
    shape.narrow = true;
    shape.max_ranks = 5;
    shape.max_calc = 20000;
    return shape;
}

/* Sends are held, released by lower and by higher ranks, and go on, all at the same instants. */
static inline random_shape shape_of_few_instants(random_shape shape)
{
    shape.unit = 500;
    shape.max_size = 4;
    shape.max_calc = shape.wildcards ? 1500 : 3000;
    return shape;
}

/* The lists of what two ranks wait for outgrow their first place. */
static inline random_shape shape_of_spilling_lists(random_shape shape)
{
    shape.wildcards = true;
    shape.max_ranks = 3;
    shape.max_steps = 60;
    shape.max_size = 4;
    shape.max_calc = 5;
    return shape;
}

static inline random_shape shape_of_all_waiting(random_shape shape, uint32_t max_steps)
{
    shape.all_at_once = true;
    shape.max_ranks = 4;
    shape.max_steps = max_steps;
    shape.max_calc = 50;
    return shape;
}

/* Something follows what waits. */
static inline random_shape shape_of_sparse_programs(random_shape shape)
{
    shape.sparse = true;
    shape.unit = 500;
    shape.max_ranks = 4;
    shape.max_steps = 300;
    shape.max_size = 4;
    shape.max_calc = 3000;
    return shape;
}

/* As nearly all programs: all sends of a rank wait for the same CPU and interface. */
static inline random_shape shape_of_one_cpu(random_shape shape)
{
    shape.max_cpus = 1;
    shape.max_nics = 1;
    return shape;
}
