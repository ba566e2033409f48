/* apps/tracer/archive.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This process's files of the archive: its events and its local definitions. OTF2 believes to be
 * rank 1 of 2 everywhere and never talks to other processes, so the files can be closed at any
 * time, also by a process that dies alone. Folder, anchor and global definitions come from
 * definitions.c.
 */
#include "tracer.h"
#include "tracer/protocol.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CHUNK = 256 * 1024 }; /* OTF2_CHUNK_SIZE_MIN; all that a flush writes */

static OTF2_Archive *archive;
static char first_error[256];
static unsigned num_errors;
static uint64_t num_events;

/* One chunk of events at a time: when it is full OTF2 gets none, and flushes. */
static struct {
    char *events;
    char *definitions;
    bool events_used;
    bool definitions_used;
} chunk;

static void *allocate(void *user, OTF2_FileType type, OTF2_LocationRef location, void **buffer,
                      uint64_t size)
{
    (void)user, (void)location, (void)buffer;
    char **memory = type == OTF2_FILETYPE_EVENTS ? &chunk.events : &chunk.definitions;
    bool *used = type == OTF2_FILETYPE_EVENTS ? &chunk.events_used : &chunk.definitions_used;
    if (*used) {
        return NULL;
    }
    if (*memory == NULL) {
        *memory = malloc(size);
    }
    *used = *memory != NULL;
    return *memory;
}

static void free_all(void *user, OTF2_FileType type, OTF2_LocationRef location, void **buffer,
                     bool final)
{
    (void)user, (void)location, (void)buffer;
    char **memory = type == OTF2_FILETYPE_EVENTS ? &chunk.events : &chunk.definitions;
    bool *used = type == OTF2_FILETYPE_EVENTS ? &chunk.events_used : &chunk.definitions_used;
    *used = false;
    if (final) {
        free(*memory);
        *memory = NULL;
    }
}

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
                                void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

/* OTF2 stores this in a BufferFlush record: until then nobody computed. */
static OTF2_TimeStamp post_flush(void *user, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)user, (void)type, (void)location;
    return tracer_clock();
}

static OTF2_CallbackCode get_size(void *user, OTF2_CollectiveContext *comm, uint32_t *size)
{
    (void)user, (void)comm;
    *size = 2;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode get_rank(void *user, OTF2_CollectiveContext *comm, uint32_t *rank)
{
    (void)user, (void)comm;
    *rank = 1;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode create_local(void *user, OTF2_CollectiveContext **local,
                                      OTF2_CollectiveContext *global, uint32_t rank, uint32_t size,
                                      uint32_t local_rank, uint32_t local_size, uint32_t file,
                                      uint32_t files)
{
    (void)user, (void)rank, (void)size, (void)local_rank, (void)local_size, (void)file;
    (void)files;
    *local = global;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode free_local(void *user, OTF2_CollectiveContext *comm)
{
    (void)user, (void)comm;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode barrier(void *user, OTF2_CollectiveContext *comm)
{
    (void)user, (void)comm;
    return OTF2_CALLBACK_SUCCESS;
}

/* What OTF2's root would say: 0, OTF2_SUCCESS. Rank 0 has made the folder before. */
static OTF2_CallbackCode bcast(void *user, OTF2_CollectiveContext *comm, void *data, uint32_t n,
                               OTF2_Type type, uint32_t root)
{
    (void)user, (void)comm, (void)root;
    static const size_t width[] = {
        [OTF2_TYPE_UINT8] = 1,  [OTF2_TYPE_UINT16] = 2, [OTF2_TYPE_UINT32] = 4,
        [OTF2_TYPE_UINT64] = 8, [OTF2_TYPE_INT8] = 1,   [OTF2_TYPE_INT16] = 2,
        [OTF2_TYPE_INT32] = 4,  [OTF2_TYPE_INT64] = 8,  [OTF2_TYPE_FLOAT] = 4,
        [OTF2_TYPE_DOUBLE] = 8,
    };
    memset(data, 0, n * (type < sizeof width / sizeof width[0] ? width[type] : 1));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode gather(void *user, OTF2_CollectiveContext *comm, const void *in, void *out,
                                uint32_t n, OTF2_Type type, uint32_t root)
{
    (void)user, (void)comm, (void)in, (void)out, (void)n, (void)type, (void)root;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode gatherv(void *user, OTF2_CollectiveContext *comm, const void *in,
                                 uint32_t n, void *out, const uint32_t *counts, OTF2_Type type,
                                 uint32_t root)
{
    (void)user, (void)comm, (void)in, (void)n, (void)out, (void)counts, (void)type, (void)root;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode scatter(void *user, OTF2_CollectiveContext *comm, const void *in,
                                 void *out, uint32_t n, OTF2_Type type, uint32_t root)
{
    (void)in;
    return bcast(user, comm, out, n, type, root);
}

static OTF2_CallbackCode scatterv(void *user, OTF2_CollectiveContext *comm, const void *in,
                                  const uint32_t *counts, void *out, uint32_t n, OTF2_Type type,
                                  uint32_t root)
{
    (void)in, (void)counts;
    return bcast(user, comm, out, n, type, root);
}

/* Keep the first complaint; OTF2 itself would print each. */
static OTF2_ErrorCode on_error(void *user, const char *file, uint64_t line, const char *function,
                               OTF2_ErrorCode code, const char *format, va_list arguments)
{
    (void)user, (void)file, (void)line, (void)function;
    num_errors += code > 0 ? 1 : 0;
    if (code > 0 && first_error[0] == '\0') {
        const int n =
            snprintf(first_error, sizeof first_error, "%s: ", OTF2_Error_GetDescription(code));
        if (n > 0 && (size_t)n < sizeof first_error) {
            (void)vsnprintf(first_error + n, sizeof first_error - (size_t)n, format, arguments);
        }
    }
    return code;
}

unsigned tracer_archive_errors(void)
{
    return num_errors;
}

const char *tracer_archive_error(void)
{
    return first_error[0] != '\0' ? first_error : NULL;
}

bool tracer_archive_open(void)
{
    static const OTF2_CollectiveCallbacks alone = {
        .otf2_get_size = get_size,
        .otf2_get_rank = get_rank,
        .otf2_create_local_comm = create_local,
        .otf2_free_local_comm = free_local,
        .otf2_barrier = barrier,
        .otf2_bcast = bcast,
        .otf2_gather = gather,
        .otf2_gatherv = gatherv,
        .otf2_scatter = scatter,
        .otf2_scatterv = scatterv,
    };
    static const OTF2_FlushCallbacks flush = {pre_flush, post_flush};
    static const OTF2_MemoryCallbacks memory = {allocate, free_all};
    (void)OTF2_Error_RegisterCallback(on_error, NULL);
    archive = OTF2_Archive_Open(tracer.dir, TRACER_ARCHIVE, OTF2_FILEMODE_WRITE, CHUNK, CHUNK,
                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive == NULL || OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL) != OTF2_SUCCESS ||
        OTF2_Archive_SetMemoryCallbacks(archive, &memory, NULL) != OTF2_SUCCESS ||
        /* any address does for the context: our callbacks do not look at it */
        OTF2_Archive_SetCollectiveCallbacks(
            archive, &alone, NULL, (OTF2_CollectiveContext *)&archive, NULL) != OTF2_SUCCESS ||
        OTF2_Archive_OpenEvtFiles(archive) != OTF2_SUCCESS ||
        OTF2_Archive_OpenDefFiles(archive) != OTF2_SUCCESS) {
        return false;
    }
    tracer.events = OTF2_Archive_GetEvtWriter(archive, (OTF2_LocationRef)tracer.rank);
    tracer.definitions = OTF2_Archive_GetDefWriter(archive, (OTF2_LocationRef)tracer.rank);
    return tracer.events != NULL && tracer.definitions != NULL;
}

bool tracer_archive_close(void)
{
    OTF2_EvtWriter *events = tracer.events;
    if (events == NULL) {
        return false;
    }
    tracer.events = NULL; /* nothing is recorded from here on */
    (void)OTF2_EvtWriter_GetNumberOfEvents(events, &num_events);
    /* Definitions first: events whose communicators are unknown cannot be read. */
    bool ok = OTF2_Archive_CloseDefWriter(archive, tracer.definitions) == OTF2_SUCCESS;
    ok &= OTF2_Archive_CloseDefFiles(archive) == OTF2_SUCCESS;
    ok &= OTF2_Archive_CloseEvtWriter(archive, events) == OTF2_SUCCESS;
    ok &= OTF2_Archive_CloseEvtFiles(archive) == OTF2_SUCCESS;
    ok &= OTF2_Archive_Close(archive) == OTF2_SUCCESS;
    return ok && first_error[0] == '\0';
}

uint64_t tracer_archive_events(void)
{
    return num_events;
}

uint64_t tracer_archive_bytes(void)
{
    uint64_t bytes = 0;
    static const char *const suffix[] = {"evt", "def"};
    for (int i = 0; i < 2; i++) {
        char path[4096];
        struct stat st;
        const int n = snprintf(path, sizeof path, "%s/" TRACER_ARCHIVE "/%d.%s", tracer.dir,
                               tracer.rank, suffix[i]);
        if (n > 0 && (size_t)n < sizeof path && stat(path, &st) == 0) {
            bytes += (uint64_t)st.st_size;
        }
    }
    return bytes;
}
