/* schedgen/replay_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A replayed program: what is shared by all replicas of a recorded rank.
 */
#pragma once

#include "convert_private.h"

/* A recorded rank. Requests have the number of a place that is used again once it is free. */
typedef struct replay_record {
    conv_step *steps; /* [num_steps] */
    uint32_t num_steps;
    uint32_t num_colls;
    conv_coll *colls;           /* [num_colls] */
    coll_algorithm *algorithms; /* [num_colls] at the size the collective has in this program */
} replay_record;

typedef struct replay {
    sim_program program;  /* first: a replay is a program */
    uint32_t num_records; /* H: rank r follows record r % H */
    uint32_t replicas;
    replay_record *record; /* [num_records] */
    uint32_t *num_ops;     /* [program.num_ranks] */
    uint32_t num_places;   /* requests of a rank open at once */
    uint32_t num_open;     /* operations of a rank under way at once */
} replay;

extern const sim_program_class replay_class;

void replay_free(sim_program *program);
