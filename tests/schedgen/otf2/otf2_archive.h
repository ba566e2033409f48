/* tests/schedgen/otf2/otf2_archive.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Small OTF2 archives in the manner of Score-P, for tests of the reader.
 */
#pragma once

#include <otf2/otf2.h>

typedef enum {
    /** 2 ranks, 1 GHz. Rank 0: [0, 1000] MPI_Init, [2000, 2400] MPI_Barrier with a flush until
     *  2900, [3200, 3300] MPI_Barrier. Rank 1: [1000, 1100] and [3000, 3100], clock offsets -500 at
     * 1000, -700 at 3000. */
    OTF2_ARCHIVE_CLOCKS,
    /** 2 ranks with two threads each; the second ones have an event, too. */
    OTF2_ARCHIVE_THREADS,
    /** 1 rank: a flush from 1500 to 3000 stands before calls from 1600 on, as where calls are noted
     *  and written later: 3 that are not known, MPI_Barrier [1800, 1850] before the third; after
     *  the flush MPI_Barrier [3500, 3600]. */
    OTF2_ARCHIVE_FLUSHES,
    /** As OTF2_ARCHIVE_CLOCKS; its global definitions take four chunks. */
    OTF2_ARCHIVE_LONG_DEFINITIONS,
} otf2_archive;

/** Write traces.otf2 with its files into an existing folder; ends the test program on failure. */
void otf2_archive_write(const char *dir, otf2_archive which);
/** 3 ranks that make one collective each. */
void otf2_archive_write_collective(const char *dir, OTF2_CollectiveOp op, uint32_t root,
                                   const uint64_t sent[3], const uint64_t received[3]);
/** The folder and all in it. */
void otf2_archive_remove(const char *dir);
