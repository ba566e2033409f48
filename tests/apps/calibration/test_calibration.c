/* tests/apps/calibration/test_calibration.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibration/calibration_print.h"
#include "rounds.h"

static void the_values_of_a_machine_come_back(void)
{
    static const truth ROWS[] = {
        {1300, 400, 450, 0.16, 0.05, 12288, 0},
        {9900, 1750, 3400, 0.58, 0, 65536, 0},
        {9900, 1750, 3400, 0.58, 0, 65536, 300},
        {100, 130, 130, 0.5, 0.2, 2048, 2000},
        {150, 60, 80, 0.07, 0.04, 4096, 40},
        {1400, 120, 170, 0.11, 0.1, INT64_C(1) << 22, 700}, /* which nothing has */
    };
    for (size_t r = 0; r < G_N_ELEMENTS(ROWS); r++) {
        const truth *t = &ROWS[r];
        g_autoptr(app_calibration) c = calibrate(t, &NONE, ROUNDS, 1, "a/0 b/0");
        const bool has_handshake = t->H > 0 && t->S < SIZES[G_N_ELEMENTS(SIZES) - 1];
        const double want[] = {t->L,           t->o, t->g, t->G, t->O, has_handshake ? t->H : 0,
                               t->L + 2 * t->o};
        CHECK_I64(c->has_handshake, has_handshake, "row %zu", r);
        for (size_t i = 0; i < APP_NUM_CALIBRATED; i++) {
            const app_calibrated_value *v = &c->value[i];
            CHECK_NEAR(v->value, want[i], 1e-3 * want[i] + 1e-5, "row %zu, %s", r,
                       app_calibrated_name((app_calibrated)i));
            CHECK(v->low <= v->value && v->high >= v->value && v->level >= 0.95);
        }
        CHECK_I64(c->S, t->S == INT64_C(1) << 22 ? INT64_MAX : t->S);
        CHECK_I64(c->waits, t->S / 2);
        CHECK(c->invalid == NULL && !c->guessed && !c->one_node, "%s", c->invalid);
        CHECK_I64((int64_t)c->num_sizes, (int64_t)G_N_ELEMENTS(SIZES));
        for (size_t i = 0; i < c->num_sizes; i++) {
            CHECK_I64(c->sizes[i].bytes, SIZES[i]);
            CHECK_NEAR(c->sizes[i].model / c->sizes[i].measured, 1, 2e-3,
                       "row %zu, %" G_GINT64_FORMAT " B", r, c->sizes[i].bytes);
        }
    }
}

/*
 * An oracle: machines of known values, whose rounds differ and whose visits are disturbed. Of nine
 * rounds the interval between the second and the eighth holds the median with 96.1 % (binomial); of
 * 200 such, fewer than 183 hold it in one case of a thousand.
 */
static void intervals_hold_the_truth_as_often_as_they_say(void)
{
    enum { MACHINES = 200, AT_LEAST = 183 };
    static const trouble QUIET = {.spread = 0.01, .struck = 0.3};
    const double want[] = {CLUSTER.L,
                           CLUSTER.o,
                           CLUSTER.g,
                           CLUSTER.G,
                           CLUSTER.O,
                           CLUSTER.H,
                           CLUSTER.L + 2 * CLUSTER.o};
    int held[APP_NUM_CALIBRATED] = {0};
    int near[APP_NUM_CALIBRATED] = {0};
    for (uint32_t seed = 1; seed <= MACHINES; seed++) {
        g_autoptr(app_calibration) c = calibrate(&CLUSTER, &QUIET, ROUNDS, seed, "a/0 b/0");
        CHECK(c->invalid == NULL && c->num_rounds == ROUNDS, "seed %u", seed);
        for (size_t i = 0; i < APP_NUM_CALIBRATED; i++) {
            const app_calibrated_value *v = &c->value[i];
            held[i] += v->low <= want[i] && want[i] <= v->high;
            /* H is what is left of such a message, which is known to 3 %. */
            const double of = i == APP_CALIBRATED_H
                                  ? 3 * CLUSTER.L + 2 * CLUSTER.o + 16383 * CLUSTER.G + CLUSTER.H
                                  : want[i];
            near[i] += fabs(v->value - want[i]) < 0.03 * of;
        }
    }
    for (size_t i = 0; i < APP_NUM_CALIBRATED; i++) {
        const char *name = app_calibrated_name((app_calibrated)i);
        CHECK(held[i] >= AT_LEAST, "%s: %d of %d", name, held[i], MACHINES);
        CHECK(near[i] >= MACHINES * 9 / 10, "%s: %d of %d within 3 %%", name, near[i], MACHINES);
    }
}

/* A machine that is slower for some rounds: these are named, and change nothing. */
static void rounds_in_another_state_are_left_out(void)
{
    trouble moved = {.spread = 0.005, .struck = 0.3};
    for (int round = 0; round < 12; round += 2) {
        moved.slower[round] = 2.5 + 0.1 * round;
    }
    moved.slower[7] = 0.7; /* once, and so it is no group */
    g_autoptr(app_calibration) c = calibrate(&CLUSTER, &moved, 14, 3, "a/0 a/1");
    CHECK(c->invalid == NULL, "%s", c->invalid);
    CHECK_I64((int64_t)c->num_rounds, 7);
    CHECK_I64((int64_t)c->num_measured, 14);
    CHECK_NEAR(c->others_fastest, 0.7, 0.02);
    CHECK_NEAR(c->others_slowest, 3.5, 0.1);
    CHECK_NEAR(c->value[APP_CALIBRATED_WAY].value, 2100, 0.01 * 2100);
    CHECK_NEAR(c->value[APP_CALIBRATED_G].value, 0.16, 0.02 * 0.16);
    /* Of two groups that are enough, the faster one, although it is the smaller one. */
    trouble halves = {.spread = 0.005};
    for (int round = 0; round < 9; round++) {
        halves.slower[round] = 3;
    }
    g_autoptr(app_calibration) faster = calibrate(&CLUSTER, &halves, 15, 4, "a/0 a/1");
    CHECK_I64((int64_t)faster->num_rounds, 6);
    CHECK_NEAR(faster->value[APP_CALIBRATED_WAY].value, 2100, 0.01 * 2100);
}

/* Two thirds of the visits are a quarter too long, and say so: the values are those without; and
 * where hardly one says anything else, that the values are of the machine in company. */
static void somebody_else_on_the_cores_does_not_count(void)
{
    static const trouble SHARED = {.spread = 0.01, .company = 0.67};
    g_autoptr(app_calibration) c = calibrate(&CLUSTER, &SHARED, ROUNDS, 21, "a/0 b/0");
    CHECK(c->invalid == NULL && !c->in_company, "%s", c->invalid);
    CHECK_I64((int64_t)c->num_rounds, ROUNDS);
    CHECK_NEAR(c->undisturbed, 0.33, 0.03);
    CHECK_NEAR(c->value[APP_CALIBRATED_WAY].value, 2100, 0.02 * 2100);
    CHECK_NEAR(c->value[APP_CALIBRATED_G].value, 0.16, 0.02 * 0.16);
    CHECK(c->sizes[0].low <= 2100 && c->sizes[0].high >= 2100, "%g .. %g", c->sizes[0].low,
          c->sizes[0].high);
    CHECK_NEAR(c->sizes[0].measured, c->value[APP_CALIBRATED_WAY].value, 1e-3);
    static const trouble CROWDED = {.spread = 0.01, .company = 0.97};
    g_autoptr(app_calibration) crowded = calibrate(&CLUSTER, &CROWDED, ROUNDS, 22, "a/0 b/0");
    CHECK(crowded->invalid == NULL && crowded->in_company, "%s", crowded->invalid);
    CHECK_NEAR(crowded->undisturbed, 0.03, 0.01);
    CHECK_I64((int64_t)crowded->num_rounds, ROUNDS);
    CHECK_NEAR(crowded->value[APP_CALIBRATED_WAY].value, COMPANY * 2100, 0.03 * COMPANY * 2100);
}

static void a_noisy_machine_is_refused(void)
{
    trouble apart = {.spread = 0.005};
    for (int round = 0; round < ROUNDS; round++) {
        apart.slower[round] = 1 + 0.2 * MAX(round - 3, 0);
    }
    g_autoptr(app_calibration) moving = calibrate(&CLUSTER, &apart, ROUNDS, 5, "a/0 b/0");
    CHECK(moving->invalid != NULL &&
              strstr(moving->invalid, "of 9 rounds no more than 4 agree within 5 %") != NULL,
          "%s", moving->invalid);
    static const trouble LOADED = {.spread = 0.005, .struck = 0.6};
    g_autoptr(app_calibration) loaded = calibrate(&CLUSTER, &LOADED, ROUNDS, 6, "a/0 b/0");
    CHECK(loaded->invalid != NULL && strstr(loaded->invalid, "half of the messages took") != NULL,
          "%s", loaded->invalid);
    static const trouble OVERLOADED = {.spread = 0.005, .struck = 0.7};
    g_autoptr(app_calibration) over = calibrate(&CLUSTER, &OVERLOADED, ROUNDS, 6, "a/0 b/0");
    CHECK(over->invalid != NULL && strstr(over->invalid, "too noisy") != NULL, "%s", over->invalid);
    static const trouble ROUGH = {.spread = 0.12};
    g_autoptr(app_calibration) rough = calibrate(&CLUSTER, &ROUGH, MOST, 7, "a/0 b/0");
    CHECK(rough->invalid != NULL && strstr(rough->invalid, "too noisy") != NULL, "%s",
          rough->invalid);
}

/* Overheads that are all of the way, or more: what is measured as such is still right. */
static void what_cannot_be_told_apart_is_said(void)
{
    static const truth ROWS[] = {{5, 65, 70, 0.16, 0.05, 4096, 0},
                                 {0, 200, 70, 0.16, 0.05, 4096, 0}};
    for (size_t r = 0; r < G_N_ELEMENTS(ROWS); r++) {
        const truth *t = &ROWS[r];
        static const trouble QUIET = {.spread = 0.01, .struck = 0.3};
        g_autoptr(app_calibration) c = calibrate(t, &QUIET, ROUNDS, 8, "a/0 a/1");
        const double way = t->L + 2 * t->o;
        CHECK(c->guessed, "row %zu", r);
        CHECK_NEAR(c->value[APP_CALIBRATED_WAY].value, way, 0.02 * way);
        CHECK_NEAR(c->value[APP_CALIBRATED_L].value, way / 10, 0.002 * way);
        CHECK_NEAR(c->value[APP_CALIBRATED_o].value, 0.45 * way, 0.01 * way);
        CHECK(c->left.low <= t->L && t->L <= c->left.high, "%g: %g .. %g", t->L, c->left.low,
              c->left.high);
    }
}

/* A bisection that something disturbed finds a limit below all sizes but one: S and O are of all
 * rounds. It was an error, after all rounds had been measured. */
static void one_disturbed_bisection_changes_nothing(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(11);
    g_auto(GStrv) texts = g_new0(char *, ROUNDS + 1);
    for (int i = 0; i < ROUNDS; i++) {
        texts[i] = round_of(&CLUSTER, &NONE, i, rand, "a/0 b/0");
    }
    GString *text = g_string_new(texts[6]);
    CHECK(g_string_replace(text, "0 unposted 12288 0 0", "0 unposted 20 0 0", 0) == 1);
    g_free(texts[6]);
    texts[6] = g_string_free(text, FALSE);
    g_autoptr(GError) error = NULL;
    g_autoptr(app_calibration) c = read_texts(texts, ROUNDS, &error);
    if (CHECK(c != NULL, "%s", error != NULL ? error->message : "")) {
        CHECK(c->invalid == NULL, "%s", c->invalid);
        CHECK_I64(c->S, 12288);
        const app_calibrated_value *O = &c->value[APP_CALIBRATED_O];
        CHECK_NEAR(O->low, 0.05, 1e-4, "the same in all rounds");
        CHECK_NEAR(O->high, 0.05, 1e-4);
    }
}

static void ranks_on_one_cpu_or_moved_are_refused(void)
{
    g_autoptr(app_calibration) one_cpu = calibrate(&CLUSTER, &NONE, ROUNDS, 1, "a/1 a/1");
    CHECK(one_cpu->invalid != NULL && one_cpu->one_node &&
          strstr(one_cpu->invalid, "both ranks ran on one CPU (a/1 a/1)") != NULL);
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    g_auto(GStrv) texts = g_new0(char *, ROUNDS + 1);
    for (int i = 0; i < ROUNDS; i++) {
        texts[i] = round_of(&CLUSTER, &NONE, i, rand, "a/0 a/1");
    }
    *(strstr(texts[4], "# end=a/0 a/1") + strlen("# end=a/0 a/")) = '3';
    g_autoptr(app_calibration) elsewhere = read_texts(texts, ROUNDS, NULL);
    CHECK(elsewhere != NULL && elsewhere->invalid != NULL &&
          strstr(elsewhere->invalid, "moved to other CPUs") != NULL);
}

static void bad_samples_are_refused_by_line_and_value(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    g_autofree char *good = round_of(&CLUSTER, &NONE, 0, rand, "a/0 b/0");
    static const struct {
        const char *was, *is, *wanted;
    } ROWS[] = {
        {"# ripple-calibrate 5", "# ripple-calibrate 9", ":1: not a line of a calibration: '# rip"},
        {"# clock=20000", "# clock=x", ":4: not a line of a calibration: '# clock=x'"},
        {"0 round-trip 1 ", "0 round-trap 1 ", ":9: not a line of a calibration: '0 round-trap 1 "},
        {"0 round-trip 1 ", "0 round-trip -3 ", ":9: not a line of a calibration"},
        {"0 round-trip 1 ", "0 round-trip ", ":9: not a line of a calibration"},
        {"# end=", "# ene=", "the calibration ends before its end"},
        {"burst 1 ", "burst 2 ", "round-1: lacks measurements"},
        {"round-trip 64 ", "round-trip 63 ", "round-2: lacks measurements"},
    };
    for (size_t r = 0; r < G_N_ELEMENTS(ROWS); r++) {
        GString *text = g_string_new(good);
        CHECK(g_string_replace(text, ROWS[r].was, ROWS[r].is, 0) > 0, "row %zu", r);
        const bool is_second = strstr(ROWS[r].wanted, "round-2") != NULL;
        char *texts[] = {is_second ? good : text->str, text->str};
        g_autoptr(GError) error = NULL;
        g_autoptr(app_calibration) c = read_texts(texts, 2, &error);
        (void)g_string_free(text, TRUE);
        CHECK(c == NULL, "row %zu", r);
        CHECK_ERROR(error, ROWS[r].wanted);
    }
}

/* A file of its own, and the level within a node of a machine: both are read back. */
static void values_become_a_machine_with_their_origin(void)
{
    g_autoptr(app_calibration) c = calibrate(&CLUSTER, &NONE, ROUNDS, 1, "a/0 a/1");
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_machine) own = app_calibration_machine(c, NULL, "2026-11-23", &error);
    g_assert_no_error(error);
    CHECK_NEAR((double)own->params.L, 1300 * (double)SIM_NS, 3 * (double)SIM_NS);
    CHECK_I64(own->params.S, 12288);
    CHECK(strstr(own->provenance[SIM_KEY_G],
                 "ripple calibrate 2026-11-23, Test MPI, a/0 a/1: least squared") != NULL,
          "%s", own->provenance[SIM_KEY_G]);
    g_autofree char *ini = sim_machine_to_ini(own);
    g_autoptr(sim_machine) back = sim_machine_load_data("f", ini, strlen(ini), &error);
    g_assert_no_error(error);
    CHECK_I64(back->params.o, own->params.o);
    g_autoptr(sim_machine) levels =
        app_calibration_machine(c, sim_machine_load("xt4", NULL), "2026-11-23", &error);
    g_assert_no_error(error);
    CHECK_I64(levels->params.L, 9900 * SIM_NS);
    CHECK_I64(levels->node.o, own->params.o);
    g_autofree char *both = sim_machine_to_ini(levels);
    CHECK(strstr(both, "schema_version=5") != NULL && strstr(both, "H=") != NULL &&
              strstr(both, "[node]") != NULL,
          "%s", both);
}

SUITE_MAIN("calibration", TEST(the_values_of_a_machine_come_back),
           TEST(intervals_hold_the_truth_as_often_as_they_say),
           TEST(rounds_in_another_state_are_left_out), TEST(a_noisy_machine_is_refused),
           TEST(somebody_else_on_the_cores_does_not_count), TEST(what_cannot_be_told_apart_is_said),
           TEST(one_disturbed_bisection_changes_nothing),
           TEST(ranks_on_one_cpu_or_moved_are_refused),
           TEST(bad_samples_are_refused_by_line_and_value),
           TEST(values_become_a_machine_with_their_origin))
