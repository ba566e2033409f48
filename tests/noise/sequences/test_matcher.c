/* tests/noise/sequences/test_matcher.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "naive_matcher.h"
#include "noise/random.h"

enum { SEED = 15, MOST_CALLS = 300 };

static noise_sequence_call *calls_of(const char *symbols)
{
    const size_t n = strlen(symbols);
    noise_sequence_call *call = g_new0(noise_sequence_call, n + 1);
    sim_time now = 1000;
    for (size_t i = 0; i < n; i++) {
        const sim_time compute = 10 + (sim_time)i;
        now += compute;
        call[i] = (noise_sequence_call){.symbol = (uint64_t)symbols[i],
                                        .compute = compute,
                                        .entered = now,
                                        .anchor = symbols[i] == '|'};
        now += 5; /* in the call */
    }
    return call;
}

static noise_sequence sequence_of(const char *symbols, uint64_t *room, bool misaligned)
{
    const size_t n = strlen(symbols);
    for (size_t i = 0; i < n; i++) {
        room[i] = (uint64_t)symbols[i];
    }
    return (noise_sequence){room, (uint32_t)n, misaligned};
}

/* "2:0=23@1000-1030": the call, sequence, t, S, begin, end. */
static char *samples_of(const noise_sequences *set, const char *symbols)
{
    g_autofree noise_sequence_call *call = calls_of(symbols);
    noise_matcher *m = noise_matcher_new(set);
    noise_sample out[NOISE_SEQUENCES_MOST];
    GString *text = g_string_new("");
    for (size_t i = 0; i < strlen(symbols); i++) {
        const uint32_t n = noise_matcher_take(m, &call[i], out);
        for (uint32_t k = 0; k < n; k++) {
            g_string_append_printf(text, "%s%zu:%u.%d.%d=%d@%d-%d", text->len > 0 ? " " : "", i,
                                   out[k].sequence, (int)(out[k].t >> 20),
                                   (int)(out[k].t & 0xfffff), (int)out[k].compute,
                                   (int)out[k].begin, (int)out[k].end);
        }
    }
    noise_matcher_free(m);
    return g_string_free(text, FALSE);
}

static void occurrences_are_leftmost_and_do_not_overlap(void)
{
    static const struct {
        const char *sequence, *calls, *samples;
        bool misaligned;
    } rows[] = {
        {"ab", "ab", "1:0.0.0=21@1000-1026", false},
        {"ab", "xab", "2:0.0.0=23@1015-1043", false},
        {"aa", "aaaa", "1:0.0.0=21@1000-1026 3:0.0.1=25@1031-1061", false},
        {"aa", "aaa", "1:0.0.0=21@1000-1026", false},
        {"aba", "ababa", "2:0.0.0=33@1000-1043", false},
        {"aab", "aaab", "3:0.0.0=36@1015-1061", false},
        {"abab", "ab", "", false},
        {"a", "ba", "1:0.0.0=11@1015-1026", false},
        /* numbered from collective to collective; the anchor is counted after its own call */
        {"a", "a|aa||a",
         "0:0.0.0=10@1000-1010 2:0.1.0=12@1031-1043 3:0.1.1=13@1048-1061 "
         "6:0.3.0=16@1105-1121",
         true},
        {"a|", "a|a|", "1:0.0.0=21@1000-1026 3:0.1.0=25@1031-1061", true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        uint64_t room[8];
        const noise_sequence s = sequence_of(rows[i].sequence, room, rows[i].misaligned);
        noise_sequences *set = noise_sequences_new(&s, 1);
        g_autofree char *text = samples_of(set, rows[i].calls);
        CHECK_STR(text, rows[i].samples, "row %d", (int)i);
        noise_sequences_free(set);
    }
}

/* Sequences that are found now and then, in calls of few symbols. */
static noise_sequences *random_set(uint64_t stream, uint64_t *room, noise_sequence *sequence)
{
    const uint32_t num = (uint32_t)noise_random_below(SEED, stream, 0, 6);
    for (uint32_t l = 0; l < num; l++) {
        const uint32_t length = 1 + (uint32_t)noise_random_below(SEED, stream, 1 + l, 7);
        for (uint32_t i = 0; i < length; i++) {
            room[8 * l + i] = noise_random_below(SEED, stream, 100 + 8 * l + i, 2);
        }
        sequence[l] = (noise_sequence){room + (size_t)8 * l, length, l % 2 == 1};
    }
    return noise_sequences_new(sequence, num);
}

static size_t random_calls(uint64_t stream, noise_sequence_call *call)
{
    const size_t n = noise_random_below(SEED, stream, 50, MOST_CALLS);
    sim_time now = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t symbol = noise_random_below(SEED, stream, 1000 + i, 17) / 8; /* rarely 2 */
        const sim_time compute = (sim_time)noise_random_below(SEED, stream, 2000 + i, 1000);
        now += compute;
        call[i] =
            (noise_sequence_call){.symbol = symbol,
                                  .compute = compute,
                                  .entered = now,
                                  .anchor = symbol == 2,
                                  .has_cpu = noise_random_below(SEED, stream, 3000 + i, 9) > 0};
        /* Clocks that are coarse: a little more, or less, than there can be. */
        call[i].off =
            call[i].has_cpu
                ? (sim_time)noise_random_below(SEED, stream, 4000 + i, (uint64_t)compute + 20) - 10
                : 0;
        now += 7;
    }
    return n;
}

static bool is_same(const noise_sample *a, const noise_sample *b)
{
    return a->sequence == b->sequence && a->t == b->t && a->compute == b->compute &&
           a->begin == b->begin && a->end == b->end && a->has_cpu == b->has_cpu && a->off == b->off;
}

static void the_matcher_finds_what_a_search_by_hand_finds(void)
{
    for (uint64_t k = 0; k < 1000; k++) {
        uint64_t room[48];
        noise_sequence sequence[6] = {{NULL, 0, false}};
        noise_sequence_call call[MOST_CALLS];
        char covered[MOST_CALLS] = {0};
        noise_sequences *set = random_set(k, room, sequence);
        const size_t n = random_calls(k, call);
        const uint32_t num = noise_sequences_num(set);
        GArray *wanted[6];
        guint met[6] = {0};
        for (uint32_t l = 0; l < num; l++) {
            wanted[l] = naive_samples(&sequence[l], l, call, n, covered);
        }
        noise_matcher *m = noise_matcher_new(set);
        bool same = true;
        for (size_t i = 0; i < n; i++) {
            noise_sample out[6];
            const uint32_t found = noise_matcher_take(m, &call[i], out);
            for (uint32_t f = 0; f < found; f++) {
                const uint32_t l = out[f].sequence;
                const naive_sample *w = met[l] < wanted[l]->len
                                            ? &g_array_index(wanted[l], naive_sample, met[l])
                                            : NULL;
                same = same && w != NULL && w->last == i && is_same(&w->sample, &out[f]);
                met[l]++;
            }
        }
        uint64_t num_covered = 0;
        sim_time work[2] = {0};
        for (size_t i = 0; i < n; i++) {
            num_covered += (uint64_t)covered[i];
            work[0] += call[i].compute;
            work[1] += covered[i] != 0 ? call[i].compute : 0;
        }
        for (uint32_t l = 0; l < num; l++) {
            uint64_t count = 0;
            uint64_t symbol[MOST_CALLS];
            for (size_t i = 0; i < n; i++) {
                symbol[i] = call[i].symbol;
            }
            same = same && met[l] == wanted[l]->len &&
                   noise_sequence_count(&sequence[l], &(noise_symbols){symbol, n}, &count) &&
                   count == met[l];
            g_array_free(wanted[l], TRUE);
        }
        CHECK(same, "set %d of seed %d", (int)k, SEED);
        CHECK_I64(noise_matcher_covered(m), num_covered, "set %d", (int)k);
        CHECK_I64(noise_matcher_calls(m), n);
        CHECK_I64(noise_matcher_work(m), work[0], "set %d", (int)k);
        CHECK_I64(noise_matcher_covered_work(m), work[1], "set %d", (int)k);
        noise_matcher_free(m);
        noise_sequences_free(set);
    }
}

static void no_occurrence_goes_across_missing_calls(void)
{
    uint64_t room[8];
    const noise_sequence s = sequence_of("ab", room, false);
    noise_sequences *set = noise_sequences_new(&s, 1);
    noise_matcher *m = noise_matcher_new(set);
    noise_sample out[1];
    CHECK_I64(noise_matcher_take(
                  m, &(noise_sequence_call){.symbol = 'a', .compute = 1, .entered = 1}, out),
              0);
    noise_matcher_break(m);
    CHECK_I64(noise_matcher_take(
                  m, &(noise_sequence_call){.symbol = 'b', .compute = 1, .entered = 3}, out),
              0);
    CHECK_I64(noise_matcher_take(
                  m, &(noise_sequence_call){.symbol = 'a', .compute = 1, .entered = 5}, out),
              0);
    CHECK_I64(noise_matcher_take(
                  m, &(noise_sequence_call){.symbol = 'b', .compute = 1, .entered = 7}, out),
              1);
    CHECK_I64(out[0].t, 0);
    noise_matcher_free(m);
    noise_sequences_free(set);
}

static void too_many_occurrences_between_collectives_have_no_sample(void)
{
    uint64_t room[8];
    const noise_sequence s = sequence_of("a", room, true);
    noise_sequences *set = noise_sequences_new(&s, 1);
    noise_matcher *m = noise_matcher_new(set);
    noise_sample out[1];
    const noise_sequence_call a = {.symbol = 'a'};
    for (uint32_t i = 0; i < 1 << 20; i++) {
        if (noise_matcher_take(m, &a, out) != 1 || out[0].t != i) {
            CHECK(false, "%u", i);
            break;
        }
    }
    CHECK_I64(noise_matcher_take(m, &a, out), 0);
    (void)noise_matcher_take(m, &(noise_sequence_call){.symbol = '|', .anchor = true}, out);
    CHECK_I64(noise_matcher_take(m, &a, out), 1);
    CHECK_I64(out[0].t, 1 << 20);
    noise_matcher_free(m);
    noise_sequences_free(set);
}

static void sets_are_refused_that_are_out_of_range(void)
{
    static uint64_t room[8];
    noise_sequence s[NOISE_SEQUENCES_MOST + 1];
    for (size_t i = 0; i < G_N_ELEMENTS(s); i++) {
        s[i] = (noise_sequence){room, 3, false};
    }
    noise_sequences *set = noise_sequences_new(s, NOISE_SEQUENCES_MOST);
    CHECK(set != NULL);
    noise_sequences_free(set);
    CHECK(noise_sequences_new(s, NOISE_SEQUENCES_MOST + 1) == NULL);
    s[1].length = 0;
    CHECK(noise_sequences_new(s, 2) == NULL);
    s[1].length = NOISE_SEQUENCES_LONGEST + 1;
    CHECK(noise_sequences_new(s, 2) == NULL);
}

static void a_matcher_without_sequences_counts_calls(void)
{
    noise_sequences *set = noise_sequences_new(NULL, 0);
    noise_matcher *m = noise_matcher_new(set);
    CHECK_I64(noise_matcher_take(m, &(noise_sequence_call){.symbol = 1, .compute = 7}, NULL), 0);
    CHECK_I64(noise_matcher_work(m), 7);
    CHECK_I64(noise_matcher_calls(m), 1);
    CHECK_I64(noise_matcher_covered(m), 0);
    noise_matcher_free(m);
    noise_sequences_free(set);
}

SUITE_MAIN("matcher", TEST(occurrences_are_leftmost_and_do_not_overlap),
           TEST(the_matcher_finds_what_a_search_by_hand_finds),
           TEST(no_occurrence_goes_across_missing_calls),
           TEST(too_many_occurrences_between_collectives_have_no_sample),
           TEST(sets_are_refused_that_are_out_of_range),
           TEST(a_matcher_without_sequences_counts_calls))
