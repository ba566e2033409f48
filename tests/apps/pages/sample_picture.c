/* tests/apps/pages/sample_picture.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample_picture.h"

#include <math.h>

enum { MOST_MESSAGES = 20000 };

static void add(app_picture *p, app_picture_lane *lane, sim_time *at, sim_time length,
                app_picture_kind kind, uint32_t from)
{
    app_picture_slice *s = &p->slices[p->num_slices++];
    *s = (app_picture_slice){.begin = *at,
                             .end = *at + length,
                             .from = from,
                             .op = (uint32_t)lane->num_slices,
                             .component = kind == APP_PICTURE_DETOUR ? 0 : APP_PICTURE_NONE,
                             .kind = (uint8_t)kind};
    lane->num_slices++;
    lane->time[kind] += length;
    *at += length;
    if (kind == APP_PICTURE_DETOUR) {
        p->components[0].detours++;
        p->components[0].length += length;
    }
}

/* 50 us: 30 of compute (with the detour in it), 1 of send, 2 of receive, waits for the rest. */
static void add_lane(app_picture *p, app_picture_lane *lane, uint32_t i, uint32_t periods)
{
    lane->rank = i * SAMPLE_LANE_STEP;
    lane->first_slice = p->num_slices;
    lane->whole_until = SIM_TIME_MAX;
    sim_time at = 0;
    for (uint32_t k = 0; k < periods; k++) {
        const sim_time end = (sim_time)(k + 1) * SAMPLE_PERIOD_US * SIM_US;
        const sim_time noise = (sim_time)i * SIM_NS;
        add(p, lane, &at, 20 * SIM_US, APP_PICTURE_COMPUTE, APP_PICTURE_NONE);
        if ((k + i) % 16 == 0) {
            add(p, lane, &at, 200 * SIM_NS, APP_PICTURE_DETOUR, APP_PICTURE_NONE);
        }
        add(p, lane, &at, 10 * SIM_US, APP_PICTURE_COMPUTE, APP_PICTURE_NONE);
        add(p, lane, &at, 1 * SIM_US, APP_PICTURE_SEND, APP_PICTURE_NONE);
        if (noise > 0) {
            add(p, lane, &at, noise, APP_PICTURE_NOISE_WAIT, lane->rank + 1);
        }
        add(p, lane, &at, end - at - 2 * SIM_US, APP_PICTURE_WAIT,
            i > 0 ? lane->rank - 1 : APP_PICTURE_NONE);
        add(p, lane, &at, 2 * SIM_US, APP_PICTURE_RECV, APP_PICTURE_NONE);
    }
    lane->finish = at;
}

/* Share lost in a cell of the finest level: a wedge from the middle rank, fading out. */
static double share_at(uint32_t row, uint32_t column, uint32_t cells)
{
    const double away = fabs((double)row - cells / 2.0), front = column - cells / 8.0;
    const double behind = front - away; /* columns since the wave came by */
    return behind >= 0 && behind < 24 ? exp(-away / (0.2 * cells)) : 0.0;
}

static void add_levels(app_picture *p, uint32_t cells)
{
    p->levels = g_new0(app_picture_level, 16);
    for (uint32_t n = cells; n >= 32; n /= 2) {
        app_picture_level *l = &p->levels[p->num_levels++];
        const uint32_t fold = cells / n;
        *l = (app_picture_level){.rows = n,
                                 .columns = n,
                                 .ranks_per_row = p->num_ranks / n,
                                 .column_width = (p->makespan + n - 1) / n};
        l->mean = g_new0(uint8_t, (size_t)n * n);
        l->most = g_new0(uint8_t, (size_t)n * n);
        l->worst = g_new(uint32_t, (size_t)n * n);
        for (uint32_t i = 0; i < n * n; i++) {
            const double share = share_at(i / n * fold + fold / 2, i % n * fold + fold / 2, cells);
            l->mean[i] = (uint8_t)ceil(200 * share);
            l->most[i] = (uint8_t)ceil(255 * share);
            l->worst[i] = l->mean[i] > 0 ? i / n * l->ranks_per_row : APP_PICTURE_NONE;
        }
    }
}

static void add_messages(app_picture *p)
{
    const uint32_t periods = (uint32_t)(p->makespan / (SAMPLE_PERIOD_US * SIM_US));
    p->messages = g_new0(app_picture_message, MOST_MESSAGES);
    for (uint32_t k = 0; k < periods; k++) {
        for (size_t i = 1; i < p->num_lanes && p->num_messages < MOST_MESSAGES; i++) {
            const sim_time begin = (sim_time)k * SAMPLE_PERIOD_US * SIM_US;
            p->messages[p->num_messages++] =
                (app_picture_message){.from = (uint32_t)(i - 1) * SAMPLE_LANE_STEP,
                                      .to = (uint32_t)i * SAMPLE_LANE_STEP,
                                      .sent = begin + 30 * SIM_US,
                                      .received = begin + 48 * SIM_US,
                                      .bytes = 8192};
        }
    }
}

static void add_path(app_picture *p)
{
    p->num_path = 2 * p->num_lanes;
    p->path = g_new0(app_picture_path, p->num_path);
    for (size_t i = 0; i < p->num_path; i++) {
        app_picture_path *s = &p->path[i];
        s->rank = (uint32_t)(i / 2) * SAMPLE_LANE_STEP;
        s->begin = p->makespan / (sim_time)p->num_path * (sim_time)i;
        s->end = i + 1 < p->num_path ? p->makespan / (sim_time)p->num_path * (sim_time)(i + 1)
                                     : p->makespan;
        s->part[i % 2 == 0 ? APP_PICTURE_PATH_COMPUTE : APP_PICTURE_PATH_NOISE] = s->end - s->begin;
        for (int k = 0; k < APP_PICTURE_PATH_NUM_KINDS; k++) {
            p->path_part[k] += s->part[k];
        }
    }
}

/* Four ranks a column of the heat map, in both directions. */
static void add_injection(app_picture *p, uint32_t cells)
{
    app_picture_injection *in = g_new0(app_picture_injection, 1);
    const sim_time step = p->makespan / cells; /* of one row of ranks */
    const int64_t reach = cells / 4, ranks = p->num_ranks / cells;
    in->rank = p->num_ranks / 2;
    in->at = p->makespan / 8;
    in->length = 24 * step;
    in->fronts = g_new0(app_picture_front, (size_t)(2 * reach + 1));
    for (int64_t d = -reach; d <= reach; d++) {
        in->fronts[in->num_fronts++] =
            (app_picture_front){.rank = (uint32_t)((int64_t)in->rank + d * ranks),
                                .distance = d * ranks,
                                .arrived = in->at + ABS(d) * step,
                                .delay = in->length,
                                .is_fitted = d != 0};
    }
    in->num_waves = 2;
    const double speed = (double)ranks * (double)SIM_S / (double)step;
    for (int i = 0; i < 2; i++) {
        in->waves[i] = (app_picture_wave){.direction = i == 0 ? 1 : -1,
                                          .points = (size_t)reach,
                                          .speed = {speed, 0.99 * speed, 1.01 * speed},
                                          .decay = {NAN, NAN, NAN},
                                          .absorbed = APP_PICTURE_NONE};
    }
    in->text = g_strdup("A detour was injected; this sentence says what became of it.");
    p->injection = in;
}

app_picture *sample_picture_new(uint32_t ranks, uint32_t cells, uint32_t lanes, uint32_t periods)
{
    app_picture *p = g_new0(app_picture, 1);
    p->title = g_strdup("A run with a name: </script> & <b>");
    p->manifest = g_strdup("ripple 0.1.0 view sample --seed=1 </script>");
    p->num_ranks = ranks;
    p->makespan = p->to = (sim_time)periods * SAMPLE_PERIOD_US * SIM_US;
    p->ideal = p->makespan / 2;
    p->components = g_new0(app_picture_component, 1);
    p->num_components = 1;
    p->components[0].name = g_strdup("fixed:1kHz:200ns");
    p->lanes = g_new0(app_picture_lane, lanes);
    p->slices = g_new0(app_picture_slice, (size_t)lanes * periods * 7);
    for (uint32_t i = lanes; i > 0; i--) { /* that which lost most first */
        add_lane(p, &p->lanes[p->num_lanes++], i - 1, periods);
    }
    add_levels(p, cells);
    add_messages(p);
    add_path(p);
    add_injection(p, cells);
    p->facts = g_new0(app_picture_fact, 1);
    p->facts[p->num_facts++] = (app_picture_fact){g_strdup("rule"), g_strdup("all of it")};
    p->notes = g_new0(char *, 1);
    p->notes[p->num_notes++] = g_strdup("Nothing of this was run.");
    return p;
}

void sample_injection_free(app_picture_injection *injection)
{
    g_free(injection->fronts);
    g_free(injection->text);
    g_free(injection);
}

enum { BLOCK = 64, FEW_COLUMNS = 32 };

static void add_few(app_picture *p)
{
    app_picture_level *l = g_new0(app_picture_level, 1);
    *l = (app_picture_level){.rows = p->num_ranks / BLOCK,
                             .columns = FEW_COLUMNS,
                             .ranks_per_row = BLOCK,
                             .column_width = p->makespan / FEW_COLUMNS};
    const size_t n = (size_t)l->rows * l->columns;
    l->mean = g_new0(uint8_t, n);
    l->most = g_new0(uint8_t, n);
    l->worst = g_new(uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = i / FEW_COLUMNS;
        l->mean[i] = row % 3 == i % FEW_COLUMNS % 3 ? (uint8_t)(1 + row % 100) : 0;
        l->most[i] = l->mean[i] > 0 ? (uint8_t)(l->mean[i] + 100) : 0;
        l->worst[i] = l->mean[i] > 0 ? row * BLOCK + i % BLOCK : APP_PICTURE_NONE;
    }
    p->few = l;
}

void sample_picture_add_blocks(app_picture *p)
{
    const uint32_t last = p->lanes[0].rank / BLOCK;
    p->blocks = g_new0(app_picture_block, last + 2);
    for (uint32_t i = 0; i <= last + 1; i++) {
        app_picture_block *b = &p->blocks[p->num_blocks++];
        *b = (app_picture_block){.first = i <= last ? i * BLOCK : p->num_ranks / 2,
                                 .ranks = BLOCK,
                                 .columns = FEW_COLUMNS,
                                 .column_width = p->makespan / FEW_COLUMNS};
        b->share = g_new0(uint8_t, (size_t)BLOCK * FEW_COLUMNS);
        for (uint32_t cell = 0; cell < BLOCK * FEW_COLUMNS; cell++) {
            b->share[cell] = (uint8_t)((cell / FEW_COLUMNS + cell % FEW_COLUMNS) % 5 == 0
                                           ? 1 + (cell * 7 + i) % 255
                                           : 0);
        }
    }
    add_few(p);
}

void sample_picture_add_ripples(app_picture *p)
{
    p->ripples = g_new0(app_picture_ripple, p->num_slices);
    for (size_t l = 0; l < p->num_lanes; l++) {
        uint32_t last = APP_PICTURE_NONE;
        for (size_t i = 0; i < p->lanes[l].num_slices; i++) {
            app_picture_slice *s = &p->slices[p->lanes[l].first_slice + i];
            const uint32_t k = (uint32_t)p->num_ripples;
            if (s->kind == APP_PICTURE_DETOUR) {
                p->ripples[p->num_ripples++] =
                    (app_picture_ripple){.after = k % 4 > 0 ? k - 1 : APP_PICTURE_NONE,
                                         .waits = k + UINT64_C(1),
                                         .waited = (k + (sim_time)1) * SIM_US,
                                         .until = k * SIM_US};
                last = k;
            }
            s->ripple = last;
        }
    }
}
