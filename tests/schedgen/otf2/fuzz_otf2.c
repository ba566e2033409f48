/* tests/schedgen/otf2/fuzz_otf2.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first byte of an input says which file of a small good archive the rest replaces: a, the
 * anchor; g, the global definitions; l and e, the local definitions and the events of rank 0. An
 * archive that is read all the same must be consistent.
 */
#include "data.h"
#include "fuzz.h"
#include "otf2_private.h"
#include "trial_server.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What OTF2 3.0 does not free of a damaged file is not ours to find. */
const char *__lsan_default_suppressions(void); // NOLINT(bugprone-reserved-identifier)
const char *__lsan_default_suppressions(void)  // NOLINT(bugprone-reserved-identifier)
{
    return "leak:libopen-trace-format2";
}

/* Those that are replaced first, each with its letter. */
static const char *const FILES[] = {"traces.otf2",  "traces.def",   "traces/0.def", "traces/0.evt",
                                    "traces/1.def", "traces/1.evt", "traces/2.def", "traces/2.evt",
                                    "traces/3.def", "traces/3.evt"};
enum { NUM_LETTERS = 4 };
static const uint8_t LETTERS[NUM_LETTERS] = {'a', 'g', 'l', 'e'};

static char *dir; /* of the copy; removed at the end */
static char *content[G_N_ELEMENTS(FILES)];
static gsize length[G_N_ELEMENTS(FILES)];

static void put(size_t i, const char *data, gsize n)
{
    g_autofree char *path = g_build_filename(dir, FILES[i], NULL);
    (void)g_remove(path); /* some file systems flush a file that is emptied and written anew */
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(data, 1, n, f) != n || fclose(f) != 0) {
        abort();
    }
}

static void clean(void)
{
    trial_server_stop();
    for (size_t i = 0; i < G_N_ELEMENTS(FILES); i++) {
        g_autofree char *path = g_build_filename(dir, FILES[i], NULL);
        (void)g_remove(path);
        g_free(content[i]);
    }
    g_autofree char *inner = g_build_filename(dir, "traces", NULL);
    (void)g_rmdir(inner);
    (void)g_rmdir(dir);
    g_free(dir);
}

/* The anchor has OTF2 allocate 4 MiB for each file of definitions: the least does as well. */
static void shrink_chunks(char *anchor)
{
    enum { DEFINITION_CHUNK_AT = 20 };
    const uint64_t least = GUINT64_TO_LE(OTF2_CHUNK_SIZE_MIN);
    memcpy(anchor + DEFINITION_CHUNK_AT, &least, sizeof least);
}

static void prepare(void)
{
    g_autofree char *from = test_data("otf2/everything-4");
    dir = g_strdup(g_file_test("/dev/shm", G_FILE_TEST_IS_DIR) ? "/dev/shm/ripple-fuzz-otf2-XXXXXX"
                                                               : "/tmp/ripple-fuzz-otf2-XXXXXX");
    if (g_mkdtemp(dir) == NULL) {
        abort();
    }
    g_autofree char *inner = g_build_filename(dir, "traces", NULL);
    if (g_mkdir(inner, 0700) != 0) {
        abort();
    }
    for (size_t i = 0; i < G_N_ELEMENTS(FILES); i++) {
        g_autofree char *path = g_build_filename(from, FILES[i], NULL);
        if (!g_file_get_contents(path, &content[i], &length[i], NULL)) {
            abort();
        }
        if (i == 0) {
            shrink_chunks(content[i]);
        }
        put(i, content[i], length[i]);
    }
    (void)atexit(clean);
    g_autoptr(sched_trace) good = sched_otf2_read(dir, NULL);
    if (good == NULL) { /* or all that follows would be refused for that */
        abort();
    }
}

static void check(const sched_trace *t)
{
    for (uint32_t r = 0; r < t->num_ranks; r++) {
        const sched_rank *k = &t->ranks[r];
        for (uint64_t i = 0; i < k->num_calls; i++) {
            const sched_call *c = &k->calls[i];
            if (c->leave < c->enter || c->comm >= t->num_comms || c->name >= t->names->len ||
                (c->num_list > 0 && c->list + c->num_list > k->num_requests) ||
                c->counts + c->num_send_counts + c->num_recv_counts > k->num_counts) {
                abort();
            }
        }
    }
}

/* Events are not tried, and all else of the archive was, when it was read first. */
static bool was_tried(const char *anchor, GError **error)
{
    (void)anchor, (void)error;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t i = 0; /* counted here, not by strchr(): libFuzzer sees that the letters differ */
    while (size > 0 && i < NUM_LETTERS && data[0] != LETTERS[i]) {
        i++;
    }
    if (size == 0 || i == NUM_LETTERS) {
        return 0;
    }
    if (dir == NULL) {
        prepare();
    }
    put(i, (const char *)data + 1, size - 1);
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) t = sched_otf2_read_after(
        dir, true, LETTERS[i] == 'e' ? was_tried : trial_server_survives, &error);
    if ((t == NULL) != (error != NULL)) {
        abort();
    }
    if (t != NULL) {
        sched_trace_unpack(t);
        check(t);
    }
    put(i, content[i], length[i]);
    return 0;
}
