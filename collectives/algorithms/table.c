/* collectives/algorithms/table.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_flow. */
#include "algorithms/table_private.h"

#include <stddef.h>

/* One row for each file of an algorithm: it defines coll_<row>_class. */
#define ALGORITHMS(ROW)                                                                            \
    ROW(linear)                                                                                    \
    ROW(binomial)                                                                                  \
    ROW(binomial_far)                                                                              \
    ROW(dissemination)                                                                             \
    ROW(recursive_doubling)                                                                        \
    ROW(recursive_halving)                                                                         \
    ROW(ring)                                                                                      \
    ROW(bruck)                                                                                     \
    ROW(pairwise)                                                                                  \
    ROW(scatter_allgather)                                                                         \
    ROW(composite)                                                                                 \
    ROW(knomial)

#define DECLARATION(row) extern const coll_algorithm_class coll_##row##_class;
#define ADDRESS(row)     &coll_##row##_class,

ALGORITHMS(DECLARATION)

const coll_algorithm_class *const coll_algorithm_table[] = {ALGORITHMS(ADDRESS) NULL};
