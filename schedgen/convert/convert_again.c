/* schedgen/convert/convert_again.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert_lonely. */
/*
 * Real programs leave messages without a partner: a server keeps a receive posted to its end; a
 * last word is sent that nobody waits for, and gone before it is known, being small. The record of
 * a program that ended well shows that nothing waited for these: they are left out, and counted.
 * Only then is the conversion made a second time. Many such sends mean that the record is at fault.
 */
#include "convert/convert_private.h"

static void copy_notices(GArray *to, const GArray *from)
{
    for (guint i = 0; i < from->len; i++) {
        const sched_notice *notice = &g_array_index(from, sched_notice, i);
        const sched_notice copy = {g_strdup(notice->what), notice->count, notice->share};
        g_array_append_val(to, copy);
    }
}

void sched_convert_before(conv_context *context)
{
    context->before = *context->report;
    context->before.notices = sched_notices_new();
    copy_notices(context->before.notices, context->report->notices);
}

static bool ended_well(const sched_trace *trace)
{
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        if (!trace->ranks[rank].complete) {
            return false;
        }
    }
    return true;
}

/* As it was before the conversion, but for what is left out now. */
static void start_anew(conv_context *context)
{
    const uint64_t recvs = sched_convert_lonely_count(context->lonely, true);
    const uint64_t sends = sched_convert_lonely_count(context->lonely, false);
    GArray *notices = context->report->notices;
    g_array_set_size(notices, 0);
    *context->report = context->before;
    context->report->notices = notices;
    copy_notices(notices, context->before.notices);
    for (uint64_t i = 0; i < context->first_place[context->trace->num_ranks]; i++) {
        context->places[i].made = 0;
    }
    sched_convert_tally_free(context->tally);
    context->tally = sched_convert_tally_new();
    sched_convert_match_clear(context->match);
    sched_convert_left_out_free(context->left_out);
    context->left_out = sched_convert_left_out_new(context->trace);
    if (recvs > 0) {
        sched_notices_add(notices, recvs,
                          "receives that no message reaches, and no call completes: left out");
    }
    if (sends > 0) {
        g_autofree char *what = g_strdup_printf(
            "sends of at most %d bytes that nobody receives: left out", CONV_LONELY_BYTES);
        sched_notices_add(notices, sends, what);
    }
}

bool sched_convert_again(conv_context *context, GError **error)
{
    enum { MOST_PERCENT = 1 };
    conv_lonely *l = context->lonely;
    if (l == NULL || context->again || !ended_well(context->trace) ||
        !sched_convert_match_forgive(context->match, l) ||
        sched_convert_lonely_count(l, false) > context->report->p2p / 100 * MOST_PERCENT) {
        return false;
    }
    context->again = true;
    start_anew(context);
    g_clear_error(error);
    return true;
}
