/* noise/interference/align.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "interference/align.h"

#include "synopsis/memory.h"

/* What waits of one rank and sequence: at[(first + i) % cap], i < num, by t. cap is a power of 2 or
 * 0. */
typedef struct queue {
    noise_sample *at;
    uint32_t first, num, cap;
} queue;

struct align {
    miner_memory memory; /* without a budget */
    uint32_t num_ranks, num_sequences, window;
    queue *queues;         /* [sequences][ranks] */
    uint32_t *idle;        /* [sequences] ranks that go on, and have nothing waiting */
    uint32_t *busy;        /* [sequences] ranks that have */
    uint64_t *waiting;     /* [ranks] samples, of all sequences */
    bool *ended;           /* [ranks] */
    uint64_t *from;        /* [sequences] t below it have been handed on */
    uint32_t *ranks;       /* [ranks] of the row that is handed on … */
    noise_sample *samples; /* … likewise */
    void (*take)(void *to, const align_row *row);
    void *to;
};

align *noise_align_new(uint32_t num_ranks, uint32_t num_sequences, uint32_t window,
                       void (*take)(void *to, const align_row *row), void *to)
{
    miner_memory memory = {0};
    align *a = noise_synopsis_new(&memory, 1, sizeof *a);
    a->num_ranks = num_ranks;
    a->num_sequences = num_sequences;
    a->window = window;
    a->take = take;
    a->to = to;
    a->queues = noise_synopsis_new(&memory, (uint64_t)num_sequences * num_ranks, sizeof *a->queues);
    a->idle = noise_synopsis_new(&memory, num_sequences, sizeof *a->idle);
    a->busy = noise_synopsis_new(&memory, num_sequences, sizeof *a->busy);
    a->waiting = noise_synopsis_new(&memory, num_ranks, sizeof *a->waiting);
    a->ended = noise_synopsis_new(&memory, num_ranks, sizeof *a->ended);
    a->from = noise_synopsis_new(&memory, num_sequences, sizeof *a->from);
    a->ranks = noise_synopsis_new(&memory, num_ranks, sizeof *a->ranks);
    a->samples = noise_synopsis_new(&memory, num_ranks, sizeof *a->samples);
    for (uint32_t l = 0; l < num_sequences; l++) {
        a->idle[l] = num_ranks;
    }
    a->memory = memory;
    return a;
}

void noise_align_free(align *a)
{
    if (a == NULL) {
        return;
    }
    miner_memory *m = &a->memory;
    const uint64_t num = (uint64_t)a->num_sequences * a->num_ranks;
    for (uint64_t i = 0; i < num; i++) {
        noise_synopsis_free(m, a->queues[i].at, a->queues[i].cap, sizeof *a->queues[i].at);
    }
    noise_synopsis_free(m, a->queues, num, sizeof *a->queues);
    noise_synopsis_free(m, a->idle, a->num_sequences, sizeof *a->idle);
    noise_synopsis_free(m, a->busy, a->num_sequences, sizeof *a->busy);
    noise_synopsis_free(m, a->waiting, a->num_ranks, sizeof *a->waiting);
    noise_synopsis_free(m, a->ended, a->num_ranks, sizeof *a->ended);
    noise_synopsis_free(m, a->from, a->num_sequences, sizeof *a->from);
    noise_synopsis_free(m, a->ranks, a->num_ranks, sizeof *a->ranks);
    noise_synopsis_free(m, a->samples, a->num_ranks, sizeof *a->samples);
    noise_synopsis_free(m, a, 1, sizeof *a);
}

static void append(align *a, queue *q, const noise_sample *sample)
{
    if (q->num == q->cap) {
        uint32_t cap = q->cap;
        q->at = noise_synopsis_grow(&a->memory, q->at, &cap, (uint64_t)q->cap + 1, sizeof *q->at);
        /* It has at least doubled: what had been wrapped around goes on behind the old end. */
        for (uint32_t i = 0; i < q->first; i++) {
            q->at[q->cap + i] = q->at[i];
        }
        q->cap = cap;
    }
    q->at[(q->first + q->num++) & (q->cap - 1)] = *sample;
}

/* The earliest t that waits, of all ranks that have it. Something must wait. */
static void hand_on(align *a, uint32_t l)
{
    queue *const queues = &a->queues[(uint64_t)l * a->num_ranks];
    uint64_t t = UINT64_MAX;
    for (uint32_t rank = 0; rank < a->num_ranks; rank++) {
        const queue *q = &queues[rank];
        if (q->num > 0 && q->at[q->first].t < t) {
            t = q->at[q->first].t;
        }
    }
    uint32_t num = 0;
    for (uint32_t rank = 0; rank < a->num_ranks; rank++) {
        queue *q = &queues[rank];
        if (q->num > 0 && q->at[q->first].t == t) {
            a->ranks[num] = rank;
            a->samples[num++] = q->at[q->first];
            q->first = (q->first + 1) & (q->cap - 1);
            q->num--;
            a->waiting[rank]--;
            a->busy[l] -= q->num == 0;
            a->idle[l] += q->num == 0 && !a->ended[rank];
        }
    }
    a->from[l] = t + 1;
    const align_row row = {
        .sequence = l, .t = t, .num = num, .ranks = a->ranks, .samples = a->samples};
    a->take(a->to, &row);
}

/* Whoever goes on has a sample there, and so the earliest one will not be any earlier. */
static bool is_complete(const align *a, uint32_t l)
{
    return a->idle[l] == 0 && a->busy[l] > 0;
}

bool noise_align_add(align *a, uint32_t rank, const noise_sample *sample)
{
    const uint32_t l = sample->sequence;
    queue *q = &a->queues[(uint64_t)l * a->num_ranks + rank];
    if (sample->t < a->from[l] || a->ended[rank]) {
        return false;
    }
    a->idle[l] -= q->num == 0;
    a->busy[l] += q->num == 0;
    a->waiting[rank]++;
    append(a, q, sample);
    while (is_complete(a, l) || (a->window > 0 && q->num > a->window)) {
        hand_on(a, l);
    }
    return true;
}

void noise_align_end(align *a, uint32_t rank)
{
    if (a->ended[rank]) {
        return;
    }
    a->ended[rank] = true;
    for (uint32_t l = 0; l < a->num_sequences; l++) {
        a->idle[l] -= a->queues[(uint64_t)l * a->num_ranks + rank].num == 0;
        while (is_complete(a, l)) {
            hand_on(a, l);
        }
    }
}

uint64_t noise_align_waiting(const align *a, uint32_t rank)
{
    return a->waiting[rank];
}

void noise_align_flush(align *a)
{
    for (uint32_t l = 0; l < a->num_sequences; l++) {
        while (a->busy[l] > 0) {
            hand_on(a, l);
        }
    }
}
