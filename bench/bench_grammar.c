/* bench/bench_grammar.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sequitur: symbols per second and bytes per symbol, from 10^4 symbols on, each length ten times
 * the one before. Strings: periodic (1,000 symbols over and over), binary (by chance), cg (the
 * calls of NPB CG, class C, 64 ranks), words (1,000 words of 2 to 9 letters, by chance; the
 * frequent ones are more frequent: ranks by a square). Symbols are made while the grammar is built,
 * in blocks, and their time is not counted. Usage: bench_grammar [MOST [STRING [FOLDER]]]; STRING
 * may be "all", and FOLDER gets a page with figures and their data (CSV).
 */
#include "argument.h"
#include "grammar_figures.h"
#include "noise/grammar.h"
#include "noise/random.h"
#include "program_strings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 1 << 14, FIRST = 10000, PERIOD = 1000, WORDS = 1000 };

typedef struct source {
    uint64_t cg[CG_CALLS + CG_CYCLE];
    uint64_t word;    /* drawn so far */
    uint64_t letters; /* of it, given */
} source;

static void fill_periodic(source *s, uint64_t at, uint64_t *out)
{
    (void)s;
    for (uint64_t i = 0; i < BLOCK; i++) {
        out[i] = (at + i) % PERIOD;
    }
}

static void fill_binary(source *s, uint64_t at, uint64_t *out)
{
    (void)s;
    for (uint64_t i = 0; i < BLOCK; i++) {
        out[i] = noise_random_u64(1, 1, (at + i) / 64) >> ((at + i) % 64) & 1;
    }
}

/* The whole run over and over; it consists of equal cycles. */
static void fill_cg(source *s, uint64_t at, uint64_t *out)
{
    for (uint64_t i = 0; i < BLOCK; i++) {
        out[i] = s->cg[(at + i) % CG_CALLS];
    }
}

static void fill_words(source *s, uint64_t at, uint64_t *out)
{
    (void)at;
    for (uint64_t i = 0; i < BLOCK; i++) {
        const double unit = noise_random_unit(1, 2, s->word);
        const uint64_t word = (uint64_t)(unit * unit * WORDS);
        const uint64_t length = 2 + noise_random_below(1, 3, word, 8);
        out[i] = 'a' + noise_random_below(1, 4 + word, s->letters, 26);
        if (++s->letters == length) {
            s->letters = 0;
            s->word++;
        }
    }
}

static const struct {
    const char *name;
    void (*fill)(source *s, uint64_t at, uint64_t *out);
} STRINGS[] = {
    {"periodic", fill_periodic},
    {"binary", fill_binary},
    {"cg", fill_cg},
    {"words", fill_words},
};

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* others may run */
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* @return false: no memory */
static bool measure(size_t string, uint64_t n, grammar_series *out)
{
    static source s;
    static uint64_t block[BLOCK];
    s.word = s.letters = 0;
    cg_string(s.cg, CG_CALLS);
    noise_grammar *g = noise_grammar_new(0);
    double taken = 0;
    bool fits = g != NULL;
    for (uint64_t at = 0; fits && at < n; at += BLOCK) {
        STRINGS[string].fill(&s, at, block);
        const uint64_t num = n - at < BLOCK ? n - at : BLOCK;
        const double begin = cpu_seconds();
        fits = noise_grammar_append_all(g, block, num) == num;
        taken += cpu_seconds() - begin;
    }
    if (fits) {
        printf("%-9s %11" PRIu64 "  %7.2f  %8.2f  %12.5f  %11" PRIu64 "  %8.1f\n",
               STRINGS[string].name, n, (double)n / taken / 1e6, taken,
               (double)noise_grammar_bytes(g) / (double)n, noise_grammar_nodes(g),
               (double)noise_grammar_bytes(g) / (1 << 20));
        fflush(stdout);
        out->symbols[out->num] = n;
        out->seconds[out->num] = taken;
        out->bytes[out->num++] = (double)noise_grammar_bytes(g);
    }
    noise_grammar_free(g);
    return fits;
}

static bool measure_all(uint64_t most, size_t string, grammar_series *out)
{
    out->name = STRINGS[string].name;
    for (uint64_t n = FIRST; n <= most && out->num < GRAMMAR_MOST_LENGTHS; n *= 10) {
        if (!measure(string, n, out)) {
            fprintf(stderr, "bench_grammar: %s, %" PRIu64 " symbols: out of memory\n", out->name,
                    n);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    enum { NUM = sizeof STRINGS / sizeof *STRINGS };
    const uint64_t most = bench_count(argc, argv, 1, "MOST", 1000000);
    const char *only = argc >= 3 && strcmp(argv[2], "all") != 0 ? argv[2] : NULL;
    grammar_series series[NUM] = {0};
    size_t num = 0;
    printf(
        "# string, symbols, 10^6 symbols per second of CPU time, seconds, bytes per symbol, nodes, "
        "MiB\n");
    for (size_t k = 0; k < NUM; k++) {
        if ((only == NULL || strcmp(only, STRINGS[k].name) == 0) &&
            !measure_all(most, k, &series[num++])) {
            return 1;
        }
    }
    if (num == 0 || argc > 4) {
        fprintf(stderr, "usage: bench_grammar [MOST [all|periodic|binary|cg|words [FOLDER]]]\n");
        return 2;
    }
    grammar_growth_print(series, num);
    g_autoptr(GError) error = NULL;
    if (argc == 4 && !grammar_figures_write(series, num, argv[3], &error)) {
        fprintf(stderr, "bench_grammar: %s\n", error->message);
        return 1;
    }
    return 0;
}
