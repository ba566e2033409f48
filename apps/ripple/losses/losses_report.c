/* apps/ripple/losses/losses_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_losses. */
#include "losses/losses_report.h"

#include "losses/losses_words.h"
#include "report/bars.h"
#include "report/page_figure.h"

#include <assert.h>
#include <string.h>

enum { MOST_RANKS = 16, MOST_NAMED = 5, MOST_COLUMNS = 12 };

static double percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* What a bar consists of: the largest culprits, all others of them, the job itself, the watch, and
 * what is not explained. */
typedef struct parts {
    char *name[MOST_NAMED + 4];
    size_t num_named;
    size_t n;
} parts;

enum { OTHERS, JOB, WATCH, UNKNOWN }; /* behind those that are named */

static size_t part_of(const parts *p, const noise_join_row *r, const char *culprit)
{
    assert(r != NULL);
    if (r->kind == NOISE_PROGRAM_MONITOR) {
        return p->num_named + WATCH;
    }
    if (!app_losses_is_culprit(r)) {
        return p->num_named + JOB;
    }
    for (size_t i = 0; i < p->num_named; i++) {
        if (strcmp(p->name[i], culprit) == 0) {
            return i;
        }
    }
    return p->num_named + OTHERS;
}

/* Rows come with the most first. */
static parts find_parts(const noise_join *j)
{
    static const char *const MORE[] = {"other programs", "the program itself", "the watch",
                                       "not explained"};
    parts p = {0};
    for (size_t i = 0; i < j->num_rows && p.num_named < MOST_NAMED; i++) {
        g_autofree char *name = app_losses_culprit(&j->row[i]);
        if (app_losses_is_culprit(&j->row[i]) &&
            part_of(&p, &j->row[i], name) == p.num_named + OTHERS) {
            p.name[p.num_named++] = g_steal_pointer(&name);
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(MORE); i++) {
        p.name[p.num_named + i] = g_strdup(MORE[i]);
    }
    p.n = p.num_named + G_N_ELEMENTS(MORE);
    return p;
}

static uint64_t taken_of(const noise_join_total *t)
{
    return t->lost_ns + t->waited_ns;
}

/* The ranks with the largest share, in order of rank. @return how many */
static size_t choose_ranks(const noise_join *j, size_t *chosen)
{
    size_t n = 0;
    for (size_t i = 0; i < j->num_ranks; i++) {
        size_t more = 0; /* ranks that lost more */
        const double own = percent(taken_of(&j->total[i]), j->total[i].wall_ns);
        for (size_t k = 0; k < j->num_ranks; k++) {
            const double other = percent(taken_of(&j->total[k]), j->total[k].wall_ns);
            more += other > own || (other == own && k < i) ? 1 : 0;
        }
        if (more < MOST_RANKS) {
            chosen[n++] = i;
        }
    }
    return n;
}

/* In percent of the rank's time. @p shares [num_chosen][p->n] */
static void fill_shares(const noise_join *j, const parts *p, const size_t *chosen, size_t n,
                        double *shares)
{
    for (size_t c = 0; c < n; c++) {
        const noise_join_total *t = &j->total[chosen[c]];
        double *own = &shares[c * p->n];
        for (size_t i = 0; i < j->num_rows; i++) {
            const noise_join_row *r = &j->row[i];
            if (r->rank == t->rank && strcmp(r->name, NOISE_JOIN_UNNAMED) != 0) {
                g_autofree char *name = app_losses_culprit(r);
                own[part_of(p, r, name)] += percent(r->lost_ns + r->waited_ns, t->wall_ns);
            }
        }
        const uint64_t explained = t->lost_explained_ns + t->waited_explained_ns;
        own[p->num_named + UNKNOWN] = percent(taken_of(t) - explained, t->wall_ns);
    }
}

static app_chart *figure_of(const noise_join *j)
{
    const parts p = find_parts(j);
    size_t chosen[MOST_RANKS];
    const size_t n = choose_ranks(j, chosen);
    g_autofree double *shares = g_new0(double, n *p.n + 1);
    app_bar bars[MOST_RANKS];
    app_bar_group groups[MOST_RANKS];
    char *labels[MOST_RANKS];
    fill_shares(j, &p, chosen, n, shares);
    for (size_t c = 0; c < n; c++) {
        labels[c] = g_strdup_printf("%u", j->total[chosen[c]].rank);
        groups[c] = (app_bar_group){labels[c], labels[c]};
        bars[c] = (app_bar){c, 0, &shares[c * p.n]};
    }
    const app_bar_series one = {"share of its time", ' '};
    g_autofree char *caption = g_strdup_printf(
        "The share of each rank's time in which it could have run and another was on its CPU, "
        "while computing and within MPI together.%s",
        n < j->num_ranks ? " Those that lost the most; the others are not drawn." : "");
    const app_bars figure = {
        .name = "lost-by-rank",
        .title = "Who took CPU time from which rank",
        .caption = caption,
        .group_name = "rank",
        .series_name = "what",
        .y = {"of its time", APP_UNIT_PERCENT, APP_SCALE_LINEAR},
        .groups = groups,
        .num_groups = n,
        .series = &one,
        .num_series = 1,
        .parts = (const char *const *)p.name,
        .num_parts = p.n,
        .bars = bars,
        .num_bars = n,
    };
    app_chart *chart = n > 0 ? app_bars_new(&figure) : NULL;
    for (size_t c = 0; c < n; c++) {
        g_free(labels[c]);
    }
    for (size_t i = 0; i < p.n; i++) {
        g_free(p.name[i]);
    }
    return chart;
}

static void add_row(const noise_join *j, const noise_join_row *r, app_page *page)
{
    const uint64_t wall = app_losses_total_of(j, r->rank)->wall_ns;
    const uint64_t taken = r->lost_ns + r->waited_ns;
    const char *cells[MOST_COLUMNS] = {0};
    g_autofree char *rank = g_strdup_printf("%u", r->rank);
    g_autofree char *who = app_losses_culprit(r);
    g_autofree char *share = g_strdup_printf("%.3g %%", percent(taken, wall));
    g_autofree char *in_mpi = g_strdup_printf("%.3g %%", percent(r->waited_ns, taken));
    g_autofree char *bursts = g_strdup_printf("%" G_GUINT64_FORMAT, r->count);
    g_autofree char *period = r->period_ns > 0 ? app_losses_duration(r->period_ns) : g_strdup("-");
    g_autofree char *length = app_losses_duration((double)r->median_ns);
    g_autofree char *pieces = g_strdup_printf("%.2g", (double)r->pieces / (double)r->count);
    g_autofree char *cpu = g_strdup_printf("%u", r->cpu);
    g_autofree char *sure = g_strdup_printf("%.3g %%", percent(r->sure_ns, taken));
    const char *const all[] = {rank, who, share, in_mpi, bursts, period, length, pieces, cpu, sure};
    memcpy(cells, all, sizeof all);
    app_page_table_row(page, cells);
}

static void add_rows(const noise_join *j, app_page *page)
{
    static const char *const HEAD[] = {"rank",   "program", "of its time", "of it in MPI",
                                       "bursts", "every",   "length",      "pieces of one",
                                       "CPU",    "sure of", NULL};
    size_t n = 0;
    app_page_table_begin(page, HEAD);
    for (size_t i = 0; i < j->num_rows; i++) {
        if (app_losses_is_culprit(&j->row[i]) && n++ < APP_LOSSES_MOST_ROWS) {
            add_row(j, &j->row[i], page);
        }
    }
    app_page_table_end(page);
    if (n > APP_LOSSES_MOST_ROWS) {
        g_autofree char *more =
            g_strdup_printf("And %zu more, each less than these.", n - APP_LOSSES_MOST_ROWS);
        app_page_paragraph(page, more);
    }
}

static const noise_join_row *first_culprit(const noise_join *j)
{
    for (size_t i = 0; i < j->num_rows; i++) {
        if (app_losses_is_culprit(&j->row[i])) {
            return &j->row[i];
        }
    }
    return NULL;
}

bool app_losses_report(const app_losses *l, app_page *page, const char *folder, GError **error)
{
    const noise_join *j = l->join;
    const noise_join_row *first = first_culprit(j);
    app_page_heading(page, "Who took CPU time from which rank");
    if (first != NULL) {
        g_autofree char *text =
            app_losses_row_text(first, app_losses_total_of(j, first->rank)->wall_ns);
        g_autofree char *most = g_strdup_printf("The most: %s.", text);
        app_page_finding(page, most);
    } else {
        app_page_finding(page, "Nobody was seen to take CPU time from the ranks.");
    }
    g_autoptr(app_chart) chart = figure_of(j);
    if (!app_page_draw(page, chart, folder, error)) {
        return false;
    }
    if (first != NULL) {
        add_rows(j, page);
    }
    g_autoptr(GPtrArray) totals = g_ptr_array_new_with_free_func(g_free);
    for (size_t r = 0; r < j->num_ranks && r < MOST_RANKS; r++) {
        g_ptr_array_add(totals, app_losses_total_text(j, &j->total[r]));
    }
    g_ptr_array_add(totals, NULL);
    app_page_list(page,
                  j->num_ranks > MOST_RANKS ? "All of a rank (the first 16)" : "All of a rank",
                  (const char *const *)totals->pdata);
    g_auto(GStrv) how = app_losses_how(l);
    app_page_list(page, "How this is known", (const char *const *)how);
    return true;
}
