/* apps/ripple/sweep/sweep_conditions.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/sweep_conditions.h"

#include "findings/remark.h"
#include "sim/json_member.h"

#include <string.h>

enum { MOST_TEXTS = 3 }; /* of a code; where there are more, the first stands for all */

/* What is said of the points with a remark; the number itself stands in their rows. */
static const struct {
    const char *text;
    app_remark remark;
    bool captioned; /* figures do not show it themselves */
} REMARKS[] = {
    {"All their replicas together meet fewer than 20 detours of a component that matters: a longer "
     "run, or other replicas, may be slower by far.",
     APP_REMARK_FEW_MET, true},
    {"It is an example; how far another one may lie from it is not known.", APP_REMARK_ONE, true},
    {"Fewer than five replicas: what stands there is the least and the most that was seen, not an "
     "interval of the mean.",
     APP_REMARK_RANGE, true},
    {"The interval holds 0: the slowdown is less than its upper end, and may be none.",
     APP_REMARK_LESS_THAN, false},
    {"No run with noise took longer than the one without.", APP_REMARK_NO_EFFECT, false},
};

/* What has met too few detours is told to be that and nothing else. */
static bool concerns(const app_series *s, app_remark remark)
{
    return app_series_has(s, remark) &&
           (remark == APP_REMARK_FEW_MET || app_series_claim(s) != APP_CLAIM_NONE);
}

/* Is it said of a series, and so of each point in other words? */
static bool is_remark(const char *code)
{
    for (int i = 0; i < APP_NUM_REMARKS; i++) {
        if (strcmp(app_remarks[i].code, code) == 0) {
            return true;
        }
    }
    return false;
}

/* What is said under one code. */
typedef struct group {
    const char *code;
    size_t points;
    size_t last; /* the point counted last, + 1: some are told of several of their files */
    size_t n;    /* of text; MOST_TEXTS + 1: there were more */
    app_sweep_condition text[MOST_TEXTS];
} group;

static group *group_of(GArray *groups, const char *code)
{
    for (guint i = 0; i < groups->len; i++) {
        group *g = &g_array_index(groups, group, i);
        if (strcmp(g->code, code) == 0) {
            return g;
        }
    }
    const group new = {.code = code};
    g_array_append_val(groups, new);
    return &g_array_index(groups, group, groups->len - 1);
}

static void take(group *g, const app_condition *c, size_t point)
{
    g->points += g->last != point + 1;
    g->last = point + 1;
    for (size_t i = 0; i < MIN(g->n, MOST_TEXTS); i++) {
        if (strcmp(g->text[i].text, c->text) == 0) {
            g->text[i].points++;
            return;
        }
    }
    if (g->n < MOST_TEXTS) {
        g->text[g->n] = (app_sweep_condition){.code = c->code,
                                              .grave = c->weight == APP_CONDITION_GRAVE,
                                              .text = g_strdup(c->text),
                                              .brief = g_strdup(c->brief),
                                              .points = 1};
    }
    g->n = MIN(g->n + 1, MOST_TEXTS + 1);
}

static void clear(app_sweep_condition *c)
{
    g_free(c->text);
    g_free(c->brief);
}

/* Its texts; where there were many, which differ in their numbers only, the first for all. */
static void move_texts(group *g, GArray *list)
{
    const bool merged = g->n > MOST_TEXTS;
    for (size_t i = 0; i < MIN(g->n, MOST_TEXTS); i++) {
        if (merged && i > 0) {
            clear(&g->text[i]);
        } else {
            g_array_append_val(list, g->text[i]);
        }
    }
    if (merged) {
        app_sweep_condition *first = &g_array_index(list, app_sweep_condition, list->len - 1);
        char *text =
            g_strconcat(first->text, " The like, with other numbers, holds elsewhere.", NULL);
        g_free(first->text);
        first->text = text;
        first->points = g->points;
    }
}

static void say_how_many(app_sweep_condition *c, size_t n)
{
    if (c->points < n) {
        const char *end = g_str_has_suffix(c->text, ".") ? "" : ".";
        char *text = g_strdup_printf("%s%s In %zu of %zu points.", c->text, end, c->points, n);
        g_free(c->text);
        c->text = text;
    }
}

static void add_remarks(GArray *list, const app_sweep_point *const *points, size_t n)
{
    for (size_t k = 0; k < G_N_ELEMENTS(REMARKS); k++) {
        size_t count = 0;
        for (size_t i = 0; i < n; i++) {
            count += concerns(&points[i]->result.series, REMARKS[k].remark);
        }
        if (count == 0) {
            continue;
        }
        const app_remark_words *words = &app_remarks[REMARKS[k].remark];
        g_autofree char *name = g_strdup(words->cell);
        name[0] = g_ascii_toupper(name[0]);
        g_autofree char *where = count < n ? g_strdup_printf("%zu of %zu points", count, n)
                                           : g_strdup(n > 1 ? "all points" : "the point");
        const app_sweep_condition new = {
            .code = words->code,
            .text = g_strdup_printf("%s: %s. %s", name, where, REMARKS[k].text),
            .brief = REMARKS[k].captioned ? g_strdup_printf("%s: %s.", name, where) : g_strdup(""),
            .points = count};
        g_array_append_val(list, new);
    }
}

static int by_weight(const void *a, const void *b)
{
    const app_sweep_condition *x = a;
    const app_sweep_condition *y = b;
    return (int)y->grave - (int)x->grave;
}

app_sweep_conditions *app_sweep_conditions_new(const app_sweep_point *const *points, size_t n)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(app_sweep_condition));
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(group));
    for (size_t i = 0; i < n; i++) {
        const app_conditions *all = points[i]->result.conditions;
        for (size_t k = 0; k < all->n; k++) {
            if (!is_remark(all->list[k].code)) {
                take(group_of(groups, all->list[k].code), &all->list[k], i);
            }
        }
    }
    for (guint i = 0; i < groups->len; i++) {
        move_texts(&g_array_index(groups, group, i), list);
    }
    for (guint i = 0; i < list->len; i++) {
        say_how_many(&g_array_index(list, app_sweep_condition, i), n);
    }
    g_array_sort(list, by_weight); /* stable, as g_qsort_with_data() is */
    add_remarks(list, points, n);
    app_sweep_conditions *c = g_new0(app_sweep_conditions, 1);
    c->n = list->len;
    c->list = (app_sweep_condition *)(void *)g_array_free(list, FALSE);
    return c;
}

void app_sweep_conditions_free(app_sweep_conditions *c)
{
    for (size_t i = 0; c != NULL && i < c->n; i++) {
        clear(&c->list[i]);
    }
    if (c != NULL) {
        g_free(c->list);
        g_free(c);
    }
}

char *app_sweep_conditions_caption(const app_sweep_conditions *c)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < c->n; i++) {
        if (c->list[i].brief[0] != '\0' && strstr(text->str, c->list[i].brief) == NULL) {
            g_string_append_printf(text, " %s", c->list[i].brief);
        }
    }
    return g_string_free(text, FALSE);
}

void app_sweep_conditions_build(const app_sweep_conditions *c, JsonBuilder *b)
{
    sim_json_begin_array(b, "conditions");
    for (size_t i = 0; i < c->n; i++) {
        json_builder_begin_object(b);
        sim_json_text(b, "code", c->list[i].code);
        sim_json_bool(b, "grave", c->list[i].grave);
        sim_json_text(b, "text", c->list[i].text);
        sim_json_int(b, "points", (int64_t)c->list[i].points);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}
