/* apps/ripple/knockout/knockout_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_knockout. */
#include "knockout/knockout_print.h"

#include "findings/result_text.h"
#include "knockout/knockout_findings.h"
#include "output/number_text.h"
#include "output/output.h"
#include "output/sentences.h"
#include "sim/json_member.h"

#include <math.h>

const char *const app_knockout_head[] = {"rank", "gain",      "95 % interval", "without",
                                         "met",  "component", "remarks",       NULL};
const char *const app_knockout_pair_head[] = {"gain", "the sum", "more", "95 % interval",
                                              "pair", "remarks", NULL};

/* Which of a column's widths is negative: aligned to the left; 0: as long as its longest cell. */
static const int WIDTHS[] = {5, 10, 26, 9, 9, 0, 0};
static const int PAIR_WIDTHS[] = {10, 10, 11, 26, 0, 0};

void app_knockout_cells(const app_knockout *k, const app_knockout_gain *g, char **cells)
{
    cells[0] = app_knockout_rank_text(g);
    cells[1] = app_format_percent(g->gain.mean);
    cells[2] = app_knockout_interval(&g->gain);
    cells[3] = app_format_percent(g->without.mean);
    cells[4] = isinf(g->met) ? g_strdup("-") : app_format_met(g->met);
    cells[5] = app_knockout_name(k, g);
    cells[6] = g_strdup(app_knockout_remark(g));
    cells[7] = NULL;
}

static double sum_of(const app_knockout_gain *pair)
{
    return pair->gain.mean - pair->more.mean;
}

void app_knockout_pair_cells(const app_knockout *k, const app_knockout_gain *g, char **cells)
{
    cells[0] = app_format_percent(g->gain.mean);
    cells[1] = app_format_percent(sum_of(g));
    cells[2] = app_format_percent(g->more.mean);
    cells[3] = app_knockout_interval(&g->more);
    cells[4] = app_knockout_name(k, g);
    cells[5] = g_strdup(g->few_met                           ? "few met"
                        : g->more.level == 0                 ? "no interval"
                        : !app_knockout_told_apart(&g->more) ? "not told apart from the sum"
                                                             : "");
    cells[6] = NULL;
}

char *app_knockout_table_title(const app_knockout_table *t)
{
    g_autofree char *ranks = app_format_ranks(t->all->ranks);
    g_autofree char *slowdown = app_format_percent(t->slowdown.mean);
    g_autofree char *interval = app_knockout_interval(&t->slowdown);
    g_autofree char *passes =
        t->all->passes > 1 ? g_strdup_printf(" of %u passes", t->all->passes) : g_strdup("");
    const char *mode = app_mode_name(t->all->mode);
    return t->all->num_runs == 1
               ? g_strdup_printf("%s at %s: slowdown with all %s, one replica%s", mode, ranks,
                                 slowdown, passes)
               : g_strdup_printf("%s at %s: slowdown with all %s (%s), %u replicas%s", mode, ranks,
                                 slowdown, interval, t->all->num_runs, passes);
}

static void print_row(const char *const *cells, const int *widths, const int *longest, FILE *out)
{
    g_autoptr(GString) line = g_string_new(NULL);
    for (size_t i = 0; cells[i] != NULL; i++) {
        g_string_append_printf(line, "%s%*s", i > 0 ? " " : "",
                               widths[i] != 0 ? widths[i] : -longest[i] - 1, cells[i]);
    }
    fprintf(out, "%s\n", g_strchomp(line->str));
}

/* @param rows of char **, each NULL-terminated */
static void print_rows(const char *const *head, const int *widths, const GPtrArray *rows, FILE *out)
{
    int longest[APP_KNOCKOUT_COLUMNS] = {0};
    for (guint r = 0; r < rows->len; r++) {
        char **cells = rows->pdata[r];
        for (size_t i = 0; cells[i] != NULL; i++) {
            longest[i] = MAX(longest[i], (int)g_utf8_strlen(cells[i], -1));
        }
    }
    print_row(head, widths, longest, out);
    for (guint r = 0; r < rows->len; r++) {
        print_row((const char *const *)rows->pdata[r], widths, longest, out);
    }
}

/* Of those that have no row in the text. */
enum { MOST_NAMES = 4 };

static void free_row(gpointer row)
{
    g_strfreev(row);
}

/* Those that have no row. */
static void print_others(const app_knockout *k, const app_knockout_gain *gains, size_t n,
                         bool (*has_row)(const app_knockout_gain *), const char *what, FILE *out)
{
    g_autoptr(GString) names = g_string_new(NULL);
    size_t others = 0;
    for (size_t i = 0; i < n; i++) {
        if (has_row(&gains[i])) {
            continue;
        }
        g_autofree char *name = app_knockout_name(k, &gains[i]);
        if (others++ < MOST_NAMES) {
            g_string_append_printf(names, "%s%s", names->len > 0 ? "; " : "", name);
        }
    }
    if (others > 0) {
        g_autofree char *line =
            g_strdup_printf("%zu %s: %s%s", others, what, names->str,
                            others > MOST_NAMES ? "; ... (--format=csv has all)" : "");
        app_sentence_print(line, out);
    }
}

static bool has_row(const app_knockout_gain *g)
{
    return g->few_met || g->gain.level == 0 || app_knockout_told_apart(&g->gain);
}

static bool pair_has_row(const app_knockout_gain *g)
{
    return !g->few_met && (g->more.level == 0 || app_knockout_told_apart(&g->more));
}

static void print_pairs(const app_knockout *k, const app_knockout_table *t, FILE *out)
{
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(free_row);
    for (size_t i = 0; i < t->num_pairs; i++) {
        if (pair_has_row(&t->pairs[i])) {
            char **cells = g_new0(char *, APP_KNOCKOUT_PAIR_COLUMNS + 1);
            app_knockout_pair_cells(k, &t->pairs[i], cells);
            g_ptr_array_add(rows, cells);
        }
    }
    fputs("\nof two together\n", out);
    if (rows->len > 0) {
        print_rows(app_knockout_pair_head, PAIR_WIDTHS, rows, out);
    }
    print_others(k, t->pairs, t->num_pairs, pair_has_row,
                 t->num_pairs == 1 ? "pair is not told apart from the sum, or too few were met"
                                   : "pairs are not told apart from the sum, or too few were met",
                 out);
}

static void print_table(const app_knockout *k, const app_knockout_table *t, FILE *out)
{
    g_autofree char *title = app_knockout_table_title(t);
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(free_row);
    size_t others = 0;
    for (size_t i = 0; i < t->num_gains; i++) {
        if (has_row(&t->gains[i])) {
            char **cells = g_new0(char *, APP_KNOCKOUT_COLUMNS + 1);
            app_knockout_cells(k, &t->gains[i], cells);
            g_ptr_array_add(rows, cells);
        } else {
            others++;
        }
    }
    fprintf(out, "\n%s\n", title);
    if (rows->len > 0) {
        print_rows(app_knockout_head, WIDTHS, rows, out);
    }
    print_others(k, t->gains, t->num_gains, has_row,
                 others == 1 ? "component is not told apart from 0"
                             : "components are not told apart from 0",
                 out);
    if (t->num_pairs > 0) {
        print_pairs(k, t, out);
    }
}

void app_knockout_print(const app_knockout *k, FILE *out)
{
    fputs("\nwhat to switch off first", out);
    for (size_t i = 0; i < k->num_tables; i++) {
        print_table(k, &k->tables[i], out);
    }
    g_auto(GStrv) conditions = app_knockout_conditions(k);
    g_auto(GStrv) conclusions = app_knockout_conclusions(k);
    fputc('\n', out);
    for (char **line = conditions; *line != NULL; line++) {
        app_sentence_print(*line, out);
    }
    fputs(conclusions[0] != NULL ? "\n" : "", out);
    for (char **line = conclusions; *line != NULL; line++) {
        app_sentence_print(*line, out);
    }
}

static void print_csv_row(const app_knockout *k, const app_knockout_table *t,
                          const app_knockout_gain *g, FILE *out)
{
    fprintf(out, "%u,%s,%s,%u,%u,%.9g,", t->all->ranks, app_mode_name(t->all->mode),
            app_quantity_name(t->all->quantity), t->all->passes, t->all->num_runs,
            t->slowdown.mean);
    app_output_csv_text(out, k->parts[g->component].name);
    fputc(',', out);
    app_output_csv_text(out, g->other != SIZE_MAX ? k->parts[g->other].name : "");
    fprintf(out, ",%.9g,%.9g,%.9g,%.9g,%g,", g->without.mean, g->gain.mean, g->gain.low,
            g->gain.high, g->gain.level);
    if (g->worst > 0) {
        fprintf(out, "%u,%u,", g->best, g->worst);
    } else {
        fputs(",,", out);
    }
    if (g->other == SIZE_MAX && !isinf(g->met)) {
        fprintf(out, "%.6g", g->met);
    }
    if (g->other != SIZE_MAX) {
        fprintf(out, ",%.9g,%.9g,%.9g,", g->more.mean, g->more.low, g->more.high);
    } else {
        fputs(",,,,", out);
    }
    app_output_csv_text(out, app_knockout_remark(g));
    fputc('\n', out);
}

void app_knockout_print_csv(const app_knockout *k, FILE *out)
{
    fputs("ranks,noise,quantity,passes,replicas,slowdown,component,other,without,gain,gain_low,"
          "gain_high,level,rank_best,rank_worst,met,more,more_low,more_high,remarks\n",
          out);
    for (size_t i = 0; i < k->num_tables; i++) {
        const app_knockout_table *t = &k->tables[i];
        for (size_t j = 0; j < t->num_gains; j++) {
            print_csv_row(k, t, &t->gains[j], out);
        }
        for (size_t j = 0; j < t->num_pairs; j++) {
            print_csv_row(k, t, &t->pairs[j], out);
        }
    }
}

void app_knockout_build_mean(const char *name, const app_mean *m, JsonBuilder *b)
{
    sim_json_begin_object(b, name);
    sim_json_double(b, "mean", m->mean);
    sim_json_double(b, "low", m->low);
    sim_json_double(b, "high", m->high);
    sim_json_double(b, "level", m->level);
    json_builder_end_object(b);
}

static void build_gain(const app_knockout *k, const app_knockout_gain *g, JsonBuilder *b)
{
    json_builder_begin_object(b);
    sim_json_text(b, "component", k->parts[g->component].name);
    if (g->other != SIZE_MAX) {
        sim_json_text(b, "other", k->parts[g->other].name);
    }
    app_knockout_build_mean("without", &g->without, b);
    app_knockout_build_mean("gain", &g->gain, b);
    sim_json_bool(b, "few_met", g->few_met);
    if (g->other != SIZE_MAX) {
        app_knockout_build_mean("more", &g->more, b);
        sim_json_bool(b, "told_apart", app_knockout_told_apart(&g->more));
    } else {
        sim_json_double(b, "met", g->met);
        sim_json_bool(b, "told_apart", app_knockout_told_apart(&g->gain));
    }
    if (g->worst > 0) {
        sim_json_int(b, "rank_best", g->best);
        sim_json_int(b, "rank_worst", g->worst);
    }
    json_builder_end_object(b);
}

static void build_gains(const char *name, const app_knockout *k, const app_knockout_gain *gains,
                        size_t n, JsonBuilder *b)
{
    sim_json_begin_array(b, name);
    for (size_t i = 0; i < n; i++) {
        build_gain(k, &gains[i], b);
    }
    json_builder_end_array(b);
}

static void build_texts(const char *name, char **texts, JsonBuilder *b)
{
    sim_json_begin_array(b, name);
    for (char **text = texts; *text != NULL; text++) {
        sim_json_add_text(b, *text);
    }
    json_builder_end_array(b);
}

/* The names, and what goes together as one of them. */
static void build_parts(const app_knockout *k, JsonBuilder *b)
{
    sim_json_begin_array(b, "components");
    for (size_t i = 0; i < k->num_parts; i++) {
        sim_json_add_text(b, k->parts[i].name);
    }
    json_builder_end_array(b);
    for (size_t i = 0; i < k->num_parts; i++) {
        if (k->parts[i].is_rest) {
            build_texts("together", k->parts[i].labels, b);
        }
    }
}

void app_knockout_build(const app_knockout *k, JsonBuilder *b)
{
    g_auto(GStrv) conditions = app_knockout_conditions(k);
    g_auto(GStrv) conclusions = app_knockout_conclusions(k);
    sim_json_begin_object(b, "knock_out");
    build_parts(k, b);
    sim_json_begin_array(b, "tables");
    for (size_t i = 0; i < k->num_tables; i++) {
        const app_knockout_table *t = &k->tables[i];
        json_builder_begin_object(b);
        sim_json_int(b, "ranks", t->all->ranks);
        sim_json_text(b, "mode", app_mode_name(t->all->mode));
        sim_json_text(b, "quantity", app_quantity_name(t->all->quantity));
        sim_json_int(b, "passes", t->all->passes);
        sim_json_int(b, "replicas", t->all->num_runs);
        app_knockout_build_mean("slowdown", &t->slowdown, b);
        build_gains("gains", k, t->gains, t->num_gains, b);
        if (k->pairs) {
            build_gains("pairs", k, t->pairs, t->num_pairs, b);
        }
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    build_texts("conditions", conditions, b);
    build_texts("findings", conclusions, b);
    json_builder_end_object(b);
}
