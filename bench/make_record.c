/* bench/make_record.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a record as large as users have, of a program that nobody need run: each rank iterates a
 * halo exchange with six neighbours (receives and sends posted, one wait for all) and an allreduce,
 * 14 calls. Everything follows from rank and iteration, so it is written as a stream.
 * Usage: make_record liballprof|otf2 FOLDER RANKS CALLS [same|times|all]
 *   same   every iteration takes the same times
 *   times  they differ (the default)
 *   all    sizes and tags, too
 */
#include "argument.h"
#include "sched/otf2_names.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

enum { NEIGHBOURS = 6, CALLS = 2 * NEIGHBOURS + 2 };

typedef enum { SAME, TIMES, ALL } variety;

typedef enum { INIT, IRECV, ISEND, WAITALL, ALLREDUCE, FINALIZE, NUM_FUNCTIONS } made_function;

static const char *const NAMES[NUM_FUNCTIONS] = {"MPI_Init",    "MPI_Irecv",     "MPI_Isend",
                                                 "MPI_Waitall", "MPI_Allreduce", "MPI_Finalize"};

/* A call; times in ns. */
typedef struct made {
    made_function function;
    uint64_t enter, leave;
    uint32_t peer, tag, bytes;
    uint32_t which; /* of the requests of an iteration */
} made;

typedef struct writer {
    uint32_t rank, num_ranks;
    variety variety;
    uint64_t now;
    made posted[2 * NEIGHBOURS]; /* of this iteration */
    uint64_t first_request;      /* likewise */
    FILE *text;
    OTF2_EvtWriter *events;
    OTF2_AttributeList *attributes;
} writer;

/* The same for both ends of a message, as they call it with the same numbers. */
static uint32_t hash(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t x = (a << 40 ^ b << 20 ^ c) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)((x ^ x >> 27) * UINT64_C(0x94d049bb133111eb) >> 32);
}

/* ---- liballprof text, in us ----------------------------------------------------------------- */

static void put_text(const writer *w, const made *m)
{
    const uint64_t enter = m->enter / 1000;
    const uint64_t leave = m->leave / 1000;
    const uint64_t requests = UINT64_C(140723462770800);
    FILE *f = w->text;
    switch (m->function) {
    case INIT:
        (void)fprintf(f, "MPI_Init:-:140723462770684:140723462770672:%" PRIu64 "\n", leave);
        break;
    case FINALIZE:
        (void)fprintf(f, "MPI_Finalize:%" PRIu64 ":-\n", enter);
        break;
    case IRECV:
    case ISEND:
        (void)fprintf(f,
                      "%s:%" PRIu64 ":140723462773264:%u:13,1,1:%u:%u:94811958206816,%u,%u:%" PRIu64
                      ":%" PRIu64 "\n",
                      NAMES[m->function], enter, m->bytes, m->peer, m->tag, w->rank, w->num_ranks,
                      requests + UINT64_C(8) * m->which, leave);
        break;
    case WAITALL:
        (void)fprintf(f, "MPI_Waitall:%" PRIu64 ":%d:%" PRIu64 ":0:%" PRIu64 "\n", enter,
                      2 * NEIGHBOURS, requests, leave);
        break;
    default:
        (void)fprintf(f,
                      "MPI_Allreduce:%" PRIu64
                      ":140723462773264:140723462773272:1:10,8,8:3:94811958206816,%u,%u:%" PRIu64
                      "\n",
                      enter, w->rank, w->num_ranks, leave);
    }
}

/* ---- OTF2, as Ripple's tracer writes it, in ns ---------------------------------------------- */

enum {
#define X(symbol, ...) ATTR_##symbol,
    SCHED_OTF2_ATTRIBUTES(X)
#undef X
        NUM_ATTRIBUTES
};

static void add(const writer *w, uint32_t which, OTF2_Type type, OTF2_AttributeValue value)
{
    (void)OTF2_AttributeList_AddAttribute(w->attributes, which, type, value);
}

static void put_complete(const writer *w, uint64_t time)
{
    for (uint32_t i = 0; i < 2 * NEIGHBOURS; i++) {
        const made *p = &w->posted[i];
        if (p->function == ISEND) {
            OTF2_EvtWriter_MpiIsendComplete(w->events, NULL, time, w->first_request + i);
        } else {
            OTF2_EvtWriter_MpiIrecv(w->events, NULL, time, p->peer, 0, p->tag, p->bytes,
                                    w->first_request + i);
        }
    }
}

static void put_events(const writer *w, const made *m)
{
    OTF2_EvtWriter *e = w->events;
    const uint64_t request = w->first_request + m->which;
    (void)OTF2_AttributeList_RemoveAllAttributes(w->attributes);
    add(w, ATTR_CPU, OTF2_TYPE_UINT64, (OTF2_AttributeValue){.uint64 = m->enter - w->now});
    if (m->function == IRECV) {
        add(w, ATTR_COMM, OTF2_TYPE_COMM, (OTF2_AttributeValue){.commRef = 0});
        add(w, ATTR_SOURCE, OTF2_TYPE_INT32, (OTF2_AttributeValue){.int32 = (int32_t)m->peer});
        add(w, ATTR_RECV_TAG, OTF2_TYPE_INT32, (OTF2_AttributeValue){.int32 = (int32_t)m->tag});
        add(w, ATTR_RECV_BYTES, OTF2_TYPE_UINT64, (OTF2_AttributeValue){.uint64 = m->bytes});
    } else if (m->function == ALLREDUCE) {
        add(w, ATTR_BYTES, OTF2_TYPE_UINT64, (OTF2_AttributeValue){.uint64 = 8});
    }
    OTF2_EvtWriter_Enter(e, w->attributes, m->enter, m->function);
    if (m->function == IRECV) {
        OTF2_EvtWriter_MpiIrecvRequest(e, NULL, m->leave, request);
    } else if (m->function == ISEND) {
        OTF2_EvtWriter_MpiIsend(e, NULL, m->leave, m->peer, 0, m->tag, m->bytes, request);
    } else if (m->function == WAITALL) {
        put_complete(w, m->leave);
    } else if (m->function == ALLREDUCE) {
        OTF2_EvtWriter_MpiCollectiveEnd(e, NULL, m->leave, OTF2_COLLECTIVE_OP_ALLREDUCE, 0,
                                        OTF2_COLLECTIVE_ROOT_NONE, 8, 8);
    }
    OTF2_EvtWriter_Leave(e, NULL, m->leave, m->function);
}

static void define(OTF2_GlobalDefWriter *d, uint32_t num_ranks)
{
    static const char *const attributes[] = {
#define X(symbol, name, ...) name,
        SCHED_OTF2_ATTRIBUTES(X)
#undef X
    };
    static const OTF2_Type types[] = {
#define X(symbol, name, type, ...) OTF2_TYPE_##type,
        SCHED_OTF2_ATTRIBUTES(X)
#undef X
    };
    enum { TEXTS = 2 };
    g_autofree uint64_t *members = g_new(uint64_t, num_ranks);
    OTF2_GlobalDefWriter_WriteClockProperties(d, 1000000000, 0, 1000000000,
                                              OTF2_UNDEFINED_TIMESTAMP);
    OTF2_GlobalDefWriter_WriteString(d, 0, "");
    OTF2_GlobalDefWriter_WriteString(d, 1, "MPI_COMM_WORLD");
    for (uint32_t i = 0; i < NUM_FUNCTIONS; i++) {
        OTF2_GlobalDefWriter_WriteString(d, TEXTS + i, NAMES[i]);
        OTF2_GlobalDefWriter_WriteRegion(d, i, TEXTS + i, TEXTS + i, 0, OTF2_REGION_ROLE_FUNCTION,
                                         OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, 0, 0, 0);
    }
    for (uint32_t i = 0; i < NUM_ATTRIBUTES; i++) {
        OTF2_GlobalDefWriter_WriteString(d, TEXTS + NUM_FUNCTIONS + i, attributes[i]);
        OTF2_GlobalDefWriter_WriteAttribute(d, i, TEXTS + NUM_FUNCTIONS + i, 0, types[i]);
    }
    OTF2_GlobalDefWriter_WriteSystemTreeNode(d, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint32_t r = 0; r < num_ranks; r++) {
        members[r] = r;
        OTF2_GlobalDefWriter_WriteLocationGroup(d, r, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(d, r, 0, OTF2_LOCATION_TYPE_CPU_THREAD,
                                           OTF2_UNDEFINED_UINT64, r);
    }
    OTF2_GlobalDefWriter_WriteGroup(d, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, num_ranks, members);
    OTF2_GlobalDefWriter_WriteGroup(d, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, num_ranks, members);
    OTF2_GlobalDefWriter_WriteComm(d, 0, 1, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
                                void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

/* ---- the program ---------------------------------------------------------------------------- */

static void put(writer *w, made *m, uint64_t pause, uint64_t duration)
{
    m->enter = w->now + pause;
    m->leave = m->enter + duration;
    if (w->text != NULL) {
        put_text(w, m);
    } else {
        put_events(w, m);
    }
    w->now = m->leave;
}

/* A time of about @p mean ns, in us where text is written. */
static uint64_t about(const writer *w, uint64_t mean, uint64_t iteration, uint32_t call)
{
    const uint64_t time = w->variety == SAME
                              ? mean
                              : mean / 2 + mean * (hash(w->rank, iteration, call) >> 16) / 65536;
    return w->text != NULL ? time / 1000 * 1000 : time;
}

static void post(writer *w, made_function function, uint32_t d, uint64_t iteration)
{
    static const uint32_t DISTANCE[NEIGHBOURS / 2] = {1, 4, 16};
    const bool receives = function == IRECV;
    const uint32_t away = DISTANCE[d / 2] % w->num_ranks;
    const bool up = (d % 2 == 0) == !receives; /* what one sends upwards, another receives */
    const uint32_t peer = (w->rank + (up ? away : w->num_ranks - away)) % w->num_ranks;
    const uint32_t from = receives ? peer : w->rank;
    const uint32_t mixed = w->variety == ALL ? hash(from, iteration, d) : 0;
    made *m = &w->posted[receives ? d : NEIGHBOURS + d];
    *m = (made){.function = function,
                .peer = peer,
                .tag = w->variety == ALL ? d + NEIGHBOURS * (mixed % 5000) : 100 + d,
                .bytes = w->variety == ALL ? mixed >> 16 : 8192,
                .which = receives ? d : NEIGHBOURS + d};
    const bool first = receives && d == 0;
    put(w, m, about(w, first ? 100000 : 2000, iteration, d),
        about(w, 2000, iteration, NEIGHBOURS + d + (receives ? NEIGHBOURS : 0)));
}

static void put_rank(writer *w, uint64_t calls)
{
    made init = {.function = INIT};
    w->now = 1000000;
    w->first_request = 0;
    put(w, &init, 0, 1000000);
    for (uint64_t i = 0; i < calls / CALLS; i++) {
        for (uint32_t d = 0; d < 2 * NEIGHBOURS; d++) {
            post(w, d < NEIGHBOURS ? IRECV : ISEND, d % NEIGHBOURS, i);
        }
        made wait = {.function = WAITALL};
        made reduce = {.function = ALLREDUCE};
        put(w, &wait, about(w, 3000, i, 100), about(w, 40000, i, 101));
        w->first_request += UINT64_C(2) * NEIGHBOURS;
        put(w, &reduce, about(w, 3000, i, 102), about(w, 30000, i, 103));
    }
    made finalize = {.function = FINALIZE};
    put(w, &finalize, 1000, 1000);
}

static bool write_text(const char *folder, writer *w, uint64_t calls)
{
    for (w->rank = 0; w->rank < w->num_ranks; w->rank++) {
        g_autofree char *path = g_strdup_printf("%s/pmpi-trace-rank-%u.txt", folder, w->rank);
        w->text = fopen(path, "w");
        if (w->text == NULL) {
            return false;
        }
        (void)fprintf(w->text, "# htor's PMPI Tracer 1.0 Output File\n# hostname: made\n\n");
        put_rank(w, calls);
        if (fclose(w->text) != 0) {
            return false;
        }
    }
    return true;
}

static bool write_otf2(const char *folder, writer *w, uint64_t calls)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = pre_flush};
    OTF2_Archive *a = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 20,
                                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (a == NULL) {
        return false;
    }
    OTF2_Archive_SetFlushCallbacks(a, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(a);
    OTF2_Archive_SetCreator(a, SCHED_OTF2_CREATOR " by hand");
    OTF2_Archive_SetBoolProperty(a, SCHED_OTF2_FINALIZED, true, true);
    OTF2_Archive_OpenEvtFiles(a);
    w->attributes = OTF2_AttributeList_New();
    for (w->rank = 0; w->rank < w->num_ranks; w->rank++) {
        w->events = OTF2_Archive_GetEvtWriter(a, w->rank);
        put_rank(w, calls);
        OTF2_Archive_CloseEvtWriter(a, w->events);
    }
    OTF2_AttributeList_Delete(w->attributes);
    OTF2_Archive_CloseEvtFiles(a);
    OTF2_GlobalDefWriter *defs = OTF2_Archive_GetGlobalDefWriter(a);
    define(defs, w->num_ranks);
    OTF2_Archive_CloseGlobalDefWriter(a, defs);
    return OTF2_Archive_Close(a) == OTF2_SUCCESS;
}

int main(int argc, char **argv)
{
    static const char *const VARIETIES[] = {"same", "times", "all", NULL};
    writer w = {.variety = TIMES};
    const bool text = argc > 1 && g_str_equal(argv[1], "liballprof");
    if (argc < 5 || argc > 6 || (!text && !g_str_equal(argv[1], "otf2")) ||
        (argc == 6 && !g_strv_contains(VARIETIES, argv[5]))) {
        fprintf(stderr, "usage: make_record liballprof|otf2 FOLDER RANKS CALLS [same|times|all]\n");
        return 2;
    }
    w.num_ranks = bench_count(argc, argv, 3, "RANKS", 0);
    const uint32_t calls = bench_count(argc, argv, 4, "CALLS", 0);
    if (argc == 6) {
        w.variety = g_str_equal(argv[5], "same") ? SAME : g_str_equal(argv[5], "all") ? ALL : TIMES;
    }
    if (g_mkdir_with_parents(argv[2], 0777) != 0 ||
        !(text ? write_text(argv[2], &w, calls) : write_otf2(argv[2], &w, calls))) {
        fprintf(stderr, "make_record: %s: cannot be written\n", argv[2]);
        return 1;
    }
    return 0;
}
