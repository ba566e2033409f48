/* apps/tracer/record/definitions.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rank 0 writes the anchor file and the global definitions twice: when the program starts, so
 * that whatever happens the records can be read, and when all ranks have come to MPI_Finalize.
 * Each time in a folder of their own, from where they are renamed into place.
 */
#include "record/definitions.h"

#include "record/attempt.h"
#include "record/regions.h"
#include "record/state.h"
#include "tracer/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const uint64_t CHUNK = 262144; /* OTF2_CHUNK_SIZE_MIN; there are no events */
enum { GROUP_LOCATIONS, GROUP_SELF, GROUP_WORLD, GROUP_OTHERS }; /* numbers of groups */

static const struct {
    const char *name;
    OTF2_RegionRole role;
} REGION[] = {
#define X(name, symbol, role) {symbol, OTF2_REGION_ROLE_##role},
    TRACER_FUNCTIONS(X)
#undef X
};

typedef struct writer {
    OTF2_GlobalDefWriter *w;
    uint32_t strings;
    bool ok;
} writer;

static OTF2_StringRef string(writer *d, const char *text)
{
    d->ok &= OTF2_GlobalDefWriter_WriteString(d->w, d->strings, text) == OTF2_SUCCESS;
    return d->strings++;
}

static void write_vocabulary(writer *d, OTF2_StringRef empty)
{
    const OTF2_StringRef mpi = string(d, "MPI");
    d->ok &= OTF2_GlobalDefWriter_WriteParadigm(d->w, OTF2_PARADIGM_MPI, mpi,
                                                OTF2_PARADIGM_CLASS_PROCESS) == OTF2_SUCCESS;
    for (uint32_t r = 0; r < REGION_COUNT; r++) {
        const OTF2_StringRef name = string(d, REGION[r].name);
        d->ok &= OTF2_GlobalDefWriter_WriteRegion(d->w, r, name, name, empty, REGION[r].role,
                                                  OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, mpi, 0,
                                                  0) == OTF2_SUCCESS;
    }
    static const struct {
        const char *name, *description;
        OTF2_Type type;
    } attribute[] = {
#define X(symbol, name, type, description) {name, description, OTF2_TYPE_##type},
        SCHED_OTF2_ATTRIBUTES(X)
#undef X
    };
    for (uint32_t a = 0; a < ATTR_COUNT; a++) {
        const OTF2_StringRef name = string(d, attribute[a].name);
        const OTF2_StringRef description = string(d, attribute[a].description);
        d->ok &= OTF2_GlobalDefWriter_WriteAttribute(d->w, a, name, description,
                                                     attribute[a].type) == OTF2_SUCCESS;
    }
    static const char *const parameter[] = {
#define X(symbol, name) name,
        SCHED_OTF2_PARAMETERS(X)
#undef X
    };
    for (uint32_t p = 0; p < PARAM_COUNT; p++) {
        const OTF2_StringRef name = string(d, parameter[p]);
        d->ok &= OTF2_GlobalDefWriter_WriteParameter(d->w, p, name, OTF2_PARAMETER_TYPE_UINT64) ==
                 OTF2_SUCCESS;
    }
}

/* Machine, nodes, a process with one location per rank. */
static void write_places(writer *d, const tracer_definitions *t)
{
    const OTF2_StringRef machine = string(d, "machine");
    const OTF2_StringRef node_class = string(d, "node");
    d->ok &= OTF2_GlobalDefWriter_WriteSystemTreeNode(
                 d->w, 0, machine, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE) == OTF2_SUCCESS;
    for (int i = 0; i < t->num_nodes; i++) {
        const OTF2_StringRef name = string(d, t->node_names[i]);
        d->ok &= OTF2_GlobalDefWriter_WriteSystemTreeNode(d->w, (uint32_t)i + 1, name, node_class,
                                                          0) == OTF2_SUCCESS;
    }
    const OTF2_StringRef thread = string(d, "Master thread");
    for (int r = 0; r < t->size; r++) {
        char text[32];
        (void)snprintf(text, sizeof text, "MPI Rank %d", r);
        const OTF2_StringRef name = string(d, text);
        d->ok &= OTF2_GlobalDefWriter_WriteLocationGroup(
                     d->w, (uint32_t)r, name, OTF2_LOCATION_GROUP_TYPE_PROCESS, t->nodes[r] + 1,
                     OTF2_UNDEFINED_LOCATION_GROUP) == OTF2_SUCCESS;
        d->ok &= OTF2_GlobalDefWriter_WriteLocation(
                     d->w, (uint64_t)r, thread, OTF2_LOCATION_TYPE_CPU_THREAD,
                     t->events != NULL ? t->events[r] : OTF2_UNDEFINED_UINT64,
                     (uint32_t)r) == OTF2_SUCCESS;
    }
}

static void write_group(writer *d, uint32_t id, OTF2_StringRef name, OTF2_GroupType type,
                        const uint32_t *members, uint32_t n)
{
    uint64_t *wide = tracer_calloc(n, sizeof *wide);
    for (uint32_t i = 0; i < n; i++) {
        wide[i] = members != NULL ? members[i] : i;
    }
    d->ok &= OTF2_GlobalDefWriter_WriteGroup(d->w, id, name, type, OTF2_PARADIGM_MPI,
                                             OTF2_GROUP_FLAG_NONE, n, wide) == OTF2_SUCCESS;
    free(wide);
}

typedef const uint32_t *entry; /* a communicator: id, size, members */

static int by_id(const void *a, const void *b)
{
    const entry *x = a;
    const entry *y = b;
    return (**x > **y) - (**x < **y);
}

static void write_comms(writer *d, const tracer_definitions *t, OTF2_StringRef empty)
{
    const uint32_t size = (uint32_t)t->size;
    write_group(d, GROUP_LOCATIONS, empty, OTF2_GROUP_TYPE_COMM_LOCATIONS, NULL, size);
    write_group(d, GROUP_SELF, empty, OTF2_GROUP_TYPE_COMM_SELF, NULL, 0);
    write_group(d, GROUP_WORLD, empty, OTF2_GROUP_TYPE_COMM_GROUP, NULL, size);
    d->ok &=
        OTF2_GlobalDefWriter_WriteComm(d->w, 0, string(d, "MPI_COMM_WORLD"), GROUP_WORLD,
                                       OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE) == OTF2_SUCCESS;
    d->ok &=
        OTF2_GlobalDefWriter_WriteComm(d->w, 1, string(d, "MPI_COMM_SELF"), GROUP_SELF,
                                       OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE) == OTF2_SUCCESS;
    size_t num = 0;
    for (size_t i = 0; i + 1 < t->comm_words; i += 2 + (size_t)t->comms[i + 1]) {
        num++;
    }
    entry *sorted = tracer_calloc(num, sizeof *sorted);
    for (size_t i = 0, k = 0; k < num; i += 2 + (size_t)t->comms[i + 1]) {
        sorted[k++] = t->comms + i;
    }
    qsort(sorted, num, sizeof *sorted, by_id); /* the order of tracer_comm_number */
    for (uint32_t k = 0; k < num; k++) {
        const uint32_t comm = 2 + k; /* 0 and 1 are those above */
        const uint32_t group = GROUP_OTHERS + k;
        char text[40];
        (void)snprintf(text, sizeof text, "communicator %u", comm);
        write_group(d, group, empty, OTF2_GROUP_TYPE_COMM_GROUP, sorted[k] + 2, sorted[k][1]);
        d->ok &=
            OTF2_GlobalDefWriter_WriteComm(d->w, comm, string(d, text), group, OTF2_UNDEFINED_COMM,
                                           OTF2_COMM_FLAG_NONE) == OTF2_SUCCESS;
    }
    free(sorted);
}

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                            bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

typedef struct task {
    const char *folder;
    const tracer_definitions *definitions;
    bool done;
} task;

static void write_archive(void *data)
{
    task *job = data;
    const char *folder = job->folder;
    tracer_attempt_writes();
    const tracer_definitions *t = job->definitions;
    OTF2_Archive *a = OTF2_Archive_Open(folder, TRACER_ARCHIVE, OTF2_FILEMODE_WRITE, CHUNK,
                                        OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX,
                                        OTF2_COMPRESSION_NONE);
    static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
    bool ok = OTF2_Archive_SetFlushCallbacks(a, &callbacks, NULL) == OTF2_SUCCESS &&
              OTF2_Archive_SetSerialCollectiveCallbacks(a) == OTF2_SUCCESS &&
              OTF2_Archive_SetCreator(a, SCHED_OTF2_CREATOR " trace") == OTF2_SUCCESS &&
              OTF2_Archive_SetBoolProperty(a, SCHED_OTF2_FINALIZED, t->events != NULL, true) ==
                  OTF2_SUCCESS;
    writer d = {.w = OTF2_Archive_GetGlobalDefWriter(a), .ok = true};
    if (ok && d.w != NULL) {
        struct timespec wall;
        (void)clock_gettime(CLOCK_REALTIME, &wall);
        d.ok &= OTF2_GlobalDefWriter_WriteClockProperties(
                    d.w, 1000000000U, t->start, t->end > t->start ? t->end - t->start : 0,
                    (uint64_t)wall.tv_sec * 1000000000U + (uint64_t)wall.tv_nsec) == OTF2_SUCCESS;
        const OTF2_StringRef empty = string(&d, "");
        write_vocabulary(&d, empty);
        write_places(&d, t);
        write_comms(&d, t, empty);
        ok = OTF2_Archive_CloseGlobalDefWriter(a, d.w) == OTF2_SUCCESS && d.ok;
    }
    job->done = OTF2_Archive_Close(a) == OTF2_SUCCESS && ok && d.w != NULL;
}

/* Rename from the folder of the definitions into the archive. */
static bool move(const char *from, const char *to, const char *name)
{
    char old[4096];
    char new[4096];
    const int n = snprintf(old, sizeof old, "%s/%s", from, name);
    const int m = snprintf(new, sizeof new, "%s/%s", to, name);
    return n > 0 && m > 0 && (size_t)n < sizeof old &&
           (size_t)m < sizeof new &&rename(old, new) == 0;
}

bool tracer_definitions_write(const tracer_definitions *t)
{
    char folder[4096];
    char inner[4096];
    const int n = snprintf(folder, sizeof folder, "%s/definitions.new", t->dir);
    const int m = snprintf(inner, sizeof inner, "%s/definitions.new/" TRACER_ARCHIVE, t->dir);
    if (n <= 0 || m <= 0 || (size_t)m >= sizeof inner || mkdir(folder, 0777) != 0) {
        return false;
    }
    task job = {.folder = folder, .definitions = t};
    const bool ok = tracer_attempt(write_archive, &job) && job.done &&
                    move(folder, t->dir, TRACER_ARCHIVE ".def") &&
                    move(folder, t->dir, TRACER_ANCHOR);
    if (!ok) {
        static const char *const left[] = {TRACER_ARCHIVE ".def", TRACER_ANCHOR};
        for (int i = 0; i < 2; i++) {
            char path[4096];
            const int k = snprintf(path, sizeof path, "%s/%s", folder, left[i]);
            if (k > 0 && (size_t)k < sizeof path) {
                (void)unlink(path);
            }
        }
    }
    (void)rmdir(inner);
    (void)rmdir(folder);
    return ok;
}
