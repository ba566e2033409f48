/* tests/apps/places/test_placement_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "output/error.h"
#include "places/placement_file.h"
#include "text_file.h"

static void nodes_are_read_in_the_order_of_ranks(void)
{
    char *path = text_file_write("# a job\n3 3\t4*3 # two nodes\r\n\n  0\n16777215");
    static const uint32_t wanted[] = {3, 3, 4, 4, 4, 0, 16777215};
    uint32_t n = 0;
    g_autoptr(GError) error = NULL;
    g_autofree uint32_t *node = app_placement_read(path, &n, &error);
    if (CHECK(node != NULL, "%s", error != NULL ? error->message : "") &&
        CHECK_I64(n, G_N_ELEMENTS(wanted))) {
        CHECK(memcmp(node, wanted, sizeof wanted) == 0);
    }
    text_file_drop(path);
}

static void what_is_wrong_is_named_with_its_line(void)
{
    static const struct {
        const char *text, *wanted;
    } row[] = {
        {"", ": no node of any rank"},
        {"# nothing\n", ": no node of any rank"},
        {"1 2\n3 x\n", ":2: node: wanted a whole number from 0 to 16777215, not 'x'"},
        {"1\n\n-2\n", ":3: node: wanted a whole number from 0 to 16777215, not '-2'"},
        {"16777216", ":1: node: wanted a whole number from 0 to 16777215, not '16777216'"},
        {"1.5", ":1: node: wanted a whole number"},
        {"7*", ":1: ranks: wanted a whole number"},
        {"*7", ":1: node: wanted a whole number"},
        {"7*0", ":1: '7*0' is no rank at all"},
        {"7*x", ":1: ranks: wanted a whole number from 0 to 268435456, not 'x'"},
        {"0\n7*268435456", ":2: more than 268435456 ranks"},
        {"\xff\n", ": not a text"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        char *path = text_file_write(row[i].text);
        g_autofree char *wanted = g_strconcat(path, row[i].wanted, NULL);
        uint32_t n = 77;
        g_autoptr(GError) error = NULL;
        CHECK(app_placement_read(path, &n, &error) == NULL, "row %zu", i);
        CHECK_ERROR(error, wanted);
        CHECK(g_error_matches(error, APP_ERROR, APP_ERROR_INPUT) && n == 77, "row %zu", i);
        text_file_drop(path);
    }
    uint32_t n;
    g_autoptr(GError) error = NULL;
    CHECK(app_placement_read("no/such/file", &n, &error) == NULL);
    CHECK_ERROR(error, "no/such/file");
}

SUITE_MAIN("placement_file", TEST(nodes_are_read_in_the_order_of_ranks),
           TEST(what_is_wrong_is_named_with_its_line))
