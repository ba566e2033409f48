/* tests/sim/machine/test_cold_cost.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "sim/cold_cost.h"

#define SEED 20101114

static const sim_cold_cost TWO = {
    {{100 * SIM_US, 400 * SIM_NS, 100 * SIM_NS}, {300 * SIM_US, 1000 * SIM_NS, 500 * SIM_NS}}, 2};

/* first = 300 shared + 100 own at 100 us, 500 + 500 at 300 us. */
static void the_first_call_fetches_what_all_share_and_each_kind_its_own(void)
{
    static const struct {
        int64_t any_us, kind_us, ns;
    } ROWS[] = {
        {0, 0, 0},        {100, 100, 400}, {50, 50, 200}, {300, 300, 1000}, {200, 200, 700},
        {900, 900, 1000}, {0, 100, 100},   {0, 200, 300}, {0, 5000, 500},   {50, 300, 650},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        CHECK_I64(sim_cold_cost_of(&TWO, ROWS[i].any_us * SIM_US, ROWS[i].kind_us * SIM_US),
                  ROWS[i].ns * SIM_NS, "after %d and %d us", (int)ROWS[i].any_us,
                  (int)ROWS[i].kind_us);
    }
    const sim_cold_cost nothing = {.num_points = 0};
    CHECK_I64(sim_cold_cost_of(&nothing, SIM_TIME_MAX, SIM_TIME_MAX), 0);
}

static sim_cold_cost random_cost(GRand *rand)
{
    sim_cold_cost cost = {.num_points = (uint32_t)g_rand_int_range(rand, 1, SIM_COLD_POINTS + 1)};
    sim_time computed = 0;
    for (uint32_t i = 0; i < cost.num_points; i++) {
        computed += 1 + g_rand_int_range(rand, 0, G_MAXINT32);
        const int first = g_rand_int_range(rand, 0, G_MAXINT32);
        cost.point[i] = (sim_cold_point){computed, first, g_rand_int_range(rand, 0, first + 1)};
    }
    return cost;
}

static void what_is_written_reads_back_the_same(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < 500; i++) {
        const sim_cold_cost cost = random_cost(rand);
        g_autofree char *text = sim_cold_cost_format(&cost);
        sim_cold_cost back;
        g_autoptr(GError) error = NULL;
        if (!CHECK(sim_cold_cost_parse(text, &back, &error), "%s: %s", text,
                   error != NULL ? error->message : "")) {
            break;
        }
        CHECK_I64(back.num_points, cost.num_points);
        for (uint32_t k = 0; k < cost.num_points; k++) {
            CHECK_I64(back.point[k].computed, cost.point[k].computed, "%s", text);
            CHECK_I64(back.point[k].first, cost.point[k].first, "%s", text);
            CHECK_I64(back.point[k].further, cost.point[k].further, "%s", text);
        }
    }
}

/* An oracle: at a point what stands there, between two of them between both, never below nothing.
 */
static void it_goes_straight_from_point_to_point(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < 500; i++) {
        const sim_cold_cost cost = random_cost(rand);
        sim_cold_point before = {0};
        for (uint32_t k = 0; k < cost.num_points; k++) {
            const sim_cold_point *p = &cost.point[k];
            CHECK_I64(sim_cold_cost_of(&cost, p->computed, p->computed), p->first);
            CHECK_I64(sim_cold_cost_of(&cost, 0, p->computed), p->further);
            const sim_time middle = before.computed + (p->computed - before.computed) / 2;
            const sim_time further = sim_cold_cost_of(&cost, 0, middle);
            CHECK(further >= MIN(before.further, p->further) &&
                      further <= MAX(before.further, p->further),
                  "seed %d, cost %d, point %u", SEED, i, k);
            CHECK_NEAR((double)further, (double)(before.further + p->further) / 2,
                       2 + (double)ABS(p->further - before.further) /
                               (double)(p->computed - before.computed));
            before = *p;
        }
        CHECK_I64(sim_cold_cost_of(&cost, before.computed + SIM_S, before.computed + SIM_S),
                  before.first);
    }
}

static void bad_text_is_refused_by_value(void)
{
    static const struct {
        const char *text, *wanted;
    } ROWS[] = {
        {"", "not of the form COMPUTED:FIRST:FURTHER: ''"},
        {"1us:1ns", "not of the form COMPUTED:FIRST:FURTHER: '1us:1ns'"},
        {"1us:1ns:1ns:1ns", "not of the form"},
        {"1us:1ns:0,", "not of the form COMPUTED:FIRST:FURTHER: ''"},
        {"0:1ns:0", "'0:1ns:0' is not after more computation than before"},
        {"2us:1ns:0,2us:2ns:0", "'2us:2ns:0' is not after more computation than before"},
        {"2us:1ns:2ns", "'2us:1ns:2ns' has further calls take more than the first"},
        {"2 leagues:1ns:0", "not a time"},
        {"2us:-1ns:0", "not a time"},
        {"1us:0:0,2us:0:0,3us:0:0,4us:0:0,5us:0:0,6us:0:0,7us:0:0,8us:0:0,9us:0:0,10us:0:0,11us:0:"
         "0,"
         "12us:0:0,13us:0:0,14us:0:0,15us:0:0,16us:0:0,17us:0:0",
         "more than 16 points"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        sim_cold_cost cost = TWO;
        g_autoptr(GError) error = NULL;
        CHECK(!sim_cold_cost_parse(ROWS[i].text, &cost, &error), "%s", ROWS[i].text);
        CHECK_ERROR(error, ROWS[i].wanted);
        CHECK_I64(cost.num_points, 2, "as it was");
    }
}

SUITE_MAIN("costs after a computation",
           TEST(the_first_call_fetches_what_all_share_and_each_kind_its_own),
           TEST(what_is_written_reads_back_the_same), TEST(it_goes_straight_from_point_to_point),
           TEST(bad_text_is_refused_by_value))
