/* bench/sc07/pop_causes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * E7: why numbers of ours for POP are above the paper's: one thing is changed at a time, with the
 * job on the second node. docs/sc07.md, section 4.
 */
#include "experiments.h"
#include "statistic.h"

/* A way to run and learn POP; what is 0 is as everywhere. */
typedef struct variant {
    const char *what;
    const char *job; /* slice and stay */
    sc07_shape shape;
    bool as_paper; /* learned from one run of each kind, K the smallest that (5) allows */
    bool bound;    /* the job never leaves the CPU of processor 4 */
} variant;

#define NEW "job:4ms:500ms"
#define OLD "job:100ms:500ms"

/* The first is what the others are compared with. */
static const variant VARIANTS[] = {
    {.what = "Table 8: as above", .job = NEW},
    {.what = "  slices of 100 ms, not 4 ms", .job = OLD},
    {.what = "  the job stays on a CPU for 10 s, not 1 s", .job = "job:4ms:5s"},
    {.what = "  it never leaves processor 4's", .job = NEW, .bound = true},
    {.what = "  what ranks compute varies by 100 %, not 15 %", .job = NEW, .shape.variation = 1},
    {.what = "  what varies a lot does so by 80 %, not 40 %", .job = NEW, .shape.uneven = 0.8},
    {.what = "  ranks have N(1, 0.4) of the ocean", .job = NEW, .shape.land = 0.4},
    {.what = "  one run of each kind to learn from, smallest K", .job = NEW, .as_paper = true},
    {.what = "  solvers compute 1/100", .job = NEW, .shape.solvers = 0.01},
    {.what = "  solvers 1/1000", .job = NEW, .shape.solvers = 0.001},
    {.what = "  solvers 1/10, slices of 100 ms", .job = OLD, .shape.solvers = 0.1},
    {.what = "  solvers 1/100, slices of 100 ms", .job = OLD, .shape.solvers = 0.01},
};

enum { N1, F1, F2, O2, KINDS, SEEDS = 8, FOURTH = 3 };

/* Mean of what an occurrence of a sequence computes on processor 4, ms. */
static double mean_sample(const sc07_samples *run, uint32_t sequence)
{
    const sc07_series *s = &run->series[sequence];
    double sum = 0;
    for (uint32_t t = 0; t < s->n; t++) {
        sum += (double)s->sample[(size_t)FOURTH * s->n + t].compute / (double)SIM_MS;
    }
    return sum / s->n;
}

/* Of ten sequences, for a processor and a lesson. */
static double mean_used(const sc07_outcome *o)
{
    unsigned used = 0;
    for (unsigned i = 0; i < o->seeds; i++) {
        for (uint32_t l = 0; l < o->rating[i].num; l++) {
            used += o->rating[i].used[0][l] + o->rating[i].used[1][l];
        }
    }
    return (double)used / (SC07_RATED * o->seeds);
}

static void note(const sc07_report *report, const variant *v, const sc07_outcome *o,
                 const sc07_samples *run)
{
    g_autoptr(GString) ours = g_string_new(NULL);
    g_autofree double *m = g_new(double, o->seeds);
    for (size_t i = 0; i < KINDS; i++) {
        sc07_outcome_nodes(o, i, m);
        const sc10_estimate e = sc07_range(m, o->seeds);
        g_string_append_printf(ours, "%.2f (%.2f .. %.2f) ", e.value, e.low, e.high);
    }
    g_autofree char *what =
        g_strdup_printf("%s: %.1f to %.1f ms an occurrence, %.1f sequences used", v->what,
                        mean_sample(run, run->num - 1), mean_sample(run, 0), mean_used(o));
    sc10_note(report->numbers, "E7", what, "N F1 F2 O2: 0 0.086 0.324 0.128", "%s", ours->str);
}

static void try_variant(const sc07_lab *lab, const sc07_report *report, const variant *v)
{
    g_autoptr(sc07_program) program = sc07_program_new_shaped(SC07_POP, &v->shape);
    g_autoptr(sc07_program) other = sc07_program_new_shaped(SC07_POP_SHORT, &v->shape);
    g_autoptr(sc07_set) set = sc07_paper_set(program, SC07_POP);
    const char *place = v->bound ? "@3" : "@node:1";
    g_autofree char *full = g_strconcat(v->job, place, NULL);
    g_autofree char *some = g_strconcat(v->job, ":10s:5s", place, NULL);
    const sc07_kind kinds[KINDS] = {
        [N1] = {NULL, NULL}, [F1] = {full, NULL}, [F2] = {full, other}, [O2] = {some, other}};
    const sc07_plan plan = {.set = set,
                            .node = 1,
                            .lesson = full,
                            .rule = v->as_paper ? NOISE_LEARNED_PAPER : NOISE_LEARNED_GAIN,
                            .one_each = v->as_paper,
                            .kinds = kinds,
                            .num_kinds = KINDS,
                            .stream = 401};
    g_autoptr(sc07_outcome) o = sc07_lab_do(lab, &plan);
    sc07_samples *run = sc07_lab_run(lab, &plan, 0, N1);
    note(report, v, o, run);
    sc07_samples_free(run);
}

void sc07_pop_causes(const sc07_lab *lab, const sc07_report *report)
{
    sc07_lab thin = *lab;
    thin.seeds = SEEDS; /* so that all of it takes minutes */
    for (size_t i = 0; i < G_N_ELEMENTS(VARIANTS); i++) {
        try_variant(&thin, report, &VARIANTS[i]);
    }
}
