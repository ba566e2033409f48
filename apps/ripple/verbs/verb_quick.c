/* apps/ripple/verbs/verb_quick.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_quick, cli_stop. */
/**
 * @file
 * ripple quick: measure this machine, name the suspects, predict an allreduce at scale.
 */
#include "experiment/scaling.h"
#include "findings/experiment_print.h"
#include "findings/experiment_report.h"
#include "measure/measure_taken.h"
#include "noise/census.h"
#include "noise/measurement.h"
#include "options/machine_options.h"
#include "options/place_options.h"
#include "options/sizes.h"
#include "output/error.h"
#include "output/folder.h"
#include "output/miner_print.h"
#include "output/number_text.h"
#include "output/result.h"
#include "sim/json_member.h"
#include "sim/unit.h"
#include "system/measured.h"
#include "system/stop.h"
#include "verbs/verb_list.h"

#define DEFAULT_FOLDER "ripple-quick"
#define PROGRAM        "collective:allreduce:8B"
#define DETOURS        "detours.txt"
enum { FIRST_SIZE = 64, LAST_SIZE = 1 << 20, REPLICAS = 10, SUSPECTS = 5 };
static const sim_time DEFAULT_TIME = 5 * SIM_S;
static const double MOST_WORK = 4e8; /* some 10 s on two cores */

typedef struct quick {
    char *cpus;
    char *time;
    char *without;
    app_machine_options machine;
    app_place_options places;
} quick;

static void options(void *state, app_options *options)
{
    quick *self = state;
    const GOptionEntry entries[] = {
        {"cpus", 'c', 0, G_OPTION_ARG_STRING, &self->cpus,
         "CPUs to measure, e.g. 0-3,8 or a hexadecimal mask [all this process may use]", "LIST"},
        {"time", 't', 0, G_OPTION_ARG_STRING, &self->time, "how long to measure [5s]", "TIME"},
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
}

static void clear(void *state)
{
    quick *self = state;
    g_free(self->cpus);
    g_free(self->time);
    g_free(self->without);
    app_machine_options_clear(&self->machine);
    app_place_options_clear(&self->places);
}

/** The result. */
typedef struct outcome {
    const noise_measurement *measured;
    const app_noise *noise;
    const app_results *results;
    const noise_miner_report *mined;
    GArray *suspects; /* of noise_suspect */
    const app_findings *findings;
    const char *page;
} outcome;

/* The first few of a kind, a line each. */
static void print_suspects_of(noise_suspect_kind kind, const GArray *suspects, FILE *out)
{
    unsigned shown = 0;
    for (guint i = 0; i < suspects->len && shown < SUSPECTS; i++) {
        const noise_suspect *s = &g_array_index(suspects, noise_suspect, i);
        if (s->kind != kind) {
            continue;
        }
        shown++;
        if (kind == NOISE_SUSPECT_THREAD) {
            g_autofree char *time = sim_unit_format_time_short(s->time);
            fprintf(out, "  thread     %-28s %7u  on a CPU for %s, %" G_GUINT64_FORMAT " times\n",
                    s->name, s->pid, time, s->count);
        } else {
            fprintf(out, "  interrupt  %-36s  %" G_GUINT64_FORMAT " times\n", s->name, s->count);
        }
    }
}

static void print_suspects(const GArray *suspects, FILE *out)
{
    print_suspects_of(NOISE_SUSPECT_THREAD, suspects, out);
    print_suspects_of(NOISE_SUSPECT_INTERRUPT, suspects, out);
    if (suspects->len == 0) {
        fputs("  the kernel shows nobody: neither /proc/interrupts nor scheduler counters\n", out);
    }
}

static void print_text(const void *result, FILE *out)
{
    const outcome *o = result;
    app_findings_print_first(o->findings, out);
    for (size_t i = 0; i < o->measured->num_cpus; i++) {
        const noise_measurement_cpu *cpu = &o->measured->cpus[i];
        g_autofree char *duration = sim_unit_format_time_short(cpu->duration);
        g_autofree char *share = app_format_percent(noise_measurement_cpu_share(cpu));
        g_autofree char *detours = app_format_number(cpu->n);
        fprintf(out, "CPU %u: %s detours in %s, %s of its time\n", cpu->cpu, detours, duration,
                share);
    }
    fprintf(out, "%s\n\nnoise found\n", o->measured->verdict);
    app_miner_report_print(o->mined, out);
    fputs("\nwho took it\n", out);
    app_measure_taken_print(o->measured, out);
    fputs("\nwho was running meanwhile\n", out);
    print_suspects(o->suspects, out);
    fputs("\nan allreduce of 8 bytes under this noise\n", out);
    app_findings_print(o->findings, out);
    app_findings_print_last(o->findings, out);
    fprintf(out, "Report: %s\n", o->page);
}

static void print_csv(const void *result, FILE *out)
{
    const outcome *o = result;
    app_results_print_csv(o->results, o->noise, out);
}

static void build(const void *result, JsonBuilder *b)
{
    const outcome *o = result;
    sim_json_bool(b, "valid", o->measured->valid);
    sim_json_text(b, "verdict", o->measured->verdict);
    app_measure_taken_build(o->measured, b);
    sim_json_begin_array(b, "suspects");
    for (guint i = 0; i < o->suspects->len; i++) {
        const noise_suspect *s = &g_array_index(o->suspects, noise_suspect, i);
        json_builder_begin_object(b);
        sim_json_text(b, "kind", s->kind == NOISE_SUSPECT_THREAD ? "thread" : "interrupt");
        sim_json_text(b, "name", s->name);
        sim_json_int(b, "pid", s->pid);
        sim_json_int(b, "count", (int64_t)s->count);
        sim_json_int(b, "time_ps", s->time);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    app_miner_report_build(o->mined, b);
    app_findings_build(o->findings, b);
    sim_json_text(b, "report", o->page);
}

static const app_result_writer WRITER = {print_text, print_csv, build};

static bool read_options(const quick *self, noise_measurement_options *o, app_manifest *manifest,
                         GError **error)
{
    noise_measurement_options_init(o);
    o->cpus = self->cpus;
    o->time = DEFAULT_TIME;
    if (self->time != NULL && !sim_unit_parse_time(self->time, SIM_S, &o->time, error)) {
        app_error_blame_option(error, "--time");
        return false;
    }
    if (o->time <= 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--time: no time to measure in");
        return false;
    }
    g_autofree char *time = sim_unit_format_time(o->time);
    app_manifest_add(manifest, "cpus", "%s", self->cpus != NULL ? self->cpus : "all");
    app_manifest_add(manifest, "time", "%s", time);
    app_manifest_add(manifest, "noise", "%s", "measured");
    app_manifest_add(manifest, "cosched", "%s", "0s");
    app_manifest_add(manifest, "replicas", "%d", REPLICAS);
    return true;
}

/* Every detour is an event that should not have been there at all. */
static noise_miner_report *mine(const noise_measurement *measured)
{
    noise_miner_options options;
    noise_miner_options_init(&options, NOISE_MINER_MODERN);
    noise_miner *miner = noise_miner_new(&options);
    for (size_t i = 0; i < measured->num_cpus; i++) {
        const noise_measurement_cpu *cpu = &measured->cpus[i];
        for (size_t j = 0; j < cpu->n; j++) {
            noise_miner_add(miner, cpu->cpu, 0, cpu->start[j], cpu->start[j] + cpu->length[j], 0);
        }
    }
    noise_miner_report *report = noise_miner_report_new(miner);
    noise_miner_free(miner);
    return report;
}

/* Half a minute is what was promised: the sizes that do not go into it are left out, and named. */
static bool leave_out(app_context *context, app_experiment *experiment, GError **error)
{
    const size_t all = experiment->num_sizes;
    experiment->num_sizes = app_places_fit(experiment->places, experiment->sizes, all, error);
    const size_t fits =
        experiment->num_sizes > 0 ? app_scaling_fit(experiment, MOST_WORK, error) : 0;
    if (fits == 0) {
        return false;
    }
    g_autoptr(GString) names = g_string_new(NULL);
    for (size_t i = fits; i < all; i++) {
        g_autofree char *ranks = sim_unit_format_count(experiment->sizes[i]);
        g_string_append_printf(names, "%s%s", i > fits ? "," : "", ranks);
    }
    if (names->len > 0) {
        app_manifest_add(context->manifest, "left-out", "%s", names->str);
        app_context_note(context,
                         fits < experiment->num_sizes
                             ? "left out, to be quick: %s ranks ('ripple simulate " PROGRAM
                               "' takes them)"
                             : "left out, having no place on the nodes: %s ranks",
                         names->str);
    }
    experiment->num_sizes = fits;
    return true;
}

static app_results *predict(app_context *context, const quick *self, const char *detours,
                            app_noise *noise, GError **error)
{
    const app_program_options program = {0};
    g_autoptr(app_source) source =
        app_source_open(PROGRAM, &program, false, context->manifest, error);
    g_autoptr(sim_machine) machine =
        source != NULL ? app_machine_options_resolve(&self->machine, context->manifest, error)
                       : NULL;
    g_autoptr(app_places) places =
        machine != NULL ? app_place_options_resolve(&self->places, machine, NULL, 0, error) : NULL;
    if (places == NULL ||
        !app_place_options_finish(&self->places, places, NULL, context->manifest, error)) {
        return NULL;
    }
    noise->places = places;
    g_autofree char *text =
        self->without != NULL
            ? g_strconcat(detours, "+" NOISE_SIGNATURE_WITHOUT, self->without, NULL)
            : g_strdup(detours);
    noise->signature = noise_signature_parse(text, context->seed, error);
    if (noise->signature == NULL) {
        if (self->without != NULL) {
            app_error_blame_option(error, "--without");
        }
        return NULL;
    }
    if (self->without != NULL) {
        app_manifest_add(context->manifest, "without", "%s", self->without);
    }
    app_noise_add_measurements(noise->signature, context->manifest);
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
        .verb = context->verb,
        .quiet = context->quiet,
    };
    if (!leave_out(context, &experiment, error)) {
        return NULL;
    }
    app_stop_catch_signals();
    app_results *results = app_scaling_run(&experiment, error);
    app_stop_release_signals();
    return results;
}

static bool report(app_context *context, const outcome *o, const char *folder, GError **error)
{
    char *suspects = NULL;
    size_t len = 0;
    FILE *stream = open_memstream(&suspects, &len);
    if (stream != NULL) {
        print_suspects(o->suspects, stream);
        (void)fclose(stream);
    }
    const app_report report = {
        .title = "The noise of this machine, and an allreduce under it",
        .program = "An allreduce of 8 bytes, simulated under the noise that was measured here.",
        .manifest = context->manifest,
        .findings = o->findings,
        .mined_from = o->measured->verdict,
        .mined = o->mined,
        .suspects = suspects,
    };
    const bool ok = app_report_write(&report, folder, error) &&
                    app_result_write(context, NULL, context->format, &WRITER, o, error);
    free(suspects);
    return ok;
}

/* Measure with the counters of the kernel read before and after. */
static noise_measurement *measure(const noise_measurement_options *options, GArray **suspects,
                                  GError **error)
{
    g_autoptr(noise_census) before = noise_census_take("/proc");
    noise_measurement *measured = noise_measurement_run(options, error);
    if (measured == NULL && error != NULL &&
        g_error_matches(*error, NOISE_ERROR, NOISE_ERROR_BAD_CPUS)) {
        app_error_blame_option(error, "--cpus");
    }
    g_autoptr(noise_census) after = noise_census_take("/proc");
    if (measured != NULL) {
        g_autofree uint32_t *cpus = g_new(uint32_t, MAX(measured->num_cpus, 1));
        for (size_t i = 0; i < measured->num_cpus; i++) {
            cpus[i] = measured->cpus[i].cpu;
        }
        *suspects = noise_census_compare(before, after, cpus, measured->num_cpus);
    }
    return measured;
}

static int quick_all(app_context *context, const quick *self,
                     const noise_measurement_options *options, const char *folder, GError **error)
{
    g_autoptr(GArray) suspects = NULL;
    g_autoptr(noise_measurement) measured = measure(options, &suspects, error);
    g_autofree char *detours = g_build_filename(folder, DETOURS, NULL);
    if (measured == NULL || !app_measured_write(measured, false, detours, error)) {
        return APP_EXIT_ERROR;
    }
    g_auto(app_noise) noise = {.cosched = true, .replicas = REPLICAS};
    g_autoptr(app_results) results = predict(context, self, detours, &noise, error);
    if (results == NULL) {
        return APP_EXIT_ERROR;
    }
    app_manifest_set_schema(context->manifest, APP_FINDINGS_SCHEMA);
    app_results_mark_absent(results, context->manifest);
    g_autoptr(app_findings) findings = app_findings_new(results, &noise, NULL);
    g_autofree char *page = g_build_filename(folder, APP_REPORT_PAGE, NULL);
    noise_miner_report *mined = mine(measured);
    const outcome o = {measured, &noise, results, mined, suspects, findings, page};
    const bool ok = report(context, &o, folder, error) && app_results_check_whole(results, error);
    noise_miner_report_free(mined);
    if (!ok) {
        return APP_EXIT_ERROR;
    }
    return measured->valid ? APP_EXIT_DONE : APP_EXIT_INVALID;
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
    if (!read_options(self, &options, context->manifest, error) || !check_machine(self, error)) {
        return APP_EXIT_USAGE;
    }
    unsigned num_new = 0;
    if (!app_folder_make(folder, &num_new, error)) {
        return APP_EXIT_ERROR;
    }
    const int code = quick_all(context, self, &options, folder, error);
    if (code == APP_EXIT_ERROR) {
        app_folder_drop(folder, num_new);
    }
    return code;
}

static const char *const EXAMPLES[] = {
    "ripple quick",
    "Half a minute: this machine's noise, who is behind it, and what it would cost at scale.",
    "ripple quick --cpus=1 --machine=azure -o report",
    "One CPU only, the network of another machine, a folder of your own.",
    NULL,
};

const app_verb app_verb_quick = {
    .name = "quick",
    .summary = "measure this machine and predict an allreduce under its noise at scale",
    .usage = "",
    .description =
        "Needs neither MPI nor root, and less than half a minute: measures the detours of this\n"
        "machine's CPUs (as measure does), mines them, lists the threads and interrupts that ran\n"
        "meanwhile, and simulates an allreduce of 8 bytes on 64 to 1Mi ranks: ideal, with the\n"
        "noise unsynchronized, and co-scheduled, in at least 5 replicas. Large sizes that do not "
        "go\n"
        "into half a minute on two cores (with --set=progress=async, for one) are left out and "
        "named.\n"
        "\n"
        "The report is " APP_REPORT_PAGE
        " in the folder named by -o; the detours lie beside it as " DETOURS
        ",\nfor --noise of other verbs. Slowdowns are those of one allreduce from a cold start. "
        "Where\nthe measurement is not valid, that is said first, nothing is concluded, and the "
        "exit "
        "code is 3.\n"
        "Stopped by Ctrl-C, SIGTERM or --time-limit while it simulates it reports the sizes that "
        "are\n"
        "finished and says which are missing.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT | APP_TAKES_SEED | APP_TAKES_THREADS | APP_TAKES_LIMIT,
    .output_help = "folder of the report, made if need be [" DEFAULT_FOLDER "]",
    .state_size = sizeof(quick),
    .options = options,
    .run = run,
    .clear = clear,
};
