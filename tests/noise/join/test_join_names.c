/* tests/noise/join/test_join_names.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* All by hand: 100 ticks a second, so a tick is 10 ms; a rank whose place is taken once. */
#include "check.h"
#include "noise/join.h"

#define MS UINT64_C(1000000)
enum { RANK = 100, SHELL = 20, SHORT = 30 };

#define BEGAN(at, id, whom)                                                                        \
    {                                                                                              \
        .when = (at)*MS, .pid = (id), .tid = (id), .parent = (whom), .by = (whom)                  \
    }
#define NAMED(at, id, as)                                                                          \
    {                                                                                              \
        .when = (at)*MS, .pid = (id), .tid = (id), .name = (as)                                    \
    }

/* The watcher saw a shell of the job, from 50 ms after the boot on, and a kernel thread. */
static noise_nit *watched(void)
{
    noise_nit *nit = g_new0(noise_nit, 1);
    nit->num_nodes = 1;
    nit->nodes = g_new0(noise_nit_node, 1);
    nit->nodes[0].clk_tck = 100;
    nit->num_threads = 2;
    nit->threads = g_new0(noise_nit_thread, 2);
    nit->threads[0] = (noise_nit_thread){.pid = SHELL,
                                         .tid = SHELL,
                                         .start_ticks = 5,
                                         .name = g_strdup("sh"),
                                         .kind = NOISE_PROGRAM_APPLICATION,
                                         .rank = -1};
    nit->threads[1] = (noise_nit_thread){.pid = 2,
                                         .tid = 2,
                                         .start_ticks = 1,
                                         .name = g_strdup("kthreadd"),
                                         .kind = NOISE_PROGRAM_KERNEL,
                                         .rank = -1};
    return nit;
}

/* Who took [from, from + 1 ms) by the records of the CPU: @p tid. */
static char *taken_by(noise_nit *nit, const noise_switch_name *names, size_t n, uint64_t from,
                      uint32_t tid, noise_program_class *kind)
{
    g_autofree uint64_t *since = noise_join_add_names(nit, 0, names, n);
    const noise_switch_record off = {
        .out = from * MS, .in = (from + 1) * MS, .tid = RANK, .preempted = 1};
    const noise_switch slice = {.out = from * MS, .in = (from + 1) * MS, .next_tid = tid};
    const noise_join_thread me = {
        .pid = RANK, .tid = RANK, .is_main = true, .end = 10000 * MS, .n = 1, .off = &off};
    const noise_join_cpu cpu = {.n = 1, .slice = &slice};
    const noise_join_input input = {
        .nit = nit, .since = since, .num_threads = 1, .thread = &me, .num_cpus = 1, .cpu = &cpu};
    g_autoptr(noise_join) j = noise_join_new(&input);
    CHECK_I64(j->num_rows, 1);
    CHECK_I64(j->row[0].lost_ns, MS);
    *kind = j->row[0].kind;
    return g_strdup(j->row[0].name);
}

typedef struct row {
    const char *what;
    noise_switch_name names[4];
    size_t n;
    uint64_t from;
    const char *name;
    noise_program_class kind;
    uint32_t tid;
} row;

static const row ROWS[] = {
    {"of its own", {BEGAN(100, SHORT, 7), NAMED(101, SHORT, "cc1")}, 2, 105, "cc1", 0, SHORT},
    {"of its parent, with its class",
     {BEGAN(100, SHORT, SHELL)},
     1,
     105,
     "sh",
     NOISE_PROGRAM_APPLICATION,
     SHORT},
    {"in the class of its parent",
     {BEGAN(100, SHORT, SHELL), NAMED(101, SHORT, "cc1")},
     2,
     105,
     "cc1",
     NOISE_PROGRAM_APPLICATION,
     SHORT},
    {"kernel thread",
     {BEGAN(100, SHORT, 2), NAMED(101, SHORT, "kworker/0:3")},
     2,
     105,
     "kworker",
     NOISE_PROGRAM_KERNEL,
     SHORT},
    {"before it has taken one: of what it became",
     {BEGAN(100, SHORT, SHELL), NAMED(110, SHORT, "cc1")},
     2,
     105,
     "cc1",
     NOISE_PROGRAM_APPLICATION,
     SHORT},
    {"in turn",
     {BEGAN(100, SHORT, 7), NAMED(101, SHORT, "make"), NAMED(110, SHORT, "cc1")},
     3,
     105,
     "make",
     0,
     SHORT},
    {"records of CPUs come in any order",
     {NAMED(101, SHORT, "cc1"), BEGAN(100, SHORT, SHELL)},
     2,
     105,
     "cc1",
     NOISE_PROGRAM_APPLICATION,
     SHORT},
    {"a number that is used again: the first",
     {BEGAN(100, SHORT, 7), NAMED(101, SHORT, "as"), BEGAN(200, SHORT, 7), NAMED(201, SHORT, "ld")},
     4,
     105,
     "as",
     0,
     SHORT},
    {"and the second",
     {BEGAN(100, SHORT, 7), NAMED(101, SHORT, "as"), BEGAN(200, SHORT, 7), NAMED(201, SHORT, "ld")},
     4,
     205,
     "ld",
     0,
     SHORT},
    {"a watched one that has taken another name since",
     {NAMED(300, SHELL, "cat")},
     1,
     305,
     "cat",
     NOISE_PROGRAM_APPLICATION,
     SHELL},
    {"and before that", {NAMED(300, SHELL, "cat")}, 1, 105, "sh", NOISE_PROGRAM_APPLICATION, SHELL},
    {"the name it was seen with is nothing new",
     {BEGAN(53, SHELL, 7), NAMED(60, SHELL, "sh")},
     2,
     105,
     "sh",
     NOISE_PROGRAM_APPLICATION,
     SHELL},
    {"nobody knows who began it", {BEGAN(100, SHORT, 7)}, 1, 105, NOISE_JOIN_UNNAMED, 0, SHORT},
    {"nothing is known", {{0}}, 0, 105, NOISE_JOIN_UNNAMED, 0, SHORT},
};

static void a_thread_has_the_name_that_it_took_last(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autoptr(noise_nit) nit = watched();
        noise_program_class kind;
        g_autofree char *name =
            taken_by(nit, ROWS[i].names, ROWS[i].n, ROWS[i].from, ROWS[i].tid, &kind);
        CHECK_STR(name, ROWS[i].name, "%s", ROWS[i].what);
        CHECK_I64(kind, ROWS[i].kind, "%s", ROWS[i].what);
    }
}

static void nothing_is_added_of_threads_that_were_watched(void)
{
    const noise_switch_name names[] = {BEGAN(53, SHELL, 7), NAMED(60, SHELL, "sh")};
    g_autoptr(noise_nit) nit = watched();
    g_autofree uint64_t *since = noise_join_add_names(nit, 0, names, G_N_ELEMENTS(names));
    CHECK_I64(nit->num_threads, 2);
    CHECK_I64(since[0], 50 * MS);
}

SUITE_MAIN("join_names", TEST(a_thread_has_the_name_that_it_took_last),
           TEST(nothing_is_added_of_threads_that_were_watched))
