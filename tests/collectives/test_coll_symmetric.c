/* tests/collectives/test_coll_symmetric.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an algorithm says of its ranks as a whole, taken literally: the steps of each rank are those
 * of rank 0, with partners counted from it.
 */
#include "check.h"
#include "coll/symmetric.h"
#include "seeds.h"

/* Is every step of @p rank that of rank 0, its partner as far from it? */
static bool is_like_first(const coll_course *course, coll_ways ways, uint32_t rank)
{
    const uint32_t size = course->call.size;
    coll_walk walk[2] = {{0}, {0}};
    coll_step first;
    coll_step own;
    while (coll_walk_next(course, 0, &walk[0], &first)) {
        if (!coll_walk_next(course, rank, &walk[1], &own) || own.type != first.type ||
            own.size != first.size || own.with_previous != first.with_previous) {
            return false;
        }
        const bool is_message = own.type != SIM_OP_CALC;
        if (is_message && coll_way(ways, size, rank, own.peer) != first.peer) {
            return false;
        }
    }
    return !coll_walk_next(course, rank, &walk[1], &own);
}

static coll_ways check_call(const coll_call *call, coll_algorithm algorithm)
{
    coll_course course;
    coll_course_init(&course, call, algorithm);
    const coll_ways ways = coll_course_ways(&course);
    for (uint32_t rank = 1; rank < call->size && ways != COLL_WAYS_DIFFER; rank++) {
        CHECK(is_like_first(&course, ways, rank),
              "%s by %s on %u ranks, %" PRId64 " bytes, rank %u", coll_kind_name(call->kind),
              coll_algorithm_name(algorithm), call->size, call->bytes, rank);
    }
    return ways;
}

static void ranks_do_the_same_where_it_is_said(void)
{
    static const int64_t BYTES[] = {1, 8, 240, 4096, 5040};
    static const int64_t COUNT[] = {24};
    unsigned of[3] = {0};
    for (uint32_t size = 1; size <= 66; size++) {
        const bool is_power = (size & (size - 1)) == 0; /* as exchanges by exclusive-or want it */
        if (!is_power && size % EVERY != 0) {
            continue;
        }
        for (size_t i = 0; i < coll_algorithm_count(); i++) {
            const coll_algorithm algorithm = coll_algorithm_at(i);
            for (coll_kind kind = 0; kind < COLL_NUM_KINDS; kind++) {
                if (!coll_algorithm_check(algorithm, kind, size, NULL)) {
                    continue;
                }
                coll_call call = {.kind = kind,
                                  .size = size,
                                  .bytes = BYTES[(size + i) % G_N_ELEMENTS(BYTES)],
                                  .reduce = SIM_RATE_PER_PS};
                of[check_call(&call, algorithm)]++;
                call.send_counts = call.recv_counts = COUNT;
                call.num_counts = 1;
                of[check_call(&call, algorithm)]++;
            }
        }
    }
    CHECK(of[COLL_WAYS_DIFFER] > 0 && of[COLL_WAYS_SHIFT] > 0 && of[COLL_WAYS_MIRROR] > 0,
          "%u, %u, %u", of[0], of[1], of[2]);
}

/* What it is worth having said. */
static void it_is_said_where_it_holds(void)
{
    static const struct {
        const char *algorithm;
        int64_t bytes;
        coll_kind kind;
        uint32_t size;
        coll_ways ways;
    } row[] = {
        {"dissemination", 0, COLL_BARRIER, 5, COLL_WAYS_SHIFT},
        {"dissemination", 3, COLL_ALLREDUCE, 64, COLL_WAYS_SHIFT},
        {"ring", 20, COLL_ALLREDUCE, 10, COLL_WAYS_SHIFT},
        {"ring", 21, COLL_ALLREDUCE, 10, COLL_WAYS_DIFFER}, /* parts of 2 and 3 bytes */
        {"bruck", 1, COLL_ALLGATHER, 6, COLL_WAYS_SHIFT},
        {"bruck", 1, COLL_ALLTOALL, 7, COLL_WAYS_SHIFT},
        {"pairwise", 1, COLL_ALLTOALL, 7, COLL_WAYS_SHIFT},
        {"pairwise", 1, COLL_ALLTOALL, 8, COLL_WAYS_MIRROR},
        {"recursive-doubling", 0, COLL_BARRIER, 8, COLL_WAYS_MIRROR},
        {"recursive-doubling", 0, COLL_BARRIER, 9, COLL_WAYS_DIFFER}, /* a fold */
        {"recursive-doubling", 2, COLL_ALLGATHER, 16, COLL_WAYS_MIRROR},
        {"recursive-halving", 32, COLL_ALLREDUCE, 16, COLL_WAYS_MIRROR},
        {"recursive-halving", 33, COLL_ALLREDUCE, 16, COLL_WAYS_DIFFER},
        {"binomial", 32, COLL_BCAST, 16, COLL_WAYS_DIFFER},
        {"recursive-doubling", 32, COLL_SCAN, 16, COLL_WAYS_DIFFER},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const coll_call call = {.kind = row[i].kind, .size = row[i].size, .bytes = row[i].bytes};
        CHECK_I64(check_call(&call, coll_algorithm_get(row[i].algorithm)), row[i].ways,
                  "%s by %s on %u ranks", coll_kind_name(row[i].kind), row[i].algorithm,
                  row[i].size);
    }
}

static void counts_that_differ_are_not_the_same(void)
{
    static const int64_t COUNTS[] = {24, 25};
    const coll_call call = {
        .kind = COLL_ALLGATHERV, .size = 6, .recv_counts = COUNTS, .num_counts = 2};
    CHECK_I64(check_call(&call, coll_algorithm_get("ring")), COLL_WAYS_DIFFER);
}

SUITE_MAIN("coll_symmetric", TEST(ranks_do_the_same_where_it_is_said),
           TEST(it_is_said_where_it_holds), TEST(counts_that_differ_are_not_the_same))
