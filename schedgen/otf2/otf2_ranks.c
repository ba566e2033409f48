/* schedgen/otf2/otf2_ranks.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_otf2, test_otf2_refused, test_otf2_threads. */
/*
 * The ranks' files. Definitions come first, all of them: the communicators of a program that died
 * are there. Events are read by several threads, each with a reader of its own, as OTF2 guarantees
 * nothing to threads that share one.
 */
#include "model/parallel_private.h"
#include "otf2/otf2_private.h"

#if defined(__has_feature)
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#else                              /* without the sanitizer there is nothing to tell */
#define __lsan_disable() ((void)0) // NOLINT(bugprone-reserved-identifier): the sanitizer's name
#define __lsan_enable()  ((void)0) // NOLINT(bugprone-reserved-identifier)
#endif

/* OTF2 3.0 does not free what it has of an archive whose anchor file turns out to be damaged. */
OTF2_Reader *sched_otf2_reader_open(const char *anchor)
{
    __lsan_disable();
    OTF2_Reader *reader = OTF2_Reader_Open(anchor);
    __lsan_enable();
    if (reader != NULL && OTF2_Reader_SetSerialCollectiveCallbacks(reader) != OTF2_SUCCESS) {
        (void)OTF2_Reader_Close(reader);
        return NULL;
    }
    return reader;
}

/* ---- definitions ---------------------------------------------------------------------------- */

/* Mapping tables and clock offsets, which OTF2 applies to the events that the same reader reads.
 * @p taken: and what is of use to us */
static bool read_local_definitions(sched_otf2_archive *a, OTF2_Reader *reader, uint32_t rank,
                                   bool taken, GError **error)
{
    g_autofree char *file = sched_otf2_file(a, rank, "def");
    if (!g_file_test(file, G_FILE_TEST_EXISTS)) {
        return true; /* optional */
    }
    OTF2_DefReader *defs = OTF2_Reader_GetDefReader(reader, a->location[rank]);
    uint64_t n = 0;
    bool ok = defs != NULL;
    if (ok) {
        OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();
        if (taken) {
            sched_otf2_local_callbacks(a, callbacks);
        }
        ok = OTF2_Reader_RegisterDefCallbacks(reader, defs, callbacks, a) == OTF2_SUCCESS &&
             OTF2_Reader_ReadAllLocalDefinitions(reader, defs, &n) == OTF2_SUCCESS;
        OTF2_DefReaderCallbacks_Delete(callbacks);
        (void)OTF2_Reader_CloseDefReader(reader, defs);
    }
    if (!ok && a->finalized) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s: cannot be read: %s", file,
                    sched_otf2_complaint());
        return false;
    }
    (void)sched_otf2_complaint();
    return true;
}

/* They are optional, but where other ranks have them, a lost file is the likely reason. */
static void report_missing_definitions(const sched_otf2_archive *a)
{
    uint32_t num_missing = 0;
    for (uint32_t r = 0; r < a->num_ranks; r++) {
        g_autofree char *file = sched_otf2_file(a, r, "def");
        num_missing += g_file_test(file, G_FILE_TEST_EXISTS) ? 0 : 1;
    }
    if (num_missing > 0 && num_missing < a->num_ranks) {
        sched_trace_notice(a->trace, num_missing,
                           "ranks without local definitions, which others have: taken as if their "
                           "clocks and numbers were those of the archive");
    }
}

static void select_all(const sched_otf2_archive *a, OTF2_Reader *reader)
{
    for (uint32_t r = 0; r < a->num_ranks; r++) {
        (void)OTF2_Reader_SelectLocation(reader, a->location[r]);
    }
}

static bool read_definitions(sched_otf2_archive *a, OTF2_Reader *reader, GError **error)
{
    select_all(a, reader);
    report_missing_definitions(a);
    if (OTF2_Reader_OpenDefFiles(reader) != OTF2_SUCCESS) {
        return true; /* there are none */
    }
    for (uint32_t r = 0; r < a->num_ranks; r++) {
        if (!read_local_definitions(a, reader, r, true, error)) {
            return false;
        }
    }
    (void)OTF2_Reader_CloseDefFiles(reader);
    return true;
}

static bool open_events(const sched_otf2_archive *a, OTF2_Reader *reader, GError **error)
{
    if (OTF2_Reader_OpenEvtFiles(reader) != OTF2_SUCCESS) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s: cannot open its events: %s",
                    a->path, sched_otf2_complaint());
        return false;
    }
    return true;
}

/* ---- events --------------------------------------------------------------------------------- */

/* What a thread reads with. */
typedef struct thread_reader {
    OTF2_Reader *reader; /* NULL: not yet opened */
    bool has_defs;       /* its files of definitions are open, and not yet read */
} thread_reader;

typedef struct reading {
    sched_otf2_archive *archive;
    thread_reader readers[SCHED_PARALLEL_MOST]; /* the first is that of the caller */
    sched_otf2_local *locals;                   /* [ranks] */
    GError **errors;                            /* [ranks] */
} reading;

static bool reader_open(const sched_otf2_archive *a, thread_reader *t, GError **error)
{
    t->reader = sched_otf2_reader_open(a->path);
    if (t->reader == NULL) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s: cannot be read: %s", a->path,
                    sched_otf2_complaint());
        return false;
    }
    select_all(a, t->reader);
    t->has_defs = OTF2_Reader_OpenDefFiles(t->reader) == OTF2_SUCCESS;
    return open_events(a, t->reader, error);
}

static void reader_close(thread_reader *t)
{
    if (t->reader != NULL) {
        (void)OTF2_Reader_CloseEvtFiles(t->reader);
        if (t->has_defs) {
            (void)OTF2_Reader_CloseDefFiles(t->reader);
        }
        (void)OTF2_Reader_Close(t->reader);
    }
}

static bool read_rank(void *data, uint32_t rank, uint32_t thread)
{
    reading *r = data;
    sched_otf2_archive *a = r->archive;
    thread_reader *t = &r->readers[thread];
    GError **error = &r->errors[rank];
    sched_otf2_local_init(&r->locals[rank], a);
    if (a->events[rank] != 0) {
        if ((t->reader == NULL && !reader_open(a, t, error)) ||
            (t->has_defs && !read_local_definitions(a, t->reader, rank, false, error))) {
            return false;
        }
        (void)sched_otf2_complaint(); /* what an earlier rank left */
        if (!sched_otf2_events_read(a, t->reader, rank, &r->locals[rank], error)) {
            return false;
        }
    }
    if (a->pack) {
        sched_rank_pack(&a->trace->ranks[rank]);
    }
    return true;
}

/* In the order of the ranks, whoever was faster; and of errors the first. */
static bool settle(const reading *r, bool ok, GError **error)
{
    bool told = false;
    for (uint32_t rank = 0; rank < r->archive->num_ranks; rank++) {
        if (ok) {
            sched_otf2_local_settle(&r->locals[rank], r->archive, rank);
        }
        sched_otf2_local_clear(&r->locals[rank]);
        if (r->errors[rank] != NULL && !told) {
            g_propagate_error(error, r->errors[rank]);
            told = true;
        } else {
            g_clear_error(&r->errors[rank]);
        }
    }
    return ok;
}

static bool read_events(sched_otf2_archive *a, OTF2_Reader *reader, GError **error)
{
    const gsize n = a->num_ranks;
    g_autofree sched_otf2_local *locals = g_new0(sched_otf2_local, n);
    g_autofree GError **errors = g_new0(GError *, n);
    reading r = {.archive = a, .readers = {{.reader = reader}}, .locals = locals, .errors = errors};
    const bool ok = sched_parallel_do(a->num_ranks, read_rank, &r);
    for (uint32_t i = 1; i < SCHED_PARALLEL_MOST; i++) {
        reader_close(&r.readers[i]);
    }
    return settle(&r, ok, error);
}

bool sched_otf2_ranks_read(sched_otf2_archive *a, OTF2_Reader *reader, GError **error)
{
    if (!read_definitions(a, reader, error) || !open_events(a, reader, error) ||
        !read_events(a, reader, error)) {
        return false;
    }
    (void)OTF2_Reader_CloseEvtFiles(reader);
    return true;
}
