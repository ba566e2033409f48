/* tests/apps/output/test_number_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers that people read. Expected texts are written by hand. */
#include "check.h"
#include "output/number_text.h"

#include <math.h>
#include <string.h>

static void percentages_factors_and_words_match_the_table(void)
{
    static const struct {
        double slowdown;
        const char *percent;
        const char *cell;
        const char *words;
    } row[] = {
        {0, "0 %", "0 %", "just as long"},
        {-0.0, "0 %", "0 %", "just as long"},
        {1e-9, "<0.0001 %", "<0.0001 %", "less than 0.0001 % longer"},
        {-1e-9, ">-0.0001 %", ">-0.0001 %", "less than 0.0001 % less"},
        {1.2345e-6, "0.000123 %", "0.000123 %", "0.000123 % longer"},
        {0.025641, "2.56 %", "2.56 %", "2.56 % longer"},
        {0.099999, "10 %", "10 %", "10 % longer"},
        {-0.005, "-0.5 %", "-0.5 %", "0.5 % less"},
        {1, "100 %", "100 %", "100 % longer"},
        {2.4, "240 %", "240 %", "240 % longer"},
        {9.9949, "999 %", "999 %", "999 % longer"},
        {9.9995, "1,000 %", "x 11.0", "11.0 times as long"}, /* 999.95 %: not "1e+03 %" */
        {10, "1,000 %", "x 11.0", "11.0 times as long"},
        {22.18, "2,218 %", "x 23.2", "23.2 times as long"},
        {98.96, "9,896 %", "x 100", "100 times as long"},
        {783.39, "78,339 %", "x 784", "784 times as long"},
        {21818, "2,181,800 %", "x 21,819", "21,819 times as long"},
        {-10, "-1,000 %", "-1,000 %", "1,000 % less"}, /* no run is that short */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *percent = app_format_percent(row[i].slowdown);
        g_autofree char *cell = app_format_slowdown(row[i].slowdown);
        g_autofree char *words = app_format_longer(row[i].slowdown);
        CHECK_STR(percent, row[i].percent);
        CHECK_STR(cell, row[i].cell);
        CHECK_STR(words, row[i].words);
    }
}

/* A reader takes the cell for the number: within half a unit of its third digit. */
static void what_is_read_is_within_a_two_hundredth_of_what_it_was(void)
{
    GRand *rand = g_rand_new_with_seed(11);
    for (int i = 0; i < 20000; i++) {
        const double slowdown = pow(10, g_rand_double_range(rand, -5.9, 5));
        g_autofree char *cell = app_format_slowdown(slowdown);
        g_auto(GStrv) parts = g_strsplit(cell, ",", -1);
        g_autofree char *plain = g_strjoinv("", parts);
        const double read = plain[0] == 'x' ? g_ascii_strtod(plain + 2, NULL) - 1
                                            : g_ascii_strtod(plain, NULL) / 100;
        CHECK(fabs(read / slowdown - 1) <= 0.00506, "%g is read as %g", slowdown, read);
        CHECK(strlen(cell) <= 10 && strchr(cell, 'e') == NULL, "%g: '%s'", slowdown, cell);
    }
    g_rand_free(rand);
}

static void sizes_are_told_by_powers_of_two_or_in_thousands(void)
{
    static const struct {
        uint64_t ranks;
        const char *text;
    } row[] = {
        {1, "1 rank"},          {2, "2 ranks"},
        {1000, "1000 ranks"},   {1024, "1Ki ranks"},
        {1025, "1025 ranks"},   {1 << 18, "256Ki ranks"},
        {1 << 20, "1Mi ranks"}, {1023 << 10, "1023Ki ranks"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *text = app_format_ranks(row[i].ranks);
        CHECK_STR(text, row[i].text);
    }
    g_autofree char *number = app_format_number(1234567);
    CHECK_STR(number, "1,234,567");
}

SUITE_MAIN("number_text", TEST(percentages_factors_and_words_match_the_table),
           TEST(what_is_read_is_within_a_two_hundredth_of_what_it_was),
           TEST(sizes_are_told_by_powers_of_two_or_in_thousands))
