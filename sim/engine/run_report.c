/* sim/engine/run_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run, test_run_errors. */
#include "engine/run_private.h"
#include "events/event_spill_private.h"
#include "sim/error.h"

#include <inttypes.h>
#include <stdlib.h>

#define MOST_LINES 10 /* that a report lists */

/* Something that never came to its end. */
typedef struct left_over {
    uint32_t rank; /* whose operation it is */
    uint32_t op;
    uint32_t dest; /* message: its receiver */
    event_item item;
} left_over;

static char *label_of(const engine *e, uint32_t rank, uint32_t op)
{
    return e->program->methods->label(e->program, rank, op);
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

static left_over left_over_of(uint32_t holder, const event_item *i)
{
    const bool message = i->kind == EVENT_UNEXPECTED;
    return (left_over){
        .rank = message ? i->peer : holder, .op = i->index, .dest = holder, .item = *i};
}

/* What still waits for a partner, in order. Of left_over. */
static GArray *list_left_overs(const engine *e)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(left_over));
    event_item items[EVENT_OUTSIDE];
    for (uint32_t rank = 0; rank < e->program->num_ranks; rank++) {
        const event_list *a = &engine_partition_of(e, rank)->event_list;
        const size_t n = sim_event_list_left(a, engine_rank_of(e, rank), items);
        for (size_t k = 0; k < n; k++) {
            const left_over l = left_over_of(rank, &items[k]);
            g_array_append_val(all, l);
        }
    }
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        const event_list *a = &e->partition[i]->event_list;
        const size_t n = sim_spills_num_left(a);
        g_autofree spill_left *spill = g_new(spill_left, n + 1);
        sim_spills_left(a, spill);
        for (size_t k = 0; k < n; k++) {
            const left_over l = left_over_of(spill[k].rank, &spill[k].item);
            g_array_append_val(all, l);
        }
    }
    g_array_sort(all, by_rank_and_op);
    return all;
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
    const event_item *i = &l->item;
    g_string_append_printf(text, "\n  rank %" PRIu32 ", %s: ", l->rank, label);
    if (i->kind == EVENT_UNEXPECTED) {
        g_string_append_printf(text, "send of %" PRId64 " bytes to rank %" PRIu32, i->size,
                               l->dest);
        append_tag(text, i->tag, i->comm);
        g_string_append(text, ": waits for a receive that is never posted");
    } else {
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
    g_autoptr(GArray) left = list_left_overs(e);
    const size_t n = left->len;
    uint64_t never = 0;
    for (uint32_t r = 0; r < e->program->num_ranks; r++) {
        never += e->program->methods->remaining(e->cursor, r);
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
        describe(e, &g_array_index(left, left_over, lines), text);
    }
    if (n > lines) {
        g_string_append_printf(text, "\n  and %zu more", n - lines);
    }
    for (uint32_t r = 0; r < e->program->num_ranks && lines < MOST_LINES; r++) {
        const uint64_t remaining = e->program->methods->remaining(e->cursor, r);
        if (remaining > 0) {
            describe_remaining(r, remaining, text);
            lines++;
        }
    }
    if (e->program->methods->explain_stuck != NULL) {
        g_autofree char *cycle = e->program->methods->explain_stuck(e->program, e->cursor);
        if (cycle != NULL) {
            g_string_append_printf(text, "\n  %s", cycle);
        }
    }
    g_set_error_literal(error, SIM_ERROR, SIM_ERROR_UNMATCHED, text->str);
    return false;
}

static void report_error(const engine *e, const engine_error *bad, GError **error)
{
    if (bad->state == ENGINE_OVERFLOW) {
        g_set_error(error, SIM_ERROR, SIM_ERROR_OVERFLOW,
                    "rank %" PRIu32 ": simulated time passes %" PRId64
                    " ps, the latest instant that can be computed",
                    bad->rank, (int64_t)SIM_TIME_MAX);
        return;
    }
    g_autofree char *send = label_of(e, bad->source, bad->send);
    g_autofree char *receive = label_of(e, bad->rank, bad->receive);
    g_set_error(error, SIM_ERROR, SIM_ERROR_TRUNCATED,
                "rank %" PRIu32 ", %s: receive of %" PRId64 " bytes meets a message of %" PRId64
                " bytes from rank %" PRIu32 ", %s",
                bad->rank, receive, bad->room, bad->size, bad->source, send);
}

bool sim_engine_check_end(const engine *e, GError **error)
{
    engine_error bad = {ENGINE_SOUND};
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        const engine_error *own = &e->partition[i]->error;
        if (own->state != ENGINE_SOUND &&
            (bad.state == ENGINE_SOUND || sim_engine_is_earlier_error(own, &bad))) {
            bad = *own;
        }
    }
    if (bad.state != ENGINE_SOUND) {
        report_error(e, &bad, error);
        return false;
    }
    if (e->record != NULL && !sim_record_check(e->record, error)) {
        return false;
    }
    if (e->stopped) {
        g_set_error(error, SIM_ERROR, SIM_ERROR_STOPPED, "the run was stopped");
        return false;
    }
    return report_left_overs(e, error);
}
