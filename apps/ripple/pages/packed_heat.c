/* apps/ripple/pages/packed_heat.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_view_page, browser_view. */
#include "pages/packed_heat.h"

#include "pages/column_set.h"
#include "sim/json_member.h"

#include <string.h>

enum { MEAN, MOST, WORST, LEVEL_COLUMNS };

/* The worst rank of a cell is among the row's: counted from the row's first one, 0 is none. */
static void add_level(const app_picture_level *level, app_column_set *set)
{
    app_named_column *c = set->columns;
    const size_t cells = (size_t)level->rows * level->columns;
    app_column_add_bytes(c[MEAN].column, level->mean, cells);
    app_column_add_bytes(c[MOST].column, level->most, cells);
    for (uint32_t row = 0; row < level->rows; row++) {
        const uint32_t *worst = level->worst + (size_t)row * level->columns;
        const int64_t before =
            (int64_t)row * level->ranks_per_row - 1; /* the row's first one is 1 */
        for (uint32_t i = 0; i < level->columns; i++) {
            app_column_add(c[WORST].column,
                           worst[i] == APP_PICTURE_NONE ? 0 : (int64_t)worst[i] - before);
        }
    }
}

/* The object of a level, or NULL where it takes more than *left. */
static JsonNode *level_node(const app_picture_level *level, size_t *left)
{
    app_named_column columns[LEVEL_COLUMNS] = {[MEAN] = {"mean", APP_COLUMN_BYTES, NULL},
                                               [MOST] = {"most", APP_COLUMN_BYTES, NULL},
                                               [WORST] = {"worst", APP_COLUMN_COUNTS, NULL}};
    app_column_set set = {columns, LEVEL_COLUMNS};
    app_column_set_open(&set);
    add_level(level, &set);
    const size_t size = app_column_set_close(&set);
    JsonNode *node = NULL;
    if (size <= *left) {
        *left -= size;
        g_autoptr(JsonBuilder) b = json_builder_new();
        json_builder_begin_object(b);
        sim_json_int(b, "rows", level->rows);
        sim_json_int(b, "columns", level->columns);
        sim_json_int(b, "ranks", level->ranks_per_row);
        sim_json_int(b, "time", level->column_width);
        app_column_set_build(&set, b);
        json_builder_end_object(b);
        node = json_builder_get_root(b);
    }
    app_column_set_free(&set);
    return node;
}

/* The finest level that fits with all coarser ones; nodes [num_levels]. */
static size_t pack_levels(const app_picture *p, size_t *left, JsonNode **nodes)
{
    size_t first = p->num_levels, before = *left;
    while (first > 0) {
        const size_t spent = before - *left;
        before = *left;
        if (2 * spent > *left) {
            break; /* four times the cells do not fit: not tried, it takes its time */
        }
        nodes[first - 1] = level_node(&p->levels[first - 1], left);
        if (nodes[first - 1] == NULL) {
            break;
        }
        first--;
    }
    return first;
}

/* ---- wider columns ---- */

/* Times of two columns beside each other that become one, as far as the run goes. */
typedef struct pair {
    double first;
    double second;
} pair;

static pair pair_at(uint32_t column, sim_time width, sim_time makespan)
{
    const double begin = (double)column * (double)width;
    const double end = (double)makespan;
    return (pair){CLAMP(end - begin, 1, (double)width),
                  CLAMP(end - begin - (double)width, 0, (double)width)};
}

/* What is not 0 stays so. */
static uint8_t mean_of(uint8_t a, uint8_t b, pair t)
{
    const double share = (a * t.first + b * t.second) / (t.first + t.second);
    return a == 0 && b == 0 ? 0 : (uint8_t)CLAMP(share + 0.5, 1, 255);
}

/* One that lost in both columns lost their sum; else the one that lost more stays. */
static void join_worst(const app_picture_level *l, size_t i, bool is_pair, pair t,
                       app_picture_level *out, size_t to)
{
    const double first = l->most[i] * t.first;
    const double second = is_pair ? l->most[i + 1] * t.second : 0;
    const uint32_t worst = l->worst[i];
    const bool is_same = is_pair && worst == l->worst[i + 1];
    const double most = is_same ? first + second : MAX(first, second);
    out->worst[to] = second > first ? l->worst[i + 1] : worst;
    out->most[to] = out->worst[to] == APP_PICTURE_NONE
                        ? 0
                        : (uint8_t)CLAMP(most / (t.first + t.second) + 0.5, 1, 255);
}

/* Of half as many columns. */
static app_picture_level widen(const app_picture_level *l, sim_time makespan)
{
    app_picture_level out = {.rows = l->rows,
                             .columns = (l->columns + 1) / 2,
                             .ranks_per_row = l->ranks_per_row,
                             .column_width = l->column_width * 2};
    const size_t n = (size_t)out.rows * out.columns;
    out.mean = g_new0(uint8_t, n);
    out.most = g_new0(uint8_t, n);
    out.worst = g_new0(uint32_t, n);
    for (uint32_t r = 0; r < out.rows; r++) {
        for (uint32_t c = 0; c < out.columns; c++) {
            const bool is_pair = 2 * c + 1 < l->columns;
            const size_t i = (size_t)r * l->columns + (size_t)2 * c;
            const size_t to = (size_t)r * out.columns + c;
            const pair t = pair_at(2 * c, l->column_width, makespan);
            out.mean[to] = mean_of(l->mean[i], is_pair ? l->mean[i + 1] : 0, t);
            join_worst(l, i, is_pair, t, &out, to);
        }
    }
    return out;
}

static app_picture_level copy_of(const app_picture_level *l)
{
    const size_t n = (size_t)l->rows * l->columns;
    app_picture_level copy = *l;
    copy.mean = g_memdup2(l->mean, n);
    copy.most = g_memdup2(l->most, n);
    copy.worst = g_memdup2(l->worst, n * sizeof *l->worst);
    return copy;
}

/* NULL: not even one column of it fits. */
static JsonNode *pack_few(const app_picture *p, size_t left, app_packed_heat *out)
{
    app_picture_level l = copy_of(p->few);
    JsonNode *node = level_node(&l, &left);
    while (node == NULL && l.columns > 1) {
        app_picture_level wider = widen(&l, p->makespan);
        app_picture_level_clear(&l);
        l = wider;
        node = level_node(&l, &left);
    }
    if (node != NULL) {
        out->few_ranks = l.ranks_per_row;
        out->few_time = l.column_width;
    }
    app_picture_level_clear(&l);
    return node;
}

/* ---- blocks ---- */

enum { SHARE, BLOCK_COLUMNS };

static void add_blocks(const app_picture *p, uint32_t wide, app_column *column)
{
    for (size_t i = 0; i < p->num_blocks; i++) {
        const app_picture_block *b = &p->blocks[i];
        for (uint32_t r = 0; r < b->ranks; r++) {
            const uint8_t *share = b->share + (size_t)r * b->columns;
            for (uint32_t c = 0; c < b->columns; c += wide) {
                double sum = 0, time = 0;
                bool is_some = false;
                for (uint32_t k = c; k < MIN(c + wide, b->columns); k++) {
                    const pair t = pair_at(k, b->column_width, p->makespan);
                    sum += share[k] * t.first;
                    time += t.first;
                    is_some = is_some || share[k] > 0;
                }
                app_column_add(column, is_some ? (int64_t)CLAMP(sum / time + 0.5, 1, 255) : 0);
            }
        }
    }
}

static void build_block_facts(const app_picture *p, uint32_t wide, JsonBuilder *b)
{
    sim_json_int(b, "columns", (p->blocks[0].columns + wide - 1) / wide);
    sim_json_int(b, "time", p->blocks[0].column_width * wide);
    sim_json_begin_array(b, "first");
    for (size_t i = 0; i < p->num_blocks; i++) {
        json_builder_add_int_value(b, p->blocks[i].first);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "count");
    for (size_t i = 0; i < p->num_blocks; i++) {
        json_builder_add_int_value(b, p->blocks[i].ranks);
    }
    json_builder_end_array(b);
}

enum { FEWEST = 16 /* columns: fewer say nothing */ };

/* All of them have the same columns. NULL: they do not fit. */
static JsonNode *pack_blocks(const app_picture *p, size_t *left, app_packed_heat *out)
{
    JsonNode *node = NULL;
    for (uint32_t wide = 1; node == NULL && p->num_blocks > 0; wide *= 2) {
        app_named_column columns[BLOCK_COLUMNS] = {[SHARE] = {"share", APP_COLUMN_BYTES, NULL}};
        app_column_set set = {columns, BLOCK_COLUMNS};
        app_column_set_open(&set);
        add_blocks(p, wide, columns[SHARE].column);
        const size_t size = app_column_set_close(&set);
        if (size <= *left) {
            *left -= size;
            g_autoptr(JsonBuilder) b = json_builder_new();
            json_builder_begin_object(b);
            build_block_facts(p, wide, b);
            app_column_set_build(&set, b);
            json_builder_end_object(b);
            node = json_builder_get_root(b);
            out->num_blocks = p->num_blocks;
            out->block_time = p->blocks[0].column_width * wide;
        }
        app_column_set_free(&set);
        if (p->blocks[0].columns / wide < FEWEST) {
            break;
        }
    }
    return node;
}

/* ---- all ---- */

static void build_nodes(JsonNode **levels, size_t n, JsonNode *few, JsonNode *blocks,
                        JsonBuilder *b)
{
    sim_json_begin_object(b, "heat");
    sim_json_begin_array(b, "levels");
    for (size_t i = 0; i < n; i++) {
        json_builder_add_value(b, levels[i]);
    }
    json_builder_end_array(b);
    if (few != NULL) {
        json_builder_set_member_name(b, "few");
        json_builder_add_value(b, few);
    }
    if (blocks != NULL) {
        json_builder_set_member_name(b, "blocks");
        json_builder_add_value(b, blocks);
    }
    json_builder_end_object(b);
}

void app_packed_heat_build(const app_picture *p, size_t left, app_packed_heat *out, JsonBuilder *b)
{
    *out = (app_packed_heat){.first_level = p->num_levels};
    size_t room = left / 6;
    JsonNode *blocks = pack_blocks(p, &room, out);
    left -= blocks != NULL ? left / 6 - room : 0;
    const size_t kept = p->few != NULL ? left / 5 * 2 : 0;
    left -= kept;
    g_autofree JsonNode **levels = g_new0(JsonNode *, p->num_levels + 1);
    out->first_level = pack_levels(p, &left, levels);
    if (out->first_level == p->num_levels) {
        g_clear_pointer(&blocks, json_node_unref);
        out->num_blocks = 0;
        return;
    }
    const bool is_finer =
        p->few != NULL && p->levels[out->first_level].ranks_per_row > p->few->ranks_per_row;
    JsonNode *few = is_finer ? pack_few(p, left + kept, out) : NULL;
    build_nodes(levels + out->first_level, p->num_levels - out->first_level, few, blocks, b);
}
