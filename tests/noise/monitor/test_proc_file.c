/* tests/noise/monitor/test_proc_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "monitor/proc_file.h"

/* proc(5); a line as Linux 6.1 writes it. */
static void fields_of_stat_stand_behind_the_last_bracket(void)
{
    static const char LINE[] =
        "4711 (a) b (c) R 12 4711 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 9 0 123456 22032384 960 "
        "18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 6 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
    proc_stat stat;
    CHECK(noise_proc_parse_stat(LINE, &stat));
    CHECK_STR(stat.name, "a) b (c");
    CHECK_I64(stat.state, 'R');
    CHECK_I64(stat.parent, 12);
    CHECK_I64(stat.flags, 4194560);
    CHECK_I64(stat.num_threads, 9);
    CHECK_I64(stat.start_ticks, 123456);
    CHECK_I64(stat.cpu, 6);
    CHECK(!noise_proc_parse_stat("", &stat));
    CHECK(!noise_proc_parse_stat("12 (x", &stat));
    CHECK(!noise_proc_parse_stat(") 12 (", &stat));
    g_autofree char *name = g_strnfill(500, 'n');
    g_autofree char *lengthy = g_strdup_printf("1 (%s) S 2 3\n", name);
    CHECK(noise_proc_parse_stat(lengthy, &stat));
    CHECK_I64(strlen(stat.name), sizeof stat.name - 1);
    CHECK_I64(stat.cpu, UINT32_MAX, "the line is too short");
}

static void schedstat_and_switches_are_numbers(void)
{
    proc_schedstat s;
    CHECK(noise_proc_parse_schedstat("123456789012345 77 9\n", &s));
    CHECK_I64(s.cpu_ns, 123456789012345);
    CHECK_I64(s.delay_ns, 77);
    CHECK_I64(s.slices, 9);
    CHECK(!noise_proc_parse_schedstat("", &s));
    CHECK(!noise_proc_parse_schedstat("no", &s));
    proc_switches w;
    CHECK(noise_proc_parse_switches("Name:\tx\nvoluntary_ctxt_switches:\t5\n"
                                    "nonvoluntary_ctxt_switches:\t6\n",
                                    &w));
    CHECK_I64(w.voluntary, 5);
    CHECK_I64(w.involuntary, 6);
    CHECK(!noise_proc_parse_switches("Name:\tx\n", &w));
}

static void paths_are_put_together(void)
{
    char path[64];
    CHECK_STR(noise_proc_path(path, 1, 4294967295u, "schedstat"), "1/task/4294967295/schedstat");
    CHECK_STR(noise_proc_path(path, 0, 10, "stat"), "0/task/10/stat");
}

static void files_are_read_whole_or_cut(void)
{
    char small[8];
    CHECK_I64(noise_proc_read(-1, "/proc/self/status", -1, small, sizeof small), 7);
    CHECK_I64(strlen(small), 7);
    CHECK_I64(noise_proc_read(-1, "/nonexistent", -1, small, sizeof small), -1);
}

SUITE_MAIN("proc_file", TEST(fields_of_stat_stand_behind_the_last_bracket),
           TEST(schedstat_and_switches_are_numbers), TEST(paths_are_put_together),
           TEST(files_are_read_whole_or_cut))
