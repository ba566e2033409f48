/* sim/graph_cycle.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why a program does not come to its end: a depth-first search over the operations that have not
 * finished, from each to what it waits for. Inside a rank these are the dependencies; a receive
 * that is posted waits for the first send that would match it and has not started, a rendezvous
 * send that has started for the first receive that would match it and is not posted.
 */
#include "graph_private.h"

#include <inttypes.h>

#define MOST_EDGES 20 /* of a cycle, that are written out */

typedef enum { WHITE, GREY, BLACK } colour;

typedef enum { WAITS_REQUIRE, WAITS_IREQUIRE, WAITS_MESSAGE } wait_kind;

typedef struct predecessor {
    uint32_t op;
    bool at_start; /* irequires */
} predecessor;

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
    const graph_cursor *cursor;
    uint8_t *colour;    /* [operations in all] */
    backward *backward; /* [num_ranks] */
    GArray *stack;      /* of step */
} search;

static uint32_t state_of(const search *s, uint32_t rank, uint32_t op)
{
    return s->cursor->slot[s->graph->rank[rank].first + op].num_waits;
}

static bool is_waiting(uint32_t state)
{
    return state != 0 && state <= GRAPH_MAX_EDGES;
}

static const backward *backward_of(search *s, uint32_t r)
{
    backward *b = &s->backward[r];
    const graph_rank *rank = &s->graph->rank[r];
    if (b->begin != NULL) {
        return b;
    }
    const uint32_t num_edges = graph_begin_of(rank, rank->num_ops);
    b->begin = g_new0(uint32_t, (size_t)rank->num_ops + 2);
    b->at = g_new(predecessor, (size_t)num_edges + 1);
    for (uint32_t e = 0; e < num_edges; e++) {
        b->begin[rank->edges[e] + (size_t)2]++;
    }
    for (uint32_t i = 2; i <= rank->num_ops; i++) {
        b->begin[i] += b->begin[i - 1];
    }
    for (uint32_t i = 0; i < rank->num_ops; i++) { /* begin[i + 1]: where i's next one goes */
        const graph_op *op = &rank->ops[i];
        for (uint32_t e = graph_begin_of(rank, i); e < op->end; e++) {
            b->at[b->begin[rank->edges[e] + (size_t)1]++] =
                (predecessor){.op = i, .at_start = e >= op->middle};
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
    const graph_rank *peer = &s->graph->rank[op->peer];
    for (uint32_t i = 0; i < peer->num_ops; i++) {
        const sim_op *other = &peer->ops[i].op;
        const bool fits =
            op->type == SIM_OP_RECV
                ? other->type == SIM_OP_SEND && other->peer == r
                : other->type == SIM_OP_RECV && (other->peer == r || other->peer == SIM_ANY);
        if (fits && tags_fit(op, other) && is_waiting(state_of(s, op->peer, i))) {
            *out = (step){.rank = op->peer, .op = i};
            return true;
        }
    }
    return false;
}

/* The next thing that the step at the top of the stack waits for. */
static bool next_wait(search *s, step *top, step *out)
{
    const uint32_t state = state_of(s, top->rank, top->op);
    if (!is_waiting(state)) {
        top->kind = WAITS_MESSAGE;
        return top->next++ == 0 &&
               find_partner(s, top->rank, &s->graph->rank[top->rank].ops[top->op].op, out);
    }
    const backward *b = backward_of(s, top->rank);
    while (b->begin[top->op] + top->next < b->begin[top->op + 1]) {
        const predecessor *p = &b->at[b->begin[top->op] + top->next++];
        const uint32_t before = state_of(s, top->rank, p->op);
        if (before == GRAPH_FINISHED || (p->at_start && before == GRAPH_STARTED)) {
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
    return &s->colour[s->graph->rank[at->rank].first + at->op];
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

char *sim_graph_explain_stuck(const sim_program *program, const void *opaque)
{
    search s = {.graph = (const sim_graph *)program, .cursor = opaque};
    s.colour = g_new0(uint8_t, s.graph->num_ops + 1);
    s.backward = g_new0(backward, program->num_ranks);
    s.stack = g_array_new(FALSE, FALSE, sizeof(step));
    char *cycle = NULL;
    for (uint32_t r = 0; r < program->num_ranks && cycle == NULL; r++) {
        const graph_rank *rank = &s.graph->rank[r];
        for (uint32_t i = 0; i < rank->num_ops && cycle == NULL; i++) {
            if (s.colour[rank->first + i] == WHITE && state_of(&s, r, i) != GRAPH_FINISHED) {
                cycle = search_from(&s, r, i);
            }
        }
    }
    for (uint32_t r = 0; r < program->num_ranks; r++) {
        g_free(s.backward[r].begin);
        g_free(s.backward[r].at);
    }
    g_free(s.backward);
    g_free(s.colour);
    g_array_free(s.stack, TRUE);
    return cycle;
}
