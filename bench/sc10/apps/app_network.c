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

/* On the record's ranks without noise, s of a rank on average. */
typedef struct time_spent {
    double communication;
    double late; /* of that: in collectives, before the last rank has come */
} time_spent;

static sc10_app_case share_case(size_t network, const sc10_app_case *change)
{
    sc10_app_case what = *change;
    what.proxy = SC10_POP;
    what.copies = 1;
    what.machine = SC10_MACHINES[SC10_CHIC].machine;
    what.network = SC10_NETWORKS[network].factor;
    return what;
}

static time_spent spent(sc10_app_lab *lab, size_t network, const sc10_app_case *change)
{
    const sc10_app_case what = share_case(network, change);
    const sc10_shares *s = sc10_app_shares_of(lab, &what);
    const double all = s->communication * (double)s->makespan / (double)SIM_S;
    return (time_spent){all, all * s->collectives * s->late};
}

/* One thing changed at a time: what has to go for the network to be seen? */
static const struct {
    const char *label;
    sc10_app_case change;
} CHANGES[] = {
    {"computation steady: each rank its share of every stretch", {.computation = SC10_STEADY}},
    {"computation the same on all ranks", {.computation = SC10_BALANCED}},
    {"no point-to-point messages", {.no_p2p = true}},
    {"computation the same on all ranks, in a tenth of the time",
     {.computation = SC10_BALANCED, .stretch = 0.1}},
    {"computation in a tenth of the time", {.stretch = 0.1}},
    {"computation in a hundredth of the time", {.stretch = 0.01}},
};

static const sc10_app_case AS_RECORDED = {0};

static void check_communication(sc10_app_lab *lab, sc10_table *table)
{
    double all[SC10_NUM_NETWORKS];
    for (size_t k = 0; k < SC10_NUM_NETWORKS; k++) {
        const time_spent t = spent(lab, k, &AS_RECORDED);
        all[k] = t.communication;
        g_autofree char *text = g_strdup_printf(
            "128 ranks, no noise, %s: communication, of it for late ranks", SC10_NETWORKS[k].name);
        sc10_note(table, "E17", text, "", "%.4g s, %.4g s", t.communication, t.late);
    }
    sc10_check_between(table, "E17", "128 ranks, no noise: time in communication, slow / fast", "",
                       all[SC10_SLOW] / all[SC10_FAST], 2, INFINITY, "x");
    for (size_t i = 0; i < G_N_ELEMENTS(CHANGES); i++) {
        const double slow = spent(lab, SC10_SLOW, &CHANGES[i].change).communication;
        const double fast = spent(lab, SC10_FAST, &CHANGES[i].change).communication;
        g_autofree char *text = g_strdup_printf("the same, %s", CHANGES[i].label);
        sc10_note(table, "E17", text, "", "%.4g x", slow / fast);
    }
}

static void ask_shares(sc10_app_lab *lab, const sc10_app_case *change)
{
    for (size_t k = 0; k < SC10_NUM_NETWORKS; k++) {
        const sc10_app_case what = share_case(k, change);
        if (k != SC10_NOMINAL || change == &AS_RECORDED) {
            sc10_app_ask_shares(lab, &what);
        }
    }
}

static void ask(sc10_app_lab *lab)
{
    uint32_t copies[SC10_PROXY_SIZES];
    const size_t n = sc10_app_sizes(lab, SC10_POP, copies);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < SC10_NUM_NETWORKS; k++) {
            const sc10_app_case what = sc10_network_case(k, copies[i]);
            sc10_app_ask(lab, &what);
        }
    }
    ask_shares(lab, &AS_RECORDED);
    for (size_t i = 0; i < G_N_ELEMENTS(CHANGES); i++) {
        ask_shares(lab, &CHANGES[i].change);
    }
}

static void check(sc10_app_lab *lab, sc10_table *table)
{
    uint32_t copies[SC10_PROXY_SIZES];
    const size_t n = sc10_app_sizes(lab, SC10_POP, copies);
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
    check_communication(lab, table);
    sc10_check_that(table, "E17", "slowdown: slow < nominal < fast", "holds",
                    slowdown[SC10_SLOW] < slowdown[SC10_NOMINAL] &&
                        slowdown[SC10_NOMINAL] < slowdown[SC10_FAST],
                    "%.3g %%, %.3g %%, %.3g %%", slowdown[SC10_SLOW], slowdown[SC10_NOMINAL],
                    slowdown[SC10_FAST]);
}

const sc10_app_experiment sc10_app_network = {.ask = ask, .check = check};
