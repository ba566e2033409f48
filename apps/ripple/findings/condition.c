/* apps/ripple/findings/condition.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "findings/condition.h"

#include "findings/condition_private.h"

/* What is not there for lack of time. */
static void add_left_out(app_condition_maker *maker)
{
    const app_results *results = maker->results;
    g_autofree char *sizes = app_sizes_format(results->left_out, results->num_left_out);
    g_autofree char *brief =
        results->num_left_out > 0 ? g_strdup_printf("Left out: %s ranks.", sizes) : g_strdup("");
    if (results->num_left_out > 0 && results->only_settled) {
        app_condition_add(maker, "left-out", brief,
                          "Left out, as they did not settle, or would not, within --budget: %s "
                          "ranks; named with --ranks they are shown as far as they come.",
                          sizes);
    } else if (results->num_left_out > 0) {
        app_condition_add(maker, "left-out", brief,
                          "Left out, having no room in --budget: %s ranks.", sizes);
    }
    if (results->left_out_cosched) {
        app_condition_add(maker, "left-out", "Left out: co-scheduled noise.",
                          "Left out, as it did not settle within --budget: co-scheduled noise.");
    }
}

app_conditions *app_conditions_new(const app_results *results, const app_noise *noise,
                                   const app_source *source)
{
    app_condition_maker maker = {results, noise, source,
                                 g_array_new(FALSE, FALSE, sizeof(app_condition))};
    if (results->stopped_by != NULL) {
        g_autofree char *missing = app_results_format_missing(results);
        g_autofree char *brief = g_strdup_printf("Missing: %s ranks.", missing);
        app_condition_add(&maker, "stopped", brief, "Stopped by %s; missing: %s ranks.",
                          results->stopped_by, missing);
    }
    add_left_out(&maker);
    if (results->noisy) {
        app_condition_add_noise(&maker);
        app_condition_add_program(&maker);
        app_condition_add_series(&maker);
    }
    app_conditions *c = g_new0(app_conditions, 1);
    c->n = maker.list->len;
    c->list = (app_condition *)(void *)g_array_free(maker.list, FALSE);
    return c;
}
