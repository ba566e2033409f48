/* apps/ripple/program/source_fit.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_regrid_fit, test_option_effects. */
#include "output/error.h"
#include "program/source_private.h"
#include "sched/error.h"

#include <math.h>

/* A further record, and where it is on a grid. */
typedef struct further {
    sched_trace *trace;
    sched_regrid *regrid;
} further;

static void further_clear(gpointer data)
{
    further *f = data;
    sched_regrid_free(f->regrid);
    sched_trace_free(f->trace);
}

static bool open_further(const app_source *s, const char *path, further *f, GError **error)
{
    const sched_reader *reader = sched_reader_find(path);
    sched_input input = {0};
    if (reader == NULL || !reader->open(path, &s->read, &input, error)) {
        if (reader == NULL) {
            g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "'%s': no trace that can be read", path);
        }
        return false;
    }
    sim_graph_free(input.graph);
    f->trace = input.trace;
    if (f->trace == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "'%s': computation is fitted to traces, not "
                    "to stored schedules",
                    path);
        return false;
    }
    sched_trace_unpack(f->trace);
    const sched_regrid_options own = {.explain = s->extrapolation.recognise.explain};
    f->regrid = sched_regrid_recognise(f->trace, &s->convert, &own, error);
    return f->regrid != NULL;
}

bool app_source_fit(app_source *s, GError **error)
{
    const bool is_strong = app_source_is_regridded(s) && s->extrapolation.target.strong;
    if (s->fit == NULL || !(is_strong || s->recognised)) { /* then it is refused as idle */
        return true;
    }
    const sched_regrid *own = app_source_recognise(s, error);
    if (own == NULL) {
        return false;
    }
    g_autoptr(GArray) records = g_array_new(FALSE, TRUE, sizeof(further));
    g_autoptr(GPtrArray) regrids = g_ptr_array_new();
    g_array_set_clear_func(records, further_clear);
    bool ok = true;
    for (size_t i = 0; ok && s->fit[i] != NULL; i++) {
        g_array_set_size(records, (guint)i + 1);
        further *f = &g_array_index(records, further, i);
        ok = open_further(s, s->fit[i], f, error);
        g_ptr_array_add(regrids, f->regrid);
    }
    if (ok) {
        s->scaling = sched_regrid_scaling_new(own, (const sched_regrid *const *)regrids->pdata,
                                              regrids->len, &s->convert, error);
    }
    if (s->scaling == NULL) {
        app_error_blame_option(error, "--fit");
        return false;
    }
    return true;
}

const sched_regrid_scaling *app_source_scaling(const app_source *s)
{
    return s->scaling;
}

/* How much of the recorded computation there is at some volume, over all sites. */
typedef struct sum {
    double factor;
    double low; /* as if all sites were off to the same side; of two samples none is known */
    double high;
    double fitted;     /* share of the computation */
    uint32_t curves;   /* that are fitted */
    uint32_t fallen;   /* sites that are not */
    bool known;        /* are intervals, of some site? */
    char *largest_off; /* of those that are not fitted; the caller's */
} sum;

static sum sum_up(const app_source *s, uint32_t ranks)
{
    size_t n = 0;
    g_autofree sched_regrid_site *sites =
        sched_regrid_scaling_sites(s->scaling, app_source_part(s, ranks), &n);
    sum all = {.known = false};
    for (size_t i = 0; i < n; i++) {
        const sched_regrid_site *site = &sites[i];
        all.factor += site->share * site->factor;
        const bool known = !isnan(site->factor_low);
        all.low += site->share * (known ? site->factor_low : site->factor);
        all.high += site->share * (known ? site->factor_high : site->factor);
        all.known = all.known || (known && site->fitted);
        all.fitted += site->fitted ? site->share : 0;
        all.curves += site->fitted;
        all.fallen += !site->fitted;
        if (!site->fitted && all.largest_off == NULL) {
            all.largest_off = g_strdup(site->what);
        }
    }
    return all;
}

/* "0.151 (0.149 to 0.153)" */
static char *factor_text(const sum *all)
{
    return all->known ? g_strdup_printf("%.4g (%.4g to %.4g)", all->factor, all->low, all->high)
                      : g_strdup_printf("%.4g", all->factor);
}

char *app_source_computation_text(const app_source *s, uint32_t ranks)
{
    if (!app_source_is_regridded(s) || !s->extrapolation.target.strong) {
        return g_strdup("");
    }
    const double volume = app_source_part(s, ranks).volume;
    if (s->scaling == NULL) {
        return g_strdup_printf(", times %.4g, as the volume of its part (--scaling=strong)",
                               volume);
    }
    const sum all = sum_up(s, ranks);
    g_autofree char *factor = factor_text(&all);
    g_autofree char *fit = g_strjoinv(", ", s->fit);
    g_free(all.largest_off);
    return g_strdup_printf(", in all times %s%s, fitted at each call site to %s as well "
                           "(--fit; its volume is %.4g of what was recorded)",
                           factor,
                           all.known ? ", 95 % interval of sites with more than two samples" : "",
                           fit, volume);
}

/* Which sites were fitted, and which were not; at the largest size, which is the furthest off. */
static void note_sites(app_source *s, uint32_t ranks)
{
    const sum all = sum_up(s, ranks);
    g_autofree char *factor = factor_text(&all);
    g_autofree char *fitted =
        g_strdup_printf("call sites with computation fitted to --fit, %.3g %% of all: in "
                        "all times %s%s at "
                        "%u ranks, the volume times %.4g",
                        100 * all.fitted, factor,
                        all.known ? ", 95 % interval of sites with more than two samples" : "",
                        ranks, app_source_part(s, ranks).volume);
    sched_notices_add(s->notices, all.curves, fitted);
    if (all.fallen > 0) {
        g_autofree char *fallen =
            g_strdup_printf("call sites that nothing above 0 fits at %u ranks: computation "
                            "as the volume; the largest: %s",
                            ranks, all.largest_off);
        sched_notices_add(s->notices, all.fallen, fallen);
    }
    g_free(all.largest_off);
}

void app_source_note_fit(app_source *s, const uint32_t *sizes, size_t n, app_manifest *manifest)
{
    if (s->scaling == NULL) {
        return;
    }
    g_autoptr(GString) factors = g_string_new(NULL);
    uint32_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        const sum all = sum_up(s, sizes[i]);
        g_string_append_printf(factors, "%s%.4g", i > 0 ? "," : "", all.factor);
        g_free(all.largest_off);
        largest = MAX(largest, sizes[i]);
    }
    app_manifest_add(manifest, "computation", "%s", factors->str);
    note_sites(s, largest);
}
