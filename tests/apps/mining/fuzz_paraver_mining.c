/* tests/apps/mining/fuzz_paraver_mining.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace, then, from lines that begin with #PCF and #ROW on, its names. */
#include "fuzz.h"

#include "mining/paraver.h"

/* Cuts @p text before @p mark. @return what follows the mark, or NULL */
static char *cut_at(char *text, const char *mark)
{
    char *found = strstr(text, mark);
    if (found != NULL) {
        *found = '\0';
        found += strlen(mark);
    }
    return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_strndup((const char *)data, size);
    const char *row = cut_at(text, "#ROW\n");
    const char *pcf = cut_at(text, "#PCF\n");
    noise_miner_options options;
    noise_miner_options_init(&options, NOISE_MINER_MODERN);
    options.tick = 1000;
    g_autoptr(noise_miner) miner = noise_miner_new(&options);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    if (app_paraver_mine_text("fuzz.prv", text, strlen(text), pcf, row, miner, notes, NULL)) {
        g_autoptr(noise_miner_report) report = noise_miner_report_new(miner);
    }
    return 0;
}
