/* bench/sc10/messages.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* E9, E11: what large messages and other networks make of the noise. */
#include "experiments.h"
#include "output/number_text.h"
#include "statistic.h"

#include <math.h>

/* Of all medians. */
static double largest_percent(const sc10_times *const *t, size_t n)
{
    return 100 * sc10_largest_slowdown(t, n);
}

void sc10_large_messages(sc10_lab *lab, sc10_table *table)
{
    const uint32_t last = sc10_lab_max_ranks(lab);
    const sc10_case fixed = {.collective = "allreduce",
                             .bytes = 1 << 20,
                             .machine = "cnl",
                             .noise = "fixed:1000Hz:100us"};
    size_t n = 0;
    g_autofree const sc10_times **t = sc10_lab_by_size(lab, &fixed, 2, last, &n);
    sc10_check_estimate(table, "E9", "noise of 1 kHz, 100 us at 1 MiB: slowdown (largest median)",
                        "insignificant", sc10_bootstrap(t, n, SC10_ALL, largest_percent), 0, 5,
                        "%");
    const sc10_case byte = sc10_case_of(&SC10_MACHINES[SC10_JAGUAR]);
    sc10_case large = byte;
    large.bytes = 1 << 20;
    for (uint32_t ranks = MIN(4096, last);; ranks = last) {
        const sc10_times *const both[] = {sc10_lab_times(lab, &large, ranks),
                                          sc10_lab_times(lab, &byte, ranks)};
        g_autofree char *size = app_format_ranks(ranks);
        g_autofree char *text =
            g_strdup_printf("Jaguar at %s: slowdown at 1 MiB / at 1 byte", size);
        if (ranks == last) {
            sc10_check_estimate(table, "E9", text, "much less",
                                sc10_bootstrap(both, 2, SC10_ALL, sc10_ratio_of_slowdowns), 0, 0.05,
                                "x");
        }
        sc10_note(table, "E9", text, "", "%.3g / %.3g", sc10_median_slowdown(both[0]),
                  sc10_median_slowdown(both[1]));
        if (ranks == last) {
            break;
        }
    }
}

/* ---- E11 ---- */

typedef struct networks {
    const sc10_times *slow, *nominal, *fast;
} networks;

static networks at(sc10_lab *lab, const sc10_machine *m, uint32_t ranks)
{
    sc10_case what = sc10_case_of(m);
    networks n;
    n.nominal = sc10_lab_times(lab, &what, ranks);
    what.network = 10;
    n.slow = sc10_lab_times(lab, &what, ranks);
    what.network = -10;
    n.fast = sc10_lab_times(lab, &what, ranks);
    return n;
}

/* How far the ratio of two networks is from what it is without noise, in percent. */
static double deviation(const sc10_times *const *t, size_t n)
{
    (void)n;
    return 100 * fabs(sc10_median(t[0]) / sc10_median(t[1]) / (t[0]->ideal / t[1]->ideal) - 1);
}

/* Where it is farthest among small sizes. */
static sc10_estimate largest_deviation(sc10_lab *lab, const sc10_machine *m)
{
    const sc10_times *worst[2] = {NULL};
    for (uint32_t ranks = 2; ranks <= MIN(256, sc10_lab_max_ranks(lab)); ranks *= 2) {
        const networks n = at(lab, m, ranks);
        const sc10_times *const pairs[][2] = {{n.slow, n.nominal}, {n.fast, n.nominal}};
        for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
            if (worst[0] == NULL || deviation(pairs[i], 2) > deviation(worst, 2)) {
                worst[0] = pairs[i][0];
                worst[1] = pairs[i][1];
            }
        }
    }
    return sc10_bootstrap(worst, 2, SC10_ALL, deviation);
}

/* Of the medians, in percent. */
static double difference(const sc10_times *const *t, size_t n)
{
    (void)n;
    return 100 * fabs(sc10_median(t[0]) - sc10_median(t[1])) / sc10_median(t[1]);
}

static void check_network(sc10_lab *lab, const sc10_machine *m, sc10_table *table)
{
    g_autofree char *text = g_strdup_printf(
        "%s up to 256 ranks: ratio of networks against that without noise", m->name);
    sc10_check_estimate(table, "E11", text, "direct", largest_deviation(lab, m), 0, 10, "%");
    const networks n = at(lab, m, sc10_lab_max_ranks(lab));
    g_autofree char *size = app_format_ranks(n.nominal->ranks);
    g_autofree char *far =
        g_strdup_printf("%s at %s: fast and nominal network differ by", m->name, size);
    const sc10_times *const both[] = {n.fast, n.nominal};
    sc10_check_estimate(table, "E11", far, "vanishes",
                        sc10_bootstrap(both, 2, SC10_ALL, difference), 0, 10, "%");
    const double slow = sc10_slowdown(n.slow, sc10_median(n.slow));
    const double nominal = sc10_slowdown(n.nominal, sc10_median(n.nominal));
    const double fast = sc10_slowdown(n.fast, sc10_median(n.fast));
    g_autofree char *order =
        g_strdup_printf("%s: slowdown on a slow < nominal < fast network", m->name);
    sc10_check_that(table, "E11", order, "absorbs more", slow < nominal && nominal < fast,
                    "%.3g %.3g %.3g", slow, nominal, fast);
}

void sc10_network(sc10_lab *lab, sc10_table *table)
{
    check_network(lab, &SC10_MACHINES[SC10_JAGUAR], table);
    check_network(lab, &SC10_MACHINES[SC10_ALTIX], table);
}
