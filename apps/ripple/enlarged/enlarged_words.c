/* apps/ripple/enlarged/enlarged_words.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_enlarged, cli_regrid_validate. */
#include "enlarged/enlarged_words.h"

#include "output/number_text.h"
#include "sim/unit.h"

#include <math.h>

char *app_enlarged_format_off(double off)
{
    if (off == 0) {
        return g_strdup("exact");
    }
    if (isinf(off)) {
        return g_strdup("not recorded");
    }
    g_autofree char *percent = app_format_percent(off);
    return off > 0 && g_ascii_isdigit(percent[0]) ? g_strconcat("+", percent, NULL)
                                                  : g_steal_pointer(&percent);
}

char *app_enlarged_format_value(const app_enlarged *e, const app_enlarged_row *row,
                                app_enlarged_side side)
{
    if (e->refusal[side] != NULL) {
        return g_strdup("-");
    }
    return row->is_time ? sim_unit_format_time_short(row->value[side])
                        : app_format_number((uint64_t)row->value[side]);
}

char *app_enlarged_verdict(const app_enlarged *e)
{
    g_autofree char *bound = app_format_percent(e->tolerance);
    g_autofree char *off =
        e->worst != NULL ? app_enlarged_format_off(e->worst->off[e->judged]) : NULL;
    g_autofree char *worst =
        e->worst == NULL ? g_strdup("there is nothing in it")
        : e->worst->off[e->judged] == 0
            ? g_strdup("everything is exact")
            : g_strdup_printf("what differs most is %s, by %s", e->worst->what, off);
    const char *word = app_enlarged_holds(e) ? "within" : "beyond";
    return e->judged == APP_ENLARGED_REGRIDDED
               ? g_strdup_printf("regridded from %u ranks (%s) to %u (%s): %s, %s the tolerance "
                                 "of %s",
                                 e->small_ranks, e->small_grid, e->ranks, e->large_grid, worst,
                                 word, bound)
               : g_strdup_printf("not regridded; in copies from %u ranks to %u: %s, %s the "
                                 "tolerance of %s",
                                 e->small_ranks, e->copies_ranks, worst, word, bound);
}

char **app_enlarged_notes(const app_enlarged *e)
{
    GPtrArray *notes = g_ptr_array_new();
    for (int s = 0; s < APP_ENLARGED_SIDES; s++) {
        if (e->refusal[s] != NULL) {
            g_ptr_array_add(notes, g_strdup_printf("%s: refused: %s",
                                                   app_enlarged_side_name((app_enlarged_side)s),
                                                   e->refusal[s]));
        }
    }
    if (e->copies_ranks != e->ranks && e->refusal[APP_ENLARGED_COPIES] == NULL) {
        g_ptr_array_add(notes,
                        g_strdup_printf("in copies: %u is not a multiple of %u: %u ranks, and "
                                        "what is counted over all ranks taken times %u/%u",
                                        e->ranks, e->small_ranks, e->copies_ranks, e->ranks,
                                        e->copies_ranks));
    }
    g_ptr_array_add(notes, g_strdup("path: parts of the critical path, off by a share of the "
                                    "makespan; messages of collectives are those that they are "
                                    "made of; no noise"));
    g_ptr_array_add(notes, NULL);
    return (char **)g_ptr_array_free(notes, FALSE);
}
