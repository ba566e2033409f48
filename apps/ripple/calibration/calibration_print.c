/* apps/ripple/calibration/calibration_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibration. */
#include "calibration/calibration_print.h"

#include "output/number_text.h"
#include "output/output.h"
#include "output/sentences.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <math.h>

static const double FAR = 0.25; /* of what was measured: said of the sizes that are farther off */

static const char *unit_of(size_t which)
{
    return which == APP_CALIBRATED_G || which == APP_CALIBRATED_O ? "ns/B" : "ns";
}

static char *number(double value)
{
    return g_strdup_printf("%.4g", value);
}

static char *bytes_text(int64_t bytes)
{
    return bytes == INT64_MAX ? g_strdup("inf") : g_strdup_printf("%" G_GINT64_FORMAT "B", bytes);
}

/* The sizes whose round trip the model does not have, or NULL. */
static char *far_off(const app_calibration *c)
{
    GString *sizes = g_string_new(NULL);
    for (size_t i = 0; i < c->num_sizes; i++) {
        const app_calibration_size *s = &c->sizes[i];
        if (fabs(s->model / s->measured - 1) > FAR) {
            g_string_append_printf(sizes, "%s%" G_GINT64_FORMAT, sizes->len > 0 ? ", " : "",
                                   s->bytes);
        }
    }
    return g_string_free(sizes, sizes->len == 0);
}

static GPtrArray *conditions(const app_calibration *c)
{
    GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
    if (c->invalid != NULL) {
        app_sentences_add(out, "Not valid: %s.", c->invalid);
    }
    app_sentences_add(out,
                      "%s, ranks on %s (node/CPU); mean of %zu rounds and its 95 %% interval. "
                      "Blocking sends and receives; of each time the lower quartile of its "
                      "repetitions.",
                      c->mpi, c->places, c->num_rounds);
    if (c->one_node) {
        app_sentences_add(out, "Both ranks are on one node: these are values within a node "
                               "(--node-of), not between nodes.");
    }
    if (c->guessed) {
        app_sentences_add(out, "The overheads that were measured are more than half a round trip, "
                               "so they are not what a message takes before and after the wire: L "
                               "and o are a third of it each, which is a guess.");
    }
    if (c->waits != c->S) {
        g_autofree char *waits = bytes_text(c->waits);
        app_sentences_add(out,
                          "A send of more than %s waits for a late receiver; the round trip "
                          "jumps at S. The model knows one limit for both.",
                          waits);
    }
    g_autofree char *far = far_off(c);
    if (far != NULL) {
        app_sentences_add(out,
                          "By more than %g %%, the model's round trip is not the measured one "
                          "for messages of %s bytes.",
                          100 * FAR, far);
    }
    return out;
}

void app_calibration_print(const app_calibration *c, FILE *out)
{
    g_autofree char *S = bytes_text(c->S);
    fprintf(out, "%-4s %10s  %-24s %s\n", "", "value", "95 % interval", "from");
    for (size_t i = 0; i < APP_NUM_CALIBRATED; i++) {
        const app_mean *m = &c->value[i];
        g_autofree char *value = number(m->mean);
        g_autofree char *interval = g_strdup_printf("%.4g .. %.4g %s", m->low, m->high, unit_of(i));
        fprintf(out, "%-4s %10s  %-24s %s\n", app_calibrated_name((app_calibrated)i), value,
                interval, app_calibrated_origin(c, (app_calibrated)i));
    }
    fprintf(out, "%-4s %10s  %-24s %s\n\n", "S", S, "",
            c->S == c->waits ? "sends of more wait for their receiver"
                             : "the round trip jumps above");
    fprintf(out, "%10s %12s %12s %10s\n", "bytes", "half trip", "model", "off by");
    for (size_t i = 0; i < c->num_sizes; i++) {
        const app_calibration_size *s = &c->sizes[i];
        g_autofree char *off = app_format_percent(s->model / s->measured - 1);
        fprintf(out, "%10" G_GINT64_FORMAT " %9.4g us %9.4g us %10s\n", s->bytes,
                s->measured / 1000, s->model / 1000, off);
    }
    fputc('\n', out);
    g_autoptr(GPtrArray) lines = conditions(c);
    for (guint i = 0; i < lines->len; i++) {
        app_sentence_print(lines->pdata[i], out);
    }
}

void app_calibration_print_csv(const app_calibration *c, FILE *out)
{
    fputs("parameter,value,low,high,level,unit,origin\n", out);
    for (size_t i = 0; i < APP_NUM_CALIBRATED; i++) {
        const app_mean *m = &c->value[i];
        fprintf(out, "%s,%.9g,%.9g,%.9g,%g,%s,", app_calibrated_name((app_calibrated)i), m->mean,
                m->low, m->high, m->level, unit_of(i));
        app_output_csv_text(out, app_calibrated_origin(c, (app_calibrated)i));
        fputc('\n', out);
    }
    g_autofree char *S = bytes_text(c->S);
    fprintf(out, "S,%s,,,,B,\n", c->S == INT64_MAX ? "inf" : g_strdelimit(S, "B", '\0'));
}

void app_calibration_build(const app_calibration *c, JsonBuilder *b)
{
    sim_json_text(b, "mpi", c->mpi);
    sim_json_text(b, "places", c->places);
    sim_json_bool(b, "one_node", c->one_node);
    sim_json_int(b, "rounds", (int64_t)c->num_rounds);
    sim_json_bool(b, "valid", c->invalid == NULL);
    sim_json_text(b, "verdict", c->invalid);
    sim_json_begin_array(b, "parameters");
    for (size_t i = 0; i < APP_NUM_CALIBRATED; i++) {
        const app_mean *m = &c->value[i];
        json_builder_begin_object(b);
        sim_json_text(b, "name", app_calibrated_name((app_calibrated)i));
        sim_json_text(b, "unit", unit_of(i));
        sim_json_double(b, "value", m->mean);
        sim_json_double(b, "low", m->low);
        sim_json_double(b, "high", m->high);
        sim_json_double(b, "level", m->level);
        sim_json_text(b, "origin", app_calibrated_origin(c, (app_calibrated)i));
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    sim_json_double(b, "S", c->S == INT64_MAX ? INFINITY : (double)c->S);
    sim_json_double(b, "waits", c->waits == INT64_MAX ? INFINITY : (double)c->waits);
    sim_json_bool(b, "guessed", c->guessed);
    sim_json_begin_array(b, "sizes");
    for (size_t i = 0; i < c->num_sizes; i++) {
        json_builder_begin_object(b);
        sim_json_int(b, "bytes", c->sizes[i].bytes);
        sim_json_double(b, "measured_ns", c->sizes[i].measured);
        sim_json_double(b, "model_ns", c->sizes[i].model);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "conditions");
    g_autoptr(GPtrArray) lines = conditions(c);
    for (guint i = 0; i < lines->len; i++) {
        sim_json_add_text(b, lines->pdata[i]);
    }
    json_builder_end_array(b);
}
