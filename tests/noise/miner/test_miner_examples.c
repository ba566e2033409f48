/* tests/noise/miner/test_miner_examples.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Exemplars of rows, and what CPU times say of them. */
#include "check.h"
#include "miner_oracle.h"

enum { RANKS = 5, EVENTS = 3000 };

/* Every tenth event of the odd ranks is hit by 700 us, every seventh of rank 4 by 90 us. */
static sim_time noise_of(uint32_t rank, int i)
{
    return rank % 2 == 1 ? (i % 10 == 3 ? 700 * SIM_US : 0)
           : rank == 4   ? (i % 7 == 2 ? 90 * SIM_US : 0)
                         : 0;
}

/* Event @p i of @p rank; the CPU time grows by @p cpu_share of the noise, and is not known below 0.
 */
static noise_miner_event event_of(uint32_t rank, int i, bool known, double cpu_share)
{
    const sim_time work = 300 * SIM_US;
    const sim_time noise = noise_of(rank, i);
    const sim_time start = (sim_time)i * 2 * SIM_MS + rank * SIM_US;
    return (noise_miner_event){
        .rank = rank,
        .type = 7,
        .start = start,
        .end = start + work + noise,
        .expected = known ? work : -1,
        .cpu = cpu_share < 0 ? -1 : work + (sim_time)(cpu_share * (double)noise),
        .detour = -1,
    };
}

static void add_all(noise_miner *const *miner, size_t n, bool known, double cpu_share)
{
    for (int i = 0; i < EVENTS; i++) {
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            const noise_miner_event e = event_of(rank, i, known, cpu_share);
            noise_miner_add_event(miner[(size_t)i * 31 / 7 % n], &e);
        }
    }
}

static void check_exemplars(const noise_miner_row *row)
{
    CHECK(row->num_exemplars >= 20 && row->num_exemplars <= 36, "%u", row->num_exemplars);
    sim_time last = -1;
    for (uint32_t i = 0; i < row->num_exemplars; i++) {
        const noise_miner_event *e = &row->exemplars[i];
        const int number = (int)(e->start / (2 * SIM_MS));
        CHECK_I64(noise_of(e->rank, number), row->t_noise, "event %d of rank %u", number, e->rank);
        CHECK_I64(e->end - e->start, 300 * SIM_US + row->t_noise);
        CHECK(e->start > last, "in order, each once");
        last = e->start;
    }
    /* The most recent one is among them. */
    int i = EVENTS - 1;
    while (noise_of(row->ranks[0][0], i) == 0) {
        i--;
    }
    CHECK_I64(last / (2 * SIM_MS), i);
}

static void exemplars_are_hit_by_what_the_row_says(void)
{
    for (int known = 0; known < 2; known++) {
        g_autoptr(noise_miner) m = modern_miner();
        add_all(&m, 1, known == 1, -1);
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        g_autofree char *text = oracle_print(report);
        if (CHECK(report->num_rows == 2, "%s", text)) {
            check_exemplars(&report->rows[0]);
            check_exemplars(&report->rows[1]);
            CHECK(report->rows[0].preempted < 0);
        }
    }
}

static void exemplars_do_not_depend_on_the_split(void)
{
    g_autoptr(noise_miner) whole = modern_miner();
    add_all(&whole, 1, false, -1);
    g_autoptr(noise_miner_report) a = noise_miner_report_new(whole);
    noise_miner *part[3] = {modern_miner(), modern_miner(), modern_miner()};
    add_all(part, 3, false, -1);
    noise_miner_merge(part[1], part[2]);
    noise_miner_merge(part[1], part[0]);
    g_autoptr(noise_miner_report) b = noise_miner_report_new(part[1]);
    CHECK_I64(b->num_rows, a->num_rows);
    for (size_t i = 0; i < MIN(a->num_rows, b->num_rows); i++) {
        CHECK_I64(b->rows[i].num_exemplars, a->rows[i].num_exemplars);
        for (uint32_t k = 0; k < MIN(a->rows[i].num_exemplars, b->rows[i].num_exemplars); k++) {
            CHECK_I64(b->rows[i].exemplars[k].start, a->rows[i].exemplars[k].start);
            CHECK_I64(b->rows[i].exemplars[k].rank, a->rows[i].exemplars[k].rank);
        }
    }
    for (int i = 0; i < 3; i++) {
        noise_miner_free(part[i]);
    }
}

static void cpu_time_tells_preempted_from_slow(void)
{
    static const struct {
        double cpu_share;
        const char *label;
    } rows[] = {{0, "preempted, "}, {1, "slow code, "}, {0.5, "partly preempted, "}};
    for (size_t r = 0; r < G_N_ELEMENTS(rows); r++) {
        g_autoptr(noise_miner) m = modern_miner();
        add_all(&m, 1, false, rows[r].cpu_share);
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        g_autofree char *text = oracle_print(report);
        for (size_t i = 0; i < report->num_rows; i++) {
            CHECK_NEAR(report->rows[i].preempted, 1 - rows[r].cpu_share, 1e-6, "%s", text);
            CHECK(g_str_has_prefix(report->rows[i].label, rows[r].label), "%s", text);
        }
        CHECK_I64(report->num_rows, 2, "%s", text);
    }
}

SUITE_MAIN("miner_examples", TEST(exemplars_are_hit_by_what_the_row_says),
           TEST(exemplars_do_not_depend_on_the_split), TEST(cpu_time_tells_preempted_from_slow))
