/* apps/ripple/verbs/verb_measure.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_measure. */
/**
 * @file
 * ripple measure: the noise of this machine.
 */
#include "measure/measure_files.h"
#include "measure/measure_merge.h"
#include "measure/measure_page.h"
#include "measure/measure_print.h"
#include "noise/measurement.h"
#include "options/measure_options.h"
#include "output/error.h"
#include "output/progress.h"
#include "output/result.h"
#include "sim/json_member.h"
#include "sim/unit.h"
#include "statistics/statistics.h"
#include "system/measured.h"
#include "system/ranks.h"
#include "verbs/verb_list.h"

#include <inttypes.h>
#include <string.h>

typedef struct measure {
    app_measure_options options;
    gboolean netgauge;
    gboolean merge;
    char *collective;
    char *report;
} measure;

/** What is printed: a measurement and what it says. */
typedef struct measured {
    const noise_measurement *measurement;
    const app_measure_analysis *analysis;
} measured;

static void options(void *state, app_options *options)
{
    measure *self = state;
    app_measure_options_add(&self->options, options);
    const GOptionEntry entries[] = {
        {"netgauge", 0, 0, G_OPTION_ARG_NONE, &self->netgauge,
         "write the file of -o as Netgauge does: two columns, nothing else of the measurement",
         NULL},
        {"merge", 0, 0, G_OPTION_ARG_NONE, &self->merge,
         "make one file of the FILEs that the processes of one measurement have written", NULL},
        {NULL},
    };
    app_options_add(options, "File", entries);
    const GOptionEntry analysis[] = {
        {"collective", 0, 0, G_OPTION_ARG_STRING, &self->collective,
         "how long the collective takes that P* refers to, without noise [10us]", "TIME"},
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &self->report,
         "write a page with figures there, report.html, beside their SVGs and CSVs", "FOLDER"},
        {NULL},
    };
    app_options_add(options, "Analysis", analysis);
}

static void clear(void *state)
{
    measure *self = state;
    app_measure_options_clear(&self->options);
    g_free(self->collective);
    g_free(self->report);
}

/* What a CPU's table has beside its share: lengths of detours, of quanta, or work in intervals. */
typedef struct spread {
    size_t n;
    int64_t min, median, max; /* ps, or units of work */
} spread;

static spread spread_of(const noise_measurement_cpu *cpu)
{
    spread out = {.n = cpu->num_samples};
    const sim_time *values = cpu->quantum;
    g_autofree sim_time *work = NULL;
    if (cpu->work != NULL) {
        work = g_new(sim_time, cpu->num_samples);
        for (size_t i = 0; i < cpu->num_samples; i++) {
            work[i] = (sim_time)cpu->work[i];
        }
        values = work;
    } else if (values == NULL) {
        out.n = cpu->n;
        values = cpu->length;
    }
    if (out.n > 0) {
        const app_statistics s = app_statistics_of(values, out.n, 0.95);
        out.min = s.min;
        out.median = s.median;
        out.max = s.max;
    }
    return out;
}

static void print_time(FILE *out, sim_time t)
{
    g_autofree char *text = sim_unit_format_time_short(t);
    fprintf(out, " %10s", text);
}

static void print_value(FILE *out, noise_method method, size_t n, int64_t value)
{
    if (n == 0) {
        fprintf(out, " %10s", "-");
    } else if (method == NOISE_METHOD_FTQ) {
        fprintf(out, " %10" PRId64, value);
    } else {
        print_time(out, value);
    }
}

static void print_text(const void *result, FILE *out)
{
    static const char *const columns[][4] = {
        [NOISE_METHOD_SELFISH] = {"detours", "shortest", "median", "longest"},
        [NOISE_METHOD_FWQ] = {"quanta", "shortest", "median", "longest"},
        [NOISE_METHOD_FTQ] = {"intervals", "least work", "median", "most work"},
    };
    const noise_measurement *r = ((const measured *)result)->measurement;
    const noise_method method = r->options.method;
    const char *const *names = columns[method];
    fprintf(out, "clock %s, %.6g MHz, drift %.3g ppm, uncertain by %.2g ppm\n", r->clock,
            r->ticks_per_second / 1e6, r->drift_ppm, r->bracket_ppm);
    if (method != NOISE_METHOD_SELFISH) {
        g_autofree char *quantum = sim_unit_format_time_short(r->options.quantum);
        fprintf(out, "%s of %s%s%s\n", method == NOISE_METHOD_FWQ ? "quanta" : "intervals", quantum,
                method == NOISE_METHOD_FWQ ? ", kernel " : "",
                method == NOISE_METHOD_FWQ ? noise_kernel_name(r->options.kernel) : "");
    }
    if (r->options.one_by_one) {
        fputs("one CPU after the other\n", out);
    }
    fprintf(out, "%5s %10s %9s %9s %10s %10s %10s %10s", "CPU", "time", "noise", names[0], names[1],
            names[2], names[3], method == NOISE_METHOD_FTQ ? "unit" : "t_min");
    fprintf(out, method == NOISE_METHOD_SELFISH ? " %10s\n" : "\n", "threshold");
    for (size_t i = 0; i < r->num_cpus; i++) {
        const noise_measurement_cpu *cpu = &r->cpus[i];
        const spread s = spread_of(cpu);
        fprintf(out, "%5u", cpu->cpu);
        print_time(out, cpu->duration);
        fprintf(out, " %7.3g %% %9zu", 100.0 * noise_measurement_cpu_share(cpu), s.n);
        print_value(out, method, s.n, s.min);
        print_value(out, method, s.n, s.median);
        print_value(out, method, s.n, s.max);
        print_time(out, cpu->t_min);
        if (method == NOISE_METHOD_SELFISH) {
            print_time(out, cpu->threshold);
        }
        fputc('\n', out);
    }
    app_measure_print(((const measured *)result)->analysis, out);
    fprintf(out, "%s\n", r->verdict);
}

static void print_csv(const void *result, FILE *out)
{
    static const char *const heads[] = {
        [NOISE_METHOD_SELFISH] = "cpu,duration_ns,share,detours,min_ns,median_ns,max_ns,t_min_ns,"
                                 "threshold_ns,valid",
        [NOISE_METHOD_FWQ] =
            "cpu,duration_ns,share,quanta,min_ns,median_ns,max_ns,iterations,valid",
        [NOISE_METHOD_FTQ] = "cpu,duration_ns,share,intervals,min_units,median_units,max_units,"
                             "most_units,unit_ns,valid",
    };
    const noise_measurement *r = ((const measured *)result)->measurement;
    const noise_method method = r->options.method;
    fprintf(out, "%s\n", heads[method]);
    for (size_t i = 0; i < r->num_cpus; i++) {
        const noise_measurement_cpu *cpu = &r->cpus[i];
        const spread s = spread_of(cpu);
        g_autofree char *duration = sim_unit_format_ns(cpu->duration);
        g_autofree char *min = sim_unit_format_ns(s.min);
        g_autofree char *median = sim_unit_format_ns(s.median);
        g_autofree char *max = sim_unit_format_ns(s.max);
        g_autofree char *t_min = sim_unit_format_ns(cpu->t_min);
        g_autofree char *threshold = sim_unit_format_ns(cpu->threshold);
        fprintf(out, "%u,%s,%.9g,%zu,", cpu->cpu, duration, noise_measurement_cpu_share(cpu), s.n);
        if (method == NOISE_METHOD_FTQ) {
            fprintf(out, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%.0f,%s,", s.min, s.median, s.max,
                    cpu->most_work, t_min);
        } else if (method == NOISE_METHOD_FWQ) {
            fprintf(out, "%s,%s,%s,%" PRIu64 ",", min, median, max, cpu->iterations);
        } else {
            fprintf(out, "%s,%s,%s,%s,%s,", min, median, max, t_min, threshold);
        }
        fprintf(out, "%s\n", r->valid ? "yes" : "no");
    }
}

static void build_cpu(JsonBuilder *b, noise_method method, const noise_measurement_cpu *cpu)
{
    static const char *const names[][4] = {
        [NOISE_METHOD_SELFISH] = {"detours", "min_ps", "median_ps", "max_ps"},
        [NOISE_METHOD_FWQ] = {"quanta", "min_ps", "median_ps", "max_ps"},
        [NOISE_METHOD_FTQ] = {"intervals", "min_units", "median_units", "max_units"},
    };
    const spread s = spread_of(cpu);
    json_builder_begin_object(b);
    sim_json_int(b, "cpu", cpu->cpu);
    sim_json_int(b, "duration_ps", cpu->duration);
    sim_json_double(b, "share", noise_measurement_cpu_share(cpu));
    sim_json_int(b, names[method][0], (int64_t)s.n);
    if (s.n > 0) {
        sim_json_int(b, names[method][1], s.min);
        sim_json_int(b, names[method][2], s.median);
        sim_json_int(b, names[method][3], s.max);
    }
    sim_json_int(b, method == NOISE_METHOD_FTQ ? "unit_ps" : "t_min_ps", cpu->t_min);
    if (method == NOISE_METHOD_SELFISH) {
        sim_json_int(b, "threshold_ps", cpu->threshold);
        sim_json_int(b, "threshold_raised", (int64_t)cpu->raised);
    } else if (method == NOISE_METHOD_FTQ) {
        sim_json_double(b, "most_units", cpu->most_work);
    }
    sim_json_int(b, "iterations", (int64_t)cpu->iterations);
    json_builder_end_object(b);
}

static void build_windows(JsonBuilder *b, const noise_measurement *r)
{
    sim_json_begin_array(b, "windows");
    for (size_t i = 0; i < r->num_windows; i++) {
        json_builder_begin_object(b);
        sim_json_double(b, "share", r->windows[i].share);
        sim_json_double(b, "worst", r->windows[i].worst);
        sim_json_bool(b, "valid", r->windows[i].valid);
        sim_json_text(b, "verdict", r->windows[i].verdict);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    sim_json_int(b, "kept", (int64_t)r->kept);
}

static void build(const void *result, JsonBuilder *b)
{
    const noise_measurement *r = ((const measured *)result)->measurement;
    sim_json_bool(b, "valid", r->valid);
    sim_json_text(b, "verdict", r->verdict);
    sim_json_text(b, "clock", r->clock);
    sim_json_text(b, "method", noise_method_name(r->options.method));
    sim_json_double(b, "ticks_per_second", r->ticks_per_second);
    sim_json_double(b, "drift_ppm", r->drift_ppm);
    sim_json_double(b, "bracket_ppm", r->bracket_ppm);
    build_windows(b, r);
    JsonNode *provenance = json_from_string(r->provenance, NULL);
    if (provenance != NULL) {
        sim_json_node(b, "machine", provenance);
    }
    sim_json_begin_array(b, "cpus");
    for (size_t i = 0; i < r->num_cpus; i++) {
        build_cpu(b, r->options.method, &r->cpus[i]);
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
    const app_option_use uses[] = {{"--netgauge", self->netgauge, idle}};
    if (!app_measure_options_refuse(&self->options, idle, error) ||
        !app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error)) {
        return APP_EXIT_USAGE;
    }
    return app_measure_files(context, ask, error);
}

/* Detours divided into their sources; samples, and what is for other programs, as they are. */
static bool write_file(const measure *self, const char *path, const noise_measurement *result,
                       app_measure_analysis *analysis, GError **error)
{
    return self->netgauge || result->options.method != NOISE_METHOD_SELFISH
               ? app_measured_write(result, self->netgauge, path, error)
               : app_measure_write_divided(analysis, path, error);
}

/* The lines of a verdict that is not good. */
static int refuse(const char *verdict)
{
    g_auto(GStrv) lines = g_strsplit(verdict, "\n", -1);
    for (size_t i = 0; lines[i] != NULL; i++) {
        fprintf(stderr, "ripple measure: %s\n", lines[i]);
    }
    return APP_EXIT_INVALID;
}

/* ripple measure --merge FILE...: what the one file says is said, too. */
static int run_merge(app_context *context, const measure *self, const app_measure_ask *ask,
                     GError **error)
{
    const app_option_use uses[] = {{"--merge", context->output == NULL, "without --output"},
                                   {"--merge", context->nargs == 0, "without FILEs"},
                                   {"--netgauge", self->netgauge, "with --merge"}};
    if (!app_measure_options_refuse(&self->options, "with --merge", error) ||
        !app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error)) {
        return APP_EXIT_USAGE;
    }
    const app_output_place place = {"--output", context->output, false};
    if (!app_output_check(&place, context->nargs, (const char *const *)context->args, error)) {
        return APP_EXIT_ERROR;
    }
    g_auto(app_measure_merged) merged = {NULL, false, NULL};
    if (!app_measure_merge(context->args, context->nargs, &merged, error) ||
        !app_measured_write_text(merged.text, context->output, error)) {
        return APP_EXIT_ERROR;
    }
    app_context_note(context, "%u files in %s", context->nargs, context->output);
    char *whole[] = {context->output, NULL};
    app_context one = *context;
    one.args = whole;
    one.nargs = 1;
    one.output = NULL;
    const int code = app_measure_files(&one, ask, error);
    return code == APP_EXIT_DONE && !merged.valid ? refuse(merged.verdict) : code;
}

/* Measure, write the file of -o, print if @p print. */
static int measure_here(const app_context *context, const measure *self,
                        const noise_measurement_options *o, const app_measure_ask *ask, bool print,
                        GError **error)
{
    app_progress *progress = app_progress_new(context->verb, "measuring", context->quiet || !print);
    g_autoptr(noise_measurement) result = noise_measurement_run(o, error);
    if (result == NULL && error != NULL &&
        g_error_matches(*error, NOISE_ERROR, NOISE_ERROR_BAD_CPUS)) {
        app_error_blame_option(error, "--cpus");
    }
    app_progress_free(progress);
    g_autoptr(app_measure_analysis) analysis =
        result != NULL ? app_measure_analyse(result, "this measurement", ask, error) : NULL;
    if (analysis == NULL ||
        (context->output != NULL && !write_file(self, context->output, result, analysis, error))) {
        return APP_EXIT_ERROR;
    }
    if (ask->report != NULL &&
        !app_measure_page_write(analysis, result->verdict, context->manifest, ask->report, error)) {
        return APP_EXIT_ERROR;
    }
    if (context->output != NULL && o->method != NOISE_METHOD_SELFISH) {
        app_context_note(context, "samples in %s", context->output);
    } else if (context->output != NULL) {
        app_context_note(
            context, "detours in %s, for --noise=%s%s", context->output, context->output,
            result->valid || self->netgauge ? "" : ", which is refused without --accept-invalid");
    }
    const measured all = {result, analysis};
    if (print && !app_result_write(context, NULL, context->format, &WRITER, &all, error)) {
        return APP_EXIT_ERROR;
    }
    return result->valid ? APP_EXIT_DONE : refuse(result->verdict);
}

/* One of several processes: its own CPUs, a start in common, a file of its own. */
static int measure_ranks(const app_context *context, const measure *self, app_rank rank,
                         noise_measurement_options *o, const app_measure_ask *ask, GError **error)
{
    /* Calibrations come first: of the clock, and of the work of fixed quanta. */
    static const int64_t lead = INT64_C(1000000000);
    g_autofree char *cpus = noise_measurement_list_cpus(o->cpus, error);
    if (cpus == NULL) {
        app_error_blame_option(error, "--cpus");
        return APP_EXIT_USAGE;
    }
    app_agreement agreement = {NULL};
    app_rendezvous *all =
        app_rendezvous_new(rank, context->output, cpus,
                           (o->method == NOISE_METHOD_SELFISH ? 4 : 8) * lead, &agreement, error);
    if (all == NULL) {
        return APP_EXIT_ERROR;
    }
    g_autofree char *path = g_strdup_printf("%s.%u", context->output, rank.rank);
    g_autofree char *mine = agreement.cpus;
    app_context one = *context;
    one.output = path;
    o->cpus = mine;
    o->start_at = agreement.start;
    if (agreement.shared) {
        app_context_note(context, "rank %u measures CPUs %s of %s, which other ranks may use, too",
                         rank.rank, *mine != '\0' ? mine : "none", cpus);
    }
    const int code =
        *mine != '\0' ? measure_here(&one, self, o, ask, rank.rank == 0, error) : APP_EXIT_DONE;
    app_rendezvous_finish(all);
    return code;
}

static int run(app_context *context, void *state, GError **error)
{
    const measure *self = state;
    noise_measurement_options o;
    app_measure_ask ask;
    const app_option_use uses[] = {
        {"--netgauge", self->netgauge, context->output != NULL ? NULL : "without --output"}};
    if (!app_measure_ask_read(self->collective, self->report, context->manifest, &ask, error)) {
        return APP_EXIT_USAGE;
    }
    if (self->merge) {
        return run_merge(context, self, &ask, error);
    }
    if (context->nargs > 0) {
        return run_files(context, state, &ask, error);
    }
    if (!app_measure_options_resolve(&self->options, &o, context->manifest, error) ||
        !app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error)) {
        return APP_EXIT_USAGE;
    }
    const app_output_place place = {"--output", context->output, false};
    if (!app_output_check(&place, 0, NULL, error)) {
        return APP_EXIT_ERROR;
    }
    const app_rank rank = app_rank_of_environment();
    if (rank.size > 1 && context->output == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "%u processes need --output=FILE: each writes a FILE.RANK", rank.size);
        return APP_EXIT_USAGE;
    }
    const app_option_use alone[] = {
        {"--report", rank.size > 1 && ask.report != NULL,
         "with several processes: --merge writes it of all their files"}};
    if (!app_options_refuse_idle(alone, G_N_ELEMENTS(alone), error)) {
        return APP_EXIT_USAGE;
    }
    if (!app_measure_ask_check(&ask, error)) {
        return APP_EXIT_ERROR;
    }
    return rank.size > 1 ? measure_ranks(context, self, rank, &o, &ask, error)
                         : measure_here(context, self, &o, &ask, true, error);
}

static const char *const EXAMPLES[] = {
    "ripple measure -o here.detours",
    "Three times ten seconds on all CPUs; the file is for ripple simulate --noise.",
    "ripple measure --cpus=0-3 --time=1min --format=json",
    "Three times a minute on four CPUs.",
    "ripple measure --method=ftq --quantum=100us --time=60s -o here.ftq",
    "How much work is done in each 100 us: what comes regularly shows in the spectrum.",
    "mpirun -n 4 ripple measure -o all; ripple measure --merge all.* -o all.detours",
    "On several nodes, or by several processes: each measures its CPUs into a file of its own.",
    "ripple measure here.detours other-tool.txt",
    "What two files say that were measured before: nothing is measured.",
    NULL,
};

const app_verb app_verb_measure = {
    .name = "measure",
    .summary = "measure the noise of this machine; say whether the measurement is valid",
    .usage = "[FILE...]",
    .description =
        "Runs a benchmark on each CPU: selfish, a tight loop that reads the clock and takes every "
        "gap\nabove a threshold for a detour, time that something else has stolen; fwq, the same "
        "work again\nand again, which takes longer by what was stolen; ftq, which counts the work "
        "done in intervals\nof equal length. A summary goes to standard output, what was measured "
        "to the file of -o:\nNetgauge's columns under a line of JSON; --noise of the other verbs "
        "reads detours.\n\n"
        "Of several windows the one with the least noise is kept, as the SC'10 paper does; the "
        "noise of\nall is said, since the least of several is too low on average. --windows=1 "
        "keeps what comes.\n\n"
        "A measurement that cannot be trusted says why, and the exit code is 3; the other verbs "
        "refuse\nit, unless --accept-invalid is given.\n\n"
        "Then come the sources of the detours: what comes at regular intervals, what the "
        "kernel's\nrecords name, what is of one length, and the rest; the file has them as "
        "components, so that\n--noise=here.detours --without=tick leaves one out. With FILEs "
        "nothing is measured: what they\nsay is analysed, and -o writes one file divided into its "
        "sources.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT,
    .output_help = "write the detours there, one run for each CPU (Netgauge's columns under a "
                   "JSON header; in a third column its source)",
    .state_size = sizeof(measure),
    .options = options,
    .run = run,
    .clear = clear,
};
