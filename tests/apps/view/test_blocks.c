/* tests/apps/view/test_blocks.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of a rank each against sums over all stretches; which blocks there are. */
#include "check.h"
#include "view/blocks.h"

#include <math.h>

enum { RANKS = 1000, STRETCHES = 40 };

typedef struct sample {
    app_observed_rank ranks[RANKS];
    app_observed_stretch stretches[RANKS][STRETCHES];
    sim_time makespan;
} sample;

/* Detours come within one column only: there is no noise to ask where they were. */
static sample *sample_new(GRand *random)
{
    sample *s = g_new0(sample, 1);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        sim_time now = 0;
        for (int i = 0; i < STRETCHES; i++) {
            const sim_time idle = g_rand_int_range(random, 0, 900) * SIM_NS;
            const sim_time usual = MIN(idle, g_rand_int_range(random, 0, 900) * SIM_NS);
            s->stretches[rank][i] = (app_observed_stretch){.idle_from = now,
                                                           .start = now + idle,
                                                           .end = now + idle + SIM_NS,
                                                           .work = SIM_NS,
                                                           .usual_idle = usual,
                                                           .rank = rank};
            now += idle + SIM_NS;
            s->ranks[rank].time[APP_PICTURE_NOISE_WAIT] += idle - usual;
        }
        s->makespan = MAX(s->makespan, now);
    }
    return s;
}

static sim_time lost_of(const sample *s, uint32_t rank, sim_time begin, sim_time end)
{
    sim_time sum = 0;
    for (int i = 0; i < STRETCHES; i++) {
        const app_observed_stretch *one = &s->stretches[rank][i];
        const sim_time from = one->idle_from + one->usual_idle;
        sum += MAX(MIN(one->start, end) - MAX(from, begin), 0);
    }
    return sum;
}

static void check_block(const sample *s, const app_picture_block *b)
{
    for (uint32_t i = 0; i < b->ranks * b->columns; i++) {
        const sim_time begin = i % b->columns * b->column_width;
        const sim_time end = MIN(begin + b->column_width, s->makespan);
        const sim_time lost = lost_of(s, b->first + i / b->columns, begin, end);
        const double share = (double)lost / (double)MAX(end - begin, 1);
        const int wanted = lost > 0 ? (int)CLAMP(lround(share * 255), 1, 255) : 0;
        CHECK(abs(b->share[i] - wanted) <= 1, "cell %u from rank %u: %u, wanted %d", i, b->first,
              b->share[i], wanted);
    }
}

static void fill(sample *s, const uint32_t *lanes, uint32_t num_lanes, uint32_t most,
                 app_picture *p)
{
    app_observer observer = {.options = {.num_ranks = RANKS}, .ranks = s->ranks};
    g_auto(app_blocks) blocks = {0};
    app_blocks_choose(&blocks, &observer, lanes, num_lanes, most, NULL);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        for (int i = 0; i < STRETCHES; i++) {
            app_blocks_add(&blocks, &s->stretches[rank][i]);
        }
    }
    p->num_ranks = RANKS;
    p->makespan = s->makespan;
    app_blocks_fill(&blocks, p);
}

static void all_cells_are_sums_over_stretches(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(11);
    g_autofree sample *s = sample_new(random);
    g_autoptr(app_picture) p = g_new0(app_picture, 1);
    const uint32_t lanes[] = {999, 130, 129};
    fill(s, lanes, G_N_ELEMENTS(lanes), 2, p);
    CHECK_I64(p->num_blocks, 2, "of the lanes");
    CHECK_I64(p->blocks[0].first, 128, "with 129 and 130");
    CHECK_I64(p->blocks[1].first, 960, "with 999");
    CHECK_I64(p->blocks[1].ranks, 40, "the last one is smaller");
    for (size_t i = 0; i < p->num_blocks; i++) {
        check_block(s, &p->blocks[i]);
    }
}

static void the_worst_come_after_those_of_lanes(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(12);
    g_autofree sample *s = sample_new(random);
    s->ranks[700].time[APP_PICTURE_DETOUR] = SIM_S;
    s->ranks[64].time[APP_PICTURE_DETOUR] = SIM_MS;
    g_autoptr(app_picture) p = g_new0(app_picture, 1);
    const uint32_t lane = 0;
    fill(s, &lane, 1, 3, p);
    CHECK_I64(p->num_blocks, 3, "one of the lane, two that lost most");
    CHECK_I64(p->blocks[0].first, 0, "of the lane");
    CHECK_I64(p->blocks[1].first, 64, "the second worst");
    CHECK_I64(p->blocks[2].first, 640, "the worst");
    g_autoptr(app_picture) none = g_new0(app_picture, 1);
    fill(s, &lane, 1, 0, none);
    CHECK_I64(none->num_blocks, 0, "none were asked for");
    g_autoptr(app_picture) all = g_new0(app_picture, 1);
    fill(s, &lane, 1, APP_MOST_BLOCKS, all);
    CHECK_I64(all->num_blocks, 16, "there are no more");
}

SUITE_MAIN("blocks", TEST(all_cells_are_sums_over_stretches),
           TEST(the_worst_come_after_those_of_lanes))
