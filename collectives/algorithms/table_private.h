/* collectives/algorithms/table_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * All algorithms there are.
 */
#pragma once

#include "algorithms/class_private.h"

/** In the order in which they are listed to the user; ended by NULL. */
extern const coll_algorithm_class *const coll_algorithm_table[];
