/* apps/ripple/calibration/calls_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibration_calls. */
#include "calibration/calls_print.h"

#include "output/number_text.h"
#include "output/output.h"
#include "output/sentences.h"
#include "sim/json_member.h"

#include <math.h>

static const char ORIGIN[] = "a call on two ranks beyond its simulated messages";
static const char PER_BYTE[] = "the same for each further byte";

static bool is_measured(const app_calibration *c, int call)
{
    return c->call[call].num_sizes > 0 && c->call[call].time.level > 0;
}

/* What a call of that size takes by the values and by its cost, one after the other, ns. */
static double model_of(const app_calibrated_call *call, size_t size)
{
    sim_call_cost cost;
    const bool has_cost = app_calibrated_call_fit(call, &call->time, &cost);
    return call->model[size] +
           (has_cost ? (double)sim_call_cost_of(&cost, call->bytes[size]) / (double)SIM_NS : 0);
}

/* How far off the size is that is farthest off. */
static double worst_of(const app_calibrated_call *call)
{
    double worst = 0;
    for (size_t i = 0; i < call->num_sizes; i++) {
        if (call->measured[i].level <= 0) {
            continue;
        }
        const double off = model_of(call, i) / call->measured[i].value - 1;
        worst = fabs(off) > fabs(worst) ? off : worst;
    }
    return worst;
}

static char *interval(const app_calibrated_value *v, const char *unit)
{
    return g_strdup_printf("%.4g .. %.4g %s", v->low, v->high, unit);
}

void app_calls_print(const app_calibration *c, FILE *out)
{
    bool has_head = false;
    for (int i = 0; i < SIM_NUM_CALLS; i++) {
        const app_calibrated_call *call = &c->call[i];
        if (!is_measured(c, i)) {
            continue;
        }
        if (!has_head) {
            fprintf(out, "%-10s %9s  %-24s %9s  %-26s %9s %8s\n", "call", "beside", "95 % interval",
                    "per byte", "95 % interval", "off by", "file");
            has_head = true;
        }
        const app_calibrated_value *time = app_calibrated_call_time(c, (sim_call)i);
        const bool has_slope = call->num_sizes > 1 && call->byte.level > 0;
        sim_call_cost cost;
        const bool is_written = app_calibrated_call_cost(c, (sim_call)i, &cost);
        g_autofree char *of_time = interval(time, "ns");
        g_autofree char *of_byte = has_slope ? interval(&call->byte, "ns/B") : g_strdup("");
        g_autofree char *slope =
            has_slope ? g_strdup_printf("%.4g", call->byte.value) : g_strdup("");
        g_autofree char *off = app_format_percent(worst_of(call));
        g_autofree char *written = is_written ? sim_call_cost_format(&cost) : g_strdup("-");
        fprintf(out, "%-10s %9.4g  %-24s %9s  %-26s %9s %s\n", sim_call_name((sim_call)i),
                time->value, of_time, slope, of_byte, off, written);
    }
    if (has_head) {
        fputc('\n', out);
    }
}

static void print_row(const char *name, const app_calibrated_value *v, const char *unit,
                      const char *origin, FILE *out)
{
    fprintf(out, "%s,%.9g,%.9g,%.9g,%g,%s,", name, v->value, v->low, v->high, v->level, unit);
    app_output_csv_text(out, origin);
    fputc('\n', out);
}

void app_calls_print_csv(const app_calibration *c, FILE *out)
{
    for (int i = 0; i < SIM_NUM_CALLS; i++) {
        const char *key = sim_key_name((sim_key)(SIM_KEY_CALLS + i));
        if (is_measured(c, i)) {
            print_row(key, app_calibrated_call_time(c, (sim_call)i), "ns", ORIGIN, out);
            if (c->call[i].num_sizes > 1 && c->call[i].byte.level > 0) {
                print_row(key, &c->call[i].byte, "ns/B", PER_BYTE, out);
            }
        }
    }
}

void app_calibrated_value_build(const char *name, const app_calibrated_value *v, JsonBuilder *b)
{
    sim_json_begin_object(b, name);
    sim_json_double(b, "value", v->value);
    sim_json_double(b, "low", v->low);
    sim_json_double(b, "high", v->high);
    sim_json_double(b, "level", v->level);
    json_builder_end_object(b);
}

static void build_call(const app_calibration *c, sim_call which, JsonBuilder *b)
{
    const app_calibrated_call *call = &c->call[which];
    sim_call_cost cost;
    const bool is_written = app_calibrated_call_cost(c, which, &cost);
    g_autofree char *text = is_written ? sim_call_cost_format(&cost) : NULL;
    json_builder_begin_object(b);
    sim_json_text(b, "name", sim_call_name(which));
    sim_json_text(b, "in_file", text);
    app_calibrated_value_build("time_ns", &call->time, b);
    if (call->num_sizes > 1 && call->byte.level > 0) {
        app_calibrated_value_build("byte_ns", &call->byte, b);
    }
    if (call->cold.level > 0) {
        app_calibrated_value_build("cold_ns", &call->cold, b);
    }
    sim_json_begin_array(b, "sizes");
    for (size_t i = 0; i < call->num_sizes; i++) {
        if (call->measured[i].level <= 0) {
            continue;
        }
        json_builder_begin_object(b);
        sim_json_int(b, "bytes", call->bytes[i]);
        app_calibrated_value_build("measured_ns", &call->measured[i], b);
        sim_json_double(b, "messages_ns", call->model[i]);
        sim_json_double(b, "model_ns", model_of(call, i));
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
}

void app_calls_build(const app_calibration *c, JsonBuilder *b)
{
    sim_json_begin_array(b, "calls");
    for (int i = 0; i < SIM_NUM_CALLS; i++) {
        if (is_measured(c, i)) {
            build_call(c, (sim_call)i, b);
        }
    }
    json_builder_end_array(b);
}

/* "reduce of 64, 512; allreduce of 64": sizes of which not one visit counts. */
static void add_unmeasured(const app_calibration *c, GPtrArray *out)
{
    GString *text = g_string_new(NULL);
    for (int i = 0; i < SIM_NUM_CALLS; i++) {
        bool has_name = false;
        for (size_t k = 0; is_measured(c, i) && k < c->call[i].num_sizes; k++) {
            if (c->call[i].measured[k].level <= 0) {
                g_string_append_printf(text, "%s%s%s%" G_GINT64_FORMAT,
                                       text->len == 0 ? ""
                                       : has_name     ? ", "
                                                      : "; ",
                                       has_name ? "" : sim_call_name((sim_call)i),
                                       has_name ? "" : " of ", c->call[i].bytes[k]);
                has_name = true;
            }
        }
    }
    if (text->len > 0) {
        app_sentences_add(out,
                          "The cores computed more slowly than they can at every visit of %s "
                          "bytes: what these calls take is not known.",
                          text->str);
    }
    (void)g_string_free(text, TRUE);
}

void app_calls_add_conditions(const app_calibration *c, GPtrArray *out)
{
    add_unmeasured(c, out);
    GString *less = g_string_new(NULL);
    GString *unclear = g_string_new(NULL);
    for (int i = 0; i < SIM_NUM_CALLS; i++) {
        const app_calibrated_value *time = app_calibrated_call_time(c, (sim_call)i);
        sim_call_cost cost;
        if (!is_measured(c, i) || app_calibrated_call_cost(c, (sim_call)i, &cost)) {
            continue;
        }
        const char *name = sim_call_name((sim_call)i);
        if (time->high < 0) {
            g_string_append_printf(less, "%s%s %.3g ns", less->len > 0 ? ", " : "", name,
                                   -time->value);
        } else {
            g_string_append_printf(unclear, "%s%s", unclear->len > 0 ? ", " : "", name);
        }
    }
    if (less->len > 0) {
        app_sentences_add(out,
                          "These calls take less than their simulated messages, which no cost of a "
                          "call is: %s less. None is written for them.",
                          less->str);
    }
    if (unclear->len > 0) {
        app_sentences_add(out,
                          "What these calls take beside their messages is not distinguishable from "
                          "nothing, by the interval: %s. None is written for them.",
                          unclear->str);
    }
    (void)g_string_free(less, TRUE);
    (void)g_string_free(unclear, TRUE);
}
