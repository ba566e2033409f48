/* apps/ripple/options/measure_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_measure, test_option_effects. */
#include "options/measure_options.h"

#include "output/error.h"
#include "sim/unit.h"

static const uint32_t DEFAULT_WINDOWS = 3;
/* Samples end a window; what does not end after that many hours is a mistake. */
static const sim_time LONGEST = (sim_time)24 * 3600 * SIM_S;

void app_measure_options_add(app_measure_options *self, app_options *options)
{
    const GOptionEntry entries[] = {
        {"method", 'm', 0, G_OPTION_ARG_STRING, &self->method,
         "selfish: gaps in a tight loop; fwq: times of equal work; ftq: work in equal times "
         "[selfish]",
         "METHOD"},
        {"cpus", 'c', 0, G_OPTION_ARG_STRING, &self->cpus,
         "CPUs to measure, e.g. 0-3,8 or a hexadecimal mask [all this process may use]", "LIST"},
        {"one-by-one", 0, 0, G_OPTION_ARG_NONE, &self->one_by_one,
         "measure one CPU after the other, not all at once", NULL},
        {"windows", 0, 0, G_OPTION_ARG_STRING, &self->windows,
         "measure so often, and keep the window with the least noise [3]", "N"},
        {"time", 't', 0, G_OPTION_ARG_STRING, &self->time,
         "end a window after that time [10s, unless --samples]", "TIME"},
        {"events", 0, 0, G_OPTION_ARG_STRING, &self->events,
         "selfish: or after so many detours on one CPU; 0: no limit [100000]", "N"},
        {"threshold", 0, 0, G_OPTION_ARG_STRING, &self->threshold,
         "selfish: what is a detour: an iteration longer than so many times the shortest [9]",
         "FACTOR"},
        {"quantum", 0, 0, G_OPTION_ARG_STRING, &self->quantum,
         "fwq: what the work takes undisturbed [1ms]; ftq: the interval [100us]", "TIME"},
        {"samples", 0, 0, G_OPTION_ARG_STRING, &self->samples,
         "fwq, ftq: end a window after so many quanta [as many as the time has room for]", "N"},
        {"kernel", 0, 0, G_OPTION_ARG_STRING, &self->kernel,
         "fwq: the work: multiply, fma, daxpy or memory [multiply]", "KERNEL"},
        {NULL},
    };
    app_options_add(options, "Measurement", entries);
}

void app_measure_options_clear(app_measure_options *self)
{
    g_free(self->method);
    g_free(self->cpus);
    g_free(self->time);
    g_free(self->windows);
    g_free(self->events);
    g_free(self->threshold);
    g_free(self->quantum);
    g_free(self->samples);
    g_free(self->kernel);
}

bool app_measure_options_refuse(const app_measure_options *self, const char *idle, GError **error)
{
    const app_option_use uses[] = {
        {"--method", self->method != NULL, idle},       {"--cpus", self->cpus != NULL, idle},
        {"--one-by-one", self->one_by_one, idle},       {"--windows", self->windows != NULL, idle},
        {"--time", self->time != NULL, idle},           {"--events", self->events != NULL, idle},
        {"--threshold", self->threshold != NULL, idle}, {"--quantum", self->quantum != NULL, idle},
        {"--samples", self->samples != NULL, idle},     {"--kernel", self->kernel != NULL, idle},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error);
}

static bool refuse_idle(const app_measure_options *self, noise_method method, GError **error)
{
    const bool selfish = method == NOISE_METHOD_SELFISH;
    const char *const loop = selfish ? NULL : "without --method=selfish";
    const char *const quanta = selfish ? "without --method=fwq or ftq" : NULL;
    const app_option_use uses[] = {
        {"--events", self->events != NULL, loop},
        {"--threshold", self->threshold != NULL, loop},
        {"--quantum", self->quantum != NULL, quanta},
        {"--samples", self->samples != NULL, quanta},
        {"--kernel", self->kernel != NULL,
         method == NOISE_METHOD_FWQ ? NULL : "without --method=fwq"},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error);
}

static bool parse_factor(const char *text, double *out, GError **error)
{
    char *end = NULL;
    const double value = g_ascii_strtod(text, &end);
    if (end == text || *end != '\0' || !(value > 1.0) || !(value <= 1e6)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--threshold: '%s' is not a number above 1",
                    text);
        return false;
    }
    *out = value;
    return true;
}

/* Unless it is NULL. */
static bool parse_time(const char *option, const char *text, sim_time *out, GError **error)
{
    if (text != NULL && !sim_unit_parse_time(text, SIM_S, out, error)) {
        app_error_blame_option(error, option);
        return false;
    }
    return true;
}

static bool parse_names(const app_measure_options *self, noise_measurement_options *o,
                        GError **error)
{
    const char *const methods[] = {noise_method_name(NOISE_METHOD_SELFISH),
                                   noise_method_name(NOISE_METHOD_FWQ),
                                   noise_method_name(NOISE_METHOD_FTQ), NULL};
    const char *const kernels[] = {
        noise_kernel_name(NOISE_KERNEL_MULTIPLY), noise_kernel_name(NOISE_KERNEL_FMA),
        noise_kernel_name(NOISE_KERNEL_DAXPY), noise_kernel_name(NOISE_KERNEL_MEMORY), NULL};
    unsigned method = NOISE_METHOD_SELFISH;
    unsigned kernel = NOISE_KERNEL_MULTIPLY;
    if ((self->method != NULL &&
         !app_parse_choice("--method", self->method, methods, &method, error)) ||
        (self->kernel != NULL &&
         !app_parse_choice("--kernel", self->kernel, kernels, &kernel, error))) {
        return false;
    }
    o->method = (noise_method)method;
    o->kernel = (noise_kernel)kernel;
    return refuse_idle(self, o->method, error);
}

static bool parse_numbers(const app_measure_options *self, noise_measurement_options *o,
                          GError **error)
{
    uint64_t windows = DEFAULT_WINDOWS;
    if (!parse_time("--time", self->time, &o->time, error) ||
        !parse_time("--quantum", self->quantum, &o->quantum, error) ||
        (self->windows != NULL &&
         !app_parse_unsigned("--windows", self->windows, 1, 100, &windows, error)) ||
        (self->events != NULL &&
         !app_parse_unsigned("--events", self->events, 0, UINT64_MAX, &o->events, error)) ||
        (self->samples != NULL &&
         !app_parse_unsigned("--samples", self->samples, 1, 1U << 26, &o->samples, error)) ||
        (self->threshold != NULL && !parse_factor(self->threshold, &o->factor, error))) {
        return false;
    }
    o->windows = (uint32_t)windows;
    o->one_by_one = self->one_by_one;
    if (o->time <= 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--time: no time to measure in");
        return false;
    }
    if (self->quantum != NULL && (o->quantum < SIM_US || o->quantum > 10 * SIM_S)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--quantum: '%s' is not between 1us and 10s",
                    self->quantum);
        return false;
    }
    return true;
}

static void add_to_manifest(const app_measure_options *self, const noise_measurement_options *o,
                            app_manifest *manifest)
{
    g_autofree char *time = sim_unit_format_time(o->time);
    app_manifest_add(manifest, "method", "%s", noise_method_name(o->method));
    app_manifest_add(manifest, "cpus", "%s", self->cpus != NULL ? self->cpus : "all");
    app_manifest_add(manifest, "one-by-one", "%s", o->one_by_one ? "yes" : "no");
    app_manifest_add(manifest, "windows", "%u", o->windows);
    app_manifest_add(manifest, "time", "%s", time);
    if (o->method == NOISE_METHOD_SELFISH) {
        g_autofree char *floor_text = sim_unit_format_time(o->floor);
        app_manifest_add(manifest, "events", "%" G_GUINT64_FORMAT, o->events);
        app_manifest_add(manifest, "threshold", "%g", o->factor);
        app_manifest_add(manifest, "floor", "%s", floor_text);
        return;
    }
    g_autofree char *quantum = sim_unit_format_time(o->quantum);
    app_manifest_add(manifest, "quantum", "%s", quantum);
    if (o->samples > 0) {
        app_manifest_add(manifest, "samples", "%" G_GUINT64_FORMAT, o->samples);
    }
    if (o->method == NOISE_METHOD_FWQ) {
        app_manifest_add(manifest, "kernel", "%s", noise_kernel_name(o->kernel));
    }
}

bool app_measure_options_resolve(const app_measure_options *self, noise_measurement_options *o,
                                 app_manifest *manifest, GError **error)
{
    noise_measurement_options_init(o);
    if (!parse_names(self, o, error)) {
        return false;
    }
    o->cpus = self->cpus;
    o->quantum = noise_method_quantum(o->method);
    o->time = self->samples != NULL ? LONGEST : o->time;
    if (!parse_numbers(self, o, error)) {
        return false;
    }
    add_to_manifest(self, o, manifest);
    return true;
}
