/* tests/schedgen/formats/test_packed_readers.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What readers pack while they read is what they read otherwise, for all records at hand. */
#include "check.h"
#include "data.h"
#include "same_calls.h"
#include "sched/reader.h"

static sched_trace *read_packed(const char *path)
{
    const sched_reader *reader = sched_reader_find(path);
    const sched_read_options options = {.pack = true};
    sched_input input = {0};
    g_autoptr(GError) error = NULL;
    CHECK(reader != NULL && reader->open(path, &options, &input, &error), "%s", path);
    return input.trace;
}

static void check_comms(const sched_trace *a, const sched_trace *b, const char *what)
{
    CHECK_I64(b->num_comms, a->num_comms, "%s", what);
    for (uint32_t c = 0; c < a->num_comms && c < b->num_comms; c++) {
        CHECK_STR(b->comms[c].name, a->comms[c].name, "%s", what);
        CHECK_I64(b->comms[c].size, a->comms[c].size, "%s", what);
        CHECK((a->comms[c].members == NULL) == (b->comms[c].members == NULL), "%s", what);
    }
    CHECK_I64(b->names->len, a->names->len, "%s", what);
    for (guint i = 0; i < a->names->len && i < b->names->len; i++) {
        CHECK_STR(g_ptr_array_index(b->names, i), g_ptr_array_index(a->names, i), "%s", what);
    }
    CHECK_I64(b->notices->len, a->notices->len, "%s", what);
    for (guint i = 0; i < a->notices->len && i < b->notices->len; i++) {
        const sched_notice *x = &g_array_index(a->notices, sched_notice, i);
        const sched_notice *y = &g_array_index(b->notices, sched_notice, i);
        CHECK_STR(y->what, x->what, "%s", what);
        CHECK_I64(y->count, x->count, "%s: %s", what, x->what);
    }
}

static void check_record(const char *path)
{
    g_autoptr(sched_trace) a = sched_trace_read(path, NULL);
    g_autoptr(sched_trace) b = read_packed(path);
    CHECK(a != NULL && b != NULL, "%s", path);
    if (a == NULL || b == NULL) {
        return;
    }
    check_comms(a, b, path);
    CHECK(b->ranks[0].calls == NULL, "%s", path);
    sched_trace_unpack(b);
    CHECK_I64(b->num_ranks, a->num_ranks, "%s", path);
    for (uint32_t r = 0; r < a->num_ranks; r++) {
        const sched_rank *x = &a->ranks[r];
        const sched_rank *y = &b->ranks[r];
        CHECK_I64(y->num_calls, x->num_calls, "%s, rank %u", path, r);
        CHECK_STR(y->file, x->file, "%s, rank %u", path, r);
        CHECK(y->complete == x->complete, "%s, rank %u", path, r);
        for (uint64_t i = 0; i < x->num_calls && i < y->num_calls; i++) {
            same_calls_check(x, &x->calls[i], y->counts, y->requests, &y->calls[i], path);
        }
    }
}

static unsigned check_folder(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    unsigned n = 0;
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (sched_reader_find(path) != NULL) {
            check_record(path);
            n++;
        }
    }
    return n;
}

static void bundled_records_are_the_same(void)
{
    g_autofree char *traces = test_data("../../apps/proxies/traces");
    g_autofree char *everything = test_data("otf2/everything-4");
    CHECK(check_folder(traces) >= 3, "%s", traces);
    check_record(everything);
}

static void shared_records_are_the_same(void)
{
    g_autofree char *apps = shared_data("traces/apps");
    CHECK(apps == NULL || check_folder(apps) >= 11, "%s", apps);
}

SUITE_MAIN("packed_readers", TEST(bundled_records_are_the_same), TEST(shared_records_are_the_same))
