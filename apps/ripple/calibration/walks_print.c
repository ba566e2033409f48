/* apps/ripple/calibration/walks_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibration_calls, cli_calibrate. */
#include "calibration/walks_print.h"

#include "calibration/calls_print.h"
#include "output/output.h"
#include "output/sentences.h"
#include "sim/json_member.h"

#include <math.h>

static const char *const NAMES[] = {"computed", "first", "further"};
static const char *const ORIGINS[] = {
    "a walk of both ranks through that much memory",
    "an exchange of 1 B after it, beyond one after the shortest walk",
    "an allreduce of 8 B after that, likewise",
};

/* Beyond the shortest walk, which the others are compared with. */
static bool has_walks(const app_calibration *c)
{
    return c->num_walks > 1 && c->walk[1].value[0].level > 0;
}

static char *interval(const app_calibrated_value *v)
{
    return g_strdup_printf("%.3g .. %.3g us", v->low / 1000, v->high / 1000);
}

void app_walks_print(const app_calibration *c, FILE *out)
{
    if (!has_walks(c)) {
        return;
    }
    fprintf(out, "%11s %13s %12s  %-20s %12s  %s\n", "a walk of", "takes", "first call",
            "95 % interval", "further kind", "95 % interval");
    for (size_t i = 1; i < c->num_walks; i++) {
        const app_calibrated_walk *w = &c->walk[i];
        g_autofree char *first = interval(&w->value[APP_WALK_FIRST]);
        g_autofree char *further = interval(&w->value[APP_WALK_FURTHER]);
        fprintf(out, "%7" G_GINT64_FORMAT " KiB %10.4g us %+9.3g us  %-20s %+9.3g us  %s\n",
                w->bytes / 1024, w->value[APP_WALK_COMPUTED].value / 1000,
                w->value[APP_WALK_FIRST].value / 1000, first,
                w->value[APP_WALK_FURTHER].value / 1000, further);
    }
    fputc('\n', out);
}

void app_walks_print_csv(const app_calibration *c, FILE *out)
{
    for (size_t i = 1; has_walks(c) && i < c->num_walks; i++) {
        for (size_t k = 0; k < APP_WALK_VALUES; k++) {
            const app_calibrated_value *v = &c->walk[i].value[k];
            fprintf(out, "walk.%" G_GINT64_FORMAT ".%s,%.9g,%.9g,%.9g,%g,ns,", c->walk[i].bytes,
                    NAMES[k], v->value, v->low, v->high, v->level);
            app_output_csv_text(out, ORIGINS[k]);
            fputc('\n', out);
        }
    }
}

void app_walks_build(const app_calibration *c, JsonBuilder *b)
{
    static const char *const KEYS[] = {"computed_ns", "first_ns", "further_ns"};
    if (!has_walks(c)) {
        return;
    }
    sim_json_begin_array(b, "walks");
    for (size_t i = 1; i < c->num_walks; i++) {
        json_builder_begin_object(b);
        sim_json_int(b, "bytes", c->walk[i].bytes);
        for (size_t k = 0; k < APP_WALK_VALUES; k++) {
            app_calibrated_value_build(KEYS[k], &c->walk[i].value[k], b);
        }
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

void app_walks_add_conditions(const app_calibration *c, GPtrArray *out)
{
    sim_cold_cost cost;
    if (!has_walks(c)) {
        return;
    }
    const bool is_more = app_calibrated_cold_cost(c, &cost);
    app_sentences_add(
        out,
        "After a walk through memory, as a computation makes it, code and data of MPI are in a "
        "core's caches no more: by so much the first call takes longer, and after it the first of "
        "a further kind, than after %" G_GINT64_FORMAT " KiB; all visits count. %s.",
        c->walk[0].bytes / 1024,
        !is_more        ? "By the intervals that is nothing, and nothing is written"
        : c->takes_cold ? "With --cold one such state is in o and [calls], and no cold is written"
                        : "cold in [calls] of the machine file has it, for the calls of records");
}
