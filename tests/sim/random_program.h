/* tests/sim/random_program.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Programs at random that come to their end: messages are drawn first, then the operations of
 * each rank are put into an order in which every dependency points back to something earlier in
 * one order of all operations. So there is no cycle, wherever the edges are.
 */
#pragma once

#include "sim/graph.h"
#include "sim/machine.h"
#include "sim/noise.h"

typedef struct random_shape {
    uint32_t max_ranks; /* >= 2 */
    uint32_t max_steps; /* operations and messages */
    uint32_t max_cpus;
    uint32_t max_nics;
    bool wildcards;
    bool loose;       /* wildcards one by one: some programs get stuck */
    bool blocking;    /* chains: no two operations of a rank are ever pending together */
    bool exact;       /* receives have the sizes of their messages, not that of the largest */
    bool all_at_once; /* no dependencies: everything is pending at once */
    bool sparse;      /* few dependencies: much is pending at once, and something follows */
    bool narrow;      /* parameters are random_narrow_params() */
    bool levels;      /* on random_levels_new(): nodes, distance */
    int64_t max_size;
    sim_time max_calc;
    sim_time unit; /* 0, or what computations are multiples of: much happens at one instant */
} random_shape;

/** Of programs that are written to files and read back. */
extern const random_shape RANDOM_STORED;

/** Owned by the caller. */
sim_graph *random_program(GRand *random, const random_shape *shape);
/** Parameters of which every time is a multiple of @p unit; all but the smallest messages > S. */
sim_params random_coarse_params(GRand *random, sim_time unit);
/** Parameters with o + L of a few ps. */
sim_params random_narrow_params(GRand *random);
/** Parameters of all kinds: zeros, G > O and O > G, large g; S somewhere among the sizes. */
sim_params random_params(GRand *random, int64_t max_size);

/** A detour of @p length at phase + k period for every k: exact, and slow. */
typedef struct periodic_noise {
    sim_noise noise; /* first: the hook is handed on as this */
    sim_time period;
    sim_time length; /* < period */
    sim_time shift;  /* rank r sees it r * shift later */
} periodic_noise;
sim_time periodic_noise_finish(const sim_noise *noise, uint32_t rank, sim_time start,
                               sim_time work);
sim_time periodic_noise_finish_quiet(const sim_noise *noise, uint32_t rank, sim_time start,
                                     sim_time work, sim_quiet *quiet);
/** Every other one says when it leaves ranks alone: an engine may keep that, a judge asks. */
periodic_noise random_noise(GRand *random);

/** What a test of runs draws for each seed, in this order. */
typedef struct random_case {
    GRand *random; /* for what else is to be drawn */
    sim_graph *graph;
    const sim_program *program; /* that of graph */
    sim_params params;          /* random_params() */
    periodic_noise noise;
} random_case;
/** To be cleared (g_auto). */
random_case random_case_draw(unsigned seed, const random_shape *shape);
void random_case_clear(random_case *drawn);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(random_case, random_case_clear)
