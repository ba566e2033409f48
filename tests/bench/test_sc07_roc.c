/* tests/bench/test_sc07_roc.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "roc.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { MANY = 2000 };

/* "+" disturbed, "-" not; scores fall from left to right, and are the same within a word. */
static size_t read_scores(const char *text, sc07_scored *out)
{
    size_t n = 0;
    double score = 100;
    for (; *text != '\0'; text++) {
        if (*text == ' ') {
            score--;
        } else {
            out[n] = (sc07_scored){score, 0.5, (uint32_t)n, *text == '+'};
            n++;
        }
    }
    return n;
}

static void the_area_is_the_chance_that_a_disturbed_rank_is_higher(void)
{
    static const struct {
        const char *scores;
        double area;
    } rows[] = {
        {"+ + - -", 1}, {"- - + +", 0},   {"+ - + -", 0.75},   {"+-", 0.5},
        {"+++ ---", 1}, {"++-- +-", 0.5}, {"++- +--", 6. / 9}, {"+ -+ -", 0.875},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        sc07_scored s[16];
        const size_t n = read_scores(rows[i].scores, s);
        const sc07_roc roc = sc07_roc_of(s, n, (uint32_t)n, 0.9);
        CHECK_NEAR(roc.area.value, rows[i].area, 1e-12, "%s", rows[i].scores);
    }
}

/* Every pair, as the definition has it. */
static double naive_area(const sc07_scored *s, size_t n)
{
    double higher = 0;
    double pairs = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            if (s[i].disturbed && !s[k].disturbed) {
                pairs++;
                higher += s[i].score > s[k].score ? 1 : s[i].score == s[k].score ? 0.5 : 0;
            }
        }
    }
    return higher / pairs;
}

/* Groups of ten; the disturbed fifth is higher by @p shift standard deviations. */
static void draw(gsl_rng *random, sc07_scored *s, double shift, double coarse)
{
    for (size_t i = 0; i < MANY; i++) {
        const bool disturbed = i % 5 == 0;
        const double x = gsl_ran_ugaussian(random) + (disturbed ? shift : 0);
        s[i] = (sc07_scored){coarse > 0 ? floor(x / coarse) : x, 2, (uint32_t)(i / 10), disturbed};
    }
}

static void the_area_is_that_of_all_pairs(void)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < 4; i++) {
        sc07_scored s[MANY];
        draw(random, s, i, i % 2 == 0 ? 0 : 0.7);
        const double naive = naive_area(s, MANY);
        const sc07_roc roc = sc07_roc_of(s, MANY, MANY / 10, 0.9);
        CHECK_NEAR(roc.area.value, naive, 1e-12, "%d", i);
        CHECK(roc.area.low < naive && naive < roc.area.high, "%d", i);
    }
    gsl_rng_free(random);
}

static void the_interval_holds_the_area_of_normal_scores(void)
{
    /* shifted by 1: P(X + 1 > Y) = Phi(1 / sqrt(2)) = 0.7602; 19 in 20 intervals hold it */
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    int held = 0;
    for (int i = 0; i < 20; i++) {
        sc07_scored s[MANY];
        draw(random, s, 1, 0);
        const sc07_roc roc = sc07_roc_of(s, MANY, MANY / 10, 0.9);
        held += roc.area.low <= 0.76025 && roc.area.high >= 0.76025;
        CHECK(roc.area.high - roc.area.low < 0.08 && roc.area.high - roc.area.low > 0.03);
    }
    CHECK(held >= 16, "%d", held);
    gsl_rng_free(random);
}

static void groups_are_drawn_whole(void)
{
    /* Two groups that say the opposite: with either alone the area is 0 or 1. */
    sc07_scored s[4] = {{4, 1, 0, true}, {3, 1, 1, false}, {2, 1, 1, true}, {1, 1, 0, false}};
    const sc07_roc roc = sc07_roc_of(s, 4, 2, 0.5);
    CHECK_NEAR(roc.area.value, 0.75, 1e-12);
    CHECK_NEAR(roc.area.low, 0, 1e-12);
    CHECK_NEAR(roc.area.high, 1, 1e-12);
}

static void false_alarms_are_counted_where_enough_is_found(void)
{
    static const struct {
        const char *scores;
        double found, threshold, has_found, alarms;
    } rows[] = {
        {"+ + - -", 1, 99, 1, 0},
        {"+ - + -", 1, 98, 1, 1},
        {"+ - + -", 0.5, 100, 0.5, 0},
        {"+ - - +", 0.9, 97, 1, 2},
        {"++-- +-", 0.6, 100, 2. / 3, 4. / 3},
        {"++-- +-", 0.9, 99, 1, 2},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        sc07_scored s[16];
        const size_t n = read_scores(rows[i].scores, s);
        const sc07_operating at = sc07_roc_of(s, n, (uint32_t)n, rows[i].found).at;
        CHECK_NEAR(at.threshold, rows[i].threshold, 0, "row %d", (int)i);
        CHECK_NEAR(at.found, rows[i].has_found, 1e-12, "row %d", (int)i);
        CHECK_NEAR(at.false_alarms, rows[i].alarms, 1e-12, "row %d", (int)i); /* 0.5 h each */
    }
}

static void what_cannot_be_told_is_not_a_number(void)
{
    sc07_scored s[2] = {{1, 1, 0, true}, {2, 1, 1, true}};
    const sc07_roc roc = sc07_roc_of(s, 2, 2, 0.9);
    CHECK(isnan(roc.area.value) && isnan(roc.area.low) && isnan(roc.at.false_alarms));
}

static void the_curve_has_a_point_for_each_value(void)
{
    sc07_scored s[16];
    sc07_roc_point out[17];
    const size_t n = read_scores("+ ++-- -+", s);
    (void)sc07_roc_of(s, n, (uint32_t)n, 0.9);
    CHECK_I64(sc07_roc_curve(s, n, out), 4);
    static const double wanted[4][2] = {{0, 0}, {0, 0.25}, {2. / 3, 0.75}, {1, 1}};
    double area = 0;
    for (size_t i = 0; i < 4; i++) {
        CHECK_NEAR(out[i].false_share, wanted[i][0], 1e-12);
        CHECK_NEAR(out[i].true_share, wanted[i][1], 1e-12);
        area += i == 0 ? 0
                       : (out[i].false_share - out[i - 1].false_share) *
                             (out[i].true_share + out[i - 1].true_share) / 2;
    }
    CHECK_NEAR(area, naive_area(s, n), 1e-12);
}

/* From (0, 0) up to 0.25, on to (2/3, 3/4), and to (1, 1): on the line where scores are equal. */
static void the_curve_is_read_between_its_points(void)
{
    static const sc07_roc_point CURVE[] = {{0, 0}, {0, 0.25}, {2. / 3, 0.75}, {1, 1}};
    static const double WANTED[][2] = {
        {0, 0.25}, {1. / 3, 0.5}, {2. / 3, 0.75}, {5. / 6, 0.875}, {1, 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(WANTED); i++) {
        CHECK_NEAR(sc07_roc_found(CURVE, G_N_ELEMENTS(CURVE), WANTED[i][0]), WANTED[i][1], 1e-12,
                   "row %d", (int)i);
    }
}

SUITE_MAIN("sc07_roc", TEST(the_area_is_the_chance_that_a_disturbed_rank_is_higher),
           TEST(the_area_is_that_of_all_pairs), TEST(the_interval_holds_the_area_of_normal_scores),
           TEST(groups_are_drawn_whole), TEST(false_alarms_are_counted_where_enough_is_found),
           TEST(what_cannot_be_told_is_not_a_number), TEST(the_curve_has_a_point_for_each_value),
           TEST(the_curve_is_read_between_its_points))
