/* schedgen/regrid/regrid_curve.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid_scaling. */
/*
 * Computation over the size of a part: so much by its volume, and so much by its surface (what is
 * packed, and loops over borders and rows) or by neither (a line). Fitted robustly (bisquare), so
 * that a rank that was disturbed does not move it. Of a surface, both terms have to be 0 or more:
 * as a difference of two it would say nothing of other sizes. Which of the two it is shows in what
 * is left, from three sizes on; two sizes are met by both, and the surface comes first, since that
 * was nearer to sizes that nothing had been fitted to (docs/regrid.md, section 4).
 */
#include "regrid/regrid_private.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <math.h>

static const double ROUNDING = 1e-6; /* of times to whole ps, beside what they are */

/* What the coefficients are multiplied by. */
typedef struct terms {
    double x[REGRID_TERMS];
} terms;

static terms terms_of(bool by_surface, sched_regrid_part part)
{
    return (terms){{by_surface ? part.surface : 1, part.volume}};
}

double sched_regrid_curve_at(const regrid_curve *curve, sched_regrid_part part)
{
    const terms t = terms_of(curve->by_surface, part);
    return curve->c[0] * t.x[0] + curve->c[1] * t.x[1];
}

/* Through two points; of more it is not known how far they are off. */
static bool join_two(regrid_curve *curve, const sched_regrid_part *parts, const double *times)
{
    const terms a = terms_of(curve->by_surface, parts[0]);
    const terms b = terms_of(curve->by_surface, parts[1]);
    const double det = a.x[0] * b.x[1] - b.x[0] * a.x[1];
    curve->c[0] = (times[0] * b.x[1] - times[1] * a.x[1]) / det;
    curve->c[1] = (a.x[0] * times[1] - b.x[0] * times[0]) / det;
    curve->residual = NAN;
    curve->quantile = NAN;
    return fabs(det) > ROUNDING;
}

/*
 * How far the curve may be off, by the residuals of all samples: what the fit gave no weight, since
 * a record is off as a whole or a rank was disturbed, does not move the curve but widens this.
 */
static void spread(regrid_curve *curve, const sched_regrid_part *parts, const double *times,
                   size_t n)
{
    double squares = 0;
    double xx = 0;
    double xv = 0;
    double vv = 0;
    curve->apart = 0;
    for (size_t i = 0; i < n; i++) {
        const terms t = terms_of(curve->by_surface, parts[i]);
        const double off = times[i] - sched_regrid_curve_at(curve, parts[i]);
        squares += off * off;
        curve->apart += fabs(off);
        xx += t.x[0] * t.x[0];
        xv += t.x[0] * t.x[1];
        vv += t.x[1] * t.x[1];
    }
    const double most = 0.975; /* of 95 %, both sides */
    const double variance = squares / (double)(n - REGRID_TERMS);
    const double det = xx * vv - xv * xv;
    curve->cov[0][0] = variance * vv / det;
    curve->cov[1][1] = variance * xx / det;
    curve->cov[0][1] = curve->cov[1][0] = -variance * xv / det;
    curve->residual = sqrt(squares / (double)n);
    curve->quantile = gsl_cdf_tdist_Pinv(most, (double)(n - REGRID_TERMS));
}

static bool fit_all(regrid_curve *curve, const sched_regrid_part *parts, const double *times,
                    size_t n)
{
    gsl_matrix *x = gsl_matrix_alloc(n, REGRID_TERMS);
    gsl_vector *c = gsl_vector_alloc(REGRID_TERMS);
    gsl_matrix *cov = gsl_matrix_alloc(REGRID_TERMS, REGRID_TERMS);
    gsl_multifit_robust_workspace *work =
        gsl_multifit_robust_alloc(gsl_multifit_robust_bisquare, n, REGRID_TERMS);
    const gsl_vector_const_view y = gsl_vector_const_view_array(times, n);
    for (size_t i = 0; i < n; i++) {
        const terms t = terms_of(curve->by_surface, parts[i]);
        for (size_t j = 0; j < REGRID_TERMS; j++) {
            gsl_matrix_set(x, i, j, t.x[j]);
        }
    }
    const int status = gsl_multifit_robust(x, &y.vector, c, cov, work);
    /* Weights may go to and fro between samples that are as far off: any of them will do. */
    const bool ok = status == GSL_SUCCESS || status == GSL_EMAXITER;
    if (ok) {
        curve->c[0] = gsl_vector_get(c, 0);
        curve->c[1] = gsl_vector_get(c, 1);
        spread(curve, parts, times, n);
    }
    gsl_multifit_robust_free(work);
    gsl_matrix_free(cov);
    gsl_vector_free(c);
    gsl_matrix_free(x);
    return ok;
}

static regrid_curve fit(bool by_surface, const sched_regrid_part *parts, const double *times,
                        uint32_t n)
{
    regrid_curve curve = {.by_surface = by_surface};
    curve.fitted = n > REGRID_TERMS ? fit_all(&curve, parts, times, n)
                                    : n == REGRID_TERMS && join_two(&curve, parts, times);
    const double one = curve.c[0] + curve.c[1];
    curve.fitted = curve.fitted && one > 0;
    if (by_surface) {
        curve.fitted = curve.fitted && MIN(curve.c[0], curve.c[1]) >= -ROUNDING * one;
    }
    return curve;
}

/* 3: or more. */
static uint32_t count_sizes(const sched_regrid_part *parts, uint32_t n, bool *surfaces_differ)
{
    uint32_t second = 0;
    uint32_t sizes = 1;
    *surfaces_differ = false;
    for (uint32_t i = 1; i < n; i++) {
        *surfaces_differ = *surfaces_differ || parts[i].surface != parts[0].surface;
        if (parts[i].volume != parts[0].volume) {
            sizes = second > 0 && parts[i].volume != parts[second].volume ? 3 : MAX(sizes, 2);
            second = second > 0 ? second : i;
        }
        if (sizes > 2) {
            break;
        }
    }
    return sizes;
}

regrid_curve sched_regrid_curve_fit(const sched_regrid_part *parts, const double *times, uint32_t n)
{
    bool surfaces_differ;
    const uint32_t sizes = count_sizes(parts, n, &surfaces_differ);
    if (sizes < 2) {
        return (regrid_curve){.fitted = false};
    }
    const regrid_curve line = fit(false, parts, times, n);
    if (!surfaces_differ) {
        return line;
    }
    const regrid_curve faces = fit(true, parts, times, n);
    const bool nearer = !line.fitted || sizes == 2 || faces.apart < line.apart;
    return faces.fitted && nearer ? faces : line;
}

double sched_regrid_curve_half(const regrid_curve *curve, sched_regrid_part part, double *of_factor)
{
    const double one = curve->c[0] + curve->c[1];
    const double now = sched_regrid_curve_at(curve, part);
    const terms t = terms_of(curve->by_surface, part);
    double time = 0;
    double factor = 0;
    for (size_t i = 0; i < REGRID_TERMS; i++) {
        for (size_t j = 0; j < REGRID_TERMS; j++) {
            /* The derivatives of now, and of now / one, whose errors are not independent. */
            const double by_i = (t.x[i] * one - now) / (one * one);
            const double by_j = (t.x[j] * one - now) / (one * one);
            time += t.x[i] * t.x[j] * curve->cov[i][j];
            factor += by_i * by_j * curve->cov[i][j];
        }
    }
    *of_factor = curve->quantile * sqrt(MAX(factor, 0));
    return curve->quantile * sqrt(MAX(time, 0));
}
