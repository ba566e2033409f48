/* schedgen/goal/goal_any.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_goal_any. */
/*
 * A *place* is a rank and a communicator on which it receives with any tag. Messages of other
 * communicators *compete* if a receive of any tag in GOAL could take them, too. Then:
 *
 *  - Tags that no receive of the place names are told apart by nobody: they may all be one tag.
 *    What is left of the tags are classes: each one that is named, and one for all the rest.
 *  - A receive of any tag whose source (or whose sources, if it takes any) sends messages of one
 *    class only may as well ask for the tag of that class: it takes the same messages, in the same
 *    order, and competes with the same receives as before.
 *
 * A receive that may take messages of several classes must keep its wildcard, and is refused. Where
 * nothing competes everything stays as it is.
 */
#include "goal/goal_any.h"

#include "sched/error.h"

/* A class is a named tag, or: */
#define REST      ((uint64_t)1 << 32) /* all other tags */
#define NOTHING   ((uint64_t)2 << 32) /* no message has come yet */
#define DIFFERENT ((uint64_t)3 << 32) /* several classes */

/* One rank and communicator with receives of any tag. */
typedef struct place {
    uint32_t rank;
    uint32_t comm;
    uint32_t op;         /* the first such receive */
    uint32_t rest;       /* the lowest tag of class REST; SIM_ANY: none */
    GHashTable *sources; /* set: what these receives ask for, SIM_ANY included */
    GHashTable *named;   /* set: tags that other receives ask for */
    GHashTable *classes; /* source to class + 1 of its messages; only where others compete */
    uint64_t all;        /* class of all messages */
    bool competes;
    uint32_t other_rank, other_op, other_comm; /* the first message that does */
} place;

struct goal_any {
    GHashTable *by_rank; /* rank to GPtrArray of place */
};

bool sched_goal_each_message(sched_rank_source *source, goal_visit *visit, void *user,
                             GError **error)
{
    for (uint32_t r = 0; r < source->num_ranks; r++) {
        sched_rank_ops rank;
        if (!source->get(source, r, &rank, error)) {
            return false;
        }
        for (uint32_t i = 0; i < rank.num_ops; i++) {
            if (rank.ops[i].type != SIM_OP_CALC && !visit(user, r, i, &rank.ops[i])) {
                return false;
            }
        }
    }
    return true;
}

static void place_free(void *user)
{
    place *p = user;
    g_hash_table_unref(p->sources);
    g_hash_table_unref(p->named);
    g_hash_table_unref(p->classes);
    g_free(p);
}

static GPtrArray *places_of(const goal_any *any, uint32_t rank)
{
    return g_hash_table_lookup(any->by_rank, GUINT_TO_POINTER(rank));
}

static place *place_find(const goal_any *any, uint32_t rank, uint32_t comm)
{
    const GPtrArray *places = places_of(any, rank);
    for (guint i = 0; places != NULL && i < places->len; i++) {
        place *p = g_ptr_array_index(places, i);
        if (p->comm == comm) {
            return p;
        }
    }
    return NULL;
}

static place *place_new(const goal_any *any, uint32_t rank, uint32_t index, uint32_t comm)
{
    GPtrArray *places = places_of(any, rank);
    if (places == NULL) {
        places = g_ptr_array_new_with_free_func(place_free);
        g_hash_table_insert(any->by_rank, GUINT_TO_POINTER(rank), places);
    }
    place *p = g_new0(place, 1);
    *p = (place){.rank = rank, .comm = comm, .op = index, .rest = SIM_ANY, .all = NOTHING};
    p->sources = g_hash_table_new(NULL, NULL);
    p->named = g_hash_table_new(NULL, NULL);
    p->classes = g_hash_table_new(NULL, NULL);
    g_ptr_array_add(places, p);
    return p;
}

static bool has(GHashTable *set, uint32_t number)
{
    return g_hash_table_contains(set, GUINT_TO_POINTER(number));
}

/* ---- the passes ---------------------------------------------------------------------------- */

static bool find_places(void *user, uint32_t rank, uint32_t index, const sim_op *op)
{
    const goal_any *any = user;
    if (op->type == SIM_OP_RECV && op->tag == SIM_ANY) {
        place *p = place_find(any, rank, op->comm);
        p = p != NULL ? p : place_new(any, rank, index, op->comm);
        g_hash_table_add(p->sources, GUINT_TO_POINTER(op->peer));
    }
    return true;
}

/* Which tags are named, and which messages compete? */
static bool find_rivals(void *user, uint32_t rank, uint32_t index, const sim_op *op)
{
    const goal_any *any = user;
    if (op->type == SIM_OP_RECV) {
        const place *p = op->tag != SIM_ANY ? place_find(any, rank, op->comm) : NULL;
        if (p != NULL) {
            g_hash_table_add(p->named, GUINT_TO_POINTER(op->tag));
        }
        return true;
    }
    const GPtrArray *places = places_of(any, op->peer);
    for (guint i = 0; places != NULL && i < places->len; i++) {
        place *p = g_ptr_array_index(places, i);
        if (!p->competes && p->comm != op->comm &&
            (has(p->sources, rank) || has(p->sources, SIM_ANY))) {
            p->competes = true;
            p->other_rank = rank;
            p->other_op = index;
            p->other_comm = op->comm;
        }
    }
    return true;
}

static uint64_t class_of(const place *p, uint32_t tag)
{
    return has(p->named, tag) ? tag : REST;
}

static uint64_t both(uint64_t a, uint64_t b)
{
    return a == NOTHING || a == b ? b : DIFFERENT;
}

static uint64_t class_from(const place *p, uint32_t source)
{
    void *known = g_hash_table_lookup(p->classes, GUINT_TO_POINTER(source));
    return source == SIM_ANY ? p->all : known != NULL ? GPOINTER_TO_SIZE(known) - 1 : NOTHING;
}

static bool find_classes(void *user, uint32_t rank, uint32_t index, const sim_op *op)
{
    (void)index;
    const goal_any *any = user;
    place *p = op->type == SIM_OP_SEND ? place_find(any, op->peer, op->comm) : NULL;
    if (p != NULL && p->competes) {
        const uint64_t class = class_of(p, op->tag);
        p->all = both(p->all, class);
        g_hash_table_insert(p->classes, GUINT_TO_POINTER(rank),
                            GSIZE_TO_POINTER(both(class_from(p, rank), class) + 1));
        if (class == REST) {
            p->rest = MIN(p->rest, op->tag);
        }
    }
    return true;
}

/* ---- the outcome --------------------------------------------------------------------------- */

/* The tag of a class. @return SIM_ANY: it has none, or is none */
static uint32_t tag_of(const place *p, uint64_t class)
{
    return class < REST ? (uint32_t) class : class == DIFFERENT ? SIM_ANY : p->rest;
}

static bool check_place(const place *p, GError **error)
{
    GHashTableIter iter;
    void *source;
    g_hash_table_iter_init(&iter, p->sources);
    while (p->competes && g_hash_table_iter_next(&iter, &source, NULL)) {
        const uint64_t class = class_from(p, GPOINTER_TO_UINT(source));
        if (tag_of(p, class) == SIM_ANY) {
            g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                        "rank %u, operation %u: a receive of any tag on communicator %u, where "
                        "other receives tell tags apart, could take operation %u of rank %u, on "
                        "communicator %u, in GOAL, which has none; .rpl has them, and a trace "
                        "needs none with --wildcards=recorded",
                        p->rank, p->op, p->comm, p->other_op, p->other_rank, p->other_comm);
            return false;
        }
    }
    return true;
}

static bool check_all(const goal_any *any, GError **error)
{
    GHashTableIter iter;
    void *value;
    const place *worst = NULL; /* the first in order of ranks, so that the message is always one */
    g_hash_table_iter_init(&iter, any->by_rank);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const GPtrArray *places = value;
        for (guint i = 0; i < places->len; i++) {
            const place *p = g_ptr_array_index(places, i);
            if ((worst == NULL || p->rank < worst->rank) && !check_place(p, NULL)) {
                worst = p;
            }
        }
    }
    return worst == NULL || check_place(worst, error);
}

goal_any *sched_goal_any_new(sched_rank_source *source, GError **error)
{
    goal_any *any = g_new0(goal_any, 1);
    any->by_rank = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
    if (!sched_goal_each_message(source, find_places, any, error) ||
        (g_hash_table_size(any->by_rank) > 0 &&
         (!sched_goal_each_message(source, find_rivals, any, error) ||
          !sched_goal_each_message(source, find_classes, any, error) || !check_all(any, error)))) {
        sched_goal_any_free(any);
        return NULL;
    }
    return any;
}

void sched_goal_any_free(goal_any *any)
{
    if (any != NULL) {
        g_hash_table_unref(any->by_rank);
        g_free(any);
    }
}

uint32_t sched_goal_any_tag(const goal_any *any, uint32_t rank, const sim_op *op)
{
    const bool sends = op->type == SIM_OP_SEND;
    const place *p = place_find(any, sends ? op->peer : rank, op->comm);
    if (p == NULL || !p->competes) {
        return op->tag;
    }
    if (sends || op->tag != SIM_ANY) {
        return tag_of(p, class_of(p, op->tag));
    }
    return tag_of(p, class_from(p, op->peer));
}
