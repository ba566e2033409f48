/* apps/ripple/output/number_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/number_text.h"

#include "sim/unit.h"

#include <glib.h>
#include <math.h>

static const double LARGE = 999.5; /* rounded to three digits, that is 1,000 */
static const double TINY = 1e-4;   /* of a percent; digits below that are of no use to anybody */

/* Without a unit. */
static char *format_percentage(double percent)
{
    if (fabs(percent) >= LARGE) {
        return sim_unit_format_thousands(percent);
    }
    if (percent != 0 && fabs(percent) < TINY) {
        return g_strdup_printf("%s%g", percent < 0 ? ">-" : "<", TINY);
    }
    return percent == 0 ? g_strdup("0") : g_strdup_printf("%.3g", percent); /* not "-0" */
}

char *app_format_percent(double fraction)
{
    g_autofree char *percentage = format_percentage(100 * fraction);
    return g_strconcat(percentage, " %", NULL);
}

/* How many times as long a run takes; NULL: it takes so little longer that a percentage says it. */
static char *format_factor(double slowdown)
{
    const double factor = 1 + slowdown;
    if (100 * slowdown < LARGE) {
        return NULL;
    }
    return factor < 99.95 ? g_strdup_printf("%.1f", factor) : sim_unit_format_thousands(factor);
}

char *app_format_slowdown(double slowdown)
{
    g_autofree char *factor = format_factor(slowdown);
    return factor != NULL ? g_strconcat("x ", factor, NULL) : app_format_percent(slowdown);
}

char *app_format_longer(double slowdown)
{
    g_autofree char *factor = format_factor(slowdown);
    if (factor != NULL) {
        return g_strconcat(factor, " times as long", NULL);
    }
    if (slowdown == 0) {
        return g_strdup("just as long");
    }
    const double size = fabs(slowdown);
    const bool tiny = 100 * size < TINY;
    g_autofree char *percentage = format_percentage(100 * size);
    return g_strconcat(tiny ? "less than " : "", percentage + tiny, " %",
                       slowdown < 0 ? " less" : " longer", NULL);
}

char *app_format_number(uint64_t n)
{
    return sim_unit_format_thousands((double)n);
}

char *app_format_ranks(uint64_t ranks)
{
    g_autofree char *number = sim_unit_format_count(ranks);
    return g_strconcat(number, ranks == 1 ? " rank" : " ranks", NULL);
}
