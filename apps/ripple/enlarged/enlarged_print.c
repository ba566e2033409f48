/* apps/ripple/enlarged/enlarged_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_regrid_validate. */
#include "enlarged/enlarged_print.h"

#include "enlarged/enlarged_words.h"
#include "sim/json_member.h"

#include <math.h>

static const char *const KEYS[] = {"recorded", "regridded", "copies"};

static void print_row(const app_enlarged *e, const app_enlarged_row *row, FILE *out)
{
    g_autofree char *recorded = app_enlarged_format_value(e, row, APP_ENLARGED_RECORDED);
    fprintf(out, "%-28s %13s", row->what, recorded);
    for (int s = APP_ENLARGED_REGRIDDED; s < APP_ENLARGED_SIDES; s++) {
        g_autofree char *value = app_enlarged_format_value(e, row, (app_enlarged_side)s);
        g_autofree char *off = app_enlarged_format_off(row->off[s]);
        fprintf(out, " %13s %-12s", value, e->refusal[s] != NULL ? "" : off);
    }
    fputc('\n', out);
}

/* Rows end where their last column does. */
static void print_trimmed(const app_enlarged *e, const app_enlarged_row *row, FILE *out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory == NULL) {
        print_row(e, row, out);
        return;
    }
    print_row(e, row, memory);
    (void)fclose(memory);
    fprintf(out, "%s\n", g_strchomp(text));
    free(text);
}

static void print_text(const void *result, FILE *out)
{
    const app_enlarged *e = result;
    g_autofree char *verdict = app_enlarged_verdict(e);
    g_auto(GStrv) notes = app_enlarged_notes(e);
    fprintf(out, "%s, %u ranks enlarged to %u\n\n%-28s %13s %13s %-12s %13s %s\n", e->program,
            e->small_ranks, e->ranks, "", app_enlarged_side_name(APP_ENLARGED_RECORDED),
            app_enlarged_side_name(APP_ENLARGED_REGRIDDED), "off",
            app_enlarged_side_name(APP_ENLARGED_COPIES), "off");
    for (guint i = 0; i < e->rows->len; i++) {
        print_trimmed(e, &g_array_index(e->rows, app_enlarged_row, i), out);
    }
    fputc('\n', out);
    for (size_t i = 0; notes[i] != NULL; i++) {
        fprintf(out, "%s\n", notes[i]);
    }
    fprintf(out, "%s\n", verdict);
}

static void print_csv(const void *result, FILE *out)
{
    const app_enlarged *e = result;
    fputs("what,unit,recorded,regridded,copies\n", out);
    for (guint i = 0; i < e->rows->len; i++) {
        const app_enlarged_row *row = &g_array_index(e->rows, app_enlarged_row, i);
        app_output_csv_text(out, row->what);
        fputs(row->is_time ? ",ps" : ",1", out);
        for (int s = 0; s < APP_ENLARGED_SIDES; s++) {
            fputc(',', out);
            if (e->refusal[s] == NULL) {
                fprintf(out, "%" G_GINT64_FORMAT, row->value[s]);
            }
        }
        fputc('\n', out);
    }
}

static void build_row(const app_enlarged *e, const app_enlarged_row *row, JsonBuilder *b)
{
    json_builder_begin_object(b);
    sim_json_text(b, "what", row->what);
    sim_json_text(b, "unit", row->is_time ? "ps" : "1");
    for (int s = 0; s < APP_ENLARGED_SIDES; s++) {
        if (e->refusal[s] != NULL) {
            continue;
        }
        sim_json_int(b, KEYS[s], row->value[s]);
        if (s != APP_ENLARGED_RECORDED && isfinite(row->off[s])) {
            g_autofree char *key = g_strconcat(KEYS[s], "_off", NULL);
            sim_json_double(b, key, row->off[s]);
        }
    }
    json_builder_end_object(b);
}

static void build(const void *result, JsonBuilder *b)
{
    const app_enlarged *e = result;
    g_autofree char *verdict = app_enlarged_verdict(e);
    g_auto(GStrv) notes = app_enlarged_notes(e);
    sim_json_text(b, "program", e->program);
    sim_json_int(b, "small_ranks", e->small_ranks);
    sim_json_int(b, "ranks", e->ranks);
    sim_json_int(b, "copies_ranks", e->copies_ranks);
    if (e->small_grid != NULL) {
        sim_json_text(b, "small_grid", e->small_grid);
        sim_json_text(b, "large_grid", e->large_grid);
    }
    sim_json_text(b, "judged", KEYS[e->judged]);
    sim_json_double(b, "tolerance", e->tolerance);
    json_builder_set_member_name(b, "within");
    json_builder_add_boolean_value(b, app_enlarged_holds(e));
    sim_json_text(b, "verdict", verdict);
    sim_json_begin_array(b, "rows");
    for (guint i = 0; i < e->rows->len; i++) {
        build_row(e, &g_array_index(e->rows, app_enlarged_row, i), b);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "notes");
    for (size_t i = 0; notes[i] != NULL; i++) {
        json_builder_add_string_value(b, notes[i]);
    }
    json_builder_end_array(b);
}

const app_result_writer app_enlarged_writer = {print_text, print_csv, build};
