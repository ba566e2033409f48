/* tests/apps/database/test_sweep_database.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "database/sweep_table.h"
#include "sweep/sweep_estimate.h"
#include "sweep_scratch.h"

#include <glib/gstdio.h>
#include <limits.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void append_rows(sqlite3 *handle, const char *table, GString *dump)
{
    g_autofree char *command = g_strdup_printf("SELECT * FROM %s ORDER BY 1, 2", table);
    sqlite3_stmt *statement = NULL;
    CHECK_I64(sqlite3_prepare_v2(handle, command, -1, &statement, NULL), SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        g_string_append(dump, table);
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            const char *text = (const char *)sqlite3_column_text(statement, i);
            g_string_append_printf(dump, "|%s", text != NULL ? text : "NULL");
        }
        g_string_append_c(dump, '\n');
    }
    (void)sqlite3_finalize(statement);
}

/* All that is in it, as text. Independent of the code under test. */
static char *dump_of(const char *path)
{
    static const char *const TABLES[] = {"sqlite_master", "meta",      "inputs",  "measurements",
                                         "axes",          "points",    "results", "makespans",
                                         "components",    "conditions"};
    GString *dump = g_string_new(NULL);
    sqlite3 *handle = NULL;
    CHECK_I64(sqlite3_open(path, &handle), SQLITE_OK);
    for (size_t i = 0; i < G_N_ELEMENTS(TABLES); i++) {
        append_rows(handle, TABLES[i], dump);
    }
    (void)sqlite3_close(handle);
    return g_string_free(dump, FALSE);
}

static bool is_empty(const scratch *s)
{
    g_autoptr(GDir) dir = g_dir_open(s->folder, 0, NULL);
    return g_dir_read_name(dir) == NULL;
}

/* SQLite's virtual machine calls this after so many of its instructions. */
static int most_steps;
static int *steps; /* shared with the child */
static int die_in_the_middle(void *data)
{
    (void)data;
    if (++*steps >= most_steps) {
        (void)kill(getpid(), SIGKILL);
    }
    return 0;
}

/* The linker puts this in place of sqlite3_progress_handler(): there is only one handler, and in
 * the child it is that above. */
void __real_sqlite3_progress_handler( // NOLINT(bugprone-reserved-identifier)
    sqlite3 *handle, int most, int (*handler)(void *), void *data);
void __wrap_sqlite3_progress_handler( // NOLINT(bugprone-reserved-identifier)
    sqlite3 *handle, int most, int (*handler)(void *), void *data);
void __wrap_sqlite3_progress_handler( // NOLINT(bugprone-reserved-identifier)
    sqlite3 *handle, int most, int (*handler)(void *), void *data)
{
    if (steps == NULL) {
        __real_sqlite3_progress_handler(handle, most, handler, data);
    }
}

static int watch_connection(sqlite3 *handle, const char **message, const void *api)
{
    (void)message;
    (void)api;
    __real_sqlite3_progress_handler(handle, 1, die_in_the_middle, NULL);
    return SQLITE_OK;
}

/* Sweep in a process that is killed after @p most steps. @return was it? To be called before this
 * process has threads: a child has none of them, but believes so. */
static bool sweep_and_die(const char *path, int most)
{
    *steps = 0;
    most_steps = most;
    const pid_t child = fork();
    if (child == 0) {
        (void)sqlite3_auto_extension((void (*)(void))watch_connection);
        _exit(sweep(STUDY, path, 1, NULL) ? 0 : 1);
    }
    int status = 0;
    CHECK_I64(waitpid(child, &status, 0), child);
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    CHECK(killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0), "status %d", status);
    return killed;
}

static char *uninterrupted(void)
{
    g_auto(scratch) s = scratch_new();
    CHECK(!sweep_and_die(s.path, INT_MAX));
    return dump_of(s.path);
}

static void a_sweep_killed_at_any_moment_ends_with_the_same_content(void)
{
    enum { SEED = 20101113, ROUNDS = 8 };
    steps = mmap(NULL, sizeof *steps, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    g_autofree char *want = uninterrupted();
    const int all = *steps;
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
    unsigned kills = 0;
    for (int round = 0; round < ROUNDS; round++) {
        g_auto(scratch) s = scratch_new();
        while (sweep_and_die(s.path, g_rand_int_range(random, 1, all))) {
            kills++;
        }
        g_autofree char *got = dump_of(s.path);
        CHECK_STR(got, want);
    }
    CHECK(kills > ROUNDS, "%u kills of %d steps, seed %d", kills, all, SEED);
    (void)munmap(steps, sizeof *steps);
    steps = NULL;
}

typedef struct sharer {
    const char *path;
    size_t num_run;
    bool ok;
} sharer;

static gpointer share(gpointer data)
{
    sharer *s = data;
    s->ok = sweep_and_count(STUDY, s->path, 1, &s->num_run, NULL);
    return NULL;
}

static void sweeps_on_one_database_share_the_points(void)
{
    enum { SHARERS = 3 };
    g_auto(scratch) alone = scratch_new();
    g_auto(scratch) s = scratch_new();
    CHECK(sweep(STUDY, alone.path, 1, NULL));
    g_autofree char *want = dump_of(alone.path);
    sharer sharers[SHARERS];
    GThread *threads[SHARERS];
    size_t num_run = 0;
    for (int i = 0; i < SHARERS; i++) {
        sharers[i] = (sharer){.path = s.path};
        threads[i] = g_thread_new("sharer", share, &sharers[i]);
    }
    for (int i = 0; i < SHARERS; i++) {
        (void)g_thread_join(threads[i]);
        CHECK(sharers[i].ok);
        num_run += sharers[i].num_run;
    }
    CHECK_I64((int64_t)num_run, NUM_POINTS); /* each once */
    g_autofree char *got = dump_of(s.path);
    CHECK_STR(got, want);
}

static void results_do_not_depend_on_threads(void)
{
    g_autofree char *first = NULL;
    for (unsigned threads = 1; threads <= 3; threads++) {
        g_auto(scratch) s = scratch_new();
        CHECK(sweep(STUDY, s.path, threads, NULL));
        g_autofree char *dump = dump_of(s.path);
        first = first == NULL ? g_strdup(dump) : first;
        CHECK_STR(dump, first);
    }
}

static void what_is_done_is_not_done_again(void)
{
    g_auto(scratch) s = scratch_new();
    CHECK(sweep(STUDY, s.path, 1, NULL));
    /* A result that no simulation would give is kept, one that is missing comes back. */
    change(s.path, "UPDATE results SET median_ps = 7 WHERE point = 3;"
                   "DELETE FROM results WHERE point = 4; DELETE FROM makespans WHERE point = 4");
    CHECK(sweep(STUDY, s.path, 1, NULL));
    CHECK_I64(number_of(s.path, "SELECT median_ps FROM results WHERE point = 3"), 7);
    CHECK_I64(number_of(s.path, "SELECT count(*) FROM results"), NUM_POINTS);
    CHECK_I64(number_of(s.path, "SELECT count(*) FROM makespans WHERE point = 4"), 3);
}

static void the_content_is_what_simulate_computes(void)
{
    g_auto(scratch) s = scratch_new();
    CHECK(sweep(STUDY, s.path, 1, NULL));
    /* Points by hand: 5 x L, 2 x ranks, 2 x cosched, the last one fastest. */
    CHECK_I64(number_of(s.path, "SELECT count(*) FROM points"), NUM_POINTS);
    CHECK_I64(number_of(s.path, "SELECT L_ps FROM points WHERE point = 19"), 10 * SIM_US);
    CHECK_I64(number_of(s.path, "SELECT L_ps FROM points WHERE point = 4"), 3250 * SIM_NS);
    CHECK_I64(number_of(s.path, "SELECT ranks FROM points WHERE point = 2"), 8);
    CHECK_I64(number_of(s.path, "SELECT count(*) FROM points WHERE cosched = 'yes'"), 10);
    CHECK_I64(number_of(s.path, "SELECT count(*) FROM points WHERE sigma_ps = 0"), 10);
    CHECK_I64(number_of(s.path, "SELECT count(*) FROM points WHERE seed = 9"), NUM_POINTS);
    /* A barrier of 4 ranks is two rounds of 2 o + L; XT-4: o = 1.75 us. */
    CHECK_I64(number_of(s.path, "SELECT ideal_ps FROM results WHERE point = 0"), 9 * SIM_US);
    CHECK_I64(number_of(s.path, "SELECT count(*) FROM results JOIN makespans USING (point)"),
              3 * NUM_POINTS);
    CHECK_I64(number_of(s.path, "SELECT count(*) FROM done WHERE median_ps <> (SELECT makespan_ps "
                                "FROM makespans m WHERE m.point = done.point ORDER BY 1 LIMIT 1 "
                                "OFFSET 1)"),
              0);
}

static void a_table_reads_back_what_was_written(void)
{
    g_auto(scratch) s = scratch_new();
    CHECK(sweep(STUDY, s.path, 1, NULL));
    change(s.path, "DELETE FROM results WHERE point = 5");
    g_autoptr(GError) error = NULL;
    g_autoptr(app_sweep_database) database = app_sweep_database_read(s.path, &error);
    g_autoptr(app_sweep_table) table =
        database != NULL ? app_sweep_table_read(database, &error) : NULL;
    CHECK(table != NULL, "%s", error != NULL ? error->message : "");
    if (table == NULL) {
        return;
    }
    CHECK_I64((int64_t)table->num_points, NUM_POINTS);
    CHECK(table->varied[APP_PARAMETER_L] && table->varied[APP_PARAMETER_RANKS] &&
          table->varied[APP_PARAMETER_COSCHED] && !table->varied[APP_PARAMETER_SIGMA]);
    for (size_t i = 0; i < table->num_points; i++) {
        const app_sweep_point *p = &table->points[i];
        CHECK_I64(p->done, i != 5);
        CHECK_I64(p->values[APP_PARAMETER_RANKS].number, i / 2 % 2 == 0 ? 4 : 8);
        CHECK_I64(p->values[APP_PARAMETER_G].number, 580000000); /* XT-4: 0.58 ns/B */
        CHECK_STR(p->values[APP_PARAMETER_COSCHED].text, i % 2 == 0 ? "no" : "yes");
        if (p->done) {
            CHECK_I64(p->result.series.num_runs, 3);
            CHECK_I64(p->result.series.mode, i % 2 == 0 ? APP_UNSYNCHRONIZED : APP_COSCHEDULED);
        }
    }
}

static void another_study_another_version_and_other_files_are_refused(void)
{
    g_auto(scratch) s = scratch_new();
    CHECK(sweep(STUDY, s.path, 1, NULL));
    g_autofree char *before = dump_of(s.path);
    static const char *const OTHERS[][3] = {
        {"seed = 9", "seed = 8", "in its point 0, seed is 9, not 8"},
        {"4,8", "4,16", "ranks is 8, not 16"},
        {"4,8", "4,8,16", "it has 20 points, this one 30"},
        {"barrier", "allreduce", "program is collective:barrier, not collective:allreduce"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(OTHERS); i++) {
        g_auto(GStrv) parts = g_strsplit(STUDY, OTHERS[i][0], 2);
        g_autofree char *study = g_strjoinv(OTHERS[i][1], parts);
        g_autoptr(GError) error = NULL;
        CHECK(!sweep(study, s.path, 1, &error));
        CHECK_ERROR(error, OTHERS[i][2]);
    }
    g_autofree char *after = dump_of(s.path);
    CHECK_STR(after, before);

    static const char *const CHANGES[][2] = {
        {"UPDATE meta SET value = '0.0.1' WHERE name = 'ripple_version'", "made by ripple 0.0.1"},
        {"PRAGMA user_version = 2", "its tables have version 2"},
        {"PRAGMA application_id = 5", "not one of a sweep"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CHANGES); i++) {
        change(s.path, CHANGES[i][0]);
        g_autoptr(GError) error = NULL;
        CHECK(!sweep(STUDY, s.path, 1, &error));
        CHECK_ERROR(error, CHANGES[i][1]);
    }
    CHECK(g_file_set_contents(s.path,
                              "a file of text, longer than a header of SQLite's, which has "
                              "one hundred bytes; this is enough of them\n",
                              -1, NULL));
    g_autoptr(GError) error = NULL;
    CHECK(!sweep(STUDY, s.path, 1, &error));
    CHECK_ERROR(error, "not a database of a sweep");
}

static void a_study_that_is_wrong_leaves_no_file(void)
{
    static const char *const BAD[][2] = {
        {"program = no-such-file\n", "there is no such file"},
        {"program = collective:barrier\nsigma = 1us\n", "sigma: has no effect"},
        {"program = collective:barrier\nranks = 4294967294\n", "of memory"},
        {"program = collective:barrier\ncompute = wall\n", "no effect on a collective"},
        {"replicas = 3\n", "no program"},
        {"program = collective:barrier\nreplicas = 3\n", "replicas: has no effect without noise"},
        {"program = no-such-file\nbytes = 8\n", "bytes has an effect on collectives only"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(BAD); i++) {
        g_auto(scratch) s = scratch_new();
        g_autofree char *study =
            g_strdup_printf("[study]\nschema_version = 1\n[parameters]\n%s", BAD[i][0]);
        g_autoptr(GError) error = NULL;
        CHECK(!sweep(study, s.path, 1, &error));
        CHECK_ERROR(error, BAD[i][1]);
        CHECK(is_empty(&s), "%s", BAD[i][0]);
    }
}

static void a_file_that_was_read_must_not_have_changed(void)
{
    g_auto(scratch) s = scratch_new();
    g_autofree char *goal = g_build_filename(s.folder, "p.goal", NULL);
    g_autofree char *study = g_strdup_printf("[study]\nschema_version = 1\n[parameters]\n"
                                             "program = %s\n[sweep]\nL = 1us,2us\n",
                                             goal);
    CHECK(g_file_set_contents(goal, "num_ranks 1\nrank 0 {\nl1: calc 100\n}\n", -1, NULL));
    g_autoptr(GError) error = NULL;
    CHECK(sweep(study, s.path, 1, &error), "%s", error != NULL ? error->message : "");
    CHECK(g_file_set_contents(goal, "num_ranks 1\nrank 0 {\nl1: calc 101\n}\n", -1, NULL));
    CHECK(!sweep(study, s.path, 1, &error));
    CHECK_ERROR(error, "p.goal has changed since");
}

static void a_disk_that_is_too_small_is_refused(void)
{
    g_auto(scratch) s = scratch_new();
    g_autoptr(GError) error = NULL;
    CHECK(app_sweep_estimate_check_disk(s.path, 1, &error));
    CHECK(!app_sweep_estimate_check_disk(s.path, 1e24, &error));
    CHECK_ERROR(error, "results.db: the results will take about");
    /* The estimate is not below what a sweep writes, nor far above: 2,000 replicas of 2 points. */
    CHECK(sweep("[study]\nschema_version = 1\n[parameters]\nprogram = collective:barrier\n"
                "ranks = 4\nnoise = altix\nreplicas = 2000\n[sweep]\nL = 1us,2us\n",
                s.path, 1, NULL));
    const int64_t bytes =
        number_of(s.path, "SELECT sum(pgsize) FROM dbstat WHERE name IN "
                          "('makespans', 'results', 'points', 'components', 'conditions')");
    const double about = app_sweep_estimate_disk(2, 4002);
    CHECK(bytes < 0 || (about > (double)bytes * 0.8 && about < (double)bytes * 2),
          "%.0f, is %" G_GINT64_FORMAT, about, bytes);
}

SUITE_MAIN("sweep database", TEST(a_sweep_killed_at_any_moment_ends_with_the_same_content),

           TEST(sweeps_on_one_database_share_the_points), TEST(results_do_not_depend_on_threads),
           TEST(what_is_done_is_not_done_again), TEST(the_content_is_what_simulate_computes),
           TEST(a_table_reads_back_what_was_written),
           TEST(another_study_another_version_and_other_files_are_refused),
           TEST(a_study_that_is_wrong_leaves_no_file),
           TEST(a_file_that_was_read_must_not_have_changed),
           TEST(a_disk_that_is_too_small_is_refused))
