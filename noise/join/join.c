/* noise/join/join.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_join, test_join_oracle. */
#include "noise/join.h"

#include "join/join_private.h"
#include "noise/activity.h"
#include "timing/period.h"

#include <stdlib.h>
#include <string.h>

#define CHANCE          1e-4 /* of a rhythm that is none, per row */
#define EFFORT          1e6  /* hits times frequencies */
#define MOST_PER_PERIOD 4.0  /* times that one activation may be seen: others come in between */
enum { PS_PER_NS = 1000 };

/* A row that is being gathered. */
typedef struct gather {
    noise_join_row row;
    GArray *length;     /* of uint64_t: of each burst */
    GArray *seen;       /* of miner_seen */
    GHashTable *bursts; /* wake-up to index + 1, as pointers */
    GHashTable *on;     /* CPU to ns, as pointers */
} gather;

typedef struct joining {
    const noise_join_input *input;
    GHashTable *rank_of; /* node << 32 | pid, as pointer, to rank + 1 */
    GHashTable *rows;    /* key, owned, to gather */
    noise_join *join;
} joining;

static gpointer key_of(uint32_t node, uint32_t pid)
{
    return GSIZE_TO_POINTER((gsize)node << 32 | pid);
}

static void free_gather(gpointer data)
{
    gather *g = data;
    g_array_unref(g->length);
    g_array_unref(g->seen);
    g_hash_table_unref(g->bursts);
    g_hash_table_unref(g->on);
    g_free(g->row.name);
    g_free(g);
}

/* Which process of the job a thread belongs to; -1: none. */
static int32_t rank_of(const joining *s, uint32_t node, uint32_t tid, int32_t thread)
{
    for (size_t i = 0; i < s->input->num_threads; i++) {
        if (s->input->thread[i].tid == tid && s->input->thread[i].node == node) {
            return (int32_t)s->input->thread[i].rank;
        }
    }
    return thread < 0 ? -1
                      : (int32_t)GPOINTER_TO_SIZE(g_hash_table_lookup(
                            s->rank_of, key_of(node, s->input->nit->threads[thread].pid))) -
                            1;
}

static gather *row_of(joining *s, const noise_join_piece *p)
{
    const noise_join_thread *me = &s->input->thread[p->main];
    const noise_nit_thread *t = p->thread >= 0 ? &s->input->nit->threads[p->thread] : NULL;
    const int32_t by_rank = rank_of(s, me->node, p->tid, p->thread);
    g_autofree char *name =
        t != NULL ? noise_program_family(t->name, t->kind) : g_strdup(NOISE_JOIN_UNNAMED);
    const noise_program_class kind = by_rank >= 0 ? NOISE_PROGRAM_APPLICATION
                                     : t != NULL  ? t->kind
                                                  : NOISE_PROGRAM_DAEMON;
    char *key = g_strdup_printf("%u %d %d %s", me->rank, by_rank, (int)kind, name);
    gather *g = g_hash_table_lookup(s->rows, key);
    if (g != NULL) {
        g_free(key);
        return g;
    }
    g = g_new0(gather, 1);
    g->row = (noise_join_row){.rank = me->rank,
                              .by_rank = by_rank,
                              .kind = kind,
                              .name = g_steal_pointer(&name),
                              .pid = t != NULL ? t->pid : 0};
    g->length = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    g->seen = g_array_new(FALSE, FALSE, sizeof(miner_seen));
    g->bursts = g_hash_table_new(NULL, NULL);
    g->on = g_hash_table_new(NULL, NULL);
    (void)g_hash_table_insert(s->rows, key, g);
    return g;
}

/* Pieces of one wake-up are one burst; they come by time. */
static void add_to_burst(gather *g, const noise_join_piece *p)
{
    const uint64_t ns = p->to - p->from;
    gpointer key = GSIZE_TO_POINTER(p->wake);
    const gsize known = GPOINTER_TO_SIZE(g_hash_table_lookup(g->bursts, key));
    g->row.pieces++;
    if (known > 0) {
        g_array_index(g->length, uint64_t, known - 1) += ns;
        return;
    }
    const sim_time at = (sim_time)(p->from * PS_PER_NS);
    const miner_seen seen = {.first = at, .last = at, .hits = 1};
    g_array_append_val(g->length, ns);
    g_array_append_val(g->seen, seen);
    (void)g_hash_table_insert(g->bursts, key, GSIZE_TO_POINTER((gsize)g->length->len));
    g->row.count++;
}

static void add_piece(joining *s, const noise_join_piece *p, noise_join_total *total)
{
    const uint64_t ns = p->to - p->from;
    const bool explained =
        p->thread >= 0 ||
        (p->tid != 0 && rank_of(s, s->input->thread[p->main].node, p->tid, p->thread) >= 0);
    if (p->in_call) {
        total->waited_ns += ns;
        total->waited_explained_ns += explained ? ns : 0;
    } else {
        total->lost_ns += ns;
        total->lost_explained_ns += explained ? ns : 0;
    }
    if (p->tid == 0) {
        return;
    }
    gather *g = row_of(s, p);
    *(p->in_call ? &g->row.waited_ns : &g->row.lost_ns) += ns;
    g->row.sure_ns += p->is_exact ? ns : 0;
    add_to_burst(g, p);
    const gsize sum = GPOINTER_TO_SIZE(g_hash_table_lookup(g->on, GUINT_TO_POINTER(p->cpu))) + ns;
    (void)g_hash_table_insert(g->on, GUINT_TO_POINTER(p->cpu), GSIZE_TO_POINTER(sum));
}

static void add_thread(joining *s, uint32_t main, noise_join_total *total)
{
    const noise_join_thread *me = &s->input->thread[main];
    *total = (noise_join_total){.rank = me->rank,
                                .wall_ns = me->end - me->begin,
                                .missing = me->missing,
                                .is_coarse = me->is_coarse};
    for (size_t i = 0; i < me->n; i++) {
        total->count += me->off[i].preempted != 0 ? 1 : 0;
        total->slept_ns += me->off[i].preempted != 0 ? 0 : me->off[i].in - me->off[i].out;
    }
}

static int by_length(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void finish_row(gather *g, const noise_join_total *total)
{
    uint64_t most = 0;
    GHashTableIter iter;
    gpointer cpu;
    gpointer ns;
    g_hash_table_iter_init(&iter, g->on);
    while (g_hash_table_iter_next(&iter, &cpu, &ns)) {
        const uint64_t sum = GPOINTER_TO_SIZE(ns);
        if (sum > most || (sum == most && GPOINTER_TO_UINT(cpu) < g->row.cpu)) {
            most = sum;
            g->row.cpu = GPOINTER_TO_UINT(cpu);
        }
    }
    g_array_sort(g->length, by_length);
    g->row.median_ns = g_array_index(g->length, uint64_t, g->length->len / 2);
    g->row.share = total->wall_ns > 0 ? (double)g->row.lost_ns / (double)total->wall_ns : 0;
    const miner_period p = noise_miner_period_find((const miner_seen *)(void *)g->seen->data,
                                                   g->seen->len, CHANCE, EFFORT);
    /* a beat among far more hits than it explains is none of this program */
    if (p.period > 0 && !total->is_coarse &&
        (double)g->row.count * p.period <= MOST_PER_PERIOD * PS_PER_NS * (double)total->wall_ns) {
        g->row.period_ns = p.period / PS_PER_NS;
        g->row.false_alarm = p.false_alarm;
    }
}

static int by_taken(const void *a, const void *b)
{
    const noise_join_row *x = a;
    const noise_join_row *y = b;
    const uint64_t of_x = x->lost_ns + x->waited_ns;
    const uint64_t of_y = y->lost_ns + y->waited_ns;
    if (of_x != of_y) {
        return of_x > of_y ? -1 : 1;
    }
    return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : strcmp(x->name, y->name);
}

static void finish_rows(joining *s)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(noise_join_row));
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, s->rows);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        gather *g = value;
        for (size_t r = 0; r < s->join->num_ranks; r++) {
            if (s->join->total[r].rank == g->row.rank) {
                finish_row(g, &s->join->total[r]);
            }
        }
        g_array_append_val(rows, g->row);
        g->row.name = NULL; /* the row's now */
    }
    g_array_sort(rows, by_taken);
    s->join->num_rows = rows->len;
    s->join->row = (noise_join_row *)(void *)g_array_free(rows, FALSE);
}

/* Sure by counts is said of threads; rows are of names. */
static void add_sure(joining *s, const GArray *sure)
{
    for (guint i = 0; i < sure->len; i++) {
        const join_sure *each = &g_array_index(sure, join_sure, i);
        const noise_join_piece like = {
            .main = each->main,
            .thread = each->thread,
            .tid = s->input->nit->threads[each->thread].tid,
        };
        row_of(s, &like)->row.sure_ns += each->ns;
    }
}

noise_join *noise_join_new(const noise_join_input *input)
{
    joining s = {.input = input, .join = g_new0(noise_join, 1)};
    s.rank_of = g_hash_table_new(NULL, NULL);
    s.rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_gather);
    join_names *names = noise_join_names_new(input);
    join_wakes *wakes = noise_join_wakes_new(input);
    GArray *pieces = g_array_new(FALSE, FALSE, sizeof(noise_join_piece));
    GArray *sure = g_array_new(FALSE, FALSE, sizeof(join_sure));
    s.join->total = g_new0(noise_join_total, input->num_threads + 1);
    for (size_t i = 0; i < input->num_threads; i++) {
        const noise_join_thread *t = &input->thread[i];
        (void)g_hash_table_insert(s.rank_of, key_of(t->node, t->pid),
                                  GSIZE_TO_POINTER((gsize)t->rank + 1));
    }
    for (uint32_t i = 0; i < input->num_threads; i++) {
        if (input->thread[i].is_main) {
            const guint first = pieces->len;
            noise_join_total *total = &s.join->total[s.join->num_ranks++];
            noise_join_pieces_of(input, i, names, wakes, pieces, sure);
            add_thread(&s, i, total);
            for (guint k = first; k < pieces->len; k++) {
                add_piece(&s, &g_array_index(pieces, noise_join_piece, k), total);
            }
        }
    }
    add_sure(&s, sure);
    finish_rows(&s);
    s.join->num_pieces = pieces->len;
    s.join->piece = (noise_join_piece *)(void *)g_array_free(pieces, FALSE);
    g_array_unref(sure);
    noise_join_names_free(names);
    noise_join_wakes_free(wakes);
    g_hash_table_unref(s.rank_of);
    g_hash_table_unref(s.rows);
    return s.join;
}

void noise_join_free(noise_join *join)
{
    if (join != NULL) {
        for (size_t i = 0; i < join->num_rows; i++) {
            g_free(join->row[i].name);
        }
        g_free(join->piece);
        g_free(join->row);
        g_free(join->total);
        g_free(join);
    }
}
