/* schedgen/convert/convert_match.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert, test_convert_refused. */
#include "convert/convert_private.h"

#include <stdlib.h>

#define SHOWN 10 /* messages named in an error */

/* One end of a message. */
typedef struct conv_end {
    uint32_t to;
    uint32_t comm;
    uint32_t from; /* SIM_ANY: any */
    uint32_t tag;  /* SIM_ANY: any */
    uint16_t is_recv;
    uint16_t kind;    /* sched_call_kind */
    uint32_t order;   /* among its rank's calls: they match in order */
    uint32_t line;    /* of the call */
    uint32_t name;    /* likewise */
    uint64_t message; /* number among its rank's */
    int64_t size;
} conv_end;

struct conv_match {
    const sched_trace *trace;
    GArray *exact;     /* of conv_end */
    GArray *wildcards; /* of conv_end: receives */
    bool lacks;        /* partners, at the last check; then both are sorted */
};

/* What is left of the messages to one rank on one communicator. */
typedef struct conv_left {
    GString *text;
    uint64_t n;
} conv_left;

conv_match *sched_convert_match_new(const sched_trace *trace)
{
    conv_match *match = g_new0(conv_match, 1);
    match->trace = trace;
    match->exact = g_array_new(FALSE, FALSE, sizeof(conv_end));
    match->wildcards = g_array_new(FALSE, FALSE, sizeof(conv_end));
    return match;
}

void sched_convert_match_free(conv_match *match)
{
    if (match != NULL) {
        g_array_unref(match->exact);
        g_array_unref(match->wildcards);
        g_free(match);
    }
}

void sched_convert_match_add(conv_match *match, const conv_step *step, bool is_recv, uint32_t rank,
                             const sched_call *call, uint64_t message)
{
    const conv_end end = {.to = is_recv ? rank : step->peer,
                          .comm = step->comm,
                          .from = is_recv ? step->peer : rank,
                          .tag = step->tag,
                          .is_recv = is_recv,
                          .order = match->exact->len,
                          .kind = call->kind,
                          .line = call->line,
                          .name = call->name,
                          .message = message,
                          .size = step->size};
    const bool any = is_recv && (end.from == SIM_ANY || end.tag == SIM_ANY);
    g_array_append_val(any ? match->wildcards : match->exact, end);
}

#define COMPARE(x, y)                                                                              \
    if ((x) != (y)) {                                                                              \
        return (x) < (y) ? -1 : 1;                                                                 \
    }

static int compare_target(const conv_end *x, const conv_end *y)
{
    COMPARE(x->to, y->to)
    COMPARE(x->comm, y->comm)
    return 0;
}

static int compare_key(const conv_end *x, const conv_end *y)
{
    const int target = compare_target(x, y);
    if (target != 0) {
        return target;
    }
    COMPARE(x->from, y->from)
    COMPARE(x->tag, y->tag)
    return 0;
}

/* By whom it reaches, from whom, with which tag; then sends, then receives, each in order. */
static int compare(const void *a, const void *b)
{
    const conv_end *x = a;
    const conv_end *y = b;
    const int key = compare_key(x, y);
    if (key != 0) {
        return key;
    }
    COMPARE(x->is_recv, y->is_recv)
    COMPARE(x->order, y->order)
    return 0;
}

static void describe(const conv_match *match, const conv_end *end, GString *text)
{
    const uint32_t rank = end->is_recv ? end->to : end->from;
    const uint32_t peer = end->is_recv ? end->from : end->to;
    g_string_append_printf(text, "%s:%u: %s (rank %u ", match->trace->ranks[rank].file, end->line,
                           (const char *)g_ptr_array_index(match->trace->names, end->name), rank);
    g_string_append(text, end->is_recv ? "from " : "to ");
    if (peer == SIM_ANY) {
        g_string_append(text, "any, ");
    } else {
        g_string_append_printf(text, "%u, ", peer);
    }
    if (end->tag == SIM_ANY) {
        g_string_append(text, "any tag)");
    } else {
        g_string_append_printf(text, "tag %u)", end->tag);
    }
}

static void report(const conv_match *match, const conv_end *end, conv_left *left)
{
    if (left->n++ < SHOWN) {
        g_string_append(left->text, "\n  ");
        describe(match, end, left->text);
        g_string_append(left->text, end->is_recv ? " gets no message" : " is received by nobody");
    }
}

static bool too_long(const conv_match *match, const conv_end *send, const conv_end *recv,
                     GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    describe(match, send, text);
    g_string_append_printf(text, " sends '%" G_GINT64_FORMAT "' bytes to ", send->size);
    describe(match, recv, text);
    g_string_append_printf(text, ", which has room for '%" G_GINT64_FORMAT "'", recv->size);
    g_set_error_literal(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, text->str);
    return false;
}

/* A run of equal keys: sends, then receives. Surplus sends may go to wildcards: *@p spare. */
static bool check_run(const conv_match *match, const conv_end *run, guint n, bool wild,
                      uint64_t *spare, conv_left *left, GError **error)
{
    guint sends = 0;
    while (sends < n && !run[sends].is_recv) {
        sends++;
    }
    const guint recvs = n - sends;
    for (guint i = 0; i < MIN(sends, recvs) && !wild; i++) {
        if (run[i].size > run[sends + i].size) {
            return too_long(match, &run[i], &run[sends + i], error);
        }
    }
    for (guint i = recvs; i < sends; i++) {
        if (*spare > 0) {
            (*spare)--;
        } else {
            report(match, &run[i], left);
        }
    }
    for (guint i = sends; i < recvs; i++) {
        report(match, &run[sends + i], left);
    }
    return true;
}

static bool check_all(conv_match *match, conv_left *left, GError **error)
{
    const conv_end *ends = (const conv_end *)(const void *)match->exact->data;
    const conv_end *wild = (const conv_end *)(const void *)match->wildcards->data;
    const guint n = match->exact->len;
    guint w = 0; /* wildcards before it belong to earlier targets */
    for (guint i = 0; i < n || w < match->wildcards->len;) {
        /* One target: the rank and communicator that come next in either list. */
        const bool first =
            w == match->wildcards->len || (i < n && compare_target(&ends[i], &wild[w]) <= 0);
        const conv_end target = first ? ends[i] : wild[w];
        guint last = w;
        while (last < match->wildcards->len && compare_target(&wild[last], &target) == 0) {
            last++;
        }
        uint64_t spare = last - w;
        const bool any = spare > 0;
        while (i < n && compare_target(&ends[i], &target) == 0) {
            guint end = i + 1;
            while (end < n && compare_key(&ends[i], &ends[end]) == 0) {
                end++;
            }
            if (!check_run(match, &ends[i], end - i, any, &spare, left, error)) {
                return false;
            }
            i = end;
        }
        for (; spare > 0; spare--) {
            report(match, &wild[last - spare], left);
        }
        w = last;
    }
    return true;
}

/* Which ranks' records end too early, and where: "\n  rank 1's record ends after 5 calls, ..." */
static char *say_cut(const sched_trace *trace, bool *cut)
{
    g_autoptr(GString) text = g_string_new(NULL);
    uint32_t n = 0;
    for (uint32_t i = 0; i < trace->num_ranks; i++) {
        const sched_rank *rank = &trace->ranks[i];
        if (!rank->complete && n++ < SHOWN) {
            g_string_append_printf(text,
                                   n == 1 ? "\n  rank %u's record ends after %" G_GUINT64_FORMAT
                                            " calls"
                                          : ", rank %u's after %" G_GUINT64_FORMAT,
                                   i, rank->num_calls);
        }
    }
    if (n > SHOWN) {
        g_string_append_printf(text, ", … (%u of %u ranks)", n, trace->num_ranks);
    }
    *cut = n > 0;
    return g_string_free(g_steal_pointer(&text), FALSE);
}

/* The last @p n of these receives that no call completes. @return false: there are not so many */
static bool forgive_receives(conv_lonely *lonely, const conv_end *recv, guint of, guint n)
{
    for (guint i = of; i > 0 && n > 0; i--) {
        if (sched_convert_lonely_noted(lonely, recv[i - 1].to, recv[i - 1].message)) {
            sched_convert_lonely_add(lonely, recv[i - 1].to, recv[i - 1].message, true);
            n--;
        }
    }
    return n == 0;
}

/* A run as in check_run(). */
static bool forgive_run(conv_lonely *lonely, const conv_end *run, guint n, uint64_t *spare)
{
    guint sends = 0;
    while (sends < n && !run[sends].is_recv) {
        sends++;
    }
    const guint recvs = n - sends;
    if (recvs > sends && !forgive_receives(lonely, run + sends, recvs, recvs - sends)) {
        return false;
    }
    for (guint i = recvs; i < sends; i++) {
        if (*spare > 0) {
            (*spare)--;
        } else if (run[i].size > CONV_LONELY_BYTES || run[i].kind == SCHED_CALL_SENDRECV) {
            return false;
        } else {
            sched_convert_lonely_add(lonely, run[i].from, run[i].message, false);
        }
    }
    return true;
}

bool sched_convert_match_forgive(const conv_match *match, conv_lonely *lonely)
{
    const conv_end *ends = (const conv_end *)(const void *)match->exact->data;
    const conv_end *wild = (const conv_end *)(const void *)match->wildcards->data;
    const guint n = match->exact->len;
    guint w = 0;
    if (!match->lacks) {
        return false;
    }
    for (guint i = 0; i < n || w < match->wildcards->len;) {
        const guint first = w;
        const bool exact =
            w == match->wildcards->len || (i < n && compare_target(&ends[i], &wild[w]) <= 0);
        const conv_end target = exact ? ends[i] : wild[w];
        while (w < match->wildcards->len && compare_target(&wild[w], &target) == 0) {
            w++;
        }
        uint64_t spare = w - first;
        while (i < n && compare_target(&ends[i], &target) == 0) {
            guint end = i + 1;
            while (end < n && compare_key(&ends[i], &ends[end]) == 0) {
                end++;
            }
            if (!forgive_run(lonely, &ends[i], end - i, &spare)) {
                return false;
            }
            i = end;
        }
        const conv_end *receives = w > first ? wild + first : NULL; /* an empty list has no place */
        if (!forgive_receives(lonely, receives, w - first, (guint)spare)) {
            return false;
        }
    }
    return true;
}

void sched_convert_match_clear(conv_match *match)
{
    g_array_set_size(match->exact, 0);
    g_array_set_size(match->wildcards, 0);
    match->lacks = false;
}

bool sched_convert_match_check(conv_match *match, GError **error)
{
    g_array_sort(match->exact, compare);
    g_array_sort(match->wildcards, compare);
    g_autoptr(GString) text = g_string_new(NULL);
    conv_left left = {.text = text};
    if (!check_all(match, &left, error)) {
        return false;
    }
    match->lacks = left.n > 0;
    if (left.n > 0) {
        bool cut = false;
        g_autofree char *ends = say_cut(match->trace, &cut);
        g_set_error(error, SCHED_ERROR, cut ? SCHED_ERROR_INCOMPLETE : SCHED_ERROR_BAD_FILE,
                    "%s: '%" G_GUINT64_FORMAT "' sends and receives find no partner%s:%s%s%s",
                    match->trace->path, left.n, cut ? " (the record is cut short)" : "", ends,
                    text->str, left.n > SHOWN ? "\n  …" : "");
        return false;
    }
    return true;
}
