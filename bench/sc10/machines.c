/* bench/sc10/machines.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* E7, E8, E10: the machines of the paper under their own noise. */
#include "experiments.h"
#include "output/number_text.h"
#include "statistic.h"

#include <math.h>

const sc10_machine SC10_MACHINES[SC10_NUM_MACHINES] = {
    [SC10_CHIC] = {"CHiC", "chic", "chic", 512, 148.05, 0.15, 59.96},
    [SC10_ALTIX] = {"Altix", "altix", "altix", 4096, 6.45, 0.25, 1.93},
    [SC10_ZEPTOOS] = {"ZeptoOS", "zeptoos", "zeptoos", 0, 0.41, 0.25, 0.02},
    [SC10_JAGUAR] = {"Jaguar", "xt4", "jaguar", 8192, 24.73, 0.25, 9.01},
};

sc10_case sc10_case_of(const sc10_machine *machine)
{
    return (sc10_case){
        .collective = "allreduce", .machine = machine->machine, .noise = machine->noise};
}

/* How much more the median grows from one size to the next than the time without noise. */
static double growth(const sc10_times *before, const sc10_times *t)
{
    return sc10_median(t) / t->ideal / (sc10_median(before) / before->ideal);
}

/* The size at which it grows most. */
static double jump_of(const sc10_times *const *by_size, size_t n)
{
    size_t at = 1;
    for (size_t i = 2; i < n; i++) {
        if (growth(by_size[i - 1], by_size[i]) > growth(by_size[at - 1], by_size[at])) {
            at = i;
        }
    }
    return by_size[at]->ranks;
}

static void check_jump(sc10_lab *lab, const sc10_machine *m, sc10_table *table)
{
    const sc10_case what = sc10_case_of(m);
    size_t n = 0;
    g_autofree const sc10_times **times =
        sc10_lab_by_size(lab, &what, 2, sc10_lab_max_ranks(lab), &n);
    g_autofree char *text = g_strdup_printf("%s: ranks at which the median jumps", m->name);
    if (m->jump > 0) {
        g_autofree char *paper = g_strdup_printf("%.0f", m->jump);
        sc10_check_estimate(table, "E7", text, paper, sc10_bootstrap(times, n, SC10_ALL, jump_of),
                            m->jump / 2, m->jump * 2, "");
        return;
    }
    double step = 0;
    for (size_t i = 1; i < n; i++) {
        step = fmax(step, growth(times[i - 1], times[i]));
    }
    sc10_check_that(table, "E7", text, "none", step < 2, "at most x%.2f per doubling", step);
}

static void check_shape(sc10_lab *lab, const sc10_machine *m, sc10_table *table)
{
    const sc10_case what = sc10_case_of(m);
    const uint32_t last = sc10_lab_max_ranks(lab);
    size_t n = 0;
    g_autofree const sc10_times **small = sc10_lab_by_size(lab, &what, 2, MIN(64, last), &n);
    g_autofree char *few = g_strdup_printf("%s: slowdown up to 64 ranks (largest median)", m->name);
    sc10_check_estimate(table, "E7", few, "very low",
                        sc10_bootstrap(small, n, SC10_ALL, sc10_largest_slowdown), 0, 0.05, "");
    const sc10_times *const ends[] = {sc10_lab_times(lab, &what, last),
                                      sc10_lab_times(lab, &what, last / 8)};
    g_autofree char *plateau = g_strdup_printf("%s: median over the last three doublings", m->name);
    sc10_check_estimate(table, "E7", plateau, "stabilizes",
                        sc10_bootstrap(ends, 2, SC10_ALL, sc10_ratio_of_medians), 1, 2, "x");
}

/* The maximum grows with the number of runs: those of 25 are compared. */
enum { FEW_RUNS = 25 };

static double largest_slowdown(const sc10_times *const *t, size_t n)
{
    (void)n;
    return sc10_slowdown(t[0], sc10_max(t[0]));
}

static void check_level(sc10_lab *lab, const sc10_machine *m, sc10_table *table)
{
    const sc10_case what = sc10_case_of(m);
    const sc10_times *t = sc10_lab_times(lab, &what, sc10_lab_max_ranks(lab));
    g_autofree char *size = app_format_ranks(t->ranks);
    g_autofree char *text =
        g_strdup_printf("%s at %s: slowdown, largest of 25 runs", m->name, size);
    g_autofree char *paper = g_strdup_printf("%.2f", m->slowdown);
    sc10_estimate largest = sc10_bootstrap(&t, 1, FEW_RUNS, largest_slowdown);
    largest.value = sc10_slowdown(t, sc10_max_of_first(t, FEW_RUNS));
    sc10_check_estimate(table, "E7", text, paper, largest, m->slowdown * (1 - m->tolerance),
                        m->slowdown * (1 + m->tolerance), "");
    g_autofree char *beside =
        g_strdup_printf("%s: median, and largest of all %zu runs", m->name, t->n);
    sc10_note(table, "E7", beside, paper, "%.4g, %.4g", sc10_median_slowdown(t),
              sc10_slowdown(t, sc10_max(t)));
}

void sc10_machines(sc10_lab *lab, sc10_table *table)
{
    const sc10_times *last[SC10_NUM_MACHINES];
    double slowdown[SC10_NUM_MACHINES];
    for (size_t i = 0; i < SC10_NUM_MACHINES; i++) {
        const sc10_case what = sc10_case_of(&SC10_MACHINES[i]);
        check_jump(lab, &SC10_MACHINES[i], table);
        check_shape(lab, &SC10_MACHINES[i], table);
        check_level(lab, &SC10_MACHINES[i], table);
        last[i] = sc10_lab_times(lab, &what, sc10_lab_max_ranks(lab));
        slowdown[i] = sc10_median_slowdown(last[i]);
    }
    sc10_check_that(table, "E7", "CHiC above Jaguar above Altix above ZeptoOS", "Figures 5, 6",
                    slowdown[SC10_CHIC] > 3 * slowdown[SC10_JAGUAR] &&
                        slowdown[SC10_JAGUAR] > slowdown[SC10_ALTIX] &&
                        slowdown[SC10_ALTIX] > slowdown[SC10_ZEPTOOS],
                    "%.3g %.3g %.3g %.2g", slowdown[SC10_CHIC], slowdown[SC10_JAGUAR],
                    slowdown[SC10_ALTIX], slowdown[SC10_ZEPTOOS]);
    const sc10_times *const both[] = {last[SC10_JAGUAR], last[SC10_ZEPTOOS]};
    sc10_check_estimate(table, "E8", "Jaguar's slowdown / ZeptoOS', with a quarter of the noise",
                        "60", sc10_bootstrap(both, 2, SC10_ALL, sc10_ratio_of_slowdowns), 10,
                        INFINITY, "x");
}

/* ---- E8 ---- */

/* 15 %; Altix + 60 %, as its long detours are known only roughly; ZeptoOS <= 0.1. */
static const double BROADCAST[SC10_NUM_MACHINES][2] = {
    [SC10_CHIC] = {0.85 * 59.96, 1.15 * 59.96},
    [SC10_ALTIX] = {0.85 * 1.93, 1.6 * 1.93},
    [SC10_ZEPTOOS] = {0, 0.1},
    [SC10_JAGUAR] = {0.85 * 9.01, 1.15 * 9.01},
};

static double first_slowdown(const sc10_times *const *t, size_t n)
{
    (void)n;
    return sc10_median_slowdown(t[0]);
}

void sc10_broadcast(sc10_lab *lab, sc10_table *table)
{
    size_t n = 0;
    g_autofree uint32_t *sizes = sc10_lab_sizes(lab, &n);
    for (size_t i = 0; i < SC10_NUM_MACHINES; i++) {
        const sc10_machine *m = &SC10_MACHINES[i];
        const sc10_case all = sc10_case_of(m);
        sc10_case broadcast = all;
        broadcast.collective = "bcast";
        unsigned more = 0;
        for (size_t k = 0; k < n; k++) {
            const sc10_times *a = sc10_lab_times(lab, &all, sizes[k]);
            const sc10_times *b = sc10_lab_times(lab, &broadcast, sizes[k]);
            more += sc10_median(b) - b->ideal > sc10_median(a) - a->ideal;
        }
        g_autofree char *text =
            g_strdup_printf("%s: broadcast adds no more than allreduce", m->name);
        sc10_check_that(table, "E8", text, "Figure 6b", more == 0, "more at %u of %zu sizes", more,
                        n);
        g_autofree char *size = app_format_ranks(sizes[n - 1]);
        g_autofree char *level =
            g_strdup_printf("%s: slowdown of the broadcast at %s (median)", m->name, size);
        g_autofree char *paper = g_strdup_printf("%.2f", m->broadcast);
        const sc10_times *last = sc10_lab_times(lab, &broadcast, sizes[n - 1]);
        sc10_check_estimate(table, "E8", level, paper,
                            sc10_bootstrap(&last, 1, SC10_ALL, first_slowdown), BROADCAST[i][0],
                            BROADCAST[i][1], "");
    }
}

/* ---- E10 ---- */

void sc10_coscheduling(sc10_lab *lab, sc10_table *table)
{
    for (size_t i = 0; i < SC10_NUM_MACHINES; i++) {
        sc10_case what = sc10_case_of(&SC10_MACHINES[i]);
        what.cosched = true;
        size_t n = 0;
        g_autofree const sc10_times **t =
            sc10_lab_by_size(lab, &what, 2, sc10_lab_max_ranks(lab), &n);
        double outliers = 0;
        double max = 0;
        for (size_t k = 0; k < n; k++) {
            outliers = fmax(outliers, sc10_outliers(t[k]));
            max = fmax(max, sc10_slowdown(t[k], sc10_max(t[k])));
        }
        const char *name = SC10_MACHINES[i].name;
        g_autofree char *text =
            g_strdup_printf("%s, co-scheduled: slowdown (largest median)", name);
        sc10_check_estimate(table, "E10", text, "minimum",
                            sc10_bootstrap(t, n, SC10_ALL, sc10_largest_slowdown), 0, 0.01, "");
        g_autofree char *few =
            g_strdup_printf("%s, co-scheduled: share of outliers (largest)", name);
        sc10_check_between(table, "E10", few, "two outliers", 100 * outliers, 0, 5, "%");
        g_autofree char *most = g_strdup_printf("%s, co-scheduled: largest slowdown", name);
        sc10_note(table, "E10", most, "", "%.3g", max);
    }
}
