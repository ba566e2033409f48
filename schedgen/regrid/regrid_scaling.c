/* schedgen/regrid/regrid_scaling.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid_scaling. */
/*
 * Computation over the volume of a part: at each call site a line through the means of the ranks
 * of all records, fitted robustly (bisquare), so that a rank that was disturbed does not move it.
 */
#include "regrid/regrid_private.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>

enum { PARAMETERS = 2 }; /* of a line */

typedef struct line {
    char *what;
    double share; /* of the computation of the first record */
    double c[PARAMETERS];
    double cov[PARAMETERS][PARAMETERS];
    double residual; /* NAN: two samples */
    double quantile; /* of the interval */
    uint32_t samples;
    bool fitted;
} line;

struct sched_regrid_scaling {
    GArray *lines; /* of line, by site */
    uint32_t num_ranks;
    uint32_t **site_of; /* [num_ranks] of the first record: by computation */
};

static void line_clear(gpointer data)
{
    g_free(((line *)data)->what);
}

/* ---- one line ------------------------------------------------------------------------------ */

/* Through two points; of more it is not known how far they are off. */
static bool join_two(line *l, const double *v, const double *t)
{
    l->c[1] = (t[1] - t[0]) / (v[1] - v[0]);
    l->c[0] = t[0] - l->c[1] * v[0];
    l->residual = NAN;
    l->quantile = NAN;
    return true;
}

/*
 * How far the line may be off, by the residuals of all samples: what the fit gave no weight, since
 * a record is off as a whole or a rank was disturbed, does not move the line but widens this.
 */
static void spread(line *l, const double *v, const double *t, size_t n)
{
    double squares = 0;
    double sum = 0;
    double sum2 = 0;
    for (size_t i = 0; i < n; i++) {
        const double off = t[i] - l->c[0] - l->c[1] * v[i];
        squares += off * off;
        sum += v[i];
        sum2 += v[i] * v[i];
    }
    const double most = 0.975; /* of 95 %, both sides */
    const double variance = squares / (double)(n - PARAMETERS);
    const double det = (double)n * sum2 - sum * sum;
    l->cov[0][0] = variance * sum2 / det;
    l->cov[1][1] = variance * (double)n / det;
    l->cov[0][1] = l->cov[1][0] = -variance * sum / det;
    l->residual = sqrt(squares / (double)n);
    l->quantile = gsl_cdf_tdist_Pinv(most, (double)(n - PARAMETERS));
}

static bool fit_all(line *l, const double *v, const double *t, size_t n)
{
    gsl_matrix *x = gsl_matrix_alloc(n, PARAMETERS);
    gsl_vector *c = gsl_vector_alloc(PARAMETERS);
    gsl_matrix *cov = gsl_matrix_alloc(PARAMETERS, PARAMETERS);
    gsl_multifit_robust_workspace *work =
        gsl_multifit_robust_alloc(gsl_multifit_robust_bisquare, n, PARAMETERS);
    const gsl_vector_const_view y = gsl_vector_const_view_array(t, n);
    for (size_t i = 0; i < n; i++) {
        gsl_matrix_set(x, i, 0, 1);
        gsl_matrix_set(x, i, 1, v[i]);
    }
    const bool ok = gsl_multifit_robust(x, &y.vector, c, cov, work) == GSL_SUCCESS;
    if (ok) {
        l->c[0] = gsl_vector_get(c, 0);
        l->c[1] = gsl_vector_get(c, 1);
        spread(l, v, t, n);
    }
    gsl_multifit_robust_free(work);
    gsl_matrix_free(cov);
    gsl_vector_free(c);
    gsl_matrix_free(x);
    return ok;
}

static double line_at(const line *l, double volume)
{
    return l->c[0] + l->c[1] * volume;
}

static line line_of(const regrid_site *site, const double *volumes)
{
    const guint n = site->samples->len;
    line l = {.what = g_strdup(site->what), .samples = n};
    g_autofree double *v = g_new(double, n);
    g_autofree double *t = g_new(double, n);
    for (guint i = 0; i < n; i++) {
        const regrid_sample *s = &g_array_index(site->samples, regrid_sample, i);
        v[i] = volumes[s->record];
        t[i] = s->time;
        l.share += s->record == 0 ? s->time * (double)s->passages : 0;
    }
    bool differ = false;
    for (guint i = 1; i < n; i++) {
        differ = differ || v[i] != v[0];
    }
    l.fitted =
        differ && l.share > 0 && (n > PARAMETERS ? fit_all(&l, v, t, n) : join_two(&l, v, t));
    l.fitted = l.fitted && line_at(&l, 1) > 0;
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
    s->lines = g_array_new(FALSE, FALSE, sizeof(line));
    g_array_set_clear_func(s->lines, line_clear);
    s->num_ranks = num_ranks;
    s->site_of = g_new0(uint32_t *, num_ranks);
    sched_regrid_sites_init(&sites);
    const bool ok = first->refusals->len == 0 && first->match != NULL
                        ? take_all(s, &sites, first, others, n, convert, error)
                        : refuse(error, first, first, g_ptr_array_index(first->refusals, 0));
    g_autofree double *volumes = g_new(double, n + 1);
    double all = 0;
    volumes[0] = 1;
    for (size_t i = 0; i < n; i++) {
        volumes[i + 1] = (double)num_ranks / others[i]->record.trace->num_ranks;
    }
    for (guint i = 0; ok && i < sites.sites->len; i++) {
        const line l = line_of(&g_array_index(sites.sites, regrid_site, i), volumes);
        g_array_append_val(s->lines, l);
        all += l.share;
    }
    for (guint i = 0; i < s->lines->len; i++) {
        g_array_index(s->lines, line, i).share /= all > 0 ? all : 1;
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
    g_array_unref(s->lines);
    g_free(s);
}

/* ---- what it says -------------------------------------------------------------------------- */

/* Half of the interval of g[0] c[0] + g[1] c[1]. */
static double half_width(const line *l, const double g[PARAMETERS])
{
    double variance = 0;
    for (size_t i = 0; i < PARAMETERS; i++) {
        for (size_t j = 0; j < PARAMETERS; j++) {
            variance += g[i] * g[j] * l->cov[i][j];
        }
    }
    return l->quantile * sqrt(MAX(variance, 0));
}

static sched_regrid_site site_at(const line *l, double volume)
{
    const double one = line_at(l, 1);
    const double now = line_at(l, volume);
    sched_regrid_site site = {.what = l->what,
                              .share = l->share,
                              .samples = l->samples,
                              .constant = l->c[0],
                              .slope = l->c[1],
                              .residual = l->residual,
                              .fitted = l->fitted && now > 0,
                              .factor = volume,
                              .factor_low = volume,
                              .factor_high = volume};
    if (site.fitted) {
        /* The derivatives of now / one, whose errors are not independent. */
        const double of_time[] = {1, volume};
        const double of_factor[] = {(one - now) / (one * one), (volume * one - now) / (one * one)};
        const double half = half_width(l, of_factor);
        site.half_width = half_width(l, of_time);
        site.factor = now / one;
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

sched_regrid_site *sched_regrid_scaling_sites(const sched_regrid_scaling *s, double volume,
                                              size_t *n)
{
    GArray *sites = g_array_new(FALSE, FALSE, sizeof(sched_regrid_site));
    for (guint i = 0; i < s->lines->len; i++) {
        const line *l = &g_array_index(s->lines, line, i);
        if (l->share > 0) {
            const sched_regrid_site site = site_at(l, volume);
            g_array_append_val(sites, site);
        }
    }
    *n = sites->len;
    if (*n > 0) {
        qsort(sites->data, *n, sizeof(sched_regrid_site), compare_shares);
    }
    return (sched_regrid_site *)(void *)g_array_free(sites, FALSE);
}

double *sched_regrid_scaling_factors(const sched_regrid_scaling *s, double volume)
{
    double *factors = g_new(double, s->lines->len + 1);
    for (guint i = 0; i < s->lines->len; i++) {
        factors[i] = site_at(&g_array_index(s->lines, line, i), volume).factor;
    }
    return factors;
}

double sched_regrid_scaling_factor(const sched_regrid_scaling *s, const double *factors,
                                   uint32_t rank, uint32_t calc)
{
    return factors[s->site_of[rank][calc]];
}
