/* tests/apps/steady/test_steady_budget.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Which sizes a wall time has room for, and how it is dealt out, by a pace that is given. */
#include "steady/steady_budget.h"

#include "check.h"

#include <math.h>

static const app_steady_pace PACE = {.seconds = 1e-6, .pass = 0.1 * (double)SIM_S};

static app_noise noise_of(const char *text)
{
    g_autoptr(GError) error = NULL;
    const app_noise noise = {.signature = noise_signature_parse(text, 1, &error), .replicas = 5};
    g_assert_no_error(error);
    return noise;
}

static app_steady_size size_of(const app_experiment *experiment, uint32_t ranks, uint64_t pass_ops)
{
    return (app_steady_size){.experiment = experiment,
                             .ranks = ranks,
                             .mode = APP_UNSYNCHRONIZED,
                             .half_width = 0.1,
                             .pass_ops = pass_ops};
}

/* A size of a thousand times the work leaves the others their time, as it will not be run. */
static void time_is_dealt_out_among_sizes_that_have_room(void)
{
    g_auto(app_noise) noise = noise_of("fixed:10Hz:2.5ms");
    const app_experiment experiment = {.noise = &noise};
    app_steady_size sizes[3];
    for (int i = 0; i < 3; i++) {
        sizes[i] = size_of(&experiment, 16, i < 2 ? 20000000 : 2000000000);
    }
    const double least = app_steady_seconds(&sizes[0], &PACE, 1, 2);
    const double budget = 4 * least;
    const double over = APP_STEADY_OVER * budget;
    CHECK(app_steady_has_room(budget, 1.01 * least - over, &sizes[0], &PACE));
    CHECK(!app_steady_has_room(budget, 0.99 * least - over, &sizes[0], &PACE));
    CHECK(!app_steady_has_room(budget, budget, &sizes[2], &PACE));
    const double alone = app_steady_part(budget, budget, sizes, 2, &PACE);
    CHECK_NEAR(alone, budget / 2, 1e-9 * budget);
    CHECK(app_steady_part(budget, budget, sizes, 3, &PACE) == alone);
    /* Who takes little gets all of it; the others share what is left. */
    sizes[2].pass_ops = 4 * sizes[0].pass_ops;
    const double little = app_steady_part(8 * budget, budget, sizes, 3, &PACE);
    const double much = app_steady_part(8 * budget, budget, &sizes[2], 1, &PACE);
    CHECK_NEAR(little, budget / 3, 1e-9 * budget);
    CHECK_NEAR(much, budget + 8 * over, 1e-9 * budget);
    sizes[0].pass_ops /= 100;
    const double all = app_steady_part(8 * budget, budget, sizes, 3, &PACE);
    CHECK(all >= app_steady_least(&sizes[0], &PACE) && all < budget / 10, "%g", all);
    sizes[0].pass_ops *= 100;
    /* What is left holds one of them: it is the last, and goes a little beyond the budget. */
    CHECK_NEAR(app_steady_part(budget, least, sizes, 2, &PACE), least + over, 1e-9 * budget);
    CHECK_NEAR(app_steady_floor(budget, -0.5 * over, &sizes[0], &PACE), 0.5 * over, 1e-9 * budget);
}

/* A pass of 100 ms meets one detour, which says nothing; one of 10 s meets a hundred. */
static void a_check_needs_room_where_it_will_be_made(void)
{
    g_auto(app_noise) noise = noise_of("fixed:10Hz:2.5ms");
    noise.cosched = true;
    const app_experiment experiment = {.noise = &noise};
    const app_steady_size size = size_of(&experiment, 16, 20000000);
    for (int i = 0; i < 2; i++) {
        const app_steady_pace pace = {PACE.seconds, i == 0 ? PACE.pass : 100 * PACE.pass};
        const double least = app_steady_seconds(&size, &pace, 1, 2 + i);
        const double budget = 4 * least;
        const double over = APP_STEADY_OVER * budget;
        CHECK(app_steady_has_room(budget, 1.01 * least - over, &size, &pace), "%d", i);
        CHECK(!app_steady_has_room(budget, 0.99 * least - over, &size, &pace), "%d", i);
    }
}

/* Not half of it to either: one that is settled is worth more than two that are not. */
static void what_can_settle_has_its_time_whole(void)
{
    g_auto(app_noise) noise = noise_of("fixed:10Hz:2.5ms");
    const app_experiment experiment = {.noise = &noise};
    app_steady_size sizes[2];
    for (int i = 0; i < 2; i++) {
        sizes[i] = size_of(&experiment, 16, i == 0 ? 20000000 : 80000000);
    }
    const double need = app_steady_planned_work(&sizes[0], &PACE, HUGE_VAL) * PACE.seconds;
    const double budget = 1.5 * need; /* of the five that both need */
    CHECK_NEAR(app_steady_part(budget, budget, sizes, 2, &PACE), need, 1e-9 * need);
    CHECK_NEAR(app_steady_part(budget, 0.5 * need, &sizes[1], 1, &PACE),
               0.5 * need + APP_STEADY_OVER * budget, 1e-9 * need);
    sizes[0].pass_ops = 80000000; /* whichever comes first */
    sizes[1].pass_ops = 20000000;
    CHECK_NEAR(app_steady_part(budget, budget, sizes, 2, &PACE), 0.5 * need, 1e-9 * need);
}

/* 16 ranks must run 64 times as long as 1 Ki to meet as many detours, 1 Mi are large anyway. */
static void sizes_that_nobody_asked_for_are_begun_with_what_takes_least(void)
{
    g_auto(app_noise) noise = noise_of("poisson:100s:2.5ms");
    const app_experiment experiment = {.noise = &noise};
    static const uint32_t ranks[] = {16, 1024, 1 << 20};
    static const uint64_t per_rank[] = {200, 100, 100};
    app_steady_size sizes[3];
    for (int i = 0; i < 3; i++) {
        sizes[i] = size_of(&experiment, ranks[i], per_rank[i] * ranks[i]);
        sizes[i].only_settled = true;
    }
    g_autofree size_t *order = app_steady_order(sizes, 3, &PACE);
    CHECK_I64(order[0], 1);
    CHECK_I64(order[1], 0);
    CHECK_I64(order[2], 2);
    for (int i = 0; i < 3; i++) {
        sizes[i].only_settled = false;
    }
    g_autofree size_t *as_asked = app_steady_order(sizes, 3, &PACE);
    CHECK(as_asked[0] == 0 && as_asked[1] == 1 && as_asked[2] == 2);
}

SUITE_MAIN("steady_budget", TEST(time_is_dealt_out_among_sizes_that_have_room),
           TEST(a_check_needs_room_where_it_will_be_made), TEST(what_can_settle_has_its_time_whole),
           TEST(sizes_that_nobody_asked_for_are_begun_with_what_takes_least))
