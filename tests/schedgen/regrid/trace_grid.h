/* tests/schedgen/regrid/trace_grid.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Recorded programs on a grid of processes, at any size: written by loops over ranks and
 * neighbours, without classes, ways or templates.
 */
#pragma once

#include "check.h"
#include "sched/regrid.h"

typedef enum { GRID_STAR, GRID_BOX } grid_shape; /* 5-, 7-point; 9-, 27-point */
typedef enum {
    GRID_POSTED,  /* all receives, all sends, one wait for all */
    GRID_SHIFTED, /* one MPI_Sendrecv for each neighbour: to it, from the opposite one */
    GRID_SWEPT    /* blocking: from the lower sides, to the upper ones, and back again */
} grid_form;

typedef struct grid_program {
    sched_grid grid;
    grid_shape shape;
    grid_form form;
    uint32_t iterations;
    const uint32_t *rank_at; /* world rank of each place; NULL: the same */
    bool lines;              /* an allreduce along each line of the last dimension, a bcast in it */
    uint32_t foreign;        /* messages between any two ranks, besides */
    uint32_t seed;           /* of these */
    /* How long a rank computes before a call of that kind; NULL: grid_compute() */
    sim_time (*compute)(uint32_t rank, sched_call_kind before, double volume);
    double volume; /* for that */
} grid_program;

typedef struct grid_writer {
    const grid_program *program; /* may be NULL */
    sched_trace *trace;
    sim_time *now;     /* [ranks] */
    uint64_t *request; /* [ranks] next */
} grid_writer;

static inline uint32_t grid_size(const sched_grid *grid)
{
    uint32_t n = 1;
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        n *= grid->extent[d];
    }
    return n;
}

/* The time of a rank's computation tells which rank it is. */
static inline sim_time grid_compute(uint32_t rank)
{
    return (1000 + (sim_time)rank) * SIM_NS;
}

static inline sched_call *grid_call(grid_writer *w, uint32_t rank, sched_call_kind kind,
                                    const char *name)
{
    sched_call *call = sched_rank_append(&w->trace->ranks[rank]);
    call->kind = (uint8_t)kind;
    call->name = sched_trace_name(w->trace, name);
    const grid_program *p = w->program;
    const bool own = p != NULL && p->compute != NULL;
    call->enter = w->now[rank] + (own ? p->compute(rank, kind, p->volume) : grid_compute(rank));
    call->leave = call->enter + SIM_US;
    w->now[rank] = call->leave;
    return call;
}

/* The place @p by away. @return false: there is none */
static inline bool grid_neighbour(const sched_grid *grid, uint32_t place, const int *by,
                                  uint32_t *to)
{
    uint32_t stride = grid_size(grid);
    *to = 0;
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        const int n = (int)grid->extent[d];
        stride /= grid->extent[d];
        int x = (int)(place / stride % grid->extent[d]) + by[d];
        if (x < 0 || x >= n) {
            if (!grid->periodic[d]) {
                return false;
            }
            x = (x + n) % n;
        }
        *to += (uint32_t)x * stride;
    }
    return true;
}

/* The next step of at most one in each dimension. @return false: that was the last */
static inline bool grid_next(const grid_program *p, int *by)
{
    for (;;) {
        uint32_t d = 0;
        while (d < p->grid.num_dims && by[d] == 1) {
            by[d++] = -1;
        }
        if (d == p->grid.num_dims) {
            return false;
        }
        by[d]++;
        int sides = 0;
        for (uint32_t i = 0; i < p->grid.num_dims; i++) {
            sides += by[i] != 0;
        }
        if (sides > 0 && (p->shape == GRID_BOX || sides == 1)) {
            return true;
        }
    }
}

static inline int64_t grid_bytes(const grid_program *p, const int *by)
{
    int64_t bytes = 8;
    for (uint32_t d = 0; d < p->grid.num_dims; d++) {
        bytes *= by[d] == 0 ? 10 + d : 1;
    }
    return bytes;
}

static inline uint32_t grid_tag(const grid_program *p, const int *by, int sign)
{
    uint32_t tag = 0;
    for (uint32_t d = 0; d < p->grid.num_dims; d++) {
        tag = tag * 3 + (uint32_t)(1 + sign * by[d]);
    }
    return tag;
}

static inline uint32_t grid_rank(const grid_program *p, uint32_t place)
{
    return p->rank_at != NULL ? p->rank_at[place] : place;
}

static inline void grid_post(grid_writer *w, uint32_t place, const int *by, bool is_recv)
{
    const grid_program *p = w->program;
    uint32_t to = 0;
    if (!grid_neighbour(&p->grid, place, by, &to)) {
        return;
    }
    const uint32_t rank = grid_rank(p, place);
    sched_call *call = grid_call(w, rank, is_recv ? SCHED_CALL_IRECV : SCHED_CALL_ISEND,
                                 is_recv ? "MPI_Irecv" : "MPI_Isend");
    call->peer = grid_rank(p, to);
    call->tag = grid_tag(p, by, is_recv ? -1 : 1);
    call->bytes = call->room = grid_bytes(p, by);
    call->request = w->request[rank]++;
}

static inline void grid_wait(grid_writer *w, uint32_t rank, uint64_t first)
{
    sched_call *call = grid_call(w, rank, SCHED_CALL_COMPLETE, "MPI_Waitall");
    for (uint64_t i = first; i < w->request[rank]; i++) {
        const uint64_t at = sched_rank_add_request(&w->trace->ranks[rank], i);
        call->list = i == first ? at : call->list;
        call->num_list++;
    }
}

static inline void grid_posted(grid_writer *w, uint32_t place)
{
    const uint32_t rank = grid_rank(w->program, place);
    const uint64_t first = w->request[rank];
    for (int send = 0; send < 2; send++) {
        int by[] = {-1, -1, -1, -1};
        by[0] = -2; /* the first step is the one before the first */
        while (grid_next(w->program, by)) {
            grid_post(w, place, by, send == 0);
        }
    }
    grid_wait(w, rank, first);
}

static inline void grid_shifted(grid_writer *w, uint32_t place)
{
    const grid_program *p = w->program;
    int by[] = {-2, -1, -1, -1};
    while (grid_next(p, by)) {
        const int back[] = {-by[0], -by[1], -by[2], -by[3]};
        uint32_t to = 0;
        uint32_t from = 0;
        const bool sends = grid_neighbour(&p->grid, place, by, &to);
        const bool recvs = grid_neighbour(&p->grid, place, back, &from);
        sched_call *call = grid_call(w, grid_rank(p, place), SCHED_CALL_SENDRECV, "MPI_Sendrecv");
        call->peer = sends ? grid_rank(p, to) : SCHED_PROC_NULL;
        call->recv_peer = recvs ? grid_rank(p, from) : SCHED_PROC_NULL;
        call->tag = call->recv_tag = grid_tag(p, by, 1);
        call->bytes = call->recv_bytes = call->room = grid_bytes(p, by);
    }
}

/* From all sides below, then to all above; @p sign -1: the other way round. */
static inline void grid_swept(grid_writer *w, uint32_t place, int sign)
{
    const grid_program *p = w->program;
    for (int send = 0; send < 2; send++) {
        for (uint32_t d = 0; d < p->grid.num_dims; d++) {
            int by[SCHED_REGRID_DIMS] = {0};
            uint32_t to = 0;
            by[d] = send == 1 ? sign : -sign;
            if (!grid_neighbour(&p->grid, place, by, &to)) {
                continue;
            }
            sched_call *call =
                grid_call(w, grid_rank(p, place), send == 1 ? SCHED_CALL_SEND : SCHED_CALL_RECV,
                          send == 1 ? "MPI_Send" : "MPI_Recv");
            call->peer = grid_rank(p, to);
            call->tag = 5;
            call->bytes = call->room = grid_bytes(p, by);
        }
    }
}

static inline void grid_exchange(grid_writer *w, uint32_t place)
{
    switch (w->program->form) {
    case GRID_POSTED:
        grid_posted(w, place);
        break;
    case GRID_SHIFTED:
        grid_shifted(w, place);
        break;
    case GRID_SWEPT:
        grid_swept(w, place, 1);
        grid_swept(w, place, -1);
        break;
    }
}

static inline void grid_collective(grid_writer *w, uint32_t rank, coll_kind kind, uint32_t comm,
                                   uint32_t root)
{
    const bool all = kind == COLL_ALLREDUCE;
    sched_call *call =
        grid_call(w, rank, SCHED_CALL_COLLECTIVE, all ? "MPI_Allreduce" : "MPI_Bcast");
    call->collective = (uint8_t)kind;
    call->bytes = 16;
    call->comm = comm;
    call->root = root;
}

static inline uint32_t grid_add_lines(grid_writer *w)
{
    const grid_program *p = w->program;
    const uint32_t length = p->grid.extent[p->grid.num_dims - 1];
    const uint32_t first = w->trace->num_comms;
    for (uint32_t line = 0; line < grid_size(&p->grid) / length; line++) {
        uint32_t *members = g_new(uint32_t, length);
        for (uint32_t i = 0; i < length; i++) {
            members[i] = grid_rank(p, line * length + i);
        }
        (void)sched_trace_add_comm(w->trace, "line", length, members);
    }
    return first;
}

/* Messages of nobody's neighbours, each received by name. */
static inline void grid_strange(grid_writer *w, GRand *rand)
{
    const grid_program *p = w->program;
    const uint32_t n = grid_size(&p->grid);
    const uint32_t from = (uint32_t)g_rand_int_range(rand, 0, (gint32)n);
    const uint32_t to = (uint32_t)g_rand_int_range(rand, 0, (gint32)n);
    for (int side = 0; side < 2; side++) {
        const uint32_t rank = side == 0 ? from : to;
        const uint64_t first = w->request[rank];
        sched_call *call = grid_call(w, rank, side == 0 ? SCHED_CALL_ISEND : SCHED_CALL_IRECV,
                                     side == 0 ? "MPI_Isend" : "MPI_Irecv");
        call->peer = side == 0 ? to : from;
        call->tag = 999;
        call->bytes = call->room = 24;
        call->request = w->request[rank]++;
        if (from != to) {
            grid_wait(w, rank, first);
        } else if (side == 1) {
            grid_wait(w, rank, first - 1);
        }
    }
}

static inline sched_trace *grid_trace(const grid_program *p)
{
    const uint32_t n = grid_size(&p->grid);
    grid_writer w = {.program = p, .trace = sched_trace_new("grid", "test", n)};
    GRand *rand = g_rand_new_with_seed(p->seed);
    w.now = g_new0(sim_time, n);
    w.request = g_new0(uint64_t, n);
    const uint32_t lines = p->lines ? grid_add_lines(&w) : 0;
    const uint32_t length = p->grid.extent[p->grid.num_dims - 1];
    for (uint32_t rank = 0; rank < n; rank++) {
        (void)grid_call(&w, rank, SCHED_CALL_INIT, "MPI_Init");
    }
    for (uint32_t i = 0; i < p->iterations; i++) {
        for (uint32_t place = 0; place < n; place++) {
            const uint32_t rank = grid_rank(p, place);
            grid_exchange(&w, place);
            grid_collective(&w, rank, COLL_ALLREDUCE, 0, 0);
            if (p->lines) {
                grid_collective(&w, rank, COLL_ALLREDUCE, lines + place / length, 0);
                grid_collective(&w, rank, COLL_BCAST, lines + place / length, length - 1);
            }
        }
        const uint32_t done = i * p->foreign / p->iterations;
        for (uint32_t f = done; f < (i + 1) * p->foreign / p->iterations; f++) {
            grid_strange(&w, rand);
        }
    }
    for (uint32_t rank = 0; rank < n; rank++) {
        (void)grid_call(&w, rank, SCHED_CALL_FINALIZE, "MPI_Finalize");
        w.trace->ranks[rank].complete = true;
    }
    g_rand_free(rand);
    g_free(w.now);
    g_free(w.request);
    return w.trace;
}

/* Every nonblocking receive now takes from anybody what it took from its peer. */
static inline void grid_receive_any(sched_trace *trace)
{
    for (uint32_t r = 0; r < trace->num_ranks; r++) {
        for (uint64_t i = 0; i < trace->ranks[r].num_calls; i++) {
            sched_call *call = &trace->ranks[r].calls[i];
            if (call->kind == SCHED_CALL_IRECV) {
                call->matched_peer = call->peer;
                call->matched_tag = call->tag;
                call->peer = SCHED_ANY;
            }
        }
    }
}

static const sched_convert_options GRID_CONVERT = {.copies = 1, .compute = SCHED_COMPUTE_WALL};
static const sched_regrid_options GRID_ASKED = {.explain = 1};

static inline sched_regrid *grid_recognise(const sched_trace *trace,
                                           const sched_regrid_options *options)
{
    g_autoptr(GError) error = NULL;
    sched_regrid *regrid = sched_regrid_recognise(trace, &GRID_CONVERT, options, &error);
    CHECK(regrid != NULL, "%s", error != NULL ? error->message : "");
    return regrid;
}

/* Is it the grid? Dimensions of extent 1 aside. */
static inline bool grid_is(const sched_grid *found, const sched_grid *want)
{
    bool same = found->num_dims == want->num_dims;
    for (uint32_t d = 0; same && d < want->num_dims; d++) {
        same = found->extent[d] == want->extent[d] && found->periodic[d] == want->periodic[d];
    }
    return same;
}
