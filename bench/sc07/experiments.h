/* bench/sc07/experiments.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The experiments of Tabatabaee and Hollingsworth, SC07, in the simulator. Each adds what the paper
 * prints beside ours, and what must hold; docs/sc07.md.
 */
#pragma once

#include "lab.h"
#include "table.h"

typedef struct sc07_report {
    sc10_table *numbers; /* each number of the paper: is it among ours? */
    sc10_table *rules;   /* what must hold of ours; decides the exit code */
} sc07_report;

typedef void sc07_experiment(const sc07_lab *lab, const sc07_report *report);

sc07_experiment sc07_sequences;  /* E1: tables 1, 2, 5 and 7, figure 3 */
sc07_experiment sc07_ft;         /* E2: tables 3 and 4 */
sc07_experiment sc07_cg;         /* E3: table 6 */
sc07_experiment sc07_pop_node1;  /* E4: table 9 */
sc07_experiment sc07_pop_node2;  /* E5: table 8 */
sc07_experiment sc07_causes;     /* E6: what explains the differences */
sc07_experiment sc07_pop_causes; /* E7: the same of POP */

/** The sets of sequences as the paper chooses them: FT 4, CG 8, POP 10 longer than 50 calls. */
sc07_set *sc07_paper_set(const sc07_program *program, sc07_program_kind kind);

/** A number of the paper, which is of one run, among ours: compatible if it is not beyond them.
 * @param values [n] of our runs */
void sc07_compare(const sc07_report *report, const char *id, const char *what, const char *paper,
                  const double *values, size_t n);

/** What must hold of runs without a job (N), with one (F) and with one that is on and off (O).
 * Kinds 0, 1 and 2 of @p outcome. */
void sc07_check_kinds(const sc07_report *report, const char *id, const char *name,
                      const sc07_outcome *outcome);
/** ILS of runs of kind @p kind goes with the length of sequences: Spearman's rho, at least 0.8. */
void sc07_check_lengths(const sc07_report *report, const char *id, const char *name,
                        const sc07_set *set, const sc07_outcome *outcome, size_t kind);
