/* apps/ripple/calibration/calibration_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibration. */
#include "calibration/calibration_print.h"

#include "calibration/calls_print.h"
#include "calibration/walks_print.h"

#include "output/number_text.h"
#include "output/output.h"
#include "output/sentences.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <math.h>

static const double FAR = 0.25;  /* of what was measured: said of the sizes that are farther off */
static const double SURE = 0.03; /* half an interval: said of the values whose is wider */

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

/* The values that are known worse than SURE, "o to 5 %, G to 4 %", or NULL. */
static char *unsure(const app_calibration *c)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < APP_NUM_CALIBRATED; i++) {
        const app_calibrated_value *v = &c->value[i];
        const double off = fmax(v->high - v->value, v->value - v->low);
        if (off > SURE * v->value) {
            g_string_append_printf(text, "%s%s to ", text->len > 0 ? ", " : "",
                                   app_calibrated_name((app_calibrated)i));
            if (v->value > 0) {
                g_string_append_printf(text, "%.0f %%", 100 * off / v->value);
            } else {
                g_string_append_printf(text, "%.3g %s", off, unit_of(i));
            }
        }
    }
    return g_string_free(text, text->len == 0);
}

/* Were the cores their own while they were measured? */
static void add_company(const app_calibration *c, GPtrArray *out)
{
    if (c->in_company) {
        app_sentences_add(out,
                          "In company: in no more than %.2g %% of the visits both cores computed "
                          "as fast as they can (within %.0f %%), too few for values of their own; "
                          "so all visits count. Another thread on the same cores, or another clock "
                          "frequency, makes messages take longer, by up to a third or more: a "
                          "calibration at another time may differ by as much.",
                          100 * c->undisturbed, 100 * (APP_CALIBRATION_PACE - 1));
    } else if (c->num_disturbed > 0 || c->undisturbed < 1) {
        app_sentences_add(out,
                          "What was measured while a core computed more slowly than it can does "
                          "not count: %.2g %% of the visits, and %zu of %zu rounds that lack some "
                          "size without them.",
                          100 * (1 - c->undisturbed), c->num_disturbed, c->num_measured);
    }
}

/* What was measured, and how well it holds. */
static void add_quality(const app_calibration *c, GPtrArray *out)
{
    if (c->invalid != NULL) {
        app_sentences_add(out, "Not valid: %s.", c->invalid);
    }
    app_sentences_add(out,
                      "%s, ranks on %s (node/CPU); median of %zu rounds, each a start of its own, "
                      "and its interval. Blocking sends and receives; of each time in a round the "
                      "lower quartile.",
                      c->mpi, c->places, c->num_rounds);
    add_company(c, out);
    const size_t disturbed = c->in_company ? 0 : c->num_disturbed;
    if (c->num_measured > c->num_rounds + disturbed) {
        app_sentences_add(
            out,
            "%zu of %zu rounds are left out: their messages took %.2f to %.2f times "
            "as long as those of the group that is taken, whose rounds agree within %g %%.",
            c->num_measured - c->num_rounds - disturbed, c->num_measured, c->others_fastest,
            c->others_slowest, 100 * APP_CALIBRATION_ALIKE);
    }
    g_autofree char *worse = unsure(c);
    if (worse != NULL) {
        app_sentences_add(out,
                          "Not known to %g %%, by their intervals: %s. Another calibration may "
                          "find values that differ by that much.",
                          100 * SURE, worse);
    }
}

/* Of the sizes that take a handshake the one that the model has the most too short, or NULL. */
static const app_calibration_size *longest_handshake(const app_calibration *c)
{
    const app_calibration_size *worst = NULL;
    for (size_t i = 0; i < c->num_sizes; i++) {
        const app_calibration_size *s = &c->sizes[i];
        const double relative = s->model / s->measured;
        if (s->bytes > c->S && relative < 1 - FAR &&
            (worst == NULL || relative < worst->model / worst->measured)) {
            worst = s;
        }
    }
    return worst;
}

static GPtrArray *conditions(const app_calibration *c)
{
    GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
    add_quality(c, out);
    if (c->one_node) {
        app_sentences_add(out, "Both ranks are on one node: these are values within a node "
                               "(--node-of), not between nodes.");
    }
    if (c->guessed) {
        app_sentences_add(out,
                          "The overheads as measured leave %.3g ns (%.3g .. %.3g) of L + 2 o for "
                          "L, less than a tenth: too little to be told apart from them. L is that "
                          "tenth, and o half of what is left; L + 2 o is what was measured.",
                          c->left.value, c->left.low, c->left.high);
    }
    if (c->cold.value > 0) {
        app_sentences_add(
            out,
            "After both ranks have walked through 4 MiB of memory, as a computation makes it, "
            "a call takes %.3g ns (%.3g .. %.3g; half of an exchange of 1 B), not the "
            "%.3g ns of o%s.",
            c->cold.value, c->cold.low, c->cold.high, c->value[APP_CALIBRATED_o].value,
            c->takes_cold ? " above: it is the o of the machine file (--cold)"
                          : ": --cold takes that for o");
    }
    if (c->waits != c->S) {
        g_autofree char *waits = bytes_text(c->waits);
        app_sentences_add(out,
                          "A send of more than %s waits while its receiver is outside MPI, though "
                          "up to S it does not wait for the receive. The model's does neither.",
                          waits);
    }
    const app_calibration_size *longest = longest_handshake(c);
    if (longest != NULL) {
        app_sentences_add(out,
                          "Above S the model has a message take 2 L%s (%.3g ns) more; one of "
                          "%" G_GINT64_FORMAT " bytes takes %.3g us more than the model says.",
                          c->has_handshake ? " + H" : "",
                          2 * c->value[APP_CALIBRATED_L].value + c->value[APP_CALIBRATED_H].value,
                          longest->bytes, (longest->measured - longest->model) / 1000);
    }
    app_calls_add_conditions(c, out);
    app_walks_add_conditions(c, out);
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
        if (!app_calibrated_is_there(c, (app_calibrated)i)) {
            continue;
        }
        const app_calibrated_value *m = &c->value[i];
        g_autofree char *value = number(m->value);
        g_autofree char *interval = g_strdup_printf("%.4g .. %.4g %s", m->low, m->high, unit_of(i));
        fprintf(out, "%-4s %10s  %-24s %s\n", app_calibrated_name((app_calibrated)i), value,
                interval, app_calibrated_origin(c, (app_calibrated)i));
    }
    fprintf(out, "%-4s %10s  %-24s %s\n\n", "S", S, "", "sends of more wait for their receive");
    fprintf(out, "%10s %12s  %-24s %12s %10s\n", "bytes", "half trip", "95 % interval", "model",
            "off by");
    for (size_t i = 0; i < c->num_sizes; i++) {
        const app_calibration_size *s = &c->sizes[i];
        g_autofree char *off = app_format_percent(s->model / s->measured - 1);
        g_autofree char *interval =
            g_strdup_printf("%.4g .. %.4g us", s->low / 1000, s->high / 1000);
        fprintf(out, "%10" G_GINT64_FORMAT " %9.4g us  %-24s %9.4g us %10s\n", s->bytes,
                s->measured / 1000, interval, s->model / 1000, off);
    }
    fputc('\n', out);
    app_calls_print(c, out);
    app_walks_print(c, out);
    g_autoptr(GPtrArray) lines = conditions(c);
    for (guint i = 0; i < lines->len; i++) {
        app_sentence_print(lines->pdata[i], out);
    }
}

void app_calibration_print_csv(const app_calibration *c, FILE *out)
{
    fputs("parameter,value,low,high,level,unit,origin\n", out);
    for (size_t i = 0; i < APP_NUM_CALIBRATED; i++) {
        if (!app_calibrated_is_there(c, (app_calibrated)i)) {
            continue;
        }
        const app_calibrated_value *m = &c->value[i];
        fprintf(out, "%s,%.9g,%.9g,%.9g,%g,%s,", app_calibrated_name((app_calibrated)i), m->value,
                m->low, m->high, m->level, unit_of(i));
        app_output_csv_text(out, app_calibrated_origin(c, (app_calibrated)i));
        fputc('\n', out);
    }
    app_calls_print_csv(c, out);
    app_walks_print_csv(c, out);
    g_autofree char *S = bytes_text(c->S);
    fprintf(out, "S,%s,,,,B,\n", c->S == INT64_MAX ? "inf" : g_strdelimit(S, "B", '\0'));
}

void app_calibration_build(const app_calibration *c, JsonBuilder *b)
{
    sim_json_text(b, "mpi", c->mpi);
    sim_json_text(b, "places", c->places);
    sim_json_bool(b, "one_node", c->one_node);
    sim_json_int(b, "rounds", (int64_t)c->num_rounds);
    sim_json_int(b, "rounds_measured", (int64_t)c->num_measured);
    sim_json_int(b, "rounds_disturbed", (int64_t)c->num_disturbed);
    sim_json_double(b, "undisturbed", c->undisturbed);
    sim_json_bool(b, "in_company", c->in_company);
    sim_json_double(b, "unrest", c->unrest);
    sim_json_bool(b, "valid", c->invalid == NULL);
    sim_json_text(b, "verdict", c->invalid);
    sim_json_begin_array(b, "parameters");
    for (size_t i = 0; i < APP_NUM_CALIBRATED; i++) {
        if (!app_calibrated_is_there(c, (app_calibrated)i)) {
            continue;
        }
        const app_calibrated_value *m = &c->value[i];
        json_builder_begin_object(b);
        sim_json_text(b, "name", app_calibrated_name((app_calibrated)i));
        sim_json_text(b, "unit", unit_of(i));
        sim_json_double(b, "value", m->value);
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
    sim_json_double(b, "left_for_L_ns", c->left.value);
    if (c->cold.value > 0) {
        sim_json_begin_object(b, "cold_o_ns");
        sim_json_double(b, "value", c->cold.value);
        sim_json_double(b, "low", c->cold.low);
        sim_json_double(b, "high", c->cold.high);
        sim_json_double(b, "level", c->cold.level);
        sim_json_bool(b, "is_o_of_machine", c->takes_cold);
        json_builder_end_object(b);
    }
    sim_json_begin_array(b, "sizes");
    for (size_t i = 0; i < c->num_sizes; i++) {
        json_builder_begin_object(b);
        sim_json_int(b, "bytes", c->sizes[i].bytes);
        sim_json_double(b, "measured_ns", c->sizes[i].measured);
        sim_json_double(b, "low_ns", c->sizes[i].low);
        sim_json_double(b, "high_ns", c->sizes[i].high);
        sim_json_double(b, "model_ns", c->sizes[i].model);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    app_calls_build(c, b);
    app_walks_build(c, b);
    sim_json_begin_array(b, "conditions");
    g_autoptr(GPtrArray) lines = conditions(c);
    for (guint i = 0; i < lines->len; i++) {
        sim_json_add_text(b, lines->pdata[i]);
    }
    json_builder_end_array(b);
}
