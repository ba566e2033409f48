/* noise/miner/miner.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_modern, test_miner_merge. */
#include "noise/miner.h"

#include "miner/state.h"

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

static void sink_events(sim_sink *sink, const sim_event *events, size_t n)
{
    noise_miner *miner = (noise_miner *)sink;
    for (size_t i = 0; i < n; i++) {
        const sim_event *e = &events[i];
        if (e->work > 0) { /* what takes no CPU time cannot be delayed */
            noise_miner_add(miner, e->rank, e->type, e->start, e->end, e->work);
        }
    }
}

noise_miner *noise_miner_new(const noise_miner_options *options)
{
    static const miner_form forms[] = {
        [NOISE_MINER_MODERN] = {.window = 0},
        [NOISE_MINER_PAPER] = {PAPER_WIDTH, PAPER_BINS, PAPER_WINDOW, true},
        [NOISE_MINER_PROJECTIONS] = {PROJECTIONS_WIDTH, PROJECTIONS_BINS, PROJECTIONS_WINDOW, true},
    };
    noise_miner *miner = g_new0(noise_miner, 1);
    miner->sink.events = sink_events;
    miner->options = *options;
    noise_synopsis_init(&miner->synopsis, &forms[options->mode], 0);
    return miner;
}

void noise_miner_free(noise_miner *miner)
{
    if (miner != NULL) {
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
}

sim_sink *noise_miner_sink(noise_miner *miner)
{
    return &miner->sink;
}
