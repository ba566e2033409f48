/* bench/sc10/apps/parts.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* E16: point-to-point messages and collectives, each without the other. */
#include "parts.h"

#include "app_experiments.h"
#include "app_slowdown.h"
#include "parts_causes.h"

#include <math.h>

const char *const SC10_PARTS[SC10_NUM_PARTS] = {"all", "nop2p", "nocolls"};

sc10_app_case sc10_part_case(sc10_proxy_id proxy, sc10_part part, uint32_t copies)
{
    sc10_app_case what = sc10_app_case_of(proxy, &SC10_MACHINES[SC10_CHIC], copies);
    what.no_p2p = part == SC10_NO_P2P;
    what.no_collectives = part == SC10_NO_COLLECTIVES;
    return what;
}

/* How much of the slowdown the messages add to that of the collectives. */
static double of_p2p(const sc10_estimate slowdown[SC10_NUM_PARTS])
{
    return (slowdown[SC10_ALL_CALLS].value - slowdown[SC10_NO_P2P].value) /
           slowdown[SC10_ALL_CALLS].value;
}

static void ask(sc10_app_lab *lab, sc10_proxy_id proxy)
{
    uint32_t copies[SC10_PROXY_SIZES];
    const size_t n = sc10_app_sizes(lab, proxy, copies);
    for (size_t i = 0; i < n; i++) {
        for (size_t part = 0; part < SC10_NUM_PARTS; part++) {
            const sc10_app_case what = sc10_part_case(proxy, (sc10_part)part, copies[i]);
            sc10_app_ask(lab, &what);
        }
    }
    sc10_ask_part_causes(lab, proxy);
}

static double check(sc10_app_lab *lab, sc10_proxy_id proxy, sc10_table *table)
{
    uint32_t copies[SC10_PROXY_SIZES];
    const size_t n = sc10_app_sizes(lab, proxy, copies);
    const char *name = SC10_PROXIES[proxy].name;
    sc10_estimate at[SC10_NUM_PARTS];
    double rise[SC10_NUM_PARTS];
    for (size_t part = 0; part < SC10_NUM_PARTS; part++) {
        const sc10_app_case few = sc10_part_case(proxy, (sc10_part)part, copies[0]);
        const sc10_app_case many = sc10_part_case(proxy, (sc10_part)part, copies[n - 1]);
        const sc10_app_times *t = sc10_app_times_of(lab, &many);
        at[part] = sc10_app_slowdown(t, sc10_app_seed(lab));
        rise[part] = at[part].value -
                     sc10_app_slowdown(sc10_app_times_of(lab, &few), sc10_app_seed(lab)).value;
        g_autofree char *label = g_strdup_printf("%s on CHiC, %s", name, SC10_PARTS[part]);
        sc10_app_check(table, "E16", label, "", t, sc10_app_seed(lab), false, 0, 0);
    }
    const double most = fmax(at[SC10_NO_P2P].value, at[SC10_NO_COLLECTIVES].value);
    g_autofree char *whole = g_strdup_printf("%s: all / the larger of nop2p, nocolls", name);
    sc10_check_between(table, "E16", whole, "at least", at[SC10_ALL_CALLS].value / most, 0.9,
                       INFINITY, "x");
    g_autofree char *slope =
        g_strdup_printf("%s: nocolls grows less with the ranks than nop2p", name);
    if (sc10_app_is_whole(lab, proxy)) {
        sc10_check_that(table, "E16", slope, "smaller slope",
                        rise[SC10_NO_COLLECTIVES] < rise[SC10_NO_P2P], "%+.3g %%, %+.3g %%",
                        rise[SC10_NO_COLLECTIVES], rise[SC10_NO_P2P]);
    }
    return of_p2p(at);
}

static void ask_all(sc10_app_lab *lab)
{
    ask(lab, SC10_AMG);
    ask(lab, SC10_POP);
}

static void check_all(sc10_app_lab *lab, sc10_table *table)
{
    const double amg = check(lab, SC10_AMG, table);
    const double pop = check(lab, SC10_POP, table);
    sc10_check_that(table, "E16", "point-to-point adds more of amg's slowdown than of pop's",
                    "holds", amg > pop, "%.3g > %.3g of it", amg, pop);
    sc10_note_part_causes(lab, table);
}

const sc10_app_experiment sc10_parts = {.ask = ask_all, .check = check_all};
