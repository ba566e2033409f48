/* tests/apps/stretches/test_stretch_log.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Random stretches go into a log, and come out of it as they were. */
#include "check.h"
#include "stretches/stretch_log.h"

#include "sim/program.h"

enum { RANKS = 50, STRETCHES = 200000 /* more than a block */ };

/* Numbers of all sizes: half of them 0. */
static int64_t any(GRand *random)
{
    const uint64_t bits = (uint64_t)g_rand_int(random) << 24 ^ g_rand_int(random);
    return g_rand_boolean(random) ? 0 : (int64_t)(bits >> g_rand_int_range(random, 12, 60));
}

/* The next stretch of some rank; the same rank now and then. */
static app_observed_stretch next_stretch(GRand *random, const app_observed_stretch *before,
                                         sim_time *end)
{
    static const sim_time USUAL[] = {0, 2500000, 2500001, SIM_MS};
    const bool again = g_rand_int_range(random, 0, 3) > 0;
    const uint32_t rank = again ? before->rank : (uint32_t)g_rand_int_range(random, 0, RANKS);
    const bool usual = g_rand_int_range(random, 0, 4) > 0;
    app_observed_stretch s = {.idle_from = end[rank],
                              .start = end[rank] + any(random),
                              .work = usual ? USUAL[g_rand_int_range(random, 0, 4)] : any(random),
                              .rank = rank,
                              .op = again && g_rand_boolean(random) ? before->op + 1
                                                                    : g_rand_int(random),
                              .cause_rank = rank,
                              .cause_op = SIM_ANY,
                              .type = (uint8_t)g_rand_int_range(random, 0, 3)};
    s.end = s.start + s.work + any(random);
    s.usual_idle = g_rand_boolean(random) ? s.start - s.idle_from : any(random);
    const uint32_t cause = (uint32_t)g_rand_int_range(random, 0, RANKS);
    if (g_rand_boolean(random) && cause != rank) {
        s.cause_rank = cause;
        s.cause_op = g_rand_int(random);
    }
    end[rank] = s.end;
    return s;
}

typedef struct comparison {
    const GArray *all;
    const bool *wanted;
    guint at; /* ranks come as they were added */
    guint seen;
    guint wrong;
} comparison;

static void compare(const app_observed_stretch *s, void *user)
{
    comparison *c = user;
    const app_observed_stretch *want = NULL;
    do {
        want = c->at < c->all->len ? &g_array_index(c->all, app_observed_stretch, c->at++) : NULL;
    } while (want != NULL && !c->wanted[want->rank]);
    c->seen++;
    c->wrong += want == NULL || s->idle_from != want->idle_from || s->start != want->start ||
                s->end != want->end || s->work != want->work || s->usual_idle != want->usual_idle ||
                s->rank != want->rank || s->op != want->op || s->cause_rank != want->cause_rank ||
                s->cause_op != want->cause_op || s->type != want->type;
}

static void what_goes_in_comes_out_of_those_that_are_wanted(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(20);
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(app_observed_stretch));
    g_autoptr(app_stretch_log) log = app_stretch_log_new();
    sim_time end[RANKS] = {0};
    bool wanted[RANKS];
    guint expected = 0;
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        wanted[rank] = rank % 3 == 1;
    }
    app_observed_stretch s = {0};
    for (guint i = 0; i < STRETCHES; i++) {
        s = next_stretch(random, &s, end);
        g_array_append_val(all, s);
        app_stretch_log_add(log, &s);
        expected += wanted[s.rank];
    }
    comparison c = {.all = all, .wanted = wanted};
    CHECK(app_stretch_log_read(log, wanted, RANKS, compare, &c), "it is whole");
    CHECK_I64(c.seen, expected, "");
    CHECK_I64(c.wrong, 0, "");
    CHECK(expected > STRETCHES / 5, "%u", expected);
}

static void an_empty_log_has_nothing(void)
{
    g_autoptr(app_stretch_log) log = app_stretch_log_new();
    const bool wanted[1] = {true};
    comparison c = {0};
    CHECK(app_stretch_log_read(log, wanted, 1, compare, &c), "it is whole");
    CHECK_I64(c.seen, 0, "");
}

SUITE_MAIN("stretch_log", TEST(what_goes_in_comes_out_of_those_that_are_wanted),
           TEST(an_empty_log_has_nothing))
