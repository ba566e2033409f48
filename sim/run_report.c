/* sim/run_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_private.h"
#include "sim/error.h"

#include <inttypes.h>
#include <stdlib.h>

#define MOST_LINES 10 /* that a report lists */

/* Something that never came to its end. */
typedef struct left_over {
    uint32_t rank;
    uint32_t op;
    uint32_t ref;
    bool is_message;
} left_over;

static char *label_of(const engine *e, uint32_t rank, uint32_t op)
{
    return e->program->class->label(e->program, rank, op);
}

static int by_rank_and_op(const void *a, const void *b)
{
    const left_over *x = a;
    const left_over *y = b;
    if (x->rank != y->rank) {
        return x->rank < y->rank ? -1 : 1;
    }
    return (x->op > y->op) - (x->op < y->op);
}

static left_over *list_left_overs(const engine *e, size_t *n)
{
    *n = sim_matching_num_left(e->matching);
    g_autofree matching_left *left = g_new(matching_left, *n + 1);
    sim_matching_left(e->matching, left);
    left_over *out = g_new(left_over, *n + 1);
    for (size_t i = 0; i < *n; i++) {
        const uint32_t ref = left[i].ref;
        out[i] = (left_over){.ref = ref, .is_message = left[i].is_message};
        out[i].rank = out[i].is_message ? e->message[ref].source : left[i].envelope.rank;
        out[i].op =
            out[i].is_message ? e->message[ref].send : sim_pending_op(&e->pending.item[ref]);
    }
    qsort(out, *n, sizeof *out, by_rank_and_op);
    return out;
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

static void describe(const engine *e, const left_over *l, GString *text)
{
    g_autofree char *label = label_of(e, l->rank, l->op);
    g_string_append_printf(text, "\n  rank %" PRIu32 ", %s: ", l->rank, label);
    if (l->is_message) {
        const engine_message *m = &e->message[l->ref];
        g_string_append_printf(text, "send of %" PRId64 " bytes to rank %" PRIu32, m->size,
                               m->dest);
        append_tag(text, m->tag, m->comm);
        g_string_append(text, ": waits for a receive that is never posted");
    } else {
        const pending_item *i = &e->pending.item[l->ref];
        g_string_append_printf(text, "receive of %" PRId64 " bytes from ", i->size);
        append_number(text, "rank ", i->peer, "any rank");
        append_tag(text, i->tag, i->comm);
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

static bool report_left_overs(const engine *e, GError **error)
{
    size_t n = 0;
    g_autofree left_over *left = list_left_overs(e, &n);
    uint64_t never = 0;
    for (uint32_t r = 0; r < e->program->num_ranks; r++) {
        never += e->program->class->remaining(e->cursor, r);
    }
    if (n == 0 && never == 0) {
        return true;
    }
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text,
                           "the program does not come to its end: %zu message%s or receive%s "
                           "without a partner, %" PRIu64 " operation%s never started",
                           n, n == 1 ? "" : "s", n == 1 ? "" : "s", never, never == 1 ? "" : "s");
    size_t lines = 0;
    for (; lines < MIN(n, MOST_LINES); lines++) {
        describe(e, &left[lines], text);
    }
    if (n > lines) {
        g_string_append_printf(text, "\n  and %zu more", n - lines);
    }
    for (uint32_t r = 0; r < e->program->num_ranks && lines < MOST_LINES; r++) {
        const uint64_t remaining = e->program->class->remaining(e->cursor, r);
        if (remaining > 0) {
            describe_remaining(r, remaining, text);
            lines++;
        }
    }
    if (e->program->class->explain_stuck != NULL) {
        g_autofree char *cycle = e->program->class->explain_stuck(e->program, e->cursor);
        if (cycle != NULL) {
            g_string_append_printf(text, "\n  %s", cycle);
        }
    }
    g_set_error_literal(error, SIM_ERROR, SIM_ERROR_UNMATCHED, text->str);
    return false;
}

bool sim_engine_check_end(const engine *e, GError **error)
{
    if (e->state == ENGINE_OVERFLOW) {
        g_set_error(error, SIM_ERROR, SIM_ERROR_OVERFLOW,
                    "rank %" PRIu32 ": simulated time passes %" PRId64
                    " ps, the latest instant that can be computed",
                    e->bad_rank, (int64_t)SIM_TIME_MAX);
        return false;
    }
    if (e->state == ENGINE_TRUNCATED) {
        const engine_message *m = &e->message[e->bad_message];
        const pending_item *i = &e->pending.item[e->bad_receive];
        g_autofree char *send = label_of(e, m->source, m->send);
        g_autofree char *receive = label_of(e, m->dest, sim_pending_op(i));
        g_set_error(error, SIM_ERROR, SIM_ERROR_TRUNCATED,
                    "rank %" PRIu32 ", %s: receive of %" PRId64 " bytes meets a message of %" PRId64
                    " bytes from rank %" PRIu32 ", %s",
                    m->dest, receive, i->size, m->size, m->source, send);
        return false;
    }
    return report_left_overs(e, error);
}
