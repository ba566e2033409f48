/* tests/apps/enlarged/test_enlarged.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "enlarged/enlarged.h"
#include "enlarged/enlarged_words.h"

#include <glib/gstdio.h>
#include <math.h>

#define COUNTED TRACES "/counted/"

static app_enlarged *compare(const char *small, const char *large, double tolerance)
{
    static char rate[] = "1e6";
    const app_program_options options = {.flops_per_second =
                                             g_str_has_suffix(small, ".xz") ? rate : NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_machine) machine = sim_machine_load("xt4", NULL);
    const app_enlarged_request request = {small, large, &options, &machine->params, tolerance, 1};
    g_autoptr(app_manifest) manifest = app_manifest_new("schedule", (char *[]){NULL});
    app_enlarged *e = app_enlarged_new(&request, manifest, &error);
    CHECK(e != NULL, "%s: %s", small, error != NULL ? error->message : "");
    return e;
}

static const app_enlarged_row *row_of(const app_enlarged *e, const char *what)
{
    for (guint i = 0; i < e->rows->len; i++) {
        const app_enlarged_row *row = &g_array_index(e->rows, app_enlarged_row, i);
        if (g_str_equal(row->what, what)) {
            return row;
        }
    }
    CHECK(false, "no row '%s'", what);
    return NULL;
}

/* 6 n^2 (n - 1) messages in each of 12 exchanges: 10 iterations, the right hand side, the check
 * (docs/regrid.md, section 5). In copies: 2 of 27 ranks, times 64/54. */
static void messages_are_those_of_the_grid(void)
{
    g_autoptr(app_enlarged) e =
        compare(COUNTED "stencil7-27.ti.xz", COUNTED "stencil7-64.ti.xz", 0);
    const app_enlarged_row *row = row_of(e, "isend: messages");
    CHECK_I64(row->value[APP_ENLARGED_RECORDED], 12 * 6 * 16 * 3, "recorded");
    CHECK_I64(row->value[APP_ENLARGED_REGRIDDED], 12 * 6 * 16 * 3, "regridded");
    CHECK_I64(row->value[APP_ENLARGED_COPIES], 2 * 12 * 6 * 9 * 2 * 64 / 54, "in copies");
    CHECK_I64(e->copies_ranks, 54, "the nearest multiple of 27");
}

/* Of a program whose ranks differ by their place on the grid alone all is as it was recorded. */
static void a_stencil_is_exact(void)
{
    static const char *const NAMES[] = {"stencil7", "stencil27"};
    for (size_t i = 0; i < G_N_ELEMENTS(NAMES); i++) {
        g_autofree char *small = g_strdup_printf(COUNTED "%s-27.ti.xz", NAMES[i]);
        g_autofree char *large = g_strdup_printf(COUNTED "%s-64.ti.xz", NAMES[i]);
        g_autoptr(app_enlarged) e = compare(small, large, 0);
        CHECK(app_enlarged_holds(e) && e->judged == APP_ENLARGED_REGRIDDED, "%s: %s",
              e->worst->what, NAMES[i]);
        CHECK(fabs(row_of(e, "isend: messages")->off[APP_ENLARGED_COPIES]) > 0.1,
              "copies have fewer neighbours");
    }
}

/* Makespans within 5 % of what was recorded; copies of sweep3d are 20 % off. */
static void makespans_are_within_five_percent(void)
{
    static const char *const NAMES[] = {"sweep3d", "pop"};
    for (size_t i = 0; i < G_N_ELEMENTS(NAMES); i++) {
        g_autofree char *small = g_strdup_printf(COUNTED "%s-16.ti.xz", NAMES[i]);
        g_autofree char *large = g_strdup_printf(COUNTED "%s-64.ti.xz", NAMES[i]);
        g_autoptr(app_enlarged) e = compare(small, large, 0.05);
        const app_enlarged_row *row = row_of(e, "makespan");
        CHECK(fabs(row->off[APP_ENLARGED_REGRIDDED]) < 0.05, "%s: %g", NAMES[i],
              row->off[APP_ENLARGED_REGRIDDED]);
        CHECK(row_of(e, "messages")->off[APP_ENLARGED_REGRIDDED] == 0, "%s", NAMES[i]);
        CHECK(row_of(e, "bytes")->off[APP_ENLARGED_REGRIDDED] == 0, "%s", NAMES[i]);
    }
}

/* What sweep3d computes depends on the place: 12.2 % off. */
static void the_tolerance_decides(void)
{
    static const struct {
        double tolerance;
        bool holds;
    } row[] = {{0.05, false}, {0.12, false}, {0.13, true}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(app_enlarged) e =
            compare(COUNTED "sweep3d-16.ti.xz", COUNTED "sweep3d-64.ti.xz", row[i].tolerance);
        CHECK(app_enlarged_holds(e) == row[i].holds, "tolerance %g", row[i].tolerance);
        CHECK_STR(e->worst->what, "compute, all ranks", "what differs most");
    }
}

static void a_record_is_exact_beside_itself(void)
{
    g_autoptr(app_enlarged) e = compare(TRACES "/halo-cg-16", TRACES "/halo-cg-16", 0);
    for (guint i = 0; i < e->rows->len; i++) {
        const app_enlarged_row *row = &g_array_index(e->rows, app_enlarged_row, i);
        CHECK(row->off[APP_ENLARGED_REGRIDDED] == 0 && row->off[APP_ENLARGED_COPIES] == 0, "%s",
              row->what);
    }
}

static void differences_are_told_in_words(void)
{
    static const struct {
        double off;
        const char *says;
    } row[] = {{0, "exact"}, {0.123, "+12.3 %"}, {-0.5, "-50 %"}, {INFINITY, "not recorded"}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *text = app_enlarged_format_off(row[i].off);
        CHECK_STR(text, row[i].says, "%g", row[i].off);
    }
}

SUITE_MAIN("enlarged", TEST(messages_are_those_of_the_grid), TEST(a_stencil_is_exact),
           TEST(makespans_are_within_five_percent), TEST(the_tolerance_decides),
           TEST(a_record_is_exact_beside_itself), TEST(differences_are_told_in_words))
