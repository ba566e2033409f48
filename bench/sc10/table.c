/* bench/sc10/table.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "table.h"

#include <math.h>
#include <string.h>

typedef enum { WITHIN, OUTSIDE, NOTE } row_verdict;

typedef struct row {
    char *id;
    char *what;
    char *ours;
    char *paper;
    char *accepted; /* "11.5 .. 14.5" */
    row_verdict verdict;
} row;

struct sc10_table {
    GArray *rows;
    FILE *progress;
};

static const char *const VERDICTS[] = {"yes", "NO", "-"};
enum { ID = 4, WHAT = 66, OURS = 25, PAPER = 17, ACCEPTED = 18 };

static void row_clear(gpointer data)
{
    row *r = data;
    g_free(r->id);
    g_free(r->what);
    g_free(r->ours);
    g_free(r->paper);
    g_free(r->accepted);
}

sc10_table *sc10_table_new(FILE *progress)
{
    sc10_table *table = g_new(sc10_table, 1);
    table->rows = g_array_new(FALSE, TRUE, sizeof(row));
    g_array_set_clear_func(table->rows, row_clear);
    table->progress = progress;
    return table;
}

void sc10_table_free(sc10_table *table)
{
    if (table != NULL) {
        g_array_unref(table->rows);
        g_free(table);
    }
}

static void print_line(FILE *out, const char *id, const char *what, const char *ours,
                       const char *paper, const char *accepted, const char *within)
{
    fprintf(out, "%-*s %-*s %*s %*s %*s  %s\n", ID, id, WHAT, what, OURS, ours, PAPER, paper,
            ACCEPTED, accepted, within);
}

static void print_row(const row *r, FILE *out)
{
    print_line(out, r->id, r->what, r->ours, r->paper, r->accepted, VERDICTS[r->verdict]);
}

/* Takes @p ours and @p accepted over. */
static void add(sc10_table *table, const char *id, const char *what, const char *paper, char *ours,
                char *accepted, row_verdict verdict)
{
    const row r = {g_strdup(id), g_strdup(what), ours, g_strdup(paper), accepted, verdict};
    g_array_append_val(table->rows, r);
    if (table->progress != NULL) {
        print_row(&r, table->progress);
        fflush(table->progress);
    }
}

/* Four digits, as papers give them. */
static char *format(double value, const char *unit)
{
    if (!isfinite(value)) {
        return g_strdup(value > 0 ? "" : "?");
    }
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(buffer, sizeof buffer, fabs(value) < 1000 ? "%.4g" : "%.0f", value);
    return *unit != '\0' ? g_strdup_printf("%s %s", buffer, unit) : g_strdup(buffer);
}

void sc10_check_estimate(sc10_table *table, const char *id, const char *what, const char *paper,
                         sc10_estimate ours, double low, double high, const char *unit)
{
    g_autofree char *from = isfinite(low) ? format(low, "") : g_strdup("");
    g_autofree char *to = format(high, "");
    const bool within = isfinite(ours.value) && ours.high >= low && ours.low <= high;
    char *value = format(ours.value, unit);
    if (ours.low < ours.high) {
        g_autofree char *alone = value;
        g_autofree char *least = format(ours.low, "");
        g_autofree char *most = format(ours.high, "");
        value = g_strdup_printf("%s (%s .. %s)", alone, least, most);
    }
    add(table, id, what, paper, value, g_strdup_printf("%s .. %s", from, to),
        within ? WITHIN : OUTSIDE);
}

void sc10_check_between(sc10_table *table, const char *id, const char *what, const char *paper,
                        double ours, double low, double high, const char *unit)
{
    sc10_check_estimate(table, id, what, paper, sc10_exactly(ours), low, high, unit);
}

void sc10_check_that(sc10_table *table, const char *id, const char *what, const char *paper,
                     bool holds, const char *ours, ...)
{
    va_list args;
    va_start(args, ours);
    add(table, id, what, paper, g_strdup_vprintf(ours, args), g_strdup("holds"),
        holds ? WITHIN : OUTSIDE);
    va_end(args);
}

void sc10_note(sc10_table *table, const char *id, const char *what, const char *paper,
               const char *ours, ...)
{
    va_list args;
    va_start(args, ours);
    add(table, id, what, paper, g_strdup_vprintf(ours, args), g_strdup(""), NOTE);
    va_end(args);
}

void sc10_table_print(const sc10_table *table, FILE *out)
{
    print_line(out, "", "", "ours", "paper", "accepted", "within");
    for (guint i = 0; i < table->rows->len; i++) {
        print_row(&g_array_index(table->rows, row, i), out);
    }
}

void sc10_table_print_csv(const sc10_table *table, FILE *out)
{
    fputs("experiment,what,ours,paper,accepted,within\n", out);
    for (guint i = 0; i < table->rows->len; i++) {
        const row *r = &g_array_index(table->rows, row, i);
        fprintf(out, "%s,\"%s\",\"%s\",\"%s\",\"%s\",%s\n", r->id, r->what, r->ours, r->paper,
                r->accepted, VERDICTS[r->verdict]);
    }
}

unsigned sc10_table_failed(const sc10_table *table, unsigned *n)
{
    unsigned failed = 0;
    *n = 0;
    for (guint i = 0; i < table->rows->len; i++) {
        const row_verdict v = g_array_index(table->rows, row, i).verdict;
        failed += v == OUTSIDE;
        *n += v != NOTE;
    }
    return failed;
}
