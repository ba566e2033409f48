/* tests/schedgen/otf2/otf2_archive.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "otf2_archive.h"

#include <ftw.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const uint64_t CHUNK = 262144; /* OTF2_CHUNK_SIZE_MIN */
enum { REGION_INIT, REGION_BARRIER, REGION_COLLECTIVE, NUM_REGIONS };

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
                                void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_Archive *open_archive(const char *dir)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = pre_flush};
    OTF2_Archive *a = OTF2_Archive_Open(dir, "traces", OTF2_FILEMODE_WRITE, CHUNK, CHUNK,
                                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    g_assert_nonnull(a);
    OTF2_Archive_SetFlushCallbacks(a, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(a);
    OTF2_Archive_SetCreator(a, "Score-P by hand");
    OTF2_Archive_OpenEvtFiles(a);
    OTF2_Archive_OpenDefFiles(a);
    return a;
}

/* Ranks with @p threads locations each: location rank * threads is the rank's main thread.
 * Strings beside those that are needed: @p more_strings. */
static void close_archive(OTF2_Archive *a, uint32_t ranks, uint32_t threads, uint32_t more_strings)
{
    static const char *const text[] = {"", "MPI_Init", "MPI_Barrier", "MPI_Collective",
                                       "MPI_COMM_WORLD"};
    OTF2_Archive_CloseEvtFiles(a);
    OTF2_Archive_CloseDefFiles(a);
    OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(a);
    OTF2_GlobalDefWriter_WriteClockProperties(w, 1000000000, 0, 5000, OTF2_UNDEFINED_TIMESTAMP);
    for (uint32_t i = 0; i < G_N_ELEMENTS(text); i++) {
        OTF2_GlobalDefWriter_WriteString(w, i, text[i]);
    }
    for (uint32_t r = 0; r < NUM_REGIONS; r++) {
        OTF2_GlobalDefWriter_WriteRegion(w, r, r + 1, r + 1, 0, OTF2_REGION_ROLE_FUNCTION,
                                         OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, 0, 0, 0);
    }
    for (uint32_t i = 0; i < more_strings; i++) {
        OTF2_GlobalDefWriter_WriteString(w, G_N_ELEMENTS(text) + i, "nobody asks for this");
    }
    OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    g_autofree uint64_t *locations = g_new(uint64_t, ranks);
    g_autofree uint64_t *world = g_new(uint64_t, ranks);
    for (uint32_t r = 0; r < ranks; r++) {
        locations[r] = (uint64_t)r * threads;
        world[r] = r;
        OTF2_GlobalDefWriter_WriteLocationGroup(w, r, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        for (uint32_t t = 0; t < threads; t++) {
            OTF2_GlobalDefWriter_WriteLocation(
                w, locations[r] + t, 0, OTF2_LOCATION_TYPE_CPU_THREAD, OTF2_UNDEFINED_UINT64, r);
        }
    }
    OTF2_GlobalDefWriter_WriteGroup(w, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, ranks, locations);
    OTF2_GlobalDefWriter_WriteGroup(w, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, ranks, world);
    OTF2_GlobalDefWriter_WriteComm(w, 0, 4, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    g_assert_cmpint(OTF2_Archive_CloseGlobalDefWriter(a, w), ==, OTF2_SUCCESS);
    g_assert_cmpint(OTF2_Archive_Close(a), ==, OTF2_SUCCESS);
}

static void barrier(OTF2_EvtWriter *w, uint64_t from, uint64_t to, uint64_t flushed_until)
{
    OTF2_EvtWriter_Enter(w, NULL, from, REGION_BARRIER);
    OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, from);
    OTF2_EvtWriter_MpiCollectiveEnd(w, NULL, to, OTF2_COLLECTIVE_OP_BARRIER, 0,
                                    OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    if (flushed_until > 0) {
        OTF2_EvtWriter_BufferFlush(w, NULL, to, flushed_until);
    }
    OTF2_EvtWriter_Leave(w, NULL, to, REGION_BARRIER);
}

static void write_clocks(OTF2_Archive *a)
{
    OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(a, 0);
    OTF2_EvtWriter_Enter(w, NULL, 0, REGION_INIT);
    OTF2_EvtWriter_Leave(w, NULL, 1000, REGION_INIT);
    barrier(w, 2000, 2400, 2900);
    barrier(w, 3200, 3300, 0);
    OTF2_Archive_CloseEvtWriter(a, w);
    w = OTF2_Archive_GetEvtWriter(a, 1);
    barrier(w, 1000, 1100, 0);
    barrier(w, 3000, 3100, 0);
    OTF2_Archive_CloseEvtWriter(a, w);
    OTF2_DefWriter *d = OTF2_Archive_GetDefWriter(a, 1);
    OTF2_DefWriter_WriteClockOffset(d, 1000, -500, 0);
    OTF2_DefWriter_WriteClockOffset(d, 3000, -700, 0);
    OTF2_Archive_CloseDefWriter(a, d);
}

static void unknown(OTF2_EvtWriter *w, uint64_t from, uint64_t to)
{
    OTF2_EvtWriter_Enter(w, NULL, from, REGION_COLLECTIVE);
    OTF2_EvtWriter_Leave(w, NULL, to, REGION_COLLECTIVE);
}

static void write_flushes(OTF2_Archive *a)
{
    OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(a, 0);
    OTF2_EvtWriter_Enter(w, NULL, 0, REGION_INIT);
    OTF2_EvtWriter_Leave(w, NULL, 1000, REGION_INIT);
    OTF2_EvtWriter_BufferFlush(w, NULL, 1500, 3000);
    unknown(w, 1600, 1610);
    unknown(w, 1700, 1710);
    barrier(w, 1800, 1850, 0);
    unknown(w, 1900, 1910);
    barrier(w, 3500, 3600, 0);
    OTF2_Archive_CloseEvtWriter(a, w);
}

static void write_threads(OTF2_Archive *a)
{
    for (uint32_t location = 0; location < 4; location++) {
        OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(a, location);
        barrier(w, 1000, 1100, 0);
        if (location % 2 == 0) {
            barrier(w, 2000, 2100, 0);
        }
        OTF2_Archive_CloseEvtWriter(a, w);
    }
}

void otf2_archive_write(const char *dir, otf2_archive which)
{
    OTF2_Archive *a = open_archive(dir);
    if (which == OTF2_ARCHIVE_THREADS) {
        write_threads(a);
    } else if (which == OTF2_ARCHIVE_FLUSHES) {
        write_flushes(a);
    } else {
        write_clocks(a);
    }
    close_archive(a, which == OTF2_ARCHIVE_FLUSHES ? 1 : 2, which == OTF2_ARCHIVE_THREADS ? 2 : 1,
                  which == OTF2_ARCHIVE_LONG_DEFINITIONS ? 40000 : 0);
}

void otf2_archive_write_collective(const char *dir, OTF2_CollectiveOp op, uint32_t root,
                                   const uint64_t sent[3], const uint64_t received[3])
{
    OTF2_Archive *a = open_archive(dir);
    for (uint32_t r = 0; r < 3; r++) {
        OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(a, r);
        /* no Enter and Leave: a record alone is a call, too */
        OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, 1000);
        OTF2_EvtWriter_MpiCollectiveEnd(w, NULL, 1500, op, 0, root, sent[r], received[r]);
        OTF2_Archive_CloseEvtWriter(a, w);
    }
    close_archive(a, 3, 1, 0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

void otf2_archive_remove(const char *dir)
{
    g_assert_cmpint(nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS), ==, 0);
}
