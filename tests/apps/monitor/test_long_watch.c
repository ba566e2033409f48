/* tests/apps/monitor/test_long_watch.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "monitor/long_watch.h"

enum { N = 60 };
static const double MIB = 1048576;

typedef struct growth {
    double per_hour; /* bytes of memory */
    double noise;    /* bytes up and down, in turn */
    double file;     /* bytes an hour */
    double share, sweep_ms;
    bool passes;
} growth;

/* A sample every 5 s; in the first minute memory also grows by 5 MiB, and the file by 1 MB, once.
 */
static app_long_watch watch_of(const growth *g)
{
    app_long_sample sample[N];
    for (int i = 0; i < N; i++) {
        const double s = 5 * i;
        const double start = s < 60 ? s / 60 : 1;
        sample[i] = (app_long_sample){s,
                                      8 * MIB + 5 * MIB * start + g->per_hour * s / 3600 +
                                          (i % 2 == 0 ? g->noise : -g->noise),
                                      1e6 * start + g->file * s / 3600};
    }
    app_long_watch w = {
        .s = 300, .cpu_share = g->share, .budget = 0.01, .sweep_ms = g->sweep_ms, .threads = 1130};
    app_long_watch_fit(&w, sample, N);
    return w;
}

static void ten_hours_follow_from_the_second_half(void)
{
    const growth table[] = {
        {0, 0, 2e6, 0.01, 0.5, true},        {1 * MIB, 0, 2e6, 0.01, 0.5, true},
        {6 * MIB, 0, 2e6, 0.01, 0.5, false}, {0, 0, 11e6, 0.01, 0.5, false},
        {0, 0, 2e6, 0.0112, 0.5, false},     {0, 0, 2e6, 0.0108, 0.5, true},
        {0, 0, 2e6, 0.01, 1.2, false},       {-1 * MIB, 0, 2e6, 0.01, 0.5, true},
        {0, 4096, 2e6, 0.01, 0.5, true},     {0, 1 * MIB, 2e6, 0.01, 0.5, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        const app_long_watch w = watch_of(&table[i]);
        CHECK(app_long_watch_passed(&w) == table[i].passes, "row %zu: %g MiB, %g MB an hour", i,
              w.memory_10h / MIB, w.file_hour / 1e6);
        CHECK_NEAR(w.file_hour, table[i].file, 1);
        if (table[i].noise == 0) {
            const double grown = MAX(table[i].per_hour, 0) * (36000 - 295) / 3600;
            CHECK_NEAR(w.memory_10h, w.memory + grown, 1e3);
        }
    }
}

SUITE_MAIN("long_watch", TEST(ten_hours_follow_from_the_second_half))
