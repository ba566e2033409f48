/* tests/bench/test_app_lab.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Applications of the SC'10 paper: what is run, once, and what comes of it. On pop's record, which
 * is the smallest. */
#include "app_lab.h"

#include "app_slowdown.h"
#include "check.h"

static const sc10_app_case POP = {
    .proxy = SC10_POP, .copies = 1, .machine = "chic", .noise = "fixed:100Hz:100us"};

static sc10_app_lab *lab_of(uint32_t runs, unsigned threads)
{
    const sc10_app_plan plan = {
        .copies = 8, .runs = runs, .few_runs = 1, .fewer_runs = 3, .threads = threads, .seed = 1};
    return sc10_app_lab_new(TRACES, &plan);
}

static void a_change_of_the_case_is_another_run(void)
{
    sc10_app_case other[10];
    for (size_t i = 0; i < G_N_ELEMENTS(other); i++) {
        other[i] = POP;
    }
    other[0].copies = 2;
    other[1].repeat = 2;
    other[2].no_p2p = true;
    other[3].no_collectives = true;
    other[4].roots_per_copy = true;
    other[5].computation = SC10_BALANCED;
    other[6].algorithms = "allreduce=ring";
    other[7].network = 10;
    other[8].cosched = true;
    other[9].stretch = 0.1;
    g_autofree char *own = sc10_app_run_key(&POP);
    for (size_t i = 0; i < G_N_ELEMENTS(other); i++) {
        g_autofree char *key = sc10_app_run_key(&other[i]);
        CHECK(strcmp(own, key) != 0, "%zu", i);
    }
}

static void sizes_stop_at_the_most_copies(void)
{
    g_autoptr(sc10_app_lab) lab = lab_of(1, 1);
    uint32_t copies[SC10_PROXY_SIZES];
    const size_t n = sc10_app_sizes(lab, SC10_POP, copies);
    CHECK_I64(copies[0], 1);
    CHECK(copies[n - 1] <= 8, "%u", copies[n - 1]);
    CHECK(!sc10_app_is_whole(lab, SC10_POP), "%s", "not the paper's");
}

/* Below the largest size those that E16 pairs have as many as asked for, others three. */
static void large_sizes_have_fewer_runs(void)
{
    g_autoptr(sc10_app_lab) lab = lab_of(5, 1);
    static const struct {
        const char *machine;
        size_t size;
        uint32_t runs;
        int network;
        bool no_p2p, no_collectives, cosched;
    } ROWS[] = {
        {"altix", 0, 5, .cosched = true}, {"altix", 1, 1, .cosched = true},
        {"altix", 1, 5, .network = 0},    {"altix", 2, 3, .network = 0},
        {"altix", 3, 1, .network = 0},    {"chic", 2, 5, .network = 0},
        {"chic", 2, 5, .no_p2p = true},   {"chic", 2, 3, .no_collectives = true},
        {"chic", 2, 3, .network = 10},    {"chic", 1, 5, .network = 10},
        {"chic", 3, 1, .no_p2p = true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        sc10_app_case what = POP;
        what.machine = ROWS[i].machine;
        what.copies = SC10_PROXIES[SC10_POP].copies[ROWS[i].size];
        what.network = ROWS[i].network;
        what.no_p2p = ROWS[i].no_p2p;
        what.no_collectives = ROWS[i].no_collectives;
        what.cosched = ROWS[i].cosched;
        CHECK_I64(sc10_app_runs_of(lab, &what), ROWS[i].runs, "%zu", i);
        what.noise = NULL;
        CHECK_I64(sc10_app_runs_of(lab, &what), 0, "%zu", i);
    }
}

static void runs_are_the_same_on_one_thread_and_two(void)
{
    g_autoptr(sc10_app_lab) one = lab_of(3, 1);
    g_autoptr(sc10_app_lab) two = lab_of(3, 2);
    const sc10_app_times *a = sc10_app_times_of(one, &POP);
    const sc10_app_times *b = sc10_app_times_of(two, &POP);
    CHECK_I64(a->n, 3);
    CHECK_I64(b->n, 3);
    CHECK(a->ideal == b->ideal && a->ideal > 0, "%g, %g", a->ideal, b->ideal);
    for (size_t i = 0; i < 3; i++) {
        CHECK(a->time[i] == b->time[i] && a->time[i] > a->ideal, "%zu: %g, %g", i, a->time[i],
              b->time[i]);
    }
    CHECK(sc10_app_times_of(one, &POP) == a, "%s", "run once");
}

/* What is run of the same cases, asked for in another order: one application's, another network,
 * without messages, and where the time goes. */
static void ask_in_order(sc10_app_lab *lab, bool backwards, sc10_app_case cases[3])
{
    for (size_t i = 0; i < 3; i++) {
        cases[i] = POP;
    }
    cases[1].network = 10;
    cases[2].no_p2p = true;
    for (size_t k = 0; k < 3; k++) {
        const size_t i = backwards ? 2 - k : k;
        const sc10_app_case quiet = {.proxy = SC10_POP, .copies = 1, .machine = "chic"};
        if (i == 0) {
            sc10_app_ask_shares(lab, &quiet);
        }
        sc10_app_ask(lab, &cases[i]);
    }
    sc10_app_run_asked(lab);
}

static void runs_are_the_same_in_any_order(void)
{
    g_autoptr(sc10_app_lab) one = lab_of(2, 1);
    g_autoptr(sc10_app_lab) other = lab_of(2, 3);
    sc10_app_case cases[3];
    ask_in_order(one, false, cases);
    ask_in_order(other, true, cases);
    for (size_t i = 0; i < 3; i++) {
        const sc10_app_times *a = sc10_app_times_of(one, &cases[i]);
        const sc10_app_times *b = sc10_app_times_of(other, &cases[i]);
        CHECK(a->ideal == b->ideal && a->messages == b->messages, "%zu: %g, %g", i, a->ideal,
              b->ideal);
        CHECK(a->time[0] == b->time[0] && a->time[1] == b->time[1], "%zu", i);
        CHECK(a->time[0] != a->time[1], "%zu: two replicas", i);
    }
    const sc10_app_case quiet = {.proxy = SC10_POP, .copies = 1, .machine = "chic"};
    const sc10_shares *s = sc10_app_shares_of(one, &quiet);
    CHECK(s->makespan > 0 && s->makespan == sc10_app_shares_of(other, &quiet)->makespan, "%s",
          "shares");
    CHECK(sc10_app_shares_of(one, &quiet) == s, "%s", "taken once");
}

/* 100 us of each 10 ms, less what waiting takes: at least as much as nothing, and 128 ranks meet
 * 100 detours a second each. */
static void detours_met_are_those_of_all_ranks(void)
{
    g_autoptr(sc10_app_lab) lab = lab_of(1, 2);
    const sc10_app_times *t = sc10_app_times_of(lab, &POP);
    CHECK_NEAR(t->fewest_met, 128 * 100 * t->ideal, 1, "%s", "unsynchronized");
    sc10_app_case together = POP;
    together.cosched = true;
    const sc10_app_times *c = sc10_app_times_of(lab, &together);
    CHECK_NEAR(c->fewest_met, 100 * c->ideal, 1, "%s", "co-scheduled");
}

/* A hand calculation: 2 % and 4 % are 3 % on average, and their range. */
static void two_runs_have_a_range(void)
{
    double time[] = {10.2, 10.4};
    const sc10_app_times t = {.ranks = 1, .ideal = 10, .n = 2, .time = time};
    const sc10_estimate e = sc10_app_slowdown(&t, 1);
    CHECK_NEAR(e.value, 3, 1e-9, "%s", "mean");
    CHECK_NEAR(e.low, 2, 1e-9, "%s", "low");
    CHECK_NEAR(e.high, 4, 1e-9, "%s", "high");
    g_autofree char *text = sc10_app_runs_text(&t);
    CHECK(strcmp(text, "mean and range of 2 runs") == 0, "%s", text);
}

SUITE_MAIN("app_lab", TEST(a_change_of_the_case_is_another_run),
           TEST(sizes_stop_at_the_most_copies), TEST(large_sizes_have_fewer_runs),
           TEST(runs_are_the_same_on_one_thread_and_two), TEST(runs_are_the_same_in_any_order),
           TEST(detours_met_are_those_of_all_ranks), TEST(two_runs_have_a_range))
