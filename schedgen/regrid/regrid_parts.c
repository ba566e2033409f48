/* schedgen/regrid/regrid_parts.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid_exchanges. */
/*
 * Which calls of all ranks are one exchange, made once? What a rank posts before it waits for any
 * of it is a run: a new one begins after a completion or a collective, with every MPI_Sendrecv,
 * with a receive after a blocking send, with a blocking send to where the run has received from or
 * sent to, or receive from where it has received from (so that a wavefront ends where the next one
 * begins), and where it would have two messages with one partner and tag. Runs that a message
 * connects are parts of the same exchange.
 */
#include "regrid/regrid_private.h"

#include <xxhash.h>

/* ---- runs of one rank ---------------------------------------------------------------------- */

typedef struct run_state {
    GHashTable *held; /* partners and tags of the run */
    GHashTable *from; /* partners of its blocking receives */
    GHashTable *to;   /* and sends */
    bool closed;
    bool has_sent; /* by a blocking call, last */
} run_state;

static uint64_t envelope_key(const regrid_item *item)
{
    const uint64_t words[] = {item->is_recv, item->peer, item->tag, item->comm};
    return XXH3_64bits(words, sizeof words);
}

/* A blocking call with a partner that the run is done with. */
static bool goes_on(const run_state *s, const regrid_item *item, sched_call_kind kind)
{
    const bool sends = kind == SCHED_CALL_SEND;
    const bool blocks = sends || kind == SCHED_CALL_RECV;
    const void *peer = GUINT_TO_POINTER(item->peer);
    return blocks &&
           (g_hash_table_contains(s->from, peer) || (sends && g_hash_table_contains(s->to, peer)));
}

static bool begins(const run_state *s, const regrid_item *item, sched_call_kind kind, bool same)
{
    const uint64_t key = envelope_key(item);
    return s->closed || (!same && kind == SCHED_CALL_SENDRECV) || (item->is_recv && s->has_sent) ||
           goes_on(s, item, kind) || g_hash_table_contains(s->held, &key);
}

static void forget(run_state *s)
{
    g_hash_table_remove_all(s->held);
    g_hash_table_remove_all(s->from);
    g_hash_table_remove_all(s->to);
}

static void note(run_state *s, const regrid_item *item, sched_call_kind kind)
{
    const uint64_t key = envelope_key(item);
    g_hash_table_add(s->held, g_memdup2(&key, sizeof key));
    if (kind == SCHED_CALL_RECV) {
        g_hash_table_add(s->from, GUINT_TO_POINTER(item->peer));
    } else if (kind == SCHED_CALL_SEND) {
        g_hash_table_add(s->to, GUINT_TO_POINTER(item->peer));
    }
    s->closed = false;
    s->has_sent = kind == SCHED_CALL_SEND;
}

/* @return how many runs there are, counted from @p next on */
static uint32_t find_runs(const regrid_record *record, uint32_t r, uint32_t next, uint32_t *run)
{
    const regrid_rank *rank = &record->ranks[r];
    run_state s = {.held = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
                   .from = g_hash_table_new(NULL, NULL),
                   .to = g_hash_table_new(NULL, NULL),
                   .closed = true};
    const sched_call *call = NULL;
    sched_walk walk;
    uint32_t i = 0;
    sched_walk_begin(&walk, &record->trace->ranks[r]);
    while (i < rank->num_items && (call = sched_walk_next(&walk)) != NULL) {
        const sched_call_kind kind = (sched_call_kind)call->kind;
        const uint32_t index = (uint32_t)(walk.next - 1);
        s.closed = s.closed || kind == SCHED_CALL_COLLECTIVE ||
                   (kind == SCHED_CALL_COMPLETE && call->num_list > 0);
        for (bool same = false; i < rank->num_items && rank->items[i].call == index; i++) {
            const regrid_item *item = &rank->items[i];
            if (begins(&s, item, kind, same)) {
                forget(&s);
                next++;
            }
            note(&s, item, kind);
            same = true;
            run[i] = next - 1;
        }
        s.closed = s.closed || kind == SCHED_CALL_SENDRECV;
    }
    sched_walk_end(&walk);
    g_hash_table_unref(s.held);
    g_hash_table_unref(s.from);
    g_hash_table_unref(s.to);
    return next;
}

/* ---- what messages connect ----------------------------------------------------------------- */

typedef struct end {
    uint64_t envelope; /* source, destination, tag, communicator; or but for the source */
    uint64_t anybody;  /* but for the source */
    uint32_t number;   /* in the order of its rank */
    uint32_t run;
} end;

static int compare_ends(const void *a, const void *b)
{
    const end *x = a;
    const end *y = b;
    if (x->envelope != y->envelope) {
        return x->envelope < y->envelope ? -1 : 1;
    }
    return x->number < y->number ? -1 : x->number > y->number;
}

static uint32_t find_root(uint32_t *up, uint32_t run)
{
    while (up[run] != run) {
        up[run] = up[up[run]];
        run = up[run];
    }
    return run;
}

/* All ends of one kind, by envelope, then in order. @p anybody: receives from any source */
static GArray *list_ends(const regrid_record *record, uint32_t *const *run, bool recvs,
                         bool anybody)
{
    GArray *ends = g_array_new(FALSE, FALSE, sizeof(end));
    for (uint32_t r = 0; r < record->trace->num_ranks; r++) {
        for (uint32_t i = 0; i < record->ranks[r].num_items; i++) {
            const regrid_item *item = &record->ranks[r].items[i];
            if (item->is_recv != recvs || (item->peer == SIM_ANY) != anybody ||
                item->tag == SIM_ANY) {
                continue;
            }
            const uint64_t words[] = {recvs ? r : item->peer, item->tag, item->comm,
                                      recvs ? item->peer : r};
            const uint64_t any = XXH3_64bits(words, sizeof words - sizeof words[0]);
            const end one = {.envelope = anybody ? any : XXH3_64bits(words, sizeof words),
                             .anybody = any,
                             .number = i,
                             .run = run[r][i]};
            g_array_append_val(ends, one);
        }
    }
    g_array_sort(ends, compare_ends);
    return ends;
}

/* The n-th send and receive of one envelope are a message. @return the sends that are left over */
static GArray *connect(const GArray *sends, const GArray *recvs, uint32_t *up)
{
    GArray *left = g_array_new(FALSE, FALSE, sizeof(end));
    guint r = 0;
    for (guint s = 0; s < sends->len; s++) {
        end a = g_array_index(sends, end, s);
        while (r < recvs->len && g_array_index(recvs, end, r).envelope < a.envelope) {
            r++;
        }
        if (r < recvs->len && g_array_index(recvs, end, r).envelope == a.envelope) {
            const uint32_t x = find_root(up, a.run);
            const uint32_t y = find_root(up, g_array_index(recvs, end, r).run);
            up[MAX(x, y)] = MIN(x, y);
            r++;
        } else {
            a.envelope = a.anybody;
            g_array_append_val(left, a);
        }
    }
    g_array_sort(left, compare_ends);
    return left;
}

/* Receives from anybody are taken to have what no other receive takes: any order will do here. */
static void connect_all(const regrid_record *record, uint32_t *const *run, uint32_t *up)
{
    g_autoptr(GArray) sends = list_ends(record, run, false, false);
    g_autoptr(GArray) recvs = list_ends(record, run, true, false);
    g_autoptr(GArray) left = connect(sends, recvs, up);
    g_autoptr(GArray) wild = list_ends(record, run, true, true);
    g_autoptr(GArray) rest = connect(left, wild, up);
    (void)rest;
}

void sched_regrid_parts_find(regrid_parts *parts, const regrid_record *record)
{
    const uint32_t n = record->trace->num_ranks;
    uint32_t num_runs = 0;
    parts->num_ranks = n;
    parts->num_parts = 0;
    parts->of = g_new(uint32_t *, n);
    for (uint32_t r = 0; r < n; r++) {
        parts->of[r] = g_new0(uint32_t, (gsize)record->ranks[r].num_items + 1);
        num_runs = find_runs(record, r, num_runs, parts->of[r]);
    }
    g_autofree uint32_t *up = g_new(uint32_t, (gsize)num_runs + 1);
    g_autofree uint32_t *number = g_new(uint32_t, (gsize)num_runs + 1);
    for (uint32_t i = 0; i < num_runs; i++) {
        up[i] = i;
    }
    connect_all(record, parts->of, up);
    for (uint32_t i = 0; i < num_runs; i++) { /* the root is the lowest of them */
        number[i] = up[i] == i ? parts->num_parts++ : number[find_root(up, i)];
    }
    for (uint32_t r = 0; r < n; r++) {
        for (uint32_t i = 0; i < record->ranks[r].num_items; i++) {
            parts->of[r][i] = number[parts->of[r][i]];
        }
    }
}

void sched_regrid_parts_clear(regrid_parts *parts)
{
    for (uint32_t r = 0; r < parts->num_ranks; r++) {
        g_free(parts->of[r]);
    }
    g_free(parts->of);
}
