/* bench/sc07/programs/programs.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_programs. */
#include "programs.h"

#include "program_private.h"

static const char *const FUNCTIONS[SC07_NUM_FUNCTIONS] = {
    [SC07_ALLREDUCE] = "MPI_Allreduce", [SC07_ALLTOALL] = "MPI_Alltoall",
    [SC07_BARRIER] = "MPI_Barrier",     [SC07_BCAST] = "MPI_Bcast",
    [SC07_IRECV] = "MPI_Irecv",         [SC07_ISEND] = "MPI_Isend",
    [SC07_RECV] = "MPI_Recv",           [SC07_REDUCE] = "MPI_Reduce",
    [SC07_SEND] = "MPI_Send",           [SC07_WAIT] = "MPI_Wait",
    [SC07_WAITALL] = "MPI_Waitall"};

static const struct {
    const char *name;
    double variation;
} KINDS[SC07_NUM_PROGRAMS] = {[SC07_FT] = {"FT", 0.15},
                              [SC07_CG] = {"CG", 0.05},
                              [SC07_POP] = {"POP", 0.15},
                              [SC07_POP_SHORT] = {"POP, short", 0.15}};

/* A symbol is the function, counted from 1, and above it the peer, counted from 1 as well. */
enum { FUNCTION_BITS = 8 };

void sc07_add_call(sc07_program *p, sc07_call_form form)
{
    const sc07_call call = {
        .function = (uint8_t)form.function,
        .load = (uint8_t)form.load,
        .section = form.section,
        .peer = form.peer,
        .op = p->ops->len,
        .compute = (sim_time)(form.compute_ms * (double)SIM_MS),
    };
    const sc07_op computes = {.type = SIM_OP_CALC, .call = p->calls->len};
    g_array_append_val(p->calls, call);
    g_array_append_val(p->ops, computes);
}

void sc07_add_message(sc07_program *p, sim_op_type type, sc07_peer_rule rule, uint16_t peer,
                      int64_t bytes)
{
    const sc07_op op = {.type = (uint8_t)type,
                        .rule = (uint8_t)rule,
                        .peer = peer,
                        .call = p->calls->len - 1,
                        .bytes = bytes};
    g_array_append_val(p->ops, op);
}

void sc07_add_rounds(sc07_program *p, int64_t bytes)
{
    for (unsigned up = 1; up < SC07_RANKS; up *= 2) {
        sc07_add_message(p, SIM_OP_SEND, SC07_PEER_UP, (uint16_t)up, bytes);
        sc07_add_message(p, SIM_OP_RECV, SC07_PEER_UP, (uint16_t)up, bytes);
    }
}

/* "Vary a lot". */
static const double UNEVEN = 0.4;

sc07_program *sc07_program_new(sc07_program_kind kind, double variation)
{
    return sc07_program_new_shaped(kind, &(sc07_shape){.variation = variation});
}

sc07_program *sc07_program_new_shaped(sc07_program_kind kind, const sc07_shape *shape)
{
    const double solvers = shape->solvers > 0 ? shape->solvers : 1;
    sc07_program *p = g_new(sc07_program, 1);
    *p = (sc07_program){
        .name = KINDS[kind].name,
        .variation = shape->variation > 0 ? shape->variation : KINDS[kind].variation,
        .uneven = shape->uneven > 0 ? shape->uneven : UNEVEN,
        .land = shape->land,
        .calls = g_array_new(FALSE, FALSE, sizeof(sc07_call)),
        .ops = g_array_new(FALSE, FALSE, sizeof(sc07_op)),
    };
    switch (kind) {
    case SC07_FT:
        sc07_add_ft(p);
        break;
    case SC07_CG:
        sc07_add_cg(p);
        break;
    case SC07_POP:
        sc07_add_pop(p, 40, solvers);
        break;
    case SC07_POP_SHORT:
        sc07_add_pop(p, 20, solvers);
        break;
    case SC07_NUM_PROGRAMS:
        g_assert_not_reached();
    }
    return p;
}

void sc07_program_free(sc07_program *p)
{
    if (p != NULL) {
        g_array_unref(p->calls);
        g_array_unref(p->ops);
        g_free(p);
    }
}

const char *sc07_program_name(const sc07_program *p)
{
    return p->name;
}

uint32_t sc07_program_num_calls(const sc07_program *p)
{
    return p->calls->len;
}

static const sc07_call *call_at(const sc07_program *p, uint32_t i)
{
    return &g_array_index(p->calls, sc07_call, i);
}

uint64_t sc07_program_function(const sc07_program *p, uint32_t i)
{
    return 1 + (uint64_t)call_at(p, i)->function;
}

uint64_t sc07_program_symbol(const sc07_program *p, uint32_t i)
{
    return sc07_program_function(p, i) | (uint64_t)(1 + call_at(p, i)->peer) << FUNCTION_BITS;
}

uint64_t sc07_symbol_function(uint64_t symbol)
{
    return symbol & ((1U << FUNCTION_BITS) - 1);
}

const char *sc07_symbol_name(uint64_t symbol)
{
    return FUNCTIONS[sc07_symbol_function(symbol) - 1];
}

sim_time sc07_program_compute(const sc07_program *p, uint32_t i)
{
    return call_at(p, i)->compute;
}
