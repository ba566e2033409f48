/* bench/sc10/apps/parts_causes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: sc10_applications. */
#include "parts_causes.h"

#include "output/number_text.h"
#include "parts.h"
#include "statistics/mean.h"

/* CHiC's long detours a tenth as often, and ten times; its ticks as they are. */
#define RARE_CHIC  "poisson:45.56s:6ms+fixed:4ms:3.1us"
#define OFTEN_CHIC "poisson:455.6ms:6ms+fixed:4ms:3.1us"

static const struct {
    const char *label;
    sc10_app_case change;
} CHANGES[] = {
    {"as recorded", {0}}, /* the first */
    {"computation steady", {.computation = SC10_STEADY}},
    {"the same computation", {.computation = SC10_BALANCED}},
    {"6 ms a tenth as often", {.noise = RARE_CHIC}},
    {"6 ms ten times as often", {.noise = OFTEN_CHIC}},
};

static sc10_app_case changed(sc10_proxy_id proxy, size_t change, sc10_part part, uint32_t copies)
{
    const sc10_app_case *c = &CHANGES[change].change;
    sc10_app_case what = sc10_part_case(proxy, part, copies);
    what.computation = c->computation;
    what.noise = c->noise != NULL ? c->noise : what.noise;
    return what;
}

static double slowdown_of(const sc10_app_times *t, size_t run)
{
    return 100 * (t->time[run] / t->ideal - 1);
}

/* Runs of the same number have the same detours: so their differences vary less than they do. */
static void add_row(sc10_app_lab *lab, sc10_proxy_id proxy, size_t change, uint32_t copies,
                    sc10_table *table)
{
    const sc10_app_case with = changed(proxy, change, SC10_ALL_CALLS, copies);
    const sc10_app_case without = changed(proxy, change, SC10_NO_P2P, copies);
    const sc10_app_times *all = sc10_app_times_of(lab, &with);
    const sc10_app_times *rest = sc10_app_times_of(lab, &without);
    g_autofree double *added = g_new(double, all->n);
    double whole = 0;
    for (size_t i = 0; i < all->n; i++) {
        added[i] = slowdown_of(all, i) - slowdown_of(rest, i);
        whole += slowdown_of(all, i) / (double)all->n;
    }
    const app_mean mean = app_mean_of(added, all->n, sc10_app_seed(lab));
    g_autofree char *ranks = app_format_number(all->ranks);
    g_autofree char *what = g_strdup_printf("%s, %s ranks, %s: messages add",
                                            SC10_PROXIES[proxy].name, ranks, CHANGES[change].label);
    sc10_note(table, "E16", what, "", "%.2g (%.2g .. %.2g) of %.3g %%", mean.mean, mean.low,
              mean.high, whole);
}

/* As recorded at each size below the paper's, changed at the second. */
static void add_rows(sc10_app_lab *lab, sc10_proxy_id proxy, sc10_table *table)
{
    uint32_t copies[SC10_PROXY_SIZES];
    const size_t n = sc10_app_sizes(lab, proxy, copies);
    for (size_t i = 0; i < MIN(n, SC10_PROXY_SIZES - 1); i++) {
        add_row(lab, proxy, 0, copies[i], table);
    }
    for (size_t c = 1; c < G_N_ELEMENTS(CHANGES); c++) {
        add_row(lab, proxy, c, copies[MIN(n - 1, 1)], table);
    }
}

void sc10_ask_part_causes(sc10_app_lab *lab, sc10_proxy_id proxy)
{
    uint32_t copies[SC10_PROXY_SIZES];
    const size_t n = sc10_app_sizes(lab, proxy, copies);
    for (size_t c = 1; c < G_N_ELEMENTS(CHANGES); c++) { /* the first is E16's own */
        for (size_t part = SC10_ALL_CALLS; part <= SC10_NO_P2P; part++) {
            const sc10_app_case what = changed(proxy, c, (sc10_part)part, copies[MIN(n - 1, 1)]);
            sc10_app_ask(lab, &what);
        }
    }
}

void sc10_note_part_causes(sc10_app_lab *lab, sc10_table *table)
{
    add_rows(lab, SC10_AMG, table);
    add_rows(lab, SC10_POP, table);
}
