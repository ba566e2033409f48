/* tests/noise/monitor/test_census.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/census.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char *proc; /* a folder that looks like /proc */

static void put(const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(proc, name, NULL);
    g_autofree char *folder = g_path_get_dirname(path);
    (void)g_mkdir_with_parents(folder, 0777);
    (void)g_file_set_contents(path, text, -1, NULL);
}

static void remove_proc(void)
{
    char program[] = "rm";
    char option[] = "-rf";
    char *argv[] = {program, option, proc, NULL};
    (void)g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
    g_free(proc);
}

static const noise_suspect *nth(GArray *suspects, guint i)
{
    return &g_array_index(suspects, noise_suspect, i);
}

/* Numbers by hand: the difference of two pictures. */
static void the_difference_names_threads_and_interrupts(void)
{
    proc = g_dir_make_tmp("ripple-census-XXXXXX", NULL);
    put("interrupts", "           CPU0       CPU2\n"
                      "  1:          9          9  IO-APIC   1-edge   i8042\n"
                      "LOC:        100        200  Local timer interrupts\n"
                      "ERR:          0\n");
    put("7/task/7/schedstat", "1000 5 10\n");
    put("7/task/7/comm", "kworker/0:1\n");
    put("8/task/8/schedstat", "500 0 1\n");
    put("8/task/8/comm", "idle one\n");
    g_autoptr(noise_census) before = noise_census_take(proc);
    put("interrupts", "           CPU0       CPU2\n"
                      "  1:         10          9  IO-APIC   1-edge   i8042\n"
                      "LOC:        110        250  Local timer interrupts\n"
                      "ERR:          0\n");
    put("7/task/7/schedstat", "3500 5 14\n");
    put("9/task/11/schedstat", "9000 0 2\n");
    put("9/task/11/comm", "new thread\n");
    g_autoptr(noise_census) after = noise_census_take(proc);

    g_autoptr(GArray) all = noise_census_compare(before, after, NULL, 0);
    CHECK_I64(all->len, 4);
    CHECK_STR(nth(all, 0)->name, "new thread");
    CHECK_I64(nth(all, 0)->pid, 11);
    CHECK_I64(nth(all, 0)->time, 9 * SIM_US);
    CHECK_STR(nth(all, 1)->name, "kworker/0:1");
    CHECK_I64(nth(all, 1)->time, 2500 * SIM_NS);
    CHECK_I64(nth(all, 1)->count, 4);
    CHECK_STR(nth(all, 2)->name, "LOC: Local timer interrupts");
    CHECK_I64(nth(all, 2)->count, 60);
    CHECK_STR(nth(all, 3)->name, "1: IO-APIC 1-edge i8042");
    CHECK_I64(nth(all, 3)->count, 1);

    const uint32_t cpus[] = {2};
    g_autoptr(GArray) there = noise_census_compare(before, after, cpus, 1);
    CHECK_I64(there->len, 3);
    CHECK_I64(nth(there, 2)->count, 50);
    remove_proc();
}

static void an_unreadable_folder_gives_an_empty_census(void)
{
    g_autoptr(noise_census) none = noise_census_take("/nonexistent");
    g_autoptr(GArray) suspects = noise_census_compare(none, none, NULL, 0);
    CHECK_I64(suspects->len, 0);
}

static void a_busy_process_is_found_on_this_machine(void)
{
    if (!g_file_test("/proc/self/schedstat", G_FILE_TEST_EXISTS)) {
        SKIP_TEST("the kernel keeps no scheduler statistics");
    }
    const pid_t child = fork();
    if (child == 0) {
        for (;;) { /* until it is killed */
        }
    }
    g_autoptr(noise_census) before = noise_census_take("/proc");
    g_usleep(300000);
    g_autoptr(noise_census) after = noise_census_take("/proc");
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
    g_autoptr(GArray) suspects = noise_census_compare(before, after, NULL, 0);
    bool found = false;
    for (guint i = 0; i < suspects->len; i++) {
        found |= nth(suspects, i)->pid == (uint32_t)child && nth(suspects, i)->time > 0;
    }
    CHECK(found, "process %d", (int)child);
}

SUITE_MAIN("census", TEST(the_difference_names_threads_and_interrupts),
           TEST(an_unreadable_folder_gives_an_empty_census),
           TEST(a_busy_process_is_found_on_this_machine))
