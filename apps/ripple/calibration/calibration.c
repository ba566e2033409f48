/* apps/ripple/calibration/calibration.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibration. */
#include "calibration/calibration.h"

#include "calibration/round.h"
#include "calibration/samples.h"
#include "output/error.h"
#include "statistics/statistics.h"

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

static const double LEVEL = 0.95;
static const double STEPS = 1e6; /* of a ns: what values are counted in */

/* The rounds that values are of, and which of them agree. */
typedef struct rounds {
    size_t n;
    app_round *round; /* [n] */
    bool *is_kept;    /* [n] */
} rounds;

static void rounds_clear_fits(rounds *r)
{
    for (size_t i = 0; i < r->n; i++) {
        app_round_clear(&r->round[i]);
    }
}

static void rounds_clear(rounds *r)
{
    rounds_clear_fits(r);
    g_free(r->round);
    g_free(r->is_kept);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(rounds, rounds_clear)

static bool agree(const rounds *r, size_t i, size_t j)
{
    return app_round_apart(&r->round[i], &r->round[j]) <= 1 + APP_CALIBRATION_ALIKE;
}

/* The mean of the logarithms of all sizes: rounds are the slower the larger it is. */
static double slowness(const app_round *round)
{
    double sum = 0;
    for (size_t i = 0; i < round->num_sizes; i++) {
        sum += log(round->half[i]);
    }
    return sum / (double)MAX(round->num_sizes, 1);
}

static size_t agreeing(const rounds *r, size_t i)
{
    size_t others = 0;
    for (size_t j = 0; j < r->n; j++) {
        others += agree(r, i, j);
    }
    return others;
}

/* Of all rounds (NULL) or of those that agree with @p near the one that most rounds agree with; of
 * several such the fastest. */
static size_t middle_of(const rounds *r, const size_t *near)
{
    size_t centre = near != NULL ? *near : 0;
    for (size_t i = 0; i < r->n; i++) {
        const size_t more = agreeing(r, i);
        const size_t most = agreeing(r, centre);
        if ((near == NULL || agree(r, *near, i)) &&
            (more > most ||
             (more == most && slowness(&r->round[i]) < slowness(&r->round[centre])))) {
            centre = i;
        }
    }
    return centre;
}

/* Of the groups of rounds that agree and are enough for an interval the fastest, since what
 * disturbs messages only makes them longer; if there is none, the largest group. In company, the
 * largest as well: threads that share a core exchange messages fast, and compute slowly. */
static void keep_group(rounds *r, app_calibration *c)
{
    size_t fastest = r->n;
    c->num_rounds = 0;
    c->others_fastest = c->others_slowest = 0;
    for (size_t i = 0; i < r->n && !c->in_company; i++) {
        if (agreeing(r, i) >= APP_CALIBRATION_LEAST &&
            (fastest == r->n || slowness(&r->round[i]) < slowness(&r->round[fastest]))) {
            fastest = i;
        }
    }
    const size_t centre = middle_of(r, fastest < r->n ? &fastest : NULL);
    for (size_t i = 0; i < r->n; i++) {
        r->is_kept[i] = agree(r, centre, i);
        c->num_rounds += r->is_kept[i];
        if (!r->is_kept[i]) {
            const double times = exp(slowness(&r->round[i]) - slowness(&r->round[centre]));
            const bool is_first = c->others_slowest == 0;
            c->others_fastest = is_first ? times : fmin(c->others_fastest, times);
            c->others_slowest = fmax(c->others_slowest, times);
        }
    }
}

/* The median of those that are numbers; all 0: there is none. */
static app_calibrated_value median_of(const double *values, size_t num_values)
{
    g_autofree sim_time *steps = g_new(sim_time, num_values + 1);
    size_t n = 0;
    for (size_t i = 0; i < num_values; i++) {
        if (!isnan(values[i])) {
            steps[n++] = (sim_time)rint(values[i] * STEPS);
        }
    }
    if (n == 0) {
        return (app_calibrated_value){0};
    }
    const app_statistics s = app_statistics_of(steps, n, LEVEL);
    return (app_calibrated_value){(double)s.median / STEPS, (double)s.low / STEPS,
                                  (double)s.high / STEPS, s.level};
}

/* ... of the rounds that are kept, of the double at that place of each. */
static app_calibrated_value median_at(const rounds *r, size_t offset)
{
    g_autofree double *values = g_new(double, r->n + 1);
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (r->is_kept[i]) {
            values[n++] = *(const double *)((const char *)&r->round[i] + offset);
        }
    }
    return median_of(values, n);
}

/* A size that each round finds by bisection: the middle one, or INT64_MAX. */
static int64_t middle_size(const int64_t *sizes, size_t n)
{
    g_autofree double *values = g_new(double, n);
    for (size_t i = 0; i < n; i++) {
        values[i] = (double)MIN(sizes[i], APP_SAMPLE_NONE);
    }
    const double median = gsl_stats_median(values, 1, n);
    return median >= (double)APP_SAMPLE_NONE ? INT64_MAX : (int64_t)median;
}

static int64_t middle_waits(const rounds *r)
{
    g_autofree int64_t *waits = g_new(int64_t, r->n);
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (r->is_kept[i]) {
            waits[n++] = r->round[i].waits;
        }
    }
    return middle_size(waits, n);
}

static app_calibrated_value median_of_value(const rounds *r, app_calibrated which)
{
    return median_at(r, offsetof(app_round, value) + which * sizeof(double));
}

/* Is H more than nothing, by its interval, and not a matter of rounding? */
static bool has_told_handshake(const rounds *r)
{
    const app_calibrated_value H = median_of_value(r, APP_CALIBRATED_H);
    return H.level >= APP_CALIBRATION_LEVEL &&
           H.low > APP_CALIBRATION_HANDSHAKE * median_of_value(r, APP_CALIBRATED_WAY).value;
}

static void set_values(const rounds *r, app_calibration *c)
{
    for (size_t i = 0; i < APP_NUM_CALIBRATED; i++) {
        c->value[i] = median_of_value(r, (app_calibrated)i);
    }
    /* The medians of a sum's parts need not add up to the sum's; the round trip is what counts. */
    app_calibrated_value *L = &c->value[APP_CALIBRATED_L];
    L->value = c->value[APP_CALIBRATED_WAY].value - 2 * c->value[APP_CALIBRATED_o].value;
    L->low = fmin(L->low, L->value);
    L->high = fmax(L->high, L->value);
    c->left = median_at(r, offsetof(app_round, left));
    c->unrest = median_at(r, offsetof(app_round, unrest)).value;
    c->cold = median_at(r, offsetof(app_round, cold));
    c->waits = middle_waits(r);
    c->guessed = c->left.value < APP_ROUND_LEAST_L * c->value[APP_CALIBRATED_WAY].value;
}

static void compare_sizes(const app_samples *s, const rounds *r, app_calibration *c)
{
    double value[APP_NUM_CALIBRATED];
    for (size_t i = 0; i < APP_NUM_CALIBRATED; i++) {
        value[i] = c->value[i].value;
    }
    c->sizes = g_new0(app_calibration_size, s->num_samples + 1);
    g_autofree double *halves = g_new(double, r->n + 1);
    for (size_t i = 0; i < s->num_samples; i++) {
        if (s->samples[i].kind != APP_SAMPLE_ROUND_TRIP) {
            continue;
        }
        size_t n = 0;
        for (size_t k = 0; k < r->n; k++) {
            if (r->is_kept[k]) {
                halves[n++] = r->round[k].half[c->num_sizes];
            }
        }
        const int64_t bytes = s->samples[i].bytes;
        const app_calibrated_value half = median_of(halves, n);
        c->sizes[c->num_sizes++] = (app_calibration_size){bytes, half.value, half.low, half.high,
                                                          app_round_model(value, c->S, bytes)};
    }
}

static app_calibrated_value median_of_call(const rounds *r, size_t call, size_t offset)
{
    return median_at(r, offsetof(app_round, call) + call * sizeof(app_round_call) + offset);
}

static void set_calls(const rounds *r, app_calibration *c)
{
    double value[APP_NUM_CALIBRATED];
    for (size_t i = 0; i < APP_NUM_CALIBRATED; i++) {
        value[i] = c->value[i].value;
    }
    for (size_t i = 0; i < SIM_NUM_CALLS; i++) {
        app_calibrated_call *call = &c->call[i];
        for (size_t k = 0; k < call->num_sizes; k++) {
            call->measured[k] =
                median_of_call(r, i, offsetof(app_round_call, measured) + k * sizeof(double));
            call->model[k] = app_calls_model((sim_call)i, call->bytes[k], value, c->S);
        }
        call->time = median_of_call(r, i, offsetof(app_round_call, time));
        call->byte = median_of_call(r, i, offsetof(app_round_call, byte));
        call->cold = median_of_call(r, i, offsetof(app_round_call, cold));
    }
}

static void set_walks(const rounds *r, app_calibration *c)
{
    static const size_t OFFSETS[APP_WALK_VALUES] = {offsetof(app_round_walk, computed),
                                                    offsetof(app_round_walk, first),
                                                    offsetof(app_round_walk, further)};
    for (size_t i = 0; i < c->num_walks; i++) {
        for (size_t k = 0; k < APP_WALK_VALUES; k++) {
            c->walk[i].value[k] =
                median_at(r, offsetof(app_round, walk) + i * sizeof(app_round_walk) + OFFSETS[k]);
        }
    }
}

/* "NODE/CPU NODE/CPU" */
static bool same(const char *places, bool cpus)
{
    g_auto(GStrv) place = g_strsplit(places, " ", 2);
    if (g_strv_length(place) != 2) {
        return false;
    }
    if (!cpus) {
        for (int i = 0; i < 2; i++) {
            char *slash = strrchr(place[i], '/');
            if (slash != NULL) {
                *slash = '\0';
            }
        }
    }
    return g_str_equal(place[0], place[1]);
}

/* What is wrong with where a round ran. */
static char *misplaced(const app_samples *s)
{
    if (same(s->begin, true) || same(s->end, true)) {
        return g_strdup_printf("both ranks ran on one CPU (%s): each needs one of its own",
                               same(s->begin, true) ? s->begin : s->end);
    }
    if (!g_str_equal(s->begin, s->end)) {
        return g_strdup_printf("the ranks were moved to other CPUs meanwhile (%s; %s)", s->begin,
                               s->end);
    }
    return NULL;
}

static double unsure(const app_calibrated_value *v)
{
    return v->value > 0 ? fmax(v->high - v->value, v->value - v->low) / v->value : 0;
}

static char *too_noisy(const app_calibration *c)
{
    if (c->num_rounds < APP_CALIBRATION_LEAST) {
        return g_strdup_printf("the machine was too noisy: of %zu rounds no more than %zu agree "
                               "within %g %%, and %d have to",
                               c->num_measured, c->num_rounds, 100 * APP_CALIBRATION_ALIKE,
                               APP_CALIBRATION_LEAST);
    }
    if (c->unrest > APP_CALIBRATION_UNREST) {
        return g_strdup_printf("the machine was too noisy: half of the messages took at least "
                               "%.0f %% longer than the fastest quarter",
                               100 * c->unrest);
    }
    static const struct {
        app_calibrated which;
        const char *name;
    } ROWS[] = {{APP_CALIBRATED_WAY, "L + 2 o"}, {APP_CALIBRATED_G, "G"}};
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        const double off = unsure(&c->value[ROWS[i].which]);
        if (off > APP_CALIBRATION_UNSURE) {
            return g_strdup_printf("the machine was too noisy: %s may be off by %.0f %%",
                                   ROWS[i].name, 100 * off);
        }
    }
    return NULL;
}

/* The values of one round. @return false: there is not every kind, and every size of the first */
static bool fit_round(const app_samples *s, const app_samples *first, const app_calibration *c,
                      app_round *out)
{
    bool is_whole = app_round_fit(s, c->S, c->has_handshake, out);
    for (size_t i = 0; i < first->num_samples; i++) {
        const app_sample *each = &first->samples[i];
        is_whole = is_whole && (each->kind != APP_SAMPLE_ROUND_TRIP ||
                                app_samples_find(s, each->kind, each->bytes) != NULL);
    }
    if (!is_whole) {
        app_round_clear(out);
    }
    return is_whole;
}

static void free_samples(void *samples)
{
    app_samples_free(samples);
}

/* What the rounds wrote, in their order. @return NULL with an error */
static GPtrArray *read_samples(char **paths, GError **error)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(free_samples);
    for (char **path = paths; *path != NULL; path++) {
        app_samples *s = app_samples_read(*path, error);
        if (s == NULL) {
            return NULL;
        }
        g_ptr_array_add(all, s);
    }
    return g_steal_pointer(&all);
}

static int64_t middle_limit(const GPtrArray *samples)
{
    g_autofree int64_t *limits = g_new(int64_t, samples->len);
    for (guint i = 0; i < samples->len; i++) {
        limits[i] = app_round_limit(samples->pdata[i]);
    }
    return middle_size(limits, samples->len);
}

/* Has every round measured what it has to? All visits are still there. */
static bool check_rounds(const GPtrArray *samples, char **paths, app_calibration *c, GError **error)
{
    for (guint i = 0; i < samples->len; i++) {
        app_round round;
        if (!fit_round(samples->pdata[i], samples->pdata[0], c, &round)) {
            g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                        "%s: lacks measurements that the values are found by", paths[i]);
            return false;
        }
        app_round_clear(&round);
        if (c->invalid == NULL) {
            c->invalid = misplaced(samples->pdata[i]);
        }
    }
    return true;
}

/* The slowest pace of a visit that counts; its share of the visits in @p share. */
static double find_pace(const GPtrArray *samples, double *share)
{
    g_autoptr(GArray) paces = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < samples->len; i++) {
        const app_samples *s = samples->pdata[i];
        for (size_t k = 0; k < s->num_visits; k++) {
            if (s->visits[k].kind < APP_SAMPLE_WALK) {
                g_array_append_val(paces, s->visits[k].pace);
            }
        }
    }
    double *pace = (double *)(void *)paces->data;
    gsl_sort(pace, 1, paces->len);
    const double most = APP_CALIBRATION_PACE * gsl_stats_quantile_from_sorted_data(
                                                   pace, 1, paces->len, APP_CALIBRATION_FASTEST);
    size_t n = 0;
    while (n < paces->len && pace[n] <= most) {
        n++;
    }
    *share = (double)n / (double)paces->len;
    return most;
}

/* The rounds by their visits of at most that pace: those that still have every kind and size, all
 * of which @p first has. */
static void fit_rounds(const GPtrArray *samples, const app_samples *first, const app_calibration *c,
                       double pace, rounds *out)
{
    int64_t sizes[SIM_NUM_CALLS][APP_CALL_SIZES];
    size_t num_sizes[SIM_NUM_CALLS];
    for (size_t i = 0; i < SIM_NUM_CALLS; i++) {
        memcpy(sizes[i], c->call[i].bytes, sizeof sizes[i]);
        num_sizes[i] = c->call[i].num_sizes;
    }
    int64_t walks[APP_WALKS];
    for (size_t i = 0; i < c->num_walks; i++) {
        walks[i] = c->walk[i].bytes;
    }
    out->n = 0;
    for (guint i = 0; i < samples->len; i++) {
        app_samples_keep(samples->pdata[i], pace);
        if (fit_round(samples->pdata[i], first, c, &out->round[out->n])) {
            app_round_fit_calls(samples->pdata[i], sizes, num_sizes, &out->round[out->n]);
            app_walks_fit(samples->pdata[i], walks, c->num_walks, out->round[out->n].walk);
            out->n++;
        }
    }
}

/* By the visits whose cores were undisturbed, if there are enough rounds of such. */
static void fit_undisturbed(const GPtrArray *samples, const app_samples *first, app_calibration *c,
                            rounds *out)
{
    const double pace = find_pace(samples, &c->undisturbed);
    fit_rounds(samples, first, c, pace, out);
    c->num_disturbed = samples->len - out->n;
    c->in_company = out->n < APP_CALIBRATION_LEAST;
    if (c->in_company) {
        rounds_clear_fits(out);
        fit_rounds(samples, first, c, INFINITY, out);
    }
}

app_calibration *app_calibration_read(char **paths, GError **error)
{
    const size_t n = g_strv_length(paths);
    g_auto(rounds) all = {0, g_new0(app_round, n), g_new0(bool, n)};
    g_autoptr(GPtrArray) samples = read_samples(paths, error);
    g_autoptr(app_samples) first = samples != NULL ? app_samples_read(paths[0], error) : NULL;
    if (first == NULL) {
        return NULL;
    }
    g_autoptr(app_calibration) c = g_new0(app_calibration, 1);
    c->S = middle_limit(samples);
    if (!check_rounds(samples, paths, c, error)) {
        return NULL;
    }
    c->mpi = g_strdup(first->mpi);
    c->places = g_strdup(first->begin);
    c->one_node = same(first->begin, false);
    for (int i = 0; i < SIM_NUM_CALLS; i++) {
        c->call[i].num_sizes = app_calls_sizes(first, (sim_call)i, c->call[i].bytes);
    }
    int64_t walks[APP_WALKS];
    c->num_walks = app_walks_sizes(first, walks);
    for (size_t i = 0; i < c->num_walks; i++) {
        c->walk[i].bytes = walks[i];
    }
    c->num_measured = n;
    c->has_handshake = c->S != INT64_MAX;
    fit_undisturbed(samples, first, c, &all);
    keep_group(&all, c);
    if (c->has_handshake && !has_told_handshake(&all)) {
        c->has_handshake = false;
        rounds_clear_fits(&all);
        fit_undisturbed(samples, first, c, &all);
        keep_group(&all, c);
    }
    set_values(&all, c);
    set_calls(&all, c);
    set_walks(&all, c);
    compare_sizes(first, &all, c);
    if (c->invalid == NULL) {
        c->invalid = too_noisy(c);
    }
    return g_steal_pointer(&c);
}

void app_calibration_free(app_calibration *c)
{
    if (c != NULL) {
        g_free(c->mpi);
        g_free(c->places);
        g_free(c->sizes);
        g_free(c->invalid);
        g_free(c);
    }
}
