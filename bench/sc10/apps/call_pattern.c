/* bench/sc10/apps/call_pattern.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* E12: when an application calls collectives. */
#include "call_pattern.h"

#include "app_experiments.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* Which of the collectives of rank 0 are allreduces. Owned by the caller. */
static bool *allreduces_of(const sched_trace *trace, size_t n)
{
    bool *is = g_new0(bool, n);
    size_t i = 0;
    sched_walk walk;
    sched_walk_begin(&walk, &trace->ranks[0]);
    for (const sched_call *call; (call = sched_walk_next(&walk)) != NULL;) {
        if (call->kind == SCHED_CALL_COLLECTIVE) {
            g_assert(i < n);
            is[i++] = call->collective == COLL_ALLREDUCE;
        }
    }
    sched_walk_end(&walk);
    return is;
}

static sc10_app_case case_of(sc10_proxy_id proxy)
{
    return (sc10_app_case){.proxy = proxy, .copies = 1, .machine = "chic"};
}

sc10_calls sc10_calls_of(sc10_app_lab *lab, sc10_proxy_id proxy)
{
    const sc10_app_case what = case_of(proxy);
    const sc10_shares *s = sc10_app_shares_of(lab, &what);
    sc10_calls calls = {.makespan = (double)s->makespan / (double)SIM_S, .n = s->num_calls};
    calls.at = g_new(double, calls.n);
    for (size_t i = 0; i < calls.n; i++) {
        calls.at[i] = (double)s->calls[i] / (double)SIM_S;
    }
    calls.allreduce = allreduces_of(sc10_app_trace(lab, &what), calls.n);
    return calls;
}

void sc10_calls_clear(sc10_calls *calls)
{
    g_free(calls->at);
    g_free(calls->allreduce);
    *calls = (sc10_calls){0};
}

double sc10_calls_variation(const sc10_calls *calls, size_t allreduces)
{
    g_autofree double *at = g_new(double, calls->n);
    size_t n = 0;
    for (size_t i = 0; i < calls->n && (allreduces == 0 || n < allreduces); i++) {
        if (allreduces == 0 || calls->allreduce[i]) {
            at[n++] = calls->at[i];
        }
    }
    g_assert(n > 2);
    for (size_t i = 0; i + 1 < n; i++) {
        at[i] = at[i + 1] - at[i]; /* the gaps, where they begin */
    }
    return gsl_stats_sd(at, 1, n - 1) / gsl_stats_mean(at, 1, n - 1);
}

/* One after each; what comes before and after them is not repeated. */
enum { SWEEP3D_ITERATIONS = 30 };

static void ask(sc10_app_lab *lab)
{
    for (size_t i = 0; i < SC10_NUM_PROXIES; i++) {
        const sc10_app_case what = case_of((sc10_proxy_id)i);
        sc10_app_ask_shares(lab, &what);
    }
}

static void check(sc10_app_lab *lab, sc10_table *table)
{
    for (size_t i = 0; i < SC10_NUM_PROXIES; i++) {
        sc10_calls calls = sc10_calls_of(lab, (sc10_proxy_id)i);
        const bool regular = i == SC10_SWEEP3D;
        g_autofree char *text = g_strdup_printf(
            "%s: variation of the times between %zu collectives", SC10_PROXIES[i].name, calls.n);
        sc10_check_between(table, "E12", text, regular ? "regular" : "irregular",
                           sc10_calls_variation(&calls, 0), regular ? 0 : 1,
                           regular ? 0.2 : INFINITY, "");
        if (regular) {
            sc10_note(table, "E12", "sweep3d: of those between the allreduces of its 30 iterations",
                      "regular", "%.3g", sc10_calls_variation(&calls, SWEEP3D_ITERATIONS));
        }
        sc10_calls_clear(&calls);
    }
}

const sc10_app_experiment sc10_call_pattern = {.ask = ask, .check = check};
