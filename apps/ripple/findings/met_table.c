/* apps/ripple/findings/met_table.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate. */
#include "findings/met_table.h"

#include "findings/result_text.h"
#include "output/number_text.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <math.h>

enum { COLUMNS = 9 };

/* The series at both ends; the same where there is one size. */
typedef struct ends {
    const app_series *smallest;
    const app_series *largest;
} ends;

static ends ends_of(const app_results *results, app_mode mode)
{
    ends e = {NULL, NULL};
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (s->mode == mode) {
            e.smallest = e.smallest == NULL || s->ranks < e.smallest->ranks ? s : e.smallest;
            e.largest = e.largest == NULL || s->ranks > e.largest->ranks ? s : e.largest;
        }
    }
    return e;
}

static char *format_interval(const noise_component *c)
{
    if (isfinite(c->interval)) {
        return sim_unit_format_time_short((sim_time)c->interval);
    }
    return g_strdup(c->is_rate ? "always" : "-");
}

/* A source of a file that came on other CPUs or nodes than on this one. */
static bool has_none(const noise_component *c)
{
    return !c->is_rate && !isfinite(c->interval);
}

static char *format_length(const noise_component *c)
{
    return (c->is_rate && c->phase == 0) || has_none(c)
               ? g_strdup("-")
               : sim_unit_format_time_short(c->is_rate ? c->phase : (sim_time)c->mean_length);
}

/* A rate that holds always has nothing that would be met. */
static char *format_met(const noise_component *c, double met)
{
    return c->is_rate && c->phase == 0 ? g_strdup("-") : app_format_met(met);
}

static char *format_name(const noise_component *c)
{
    g_autofree char *label = noise_component_label(c);
    return g_strconcat(label, has_none(c) ? " (none seen)" : "", NULL);
}

/* @p cells [COLUMNS], owned by the caller */
static void fill_row(const noise_component *c, size_t i, const ends *e, char **cells)
{
    const app_met *small = &e->smallest->met[i];
    const app_met *large = &e->largest->met[i];
    const bool two = e->smallest != e->largest;
    cells[0] = g_strdup(app_mode_name(e->smallest->mode));
    cells[1] = format_interval(c);
    cells[2] = format_length(c);
    cells[3] = app_format_percent(small->share);
    cells[4] = format_met(c, small->by_rank);
    cells[5] = format_met(c, small->by_run);
    cells[6] = two ? format_met(c, large->by_rank) : g_strdup("");
    cells[7] = two ? format_met(c, large->by_run) : g_strdup("");
    cells[8] = format_name(c);
}

/* "rank of 64" */
static char *format_column(const char *what, const app_series *s)
{
    g_autofree char *ranks = sim_unit_format_count(s->ranks);
    return g_strdup_printf("%s/%s", what, ranks);
}

static void fill_head(const ends *e, char **cells)
{
    static const char *const fixed[] = {"noise", "every", "length", "of CPU"};
    for (size_t i = 0; i < G_N_ELEMENTS(fixed); i++) {
        cells[i] = g_strdup(fixed[i]);
    }
    const bool two = e->smallest != e->largest;
    cells[4] = format_column("rank", e->smallest);
    cells[5] = format_column("run", e->smallest);
    cells[6] = two ? format_column("rank", e->largest) : g_strdup("");
    cells[7] = two ? format_column("run", e->largest) : g_strdup("");
    cells[8] = g_strdup("component");
}

static void free_cells(char **cells)
{
    for (int i = 0; i < COLUMNS; i++) {
        g_free(cells[i]);
    }
}

static void print_row(char *const *cells, bool two, FILE *out)
{
    fprintf(out, "%-14s %8s %9s %9s %10s %10s", cells[0], cells[1], cells[2], cells[3], cells[4],
            cells[5]);
    if (two) {
        fprintf(out, " %10s %10s", cells[6], cells[7]);
    }
    fprintf(out, "  %s\n", cells[8]);
}

static bool same_sizes(const ends *a, const ends *b)
{
    return a->smallest != NULL && a->smallest->ranks == b->smallest->ranks &&
           a->largest->ranks == b->largest->ranks;
}

/* A row after the other; a head where the sizes are not those of the rows before. */
static void walk(const app_results *results, const app_noise *noise,
                 void (*row)(char *const *cells, bool two, bool head, void *data), void *data)
{
    ends before = {NULL, NULL};
    for (int mode = APP_UNSYNCHRONIZED; mode < APP_NUM_MODES; mode++) {
        const ends e = ends_of(results, (app_mode)mode);
        if (e.smallest == NULL) {
            continue;
        }
        char *cells[COLUMNS];
        const bool two = e.smallest != e.largest;
        if (!same_sizes(&before, &e)) {
            fill_head(&e, cells);
            row(cells, two, true, data);
            free_cells(cells);
        }
        before = e;
        for (size_t i = 0; i < noise_signature_num_components(noise->signature); i++) {
            fill_row(noise_signature_component(noise->signature, i), i, &e, cells);
            row(cells, two, false, data);
            free_cells(cells);
        }
    }
}

static void to_text(char *const *cells, bool two, bool head, void *data)
{
    (void)head;
    print_row(cells, two, data);
}

void app_met_table_print(const app_results *results, const app_noise *noise, FILE *out)
{
    if (results->noisy) {
        fputs("\ndetours met on average, by one rank and by the whole run\n", out);
        walk(results, noise, to_text, out);
    }
}

/* A page, and whether a table has begun on it. */
typedef struct paper {
    app_page *page;
    bool begun;
} paper;

static void to_page(char *const *cells, bool two, bool head, void *data)
{
    paper *p = data;
    const char *shown[COLUMNS + 1] = {cells[8], cells[0], cells[1], cells[2], cells[3],
                                      cells[4], cells[5], NULL,     NULL,     NULL};
    if (two) {
        shown[7] = cells[6];
        shown[8] = cells[7];
    }
    if (head && p->begun) {
        app_page_table_end(p->page);
    }
    if (head) {
        app_page_table_begin(p->page, shown);
        p->begun = true;
    } else {
        app_page_table_row(p->page, shown);
    }
}

void app_met_table_add(const app_results *results, const app_noise *noise, app_page *page)
{
    if (results->noisy) {
        app_page_heading(page, "Which detours were met");
        app_page_paragraph(page, "On average, by one rank and by the whole run. A slowdown can be "
                                 "seen only of detours that are met.");
        paper p = {page, false};
        walk(results, noise, to_page, &p);
        app_page_table_end(page);
    }
}

void app_met_build(const app_series *s, const app_noise *noise, JsonBuilder *b)
{
    sim_json_begin_array(b, "met");
    for (size_t i = 0; i < s->num_met; i++) {
        const noise_component *c = noise_signature_component(noise->signature, i);
        json_builder_begin_object(b);
        sim_json_text(b, "component", c->name);
        sim_json_text(b, "kind", c->kind);
        sim_json_text(b, "evidence", c->evidence);
        sim_json_double(b, "interval_ps", c->interval);
        sim_json_double(b, "length_ps", c->mean_length);
        sim_json_double(b, "share", s->met[i].share);
        sim_json_int(b, "ranks", s->met[i].ranks);
        sim_json_double(b, "by_rank", s->met[i].by_rank);
        sim_json_double(b, "by_run", s->met[i].by_run);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}
