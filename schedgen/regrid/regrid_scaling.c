/* schedgen/regrid/regrid_scaling.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid_scaling. */
/*
 * Computation over the size of a part: at each call site a curve through the means of the ranks of
 * all records (regrid_curve.c).
 */
#include "regrid/regrid_private.h"

#include <stdlib.h>

typedef struct site_curve {
    regrid_curve curve;
    char *what;
    double share; /* of the computation of the first record */
    uint32_t samples;
} site_curve;

struct sched_regrid_scaling {
    GArray *curves; /* of site_curve, by site */
    uint32_t num_ranks;
    uint32_t **site_of; /* [num_ranks] of the first record: by computation */
};

static void curve_clear(gpointer data)
{
    g_free(((site_curve *)data)->what);
}

/* ---- one site ------------------------------------------------------------------------------ */

static site_curve curve_of(const regrid_site *site, const sched_regrid_part *parts)
{
    const guint n = site->samples->len;
    site_curve l = {.what = g_strdup(site->what), .samples = n};
    g_autofree sched_regrid_part *of = g_new(sched_regrid_part, n);
    g_autofree double *times = g_new(double, n);
    for (guint i = 0; i < n; i++) {
        const regrid_sample *s = &g_array_index(site->samples, regrid_sample, i);
        of[i] = parts[s->record];
        times[i] = s->time;
        l.share += s->record == 0 ? s->time * (double)s->passages : 0;
    }
    if (l.share > 0) {
        l.curve = sched_regrid_curve_fit(of, times, n);
    }
    return l;
}

/* ---- records of one program ---------------------------------------------------------------- */

static bool refuse(GError **error, const sched_regrid *other, const sched_regrid *first,
                   const char *what)
{
    g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                "%s: cannot be fitted together with %s: %s", other->record.trace->path,
                first->record.trace->path, what);
    return false;
}

static bool check_grid(const sched_regrid *first, const sched_regrid *other, GError **error)
{
    if (other->refusals->len > 0 || other->butterfly != NULL || first->butterfly != NULL) {
        return refuse(error, other, first,
                      other->refusals->len > 0 ? g_ptr_array_index(other->refusals, 0)
                                               : "a butterfly has no volume");
    }
    const sched_grid *a = &first->match->layout.grid;
    const sched_grid *b = &other->match->layout.grid;
    bool same =
        a->num_dims == b->num_dims && first->classes.num_classes == other->classes.num_classes;
    for (uint32_t d = 0; same && d < a->num_dims; d++) {
        same =
            a->periodic[d] == b->periodic[d] && first->classes.reach[d] == other->classes.reach[d];
    }
    if (!same) {
        g_autofree char *one = sched_grid_format(a);
        g_autofree char *two = sched_grid_format(b);
        g_autofree char *what = g_strdup_printf("a grid of %s is no larger one of %s", two, one);
        return refuse(error, other, first, what);
    }
    return true;
}

/* Does it go through a site in the first record, and how long does it compute there? */
static double time_in(const regrid_site *site, uint32_t record, bool *passes)
{
    double time = 0;
    *passes = false;
    for (guint i = 0; i < site->samples->len; i++) {
        const regrid_sample *s = &g_array_index(site->samples, regrid_sample, i);
        if (s->record == record) {
            *passes = true;
            time += s->time;
        }
    }
    return time;
}

/* A site with computation in one of two records has to be in the other one, too. */
static bool check_sites(const regrid_sites *sites, const sched_regrid *first,
                        const sched_regrid *other, uint32_t number, GError **error)
{
    for (guint i = 0; i < sites->sites->len; i++) {
        const regrid_site *site = &g_array_index(sites->sites, regrid_site, i);
        bool in_first;
        bool in_other;
        const double time = time_in(site, 0, &in_first) + time_in(site, number, &in_other);
        if (time > 0 && in_first != in_other) {
            g_autofree char *what = g_strdup_printf("only the %s computes %s: the programs differ",
                                                    in_first ? "latter" : "former", site->what);
            return refuse(error, other, first, what);
        }
    }
    return true;
}

static bool take_all(const sched_regrid_scaling *s, regrid_sites *sites, const sched_regrid *first,
                     const sched_regrid *const *others, size_t n,
                     const sched_convert_options *convert, GError **error)
{
    if (!sched_regrid_sites_add(sites, first, 0, convert, s->site_of, error)) {
        return false;
    }
    bool differ = false;
    for (size_t i = 0; i < n; i++) {
        differ = differ || others[i]->record.trace->num_ranks != first->record.trace->num_ranks;
        if (!check_grid(first, others[i], error) ||
            !sched_regrid_sites_add(sites, others[i], (uint32_t)i + 1, convert, NULL, error) ||
            !check_sites(sites, first, others[i], (uint32_t)i + 1, error)) {
            return false;
        }
    }
    return differ || refuse(error, others[0], first, "they have the same number of ranks");
}

sched_regrid_scaling *sched_regrid_scaling_new(const sched_regrid *first,
                                               const sched_regrid *const *others, size_t n,
                                               const sched_convert_options *convert, GError **error)
{
    g_autoptr(sched_regrid_scaling) s = g_new0(sched_regrid_scaling, 1);
    const uint32_t num_ranks = first->record.trace->num_ranks;
    regrid_sites sites;
    s->curves = g_array_new(FALSE, FALSE, sizeof(site_curve));
    g_array_set_clear_func(s->curves, curve_clear);
    s->num_ranks = num_ranks;
    s->site_of = g_new0(uint32_t *, num_ranks);
    sched_regrid_sites_init(&sites);
    const bool ok = first->refusals->len == 0 && first->match != NULL
                        ? take_all(s, &sites, first, others, n, convert, error)
                        : refuse(error, first, first, g_ptr_array_index(first->refusals, 0));
    g_autofree sched_regrid_part *parts = g_new(sched_regrid_part, n + 1);
    double all = 0;
    parts[0] = (sched_regrid_part){1, 1};
    for (size_t i = 0; ok && i < n; i++) {
        parts[i + 1] =
            sched_regrid_part_of(&first->match->layout.grid, &others[i]->match->layout.grid);
    }
    for (guint i = 0; ok && i < sites.sites->len; i++) {
        const site_curve l = curve_of(&g_array_index(sites.sites, regrid_site, i), parts);
        g_array_append_val(s->curves, l);
        all += l.share;
    }
    for (guint i = 0; i < s->curves->len; i++) {
        g_array_index(s->curves, site_curve, i).share /= all > 0 ? all : 1;
    }
    sched_regrid_sites_clear(&sites);
    return ok ? g_steal_pointer(&s) : NULL;
}

void sched_regrid_scaling_free(sched_regrid_scaling *s)
{
    if (s == NULL) {
        return;
    }
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        g_free(s->site_of[r]);
    }
    g_free(s->site_of);
    g_array_unref(s->curves);
    g_free(s);
}

/* ---- what it says -------------------------------------------------------------------------- */

static sched_regrid_site site_at(const site_curve *l, sched_regrid_part part)
{
    const regrid_curve *curve = &l->curve;
    const double now = sched_regrid_curve_at(curve, part);
    sched_regrid_site site = {.what = l->what,
                              .share = l->share,
                              .samples = l->samples,
                              .constant = curve->by_surface ? 0 : curve->c[0],
                              .by_surface = curve->by_surface ? curve->c[0] : 0,
                              .by_volume = curve->c[1],
                              .residual = curve->residual,
                              .fitted = curve->fitted && now > 0,
                              .factor = part.volume,
                              .factor_low = part.volume,
                              .factor_high = part.volume};
    if (site.fitted) {
        double half;
        site.half_width = sched_regrid_curve_half(curve, part, &half);
        site.factor = now / (curve->c[0] + curve->c[1]);
        site.factor_low = site.factor - half;
        site.factor_high = site.factor + half;
    }
    return site;
}

static int compare_shares(const void *a, const void *b)
{
    const sched_regrid_site *x = a;
    const sched_regrid_site *y = b;
    return x->share != y->share ? (x->share < y->share) - (x->share > y->share)
                                : g_strcmp0(x->what, y->what);
}

sched_regrid_site *sched_regrid_scaling_sites(const sched_regrid_scaling *s, sched_regrid_part part,
                                              size_t *n)
{
    GArray *sites = g_array_new(FALSE, FALSE, sizeof(sched_regrid_site));
    for (guint i = 0; i < s->curves->len; i++) {
        const site_curve *l = &g_array_index(s->curves, site_curve, i);
        if (l->share > 0) {
            const sched_regrid_site site = site_at(l, part);
            g_array_append_val(sites, site);
        }
    }
    *n = sites->len;
    if (*n > 0) {
        qsort(sites->data, *n, sizeof(sched_regrid_site), compare_shares);
    }
    return (sched_regrid_site *)(void *)g_array_free(sites, FALSE);
}

double *sched_regrid_scaling_factors(const sched_regrid_scaling *s, sched_regrid_part part)
{
    double *factors = g_new(double, s->curves->len + 1);
    for (guint i = 0; i < s->curves->len; i++) {
        factors[i] = site_at(&g_array_index(s->curves, site_curve, i), part).factor;
    }
    return factors;
}

double sched_regrid_scaling_factor(const sched_regrid_scaling *s, const double *factors,
                                   uint32_t rank, uint32_t calc)
{
    return factors[s->site_of[rank][calc]];
}
