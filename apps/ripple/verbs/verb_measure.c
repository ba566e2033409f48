/* apps/ripple/verbs/verb_measure.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_measure. */
/**
 * @file
 * ripple measure: the noise of this machine, by the selfish benchmark.
 */
#include "measure/measure_files.h"
#include "measure/measure_print.h"
#include "noise/measurement.h"
#include "options/options.h"
#include "output/error.h"
#include "output/progress.h"
#include "output/result.h"
#include "sim/json_member.h"
#include "sim/unit.h"
#include "statistics/statistics.h"
#include "verbs/verb_list.h"

#include <math.h>
#include <string.h>

typedef struct measure {
    char *cpus;
    char *time;
    char *events;
    char *threshold;
    char *collective;
} measure;

/** What is printed: a measurement and what it says. */
typedef struct measured {
    const noise_measurement *measurement;
    const app_measure_analysis *analysis;
} measured;

static void options(void *state, app_options *options)
{
    measure *self = state;
    const GOptionEntry entries[] = {
        {"cpus", 'c', 0, G_OPTION_ARG_STRING, &self->cpus,
         "CPUs to measure, e.g. 0-3,8 or a hexadecimal mask [all this process may use]", "LIST"},
        {"time", 't', 0, G_OPTION_ARG_STRING, &self->time, "stop after that time [10s]", "TIME"},
        {"events", 0, 0, G_OPTION_ARG_STRING, &self->events,
         "or after so many detours on one CPU; 0: no limit [100000]", "N"},
        {"threshold", 0, 0, G_OPTION_ARG_STRING, &self->threshold,
         "what is a detour: an iteration longer than so many times the shortest [9]", "FACTOR"},
        {NULL},
    };
    app_options_add(options, "Measurement", entries);
    const GOptionEntry analysis[] = {
        {"collective", 0, 0, G_OPTION_ARG_STRING, &self->collective,
         "how long the collective takes that P* refers to, without noise [10us]", "TIME"},
        {NULL},
    };
    app_options_add(options, "Analysis", analysis);
}

static void clear(void *state)
{
    measure *self = state;
    g_free(self->cpus);
    g_free(self->time);
    g_free(self->events);
    g_free(self->threshold);
    g_free(self->collective);
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

static bool read_options(const measure *self, noise_measurement_options *o, app_manifest *manifest,
                         GError **error)
{
    noise_measurement_options_init(o);
    o->cpus = self->cpus;
    if (self->time != NULL && !sim_unit_parse_time(self->time, SIM_S, &o->time, error)) {
        app_error_blame_option(error, "--time");
        return false;
    }
    if (o->time <= 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--time: no time to measure in");
        return false;
    }
    if ((self->events != NULL &&
         !app_parse_unsigned("--events", self->events, 0, UINT64_MAX, &o->events, error)) ||
        (self->threshold != NULL && !parse_factor(self->threshold, &o->factor, error))) {
        return false;
    }
    g_autofree char *time = sim_unit_format_time(o->time);
    g_autofree char *floor_text = sim_unit_format_time(o->floor);
    app_manifest_add(manifest, "cpus", "%s", self->cpus != NULL ? self->cpus : "all");
    app_manifest_add(manifest, "time", "%s", time);
    app_manifest_add(manifest, "events", "%" G_GUINT64_FORMAT, o->events);
    app_manifest_add(manifest, "threshold", "%g", o->factor);
    app_manifest_add(manifest, "floor", "%s", floor_text);
    return true;
}

static bool read_ask(const measure *self, app_measure_ask *ask, app_manifest *manifest,
                     GError **error)
{
    *ask = (app_measure_ask){.collective = 10 * SIM_US};
    if (self->collective != NULL &&
        !sim_unit_parse_time(self->collective, SIM_NS, &ask->collective, error)) {
        app_error_blame_option(error, "--collective");
        return false;
    }
    if (ask->collective <= 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--collective: takes no time");
        return false;
    }
    g_autofree char *collective = sim_unit_format_time(ask->collective);
    app_manifest_add(manifest, "collective", "%s", collective);
    return true;
}

static void print_time(FILE *out, sim_time t)
{
    g_autofree char *text = sim_unit_format_time_short(t);
    fprintf(out, " %10s", text);
}

static void print_text(const void *result, FILE *out)
{
    const noise_measurement *r = ((const measured *)result)->measurement;
    fprintf(out, "clock %s, %.6g MHz, drift %.3g ppm\n", r->clock, r->ticks_per_second / 1e6,
            r->drift_ppm);
    fprintf(out, "%5s %10s %9s %9s %10s %10s %10s %10s %10s\n", "CPU", "time", "noise", "detours",
            "shortest", "median", "longest", "t_min", "threshold");
    for (size_t i = 0; i < r->num_cpus; i++) {
        const noise_measurement_cpu *cpu = &r->cpus[i];
        fprintf(out, "%5u", cpu->cpu);
        print_time(out, cpu->duration);
        fprintf(out, " %7.3g %% %9zu", 100.0 * noise_measurement_cpu_share(cpu), cpu->n);
        if (cpu->n > 0) {
            const app_statistics s = app_statistics_of(cpu->length, cpu->n, 0.95);
            print_time(out, s.min);
            print_time(out, s.median);
            print_time(out, s.max);
        } else {
            fprintf(out, " %10s %10s %10s", "-", "-", "-");
        }
        print_time(out, cpu->t_min);
        print_time(out, cpu->threshold);
        fputc('\n', out);
    }
    app_measure_print(((const measured *)result)->analysis, out);
    fprintf(out, "%s\n", r->verdict);
}

static void print_csv(const void *result, FILE *out)
{
    const noise_measurement *r = ((const measured *)result)->measurement;
    fputs("cpu,duration_ns,share,detours,min_ns,median_ns,max_ns,t_min_ns,threshold_ns,valid\n",
          out);
    for (size_t i = 0; i < r->num_cpus; i++) {
        const noise_measurement_cpu *cpu = &r->cpus[i];
        app_statistics s = {0};
        if (cpu->n > 0) {
            s = app_statistics_of(cpu->length, cpu->n, 0.95);
        }
        g_autofree char *duration = sim_unit_format_ns(cpu->duration);
        g_autofree char *min = sim_unit_format_ns(s.min);
        g_autofree char *median = sim_unit_format_ns(s.median);
        g_autofree char *max = sim_unit_format_ns(s.max);
        g_autofree char *t_min = sim_unit_format_ns(cpu->t_min);
        g_autofree char *threshold = sim_unit_format_ns(cpu->threshold);
        fprintf(out, "%u,%s,%.9g,%zu,%s,%s,%s,%s,%s,%s\n", cpu->cpu, duration,
                noise_measurement_cpu_share(cpu), cpu->n, min, median, max, t_min, threshold,
                r->valid ? "yes" : "no");
    }
}

static void build_cpu(JsonBuilder *b, const noise_measurement_cpu *cpu)
{
    json_builder_begin_object(b);
    sim_json_int(b, "cpu", cpu->cpu);
    sim_json_int(b, "duration_ps", cpu->duration);
    sim_json_double(b, "share", noise_measurement_cpu_share(cpu));
    sim_json_int(b, "detours", (int64_t)cpu->n);
    if (cpu->n > 0) {
        const app_statistics s = app_statistics_of(cpu->length, cpu->n, 0.95);
        sim_json_int(b, "min_ps", s.min);
        sim_json_int(b, "median_ps", s.median);
        sim_json_int(b, "max_ps", s.max);
    }
    sim_json_int(b, "t_min_ps", cpu->t_min);
    sim_json_int(b, "threshold_ps", cpu->threshold);
    sim_json_int(b, "threshold_raised", (int64_t)cpu->raised);
    sim_json_int(b, "iterations", (int64_t)cpu->iterations);
    json_builder_end_object(b);
}

static void build(const void *result, JsonBuilder *b)
{
    const noise_measurement *r = ((const measured *)result)->measurement;
    sim_json_bool(b, "valid", r->valid);
    sim_json_text(b, "verdict", r->verdict);
    sim_json_text(b, "clock", r->clock);
    sim_json_double(b, "ticks_per_second", r->ticks_per_second);
    sim_json_double(b, "drift_ppm", r->drift_ppm);
    JsonNode *provenance = json_from_string(r->provenance, NULL);
    if (provenance != NULL) {
        sim_json_node(b, "machine", provenance);
    }
    sim_json_begin_array(b, "cpus");
    for (size_t i = 0; i < r->num_cpus; i++) {
        build_cpu(b, &r->cpus[i]);
    }
    json_builder_end_array(b);
    app_measure_build(((const measured *)result)->analysis, b);
}

static const app_result_writer WRITER = {print_text, print_csv, build};

/* ripple measure FILE...: nothing is measured. */
static int run_files(const app_context *context, const measure *self, const app_measure_ask *ask,
                     GError **error)
{
    const char *idle = "where FILEs are read and nothing is measured";
    const app_option_use uses[] = {
        {"--cpus", self->cpus != NULL, idle},
        {"--time", self->time != NULL, idle},
        {"--events", self->events != NULL, idle},
        {"--threshold", self->threshold != NULL, idle},
    };
    if (!app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error)) {
        return APP_EXIT_USAGE;
    }
    return app_measure_files(context, ask, error);
}

static int run(app_context *context, void *state, GError **error)
{
    noise_measurement_options o;
    app_measure_ask ask;
    if (!read_ask(state, &ask, context->manifest, error)) {
        return APP_EXIT_USAGE;
    }
    if (context->nargs > 0) {
        return run_files(context, state, &ask, error);
    }
    if (!read_options(state, &o, context->manifest, error)) {
        return APP_EXIT_USAGE;
    }
    const app_output_place place = {"--output", context->output, false};
    if (!app_output_check(&place, 0, NULL, error)) {
        return APP_EXIT_ERROR;
    }
    app_progress *progress = app_progress_new(context->verb, "measuring", context->quiet);
    g_autoptr(noise_measurement) result = noise_measurement_run(&o, error);
    if (result == NULL && error != NULL &&
        g_error_matches(*error, NOISE_ERROR, NOISE_ERROR_BAD_CPUS)) {
        app_error_blame_option(error, "--cpus");
    }
    app_progress_free(progress);
    g_autoptr(app_measure_analysis) analysis =
        result != NULL ? app_measure_analyse(result, "this measurement", &ask, error) : NULL;
    if (analysis == NULL ||
        (context->output != NULL && !app_measure_write_divided(analysis, context->output, error))) {
        return APP_EXIT_ERROR;
    }
    if (context->output != NULL) {
        app_context_note(context, "detours in %s, for --noise=%s%s", context->output,
                         context->output,
                         result->valid ? "" : ", which is refused without --accept-invalid");
    }
    const measured all = {result, analysis};
    if (!app_result_write(context, NULL, context->format, &WRITER, &all, error)) {
        return APP_EXIT_ERROR;
    }
    if (!result->valid) {
        g_auto(GStrv) lines = g_strsplit(result->verdict, "\n", -1);
        for (size_t i = 0; lines[i] != NULL; i++) {
            fprintf(stderr, "ripple measure: %s\n", lines[i]);
        }
        return APP_EXIT_INVALID;
    }
    return APP_EXIT_DONE;
}

static const char *const EXAMPLES[] = {
    "ripple measure -o here.detours",
    "Ten seconds on all CPUs; the file serves as ripple simulate --noise=here.detours.",
    "ripple measure --cpus=0-3 --time=1min --format=json",
    "A minute on four CPUs.",
    "ripple measure here.detours other-tool.txt",
    "What two files say that were measured before: nothing is measured.",
    NULL,
};

const app_verb app_verb_measure = {
    .name = "measure",
    .summary = "measure the noise of this machine; say whether the measurement is valid",
    .usage = "[FILE...]",
    .description =
        "Runs a tight loop on each CPU that reads the clock and takes every gap above a threshold\n"
        "for a detour: time that something else has stolen. A summary goes to standard output, "
        "the\ndetours to the file of -o: Netgauge's columns under a header that ends in a line of "
        "JSON,\nwhich --noise of the other verbs reads. A measurement that cannot be trusted says "
        "why, and\nthe exit code is 3; the other verbs refuse it, unless --accept-invalid is "
        "given.\nThen come the sources of the detours: what comes at regular intervals, what the "
        "kernel's\nrecords name, what is of one length, and the rest; the file has them as "
        "components, so that\n--noise=here.detours --without=tick leaves one out. With FILEs "
        "nothing "
        "is measured: what they\nsay is analysed, and -o writes one file divided into its sources.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT,
    .output_help = "write the detours there, one run for each CPU (Netgauge's columns under a "
                   "JSON header; in a third column its source)",
    .state_size = sizeof(measure),
    .options = options,
    .run = run,
    .clear = clear,
};
