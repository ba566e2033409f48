/* sim/unit.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Numbers with units, as people write them, and back. Parsers take the whole string: trailing
 * characters, signs, NaN and values out of range are SIM_ERROR_BAD_UNIT naming the text. The
 * decimal point is '.', whatever the locale. Decimal fractions are exact, not rounded through
 * a double, as far as the target unit can hold them (else rounded to nearest).
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

/** "2.5us", "10s", "3 ns", "1min", "2h", "100" (no unit: @p plain, e.g. SIM_NS). 0..SIM_TIME_MAX.
 */
bool sim_unit_parse_time(const char *text, sim_time plain, sim_time *out, GError **error);

/** "65535B", "64KiB", "1MB", "4k", "1Ki", "12" bytes. k/M/G = powers of 1000, Ki/Mi/Gi = of 1024.
 */
bool sim_unit_parse_bytes(const char *text, int64_t *out, GError **error);

/** Time per byte: "0.16ns/B", "20ps/B", "0.00123us/B"; or a bandwidth "10GB/s", "400Gb/s". */
bool sim_unit_parse_rate(const char *text, sim_rate *out, GError **error);

/** A count: "64", "1Ki", "1k", "2^20". 1..UINT32_MAX - 1. */
bool sim_unit_parse_count(const char *text, uint32_t *out, GError **error);

/** A period: "1kHz", "10Hz" (its inverse) or a time, "21.34ms". 1 ps..SIM_TIME_MAX. */
bool sim_unit_parse_period(const char *text, sim_time *out, GError **error);

/**
 * Exact text that parses back, e.g. "2.5us": the largest of ps, ns, us, ms and s of which there is
 * at least one. Owned by the caller.
 */
char *sim_unit_format_time(sim_time t);
/**
 * For people: at most four significant digits, e.g. "1.234ms", "2.778h". Owned by the caller.
 */
char *sim_unit_format_time_short(sim_time t);
/** Exact decimal nanoseconds, e.g. 2500 ps -> "2.5". Owned by the caller. */
char *sim_unit_format_ns(sim_time t);
/** Shortest exact "…ns/B" (or ps/B). Owned by the caller. */
char *sim_unit_format_rate(sim_rate rate);
/** Shortest exact text, e.g. 65536 -> "64Ki", 1000 -> "1000". Owned by the caller. */
char *sim_unit_format_count(uint64_t n);
/** For people: the nearest whole number, in thousands, e.g. "-1,234,567". Owned by the caller. */
char *sim_unit_format_thousands(double value);

G_END_DECLS
