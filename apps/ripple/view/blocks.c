/* apps/ripple/view/blocks.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_blocks. */
#include "view/blocks.h"

#include "view/lost_stretch.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

static uint32_t blocks_of(uint32_t num_ranks)
{
    return (num_ranks + APP_BLOCK_RANKS - 1) / APP_BLOCK_RANKS;
}

static void choose(app_blocks *b, uint32_t block)
{
    if (b->n < b->most && b->row_of[block] == NONE) {
        b->row_of[block] = 0;
        b->chosen[b->n++] = block;
    }
}

typedef struct loser {
    sim_time lost;
    uint32_t block;
} loser;

static int by_loss(const void *a, const void *b)
{
    const loser *x = a;
    const loser *y = b;
    return x->lost != y->lost ? (x->lost > y->lost ? -1 : 1)
                              : (x->block > y->block) - (x->block < y->block);
}

/* @return when the last rank had finished */
static sim_time choose_worst(app_blocks *b, const app_observer *o)
{
    const uint32_t n = blocks_of(b->num_ranks);
    sim_time end = 0;
    g_autofree loser *list = g_new0(loser, n);
    for (uint32_t rank = 0; rank < b->num_ranks; rank++) {
        const sim_time *time = o->ranks[rank].time;
        loser *l = &list[rank / APP_BLOCK_RANKS];
        l->block = rank / APP_BLOCK_RANKS;
        l->lost += time[APP_PICTURE_DETOUR] + time[APP_PICTURE_NOISE_WAIT];
        end = MAX(end, o->ranks[rank].finish);
    }
    qsort(list, n, sizeof *list, by_loss);
    for (uint32_t i = 0; i < n && list[i].lost > 0 && b->n < b->most; i++) {
        choose(b, list[i].block);
    }
    return end;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void app_blocks_choose(app_blocks *b, const app_observer *o, const uint32_t *lanes,
                       uint32_t num_lanes, uint32_t most, const sim_noise *noise)
{
    *b = (app_blocks){.num_ranks = o->options.num_ranks, .most = most, .noise = noise};
    b->chosen = g_new(uint32_t, APP_MOST_BLOCKS);
    b->row_of = g_new(uint32_t, blocks_of(b->num_ranks));
    memset(b->row_of, 0xff, blocks_of(b->num_ranks) * sizeof *b->row_of);
    for (uint32_t i = 0; i < num_lanes; i++) {
        choose(b, lanes[i] / APP_BLOCK_RANKS);
    }
    const sim_time end = choose_worst(b, o);
    qsort(b->chosen, b->n, sizeof *b->chosen, by_number);
    for (uint32_t i = 0; i < b->n; i++) {
        b->row_of[b->chosen[i]] = i * APP_BLOCK_RANKS;
    }
    b->heat = b->n > 0 ? app_heat_new(b->n * APP_BLOCK_RANKS, end) : NULL;
}

bool app_blocks_has(const app_blocks *b, uint32_t rank)
{
    return b->row_of[rank / APP_BLOCK_RANKS] != NONE;
}

void app_blocks_add(app_blocks *b, const app_observed_stretch *s)
{
    const uint32_t first = b->row_of[s->rank / APP_BLOCK_RANKS];
    if (first == NONE) {
        return;
    }
    const sim_time noise_wait = s->start - s->idle_from - s->usual_idle;
    const app_lost_stretch lost = {.start = s->start,
                                   .end = s->end,
                                   .work = s->work,
                                   .noise_wait = MAX(noise_wait, 0),
                                   .rank = s->rank};
    app_lost_stretch_map(&lost, b->noise, first + s->rank % APP_BLOCK_RANKS, b->heat);
}

void app_blocks_fill(app_blocks *b, app_picture *p)
{
    if (b->n == 0) {
        return;
    }
    app_picture_level level;
    app_heat_finest(b->heat, p->makespan, &level);
    p->num_blocks = b->n;
    p->blocks = g_new0(app_picture_block, b->n);
    const size_t cells = (size_t)APP_BLOCK_RANKS * level.columns;
    for (uint32_t i = 0; i < b->n; i++) {
        const uint32_t first = b->chosen[i] * APP_BLOCK_RANKS;
        p->blocks[i] =
            (app_picture_block){.first = first,
                                .ranks = MIN((uint32_t)APP_BLOCK_RANKS, p->num_ranks - first),
                                .columns = level.columns,
                                .column_width = level.column_width,
                                .share = g_memdup2(level.mean + i * cells, cells)};
    }
    app_picture_level_clear(&level);
}

void app_blocks_clear(app_blocks *b)
{
    g_free(b->chosen);
    g_free(b->row_of);
    app_heat_free(b->heat);
    *b = (app_blocks){0};
}
