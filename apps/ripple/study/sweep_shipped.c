/* apps/ripple/study/sweep_shipped.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_shipped, cli_shipped_study. */
#include "study/sweep_shipped.h"

#include "output/error.h"
#include "sim/nearest.h"
#include "study/sweep_file.h"

#include <string.h>

#define STUDY "study:"

typedef struct shipped {
    const char *name;
    const char *text;
} shipped;

/*
 * synchronisation: as Figure 3 of the paper of the Noise Inspector Tool, where a benchmark of fixed
 * work and a synchronisation is run on more and more CPUs. Ranks compute for some 100 ms in
 * all, and wait for each other the more often the shorter the interval.
 */
static const shipped SHIPPED[] = {
    {"synchronisation", "[study]\n"
                        "schema_version = 1\n"
                        "title = Slowdown over the interval between synchronisations\n"
                        "\n"
                        "[parameters]\n"
                        "program = pattern:calc=1ms,allreduce:8B\n"
                        "noise = jaguar\n"
                        "replicas = 10\n"
                        "\n"
                        "[together]\n"
                        "interval = 100us,300us,1ms,3ms,10ms,30ms,100ms\n"
                        "repeat = 1000,333,100,33,10,3,1\n"
                        "\n"
                        "[sweep]\n"
                        "ranks = 16..4Ki/x4\n"},
};

bool app_sweep_is_shipped(const char *text)
{
    return g_str_has_prefix(text, STUDY);
}

app_sweep_study *app_sweep_shipped(const char *text, GError **error)
{
    const char *name = text + strlen(STUDY);
    const char *names[G_N_ELEMENTS(SHIPPED) + 1] = {NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(SHIPPED); i++) {
        names[i] = SHIPPED[i].name;
        if (g_str_equal(SHIPPED[i].name, name)) {
            return app_sweep_file_parse(text, SHIPPED[i].text, strlen(SHIPPED[i].text), error);
        }
    }
    g_autofree char *hint = sim_nearest_hint(name, names);
    g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "there is no study '%s'%s", name, hint);
    return NULL;
}
