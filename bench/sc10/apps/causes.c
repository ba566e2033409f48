/* bench/sc10/apps/causes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* E13 to E15: what moves the collectives' share of the waiting, and what the slowdown. */
#include "causes.h"

#include "app_experiments.h"
#include "app_slowdown.h"

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

static sc10_app_case share_case(size_t i, sc10_proxy_id proxy)
{
    sc10_app_case what = CHANGES[i].change;
    what.proxy = proxy;
    what.copies = 1;
    what.machine = "chic";
    return what;
}

static void note_shares(sc10_app_lab *lab, sc10_proxy_id proxy, sc10_table *table)
{
    const sc10_proxy *p = &SC10_PROXIES[proxy];
    g_autofree char *paper =
        g_strdup_printf("%.0f %%, %.1f %%", 100 * p->communication, 100 * p->collectives);
    for (size_t i = 0; i < G_N_ELEMENTS(CHANGES); i++) {
        const sc10_app_case what = share_case(i, proxy);
        const sc10_shares *s = sc10_app_shares_of(lab, &what);
        sc10_note(table, p->experiment, CHANGES[i].label, i == 0 ? paper : "",
                  "%.1f %%, %.1f %%, late %.1f %%", 100 * s->communication, 100 * s->collectives,
                  100 * s->late);
    }
}

/* Its long detours less often: what the preset infers from the jump of collectives may be too many
 * for applications. */
#define RARE_JAGUAR "poisson:75s:2.5ms+fixed:100ms:6us+fixed:1s:15us"

/* CHiC's preset, one component at a time; and its long detours shorter and more often, so that they
 * take the same share of CPU time. */
#define LONG_CHIC  "poisson:4.556s:6ms"
#define TICK_CHIC  "fixed:4ms:3.1us"
#define HALF_CHIC  "poisson:2.278s:3ms+" TICK_CHIC
#define TENTH_CHIC "poisson:455.6ms:600us+" TICK_CHIC

static const struct {
    sc10_proxy_id proxy;
    size_t machine;
    const char *label;
    sc10_app_case change; /* noise: NULL: the machine's */
} NOISE_CHANGES[] = {
    {SC10_SWEEP3D, SC10_CHIC, "CHiC", {0}},
    {SC10_SWEEP3D, SC10_CHIC, "CHiC, no point-to-point messages", {.no_p2p = true}},
    {SC10_SWEEP3D, SC10_CHIC, "CHiC, no collectives", {.no_collectives = true}},
    {SC10_SWEEP3D, SC10_CHIC, "CHiC, the same computation", {.computation = SC10_BALANCED}},
    {SC10_SWEEP3D, SC10_CHIC, "CHiC, its 6 ms detours alone", {.noise = LONG_CHIC}},
    {SC10_SWEEP3D, SC10_CHIC, "CHiC, its ticks alone", {.noise = TICK_CHIC}},
    {SC10_SWEEP3D, SC10_CHIC, "CHiC, 3 ms twice as often", {.noise = HALF_CHIC}},
    {SC10_SWEEP3D, SC10_CHIC, "CHiC, 600 us ten times as often", {.noise = TENTH_CHIC}},
    {SC10_SWEEP3D, SC10_CHIC, "CHiC, computation takes four times as long", {.stretch = 4}},
    {SC10_AMG, SC10_CHIC, "CHiC", {0}},
    {SC10_AMG, SC10_CHIC, "CHiC, the same computation", {.computation = SC10_BALANCED}},
    {SC10_POP, SC10_CHIC, "CHiC", {0}},
    {SC10_POP, SC10_CHIC, "CHiC, the same computation", {.computation = SC10_BALANCED}},
    {SC10_POP, SC10_JAGUAR, "Jaguar", {0}},
    {SC10_POP, SC10_JAGUAR, "Jaguar, the same computation", {.computation = SC10_BALANCED}},
    {SC10_POP, SC10_JAGUAR, "Jaguar, its long detours every 75 s", {.noise = RARE_JAGUAR}},
};

static sc10_app_case noise_case(size_t i, uint32_t copies)
{
    const sc10_machine *machine = &SC10_MACHINES[NOISE_CHANGES[i].machine];
    sc10_app_case what = NOISE_CHANGES[i].change;
    what.proxy = NOISE_CHANGES[i].proxy;
    what.copies = copies;
    what.machine = machine->machine;
    what.noise = what.noise != NULL ? what.noise : machine->noise;
    return what;
}

/* Their copies: the second size. */
static uint32_t few_copies(const sc10_app_lab *lab, sc10_proxy_id proxy)
{
    uint32_t copies[SC10_PROXY_SIZES];
    const size_t n = sc10_app_sizes(lab, proxy, copies);
    return copies[MIN(n - 1, 1)];
}

static void note_slowdowns(sc10_app_lab *lab, sc10_proxy_id proxy, sc10_table *table)
{
    const uint32_t few = few_copies(lab, proxy);
    for (size_t i = 0; i < G_N_ELEMENTS(NOISE_CHANGES); i++) {
        const sc10_app_case what = noise_case(i, few);
        if (what.proxy == proxy) {
            sc10_app_check(table, SC10_PROXIES[proxy].experiment, NOISE_CHANGES[i].label, "",
                           sc10_app_times_of(lab, &what), sc10_app_seed(lab), false, 0, 0);
        }
    }
}

void sc10_ask_causes(sc10_app_lab *lab, sc10_proxy_id proxy)
{
    for (size_t i = 0; i < G_N_ELEMENTS(CHANGES); i++) {
        const sc10_app_case what = share_case(i, proxy);
        sc10_app_ask_shares(lab, &what);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(NOISE_CHANGES); i++) {
        const sc10_app_case what = noise_case(i, few_copies(lab, proxy));
        if (what.proxy == proxy) {
            sc10_app_ask(lab, &what);
        }
    }
}

void sc10_note_causes(sc10_app_lab *lab, sc10_proxy_id proxy, sc10_table *table)
{
    note_shares(lab, proxy, table);
    note_slowdowns(lab, proxy, table);
}
