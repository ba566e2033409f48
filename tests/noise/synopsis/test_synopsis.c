/* tests/noise/synopsis/test_synopsis.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "sim/time.h"
#include "synopsis/synopsis.h"

static const miner_form LOG = {.width = 0};

static noise_miner_event event_of(uint32_t rank, uint64_t type, sim_time start, sim_time duration)
{
    return (noise_miner_event){
        .rank = rank,
        .type = type,
        .start = start,
        .end = start + duration,
        .expected = -1,
        .cpu = -1,
        .detour = -1,
    };
}

static void time_spent_waiting_is_not_mined(void)
{
    static const struct {
        sim_time waited, mined;
    } rows[] = {{-1, 10}, {0, 10}, {3, 7}, {10, 0}, {11, 0}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        noise_miner_event e = event_of(0, 0, 5, 10);
        e.waited = rows[i].waited;
        CHECK_I64(noise_miner_event_duration(&e), rows[i].mined, "row %zu", i);
    }
}

static void bins_sum_cpu_time_of_the_events_that_have_one(void)
{
    noise_synopsis s;
    noise_synopsis_init(&s, &LOG, 0);
    for (int i = 0; i < 3; i++) {
        noise_miner_event e = event_of(2, 9, i * SIM_MS, 100 * SIM_US);
        e.cpu = i == 1 ? -1 : 60 * SIM_US;
        noise_synopsis_add(&s, &e);
    }
    const miner_rank *rank = noise_synopsis_rank(&s, 2);
    if (CHECK(rank != NULL && rank->detail->num_tables == 1)) {
        const miner_cell *cell = rank->detail->table[0].durations.cell;
        CHECK_I64(cell->count, 3);
        CHECK_I64(cell->num_cpu, 2);
        CHECK(cell->cpu == (miner_u128)(120 * SIM_US));
        CHECK(cell->wall == (miner_u128)(300 * SIM_US));
    }
    noise_synopsis_clear(&s);
}

static void events_as_long_as_expected_take_no_memory(void)
{
    noise_synopsis s;
    noise_synopsis_init(&s, &LOG, 0);
    noise_miner_event e = event_of(7, 3, 0, SIM_US);
    e.expected = SIM_US;
    noise_synopsis_add(&s, &e);
    const uint64_t used = s.memory.used;
    for (int i = 0; i < 1000; i++) {
        noise_synopsis_add(&s, &e);
    }
    CHECK_I64(s.memory.used, used);
    CHECK_I64(noise_synopsis_rank(&s, 7)->events, 1001);
    CHECK(noise_synopsis_rank(&s, 6) == NULL);
    noise_synopsis_clear(&s);
}

/* What a rank costs whose events all lasted as expected: the promise is 1 KiB. */
static void a_quiet_rank_costs_less_than_1_kib(void)
{
    enum { RANKS = 100000 };
    noise_synopsis s;
    noise_synopsis_init(&s, &LOG, 0);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        noise_miner_event e = event_of(rank, 3, 0, SIM_US);
        e.expected = SIM_US;
        noise_synopsis_add(&s, &e);
    }
    CHECK(s.memory.used < UINT64_C(64) * RANKS, "%" G_GUINT64_FORMAT, s.memory.used);
    noise_synopsis_clear(&s);
    CHECK_I64(s.memory.used, 0);
}

static void beyond_its_budget_events_are_counted_as_lost(void)
{
    enum { BUDGET = 100000, EVENTS = 20000 };
    noise_synopsis s;
    noise_synopsis_init(&s, &LOG, BUDGET);
    for (int i = 0; i < EVENTS; i++) { /* ever longer, of ever more types */
        const noise_miner_event e = event_of(0, (uint64_t)i / 10, i * SIM_S, (i + 1) * SIM_US);
        noise_synopsis_add(&s, &e);
        CHECK(s.memory.used <= BUDGET);
    }
    const miner_rank *rank = noise_synopsis_rank(&s, 0);
    CHECK(s.lost > 0 && rank->events > 0);
    CHECK_I64(s.lost + rank->events, EVENTS);
    uint64_t counted = 0;
    for (uint32_t t = 0; t < rank->detail->num_tables; t++) {
        const miner_histogram *h = &rank->detail->table[t].durations;
        for (uint32_t c = 0; c < h->num_cells; c++) {
            CHECK(h->cell[c].count > 0);
            counted += h->cell[c].count;
        }
    }
    CHECK_I64(counted, rank->events);
    noise_synopsis_clear(&s);
    CHECK_I64(s.memory.used, 0);
}

static void of_two_names_of_a_type_the_first_in_order_stays(void)
{
    static const char *const names[][2] = {{"b", "a"}, {"a", "b"}, {"ab", "a"}, {"a", "ab"}};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        noise_synopsis s;
        noise_synopsis_init(&s, &LOG, 0);
        CHECK(!noise_synopsis_has_type(&s, 5));
        noise_synopsis_name_type(&s, 5, names[i][0]);
        noise_synopsis_name_type(&s, 5, names[i][1]);
        CHECK(noise_synopsis_has_type(&s, 5) && !noise_synopsis_has_type(&s, 69));
        CHECK_STR(s.types.type[0].name, "a", "row %zu", i);
        noise_synopsis_clear(&s);
        CHECK_I64(s.memory.used, 0);
    }
}

static void many_types_are_told_apart(void)
{
    enum { TYPES = 5000 };
    noise_synopsis s;
    noise_synopsis_init(&s, &LOG, 0);
    for (int round = 0; round < 2; round++) {
        for (uint64_t i = 0; i < TYPES; i++) {
            const noise_miner_event e = event_of(0, i * i * 64, (sim_time)i, SIM_US);
            noise_synopsis_add(&s, &e);
        }
    }
    CHECK_I64(s.types.num, TYPES);
    for (uint64_t i = 0; i < TYPES; i++) {
        CHECK(s.types.type[i].type == i * i * 64 && s.types.type[i].events == 2, "type %u",
              (unsigned)i);
    }
    noise_synopsis_clear(&s);
}

SUITE_MAIN("synopsis", TEST(time_spent_waiting_is_not_mined),
           TEST(bins_sum_cpu_time_of_the_events_that_have_one),
           TEST(events_as_long_as_expected_take_no_memory),
           TEST(a_quiet_rank_costs_less_than_1_kib),
           TEST(beyond_its_budget_events_are_counted_as_lost),
           TEST(of_two_names_of_a_type_the_first_in_order_stays), TEST(many_types_are_told_apart))
