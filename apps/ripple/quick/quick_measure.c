/* apps/ripple/quick/quick_measure.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_quick. */
#include "quick/quick_measure.h"

#include "measure/measure_files.h"
#include "noise/join_measured.h"
#include "noise/monitor.h"
#include "output/error.h"

#include <glib/gstdio.h>
#include <string.h>

static const sim_time COLLECTIVE = 10 * SIM_US; /* that P* refers to, as of ripple measure */

static noise_measurement *run(const noise_measurement_options *options, GError **error)
{
    noise_measurement *measurement = noise_measurement_run(options, error);
    if (measurement == NULL && error != NULL &&
        g_error_matches(*error, NOISE_ERROR, NOISE_ERROR_BAD_CPUS)) {
        app_error_blame_option(error, "--cpus");
    }
    return measurement;
}

/* Where nothing can be watched, there is a measurement all the same. */
static void watch(const noise_measurement_options *options, const char *path,
                  app_quick_measured *out, GError **error)
{
    noise_monitor_options watching;
    noise_monitor_options_init(&watching);
    watching.path = path;
    GError *why = NULL;
    noise_monitor *monitor = noise_monitor_start(&watching, &why);
    out->measurement = run(options, error);
    if (monitor != NULL && noise_monitor_stop(monitor, &why)) {
        out->nit = noise_nit_read(path, &why);
    }
    if (out->nit == NULL) {
        out->unwatched = g_strdup(why != NULL ? why->message : "no reason is known");
    }
    g_clear_error(&why);
}

/* Sources of one class are numbered from the second on: "ripple-watch-2". */
static bool is_own(const char *name)
{
    const size_t n = strlen(NOISE_JOIN_WATCH);
    return strncmp(name, NOISE_JOIN_WATCH, n) == 0 &&
           (name[n] == '\0' ||
            (name[n] == '-' && name[n + 1 + strspn(name + n + 1, "0123456789")] == '\0'));
}

/* Those in which the watch itself ran: one, or one for each of its rhythms. */
static void find_own(app_quick_measured *m)
{
    const noise_decomposition *d = m->analysis->division;
    for (size_t s = 0; s < d->num_sources; s++) {
        if (is_own(d->sources[s].name)) {
            g_ptr_array_add(m->own, g_strdup(d->sources[s].name));
        }
    }
}

bool app_quick_measure(const noise_measurement_options *options, const char *folder,
                       app_quick_measured *out, GError **error)
{
    const app_measure_ask ask = {.collective = COLLECTIVE};
    g_autofree char *path = g_build_filename(folder, APP_QUICK_WATCH, NULL);
    g_autofree char *detours = g_build_filename(folder, APP_QUICK_DETOURS, NULL);
    *out = (app_quick_measured){.own = g_ptr_array_new_with_free_func(g_free)};
    watch(options, path, out, error);
    if (out->measurement == NULL) {
        (void)g_unlink(path);
        return false;
    }
    if (out->nit != NULL) {
        noise_join_measurement(out->measurement, out->nit);
    }
    out->analysis = app_measure_analyse(out->measurement, detours, &ask, error);
    if (out->analysis == NULL || !app_measure_write_divided(out->analysis, detours, error)) {
        return false;
    }
    find_own(out);
    return true;
}

void app_quick_measured_clear(app_quick_measured *m)
{
    noise_measurement_free(m->measurement);
    noise_nit_free(m->nit);
    g_free(m->unwatched);
    app_measure_analysis_free(m->analysis);
    if (m->own != NULL) {
        g_ptr_array_unref(m->own);
    }
    *m = (app_quick_measured){0};
}

char *app_quick_watch_sentence(const app_quick_measured *m)
{
    if (m->nit == NULL) {
        return g_strdup_printf("nobody was watched meanwhile: %s", m->unwatched);
    }
    const noise_nit_node *node = &m->nit->nodes[0];
    return g_strdup_printf("up to %u threads were watched meanwhile, every %.3g ms%s%s",
                           node->most_threads, (double)node->mean_interval_ns / 1e6,
                           node->blind != NULL ? ", but not everybody could be seen: " : "",
                           node->blind != NULL ? node->blind : "");
}
