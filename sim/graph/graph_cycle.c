/* sim/graph/graph_cycle.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why a program does not come to its end: a depth-first search over the operations that have not
 * finished, from each to what it waits for. Inside a rank these are the dependencies; a receive
 * that is posted waits for the first send that would match it and has not started, a rendezvous
 * send that has started for the first receive that would match it and is not posted.
 */
#include "graph/graph_file_private.h"

#include <inttypes.h>

#define MOST_EDGES 20 /* of a cycle, that are written out */

typedef enum { WHITE, GREY, BLACK } colour;

typedef enum { WAITS_REQUIRE, WAITS_IREQUIRE, WAITS_MESSAGE } wait_kind;

typedef struct predecessor {
    uint32_t op;
    bool at_start; /* irequires */
} predecessor;

/* What a run has done of an operation. One that is ready when a run is stuck has started. */
typedef enum { WAITING, STARTED, FINISHED } progress;

/* The dependencies of a rank the other way round, made when the search first enters it. */
typedef struct backward {
    uint32_t *begin; /* [num_ops + 1] */
    predecessor *at;
} backward;

typedef struct step {
    uint32_t rank;
    uint32_t op;
    uint32_t next;  /* of the things it waits for, to be looked at */
    wait_kind kind; /* how it waits for the step after it */
} step;

typedef struct search {
    const sim_graph *graph;
    const void *cursor;
    graph_has_finished has_finished;
    uint64_t *first;    /* [num_ranks] operations of the ranks before */
    uint8_t *progress;  /* [operations in all] */
    uint8_t *colour;    /* [operations in all] */
    backward *backward; /* [num_ranks] */
    GArray *stack;      /* of step */
} search;

static progress progress_of(const search *s, uint32_t rank, uint32_t op)
{
    return (progress)s->progress[s->first[rank] + op];
}

/* Go through a rank as the run did: what starts, and is known to have finished, releases others. */
static void find_progress(search *s, uint32_t r)
{
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
        state[i] = s->has_finished(s->cursor, r, i) ? FINISHED : STARTED;
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
static bool find_partner(const search *s, uint32_t r, const sim_op *op, step *out)
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
            *out = (step){.rank = op->peer, .op = i};
            return true;
        }
    }
    return false;
}

/* The next thing that the step at the top of the stack waits for. */
static bool next_wait(search *s, step *top, step *out)
{
    if (progress_of(s, top->rank, top->op) != WAITING) {
        const sim_op op = sim_graph_op(s->graph, top->rank, top->op);
        top->kind = WAITS_MESSAGE;
        return top->next++ == 0 && find_partner(s, top->rank, &op, out);
    }
    const backward *b = backward_of(s, top->rank);
    while (b->begin[top->op] + top->next < b->begin[top->op + 1]) {
        const predecessor *p = &b->at[b->begin[top->op] + top->next++];
        const progress before = progress_of(s, top->rank, p->op);
        if (before == FINISHED || (p->at_start && before == STARTED)) {
            continue;
        }
        top->kind = p->at_start ? WAITS_IREQUIRE : WAITS_REQUIRE;
        *out = (step){.rank = top->rank, .op = p->op};
        return true;
    }
    return false;
}

static void describe_wait(const search *s, const step *from, const step *to, GString *text)
{
    static const char *const verb[] = {"requires", "irequires", "waits for"};
    g_autofree char *a = sim_graph_describe_op(&s->graph->program, from->rank, from->op);
    g_autofree char *b = sim_graph_describe_op(&s->graph->program, to->rank, to->op);
    g_string_append_printf(text, "rank %" PRIu32 ", %s %s ", from->rank, a, verb[from->kind]);
    if (to->rank != from->rank) {
        g_string_append_printf(text, "rank %" PRIu32 ", ", to->rank);
    }
    g_string_append(text, b);
}

/* The stack from @p first on leads back to it. */
static char *describe_cycle(const search *s, const step *first)
{
    const step *steps = (const step *)(const void *)s->stack->data;
    const size_t from = (size_t)(first - steps);
    const size_t n = s->stack->len - from;
    GString *text = g_string_new("dependency cycle: ");
    for (size_t i = 0; i < MIN(n, MOST_EDGES); i++) {
        g_string_append(text, i > 0 ? "; " : "");
        describe_wait(s, &first[i], &first[(i + 1) % n], text);
    }
    if (n > MOST_EDGES) {
        g_string_append_printf(text, "; and %zu steps more, back to the first", n - MOST_EDGES);
    }
    return g_string_free(text, FALSE);
}

static uint8_t *colour_of(const search *s, const step *at)
{
    return &s->colour[s->first[at->rank] + at->op];
}

/* Everything that (rank, op) waits for, directly or not; the first cycle in it, or NULL. */
static char *search_from(search *s, uint32_t rank, uint32_t op)
{
    step here = {.rank = rank, .op = op};
    *colour_of(s, &here) = GREY;
    g_array_append_val(s->stack, here);
    while (s->stack->len > 0) {
        step *top = &g_array_index(s->stack, step, s->stack->len - 1);
        if (!next_wait(s, top, &here)) {
            *colour_of(s, top) = BLACK;
            g_array_set_size(s->stack, s->stack->len - 1);
        } else if (*colour_of(s, &here) == WHITE) {
            *colour_of(s, &here) = GREY;
            g_array_append_val(s->stack, here);
        } else if (*colour_of(s, &here) == GREY) {
            const step *first = top;
            while (first->rank != here.rank || first->op != here.op) {
                first--;
            }
            return describe_cycle(s, first);
        }
    }
    return NULL;
}

static void search_begin(search *s, const sim_program *program, const void *cursor,
                         graph_has_finished has_finished)
{
    *s = (search){
        .graph = (const sim_graph *)program, .cursor = cursor, .has_finished = has_finished};
    s->first = g_new(uint64_t, program->num_ranks);
    s->progress = g_new0(uint8_t, s->graph->num_ops + 1);
    s->colour = g_new0(uint8_t, s->graph->num_ops + 1);
    s->backward = g_new0(backward, program->num_ranks);
    s->stack = g_array_new(FALSE, FALSE, sizeof(step));
    uint64_t first = 0;
    for (uint32_t r = 0; r < program->num_ranks; r++) {
        s->first[r] = first;
        first += sim_graph_num_ops(s->graph, r);
        find_progress(s, r);
    }
}

static void search_end(search *s)
{
    for (uint32_t r = 0; r < s->graph->program.num_ranks; r++) {
        g_free(s->backward[r].begin);
        g_free(s->backward[r].at);
    }
    g_free(s->backward);
    g_free(s->colour);
    g_free(s->progress);
    g_free(s->first);
    g_array_free(s->stack, TRUE);
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

char *sim_graph_explain_stuck(const sim_program *program, const void *cursor,
                              graph_has_finished has_finished)
{
    char *damage = find_damage((const sim_graph *)program);
    if (damage != NULL) {
        return damage;
    }
    search s;
    search_begin(&s, program, cursor, has_finished);
    char *cycle = NULL;
    for (uint32_t r = 0; r < program->num_ranks && cycle == NULL; r++) {
        const uint32_t n = sim_graph_num_ops(s.graph, r);
        for (uint32_t i = 0; i < n && cycle == NULL; i++) {
            if (s.colour[s.first[r] + i] == WHITE && progress_of(&s, r, i) != FINISHED) {
                cycle = search_from(&s, r, i);
            }
        }
    }
    search_end(&s);
    return cycle;
}
