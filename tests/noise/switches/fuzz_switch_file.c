/* tests/noise/switches/fuzz_switch_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Any bytes as a rank's context switches: refused with a message, or intervals in order, and the
 * same when what was read is written and read again.
 */
#include "fuzz.h"
#include "noise/switch_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_switch_log) log = noise_switch_log_parse("input", data, size, &error);
    if (log == NULL) {
        if (error == NULL || error->message[0] == '\0') {
            abort();
        }
        return 0;
    }
    for (size_t i = 1; i < log->n; i++) {
        if (log->record[i].tid == log->record[i - 1].tid &&
            log->record[i].out < log->record[i - 1].in) {
            abort();
        }
    }
    const size_t bytes = log->n * sizeof *log->record;
    g_autofree char *again = g_malloc(sizeof log->header + bytes);
    memcpy(again, &log->header, sizeof log->header);
    memcpy(again + sizeof log->header, log->record, bytes);
    g_autoptr(noise_switch_log) second =
        noise_switch_log_parse("again", again, sizeof log->header + bytes, NULL);
    if (second == NULL || second->n != log->n || memcmp(second->record, log->record, bytes) != 0) {
        abort();
    }
    return 0;
}
