/* tests/sim/replica/test_replica_watch.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Someone watches replicas in the lanes of vectors: hears how far they are, may end them, and
 * changes nothing. Each trial takes another way through the loops.
 */
#include "check.h"
#include "coll/program.h"
#include "noise/injection.h"
#include "noise/lanes.h"
#include "sim/replica.h"

#include <string.h>

/** What is run. */
typedef struct trial {
    const char *name;
    const char *algorithm;
    coll_kind kind;
    uint32_t size;
    uint32_t repeat;
    noise_sync sync;
    int64_t rendezvous; /* messages of more bytes than this */
} trial;

enum { ALL_EAGER = 65535, BYTES = 8, LOOKS_WANTED = 4, LOOKS_MOST = 4096 };

static const trial TRIALS[] = {
    {"gathered", "dissemination", COLL_ALLREDUCE, 1 << 15, 1, NOISE_UNSYNCHRONIZED, ALL_EAGER},
    {"following", "dissemination", COLL_ALLREDUCE, 40001, 2, NOISE_UNSYNCHRONIZED, ALL_EAGER},
    {"rendezvous", "dissemination", COLL_ALLREDUCE, 1 << 15, 1, NOISE_UNSYNCHRONIZED, 0},
    {"level by level", "binomial", COLL_BCAST, 1 << 17, 2, NOISE_UNSYNCHRONIZED, ALL_EAGER},
    {"one for all", "dissemination", COLL_ALLREDUCE, 1 << 15, 1, NOISE_COSCHEDULED, ALL_EAGER},
};

/** Remembers what it hears. */
typedef struct listener {
    sim_watch watch;
    unsigned stop_at; /* at the so many-th look; 0: never */
    unsigned looks;
    uint64_t num_ops[LOOKS_MOST];
} listener;

static bool hear(sim_watch *watch, uint64_t num_ops, sim_time now)
{
    listener *l = (listener *)watch; /* its first member */
    CU_ASSERT_EQUAL(now, 0);
    g_assert_true(l->looks < LOOKS_MOST);
    l->num_ops[l->looks++] = num_ops;
    return l->looks != l->stop_at;
}

/** A trial that is set up. */
typedef struct stage {
    sim_program *program;
    noise_signature *signature;
    noise_lanes *noise;
    sim_replicas *replicas;
    sim_time makespan[SIM_LANES];
    sim_time *finish[SIM_LANES];
} stage;

static void stage_set(stage *s, const trial *t)
{
    const coll_call call = {.kind = t->kind, .size = t->size, .bytes = BYTES};
    const sim_params params = {.L = 9900 * SIM_NS,
                               .o = 1750 * SIM_NS,
                               .g = 3400 * SIM_NS,
                               .G = 580 * SIM_RATE_PER_PS / 1000,
                               .S = t->rendezvous};
    const noise_injection_options o = {.sync = t->sync, .seed = 1};
    g_autoptr(GError) error = NULL;
    s->program = coll_program_new(&call, coll_algorithm_get(t->algorithm), t->repeat, &error);
    g_assert_no_error(error);
    s->signature = noise_signature_parse("fixed:37us:11us+poisson:200us:30us", 1, &error);
    g_assert_no_error(error);
    s->noise = noise_lanes_new(s->signature, t->size, &o, SIM_LANES);
    const char *why = NULL;
    s->replicas = sim_replicas_new(s->program, &params, &why);
    CHECK(s->replicas != NULL, "%s: %s", t->name, why);
    g_assert_nonnull(s->replicas);
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
        s->finish[lane] = g_new0(sim_time, t->size);
    }
}

static void stage_clear(stage *s)
{
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
        g_free(s->finish[lane]);
    }
    sim_replicas_free(s->replicas);
    noise_lanes_free(s->noise);
    noise_signature_free(s->signature);
    sim_program_free(s->program);
}

static bool stage_run(stage *s, listener *l)
{
    return sim_replicas_run(s->replicas, noise_lanes_hook(s->noise), l != NULL ? &l->watch : NULL,
                            s->makespan, s->finish);
}

static bool is_same(const stage *a, const stage *b, uint32_t ranks)
{
    bool same = memcmp(a->makespan, b->makespan, sizeof a->makespan) == 0;
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
        same = same && memcmp(a->finish[lane], b->finish[lane], ranks * sizeof(sim_time)) == 0;
    }
    return same;
}

static void check_told(const trial *t, const stage *s, const listener *l)
{
    const uint64_t all = sim_replicas_num_ops(s->replicas);
    CHECK(l->looks >= LOOKS_WANTED, "%s: %u looks", t->name, l->looks);
    for (unsigned i = 0; i < l->looks; i++) {
        const uint64_t before = i > 0 ? l->num_ops[i - 1] : 0;
        CHECK(l->num_ops[i] > before && l->num_ops[i] <= all,
              "%s: look %u: %" G_GUINT64_FORMAT " after %" G_GUINT64_FORMAT
              " of %" G_GUINT64_FORMAT,
              t->name, i, l->num_ops[i], before, all);
    }
    const uint64_t last = l->looks > 0 ? l->num_ops[l->looks - 1] : 0;
    CHECK(last > all / 4 * 3, "%s: at last %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT, t->name,
          last, all);
}

static void one_that_is_watched_tells_how_far_it_is_and_ends_the_same(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(TRIALS); i++) {
        const trial *t = &TRIALS[i];
        stage alone = {0};
        stage watched = {0};
        listener l = {.watch = {hear}};
        stage_set(&alone, t);
        stage_set(&watched, t);
        CHECK(stage_run(&alone, NULL), "%s", t->name);
        CHECK(stage_run(&watched, &l), "%s", t->name);
        CHECK(is_same(&alone, &watched, t->size), "%s", t->name);
        check_told(t, &watched, &l);
        stage_clear(&alone);
        stage_clear(&watched);
    }
}

/* Wherever it was: the next one has the same memory and is as if nothing had been. */
static void one_that_is_ended_says_so_and_spoils_no_other(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(TRIALS); i++) {
        const trial *t = &TRIALS[i];
        stage whole = {0};
        stage ended = {0};
        stage_set(&whole, t);
        stage_set(&ended, t);
        (void)stage_run(&whole, NULL);
        for (unsigned at = 1; at <= LOOKS_WANTED; at++) {
            listener l = {.watch = {hear}, .stop_at = at};
            CHECK(!stage_run(&ended, &l), "%s: look %u", t->name, at);
            CHECK_I64(l.looks, at, "%s", t->name);
        }
        CHECK(stage_run(&ended, NULL), "%s", t->name);
        CHECK(is_same(&whole, &ended, t->size), "%s", t->name);
        stage_clear(&whole);
        stage_clear(&ended);
    }
}

SUITE_MAIN("replica_watch", TEST(one_that_is_watched_tells_how_far_it_is_and_ends_the_same),
           TEST(one_that_is_ended_says_so_and_spoils_no_other))
