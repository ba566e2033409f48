/* tests/apps/calibration/rounds.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the calibrator would have written on a machine of known values, and how it is disturbed.
 */
#pragma once

#include "calibration/calibration.h"
#include "check.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static const double COMPANY = 1.25; /* times as long does a message take */
static const double PACE = 3100000; /* ps */
enum { ROUNDS = 9, BURST = 16, SPACED = 16, CLOCK = 20, SWEEPS = 24, MOST = 32 };
static const int64_t SIZES[] = {1, 64, 256, 1024, 2048, 4096, 8192, 16384, 65536, 262144, 1048576};

typedef struct truth {
    double L, o, g, G, O; /* ns, ns per byte */
    int64_t S;
    double H; /* ns */
} truth;

/* How a machine disturbs what is measured. */
typedef struct trouble {
    double spread;       /* of all times of a round, and of each time in it: standard deviation */
    double struck;       /* share of the visits that something else makes longer, by up to twice */
    double company;      /* share of those during which somebody else is on a core */
    double slower[MOST]; /* times as long in that round; 0: 1 */
} trouble;

/* A normal deviate (Box and Muller, Annals of Mathematical Statistics 29(2), 1958). */
static inline double normal(GRand *rand)
{
    return sqrt(-2 * log(1 - g_rand_double(rand))) * cos(2 * G_PI * g_rand_double(rand));
}

/* One visit after the other of a cell whose messages take @p ns, and its pauses @p idle. */
static inline void add_visits(GString *s, GRand *rand, const char *kind, int64_t bytes, double ns,
                              double idle, double factor, const trouble *t)
{
    const double here = ns * factor * (1 + t->spread * normal(rand));
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        const bool is_struck = g_rand_double(rand) < t->struck;
        const double more = is_struck ? 1 + 2 * g_rand_double(rand) : 1;
        const bool has_company = g_rand_double(rand) < t->company;
        const double both = more * (has_company ? COMPANY : 1);
        g_string_append_printf(s, "%d %s %" G_GINT64_FORMAT " %.0f %.0f\n", sweep, kind, bytes,
                               1000 * (here * both + idle), has_company ? 1.6 * PACE : PACE);
    }
}

/* What a round on a machine of these values would have measured: docs/model.md, section 2,
 * polling. */
static inline char *round_of(const truth *t, const trouble *met, int round, GRand *rand,
                             const char *places)
{
    GString *s = g_string_new(NULL);
    g_string_append_printf(s,
                           "# ripple-calibrate 5\n# mpi=Test MPI\n# seed=%d\n# clock=%d\n"
                           "# burst=%d\n# spaced=%d\n# begin=%s\n# later=unknown\n",
                           round + 1, 1000 * CLOCK, BURST, SPACED, places);
    const double slower = met->slower[round] > 0 ? met->slower[round] : 1;
    const double factor = slower * (1 + met->spread * normal(rand));
    const double way = 2 * t->o + t->L;
    for (size_t i = 0; i < G_N_ELEMENTS(SIZES); i++) {
        const double b = (double)(SIZES[i] - 1);
        const double handshake = SIZES[i] > t->S ? 2 * t->L + t->H : 0;
        const double half = way + b * t->G + handshake;
        const double transfer = SIZES[i] > t->S ? b * t->G + handshake : 0; /* after the receive */
        add_visits(s, rand, "round-trip", SIZES[i], 2 * half, 0, factor, met);
        add_visits(s, rand, "receive", SIZES[i], t->o + b * t->O + transfer, CLOCK, factor, met);
    }
    const double pauses = (SPACED - 1) * rint(2 * way);
    add_visits(s, rand, "burst", 1, 2 * way + (BURST - 1) * t->g, 0, factor, met);
    add_visits(s, rand, "spaced", 1, 2 * way + (SPACED - 1) * t->o, pauses, factor, met);
    add_visits(s, rand, "pauses", 1, 0, pauses, 1, met);
    g_string_append_printf(
        s, "0 waits %" G_GINT64_FORMAT " 0 0\n0 unposted %" G_GINT64_FORMAT " 0 0\n# end=%s\n",
        t->S / 2, t->S, places);
    return g_string_free(s, FALSE);
}

static inline app_calibration *read_texts(char **texts, size_t n, GError **error)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-test-XXXXXX", NULL);
    g_auto(GStrv) paths = g_new0(char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        g_autofree char *name = g_strdup_printf("round-%zu", i + 1);
        paths[i] = g_build_filename(folder, name, NULL);
        (void)g_file_set_contents(paths[i], texts[i], -1, NULL);
    }
    app_calibration *c = app_calibration_read(paths, error);
    for (size_t i = 0; i < n; i++) {
        (void)g_unlink(paths[i]);
    }
    (void)g_rmdir(folder);
    return c;
}

static inline app_calibration *calibrate(const truth *t, const trouble *met, size_t n,
                                         uint32_t seed, const char *places)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    g_auto(GStrv) texts = g_new0(char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        texts[i] = round_of(t, met, (int)i, rand, places);
    }
    g_autoptr(GError) error = NULL;
    app_calibration *c = read_texts(texts, n, &error);
    CHECK(c != NULL, "%s", error != NULL ? error->message : "");
    return c;
}

static const truth CLUSTER = {1300, 400, 450, 0.16, 0.05, 12288, 900};
static const trouble NONE;
