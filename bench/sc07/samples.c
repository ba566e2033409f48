/* bench/sc07/samples.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_lab. */
#include "samples.h"

#include <string.h>

/* Calls of rank 0, each by a symbol. @return owned by the caller */
static uint64_t *symbols_of(const sc07_program *p,
                            uint64_t (*symbol)(const sc07_program *, uint32_t))
{
    const uint32_t n = sc07_program_num_calls(p);
    uint64_t *out = g_new(uint64_t, n);
    for (uint32_t i = 0; i < n; i++) {
        out[i] = symbol(p, i);
    }
    return out;
}

sc07_set *sc07_set_new(const sc07_program *program, uint32_t most, uint32_t longer)
{
    g_autofree uint64_t *functions = symbols_of(program, sc07_program_function);
    g_autofree uint64_t *symbols = symbols_of(program, sc07_program_symbol);
    /* All ranks make the same calls: what one has often enough, all have. */
    const noise_symbols calls = {functions, sc07_program_num_calls(program)};
    const noise_sequences_options options = {
        .most = most, .min_length = longer + 1, .finer = symbols};
    noise_sequences_found found;
    sc07_set *set = g_new0(sc07_set, 1);
    set->program = program;
    set->sequences = noise_sequences_learn(&calls, 1, &options, &found);
    g_assert_nonnull(set->sequences);
    set->num = noise_sequences_num(set->sequences);
    for (uint32_t l = 0; l < set->num; l++) {
        set->length[l] = noise_sequences_at(set->sequences, l)->length;
    }
    set->num_rules = found.num_rules;
    set->covered = found.covered;
    return set;
}

void sc07_set_free(sc07_set *set)
{
    if (set != NULL) {
        noise_sequences_free(set->sequences);
        g_free(set);
    }
}

/* While a run goes on. */
typedef struct hearing {
    noise_matcher *matcher[SC07_RANKS];
    GArray *heard[SC07_RANKS][NOISE_SEQUENCES_MOST]; /* of noise_sample */
} hearing;

static void take(void *data, uint32_t rank, const noise_sequence_call *call)
{
    const hearing *h = data;
    noise_sample out[NOISE_SEQUENCES_MOST];
    const uint32_t n = noise_matcher_take(h->matcher[rank], call, out);
    for (uint32_t i = 0; i < n; i++) {
        g_array_append_val(h->heard[rank][out[i].sequence], out[i]);
    }
}

static void gather(const hearing *h, uint32_t sequence, sc07_series *out)
{
    out->n = h->heard[0][sequence]->len;
    out->sample = g_new(noise_sample, (gsize)SC07_RANKS * out->n);
    for (uint32_t r = 0; r < SC07_RANKS; r++) {
        const GArray *from = h->heard[r][sequence];
        g_assert(from->len == out->n);
        memcpy(out->sample + (size_t)r * out->n, from->data, out->n * sizeof(noise_sample));
    }
}

sc07_samples *sc07_samples_new(const sc07_set *set, const sc07_scene *scene)
{
    g_autofree hearing *h = g_new0(hearing, 1);
    for (uint32_t r = 0; r < SC07_RANKS; r++) {
        h->matcher[r] = noise_matcher_new(set->sequences);
        g_assert_nonnull(h->matcher[r]);
        for (uint32_t l = 0; l < set->num; l++) {
            h->heard[r][l] = g_array_new(FALSE, FALSE, sizeof(noise_sample));
        }
    }
    sc07_samples *out = g_new(sc07_samples, 1);
    *out = (sc07_samples){.num = set->num, .series = g_new(sc07_series, set->num)};
    out->makespan = sc07_run(set->program, scene, take, h);
    for (uint32_t l = 0; l < set->num; l++) {
        gather(h, l, &out->series[l]);
    }
    for (uint32_t r = 0; r < SC07_RANKS; r++) {
        noise_matcher_free(h->matcher[r]);
        for (uint32_t l = 0; l < set->num; l++) {
            g_array_unref(h->heard[r][l]);
        }
    }
    return out;
}

void sc07_samples_free(sc07_samples *s)
{
    if (s != NULL) {
        for (uint32_t l = 0; l < s->num; l++) {
            g_free(s->series[l].sample);
        }
        g_free(s->series);
        g_free(s);
    }
}
