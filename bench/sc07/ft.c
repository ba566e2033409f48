/* bench/sc07/ft.c — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file E2: FT. Tables 3 and 4. */
#include "ft.h"
#include "experiments.h"
#include "statistic.h"

#include <gsl/gsl_statistics_double.h>

enum { N, F, O, GRID, ROWS = SC07_FT_ROWS, COLUMNS = SC07_FT_COLUMNS };

static const int ON[ROWS] = {10, 3, 1};
static const int OFF[COLUMNS] = {5, 8, 10, 15, 20, 25, 30};
/* Table 4. */
static const char *const PAPER[ROWS][COLUMNS] = {
    {"0.63", "0.57", "0.84", "0.58", "0.89", "0.7", "0.52"},
    {"0.69", "0.50", "0.44", "0.53", "0.32", "0.36", "0.32"},
    {"0.58", "0.30", "0.10", "0.07", "0.09", "0.03", "0.03"}};

#define JOB "job:4ms:500ms"

/* Slices and stays, and behind ON and OFF where. */
static const struct {
    const char *job;
    const char *place;
} JOBS[] = {[SC07_FT_HOPS] = {JOB, "@node:0"},
            [SC07_FT_BOUND] = {JOB, "@0"},
            [SC07_FT_BOUND_OLD] = {"job:100ms:500ms", "@0"}};

size_t sc07_ft_cell(unsigned row, unsigned column)
{
    return GRID + (size_t)row * COLUMNS + column;
}

double sc07_ft_paper(unsigned row, unsigned column)
{
    return g_ascii_strtod(PAPER[row][column], NULL);
}

sc07_outcome *sc07_ft_do(const sc07_lab *lab, const sc07_set *set, sc07_ft_job job,
                         noise_interference_rule rule)
{
    const char *name = JOBS[job].job;
    const char *place = JOBS[job].place;
    g_autofree char *full = g_strconcat(name, place, NULL);
    g_autofree char *some = g_strconcat(name, ":10s:5s", place, NULL);
    sc07_kind kinds[GRID + ROWS * COLUMNS] = {
        [N] = {NULL, NULL}, [F] = {full, NULL}, [O] = {some, NULL}};
    char *text[ROWS * COLUMNS];
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        text[i] = g_strdup_printf("%s:%ds:%ds%s", name, ON[i / COLUMNS], OFF[i % COLUMNS], place);
        kinds[GRID + i].noise = text[i];
    }
    const sc07_plan plan = {.set = set,
                            .lesson = full,
                            .kinds = kinds,
                            .num_kinds = G_N_ELEMENTS(kinds),
                            .rule = rule,
                            .stream = 200};
    sc07_outcome *o = sc07_lab_do(lab, &plan);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        g_free(text[i]);
    }
    return o;
}

static void compare_grid(const sc07_report *report, const sc07_outcome *o, double mean[][COLUMNS])
{
    g_autofree double *m = g_new(double, o->seeds);
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < COLUMNS; k++) {
            sc07_outcome_nodes(o, sc07_ft_cell((unsigned)i, (unsigned)k), m);
            mean[i][k] = gsl_stats_mean(m, 1, o->seeds);
            g_autofree char *what =
                g_strdup_printf("Table 4: FT, %d s on, %d s off (mean %.3f, deviation %.3f)", ON[i],
                                OFF[k], mean[i][k], gsl_stats_sd(m, 1, o->seeds));
            sc07_compare(report, "E2", what, PAPER[i][k], m, o->seeds);
        }
    }
}

static void check_grid(const sc07_report *report, double mean[][COLUMNS])
{
    double row[ROWS];
    double least = 1;
    for (int i = 0; i < ROWS; i++) {
        row[i] = gsl_stats_mean(mean[i], 1, COLUMNS);
        least = MIN(least, gsl_stats_min(mean[i], 1, COLUMNS));
    }
    double late = 0;
    for (int k = 4; k < COLUMNS; k++) {
        late = MAX(late, mean[2][k]);
    }
    sc10_check_that(report->rules, "E2", "FT: means of table 4 are above 0", "all", least > 0,
                    "least %.3f", least);
    sc10_check_that(report->rules, "E2", "FT: rows of table 4 in order, 10 s > 3 s > 1 s",
                    "0.68 0.45 0.17", row[0] > row[1] && row[1] > row[2], "%.2f %.2f %.2f", row[0],
                    row[1], row[2]);
    sc10_check_between(report->rules, "E2", "FT: largest mean at 1 s on, 20 s off and more", "0.09",
                       late, 0, 0.15, "");
    sc10_check_between(report->rules, "E2", "FT: m(1 s on, 30 s off) / m(10 s on, 5 s off)", "0.05",
                       mean[2][COLUMNS - 1] / mean[0][0], 0, 0.25, "");
}

/* Whom the job does not strike: their thresholds are learned with it on their node. */
static void check_others(const sc07_lab *lab, const sc07_report *report, const sc07_set *set)
{
    const sc07_kind elsewhere = {JOB "@node:0", NULL};
    const sc07_plan plan = {.set = set,
                            .rule = NOISE_LEARNED_GAIN,
                            .node = 5,
                            .lesson = JOB "@node:5",
                            .kinds = &elsewhere,
                            .num_kinds = 1,
                            .stream = 201};
    g_autoptr(sc07_outcome) o = sc07_lab_do(lab, &plan);
    g_autofree double *m = g_new(double, (gsize)2 * lab->seeds);
    sc07_outcome_ranks(o, 0, 0, m);
    sc07_outcome_ranks(o, 0, 1, m + lab->seeds);
    sc10_check_between(report->rules, "E2",
                       "FT, F: metrics of ranks 10 and 11, job on node 0, 95th percentile", "0",
                       sc07_quantile(m, (size_t)2 * lab->seeds, 0.95), 0, 0.10, "");
}

/* The argmax of the paper's (5), where several K do as well: the smallest. */
static void note_first(const sc07_lab *lab, const sc07_report *report, const sc07_set *set)
{
    const sc07_kind kinds[] = {{NULL, NULL}, {JOB "@node:0", NULL}};
    const sc07_plan plan = {.set = set,
                            .lesson = JOB "@node:0",
                            .kinds = kinds,
                            .num_kinds = 2,
                            .rule = NOISE_LEARNED_PAPER,
                            .stream = 200};
    g_autoptr(sc07_outcome) o = sc07_lab_do(lab, &plan);
    g_autofree double *m = g_new(double, o->seeds);
    for (size_t i = 0; i < 2; i++) {
        sc07_outcome_nodes(o, i, m);
        const sc10_estimate e = sc07_range(m, o->seeds);
        sc10_note(report->numbers, "E2",
                  i == 0 ? "FT, N, K by (5), smallest of equals" : "FT, F, K by (5)",
                  i == 0 ? "0" : "0.324", "%.3f (%.3f .. %.3f)", e.value, e.low, e.high);
    }
}

void sc07_ft(const sc07_lab *lab, const sc07_report *report)
{
    g_autoptr(sc07_program) program = sc07_program_new(SC07_FT, 0);
    g_autoptr(sc07_set) set = sc07_paper_set(program, SC07_FT);
    g_autoptr(sc07_outcome) o = sc07_ft_do(lab, set, SC07_FT_HOPS, NOISE_LEARNED_GAIN);
    static const char *const TABLE3[] = {"0", "0.324", "0.1284"};
    static const char *const WHAT[] = {"Table 3: FT-N", "Table 3: FT-F", "Table 3: FT-O"};
    g_autofree double *m = g_new(double, o->seeds);
    for (size_t i = N; i <= O; i++) {
        sc07_outcome_nodes(o, i, m);
        sc07_compare(report, "E2", WHAT[i], TABLE3[i], m, o->seeds);
    }
    double mean[ROWS][COLUMNS];
    compare_grid(report, o, mean);
    sc07_check_kinds(report, "E2", "FT", o);
    sc07_check_lengths(report, "E2", "FT", set, o, F);
    check_grid(report, mean);
    check_others(lab, report, set);
    note_first(lab, report, set);
}
