/* sim/graph/graph_cycle.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_graph_forms, test_run_errors. */
/*
 * Why a program does not come to its end: operations that have not finished and wait for each other
 * in a circle, all operations of all ranks being the nodes that sim_cycle_find() searches. Inside a
 * rank these are the dependencies; a receive that is posted waits for the first send that would
 * match it and has not started, a rendezvous send that has started for the first receive that would
 * match it and is not posted.
 */
#include "graph/graph_file_private.h"
#include "sim/cycle.h"

#include <inttypes.h>

#define MOST_EDGES 20 /* of a cycle, that are written out */

typedef enum { WAITS_REQUIRE, WAITS_IREQUIRE, WAITS_MESSAGE } wait_kind;

typedef struct predecessor {
    uint32_t op;
    bool at_start; /* irequires */
} predecessor;

/* What a run has done of an operation. One that is ready when a run is stuck has started. */
typedef enum { WAITING, STARTED, FINISHED } progress;

/* The dependencies of a rank the other way round, made when the search first comes to it. */
typedef struct backward {
    uint32_t *begin; /* [num_ops + 1] */
    predecessor *at;
} backward;

/* An operation of a rank. */
typedef struct place {
    uint32_t rank;
    uint32_t op;
} place;

typedef struct search {
    sim_waiting waiting; /* first: the search is handed on as this */
    const sim_graph *graph;
    const graph_standing *standing;
    uint64_t *first;    /* [num_ranks + 1] operations of the ranks before */
    uint8_t *progress;  /* [operations in all] */
    backward *backward; /* [num_ranks] */
} search;

static place place_of(const search *s, uint64_t node)
{
    uint32_t low = 0;
    uint32_t high = s->graph->program.num_ranks;
    while (high - low > 1) { /* first[low] <= node < first[high] */
        const uint32_t middle = low + (high - low) / 2;
        *(s->first[middle] <= node ? &low : &high) = middle;
    }
    return (place){.rank = low, .op = (uint32_t)(node - s->first[low])};
}

static progress progress_of(const search *s, uint32_t rank, uint32_t op)
{
    return (progress)s->progress[s->first[rank] + op];
}

/* Go through a rank as the run did: what starts, and is known to have finished, releases others. */
static void find_progress(search *s, uint32_t r)
{
    const graph_standing *now = s->standing;
    const graph_view v = graph_view_of(s->graph, r);
    const uint32_t n = v.num_ops;
    uint8_t *state = s->progress + s->first[r];
    g_autofree uint32_t *waits = g_new0(uint32_t, (gsize)n + 1);
    g_autofree uint32_t *ready = g_new(uint32_t, (gsize)n + 1);
    uint32_t num_ready = 0;
    for (uint32_t i = 0; i < n; i++) {
        waits[i] = graph_shape_at(v.form, v.ops, v.dictionary, i)->waits;
        if (waits[i] == 0) {
            ready[num_ready++] = i;
        }
    }
    while (num_ready > 0) {
        const uint32_t i = ready[--num_ready];
        const graph_shape *shape = graph_shape_at(v.form, v.ops, v.dictionary, i);
        state[i] = now->has_finished(now->cursor, now->first_rank + r, i) ? FINISHED : STARTED;
        for (uint32_t e = state[i] == FINISHED ? shape->begin : shape->middle; e < shape->end;
             e++) {
            const uint32_t later = i + v.steps[e];
            if (--waits[later] == 0) {
                ready[num_ready++] = later;
            }
        }
    }
}

static const backward *backward_of(search *s, uint32_t r)
{
    backward *b = &s->backward[r];
    if (b->begin != NULL) {
        return b;
    }
    const graph_view v = graph_view_of(s->graph, r);
    b->begin = g_new0(uint32_t, (size_t)v.num_ops + 2);
    for (uint32_t i = 0; i < v.num_ops; i++) {
        b->begin[i + (size_t)2] = graph_shape_at(v.form, v.ops, v.dictionary, i)->waits;
    }
    for (uint32_t i = 2; i <= v.num_ops + 1; i++) {
        b->begin[i] += b->begin[i - 1];
    }
    b->at = g_new(predecessor, (size_t)b->begin[v.num_ops + (size_t)1] + 1);
    for (uint32_t i = 0; i < v.num_ops; i++) { /* begin[i + 1]: where i's next one goes */
        const graph_shape *shape = graph_shape_at(v.form, v.ops, v.dictionary, i);
        for (uint32_t e = shape->begin; e < shape->end; e++) {
            b->at[b->begin[i + v.steps[e] + (size_t)1]++] =
                (predecessor){.op = i, .at_start = e >= shape->middle};
        }
    }
    return b;
}

static bool tags_fit(const sim_op *a, const sim_op *b)
{
    return a->comm == b->comm && (a->tag == b->tag || a->tag == SIM_ANY || b->tag == SIM_ANY);
}

/* The first operation at the other end of a message that this one may be waiting for. */
static bool find_partner(const search *s, uint32_t r, const sim_op *op, place *out)
{
    if (op->type == SIM_OP_CALC || op->peer == SIM_ANY) {
        return false;
    }
    const graph_view peer = graph_view_of(s->graph, op->peer);
    for (uint32_t i = 0; i < peer.num_ops; i++) {
        const sim_op other = graph_op_at(peer.form, peer.ops, peer.dictionary, i);
        const bool fits = op->type == SIM_OP_RECV ? other.type == SIM_OP_SEND && other.peer == r
                                                  : other.type == SIM_OP_RECV &&
                                                        (other.peer == r || other.peer == SIM_ANY);
        if (fits && tags_fit(op, &other) && progress_of(s, op->peer, i) == WAITING) {
            *out = (place){.rank = op->peer, .op = i};
            return true;
        }
    }
    return false;
}

/* The next thing that an operation waits for, and how; as sim_waiting.next says. */
static bool next_wait(search *s, place from, uint32_t *at, place *to, wait_kind *kind)
{
    const progress now = progress_of(s, from.rank, from.op);
    if (now == FINISHED) {
        return false;
    }
    if (now == STARTED) {
        const sim_op op = sim_graph_op(s->graph, from.rank, from.op);
        *kind = WAITS_MESSAGE;
        return (*at)++ == 0 && find_partner(s, from.rank, &op, to);
    }
    const backward *b = backward_of(s, from.rank);
    while (b->begin[from.op] + *at < b->begin[from.op + 1]) {
        const predecessor *p = &b->at[b->begin[from.op] + (*at)++];
        const progress before = progress_of(s, from.rank, p->op);
        if (before == FINISHED || (p->at_start && before == STARTED)) {
            continue;
        }
        *kind = p->at_start ? WAITS_IREQUIRE : WAITS_REQUIRE;
        *to = (place){.rank = from.rank, .op = p->op};
        return true;
    }
    return false;
}

static bool next_node(sim_waiting *waiting, uint64_t node, uint32_t *at, uint64_t *to)
{
    search *s = (search *)waiting;
    place next = {0};
    wait_kind kind;
    const bool found = next_wait(s, place_of(s, node), at, &next, &kind);
    *to = s->first[next.rank] + next.op;
    return found;
}

/* How does one operation wait for the other? */
static wait_kind kind_of(search *s, place from, place to)
{
    wait_kind kind = WAITS_REQUIRE;
    place next = {0};
    uint32_t at = 0;
    while (next_wait(s, from, &at, &next, &kind) && (next.rank != to.rank || next.op != to.op)) {
    }
    return kind;
}

static void describe_wait(search *s, place from, place to, GString *text)
{
    static const char *const verb[] = {"requires", "irequires", "waits for"};
    const graph_standing *now = s->standing;
    const uint32_t from_rank = now->first_rank + from.rank;
    const uint32_t to_rank = now->first_rank + to.rank;
    g_autofree char *a = now->label(now->cursor, from_rank, from.op);
    g_autofree char *b = now->label(now->cursor, to_rank, to.op);
    g_string_append_printf(text, "rank %" PRIu32 ", %s %s ", from_rank, a,
                           verb[kind_of(s, from, to)]);
    if (to_rank != from_rank) {
        g_string_append_printf(text, "rank %" PRIu32 ", ", to_rank);
    }
    g_string_append(text, b);
}

static char *describe_cycle(search *s, const uint64_t *cycle, size_t n)
{
    GString *text = g_string_new("dependency cycle: ");
    for (size_t i = 0; i < MIN(n, MOST_EDGES); i++) {
        g_string_append(text, i > 0 ? "; " : "");
        describe_wait(s, place_of(s, cycle[i]), place_of(s, cycle[(i + 1) % n]), text);
    }
    if (n > MOST_EDGES) {
        g_string_append_printf(text, "; and %zu steps more, back to the first", n - MOST_EDGES);
    }
    return g_string_free(text, FALSE);
}

static void search_begin(search *s, const sim_graph *graph, const graph_standing *standing)
{
    const uint32_t num_ranks = graph->program.num_ranks;
    *s = (search){.graph = graph, .standing = standing};
    s->first = g_new(uint64_t, (gsize)num_ranks + 1);
    s->progress = g_new0(uint8_t, s->graph->num_ops + 1);
    s->backward = g_new0(backward, num_ranks);
    uint64_t first = 0;
    for (uint32_t r = 0; r < num_ranks; r++) {
        s->first[r] = first;
        first += sim_graph_num_ops(s->graph, r);
        find_progress(s, r);
    }
    s->first[num_ranks] = first;
    s->waiting = (sim_waiting){.num_nodes = first, .next = next_node};
}

static void search_end(search *s)
{
    for (uint32_t r = 0; r < s->graph->program.num_ranks; r++) {
        g_free(s->backward[r].begin);
        g_free(s->backward[r].at);
    }
    g_free(s->backward);
    g_free(s->progress);
    g_free(s->first);
}

/* In a graph that was not verified: why ranks did nothing. */
static char *find_damage(const sim_graph *graph)
{
    graph_check check = {0};
    char *wrong = NULL;
    for (uint32_t r = 0; graph->unverified && r < graph->program.num_ranks && wrong == NULL; r++) {
        wrong = sim_graph_check_rank(graph, r, &check);
    }
    sim_graph_check_clear(&check);
    char *text = wrong != NULL ? g_strdup_printf("the program is damaged: %s", wrong) : NULL;
    g_free(wrong);
    return text;
}

char *sim_graph_explain_stuck(const sim_graph *graph, const graph_standing *standing)
{
    char *damage = find_damage(graph);
    if (damage != NULL) {
        return damage;
    }
    search s;
    search_begin(&s, graph, standing);
    g_autofree uint64_t *cycle = NULL;
    const size_t len = sim_cycle_find(&s.waiting, &cycle);
    char *text = len > 0 ? describe_cycle(&s, cycle, len) : NULL;
    search_end(&s);
    return text;
}
