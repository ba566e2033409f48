/* tests/apps/calibration/test_calibration_calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What calls take beside their messages, and after a computation. */
#include "calibration/calibration_print.h"
#include "rounds.h"

/* o of calls after a computation, where the calibrator has measured it: of a machine only if it is
 * asked for. */
static void cold_calls_are_an_overhead_of_their_own(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(12);
    g_auto(GStrv) texts = g_new0(char *, ROUNDS + 1);
    for (int i = 0; i < ROUNDS; i++) {
        g_autofree char *warm = round_of(&CLUSTER, &NONE, i, rand, "a/0 b/0");
        GString *text = g_string_new(warm);
        add_visits(text, rand, "cold-exchange", 1, 1800, CLOCK, 1, &NONE);
        texts[i] = g_string_free(text, FALSE);
    }
    g_autoptr(app_calibration) c = read_texts(texts, ROUNDS, NULL);
    CHECK_NEAR(c->cold.value, 900, 1e-3, "half of it, less the clock");
    g_autoptr(sim_machine) warm = app_calibration_machine(c, NULL, "2026-11-23", NULL);
    c->takes_cold = true;
    g_autoptr(sim_machine) cold = app_calibration_machine(c, NULL, "2026-11-23", NULL);
    CHECK_NEAR((double)warm->params.o, 400 * (double)SIM_NS, (double)SIM_NS);
    CHECK_I64(cold->params.o, 900 * SIM_NS);
    CHECK_I64(cold->params.L, warm->params.L);
    CHECK(strstr(cold->provenance[SIM_KEY_o], "both have walked through memory") != NULL, "%s",
          cold->provenance[SIM_KEY_o]);
    g_autoptr(app_calibration) before = calibrate(&CLUSTER, &NONE, ROUNDS, 1, "a/0 b/0");
    g_autoptr(GError) error = NULL;
    before->takes_cold = true;
    CHECK(app_calibration_machine(before, NULL, "2026-11-23", &error) == NULL);
    CHECK_ERROR(error, "the calibrator has not measured calls after a computation");
}

/* Rounds of CLUSTER in which an allreduce takes 95 ns and 20 ps/B more than its messages (after a
 * walk 300 ns), a bcast 60 ns less, and a barrier as likely more as less. */
static app_calibration *calibrate_calls(void)
{
    static const int64_t CALLED[] = {8, 64, 512, 2048};
    g_autoptr(GRand) rand = g_rand_new_with_seed(13);
    g_auto(GStrv) texts = g_new0(char *, ROUNDS + 1);
    for (int i = 0; i < ROUNDS; i++) {
        g_autofree char *messages = round_of(&CLUSTER, &NONE, i, rand, "a/0 b/0");
        GString *text = g_string_new(messages);
        for (size_t k = 0; k < G_N_ELEMENTS(CALLED); k++) {
            const double b = (double)CALLED[k];
            const double way = 2100 + (b - 1) * CLUSTER.G;
            add_visits(text, rand, "call-allreduce", CALLED[k], 2 * (way + 95 + 0.02 * b), 0, 1,
                       &NONE);
            add_visits(text, rand, "call-bcast", CALLED[k], 2 * (way - 60), 0, 1, &NONE);
        }
        add_visits(text, rand, "call-barrier", 0, 2 * (2100 + 10 * (i - 4)), 0, 1, &NONE);
        add_visits(text, rand, "cold-exchange", 1, 1800, CLOCK, 1, &NONE);
        add_visits(text, rand, "cold-call-allreduce", 8, 2100, CLOCK, 1, &NONE);
        texts[i] = g_string_free(text, FALSE);
    }
    return read_texts(texts, ROUNDS, NULL);
}

static void calls_cost_what_they_take_beside_their_messages(void)
{
    g_autoptr(app_calibration) c = calibrate_calls();
    g_autoptr(sim_machine) warm = app_calibration_machine(c, NULL, "2026-11-23", NULL);
    const sim_key allreduce = (sim_key)(SIM_KEY_CALLS + SIM_CALL_ALLREDUCE);
    CHECK_I64((int64_t)c->call[SIM_CALL_ALLREDUCE].num_sizes, 4);
    CHECK_I64((int64_t)c->call[SIM_CALL_BARRIER].num_sizes, 1);
    CHECK_I64((int64_t)c->call[SIM_CALL_SCATTER].num_sizes, 0);
    CHECK_NEAR((double)warm->calls[SIM_CALL_ALLREDUCE].time, 95e3, 100, "ps");
    CHECK_NEAR((double)warm->calls[SIM_CALL_ALLREDUCE].byte / (double)SIM_RATE_PER_PS, 20, 0.2);
    CHECK(strstr(warm->provenance[allreduce], "beyond its simulated messages, 95 .. 95 ns") != NULL,
          "%s", warm->provenance[allreduce]);
    for (int key = SIM_KEY_CALLS; key < SIM_NUM_KEYS; key++) {
        CHECK((int)sim_machine_has(warm, (sim_key)key) == (key == (int)allreduce), "key %d", key);
    }
    const app_calibrated_call *bcast = &c->call[SIM_CALL_BCAST];
    CHECK_NEAR(bcast->time.value, -60, 0.1);
    CHECK(bcast->time.high < 0, "%g", bcast->time.high);
    const app_calibrated_value *barrier = &c->call[SIM_CALL_BARRIER].time;
    CHECK(barrier->low < 0 && barrier->high > 0, "%g .. %g", barrier->low, barrier->high);
    c->takes_cold = true;
    g_autoptr(sim_machine) cold = app_calibration_machine(c, NULL, "2026-11-23", NULL);
    CHECK_NEAR((double)cold->calls[SIM_CALL_ALLREDUCE].time, 300e3 - 8 * 20, 100, "ps");
    CHECK(strstr(cold->provenance[allreduce], "after a walk through memory") != NULL, "%s",
          cold->provenance[allreduce]);
    c->takes_cold = false;
    g_autoptr(sim_machine) levels =
        app_calibration_machine(c, sim_machine_load("xt4", NULL), "2026-11-23", NULL);
    CHECK(!sim_machine_has_calls(levels), "the machine's own are kept");
}

/* All that --format=json has of it; to be freed. */
static JsonNode *json_of(const app_calibration *c)
{
    g_autoptr(JsonBuilder) builder = json_builder_new();
    json_builder_begin_object(builder);
    app_calibration_build(c, builder);
    json_builder_end_object(builder);
    return json_builder_get_root(builder);
}

/* What costs nothing that can be told, or less, is said. */
static void what_is_not_written_of_calls_is_said(void)
{
    g_autoptr(app_calibration) c = calibrate_calls();
    g_autoptr(JsonNode) root = json_of(c);
    g_autofree char *text = json_to_string(root, FALSE);
    CHECK(strstr(text, "take less than their simulated messages, which no cost of a call is: bcast "
                       "60 ns less.") != NULL,
          "%s", text);
    CHECK(strstr(text, "not distinguishable from nothing, by the interval: barrier.") != NULL, "%s",
          text);
    JsonArray *calls = json_object_get_array_member(json_node_get_object(root), "calls");
    CHECK_I64(json_array_get_length(calls), 3);
    JsonObject *allreduce = json_array_get_object_element(calls, 2);
    CHECK_STR(json_object_get_string_member(allreduce, "name"), "allreduce");
    CHECK(g_str_has_prefix(json_object_get_string_member(allreduce, "in_file"), "95"), "%s",
          json_object_get_string_member(allreduce, "in_file"));
}

/* Walks that take 1 us per 10 KiB. An exchange takes 300 ns after 64 KiB and 256 KiB, 1 us after
 * 4 MiB and 3 us after 64 MiB; another call half as much. In one round nothing is known of them; in
 * all, somebody is on the cores at one size of an allreduce. */
static app_calibration *calibrate_walks(void)
{
    static const struct {
        int64_t bytes;
        double exchange;
    } WALKS[] = {{1 << 16, 300}, {1 << 18, 300}, {1 << 22, 1000}, {1 << 26, 3000}};
    static const trouble ALWAYS = {.company = 1};
    g_autoptr(GRand) rand = g_rand_new_with_seed(14);
    g_auto(GStrv) texts = g_new0(char *, ROUNDS + 1);
    for (int i = 0; i < ROUNDS; i++) {
        g_autofree char *messages = round_of(&CLUSTER, &NONE, i, rand, "a/0 b/0");
        GString *text = g_string_new(messages);
        for (size_t k = 0; k < G_N_ELEMENTS(WALKS) && i != 3; k++) {
            const double ns = (double)WALKS[k].bytes / 10.24;
            /* Of 256 KiB as often a little less as more. */
            const double few = WALKS[k].bytes == 1 << 18 ? (i - 4.5) : 0;
            add_visits(text, rand, "walk", WALKS[k].bytes, ns, CLOCK, 1, &ALWAYS);
            add_visits(text, rand, "walked-exchange", WALKS[k].bytes,
                       (WALKS[k].exchange + few) / COMPANY, CLOCK, 1, &ALWAYS);
            add_visits(text, rand, "walked-call", WALKS[k].bytes, WALKS[k].exchange / 2 / COMPANY,
                       CLOCK, 1, &ALWAYS);
        }
        add_visits(text, rand, "call-allreduce", 8, 2 * 2200, 0, 1, &NONE);
        add_visits(text, rand, "call-allreduce", 64, 2 * 2200, 0, 1, &ALWAYS);
        texts[i] = g_string_free(text, FALSE);
    }
    return read_texts(texts, ROUNDS, NULL);
}

static void walks_say_what_calls_take_after_a_computation(void)
{
    g_autoptr(app_calibration) c = calibrate_walks();
    CHECK_I64((int64_t)c->num_walks, 4);
    CHECK(!c->in_company && c->undisturbed > 0.9, "walks are no measure of it: %g", c->undisturbed);
    sim_cold_cost cost;
    if (!CHECK(app_calibrated_cold_cost(c, &cost) && cost.num_points == 3, "%u", cost.num_points)) {
        return;
    }
    static const double WANT[][3] = {{25600, 0, 0}, {409600, 700, 350}, {6553600, 2700, 1350}};
    for (size_t i = 0; i < G_N_ELEMENTS(WANT); i++) {
        const sim_cold_point *p = &cost.point[i];
        CHECK_NEAR((double)p->computed / (double)SIM_NS / WANT[i][0], COMPANY, 0.01);
        CHECK_NEAR((double)p->first / (double)SIM_NS, WANT[i][1], 1.5);
        CHECK_NEAR((double)p->further / (double)SIM_NS, WANT[i][2], 1.5);
    }
    g_autoptr(sim_machine) m = app_calibration_machine(c, NULL, "2026-11-29", NULL);
    CHECK(sim_machine_has(m, SIM_KEY_COLD) && m->cold.num_points == 3, "in the machine file");
    CHECK(strstr(m->provenance[SIM_KEY_COLD], "after walks through memory") != NULL);
    g_autoptr(sim_machine) levels =
        app_calibration_machine(c, sim_machine_load("xt4", NULL), "2026-11-29", NULL);
    CHECK(!sim_machine_has_calls(levels), "not of a node of another machine");
}

/* Its time was 0, and how far off the model was infinite. */
static void a_size_at_which_no_visit_counts_is_named(void)
{
    g_autoptr(app_calibration) c = calibrate_walks();
    g_autoptr(JsonNode) root = json_of(c);
    g_autofree char *text = json_to_string(root, FALSE);
    CHECK(strstr(text, "at every visit of allreduce of 64 bytes: what these calls take is not "
                       "known.") != NULL,
          "%s", text);
    JsonArray *calls = json_object_get_array_member(json_node_get_object(root), "calls");
    JsonObject *allreduce = json_array_get_object_element(calls, 0);
    CHECK_I64(json_array_get_length(json_object_get_array_member(allreduce, "sizes")), 1);
    CHECK(!json_object_has_member(allreduce, "byte_ns"), "one size has no slope");
    JsonArray *walks = json_object_get_array_member(json_node_get_object(root), "walks");
    CHECK_I64(json_array_get_length(walks), 3);
}

SUITE_MAIN("calibration of calls", TEST(cold_calls_are_an_overhead_of_their_own),
           TEST(calls_cost_what_they_take_beside_their_messages),
           TEST(what_is_not_written_of_calls_is_said),
           TEST(walks_say_what_calls_take_after_a_computation),
           TEST(a_size_at_which_no_visit_counts_is_named))
