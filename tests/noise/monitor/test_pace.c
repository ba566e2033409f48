/* tests/noise/monitor/test_pace.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "monitor/pace.h"

/* Sweeps of some cost under a synthetic clock; an expensive beginning. @return share used in all */
static double watch(noise_pace *pace, double cost_ns, double first_ns, double seconds)
{
    double now = 0;
    double spent = first_ns;
    while (now < seconds * 1e9) {
        spent += cost_ns;
        now += cost_ns;
        noise_pace_step(pace, (uint64_t)spent, (uint64_t)now);
        now = MAX(now, now - cost_ns + (double)pace->interval_ns);
    }
    return spent / now;
}

static void a_budget_is_kept_whatever_a_sweep_costs(void)
{
    static const double COSTS[] = {2e3, 60e3, 900e3, 8e6};
    static const double BUDGETS[] = {0.001, 0.01, 0.1, 0.5};
    for (size_t i = 0; i < G_N_ELEMENTS(COSTS); i++) {
        for (size_t k = 0; k < G_N_ELEMENTS(BUDGETS); k++) {
            noise_pace pace;
            noise_pace_init(&pace, NOISE_NIT_BUDGET, BUDGETS[k]);
            const double used = watch(&pace, COSTS[i], 30e6, 600);
            const double wanted = COSTS[i] / BUDGETS[k]; /* between two sweeps */
            if (wanted < 1e9) {                          /* the longest interval */
                CHECK(used <= 1.02 * BUDGETS[k], "%g ns, %g: %g", COSTS[i], BUDGETS[k], used);
            }
            if (wanted > 400e3 && wanted < 1e9) {
                CHECK_NEAR(pace.interval_ns, wanted, 0.1 * wanted, "%g ns, %g", COSTS[i],
                           BUDGETS[k]);
            }
            CHECK(pace.interval_ns >= 200000 && pace.interval_ns <= 1000000000);
        }
    }
}

static void a_rate_and_a_cpu_of_its_own_do_not_adapt(void)
{
    noise_pace pace;
    noise_pace_init(&pace, NOISE_NIT_RATE, 1000);
    (void)watch(&pace, 900e3, 0, 1);
    CHECK_I64(pace.interval_ns, 1000000);
    noise_pace_init(&pace, NOISE_NIT_DEDICATED, 0);
    (void)watch(&pace, 900e3, 0, 1);
    CHECK_I64(pace.interval_ns, 0);
}

SUITE_MAIN("pace", TEST(a_budget_is_kept_whatever_a_sweep_costs),
           TEST(a_rate_and_a_cpu_of_its_own_do_not_adapt))
