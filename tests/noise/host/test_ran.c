/* tests/noise/host/test_ran.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "fake_root.h"
#include "host/ran.h"

#include <unistd.h>

/* children: clock ticks of user time that its ended children took */
static void put_thread(const char *root, unsigned pid, unsigned tid, const char *comm,
                       const char *schedstat, unsigned cpu, unsigned children)
{
    g_autofree char *folder = g_strdup_printf("/proc/%u/task/%u", pid, tid);
    g_autofree char *name = g_strconcat(folder, "/comm", NULL);
    g_autofree char *line = g_strconcat(comm, "\n", NULL);
    fake_root_put(root, name, line);
    g_autofree char *sched = g_strconcat(folder, "/schedstat", NULL);
    fake_root_put(root, sched, schedstat);
    g_autofree char *stat = g_strconcat(folder, "/stat", NULL);
    /* fields 3-15, 16 and 17 (children), 18-38, 39 (processor), 40 on: proc(5) */
    g_autofree char *text = g_strdup_printf(
        "%u (%s) R 1 1 1 0 -1 0 0 0 0 0 0 0 %u 0 20 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 %u "
        "0 0 0\n",
        tid, comm, children, cpu);
    fake_root_put(root, stat, text);
}

static const noise_ran *nth(GArray *ran, guint i)
{
    return &g_array_index(ran, noise_ran, i);
}

static void who_ran_on_a_cpu_is_named(void)
{
    char *root = fake_root_new();
    put_thread(root, 7, 7, "burner", "1000000 5 10\n", 1, 0);
    put_thread(root, 7, 9, "a) (b", "5 5 1\n", 0, 0); /* a name with brackets and blanks */
    put_thread(root, 8, 8, "make", "5 5 1\n", 0, 50);
    put_thread(root, 11, 11, "sleeper", "77 0 3\n", 1, 0);
    put_thread(root, 12, 12, "measurer", "1 0 1\n", 1, 0);
    g_autoptr(noise_ran_counts) before = noise_ran_read(root);
    put_thread(root, 7, 7, "burner", "2001000000 5 210\n", 1, 0);
    put_thread(root, 7, 9, "a) (b", "3000000005 5 4\n", 1, 0); /* came from CPU 0 */
    put_thread(root, 8, 8, "make", "6 5 2\n", 0, 150);
    put_thread(root, 12, 12, "measurer", "9000000000 0 9\n", 1, 0);
    put_thread(root, 13, 13, "new", "500 0 2\n", 1, 0);
    g_autoptr(noise_ran_counts) after = noise_ran_read(root);

    g_autoptr(GArray) on = noise_ran_on(before, after, 1, 12);
    CHECK_I64(on->len, 4);
    CHECK_STR(nth(on, 0)->name, "a) (b");
    CHECK_I64(nth(on, 0)->run_ns, 3000000000);
    CHECK_STR(nth(on, 1)->name, "burner");
    CHECK_I64(nth(on, 1)->run_ns, 2000000000);
    CHECK_I64(nth(on, 1)->slices, 200);
    CHECK_I64(nth(on, 1)->tid, 7);
    CHECK_STR(nth(on, 2)->name, "new");
    CHECK_STR(nth(on, 3)->name, "children of make"); /* anywhere; so listed last */
    CHECK_I64(nth(on, 3)->run_ns, 100 * (1000000000 / sysconf(_SC_CLK_TCK)));
    g_autofree char *sentence = noise_ran_sentence(on, 2);
    CHECK_STR(sentence, "a) (b (9): 3 s in 3 turns, burner (7): 2 s in 200 turns");
    CHECK(noise_ran_sentence(on, 0) == NULL);
    g_free(g_array_index(on, noise_ran, 2).name);
    g_array_index(on, noise_ran, 2).name = g_strdup("burner"); /* as if it were one more */
    noise_ran_merge(on);
    CHECK_I64(on->len, 3);
    g_autofree char *merged = noise_ran_sentence(on, 2);
    CHECK_STR(merged, "a) (b (9): 3 s in 3 turns, burner (2 threads): 2 s in 202 turns");
    CHECK_STR(noise_ran_name(before, after, 13), "new");
    CHECK(noise_ran_name(before, after, 99) == NULL);
    fake_root_remove(root);
}

static void this_process_is_found_on_this_machine(void)
{
    g_autoptr(noise_ran_counts) now = noise_ran_read("");
    const char *name = noise_ran_name(NULL, now, (uint32_t)getpid());
    CHECK_STR(name, "test_ran");
}

SUITE_MAIN("ran", TEST(who_ran_on_a_cpu_is_named), TEST(this_process_is_found_on_this_machine))
