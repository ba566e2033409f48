/* apps/tracer/record/archive.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This process's files of the archive: its events and its local definitions. OTF2 believes to be
 * rank 1 of 2 everywhere and never talks to other processes, so the files can be closed at any
 * time, also by a process that dies alone. Folder, anchor and global definitions come from
 * definitions.c.
 */
#include "record/archive.h"

#include "record/attempt.h"
#include "record/state.h"
#include "tracer/protocol.h"

#include <fcntl.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 256 * 1024 }; /* OTF2_CHUNK_SIZE_MIN; all that a flush writes */

static OTF2_Archive *archive;
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
    tracer_attempt_writes();
    return OTF2_FLUSH;
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

static char *file_path(char *path, size_t room, const char *suffix)
{
    const int n =
        snprintf(path, room, "%s/" TRACER_ARCHIVE "/%d.%s", tracer.dir, tracer.rank, suffix);
    return n > 0 && (size_t)n < room ? path : NULL;
}

static void open_archive(void *unused)
{
    (void)unused;
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
    /* without a function for after it OTF2 writes no BufferFlush: tracer_replay_flushed does, when
     * all calls that were noted are written, which OTF2 cannot know */
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = pre_flush};
    static const OTF2_MemoryCallbacks memory = {allocate, free_all};
    archive = OTF2_Archive_Open(tracer.dir, TRACER_ARCHIVE, OTF2_FILEMODE_WRITE, CHUNK, CHUNK,
                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    (void)OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
    (void)OTF2_Archive_SetMemoryCallbacks(archive, &memory, NULL);
    /* any address does for the context: our callbacks do not look at it */
    (void)OTF2_Archive_SetCollectiveCallbacks(archive, &alone, NULL,
                                              (OTF2_CollectiveContext *)&archive, NULL);
    (void)OTF2_Archive_OpenEvtFiles(archive);
    (void)OTF2_Archive_OpenDefFiles(archive);
    tracer.events = OTF2_Archive_GetEvtWriter(archive, (OTF2_LocationRef)tracer.rank);
    tracer.definitions = OTF2_Archive_GetDefWriter(archive, (OTF2_LocationRef)tracer.rank);
}

bool tracer_archive_open(void)
{
    return tracer_attempt(open_archive, NULL) && tracer.events != NULL &&
           tracer.definitions != NULL;
}

void tracer_archive_define(void (*work)(void *data), void *data)
{
    if (tracer.definitions != NULL && tracer_otf2_begin()) {
        if (!tracer_attempt(work, data)) {
            tracer.definitions = NULL;
        }
        tracer_otf2_end();
    }
}

/* OTF2 keeps the file open, and at exit the C library would write what it still holds of it. */
static void detach(const struct stat *file)
{
    enum { MOST = 1 << 16 };
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const long most = sysconf(_SC_OPEN_MAX);
    for (int fd = 0; nowhere >= 0 && fd < most && fd < MOST; fd++) {
        struct stat st;
        if (fstat(fd, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino) {
            (void)dup3(nowhere, fd, O_CLOEXEC);
        }
    }
    if (nowhere >= 0) {
        (void)close(nowhere);
    }
}

void tracer_archive_give_up(void)
{
    char path[4096];
    struct stat st;
    tracer.events = NULL;
    if (file_path(path, sizeof path, "evt") != NULL && stat(path, &st) == 0 &&
        S_ISREG(st.st_mode)) {
        detach(&st);
        if (truncate(path, st.st_size - st.st_size % CHUNK) != 0) {
            /* the reader goes as far as the file is whole */
        }
    }
}

static void close_definitions(void *writer)
{
    (void)OTF2_Archive_CloseDefWriter(archive, writer);
    (void)OTF2_Archive_CloseDefFiles(archive);
}

static void close_events(void *writer)
{
    (void)OTF2_EvtWriter_GetNumberOfEvents(writer, &num_events);
    (void)OTF2_Archive_CloseEvtWriter(archive, writer);
    (void)OTF2_Archive_CloseEvtFiles(archive);
}

static void close_archive(void *unused)
{
    (void)unused;
    (void)OTF2_Archive_Close(archive);
}

bool tracer_archive_close(void)
{
    OTF2_EvtWriter *events = tracer.events;
    OTF2_DefWriter *definitions = tracer.definitions;
    tracer.events = NULL; /* nothing is recorded from here on */
    tracer.definitions = NULL;
    /* Definitions first: events whose communicators are unknown cannot be read. */
    const bool defined = definitions != NULL && tracer_attempt(close_definitions, definitions);
    if (events == NULL) {
        return false; /* given up before: its writer must not be closed, so the archive neither */
    }
    if (!tracer_attempt(close_events, events)) {
        tracer_archive_give_up();
        return false;
    }
    return defined && tracer_attempt(close_archive, NULL) && tracer_attempt_error() == NULL;
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
        if (file_path(path, sizeof path, suffix[i]) != NULL && stat(path, &st) == 0) {
            bytes += (uint64_t)st.st_size;
        }
    }
    return bytes;
}
