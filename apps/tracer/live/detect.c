/* apps/tracer/live/detect.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "live/detect.h"

#include "live/detect_file.h"
#include "noise/call_stream.h"
#include "noise/interference.h"
#include "noise/sequences.h"
#include "record/comm.h"
#include "record/cpu.h"
#include "record/regions.h"
#include "record/state.h"
#include "tracer/protocol.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t EVERY = 100000000; /* ns between two pages, at least */

static noise_sequences *sequences;
static noise_matcher *matcher;
static noise_call_stream stream;
static noise_match match;
static sim_time until; /* when the last call was left */
static uint64_t due;
static noise_sample_page page;
static bool begun; /* on all ranks or on none */

/* ---- the model ---- */
/* What the ranks need of it, as numbers: these, then of each sequence length, misaligned, symbols.
 */
enum { WORD_MODEL, WORD_MATCH, WORD_NUM, WORDS };

static size_t count_words(const noise_interference_model *m)
{
    size_t n = WORDS;
    for (uint32_t i = 0; i < m->num_sequences; i++) {
        n += 2 + (size_t)m->sequences[i].length;
    }
    return n;
}

static void put_words(const noise_interference_model *m, uint64_t *words)
{
    words[WORD_MODEL] = m->checksum;
    words[WORD_MATCH] = m->match;
    words[WORD_NUM] = m->num_sequences;
    words += WORDS;
    for (uint32_t i = 0; i < m->num_sequences; i++) {
        const noise_interference_sequence *s = &m->sequences[i];
        *words++ = s->length;
        *words++ = s->misaligned;
        for (uint32_t k = 0; k < s->length; k++) {
            *words++ = m->calls[s->calls[k]].symbol;
        }
    }
}

/* Rank 0. @return how many there are; 0: the model cannot be used; said */
static size_t load(uint64_t **words)
{
    noise_interference_error why;
    noise_interference_model *m = noise_interference_model_load(getenv(TRACER_ENV_DETECT), &why);
    if (m == NULL) {
        tracer_say("nothing is scored: %s", why.text);
        return 0;
    }
    const size_t n = count_words(m);
    *words = tracer_calloc(n, sizeof **words);
    put_words(m, *words);
    noise_interference_model_free(m);
    return n;
}

/* Every rank. @return false: no memory */
static bool prepare(const uint64_t *words)
{
    noise_sequence list[NOISE_SEQUENCES_MOST];
    const uint64_t num = words[WORD_NUM];
    match = (noise_match)words[WORD_MATCH];
    words += WORDS;
    for (uint64_t i = 0; i < num; i++) {
        list[i] = (noise_sequence){
            .length = (uint32_t)words[0], .misaligned = words[1] != 0, .symbol = words + 2};
        words += 2 + words[0];
    }
    sequences = noise_sequences_new(list, (uint32_t)num);
    matcher = sequences != NULL ? noise_matcher_new(sequences) : NULL;
    return matcher != NULL;
}

void tracer_detect_start(void)
{
    uint64_t *words = NULL;
    uint64_t n = 0;
    if (!tracer.detecting) {
        return;
    }
    if (tracer.rank == 0) {
        n = load(&words);
    }
    PMPI_Bcast(&n, 1, MPI_UINT64_T, 0, tracer.world);
    if (n == 0) {
        tracer.detecting = false;
        return;
    }
    begun = true;
    words = words != NULL ? words : tracer_calloc(n, sizeof *words);
    PMPI_Bcast(words, (int)n, MPI_UINT64_T, 0, tracer.world);
    noise_sample_header header = {.rank = (uint32_t)tracer.rank,
                                  .num_ranks = (uint32_t)tracer.size,
                                  .num_sequences = (uint32_t)words[WORD_NUM],
                                  .model = words[WORD_MODEL]};
    const bool ok = prepare(words);
    if (!ok) {
        tracer_say("rank %d: no memory for typical sequences", tracer.rank);
    }
    free(words);
    tracer.detecting = tracer_detect_file_open(&header) && ok;
    due = tracer_clock() + EVERY;
}

/* ---- calls ---- */
static noise_call_peer peer_of(const tracer_noted_call *c)
{
    static const noise_peer_kind KIND[] = {
        [TRACER_PEER_NONE] = NOISE_PEER_NONE,     [TRACER_PEER_RANK] = NOISE_PEER_RANK,
        [TRACER_PEER_NOBODY] = NOISE_PEER_NOBODY, [TRACER_PEER_ANY] = NOISE_PEER_ANY,
        [TRACER_PEER_ROOT] = NOISE_PEER_ROOT,
    };
    const uint32_t size = tracer_comm_size(c->comm);
    return (noise_call_peer){.kind = KIND[c->peer_kind],
                             .number = c->peer,
                             .own = tracer_comm_rank(c->comm),
                             .size = size,
                             .part = size > 0 && size < (uint32_t)tracer.size};
}

static void write_page(noise_sample_end end)
{
    page.block.end = end;
    page.block.totals = (noise_sample_totals){
        .calls = noise_matcher_calls(matcher),
        .covered_calls = noise_matcher_covered(matcher),
        .compute = noise_matcher_work(matcher),
        .covered_compute = noise_matcher_covered_work(matcher),
        .until = until,
    };
    tracer.detecting = tracer_detect_file_write(&page);
}

static void note_sample(const noise_sample *s)
{
    page.record[page.block.num++] = (noise_sample_record){.t = s->t,
                                                          .begin = s->begin,
                                                          .end = s->end,
                                                          .compute = s->compute,
                                                          .off = s->has_cpu ? s->off : -1,
                                                          .sequence = s->sequence};
    if (page.block.num == NOISE_SAMPLE_ROOM) {
        write_page(NOISE_SAMPLE_RUNNING);
    }
}

static void match_call(const tracer_noted_call *c)
{
    const noise_call_peer peer = peer_of(c);
    noise_sequence_call call;
    noise_sample found[NOISE_SEQUENCES_MOST];
    if (noise_call_stream_take(&stream, &c->call, &peer, &call)) {
        const uint32_t n = noise_matcher_take(matcher, &call, found);
        for (uint32_t i = 0; i < n && tracer.detecting; i++) {
            note_sample(&found[i]);
        }
    }
}

void tracer_detect_call(const tracer_noted_call *c)
{
    if (c->region == REGION_Init || c->region == REGION_Init_thread) {
        noise_call_stream_begin(&stream, match, c->call.leave);
    } else if (c->region != REGION_Finalize) {
        match_call(c);
    }
    until = c->call.leave;
}

void tracer_detect_skip(sim_time enter, sim_time leave)
{
    noise_call_stream_skip(&stream, enter, leave);
}

/* ---- handing on ---- */
bool tracer_detect_due(uint64_t now)
{
    return now >= due;
}

void tracer_detect_hand_on(void)
{
    write_page(NOISE_SAMPLE_RUNNING);
    due = tracer_clock() + EVERY;
}

bool tracer_detect_finish(void)
{
    if (tracer.detecting) {
        write_page(NOISE_SAMPLE_FINALIZED);
    }
    tracer.detecting = false;
    return begun && tracer_detect_file_unite();
}

bool tracer_detect_cut_off(void)
{
    if (tracer.detecting) {
        write_page(NOISE_SAMPLE_CUT_OFF);
    }
    return !begun || (tracer.detecting && tracer_detect_file_leave());
}
