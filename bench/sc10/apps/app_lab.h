/* bench/sc10/apps/app_lab.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Runs the proxies' records, repeated to many ranks, and keeps what came of it: several experiments
 * look at the same runs. All that will be looked at is asked for first, by all experiments, so that
 * it goes in one queue (app_queue.h).
 */
#pragma once

#include "app_case.h"
#include "sched/trace.h"
#include "shares.h"
#include "sim/program.h"

typedef struct sc10_app_lab sc10_app_lab;

/** Runs of one case under noise. */
typedef struct sc10_app_times {
    uint32_t ranks;
    double ideal;     /* s, without noise */
    double ideal_off; /* s; 0: it was run; else extrapolated, off as in ideal.h */
    size_t n;         /* runs; 0: the case has no noise */
    double *time;     /* [n] s */
    uint64_t messages;
    double fewest_met; /* detours of the component that all ranks of a run meet least of */
} sc10_app_times;

typedef struct sc10_app_plan {
    uint32_t copies;   /* no size has more copies of a record than this; 0: the paper's */
    uint32_t runs;     /* under noise, of each case but for those of the two largest sizes */
    uint32_t few_runs; /* of the largest size */
    /** Of the one before it, where no interval is asked of the runs: sc10_app_times.n says how many
     * there are. */
    uint32_t fewer_runs;
    bool exact; /* the largest size is run without noise, too, not extrapolated to */
    unsigned threads;
    uint64_t seed;
} sc10_app_plan;

/** @param folder of the records; read when they are first asked for */
sc10_app_lab *sc10_app_lab_new(const char *folder, const sc10_app_plan *plan);
void sc10_app_lab_free(sc10_app_lab *lab);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sc10_app_lab, sc10_app_lab_free)

/** Copies of the record at each size that the plan allows, ascending. @return how many */
size_t sc10_app_sizes(const sc10_app_lab *lab, sc10_proxy_id proxy,
                      uint32_t copies[SC10_PROXY_SIZES]);
/** Is the largest of them the paper's? */
bool sc10_app_is_whole(const sc10_app_lab *lab, sc10_proxy_id proxy);

/** How many runs of @p what under its noise there are to be; 0: it has none. */
uint32_t sc10_app_runs_of(const sc10_app_lab *lab, const sc10_app_case *what);
/** The ideal run of @p what, and those under its noise, will be looked at. */
void sc10_app_ask(sc10_app_lab *lab, const sc10_app_case *what);
/** Where the time of @p what goes, which has one copy and no noise, will be looked at. */
void sc10_app_ask_shares(sc10_app_lab *lab, const sc10_app_case *what);
/** Run all that was asked for and has not been run; what cannot be run is an error of ours:
 * aborts. */
void sc10_app_run_asked(sc10_app_lab *lab);
/** Of a case that has been run, or is run now. Borrowed until the lab is gone. */
const sc10_app_times *sc10_app_times_of(sc10_app_lab *lab, const sc10_app_case *what);
/** The same of its shares. */
const sc10_shares *sc10_app_shares_of(sc10_app_lab *lab, const sc10_app_case *what);
/** Has it been asked for? */
bool sc10_app_has(const sc10_app_lab *lab, const sc10_app_case *what);

/** The record, its computation as @p what has it. Borrowed. */
const sched_trace *sc10_app_trace(sc10_app_lab *lab, const sc10_app_case *what);
uint64_t sc10_app_seed(const sc10_app_lab *lab);
