/* noise/interference/model_parse.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_model_text, fuzz_interference_model. */
#include "interference/model_lines.h"
#include "interference/model_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MOST_TIME  ((uint64_t)INT64_MAX / 4)
#define MOST_RANKS ((uint32_t)1 << 22)

static const char *const kinds[] = {"clean", "disturbed"};

bool noise_interference_model_is(const void *data, size_t size)
{
    return size > strlen(MODEL_MAGIC) && memcmp(data, MODEL_MAGIC, strlen(MODEL_MAGIC)) == 0;
}

/* Room for @p num; no memory is an error as any other. */
static bool make(model_lines *lines, void *array, uint64_t num, size_t size)
{
    void *made = calloc(num > 0 ? num : 1, size);
    memcpy(array, &made, sizeof made);
    return made != NULL || noise_model_lines_refuse(lines, "no memory", "", 0);
}

static bool take32(model_lines *lines, uint64_t most, uint32_t *out)
{
    uint64_t value = 0;
    const bool ok = noise_model_lines_number(lines, 0, most, &value);
    *out = (uint32_t)value;
    return ok;
}

static bool take_time(model_lines *lines, sim_time *out)
{
    uint64_t value = 0;
    const bool ok = noise_model_lines_number(lines, 0, MOST_TIME, &value);
    *out = (sim_time)value;
    return ok;
}

/* KEY SHARE */
static bool take_share(model_lines *lines, const char *key, double *out)
{
    return noise_model_lines_next(lines, key) && noise_model_lines_share(lines, out) &&
           noise_model_lines_end(lines);
}

/* KEY WORD */
static bool take_choice(model_lines *lines, const char *key, const char *const *words, uint32_t num,
                        uint32_t *out)
{
    return noise_model_lines_next(lines, key) && noise_model_lines_choice(lines, words, num, out) &&
           noise_model_lines_end(lines);
}

static bool take_onset(model_lines *lines, noise_interference_onset *onset)
{
    return noise_model_lines_next(lines, "onset") && noise_model_lines_word(lines, "allowance") &&
           take32(lines, MODEL_MOST_ONSET, &onset->allowance) &&
           noise_model_lines_word(lines, "most") && take32(lines, MODEL_MOST_ONSET, &onset->most) &&
           noise_model_lines_word(lines, "alarm") &&
           take32(lines, MODEL_MOST_ONSET, &onset->alarm) &&
           noise_model_lines_word(lines, "floor") &&
           take32(lines, MODEL_MOST_ONSET, &onset->floor) && noise_model_lines_end(lines);
}

static bool take_head(model_lines *lines, noise_interference_model *m)
{
    uint32_t reference = 0, rule = 0;
    const bool ok =
        take_choice(lines, "reference", noise_interference_reference_names, NOISE_REFERENCES,
                    &reference) &&
        take_choice(lines, "match", model_match_words, MODEL_MATCHES, &m->match) &&
        take_choice(lines, "rule", noise_interference_rule_names, NOISE_LEARNED_RULES, &rule) &&
        noise_model_lines_next(lines, "filter-ps") && take_time(lines, &m->filter) &&
        noise_model_lines_end(lines) && take_share(lines, "false-alarms", &m->false_alarms) &&
        take_onset(lines, &m->onset) && take_share(lines, "coverage", &m->coverage) &&
        take_share(lines, "least-coverage", &m->least_coverage) &&
        noise_model_lines_next(lines, "seed") && noise_model_lines_hex(lines, &m->seed) &&
        noise_model_lines_end(lines) && noise_model_lines_next(lines, "how") &&
        noise_model_lines_text(lines, &m->how);
    m->reference = (noise_interference_reference)reference;
    m->rule = (noise_interference_rule)rule;
    return ok;
}

static bool take_runs(model_lines *lines, noise_interference_model *m)
{
    uint32_t num = 0;
    bool ok = noise_model_lines_next(lines, "runs") &&
              noise_model_lines_count(lines, 4, UINT32_MAX, &num) &&
              make(lines, &m->runs, num, sizeof *m->runs);
    for (; ok && m->num_runs < num; m->num_runs++) {
        uint32_t kind = 0;
        noise_interference_run *run = &m->runs[m->num_runs];
        ok = noise_model_lines_next(lines, "run") &&
             noise_model_lines_choice(lines, kinds, 2, &kind) &&
             noise_model_lines_text(lines, &run->name);
        run->kind = (noise_interference_run_kind)kind;
    }
    return ok;
}

static bool take_calls(model_lines *lines, noise_interference_model *m)
{
    uint32_t num = 0;
    bool ok = noise_model_lines_next(lines, "calls") &&
              noise_model_lines_count(lines, 22, UINT32_MAX, &num) &&
              make(lines, &m->calls, num, sizeof *m->calls);
    for (; ok && m->num_calls < num; m->num_calls++) {
        noise_interference_call *call = &m->calls[m->num_calls];
        ok = noise_model_lines_next(lines, "call") && noise_model_lines_hex(lines, &call->symbol) &&
             noise_model_lines_text(lines, &call->name);
    }
    return ok;
}

/* Indices of calls, on lines of any length. */
static bool take_sequence(model_lines *lines, const noise_interference_model *m,
                          noise_interference_sequence *s)
{
    static const char *const words[] = {"aligned", "misaligned"};
    uint32_t misaligned = 0, length = 0;
    bool ok =
        noise_model_lines_next(lines, "sequence") &&
        noise_model_lines_choice(lines, words, 2, &misaligned) &&
        noise_model_lines_count(lines, 2, NOISE_SEQUENCES_LONGEST, &length) &&
        (length > 0 || noise_model_lines_refuse(lines, "a sequence of no calls", "0", 1)) &&
        (m->num_calls > 0 || noise_model_lines_refuse(lines, "a sequence, but no calls", "", 0)) &&
        make(lines, &s->calls, length, sizeof *s->calls);
    s->misaligned = misaligned == 1;
    while (ok && s->length < length) {
        ok = noise_model_lines_any(lines);
        do {
            ok = ok && take32(lines, m->num_calls - 1, &s->calls[s->length]);
            s->length += ok;
        } while (ok && lines->word < lines->eol && s->length < length);
        ok = ok && noise_model_lines_end(lines);
    }
    return ok;
}

static bool take_sequences(model_lines *lines, noise_interference_model *m)
{
    uint32_t num = 0;
    bool ok = noise_model_lines_next(lines, "sequences") &&
              noise_model_lines_count(lines, 10, NOISE_SEQUENCES_MOST, &num) &&
              make(lines, &m->sequences, num, sizeof *m->sequences);
    while (ok && m->num_sequences < num) {
        ok = take_sequence(lines, m, &m->sequences[m->num_sequences++]);
    }
    return ok;
}

static bool take_course(model_lines *lines, noise_interference_row *row)
{
    uint32_t num = 0;
    bool ok = noise_model_lines_word(lines, "course") &&
              noise_model_lines_count(lines, 2, UINT32_MAX, &num) &&
              (num == 0 || make(lines, &row->course, num, sizeof *row->course));
    while (ok && row->num_course < num) {
        ok = noise_model_lines_any(lines);
        do {
            ok = ok && take_time(lines, &row->course[row->num_course]);
            row->num_course += ok;
        } while (ok && lines->word < lines->eol && row->num_course < num);
        ok = ok && noise_model_lines_end(lines);
    }
    return ok;
}

static bool take_off(model_lines *lines, noise_interference_row *row)
{
    return take_time(lines, &row->off) && take_time(lines, &row->off_deviation) &&
           take32(lines, UINT32_MAX, &row->off_peak);
}

static bool take_row(model_lines *lines, const char *rank, uint32_t sequence,
                     noise_interference_row *row)
{
    static const char *const words[] = {"unused", "used"}, *const clocks[] = {"wall", "cpu"};
    uint32_t used = 0, clock = 0;
    uint64_t number = 0;
    const bool ok = noise_model_lines_next(lines, "row") && noise_model_lines_word(lines, rank) &&
                    noise_model_lines_number(lines, sequence, sequence, &number) &&
                    noise_model_lines_choice(lines, words, 2, &used) &&
                    take32(lines, NOISE_INTERFERENCE_K_MOST, &row->k) &&
                    noise_model_lines_number(lines, 0, MOST_TIME, &row->count) &&
                    noise_model_lines_number(lines, 0, row->count, &row->exceeded) &&
                    take_time(lines, &row->mean) && take_time(lines, &row->deviation) &&
                    take_time(lines, &row->centre) && take_time(lines, &row->residual) &&
                    take32(lines, UINT32_MAX, &row->peak) &&
                    noise_model_lines_choice(lines, clocks, 2, &clock) && take_off(lines, row) &&
                    take_course(lines, row);
    row->used = used == 1;
    row->has_cpu = clock == 1;
    return ok;
}

static bool take_rows(model_lines *lines, noise_interference_model *m)
{
    uint32_t ranks = 0;
    bool ok = noise_model_lines_next(lines, "ranks") &&
              noise_model_lines_count(lines, 1, MOST_RANKS, &ranks);
    const uint64_t room = (uint64_t)(lines->end - lines->at) / MODEL_LEAST_ROW;
    ok = ok && (((uint64_t)ranks + 1) * m->num_sequences <= room ||
                noise_model_lines_refuse(lines, "rows are missing of so many ranks", "", 0));
    ok = ok && (noise_interference_model_make_rows(m, ranks) ||
                noise_model_lines_refuse(lines, "no memory for the rows", "", 0));
    for (uint64_t rank = 0; ok && rank <= ranks; rank++) {
        char name[16];
        snprintf(name, sizeof name, rank < ranks ? "%u" : "any", (unsigned)rank);
        for (uint32_t l = 0; ok && l < m->num_sequences; l++) {
            ok = take_row(lines, name, l, &m->rows[rank * m->num_sequences + l]);
        }
    }
    return ok;
}

/* The last line has the checksum of all before it. */
static bool take_checksum(model_lines *lines, const char *begin, noise_interference_model *m)
{
    const char *before = lines->at;
    uint64_t written = 0;
    if (!noise_model_lines_next(lines, "checksum") || !noise_model_lines_hex(lines, &written) ||
        !noise_model_lines_end(lines)) {
        return false;
    }
    m->checksum = XXH3_64bits(begin, (size_t)(before - begin));
    if (m->checksum != written) {
        char what[80];
        snprintf(what, sizeof what, "the file has been changed: its checksum is %016llx, not",
                 (unsigned long long)m->checksum);
        char said[17];
        snprintf(said, sizeof said, "%016llx", (unsigned long long)written);
        return noise_model_lines_refuse(lines, what, said, 16);
    }
    return lines->at == lines->end ||
           noise_model_lines_refuse(lines, "something follows the checksum", "", 0);
}

/* Sequences can be learned anew; so other versions are not read. */
static bool take_version(model_lines *lines)
{
    uint64_t version = 0;
    if (!noise_model_lines_next(lines, MODEL_MAGIC) ||
        !noise_model_lines_number(lines, 0, UINT32_MAX, &version) ||
        !noise_model_lines_end(lines)) {
        return false;
    }
    if (version != MODEL_VERSION) {
        char said[16];
        const int n = snprintf(said, sizeof said, "%u", (unsigned)version);
        return noise_model_lines_refuse(
            lines, "a model of another version, to be learned anew (this is version 2):", said,
            (size_t)n);
    }
    return true;
}

noise_interference_model *noise_interference_model_parse(const char *name, const void *data,
                                                         size_t size,
                                                         noise_interference_error *error)
{
    const char *begin = data;
    model_lines lines = {.name = name, .at = begin, .end = begin + size, .error = error};
    if (!noise_interference_model_is(data, size)) {
        lines.line = 1;
        noise_model_lines_refuse(&lines,
                                 "not a model of ripple detect learn: it does not begin with",
                                 MODEL_MAGIC, strlen(MODEL_MAGIC));
        return NULL;
    }
    noise_interference_model *m = noise_interference_model_new();
    if (m == NULL) {
        noise_model_lines_refuse(&lines, "no memory", "", 0);
        return NULL;
    }
    if (take_version(&lines) && take_head(&lines, m) && take_runs(&lines, m) &&
        take_calls(&lines, m) && take_sequences(&lines, m) && take_rows(&lines, m) &&
        take_checksum(&lines, begin, m)) {
        return m;
    }
    noise_interference_model_free(m);
    return NULL;
}
