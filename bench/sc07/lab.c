/* bench/sc07/lab.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_lab. */
#include "lab.h"

#include "noise/random.h"

#include <math.h>

typedef struct work {
    const sc07_lab *lab;
    const sc07_plan *plan;
    sc07_outcome *outcome;
} work;

/* Runs of one repetition: those that are learned from, then one of each kind. */
enum { LESSONS = SC07_CLEAN_RUNS + SC07_DISTURBED_RUNS };

static sc07_samples *run_of(const sc07_lab *lab, const sc07_plan *plan, unsigned repetition,
                            unsigned run, sc07_kind kind)
{
    sc07_set set = *plan->set;
    set.program = kind.program != NULL ? kind.program : set.program;
    const sc07_scene scene = {
        noise_random_u64(lab->seed, plan->stream, (uint64_t)repetition << 32 | run), kind.noise};
    return sc07_samples_new(&set, &scene);
}

sc07_rating sc07_lab_learn(const sc07_lab *lab, const sc07_plan *plan, unsigned repetition)
{
    sc07_samples *runs[LESSONS];
    for (unsigned i = 0; i < LESSONS; i++) {
        const sc07_kind kind = {i < SC07_CLEAN_RUNS ? NULL : plan->lesson, NULL};
        runs[i] = run_of(lab, plan, repetition, i, kind);
    }
    const sc07_lesson lesson = {runs, plan->one_each ? 1 : SC07_CLEAN_RUNS, runs + SC07_CLEAN_RUNS,
                                plan->one_each ? 1 : SC07_DISTURBED_RUNS};
    const sc07_rating rating = sc07_learn(plan->set, plan->node, &lesson, plan->rule);
    for (unsigned i = 0; i < LESSONS; i++) {
        sc07_samples_free(runs[i]);
    }
    return rating;
}

sc07_samples *sc07_lab_run(const sc07_lab *lab, const sc07_plan *plan, unsigned repetition,
                           size_t kind)
{
    return run_of(lab, plan, repetition, LESSONS + (unsigned)kind, plan->kinds[kind]);
}

static void repeat(gpointer data, gpointer user)
{
    const work *w = user;
    const unsigned repetition = GPOINTER_TO_UINT(data) - 1; /* the pool takes no NULL */
    w->outcome->rating[repetition] = sc07_lab_learn(w->lab, w->plan, repetition);
    for (size_t i = 0; i < w->plan->num_kinds; i++) {
        sc07_samples *run = sc07_lab_run(w->lab, w->plan, repetition, i);
        w->outcome->rated[i * w->lab->seeds + repetition] =
            sc07_rate(&w->outcome->rating[repetition], run);
        sc07_samples_free(run);
    }
}

sc07_outcome *sc07_lab_do(const sc07_lab *lab, const sc07_plan *plan)
{
    sc07_outcome *out = g_new(sc07_outcome, 1);
    *out = (sc07_outcome){.seeds = lab->seeds, .num_kinds = plan->num_kinds};
    out->rating = g_new(sc07_rating, lab->seeds);
    out->rated = g_new(sc07_rated, plan->num_kinds * lab->seeds);
    work w = {lab, plan, out};
    GThreadPool *pool = g_thread_pool_new(repeat, &w, (gint)lab->threads, TRUE, NULL);
    for (unsigned i = 0; i < lab->seeds; i++) {
        g_thread_pool_push(pool, GUINT_TO_POINTER(i + 1), NULL);
    }
    g_thread_pool_free(pool, FALSE, TRUE);
    return out;
}

void sc07_outcome_free(sc07_outcome *o)
{
    if (o != NULL) {
        for (unsigned i = 0; i < o->seeds; i++) {
            sc07_rating_clear(&o->rating[i]);
        }
        g_free(o->rating);
        g_free(o->rated);
        g_free(o);
    }
}

void sc07_outcome_nodes(const sc07_outcome *o, size_t kind, double *out)
{
    for (unsigned i = 0; i < o->seeds; i++) {
        const sc07_rated *r = &o->rated[kind * o->seeds + i];
        out[i] = (r->metric[0] + r->metric[1]) / 2;
    }
}

void sc07_outcome_ranks(const sc07_outcome *o, size_t kind, uint32_t which, double *out)
{
    for (unsigned i = 0; i < o->seeds; i++) {
        out[i] = o->rated[kind * o->seeds + i].metric[which];
    }
}

double sc07_outcome_ils(const sc07_outcome *o, size_t kind, uint32_t sequence)
{
    double sum = 0;
    unsigned n = 0;
    for (unsigned i = 0; i < o->seeds; i++) {
        for (uint32_t r = 0; r < SC07_RATED; r++) {
            const double ils = o->rated[kind * o->seeds + i].ils[r][sequence];
            sum += isnan(ils) ? 0 : ils;
            n += !isnan(ils);
        }
    }
    return n > 0 ? sum / n : NAN;
}
