/* bench/sc10/noise_models.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* E1: the noise of each machine, as Table I and Figure 1 have it. */
#include "experiments.h"
#include "noise/signature.h"

#include <math.h>

/* What the paper states, and the model it is turned into (docs/noise.md, section 7). */
typedef struct model {
    double share;       /* serial noise, % */
    double tolerance;   /* of it: 3 %; 10 % where the long detours come at random */
    double count_at;    /* seconds in which 1e5 detours are expected; 0: none */
    double shortest_us; /* detours lie between these */
    double longest_us;
    double interval_s; /* of the long ones */
} model;

static const model MODELS[SC10_NUM_MACHINES] = {
    [SC10_CHIC] = {0.21, 0.10, 400, 3.1, 6000, 4.556},
    [SC10_ALTIX] = {0.051, 0.03, 1000, 1, 220, 2},
    [SC10_ZEPTOOS] = {0.08, 0.03, 6250, 50, 50, 0},
    [SC10_JAGUAR] = {0.02, 0.10, 0, 6, 2500, 20},
};

static double us(sim_time time)
{
    return (double)time / (double)SIM_US;
}

static void check_model(const sc10_machine *machine, const model *m, const noise_signature *noise,
                        sc10_table *table)
{
    const noise_detour_trace *trace = noise_signature_trace(noise, 0);
    const size_t n = noise_detour_trace_count(trace);
    const double period_s = us(noise_detour_trace_period(trace)) * 1e-6;
    double shortest = INFINITY;
    double longest = 0;
    for (size_t i = 0; i < n; i++) {
        shortest = fmin(shortest, us(noise_detour_trace_length(trace, i)));
        longest = fmax(longest, us(noise_detour_trace_length(trace, i)));
    }
    g_autofree char *what = g_strdup_printf("%s: CPU time stolen", machine->name);
    g_autofree char *paper = g_strdup_printf("%.2f %%", m->share);
    sc10_check_between(table, "E1", what, paper, 100 * noise_signature_share(noise, 0),
                       m->share * (1 - m->tolerance), m->share * (1 + m->tolerance), "%");
    if (m->count_at > 0) {
        g_autofree char *count =
            g_strdup_printf("%s: detours in %.0f s", machine->name, m->count_at);
        sc10_check_between(table, "E1", count, "1e5", (double)n / period_s * m->count_at, 0.97e5,
                           1.03e5, "");
    }
    g_autofree char *range = g_strdup_printf("%s: lengths, us", machine->name);
    /* Detours that meet are one: a long one grows by a short one. */
    sc10_check_that(table, "E1", range, "Figure 1",
                    shortest >= 0.99 * m->shortest_us && longest >= 0.99 * m->longest_us &&
                        longest <= 2.05 * m->longest_us,
                    "%.3g .. %.4g", shortest, longest);
}

/* The median jumps where half the runs meet a long detour. */
static void check_jump(sc10_lab *lab, const sc10_machine *machine, const model *m,
                       sc10_table *table)
{
    const sc10_case what = sc10_case_of(machine);
    const uint32_t ranks = (uint32_t)MIN(machine->jump, sc10_lab_max_ranks(lab));
    const double window_s = 1e-6 * (m->longest_us + sc10_lab_times(lab, &what, ranks)->ideal);
    g_autofree char *text = g_strdup_printf("%s: T ln 2 / (D + w)", machine->name);
    g_autofree char *paper = g_strdup_printf("%.0f", machine->jump);
    sc10_check_between(table, "E1", text, paper, m->interval_s * log(2) / window_s,
                       machine->jump / 2, machine->jump * 2, "ranks");
}

void sc10_noise_models(sc10_lab *lab, sc10_table *table)
{
    for (size_t i = 0; i < SC10_NUM_MACHINES; i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_signature) noise =
            noise_signature_parse(SC10_MACHINES[i].noise, sc10_lab_seed(lab), &error);
        if (noise == NULL) {
            g_error("%s", error->message);
        }
        check_model(&SC10_MACHINES[i], &MODELS[i], noise, table);
        if (SC10_MACHINES[i].jump > 0) {
            check_jump(lab, &SC10_MACHINES[i], &MODELS[i], table);
        }
    }
}
