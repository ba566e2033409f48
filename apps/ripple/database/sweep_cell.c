/* apps/ripple/database/sweep_cell.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "database/sweep_cell.h"

#include "output/error.h"

#include <string.h>

/* As it is shown in errors, shortened. Owned by the caller. */
static char *shown(const app_cells *c, int column)
{
    enum { MOST = 40 };
    switch (sqlite3_column_type(c->row, column)) {
    case SQLITE_NULL:
        return g_strdup("NULL");
    case SQLITE_BLOB:
        return g_strdup("a blob");
    case SQLITE_TEXT: {
        const char *text = (const char *)sqlite3_column_text(c->row, column);
        g_autofree char *valid = g_utf8_make_valid(text != NULL ? text : "", -1);
        g_autofree char *start = g_utf8_substring(valid, 0, MIN(g_utf8_strlen(valid, -1), MOST));
        return g_strdup_printf("'%s'", start);
    }
    default:
        return g_strdup((const char *)sqlite3_column_text(c->row, column));
    }
}

void app_cell_refuse(app_cells *c, int column, const char *why)
{
    if (c->bad) {
        return;
    }
    c->bad = true;
    g_autofree char *value = shown(c, column);
    g_autoptr(GString) place = g_string_new(NULL);
    for (int i = 0; i < c->num_keys; i++) {
        g_autofree char *key = shown(c, i);
        g_string_append_printf(place, ", %s %s", sqlite3_column_name(c->row, i), key);
    }
    g_set_error(c->error, APP_ERROR, APP_ERROR_INPUT, "%s: table %s%s: %s is %s; %s", c->sql->path,
                c->table, place->str, sqlite3_column_name(c->row, column), value, why);
}

bool app_cell_is_null(const app_cells *c, int column)
{
    return sqlite3_column_type(c->row, column) == SQLITE_NULL;
}

int64_t app_cell_integer(app_cells *c, int column, int64_t least, int64_t most)
{
    const int64_t value = sqlite3_column_int64(c->row, column);
    if (sqlite3_column_type(c->row, column) != SQLITE_INTEGER) {
        app_cell_refuse(c, column, "it must be a whole number");
    } else if (value < least || value > most) {
        g_autofree char *why =
            g_strdup_printf("it must be at %s %" G_GINT64_FORMAT, value < least ? "least" : "most",
                            value < least ? least : most);
        app_cell_refuse(c, column, why);
    }
    return c->bad ? least : value;
}

double app_cell_real(app_cells *c, int column, double least, double most)
{
    const int type = sqlite3_column_type(c->row, column);
    const double value = sqlite3_column_double(c->row, column);
    if (type != SQLITE_FLOAT && type != SQLITE_INTEGER) {
        app_cell_refuse(c, column, "it must be a number");
    } else if (value < least || value > most) {
        g_autofree char *why = g_strdup_printf(
            "it must be at %s %g", value < least ? "least" : "most", value < least ? least : most);
        app_cell_refuse(c, column, why);
    }
    return c->bad ? least : value;
}

const char *app_cell_text(app_cells *c, int column)
{
    if (sqlite3_column_type(c->row, column) != SQLITE_TEXT) {
        app_cell_refuse(c, column, "it must be text");
    }
    return c->bad ? NULL : (const char *)sqlite3_column_text(c->row, column);
}

int app_cell_choice(app_cells *c, int column, const char *const *words)
{
    const char *text = app_cell_text(c, column);
    for (int i = 0; text != NULL && words[i] != NULL; i++) {
        if (strcmp(text, words[i]) == 0) {
            return i;
        }
    }
    g_autoptr(GString) why = g_string_new("it must be one of");
    for (int i = 0; words[i] != NULL; i++) {
        g_string_append_printf(why, "%s %s", i > 0 ? "," : "", words[i]);
    }
    app_cell_refuse(c, column, why->str);
    return 0;
}
