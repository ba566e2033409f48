/* sim/base/byte_order_mark.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate_errors. */
#include "sim/byte_order_mark.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    const char *bytes;
} MARKS[] = {{"UTF-8", "\xEF\xBB\xBF"}, {"UTF-16", "\xFF\xFE"}, {"UTF-16", "\xFE\xFF"}};

bool sim_byte_order_mark_refuse(const char *name, const char *text, size_t len, GQuark domain,
                                int code, GError **error)
{
    for (size_t i = 0; i < G_N_ELEMENTS(MARKS); i++) {
        const size_t n = strlen(MARKS[i].bytes);
        if (len >= n && memcmp(text, MARKS[i].bytes, n) == 0) {
            g_set_error(error, domain, code,
                        "%s:1: it begins with a byte order mark (%s); save it without, as UTF-8",
                        name, MARKS[i].name);
            return false;
        }
    }
    return true;
}

bool sim_byte_order_mark_refuse_file(const char *path, GQuark domain, int code, GError **error)
{
    FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rbe") : NULL;
    if (file == NULL) {
        return true;
    }
    char head[SIM_BYTE_ORDER_MARK_BYTES];
    const size_t len = fread(head, 1, sizeof head, file);
    (void)fclose(file);
    return sim_byte_order_mark_refuse(path, head, len, domain, code, error);
}
