/* bench/sc10/apps/app_network.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* E17: POP on CHiC with a network ten times as fast, and as slow. */
#include "app_network.h"

#include "app_experiments.h"
#include "app_slowdown.h"
#include "output/number_text.h"

#include <math.h>

const sc10_network_speed SC10_NETWORKS[SC10_NUM_NETWORKS] = {
    [SC10_SLOW] = {"network / 10", 10},
    [SC10_NOMINAL] = {"network as it is", 0},
    [SC10_FAST] = {"network x 10", -10},
};

sc10_app_case sc10_network_case(size_t network, uint32_t copies)
{
    sc10_app_case what = sc10_app_case_of(SC10_POP, &SC10_MACHINES[SC10_CHIC], copies);
    what.network = SC10_NETWORKS[network].factor;
    return what;
}

static double mean_time(const sc10_app_times *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->n; i++) {
        sum += t->time[i];
    }
    return sum / (double)t->n;
}

/* Time in communication on the record's ranks without noise, s. */
static double communication(sc10_app_lab *lab, size_t network, sc10_computation computation)
{
    sc10_app_case what = sc10_network_case(network, 1);
    what.computation = computation;
    sc10_shares s = sc10_app_shares(lab, &what);
    const double seconds = s.communication * (double)s.makespan / (double)SIM_S;
    sc10_shares_clear(&s);
    return seconds;
}

static double slow_to_fast(sc10_app_lab *lab, sc10_computation computation)
{
    return communication(lab, SC10_SLOW, computation) / communication(lab, SC10_FAST, computation);
}

void sc10_app_network(sc10_app_lab *lab, sc10_table *table)
{
    uint32_t copies[SC10_PROXY_SIZES];
    const size_t n = sc10_app_sizes(lab, SC10_POP, copies);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < SC10_NUM_NETWORKS; k++) {
            const sc10_app_case what = sc10_network_case(k, copies[i]);
            sc10_app_ask(lab, &what);
        }
    }
    sc10_app_run(lab);
    const sc10_app_times *t[SC10_NUM_NETWORKS];
    double slowdown[SC10_NUM_NETWORKS];
    for (size_t k = 0; k < SC10_NUM_NETWORKS; k++) {
        const sc10_app_case what = sc10_network_case(k, copies[n - 1]);
        t[k] = sc10_app_times_of(lab, &what);
        slowdown[k] = sc10_app_slowdown(t[k], sc10_app_seed(lab)).value;
        g_autofree char *label = g_strdup_printf("pop on CHiC, %s", SC10_NETWORKS[k].name);
        sc10_app_check(table, "E17", label, "", t[k], sc10_app_seed(lab), false, 0, 0);
    }
    const double nominal = mean_time(t[SC10_NOMINAL]);
    const double fast = mean_time(t[SC10_FAST]);
    g_autofree char *ranks = app_format_number(t[SC10_FAST]->ranks);
    g_autofree char *text = g_strdup_printf(
        "under noise at %s ranks: time with the fast network less the nominal", ranks);
    if (sc10_app_is_whole(lab, SC10_POP)) {
        sc10_check_between(table, "E17", text, "no gain", 100 * (fast / nominal - 1), -10, 10, "%");
    } else {
        sc10_note(table, "E17", text, "no gain", "%.3g %%", 100 * (fast / nominal - 1));
    }
    sc10_check_between(table, "E17", "128 ranks, no noise: time in communication, slow / fast", "",
                       slow_to_fast(lab, SC10_AS_RECORDED), 2, INFINITY, "x");
    sc10_note(table, "E17", "the same, computation the same on all ranks", "", "%.3g x",
              slow_to_fast(lab, SC10_BALANCED));
    sc10_check_that(table, "E17", "slowdown: slow < nominal < fast", "holds",
                    slowdown[SC10_SLOW] < slowdown[SC10_NOMINAL] &&
                        slowdown[SC10_NOMINAL] < slowdown[SC10_FAST],
                    "%.3g %%, %.3g %%, %.3g %%", slowdown[SC10_SLOW], slowdown[SC10_NOMINAL],
                    slowdown[SC10_FAST]);
}
