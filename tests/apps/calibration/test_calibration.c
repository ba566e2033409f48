/* tests/apps/calibration/test_calibration.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibration/calibration.h"
#include "calibration/calibration_print.h"
#include "check.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

enum { ROUNDS = 7, BURST = 16, SPACED = 8, CLOCK = 20 };
static const int64_t SIZES[] = {1, 64, 256, 1024, 2048, 4096, 8192, 16384, 65536, 262144, 1048576};

typedef struct truth {
    double L, o, g, G, O; /* ns, ns per byte */
    int64_t S;
} truth;

/* What a machine of these values would have been measured as: docs/model.md, section 2, polling.
 * All times longer by up to @p noise, drawn. */
static char *samples_of(const truth *t, double noise, uint32_t seed, const char *places)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    GString *s = g_string_new(NULL);
    g_string_append_printf(s,
                           "# ripple-calibrate 1\n# mpi=Test MPI\n# rounds=%d\n# clock=%d\n"
                           "# burst=%d\n# spaced=%d\n# begin=%s\n# later=unknown\n",
                           ROUNDS, CLOCK, BURST, SPACED, places);
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < G_N_ELEMENTS(SIZES); i++) {
            const double b = (double)(SIZES[i] - 1);
            const bool eager = SIZES[i] <= t->S;
            const double more = 1 + noise * g_rand_double(rand);
            const double half = (2 * t->o + t->L + b * t->G + (eager ? 0 : 2 * t->L)) * more;
            const double trip = 2 * half + CLOCK;
            const double cpu = (t->o + b * t->O) * (1 + noise * g_rand_double(rand));
            const double times[] = {
                trip,
                trip + (BURST - 1) * (t->g + b * t->G),
                trip + (SPACED - 1) * (cpu + rint(trip) + CLOCK),
                cpu + CLOCK,
            };
            static const char *const kinds[] = {"round-trip", "burst", "spaced", "receive"};
            for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++) {
                g_string_append_printf(s, "%d %s %" G_GINT64_FORMAT " 100 %.0f %.0f %.0f\n", round,
                                       kinds[k], SIZES[i], times[k], times[k], times[k]);
            }
        }
        for (int k = 0; k < 2; k++) {
            g_string_append_printf(s,
                                   "%d %s %" G_GINT64_FORMAT " 1 %" G_GINT64_FORMAT
                                   " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n",
                                   round, k == 0 ? "waits" : "jump", t->S, t->S, t->S, t->S);
        }
    }
    g_string_append_printf(s, "# end=%s\n", places);
    return g_string_free(s, FALSE);
}

static app_calibration *read_text(const char *text, GError **error)
{
    g_autofree char *path = NULL;
    const int fd = g_file_open_tmp("ripple-test-XXXXXX", &path, NULL);
    (void)g_close(fd, NULL);
    (void)g_file_set_contents(path, text, -1, NULL);
    app_calibration *c = app_calibration_read(path, error);
    (void)g_unlink(path);
    return c;
}

static void the_values_of_a_machine_come_back(void)
{
    static const truth ROWS[] = {
        {1300, 400, 450, 0.16, 0.05, 12288},
        {9900, 1750, 3400, 0.58, 0, 65536},
        {150, 60, 80, 0.07, 0.04, 4096},
        {1400, 120, 170, 0.11, 0.1, INT64_C(1) << 22},
    };
    for (size_t r = 0; r < G_N_ELEMENTS(ROWS); r++) {
        const truth *t = &ROWS[r];
        for (int noisy = 0; noisy < 2; noisy++) {
            g_autoptr(GError) error = NULL;
            g_autofree char *text = samples_of(t, noisy ? 0.02 : 0, (uint32_t)r + 1, "a/0 b/0");
            g_autoptr(app_calibration) c = read_text(text, &error);
            if (!CHECK(c != NULL, "%s", error != NULL ? error->message : "")) {
                continue;
            }
            /* Times are printed in whole ns; what is drawn makes them 0 to 2 % longer. */
            const double off = noisy ? 0.05 : 0.01;
            const double want[] = {t->L, t->o, t->g, t->G, t->O};
            for (size_t i = 0; i < APP_NUM_CALIBRATED; i++) {
                CHECK_NEAR(c->value[i].mean, want[i],
                           off * want[i] + (i >= APP_CALIBRATED_G ? 0.002 : 3), "row %zu, %s", r,
                           app_calibrated_name((app_calibrated)i));
                CHECK(c->value[i].low <= c->value[i].mean && c->value[i].high >= c->value[i].mean);
                CHECK_NEAR(c->value[i].level, 0.95, 0);
            }
            CHECK_I64(c->S, t->S == INT64_C(1) << 22 ? INT64_MAX : t->S);
            CHECK(c->invalid == NULL && !c->guessed && !c->one_node);
            for (size_t i = 0; i < c->num_sizes; i++) {
                CHECK_NEAR(c->sizes[i].model / c->sizes[i].measured, 1, noisy ? 0.03 : 0.02,
                           "row %zu, %" G_GINT64_FORMAT " B", r, c->sizes[i].bytes);
            }
        }
    }
}

/* One size in one round that is five times as long, as after a detour, changes nothing. */
static void a_disturbed_size_does_not_tilt_the_slope(void)
{
    static const truth T = {1300, 400, 450, 0.16, 0.05, 12288};
    g_autofree char *text = samples_of(&T, 0.005, 3, "a/0 b/0");
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (size_t i = 0; lines[i] != NULL; i++) {
        if (g_str_has_prefix(lines[i], "2 round-trip 65536 ")) {
            g_free(lines[i]);
            lines[i] = g_strdup("2 round-trip 65536 100 120000 125000 130000");
        }
    }
    g_autofree char *disturbed = g_strjoinv("\n", lines);
    g_autoptr(app_calibration) c = read_text(disturbed, NULL);
    if (CHECK(c != NULL)) {
        CHECK_NEAR(c->value[APP_CALIBRATED_G].mean, 0.16, 0.004);
    }
}

static void what_cannot_be_trusted_is_said(void)
{
    static const truth T = {1300, 400, 450, 0.16, 0.05, 12288};
    static const truth HEAVY = {1300, 4000, 450, 0.16, 0.05, 12288};
    g_autofree char *shared = samples_of(&T, 0, 1, "a/1 a/1");
    g_autoptr(app_calibration) one_cpu = read_text(shared, NULL);
    CHECK(one_cpu != NULL && one_cpu->invalid != NULL && one_cpu->one_node &&
          strstr(one_cpu->invalid, "both ranks ran on one CPU (a/1 a/1)") != NULL);
    g_autofree char *still = samples_of(&T, 0, 1, "a/0 a/1");
    g_autofree char *moved = g_strdup(still);
    *(strstr(moved, "# end=a/0 a/1") + strlen("# end=a/0 a/")) = '3';
    g_autoptr(app_calibration) elsewhere = read_text(moved, NULL);
    CHECK(elsewhere != NULL && elsewhere->invalid != NULL &&
          strstr(elsewhere->invalid, "moved to other CPUs") != NULL);
    /* Overheads of more than the way: the round trip is made shorter than they are. */
    g_autofree char *heavy = samples_of(&HEAVY, 0, 1, "a/0 b/1");
    GString *shorter = g_string_new(heavy);
    for (int round = 0; round < ROUNDS; round++) {
        g_autofree char *was = g_strdup_printf("%d round-trip 1 100 18620 18620 18620", round);
        g_autofree char *is = g_strdup_printf("%d round-trip 1 100 6020 6020 18620", round);
        CHECK_I64((int64_t)g_string_replace(shorter, was, is, 1), 1);
    }
    g_autoptr(app_calibration) guess = read_text(shorter->str, NULL);
    (void)g_string_free(shorter, TRUE);
    if (CHECK(guess != NULL && guess->guessed)) {
        CHECK_NEAR(guess->value[APP_CALIBRATED_L].mean, 1000, 1);
        CHECK_NEAR(guess->value[APP_CALIBRATED_o].mean, 1000, 1);
    }
}

static void bad_samples_are_refused_by_line_and_value(void)
{
    static const truth T = {1300, 400, 450, 0.16, 0.05, 12288};
    g_autofree char *good = samples_of(&T, 0, 1, "a/0 b/0");
    static const struct {
        const char *was, *is, *wanted;
    } ROWS[] = {
        {"# ripple-calibrate 1", "# ripple-calibrate 9", ":1: not a line of a calibration: '# rip"},
        {"# rounds=7", "# rounds=x", ":3: not a line of a calibration: '# rounds=x'"},
        {"0 burst 1 ", "0 brust 1 ", ":10: not a line of a calibration: '0 brust 1 "},
        {"0 burst 1 100", "0 burst 1 -3", ":10: not a line of a calibration"},
        {"0 burst 1 100 ", "0 burst 1 ", ":10: not a line of a calibration"},
        {"# end=", "# ene=", "the calibration ends before its end"},
        {"4 burst 1 ", "4 burst 2 ", "round 4 lacks measurements"},
    };
    for (size_t r = 0; r < G_N_ELEMENTS(ROWS); r++) {
        GString *text = g_string_new(good);
        CHECK_I64((int64_t)g_string_replace(text, ROWS[r].was, ROWS[r].is, 1), 1, "row %zu", r);
        g_autoptr(GError) error = NULL;
        g_autoptr(app_calibration) c = read_text(text->str, &error);
        (void)g_string_free(text, TRUE);
        CHECK(c == NULL, "row %zu", r);
        CHECK_ERROR(error, ROWS[r].wanted);
    }
}

/* A file of its own, and the level within a node of a machine: both are read back. */
static void values_become_a_machine_with_their_origin(void)
{
    static const truth T = {1300, 400, 450, 0.16, 0.05, 12288};
    g_autofree char *text = samples_of(&T, 0, 1, "a/0 a/1");
    g_autoptr(app_calibration) c = read_text(text, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_machine) own = app_calibration_machine(c, NULL, "2026-11-23", &error);
    g_assert_no_error(error);
    CHECK_NEAR((double)own->params.L, 1300 * (double)SIM_NS, 3 * (double)SIM_NS);
    CHECK_I64(own->params.S, 12288);
    CHECK(strstr(own->provenance[SIM_KEY_G],
                 "ripple calibrate 2026-11-23, Test MPI, a/0 a/1: slope") != NULL,
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
    CHECK(strstr(both, "schema_version=2") != NULL && strstr(both, "[node]") != NULL, "%s", both);
}

SUITE_MAIN("calibration", TEST(the_values_of_a_machine_come_back),
           TEST(a_disturbed_size_does_not_tilt_the_slope), TEST(what_cannot_be_trusted_is_said),
           TEST(bad_samples_are_refused_by_line_and_value),
           TEST(values_become_a_machine_with_their_origin))
