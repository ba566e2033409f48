/* schedgen/goal/goal_tags.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_goal_text_write. */
#include "goal/goal_private.h"

#include <stdlib.h>

/* A (communicator, tag) as one number, which also gives the order. */
typedef uint64_t pair;

/* Who may meet whom: an operation with any tag, seen from the receiving rank. */
typedef struct any_tag {
    uint32_t dst;
    uint32_t src; /* SIM_ANY: any */
    uint32_t comm;
} any_tag;

struct goal_tags {
    GHashTable *tag; /* pair -> tag; NULL: all pairs keep their tags */
};

static pair make_pair(uint32_t comm, uint32_t tag)
{
    return (pair)comm << 32 | tag;
}

typedef struct survey {
    GHashTable *pairs;  /* set of pair *; of all communicators */
    GHashTable *by_dst; /* dst -> GArray of any_tag */
    bool other_comms;
    GError *error;
} survey;

typedef bool visit_message(survey *s, uint32_t rank, uint32_t index, const sim_op *op);

/* Call visit for every operation that is a message, until one returns false. */
static bool each_message(sched_rank_source *source, visit_message *visit, survey *s)
{
    for (uint32_t r = 0; r < source->num_ranks; r++) {
        sched_rank_ops rank;
        if (!source->get(source, r, &rank, &s->error)) {
            return false;
        }
        for (uint32_t i = 0; i < rank.num_ops; i++) {
            if (rank.ops[i].type != SIM_OP_CALC && !visit(s, r, i, &rank.ops[i])) {
                return false;
            }
        }
    }
    return true;
}

static bool find_other_comms(survey *s, uint32_t rank, uint32_t index, const sim_op *op)
{
    (void)rank;
    (void)index;
    s->other_comms |= op->comm != 0;
    return op->comm == 0;
}

static any_tag meeting(uint32_t rank, const sim_op *op)
{
    return op->type == SIM_OP_SEND ? (any_tag){op->peer, rank, op->comm}
                                   : (any_tag){rank, op->peer, op->comm};
}

static void add_any_tag(GHashTable *by_dst, const any_tag *m)
{
    GArray *all = g_hash_table_lookup(by_dst, GUINT_TO_POINTER(m->dst));
    if (all == NULL) {
        all = g_array_new(FALSE, FALSE, sizeof *m);
        g_hash_table_insert(by_dst, GUINT_TO_POINTER(m->dst), all);
    }
    for (guint i = 0; i < all->len; i++) {
        const any_tag *known = &g_array_index(all, any_tag, i);
        if (known->src == m->src && known->comm == m->comm) {
            return;
        }
    }
    g_array_append_vals(all, m, 1);
}

static bool collect(survey *s, uint32_t rank, uint32_t index, const sim_op *op)
{
    (void)index;
    if (op->tag == SIM_ANY) {
        const any_tag m = meeting(rank, op);
        add_any_tag(s->by_dst, &m);
        return true;
    }
    const pair key = make_pair(op->comm, op->tag);
    if (!g_hash_table_contains(s->pairs, &key)) {
        pair *own = g_new(pair, 1);
        *own = key;
        g_hash_table_add(s->pairs, own);
    }
    return true;
}

/* Could this operation be taken for one of another communicator that takes any tag? */
static bool check_any_tag(survey *s, uint32_t rank, uint32_t index, const sim_op *op)
{
    const any_tag m = meeting(rank, op);
    const GArray *all = g_hash_table_lookup(s->by_dst, GUINT_TO_POINTER(m.dst));
    for (guint i = 0; all != NULL && i < all->len; i++) {
        const any_tag *any = &g_array_index(all, any_tag, i);
        if (any->comm != m.comm && (any->src == m.src || any->src == SIM_ANY || m.src == SIM_ANY)) {
            g_set_error(&s->error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                        "rank %u, operation %u: a message of communicator %u to rank %u could meet "
                        "one of communicator %u that takes any tag: GOAL cannot keep them apart",
                        rank, index, m.comm, m.dst, any->comm);
            return false;
        }
    }
    return true;
}

static int compare_pairs(const void *a, const void *b)
{
    const pair x = **(const pair *const *)a;
    const pair y = **(const pair *const *)b;
    return (x > y) - (x < y);
}

/* Ascending order puts communicator 0 first: its tags are all taken before others look. */
static GHashTable *assign_tags(GHashTable *pairs)
{
    GHashTable *tags = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    g_autoptr(GHashTable) taken = g_hash_table_new(NULL, NULL);
    guint n;
    g_autofree gpointer *sorted = g_hash_table_get_keys_as_array(pairs, &n);
    qsort(sorted, n, sizeof *sorted, compare_pairs);
    uint32_t free_tag = 0;
    for (guint i = 0; i < n; i++) {
        const pair key = *(const pair *)sorted[i];
        uint32_t tag = (uint32_t)key;
        if (g_hash_table_contains(taken, GUINT_TO_POINTER(tag))) {
            while (g_hash_table_contains(taken, GUINT_TO_POINTER(free_tag))) {
                free_tag++;
            }
            tag = free_tag;
        }
        g_hash_table_add(taken, GUINT_TO_POINTER(tag));
        g_hash_table_insert(tags, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(tag));
    }
    return tags;
}

/* The tags of a program that has other communicators than 0. */
static GHashTable *survey_tags(sched_rank_source *source, survey *s)
{
    s->pairs = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    s->by_dst = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    const bool ok = each_message(source, collect, s) &&
                    (g_hash_table_size(s->by_dst) == 0 || each_message(source, check_any_tag, s));
    GHashTable *tags = ok ? assign_tags(s->pairs) : NULL;
    g_hash_table_unref(s->pairs);
    g_hash_table_unref(s->by_dst);
    return tags;
}

goal_tags *sched_goal_tags_new(sched_rank_source *source, GError **error)
{
    survey s = {0};
    GHashTable *tag = NULL;
    if (!each_message(source, find_other_comms, &s) && s.error == NULL) {
        tag = survey_tags(source, &s);
    }
    if (s.error != NULL) {
        g_propagate_error(error, s.error);
        return NULL;
    }
    goal_tags *tags = g_new0(goal_tags, 1);
    tags->tag = tag;
    return tags;
}

uint32_t sched_goal_tags_find(const goal_tags *tags, uint32_t comm, uint32_t tag)
{
    if (tags->tag == NULL || tag == SIM_ANY) {
        return tag;
    }
    const pair key = make_pair(comm, tag);
    return GPOINTER_TO_UINT(g_hash_table_lookup(tags->tag, &key));
}

void sched_goal_tags_free(goal_tags *tags)
{
    if (tags != NULL) {
        g_clear_pointer(&tags->tag, g_hash_table_unref);
        g_free(tags);
    }
}
