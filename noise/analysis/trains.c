/* noise/analysis/trains.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_decompose. */
#include "analysis/trains.h"

#include "analysis/length_modes.h"

#include <string.h>

enum { MOST_TRAINS = 8, FEWEST = 8, MOST_GROUPS = 16 };
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

/* Group 0: all; then those of each mode. @return how many starts are in @p out */
static size_t group_of(const free_ones *f, size_t group, sim_time *out)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (group == 0 || f->mode[i] == group - 1) {
            out[n++] = f->start[i];
        }
    }
    return n;
}

/* The fullest train of all groups; @p owner then has it. */
static bool take_fullest(const noise_observation *cpu, uint16_t mine, uint16_t *owner,
                         noise_train *fullest)
{
    free_ones f;
    free_ones_init(&f, cpu, owner);
    const size_t groups = f.modes == 1 ? 1 : MIN(f.modes + 1, MOST_GROUPS);
    g_autofree sim_time *start = g_new(sim_time, f.n + 1);
    g_autofree uint16_t *trial = g_new(uint16_t, cpu->n + 1);
    g_autofree uint16_t *best = g_new(uint16_t, cpu->n + 1);
    fullest->count = 0;
    for (size_t g = 0; g < groups; g++) {
        const size_t n = group_of(&f, g, start);
        const double chance = CHANCE / (double)groups;
        noise_beat beat;
        noise_train train;
        if (n < FEWEST || !noise_beat_find(start, n, chance, &beat)) {
            continue;
        }
        memcpy(trial, owner, cpu->n * sizeof *owner);
        if (noise_beat_take(cpu, beat, chance, mine, trial, &train) &&
            train.count > fullest->count) {
            *fullest = train;
            memcpy(best, trial, cpu->n * sizeof *owner);
        }
    }
    if (fullest->count > 0) {
        memcpy(owner, best, cpu->n * sizeof *owner);
    }
    free_ones_clear(&f);
    return fullest->count > 0;
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
