/* noise/miner/cluster.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the two modes as published share: components with a window of recent events, merged across
 * ranks in order of rank. docs/noise-miner.md, section 3.
 */
#pragma once

#include "miner/row.h"
#include "miner/state.h"

#include <stdbool.h>

#define MINER_CLUSTER_WINDOW 50 /* events, at most */

/** How a mode keeps recent events. */
typedef struct miner_cluster_rules {
    uint32_t window; /* 1..MINER_CLUSTER_WINDOW */
    bool by_begin;   /* of events that begin at one instant only one is kept, whatever their rank */
} miner_cluster_rules;

/** Before the merge across ranks a component of one rank; after it, of several. */
typedef struct miner_cluster {
    double noise; /* ps; while it is summed up, the sum */
    uint64_t count;
    miner_hit window[2 * MINER_CLUSTER_WINDOW]; /* at most rules.window between calls, in order */
    uint32_t num_hits;
    GArray *ranks; /* uint32_t, ascending; owned */
} miner_cluster;

/** A list of miner_cluster that owns their ranks. */
GArray *noise_miner_clusters_new(void);
/** Unite windows: the most recent of both. @p n <= rules.window. */
void noise_miner_cluster_see(miner_cluster *cluster, const miner_hit *hit, uint32_t n,
                             miner_cluster_rules rules);
/** The first cluster whose noise differs by less than 15 % takes @p c, of one rank, whose ranks go
 * with it; else it is one more. */
void noise_miner_clusters_merge(GArray *clusters, miner_cluster *c, miner_cluster_rules rules);

/** From the first to the last event of the window, ps. */
sim_time noise_miner_cluster_range(const miner_cluster *cluster);
/** Share of the run time of all ranks that it took. */
double noise_miner_cluster_share(const miner_cluster *cluster, const noise_miner_report *report);
/** What it says; the label is the caller's. Ranks must be filled in. */
noise_miner_row noise_miner_cluster_row(const noise_miner *miner, const miner_cluster *cluster,
                                        sim_time period, const noise_miner_report *report);
/** Sort @p rows by noise, the largest first, into @p report. Takes @p rows. */
void noise_miner_cluster_report(GArray *rows, noise_miner_report *report);
