/* apps/ripple/view/picture.h — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_picture. */
/**
 * @file
 * One picture of a run: where the time of each rank went, as plain arrays that a page or another
 * tool's file is written from. docs/view.md says what each number means. All times are ps from the
 * beginning of the run; all that is "lost" is against the run of the same program without noise.
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** No rank, operation or component. */
#define APP_PICTURE_NONE UINT32_MAX

/** What a CPU does. */
typedef enum app_picture_kind {
    APP_PICTURE_COMPUTE,
    APP_PICTURE_SEND,       /* overhead of a send; in a recorded run: within a call */
    APP_PICTURE_RECV,       /* overhead of a receive */
    APP_PICTURE_WAIT,       /* idle, as it is without noise */
    APP_PICTURE_NOISE_WAIT, /* idle beyond what the run without noise has here: waiting for noise */
    APP_PICTURE_DETOUR,     /* the CPU is away */
    APP_PICTURE_NUM_KINDS
} app_picture_kind;

/** "compute", "send", "receive", "wait", "wait for noise", "detour". Static. */
const char *app_picture_kind_name(app_picture_kind kind);

/** A stretch of a lane. */
typedef struct app_picture_slice {
    sim_time begin;
    sim_time end;
    uint32_t from; /* waits: the rank whose operation ended it; else, or where it is the rank's own:
                    * APP_PICTURE_NONE */
    uint32_t op;   /* its number in the rank's program; of a wait: that which comes after it */
    uint32_t component; /* of a detour: which of the picture's, APP_PICTURE_NONE: not known */
    uint32_t ripple;    /* of a detour: its ripple; of waiting for noise: the nearest that it is
                         * in; of the picture's, APP_PICTURE_NONE: not known */
    uint8_t kind;       /* app_picture_kind */
} app_picture_slice;

/** What waited for noise behind the detours of one stretch of work, directly or through others. */
typedef struct app_picture_ripple {
    uint32_t after;     /* the nearest ripple shown that this one is in; APP_PICTURE_NONE */
    uint32_t rank;      /* that was in the detours */
    uint32_t component; /* of the first of them that is shown; APP_PICTURE_NONE: not known */
    uint64_t waits;     /* of all ranks, shown or not */
    sim_time begin;     /* of the stretch of work */
    sim_time end;       /* and when it was done */
    sim_time detour;    /* it was longer by so much */
    sim_time waited;    /* for noise, in sum */
    sim_time until;     /* the last of them ended; 0: none */
    sim_time absorbed;  /* ranks that were late behind it waited less by so much */
} app_picture_ripple;

/** What a ripple did to one rank, but for what is nearer to another one that is shown. */
typedef struct app_picture_cone {
    uint32_t ripple; /* of the picture's */
    uint32_t rank;
    uint64_t waits;
    sim_time waited;
    sim_time from;  /* the first wait for noise began; where there is none: SIM_TIME_MAX */
    sim_time until; /* the last one ended; 0: none */
    sim_time absorbed;
    sim_time absorbed_at; /* the last time; 0: never */
} app_picture_cone;

/** All that one rank did in the time shown, or as much of it as there is room for. */
typedef struct app_picture_lane {
    uint32_t rank;
    sim_time finish;                      /* end of its last stretch in the whole run */
    sim_time time[APP_PICTURE_NUM_KINDS]; /* in the whole run; lost: the last two */
    size_t first_slice;                   /* of the picture's slices, in order of time */
    size_t num_slices;
    sim_time whole_until; /* from there on slices are left out: no room; SIM_TIME_MAX: none are */
} app_picture_lane;

/** A message that a shown rank waited for, from another shown rank. */
typedef struct app_picture_message {
    uint32_t from;
    uint32_t to;
    sim_time sent;     /* the sender begins with it */
    sim_time received; /* the receiver begins to take it in */
    int64_t bytes;     /* -1: not known */
    uint32_t send;     /* its number in the sender's program */
} app_picture_message;

/** What a stretch of the critical path is spent on. */
typedef enum app_picture_path_kind {
    APP_PICTURE_PATH_COMPUTE,
    APP_PICTURE_PATH_OVERHEAD, /* o and O */
    APP_PICTURE_PATH_NETWORK,  /* L, S, g, G, distance */
    APP_PICTURE_PATH_NOISE,    /* on any rank */
    APP_PICTURE_PATH_NUM_KINDS
} app_picture_path_kind;
/** "compute", "overhead", "network", "noise". Static. */
const char *app_picture_path_kind_name(app_picture_path_kind kind);

typedef struct app_picture_path {
    uint32_t rank;
    uint32_t op;
    sim_time begin; /* where the stretch before it ends */
    sim_time end;
    sim_time part[APP_PICTURE_PATH_NUM_KINDS]; /* they sum up to end - begin */
} app_picture_path;

/** A level of the pyramid: rows of ranks, columns of time, cells [row * columns + column]. */
typedef struct app_picture_level {
    uint32_t rows;
    uint32_t columns;
    uint32_t ranks_per_row; /* row r: the ranks from r * ranks_per_row on */
    sim_time column_width;
    uint8_t *mean;   /* of 255: share of the cell's rank-time that is lost; above 0 it is never 0 */
    uint8_t *most;   /* the same of the worst rank that is known of it */
    uint32_t *worst; /* that rank; APP_PICTURE_NONE: nothing is lost */
} app_picture_level;

void app_picture_level_clear(app_picture_level *level);

/** Some ranks with a row each. */
typedef struct app_picture_block {
    uint32_t first; /* rank */
    uint32_t ranks;
    uint32_t columns;
    sim_time column_width;
    uint8_t
        *share; /* [ranks * columns] of 255: that is lost of the column; above 0 it is never 0 */
} app_picture_block;

/** A named source of detours. */
typedef struct app_picture_component {
    char *name;       /* "fixed:1kHz:100us@3", "injected" */
    uint64_t detours; /* met on the ranks that are shown, in the time shown */
    sim_time length;  /* all of them */
} app_picture_component;

/** A rank that an idle wave has come to. */
typedef struct app_picture_front {
    uint32_t rank;
    int64_t distance; /* in ranks from where it began, with sign: which way it travelled */
    sim_time arrived; /* when the first stretch that is late would have begun without the detour */
    sim_time delay;   /* by how much it does */
    bool is_fitted;   /* the lines go through it */
} app_picture_front;

/** What is fitted with its 95 % interval. */
typedef struct app_picture_fit {
    double value; /* NAN: not to be had */
    double low;
    double high;
} app_picture_fit;

/** An idle wave in one direction. */
typedef struct app_picture_wave {
    int direction;         /* +1: to larger ranks, -1 */
    size_t points;         /* that are fitted */
    app_picture_fit speed; /* ranks per second */
    app_picture_fit decay; /* of its delay, ps per rank; > 0: it becomes smaller */
    uint32_t absorbed;     /* the first rank that it does not come to; APP_PICTURE_NONE: it ends
                            * at the end of the chain, or where it meets itself */
} app_picture_wave;

/** A detour that was injected, and what became of it. */
typedef struct app_picture_injection {
    uint32_t rank;
    sim_time at;
    sim_time length;
    size_t num_fronts;
    app_picture_front *fronts; /* [num_fronts] in order of distance */
    size_t num_waves;
    app_picture_wave waves[2];
    uint32_t sigma;        /* of the formula: ranks per step and distance */
    uint32_t distance;     /* d: of the farthest partner */
    sim_time step;         /* T_exec + T_comm; 0: the run has no steps, there is no formula */
    double formula;        /* sigma d / step, ranks per second; NAN */
    sim_time finish_delay; /* by how much the run ends later */
    char *text;            /* all of this for people, in a few sentences */
} app_picture_injection;

/** Text beside a key. */
typedef struct app_picture_fact {
    char *key;
    char *value;
} app_picture_fact;

typedef struct app_picture {
    char *title;
    char *manifest; /* the line that starts with '#', without it */
    uint32_t num_ranks;
    sim_time makespan;
    sim_time ideal;    /* makespan without noise; 0: not known (a recorded run) */
    bool is_recorded;  /* not simulated: what is lost is not known */
    bool has_no_usual; /* there was no run without noise beside it: waiting for noise is not told
                        * from waiting */
    sim_time from, to; /* the time that lanes, messages show */
    sim_time time[APP_PICTURE_NUM_KINDS]; /* of all ranks together, until each has finished */
    sim_time absorbed;  /* all waited less by so much than without noise: that delay is gone */
    uint64_t further;   /* stretches on other CPUs of ranks than their first: left out */
    uint64_t reordered; /* stretches of another operation than in the run without noise */

    size_t num_levels;         /* 0: there is no heat map */
    app_picture_level *levels; /* [num_levels] the finest first; each halves rows and columns */
    app_picture_level *few;    /* the same of fewer ranks a row than the finest, in fewer columns;
                                * NULL: none */
    size_t num_blocks;
    app_picture_block *blocks; /* [num_blocks] of some ranks, in the order of ranks */

    size_t num_lanes;
    app_picture_lane *lanes; /* [num_lanes] those that lost most first, or as they were asked for */
    size_t num_slices;
    app_picture_slice *slices;
    size_t num_ripples;
    app_picture_ripple *ripples; /* [num_ripples] of the detours shown, the earliest first; none:
                                  * causes are known only where all stretches were kept */
    size_t num_cones;
    app_picture_cone *cones; /* [num_cones] by ripple, then rank; none: nobody asked for them */
    size_t num_messages;
    app_picture_message *messages; /* [num_messages] in order of the instant received */
    size_t num_path;
    app_picture_path *path;                         /* [num_path] earliest first; 0: not recorded */
    sim_time path_part[APP_PICTURE_PATH_NUM_KINDS]; /* of the whole path */
    size_t num_components;
    app_picture_component *components;
    app_picture_injection *injection; /* NULL: none */
    size_t num_facts;
    app_picture_fact *facts; /* what else was found, in order */
    size_t num_notes;
    char **notes; /* [num_notes] what the picture does not stand for, as sentences */
} app_picture;

/** Is anything known of that state? If not, its time is 0, which means nothing. */
bool app_picture_knows(const app_picture *picture, app_picture_kind kind);
/** NULL is a no-op. */
void app_picture_free(app_picture *picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_picture, app_picture_free)
