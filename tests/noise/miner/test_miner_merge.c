/* tests/noise/miner/test_miner_merge.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Case T5 of docs/noise-miner.md, section 4: mode modern gives the same bytes however a stream is
 * split, mixed and merged. Random streams; their seed is in every message. */
#include "check.h"
#include "miner_oracle.h"

typedef struct event {
    uint32_t rank;
    uint64_t type;
    sim_time start;
    sim_time end;
    sim_time expected;
} event;

enum { TREES = 100, SEEDS = 10, RANKS = 7 };

/* Types 0 and 1 are expected to last as long as they should; of 2 and 3 nobody knows. */
static GArray *random_stream(guint64 seed, sim_time shift)
{
    GArray *events = g_array_new(FALSE, FALSE, sizeof(event));
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        oracle o;
        oracle_init(&o, seed * 1000 + rank);
        oracle_add_poisson(&o, 30 * SIM_MS, 700 * SIM_US, 2 * SIM_S);
        if (rank % 2 == 0) {
            oracle_add_periodic(&o, rank * SIM_MS, 10 * SIM_MS, 40 * SIM_US, 2 * SIM_S);
        }
        oracle_sort(&o);
        for (sim_time t = 0; t < SIM_S;) {
            const uint64_t type = (uint64_t)(4 * oracle_unit(&o));
            const sim_time work = (sim_time)(type + 1) * 150 * SIM_US;
            const sim_time end = oracle_finish(&o, t, work);
            const event e = {rank, type, t + shift, end + shift, type < 2 ? work : -1};
            g_array_append_val(events, e);
            t = end + (sim_time)(oracle_unit(&o) * 100.0 * (double)SIM_US);
        }
        oracle_clear(&o);
    }
    return events;
}

static void add(noise_miner *m, const event *e)
{
    noise_miner_add(m, e->rank, e->type, e->start, e->end, e->expected);
}

static char *report_of(noise_miner *m)
{
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    return oracle_print(report);
}

static char *report_of_whole(const GArray *events)
{
    g_autoptr(noise_miner) m = modern_miner();
    for (guint i = 0; i < events->len; i++) {
        add(m, &g_array_index(events, event, i));
    }
    return report_of(m);
}

static size_t below(oracle *random, size_t n)
{
    return (size_t)(oracle_unit(random) * (double)n);
}

static void any_split_and_any_tree_of_merges_gives_the_same_bytes(void)
{
    for (guint64 seed = 1; seed <= TREES; seed++) {
        g_autoptr(GArray) events = random_stream(seed, 0);
        g_autofree char *whole = report_of_whole(events);
        oracle random;
        oracle_init(&random, seed);
        /* Neighbouring events mostly stay together: chunks; each chunk goes to some miner. */
        size_t n = 2 + below(&random, 9);
        noise_miner *part[11] = {NULL};
        for (size_t i = 0; i < n; i++) {
            part[i] = modern_miner();
        }
        size_t at = 0;
        for (guint i = 0; i < events->len; i++) {
            at = oracle_unit(&random) < 0.01 ? below(&random, n) : at;
            add(part[at], &g_array_index(events, event, i));
        }
        while (n > 1) { /* any two of those that are left */
            const size_t from = below(&random, n);
            const size_t to = (from + 1 + below(&random, n - 1)) % n;
            noise_miner_merge(part[to], part[from]);
            noise_miner_free(part[from]);
            part[from] = part[--n];
        }
        g_autofree char *merged = report_of(part[0]);
        CHECK_STR(merged, whole, "seed %u", (unsigned)seed);
        noise_miner_free(part[0]);
        oracle_clear(&random);
    }
}

static void ranks_may_come_in_any_order(void)
{
    for (guint64 seed = 1; seed <= SEEDS; seed++) {
        g_autoptr(GArray) events = random_stream(seed, 0);
        g_autofree char *whole = report_of_whole(events);
        g_autoptr(noise_miner) m = modern_miner();
        for (uint32_t k = 0; k < RANKS; k++) {
            const uint32_t rank = (k * 3 + (uint32_t)seed) % RANKS;
            for (guint i = 0; i < events->len; i++) {
                if (g_array_index(events, event, i).rank == rank) {
                    add(m, &g_array_index(events, event, i));
                }
            }
        }
        g_autofree char *permuted = report_of(m);
        CHECK_STR(permuted, whole, "seed %u", (unsigned)seed);
    }
}

static void later_streams_report_the_same(void)
{
    for (guint64 seed = 1; seed <= SEEDS; seed++) {
        g_autoptr(GArray) now = random_stream(seed, 0);
        g_autoptr(GArray) later = random_stream(seed, 123456789 * SIM_US + 7);
        g_autofree char *a = report_of_whole(now);
        g_autofree char *b = report_of_whole(later);
        CHECK_STR(b, a, "seed %u", (unsigned)seed);
    }
}

static void a_clean_type_changes_no_row(void)
{
    g_autoptr(GArray) events = random_stream(1, 0);
    g_autoptr(noise_miner) m = modern_miner();
    g_autoptr(noise_miner) with = modern_miner();
    for (guint i = 0; i < events->len; i++) {
        const event *e = &g_array_index(events, event, i);
        add(m, e);
        add(with, e);
        noise_miner_add(with, e->rank, 77, e->start, e->start + 50 * SIM_US, 50 * SIM_US);
    }
    g_autoptr(noise_miner_report) a = noise_miner_report_new(m);
    g_autoptr(noise_miner_report) b = noise_miner_report_new(with);
    CHECK(a->num_rows > 0);
    CHECK_I64(b->num_rows, a->num_rows);
    for (size_t i = 0; i < MIN(a->num_rows, b->num_rows); i++) {
        CHECK_I64(b->rows[i].t_noise, a->rows[i].t_noise, "row %zu", i);
        CHECK_I64(b->rows[i].count, a->rows[i].count, "row %zu", i);
        CHECK_I64(b->rows[i].period, a->rows[i].period, "row %zu", i);
        CHECK(b->rows[i].share == a->rows[i].share, "row %zu", i);
    }
}

/* Windows shrink as ranks are hit; the order in which that happens must not matter. Rank numbers
 * are spread over the whole range. */
static void many_ranks_merge_as_well(void)
{
    enum { MANY = 9000, HITS = 60 };
    g_autoptr(noise_miner) whole = modern_miner();
    g_autoptr(noise_miner) odd = modern_miner();
    g_autoptr(noise_miner) even = modern_miner();
    for (int i = 0; i < HITS; i++) {
        for (uint32_t r = 0; r < MANY; r++) {
            const sim_time t = (sim_time)i * 10 * SIM_MS + (sim_time)r * SIM_US;
            noise_miner *const to[] = {whole, i % 2 == 1 ? odd : even};
            for (int k = 0; k < 2; k++) {
                noise_miner_add(to[k], r * 1000, 0, t, t + 600 * SIM_US, 500 * SIM_US);
            }
        }
    }
    noise_miner_merge(odd, even);
    g_autofree char *a = report_of(whole);
    g_autofree char *b = report_of(odd);
    CHECK_STR(b, a);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(odd);
    if (CHECK(report->num_rows == 1, "%s", b)) {
        CHECK_I64(report->rows[0].num_ranks, MANY);
        CHECK(!report->rows[0].ranks_exact); /* 9000 ranges are too many to list */
        CHECK_NEAR(report->rows[0].period, 10 * SIM_MS, 10 * SIM_US, "%s", b);
    }
}

SUITE_MAIN("miner_merge", TEST(any_split_and_any_tree_of_merges_gives_the_same_bytes),
           TEST(ranks_may_come_in_any_order), TEST(later_streams_report_the_same),
           TEST(a_clean_type_changes_no_row), TEST(many_ranks_merge_as_well))
