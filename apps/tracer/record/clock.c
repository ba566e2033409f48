/* apps/tracer/record/clock.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Offsets of the ranks' clocks to that of rank 0, once at the start and once at the end, so that
 * the reader can take out offset and drift. Ranks of one running kernel share its monotonic
 * clock: their offset is 0 by definition, and would only get worse by measuring.
 */
#include "record/clock.h"

#include "record/archive.h"
#include "record/cpu.h"
#include "record/off_cpu.h"
#include "record/state.h"
#include "tracer/protocol.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 16, TAG = 4711, BOOT_ID = 36 };

typedef struct measurement {
    uint64_t when;
    int64_t offset;
    double uncertainty;
} measurement;

/* Names the running kernel; differs between nodes and over reboots. */
static void boot_id(char *id)
{
    memset(id, 0, BOOT_ID);
    const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, id, BOOT_ID) : -1;
    if (n != BOOT_ID) { /* not on Linux: take no clocks for equal */
        memcpy(id, &tracer.rank, sizeof tracer.rank);
    }
    if (fd >= 0) {
        (void)close(fd);
    }
}

/* Rank 0's side of one measurement: echo its clock. */
static void answer(int rank)
{
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t time;
        PMPI_Recv(NULL, 0, MPI_BYTE, rank, TAG, tracer.world, MPI_STATUS_IGNORE);
        time = tracer_clock();
        PMPI_Send(&time, 1, MPI_UINT64_T, rank, TAG, tracer.world);
    }
}

/* Of the fastest round trip, the middle is when rank 0 read its clock, give or take half of it. */
static void ask(measurement *m)
{
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t theirs;
        const uint64_t from = tracer_clock();
        PMPI_Send(NULL, 0, MPI_BYTE, 0, TAG, tracer.world);
        PMPI_Recv(&theirs, 1, MPI_UINT64_T, 0, TAG, tracer.world, MPI_STATUS_IGNORE);
        const uint64_t to = tracer_clock();
        if (to - from < best) {
            best = to - from;
            m->when = from + best / 2;
            m->offset = (int64_t)theirs - (int64_t)m->when;
            m->uncertainty = (double)best / 2;
        }
    }
}

static void define(void *data)
{
    const measurement *m = data;
    (void)OTF2_DefWriter_WriteClockOffset(tracer.definitions, m->when, m->offset, m->uncertainty);
}

void tracer_clock_align(bool first)
{
    static int64_t first_offset;
    char root[BOOT_ID];
    char mine[BOOT_ID];
    const char *how = getenv(TRACER_ENV_CLOCK);
    boot_id(mine);
    memcpy(root, mine, BOOT_ID);
    PMPI_Bcast(root, BOOT_ID, MPI_BYTE, 0, tracer.world);
    int foreign = tracer.rank != 0 && (memcmp(root, mine, BOOT_ID) != 0 ||
                                       (how != NULL && strcmp(how, "measure") == 0));
    int *all = tracer.rank == 0 ? tracer_calloc((size_t)tracer.size, sizeof *all) : NULL;
    PMPI_Gather(&foreign, 1, MPI_INT, all, 1, MPI_INT, 0, tracer.world);
    measurement m = {.when = tracer_clock()};
    for (int r = 1; all != NULL && r < tracer.size; r++) {
        if (all[r]) {
            answer(r);
        }
    }
    free(all);
    if (foreign) {
        ask(&m);
    }
    /* An offset holds from a time on; a clock that is right needs none. */
    if (m.offset != 0 || (!first && first_offset != 0)) {
        tracer_archive_define(define, &m);
    }
    tracer_off_cpu_clock(first, mine, m.when, m.offset, (uint64_t)m.uncertainty);
    first_offset = first ? m.offset : first_offset;
    tracer.clock_offset = first_offset;
}
