/* tests/schedgen/otf2/fuzz_otf2.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input takes the place of each kind of file of a small good archive in turn: the anchor, the
 * global definitions, the events and the local definitions of one rank. An archive that is read
 * all the same must be consistent.
 */
#include "data.h"
#include "fuzz.h"
#include "sched/otf2.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>

/* What OTF2 3.0 does not free of a damaged file is not ours to find. */
const char *__lsan_default_suppressions(void); // NOLINT(bugprone-reserved-identifier)
const char *__lsan_default_suppressions(void)  // NOLINT(bugprone-reserved-identifier)
{
    return "leak:libopen-trace-format2";
}

static const char *const FILES[] = {"traces.otf2",  "traces.def",   "traces/0.evt", "traces/0.def",
                                    "traces/1.evt", "traces/1.def", "traces/2.evt", "traces/2.def",
                                    "traces/3.evt", "traces/3.def"};
enum { NUM_TARGETS = 4 }; /* the first of FILES are replaced */

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

static void prepare(void)
{
    g_autofree char *from = test_data("otf2/everything-4");
    dir = g_dir_make_tmp("ripple-fuzz-otf2-XXXXXX", NULL);
    g_autofree char *inner = g_build_filename(dir, "traces", NULL);
    if (g_mkdir(inner, 0700) != 0) {
        abort();
    }
    for (size_t i = 0; i < G_N_ELEMENTS(FILES); i++) {
        g_autofree char *path = g_build_filename(from, FILES[i], NULL);
        if (!g_file_get_contents(path, &content[i], &length[i], NULL)) {
            abort();
        }
        put(i, content[i], length[i]);
    }
    (void)atexit(clean);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (dir == NULL) {
        prepare();
    }
    for (size_t i = 0; i < NUM_TARGETS; i++) {
        put(i, (const char *)data, size);
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) t = sched_otf2_read(dir, &error);
        if ((t == NULL) != (error != NULL)) {
            abort();
        }
        if (t != NULL) {
            check(t);
        }
        put(i, content[i], length[i]);
    }
    return 0;
}
