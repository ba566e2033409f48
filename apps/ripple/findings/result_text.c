/* apps/ripple/findings/result_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate. */
#include "findings/result_text.h"

#include "output/number_text.h"
#include "sim/unit.h"

enum { SIZES_SHOWN = 4 };

char *app_format_cosched(const app_series *s, const app_noise *noise)
{
    if (s->mode != APP_COSCHEDULED) {
        return g_strdup("no");
    }
    return noise->sigma == 0 ? g_strdup("yes") : sim_unit_format_time(noise->sigma);
}

char *app_format_sizes(const uint32_t *ranks, size_t n)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i + 1 < n; i++) {
        if (n > SIZES_SHOWN && i > 0) {
            g_string_append(text, " ...");
            break;
        }
        g_autofree char *size = sim_unit_format_count(ranks[i]);
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", size);
    }
    g_autofree char *last = app_format_ranks(ranks[n - 1]);
    g_string_append_printf(text, "%s%s", n > SIZES_SHOWN ? " " : n > 1 ? " and " : "", last);
    return g_string_free(text, FALSE);
}

char *app_format_met(double detours)
{
    static const double MILLION = 1e6;
    static const double LEAST = 0.001;
    if (detours >= MILLION) {
        const bool many = detours >= 1e3 * MILLION;
        g_autofree char *number = sim_unit_format_thousands(detours / MILLION);
        return many ? g_strconcat(number, "M", NULL) : g_strdup_printf("%.3gM", detours / MILLION);
    }
    if (detours >= 999.5) {
        return sim_unit_format_thousands(detours);
    }
    return detours > 0 && detours < LEAST ? g_strdup_printf("<%g", LEAST)
                                          : g_strdup_printf("%.3g", detours);
}

char *app_format_interval(double low, double high)
{
    g_autofree char *from = app_format_slowdown(low);
    g_autofree char *to = app_format_slowdown(high);
    return g_strconcat(from, " .. ", to, NULL);
}

char *app_format_times(uint64_t times)
{
    g_autofree char *number = app_format_number(times);
    return times == 1   ? g_strdup("once")
           : times == 2 ? g_strdup("twice")
                        : g_strconcat(number, " times", NULL);
}

char *app_format_passes(uint32_t passes)
{
    g_autofree char *number = app_format_number(passes);
    return passes <= 1 ? g_strdup("one pass") : g_strconcat(number, " passes", NULL);
}
