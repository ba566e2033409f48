/* schedgen/goal/goal_tags.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_goal_text_write. */
#include "goal/goal_any.h"
#include "goal/goal_private.h"

#include <stdlib.h>

/* A (communicator, tag) as one number, which also gives the order. */
typedef uint64_t pair;

struct goal_tags {
    GHashTable *tag; /* pair -> tag; NULL: all pairs keep their tags */
    goal_any *any;   /* what receives of any tag become before that; NULL with tag */
};

static pair make_pair(uint32_t comm, uint32_t tag)
{
    return (pair)comm << 32 | tag;
}

static bool is_world(void *user, uint32_t rank, uint32_t index, const sim_op *op)
{
    (void)user, (void)rank, (void)index;
    return op->comm == 0;
}

typedef struct survey {
    const goal_any *any;
    GHashTable *pairs; /* set of pair *; of all communicators */
} survey;

static bool collect(void *user, uint32_t rank, uint32_t index, const sim_op *op)
{
    (void)index;
    const survey *s = user;
    const uint32_t tag = sched_goal_any_tag(s->any, rank, op);
    const pair key = make_pair(op->comm, tag);
    if (tag != SIM_ANY && !g_hash_table_contains(s->pairs, &key)) {
        g_hash_table_add(s->pairs, g_memdup2(&key, sizeof key));
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
static bool survey_tags(sched_rank_source *source, goal_tags *tags, GError **error)
{
    tags->any = sched_goal_any_new(source, error);
    if (tags->any == NULL) {
        return false;
    }
    survey s = {.any = tags->any};
    s.pairs = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    const bool ok = sched_goal_each_message(source, collect, &s, error);
    tags->tag = ok ? assign_tags(s.pairs) : NULL;
    g_hash_table_unref(s.pairs);
    return ok;
}

goal_tags *sched_goal_tags_new(sched_rank_source *source, GError **error)
{
    GError *failed = NULL;
    g_autoptr(goal_tags) tags = g_new0(goal_tags, 1);
    if (!sched_goal_each_message(source, is_world, NULL, &failed) && failed == NULL) {
        (void)survey_tags(source, tags, &failed);
    }
    if (failed != NULL) {
        g_propagate_error(error, failed);
        return NULL;
    }
    return g_steal_pointer(&tags);
}

uint32_t sched_goal_tags_find(const goal_tags *tags, uint32_t rank, const sim_op *op)
{
    if (tags->tag == NULL) {
        return op->tag;
    }
    const uint32_t tag = sched_goal_any_tag(tags->any, rank, op);
    const pair key = make_pair(op->comm, tag);
    return tag == SIM_ANY ? tag : GPOINTER_TO_UINT(g_hash_table_lookup(tags->tag, &key));
}

void sched_goal_tags_free(goal_tags *tags)
{
    if (tags != NULL) {
        g_clear_pointer(&tags->tag, g_hash_table_unref);
        sched_goal_any_free(tags->any);
        g_free(tags);
    }
}
