/* tests/apps/view/test_wave_speed.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Idle waves travel as fast as the formula says: sigma d / (T_exec + T_comm), Afzal, Hager and
 * Wellein, "Propagation and decay of injected one-off delays on clusters", 2019. */
#include "check.h"
#include "step_program.h"
#include "view/view_run.h"

#include <math.h>

enum { RANKS = 40, STEPS = 60, INJECTED = 20 };

static app_picture *view(const step_program *program, const char *noise)
{
    g_autoptr(sim_graph) graph = step_program_new(program);
    const sim_params params = step_params();
    const app_detour detour = {INJECTED, 1050 * SIM_US, 600 * SIM_US};
    g_autoptr(noise_signature) signature =
        noise != NULL ? noise_signature_parse(noise, 1, NULL) : NULL;
    const app_view_request request = {.program = sim_graph_program(graph),
                                      .params = &params,
                                      .signature = signature,
                                      .injection = {.seed = 1},
                                      .detour = &detour,
                                      .num_lanes = 4};
    GError *error = NULL;
    app_picture *picture = app_view_run(&request, &error);
    CHECK(picture != NULL, "%s", error != NULL ? error->message : "");
    g_clear_error(&error);
    return picture;
}

typedef struct speed_row {
    const char *name;
    step_exchange exchange;
    uint32_t distance;
    int64_t bytes;
    uint32_t sigma;
    bool only_up;
} speed_row;

static const speed_row ROWS[] = {
    {"halo, eager", STEP_HALO, 1, 1024, 1, false},
    {"halo, rendezvous", STEP_HALO, 1, 65536, 1, false},
    {"halo of 2, eager", STEP_HALO, 2, 1024, 1, false},
    {"halo of 2, rendezvous", STEP_HALO, 2, 65536, 1, false},
    {"pairs, eager", STEP_PAIRS, 1, 1024, 2, false},
    {"pairs, rendezvous", STEP_PAIRS, 1, 65536, 2, false},
    {"shifts, rendezvous", STEP_SHIFTS, 1, 65536, 2, false},
    {"one way, eager", STEP_ONE_WAY, 1, 1024, 1, true},
};

static void speed_is_that_of_the_formula(void)
{
    for (size_t i = 0; i < 2 * G_N_ELEMENTS(ROWS); i++) {
        const speed_row *row = &ROWS[i / 2];
        const bool is_ring = i % 2 == 1;
        const step_program program = {row->exchange, is_ring,    RANKS,       STEPS,
                                      row->distance, row->bytes, 100 * SIM_US};
        g_autoptr(app_picture) picture = view(&program, NULL);
        const char *where = row->name;
        if (picture == NULL) {
            continue;
        }
        const app_picture_injection *in = picture->injection;
        CHECK_I64(in->num_waves, row->only_up ? 1 : 2, "%s, ring %d", where, is_ring);
        CHECK_I64(in->distance, row->distance, "%s", where);
        CHECK_I64(in->sigma, row->sigma, "%s, ring %d", where, is_ring);
        for (size_t w = 0; w < in->num_waves; w++) {
            const app_picture_wave *wave = &in->waves[w];
            const double wanted = row->sigma * row->distance * 1e12 / (double)in->step;
            CHECK_NEAR(wave->speed.value, wanted, 0.05 * wanted, "%s, ring %d, direction %d", where,
                       is_ring, wave->direction);
            CHECK(!row->only_up || wave->direction == 1, "%s", where);
        }
    }
}

/* Without noise nothing stops it: it reaches both ends of a chain, and meets itself in a ring. */
static void a_wave_ends_at_open_ends_or_where_it_meets_itself(void)
{
    for (int is_ring = 0; is_ring < 2; is_ring++) {
        const step_program program = {STEP_HALO, is_ring == 1, RANKS, STEPS, 1, 1024, 100 * SIM_US};
        g_autoptr(app_picture) picture = view(&program, NULL);
        const app_picture_injection *in = picture->injection;
        CHECK_I64(in->num_fronts, RANKS, "ring %d: everybody is late once", is_ring);
        CHECK_I64(in->fronts[0].distance, -INJECTED, "ring %d", is_ring);
        CHECK_I64(in->fronts[RANKS - 1].distance, RANKS - 1 - INJECTED, "ring %d", is_ring);
        for (size_t w = 0; w < in->num_waves; w++) {
            CHECK_I64(in->waves[w].absorbed, APP_PICTURE_NONE, "ring %d", is_ring);
            CHECK(fabs(in->waves[w].decay.value) < (double)SIM_US, "ring %d: it stays as it is",
                  is_ring);
        }
    }
}

/* Where others are late of themselves, they wait less for it. */
static void noise_makes_a_wave_decay(void)
{
    const step_program program = {STEP_HALO, false, RANKS, STEPS, 1, 1024, 100 * SIM_US};
    g_autoptr(app_picture) picture = view(&program, "poisson:500us:40us");
    const app_picture_injection *in = picture->injection;
    CHECK_I64(in->num_waves, 2, "both ways");
    for (size_t w = 0; w < in->num_waves; w++) {
        CHECK(in->waves[w].decay.value > 0, "direction %d: %g ps per rank", in->waves[w].direction,
              in->waves[w].decay.value);
    }
    CHECK(in->finish_delay < in->length, "%" PRId64, in->finish_delay);
}

SUITE_MAIN("wave_speed", TEST(speed_is_that_of_the_formula),
           TEST(a_wave_ends_at_open_ends_or_where_it_meets_itself), TEST(noise_makes_a_wave_decay))
