/* noise/files/file_free.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_detour_file. */
#include "noise/detour_file.h"

void noise_detour_file_free(noise_detour_file *file)
{
    if (file == NULL) {
        return;
    }
    for (size_t i = 0; i < file->num_runs; i++) {
        g_free(file->runs[i].start);
        g_free(file->runs[i].length);
        g_free(file->runs[i].source);
        g_free(file->runs[i].sample);
    }
    for (size_t i = 0; i < file->num_sources; i++) {
        g_free(file->sources[i].name);
        g_free(file->sources[i].kind);
        g_free(file->sources[i].evidence);
    }
    g_free(file->runs);
    g_free(file->sources);
    g_free(file->method);
    g_free(file->json);
    g_free(file->system);
    g_free(file->host);
    g_free(file->release);
    g_free(file->note);
    g_free(file);
}
