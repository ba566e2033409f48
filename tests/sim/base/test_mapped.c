/* tests/sim/base/test_mapped.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "sim/mapped.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define BYTES ((gsize)24 << 20)

/* Pages of this process that are in memory; 0: unknown. */
static double resident_bytes(void)
{
    g_autofree char *text = NULL;
    unsigned long all = 0;
    unsigned long resident = 0;
    if (!g_file_get_contents("/proc/self/statm", &text, NULL, NULL)) {
        return 0;
    }
    char *end = NULL;
    all = strtoul(text, &end, 10);
    resident = strtoul(end, NULL, 10);
    return all > 0 ? (double)resident * (double)sysconf(_SC_PAGESIZE) : 0;
}

static guint sum_of(const char *data)
{
    guint sum = 0;
    for (gsize i = 0; i < BYTES; i++) {
        sum = sum * 31 + (guchar)data[i];
    }
    return sum;
}

static void what_is_let_go_leaves_memory_and_can_be_read_again(void)
{
    g_autofree char *path = NULL;
    const int file = g_file_open_tmp("ripple-XXXXXX", &path, NULL);
    g_assert_true(file >= 0);
    (void)g_close(file, NULL);
    char *text = g_malloc(BYTES);
    for (gsize i = 0; i < BYTES; i++) {
        text[i] = (char)(i * 7 / 5);
    }
    CHECK(g_file_set_contents(path, text, (gssize)BYTES, NULL));
    g_free(text);
    g_autoptr(GMappedFile) map = g_mapped_file_new(path, FALSE, NULL);
    g_assert_nonnull(map);
    const char *data = g_mapped_file_get_contents(map);
    const guint before = sum_of(data);
    const double most = resident_bytes();
    sim_mapped_let_go(data + 100, data + BYTES - 100);
    if (most > 0) {
        CHECK(resident_bytes() < most - 0.9 * (double)BYTES, "%.0f of %.0f bytes", resident_bytes(),
              most);
    }
    CHECK_I64(sum_of(data), before);
    sim_mapped_let_go(data + 1, data + 2); /* less than a page */
    sim_mapped_let_go(data, data);
    CHECK_I64(sum_of(data), before);
    (void)g_unlink(path);
}

SUITE_MAIN("mapped", TEST(what_is_let_go_leaves_memory_and_can_be_read_again))
