/* tests/sim/base/fuzz_unit.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Any text as a number with a unit: refused with a message, or a value in range whose own text
 * reads back as that value.
 */
#include "fuzz.h"
#include "sim/unit.h"

#include <stdlib.h>

/* A parser promises one of the two: an error, or a value from low to high. */
static void check(bool ok, GError *error, int64_t value, int64_t low, int64_t high)
{
    if (ok != (error == NULL) || (!ok && error->message[0] == '\0') ||
        (ok && (value < low || value > high))) {
        abort();
    }
    g_clear_error(&error);
}

static void check_time(const char *text, sim_time plain)
{
    GError *error = NULL;
    sim_time t = 0;
    sim_time back = 0;
    const bool ok = sim_unit_parse_time(text, plain, &t, &error);
    check(ok, error, t, 0, SIM_TIME_MAX);
    g_autofree char *exact = sim_unit_format_time(t);
    if (!sim_unit_parse_time(exact, SIM_NS, &back, NULL) || back != t) {
        abort();
    }
    g_autofree char *ns = sim_unit_format_ns(t);
    if (!sim_unit_parse_time(ns, SIM_NS, &back, NULL) || back != t) {
        abort();
    }
    g_autofree char *brief = sim_unit_format_time_short(t);
    if (brief[0] == '\0') {
        abort();
    }
}

static void check_rate(const char *text)
{
    GError *error = NULL;
    sim_rate rate = 0;
    sim_rate back = 0;
    const bool ok = sim_unit_parse_rate(text, &rate, &error);
    check(ok, error, rate, 0, INT64_MAX);
    g_autofree char *exact = sim_unit_format_rate(rate);
    if (!sim_unit_parse_rate(exact, &back, NULL) || back != rate) {
        abort();
    }
}

static void check_numbers(const char *text)
{
    GError *error = NULL;
    int64_t bytes = 0;
    bool ok = sim_unit_parse_bytes(text, &bytes, &error);
    check(ok, error, bytes, 0, INT64_MAX);
    error = NULL;
    sim_time period = 1;
    ok = sim_unit_parse_period(text, &period, &error);
    check(ok, error, period, 1, SIM_TIME_MAX);
    error = NULL;
    uint32_t count = 1;
    uint32_t back = 0;
    ok = sim_unit_parse_count(text, &count, &error);
    check(ok, error, count, 1, UINT32_MAX - 1);
    g_autofree char *exact = sim_unit_format_count(count);
    if (!sim_unit_parse_count(exact, &back, NULL) || back != count) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_strndup((const char *)data, size);
    check_time(text, SIM_NS);
    check_time(text, 1);
    check_rate(text);
    check_numbers(text);
    return 0;
}
