/* bench/sc10/apps/cosched.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* E13 to E15: co-scheduling. */
#include "cosched.h"

#include "app_experiments.h"
#include "app_slowdown.h"
#include "output/number_text.h"

#include <math.h>

/* Of each component that a run should meet. */
enum { ENOUGH = 20 };
static const double MOST = 0.5; /* the paper's, % */

/* Rooted collectives per copy: then the ranks of one copy stand for all (docs/model.md, section
 * 6.5), and the largest size costs no more than the record. A scan does away with that. */
static sc10_app_case cosched_case(sc10_proxy_id proxy, const sc10_machine *m, uint32_t copies)
{
    sc10_app_case what = sc10_app_case_of(proxy, m, copies);
    what.cosched = true;
    what.roots_per_copy = copies > 1;
    return what;
}

static sc10_app_case settled_case(sc10_app_lab *lab, sc10_proxy_id proxy, const sc10_machine *m)
{
    sc10_app_case what = cosched_case(proxy, m, 1);
    const sc10_app_times *once = sc10_app_times_of(lab, &what);
    what.repeat = (uint32_t)ceil(ENOUGH / once->fewest_met);
    return what;
}

/* Copies of the one pass that stands beside the passes on the record's ranks. */
static uint32_t checked_copies(const sc10_app_lab *lab, sc10_proxy_id proxy)
{
    uint32_t copies[SC10_PROXY_SIZES];
    const uint32_t most = copies[sc10_app_sizes(lab, proxy, copies) - 1];
    return proxy == SC10_AMG ? MIN(most, 4) : most;
}

void sc10_ask_cosched(sc10_app_lab *lab, sc10_proxy_id proxy)
{
    for (size_t m = 0; m < SC10_NUM_MACHINES; m++) {
        const sc10_app_case one = cosched_case(proxy, &SC10_MACHINES[m], 1);
        const sc10_app_case large =
            cosched_case(proxy, &SC10_MACHINES[m], checked_copies(lab, proxy));
        sc10_app_ask(lab, &one);
        sc10_app_ask(lab, &large);
    }
}

void sc10_ask_passes(sc10_app_lab *lab, sc10_proxy_id proxy)
{
    for (size_t m = 0; m < SC10_NUM_MACHINES; m++) {
        const sc10_app_case what = settled_case(lab, proxy, &SC10_MACHINES[m]);
        sc10_app_ask(lab, &what);
    }
}

void sc10_check_cosched(sc10_app_lab *lab, sc10_proxy_id proxy, sc10_table *table)
{
    const char *id = SC10_PROXIES[proxy].experiment;
    const uint32_t checked = checked_copies(lab, proxy);
    for (size_t m = 0; m < SC10_NUM_MACHINES; m++) {
        const sc10_app_case what = settled_case(lab, proxy, &SC10_MACHINES[m]);
        const sc10_app_times *t = sc10_app_times_of(lab, &what);
        g_autofree char *label =
            g_strdup_printf("%s, co-scheduled, %u pass%s", SC10_MACHINES[m].name,
                            MAX(what.repeat, 1), what.repeat > 1 ? "es" : "");
        sc10_app_check(table, id, label, "below 0.5 %", t, sc10_app_seed(lab), true, 0, MOST);
        if (checked == 1) {
            continue;
        }
        const sc10_app_case large = cosched_case(proxy, &SC10_MACHINES[m], checked);
        g_autofree char *once = g_strdup_printf("%s, co-scheduled, 1 pass", SC10_MACHINES[m].name);
        sc10_app_check(table, id, once, "", sc10_app_times_of(lab, &large), sc10_app_seed(lab),
                       false, 0, MOST);
    }
}
