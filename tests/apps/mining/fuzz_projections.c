/* tests/apps/mining/fuzz_projections.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, and from the line that begins with PROJECTIONS-RECORD on the log of a processor. */
#include "fuzz.h"

#include "mining/projections.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_strndup((const char *)data, size);
    char *log_text = strstr(text, "PROJECTIONS-RECORD");
    const size_t names_size = log_text != NULL ? (size_t)(log_text - text) : strlen(text);
    g_autoptr(app_projections_names) names =
        app_projections_names_parse("fuzz.sts", text, names_size, NULL);
    if (names == NULL || log_text == NULL) {
        return 0;
    }
    noise_miner_options options;
    noise_miner_options_init(&options, NOISE_MINER_MODERN);
    g_autoptr(noise_miner) miner = noise_miner_new(&options);
    g_autoptr(app_projections_log) log =
        app_projections_log_new("fuzz.0.log", names, 0, size % 2 == 0, miner);
    g_auto(GStrv) lines = g_strsplit(log_text, "\n", -1);
    bool ok = true;
    for (guint i = 0; ok && lines[i] != NULL; i++) {
        ok = app_projections_log_take(log, lines[i], NULL);
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(miner);
    return 0;
}
