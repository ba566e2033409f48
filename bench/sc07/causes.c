/* bench/sc07/causes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * E6: why numbers of ours differ from the paper's: one thing is changed at a time, and it is
 * counted how many of the paper's 21 numbers of Table 4, and of others, come to lie among ours.
 */
#include "experiments.h"
#include "ft.h"
#include "statistic.h"

#include <gsl/gsl_statistics_double.h>

/* Thin, so that all of them take no longer than the experiments: fewer seeds. */
static sc07_lab thinned(const sc07_lab *lab)
{
    sc07_lab thin = *lab;
    thin.seeds = MAX(lab->seeds / 2, 8);
    return thin;
}

/* A way to run and learn Table 4. */
typedef struct variant {
    const char *what;
    double variation; /* of what ranks compute; 0: as everywhere */
    sc07_ft_job job;
    noise_interference_rule rule;
    bool first; /* the rank that is struck alone, not the mean of both */
} variant;

static void try_variant(const sc07_lab *lab, const sc07_report *report, const variant *v)
{
    g_autoptr(sc07_program) program = sc07_program_new(SC07_FT, v->variation);
    g_autoptr(sc07_set) set = sc07_paper_set(program, SC07_FT);
    g_autoptr(sc07_outcome) o = sc07_ft_do(lab, set, v->job, v->rule);
    g_autofree double *m = g_new(double, o->seeds);
    double row[SC07_FT_ROWS];
    unsigned among = 0;
    for (unsigned i = 0; i < SC07_FT_ROWS; i++) {
        row[i] = 0;
        for (unsigned k = 0; k < SC07_FT_COLUMNS; k++) {
            const size_t kind = sc07_ft_cell(i, k);
            if (v->first) {
                sc07_outcome_ranks(o, kind, 0, m);
            } else {
                sc07_outcome_nodes(o, kind, m);
            }
            const double paper = sc07_ft_paper(i, k);
            row[i] += gsl_stats_mean(m, 1, o->seeds) / SC07_FT_COLUMNS;
            among +=
                paper >= gsl_stats_min(m, 1, o->seeds) && paper <= gsl_stats_max(m, 1, o->seeds);
        }
    }
    sc10_note(report->numbers, "E6", v->what, "0.68 0.45 0.17", "%.2f %.2f %.2f, %u of 21", row[0],
              row[1], row[2], among);
}

void sc07_causes(const sc07_lab *lab, const sc07_report *report)
{
    static const variant VARIANTS[] = {
        {"Table 4, rows, numbers among ours: as above", 0, SC07_FT_HOPS, NOISE_LEARNED_GAIN, false},
        {"  what ranks compute varies by 5 %, not 15 %", 0.05, SC07_FT_HOPS, NOISE_LEARNED_GAIN,
         false},
        {"  by 1 %", 0.01, SC07_FT_HOPS, NOISE_LEARNED_GAIN, false},
        {"  K is the smallest that (5) allows", 0, SC07_FT_HOPS, NOISE_LEARNED_PAPER, false},
        {"  by 5 %, and such a K", 0.05, SC07_FT_HOPS, NOISE_LEARNED_PAPER, false},
        {"  the job stays on processor 1's CPU, whose metric it is", 0, SC07_FT_BOUND,
         NOISE_LEARNED_GAIN, true},
        {"  the same, by 5 %, and such a K", 0.05, SC07_FT_BOUND, NOISE_LEARNED_PAPER, true},
        {"  the same with slices of 100 ms", 0.05, SC07_FT_BOUND_OLD, NOISE_LEARNED_PAPER, true}};
    const sc07_lab thin = thinned(lab);
    for (size_t i = 0; i < G_N_ELEMENTS(VARIANTS); i++) {
        try_variant(&thin, report, &VARIANTS[i]);
    }
}
