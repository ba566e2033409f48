/* noise/analysis/trains.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_decompose. */
#include "analysis/trains.h"

#include "analysis/gap_peaks.h"
#include "analysis/length_modes.h"

#include <string.h>

enum { MOST_TRAINS = 8, FEWEST = 8, MOST_MODES = 12 };
#define CHANCE 1e-3 /* of a beat on a CPU where there is none */

/* The detours that nobody owns yet, and of what length they are. */
typedef struct free_ones {
    size_t n;
    sim_time *start;  /* [n] */
    sim_time *length; /* [n] */
    uint16_t *mode;   /* [n] */
    size_t modes;
} free_ones;

static void free_ones_init(free_ones *f, const noise_observation *cpu, const uint16_t *owner)
{
    f->n = 0;
    f->start = g_new(sim_time, cpu->n + 1);
    f->length = g_new(sim_time, cpu->n + 1);
    f->mode = g_new(uint16_t, cpu->n + 1);
    for (size_t i = 0; i < cpu->n; i++) {
        if (owner[i] == NOISE_NOBODY) {
            f->start[f->n] = cpu->start[i];
            f->length[f->n++] = cpu->length[i];
        }
    }
    f->modes = noise_length_modes(f->length, f->n, f->mode);
}

static void free_ones_clear(free_ones *f)
{
    g_free(f->start);
    g_free(f->length);
    g_free(f->mode);
}

/* From the first on: all; those that are at least so long; those of each mode. */
static const sim_time LEAST[] = {0, SIM_US, 10 * SIM_US, 100 * SIM_US, SIM_MS};

/* @return how many starts are in @p out */
static size_t group_of(const free_ones *f, size_t group, sim_time *out)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (group < G_N_ELEMENTS(LEAST) ? f->length[i] >= LEAST[group]
                                        : f->mode[i] == group - G_N_ELEMENTS(LEAST)) {
            out[n++] = f->start[i];
        }
    }
    return n;
}

/* The fullest train that has been seen so far, and who owns the detours then. */
typedef struct search {
    const noise_observation *cpu;
    uint16_t mine;
    const uint16_t *owner;
    uint16_t *trial;
    uint16_t *best;
    noise_train fullest;
} search;

static void try_beat(search *s, noise_beat beat)
{
    noise_train train;
    memcpy(s->trial, s->owner, s->cpu->n * sizeof *s->owner);
    if (noise_beat_take(s->cpu, beat, CHANCE, s->mine, s->trial, &train) &&
        train.count > s->fullest.count) {
        s->fullest = train;
        memcpy(s->best, s->trial, s->cpu->n * sizeof *s->owner);
    }
}

static void try_gaps(search *s, const sim_time *start, size_t n)
{
    noise_gap_peak peak[NOISE_GAP_PEAKS];
    const size_t num = noise_gap_peaks_find(start, n, peak);
    for (size_t i = 0; i < num; i++) {
        noise_beat beat;
        if (noise_beat_follow(start, n, peak[i].gap, peak[i].slack, &beat)) {
            try_beat(s, beat);
        }
    }
}

static void try_rayleigh(search *s, const sim_time *start, size_t n)
{
    noise_beat beat;
    if (noise_beat_find(start, n, CHANCE, &beat)) {
        try_beat(s, beat);
    }
}

/* The fullest train of all groups; @p owner then has it. */
static bool take_fullest(const noise_observation *cpu, uint16_t mine, uint16_t *owner,
                         noise_train *fullest)
{
    static void (*const tries[])(search *, const sim_time *, size_t) = {try_gaps, try_rayleigh};
    free_ones f;
    free_ones_init(&f, cpu, owner);
    g_autofree sim_time *start = g_new(sim_time, f.n + 1);
    g_autofree uint16_t *trial = g_new(uint16_t, cpu->n + 1);
    g_autofree uint16_t *best = g_new(uint16_t, cpu->n + 1);
    search s = {cpu, mine, owner, trial, best, {.count = 0}};
    const size_t groups = G_N_ELEMENTS(LEAST) + MIN(f.modes, MOST_MODES);
    for (size_t way = 0; way < G_N_ELEMENTS(tries) && s.fullest.count == 0; way++) {
        size_t before = 0; /* starts of the last group: one that is the same is not tried again */
        for (size_t g = 0; g < groups; g++) {
            const size_t n = group_of(&f, g, start);
            if (n >= FEWEST && n != before) {
                tries[way](&s, start, n);
                before = n;
            }
        }
    }
    if (s.fullest.count > 0) {
        memcpy(owner, best, cpu->n * sizeof *owner);
        *fullest = s.fullest;
    }
    free_ones_clear(&f);
    return s.fullest.count > 0;
}

void noise_trains_find(const noise_observation *cpu, size_t index, uint16_t *owner, GArray *trains)
{
    noise_train train;
    for (int i = 0; i < MOST_TRAINS && take_fullest(cpu, (uint16_t)trains->len, owner, &train);
         i++) {
        train.cpu = index;
        g_array_append_val(trains, train);
    }
}
