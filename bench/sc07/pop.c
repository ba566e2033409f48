/* bench/sc07/pop.c — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file E4 and E5: POP, with the job on the first node and on the second. Tables 9 and 8. */
#include "experiments.h"
#include "statistic.h"

#include <gsl/gsl_statistics_double.h>

/* The configuration that was learned, and the other one. */
enum { N1, F1, O1, N2, F2, O2, BOUND, KINDS };

/* The paper's fifth and ninth sequence, from 0. */
enum { FIFTH = 4, NINTH = 8 };

#define JOB "job:4ms:500ms"

typedef struct pop {
    sc07_program *program;
    sc07_program *other;
    sc07_set *set;
} pop;

static pop pop_new(void)
{
    pop p = {.program = sc07_program_new(SC07_POP, 0),
             .other = sc07_program_new(SC07_POP_SHORT, 0)};
    p.set = sc07_paper_set(p.program, SC07_POP);
    return p;
}

static void pop_clear(pop *p)
{
    sc07_set_free(p->set);
    sc07_program_free(p->program);
    sc07_program_free(p->other);
}

static sc07_outcome *rate(const sc07_lab *lab, const pop *p, uint32_t node)
{
    g_autofree char *full = g_strdup_printf(JOB "@node:%u", node);
    g_autofree char *some = g_strdup_printf(JOB ":10s:5s@node:%u", node);
    g_autofree char *bound = g_strdup_printf(JOB "@%u", 2 * node + 1);
    const sc07_kind kinds[KINDS] = {
        [N1] = {NULL, NULL},     [F1] = {full, NULL},     [O1] = {some, NULL},
        [N2] = {NULL, p->other}, [F2] = {full, p->other}, [O2] = {some, p->other},
        [BOUND] = {bound, NULL}};
    const sc07_plan plan = {.set = p->set,
                            .rule = NOISE_LEARNED_GAIN,
                            .node = node,
                            .lesson = full,
                            .kinds = kinds,
                            .num_kinds = KINDS,
                            .stream = 400 + node};
    return sc07_lab_do(lab, &plan);
}

/* In how many lessons a sequence is used for one of the two ranks. */
static unsigned lessons_with(const sc07_outcome *o, uint32_t which, uint32_t sequence)
{
    unsigned n = 0;
    for (unsigned i = 0; i < o->seeds; i++) {
        n += o->rating[i].used[which][sequence];
    }
    return n;
}

static double mean_gain(const sc07_outcome *o, uint32_t which, uint32_t sequence)
{
    double sum = 0;
    for (unsigned i = 0; i < o->seeds; i++) {
        sum += o->rating[i].gain[which][sequence];
    }
    return sum / o->seeds;
}

/* Least and most of the sequences, without the fifth and the ninth. */
static void range_of_others(const sc07_outcome *o, uint32_t which, double *least, double *most)
{
    *least = 1;
    *most = 0;
    for (uint32_t l = 0; l < o->rating[0].num; l++) {
        if (l != FIFTH && l != NINTH) {
            *least = MIN(*least, mean_gain(o, which, l));
            *most = MAX(*most, mean_gain(o, which, l));
        }
    }
}

static void check_first_rank(const sc07_report *report, const sc07_outcome *o)
{
    double least;
    double most;
    range_of_others(o, 0, &least, &most);
    const double fifth = mean_gain(o, 0, FIFTH);
    const double ninth = mean_gain(o, 0, NINTH);
    sc10_check_that(report->rules, "E4",
                    "POP, processor 1: sequences 5 and 9 tell most of all (gain in learning)",
                    "most effective", MIN(fifth, ninth) > most, "%.2f, %.2f; others to %.2f", fifth,
                    ninth, most);
}

static void compare_first_rank(const sc07_report *report, const sc07_outcome *o)
{
    static const size_t KIND[] = {F1, F2, O2, N1, N2};
    static const char *const TABLE9[] = {"0.23", "0.25", "0.19", "0.01", "0.01"};
    static const char *const WHAT[] = {
        "Table 9: PPN1-F-1, processor 1", "Table 9: PPN1-F-2, processor 1",
        "Table 9: PPN1-O-2, processor 1", "Table 9: PPN1-N-1, processor 1",
        "Table 9: PPN1-N-2, processor 1"};
    g_autofree double *m = g_new(double, o->seeds);
    for (size_t i = 0; i < G_N_ELEMENTS(KIND); i++) {
        sc07_outcome_ranks(o, KIND[i], 0, m);
        sc07_compare(report, "E4", WHAT[i], TABLE9[i], m, o->seeds);
    }
}

void sc07_pop_node1(const sc07_lab *lab, const sc07_report *report)
{
    pop p = pop_new();
    g_autoptr(sc07_outcome) o = rate(lab, &p, 0);
    compare_first_rank(report, o);
    sc07_check_kinds(report, "E4", "POP, node 1", o);
    double mean[KINDS];
    g_autofree double *m = g_new(double, o->seeds);
    for (size_t i = 0; i < KINDS; i++) {
        sc07_outcome_ranks(o, i, 0, m);
        mean[i] = gsl_stats_mean(m, 1, o->seeds);
    }
    const double none = MAX(mean[N1], mean[N2]);
    const double job = MIN(MIN(mean[F1], mean[O1]), MIN(mean[F2], mean[O2]));
    sc10_check_that(report->rules, "E4", "POP, processor 1: means of F and O at least ten times N",
                    "0.19 / 0.01", job >= 10 * none && job > 0, "%.3f, %.4f", job, none);
    check_first_rank(report, o);
    pop_clear(&p);
}

static void compare_second_node(const sc07_report *report, const sc07_outcome *o)
{
    static const size_t KIND[] = {F1, F2, O2, N1, N2};
    static const char *const TABLE8[] = {"0.086", "0.324", "0.1284", "0", "0"};
    static const char *const WHAT[] = {"Table 8: PPN2-F-1", "Table 8: PPN2-F-2",
                                       "Table 8: PPN2-O-2", "Table 8: PPN2-N-1",
                                       "Table 8: PPN2-N-2"};
    g_autofree double *m = g_new(double, o->seeds);
    for (size_t i = 0; i < G_N_ELEMENTS(KIND); i++) {
        sc07_outcome_nodes(o, KIND[i], m);
        sc07_compare(report, "E5", WHAT[i], TABLE8[i], m, o->seeds);
    }
}

static void check_other_configuration(const sc07_report *report, const sc07_outcome *o)
{
    g_autofree double *full = g_new(double, o->seeds);
    g_autofree double *some = g_new(double, o->seeds);
    g_autofree double *none = g_new(double, o->seeds);
    sc07_outcome_nodes(o, F2, full);
    sc07_outcome_nodes(o, O2, some);
    sc07_outcome_nodes(o, N2, none);
    sc10_check_between(report->rules, "E5", "POP, node 2, K of 40 steps: F2 above O2, p", "F2 > O2",
                       sc07_rank_sum(full, o->seeds, some, o->seeds), 0, 0.05, "");
    sc10_check_between(report->rules, "E5", "POP, node 2, K of 40 steps: O2 above N2, p", "O2 > N2",
                       sc07_rank_sum(some, o->seeds, none, o->seeds), 0, 0.05, "");
    sc10_check_between(report->rules, "E5", "POP, node 2, K of 40 steps: N2, median", "0",
                       sc07_quantile(none, o->seeds, 0.5), 0, 0, "");
}

/* Processor 4 has the job all the time, processor 3 never. */
static void check_bound(const sc07_report *report, const sc07_outcome *o)
{
    g_autofree double *third = g_new(double, o->seeds);
    g_autofree double *fourth = g_new(double, o->seeds);
    sc07_outcome_ranks(o, BOUND, 0, third);
    sc07_outcome_ranks(o, BOUND, 1, fourth);
    sc10_check_between(report->rules, "E5",
                       "POP, job on processor 4's CPU: processor 3, 95th percentile", "0",
                       sc07_quantile(third, o->seeds, 0.95), 0, 0.10, "");
    sc10_check_between(report->rules, "E5",
                       "POP, job on processor 4's CPU: processor 4, 5th percentile", "> 0",
                       sc07_quantile(fourth, o->seeds, 0.05), 0.10, 1, "");
}

static void check_dropped(const sc07_report *report, const sc07_outcome *o)
{
    double least[SC07_RATED];
    double most[SC07_RATED];
    double worst = 0; /* gain of the fifth and the ninth against the least of the others */
    for (uint32_t i = 0; i < SC07_RATED; i++) {
        range_of_others(o, i, &least[i], &most[i]);
        worst = MAX(worst, MAX(mean_gain(o, i, FIFTH), mean_gain(o, i, NINTH)) / least[i]);
    }
    sc10_check_between(report->rules, "E5",
                       "POP, node 2: gain of sequences 5 and 9 / the least of the others",
                       "close to 0", worst, 0, 0.5, "");
    const unsigned dropped = 2 * o->seeds - lessons_with(o, 0, FIFTH) - lessons_with(o, 1, FIFTH);
    const unsigned too = 2 * o->seeds - lessons_with(o, 0, NINTH) - lessons_with(o, 1, NINTH);
    sc10_note(report->numbers, "E5", "POP, node 2: lessons that drop sequence 5, and 9",
              "both dropped", "%u, %u of %u", dropped, too, 2 * o->seeds);
}

void sc07_pop_node2(const sc07_lab *lab, const sc07_report *report)
{
    pop p = pop_new();
    g_autoptr(sc07_outcome) o = rate(lab, &p, 1);
    compare_second_node(report, o);
    sc07_check_kinds(report, "E5", "POP, node 2", o);
    check_other_configuration(report, o);
    check_bound(report, o);
    check_dropped(report, o);
    pop_clear(&p);
}
