/* tests/noise/activity/test_nit_merge.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "activity/any_nit.h"
#include "check.h"
#include "nit/nit_writer.h"
#include "noise/nit_merge.h"

#include <glib/gstdio.h>

#include <math.h>

static const uint64_t MS = 1000000;
static const uint64_t S = 1000000000;

/* A node whose clock shows (true time + ahead) * rate, watched from 10 s to 70 s of true time. */
typedef struct world {
    int64_t ahead;
    double rate;
} world;

static uint64_t shown(const world *w, uint64_t truth)
{
    return (uint64_t)((int64_t)truth + w->ahead) +
           (uint64_t)(int64_t)llrint((w->rate - 1) * (double)truth);
}

static noise_nit *node_new(const char *name, const world *w)
{
    noise_nit *nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, name, 2, shown(w, 10 * S), shown(w, 70 * S));
    nit->nodes[0].num_clocks = 3;
    nit->nodes[0].clocks = g_new0(noise_nit_clocks, 3);
    for (size_t i = 0; i < 3; i++) {
        nit->nodes[0].clocks[i].monotonic = shown(w, (10 + 30 * i) * S);
        nit->nodes[0].clocks[i].realtime = UINT64_C(1700000000000000000) + (10 + 30 * i) * S;
    }
    const uint32_t t = any_nit_add_thread(nit, 0, 7, 1, "crond", NOISE_PROGRAM_DAEMON, -1);
    any_nit_add(nit, t, 1, shown(w, 20 * S), shown(w, 20 * S + MS), MS / 2);
    any_nit_add(nit, t, 1, shown(w, 50 * S), shown(w, 50 * S + MS), MS / 2);
    nit->num_markers = 1;
    nit->markers = g_new0(noise_nit_marker, 1);
    nit->markers[0] = (noise_nit_marker){0, shown(w, 15 * S), g_strdup("begin")};
    return nit;
}

static const world WORLDS[] = {{0, 1}, {5000 * (int64_t)1000000000, 1 + 20e-6}};
static const char *const NAMES[] = {"a.nit", "b.nit"};

static void by_the_time_of_day(void)
{
    g_autoptr(noise_nit) a = node_new("a", &WORLDS[0]);
    g_autoptr(noise_nit) b = node_new("b", &WORLDS[1]);
    const noise_nit *const nits[] = {a, b};
    noise_node_clock clocks[2];
    g_autoptr(GError) error = NULL;
    CHECK(noise_node_clocks_find(nits, NAMES, 2, NULL, 0, NOISE_CLOCKS_REALTIME, clocks, &error));
    CHECK(clocks[0].by == NOISE_CLOCKS_SAME);
    CHECK(clocks[1].by == NOISE_CLOCKS_REALTIME);
    CHECK_I64(clocks[1].pairs, 3);
    CHECK_NEAR(clocks[1].drift, -20e-6, 1e-8);
    CHECK(clocks[1].uncertainty_ns < 10);
    g_autoptr(noise_nit) all = noise_nit_merge(nits, clocks, 2);
    CHECK_I64(all->num_nodes, 2);
    CHECK_I64(all->num_activities, 4);
    for (size_t i = 0; i < 4; i += 2) { /* the same instant of both, next to each other */
        CHECK_NEAR(all->activities[i].to, all->activities[i + 1].to, 10, "activity %zu", i);
        CHECK_NEAR(all->activities[i].to, (20 + 15 * i) * S + MS, 10, "activity %zu", i);
    }
    CHECK_I64(all->threads[1].node, 1);
    CHECK_STR(all->nodes[1].name, "b");
    CHECK_NEAR(all->nodes[1].begin, 10 * S, 10);
    CHECK_I64(b->activities[0].from, shown(&WORLDS[1], 20 * S)); /* as it was */
}

/* Rank 0 ran on b: its clock is the common one. Messages say it to 2 us, the time of day is 1 s
 * off. */
static void by_messages_of_ranks(void)
{
    g_autoptr(noise_nit) a = node_new("a", &WORLDS[0]);
    g_autoptr(noise_nit) b = node_new("b", &WORLDS[1]);
    for (size_t i = 0; i < 3; i++) {
        a->nodes[0].clocks[i].realtime += S;
    }
    const noise_nit *const nits[] = {a, b};
    noise_clock_round rounds[3] = {{.boot_id = "boot-of-b", .is_reference = true, .when = 1}};
    for (size_t i = 0; i < 2; i++) {
        const uint64_t truth = (12 + 50 * i) * S;
        rounds[1 + i] = (noise_clock_round){
            .boot_id = "boot-of-a",
            .when = shown(&WORLDS[0], truth),
            .offset_ns = (int64_t)(shown(&WORLDS[1], truth) - shown(&WORLDS[0], truth)),
            .round_ns = 4000,
        };
    }
    noise_node_clock clocks[2];
    g_autoptr(GError) error = NULL;
    CHECK(noise_node_clocks_find(nits, NAMES, 2, rounds, 3, NOISE_CLOCKS_SAME, clocks, &error),
          "%s", error != NULL ? error->message : "");
    CHECK(clocks[0].by == NOISE_CLOCKS_MPI);
    CHECK(clocks[1].by == NOISE_CLOCKS_SAME);
    CHECK_NEAR(clocks[0].uncertainty_ns, 2000, 1e-9);
    CHECK_NEAR(noise_node_clock_apply(&clocks[0], shown(&WORLDS[0], 40 * S)),
               shown(&WORLDS[1], 40 * S), 10);
}

static void by_marks(void)
{
    g_autoptr(noise_nit) a = node_new("a", &WORLDS[0]);
    g_autoptr(noise_nit) b = node_new("b", &WORLDS[1]);
    const noise_nit *const nits[] = {a, b};
    noise_node_clock clocks[2];
    g_autoptr(GError) error = NULL;
    CHECK(noise_node_clocks_find(nits, NAMES, 2, NULL, 0, NOISE_CLOCKS_MARKER, clocks, &error));
    CHECK_I64(clocks[1].pairs, 1);
    CHECK_I64(noise_node_clock_apply(&clocks[1], shown(&WORLDS[1], 15 * S)), 15 * S);
    CHECK(isnan(clocks[1].uncertainty_ns)); /* one mark says nothing of how good it is */
    CHECK_NEAR(clocks[1].drift, 0, 0);
}

static void an_offset_alone_is_exact(void)
{
    const noise_node_clock back = {.at = 7, .offset_ns = -INT64_C(90071992547409931)};
    CHECK_I64(noise_node_clock_apply(&back, UINT64_C(90071992547409999)), 68);
    CHECK_I64(noise_node_clock_apply(&back, 5), 0);
    const noise_node_clock on = {.at = 7, .offset_ns = INT64_C(90071992547409931)};
    CHECK_I64(noise_node_clock_apply(&on, 5), INT64_C(90071992547409936));
}

static void impossible_is_refused(void)
{
    g_autoptr(noise_nit) a = node_new("a", &WORLDS[0]);
    g_autoptr(noise_nit) same = node_new("a", &WORLDS[1]);
    g_autoptr(noise_nit) fast = node_new("fast", &(world){0, 1.01});
    g_autoptr(noise_nit) late = node_new("late", &WORLDS[0]);
    g_autoptr(noise_nit) back = node_new("back", &WORLDS[0]);
    g_autoptr(noise_nit) blank = node_new("blank", &WORLDS[0]);
    g_autoptr(noise_nit) both = node_new("both", &WORLDS[0]);
    any_nit_add_node(both, "second", 1, 0, 1);
    late->nodes[0].begin += 100 * S;
    late->nodes[0].end += 100 * S;
    back->nodes[0].clocks[1].monotonic = back->nodes[0].clocks[0].monotonic;
    blank->nodes[0].num_clocks = 0;
    const struct {
        const noise_nit *other;
        noise_clocks_by by;
        const char *says;
    } table[] = {
        {same, NOISE_CLOCKS_SAME, "b.nit: of the same node and boot as a.nit (boot id boot-of-a)"},
        {fast, NOISE_CLOCKS_REALTIME, "b.nit: by realtime its clock would run -9901 ppm off"},
        {late, NOISE_CLOCKS_SAME, "b.nit: was not watched at the same time"},
        {back, NOISE_CLOCKS_SAME, "b.nit: its clock runs backwards at pair 2"},
        {blank, NOISE_CLOCKS_REALTIME, "b.nit: nothing to compare its clock by: no time of day"},
        {late, NOISE_CLOCKS_MPI, "nothing to compare its clock by: no messages of ranks"},
        {both, NOISE_CLOCKS_SAME, "b.nit: holds 2 nodes"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        const noise_nit *const nits[] = {a, table[i].other};
        noise_node_clock clocks[2];
        g_autoptr(GError) error = NULL;
        CHECK(!noise_node_clocks_find(nits, NAMES, 2, NULL, 0, table[i].by, clocks, &error),
              "row %zu", i);
        CHECK_ERROR(error, table[i].says);
    }
}

/* The bytes of a file with one thread and one activity. */
static GBytes *file_new(const char *name, const world *w)
{
    g_autofree char *path = NULL;
    const int fd = g_file_open_tmp("ripple-nit-XXXXXX", &path, NULL);
    g_close(fd, NULL);
    g_autoptr(noise_nit) nit = node_new(name, w);
    nit->nodes[0].num_clocks = 1;
    noise_nit_writer *writer = noise_nit_writer_new(path, &nit->nodes[0], NULL);
    nit->threads[0].start_ticks = 1;
    noise_nit_writer_thread(writer, &nit->threads[0]);
    noise_nit_writer_activity(writer, &nit->activities[0], false);
    CHECK(noise_nit_writer_close(writer, nit->nodes[0].end, NULL));
    char *data = NULL;
    gsize size = 0;
    CHECK(g_file_get_contents(path, &data, &size, NULL));
    g_unlink(path);
    return g_bytes_new_take(data, size);
}

static void a_file_of_several_nodes_is_read_back(void)
{
    g_autoptr(GBytes) a = file_new("a", &WORLDS[0]);
    g_autoptr(GBytes) b = file_new("b", &WORLDS[1]);
    GBytes *const parts[] = {a, b};
    const noise_node_clock clocks[] = {
        {.by = NOISE_CLOCKS_SAME},
        {.by = NOISE_CLOCKS_REALTIME,
         .at = shown(&WORLDS[1], 10 * S),
         .offset_ns = (int64_t)(10 * S - shown(&WORLDS[1], 10 * S)),
         .drift = -20e-6,
         .uncertainty_ns = NAN,
         .pairs = 2},
    };
    g_autoptr(GBytes) bytes = noise_nit_set_build(NAMES, clocks, parts, 2);
    gsize size = 0;
    const char *data = g_bytes_get_data(bytes, &size);
    CHECK(noise_nit_set_is(data, size));
    CHECK(!noise_nit_set_is(g_bytes_get_data(a, NULL), g_bytes_get_size(a)));
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_nit_set) set = noise_nit_set_parse("all.nit", data, size, &error);
    CHECK(set != NULL, "%s", error != NULL ? error->message : "");
    CHECK_I64(set->n, 2);
    CHECK_STR(set->names[1], "b.nit");
    CHECK(isnan(set->clocks[1].uncertainty_ns));
    CHECK_NEAR(set->clocks[1].drift, -20e-6, 0);
    CHECK_I64(set->nit->num_nodes, 2);
    CHECK_NEAR(set->nit->activities[0].to, set->nit->activities[1].to, 10);
    g_autoptr(noise_nit_set) one =
        noise_nit_set_parse("a.nit", g_bytes_get_data(a, NULL), g_bytes_get_size(a), &error);
    CHECK(one != NULL && one->n == 1 && one->nit->num_nodes == 1);
    for (gsize cut = 0; cut + 1 < size; cut += 7) { /* any beginning of it is refused */
        g_autoptr(GError) why = NULL;
        g_autoptr(noise_nit_set) part = noise_nit_set_parse("all.nit", data, cut, &why);
        CHECK(part == NULL && why != NULL, "%zu bytes", cut);
    }
}

static void a_broken_head_is_refused(void)
{
    static const struct {
        const char *text;
        const char *says;
    } table[] = {
        {"ripple nits 1\n{}\n", "all.nit:2: no list of nodes"},
        {"ripple nits 1\n{\"nodes\":[]}\n", "all.nit:2: no list of nodes"},
        {"ripple nits 1\nnodes\n", "all.nit:2: not a line of JSON"},
        {"ripple nits 1\n{\"nodes\":[7]}\n", "all.nit:2: not a list of nodes and their clocks"},
        {"ripple nits 1\n{\"nodes\":[{\"file\":\"a\",\"bytes\":9,\"by\":\"same\",\"at_ns\":0,"
         "\"offset_ns\":0,\"drift\":0,\"pairs\":0}]}\n",
         "all.nit:2: the file is shorter than this line says"},
        {"ripple nits 1\n{\"nodes\":[{\"file\":\"a\",\"bytes\":1,\"by\":\"luck\",\"at_ns\":0,"
         "\"offset_ns\":0,\"drift\":0,\"pairs\":0}]}\nx",
         "all.nit:2: not a list of nodes and their clocks"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_nit_set) set =
            noise_nit_set_parse("all.nit", table[i].text, strlen(table[i].text), &error);
        CHECK(set == NULL, "row %zu", i);
        CHECK_ERROR(error, table[i].says);
    }
}

SUITE_MAIN("nit_merge", TEST(by_the_time_of_day), TEST(by_messages_of_ranks), TEST(by_marks),
           TEST(an_offset_alone_is_exact), TEST(impossible_is_refused),
           TEST(a_file_of_several_nodes_is_read_back), TEST(a_broken_head_is_refused))
