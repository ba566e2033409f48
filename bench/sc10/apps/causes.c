/* bench/sc10/apps/causes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* E13 to E15: what moves the collectives' share of the waiting. */
#include "causes.h"

static const struct {
    const char *label;
    sc10_app_case change;
} CHANGES[] = {
    {"as recorded", {0}},
    {"computation steady: each rank its share of every stretch", {.computation = SC10_STEADY}},
    {"computation the same on all ranks", {.computation = SC10_BALANCED}},
    {"allreduce by recursive doubling", {.algorithms = "allreduce=recursive-doubling"}},
    {"allreduce and broadcast linear", {.algorithms = "allreduce=linear,bcast=linear"}},
    {"network 10 times as fast", {.network = -10}},
    {"no point-to-point messages", {.no_p2p = true}},
};

void sc10_note_causes(sc10_app_lab *lab, sc10_proxy_id proxy, sc10_table *table)
{
    const sc10_proxy *p = &SC10_PROXIES[proxy];
    g_autofree char *paper =
        g_strdup_printf("%.0f %%, %.1f %%", 100 * p->communication, 100 * p->collectives);
    for (size_t i = 0; i < G_N_ELEMENTS(CHANGES); i++) {
        sc10_app_case what = CHANGES[i].change;
        what.proxy = proxy;
        what.copies = 1;
        what.machine = "chic";
        sc10_shares s = sc10_app_shares(lab, &what);
        sc10_note(table, p->experiment, CHANGES[i].label, i == 0 ? paper : "",
                  "%.1f %%, %.1f %%, late %.1f %%", 100 * s.communication, 100 * s.collectives,
                  100 * s.late);
        sc10_shares_clear(&s);
    }
}
