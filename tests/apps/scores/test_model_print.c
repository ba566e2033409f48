/* tests/apps/scores/test_model_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Long sequences in short, by hand. */
#include "check.h"
#include "scores/model_print.h"

static char *text_of(const uint32_t *calls, uint32_t n)
{
    static char irecv[] = "Irecv";
    static char send[] = "Send";
    static char wait[] = "Wait";
    noise_interference_call names[] = {{1, irecv}, {2, send}, {3, wait}};
    uint32_t copy[256];
    memcpy(copy, calls, n * sizeof *calls);
    noise_interference_sequence sequence = {.length = n, .calls = copy};
    const noise_interference_model model = {
        .num_calls = 3, .calls = names, .num_sequences = 1, .sequences = &sequence};
    return app_model_sequence_text(&model, 0);
}

static void repetitions_are_said_once(void)
{
    static const struct {
        uint32_t n;
        uint32_t calls[12];
        const char *text;
    } row[] = {
        {1, {0}, "Irecv"},
        {2, {0, 1}, "Irecv, Send"},
        {3, {1, 1, 1}, "3 x Send"},
        {6, {0, 1, 2, 0, 1, 2}, "2 x (Irecv, Send, Wait)"},
        {7, {2, 0, 1, 0, 1, 0, 1}, "Wait, 3 x (Irecv, Send)"},
        {5, {0, 0, 1, 1, 2}, "2 x Irecv, 2 x Send, Wait"},
        {8, {0, 0, 1, 1, 0, 0, 1, 1}, "2 x (Irecv, Irecv, Send, Send)"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *text = text_of(row[i].calls, row[i].n);
        CHECK_STR(text, row[i].text, "row %zu", i);
    }
}

/* No repetition at all, and too long for people. */
static void what_is_long_is_cut(void)
{
    uint32_t calls[200];
    uint32_t state = 1;
    for (size_t i = 0; i < G_N_ELEMENTS(calls); i++) {
        state = state * 1103515245 + 12345;
        calls[i] = state >> 16 & 1 ? 2 : state >> 17 & 1;
    }
    g_autofree char *text = text_of(calls, G_N_ELEMENTS(calls));
    CHECK(g_regex_match_simple(", and [0-9]+ more$", text, 0, 0), "%s", text);
    CHECK(strlen(text) < 600, "%zu", strlen(text));
}

SUITE_MAIN("model_print", TEST(repetitions_are_said_once), TEST(what_is_long_is_cut))
