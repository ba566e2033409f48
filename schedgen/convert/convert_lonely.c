/* schedgen/convert/convert_lonely.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert_lonely. */
/*
 * Real programs leave messages without a partner: a server keeps a receive posted to its end; a
 * last word is sent that nobody waits for, and gone before it is known, being small. The record of
 * a program that ended well shows that nothing waited for these: they are left out, and counted.
 * Only then is the conversion made a second time. Many such sends mean that the record is at fault.
 */
#include "convert/convert_private.h"

struct conv_lonely {
    const sched_trace *trace;
    GHashTable **noted;            /* [ranks] sets of messages that no call completes */
    GHashTable **left;             /* [ranks] sets of messages that are left out */
    uint64_t num_recvs, num_sends; /* in left */
    sched_convert_report before;   /* the conversion */
    bool again;
};

static GHashTable **sets_new(uint32_t n)
{
    GHashTable **sets = g_new(GHashTable *, n);
    for (uint32_t i = 0; i < n; i++) {
        sets[i] = g_hash_table_new(NULL, NULL);
    }
    return sets;
}

static void sets_free(GHashTable **sets, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        g_hash_table_unref(sets[i]);
    }
    g_free(sets);
}

static void copy_notices(GArray *to, const GArray *from)
{
    for (guint i = 0; i < from->len; i++) {
        const sched_notice *notice = &g_array_index(from, sched_notice, i);
        const sched_notice copy = {g_strdup(notice->what), notice->count, notice->share};
        g_array_append_val(to, copy);
    }
}

conv_lonely *sched_convert_lonely_new(const sched_trace *trace, const sched_convert_report *report)
{
    conv_lonely *l = g_new0(conv_lonely, 1);
    l->trace = trace;
    l->noted = sets_new(trace->num_ranks);
    l->left = sets_new(trace->num_ranks);
    l->before = *report;
    l->before.notices = sched_notices_new();
    copy_notices(l->before.notices, report->notices);
    return l;
}

void sched_convert_lonely_free(conv_lonely *l)
{
    if (l != NULL) {
        sets_free(l->noted, l->trace->num_ranks);
        sets_free(l->left, l->trace->num_ranks);
        sched_convert_report_clear(&l->before);
        g_free(l);
    }
}

void sched_convert_lonely_note(conv_lonely *l, uint32_t rank, uint64_t message)
{
    g_hash_table_add(l->noted[rank], GSIZE_TO_POINTER(message));
}

bool sched_convert_lonely_noted(const conv_lonely *l, uint32_t rank, uint64_t message)
{
    return g_hash_table_contains(l->noted[rank], GSIZE_TO_POINTER(message));
}

void sched_convert_lonely_add(conv_lonely *l, uint32_t rank, uint64_t message, bool is_recv)
{
    g_hash_table_add(l->left[rank], GSIZE_TO_POINTER(message));
    *(is_recv ? &l->num_recvs : &l->num_sends) += 1;
}

bool sched_convert_is_lonely(const conv_lonely *l, uint32_t rank, uint64_t message)
{
    return g_hash_table_size(l->left[rank]) > 0 &&
           g_hash_table_contains(l->left[rank], GSIZE_TO_POINTER(message));
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
    conv_lonely *l = context->lonely;
    GArray *notices = context->report->notices;
    g_array_set_size(notices, 0);
    *context->report = l->before;
    context->report->notices = notices;
    copy_notices(notices, l->before.notices);
    for (uint64_t i = 0; i < context->first_place[context->trace->num_ranks]; i++) {
        context->places[i].made = 0;
    }
    sched_convert_match_clear(context->match);
    sched_convert_left_out_free(context->left_out);
    context->left_out = sched_convert_left_out_new(context->trace);
    if (l->num_recvs > 0) {
        sched_notices_add(notices, l->num_recvs,
                          "receives that no message reaches, and no call completes: left out");
    }
    if (l->num_sends > 0) {
        g_autofree char *what = g_strdup_printf(
            "sends of at most %d bytes that nobody receives: left out", CONV_LONELY_BYTES);
        sched_notices_add(notices, l->num_sends, what);
    }
}

bool sched_convert_again(conv_context *context, GError **error)
{
    enum { MOST_PERCENT = 1 };
    conv_lonely *l = context->lonely;
    if (l == NULL || l->again || !ended_well(context->trace) ||
        !sched_convert_match_forgive(context->match, l) ||
        l->num_sends > context->report->p2p / 100 * MOST_PERCENT) {
        return false;
    }
    l->again = true;
    start_anew(context);
    g_clear_error(error);
    return true;
}
