/* tests/collectives/algorithms/test_coll_flow.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every rank ends with exactly the blocks that MPI says: every algorithm, for every collective
 * it can do, on 1 to 33 ranks and some more, for all roots up to 9 ranks.
 */
#include "check.h"
#include "flow.h"

#define RATE (3 * SIM_RATE_PER_PS + 250000) /* 3.25 ps per byte */

static const uint32_t MORE_SIZES[] = {47, 48, 63, 64};

static void check_one(const calls_spec *spec)
{
    g_autofree char *wrong = flow_check(spec);
    if (wrong != NULL) {
        g_autofree char *what = calls_describe(spec);
        CHECK_STR(wrong, NULL, "%s", what);
    }
}

/* All payloads of a kind at a size, root and algorithm. @return how many cases */
static uint64_t check_payloads(calls_spec spec)
{
    static const int64_t bytes[] = {1, 1000, 0, 37};
    static const uint32_t periods[] = {40, 3, 1, 2, 7, 0};
    uint64_t n = 0;
    const bool is_counted = coll_kind_has_counts(spec.kind);
    /* An alltoall has size^2 blocks: where that is slow, two payloads must do. */
    const bool is_slow =
        spec.size > 17 &&
        (spec.kind == COLL_ALLTOALL || spec.kind == COLL_ALLTOALLV || spec.kind == COLL_ALLTOALLW);
    const size_t num_payloads = is_slow      ? 2
                                : is_counted ? G_N_ELEMENTS(periods)
                                             : G_N_ELEMENTS(bytes);
    for (size_t i = 0; i < num_payloads; i++) {
        for (int in_place = 0; in_place < (i < 2 ? 2 : 1); in_place++) {
            spec.in_place = in_place != 0;
            spec.bytes = is_counted ? 8 : bytes[i];
            /* 40: as many counts as ranks, or more */
            spec.period = !is_counted ? 0 : periods[i] == 40 ? spec.size : periods[i];
            spec.seed = i;
            check_one(&spec);
            n++;
        }
    }
    return n;
}

static uint64_t check_sizes(coll_kind kind, coll_algorithm algorithm)
{
    uint64_t n = 0;
    for (uint32_t i = 1; i <= 33 + G_N_ELEMENTS(MORE_SIZES); i++) {
        const uint32_t size = i <= 33 ? i : MORE_SIZES[i - 34];
        const bool is_big = size > 33 && (kind == COLL_ALLTOALLV || kind == COLL_ALLTOALLW);
        for (uint32_t root = 0; root < (coll_kind_is_rooted(kind) ? size : 1) && !is_big; root++) {
            if (size > 9 && root > 1 && root != size / 2 && root != size - 1) {
                continue;
            }
            n += check_payloads((calls_spec){
                .kind = kind, .algorithm = algorithm, .size = size, .root = root, .reduce = RATE});
        }
    }
    return n;
}

static void check_kind(coll_kind kind)
{
    uint64_t n = 0;
    for (size_t i = 0; i < calls_algorithm_count(kind); i++) {
        n += check_sizes(kind, calls_algorithm_at(kind, i));
    }
    CHECK(n >= 200, "only %" G_GUINT64_FORMAT " cases of %s", n, coll_kind_name(kind));
}

static void barrier_tells_everyone_of_everyone(void)
{
    check_kind(COLL_BARRIER);
}

static void bcast_reaches_everyone(void)
{
    check_kind(COLL_BCAST);
}

static void reductions_take_every_contribution_once(void)
{
    check_kind(COLL_REDUCE);
    check_kind(COLL_ALLREDUCE);
}

static void reduce_scatter_leaves_each_its_block(void)
{
    check_kind(COLL_REDUCE_SCATTER);
    check_kind(COLL_REDUCE_SCATTER_BLOCK);
}

static void gather_and_scatter_move_every_block(void)
{
    check_kind(COLL_GATHER);
    check_kind(COLL_GATHERV);
    check_kind(COLL_SCATTER);
    check_kind(COLL_SCATTERV);
}

static void allgather_gives_all_to_all(void)
{
    check_kind(COLL_ALLGATHER);
    check_kind(COLL_ALLGATHERV);
}

static void alltoall_exchanges_all_pairs(void)
{
    check_kind(COLL_ALLTOALL);
    check_kind(COLL_ALLTOALLV);
    check_kind(COLL_ALLTOALLW);
}

static void scans_take_the_lower_ranks(void)
{
    check_kind(COLL_SCAN);
    check_kind(COLL_EXSCAN);
}

SUITE_MAIN("coll_flow", TEST(barrier_tells_everyone_of_everyone), TEST(bcast_reaches_everyone),
           TEST(reductions_take_every_contribution_once),
           TEST(reduce_scatter_leaves_each_its_block), TEST(gather_and_scatter_move_every_block),
           TEST(allgather_gives_all_to_all), TEST(alltoall_exchanges_all_pairs),
           TEST(scans_take_the_lower_ranks))
