/* tests/noise/switches/fuzz_cpu_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Any bytes as the record of a node's CPUs: refused with a message, or slices in order, and the
 * same bytes when what was read is written again.
 */
#include "fuzz.h"
#include "noise/cpu_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_cpu_log) log = noise_cpu_file_parse("input", data, size, &error);
    if (log == NULL) {
        if (error == NULL || error->message[0] == '\0') {
            abort();
        }
        return 0;
    }
    for (guint c = 0; c < log->cpus->len; c++) {
        const noise_cpu_slices *s = &g_array_index(log->cpus, noise_cpu_slices, c);
        for (size_t i = 1; i < s->n; i++) {
            if (s->slice[i].out < s->slice[i - 1].in) {
                abort();
            }
        }
    }
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    noise_cpu_file_write(log->boot_id, log->cpus, out);
    if (fclose(out) != 0 || length != size) {
        abort();
    }
    g_autoptr(noise_cpu_log) second = noise_cpu_file_parse("again", text, length, NULL);
    if (second == NULL || second->cpus->len != log->cpus->len) {
        abort();
    }
    free(text);
    return 0;
}
