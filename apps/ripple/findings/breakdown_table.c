/* apps/ripple/findings/breakdown_table.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "findings/breakdown_table.h"

#include "analysis/breakdown.h"
#include "output/number_text.h"
#include "output/sentences.h"
#include "sim/json_member.h"
#include "sim/unit.h"

/* Nobody asked for one where there is neither a breakdown nor a reason. */
static bool is_missing(const app_series *s)
{
    return !s->has_breakdown && s->unexplained != NULL;
}

/* ---- which sizes ---- */

typedef struct missing {
    GArray *sizes;   /* uint32_t, each once, ascending */
    bool up_to_last; /* all sizes from the first of them on */
    const char *why; /* of the first; NULL: none is missing */
} missing;

static missing find_missing(const app_results *results)
{
    missing m = {.sizes = g_array_new(FALSE, FALSE, sizeof(uint32_t)), .up_to_last = true};
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        const guint n = m.sizes->len;
        if (!is_missing(s)) {
            m.up_to_last = m.up_to_last && n == 0;
        } else if (n == 0 || g_array_index(m.sizes, uint32_t, n - 1) != s->ranks) {
            m.why = n == 0 ? s->unexplained : m.why;
            g_array_append_val(m.sizes, s->ranks);
        }
    }
    return m;
}

static char *name_sizes(const missing *m, const app_results *results)
{
    const uint32_t first = g_array_index(m->sizes, uint32_t, 0);
    if (m->up_to_last) {
        g_autofree char *ranks = app_format_ranks(first);
        const bool is_one = results->series[results->num_series - 1].ranks == first;
        return g_strdup_printf(is_one ? "at %s" : "from %s on", ranks);
    }
    g_autoptr(GString) text = g_string_new("at ");
    for (guint i = 0; i < m->sizes->len; i++) {
        g_autofree char *ranks = app_format_ranks(g_array_index(m->sizes, uint32_t, i));
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", ranks);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

char *app_breakdown_missing(const app_results *results)
{
    const missing m = find_missing(results);
    char *text = NULL;
    if (m.why != NULL) {
        g_autofree char *sizes = name_sizes(&m, results);
        text = g_strdup_printf("Where the time goes %s is not known: %s.", sizes, m.why);
    }
    g_array_unref(m.sizes);
    return text;
}

void app_breakdown_build_missing(const app_results *results, JsonBuilder *b)
{
    const missing m = find_missing(results);
    if (m.why != NULL) {
        sim_json_begin_object(b, "breakdown_missing");
        sim_json_begin_array(b, "ranks");
        for (guint i = 0; i < m.sizes->len; i++) {
            json_builder_add_int_value(b, g_array_index(m.sizes, uint32_t, i));
        }
        json_builder_end_array(b);
        sim_json_text(b, "why", m.why);
        json_builder_end_object(b);
    }
    g_array_unref(m.sizes);
}

/* ---- the table ---- */

static void print_row(const app_series *s, size_t num_parts, FILE *out)
{
    g_autofree char *ranks = sim_unit_format_count(s->ranks);
    fprintf(out, "%9s  %-15s", ranks, app_mode_name(s->mode));
    const sim_time makespan = MAX(s->breakdown_makespan, 1);
    for (size_t part = 0; part < num_parts; part++) {
        const sim_time value = app_breakdown_part(&s->breakdown, part);
        g_autofree char *share =
            g_strdup_printf("%.1f %%", 100.0 * (double)value / (double)makespan);
        fprintf(out, " %8s", value == 0 ? "-" : share);
    }
    const sim_time noise = s->breakdown.noise + s->breakdown.peer_noise;
    if (noise > 0) {
        g_autofree char *text = sim_unit_format_time_short(noise);
        fprintf(out, "  %s", text);
    }
    fputc('\n', out);
}

static void print_rows(const app_results *results, FILE *out)
{
    fputs("\nwhere the time goes, along the critical path of replica 0\n", out);
    fprintf(out, "%9s  %-15s", "ranks", "noise");
    const size_t num_parts = app_results_num_parts(results);
    for (size_t part = 0; part < num_parts; part++) {
        fprintf(out, " %8s", app_parts[part].column);
    }
    fputs(results->noisy ? "  waiting + noise\n" : "\n", out);
    for (size_t i = 0; i < results->num_series; i++) {
        if (results->series[i].has_breakdown) {
            print_row(&results->series[i], num_parts, out);
        }
    }
    if (results->noisy) {
        fputs("waiting: for a noise-delayed peer; noise: on the rank that finishes last\n", out);
    }
    if (num_parts == APP_NUM_PARTS) {
        fputs("in nodes: all of messages within a node; o, O, L and g/G are the network's\n", out);
    }
}

void app_breakdown_table_print(const app_results *results, FILE *out)
{
    bool any = false;
    for (size_t i = 0; i < results->num_series; i++) {
        any = any || results->series[i].has_breakdown;
    }
    if (any) {
        print_rows(results, out);
    }
    g_autofree char *missing_sizes = app_breakdown_missing(results);
    if (missing_sizes != NULL) {
        fputs(any ? "" : "\n", out);
        app_sentence_print(missing_sizes, out);
    }
}

/* ---- explanations ---- */

bool app_explanations_are_there(const app_results *results)
{
    for (size_t i = 0; i < results->num_series; i++) {
        if (results->series[i].explanation != NULL) {
            return true;
        }
    }
    return false;
}

void app_explanations_print(const app_results *results, FILE *out)
{
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (s->explanation == NULL) {
            continue;
        }
        g_autofree char *ranks = sim_unit_format_count(s->ranks);
        fprintf(out, "\n%s ranks, %s", ranks, app_mode_name(s->mode));
        if (s->quantity == APP_STEADY && s->breakdown_passes > 0) {
            fprintf(out, ", %u pass%s", s->breakdown_passes, s->breakdown_passes == 1 ? "" : "es");
        }
        fputs(":\n", out);
        app_explanation_print(s->explanation, s->breakdown_makespan, out);
    }
}
