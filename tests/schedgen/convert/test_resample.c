/* tests/schedgen/convert/test_resample.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program whose computation has all that resampling is to keep: ranks that are slower than
 * others, iterations that follow on each other (an autoregression), a first iteration and every
 * tenth that take longer on all ranks. What the copies compute is read from the schedule.
 */
#include "check.h"
#include "sched/convert.h"
#include "seeds.h"

#include <math.h>
#include <stdlib.h>

enum { RANKS = 8, ITERATIONS = 200, COPIES = SEEDS(300), PER_ITERATION = 2 };

#define CORRELATION 0.7 /* from one iteration to the next */

static double normal(GRand *rand)
{
    const double pi = acos(-1);
    return sqrt(-2 * log(1 - g_rand_double(rand))) * cos(2 * pi * g_rand_double(rand));
}

static sched_call *call_after(sched_trace *trace, sim_time *now, uint32_t rank, sim_time computed,
                              sched_call_kind kind, const char *name)
{
    sched_call *call = sched_rank_append(&trace->ranks[rank]);
    call->kind = (uint8_t)kind;
    call->name = sched_trace_name(trace, name);
    call->enter = now[rank] + computed;
    call->leave = now[rank] = call->enter + SIM_US;
    return call;
}

static bool has_output(int iteration)
{
    return iteration % 10 == 9;
}

static sched_trace *make_trace(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);
    sched_trace *trace = sched_trace_new("made", "made", RANKS);
    sim_time now[RANKS] = {0};
    double state[RANKS] = {0};
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        trace->ranks[rank].file = g_strdup_printf("rank-%u", rank);
        (void)call_after(trace, now, rank, 0, SCHED_CALL_INIT, "MPI_Init");
    }
    for (int i = 0; i < ITERATIONS; i++) {
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            state[rank] =
                CORRELATION * state[rank] + sqrt(1 - CORRELATION * CORRELATION) * normal(rand);
            const double slow = rank == 3 ? 1.5 : 1;
            const double common = i == 0 ? 3 : has_output(i) ? 2 : 1;
            const double us = 100 * slow * common * exp(0.1 * state[rank]);
            sched_call *shift = call_after(trace, now, rank, (sim_time)(us * 1000) * SIM_NS,
                                           SCHED_CALL_SENDRECV, "MPI_Sendrecv");
            shift->peer = (rank + 1) % RANKS;
            shift->recv_peer = (rank + RANKS - 1) % RANKS;
            shift->bytes = shift->recv_bytes = shift->room = 64;
            sched_call *all =
                call_after(trace, now, rank, (sim_time)(10000 * exp(0.3 * normal(rand))) * SIM_NS,
                           SCHED_CALL_COLLECTIVE, "MPI_Allreduce");
            all->collective = COLL_ALLREDUCE;
            all->bytes = 8;
        }
    }
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        (void)call_after(trace, now, rank, 0, SCHED_CALL_FINALIZE, "MPI_Finalize");
    }
    return trace;
}

/* What each rank computes, in its order: [ranks][2 * ITERATIONS] us, the caller's. */
static double *computed(const sched_trace *trace, const sched_convert_options *options)
{
    sched_convert_report report = {0};
    sched_rank_source *source = sched_convert_source_new(trace, options, &report, NULL);
    const size_t each = (size_t)PER_ITERATION * ITERATIONS;
    double *all = g_new0(double, source->num_ranks *each);
    for (uint32_t rank = 0; rank < source->num_ranks; rank++) {
        sched_rank_ops ops;
        size_t n = 0;
        CHECK(source->get(source, rank, &ops, NULL), "rank %u", rank);
        for (uint32_t i = 0; i < ops.num_ops; i++) {
            if (ops.ops[i].type == SIM_OP_CALC && n < each) {
                all[rank * each + n++] = (double)ops.ops[i].size / (double)SIM_US;
            }
        }
        CHECK_I64(n, each, "rank %u", rank);
    }
    sched_convert_source_free(source);
    sched_convert_report_clear(&report);
    return all;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The computations of one site, in the order made: [ITERATIONS]. */
static void take_site(const double *of_rank, int site, double *out)
{
    for (int i = 0; i < ITERATIONS; i++) {
        out[i] = of_rank[PER_ITERATION * i + site];
    }
}

/* Two made of one record. */
typedef struct fixture {
    sched_trace *trace;
    double *record; /* [RANKS][each] */
    double *copies; /* [RANKS * COPIES][each] */
    size_t each;
} fixture;

static fixture fixture_new(bool resample, uint64_t seed)
{
    fixture f = {.trace = make_trace(), .each = (size_t)PER_ITERATION * ITERATIONS};
    const sched_convert_options own = {.copies = 1};
    const sched_convert_options many = {
        .copies = COPIES, .resample = resample, .resample_seed = seed};
    f.record = computed(f.trace, &own);
    f.copies = computed(f.trace, &many);
    return f;
}

static void fixture_clear(fixture *f)
{
    sched_trace_free(f->trace);
    g_free(f->record);
    g_free(f->copies);
}

static const double *record_of(const fixture *f, uint32_t rank)
{
    return &f->record[rank % RANKS * f->each];
}

static const double *copy_of(const fixture *f, uint32_t rank)
{
    return &f->copies[rank * f->each];
}

/* Stronger than any test of distribution: what a site takes is a permutation of the record. */
static bool same_times(const double *a, const double *b)
{
    int i = 0;
    while (i < ITERATIONS && a[i] == b[i]) {
        i++;
    }
    return i == ITERATIONS;
}

static void each_copy_has_what_was_recorded_at_each_site(void)
{
    fixture f = fixture_new(true, 1);
    uint32_t moved = 0;
    for (uint32_t rank = 0; rank < RANKS * COPIES; rank++) {
        for (int site = 0; site < PER_ITERATION; site++) {
            double there[ITERATIONS];
            double here[ITERATIONS];
            take_site(record_of(&f, rank), site, there);
            take_site(copy_of(&f, rank), site, here);
            moved += !same_times(here, there);
            qsort(there, ITERATIONS, sizeof *there, compare);
            qsort(here, ITERATIONS, sizeof *here, compare);
            CHECK(same_times(here, there), "rank %u, site %d", rank, site);
        }
    }
    const uint32_t most = PER_ITERATION * RANKS * (COPIES - 1);
    CHECK(moved <= most && moved >= most - most / 20, "%u of %u are no clones", moved, most);
    CHECK(memcmp(f.record, f.copies, RANKS * f.each * sizeof *f.record) == 0, "the record itself");
    fixture_clear(&f);
}

/* The largest distance of two distributions; both are sorted. */
static double distance(double *a, size_t n, double *b, size_t m)
{
    double most = 0;
    size_t i = 0;
    size_t j = 0;
    qsort(a, n, sizeof *a, compare);
    qsort(b, m, sizeof *b, compare);
    while (i < n && j < m) {
        const double x = MIN(a[i], b[j]);
        for (; i < n && a[i] <= x; i++) {
        }
        for (; j < m && b[j] <= x; j++) {
        }
        most = MAX(most, fabs((double)i / (double)n - (double)j / (double)m));
    }
    return most;
}

/*
 * What the copies of a rank compute in one iteration, against all ordinary iterations of that rank:
 * copies begin independently of each other, so sqrt(n) D is below 1.63 in 99 % of the cases
 * (Kolmogorov; n copies, against a distribution that is given). @return how often it is not
 */
static int rejected(const fixture *f, int *tests)
{
    int n = 0;
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        for (int iteration = 1; iteration < ITERATIONS; iteration += 40) {
            double record[ITERATIONS];
            double now[COPIES];
            size_t ordinary = 0;
            for (int i = 1; i < ITERATIONS; i++) {
                record[ordinary] = record_of(f, rank)[(size_t)PER_ITERATION * i];
                ordinary += !has_output(i);
            }
            for (uint32_t copy = 1; copy < COPIES; copy++) {
                now[copy - 1] = copy_of(f, copy * RANKS + rank)[(size_t)PER_ITERATION * iteration];
            }
            n += distance(now, COPIES - 1, record, ordinary) > 1.63 / sqrt(COPIES - 1);
            ++*tests;
        }
    }
    return n;
}

static void copies_of_an_iteration_are_distributed_as_the_record(void)
{
    int tests = 0;
    fixture f = fixture_new(true, 1);
    const int wrong = rejected(&f, &tests);
    CHECK(wrong <= 3, "%d of %d are rejected at 1 %%: binomially, 3 are the most in 99 %%", wrong,
          tests);
    fixture_clear(&f);
    fixture clones = fixture_new(false, 1);
    const int of_clones = rejected(&clones, &tests);
    CHECK_I64(of_clones, tests / 2, "the test does not see clones");
    fixture_clear(&clones);
}

/* Of the logarithm, the levels of rank and iteration left out. */
static double correlation(const double *of_rank)
{
    double x[ITERATIONS];
    double mean = 0;
    double at_0 = 0;
    double at_1 = 0;
    for (int i = 0; i < ITERATIONS; i++) {
        const double common = i == 0 ? 3 : has_output(i) ? 2 : 1;
        x[i] = log(of_rank[(size_t)PER_ITERATION * i] / common);
        mean += x[i] / ITERATIONS;
    }
    for (int i = 0; i < ITERATIONS; i++) {
        at_0 += (x[i] - mean) * (x[i] - mean);
        at_1 += i > 0 ? (x[i] - mean) * (x[i - 1] - mean) : 0;
    }
    return at_1 / at_0;
}

/* Outputs come round among themselves: one iteration in ten has neighbours from elsewhere. */
static void iterations_follow_on_each_other_as_recorded(void)
{
    fixture f = fixture_new(true, 1);
    double sum = 0;
    double sum_of_record = 0;
    for (uint32_t rank = RANKS; rank < RANKS * COPIES; rank++) {
        sum += correlation(copy_of(&f, rank)) / (RANKS * (COPIES - 1.0));
        sum_of_record += correlation(record_of(&f, rank)) / (RANKS * (COPIES - 1.0));
    }
    CHECK(sum_of_record > 0.6 && sum_of_record < 0.8, "recorded: %g", sum_of_record);
    CHECK(sum > 0.75 * sum_of_record && sum < 1.05 * sum_of_record, "%g of %g", sum, sum_of_record);
    fixture_clear(&f);
}

static void slow_ranks_stay_slow_and_what_all_share_stays_where_it_was(void)
{
    fixture f = fixture_new(true, 1);
    for (uint32_t rank = 0; rank < RANKS * COPIES; rank++) {
        const double *copy = copy_of(&f, rank);
        const double *record = record_of(&f, rank);
        double all = 0;
        double recorded = 0;
        for (size_t i = 0; i < f.each; i++) {
            all += copy[i];
            recorded += record[i];
        }
        CHECK(fabs(all - recorded) < 1e-9 * recorded, "rank %u: %g us, not %g", rank, all,
              recorded);
        CHECK(copy[0] == record[0], "rank %u: its first iteration has moved", rank);
        for (int i = 1; i < ITERATIONS; i++) {
            bool found = false;
            for (int j = 1; j < ITERATIONS && !found; j++) {
                found = has_output(j) == has_output(i) &&
                        copy[(size_t)PER_ITERATION * i] == record[(size_t)PER_ITERATION * j];
            }
            CHECK(found, "rank %u, iteration %d: of another kind", rank, i);
        }
        rank += rank > 4 * RANKS ? RANKS * COPIES / 20 + 1 : 0; /* a sample will do */
    }
    fixture_clear(&f);
}

static void another_seed_is_another_order(void)
{
    fixture f = fixture_new(true, 1);
    fixture same = fixture_new(true, 1);
    fixture other = fixture_new(true, 2);
    const size_t bytes = (size_t)RANKS * COPIES * f.each * sizeof *f.copies;
    CHECK(memcmp(f.copies, same.copies, bytes) == 0, "the same seed");
    CHECK(memcmp(f.copies, other.copies, bytes) != 0, "another seed");
    fixture_clear(&f);
    fixture_clear(&same);
    fixture_clear(&other);
}

/* Passes differ in the copies, and are as recorded in the record. */
static void each_pass_has_an_order_of_its_own(void)
{
    g_autoptr(sched_trace) trace = make_trace();
    const sched_convert_options options = {
        .copies = 2, .repeat = 2, .resample = true, .resample_seed = 1};
    sched_convert_report report = {0};
    g_autoptr(sim_graph) graph = sched_convert(trace, &options, &report, NULL);
    for (uint32_t rank = 0; rank < 2 * RANKS; rank++) {
        const uint64_t n = sim_graph_num_ops(graph, rank) / 2;
        bool same = true;
        for (uint32_t i = 0; i < n; i++) {
            same = same && sim_graph_op(graph, rank, i).size ==
                               sim_graph_op(graph, rank, (uint32_t)n + i).size;
        }
        CHECK_I64(same, rank < RANKS, "rank %u", rank);
    }
    sched_convert_report_clear(&report);
}

/* Of one rank nobody can tell whether it was the time or the rank. */
static void what_one_rank_alone_does_stays_as_recorded_and_is_named(void)
{
    g_autoptr(sched_trace) trace = sched_trace_new("alone", "made", 1);
    sim_time now[1] = {0};
    trace->ranks[0].file = g_strdup("rank-0");
    (void)call_after(trace, now, 0, 0, SCHED_CALL_INIT, "MPI_Init");
    for (int i = 0; i < 20; i++) {
        sched_call *all =
            call_after(trace, now, 0, (i + 1) * SIM_US, SCHED_CALL_COLLECTIVE, "MPI_Allreduce");
        all->collective = COLL_ALLREDUCE;
        all->bytes = 8;
    }
    (void)call_after(trace, now, 0, 0, SCHED_CALL_FINALIZE, "MPI_Finalize");
    const sched_convert_options options = {.copies = 4, .resample = true, .resample_seed = 1};
    sched_convert_report report = {0};
    g_autoptr(sim_graph) graph = sched_convert(trace, &options, &report, NULL);
    for (uint32_t rank = 1; rank < 4; rank++) {
        sim_time last = 0;
        for (uint32_t i = 0; i < sim_graph_num_ops(graph, rank); i++) {
            const sim_op op = sim_graph_op(graph, rank, i);
            if (op.type == SIM_OP_CALC) {
                CHECK_I64(op.size, last + SIM_US, "rank %u", rank);
                last = op.size;
            }
        }
    }
    if (CHECK_I64(report.notices->len, 1)) {
        CHECK_STR(g_array_index(report.notices, sched_notice, 0).what,
                  "100 % of the computation is at call sites where nothing alike was recorded: "
                  "copies have it as recorded");
    }
    sched_convert_report_clear(&report);
}

SUITE_MAIN("resample", TEST(each_copy_has_what_was_recorded_at_each_site),
           TEST(copies_of_an_iteration_are_distributed_as_the_record),
           TEST(iterations_follow_on_each_other_as_recorded),
           TEST(slow_ranks_stay_slow_and_what_all_share_stays_where_it_was),
           TEST(another_seed_is_another_order), TEST(each_pass_has_an_order_of_its_own),
           TEST(what_one_rank_alone_does_stays_as_recorded_and_is_named))
