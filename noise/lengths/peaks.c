/* noise/lengths/peaks.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_modern, test_miner_simulated. */
#include "lengths/peaks.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define PROMINENCE  3.0  /* standard deviations */
#define MIN_MASS    3    /* events */
#define CHANCE      1e-5 /* that the ground piles up as high, above which a peak is none */
#define LEFT_BINS   64   /* ground is looked at from a quarter of a peak's value */
#define RIGHT_BINS  32   /* to twice it */
#define TAIL_BINS   32   /* within an octave of a peak … */
#define TAIL_SHARE  0.01 /* … less than this share of it is its tail */
#define SPREAD_OVER 16   /* a hill without a core that reaches down so far is ground */

/* Four times the smoothed count. */
static double smooth(const uint64_t *count, uint32_t n, uint32_t i)
{
    return (double)((i > 0 ? count[i - 1] : 0) + 2 * count[i] + (i + 1 < n ? count[i + 1] : 0));
}

typedef struct summit {
    uint32_t peak;
    uint32_t valley; /* lowest bin between it and the next summit */
} summit;

/* How many standard deviations the valley after summit i lies below the lower summit beside it. */
static double depth(const uint64_t *count, uint32_t n, const summit *s)
{
    const double low = fmin(smooth(count, n, s[0].peak), smooth(count, n, s[1].peak)) / 4;
    const double valley = smooth(count, n, s[0].valley) / 4;
    return (low - valley) / sqrt(low + valley);
}

/* All local maxima of first..last and the valleys between them. */
static void find_summits(const uint64_t *count, uint32_t n, uint32_t first, uint32_t last,
                         GArray *summits)
{
    g_array_set_size(summits, 0);
    bool rising = true;
    summit s = {first, first};
    for (uint32_t i = first + 1; i <= last; i++) {
        const double here = smooth(count, n, i);
        const double before = smooth(count, n, i - 1);
        if (rising && here >= before) {
            s.peak = i;
        } else if (rising) {
            rising = false;
            s.valley = i;
        } else if (here <= before) {
            s.valley = i;
        } else {
            rising = true;
            g_array_append_val(summits, s);
            s = (summit){i, i};
        }
    }
    g_array_append_val(summits, s);
}

/* Level the least prominent valley until all that remain are deep enough. */
static void level_valleys(const uint64_t *count, uint32_t n, GArray *summits)
{
    while (summits->len > 1) {
        summit *s = &g_array_index(summits, summit, 0);
        guint least = 0;
        for (guint i = 1; i + 1 < summits->len; i++) {
            least = depth(count, n, &s[i]) < depth(count, n, &s[least]) ? i : least;
        }
        if (depth(count, n, &s[least]) > PROMINENCE) {
            return;
        }
        const bool left_higher =
            smooth(count, n, s[least].peak) >= smooth(count, n, s[least + 1].peak);
        s[least].peak = left_higher ? s[least].peak : s[least + 1].peak;
        s[least].valley = s[least + 1].valley;
        g_array_remove_index(summits, least + 1);
    }
}

GArray *noise_miner_hills_new(const uint64_t *count, uint32_t n)
{
    GArray *hills = g_array_new(FALSE, FALSE, sizeof(miner_hill));
    g_autoptr(GArray) summits = g_array_new(FALSE, FALSE, sizeof(summit));
    for (uint32_t i = 0; i < n; i++) {
        if (count[i] == 0) {
            continue;
        }
        const uint32_t first = i;
        uint32_t last = i;
        while (i + 1 < n && (count[i + 1] > 0 || (i + 2 < n && count[i + 2] > 0))) {
            i++;
            last = count[i] > 0 ? i : last;
        }
        find_summits(count, n, first, last, summits);
        level_valleys(count, n, summits);
        miner_hill hill = {.first = first};
        for (guint k = 0; k < summits->len; k++) {
            const summit *s = &g_array_index(summits, summit, k);
            hill.peak = s->peak;
            hill.last = k + 1 < summits->len ? s->valley : last;
            hill.count = 0;
            for (uint32_t b = hill.first; b <= hill.last; b++) {
                hill.count += count[b];
            }
            g_array_append_val(hills, hill);
            hill.first = hill.last + 1;
        }
    }
    return hills;
}

/* A histogram at one resolution, some of whose bins are already part of a core. */
typedef struct ground {
    uint32_t n;
    uint32_t step;
    uint64_t count[MINER_BINS]; /* that no core has taken */
    double floor[MINER_BINS + 1];
} ground;

static void ground_init(ground *g, const uint64_t *count, const int32_t *owner, uint32_t step)
{
    g->n = MINER_BINS / step;
    g->step = step;
    for (uint32_t i = 0; i < g->n; i++) {
        g->floor[i] =
            ldexp(32 + (double)(i * step % 32), (int)(i * step / 32) - 1) * (double)SIM_NS;
        g->floor[i] = i * step < 32 ? (double)i * step * (double)SIM_NS : g->floor[i];
        g->count[i] = 0;
        for (uint32_t b = i * step; b < (i + 1) * step; b++) {
            g->count[i] += owner[b] < 0 ? count[b] : 0;
        }
    }
    g->floor[g->n] = 2 * g->floor[g->n - 1]; /* nothing is up there */
}

static double width(const ground *g, uint32_t first, uint32_t last)
{
    return g->floor[last + 1] - g->floor[first];
}

static uint64_t mass(const ground *g, uint32_t first, uint32_t last)
{
    uint64_t sum = 0;
    for (uint32_t i = first; i <= last; i++) {
        sum += g->count[i];
    }
    return sum;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Events per ps on the ground below a peak, from an eighth to 70 % of its value. The median over
 * bins: other peaks there do not count. */
static double density_below(const ground *g, uint32_t peak)
{
    double density[MINER_BINS];
    size_t n = 0;
    for (uint32_t i = peak; i-- > 0 && g->floor[i] >= g->floor[peak] / 8;) {
        if (g->floor[i + 1] <= 0.7 * g->floor[peak]) {
            density[n++] = (double)g->count[i] / width(g, i, i);
        }
    }
    qsort(density, n, sizeof *density, by_value);
    return n == 0 ? 0 : density[n / 2];
}

/* Does the ground within reach pile up as many as first..last by chance? Half an event stands in
 * for ground where none was seen. */
static bool significant(const ground *g, uint32_t first, uint32_t last)
{
    const uint64_t here = mass(g, first, last);
    if (here < MIN_MASS) {
        return false;
    }
    const uint32_t left = LEFT_BINS / g->step;
    const uint32_t right = RIGHT_BINS / g->step;
    const uint32_t low = first > left ? first - left : 0;
    const uint32_t high = MIN(last + right, g->n - 1);
    double density = 0;
    if (first > 0) {
        density = ((double)mass(g, low, first - 1) + 0.5) / width(g, low, first - 1);
    }
    if (high > last) {
        density = fmax(density, ((double)mass(g, last + 1, high) + 0.5) / width(g, last + 1, high));
    }
    return gsl_cdf_poisson_Q((unsigned)MIN(here - 1, UINT32_MAX), density * width(g, first, last)) <
           CHANCE;
}

/* Rests of detours lie below the whole ones, and more densely the shorter the waits: a broad hill
 * that ends at a core already found is its shoulder. */
static bool is_shoulder(const ground *g, const GArray *cores, const miner_hill *hill)
{
    for (guint i = 0; i < cores->len; i++) {
        const miner_core *c = &g_array_index(cores, miner_core, i);
        if (c->last >= hill->first * g->step && c->first <= (hill->last + 2) * g->step) {
            return true;
        }
    }
    return false;
}

/* The part of a hill that rises above the ground; false if there is none. */
static bool core_of_hill(const ground *g, const GArray *cores, const miner_hill *hill,
                         miner_core *core)
{
    const bool shoulder = is_shoulder(g, cores, hill);
    if (shoulder && g->step > 1) {
        return false;
    }
    const double density = density_below(g, hill->peak);
    *core = (miner_core){.first = hill->peak, .last = hill->peak};
    for (uint32_t i = hill->peak; i-- > hill->first;) {
        const double level = density * width(g, i, i);
        if ((double)g->count[i] > level + PROMINENCE * sqrt(level)) {
            core->first = i;
        } else if (density > 0) {
            break;
        }
    }
    for (uint32_t i = hill->peak + 1; i <= hill->last; i++) {
        const double level = density * width(g, i, i);
        if ((double)g->count[i] > level + PROMINENCE * sqrt(level)) {
            core->last = i;
        } else if (density > 0) {
            break;
        }
    }
    const double level = density * width(g, core->first, core->last);
    if ((double)mass(g, core->first, core->last) > level + 2 * PROMINENCE * sqrt(level)) {
        return significant(g, core->first, core->last);
    }
    *core = (miner_core){.first = hill->first, .last = hill->last};
    return !shoulder && g->floor[hill->first] > g->floor[hill->peak] / SPREAD_OVER &&
           significant(g, hill->first, hill->last);
}

/* A few events beside a high peak are its tail. */
static bool is_tail(const ground *g, const GArray *cores, const miner_core *core)
{
    const uint64_t here = mass(g, core->first, core->last);
    for (guint i = 0; i < cores->len; i++) {
        const miner_core *c = &g_array_index(cores, miner_core, i);
        if (c->first <= (core->last + 1) * g->step + TAIL_BINS &&
            core->first * g->step <= c->last + TAIL_BINS &&
            (double)here < TAIL_SHARE * (double)c->count) {
            return true;
        }
    }
    return false;
}

static int by_count(const void *a, const void *b)
{
    const miner_hill *x = a;
    const miner_hill *y = b;
    if (x->count != y->count) {
        return x->count > y->count ? -1 : 1;
    }
    return (x->first > y->first) - (x->first < y->first);
}

GArray *noise_miner_cores_new(const uint64_t *count, int32_t *owner)
{
    static const uint32_t steps[] = {1, 4, 16};
    GArray *cores = g_array_new(FALSE, FALSE, sizeof(miner_core));
    for (uint32_t b = 0; b < MINER_BINS; b++) {
        owner[b] = -1;
    }
    g_autofree ground *g = g_new(ground, 1);
    for (size_t s = 0; s < G_N_ELEMENTS(steps); s++) {
        ground_init(g, count, owner, steps[s]);
        g_autoptr(GArray) hills = noise_miner_hills_new(g->count, g->n);
        g_array_sort(hills, by_count);
        for (guint i = 0; i < hills->len; i++) {
            miner_core core;
            if (!core_of_hill(g, cores, &g_array_index(hills, miner_hill, i), &core) ||
                is_tail(g, cores, &core)) {
                continue;
            }
            const miner_core found = {
                .first = core.first * g->step,
                .last = (core.last + 1) * g->step - 1,
                .count = mass(g, core.first, core.last),
            };
            for (uint32_t b = found.first; b <= found.last; b++) {
                owner[b] = owner[b] < 0 ? (int32_t)cores->len : owner[b];
            }
            for (uint32_t i_g = core.first; i_g <= core.last; i_g++) {
                g->count[i_g] = 0;
            }
            g_array_append_val(cores, found);
        }
    }
    return cores;
}
