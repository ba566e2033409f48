/* bench/sc07/ft.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file FT with all jobs of Table 4. */
#pragma once

#include "lab.h"

enum { SC07_FT_ROWS = 3, SC07_FT_COLUMNS = 7 };

/** How the job is scheduled. */
typedef enum {
    SC07_FT_HOPS,     /* between the CPUs of node 0 */
    SC07_FT_BOUND,    /* to the CPU of rank 0 */
    SC07_FT_BOUND_OLD /* the same, with slices of 100 ms */
} sc07_ft_job;

/** Kinds 0, 1, 2: none, full, 10 s on and 5 s off. @return owned by the caller */
sc07_outcome *sc07_ft_do(const sc07_lab *lab, const sc07_set *set, sc07_ft_job job,
                         noise_interference_rule rule);
/** The kind of a cell of Table 4. */
size_t sc07_ft_cell(unsigned row, unsigned column);
/** What the paper has there. */
double sc07_ft_paper(unsigned row, unsigned column);
