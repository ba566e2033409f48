/* noise/files/formats/format_osnoise_top.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_file_formats. */
/**
 * @file
 * What `rtla osnoise top` prints has totals, not lengths: it is refused, with what to do instead.
 */
#include "files/format.h"

#include <string.h>

static bool probe(const char *head)
{
    return strstr(head, "Operating System Noise") != NULL && strstr(head, "Max Single") != NULL;
}

static bool read_line(noise_reader *r, const char *line)
{
    (void)line;
    return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                             "a table of 'rtla osnoise top' has totals, not the lengths of "
                             "detours: take 'rtla osnoise hist', or a trace ('-t')");
}

const noise_file_format noise_format_osnoise_top = {
    .name = "rtla osnoise top",
    .probe = probe,
    .is_foreign = true,
    .line = read_line,
};
