/* tests/noise/measure/test_cpu_list.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "measure/cpu_list.h"

static const uint32_t ALLOWED[] = {0, 1, 2, 3, 8, 9, 64};

static void lists_and_masks_are_read(void)
{
    static const char *const row[][2] = {
        {NULL, "0-3,8-9,64"}, {"0-3,8", "0-3,8"},
        {"9,1,2,1", "1-2,9"}, {"10f", "0-3,8"},
        {"0x3", "0-1"},       {"f", "0-3"},
        {"64", "64"},         {"0x00000001,00000000,00000002", "1,64"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        size_t n = 0;
        g_autofree uint32_t *cpus =
            noise_cpu_list_parse(row[i][0], ALLOWED, G_N_ELEMENTS(ALLOWED), &n, &error);
        CHECK(error == NULL, "row %zu: %s", i, error != NULL ? error->message : "");
        g_autofree char *got = noise_cpu_list_format(cpus, n);
        CHECK_STR(got, row[i][1], "row %zu", i);
    }
}

static void what_is_not_allowed_or_not_a_list_is_named(void)
{
    static const char *const row[][2] = {
        {"0-4", "CPU 4 is not among those this process may use (0-3,8-9,64)"},
        {"0x10", "CPU 4 is not"},
        {"", "CPUs '' are neither"},
        {"0-", "'0-' are neither"},
        {"3-1", "'3-1'"},
        {"a-b", "'a-b'"},
        {"0x", "'0x'"},
        {"0x0", "'0x0'"},
        {"-1", "'-1'"},
        {"0,5-4294967294", "'0,5-4294967294'"},
        {" 1", "' 1'"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        size_t n = 0;
        g_autofree uint32_t *cpus =
            noise_cpu_list_parse(row[i][0], ALLOWED, G_N_ELEMENTS(ALLOWED), &n, &error);
        CHECK(cpus == NULL, "row %zu", i);
        CHECK_ERROR(error, row[i][1]);
    }
    g_autoptr(GError) error = NULL;
    size_t n = 0;
    CHECK(noise_cpu_list_parse(NULL, NULL, 0, &n, &error) == NULL);
    CHECK_ERROR(error, "cannot be found out");
}

static void this_process_may_use_some_cpu(void)
{
    size_t n = 0;
    g_autofree uint32_t *cpus = noise_cpu_list_inherited(&n);
    CHECK(n >= 1 && cpus != NULL);
}

SUITE_MAIN("cpu_list", TEST(lists_and_masks_are_read),
           TEST(what_is_not_allowed_or_not_a_list_is_named), TEST(this_process_may_use_some_cpu))
