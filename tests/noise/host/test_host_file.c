/* tests/noise/host/test_host_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "fake_root.h"
#include "host/host_file.h"

static void files_are_read_below_the_root(void)
{
    char *root = fake_root_new();
    fake_root_put(root, "/sys/cpu3/a", "first line\nsecond\n");
    fake_root_put(root, "/n", "250000\n");
    fake_root_put(root, "/max", "max 100000\n");
    g_autofree char *line = noise_host_file_line(root, "/sys/cpu%u/a", 3);
    CHECK_STR(line, "first line");
    g_autofree char *text = noise_host_file_text(root, "/sys/cpu%u/a", 3);
    CHECK_STR(text, "first line\nsecond\n");
    CHECK(noise_host_file_line(root, "/sys/cpu%u/a", 4) == NULL);
    CHECK_I64(noise_host_file_number(root, "/n", 0), 250000);
    CHECK_I64(noise_host_file_number(root, "/max", 0), -1);
    CHECK_I64(noise_host_file_number(root, "/none", 0), -1);
    fake_root_remove(root);
}

static void values_are_found_by_their_key(void)
{
    static const char text[] = "nr_periods 7\nnr_throttled 12\nnr_throttled_more 3\n";
    CHECK_I64(noise_host_file_value(text, "nr_throttled"), 12);
    CHECK_I64(noise_host_file_value(text, "nr_periods"), 7);
    CHECK_I64(noise_host_file_value(text, "throttled"), -1);
    CHECK_I64(noise_host_file_value(NULL, "nr_periods"), -1);
}

static void lists_of_cpus_are_read(void)
{
    static const struct {
        const char *list;
        uint32_t cpu;
        bool in;
    } row[] = {{"0-3,8", 0, true},  {"0-3,8", 3, true},   {"0-3,8", 4, false}, {"0-3,8", 8, true},
               {"0-3,8", 9, false}, {"10", 1, false},     {"10", 10, true},    {"", 0, false},
               {NULL, 0, false},    {"0-1,3-5", 4, true}, {"none", 0, false}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        CHECK(noise_host_file_lists(row[i].list, row[i].cpu) == row[i].in, "row %zu", i);
    }
}

SUITE_MAIN("host_file", TEST(files_are_read_below_the_root), TEST(values_are_found_by_their_key),
           TEST(lists_of_cpus_are_read))
