/* noise/files/decimal.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_detour_file. */
#include "files/decimal.h"

#include <errno.h>
#include <glib.h>
#include <stdbool.h>

sim_time noise_decimal_parse(const char **at, int power)
{
    const char *p = *at;
    uint64_t digits = 0; /* what does not fit only moves the power */
    bool any = false;
    bool point = false;
    for (; g_ascii_isdigit(*p) || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        any = true;
        const bool fits = digits <= (UINT64_MAX - 9) / 10;
        digits = fits ? digits * 10 + (uint64_t)g_ascii_digit_value(*p) : digits;
        power += (fits ? 0 : 1) - (point ? 1 : 0);
    }
    if (!any) {
        return -1;
    }
    if (*p == 'e' || *p == 'E') {
        char *end;
        errno = 0;
        const gint64 exponent = g_ascii_strtoll(p + 1, &end, 10);
        if (end == p + 1 || g_ascii_isspace(p[1]) || exponent < -1000 || exponent > 1000) {
            return -1;
        }
        power += (int)exponent;
        p = end;
    }
    for (; power > 0 && digits > 0; power--) {
        if (digits > (uint64_t)SIM_TIME_MAX / 10) {
            return -1;
        }
        digits *= 10;
    }
    for (; power < -1 && digits > 0; power++) {
        digits /= 10;
    }
    if (power < 0) {
        digits = digits / 10 + (digits % 10 >= 5);
    }
    *at = p;
    return digits <= (uint64_t)SIM_TIME_MAX ? (sim_time)digits : -1;
}
