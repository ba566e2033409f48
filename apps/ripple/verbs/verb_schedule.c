/* apps/ripple/verbs/verb_schedule.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_schedule, cli_schedule_trace. */
/**
 * @file
 * ripple schedule: a trace or pattern as a happens-before graph: written, checked, summed up.
 */
#include "enlarged/enlarged_page.h"
#include "enlarged/enlarged_print.h"
#include "enlarged/enlarged_words.h"
#include "experiment/estimate.h"
#include "options/machine_options.h"
#include "output/error.h"
#include "output/result.h"
#include "program/recognition.h"
#include "program/schedule_summary.h"
#include "program/source.h"
#include "sched/check.h"
#include "sched/reader.h"
#include "sched/writer.h"
#include "sim/out_file.h"
#include "system/memory.h"
#include "verbs/verb_list.h"

#include <string.h>

typedef struct schedule {
    app_program_options program;
    app_machine_options machine;
    gboolean check;
    gboolean strict;
    gboolean validated;
    char *tolerance;
    char *report;
} schedule;

/* Two recordings of one program at one size differ by that much in CPU time: docs/regrid.md. */
static const double TOLERANCE = 0.05;

/* The summary's formats, and then those of the table of writers. */
enum { FIRST_WRITER = APP_FORMAT_CSV + 1 };
#define NAME_OF(ID, NAME) NAME,
static const char *const FORMATS[] = {"text", "json", "csv", SCHED_WRITERS(NAME_OF) NULL};

static const struct {
    const char *suffix;
    unsigned format;
} SUMMARY_SUFFIXES[] = {
    {".json", APP_FORMAT_JSON},
    {".csv", APP_FORMAT_CSV},
    {".txt", APP_FORMAT_TEXT},
};

static void options(void *state, app_options *options)
{
    schedule *self = state;
    const GOptionEntry entries[] = {
        {"check", 0, 0, G_OPTION_ARG_NONE, &self->check,
         "look for cycles and unmatched messages; the longest path on the machine", NULL},
        {"strict", 0, 0, G_OPTION_ARG_NONE, &self->strict,
         "GOAL: read only what the reference's own converter accepts", NULL},
        {"recognise", 0, 0, G_OPTION_ARG_NONE, &self->program.recognised,
         "say on which grid of processes a trace was recorded, which exchanges it explains, and "
         "whether it can be enlarged (--extrapolate=regrid); without it the exit code is 1",
         NULL},
        {NULL},
    };
    const GOptionEntry validation[] = {
        {"validate", 0, 0, G_OPTION_ARG_NONE, &self->validated,
         "enlarge a small record to the size of a large one of the same program, on a larger grid "
         "and in copies, and compare; without noise. Exit code 1 beyond --tolerance, 2 where "
         "nothing can be compared",
         NULL},
        {"tolerance", 0, 0, G_OPTION_ARG_STRING, &self->tolerance,
         "how far a count, a time, or a part of the critical path by the makespan, may be off "
         "[5%]",
         "PERCENT"},
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &self->report,
         "also write a page, " APP_ENLARGED_PAGE ", into this folder", "FOLDER"},
        {NULL},
    };
    app_program_options_add(&self->program, options);
    app_program_options_add_flops(&self->program, options);
    app_machine_options_add(&self->machine, options);
    app_options_add(options, "Schedule", entries);
    app_options_add(options, "Validation", validation);
}

static void clear(void *state)
{
    schedule *self = state;
    app_program_options_clear(&self->program);
    app_machine_options_clear(&self->machine);
    g_free(self->tolerance);
    g_free(self->report);
}

/* NULL: the summary */
static const sched_writer *writer_of(unsigned format)
{
    return format >= FIRST_WRITER ? sched_writers[format - FIRST_WRITER] : NULL;
}

/* What the end of a name says. */
static bool find_suffix(const char *path, unsigned *format)
{
    for (unsigned i = 0; sched_writers[i] != NULL; i++) {
        const char *const *suffix = sched_writers[i]->suffixes;
        for (; *suffix != NULL; suffix++) {
            if (g_str_has_suffix(path, *suffix)) {
                *format = FIRST_WRITER + i;
                return true;
            }
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(SUMMARY_SUFFIXES); i++) {
        if (g_str_has_suffix(path, SUMMARY_SUFFIXES[i].suffix)) {
            *format = SUMMARY_SUFFIXES[i].format;
            return true;
        }
    }
    return false;
}

/* ".goal, .bin, .rpl, .graphml or .dot": the first suffix of each format, or of those that need the
 * whole graph alone; with what it is, if @p explained. */
static char *list_suffixes(bool stored_only, bool explained, const char *last)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; sched_writers[i] != NULL; i++) {
        const sched_writer *w = sched_writers[i];
        if (w->write_stream == NULL || !stored_only) {
            g_ptr_array_add(words, explained ? g_strdup_printf("%s (%s)", w->suffixes[0], w->what)
                                             : g_strdup(w->suffixes[0]));
        }
    }
    GString *list = g_string_new(NULL);
    for (guint i = 0; i < words->len; i++) {
        const char *separator = i == 0 ? "" : i + 1 < words->len ? ", " : last;
        g_string_append_printf(list, "%s%s", separator, (char *)g_ptr_array_index(words, i));
    }
    return g_string_free(list, FALSE);
}

/* --format, else what the file's name says. */
static bool find_format(app_context *context, GError **error)
{
    if (context->format_given || context->output == NULL ||
        find_suffix(context->output, &context->format)) {
        return true;
    }
    g_autofree char *suffixes = list_suffixes(false, false, " or ");
    g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                "'%s' does not say which format is wanted: name it with --format, or end in %s",
                context->output, suffixes);
    return false;
}

/* A schedule to be written. */
typedef struct product {
    sched_rank_source *stream;
    const sim_graph *graph; /* where it is stored: read so, checked, or to be written; or NULL */
    app_schedule_summary sum;
} product;

static bool needs_graph(unsigned format)
{
    return writer_of(format) != NULL && writer_of(format)->write_stream == NULL;
}

static bool write_product(const product *p, unsigned format, const char *path, GError **error)
{
    const sched_writer *writer = writer_of(format);
    const bool stored = writer->write_graph != NULL && p->graph != NULL;
    return stored ? writer->write_graph(p->graph, path, error)
                  : writer->write_stream(p->stream, path, error);
}

/* A file is written first, so that the summary on standard output tells of what is there; where the
 * schedule is there itself, there is none. */
static bool deliver(const app_context *context, const product *p, GError **error)
{
    if (context->format <= APP_FORMAT_CSV) {
        return app_result_write(context, context->output, context->format,
                                &app_schedule_summary_writer, &p->sum, error);
    }
    return write_product(p, context->format, context->output, error) &&
           (sim_out_file_is_output(context->output) ||
            app_result_write(context, NULL, APP_FORMAT_TEXT, &app_schedule_summary_writer, &p->sum,
                             error));
}

/* What is left over would make every simulation fail: it is an error, after the report. */
static bool all_matched(const sched_check_report *report, GError **error)
{
    if (report->unmatched_sends == 0 && report->unmatched_recvs == 0) {
        return true;
    }
    g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s",
                report->first_unmatched != NULL ? report->first_unmatched
                                                : "some messages do not match");
    return false;
}

/* Does a file have room where it is to be written? Asked before it is begun. */
static bool check_room(const app_context *context, app_source *source, uint32_t ranks,
                       GError **error)
{
    const sched_writer *writer = writer_of(context->format);
    if (context->output == NULL || writer == NULL || writer->op_bytes == 0) {
        return true;
    }
    g_autofree char *folder = g_path_get_dirname(context->output);
    uint64_t ops = 0;
    if (!app_source_count(source, ranks, &ops, error)) {
        return false;
    }
    const double need = (double)ops * writer->op_bytes * (writer->gathers ? 2 : 1);
    const double room = (double)app_disk_available(folder);
    if (need <= room) {
        return true; /* or it is not a folder: who opens the file will say so */
    }
    g_autofree char *wanted = app_estimate_format_bytes(need);
    g_autofree char *there = app_estimate_format_bytes(room);
    g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT,
                "%s: takes about %s, or more, where there is room for %s", context->output, wanted,
                there);
    return false;
}

/* The longest path takes every message between nodes, at no distance, and no call beside them; so
 * does a validation. */
static bool check_one_level(const sim_machine *machine, const char *what, GError **error)
{
    if (machine->node_keys != 0 || machine->distance != NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "%s does not know %s of machine '%s'", what,
                    machine->node_keys != 0 ? "[node]" : "the distance", machine->name);
        return false;
    }
    if (sim_machine_has_calls(machine)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "%s does not know [calls] of machine '%s'; --set=calls=none leaves it out",
                    what, machine->name);
        return false;
    }
    return true;
}

/* Which grid it is, instead of the schedule. */
static bool recognise(const app_context *context, app_source *source, GError **error)
{
    const sched_regrid *regrid = app_source_recognise(source, error);
    return regrid != NULL && app_recognition_write(context, source, regrid, error);
}

static bool make_schedule(app_context *context, const schedule *self, sched_check_report *report,
                          GError **error)
{
    g_autoptr(app_source) source =
        app_source_open(context->args[0], &self->program, self->strict, context->manifest, error);
    size_t num_sizes = 0;
    g_autofree uint32_t *sizes =
        source != NULL ? app_source_sizes(source, context->manifest, &num_sizes, error) : NULL;
    if (sizes == NULL) {
        return false;
    }
    if (self->program.recognised) {
        return recognise(context, source, error);
    }
    if (num_sizes > 1) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--ranks: one size at a time");
        return false;
    }
    product p = {.stream = app_source_stream(source, sizes[0], error)};
    if (p.stream == NULL || !check_room(context, source, sizes[0], error)) {
        return false;
    }
    g_autoptr(sim_machine) machine =
        self->check ? app_machine_options_resolve(&self->machine, context->manifest, error) : NULL;
    if (self->check &&
        (machine == NULL || !check_one_level(machine, "--check: the longest path", error))) {
        return false;
    }
    if (self->check || needs_graph(context->format) || app_source_is_stored(source, sizes[0])) {
        p.graph = app_source_graph(source, sizes[0], error);
        if (p.graph == NULL) {
            return false;
        }
    }
    if ((self->check && !sched_check(p.graph, &machine->params, report, error)) ||
        !app_schedule_summarize(&p.sum, source, p.stream, error)) {
        return false;
    }
    p.sum.check = self->check ? report : NULL;
    return deliver(context, &p, error) && (!self->check || all_matched(report, error));
}

/* Is this --set of a parameter that the longest path does not know? */
static bool is_beside_the_path(const char *assignment)
{
    static const char *const KEYS[] = {"g=", "S=", "progress=", "rendezvous="};
    for (size_t i = 0; i < G_N_ELEMENTS(KEYS); i++) {
        if (g_str_has_prefix(assignment, KEYS[i])) {
            return true;
        }
    }
    return false;
}

/* The machine is for the longest path: o, O, L and G of every message. */
static bool refuse_idle_options(const schedule *self, GError **error)
{
    const app_machine_options *o = &self->machine;
    const char *unchecked = self->check ? NULL : "without --check";
    const char *beside = "on the longest path, which has only L, o, G and O";
    const char *recognised = self->validated            ? "with --validate"
                             : self->program.recognised ? "with --recognise"
                                                        : NULL;
    /* the grid is in the messages; but computation between them is fitted as it will be enlarged */
    const char *ungrown =
        self->program.recognised && self->program.larger.fit == NULL ? "with --recognise" : NULL;
    const char *alone = self->validated ? NULL : "without --validate";
    const char *validated = self->validated ? "with --validate" : NULL;
    unchecked = self->validated ? NULL : unchecked;
    const app_option_use uses[] = {
        {"--tolerance", self->tolerance != NULL, alone},
        {"--report", self->report != NULL, alone},
        {"--recognise", self->program.recognised, validated},
        {"--repeat", self->program.repeat != NULL, validated},
        {"--strict", self->strict, validated},
        {"--check", self->check, recognised},
        {"--extrapolate", self->program.larger.extrapolate != NULL, recognised},
        {"--ranks", self->program.ranks != NULL, recognised},
        {"--no-p2p", self->program.no_p2p, ungrown},
        {"--machine", o->machine != NULL, unchecked},
        {"--set", o->set != NULL, unchecked},
    };
    if (!app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error)) {
        return false;
    }
    for (char **s = o->set; s != NULL && *s != NULL && !self->validated; s++) {
        g_autofree char *name = g_strdup_printf("--set=%s", *s);
        const app_option_use use = {name, is_beside_the_path(*s), beside};
        if (!app_options_refuse_idle(&use, 1, error)) {
            return false;
        }
    }
    return true;
}

static bool parse_tolerance(const char *text, double *out, GError **error)
{
    char *end = NULL;
    *out = TOLERANCE;
    if (text == NULL) {
        return true;
    }
    const double percent = g_ascii_strtod(text, &end);
    if (end == text || strcmp(end, "%") != 0 || !(percent >= 0 && percent <= 1000)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--tolerance: '%s' is not a share of 0%% to 1000%%", text);
        return false;
    }
    *out = percent / 100;
    return true;
}

static app_enlarged *compare(const app_context *context, const schedule *self, GError **error)
{
    app_enlarged_request request = {.small = context->args[0],
                                    .large = context->args[1],
                                    .options = &self->program,
                                    .threads = 1};
    app_manifest_add(context->manifest, "validate", "%s", request.large);
    g_autoptr(sim_machine) machine =
        parse_tolerance(self->tolerance, &request.tolerance, error)
            ? app_machine_options_resolve(&self->machine, context->manifest, error)
            : NULL;
    if (machine == NULL || !check_one_level(machine, "--validate", error)) {
        return NULL;
    }
    app_manifest_add(context->manifest, "tolerance", "%g%%", 100 * request.tolerance);
    request.params = &machine->params;
    return app_enlarged_new(&request, context->manifest, error);
}

/* Exit code 1 says that it was compared, and is beyond the tolerance: nothing else may. */
static int validate(const app_context *context, const schedule *self, GError **error)
{
    GError *failure = NULL;
    g_autoptr(app_enlarged) enlarged = compare(context, self, &failure);
    g_autofree char *line = app_manifest_line(context->manifest);
    if (enlarged == NULL ||
        !app_result_write(context, context->output, context->format, &app_enlarged_writer, enlarged,
                          &failure) ||
        (self->report != NULL &&
         !app_enlarged_page_write(enlarged, line, self->report, &failure))) {
        if (app_error_exit_code(failure) != APP_EXIT_USAGE) {
            failure->domain = APP_ERROR;
            failure->code = APP_ERROR_UNCOMPARED;
        }
        g_propagate_error(error, failure);
        return APP_EXIT_USAGE;
    }
    if (!app_enlarged_holds(enlarged)) {
        g_autofree char *verdict = app_enlarged_verdict(enlarged);
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s", verdict);
        return APP_EXIT_ERROR;
    }
    return APP_EXIT_DONE;
}

static int run(app_context *context, void *state, GError **error)
{
    const schedule *self = state;
    const unsigned num_args = self->validated ? 2 : 1;
    if (!app_context_check_args(context, num_args, num_args, error) ||
        !find_format(context, error) || !refuse_idle_options(self, error)) {
        return APP_EXIT_USAGE;
    }
    if ((self->program.recognised || self->validated) && writer_of(context->format) != NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "%s: what was found is written as text, json or csv, not as '%s'",
                    self->validated ? "--validate" : "--recognise", FORMATS[context->format]);
        return APP_EXIT_USAGE;
    }
    if (self->validated) {
        return validate(context, self, error);
    }
    const app_output_place place = {"--output", context->output, false};
    if (!app_output_check(&place, 1, (const char *const *)context->args, error)) {
        return APP_EXIT_ERROR;
    }
    sched_check_report report = {0};
    const bool ok = make_schedule(context, state, &report, error);
    sched_check_report_clear(&report);
    return ok ? APP_EXIT_DONE : APP_EXIT_ERROR;
}

static const char *const EXAMPLES[] = {
    "ripple schedule trace/",
    "What a recorded program consists of, and what could not be converted.",
    "ripple schedule trace/ --ranks=64 -o app.goal",
    "The program repeated to 64 ranks as GOAL text.",
    "ripple schedule trace/ --recognise",
    "Which grid of processes the program runs on, and who sends what where.",
    "ripple schedule trace/ --ranks=4Ki --extrapolate=regrid -o app.goal",
    "A halo exchange on a larger grid: partners and borders are computed anew.",
    "ripple schedule --validate halo-27/ halo-64/",
    "What an enlargement is worth: 27 ranks enlarged to 64, beside 64 that were recorded.",
    "ripple schedule app.goal -o app.rpl",
    "A form that is not read but mapped: for large programs that are simulated often.",
    "ripple schedule app.goal --ranks=1Ki --repeat=100 -o large.goal",
    "Copies of a schedule up to 1Ki ranks, each a hundred times, back to back.",
    "ripple schedule --check app.goal",
    "Look for dependency cycles and messages that nobody receives.",
    "ripple schedule collective:bcast:binomial:1KiB --ranks=8 --format=dot",
    "The graph of a broadcast, for graphviz.",
    "ripple schedule 'pattern:(ring:1KiB,calc=10us)*5,barrier' --ranks=16 -o app.goal",
    "A program without MPI, as GOAL text.",
    NULL,
};

static char *describe(void)
{
    g_autofree char *traces = sched_reader_forms(true);
    g_autofree char *schedules = sched_reader_forms(false);
    g_autofree char *suffixes = list_suffixes(false, true, ", ");
    g_autofree char *stored = list_suffixes(true, false, " and ");
    return g_strdup_printf(
        "PROGRAM is a trace (%s), a stored schedule (%s), "
        "collective:NAME[:ALGORITHM][:BYTES] or pattern:ITEM,..., as for simulate.\n"
        "\n"
        "Without -o and --format a summary is printed: ranks, operations, messages, and what could "
        "not be converted, named and counted. A file is written in the format that --format or "
        "the end of its name says: %s; .txt, .json or .csv for the summary.\n"
        "\n"
        "GOAL and .rpl are written as a stream: programs of any size take the memory of one or "
        "two ranks, .rpl for a while twice its room on disk. "
        "--check, %s need the whole graph.",
        traces, schedules, suffixes, stored);
}

const app_verb app_verb_schedule = {
    .name = "schedule",
    .summary = "turn a trace or pattern into a schedule; check it, write it, sum it up",
    .usage = "PROGRAM [LARGER]",
    .describe = describe,
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT,
    .formats = FORMATS,
    .output_help = "write the schedule there; the end of the name says the format [stdout]",
    .state_size = sizeof(schedule),
    .options = options,
    .run = run,
    .clear = clear,
};
