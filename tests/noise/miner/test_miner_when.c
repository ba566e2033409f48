/* tests/noise/miner/test_miner_when.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* When the noise of a row came: noise that begins late, stops early, comes in one stretch or was
 * always there, in streams with and without known durations, and however they are split. */
#include "check.h"
#include "miner_oracle.h"

#include <math.h>
#include <string.h>

/* Computations of 1 ms every 1.3 ms on one rank for 10 s; @p hit says which take 3 ms more. */
static void mine(noise_miner *m, uint32_t rank, bool known, bool (*hit)(GRand *, sim_time))
{
    g_autoptr(GRand) draw = g_rand_new_with_seed(rank + 1);
    for (sim_time t = 0; t < 10 * SIM_S; t += 1300 * SIM_US) {
        const sim_time more = hit(draw, t) ? 3 * SIM_MS : 0;
        noise_miner_add(m, rank, 1, t, t + SIM_MS + more, known ? SIM_MS : -1);
        t += more;
    }
}

static bool late(GRand *draw, sim_time t)
{
    return g_rand_double(draw) < 0.02 && t >= 6 * SIM_S;
}

static bool early(GRand *draw, sim_time t)
{
    return g_rand_double(draw) < 0.02 && t < 4 * SIM_S;
}

static bool one_stretch(GRand *draw, sim_time t)
{
    return g_rand_double(draw) < 0.05 && t >= 4 * SIM_S && t < 6 * SIM_S;
}

static bool always(GRand *draw, sim_time t)
{
    (void)t;
    return g_rand_double(draw) < 0.01;
}

static bool rarely(GRand *draw, sim_time t)
{
    (void)draw;
    return t / SIM_S == 3 || t / SIM_S == 8 ? t % SIM_S < 1300 * SIM_US * 2 : false;
}

static void what_came_for_a_part_of_the_run_says_when(void)
{
    static const struct {
        bool (*hit)(GRand *, sim_time);
        double from, to; /* s */
    } rows[] = {{late, 6, 10}, {early, 0, 4}, {one_stretch, 4, 6}};
    for (size_t i = 0; i < 2 * G_N_ELEMENTS(rows); i++) {
        g_autoptr(noise_miner) m = modern_miner();
        mine(m, 0, i % 2 == 0, rows[i / 2].hit);
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        CHECK(report->num_epochs >= 8, "%u epochs", report->num_epochs);
        if (CHECK(report->num_rows == 1, "case %zu", i)) {
            const noise_miner_change *c = &report->rows[0].change;
            CHECK_I64(c->verdict, NOISE_MINER_CHANGED, "case %zu", i);
            CHECK(isinf(c->times) && c->chance < 1e-3, "case %zu: %g", i, c->times);
            CHECK_NEAR(c->from, rows[i / 2].from * 1e12, 0.3e12, "case %zu", i);
            CHECK_NEAR(c->to, rows[i / 2].to * 1e12, 0.3e12, "case %zu", i);
        }
    }
}

static void what_was_always_there_has_no_change(void)
{
    for (uint32_t rank = 0; rank < 40; rank++) {
        g_autoptr(noise_miner) m = modern_miner();
        mine(m, rank, rank % 2 == 0, always);
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        if (CHECK(report->num_rows == 1, "%u", rank)) {
            const noise_miner_row *row = &report->rows[0];
            double hits = 0;
            for (uint32_t e = 0; e < report->num_epochs; e++) {
                hits += row->hits[e];
            }
            CHECK_I64(row->change.verdict, NOISE_MINER_NO_CHANGE, "%u", rank);
            CHECK_NEAR(hits, (double)(row->count + row->partial), 0.5, "%u", rank);
        }
    }
}

/* 200 ranks hit together by chance in two of ten seconds are not 200 witnesses. */
static void ranks_hit_together_are_one(void)
{
    for (int together = 0; together < 2; together++) {
        g_autoptr(noise_miner) m = modern_miner();
        for (uint32_t rank = 0; rank < 200; rank++) {
            mine(m, rank, true, together == 1 ? rarely : late);
        }
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        if (CHECK(report->num_rows == 1)) {
            CHECK_I64(report->rows[0].change.verdict,
                      together == 1 ? NOISE_MINER_TOO_FEW : NOISE_MINER_CHANGED);
        }
    }
}

static char *print(noise_miner *m)
{
    g_autoptr(noise_miner_report) r = noise_miner_report_new(m);
    GString *s = g_string_new(NULL);
    g_string_append_printf(s, "%u epochs of %" G_GINT64_FORMAT " from %" G_GINT64_FORMAT "\n",
                           r->num_epochs, r->epoch, r->epochs_from);
    for (size_t i = 0; i < r->num_rows; i++) {
        const noise_miner_change *c = &r->rows[i].change;
        g_string_append_printf(
            s, "%d %.17g %u %u %.17g %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", (int)c->verdict,
            c->chance, c->first, c->last, c->times, c->from, c->to);
        for (uint32_t e = 0; e < r->num_epochs; e++) {
            g_string_append_printf(s, "%.17g %.17g\n", r->rows[i].hits[e], r->rows[i].seen[e]);
        }
    }
    return g_string_free(s, FALSE);
}

/* Events of many ranks, also of those that share what is known of when they worked. */
static void any_split_says_the_same(void)
{
    enum { PARTS = 4, RANKS = 40 };
    g_autoptr(noise_miner) whole = modern_miner();
    noise_miner *part[PARTS];
    for (int p = 0; p < PARTS; p++) {
        part[p] = modern_miner();
    }
    g_autoptr(GRand) draw = g_rand_new_with_seed(4);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        for (sim_time t = 0; t < 2 * SIM_S; t += 3 * SIM_MS) {
            const sim_time more =
                t > SIM_S && g_rand_double(draw) < 0.1 ? 200 * SIM_US : (sim_time)0;
            noise_miner *const to[] = {whole, part[g_rand_int_range(draw, 0, PARTS)]};
            for (int k = 0; k < 2; k++) {
                noise_miner_add(to[k], rank * 211, rank % 2, t, t + SIM_MS + more,
                                rank % 2 == 0 ? SIM_MS : -1);
            }
        }
    }
    noise_miner_merge(part[0], part[1]);
    noise_miner_merge(part[2], part[3]);
    noise_miner_merge(part[2], part[0]);
    g_autofree char *want = print(whole);
    g_autofree char *got = print(part[2]);
    CHECK(strstr(want, "\n3 ") != NULL, "%s", want); /* changed */
    CHECK_STR(got, want);
    for (int p = 0; p < PARTS; p++) {
        noise_miner_free(part[p]);
    }
}

static void the_published_modes_do_not_say_when(void)
{
    noise_miner_options options;
    noise_miner_options_init(&options, NOISE_MINER_PAPER);
    g_autoptr(noise_miner) m = noise_miner_new(&options);
    mine(m, 0, false, late);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_epochs, 0);
    CHECK(report->num_rows > 0 && report->rows[0].change.verdict == NOISE_MINER_NOT_KNOWN);
}

SUITE_MAIN("miner_when", TEST(what_came_for_a_part_of_the_run_says_when),
           TEST(what_was_always_there_has_no_change), TEST(ranks_hit_together_are_one),
           TEST(any_split_says_the_same), TEST(the_published_modes_do_not_say_when))
