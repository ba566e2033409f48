/* apps/ripple/verbs/verb_validate.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_validate, test_validate_mpi. */
/**
 * @file
 * ripple validate: a program's simulated makespan against the clock.
 */
#include "calibration/calibration_run.h"
#include "options/machine_options.h"
#include "output/error.h"
#include "output/folder.h"
#include "output/result.h"
#include "places/places.h"
#include "program/record.h"
#include "sim/unit.h"
#include "tracer/protocol.h"
#include "validation/validation_page.h"
#include "validation/validation_print.h"
#include "verbs/verb_list.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEFAULT_RUNS = 7, MOST_RUNS = 1000 };
static const double DEFAULT_TOLERANCE = 0.05;

typedef struct validating {
    app_machine_options machine;
    char *mpi;
    char *coll;
    char *compute;
    gint runs;
    char *tolerance;
    char *report;
} validating;

static void init(void *state)
{
    validating *self = state;
    self->runs = DEFAULT_RUNS;
}

static void options(void *state, app_options *table)
{
    validating *self = state;
    const GOptionEntry entries[] = {
        {"runs", 0, 0, G_OPTION_ARG_INT, &self->runs,
         "timed runs, and as many recorded ones, in turn: 1 to 1000; from 6 on there are intervals "
         "[7]",
         "N"},
        {"tolerance", 0, 0, G_OPTION_ARG_STRING, &self->tolerance,
         "how far the simulated makespan may be off [5%]", "SHARE"},
        {"coll", 0, 0, G_OPTION_ARG_STRING, &self->coll,
         "algorithms of collectives that are not as in profile sc10, e.g. allreduce=ring",
         "KIND=ALGORITHM,..."},
        {"compute", 0, 0, G_OPTION_ARG_STRING, &self->compute,
         "what computation takes: CPU time, or the wall clock between calls, with what the "
         "record met of this machine's noise [cpu]",
         "cpu|wall"},
        {"mpi", 0, 0, G_OPTION_ARG_STRING, &self->mpi,
         "MPI that the program uses [auto: by launcher and linked libraries]",
         "auto|openmpi|mpich"},
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &self->report,
         "also write a page, " APP_VALIDATION_PAGE ", into this folder", "FOLDER"},
        {NULL},
    };
    self->machine.without = "measured first, as by calibrate";
    app_machine_options_add(&self->machine, table);
    app_options_add(table, "Validation", entries);
}

static void clear(void *state)
{
    validating *self = state;
    app_machine_options_clear(&self->machine);
    g_free(self->mpi);
    g_free(self->coll);
    g_free(self->compute);
    g_free(self->tolerance);
    g_free(self->report);
}

/* "5%", "0.05". @return false with an error of usage */
static bool parse_tolerance(const char *text, double *out, GError **error)
{
    char *end = NULL;
    *out = text != NULL ? g_ascii_strtod(text, &end) : DEFAULT_TOLERANCE;
    if (text != NULL && end != text && *end == '%') {
        *out /= 100;
        end++;
    }
    if (text != NULL && (end == text || *end != '\0' || !(*out > 0) || *out > 1)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--tolerance: '%s' is not a share above 0, up to 100%%", text);
        return false;
    }
    return true;
}

/* ---- the machine ---- */

/* The words of the command before its program: how ranks are started. NULL with an error */
static GPtrArray *launcher_of(char **command, GError **error)
{
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    char **word = command;
    for (; *word != NULL && (word == command || !app_launch_is_program(*word)); word++) {
        g_ptr_array_add(words, g_strdup(*word));
    }
    if (*word == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "which word of the command is the MPI program cannot be told, so the machine "
                    "cannot be measured first: give --machine (ripple calibrate)");
        g_ptr_array_unref(words);
        return NULL;
    }
    g_ptr_array_add(words, NULL);
    return words;
}

static sim_machine *calibrate(const app_context *context, const validating *self, GError **error)
{
    g_autoptr(GPtrArray) words = launcher_of(context->command, error);
    if (words == NULL) {
        return NULL;
    }
    app_context_note(context, "measuring the machine");
    g_autoptr(app_calibration) c =
        app_calibration_run((char **)words->pdata, APP_CALIBRATION_ROUNDS, error);
    if (c != NULL && c->invalid != NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "the machine cannot be measured: %s",
                    c->invalid);
        return NULL;
    }
    if (c != NULL && c->in_company) {
        app_context_note(context,
                         "the machine was measured in company: in %.2g %% of the visits alone both "
                         "cores were undisturbed, so messages may take less than is simulated",
                         100 * c->undisturbed);
    }
    g_autoptr(GDateTime) now = g_date_time_new_now_utc();
    g_autofree char *when = g_date_time_format(now, "%Y-%m-%d");
    sim_machine *machine = c != NULL ? app_calibration_machine(c, NULL, when, error) : NULL;
    return machine != NULL
               ? app_machine_options_apply(&self->machine, machine, context->manifest, error)
               : NULL;
}

/* ---- runs ---- */

/* What all pairs of runs have in common. */
typedef struct campaign {
    const app_context *context;
    const validating *self;
    const char *folder; /* of ours, for all files */
    sim_machine *machine;
    app_places *places; /* set by the first timed run */
    coll_profile *profile;
    app_mpi mpi;
    bool by_wall;
} campaign;

/* Results go to standard output, so what the program says there goes to standard error. */
static int hide_output(void)
{
    (void)fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    return kept;
}

static void show_output(int kept)
{
    (void)dup2(kept, STDOUT_FILENO);
    (void)close(kept);
}

static bool run_timed(const campaign *c, app_validation_pair *pair, GError **error)
{
    g_autofree char *path = g_build_filename(c->folder, TRACER_SPAN_FILE, NULL);
    const app_launch_options launch = {.folder = c->folder, .mpi = c->mpi, .span = true};
    app_child_end end = {0};
    const int kept = hide_output();
    const gint64 begun = g_get_monotonic_time();
    const bool started = app_launch_run(c->context->command, &launch, &end, error);
    pair->command = (g_get_monotonic_time() - begun) * SIM_US;
    show_output(kept);
    if (!started) {
        return false;
    }
    if (end.stopped_by != 0) {
        app_folder_remove(c->folder);
        app_child_die(end.stopped_by);
    }
    if (!WIFEXITED(end.status) || WEXITSTATUS(end.status) != 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: the program failed (status %d)",
                    c->context->command[0],
                    WIFEXITED(end.status) ? WEXITSTATUS(end.status) : end.status);
        return false;
    }
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "%s: the program did not come from MPI_Init to MPI_Finalize with the tracer "
                    "in it; see --mpi",
                    c->context->command[0]);
        return false;
    }
    pair->spans = app_spans_read(path, error);
    (void)g_unlink(path);
    return pair->spans != NULL;
}

/* Ranks are on the nodes that they were on. */
static bool find_places(campaign *c, const app_spans *spans, GError **error)
{
    g_autofree uint32_t *node = g_new(uint32_t, spans->num_ranks);
    for (uint32_t r = 0; r < spans->num_ranks; r++) {
        node[r] = spans->rank[r].node;
    }
    c->places = app_places_new();
    app_places_put(c->places, node, spans->num_ranks, "as the ranks were");
    return app_places_take_machine(c->places, c->machine, error) &&
           app_places_check(c->places, &spans->num_ranks, 1, error);
}

static bool run_recorded(const campaign *c, app_validation_pair *pair, GError **error)
{
    g_autofree char *folder = g_build_filename(c->folder, "record", NULL);
    const app_record_options record = {.mpi = c->self->mpi};
    app_watched watched = {0};
    bool program_ok = false;
    const int kept = hide_output();
    g_autoptr(sched_trace) trace =
        app_record(c->context, &record, NULL, folder, &watched, &program_ok, error);
    show_output(kept);
    if (trace != NULL && !program_ok) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: the program failed when recorded",
                    c->context->command[0]);
    }
    if (trace == NULL || !program_ok) {
        return false;
    }
    sim_levels levels;
    app_call_machine machine = {.params = &c->machine->params,
                                .profile = c->profile,
                                .calls = c->machine->calls,
                                .cold = &c->machine->cold,
                                .by_wall = c->by_wall};
    if (app_places_have_levels(c->places) && trace->num_ranks == c->places->num_listed) {
        levels = app_places_levels_at(c->places, trace->num_ranks);
        machine.levels = &levels;
    }
    pair->times = app_call_times_of(trace, &machine, error);
    app_folder_remove(folder);
    return pair->times != NULL;
}

static bool run_pairs(campaign *c, app_validation_pair *pairs, size_t n, GError **error)
{
    for (size_t i = 0; i < n; i++) {
        app_context_note(c->context, "run %zu of %zu, timed and recorded", i + 1, n);
        if (!run_timed(c, &pairs[i], error) || (i == 0 && !find_places(c, pairs[0].spans, error)) ||
            !run_recorded(c, &pairs[i], error)) {
            return false;
        }
    }
    return true;
}

static app_validation *compare(campaign *c, double tolerance, GError **error)
{
    const size_t n = (size_t)c->self->runs;
    g_autofree app_validation_pair *pairs = g_new0(app_validation_pair, n);
    app_validation *v =
        run_pairs(c, pairs, n, error) ? app_validation_new(pairs, n, tolerance, error) : NULL;
    for (size_t i = 0; i < n; i++) {
        app_spans_free(pairs[i].spans);
        app_call_times_free(pairs[i].times);
    }
    return v;
}

/* ---- the verb ---- */

static void print_text(const void *result, FILE *out)
{
    app_validation_print(result, out);
}

static void print_csv(const void *result, FILE *out)
{
    app_validation_print_csv(result, out);
}

static void build(const void *result, JsonBuilder *builder)
{
    app_validation_build(result, builder);
}

static bool check(const app_context *context, const validating *self, double *tolerance,
                  unsigned *mpi, unsigned *compute, GError **error)
{
    static const char *const COMPUTE[] = {"cpu", "wall", NULL};
    static const char *const MPIS[] = {"auto", "openmpi", "mpich", NULL};
    if (!app_context_check_args(context, 0, 0, error)) {
        return false;
    }
    if (context->command == NULL || context->command[0] == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "what is to be run? Put the command after '--'");
        return false;
    }
    if (self->runs < 1 || self->runs > MOST_RUNS) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--runs: %d is not between 1 and %d",
                    self->runs, MOST_RUNS);
        return false;
    }
    return (self->mpi == NULL || app_parse_choice("--mpi", self->mpi, MPIS, mpi, error)) &&
           (self->compute == NULL ||
            app_parse_choice("--compute", self->compute, COMPUTE, compute, error)) &&
           parse_tolerance(self->tolerance, tolerance, error);
}

static int judge(app_context *context, campaign *c, double tolerance, GError **error)
{
    app_manifest_add(context->manifest, "coll", "%s", coll_profile_name(c->profile));
    app_manifest_add(context->manifest, "compute", "%s", c->by_wall ? "wall" : "cpu");
    app_manifest_add(context->manifest, "runs", "%d", c->self->runs);
    app_manifest_add(context->manifest, "tolerance", "%g", tolerance);
    g_autoptr(app_validation) v = compare(c, tolerance, error);
    const app_result_writer writer = {print_text, print_csv, build};
    g_autofree char *line = app_manifest_line(context->manifest);
    if (v == NULL ||
        !app_result_write(context, context->output, context->format, &writer, v, error) ||
        (c->self->report != NULL && !app_validation_page_write(v, line, c->self->report, error))) {
        return APP_EXIT_ERROR;
    }
    return v->verdict == APP_VALIDATION_NONE     ? APP_EXIT_INVALID
           : v->verdict == APP_VALIDATION_INSIDE ? APP_EXIT_DONE
                                                 : APP_EXIT_ERROR;
}

static int run(app_context *context, void *state, GError **error)
{
    const validating *self = state;
    double tolerance = 0;
    unsigned mpi = APP_MPI_AUTO;
    unsigned compute = 0;
    if (!check(context, self, &tolerance, &mpi, &compute, error)) {
        return APP_EXIT_USAGE;
    }
    g_autoptr(coll_profile) profile = coll_profile_new("sc10", self->coll, error);
    if (profile == NULL) {
        app_error_blame_option(error, "--coll");
        return APP_EXIT_USAGE;
    }
    g_autoptr(sim_machine) machine =
        self->machine.machine != NULL
            ? app_machine_options_resolve(&self->machine, context->manifest, error)
            : calibrate(context, self, error);
    /* Here, not in TMPDIR: all nodes have to see it. */
    g_autofree char *folder = g_strdup("ripple-validate-XXXXXX");
    if (machine == NULL) {
        return APP_EXIT_ERROR;
    }
    if (g_mkdtemp_full(folder, 0777) == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT, "%s: %s", folder, g_strerror(errno));
        return APP_EXIT_ERROR;
    }
    campaign c = {context, self, folder, machine, NULL, profile, (app_mpi)mpi, compute == 1};
    const int code = judge(context, &c, tolerance, error);
    app_folder_remove(folder);
    app_places_free(c.places);
    return code;
}

static const char *const EXAMPLES[] = {
    "ripple validate --machine=here.ini -- mpirun -n 2 --bind-to core ./a-program",
    "Is the simulated makespan within 5 % of the clock, on the machine that was calibrated?",
    "ripple validate --tolerance=10% --runs=15 -- mpirun -n 2 --bind-to core ./a-program",
    "Measure the machine first; more runs, and wider a limit.",
    NULL,
};

const app_verb app_verb_validate = {
    .name = "validate",
    .summary = "compare a program's simulated makespan with the clock",
    .usage = "-- COMMAND [ARGUMENT]...",
    .description =
        "Runs the command again and again, in turn with nothing but a clock in it and recorded as "
        "by\n'ripple trace'. Each record is simulated on the machine; the makespan is compared "
        "with the time\nthat the timed run before it took from MPI_Init to MPI_Finalize. A table "
        "says what each type of\ncall took in the records and takes in the simulation, so that it "
        "can be seen what carries a\ndifference.\n\n"
        "The machine is that of --machine, usually from 'ripple calibrate'; without it, it is "
        "measured\nfirst, by the launcher of the command. Do it on a machine that does nothing "
        "else, each rank on\na core of its own. Where ranks share CPUs, the makespan cannot be "
        "compared: then a lower bound\nis all that is said.\n\n"
        "Records are made in a folder in the current one, and removed. What the command prints "
        "goes to\nstandard error.\n\n"
        "The exit code is 0 within --tolerance, 1 beyond it, 3 where ranks share CPUs.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT | APP_TAKES_COMMAND,
    .state_size = sizeof(validating),
    .init = init,
    .options = options,
    .run = run,
    .clear = clear,
};
