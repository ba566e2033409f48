/* apps/ripple/system/node_watch.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_watch, test_tracer_switches. */
#include "system/node_watch.h"

#include "noise/cpu_file.h"
#include "noise/monitor.h"
#include "output/error.h"
#include "output/output.h"

#include <string.h>

struct app_node_watch {
    noise_monitor *monitor;
    noise_cpu_record *cpus; /* NULL: not allowed */
    char *refusal;
    char *folder;
};

bool app_node_watch_parse_share(const char *text, double *share, GError **error)
{
    char *end = NULL;
    const double value = g_ascii_strtod(text, &end);
    while (*end == ' ') {
        end++;
    }
    const bool is_percent = strcmp(end, "%") == 0;
    *share = is_percent ? value / 100 : value;
    if (end == text || (*end != '\0' && !is_percent) || !(*share >= 0.0001 && *share <= 1)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--max-cpu: '%s' is no share of a CPU from 0.01%% to 100%%", text);
        return false;
    }
    return true;
}

app_node_watch *app_node_watch_start(const char *folder, double share, GError **error)
{
    g_autofree char *path = g_build_filename(folder, APP_NODE_WATCH_FILE, NULL);
    noise_monitor_options options;
    noise_monitor_options_init(&options);
    options.path = path;
    options.mode = NOISE_NIT_BUDGET;
    options.budget = share;
    noise_monitor *monitor = noise_monitor_start(&options, error);
    if (monitor == NULL) {
        return NULL;
    }
    g_autoptr(GError) why = NULL;
    app_node_watch *watch = g_new0(app_node_watch, 1);
    watch->monitor = monitor;
    watch->folder = g_strdup(folder);
    watch->cpus = noise_cpu_record_start(&why);
    watch->refusal = why != NULL ? g_strdup(why->message) : NULL;
    return watch;
}

/* For those who look at the run later. */
static bool write_cpus(const char *folder, const GArray *slices, GError **error)
{
    g_autofree char *path = g_build_filename(folder, NOISE_CPU_FILE, NULL);
    g_autofree char *boot_id = NULL;
    if (!g_file_get_contents("/proc/sys/kernel/random/boot_id", &boot_id, NULL, error)) {
        return false;
    }
    app_output *output = app_output_open(path, error);
    if (output == NULL) {
        return false;
    }
    noise_cpu_file_write(g_strchomp(boot_id), slices, app_output_stream(output));
    return app_output_close(output, error);
}

bool app_node_watch_stop(app_node_watch *watch, GArray **slices, char **refusal, GError **error)
{
    *slices = watch->cpus != NULL ? noise_cpu_record_stop(watch->cpus) : NULL;
    *refusal = watch->refusal;
    bool is_whole = noise_monitor_stop(watch->monitor, error);
    if (*slices != NULL) {
        is_whole = write_cpus(watch->folder, *slices, is_whole ? error : NULL) && is_whole;
    }
    g_free(watch->folder);
    g_free(watch);
    return is_whole;
}
