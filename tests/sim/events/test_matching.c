/* tests/sim/events/test_matching.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which message meets which receive, where many wait: against a list of all that wait, in the
 * order in which they came.
 */
#include "check.h"
#include "events/matching_private.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct waiting {
    matching_envelope envelope;
    uint32_t ref;
    bool message;
} waiting;

typedef struct bench {
    GRand *random;
    matching *matching;
    GArray *list; /* of waiting */
    uint32_t next_ref;
    gint32 ranks, sources, tags;
    bool wildcards;
} bench;

static uint32_t below(bench *b, gint32 n)
{
    return (uint32_t)g_rand_int_range(b->random, 0, n);
}

static bool fits(const matching_envelope *receive, const matching_envelope *message)
{
    return receive->rank == message->rank && receive->comm == message->comm &&
           (receive->source == SIM_ANY || receive->source == message->source) &&
           (receive->tag == SIM_ANY || message->tag == SIM_ANY || receive->tag == message->tag);
}

/* A message or a receive comes: it takes the first of the other kind that fits, or waits. */
static bool come_under(bench *b, matching_envelope e, bool message, const char *where)
{
    guint k = 0;
    for (; k < b->list->len; k++) {
        const waiting *w = &g_array_index(b->list, waiting, k);
        if (w->message != message && (message ? fits(&w->envelope, &e) : fits(&e, &w->envelope))) {
            break;
        }
    }
    const uint32_t found = message ? sim_matching_take_receive(b->matching, &e)
                                   : sim_matching_take_message(b->matching, &e);
    if (k < b->list->len) {
        const uint32_t wanted = g_array_index(b->list, waiting, k).ref;
        g_array_remove_index(b->list, k);
        return CHECK_I64(found, wanted, "%s", where);
    }
    const waiting w = {e, ++b->next_ref, message};
    sim_matching_wait(b->matching, &e, w.ref, message);
    g_array_append_val(b->list, w);
    return CHECK_I64(found, MATCHING_NONE, "%s: nothing fits", where);
}

static bool come(bench *b, const char *where)
{
    const bool message = below(b, 2) == 0;
    matching_envelope e = {.rank = below(b, b->ranks),
                           .source = below(b, b->sources),
                           .tag = below(b, b->tags),
                           .comm = below(b, 3) / 2};
    if (b->wildcards) {
        e.tag = below(b, 4) == 0 ? SIM_ANY : e.tag;
        e.source = !message && below(b, 4) == 0 ? SIM_ANY : e.source;
    }
    return come_under(b, e, message, where);
}

static int by_ref(const void *a, const void *b)
{
    const matching_left *x = a;
    const matching_left *y = b;
    return (x->ref > y->ref) - (x->ref < y->ref);
}

/* All that waits is listed, as what it called itself. */
static void check_left(const bench *b, const char *where)
{
    const size_t n = sim_matching_num_left(b->matching);
    if (!CHECK_I64(n, b->list->len, "%s", where)) {
        return;
    }
    g_autofree matching_left *left = g_new(matching_left, n + 1);
    sim_matching_left(b->matching, left);
    qsort(left, n, sizeof *left, by_ref);
    for (size_t i = 0; i < n; i++) { /* the list is in the order of its refs */
        const waiting *w = &g_array_index(b->list, waiting, i);
        CHECK(left[i].ref == w->ref && left[i].is_message == w->message &&
                  memcmp(&left[i].envelope, &w->envelope, sizeof w->envelope) == 0,
              "%s: number %zu of those left", where, i);
    }
}

static void check_many(bool wildcards)
{
    for (uint32_t seed = 1; seed <= 40; seed++) {
        const gint32 few = 1 + (gint32)(seed % 3);
        bench b = {.random = g_rand_new_with_seed(seed),
                   .matching = sim_matching_new(wildcards),
                   .list = g_array_new(FALSE, FALSE, sizeof(waiting)),
                   .ranks = few,
                   .sources =
                       seed % 2 == 0 ? few : 400, /* queues behind each other; many of them */
                   .tags = few,
                   .wildcards = wildcards};
        g_autofree char *where = g_strdup_printf("seed %u, wildcards %d", seed, wildcards);
        bool sound = true;
        for (unsigned i = 0; i < 3000 && sound; i++) {
            sound = come(&b, where);
        }
        check_left(&b, where);
        sim_matching_free(b.matching);
        g_array_unref(b.list);
        g_rand_free(b.random);
    }
}

static void takes_what_has_waited_longest_under_equal_envelopes(void)
{
    check_many(false);
}

static void takes_what_has_waited_longest_of_all_that_fit(void)
{
    check_many(true);
}

/*
 * Of a rank few may wait or many: again and again more come, up to some number, and then what they
 * wait for, in any order. Ranks that are near each other, and far apart, have turns of their own.
 */
static void ranks_have_few_and_many_that_wait_in_turn(void)
{
    static const uint32_t ranks[] = {0, 1, 255, 256, 70000};
    for (uint32_t seed = 1; seed <= 12; seed++) {
        bench b = {.random = g_rand_new_with_seed(seed),
                   .matching = sim_matching_new(false),
                   .list = g_array_new(FALSE, FALSE, sizeof(waiting))};
        g_autofree char *where = g_strdup_printf("seed %u", seed);
        bool sound = true;
        for (unsigned turn = 0; turn < 60 && sound; turn++) {
            const bool message = below(&b, 2) == 0;
            const uint32_t rank = ranks[below(&b, G_N_ELEMENTS(ranks))];
            const guint most = b.list->len + below(&b, turn % 10 == 9 ? 300 : 24);
            while (sound && b.list->len < most) { /* now and then, one that meets another */
                const matching_envelope e = {rank, below(&b, 40), below(&b, 3), below(&b, 3) / 2};
                sound = come_under(&b, e, message, where);
            }
            if (turn % 2 == 0) {
                check_left(&b, where);
            }
            const guint least = turn % 3 == 0 ? 0 : below(&b, 12);
            while (sound && b.list->len > least) {
                const guint k = below(&b, (gint32)b.list->len);
                const waiting w = g_array_index(b.list, waiting, k);
                const uint32_t peeked = sim_matching_peek(b.matching, &w.envelope, w.message);
                sim_matching_prefetch(b.matching, &w.envelope); /* changes nothing */
                const guint before = b.list->len;
                sound = CHECK(peeked != MATCHING_NONE && peeked <= w.ref, "%s: peek", where) &&
                        come_under(&b, w.envelope, !w.message, where) &&
                        CHECK_I64(b.list->len, before - 1, "%s: they have met", where);
            }
        }
        check_left(&b, where);
        sim_matching_free(b.matching);
        g_array_unref(b.list);
        g_rand_free(b.random);
    }
}

/* 2^30 is the first reference that has no room in a slot. */
static void a_reference_that_is_too_large_stops_the_program(void)
{
    const matching_envelope e = {.rank = 3};
    matching *m = sim_matching_new(false);
    sim_matching_wait(m, &e, (UINT32_C(1) << 30) - 1, true);
    CHECK_I64(sim_matching_take_message(m, &e), (UINT32_C(1) << 30) - 1, "the largest");
    int ends[2];
    CU_ASSERT_FATAL(pipe(ends) == 0);
    const pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        sim_matching_wait(m, &e, UINT32_C(1) << 30, true);
        _exit(0);
    }
    (void)close(ends[1]);
    char said[512] = "";
    const ssize_t n = read(ends[0], said, sizeof said - 1);
    (void)close(ends[0]);
    int status = 0;
    CHECK_I64(waitpid(child, &status, 0), child, "the child");
    CHECK(n > 0 && strstr(said, "1073741823 messages and receives") != NULL, "it says: %s", said);
    CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 0, "it stops");
    sim_matching_free(m);
}

SUITE_MAIN("matching", TEST(takes_what_has_waited_longest_under_equal_envelopes),
           TEST(takes_what_has_waited_longest_of_all_that_fit),
           TEST(ranks_have_few_and_many_that_wait_in_turn),
           TEST(a_reference_that_is_too_large_stops_the_program))
