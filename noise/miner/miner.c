/* noise/miner/miner.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_modern, test_miner_merge, test_miner_stream. */
/*
 * A simulated run is a stream in one part per thread. Each part is a miner; ranks are in one part
 * each, so that they change hands as they are when the parts are put together.
 */
#include "noise/miner.h"

#include "miner/state.h"
#include "miner/whole_detours.h"

#define PAPER_WINDOW 50
#define PAPER_BINS   5000
#define PAPER_WIDTH  (10 * SIM_US)

#define PROJECTIONS_WINDOW 30
#define PROJECTIONS_BINS   1000
#define PROJECTIONS_WIDTH  (100 * SIM_US)

void noise_miner_options_init(noise_miner_options *options, noise_miner_mode mode)
{
    *options = (noise_miner_options){
        .mode = mode,
        .min_share = 1e-4,
        .min_count = mode == NOISE_MINER_PROJECTIONS ? 6 : 3,
        .quantum = 100 * SIM_MS,
        .cutoff = mode == NOISE_MINER_PROJECTIONS ? 0.8 : 0,
    };
}

static void take_events(sim_sink *sink, const sim_event *events, size_t n)
{
    noise_miner *miner = (noise_miner *)sink;
    for (size_t i = 0; i < n; i++) {
        const sim_event *e = &events[i];
        if (e->work <= 0) { /* what takes no CPU time cannot be delayed */
            continue;
        }
        const bool is_hit = e->end - e->start > e->work;
        const noise_miner_event event = {
            .rank = e->rank,
            .type = e->type,
            .start = e->start,
            .end = e->end,
            .expected = e->work,
            .cpu = -1,
            .detour =
                is_hit && miner->noise != NULL ? noise_miner_whole_detours(miner->noise, e) : -1,
        };
        noise_miner_add_event(miner, &event);
    }
}

/* The first part is the miner itself. */
static sim_sink *part_of(sim_sink *sink, const sim_noise *noise, uint32_t part)
{
    noise_miner *miner = (noise_miner *)sink;
    noise_miner *taker = miner;
    if (part > 0) {
        miner->part = miner->part != NULL ? miner->part : g_ptr_array_new();
        while (miner->part->len < part) {
            g_ptr_array_add(miner->part, noise_miner_new(&miner->options));
        }
        taker = g_ptr_array_index(miner->part, part - 1);
    }
    taker->noise = noise;
    return &taker->sink;
}

noise_miner *noise_miner_new(const noise_miner_options *options)
{
    static const miner_form forms[] = {
        [NOISE_MINER_MODERN] = {.window = 0},
        [NOISE_MINER_PAPER] = {PAPER_WIDTH, PAPER_BINS, PAPER_WINDOW, true},
        [NOISE_MINER_PROJECTIONS] = {PROJECTIONS_WIDTH, PROJECTIONS_BINS, PROJECTIONS_WINDOW, true},
    };
    noise_miner *miner = g_new0(noise_miner, 1);
    miner->sink = (sim_sink){.events = take_events, .part = part_of};
    miner->options = *options;
    noise_synopsis_init(&miner->synopsis, &forms[options->mode], 0);
    return miner;
}

void noise_miner_free(noise_miner *miner)
{
    if (miner != NULL) {
        noise_miner_gather(miner);
        noise_synopsis_clear(&miner->synopsis);
        g_free(miner);
    }
}

static sim_time whole_us(sim_time time)
{
    const sim_time rest = time % SIM_US;
    return time - rest - (rest < 0 ? SIM_US : 0);
}

void noise_miner_add_event(noise_miner *miner, const noise_miner_event *event)
{
    noise_miner_event e = *event;
    if (miner->options.mode == NOISE_MINER_PROJECTIONS) {
        e.start = whole_us(e.start);
        e.end = whole_us(e.end);
        e.waited = e.waited > 0 ? whole_us(e.waited) : e.waited;
    }
    noise_synopsis_add(&miner->synopsis, &e);
}

void noise_miner_add(noise_miner *miner, uint32_t rank, uint64_t type, sim_time start, sim_time end,
                     sim_time expected)
{
    const noise_miner_event event = {
        .rank = rank,
        .type = type,
        .start = start,
        .end = end,
        .expected = expected,
        .cpu = -1,
        .waited = 0,
        .detour = -1,
    };
    noise_miner_add_event(miner, &event);
}

void noise_miner_name_type(noise_miner *miner, uint64_t type, const char *name)
{
    noise_synopsis_name_type(&miner->synopsis, type, name);
}

void noise_miner_merge(noise_miner *miner, const noise_miner *other)
{
    noise_synopsis_merge(&miner->synopsis, &other->synopsis);
    for (guint i = 0; other->part != NULL && i < other->part->len; i++) {
        const noise_miner *part = g_ptr_array_index(other->part, i);
        noise_synopsis_merge(&miner->synopsis, &part->synopsis);
    }
}

void noise_miner_gather(noise_miner *miner)
{
    miner->noise = NULL; /* that of a run that is over */
    for (guint i = 0; miner->part != NULL && i < miner->part->len; i++) {
        noise_miner *part = g_ptr_array_index(miner->part, i);
        noise_synopsis_absorb(&miner->synopsis, &part->synopsis);
        noise_miner_free(part);
    }
    g_clear_pointer(&miner->part, g_ptr_array_unref);
}

sim_sink *noise_miner_sink(noise_miner *miner)
{
    return &miner->sink;
}
