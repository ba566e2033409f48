/* tests/apps/impact/test_exemplar_again.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of an event of a simulated run, beside what the noise was asked to do. */
#include "impact/exemplar_again.h"

#include "check.h"
#include "coll/program.h"
#include "noise/event_type.h"
#include "noise/injection.h"
#include "sim/run.h"
#include "sim/unit.h"

static const sim_params PARAMS = {
    .L = 6500 * SIM_NS, .o = 1750 * SIM_NS, .g = 3300 * SIM_NS, .S = 65535};

/* Detours of 20 us every 300 us on 16 ranks of an allreduce, 400 times. */
typedef struct trial {
    sim_program *program;
    noise_signature *signature;
    noise_injection *injection;
    noise_miner_report *report;
    app_exemplar *exemplars;
    size_t n;
} trial;

static trial make(unsigned threads)
{
    trial t = {0};
    const coll_call call = {.kind = COLL_ALLREDUCE, .size = 16, .bytes = 8};
    coll_algorithm algorithm;
    CHECK(coll_algorithm_parse("dissemination", &algorithm, NULL));
    t.program = coll_program_new(&call, algorithm, 400, NULL);
    t.signature = noise_signature_parse("fixed:300us:20us", 1, NULL);
    const noise_injection_options unsynchronized = {.seed = 1};
    t.injection = noise_injection_new(t.signature, 16, &unsynchronized);
    noise_miner_options options;
    noise_miner_options_init(&options, NOISE_MINER_MODERN);
    g_autoptr(noise_miner) miner = noise_miner_new(&options);
    sim_run_options run = {.noise = noise_injection_hook(t.injection),
                           .sink = noise_miner_sink(miner),
                           .threads = threads};
    g_autoptr(sim_result) first = sim_run(t.program, &PARAMS, &run, NULL);
    t.report = noise_miner_report_new(miner);
    g_autoptr(app_exemplar_again) again = app_exemplar_again_new(t.report, 16);
    run.sink = app_exemplar_again_sink(again);
    g_autoptr(sim_result) second = sim_run(t.program, &PARAMS, &run, NULL);
    CHECK(first != NULL && second != NULL && first->makespan == second->makespan);
    t.exemplars = app_exemplar_again_find(again, t.program, run.noise, &t.n);
    return t;
}

static void clear(trial *t)
{
    app_exemplars_free(t->exemplars, t->n);
    noise_miner_report_free(t->report);
    noise_injection_free(t->injection);
    noise_signature_free(t->signature);
    sim_program_free(t->program);
}

/* All that the event lost lies in detours that are drawn, which are those of the noise. */
static void detours_are_where_the_noise_has_them(void)
{
    trial t = make(1);
    CHECK_I64(t.report->num_rows, 1);
    CHECK(t.n > 12 && t.report->num_rows == 1 && t.n == t.report->rows[0].num_exemplars, "%zu",
          t.n);
    const sim_noise *noise = noise_injection_hook(t.injection);
    for (size_t i = 0; i < t.n; i++) {
        const app_exemplar *e = &t.exemplars[i];
        sim_time lost = 0;
        for (size_t k = 0; k < e->num_slices; k++) {
            const app_exemplar_slice *s = &e->slices[k];
            if (s->kind == APP_EXEMPLAR_SYSTEM && s->begin < e->event.end &&
                s->end > e->event.start) {
                lost += s->end - s->begin;
                CHECK_STR(s->name, "detour");
                /* Whoever comes while it lasts is done when it ends. */
                CHECK_I64(noise->finish(noise, e->event.rank, s->begin + 1, 1), s->end + 1);
            }
        }
        CHECK_I64(lost, e->event.end - e->event.start - e->event.expected, "exemplar %zu", i);
        CHECK(e->num_facts > 0 && e->from <= e->event.start && e->to >= e->event.end);
    }
    clear(&t);
}

/* The event itself is among what is drawn, with the partner and the bytes of the program. */
static void the_event_is_an_operation_of_the_program(void)
{
    trial t = make(1);
    for (size_t i = 0; i < t.n; i++) {
        const app_exemplar *e = &t.exemplars[i];
        unsigned own = 0;
        for (size_t k = 0; k < e->num_slices; k++) {
            const app_exemplar_slice *s = &e->slices[k];
            if (s->kind != APP_EXEMPLAR_SYSTEM && s->begin == e->event.start) {
                const uint32_t rank = e->event.rank;
                const bool sends = g_str_equal(s->name, "send");
                bool partner = false; /* of dissemination: 2^k away */
                for (uint32_t far = 1; far < 16; far *= 2) {
                    partner |= s->peer == (sends ? (rank + far) % 16 : (rank + 16 - far) % 16);
                }
                CHECK(partner && s->bytes == 8,
                      "%s of %" G_GINT64_FORMAT " B with %" G_GINT64_FORMAT " on %u", s->name,
                      s->bytes, s->peer, rank);
                CHECK(s->kind == APP_EXEMPLAR_CALL && s->end == e->event.end);
                own++;
            }
        }
        CHECK_I64(own, 1, "exemplar %zu", i);
        CHECK(g_str_has_prefix(e->type, "send 8 B to") ||
                  g_str_has_prefix(e->type, "receive 8 B from"),
              "%s", e->type);
        CHECK(noise_event_type_kind(e->event.type) == NOISE_EVENT_CALL);
    }
    clear(&t);
}

static void threads_change_nothing(void)
{
    trial one = make(1);
    trial two = make(2);
    CHECK_I64(one.n, two.n);
    for (size_t i = 0; i < MIN(one.n, two.n); i++) {
        const app_exemplar *a = &one.exemplars[i];
        const app_exemplar *b = &two.exemplars[i];
        CHECK(a->event.start == b->event.start && a->event.rank == b->event.rank);
        CHECK_I64(a->num_slices, b->num_slices, "exemplar %zu", i);
        CHECK_STR(a->type, b->type);
    }
    clear(&one);
    clear(&two);
}

/* An event of 100 us in the middle, and a thousand of 0.1 us on either side: those next to it stay.
 */
static void memory_is_bounded(void)
{
    uint32_t ranks[1][2] = {{0, 0}};
    noise_miner_event example = {
        .start = 100 * SIM_US, .end = 200 * SIM_US, .expected = SIM_US, .detour = -1};
    noise_miner_row row = {.t_noise = 99 * SIM_US,
                           .num_ranks = 1,
                           .ranks = ranks,
                           .num_ranges = 1,
                           .num_exemplars = 1,
                           .exemplars = &example};
    const noise_miner_report report = {.num_rows = 1, .rows = &row};
    g_autoptr(app_exemplar_again) again = app_exemplar_again_new(&report, 1);
    sim_sink *sink = app_exemplar_again_sink(again);
    for (int i = 0; i < 2001; i++) {
        const sim_time start =
            i <= 1000 ? i * SIM_US / 10 : 200 * SIM_US + (i - 1001) * SIM_US / 10;
        const sim_event e = {.start = start,
                             .end = i == 1000 ? 200 * SIM_US : start + SIM_US / 10,
                             .work = SIM_US / 10,
                             .op = 0,
                             .type = SIM_OP_CALC};
        sink->events(sink, &e, 1);
    }
    const coll_call call = {.kind = COLL_BARRIER, .size = 1};
    coll_algorithm algorithm;
    CHECK(coll_algorithm_parse("dissemination", &algorithm, NULL));
    sim_program *program = coll_program_new(&call, algorithm, 1, NULL);
    size_t n = 0;
    app_exemplar *all = app_exemplar_again_find(again, program, NULL, &n);
    CHECK_I64(n, 1);
    CHECK_I64(all[0].num_slices, 256);
    CHECK_I64(all[0].slices[255].begin, 100 * SIM_US);
    CHECK_STR(all[0].type, "computation");
    CHECK_STR(all[0].facts[all[0].num_facts - 1][1], "1745 stretches around it");
    app_exemplars_free(all, n);
    sim_program_free(program);
}

SUITE_MAIN("exemplar_again", TEST(detours_are_where_the_noise_has_them),
           TEST(the_event_is_an_operation_of_the_program), TEST(threads_change_nothing),
           TEST(memory_is_bounded))
