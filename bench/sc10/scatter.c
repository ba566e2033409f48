/* bench/sc10/scatter.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "scatter.h"

#include "output/number_text.h"
#include "thin.h"

#include <math.h>

enum { INTERVALS = 100, POINTS = 2000 }; /* of each component, at least; of a decade, at most */

typedef struct detours {
    size_t n;
    sim_time *start;
    sim_time *length;
    sim_time span; /* a multiple of the trace's period */
} detours;

/* The trace again and again, as a rank meets it. */
static detours unroll(const noise_signature *noise)
{
    const noise_detour_trace *trace = noise_signature_trace(noise, 0);
    const sim_time period = noise_detour_trace_period(trace);
    double longest = 0;
    for (size_t i = 0; i < noise_signature_num_components(noise); i++) {
        longest = fmax(longest, noise_signature_component(noise, i)->interval);
    }
    const size_t turns = (size_t)fmax(ceil(INTERVALS * longest / (double)period), 1);
    const size_t each = noise_detour_trace_count(trace);
    detours d = {.n = turns * each, .span = (sim_time)turns * period};
    d.start = g_new(sim_time, d.n);
    d.length = g_new(sim_time, d.n);
    for (size_t i = 0; i < d.n; i++) {
        d.start[i] = (sim_time)(i / each) * period + noise_detour_trace_start(trace, i % each);
        d.length[i] = noise_detour_trace_length(trace, i % each);
    }
    return d;
}

static GString *csv_of(const detours *d, const size_t *kept, size_t n)
{
    GString *csv = g_string_new("start_s,length_us\n");
    char number[2][G_ASCII_DTOSTR_BUF_SIZE];
    for (size_t i = 0; i < n; i++) {
        g_ascii_formatd(number[0], sizeof number[0], "%.6f",
                        (double)d->start[kept[i]] / (double)SIM_S);
        g_ascii_formatd(number[1], sizeof number[1], "%.3f",
                        (double)d->length[kept[i]] / (double)SIM_US);
        g_string_append_printf(csv, "%s,%s\n", number[0], number[1]);
    }
    return csv;
}

/* All machines on one vertical axis, so that they can be compared. */
static GString *script_of(const detours *d)
{
    GString *script = g_string_new("set xlabel 'time, s'\nset ylabel 'length of a detour, us'\n"
                                   "set logscale y\nset yrange [0.8:12000]\n"
                                   "set ytics (1, 10, 100, 1000, 10000)\nset mytics default\n"
                                   "unset key\n");
    char span[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(span, sizeof span, "%.9g", (double)d->span / (double)SIM_S);
    g_string_append_printf(script,
                           "set xrange [0:%s]\n"
                           "plot data skip 1 using 1:2 with points lt 1 lw 1 pt 7 ps 0.25\n",
                           span);
    return script;
}

app_chart *sc10_scatter(const noise_signature *noise, const char *name, const char *title,
                        uint64_t seed)
{
    detours d = unroll(noise);
    size_t n = 0;
    g_autofree size_t *kept = sc10_thin(d.length, d.n, POINTS, seed, &n);
    g_autofree char *share = g_strdup_printf(
        "Each point is a detour of the model '%s', which steals %.3g %% of the CPU time. ",
        noise_signature_text(noise), 100 * noise_signature_share(noise, 0));
    g_autofree char *in_all = app_format_number(d.n);
    g_autofree char *drawn = app_format_number(n);
    g_autofree char *thinned = g_strdup_printf(
        "Of %s detours, %s are drawn: where there are more than %d of a decade "
        "of lengths, so many of them, chosen at random (seed %" G_GUINT64_FORMAT ").",
        in_all, drawn, (int)POINTS, seed);
    g_autofree char *all = g_strdup_printf("All %s are drawn.", in_all);
    g_autofree char *caption = g_strconcat(share, n < d.n ? thinned : all, NULL);
    app_chart *chart = app_chart_new(name, title, caption, csv_of(&d, kept, n), script_of(&d));
    g_free(d.start);
    g_free(d.length);
    return chart;
}
