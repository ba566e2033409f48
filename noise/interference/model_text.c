/* noise/interference/model_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/interference.h"

#include "interference/model_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define PER_LINE 16

/* One line: what would end it becomes a question mark. */
static void put_text(FILE *out, const char *text)
{
    for (const char *c = text != NULL ? text : ""; *c != '\0'; c++) {
        fputc((unsigned char)*c < ' ' ? '?' : *c, out);
    }
    fputc('\n', out);
}

/* As short as it can be read again. */
static const char *share(double value, char out[32])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, 32, "%.*g", digits, value);
        if (strtod(out, NULL) == value) {
            break;
        }
    }
    return out;
}

static void put_head(FILE *out, const noise_interference_model *m)
{
    const noise_interference_onset *o = &m->onset;
    char shares[3][32];
    fprintf(
        out,
        "%s %d\n"
        "# What ripple detect learn has learned of a program; docs/interference.md, section 7.\n"
        "# Times are in ps; K, deviations and sums of the onset in thousandths.\n"
        "reference %s\nmatch %s\nrule %s\nfilter-ps %" PRId64 "\nfalse-alarms %s\n"
        "onset allowance %u most %u alarm %u floor %u\n"
        "coverage %s\nleast-coverage %s\nseed %016" PRIx64 "\nhow ",
        MODEL_MAGIC, MODEL_VERSION, noise_interference_reference_names[m->reference],
        model_match_words[m->match], noise_interference_rule_names[m->rule], m->filter,
        share(m->false_alarms, shares[0]), o->allowance, o->most, o->alarm, o->floor,
        share(m->coverage, shares[1]), share(m->least_coverage, shares[2]), m->seed);
    put_text(out, m->how);
}

static void put_sequences(FILE *out, const noise_interference_model *m)
{
    fprintf(out, "calls %u\n# symbol, name\n", m->num_calls);
    for (uint32_t i = 0; i < m->num_calls; i++) {
        fprintf(out, "call %016" PRIx64 " ", m->calls[i].symbol);
        put_text(out, m->calls[i].name);
    }
    fprintf(out, "sequences %u\n# length, then calls by their numbers, from 0\n", m->num_sequences);
    for (uint32_t l = 0; l < m->num_sequences; l++) {
        const noise_interference_sequence *s = &m->sequences[l];
        fprintf(out, "sequence %s %u\n", s->misaligned ? "misaligned" : "aligned", s->length);
        for (uint32_t i = 0; i < s->length; i++) {
            fprintf(out, "%u%c", s->calls[i],
                    i + 1 == s->length || i % PER_LINE == PER_LINE - 1 ? '\n' : ' ');
        }
    }
}

static void put_row(FILE *out, const noise_interference_row *row)
{
    fprintf(out,
            "%s %u %" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
            " %u %s %" PRId64 " %" PRId64 " %u course %u\n",
            row->used ? "used" : "unused", row->k, row->count, row->exceeded, row->mean,
            row->deviation, row->centre, row->residual, row->peak, row->has_cpu ? "cpu" : "wall",
            row->off, row->off_deviation, row->off_peak, row->num_course);
    for (uint32_t i = 0; i < row->num_course; i++) {
        fprintf(out, "%" PRId64 "%c", row->course[i],
                i + 1 == row->num_course || i % PER_LINE == PER_LINE - 1 ? '\n' : ' ');
    }
}

static void put_rows(FILE *out, const noise_interference_model *m)
{
    fprintf(
        out,
        "ranks %u\n"
        "# rank, sequence, used or not, K, clean samples, of them above the threshold, their "
        "mean, deviation,\n"
        "# mean of the reference, residual, peak of the CUSUM, whether CPU time is known, then of "
        "the time off the CPU\n"
        "# mean, deviation, peak; means of the t-th\n",
        m->num_ranks);
    for (uint64_t rank = 0; rank <= m->num_ranks; rank++) {
        for (uint32_t l = 0; l < m->num_sequences; l++) {
            if (rank < m->num_ranks) {
                fprintf(out, "row %" PRIu64 " %u ", rank, l);
            } else {
                fprintf(out, "row any %u ", l);
            }
            put_row(out, &m->rows[rank * m->num_sequences + l]);
        }
    }
}

char *noise_interference_model_text(const noise_interference_model *m, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL) {
        return NULL;
    }
    put_head(out, m);
    fprintf(out, "runs %u\n", m->num_runs);
    for (uint32_t i = 0; i < m->num_runs; i++) {
        fputs(m->runs[i].kind == NOISE_RUN_CLEAN ? "run clean " : "run disturbed ", out);
        put_text(out, m->runs[i].name);
    }
    put_sequences(out, m);
    put_rows(out, m);
    bool ok = fflush(out) == 0;
    if (ok) {
        fprintf(out, "checksum %016" PRIx64 "\n", (uint64_t)XXH3_64bits(text, *size));
    }
    ok = !ferror(out) && ok;
    ok = fclose(out) == 0 && ok;
    if (!ok) {
        free(text);
        return NULL;
    }
    return text;
}
