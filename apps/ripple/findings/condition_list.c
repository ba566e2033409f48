/* apps/ripple/findings/condition_list.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_condition. */
#include "findings/condition.h"

#include "findings/condition_private.h"
#include "output/sentences.h"
#include "sim/json_member.h"

#include <string.h>

static void clear(gpointer data)
{
    app_condition *c = data;
    g_free(c->ranks);
    g_free(c->text);
    g_free(c->brief);
}

app_condition *app_condition_add(app_condition_maker *maker, const char *code, const char *brief,
                                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const app_condition c = {.code = code,
                             .weight = APP_CONDITION_REMARK,
                             .text = g_strdup_vprintf(format, args),
                             .brief = g_strdup(brief)};
    va_end(args);
    g_array_append_val(maker->list, c);
    return &g_array_index(maker->list, app_condition, maker->list->len - 1);
}

void app_conditions_free(app_conditions *c)
{
    for (size_t i = 0; c != NULL && i < c->n; i++) {
        clear(&c->list[i]);
    }
    if (c != NULL) {
        g_free(c->list);
        g_free(c);
    }
}

const app_condition *app_conditions_find(const app_conditions *c, const char *code)
{
    for (size_t i = 0; i < c->n; i++) {
        if (strcmp(c->list[i].code, code) == 0) {
            return &c->list[i];
        }
    }
    return NULL;
}

size_t app_conditions_count(const app_conditions *c, app_condition_weight weight)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        n += c->list[i].weight == weight;
    }
    return n;
}

void app_conditions_print(const app_conditions *c, app_condition_weight weight, FILE *out)
{
    for (size_t i = 0; i < c->n; i++) {
        if (c->list[i].weight == weight) {
            app_sentence_print(c->list[i].text, out);
        }
    }
}

void app_conditions_build(const app_conditions *c, JsonBuilder *b)
{
    sim_json_begin_array(b, "conditions");
    for (size_t i = 0; i < c->n; i++) {
        const app_condition *one = &c->list[i];
        json_builder_begin_object(b);
        sim_json_text(b, "code", one->code);
        sim_json_bool(b, "grave", one->weight == APP_CONDITION_GRAVE);
        sim_json_text(b, "text", one->text);
        sim_json_text(b, "mode", one->mode != APP_IDEAL ? app_mode_name(one->mode) : NULL);
        sim_json_begin_array(b, "ranks");
        for (size_t r = 0; r < one->num_ranks; r++) {
            json_builder_add_int_value(b, one->ranks[r]);
        }
        json_builder_end_array(b);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

char *app_conditions_caption(const app_conditions *c)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < c->n; i++) {
        if (c->list[i].brief[0] != '\0') {
            g_string_append_printf(text, " %s", c->list[i].brief);
        }
    }
    return g_string_free(text, FALSE);
}
