/* noise/miner/tempos.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_modern, test_miner_drift. */
#include "miner/tempos.h"

#include <math.h>

#define LEAST_MOVE   0.02 /* as in tempo.c */
#define LEAST_EVENTS 16
#define MOST_TIME    0.5
#define LEAST_CPU    0.5 /* of a move, that CPU times must show */

/* All epochs together. */
static miner_mode mode_of_all(const miner_histogram *durations)
{
    g_autofree uint64_t *counts = g_new0(uint64_t, MINER_BINS);
    for (uint32_t i = 0; i < durations->num_cells; i++) {
        counts[durations->cell[i].bin] = durations->cell[i].count;
    }
    const miner_hill hill = noise_tempo_hill(counts);
    double sum = 0;
    double count = 0;
    double cpu = 0;
    double num_cpu = 0;
    for (uint32_t i = 0; i < durations->num_cells; i++) {
        const miner_cell *cell = &durations->cell[i];
        if (cell->bin >= hill.first && cell->bin <= hill.last) {
            sum += miner_cell_sum(cell);
            count += (double)cell->count;
            cpu += (double)cell->cpu;
            num_cpu += (double)cell->num_cpu;
        }
    }
    return (miner_mode){.first = hill.first,
                        .last = hill.last,
                        .duration = sum / count,
                        .cpu = num_cpu > 0 ? cpu / num_cpu : -1,
                        .events = count};
}

static double time_of(const miner_histogram *h)
{
    double time = 0;
    for (uint32_t i = 0; i < h->num_cells; i++) {
        time += (double)h->cell[i].wall;
    }
    return time;
}

/* Are there enough events before epoch @p end, and from @p begin on? */
static bool is_on_both_sides(const noise_miner *miner, const miner_histogram *h, uint32_t end,
                             uint32_t begin)
{
    double before = 0;
    double after = 0;
    for (uint32_t c = 0; c < h->num_cells; c++) {
        for (uint32_t i = 0; i < MINER_EPOCHS; i++) {
            const uint32_t e = noise_epochs_find(miner_cell_grid(&h->cell[c]), i, miner->grid);
            before += e < end ? h->cell[c].epoch[i] : 0;
            after += e >= begin && e < miner->num_epochs ? h->cell[c].epoch[i] : 0;
        }
    }
    return before >= LEAST_EVENTS && after >= LEAST_EVENTS;
}

/* From the first part to the second: log of the ratio. */
static double move_of(const miner_tempo *tempo)
{
    return log(tempo->part[1].duration / tempo->part[0].duration);
}

/* Does it move to that side, there or in an epoch beside it? */
static bool agrees(const miner_tempo *tempo, const miner_tempo *with)
{
    if (tempo->num_parts < 2) {
        return false;
    }
    const double move = move_of(tempo);
    const double side = move_of(with) > 0 ? 1 : -1;
    return side * move > log1p(LEAST_MOVE) && tempo->begin[1] <= with->begin[1] + 1 &&
           with->begin[1] <= tempo->begin[1] + 1;
}

/* Where CPU times are known: what is taken from a rank does not show in them, a clock does. */
static bool is_in_cpu_time(const miner_tempo *tempo)
{
    const miner_mode *a = &tempo->part[0];
    const miner_mode *b = &tempo->part[1];
    return a->cpu < 0 || b->cpu < 0 || (b->cpu - a->cpu) / (b->duration - a->duration) >= LEAST_CPU;
}

static uint32_t heaviest_of(const miner_detail *detail, const miner_tempo *tempo)
{
    uint32_t found = MINER_NO_TYPE;
    double most = 0;
    for (uint32_t t = 0; t < detail->num_tables; t++) {
        const double time = tempo[t].num_parts > 1 ? time_of(&detail->table[t].durations) : 0;
        if (time > most) {
            most = time;
            found = t;
        }
    }
    return found;
}

static bool is_of_the_clock(const noise_miner *miner, const miner_detail *detail,
                            const miner_tempo *tempo, uint32_t heaviest)
{
    const miner_tempo *with = &tempo[heaviest];
    double moved = 0;
    double all = 0;
    for (uint32_t t = 0; t < detail->num_tables; t++) {
        const miner_histogram *h = &detail->table[t].durations;
        if (is_on_both_sides(miner, h, with->end[0], with->begin[1])) {
            all += time_of(h);
            moved += agrees(&tempo[t], with) ? time_of(h) : 0;
        }
    }
    return moved >= MOST_TIME * all && is_in_cpu_time(with);
}

miner_tempos noise_miner_tempos_find(const noise_miner *miner, const miner_rank *rank)
{
    const miner_detail *detail = rank->detail;
    miner_tempos tempos = {g_new(miner_tempo, detail->num_tables), MINER_NO_TYPE};
    g_autofree miner_mode *whole = g_new(miner_mode, detail->num_tables);
    for (uint32_t t = 0; t < detail->num_tables; t++) {
        const miner_histogram *h = &detail->table[t].durations;
        whole[t] = mode_of_all(h);
        tempos.tempo[t] = noise_tempo_find(h, miner->grid, miner->num_epochs, &whole[t]);
    }
    const uint32_t heaviest = heaviest_of(detail, tempos.tempo);
    const bool clock =
        heaviest != MINER_NO_TYPE && is_of_the_clock(miner, detail, tempos.tempo, heaviest);
    tempos.heaviest = clock ? heaviest : MINER_NO_TYPE;
    for (uint32_t t = 0; t < detail->num_tables; t++) {
        if (!clock || !agrees(&tempos.tempo[t], &tempos.tempo[heaviest])) {
            tempos.tempo[t] =
                (miner_tempo){.num_parts = 1, .part = {whole[t]}, .end = {miner->num_epochs}};
        }
    }
    return tempos;
}

void noise_miner_tempos_clear(miner_tempos *tempos)
{
    g_free(tempos->tempo);
}
