/* tests/sim/base/test_unit.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "sim/error.h"
#include "sim/unit.h"

#include <locale.h>
#include <math.h>

#define SEED 20101113

static void times_match_table(void)
{
    /* Wanted: by hand, from the definition of the units. */
    static const struct {
        const char *text;
        sim_time ps;
    } row[] = {
        {"0", 0},
        {"2.5us", 2500000},
        {"10s", INT64_C(10000000000000)},
        {"3 ns", 3000},
        {"1min", INT64_C(60000000000000)},
        {"2h", INT64_C(7200000000000000)},
        {"100", 100000}, /* plain: ns */
        {"0.0005", 1},   /* half a ps: up */
        {"0.00049999999999999999999999", 0},
        {"0.1ps", 0},
        {"007ns", 7000},
        {"1.50ns", 1500},
        {"1\u00b5s", 1000000},
        {"1\u03bcs", 1000000},
        {"2305843009213693951ps", SIM_TIME_MAX},
        {"2305843.009213693951s", SIM_TIME_MAX},
        {"0.000277777777777777777777777777777777h", INT64_C(1000000000000)},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        sim_time ps = -1;
        CHECK(sim_unit_parse_time(row[i].text, SIM_NS, &ps, NULL), "%s", row[i].text);
        CHECK_I64(ps, row[i].ps, "%s", row[i].text);
    }
}

static void rates_match_table(void)
{
    /* Wanted in 10^-6 ps/B; bandwidths: 10^18 / (B/s), by hand. */
    static const struct {
        const char *text;
        sim_rate rate;
    } row[] = {
        {"0.16ns/B", 160000000},
        {"20ps/B", 20000000},
        {"0.00123us/B", 1230000000},
        {"0.000001ps/B", 1},
        {"0.0000005ps/B", 1},
        {"0.00000049ps/B", 0},
        {"1s/B", SIM_RATE_MAX},
        {"0.0000000000000000005s/B", 1}, /* the nineteenth digit counts */
        {"0.000000000000000000499999999999999999s/B", 0},
        {"400Gb/s", 20000000},
        {"10GB/s", 100000000},
        {"12.5 GB/s", 80000000},
        {"3GB/s", 333333333},
        {"1.5GB/s", 666666667},
        {"1GiB/s", 931322575}, /* 10^18 / 2^30 = 931322574.6 */
        {"8b/s", SIM_RATE_MAX},
        {"0.000001TB/s", INT64_C(1000000000000)},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        sim_rate rate = -1;
        CHECK(sim_unit_parse_rate(row[i].text, &rate, NULL), "%s", row[i].text);
        CHECK_I64(rate, row[i].rate, "%s", row[i].text);
    }
}

static void sizes_counts_and_periods_match_tables(void)
{
    static const struct {
        const char *text;
        int64_t wanted;
    } bytes[] = {{"65535B", 65535},    {"64KiB", 65536},
                 {"1MB", 1000000},     {"4k", 4000},
                 {"1Ki", 1024},        {"12", 12},
                 {"1.5KiB", 1536},     {"0", 0},
                 {"0.25 Gi", 1 << 28}, {"9223372036854775807", INT64_MAX}},
      count[] = {{"64", 64},
                 {"1Ki", 1024},
                 {"1k", 1000},
                 {"2^20", 1 << 20},
                 {"2^0", 1},
                 {"4294967294", UINT32_MAX - 1},
                 {"2^31", INT64_C(1) << 31}},
      period[] = {{"1kHz", 1000000000},
                  {"10Hz", INT64_C(100000000000)},
                  {"0.1Hz", INT64_C(10000000000000)},
                  {"3Hz", INT64_C(333333333333)},
                  {"1GHz", 1000},
                  {"21.34ms", INT64_C(21340000000)},
                  {"1ps", 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(bytes); i++) {
        int64_t value = -1;
        CHECK(sim_unit_parse_bytes(bytes[i].text, &value, NULL), "%s", bytes[i].text);
        CHECK_I64(value, bytes[i].wanted, "%s", bytes[i].text);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(count); i++) {
        uint32_t value = 0;
        CHECK(sim_unit_parse_count(count[i].text, &value, NULL), "%s", count[i].text);
        CHECK_I64(value, count[i].wanted, "%s", count[i].text);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(period); i++) {
        sim_time value = -1;
        CHECK(sim_unit_parse_period(period[i].text, &value, NULL), "%s", period[i].text);
        CHECK_I64(value, period[i].wanted, "%s", period[i].text);
    }
}

/* Every parser refuses text, names it, and leaves its output alone. */
static void check_refused(const char *text)
{
    int64_t value = 77;
    uint32_t count = 77;
    GError *error[5] = {NULL};
    CHECK(!sim_unit_parse_time(text, SIM_NS, &value, &error[0]), "%s", text);
    CHECK(!sim_unit_parse_bytes(text, &value, &error[1]), "%s", text);
    CHECK(!sim_unit_parse_rate(text, &value, &error[2]), "%s", text);
    CHECK(!sim_unit_parse_count(text, &count, &error[3]), "%s", text);
    CHECK(!sim_unit_parse_period(text, &value, &error[4]), "%s", text);
    g_autofree char *named = g_strdup_printf("'%s'", text);
    for (size_t i = 0; i < G_N_ELEMENTS(error); i++) {
        CHECK_ERROR(error[i], named);
        CHECK(g_error_matches(error[i], SIM_ERROR, SIM_ERROR_BAD_UNIT));
        g_clear_error(&error[i]);
    }
    CHECK_I64(value, 77);
    CHECK_I64(count, 77);
}

static void nonsense_is_refused_by_every_parser(void)
{
    static const char *const texts[] = {
        "",
        " ",
        "-1",
        "+1",
        "-1us",
        "nan",
        "inf",
        "NaNs",
        "1e3",
        "1e3us",
        "0x10",
        "1,5us",
        "1.us",
        ".5us",
        "1..2s",
        "3us ",
        " 3us",
        "3 u s",
        "3us/",
        "3 xs",
        "5 ",
        "1\n",
        "2^",
        "2^64x",
        "2^-1",
        "99999999999999999999999s",
        "1.0000000000000000000000000000000000001s",
        "0b",
        "1KB",
        "4K",
        "1 PB/s",
        "0GB/s",
        "0Hz",
        "us",
        "\xff\xfe",
        "1\xc2us",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        check_refused(texts[i]);
    }
}

static void values_out_of_range_are_refused(void)
{
    int64_t value = 77;
    uint32_t count = 77;
    CHECK(!sim_unit_parse_time("2305843009213693952ps", SIM_NS, &value, NULL));
    CHECK(!sim_unit_parse_time("641h", SIM_NS, &value, NULL));
    CHECK(!sim_unit_parse_bytes("9223372036854775808", &value, NULL));
    CHECK(!sim_unit_parse_bytes("9Gi0", &value, NULL));
    CHECK(!sim_unit_parse_bytes("9223372036854775807k", &value, NULL));
    CHECK(!sim_unit_parse_bytes("0.5", &value, NULL));
    CHECK(!sim_unit_parse_bytes("1.0001k", &value, NULL));
    CHECK(!sim_unit_parse_rate("1.000000001s/B", &value, NULL));
    CHECK(!sim_unit_parse_rate("0.9B/s", &value, NULL));
    CHECK(!sim_unit_parse_rate("99999999999TB/s", &value, NULL)); /* less than 10^-6 ps/B */
    CHECK(!sim_unit_parse_count("0", &count, NULL));
    CHECK(!sim_unit_parse_count("4294967295", &count, NULL));
    CHECK(!sim_unit_parse_count("2^32", &count, NULL));
    CHECK(!sim_unit_parse_count("2^63", &count, NULL));
    CHECK(!sim_unit_parse_count("2^99", &count, NULL));
    CHECK(!sim_unit_parse_count("1.5", &count, NULL));
    CHECK(!sim_unit_parse_period("0s", &value, NULL));
    CHECK(!sim_unit_parse_period("0.4ps", &value, NULL));
    CHECK(!sim_unit_parse_period("10000GHz", &value, NULL)); /* a tenth of a ps */
    CHECK(!sim_unit_parse_period("100", &value, NULL));      /* of what? */
    CHECK_I64(value, 77);
    CHECK_I64(count, 77);
}

static int64_t random_magnitude(GRand *rand, int64_t max)
{
    const uint64_t bits = ((uint64_t)g_rand_int(rand) << 32) | g_rand_int(rand);
    const uint64_t value = bits >> g_rand_int_range(rand, 0, 64);
    return (int64_t)(value % ((uint64_t)max + 1));
}

static void printed_values_parse_back(void)
{
    GRand *rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < 20000; i++) {
        const sim_time t = random_magnitude(rand, SIM_TIME_MAX);
        sim_time back = -1;
        g_autofree char *text = sim_unit_format_time(t);
        CHECK(sim_unit_parse_time(text, 1, &back, NULL) && back == t, "seed %d: %s", SEED, text);
        g_autofree char *ns = sim_unit_format_ns(t);
        CHECK(sim_unit_parse_time(ns, SIM_NS, &back, NULL) && back == t, "seed %d: %s", SEED, ns);
        const sim_rate rate = random_magnitude(rand, SIM_RATE_MAX);
        sim_rate rate_back = -1;
        g_autofree char *rate_text = sim_unit_format_rate(rate);
        CHECK(sim_unit_parse_rate(rate_text, &rate_back, NULL) && rate_back == rate, "seed %d: %s",
              SEED, rate_text);
        const uint32_t count = 1 + (uint32_t)random_magnitude(rand, UINT32_MAX - 2);
        uint32_t count_back = 0;
        g_autofree char *count_text = sim_unit_format_count(count);
        CHECK(sim_unit_parse_count(count_text, &count_back, NULL) && count_back == count,
              "seed %d: %s", SEED, count_text);
    }
    g_rand_free(rand);
}

/* Oracle: school arithmetic on the digits written, one at a time. In ps, half up. */
static void any_number_of_decimals_is_rounded_to_nearest(void)
{
    GRand *rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < 20000; i++) {
        const int64_t whole = random_magnitude(rand, 1000000);
        const int n = g_rand_int_range(rand, 1, 37);
        g_autoptr(GString) text = g_string_new(NULL);
        g_string_append_printf(text, "%" PRId64 ".", whole);
        int64_t wanted = whole * SIM_NS; /* of a number of ns: three digits count */
        for (int64_t digit = 0, worth = 100; digit < n; digit++) {
            const int d = g_rand_boolean(rand) ? g_rand_int_range(rand, 0, 10) : 4 + (digit == 3);
            g_string_append_c(text, (char)('0' + d));
            wanted += d * worth;
            wanted += digit == 3 && d >= 5 ? 1 : 0;
            worth /= 10;
        }
        sim_time ps = -1;
        CHECK(sim_unit_parse_time(text->str, SIM_NS, &ps, NULL), "%s", text->str);
        CHECK_I64(ps, wanted, "seed %d: %s", SEED, text->str);
    }
    g_rand_free(rand);
}

static void formats_match_table(void)
{
    static const struct {
        sim_time ps;
        const char *exact, *brief, *ns;
    } row[] = {
        {0, "0s", "0s", "0"},
        {1, "1ps", "1ps", "0.001"},
        {2500, "2.5ns", "2.5ns", "2.5"},
        {2500000, "2.5us", "2.5us", "2500"},
        {1234567890, "1.23456789ms", "1.235ms", "1234567.89"},
        {999949999, "999.949999us", "999.9us", "999949.999"},
        {999950000, "999.95us", "1ms", "999950"},
        {INT64_C(9999400000000000), "9999.4s", "9999s", "9999400000000"},
        {INT64_C(10000000000000000), "10000s", "2.777h", "10000000000000"},
        {SIM_TIME_MAX, "2305843.009213693951s", "640.5h", "2305843009213693.951"},
        {-1500, "-1.5ns", "-1.5ns", "-1.5"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *exact = sim_unit_format_time(row[i].ps);
        g_autofree char *brief = sim_unit_format_time_short(row[i].ps);
        g_autofree char *ns = sim_unit_format_ns(row[i].ps);
        CHECK_STR(exact, row[i].exact);
        CHECK_STR(brief, row[i].brief);
        CHECK_STR(ns, row[i].ns);
    }
    g_autofree char *count = sim_unit_format_count(65536);
    g_autofree char *plain = sim_unit_format_count(1000);
    g_autofree char *fast = sim_unit_format_rate(20 * SIM_RATE_PER_PS);
    g_autofree char *slow = sim_unit_format_rate(1230 * SIM_RATE_PER_PS);
    CHECK_STR(count, "64Ki");
    CHECK_STR(plain, "1000");
    CHECK_STR(fast, "20ps/B");
    CHECK_STR(slow, "1.23ns/B");
}

static void thousands_are_set_apart_for_people(void)
{
    static const struct {
        double value;
        const char *text;
    } row[] = {
        {0, "0"},
        {-0.4, "0"},
        {7, "7"},
        {999.4, "999"},
        {999.6, "1,000"},
        {-1000, "-1,000"},
        {12345, "12,345"},
        {123456, "123,456"},
        {1234567, "1,234,567"},
        {-1234567.5, "-1,234,568"},
        {1e15, "1,000,000,000,000,000"},
        {INFINITY, "inf"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *text = sim_unit_format_thousands(row[i].value);
        CHECK_STR(text, row[i].text);
    }
}

static void the_locale_does_not_matter(void)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "fr_FR.UTF-8") == NULL) {
        SKIP_TEST("no locale with a decimal comma is installed");
    }
    sim_time ps = -1;
    CHECK(sim_unit_parse_time("2.5us", SIM_NS, &ps, NULL));
    CHECK(!sim_unit_parse_time("2,5us", SIM_NS, &ps, NULL));
    g_autofree char *text = sim_unit_format_time(ps);
    CHECK_STR(text, "2.5us");
    (void)setlocale(LC_ALL, "C");
}

SUITE_MAIN("unit", TEST(times_match_table), TEST(rates_match_table),
           TEST(sizes_counts_and_periods_match_tables), TEST(nonsense_is_refused_by_every_parser),
           TEST(values_out_of_range_are_refused), TEST(printed_values_parse_back),
           TEST(any_number_of_decimals_is_rounded_to_nearest), TEST(formats_match_table),
           TEST(thousands_are_set_apart_for_people), TEST(the_locale_does_not_matter))
