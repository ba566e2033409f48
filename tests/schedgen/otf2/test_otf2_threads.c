/* tests/schedgen/otf2/test_otf2_threads.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks that several threads read, packed or not, are as one reads them, and so is what is wrong
 * with them. */
#include "check.h"
#include "data.h"
#include "model/parallel_private.h"
#include "otf2/otf2_private.h"
#include "otf2_archive.h"
#include "same_calls.h"
#include "sched/otf2.h"
#include "sched/reader.h"

#include <glib/gstdio.h>

static const uint32_t THREADS[] = {2, 3, SCHED_PARALLEL_MOST};
/* Calls that are there unpacked before some are packed: the default, and as few as can be. */
static const uint32_t WINDOWS[] = {0, 1, 2, 7};

static sched_trace *read_by(const char *path, uint32_t threads, bool pack, GError **error)
{
    const sched_read_options options = {.pack = pack};
    sched_input input = {0};
    sched_parallel_use(threads);
    const bool ok = sched_reader_otf2.open(path, &options, &input, error);
    sched_parallel_use(0);
    CHECK(ok == (input.trace != NULL));
    if (input.trace != NULL) {
        sched_trace_unpack(input.trace);
    }
    return input.trace;
}

static void same_comms(const sched_trace *a, const sched_trace *b, const char *name)
{
    CHECK_I64(b->num_comms, a->num_comms, "%s", name);
    for (uint32_t c = 0; c < MIN(a->num_comms, b->num_comms); c++) {
        CHECK_STR(b->comms[c].name, a->comms[c].name, "%s, communicator %u", name, c);
        CHECK_I64(b->comms[c].size, a->comms[c].size, "%s, communicator %u", name, c);
        for (uint32_t m = 0; m < MIN(a->comms[c].size, b->comms[c].size); m++) {
            CHECK_I64(b->comms[c].members[m], a->comms[c].members[m], "%s", name);
        }
    }
}

static void same_texts(const sched_trace *a, const sched_trace *b, const char *name)
{
    CHECK_I64(b->names->len, a->names->len, "%s", name);
    for (guint i = 0; i < MIN(a->names->len, b->names->len); i++) {
        CHECK_STR(g_ptr_array_index(b->names, i), g_ptr_array_index(a->names, i), "%s", name);
    }
    CHECK_I64(b->notices->len, a->notices->len, "%s", name);
    for (guint i = 0; i < MIN(a->notices->len, b->notices->len); i++) {
        const sched_notice *x = &g_array_index(a->notices, sched_notice, i);
        const sched_notice *y = &g_array_index(b->notices, sched_notice, i);
        CHECK_STR(y->what, x->what, "%s", name);
        CHECK_I64(y->count, x->count, "%s", name);
    }
}

static void same_ranks(const sched_trace *a, const sched_trace *b, const char *name)
{
    CHECK_I64(b->num_ranks, a->num_ranks, "%s", name);
    for (uint32_t r = 0; r < MIN(a->num_ranks, b->num_ranks); r++) {
        const sched_rank *x = &a->ranks[r];
        const sched_rank *y = &b->ranks[r];
        CHECK(x->complete == y->complete, "%s, rank %u", name, r);
        CHECK_I64(y->num_calls, x->num_calls, "%s, rank %u", name, r);
        for (uint64_t i = 0; i < MIN(x->num_calls, y->num_calls); i++) {
            same_calls_check(x, &x->calls[i], y->counts, y->requests, &y->calls[i], name);
        }
    }
}

static void check_same(const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) one = read_by(path, 1, false, &error);
    CHECK(one != NULL, "%s: %s", path, error != NULL ? error->message : "");
    for (size_t i = 0; one != NULL && i < G_N_ELEMENTS(THREADS); i++) {
        for (size_t k = 0; k <= G_N_ELEMENTS(WINDOWS); k++) {
            const bool pack = k < G_N_ELEMENTS(WINDOWS);
            sched_otf2_window_use(pack ? WINDOWS[k] : 0);
            g_autoptr(sched_trace) many = read_by(path, THREADS[i], pack, NULL);
            sched_otf2_window_use(0);
            g_autofree char *name = g_strdup_printf("%s by %u threads, packed: %d, case %zu", path,
                                                    THREADS[i], pack, k);
            if (CHECK(many != NULL, "%s", name)) {
                same_comms(one, many, name);
                same_texts(one, many, name);
                same_ranks(one, many, name);
            }
        }
    }
}

static void archives_of_ours_are_the_same(void)
{
    static const char *const NAMES[] = {"otf2/everything-4",
                                        "../../apps/proxies/traces/halo-cg-16"};
    for (size_t i = 0; i < G_N_ELEMENTS(NAMES); i++) {
        g_autofree char *path = test_data(NAMES[i]);
        check_same(path);
    }
}

/* Clock offsets and mapping tables, which each thread's reader applies. */
static void archives_of_others_are_the_same(void)
{
    static const otf2_archive ARCHIVES[] = {OTF2_ARCHIVE_CLOCKS, OTF2_ARCHIVE_THREADS,
                                            OTF2_ARCHIVE_FLUSHES};
    for (size_t i = 0; i < G_N_ELEMENTS(ARCHIVES); i++) {
        g_autofree char *dir = g_dir_make_tmp("ripple-otf2-XXXXXX", NULL);
        otf2_archive_write(dir, ARCHIVES[i]);
        check_same(dir);
        otf2_archive_remove(dir);
    }
    g_autofree char *shared = shared_data("traces/otf2/stencil4d-32");
    if (shared != NULL) {
        check_same(shared);
    }
}

/* Ranks 1 and 3 are cut short: it is rank 1 of which one hears, whoever was faster. */
static void the_first_error_is_told(void)
{
    enum { TIMES = 20 };
    static const char *const FILES[] = {"traces/1.evt", "traces/3.evt"};
    g_autofree char *dir = g_dir_make_tmp("ripple-otf2-XXXXXX", NULL);
    g_autofree char *from = test_data("otf2/everything-4");
    g_autofree char *command =
        g_strdup_printf("cp -r '%s/.' '%s'; chmod -R u+w '%s'", from, dir, dir);
    CHECK(system(command) == 0); // NOLINT(bugprone-command-processor,cert-env33-c): a test's copy
    for (size_t f = 0; f < G_N_ELEMENTS(FILES); f++) {
        g_autofree char *path = g_build_filename(dir, FILES[f], NULL);
        g_autofree char *whole = NULL;
        gsize len = 0;
        CHECK(g_file_get_contents(path, &whole, &len, NULL));
        CHECK(g_file_set_contents(path, whole, (gssize)(len / 2), NULL));
    }
    g_autoptr(GError) one = NULL;
    CHECK(read_by(dir, 1, true, &one) == NULL);
    CHECK_ERROR(one, "traces/1.evt: damaged or cut short: no whole record at byte");
    for (int i = 0; i < TIMES; i++) {
        g_autoptr(GError) many = NULL;
        CHECK(read_by(dir, THREADS[(size_t)i % G_N_ELEMENTS(THREADS)], true, &many) == NULL);
        CHECK_STR(many != NULL ? many->message : "", one != NULL ? one->message : "");
    }
    otf2_archive_remove(dir);
}

SUITE_MAIN("otf2_threads", TEST(archives_of_ours_are_the_same),
           TEST(archives_of_others_are_the_same), TEST(the_first_error_is_told))
