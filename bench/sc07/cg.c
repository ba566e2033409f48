/* bench/sc07/cg.c — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file E3: CG. Table 6. */
#include "experiments.h"
#include "statistic.h"

enum { N, F, O, F2, N2, KINDS };

void sc07_cg(const sc07_lab *lab, const sc07_report *report)
{
    static const sc07_kind kinds[KINDS] = {[N] = {NULL, NULL},
                                           [F] = {"job:4ms:500ms@node:0", NULL},
                                           [O] = {"job:4ms:500ms:10s:5s@node:0", NULL},
                                           [F2] = {"job:4ms:500ms@node:0", NULL},
                                           [N2] = {NULL, NULL}};
    static const char *const TABLE6[KINDS] = {"0", "0.78", "0.61", "0.77", "0"};
    static const char *const WHAT[KINDS] = {"Table 6: CG-N-1", "Table 6: CG-F-1", "Table 6: CG-O-1",
                                            "Table 6: CG-F-2", "Table 6: CG-N-2"};
    g_autoptr(sc07_program) program = sc07_program_new(SC07_CG, 0);
    g_autoptr(sc07_set) set = sc07_paper_set(program, SC07_CG);
    const sc07_plan plan = {.set = set,
                            .rule = NOISE_LEARNED_GAIN,
                            .lesson = "job:4ms:500ms@node:0",
                            .kinds = kinds,
                            .num_kinds = KINDS,
                            .stream = 300};
    g_autoptr(sc07_outcome) o = sc07_lab_do(lab, &plan);
    g_autofree double *m = g_new(double, o->seeds);
    g_autofree double *again = g_new(double, o->seeds);
    for (size_t i = 0; i < KINDS; i++) {
        sc07_outcome_nodes(o, i, m);
        sc07_compare(report, "E3", WHAT[i], TABLE6[i], m, o->seeds);
    }
    sc07_check_kinds(report, "E3", "CG", o);
    sc07_check_lengths(report, "E3", "CG", set, o, F);
    sc07_outcome_nodes(o, F, m);
    sc07_outcome_nodes(o, F2, again);
    for (unsigned i = 0; i < o->seeds; i++) {
        m[i] = ABS(m[i] - again[i]);
    }
    sc10_check_estimate(report->rules, "E3", "CG: |F1 - F2| of two runs, mean", "0.01",
                        sc07_mean(m, o->seeds), 0, 0.1, "");
}
