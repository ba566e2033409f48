/* bench/paper/table.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "table.h"

#include <math.h>
#include <string.h>

typedef struct row {
    char *id;
    char *what;
    char *ours;
    char *paper;
    char *accepted;       /* "11.5 .. 14.5" */
    sc10_verdict verdict; /* of a check */
    bool is_check;
} row;

struct sc10_table {
    GArray *rows;
    FILE *progress;
};

enum { ID = 4, WHAT = 66, OURS = 29, PAPER = 17, ACCEPTED = 18 };

static const char *verdict_text(const row *r)
{
    return r->is_check ? SC10_VERDICTS[r->verdict] : "-";
}

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
                       const char *paper, const char *accepted, const char *verdict)
{
    fprintf(out, "%-*s %-*s %*s %*s %*s  %s\n", ID, id, WHAT, what, OURS, ours, PAPER, paper,
            ACCEPTED, accepted, verdict);
}

static void print_row(const row *r, FILE *out)
{
    print_line(out, r->id, r->what, r->ours, r->paper, r->accepted, verdict_text(r));
}

/* Takes over what it holds. */
static void add(sc10_table *table, row r)
{
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
    char *value = format(ours.value, unit);
    if (ours.low < ours.high) {
        g_autofree char *alone = value;
        g_autofree char *least = format(ours.low, "");
        g_autofree char *most = format(ours.high, "");
        value = g_strdup_printf("%s (%s .. %s)", alone, least, most);
    }
    const row r = {.id = g_strdup(id),
                   .what = g_strdup(what),
                   .ours = value,
                   .paper = g_strdup(paper),
                   .accepted = g_strdup_printf("%s .. %s", from, to),
                   .verdict = sc10_verdict_of(ours, low, high),
                   .is_check = true};
    add(table, r);
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
    const row r = {.id = g_strdup(id),
                   .what = g_strdup(what),
                   .ours = g_strdup_vprintf(ours, args),
                   .paper = g_strdup(paper),
                   .accepted = g_strdup("holds"),
                   .verdict = holds ? SC10_INSIDE : SC10_OUTSIDE,
                   .is_check = true};
    add(table, r);
    va_end(args);
}

void sc10_note(sc10_table *table, const char *id, const char *what, const char *paper,
               const char *ours, ...)
{
    va_list args;
    va_start(args, ours);
    const row r = {.id = g_strdup(id),
                   .what = g_strdup(what),
                   .ours = g_strdup_vprintf(ours, args),
                   .paper = g_strdup(paper),
                   .accepted = g_strdup("")};
    add(table, r);
    va_end(args);
}

void sc10_table_print(const sc10_table *table, FILE *out)
{
    print_line(out, "", "", "ours", "paper", "accepted", "verdict");
    for (guint i = 0; i < table->rows->len; i++) {
        print_row(&g_array_index(table->rows, row, i), out);
    }
}

void sc10_table_print_csv(const sc10_table *table, FILE *out)
{
    fputs("experiment,what,ours,paper,accepted,verdict\n", out);
    for (guint i = 0; i < table->rows->len; i++) {
        const row *r = &g_array_index(table->rows, row, i);
        fprintf(out, "%s,\"%s\",\"%s\",\"%s\",\"%s\",%s\n", r->id, r->what, r->ours, r->paper,
                r->accepted, verdict_text(r));
    }
}

bool sc10_table_has(const sc10_table *table, const char *id)
{
    bool has = false;
    for (guint i = 0; i < table->rows->len; i++) {
        has = has || strcmp(g_array_index(table->rows, row, i).id, id) == 0;
    }
    return has;
}

void sc10_table_add(const sc10_table *table, const char *id, app_page *page)
{
    static const char *const COLUMNS[] = {"verdict", "what", "ours", "paper", "accepted", NULL};
    app_page_table_begin(page, COLUMNS);
    for (guint i = 0; i < table->rows->len; i++) {
        const row *r = &g_array_index(table->rows, row, i);
        const char *const cells[] = {verdict_text(r), r->what,     r->ours,
                                     r->paper,        r->accepted, NULL};
        if (strcmp(r->id, id) == 0) {
            app_page_table_row(page, cells);
        }
    }
    app_page_table_end(page);
}

void sc10_table_count(const sc10_table *table, unsigned counts[SC10_NUM_VERDICTS])
{
    memset(counts, 0, SC10_NUM_VERDICTS * sizeof *counts);
    for (guint i = 0; i < table->rows->len; i++) {
        const row *r = &g_array_index(table->rows, row, i);
        counts[r->verdict] += r->is_check;
    }
}

char *sc10_table_sum_up(const sc10_table *table)
{
    unsigned counts[SC10_NUM_VERDICTS];
    sc10_table_count(table, counts);
    unsigned n = 0;
    g_autoptr(GString) each = g_string_new(NULL);
    for (size_t v = 0; v < SC10_NUM_VERDICTS; v++) {
        n += counts[v];
        g_string_append_printf(each, "%s %u %s", v == 0 ? ":" : ",", counts[v], SC10_VERDICTS[v]);
    }
    return g_strdup_printf("%u checks%s", n, each->str);
}
