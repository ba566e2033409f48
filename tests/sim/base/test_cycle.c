/* tests/sim/base/test_cycle.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* A cycle that is found is one, and none is found only where everything can be put in order. */
#include "check.h"
#include "sim/cycle.h"

#include <glib.h>
#include <string.h>

#define SEED 20101113U

enum { MOST_NODES = 40 };

/* Who waits for whom. */
typedef struct matrix {
    sim_waiting waiting;
    bool waits[MOST_NODES][MOST_NODES];
} matrix;

static bool next(sim_waiting *waiting, uint64_t node, uint32_t *at, uint64_t *to)
{
    const matrix *m = (const matrix *)waiting;
    while (*at < waiting->num_nodes) {
        *to = (*at)++;
        if (m->waits[node][*to]) {
            return true;
        }
    }
    return false;
}

/* Take away what waits for nothing, as long as there is some. */
static bool can_be_ordered(const matrix *m)
{
    bool gone[MOST_NODES] = {false};
    uint64_t left = m->waiting.num_nodes;
    for (bool more = true; more;) {
        more = false;
        for (uint64_t i = 0; i < m->waiting.num_nodes; i++) {
            bool waits = gone[i];
            for (uint64_t k = 0; k < m->waiting.num_nodes; k++) {
                waits |= m->waits[i][k] && !gone[k];
            }
            if (!waits) {
                gone[i] = more = true;
                left--;
            }
        }
    }
    return left == 0;
}

static void a_cycle_is_found_where_there_is_one(void)
{
    GRand *random = g_rand_new_with_seed(SEED);
    unsigned found = 0;
    for (unsigned k = 0; k < 5000; k++) {
        matrix m = {.waiting = {.num_nodes = g_rand_int(random) % MOST_NODES, .next = next}};
        const uint32_t edges = g_rand_int(random) % 40;
        for (uint32_t e = 0; e < edges && m.waiting.num_nodes > 0; e++) {
            m.waits[g_rand_int(random) % m.waiting.num_nodes]
                   [g_rand_int(random) % m.waiting.num_nodes] = true;
        }
        g_autofree uint64_t *cycle = NULL;
        const size_t len = sim_cycle_find(&m.waiting, &cycle);
        CHECK((len == 0) == can_be_ordered(&m), "seed %u, graph %u", SEED, k);
        bool met[MOST_NODES] = {false};
        for (size_t i = 0; i < len; i++) {
            CHECK(m.waits[cycle[i]][cycle[(i + 1) % len]] && !met[cycle[i]], "graph %u, %zu", k, i);
            met[cycle[i]] = true;
        }
        found += len > 0;
    }
    CHECK(found > 1000 && found < 4000, "%u", found);
    g_rand_free(random);
}

static void the_first_one_is_told_as_it_is_met(void)
{
    matrix m = {.waiting = {.num_nodes = 6, .next = next}};
    m.waits[0][3] = m.waits[3][5] = m.waits[5][1] = m.waits[1][3] = true; /* 3, 5, 1 */
    m.waits[4][4] = true;                                                 /* after it */
    g_autofree uint64_t *cycle = NULL;
    if (CHECK(sim_cycle_find(&m.waiting, &cycle) == 3)) {
        CHECK(cycle[0] == 3 && cycle[1] == 5 && cycle[2] == 1);
    }
    memset(m.waits, 0, sizeof m.waits);
    m.waits[4][4] = true;
    g_autofree uint64_t *own = NULL;
    CHECK(sim_cycle_find(&m.waiting, &own) == 1 && own[0] == 4, "what waits for itself");
}

SUITE_MAIN("cycle", TEST(a_cycle_is_found_where_there_is_one),
           TEST(the_first_one_is_told_as_it_is_met))
