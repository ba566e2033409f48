/* apps/ripple/impact/mined.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_mine_trace, cli_mine. */
#include "impact/mined.h"

#include "impact/impact_print.h"
#include "output/miner_print.h"
#include "output/result.h"
#include "sim/json_member.h"
#include "sim/unit.h"

/* Rows are found by their lengths; where they were, their exemplars say. */
static void print_places(const app_mined *m, FILE *out)
{
    bool begun = false;
    for (size_t row = 0; row < m->report->num_rows; row++) {
        const char *place = app_exemplars_place(m->exemplars, m->n, row);
        if (place == NULL) {
            continue;
        }
        if (!begun) {
            fprintf(out, "\nwhere, by up to %d events of each\n", 3 * APP_EXEMPLARS_OF_EACH);
            begun = true;
        }
        g_autofree char *noise = sim_unit_format_time_short(m->report->rows[row].t_noise);
        fprintf(out, "%10s  %s\n", noise, place);
    }
}

/* The way back: what was found as noise to simulate with, each row a component to leave out. */
static void print_way_back(const noise_miner_report *report, FILE *out)
{
    g_autofree char *noise = app_miner_noise(report);
    if (noise != NULL) {
        fprintf(out,
                "\nwhat each of these costs: ripple simulate PROGRAM --knock-out --noise='%s'\n",
                noise);
    }
}

static void write_text(const void *result, FILE *out)
{
    const app_mined *m = result;
    app_miner_report_print(m->report, out);
    print_places(m, out);
    if (m->impact != NULL) {
        app_impact_print(m->impact, m->report, out);
    } else {
        print_way_back(m->report, out);
    }
    if (m->shows) {
        app_exemplars_print(m->exemplars, m->n, m->report, m->row, out);
    }
}

static void write_csv(const void *result, FILE *out)
{
    const app_mined *m = result;
    g_auto(GStrv) more = m->impact != NULL ? app_impact_csv_rows(m->impact) : NULL;
    app_miner_report_print_csv(m->report, more != NULL ? APP_IMPACT_CSV : NULL,
                               (const char *const *)more, out);
}

static void write_json(const void *result, JsonBuilder *b)
{
    const app_mined *m = result;
    app_miner_report_build(m->report, b);
    if (m->n > 0) {
        sim_json_begin_array(b, "places");
        for (size_t row = 0; row < m->report->num_rows; row++) {
            const char *place = app_exemplars_place(m->exemplars, m->n, row);
            if (place != NULL) {
                json_builder_begin_object(b);
                sim_json_int(b, "row", (int64_t)row);
                sim_json_text(b, "place", place);
                json_builder_end_object(b);
            }
        }
        json_builder_end_array(b);
    }
    if (m->impact != NULL) {
        app_impact_build(m->impact, b);
    }
}

bool app_mined_write(const app_mined *mined, const app_context *context, GError **error)
{
    static const app_result_writer WRITER = {write_text, write_csv, write_json};
    return app_result_write(context, context->output, context->format, &WRITER, mined, error);
}
