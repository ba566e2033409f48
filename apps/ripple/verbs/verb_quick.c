/* apps/ripple/verbs/verb_quick.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_quick, cli_stop. */
/**
 * @file
 * ripple quick: measure this machine, name the suspects, predict an allreduce at scale.
 */
#include "experiment/scaling.h"
#include "findings/experiment_print.h"
#include "findings/experiment_report.h"
#include "options/machine_options.h"
#include "options/place_options.h"
#include "options/sizes.h"
#include "output/error.h"
#include "output/folder.h"
#include "output/result.h"
#include "quick/quick_report.h"
#include "sim/unit.h"
#include "system/stop.h"
#include "verbs/verb_list.h"

#include <string.h>

#define DEFAULT_FOLDER "ripple-quick"
#define PROGRAM        "collective:allreduce:8B"
enum { FIRST_SIZE = 64, LAST_SIZE = 1 << 20, REPLICAS = 10 };
static const sim_time DEFAULT_TIME = 5 * SIM_S;
static const sim_time DEFAULT_REST = 25 * SIM_S; /* beyond it */
enum { BUDGETS_PART = 6 };                       /* to be measured, of a budget alone */
static const double WRITING = 1;                 /* s: the page */

typedef struct quick {
    char *cpus;
    char *time;
    char *budget;
    char *without;
    gboolean no_symmetry;
    app_machine_options machine;
    app_place_options places;
} quick;

static void options(void *state, app_options *options)
{
    quick *self = state;
    const GOptionEntry entries[] = {
        {"cpus", 'c', 0, G_OPTION_ARG_STRING, &self->cpus,
         "CPUs to measure, e.g. 0-3,8 or a hexadecimal mask [all this process may use]", "LIST"},
        {"time", 't', 0, G_OPTION_ARG_STRING, &self->time,
         "how long to measure [5s; a sixth of --budget]", "TIME"},
        {"budget", 0, 0, G_OPTION_ARG_STRING, &self->budget,
         "about how long all of it may take: sizes, and what to switch off first, are left out for "
         "it [25s more than --time]",
         "TIME"},
        {NULL},
    };
    const GOptionEntry prediction[] = {
        {"no-symmetry", 0, 0, G_OPTION_ARG_NONE, &self->no_symmetry, APP_NO_SYMMETRY_HELP, NULL},
        {NULL},
    };
    const GOptionEntry noise[] = {
        {"without", 0, 0, G_OPTION_ARG_STRING, &self->without,
         "predict without these components of what was measured: their names", "NAME,..."},
        {NULL},
    };
    app_options_add(options, "Measurement", entries);
    app_options_add(options, "Noise", noise);
    app_machine_options_add(&self->machine, options);
    app_place_options_add(&self->places, options);
    app_options_add(options, "Prediction", prediction);
}

static void clear(void *state)
{
    quick *self = state;
    g_free(self->cpus);
    g_free(self->time);
    g_free(self->budget);
    g_free(self->without);
    app_machine_options_clear(&self->machine);
    app_place_options_clear(&self->places);
}

static void print_text(const void *result, FILE *out)
{
    app_quick_print(result, out);
}

static void print_csv(const void *result, FILE *out)
{
    app_quick_print_csv(result, out);
}

static void build(const void *result, JsonBuilder *builder)
{
    app_quick_build(result, builder);
}

static const app_result_writer WRITER = {print_text, print_csv, build};

/* A time above 0 of option @p name. */
static bool parse_time(const char *name, const char *text, sim_time *out, GError **error)
{
    if (!sim_unit_parse_time(text, SIM_S, out, error)) {
        app_error_blame_option(error, name);
        return false;
    }
    if (*out <= 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "%s: no time to %s in", name,
                    strcmp(name, "--time") == 0 ? "measure" : "work");
        return false;
    }
    return true;
}

/* How long to measure, and how long all may take. */
static bool read_times(const quick *self, sim_time *time, sim_time *budget, GError **error)
{
    if ((self->time != NULL && !parse_time("--time", self->time, time, error)) ||
        (self->budget != NULL && !parse_time("--budget", self->budget, budget, error))) {
        return false;
    }
    if (self->time == NULL) {
        *time = self->budget != NULL ? MAX(*budget / BUDGETS_PART, 1) : DEFAULT_TIME;
    }
    if (self->budget == NULL) {
        *budget = *time + DEFAULT_REST;
    }
    return true;
}

static bool read_options(const quick *self, noise_measurement_options *o, sim_time *budget,
                         app_manifest *manifest, GError **error)
{
    noise_measurement_options_init(o);
    o->cpus = self->cpus;
    if (!read_times(self, &o->time, budget, error)) {
        return false;
    }
    g_autofree char *time = sim_unit_format_time(o->time);
    g_autofree char *all = sim_unit_format_time(*budget);
    app_manifest_add(manifest, "cpus", "%s", self->cpus != NULL ? self->cpus : "all");
    app_manifest_add(manifest, "time", "%s", time);
    app_manifest_add(manifest, "budget", "%s", all);
    app_manifest_add(manifest, "noise", "%s", "measured");
    app_manifest_add(manifest, "cosched", "%s", "0s");
    app_manifest_add(manifest, "replicas", "%d", REPLICAS);
    return true;
}

/* What is simulated: what was measured, but for what the watch took and what nobody wants. */
static bool read_noise(app_context *context, const quick *self, const app_quick_measured *measured,
                       const char *detours, app_noise *noise, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < measured->own->len; i++) {
        g_ptr_array_add(names, measured->own->pdata[i]);
    }
    if (self->without != NULL) {
        g_ptr_array_add(names, self->without);
    }
    g_ptr_array_add(names, NULL);
    g_autofree char *without = g_strjoinv(",", (char **)names->pdata);
    g_autofree char *text = without[0] != '\0'
                                ? g_strconcat(detours, "+" NOISE_SIGNATURE_WITHOUT, without, NULL)
                                : g_strdup(detours);
    noise->signature = noise_signature_parse(text, context->seed, error);
    if (noise->signature == NULL) {
        if (self->without != NULL) {
            app_error_blame_option(error, "--without");
        }
        return false;
    }
    if (without[0] != '\0') {
        app_manifest_add(context->manifest, "without", "%s", without);
    }
    app_noise_add_measurements(noise->signature, context->manifest);
    noise->invalid = !measured->measurement->valid;
    return true;
}

/* Sizes for which the nodes have places. */
static bool leave_out(app_context *context, app_experiment *experiment, GError **error)
{
    const size_t all = experiment->num_sizes;
    experiment->num_sizes = app_places_fit(experiment->places, experiment->sizes, all, error);
    if (experiment->num_sizes > 0 && experiment->num_sizes < all) {
        g_autofree char *sizes = app_sizes_format(experiment->sizes + experiment->num_sizes,
                                                  all - experiment->num_sizes);
        app_manifest_add(context->manifest, "without-place", "%s", sizes);
        app_context_note(context, "left out, having no place on the nodes: %s ranks", sizes);
    }
    return experiment->num_sizes > 0;
}

static double seconds_since(gint64 began)
{
    return (double)(g_get_monotonic_time() - began) / 1e6;
}

static bool predict(app_context *context, const quick *self, const app_quick_measured *measured,
                    const char *detours, double seconds, app_noise *noise,
                    app_quick_prediction *prediction, GError **error)
{
    const gint64 began = g_get_monotonic_time();
    const app_program_options program = {0};
    g_autoptr(app_source) source =
        app_source_open(PROGRAM, &program, false, context->manifest, error);
    g_autoptr(sim_machine) machine =
        source != NULL ? app_machine_options_resolve(&self->machine, context->manifest, error)
                       : NULL;
    g_autoptr(app_places) places =
        machine != NULL ? app_place_options_resolve(&self->places, machine, NULL, 0, error) : NULL;
    if (places == NULL || !app_source_take_calls(source, machine, error) ||
        !app_place_options_finish(&self->places, places, NULL, context->manifest, error)) {
        return false;
    }
    noise->places = places;
    if (!read_noise(context, self, measured, detours, noise, error)) {
        return false;
    }
    size_t num_sizes = 0;
    g_autofree uint32_t *sizes = app_scaling_sizes(1, FIRST_SIZE, LAST_SIZE, &num_sizes);
    app_experiment experiment = {
        .source = source,
        .sizes = sizes,
        .num_sizes = num_sizes,
        .params = &machine->params,
        .places = places,
        .noise = noise,
        .seed = context->seed,
        .threads = context->threads,
        .no_symmetry = self->no_symmetry,
        .verb = context->verb,
        .quiet = context->quiet,
    };
    if (!leave_out(context, &experiment, error)) {
        return false;
    }
    app_stop_catch_signals();
    const bool ok =
        app_quick_predict(&experiment, seconds - seconds_since(began), prediction, error);
    app_stop_release_signals();
    return ok;
}

static bool is_whole(const app_quick_prediction *p, GError **error)
{
    return app_results_check_whole(p->results, error) &&
           (p->knockout == NULL || !p->knockout->is_stopped || app_stop_fail(error));
}

static int quick_all(app_context *context, const quick *self,
                     const noise_measurement_options *options, sim_time budget, const char *folder,
                     GError **error)
{
    const gint64 began = g_get_monotonic_time();
    g_auto(app_quick_measured) measured = {0};
    g_auto(app_noise) noise = {.cosched = true, .replicas = REPLICAS};
    g_auto(app_quick_prediction) prediction = {0};
    g_autofree char *detours = g_build_filename(folder, APP_QUICK_DETOURS, NULL);
    if (!app_quick_measure(options, folder, &measured, error) ||
        !predict(context, self, &measured, detours,
                 (double)budget / (double)SIM_S - seconds_since(began) - WRITING, &noise,
                 &prediction, error)) {
        return APP_EXIT_ERROR;
    }
    app_manifest_set_schema(context->manifest, APP_FINDINGS_SCHEMA);
    app_results_mark_absent(prediction.results, context->manifest);
    app_results_mark_symmetry(prediction.results, context->manifest);
    g_autoptr(app_findings) findings = app_findings_new(prediction.results, &noise, NULL);
    g_autofree char *page = g_build_filename(folder, APP_REPORT_PAGE, NULL);
    const app_quick_outcome o = {
        &measured, app_unexplained_of(measured.measurement), &noise, &prediction, findings, page};
    if (!app_quick_report(&o, context->manifest, folder, error) ||
        !app_result_write(context, NULL, context->format, &WRITER, &o, error) ||
        !is_whole(&prediction, error)) {
        return APP_EXIT_ERROR;
    }
    return measured.measurement->valid ? APP_EXIT_DONE : APP_EXIT_INVALID;
}

/* Said before the seconds of a measurement, not after them. */
static bool check_machine(const quick *self, GError **error)
{
    char *nothing[] = {NULL};
    g_autoptr(app_manifest) manifest = app_manifest_new("quick", nothing);
    g_autoptr(sim_machine) machine = app_machine_options_resolve(&self->machine, manifest, error);
    g_autoptr(app_places) places =
        machine != NULL ? app_place_options_resolve(&self->places, machine, NULL, 0, error) : NULL;
    const uint32_t smallest = FIRST_SIZE;
    return places != NULL && app_places_fit(places, &smallest, 1, error) > 0 &&
           app_place_options_finish(&self->places, places, NULL, manifest, error);
}

static int run(app_context *context, void *state, GError **error)
{
    if (!app_context_check_args(context, 0, 0, error)) {
        return APP_EXIT_USAGE;
    }
    const quick *self = state;
    const char *folder = context->output != NULL ? context->output : DEFAULT_FOLDER;
    noise_measurement_options options;
    sim_time budget = 0;
    if (!read_options(self, &options, &budget, context->manifest, error) ||
        !check_machine(self, error)) {
        return APP_EXIT_USAGE;
    }
    unsigned num_new = 0;
    if (!app_folder_make(folder, &num_new, error)) {
        return APP_EXIT_ERROR;
    }
    const int code = quick_all(context, self, &options, budget, folder, error);
    if (code == APP_EXIT_ERROR) {
        app_folder_drop(folder, num_new);
    }
    return code;
}

static const char *const EXAMPLES[] = {
    "ripple quick",
    "Half a minute: this machine's noise, who makes it, its cost at scale, what to switch off.",
    "ripple quick --cpus=1 --machine=azure -o report",
    "One CPU only, the network of another machine, a folder of your own.",
    "ripple quick --time=60s --budget=2min",
    "What is rare is seen more often in a minute.",
    NULL,
};

const app_verb app_verb_quick = {
    .name = "quick",
    .summary = "measure this machine, and say what its noise costs at scale and what to switch off",
    .usage = "",
    .description =
        "Needs neither MPI nor root, and half a minute: measures the detours of this machine's "
        "CPUs\n(as measure does) while it watches all threads (as monitor does, within 1 % of a "
        "CPU), names\nwho ran in them, and simulates an allreduce of 8 bytes on 64 to 1Mi ranks: "
        "ideal, with the\nnoise unsynchronized, and co-scheduled, in at least 5 replicas. Then it "
        "leaves out each\nsource of the noise in turn, at the largest size that there is time for "
        "(as --knock-out of\nsimulate does at all sizes): what to switch off first. Where nothing "
        "names who ran, the\nrow is 'unexplained'. What the watch itself took is left out of the "
        "prediction. Sizes that do\nnot go into --budget are left out and named.\n"
        "\n"
        "The report is " APP_REPORT_PAGE
        " in the folder named by -o; beside it lie the detours as " APP_QUICK_DETOURS
        ",\ndivided into their sources for --noise of other verbs, and what was watched "
        "as " APP_QUICK_WATCH
        ",\nfor monitor. Slowdowns are those of one allreduce from a cold start. Where the "
        "measurement\nis not valid, that is said first, nothing is concluded, and the exit code "
        "is 3.\n"
        "Stopped by Ctrl-C, SIGTERM or --time-limit while it simulates it reports the sizes that "
        "are\nfinished and says which are missing.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT | APP_TAKES_SEED | APP_TAKES_THREADS | APP_TAKES_LIMIT,
    .output_help = "folder of the report, made if need be [" DEFAULT_FOLDER "]",
    .state_size = sizeof(quick),
    .options = options,
    .run = run,
    .clear = clear,
};
