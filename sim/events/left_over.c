/* sim/events/left_over.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run, test_run_errors, test_sequential. */
#include "events/left_over_private.h"

#include "sim/error.h"

#include <inttypes.h>

#define MOST_LINES 10 /* that a report lists */

static int by_rank_and_op(const void *a, const void *b)
{
    const left_over *x = a;
    const left_over *y = b;
    if (x->rank != y->rank) {
        return x->rank < y->rank ? -1 : 1;
    }
    return (x->op > y->op) - (x->op < y->op);
}

static void append_number(GString *text, const char *before, uint32_t n, const char *any)
{
    if (n == SIM_ANY) {
        g_string_append(text, any);
    } else {
        g_string_append_printf(text, "%s%" PRIu32, before, n);
    }
}

static void append_tag(GString *text, uint32_t tag, uint32_t comm)
{
    append_number(text, ", tag ", tag, ", any tag");
    if (comm != 0) {
        g_string_append_printf(text, ", communicator %" PRIu32, comm);
    }
}

static void describe(const sim_program *program, const left_over *l, GString *text)
{
    g_autofree char *label = program->methods->label(program, l->rank, l->op);
    g_string_append_printf(text, "\n  rank %" PRIu32 ", %s: ", l->rank, label);
    if (l->is_message) {
        g_string_append_printf(text, "send of %" PRId64 " bytes to rank %" PRIu32, l->size,
                               l->peer);
        append_tag(text, l->tag, l->comm);
        g_string_append(text, ": waits for a receive that is never posted");
    } else {
        g_string_append_printf(text, "receive of %" PRId64 " bytes from ", l->size);
        append_number(text, "rank ", l->peer, "any rank");
        append_tag(text, l->tag, l->comm);
        g_string_append(text, ": waits for a message that is never sent");
    }
}

/* Operations of a rank that never became ready; only their number is known here. */
static void describe_remaining(uint32_t rank, uint64_t remaining, GString *text)
{
    g_string_append_printf(text,
                           "\n  rank %" PRIu32 ": %" PRIu64
                           " operation%s never started: what they depend on never happened",
                           rank, remaining, remaining == 1 ? "" : "s");
}

bool sim_left_overs_report(const sim_program *program, const void *cursor, GArray *left,
                           GError **error)
{
    g_array_sort(left, by_rank_and_op);
    const size_t n = left->len;
    uint64_t never = 0;
    for (uint32_t r = 0; r < program->num_ranks; r++) {
        never += program->methods->remaining(cursor, r);
    }
    if (n == 0 && never == 0) {
        return true;
    }
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text,
                           "the program does not come to its end: %zu message%s or receive%s "
                           "without a partner",
                           n, n == 1 ? "" : "s", n == 1 ? "" : "s");
    if (never > 0) {
        g_string_append_printf(text, ", %" PRIu64 " operation%s never started", never,
                               never == 1 ? "" : "s");
    }
    size_t lines = 0;
    for (; lines < MIN(n, MOST_LINES); lines++) {
        describe(program, &g_array_index(left, left_over, lines), text);
    }
    if (n > lines) {
        g_string_append_printf(text, "\n  and %zu more", n - lines);
    }
    for (uint32_t r = 0; r < program->num_ranks && lines < MOST_LINES; r++) {
        const uint64_t remaining = program->methods->remaining(cursor, r);
        if (remaining > 0) {
            describe_remaining(r, remaining, text);
            lines++;
        }
    }
    if (program->methods->explain_stuck != NULL) {
        g_autofree char *cycle = program->methods->explain_stuck(program, cursor);
        if (cycle != NULL) {
            g_string_append_printf(text, "\n  %s", cycle);
        }
    }
    g_set_error_literal(error, SIM_ERROR, SIM_ERROR_UNMATCHED, text->str);
    return false;
}
