/* noise/miner/rows.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Mode modern: from one source of noise and the ranks it hits to rows of the report.
 */
#pragma once

#include "miner/blame.h"
#include "miner/examples.h"
#include "miner/row.h"
#include "timing/period.h"

/** What one source does to one rank. */
typedef struct miner_affected {
    uint32_t rank;
    double hits;     /* whole detours */
    double partial;  /* events with the rest of one */
    double time;     /* lost to both, ps */
    double whole;    /* of this, to whole detours */
    double square;   /* of how far those are from the length of the source, ps^2 */
    double looked;   /* remembered events with whole detours … */
    double exact;    /* … and those of just the length of the source */
    double span;     /* run time of the rank, ps */
    double visible;  /* share of it in which detours are seen; 0: not known */
    double cpu_time; /* lost by events whose CPU time is known, ps … */
    double cpu;      /* … and by how much that was longer */
    miner_period period;
    bool split; /* these are a part of its hits: it has several rhythms */
} miner_affected;

/** An event that no source explains. */
typedef struct miner_lone_hit {
    uint32_t rank;
    miner_hit hit;
    double span; /* run time of the rank, ps */
} miner_lone_hit;

/** All of them. */
typedef struct miner_lone {
    GArray *hit; /* miner_lone_hit, by rank; not all if they are many */
    uint64_t events;
    double share; /* of the run time of all ranks */
} miner_lone;

/**
 * Of events that no source explains: many are one row, whose length is a bound, since rests of
 * detours of one length spread up to it; few are told one by one in @p report. Those of the row no
 * longer count as residue. @p lone is reordered.
 */
void noise_miner_rows_append_lone(const noise_miner *miner, miner_lone *lone,
                                  noise_miner_report *report, GArray *rows);

/**
 * Append the rows of source @p source of @p blame to @p rows: one for all ranks with the same
 * period, and among those without a period one for similar rates. Rows below the options' limits
 * are counted in
 * @p report instead.
 * @param affected [n] ascending by rank; reordered
 * @param examples miner_example of this source
 */
void noise_miner_rows_append(const noise_miner *miner, const miner_blame *blame, uint32_t source,
                             miner_affected *affected, size_t n, const GArray *examples,
                             noise_miner_report *report, GArray *rows);
/** The largest share first; a total order. */
void noise_miner_rows_sort(GArray *rows);
