/* noise/join/join_names.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread's number is used again, and a thread may start another program: which name it had is a
 * matter of time. The watcher's looks say it for those that lived long enough; for others the
 * kernel's own records of who began whom, and of new names.
 */
#include "join/join_private.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t NS_PER_S = 1000000000;

typedef struct holder {
    uint64_t since;
    uint32_t node, tid;
    int32_t thread;
} holder;

struct join_names {
    size_t n;
    holder *all; /* by node, tid, since, thread */
};

static int by_number(const void *a, const void *b)
{
    const holder *x = a;
    const holder *y = b;
    if (x->node != y->node) {
        return x->node < y->node ? -1 : 1;
    }
    if (x->tid != y->tid) {
        return x->tid < y->tid ? -1 : 1;
    }
    if (x->since != y->since) {
        return x->since < y->since ? -1 : 1;
    }
    return (x->thread > y->thread) - (x->thread < y->thread);
}

uint64_t noise_join_names_start(const noise_nit *nit, size_t thread)
{
    const noise_nit_thread *t = &nit->threads[thread];
    const long tck = t->start_ticks > 0 ? nit->nodes[t->node].clk_tck : 0;
    return tck > 0 ? t->start_ticks * (NS_PER_S / (uint64_t)tck) : 0;
}

join_names *noise_join_names_new(const noise_join_input *input)
{
    const noise_nit *nit = input->nit;
    join_names *names = g_new(join_names, 1);
    names->n = nit->num_threads;
    names->all = g_new(holder, names->n + 1);
    for (size_t i = 0; i < names->n; i++) {
        const noise_nit_thread *t = &nit->threads[i];
        const uint64_t since =
            input->since != NULL ? input->since[i] : noise_join_names_start(nit, i);
        names->all[i] = (holder){since, t->node, t->tid, (int32_t)i};
    }
    qsort(names->all, names->n, sizeof *names->all, by_number);
    return names;
}

void noise_join_names_free(join_names *names)
{
    g_free(names->all);
    g_free(names);
}

int32_t noise_join_names_find(const join_names *names, uint32_t node, uint32_t tid, uint64_t when)
{
    const holder last = {when, node, tid, INT32_MAX};
    size_t low = 0;
    for (size_t high = names->n; low < high;) { /* the first that comes after */
        const size_t middle = low + (high - low) / 2;
        if (by_number(&names->all[middle], &last) <= 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const holder *before = low > 0 ? &names->all[low - 1] : NULL;
    if (before != NULL && before->node == node && before->tid == tid) {
        return before->thread;
    }
    /* clocks of processes go on while a machine sleeps: it may seem to begin later */
    const holder *after = low < names->n ? &names->all[low] : NULL;
    return after != NULL && after->node == node && after->tid == tid ? after->thread : -1;
}

static int by_when(const void *a, const void *b)
{
    const noise_switch_name *x = a;
    const noise_switch_name *y = b;
    if (x->when != y->when) {
        return x->when < y->when ? -1 : 1;
    }
    return (x->by == 0) - (y->by == 0); /* it begins before it has a name */
}

/* Threads are added to those of the file. */
typedef struct adding {
    noise_nit *nit;
    uint32_t node;
    size_t watched; /* threads that the watcher saw */
    size_t room;
    GArray *since;    /* of uint64_t */
    GHashTable *now;  /* tid to the index that it stands for at this time, + 1 */
    int32_t *older;   /* [watched] another one of the same number; -1: none */
    GHashTable *seen; /* tid to one that the watcher saw, + 1 */
} adding;

static size_t append(adding *a, const noise_switch_name *n, const char *name, size_t like)
{
    noise_nit *nit = a->nit;
    if (nit->num_threads == a->room) {
        a->room = 2 * a->room + 16;
        nit->threads = g_renew(noise_nit_thread, nit->threads, a->room);
    }
    const noise_nit_thread *other = like < nit->num_threads ? &nit->threads[like] : NULL;
    const long tck = nit->nodes[a->node].clk_tck;
    nit->threads[nit->num_threads] = (noise_nit_thread){
        .node = a->node,
        .pid = n->pid,
        .tid = n->tid,
        .parent = n->by != 0      ? n->parent
                  : other != NULL ? other->parent
                                  : 0,
        .start_ticks = tck > 0 ? n->when / (NS_PER_S / (uint64_t)tck) : 0,
        .name = g_strdup(name),
        .kind = other != NULL ? other->kind : NOISE_PROGRAM_DAEMON,
        .rank = -1,
    };
    g_array_append_val(a->since, n->when);
    (void)g_hash_table_insert(a->now, GUINT_TO_POINTER(n->tid),
                              GSIZE_TO_POINTER(nit->num_threads + 1));
    return nit->num_threads++;
}

/* Which one a number stands for; SIZE_MAX: nobody knows. */
static size_t holder_of(const adding *a, uint32_t tid)
{
    return GPOINTER_TO_SIZE(g_hash_table_lookup(a->now, GUINT_TO_POINTER(tid))) - 1;
}

/* Did the watcher see the one that began at @p when? */
static size_t find_watched(const adding *a, uint32_t tid, uint64_t when)
{
    const long tck = a->nit->nodes[a->node].clk_tck;
    const uint64_t tick = tck > 0 ? NS_PER_S / (uint64_t)tck : 0;
    int32_t i = (int32_t)GPOINTER_TO_SIZE(g_hash_table_lookup(a->seen, GUINT_TO_POINTER(tid))) - 1;
    for (; i >= 0; i = a->older[i]) {
        const uint64_t start = noise_join_names_start(a->nit, (size_t)i);
        if (start <= when + tick && when <= start + 2 * tick) {
            return (size_t)i;
        }
    }
    return SIZE_MAX;
}

static void begin_thread(adding *a, const noise_switch_name *n)
{
    const size_t watched = find_watched(a, n->tid, n->when);
    const size_t by = holder_of(a, n->by);
    if (watched != SIZE_MAX) {
        (void)g_hash_table_insert(a->now, GUINT_TO_POINTER(n->tid), GSIZE_TO_POINTER(watched + 1));
    } else if (by != SIZE_MAX) {
        (void)append(a, n, a->nit->threads[by].name, by);
    } else { /* it may take a name yet */
        (void)g_hash_table_remove(a->now, GUINT_TO_POINTER(n->tid));
    }
}

/* Has the watcher seen that thread under that name? */
static bool is_seen_as(const adding *a, size_t thread, const char *name)
{
    const noise_nit_thread *t = &a->nit->threads[thread];
    int32_t i =
        (int32_t)GPOINTER_TO_SIZE(g_hash_table_lookup(a->seen, GUINT_TO_POINTER(t->tid))) - 1;
    for (; i >= 0; i = a->older[i]) {
        const noise_nit_thread *other = &a->nit->threads[i];
        if (other->start_ticks == t->start_ticks && strcmp(other->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void take_name(adding *a, const noise_switch_name *n, GHashTable *named)
{
    const size_t now = holder_of(a, n->tid);
    gpointer key = GSIZE_TO_POINTER(now + 1);
    if (now != SIZE_MAX && now < a->watched) {
        if (!is_seen_as(a, now, n->name)) {
            (void)append(a, n, n->name, now);
        }
    } else if (now != SIZE_MAX &&
               g_hash_table_add(named, key)) { /* until now it was its parent's */
        g_free(a->nit->threads[now].name);
        a->nit->threads[now].name = g_strdup(n->name);
    } else {
        const size_t renamed = append(a, n, n->name, now);
        (void)g_hash_table_add(named, GSIZE_TO_POINTER(renamed + 1));
    }
}

uint64_t *noise_join_add_names(noise_nit *nit, uint32_t node, const noise_switch_name *names,
                               size_t n)
{
    g_autofree noise_switch_name *sorted = g_new(noise_switch_name, n + 1);
    g_autoptr(GHashTable) now = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) named = g_hash_table_new(NULL, NULL);
    g_autofree int32_t *older = g_new(int32_t, nit->num_threads + 1);
    adding a = {.nit = nit,
                .node = node,
                .watched = nit->num_threads,
                .room = nit->num_threads,
                .since = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
                .now = now,
                .older = older,
                .seen = seen};
    for (size_t i = 0; i < a.watched; i++) {
        const uint64_t since = noise_join_names_start(nit, i);
        gpointer tid = GUINT_TO_POINTER(nit->threads[i].tid);
        g_array_append_val(a.since, since);
        older[i] = -1;
        if (nit->threads[i].node == node) {
            older[i] = (int32_t)GPOINTER_TO_SIZE(g_hash_table_lookup(seen, tid)) - 1;
            (void)g_hash_table_insert(seen, tid, GSIZE_TO_POINTER(i + 1));
            (void)g_hash_table_insert(now, tid, GSIZE_TO_POINTER(i + 1));
        }
    }
    if (n > 0) {
        memcpy(sorted, names, n * sizeof *names);
        qsort(sorted, n, sizeof *sorted, by_when);
    }
    for (size_t i = 0; i < n; i++) {
        if (sorted[i].by != 0) {
            begin_thread(&a, &sorted[i]);
        } else {
            take_name(&a, &sorted[i], named);
        }
    }
    return (uint64_t *)(void *)g_array_free(a.since, FALSE);
}
