/* tests/noise/interference/test_scorer_oracle.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The scorer against its definition, sample by sample, and against itself in another order. */
#include "interference_models.h"

#include "check.h"

#include "noise/random.h"

#define MOST_RANKS 12
#define SAMPLES    30

/* Whole milliseconds up to 15 make ties likely. */
typedef struct run {
    uint32_t ranks, num[MOST_RANKS];
    uint32_t nodes[MOST_RANKS];
    int64_t ms[MOST_RANKS][2][SAMPLES];
} run;

static run any_run(uint64_t seed)
{
    run r = {.ranks = 5 + (uint32_t)noise_random_below(seed, 1, 0, MOST_RANKS - 4)};
    for (uint32_t rank = 0; rank < r.ranks; rank++) {
        r.nodes[rank] = rank / (1 + (uint32_t)(seed % 2));
        r.num[rank] = SAMPLES - (uint32_t)noise_random_below(seed, 2, rank, 3);
        for (uint32_t l = 0; l < 2; l++) {
            for (uint32_t t = 0; t < SAMPLES; t++) {
                r.ms[rank][l][t] =
                    (int64_t)noise_random_below(seed, 3, (rank * 2 + l) * SAMPLES + t, 16);
            }
        }
    }
    return r;
}

/* --- The definition --------------------------------------------------------------------------- */

/* (n S - sum)^2 10^6 > k^2 (n squares - sum^2): all fit 64 bits here. */
static bool above_mean(const int64_t *ms, const bool *take, uint32_t n, int64_t s, int64_t k)
{
    int64_t num = 0, sum = 0, squares = 0;
    for (uint32_t i = 0; i < n; i++) {
        num += take[i];
        sum += take[i] ? ms[i] : 0;
        squares += take[i] ? ms[i] * ms[i] : 0;
    }
    const int64_t above = num * s - sum;
    return above > 0 && above * above * 1000000 > k * k * (num * squares - sum * sum);
}

/* By counting: the i-th smallest has at most i below it. */
static int64_t ith(const int64_t *values, uint32_t n, uint32_t i)
{
    for (int64_t v = 0;; v++) {
        uint32_t upto = 0;
        for (uint32_t j = 0; j < n; j++) {
            upto += values[j] <= v;
        }
        if (upto > i) {
            return v;
        }
    }
}

static bool above_median(const int64_t *ms, uint32_t n, int64_t s, int64_t k)
{
    int64_t away[MOST_RANKS];
    const int64_t twice = ith(ms, n, (n - 1) / 2) + ith(ms, n, n / 2);
    for (uint32_t i = 0; i < n; i++) {
        away[i] = llabs(2 * ms[i] - twice);
    }
    const int64_t four = ith(away, n, (n - 1) / 2) + ith(away, n, n / 2);
    /* S - twice / 2 > k / 1000 * 1.4826 * four / 4 */
    return 20000000 * (2 * s - twice) > k * 14826 * four;
}

static bool exceeds(const run *r, noise_interference_reference reference, uint32_t rank, uint32_t l,
                    uint32_t t, int64_t k)
{
    int64_t ms[MOST_RANKS];
    bool take[MOST_RANKS];
    for (uint32_t i = 0; i < r->ranks; i++) {
        ms[i] = r->ms[i][l][t];
        take[i] = reference == NOISE_REFERENCE_PAPER || r->nodes[i] != r->nodes[rank];
    }
    return reference == NOISE_REFERENCE_MAD ? above_median(ms, r->ranks, ms[rank], k)
                                            : above_mean(ms, take, r->ranks, ms[rank], k);
}

/* --- The scorer, in some order ------------------------------------------------------------------
 */

/* @param order 0: rank by rank; else ranks take turns at random */
static noise_interference_scorer *score(const noise_interference_model *m, const run *r,
                                        uint64_t order)
{
    noise_interference_error error = {{0}};
    noise_interference_scorer *s = noise_interference_scorer_new(
        m, &(noise_interference_options){.num_ranks = r->ranks, .nodes = r->nodes, .course = 10},
        &error);
    CHECK(s != NULL, "%s", error.text);
    uint32_t done[MOST_RANKS] = {0}, left = r->ranks;
    for (uint64_t draw = 0; left > 0; draw++) {
        uint32_t rank = (uint32_t)noise_random_below(order, 5, draw, r->ranks);
        for (uint32_t i = 0; order == 0 && i < r->ranks; i++) {
            rank = done[i] < 2 * r->num[i] ? i : rank;
        }
        if (done[rank] == 2 * r->num[rank]) {
            continue;
        }
        const uint32_t l = done[rank] % 2, t = done[rank] / 2;
        const noise_sample sample = {.sequence = l,
                                     .t = t,
                                     .compute = r->ms[rank][l][t] * SIM_MS,
                                     .begin = t * SIM_S,
                                     .end = (t + 1) * SIM_S,
                                     .has_cpu = (rank + t) % 3 > 0,
                                     .off = r->ms[rank][l][t] * SIM_MS / (2 + (sim_time)t % 2)};
        CHECK(noise_interference_scorer_add(s, rank, &sample));
        if (++done[rank] == 2 * r->num[rank]) {
            left--;
            if (order % 2 == 1) { /* others need not wait for it; the result is the same */
                noise_interference_scorer_end(s, rank);
            }
        }
    }
    noise_interference_scorer_finish(s);
    return s;
}

static void it_counts_what_the_definition_says(void)
{
    static const uint32_t lengths[] = {4, 1};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const run r = any_run(seed);
        const noise_interference_reference reference = (noise_interference_reference)(seed % 3);
        const uint32_t k = 500 * (uint32_t)(seed % 7);
        noise_interference_model *m = some_model(reference, lengths, 2, 0, k);
        m->filter = 3 * SIM_MS;
        noise_interference_scorer *s = score(m, &r, seed);
        uint32_t least = SAMPLES;
        for (uint32_t rank = 0; rank < r.ranks; rank++) {
            least = r.num[rank] < least ? r.num[rank] : least;
        }
        for (uint32_t rank = 0; rank < r.ranks; rank++) {
            for (uint32_t l = 0; l < 2; l++) {
                uint64_t judged = 0, exceeded = 0;
                for (uint32_t t = 0; t < least; t++) {
                    const bool counts = r.ms[rank][l][t] >= 3;
                    judged += counts;
                    exceeded += counts && exceeds(&r, reference, rank, l, t, k);
                }
                const noise_interference_signal *got = noise_interference_scorer_signal(s, rank, l);
                CHECK_I64(got->judged, judged, "seed %" PRIu64, seed);
                CHECK_I64(got->exceeded, exceeded, "seed %" PRIu64 ", rank %u", seed, rank);
                CHECK_I64(got->split, 0);
                CHECK_I64(got->loss[NOISE_INTERFERENCE_DISTURBED].exceeded, exceeded);
                CHECK_I64(got->loss[NOISE_INTERFERENCE_SLOWER].exceeded, 0);
                CHECK_I64(got->unmatched, r.num[rank] - least, "seed %" PRIu64, seed);
            }
        }
        noise_interference_scorer_free(s);
        noise_interference_model_free(m);
    }
}

static bool same_loss(const noise_interference_loss *a, const noise_interference_loss *b)
{
    bool all =
        a->exceeded == b->exceeded && a->lost == b->lost && a->num_stretches == b->num_stretches;
    for (uint32_t i = 0; all && i < a->num_stretches; i++) {
        const noise_interference_stretch *x = &a->stretches[i], *y = &b->stretches[i];
        all = x->begin == y->begin && x->end == y->end && x->lost == y->lost && x->open == y->open;
    }
    return all;
}

/* As bytes, but for what lies between members. */
static bool same(const noise_interference_signal *a, const noise_interference_signal *b)
{
    bool all = a->seen == b->seen && a->filtered == b->filtered && a->judged == b->judged &&
               a->exceeded == b->exceeded && a->unmatched == b->unmatched && a->late == b->late &&
               a->cut == b->cut && a->work == b->work && a->excess == b->excess &&
               a->split == b->split && a->num_points == b->num_points;
    for (int kind = 0; kind < NOISE_INTERFERENCE_KINDS; kind++) {
        all = all && same_loss(&a->loss[kind], &b->loss[kind]);
    }
    for (uint32_t i = 0; all && i < a->num_points; i++) {
        const noise_interference_point *x = &a->points[i], *y = &b->points[i];
        all = x->t == y->t && x->end == y->end && x->judged == y->judged &&
              x->exceeded == y->exceeded;
    }
    return all;
}

static void any_interleaving_gives_the_same_bytes(void)
{
    static const uint32_t lengths[] = {4, 1};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const run r = any_run(seed);
        noise_interference_model *m =
            some_model((noise_interference_reference)(seed % 3), lengths, 2, 0, 1000);
        m->onset.alarm = 1000; /* so that there are stretches to compare */
        m->onset.allowance = 200;
        for (uint32_t l = 0; l < 2; l++) { /* of any rank: half of it off the CPU */
            m->rows[l].count = 1;
            m->rows[l].mean = m->rows[l].centre = 8 * SIM_MS;
            m->rows[l].residual = m->rows[l].off_deviation = SIM_MS;
            m->rows[l].off = 3 * SIM_MS;
            m->rows[l].has_cpu = true;
        }
        noise_interference_scorer *first = score(m, &r, 0);
        uint64_t stretches = 0, slower = 0;
        for (uint64_t order = 1; order <= 5; order++) {
            noise_interference_scorer *s = score(m, &r, order);
            for (uint32_t rank = 0; rank < r.ranks; rank++) {
                for (uint32_t l = 0; l < 2; l++) {
                    const noise_interference_signal *a =
                        noise_interference_scorer_signal(first, rank, l);
                    CHECK(same(a, noise_interference_scorer_signal(s, rank, l)),
                          "seed %" PRIu64 ", order %" PRIu64 ", rank %u", seed, order, rank);
                    stretches += a->loss[NOISE_INTERFERENCE_DISTURBED].num_stretches;
                    slower += a->loss[NOISE_INTERFERENCE_SLOWER].num_stretches;
                }
            }
            noise_interference_scorer_free(s);
        }
        CHECK(stretches > 0 && slower > 0, "seed %" PRIu64, seed);
        noise_interference_scorer_free(first);
        noise_interference_model_free(m);
    }
}

static void sums_of_long_samples_are_exact(void)
{
    /* Of 2^53 ps less 1 or 2: their squares differ in the last of 106 bits. z = 2 = sqrt(5 - 1)
     * exactly for one outlier by a single picosecond. */
    static const uint32_t length = 1;
    static const struct {
        uint32_t k;
        uint64_t exceeded;
    } row[] = {{2000, 0}, {1999, 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        noise_interference_model *m = some_model(NOISE_REFERENCE_PAPER, &length, 1, 0, row[i].k);
        noise_interference_error error;
        noise_interference_scorer *s =
            noise_interference_scorer_new(m, &(noise_interference_options){.num_ranks = 5}, &error);
        for (uint32_t rank = 0; rank < 5; rank++) {
            const noise_sample sample = {.compute =
                                             NOISE_INTERFERENCE_LONGEST - (rank == 4 ? 1 : 2)};
            noise_interference_scorer_add(s, rank, &sample);
        }
        noise_interference_scorer_finish(s);
        CHECK_I64(noise_interference_scorer_signal(s, 4, 0)->exceeded, row[i].exceeded);
        noise_interference_scorer_free(s);
        noise_interference_model_free(m);
    }
}

SUITE_MAIN("scorer_oracle", TEST(it_counts_what_the_definition_says),
           TEST(any_interleaving_gives_the_same_bytes), TEST(sums_of_long_samples_are_exact))
