/* schedgen/pattern/pattern_parse.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "coll/call_text.h"
#include "model/beside_private.h"
#include "pattern/pattern_item_private.h"
#include "sim/nearest.h"
#include "sim/unit.h"

#include <string.h>

/* The grammar of docs/patterns.md, section 2, by recursive descent. */

enum { MOST_ITEMS = 1000, MOST_DEPTH = 16 };
static const uint64_t MOST_TURNS = UINT32_MAX - 1, USUAL_SEED = 1;

typedef struct reader {
    const char *at; /* what has not been read */
    sched_pattern *pattern;
    GError **error;
} reader;

static pattern_node *node_at(const sched_pattern *p, uint32_t i)
{
    return &g_array_index(p->nodes, pattern_node, i);
}

static const pattern_item *item_of(const sched_pattern *p, const pattern_node *node)
{
    return g_ptr_array_index(p->items, node->item);
}

static void skip_blanks(reader *r)
{
    while (g_ascii_isspace(*r->at)) {
        r->at++;
    }
}

/* @return the text before the next sign of the grammar, without blanks around it; owned */
static char *take_word(reader *r)
{
    const size_t length = strcspn(r->at, ",()*");
    char *word = g_strstrip(g_strndup(r->at, length));
    r->at += length;
    return word;
}

static bool take_sign(reader *r, char sign)
{
    skip_blanks(r);
    if (*r->at != sign) {
        return false;
    }
    r->at++;
    return true;
}

/* [ "*" count ] */
static bool parse_count(reader *r, uint32_t *count)
{
    *count = 1;
    if (!take_sign(r, '*')) {
        return true;
    }
    g_autofree char *word = take_word(r);
    return sim_unit_parse_count(word, count, NULL) ||
           sched_pattern_refuse(r->error, "'*%s': a number of times from 1 on comes after the *",
                                word);
}

/* ---- items --------------------------------------------------------------------------------- */

static void item_free(gpointer data)
{
    pattern_item *item = data;
    g_free(item->text);
    g_free(item);
}

/* The name at the beginning of a form, or of a text: up to a sign that no name has. */
static size_t name_length(const char *text)
{
    return strcspn(text, ":=[");
}

static char *hint_at_items(const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < sched_pattern_item_table_size; i++) {
        const char *form = sched_pattern_item_table[i]->form;
        g_ptr_array_add(names, g_strndup(form, name_length(form)));
    }
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        g_ptr_array_add(names, g_strdup(coll_kind_name((coll_kind)kind)));
    }
    g_ptr_array_add(names, NULL);
    return sim_nearest_hint(name, (const char *const *)names->pdata);
}

static const pattern_item_class *find_class(const char *text, GError **error)
{
    const size_t length = name_length(text);
    g_autofree char *name = g_strndup(text, length);
    for (size_t i = 0; i < sched_pattern_item_table_size; i++) {
        const char *form = sched_pattern_item_table[i]->form;
        if (length == name_length(form) && g_ascii_strncasecmp(form, name, length) == 0) {
            const char sign = form[length] == '=' ? '=' : ':';
            if (text[length] == sign || (text[length] == '\0' && sign == ':')) {
                return sched_pattern_item_table[i];
            }
            (void)sched_pattern_refuse(error, "the form is %s", form);
            return NULL;
        }
    }
    coll_kind kind;
    if (coll_kind_parse(name, &kind)) {
        return &sched_pattern_item_collective;
    }
    g_autofree char *hint = hint_at_items(name);
    (void)sched_pattern_refuse(error, "there is no such item%s", hint);
    return NULL;
}

/* What a class wants of the text of an item. */
static const char *arguments_of(const pattern_item_class *class, const char *text)
{
    if (class == &sched_pattern_item_collective) {
        return text;
    }
    const size_t length = name_length(text);
    return text[length] != '\0' ? text + length + 1 : NULL;
}

static bool parse_item(reader *r, uint32_t *index)
{
    g_autofree char *text = take_word(r);
    if (text[0] == '\0') {
        return *r->at == '\0'
                   ? sched_pattern_refuse(r->error, "an item is missing at the end")
                   : sched_pattern_refuse(r->error, "an item is missing before '%s'", r->at);
    }
    if (r->pattern->items->len >= MOST_ITEMS) {
        return sched_pattern_refuse(r->error, "more than %d items", MOST_ITEMS);
    }
    const pattern_item_class *class = find_class(text, r->error);
    pattern_item *item = g_new0(pattern_item, 1);
    *index = r->pattern->items->len;
    g_ptr_array_add(r->pattern->items, item);
    item->class = class;
    if (class == NULL || !class->parse(item, arguments_of(class, text), r->error)) {
        g_prefix_error(r->error, "'%s': ", text);
        return false;
    }
    item->text = g_steal_pointer(&text);
    return true;
}

/* ---- lists --------------------------------------------------------------------------------- */

static bool parse_list(reader *r, uint32_t list, unsigned depth);

static uint32_t add_node(reader *r, uint32_t item)
{
    const pattern_node node = {.count = 1, .item = item, .turns = item != PATTERN_GROUP};
    g_array_append_val(r->pattern->nodes, node);
    return r->pattern->nodes->len - 1;
}

/* The part that ends here belongs to @p list. */
static bool close_part(reader *r, uint32_t part, uint32_t count, uint32_t list)
{
    pattern_node *node = node_at(r->pattern, part);
    pattern_node *parent = node_at(r->pattern, list);
    node->count = count;
    node->end = r->pattern->nodes->len;
    parent->turns += count * node->turns;
    return parent->turns <= MOST_TURNS ||
           sched_pattern_refuse(r->error,
                                "more than %" G_GUINT64_FORMAT " items, all repetitions counted",
                                MOST_TURNS);
}

/* A calc right after a wavefront is made between its receives and its sends. */
static bool put_inside(reader *r, pattern_item *wavefront, uint32_t calc, uint32_t count)
{
    const pattern_item *item = g_ptr_array_index(r->pattern->items, calc);
    wavefront->inside = item;
    return count == 1 || sched_pattern_refuse(
                             r->error,
                             "'%s*%u': a calc after a wavefront is made in the midst of it, once; "
                             "(%s) leaves it outside",
                             item->text, count, wavefront->text);
}

/* item [ "*" count ]. @p before: the wavefront that comes right before it, or NULL */
static bool parse_single(reader *r, uint32_t list, unsigned depth, bool alone,
                         pattern_item **before)
{
    uint32_t item = 0;
    uint32_t count = 1;
    if (!parse_item(r, &item) || !parse_count(r, &count)) {
        return false;
    }
    skip_blanks(r);
    if (depth == 0 && !alone && *r->at == '\0') { /* at the very end: it repeats the whole list */
        node_at(r->pattern, list)->count = count;
        count = 1;
    }
    pattern_item *made = g_ptr_array_index(r->pattern->items, item);
    pattern_item *wavefront = *before;
    *before = made->class == &sched_pattern_item_wavefront && count == 1 ? made : NULL;
    if (wavefront != NULL && made->class == &sched_pattern_item_calc) {
        return put_inside(r, wavefront, item, count);
    }
    return close_part(r, add_node(r, item), count, list);
}

/* "(" list ")" [ "*" count ] */
static bool parse_group(reader *r, uint32_t list, unsigned depth)
{
    uint32_t count;
    if (depth == MOST_DEPTH) {
        return sched_pattern_refuse(r->error, "more than %d parentheses inside each other",
                                    MOST_DEPTH);
    }
    const uint32_t group = add_node(r, PATTERN_GROUP);
    if (!parse_list(r, group, depth + 1)) {
        return false;
    }
    if (!take_sign(r, ')')) {
        return sched_pattern_refuse(r->error, "a ')' is missing");
    }
    return parse_count(r, &count) && close_part(r, group, count, list);
}

/* part { "," part } */
static bool parse_list(reader *r, uint32_t list, unsigned depth)
{
    pattern_item *wavefront = NULL;
    bool alone = true;
    do {
        if (take_sign(r, '(')) {
            wavefront = NULL;
            if (!parse_group(r, list, depth)) {
                return false;
            }
        } else if (!parse_single(r, list, depth, alone, &wavefront)) {
            return false;
        }
        alone = false;
        skip_blanks(r);
        if (strchr("(*", *r->at) != NULL && *r->at != '\0') {
            return sched_pattern_refuse(r->error, "a comma is missing before '%s'", r->at);
        }
    } while (take_sign(r, ','));
    return true;
}

/* [ "seed=" number "," ] list */
static bool parse_all(reader *r)
{
    static const char SEED[] = "seed=";
    skip_blanks(r);
    if (g_str_has_prefix(r->at, SEED)) {
        r->at += strlen(SEED);
        g_autofree char *word = take_word(r);
        if (!g_ascii_string_to_unsigned(word, 10, 0, G_MAXUINT64, &r->pattern->seed, NULL)) {
            return sched_pattern_refuse(r->error, "'seed=%s': '%s' is not a number", word, word);
        }
        if (!take_sign(r, ',')) {
            return sched_pattern_refuse(r->error, "a comma and an item are missing after the seed");
        }
    }
    const uint32_t all = add_node(r, PATTERN_GROUP);
    if (!parse_list(r, all, 0)) {
        return false;
    }
    if (*r->at != '\0') { /* a list stops before nothing else */
        return sched_pattern_refuse(r->error, "'%s' closes what was not opened", r->at);
    }
    pattern_node *node = node_at(r->pattern, all);
    node->end = r->pattern->nodes->len;
    return node->turns * node->count <= MOST_TURNS ||
           sched_pattern_refuse(r->error,
                                "more than %" G_GUINT64_FORMAT " items, all repetitions counted",
                                MOST_TURNS);
}

sched_pattern *sched_pattern_new(const char *text, GError **error)
{
    g_autoptr(sched_pattern) p = g_new0(sched_pattern, 1);
    p->seed = USUAL_SEED;
    p->nodes = g_array_new(FALSE, FALSE, sizeof(pattern_node));
    p->items = g_ptr_array_new_with_free_func(item_free);
    reader r = {.at = text, .pattern = p, .error = error};
    return parse_all(&r) ? g_steal_pointer(&p) : NULL;
}

void sched_pattern_free(sched_pattern *p)
{
    if (p != NULL) {
        g_array_unref(p->nodes);
        g_ptr_array_unref(p->items);
        g_free(p);
    }
}

/* ---- and back ------------------------------------------------------------------------------ */

/* With costs of calls, a collective is a group of a calc and itself. */
static void format_item(const pattern_item *item, const sim_call_cost *calls, GString *out)
{
    const bool is_collective = item->class == &sched_pattern_item_collective;
    const sim_time beside = is_collective ? sched_beside_of(calls, &item->call) : 0;
    if (beside > 0) {
        g_autofree char *time = sim_unit_format_time(beside);
        g_string_append_printf(out, "(calc=%s,%s)", time, item->text);
    } else {
        g_string_append(out, item->text);
    }
    if (item->inside != NULL) {
        g_string_append_printf(out, ",%s", item->inside->text);
    }
}

static void format_list(const sched_pattern *p, uint32_t list, const sim_call_cost *calls,
                        GString *out)
{
    const uint32_t end = node_at(p, list)->end;
    for (uint32_t i = list + 1; i < end; i = node_at(p, i)->end) {
        const pattern_node *node = node_at(p, i);
        const bool is_group = node->item == PATTERN_GROUP;
        const bool parentheses = is_group || node->count > 1;
        g_string_append_printf(out, "%s%s", i > list + 1 ? "," : "", parentheses ? "(" : "");
        if (is_group) {
            format_list(p, i, calls, out);
        } else {
            format_item(item_of(p, node), calls, out);
        }
        g_string_append(out, parentheses ? ")" : "");
        if (node->count > 1) {
            g_string_append_printf(out, "*%u", node->count);
        }
    }
}

static char *format(const sched_pattern *p, const sim_call_cost *calls)
{
    GString *out = g_string_new(NULL);
    const uint32_t count = node_at(p, 0)->count;
    if (p->seed != USUAL_SEED) {
        g_string_append_printf(out, "seed=%" G_GUINT64_FORMAT ",", p->seed);
    }
    g_string_append(out, count > 1 ? "(" : "");
    format_list(p, 0, calls, out);
    if (count > 1) {
        g_string_append_printf(out, ")*%u", count);
    }
    return g_string_free(out, FALSE);
}

char *sched_pattern_format(const sched_pattern *p)
{
    return format(p, NULL);
}

sched_pattern *sched_pattern_with_calls(const sched_pattern *p, const sim_call_cost *calls,
                                        GError **error)
{
    g_autofree char *text = format(p, calls);
    return sched_pattern_new(text, error);
}

char *sched_pattern_list_items(void)
{
    GString *out = g_string_new(NULL);
    for (size_t i = 0; i < sched_pattern_item_table_size; i++) {
        g_string_append_printf(out, "%s, ", sched_pattern_item_table[i]->form);
    }
    g_string_append(out, "or a collective, " COLL_CALL_FORM);
    return g_string_free(out, FALSE);
}

bool sched_pattern_leaves_open(const sched_pattern *p, coll_kind kind)
{
    for (guint i = 0; i < p->items->len; i++) {
        const pattern_item *item = g_ptr_array_index(p->items, i);
        if (item->class == &sched_pattern_item_collective && item->call.kind == kind &&
            item->algorithm.how == NULL) {
            return true;
        }
    }
    return false;
}

bool sched_pattern_combines(const sched_pattern *p)
{
    for (guint i = 0; i < p->items->len; i++) {
        const pattern_item *item = g_ptr_array_index(p->items, i);
        if (item->class == &sched_pattern_item_collective &&
            coll_kind_table[item->call.kind].combines) {
            return true;
        }
    }
    return false;
}
