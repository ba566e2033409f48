/* bench/sc07/programs/program_calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_programs. */
/**
 * @file
 * Which calls FT, CG and POP make, with whom, and what they compute between them. Sequences of
 * calls follow the sources of NPB 2.4 and the lengths that the paper gives; times are those of
 * docs/sc07.md.
 */
#include "noise/random.h"
#include "program_private.h"

/* Of all ranks, with no peer. */
static void collective(sc07_program *p, sc07_function function, uint32_t which, double compute_ms,
                       int64_t bytes)
{
    sc07_add_call(p, (sc07_call_form){function, which, compute_ms, SC07_EVEN, 0});
    sc07_add_rounds(p, bytes);
}

/* Six rounds of 162 MB at 4 ns/B: 3.9 s, for what the paper calls two thirds of the time. */
enum { FT_BYTES = 162000000, FT_ITERATIONS = 20 };

void sc07_add_ft(sc07_program *p)
{
    for (uint32_t root = 0; root < 3; root++) { /* the size of the problem, the layout */
        collective(p, SC07_BCAST, root, 1, 8);
    }
    collective(p, SC07_BARRIER, 0, 1, 8);
    for (int i = 0; i < FT_ITERATIONS; i++) {
        collective(p, SC07_ALLTOALL, 0, 1900, FT_BYTES);
        collective(p, SC07_REDUCE, 0, 100, 16);
    }
    collective(p, SC07_BCAST, 3, 1, 8);  /* is the result right? */
    collective(p, SC07_REDUCE, 1, 1, 8); /* the slowest rank's time */
    collective(p, SC07_BARRIER, 0, 1, 8);
}

enum { CG_CYCLES = 76, CG_INNER = 25, CG_STAGES = 3, CG_SHORT = 8, CG_ROW = 150000 };

static const double CG_REST = 0.04; /* ms, between calls where nothing is to be done */

/* A receive is posted, a message sent, the other waited for: three calls. */
static void cg_exchange(sc07_program *p, sc07_peer_rule rule, uint16_t peer, uint32_t named,
                        double compute_ms, int64_t bytes)
{
    sc07_add_call(p, (sc07_call_form){SC07_IRECV, named, compute_ms, SC07_EVEN, 0});
    sc07_add_call(p, (sc07_call_form){SC07_SEND, named, CG_REST, SC07_EVEN, 0});
    sc07_add_message(p, SIM_OP_SEND, rule, peer, bytes);
    sc07_add_call(p, (sc07_call_form){SC07_WAIT, 0, CG_REST, SC07_EVEN, 0});
    sc07_add_message(p, SIM_OP_RECV, rule, peer, bytes);
}

/* A sum over the eight ranks of a row: three stages, up, or down in the matrix product. */
static void cg_sum(sc07_program *p, bool down, double compute_ms, int64_t bytes)
{
    for (unsigned i = 0; i < CG_STAGES; i++) {
        const uint16_t bits = (uint16_t)(1U << (down ? CG_STAGES - 1 - i : i));
        cg_exchange(p, SC07_PEER_XOR, bits, bits, i == 0 ? compute_ms : CG_REST, bytes);
    }
}

/* The product of the matrix with a vector, summed, then brought to where it is needed. */
static void cg_product(sc07_program *p)
{
    cg_sum(p, true, 20.26, CG_ROW);
    cg_exchange(p, SC07_PEER_TRANSPOSED, 0, 0, 0.3, CG_ROW);
}

/* 9 + 25 * 30 + 21 + 9 = 789 calls; an inner iteration computes for 25 ms. */
static void cg_cycle(sc07_program *p)
{
    cg_sum(p, false, 1, CG_SHORT); /* rho */
    for (int i = 0; i < CG_INNER; i++) {
        cg_product(p);
        cg_sum(p, false, 1, CG_SHORT);   /* d */
        cg_sum(p, false, 2.4, CG_SHORT); /* rho */
    }
    cg_product(p);
    cg_sum(p, false, 1, CG_SHORT); /* the residual */
    cg_sum(p, false, 1, CG_SHORT); /* the norm of z */
}

void sc07_add_cg(sc07_program *p)
{
    for (int i = 0; i < CG_CYCLES; i++) {
        cg_cycle(p);
    }
}

/* What a solver does in a turn: neighbours exchanged, two at a time or one, then sums. */
typedef struct pop_unit {
    unsigned exchanges; /* of Irecv, Irecv, Isend, Isend, Waitall */
    unsigned singles;   /* Irecv, Send, Wait with one neighbour */
    unsigned sums;      /* Allreduce */
    double turn_ms;
    sc07_load load;
} pop_unit;

/* 5 4 + 3 1 + 5 = 28, 5 4 + 3 3 + 3 = 32, 5 2 + 3 4 + 3 = 25, 5 8 + 3 4 + 12 = 64 calls. */
static const pop_unit POP_A = {4, 1, 5, 150, SC07_LIGHT};
static const pop_unit POP_B = {4, 3, 3, 170, SC07_LIGHT};
static const pop_unit POP_C = {2, 4, 3, 120, SC07_UNEVEN};
static const pop_unit POP_D = {8, 4, 12, 300, SC07_UNEVEN};

static const uint16_t POP_NEIGHBOUR[] = {1, 8, 2, 16, 4, 32}; /* exclusive or */
enum { POP_BYTES = 20000 };

/* One turn of a unit; a factor of its own for each section. */
typedef struct pop_turn {
    const pop_unit *unit;
    uint16_t section;
    unsigned shift; /* which neighbour comes first */
    double share;   /* of what the unit computes; the rest is computed between the solvers */
} pop_turn;

static void pop_call(sc07_program *p, const pop_turn *t, sc07_function function, uint32_t peer)
{
    const pop_unit *u = t->unit;
    const double calls = 5.0 * u->exchanges + 3.0 * u->singles + u->sums;
    sc07_add_call(
        p, (sc07_call_form){function, peer, t->share * u->turn_ms / calls, u->load, t->section});
}

static void pop_exchange(sc07_program *p, const pop_turn *t, uint16_t a, uint16_t b)
{
    pop_call(p, t, SC07_IRECV, a);
    pop_call(p, t, SC07_IRECV, b);
    pop_call(p, t, SC07_ISEND, a);
    sc07_add_message(p, SIM_OP_SEND, SC07_PEER_XOR, a, POP_BYTES);
    pop_call(p, t, SC07_ISEND, b);
    sc07_add_message(p, SIM_OP_SEND, SC07_PEER_XOR, b, POP_BYTES);
    pop_call(p, t, SC07_WAITALL, 0);
    sc07_add_message(p, SIM_OP_RECV, SC07_PEER_XOR, a, POP_BYTES);
    sc07_add_message(p, SIM_OP_RECV, SC07_PEER_XOR, b, POP_BYTES);
}

static void pop_do(sc07_program *p, pop_turn t)
{
    const unsigned n = G_N_ELEMENTS(POP_NEIGHBOUR);
    for (unsigned i = 0; i < t.unit->exchanges; i++) {
        pop_exchange(p, &t, POP_NEIGHBOUR[(i + t.shift) % n], POP_NEIGHBOUR[(i + t.shift + 1) % n]);
    }
    for (unsigned i = 0; i < t.unit->singles; i++) {
        const uint16_t a = POP_NEIGHBOUR[(i + t.shift) % n];
        pop_call(p, &t, SC07_IRECV, a);
        pop_call(p, &t, SC07_SEND, a);
        sc07_add_message(p, SIM_OP_SEND, SC07_PEER_XOR, a, POP_BYTES);
        pop_call(p, &t, SC07_WAIT, 0);
        sc07_add_message(p, SIM_OP_RECV, SC07_PEER_XOR, a, POP_BYTES);
    }
    for (unsigned i = 0; i < t.unit->sums; i++) {
        pop_call(p, &t, SC07_ALLREDUCE, 0);
        sc07_add_rounds(p, 8);
    }
}

/*
 * Output, diagnostics, a filter: calls in no order that comes again, so that no sequence goes
 * across. Names of peers are what makes them differ; messages would not matter. They compute 2 ms
 * each, and together what the solver before them has left.
 */
static void pop_between(sc07_program *p, unsigned step, unsigned part, double more_ms)
{
    const uint64_t stream = noise_random_stream("between");
    const uint64_t at = (4 * (uint64_t)step + part) * 64;
    const uint64_t num = 6 + noise_random_below(1, stream, at, 9);
    for (uint64_t i = 1; i <= num; i++) {
        const uint64_t draw = noise_random_u64(1, stream, at + i);
        static const sc07_function any[] = {SC07_BCAST, SC07_REDUCE, SC07_BARRIER, SC07_RECV};
        const sc07_function function = any[draw % G_N_ELEMENTS(any)];
        sc07_add_call(p, (sc07_call_form){function, (uint32_t)(draw >> 32) % 100000,
                                          2 + more_ms / (double)num, SC07_EVEN, 0});
        if (function != SC07_RECV) {
            sc07_add_rounds(p, 8);
        }
    }
}

/* How often a solver turns until it has converged. Five turns of C, each with the neighbours in
 * another order, are one sequence of 125 calls: the paper's fifth. */
enum { POP_TURNS_OF_C = 5 };

void sc07_add_pop(sc07_program *p, unsigned steps, double solvers)
{
    static const unsigned turns_of_a[] = {8, 9};
    static const unsigned turns_of_b[] = {2, 3, 4, 6};
    const uint64_t stream = noise_random_stream("turns");
    for (unsigned step = 0; step < steps; step++) {
        const unsigned a = turns_of_a[noise_random_below(1, stream, step, 2)];
        const unsigned b = turns_of_b[noise_random_below(2, stream, step, 4)];
        const uint16_t section = (uint16_t)(2 * step);
        const double left = 1 - solvers;
        for (unsigned i = 0; i < b; i++) {
            pop_do(p, (pop_turn){&POP_B, section, 4, solvers});
        }
        pop_between(p, step, 0, left * b * POP_B.turn_ms);
        for (unsigned i = 0; i < a; i++) {
            pop_do(p, (pop_turn){&POP_A, section, 0, solvers});
        }
        pop_between(p, step, 1, left * a * POP_A.turn_ms);
        for (unsigned i = 0; i < POP_TURNS_OF_C; i++) {
            pop_do(p, (pop_turn){&POP_C, section, i, solvers});
        }
        pop_between(p, step, 2, left * POP_TURNS_OF_C * POP_C.turn_ms);
        pop_do(p, (pop_turn){&POP_D, (uint16_t)(section + 1), 0, solvers});
        pop_between(p, step, 3, left * POP_D.turn_ms);
    }
}
