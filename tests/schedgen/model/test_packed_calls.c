/* tests/schedgen/model/test_packed_calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Packed calls are the calls that were packed, in little memory. */
#include "model/packed_private.h"
#include "model/packer_private.h"
#include "sched/trace.h"

#include "check.h"
#include "same_calls.h"
#include "trace_random.h"

#include <string.h>

static sched_rank copy_of(const sched_rank *rank)
{
    return (sched_rank){.num_calls = rank->num_calls,
                        .calls = g_memdup2(rank->calls, rank->num_calls * sizeof *rank->calls),
                        .num_requests = rank->num_requests,
                        .requests =
                            g_memdup2(rank->requests, rank->num_requests * sizeof *rank->requests),
                        .num_counts = rank->num_counts,
                        .counts = g_memdup2(rank->counts, rank->num_counts * sizeof *rank->counts)};
}

/* Packed and walked through, then unpacked. */
static void check_rank(const sched_rank *rank, const char *what)
{
    sched_rank packed = copy_of(rank);
    sched_rank_pack(&packed);
    CHECK(packed.calls == NULL && packed.requests == NULL, "%s", what);
    sched_walk walk;
    sched_walk_begin(&walk, &packed);
    uint64_t n = 0;
    for (const sched_call *call; (call = sched_walk_next(&walk)) != NULL; n++) {
        same_calls_check(rank, &rank->calls[n], packed.counts, walk.requests, call, what);
    }
    sched_walk_end(&walk);
    CHECK_I64(n, rank->num_calls, "%s", what);
    for (int kind = SCHED_CALL_OTHER; kind <= SCHED_CALL_ICOLLECTIVE; kind++) {
        CHECK(sched_rank_has_kind(&packed, kind) == sched_rank_has_kind(rank, kind), "%s: kind %d",
              what, kind);
    }
    sched_rank_unpack(&packed);
    CHECK(packed.packed == NULL, "%s", what);
    for (uint64_t i = 0; i < n; i++) {
        same_calls_check(rank, &rank->calls[i], packed.counts, packed.requests, &packed.calls[i],
                         what);
    }
    sched_rank_clear(&packed);
}

static void same_bytes(const void *a, size_t a_bytes, const void *b, size_t b_bytes,
                       const char *what)
{
    CHECK(a_bytes == b_bytes && (a_bytes == 0 || memcmp(a, b, a_bytes) == 0), "%s", what);
}

/* Packed in pieces as packed at once. */
static void check_pieces(GRand *rand, const sched_rank *rank, const char *what)
{
    sched_rank whole = copy_of(rank);
    sched_rank_pack(&whole);
    sched_rank left = copy_of(rank);
    sched_packer *packer = sched_packer_new();
    for (int i = g_rand_int_range(rand, 0, 4); i > 0; i--) {
        sched_packer_take(packer, &left,
                          (uint64_t)g_rand_int_range(rand, 0, (gint)left.num_calls + 1));
    }
    sched_packer_finish(packer, &left);
    sched_packer_free(packer);
    const sched_packed *a = whole.packed;
    const sched_packed *b = left.packed;
    CHECK(left.num_calls == rank->num_calls, "%s", what);
    CHECK(a->unit == b->unit && a->begin == b->begin && a->wild == b->wild, "%s", what);
    same_bytes(a->classes, a->num_classes * sizeof *a->classes, b->classes,
               b->num_classes * sizeof *b->classes, what);
    same_bytes(a->bodies, a->num_body_bytes, b->bodies, b->num_body_bytes, what);
    same_bytes(a->tokens, a->num_token_bytes, b->tokens, b->num_token_bytes, what);
    same_bytes(whole.counts, whole.num_counts * sizeof *whole.counts, left.counts,
               left.num_counts * sizeof *left.counts, what);
    sched_rank_clear(&whole);
    sched_rank_clear(&left);
}

static void pieces_make_the_whole(void)
{
    enum { PROGRAMS = 300 };
    g_autoptr(GRand) rand = g_rand_new_with_seed(5);
    for (int i = 0; i < PROGRAMS; i++) {
        g_autoptr(sched_trace) trace =
            trace_random_new(rand, (uint32_t)g_rand_int_range(rand, 1, 80));
        for (uint32_t r = 0; r < trace->num_ranks; r++) {
            g_autofree char *what = g_strdup_printf("program %d, rank %u", i, r);
            sched_rank *rank = &trace->ranks[r];
            /* whole us, then one time that is not, or is out of all range */
            static const sim_time LAST[] = {0, SIM_US, SIM_NS, 1, SIM_TIME_MAX};
            for (uint64_t k = 0; i % 2 != 0 && k < rank->num_calls; k++) {
                rank->calls[k].enter -= rank->calls[k].enter % SIM_US;
                rank->calls[k].leave -= rank->calls[k].leave % SIM_US;
                rank->calls[k].cpu = rank->calls[k].cpu_inside = -1;
            }
            if (i % 2 != 0 && rank->num_calls > 0) {
                rank->calls[rank->num_calls - 1].leave +=
                    LAST[g_rand_int_range(rand, 0, G_N_ELEMENTS(LAST))];
            }
            check_pieces(rand, rank, what);
        }
    }
}

static void random_programs_are_kept(void)
{
    enum { PROGRAMS = 300 };
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (int i = 0; i < PROGRAMS; i++) {
        g_autoptr(sched_trace) trace =
            trace_random_new(rand, (uint32_t)g_rand_int_range(rand, 1, 80));
        for (uint32_t r = 0; r < trace->num_ranks; r++) {
            g_autofree char *what = g_strdup_printf("program %d, rank %u", i, r);
            check_rank(&trace->ranks[r], what);
        }
    }
}

static int64_t any_of(GRand *rand, const int64_t *values, size_t n)
{
    return values[g_rand_int_range(rand, 0, (gint32)n)];
}

/* Every field with every odd value that a reader may give it, and often the same one again. */
static void odd_values_are_kept(void)
{
    static const int64_t TIMES[] = {-SIM_TIME_MAX, -1,     0, 1,      999,
                                    SIM_US,        SIM_NS, 7, SIM_MS, SIM_TIME_MAX};
    static const int64_t SIZES[] = {0, 1, -1, INT64_MAX, INT64_MIN, 4096};
    static const int64_t NUMBERS[] = {0, 1, 7, SCHED_ANY, SCHED_PROC_NULL, SCHED_UNKNOWN, 70000};
    g_autoptr(GRand) rand = g_rand_new_with_seed(2);
    sched_rank rank = {0};
    for (uint32_t i = 0; i < 3000; i++) {
        sched_call *c = sched_rank_append(&rank);
        int64_t *const sizes[] = {&c->bytes, &c->recv_bytes, &c->room};
        uint32_t *const numbers[] = {&c->peer,         &c->tag,         &c->recv_peer,
                                     &c->recv_tag,     &c->comm,        &c->root,
                                     &c->matched_peer, &c->matched_tag, &c->name};
        c->enter = any_of(rand, TIMES, G_N_ELEMENTS(TIMES));
        c->leave = any_of(rand, TIMES, G_N_ELEMENTS(TIMES));
        c->cpu = any_of(rand, TIMES + 1, G_N_ELEMENTS(TIMES) - 1); /* the first: not possible */
        c->cpu_inside = any_of(rand, TIMES + 1, G_N_ELEMENTS(TIMES) - 1);
        for (size_t k = 0; k < G_N_ELEMENTS(sizes); k++) {
            *sizes[k] = any_of(rand, SIZES, G_N_ELEMENTS(SIZES));
        }
        for (size_t k = 0; k < G_N_ELEMENTS(numbers); k++) {
            *numbers[k] = (uint32_t)any_of(rand, NUMBERS, G_N_ELEMENTS(NUMBERS));
        }
        c->request = (uint64_t)any_of(rand, SIZES, G_N_ELEMENTS(SIZES));
        c->line = i % 3 == 0 ? i : (uint32_t)any_of(rand, NUMBERS, G_N_ELEMENTS(NUMBERS));
        c->kind = (uint8_t)g_rand_int_range(rand, 0, SCHED_CALL_ICOLLECTIVE + 1);
        c->collective = (uint8_t)g_rand_int_range(rand, 0, COLL_NUM_KINDS);
        c->in_place = i % 2 != 0;
        c->synchronous = i % 5 == 0;
        const uint32_t lists = i % 4 == 0 ? (uint32_t)g_rand_int_range(rand, 0, 4) : 0;
        c->num_list = lists;
        c->num_send_counts = lists / 2;
        c->num_recv_counts = lists - lists / 2;
        c->list = rank.num_requests;
        c->counts = rank.num_counts;
        for (uint32_t k = 0; k < lists; k++) {
            (void)sched_rank_add_request(&rank, (uint64_t)any_of(rand, SIZES, G_N_ELEMENTS(SIZES)));
            (void)sched_rank_add_count(&rank, any_of(rand, SIZES, G_N_ELEMENTS(SIZES)));
        }
    }
    check_rank(&rank, "odd");
    sched_rank_clear(&rank);
}

static void nothing_is_kept_as_nothing(void)
{
    sched_rank rank = {0};
    sched_rank_pack(&rank);
    sched_walk walk;
    sched_walk_begin(&walk, &rank);
    CHECK(sched_walk_next(&walk) == NULL);
    sched_walk_end(&walk);
    sched_rank_unpack(&rank);
    CHECK_I64(rank.num_calls, 0);
    sched_rank_clear(&rank);
}

typedef enum { SAME, TIMES, ALL } variety;

/* A loop of posts and waits. */
static double bytes_per_call(variety what)
{
    enum { ITERATIONS = 20000, POSTS = 12, CALLS = POSTS + 1 };
    g_autoptr(GRand) rand = g_rand_new_with_seed(3);
    sched_rank rank = {0};
    sim_time now = 0;
    uint64_t requests = 0;
    for (uint32_t i = 0; i < ITERATIONS; i++) {
        for (uint32_t k = 0; k < CALLS; k++) {
            sched_call *c = sched_rank_append(&rank);
            const uint32_t tag = what == ALL ? (uint32_t)g_rand_int_range(rand, 0, 32768) : k;
            c->kind = k == POSTS      ? SCHED_CALL_COMPLETE
                      : k < POSTS / 2 ? SCHED_CALL_IRECV
                                      : SCHED_CALL_ISEND;
            c->name = c->kind;
            c->line = i * CALLS + k + 3;
            c->enter = now + (what == SAME ? 2000 : g_rand_int_range(rand, 200, 8000)) * SIM_NS;
            c->leave = c->enter + (what == SAME ? 900 : g_rand_int_range(rand, 200, 8000)) * SIM_NS;
            now = c->leave;
            if (k < POSTS) {
                c->peer = what == ALL ? (uint32_t)g_rand_int_range(rand, 0, 512) : k;
                c->tag = tag;
                c->bytes = what == ALL ? g_rand_int_range(rand, 0, 1 << 20) : 8192;
                c->room = k < POSTS / 2 ? c->bytes : -1;
                c->request = requests++;
            } else {
                c->list = rank.num_requests;
                for (uint32_t p = 0; p < POSTS; p++) {
                    (void)sched_rank_add_request(&rank, requests - POSTS + p);
                }
                c->num_list = POSTS;
            }
        }
    }
    sched_rank_pack(&rank);
    const double bytes = (double)sched_rank_bytes(&rank) / (double)rank.num_calls;
    sched_rank_clear(&rank);
    return bytes;
}

static void a_call_takes_few_bytes(void)
{
    CHECK(bytes_per_call(SAME) < 0.1, "%g", bytes_per_call(SAME));
    CHECK(bytes_per_call(TIMES) < 5, "%g", bytes_per_call(TIMES));
    CHECK(bytes_per_call(ALL) < 24, "%g", bytes_per_call(ALL));
}

static void all_calls_are_shifted(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(4);
    g_autoptr(sched_trace) trace = trace_random_new(rand, 20);
    const sim_time was = trace->ranks[0].calls[3].leave;
    sched_rank_shift(&trace->ranks[0], 5);
    sched_trace_pack(trace);
    sched_rank_shift(&trace->ranks[0], SIM_S);
    const sim_time begin = sched_rank_begin(&trace->ranks[0]);
    sched_trace_unpack(trace);
    CHECK_I64(trace->ranks[0].calls[3].leave, was + 5 + SIM_S);
    CHECK_I64(trace->ranks[0].calls[0].enter, begin);
}

SUITE_MAIN("packed_calls", TEST(random_programs_are_kept), TEST(pieces_make_the_whole),
           TEST(odd_values_are_kept), TEST(nothing_is_kept_as_nothing),
           TEST(a_call_takes_few_bytes), TEST(all_calls_are_shifted))
