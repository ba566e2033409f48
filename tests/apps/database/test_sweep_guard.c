/* tests/apps/database/test_sweep_guard.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "database/sweep_table.h"
#include "sweep_scratch.h"

#include <glib/gstdio.h>
#include <string.h>

/* Is the database refused, by who reads it and by who goes on with it, with those words? */
static void check_refused(const char *path, const char *reading, const char *sweeping)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(app_sweep_database) database = app_sweep_database_read(path, &error);
    g_autoptr(app_sweep_table) table =
        database != NULL ? app_sweep_table_read(database, &error) : NULL;
    CHECK(table == NULL);
    CHECK_ERROR(error, reading);
    g_autoptr(GError) swept = NULL;
    CHECK(!sweep(STUDY, path, 1, &swept));
    CHECK_ERROR(swept, sweeping);
}

static void what_looks_like_a_table_and_is_none_is_refused(void)
{
    static const char *const TABLES[] = {"meta",       "inputs",     "axes",
                                         "points",     "results",    "makespans",
                                         "components", "conditions", "notices"};
    /* Without end; a table with an expression that takes all memory; one of an extension. */
    static const char *const OTHERS[] = {
        "CREATE VIEW %s AS WITH RECURSIVE n (point) AS (SELECT 0 UNION ALL SELECT point + 1 FROM "
        "n) "
        "SELECT point, point AS name, point AS value, point AS parameter, point AS position FROM n",
        "CREATE TABLE %s (point INTEGER PRIMARY KEY, name AS (hex(zeroblob(900000000))), value)",
        "CREATE VIRTUAL TABLE %s USING fts5 (point, name, value)",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(TABLES); i++) {
        for (size_t j = 0; j < G_N_ELEMENTS(OTHERS); j++) {
            g_auto(scratch) s = scratch_new();
            CHECK(sweep(STUDY, s.path, 1, NULL));
            g_autofree char *drop =
                g_strdup_printf("DROP VIEW done; ALTER TABLE %s RENAME TO other", TABLES[i]);
            change(s.path, drop);
            g_auto(GStrv) parts = g_strsplit(OTHERS[j], "%s", 2);
            g_autofree char *make = g_strjoinv(TABLES[i], parts);
            change(s.path, make);
            g_autofree char *why = g_strdup_printf("'%s' is not a table as ripple", TABLES[i]);
            check_refused(s.path, why, why);
        }
    }
}

static void commands_in_a_database_are_not_run(void)
{
    g_auto(scratch) s = scratch_new();
    CHECK(sweep(STUDY, s.path, 1, NULL));
    change(s.path, "DELETE FROM results WHERE point = 4; DELETE FROM makespans WHERE point = 4;"
                   "CREATE TRIGGER t AFTER INSERT ON results BEGIN INSERT INTO inputs "
                   "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) "
                   "SELECT i, i FROM n; END");
    CHECK(sweep(STUDY, s.path, 1, NULL));
    CHECK_I64(number_of(s.path, "SELECT count(*) FROM results"), NUM_POINTS);
    CHECK_I64(number_of(s.path, "SELECT count(*) FROM inputs"), 0);
}

static void put_number(unsigned char *at, size_t bytes, uint32_t number)
{
    for (size_t i = bytes; i-- > 0; number >>= 8) {
        at[i] = (unsigned char)number;
    }
}

/* A page of SQLite's that stands above others: a hundred times the same. */
static void make_upper_page(unsigned char *page, size_t page_bytes, uint32_t below)
{
    static const size_t CELLS = 100;
    static const size_t HEADER = 12;
    static const size_t CELL_BYTES = 5;
    memset(page, 0, page_bytes);
    page[0] = 5; /* of a table */
    put_number(page + 3, 2, (uint32_t)CELLS);
    put_number(page + 5, 2, (uint32_t)(page_bytes - CELLS * CELL_BYTES));
    put_number(page + 8, 4, below);
    for (size_t i = 0; i < CELLS; i++) {
        const size_t cell = page_bytes - (i + 1) * CELL_BYTES;
        put_number(page + HEADER + 2 * i, 2, (uint32_t)cell);
        put_number(page + cell, 4, below);
        page[cell + 4] = (unsigned char)(i + 1); /* the greatest key below */
    }
}

/* Put a tower of pages on that of @p table, each a hundred times above the next: 100^LEVELS rows in
 * a small file. Its lowest page is the one that was there. */
static void make_endless(const char *path, const char *table)
{
    enum { LEVELS = 12 };
    g_autofree char *command =
        g_strdup_printf("SELECT rootpage FROM sqlite_master WHERE name = '%s'", table);
    const size_t root = (size_t)number_of(path, command) - 1;
    const size_t page_bytes = (size_t)number_of(path, "PRAGMA page_size");
    char *text = NULL;
    gsize len = 0;
    CHECK(g_file_get_contents(path, &text, &len, NULL));
    const size_t num_pages = len / page_bytes;
    g_autofree unsigned char *file = g_malloc0(len + LEVELS * page_bytes);
    memcpy(file, text, len);
    g_free(text);
    memcpy(file + len, file + root * page_bytes, page_bytes);
    make_upper_page(file + root * page_bytes, page_bytes, (uint32_t)(num_pages + LEVELS));
    for (size_t i = 1; i < LEVELS; i++) {
        make_upper_page(file + len + i * page_bytes, page_bytes, (uint32_t)(num_pages + i));
    }
    put_number(file + 28, 4, (uint32_t)(num_pages + LEVELS));
    CHECK(g_file_set_contents(path, (const char *)file, (gssize)(len + LEVELS * page_bytes), NULL));
}

static void pages_without_end_are_damage(void)
{
    g_auto(scratch) points = scratch_new();
    CHECK(sweep(STUDY, points.path, 1, NULL));
    make_endless(points.path, "points");
    check_refused(points.path, "damaged: point 0 after 19",
                  "damaged: it takes longer to read than its size explains");
    g_auto(scratch) results = scratch_new();
    CHECK(sweep(STUDY, results.path, 1, NULL));
    make_endless(results.path, "results");
    g_autoptr(GError) error = NULL;
    g_autoptr(app_sweep_database) database = app_sweep_database_read(results.path, &error);
    CHECK(database != NULL);
    CHECK_I64(app_sweep_database_count_done(database, &error), -1);
    CHECK_ERROR(error, "damaged: it takes longer to read than its size explains");
}

static void names_that_are_no_files_to_sqlite_are_files_or_refused(void)
{
    static const char *const NAMES[] = {"", ":memory:"};
    for (size_t i = 0; i < G_N_ELEMENTS(NAMES); i++) {
        g_autoptr(GError) error = NULL;
        CHECK(!sweep(STUDY, NAMES[i], 1, &error));
        CHECK_ERROR(error, "is no file: results would be lost");
    }
    g_auto(scratch) s = scratch_new();
    g_autofree char *before = g_get_current_dir();
    CHECK_I64(g_chdir(s.folder), 0);
    CHECK(sweep(STUDY, "file:a.db?mode=memory", 1, NULL));
    CHECK(g_file_test("file:a.db?mode=memory", G_FILE_TEST_IS_REGULAR));
    CHECK_I64(g_chdir(before), 0);
}

static void what_is_no_file_is_said_to_be_what_it_is(void)
{
    g_auto(scratch) s = scratch_new();
    const struct {
        const char *path;
        const char *why;
    } rows[] = {
        {s.folder, "a folder, not a database of a sweep"},
        {s.path, "there is no such file"},
        {"/dev/null", "a device or a pipe, not a database of a sweep"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        CHECK(app_sweep_database_read(rows[i].path, &error) == NULL);
        CHECK_ERROR(error, rows[i].why);
    }
}

SUITE_MAIN("sweep_guard", TEST(what_looks_like_a_table_and_is_none_is_refused),
           TEST(commands_in_a_database_are_not_run), TEST(pages_without_end_are_damage),
           TEST(names_that_are_no_files_to_sqlite_are_files_or_refused),
           TEST(what_is_no_file_is_said_to_be_what_it_is))
