/* tests/apps/database/test_sweep_cell.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "database/sweep_table.h"
#include "sweep_scratch.h"

#include <glib/gstdio.h>

/* A sweep under two components, one on some ranks only; and a point without noise. */
static const char *const MIXED =
    "[study]\nschema_version = 1\n[parameters]\nprogram = collective:barrier\nranks = 4\n"
    "replicas = 6\n[sweep]\nnoise = fixed:1kHz:100us+jaguar@0-1,none\n";

static app_sweep_table *read_table(const char *path, GError **error)
{
    g_autoptr(app_sweep_database) database = app_sweep_database_read(path, error);
    return database != NULL ? app_sweep_table_read(database, error) : NULL;
}

/* Each change puts a value into a column that cannot be there, and how the error names it. */
static const struct {
    const char *change;
    const char *error;
} ODD[] = {
    {"UPDATE points SET ranks = -4 WHERE point = 0", "points, point 0: ranks is -4; it must be at "
                                                     "least 1"},
    {"UPDATE points SET ranks = NULL", "points, point 0: ranks is NULL; it must be a whole number"},
    {"UPDATE points SET program = NULL", "points, point 0: program is NULL; it must be text"},
    {"UPDATE points SET L_ps = 'far'", "points, point 0: L_ps is 'far'; it must be a whole number"},
    {"UPDATE points SET G_ns_per_byte = -0.5", "G_ns_per_byte is -0.5; it must be at least 0"},
    {"UPDATE points SET cosched = 'maybe' WHERE point = 0",
     "points, point 0: cosched is 'maybe'; it must be one of no, yes"},
    {"UPDATE axes SET position = -1", "axes, parameter 'noise': position is -1; it must be at"},
    {"UPDATE axes SET parameter = 'size'", "axes, parameter 'size': parameter is 'size'; there is "
                                           "no such parameter"},
    {"UPDATE results SET ideal_ps = NULL WHERE point = 1",
     "results, point 1: ideal_ps is NULL; it must be a whole number"},
    {"UPDATE results SET mode = 'loud'", "results, point 0: mode is 'loud'; it must be one of "
                                         "ideal, unsynchronized, co-scheduled"},
    {"UPDATE results SET quantity = 'both'", "quantity is 'both'; it must be one of pass, steady"},
    {"UPDATE results SET median_ps = -1 WHERE point = 1", "point 1: median_ps is -1"},
    {"UPDATE results SET ci_level = 1.5",
     "results, point 0: ci_level is 1.5; it must be at most 1"},
    {"UPDATE results SET slowdown = -2", "slowdown is -2.0; it must be at least -1"},
    {"UPDATE results SET slowdown = NULL", "slowdown is NULL; it must be a number"},
    {"UPDATE results SET slowdown_median = 'x'", "slowdown_median is 'x'; it must be a number"},
    {"UPDATE results SET remarks = NULL WHERE point = 0", "remarks is NULL; it must be text"},
    {"UPDATE conditions SET grave = 7",
     "conditions, point 0, condition 0: grave is 7; it must be at "
     "most 1"},
    {"UPDATE results SET slowdown_high = slowdown_low - 1", "slowdown_high is "},
    {"UPDATE results SET slowdown_level = 95", "slowdown_level is 95.0; it must be at most 1"},
    {"UPDATE results SET slowdown_level = 0", "slowdown_level is 0.0; an interval has a level"},
    {"UPDATE results SET slowdown_method = 'range'", "slowdown_level is 0.95; a range has none"},
    {"UPDATE results SET slowdown_method = 'guess'", "it must be one of range, t, bootstrap"},
    {"UPDATE results SET met_by_run = -0.1", "met_by_run is -0.1; it must be at least 0"},
    {"UPDATE results SET noise_origin = 'good'",
     "noise_origin is 'good'; it must be one of valid,"},
    {"UPDATE results SET runs = 7 WHERE point = 0", "results, point 0: runs is 7; the point has 6 "
                                                    "makespans"},
    {"UPDATE makespans SET makespan_ps = NULL WHERE replica = 2",
     "makespans, point 0, replica 2: makespan_ps is NULL; it must be a whole number"},
    {"UPDATE makespans SET makespan_ps = 2.5 WHERE replica = 3", "replica 3: makespan_ps is 2.5"},
    {"DELETE FROM makespans WHERE replica = 1", "makespans, point 0, replica 2: replica is 2; it "
                                                "must be 1: rows are missing"},
    {"UPDATE components SET share = 1.01 WHERE component = 1",
     "components, point 0, component 1: share is 1.01; it must be at most 1"},
    {"UPDATE components SET by_run = 'often'", "by_run is 'often'; it must be a number"},
    {"UPDATE components SET origin = 'rumour'", "origin is 'rumour'; it must be one of valid, "
                                                "model, preset, unknown, invalid"},
    {"INSERT INTO inputs VALUES ('x', 'y'); INSERT INTO measurements VALUES ('x', 2, 'valid', 5, "
     "1, NULL, NULL, NULL)",
     "measurements, path 'x': valid is 2; it must be at most 1"},
};

static void values_that_cannot_be_are_named_by_table_row_and_column(void)
{
    g_auto(scratch) s = scratch_new();
    g_autofree char *copy = g_build_filename(s.folder, "copy.db", NULL);
    char *whole = NULL;
    gsize len = 0;
    CHECK(sweep(MIXED, s.path, 1, NULL));
    CHECK(g_file_get_contents(s.path, &whole, &len, NULL));
    for (size_t i = 0; i < G_N_ELEMENTS(ODD); i++) {
        CHECK(g_file_set_contents(copy, whole, (gssize)len, NULL));
        change(copy, ODD[i].change);
        g_autoptr(GError) error = NULL;
        g_autoptr(app_sweep_table) table = read_table(copy, &error);
        CHECK(table == NULL, "%s", ODD[i].change);
        CHECK_ERROR(error, ODD[i].error);
    }
    g_free(whole);
}

static void what_was_met_and_where_it_comes_from_is_read_back(void)
{
    g_auto(scratch) s = scratch_new();
    g_autoptr(GError) error = NULL;
    CHECK(sweep(MIXED, s.path, 1, NULL));
    g_autoptr(app_sweep_table) table = read_table(s.path, &error);
    CHECK(table != NULL, "%s", error != NULL ? error->message : "");
    if (table == NULL) {
        return;
    }
    CHECK_I64((int64_t)table->num_points, 2);
    const app_sweep_result *r = &table->points[0].result;
    CHECK_I64(r->series.num_runs, 6);
    CHECK_I64(r->series.passes, 1);
    CHECK_I64(r->series.quantity, APP_PASS);
    CHECK(r->series.slowdown.level == 0.95);
    CHECK(r->series.num_met > 1);
    CHECK_STR(r->components[0].name, "fixed:1kHz:100us");
    CHECK_I64(r->components[0].origin, APP_ORIGIN_MODEL);
    CHECK_I64(r->components[1].origin, APP_ORIGIN_PRESET);
    CHECK_STR(r->components[1].source, "jaguar");
    /* 1 kHz: a run of so many ms meets as many on each of the four ranks. */
    const double met = (double)r->series.times.mean / (double)SIM_MS;
    CHECK(r->series.met[0].by_rank > 0.999 * met && r->series.met[0].by_rank < 1.001 * met);
    CHECK(r->series.met[0].by_run == 4 * r->series.met[0].by_rank);
    CHECK_I64(r->series.met[1].ranks, 2);
    CHECK_I64(app_sweep_result_origin(r), APP_ORIGIN_PRESET);
    /* What has to be said of it: pass, preset, and how seldom the daemons were met. */
    static const char *const CODES[] = {"pass", "model-preset", "few-met"};
    for (size_t i = 0; i < G_N_ELEMENTS(CODES); i++) {
        const app_condition *c = app_conditions_find(r->conditions, CODES[i]);
        CHECK(c != NULL && c->text[0] != '\0' && c->weight == APP_CONDITION_REMARK, "%s", CODES[i]);
    }
    CHECK_I64((int64_t)table->points[1].result.conditions->n, 0);
    CHECK_I64(table->points[1].result.series.mode, APP_IDEAL);
    CHECK_I64((int64_t)table->points[1].result.series.num_met, 0);
}

SUITE_MAIN("sweep_cell", TEST(values_that_cannot_be_are_named_by_table_row_and_column),
           TEST(what_was_met_and_where_it_comes_from_is_read_back))
