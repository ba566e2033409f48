/* tests/collectives/algorithms/test_coll_cost.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What collectives cost: docs/collectives.md, section 6.
 */
#include "check.h"
#include "coll/program.h"
#include "cost.h"
#include "sim/run.h"

#include <assert.h>
#include <string.h>

#define NS_PER_BYTE (SIM_NS * SIM_RATE_PER_PS)

/* The columns of the table that are algorithms of ours. */
static const struct {
    coll_kind kind;
    const char *algorithm;
} COLUMN[] = {
    {COLL_BCAST, "binomial"},          {COLL_REDUCE, "binomial"},
    {COLL_ALLREDUCE, "dissemination"}, {COLL_SCATTER, "linear"},
    {COLL_GATHER, "linear"},           {COLL_ALLGATHER, "ring"},
    {COLL_ALLTOALL, "pairwise"},       {COLL_ALLGATHER, "bruck"},
    {COLL_ALLTOALL, "bruck"},          {COLL_ALLREDUCE, "recursive-halving"},
};

/*
 * docs/collectives.md, section 6.5: measured with LogGOPSim; ns; -1: not measured. Its scatter and
 * gather post everything at once. A chain changes nothing in either: the root's sends leave g +
 * (m-1)G apart by the network interface in any case, and under async progress what arrives at the
 * root is taken in as it arrives, whenever its receive is posted.
 */
static const int64_t TABLE[][2 + G_N_ELEMENTS(COLUMN)] = {
    {2, 1, 5500, 5500, 5500, 5500, 5500, 5500, 5500, 5500, 5500, -1},
    {2, 1024, 11638, 11638, 11638, 11638, 11638, 11638, 11638, 11638, 11638, 17132},
    {2, 65536, 398710, 398710, 398710, 398710, 398710, 398710, 398710, 398710, 398710, 404204},
    {4, 1, 11000, 11000, 11000, 8500, 8500, 16500, 16500, 11006, 11012, -1},
    {4, 1024, 23276, 23276, 23276, 25914, 26914, 34914, 34914, 29420, 35564, 31192},
    {4, 65536, 797420, 797420, 797420, 1187130, 1188130, 1196130, 1196130, 1190636, 1583852,
     611800},
    {5, 1, 11000, 11000, 16500, 10000, 10000, 22000, 22000, 16506, 16512, -1},
    {5, 1024, 25914, 26914, 34914, 33052, 34552, 46552, 46552, 41058, 47202, -1},
    {5, 65536, 1187130, 1188130, 1196130, 1581340, 1582840, 1594840, 1594840, 1589346, 1982562, -1},
    {7, 1, 12500, 12500, 16500, 13000, 13000, 33000, 33000, 16518, 16536, -1},
    {7, 1024, 30414, 30914, 34914, 47328, 49828, 69828, 69828, 53346, 71778, -1},
    {7, 65536, 1191630, 1192130, 1196130, 2369760, 2372260, 2392260, 2392260, 2375778, 3555426, -1},
    {8, 1, 16500, 16500, 16500, 14500, 14500, 38500, 38500, 16524, 16554, -1},
    {8, 1024, 34914, 34914, 34914, 54466, 57466, 81466, 81466, 59490, 90210, 43716},
    {8, 65536, 1196130, 1196130, 1196130, 2763970, 2766970, 2790970, 2790970, 2768994, 4735074,
     721092},
    {16, 1, 22000, 22000, 22000, 26500, 26500, 82500, 82500, 22066, 22168, -1},
    {16, 1024, 46552, 46552, 46552, 111570, 118570, 174570, 174570, 114136, 218584, 55472},
    {16, 65536, 1594840, 1594840, 1594840, 5917650, 5924650, 5980650, 5980650, 5920216, 12604888,
     781232},
    {32, 1, 27500, 27500, 27500, 50500, 50500, 170500, 170500, 27656, 27950, -1},
    {32, 1024, 58190, 58190, 58190, 225778, 240778, 360778, 360778, 217934, 518990, 66844},
    {32, 65536, 1993550, 1993550, 1993550, 12225010, 12240010, 12360010, 12360010, 12217166,
     31484750, 816796},
};

static void numbers_are_those_of_the_table(void)
{
    const sim_params params = {.L = 2500 * SIM_NS,
                               .o = 1500 * SIM_NS,
                               .g = 1000 * SIM_NS,
                               .G = 6 * NS_PER_BYTE,
                               .S = INT64_MAX,
                               .progress = SIM_PROGRESS_ASYNC,
                               .rendezvous = SIM_RENDEZVOUS_INSTANT};
    for (size_t i = 0; i < G_N_ELEMENTS(TABLE); i++) {
        for (size_t c = 0; c < G_N_ELEMENTS(COLUMN); c++) {
            if (TABLE[i][2 + c] >= 0) {
                CHECK_I64(cost_makespan(COLUMN[c].kind, COLUMN[c].algorithm, (uint32_t)TABLE[i][0],
                                        TABLE[i][1], &params),
                          TABLE[i][2 + c] * SIM_NS, "%s:%s p=%d m=%d",
                          coll_kind_name(COLUMN[c].kind), COLUMN[c].algorithm, (int)TABLE[i][0],
                          (int)TABLE[i][1]);
            }
        }
    }
}

static sim_time one_exchange(const sim_params *p, int64_t bytes) /* Dx */
{
    return 2 * p->o + cost_max(p->L, sim_rate_times(p->O, bytes - 1)) +
           sim_rate_times(cost_max(p->O, p->G), bytes - 1);
}

/*
 * The symmetric-exchange theorem. It leaves out one thing: where (b-1)O > L, a rank takes a
 * message in later than it came, its interface is held up by that, and a shorter message right
 * behind a longer one has to wait if g is what paces them.
 */
static sim_time theorem(const sim_params *p, const int64_t *bytes, uint32_t n)
{
    sim_time t = n > 0 ? one_exchange(p, bytes[n - 1]) : 0;
    for (uint32_t i = 0; i + 1 < n; i++) {
        t += cost_max(one_exchange(p, bytes[i]), cost_gap(p, bytes[i]));
    }
    return t;
}

static bool theorem_applies(const sim_params *p, const int64_t *bytes, uint32_t n)
{
    bool all_early = true;
    bool none_shrinks = true;
    for (uint32_t i = 0; i < n; i++) {
        all_early = all_early && sim_rate_times(p->O, bytes[i] - 1) <= p->L;
        none_shrinks = none_shrinks && (i == 0 || bytes[i] >= bytes[i - 1]);
    }
    return all_early || none_shrinks;
}

/* All ranks do the same: the rules of docs/model.md, async, for one of them. */
static sim_time exchanges(const sim_params *p, const int64_t *bytes, uint32_t n)
{
    sim_time ready = 0;
    sim_time transmit = 0; /* TX */
    sim_time receive = 0;  /* RX */
    for (uint32_t i = 0; i < n; i++) {
        const sim_time cpu = sim_rate_times(p->O, bytes[i] - 1);
        const sim_time wire = sim_rate_times(p->G, bytes[i] - 1);
        const sim_time start = cost_max(ready, transmit);
        const sim_time arrival = start + p->o + p->L;
        const sim_time accept = cost_max(cost_max(arrival, start + p->o + cpu), receive);
        transmit = start + p->g + wire;
        receive = accept + p->g + wire;
        ready = accept + p->o + cost_max(cpu, wire);
    }
    if (theorem_applies(p, bytes, n)) {
        CHECK_I64(ready, theorem(p, bytes, n), "%u steps", n);
    }
    return ready;
}

static uint32_t levels_of(uint32_t size)
{
    uint32_t k = 0;
    while ((1U << k) < size) {
        k++;
    }
    return k;
}

static int64_t blocks_with_bit(uint32_t size, uint32_t bit)
{
    int64_t n = 0;
    for (uint32_t i = 0; i < size; i++) {
        n += (i & bit) != 0 ? 1 : 0;
    }
    return n;
}

/* The bytes of every step of one rank, by docs/collectives.md, section 6.3. @return how many steps
 */
static uint32_t exchange_bytes(coll_kind kind, const char *algorithm, uint32_t size, int64_t m,
                               int64_t *bytes)
{
    assert(size >= 2);
    const uint32_t k = levels_of(size);
    const bool is_ring = strcmp(algorithm, "ring") == 0;
    const bool is_halving = strcmp(algorithm, "recursive-halving") == 0;
    const bool is_log =
        !is_ring && strcmp(algorithm, "pairwise") != 0 && strcmp(algorithm, "linear") != 0;
    const bool is_ring_allreduce = is_ring && kind == COLL_ALLREDUCE;
    uint32_t n = is_log ? k : size - 1;
    n *= is_ring_allreduce || is_halving ? 2 : 1;
    for (uint32_t i = 0; i < n; i++) {
        const int64_t d = (int64_t)1 << (i % 32);
        if (is_halving) { /* there, and back */
            bytes[i] = m >> (i < k ? i + 1 : 2 * k - i);
        } else if (is_ring_allreduce) {
            bytes[i] = m / size;
        } else if (kind == COLL_ALLTOALL && is_log) {
            bytes[i] = m * blocks_with_bit(size, (uint32_t)d);
        } else if (kind == COLL_ALLGATHER && is_log) {
            bytes[i] = m * (d < size - d ? d : size - d);
        } else {
            bytes[i] = m;
        }
    }
    return n;
}

static const struct {
    coll_kind kind;
    bool power_of_two; /* the theorem holds for these sizes only */
    const char *algorithm;
} EXCHANGE[] = {
    {COLL_ALLREDUCE, false, "dissemination"},
    {COLL_ALLREDUCE, true, "recursive-doubling"},
    {COLL_ALLREDUCE, true, "recursive-halving"},
    {COLL_ALLREDUCE, false, "ring"},
    {COLL_ALLGATHER, false, "dissemination"},
    {COLL_ALLGATHER, true, "recursive-doubling"},
    {COLL_ALLGATHER, false, "ring"},
    {COLL_ALLGATHER, false, "bruck"},
    {COLL_ALLTOALL, false, "bruck"},
    {COLL_ALLTOALL, false, "pairwise"},
    {COLL_ALLTOALL, false, "linear"},
    {COLL_SCAN, true, "recursive-doubling"},
};

static void check_exchanges(const sim_params *params, uint32_t size, int64_t m)
{
    int64_t bytes[64];
    for (size_t i = 0; i < G_N_ELEMENTS(EXCHANGE); i++) {
        if (EXCHANGE[i].power_of_two && (size & (size - 1)) != 0) {
            continue;
        }
        /* Vectors are cut evenly, so that in every step all ranks send the same. */
        const int64_t even = EXCHANGE[i].kind == COLL_ALLREDUCE ? m * size : m;
        const uint32_t n =
            exchange_bytes(EXCHANGE[i].kind, EXCHANGE[i].algorithm, size, even, bytes);
        CHECK_I64(cost_makespan(EXCHANGE[i].kind, EXCHANGE[i].algorithm, size, even, params),
                  exchanges(params, bytes, n),
                  "%s:%s p=%u m=%d L=%d o=%d g=%d G=%d O=%d progress=%d",
                  coll_kind_name(EXCHANGE[i].kind), EXCHANGE[i].algorithm, size, (int)even,
                  (int)params->L, (int)params->o, (int)params->g, (int)params->G, (int)params->O,
                  params->progress);
    }
}

static void symmetric_exchanges_cost_what_the_theorem_says(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (int i = 0; i < 120; i++) {
        const sim_params params = cost_random_params(rand, SIM_PROGRESS_ASYNC);
        check_exchanges(&params, (uint32_t)g_rand_int_range(rand, 2, 18),
                        g_rand_int_range(rand, 1, 300));
    }
}

/* Under polling the same holds in the usual regime: G >= O, L >= (b-1)O, 2o + L >= g. */
static void polling_costs_the_same_in_the_usual_regime(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(2);
    for (int i = 0; i < 120; i++) {
        sim_params params = cost_random_params(rand, SIM_PROGRESS_POLLING);
        params.O = 0;
        params.g = params.g > 2 * params.o + params.L ? 2 * params.o + params.L : params.g;
        check_exchanges(&params, (uint32_t)g_rand_int_range(rand, 2, 18),
                        g_rand_int_range(rand, 1, 300));
    }
}

/* docs/collectives.md, section 6.4. */
static void linear_costs_what_the_closed_form_says(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(3);
    for (int i = 0; i < 160; i++) {
        sim_params params =
            cost_random_params(rand, i % 2 == 0 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING);
        const uint32_t size = (uint32_t)g_rand_int_range(rand, 2, 18);
        const int64_t m = g_rand_int_range(rand, 1, 300);
        if (params.progress == SIM_PROGRESS_POLLING) {
            /* The root takes up a message as soon as it may: the first as the last. */
            params.G = cost_max(params.G, params.O);
        }
        const sim_time one = cost_one_message(&params, m);
        const sim_time out = (size - 2) * cost_send_interval(&params, m) + one;
        const sim_time in = one + (size - 2) * cost_receive_interval(&params, m);
        CHECK_I64(cost_makespan(COLL_BCAST, "linear", size, m, &params), out, "case %d", i);
        CHECK_I64(cost_makespan(COLL_SCATTER, "linear", size, m, &params), out, "case %d", i);
        CHECK_I64(cost_makespan(COLL_GATHER, "linear", size, m, &params), in, "case %d", i);
        CHECK_I64(cost_makespan(COLL_REDUCE, "linear", size, m, &params), in, "case %d", i);
    }
}

/* t(root) = 0, t(child i of x) = t(x) + i A + D; children of v:
 * docs/collectives.md, section 2.2; docs/collectives.md, section 2.3. */
static sim_time tree_time(const sim_params *params, uint32_t size, int64_t m, uint32_t v,
                          bool is_far)
{
    sim_time latest = 0;
    int64_t children = 0;
    for (int i = 0; i < 31; i++) {
        const uint32_t bit = 1U << (is_far ? 30 - i : i);
        const bool is_child = is_far ? (v == 0 || bit < (v & -v)) : bit > v;
        if (is_child && (uint64_t)v + bit < size) {
            latest = cost_max(latest, children * cost_send_interval(params, m) +
                                          cost_one_message(params, m) +
                                          tree_time(params, size, m, v + bit, is_far));
            children++;
        }
    }
    return latest;
}

static void trees_cost_what_the_recursion_says(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(4);
    for (int i = 0; i < 160; i++) {
        const sim_params params =
            cost_random_params(rand, i % 2 == 0 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING);
        const uint32_t size = (uint32_t)g_rand_int_range(rand, 2, 70);
        const int64_t m = g_rand_int_range(rand, 1, 300);
        CHECK_I64(cost_makespan(COLL_BCAST, "binomial", size, m, &params),
                  tree_time(&params, size, m, 0, false), "case %d", i);
        CHECK_I64(cost_makespan(COLL_BCAST, "binomial-far", size, m, &params),
                  tree_time(&params, size, m, 0, true), "case %d", i);
    }
}

/*
 * p = 2^k: bcast max((k-1)A + D, kD). Reduce D + (k-1) max(D, B): a parent takes its children in
 * the order in which they come, leaves first; reduction work w adds itself to each level.
 */
static void powers_of_two_have_closed_forms(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(5);
    for (int i = 0; i < 100; i++) {
        sim_params params =
            cost_random_params(rand, i % 2 == 0 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING);
        params.G = cost_max(params.G, params.O);
        const int64_t k = g_rand_int_range(rand, 1, 7);
        const int64_t m = g_rand_int_range(rand, 1, 300);
        const sim_time one = cost_one_message(&params, m);
        CHECK_I64(cost_makespan(COLL_BCAST, "binomial", 1U << k, m, &params),
                  cost_max((k - 1) * cost_send_interval(&params, m) + one, k * one), "case %d", i);
        CHECK_I64(cost_makespan(COLL_REDUCE, "binomial", 1U << k, m, &params),
                  one + (k - 1) * cost_max(one, cost_receive_interval(&params, m)), "case %d", i);
    }
}

/* One combination after each receive of a chain. */
static void reduction_work_adds_to_every_round(void)
{
    const sim_params params = {.L = 2500, .o = 1500, .g = 1000, .S = INT64_MAX};
    const coll_call call = {
        .kind = COLL_ALLREDUCE, .size = 16, .bytes = 100, .reduce = 7 * SIM_RATE_PER_PS};
    sim_program *program = coll_program_new(&call, coll_algorithm_get("dissemination"), 1, NULL);
    g_autoptr(sim_result) result = sim_run(program, &params, NULL, NULL);
    CHECK_I64(result->makespan, 4 * (5500 + 700)); /* 4 rounds of 2o + L, then 100 bytes */
    sim_program_free(program);
}

/* docs/collectives.md, section 6.4; [HSL10] Table III (us, us/B) and the latency of a 1-byte
 * dissemination at 2^15. */
static void base_latencies_are_those_of_the_paper(void)
{
    static const struct {
        const char *system;
        sim_time L, o, g;
        sim_rate G;
        sim_time base; /* 2^15 ranks */
    } row[] = {
        {"CHiC", 5330 * SIM_NS, 770 * SIM_NS, 1560 * SIM_NS, 1250 * SIM_RATE_PER_PS,
         103050 * SIM_NS},
        {"Altix", 1640 * SIM_NS, 990 * SIM_NS, 900 * SIM_NS, 1230 * SIM_RATE_PER_PS,
         54300 * SIM_NS},
        {"CNL", 4770 * SIM_NS, 2870 * SIM_NS, 2040 * SIM_NS, 2670 * SIM_RATE_PER_PS,
         157650 * SIM_NS},
        {"ZeptoOS", 8670 * SIM_NS, 3420 * SIM_NS, 2810 * SIM_NS, 2690 * SIM_RATE_PER_PS,
         232650 * SIM_NS},
        {"XT-4", 9900 * SIM_NS, 1750 * SIM_NS, 3400 * SIM_NS, 580 * SIM_RATE_PER_PS,
         201000 * SIM_NS},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const sim_params params = {
            .L = row[i].L, .o = row[i].o, .g = row[i].g, .G = row[i].G, .S = 65535};
        CHECK_I64(cost_makespan(COLL_ALLREDUCE, "dissemination", 1U << 15, 1, &params), row[i].base,
                  "%s", row[i].system);
        /* The same per round at 2^10, and for a tree over as many. */
        CHECK_I64(cost_makespan(COLL_ALLREDUCE, "dissemination", 1U << 10, 1, &params),
                  row[i].base / 15 * 10, "%s", row[i].system);
        CHECK_I64(cost_makespan(COLL_BCAST, "binomial", 1U << 10, 1, &params),
                  row[i].base / 15 * 10, "%s", row[i].system);
        /* With s bytes, at a size that is no power of two: ceil(log2 P)(2o + L + (s-1)G). */
        CHECK_I64(cost_makespan(COLL_ALLREDUCE, "dissemination", 1000, 4096, &params),
                  10 * (2 * row[i].o + row[i].L + sim_rate_times(row[i].G, 4095)), "%s",
                  row[i].system);
    }
}

SUITE_MAIN("coll_cost", TEST(numbers_are_those_of_the_table),
           TEST(symmetric_exchanges_cost_what_the_theorem_says),
           TEST(polling_costs_the_same_in_the_usual_regime),
           TEST(linear_costs_what_the_closed_form_says), TEST(trees_cost_what_the_recursion_says),
           TEST(powers_of_two_have_closed_forms), TEST(reduction_work_adds_to_every_round),
           TEST(base_latencies_are_those_of_the_paper))
