/* schedgen/check/check_match.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_check. */
#include "check/check_private.h"

#include <stdlib.h>
#include <string.h>

/* A send or receive as the network sees it. */
typedef struct message {
    uint32_t src;
    uint32_t dst;
    uint32_t comm;
    uint32_t tag;
    uint32_t vertex;
    bool is_recv;
    bool is_wild;
    bool is_left;
} message;

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Same channel together, its sends first, each in order. */
static int by_channel(const void *a, const void *b)
{
    const message *x = a;
    const message *y = b;
    int order = compare(x->is_wild, y->is_wild);
    order = order != 0 ? order : compare(x->dst, y->dst);
    order = order != 0 ? order : compare(x->src, y->src);
    order = order != 0 ? order : compare(x->comm, y->comm);
    order = order != 0 ? order : compare(x->tag, y->tag);
    order = order != 0 ? order : compare(x->is_recv, y->is_recv);
    return order != 0 ? order : compare(x->vertex, y->vertex);
}

/* What is left over, by destination. */
static int by_destination(const void *a, const void *b)
{
    const message *x = a;
    const message *y = b;
    const int order = compare(x->dst, y->dst);
    return order != 0 ? order : compare(x->vertex, y->vertex);
}

static message *collect(const check_vertices *vertices, size_t *n)
{
    const sim_graph *graph = vertices->graph;
    GArray *all = g_array_new(FALSE, FALSE, sizeof(message));
    for (uint32_t rank = 0; rank < sim_graph_num_ranks(graph); rank++) {
        const uint32_t num_ops = sim_graph_num_ops(graph, rank);
        for (uint32_t i = 0; i < num_ops; i++) {
            const sim_op op = sim_graph_op(graph, rank, i);
            if (op.type == SIM_OP_CALC) {
                continue;
            }
            const bool recv = op.type == SIM_OP_RECV;
            const message m = {.src = recv ? op.peer : rank,
                               .dst = recv ? rank : op.peer,
                               .comm = op.comm,
                               .tag = op.tag,
                               .vertex = (uint32_t)(vertices->first[rank] + i),
                               .is_recv = recv,
                               .is_wild = op.peer == SIM_ANY || op.tag == SIM_ANY};
            g_array_append_val(all, m);
        }
    }
    *n = all->len;
    return (message *)(void *)g_array_free(all, FALSE);
}

static bool same_channel(const message *a, const message *b)
{
    return a->dst == b->dst && a->src == b->src && a->comm == b->comm && a->tag == b->tag;
}

/* Pair the sends and receives of one channel; mark what is left. @return how many pairs */
static size_t match_channel(message *m, size_t n, uint32_t *send, uint32_t *recv)
{
    size_t sends = 0;
    while (sends < n && !m[sends].is_recv) {
        sends++;
    }
    const size_t pairs = MIN(sends, n - sends);
    for (size_t i = 0; i < pairs; i++) {
        send[i] = m[i].vertex;
        recv[i] = m[sends + i].vertex;
    }
    for (size_t i = pairs; i < sends; i++) {
        m[i].is_left = true;
    }
    for (size_t i = sends + pairs; i < n; i++) {
        m[i].is_left = true;
    }
    return pairs;
}

static bool fits(const message *send, const message *recv)
{
    return send->comm == recv->comm && (recv->src == SIM_ANY || recv->src == send->src) &&
           (recv->tag == SIM_ANY || send->tag == SIM_ANY || recv->tag == send->tag);
}

/* Take off what wildcards can take (without one nothing fits any more): m[0..n) have one
 * destination and are in order of vertices. */
static void match_wild(message *m, size_t n)
{
    size_t oldest = 0; /* no send before it is left: the search seldom goes far */
    for (size_t r = 0; r < n; r++) {
        if (!m[r].is_recv) {
            continue;
        }
        while (oldest < n && (m[oldest].is_recv || !m[oldest].is_left)) {
            oldest++;
        }
        for (size_t s = oldest; s < n; s++) {
            if (!m[s].is_recv && m[s].is_left && fits(&m[s], &m[r])) {
                m[s].is_left = false;
                m[r].is_left = false;
                break;
            }
        }
    }
}

/* Keep what is left over or wild, sorted by destination. @return how many */
static size_t keep_rest(message *m, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        m[i].is_left |= m[i].is_wild;
        if (m[i].is_left) {
            m[kept++] = m[i];
        }
    }
    qsort(m, kept, sizeof *m, by_destination);
    return kept;
}

static void count_rest(check_matching *out, message *m, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out->wildcards += m[i].is_wild;
    }
    for (size_t begin = 0, end = 0; begin < n; begin = end) {
        while (end < n && m[end].dst == m[begin].dst) {
            end++;
        }
        match_wild(m + begin, end - begin);
    }
    for (size_t i = 0; i < n; i++) {
        if (m[i].is_left) {
            out->unmatched_recvs += m[i].is_recv;
            out->unmatched_sends += !m[i].is_recv;
            out->first_unmatched = MIN(out->first_unmatched, m[i].vertex);
        }
    }
}

void sched_check_matching_init(check_matching *out, const check_vertices *vertices)
{
    size_t n;
    g_autofree message *m = collect(vertices, &n);
    *out = (check_matching){.send = g_new(uint32_t, n / 2 + 1),
                            .recv = g_new(uint32_t, n / 2 + 1),
                            .first_unmatched = UINT64_MAX};
    if (n > 0) {
        qsort(m, n, sizeof *m, by_channel);
    }
    size_t begin = 0;
    while (begin < n && !m[begin].is_wild) {
        size_t end = begin;
        while (end < n && !m[end].is_wild && same_channel(&m[end], &m[begin])) {
            end++;
        }
        out->num +=
            match_channel(m + begin, end - begin, out->send + out->num, out->recv + out->num);
        begin = end;
    }
    count_rest(out, m, n > 0 ? keep_rest(m, n) : 0);
}

void sched_check_matching_clear(check_matching *matching)
{
    g_clear_pointer(&matching->send, g_free);
    g_clear_pointer(&matching->recv, g_free);
}
