/* tests/apps/sweep_scratch.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_scratch.h"

#include "check.h"
#include "folder.h"
#include "study/sweep_file.h"
#include "sweep/sweep_run.h"

#include <sqlite3.h>
#include <string.h>

app_sweep_study *parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    app_sweep_study *study = app_sweep_file_parse("study", text, strlen(text), &error);
    CHECK(study != NULL, "%s", error != NULL ? error->message : "");
    return study;
}

/* The whole sweep into @p path, as the verb does it. */
bool sweep_and_count(const char *text, const char *path, unsigned threads, size_t *num_run,
                     GError **error)
{
    g_autoptr(app_sweep_study) study = parse(text);
    g_autoptr(app_sweep_maker) maker = app_sweep_maker_new();
    g_autoptr(app_sweep_database) database = app_sweep_database_open(path, error);
    g_autoptr(app_sweep_plan) plan =
        database != NULL ? app_sweep_plan_new(study, maker, database, error) : NULL;
    if (plan == NULL) {
        return false;
    }
    g_autofree bool *left = g_new0(bool, plan->num_points);
    const app_sweep_run_options options = {
        .threads = threads, .verb = "test", .quiet = true, .num_run = num_run};
    return app_sweep_left(plan, database, left, error) >= 0 &&
           app_sweep_run(plan, maker, database, left, &options, error);
}

bool sweep(const char *text, const char *path, unsigned threads, GError **error)
{
    return sweep_and_count(text, path, threads, NULL, error);
}

int64_t number_of(const char *path, const char *command)
{
    sqlite3 *handle = NULL;
    sqlite3_stmt *statement = NULL;
    int64_t number = -1;
    if (sqlite3_open(path, &handle) == SQLITE_OK &&
        sqlite3_prepare_v2(handle, command, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        number = sqlite3_column_int64(statement, 0);
    }
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(handle);
    return number;
}

void change(const char *path, const char *command)
{
    sqlite3 *handle = NULL;
    CHECK_I64(sqlite3_open(path, &handle), SQLITE_OK);
    CHECK_I64(sqlite3_exec(handle, command, NULL, NULL, NULL), SQLITE_OK, "%s", command);
    (void)sqlite3_close(handle);
}

scratch scratch_new(void)
{
    scratch s = {.folder = g_dir_make_tmp("ripple-sweep-XXXXXX", NULL)};
    s.path = g_build_filename(s.folder, "results.db", NULL);
    return s;
}

void scratch_clear(scratch *s)
{
    folder_remove(s->folder);
    g_free(s->folder);
    g_free(s->path);
}
