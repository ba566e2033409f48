/* tests/apps/tracer/test_tracer_mine.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tracer mines while a program runs is what is mined of its archive afterwards: the same
 * bytes. */
#include "check.h"
#include "miner/state.h"
#include "mining/trace_events.h"
#include "mpi_record.h"
#include "program/synopsis.h"
#include "synopsis/packed.h"
#include "tracer/protocol.h"

#include <string.h>

enum { RANKS = 3 };

static char *file_in(const char *dir, const char *name)
{
    return g_build_filename(dir, "trace", name, NULL);
}

static bool there(const char *dir, const char *name)
{
    g_autofree char *path = file_in(dir, name);
    return g_file_test(path, G_FILE_TEST_EXISTS);
}

static noise_miner_options modern(void)
{
    noise_miner_options options;
    noise_miner_options_init(&options, NOISE_MINER_MODERN);
    return options;
}

static void print_exemplars(GString *text, const noise_synopsis *s)
{
    miner_memory memory = {0};
    const miner_exemplar_bin **bins = noise_synopsis_exemplars_sorted(&s->exemplars, &memory);
    for (uint32_t i = 0; i < s->exemplars.num; i++) {
        uint32_t num = 0;
        const noise_miner_event *e =
            noise_synopsis_exemplars_of(&s->exemplars, bins[i], MINER_RECENT, &num);
        for (uint32_t k = 0; k < num; k++) {
            g_string_append_printf(
                text, "%" PRIu64 " %u %" PRIi64 " %" PRIi64 " %" PRIi64 " %" PRIi64 "\n", e[k].type,
                e[k].rank, e[k].start, e[k].end, e[k].cpu, e[k].waited);
        }
    }
    noise_synopsis_free(&memory, bins, s->exemplars.num, sizeof(void *));
}

/* Of which types there are how many; what the two disagree on comes to light first. */
static char *census(const noise_synopsis *s)
{
    miner_memory memory = {0};
    GString *text = g_string_new(NULL);
    const miner_type **types = noise_synopsis_types_sorted(&s->types, &memory);
    for (uint32_t i = 0; i < s->types.num; i++) {
        g_string_append_printf(text, "%" G_GUINT64_FORMAT " %s\n", types[i]->events,
                               types[i]->name);
    }
    noise_synopsis_free(&memory, types, s->types.num, sizeof(void *));
    print_exemplars(text, s);
    return g_string_free(text, FALSE);
}

static void check_same(const char *dir, const char *what)
{
    const noise_miner_options options = modern();
    g_autofree char *path = file_in(dir, TRACER_MINE_FILE);
    g_autofree char *mined = NULL;
    size_t mined_size = 0;
    g_autoptr(sched_trace) t = read_trace(dir);
    if (t == NULL || !CHECK(g_file_get_contents(path, &mined, &mined_size, NULL), "%s", what)) {
        return;
    }
    g_autoptr(noise_miner) online = noise_miner_new(&options);
    CHECK(noise_miner_add_file(online, path, NULL), "%s", what);
    g_autoptr(noise_miner) after = noise_miner_new(&options);
    app_trace_mine(t, APP_CALLS_LOCAL, after);
    after->synopsis.tick = SIM_NS;
    g_autofree char *a = census(&online->synopsis);
    g_autofree char *b = census(&after->synopsis);
    CHECK_STR(a, b, "%s", what);
    CHECK(online->synopsis.types.num > 5, "%s: %s", what, a);
    size_t size = 0;
    uint8_t *bytes = noise_synopsis_pack(&after->synopsis, &size);
    CHECK(size == mined_size && memcmp(bytes, mined, size) == 0, "%s: %zu and %zu bytes", what,
          size, mined_size);
    free(bytes);
}

typedef void check_run(const mpi *m, const char *dir, const char *said);

static void each_mpi(const char *name, const char *argument, const char *mine, check_run *check)
{
    bool ran = false;
    g_setenv(TRACER_ENV_MINE, mine, TRUE);
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] != '\0') {
            ran = true;
            g_autofree char *dir = folder();
            g_autofree char *said = record(&MPI[k], RANKS, dir, program(&MPI[k], name), argument);
            check(&MPI[k], dir, said);
            remove_folder(dir);
        }
    }
    g_unsetenv(TRACER_ENV_MINE);
    if (!ran) {
        SKIP_TEST("no mpirun");
    }
}

static void check_both(const mpi *m, const char *dir, const char *said)
{
    (void)said;
    check_same(dir, m->name);
}

static void mining_every_kind_of_call_gives_what_its_archive_gives(void)
{
    each_mpi("everything", NULL, "1", check_both);
}

static void mining_full_buffers_gives_what_their_archive_gives(void)
{
    each_mpi("patterns", "60", "1", check_both); /* several buffers of some 400 calls */
}

static void mining_a_ring_gives_what_its_archive_gives(void)
{
    each_mpi("slow", "100", "1", check_both);
}

static void check_alone(const mpi *m, const char *dir, const char *said)
{
    CHECK(!there(dir, TRACER_ANCHOR) && !there(dir, TRACER_ARCHIVE), "%s", m->name);
    CHECK(there(dir, TRACER_MINE_FILE) && strstr(said, "calls mined") != NULL, "%s: %s", m->name,
          said);
    for (int rank = 0; rank < RANKS; rank++) { /* what was left meanwhile is gone */
        g_autofree char *name = g_strdup_printf(TRACER_MINE_PART "%d", rank);
        CHECK(!there(dir, name), "%s: %s", m->name, name);
    }
}

static void without_an_archive_one_file_remains(void)
{
    g_setenv(TRACER_ENV_MINE_EVERY, "0.001", TRUE);
    each_mpi("slow", "100", "only", check_alone);
    g_unsetenv(TRACER_ENV_MINE_EVERY);
}

/* 104 calls were made until then: 103 computations between them, and more where calls are local. */
static void check_parts(const mpi *m, const char *dir, const char *said)
{
    const noise_miner_options options = modern();
    unsigned parts = 0;
    g_autoptr(GError) error = NULL;
    g_autofree char *trace = g_build_filename(dir, "trace", NULL);
    CHECK(!there(dir, TRACER_MINE_FILE) && app_synopsis_is(trace), "%s: %s", m->name, said);
    g_autoptr(noise_miner) miner = app_synopsis_read(trace, &options, &parts, &error);
    if (CHECK(miner != NULL, "%s: %s", m->name, error != NULL ? error->message : "")) {
        /* a launcher may end the others before they have written */
        CHECK(parts >= 1 && parts <= RANKS, "%s: %u", m->name, parts);
        g_autoptr(noise_miner_report) report = noise_miner_report_new(miner);
        CHECK_I64(report->ranks_seen, parts, "%s", m->name);
        CHECK(report->events >= (uint64_t)102 * parts, "%s: %" PRIu64, m->name, report->events);
    }
}

static void ranks_that_exit_without_finalize_leave_what_they_mined(void)
{
    each_mpi("dies", "exit", "only", check_parts);
}

SUITE_MAIN("tracer_mine", TEST(ranks_that_exit_without_finalize_leave_what_they_mined),
           TEST(mining_every_kind_of_call_gives_what_its_archive_gives),
           TEST(mining_full_buffers_gives_what_their_archive_gives),
           TEST(mining_a_ring_gives_what_its_archive_gives),
           TEST(without_an_archive_one_file_remains))
