/* apps/ripple/verbs/verb_monitor.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_monitor. */
/**
 * @file
 * ripple monitor: which programs run on this node, when, where and for how long; and what the files
 * of such watches say.
 */
#include "monitor/monitor_report.h"
#include "monitor/validate.h"
#include "noise/monitor.h"
#include "output/error.h"
#include "output/output.h"
#include "sim/unit.h"
#include "system/child.h"
#include "verbs/verb_list.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct monitor {
    char *time;
    char *rate;
    char *max_cpu;
    char *cpu;
    char *pids;
    char *dump;
    char *validate;
    app_monitor_options report; /* of files */
    sim_time length;            /* 0: until it is told to stop */
    GArray *roots;              /* of uint32_t */
    char *path;                 /* of the file */
    bool only_waits;            /* another process of this job watches this node */
    bool is_failed;             /* the command was */
} monitor;

static void options(void *state, app_options *options)
{
    monitor *self = state;
    const GOptionEntry entries[] = {
        {"time", 't', 0, G_OPTION_ARG_STRING, &self->time,
         "stop after that time [when the command ends, or by Ctrl-C]", "TIME"},
        {"max-cpu", 0, 0, G_OPTION_ARG_STRING, &self->max_cpu,
         "look as often as that share of one CPU allows [1%]", "PERCENT"},
        {"rate", 0, 0, G_OPTION_ARG_STRING, &self->rate,
         "look so often, whatever it takes, e.g. 100Hz or 1kHz", "FREQUENCY"},
        {"cpu", 0, 0, G_OPTION_ARG_STRING, &self->cpu,
         "look all the time, on a CPU that nobody else needs", "N"},
        {"pids", 0, 0, G_OPTION_ARG_STRING, &self->pids,
         "processes that, with all that they start, are the application, e.g. 1234,1240", "LIST"},
        {"validate", 0, 0, G_OPTION_ARG_STRING, &self->validate,
         "burn CPU time at known instants and say whether the monitor finds it, at 1 kHz unless "
         "told otherwise: bursts of 20us to 5ms; beside quanta of 33 ms of fixed work; beside "
         "those of the ranks of a command, which is mpirun and fwq_allreduce; or what watching "
         "takes in 10 h, by 5 min",
         "bursts|fwq|allreduce|long"},
        {"dump", 0, 0, G_OPTION_ARG_FILENAME, &self->dump,
         "watch nothing; print that file, a record per line", "FILE"},
        {NULL},
    };
    app_options_add(options, "Watch", entries);
    app_monitor_options_add(&self->report, options);
}

static void clear(void *state)
{
    monitor *self = state;
    g_free(self->time);
    g_free(self->rate);
    g_free(self->max_cpu);
    g_free(self->cpu);
    g_free(self->pids);
    g_free(self->dump);
    g_free(self->validate);
    g_free(self->path);
    app_monitor_options_clear(&self->report);
    g_clear_pointer(&self->roots, g_array_unref);
}

static bool bad_value(const char *option, const char *text, const char *what, GError **error)
{
    g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "%s: '%s' is not %s", option, text, what);
    return false;
}

static bool parse_budget(const char *text, double *out, GError **error)
{
    char *end = NULL;
    const double value = g_ascii_strtod(text, &end);
    if (end == text || (strcmp(end, "%") != 0 && *end != '\0') || !(value >= 0.01) ||
        !(value <= 100)) {
        return bad_value("--max-cpu", text, "a share of a CPU from 0.01% to 100%", error);
    }
    *out = value / 100;
    return true;
}

static bool parse_rate(const char *text, double *out, GError **error)
{
    sim_time period;
    if (!sim_unit_parse_period(text, &period, NULL) || period < 10 * SIM_US ||
        period > 10 * SIM_S) {
        return bad_value("--rate", text, "a frequency from 0.1Hz to 100kHz", error);
    }
    *out = (double)SIM_S / (double)period;
    return true;
}

static bool parse_pids(monitor *self, GError **error)
{
    g_auto(GStrv) words = g_strsplit(self->pids, ",", -1);
    for (char **word = words; *word != NULL; word++) {
        uint64_t pid;
        if (!app_parse_unsigned("--pids", *word, 1, INT32_MAX, &pid, error)) {
            return false;
        }
        if (kill((pid_t)pid, 0) != 0 && errno == ESRCH) {
            return bad_value("--pids", *word, "the number of a process that is there", error);
        }
        const uint32_t root = (uint32_t)pid;
        g_array_append_val(self->roots, root);
    }
    return true;
}

static bool read_mode(const monitor *self, noise_monitor_options *o, app_manifest *manifest,
                      GError **error)
{
    if ((self->max_cpu != NULL) + (self->rate != NULL) + (self->cpu != NULL) > 1) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--max-cpu, --rate and --cpu exclude each other");
        return false;
    }
    if (self->max_cpu != NULL && !parse_budget(self->max_cpu, &o->budget, error)) {
        return false;
    }
    if (self->rate != NULL) {
        o->mode = NOISE_NIT_RATE;
        if (!parse_rate(self->rate, &o->rate, error)) {
            return false;
        }
        app_manifest_add(manifest, "rate", "%g Hz", o->rate);
    } else if (self->cpu != NULL) {
        uint64_t cpu;
        o->mode = NOISE_NIT_DEDICATED;
        if (!app_parse_unsigned("--cpu", self->cpu, 0, UINT32_MAX - 1, &cpu, error)) {
            return false;
        }
        o->cpu = (uint32_t)cpu;
        app_manifest_add(manifest, "cpu", "%u", o->cpu);
    } else {
        app_manifest_add(manifest, "max_cpu", "%g %%", 100 * o->budget);
    }
    return true;
}

/* Which of a job's processes on this node this is; 0 outside of jobs. */
static bool is_first_of_node(const char **who)
{
    static const char *const NAMES[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                        "SLURM_LOCALID"};
    for (size_t i = 0; i < G_N_ELEMENTS(NAMES); i++) {
        const char *value = g_getenv(NAMES[i]);
        if (value != NULL) {
            *who = NAMES[i];
            return strcmp(value, "0") == 0;
        }
    }
    *who = NULL;
    return true;
}

/* FOLDER/HOST.nit where a folder is named: one file for each node. */
static char *path_of(const char *output)
{
    g_autofree char *name = g_strdup_printf("%s.nit", g_get_host_name());
    if (output == NULL) {
        return g_steal_pointer(&name);
    }
    return g_file_test(output, G_FILE_TEST_IS_DIR) ? g_build_filename(output, name, NULL)
                                                   : g_strdup(output);
}

static bool read_options(monitor *self, const app_context *context, noise_monitor_options *o,
                         GError **error)
{
    noise_monitor_options_init(o);
    self->roots = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    if (!read_mode(self, o, context->manifest, error) ||
        (self->pids != NULL && !parse_pids(self, error))) {
        return false;
    }
    if (self->time != NULL) {
        if (!sim_unit_parse_time(self->time, SIM_S, &self->length, error)) {
            app_error_blame_option(error, "--time");
            return false;
        }
        if (self->length <= 0) {
            return bad_value("--time", self->time, "a time to watch in", error);
        }
        app_manifest_add(context->manifest, "time", "%s", self->time);
    }
    const char *who;
    self->only_waits = !is_first_of_node(&who);
    if (who != NULL) { /* the launcher and all its ranks on this node */
        const uint32_t launcher = (uint32_t)getppid();
        g_array_append_val(self->roots, launcher);
    }
    self->path = path_of(context->output);
    o->path = self->path;
    o->roots = (const uint32_t *)(const void *)self->roots->data;
    o->num_roots = self->roots->len;
    return true;
}

/* Until it is told to stop, or the time is over. */
static void wait_for_signal(sim_time length)
{
    sigset_t stops;
    (void)sigemptyset(&stops);
    (void)sigaddset(&stops, SIGINT);
    (void)sigaddset(&stops, SIGTERM);
    (void)sigaddset(&stops, SIGHUP);
    const gint64 end = g_get_monotonic_time() + length / SIM_US;
    for (;;) {
        const gint64 left = length > 0 ? end - g_get_monotonic_time() : G_USEC_PER_SEC;
        if (left <= 0) {
            return;
        }
        const struct timespec time = {left / G_USEC_PER_SEC, left % G_USEC_PER_SEC * 1000};
        if (sigtimedwait(&stops, NULL, &time) > 0) {
            return;
        }
    }
}

/* Held back from the time before there are other threads: none is lost. */
static void hold_signals(sigset_t *before)
{
    static const int STOPS[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t stops;
    (void)sigemptyset(&stops);
    for (size_t i = 0; i < G_N_ELEMENTS(STOPS); i++) {
        struct sigaction action;
        const bool ignored =
            sigaction(STOPS[i], NULL, &action) == 0 && action.sa_handler == SIG_IGN;
        if (!ignored) { /* by nohup, or a shell's '&' */
            (void)sigaddset(&stops, STOPS[i]);
        }
    }
    (void)pthread_sigmask(SIG_BLOCK, &stops, before);
}

static bool run_command(monitor *self, const app_context *context, int *stopped_by, GError **error)
{
    app_child_end end;
    g_auto(GStrv) environment = g_get_environ();
    if (!app_child_run(context->command, environment, NULL, &end, error)) {
        return false;
    }
    *stopped_by = end.stopped_by;
    self->is_failed = !WIFEXITED(end.status) || WEXITSTATUS(end.status) != 0;
    if (self->is_failed && end.stopped_by == 0) {
        app_context_note(context, "%s: the command failed (%s %d)", context->command[0],
                         WIFEXITED(end.status) ? "exit code" : "signal",
                         WIFEXITED(end.status) ? WEXITSTATUS(end.status) : WTERMSIG(end.status));
    }
    return true;
}

/* Watch, until the command ends or the time is over. */
static bool watch(monitor *self, const app_context *context, const noise_monitor_options *o,
                  int *stopped_by, GError **error)
{
    sigset_t before;
    if (context->command == NULL) {
        hold_signals(&before);
    }
    noise_monitor *m = noise_monitor_start(o, error);
    bool ok = m != NULL;
    if (!ok && self->cpu != NULL && g_error_matches(*error, NOISE_ERROR, NOISE_ERROR_MEASURE)) {
        app_error_blame_option(error, "--cpu");
    }
    if (ok && context->command != NULL) {
        ok = run_command(self, context, stopped_by, error);
    } else if (ok) {
        wait_for_signal(self->length);
    }
    if (m != NULL) {
        ok = noise_monitor_stop(m, ok ? error : NULL) && ok;
    }
    if (context->command == NULL) {
        (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    return ok;
}

static int dump(const char *path, GError **error)
{
    g_autoptr(noise_nit) nit = noise_nit_read(path, error);
    app_output *output = nit != NULL ? app_output_open(NULL, error) : NULL;
    if (output == NULL) {
        return APP_EXIT_ERROR;
    }
    g_autofree char *text = noise_nit_to_text(nit);
    fputs(text, app_output_stream(output));
    return app_output_close(output, error) ? APP_EXIT_DONE : APP_EXIT_ERROR;
}

/* One of several on a node: it runs its command, or waits as long as the first one. */
static int only_wait(monitor *self, const app_context *context, GError **error)
{
    int stopped_by = 0;
    if (context->command == NULL) {
        sigset_t before;
        hold_signals(&before);
        wait_for_signal(self->length);
        (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    } else if (!run_command(self, context, &stopped_by, error)) {
        return APP_EXIT_ERROR;
    }
    if (stopped_by != 0) {
        app_child_die(stopped_by);
    }
    return self->is_failed ? APP_EXIT_ERROR : APP_EXIT_DONE;
}

/* What has no effect, because of what else is asked for. */
static bool check_usage(const monitor *self, const app_context *context, GError **error)
{
    const bool dumps = self->dump != NULL;
    const char *done = dumps ? "with --dump" : "with a FILE, which was watched";
    const app_option_use idle[] = {
        {"--time", self->time != NULL, done}, {"--max-cpu", self->max_cpu != NULL, done},
        {"--rate", self->rate != NULL, done}, {"--cpu", self->cpu != NULL, done},
        {"--pids", self->pids != NULL, done},
    };
    const app_option_use dumped[] = {
        {"--output", context->output != NULL, done},
        {"--format", context->format_given, done},
    };
    const app_option_use watched[] = {
        {"--time", self->time != NULL, context->command != NULL ? "with a command" : NULL},
    };
    const bool watches = !dumps && context->nargs == 0;
    if (self->validate != NULL && !watches) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--validate has no effect %s", done);
        return false;
    }
    if (!watches && context->command != NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "a command has no effect %s", done);
        return false;
    }
    if (dumps && !app_context_check_args(context, 0, 0, error)) {
        return false;
    }
    return (watches || app_options_refuse_idle(idle, G_N_ELEMENTS(idle), error)) &&
           (!dumps || app_options_refuse_idle(dumped, G_N_ELEMENTS(dumped), error)) &&
           (!watches || app_options_refuse_idle(watched, G_N_ELEMENTS(watched), error)) &&
           (context->nargs > 0 || app_monitor_options_refuse(&self->report, error));
}

/* What has been seen, as a report on the file. */
static bool report(const monitor *self, const app_context *context, GError **error)
{
    app_context printed = *context;
    printed.output = NULL;
    const char *const file[] = {self->path};
    app_context_note(context, "what was seen is in %s", self->path);
    return app_monitor_report(&printed, &self->report, file, 1, error);
}

static int validate(const monitor *self, const app_context *context, noise_monitor_options *o,
                    GError **error)
{
    app_validation which = APP_VALIDATE_BURSTS;
    const bool ranks = strcmp(self->validate, "allreduce") == 0;
    const bool is_long = strcmp(self->validate, "long") == 0;
    if (ranks != (context->command != NULL)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--validate=%s %s", self->validate,
                    ranks ? "needs a command: mpirun ... fwq_allreduce" : "takes no command");
        return APP_EXIT_USAGE;
    }
    if (strcmp(self->validate, "fwq") == 0) {
        which = APP_VALIDATE_FWQ;
    } else if (!ranks && !is_long && strcmp(self->validate, "bursts") != 0) {
        (void)bad_value("--validate", self->validate, "'bursts', 'fwq', 'allreduce' or 'long'",
                        error);
        return APP_EXIT_USAGE;
    }
    if (is_long && (self->rate != NULL || self->cpu != NULL)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--validate=long is of a watch within --max-cpu: without --rate and --cpu");
        return APP_EXIT_USAGE;
    }
    if (!is_long && self->max_cpu == NULL && self->rate == NULL && self->cpu == NULL) {
        o->mode = NOISE_NIT_RATE;
        o->rate = 1000;
    }
    app_output *output = app_output_open(NULL, error);
    if (output == NULL) {
        return APP_EXIT_ERROR;
    }
    bool passed = false;
    const sim_time time = self->length > 0 ? self->length : (is_long ? 300 : 20) * SIM_S;
    FILE *out = app_output_stream(output);
    const bool ok = ranks     ? app_validate_allreduce(o, context->command, out, &passed, error)
                    : is_long ? app_validate_long(o, time, out, &passed, error)
                              : app_validate(which, o, time, out, &passed, error);
    if (ok) {
        fputs(passed ? "passed\n" : "not passed\n", app_output_stream(output));
    }
    if (!app_output_close(output, ok ? error : NULL) || !ok) {
        return APP_EXIT_ERROR;
    }
    app_context_note(context, "the last watch is in %s", self->path);
    return passed ? APP_EXIT_DONE : APP_EXIT_INVALID;
}

static int run(app_context *context, void *state, GError **error)
{
    monitor *self = state;
    noise_monitor_options o;
    if (!check_usage(self, context, error)) {
        return APP_EXIT_USAGE;
    }
    if (self->dump != NULL) {
        return dump(self->dump, error);
    }
    if (context->nargs > 0) {
        return app_monitor_report(context, &self->report, (const char *const *)context->args,
                                  context->nargs, error)
                   ? APP_EXIT_DONE
                   : APP_EXIT_ERROR;
    }
    if (!read_options(self, context, &o, error)) {
        return APP_EXIT_USAGE;
    }
    if (self->validate != NULL) {
        return validate(self, context, &o, error);
    }
    if (self->only_waits) {
        return only_wait(self, context, error);
    }
    int stopped_by = 0;
    if (!watch(self, context, &o, &stopped_by, error) || !report(self, context, error)) {
        return APP_EXIT_ERROR;
    }
    if (stopped_by != 0) {
        app_child_die(stopped_by);
    }
    return self->is_failed ? APP_EXIT_ERROR : APP_EXIT_DONE;
}

static const char *const EXAMPLES[] = {
    "ripple monitor -o node.nit --time=10min",
    "Watch this node for ten minutes with at most 1 % of a CPU, and say who ran.",
    "ripple monitor --rate=1kHz -o job.nit -- mpirun -n 4 ./a-program",
    "Watch while a program runs, a thousand times a second.",
    "mpirun --map-by ppr:1:node ripple monitor --cpu=0 --time=1h -o nodes/",
    "A file for each node in the folder nodes, which is there; CPU 0 of each does nothing else.",
    "ripple monitor nodes/*.nit --report=page",
    "What all of these nodes did, as text and as a page.",
    "ripple monitor --dump node.nit",
    "All that a file holds, a record per line.",
    NULL,
};

const app_verb app_verb_monitor = {
    .name = "monitor",
    .summary = "watch which programs run on this node, when, where and for how long",
    .usage = "[FILE]... | [-- COMMAND [ARGUMENT]...]",
    .description =
        "Watches all threads of this node by the counters that the scheduler keeps in /proc: who "
        "was\nput on a CPU, on which, for how long, and how it left; interrupts and softirqs of "
        "each CPU\nbeside them. No privilege is needed, and nothing about the programs changes. "
        "What was seen\ngoes to a file, a second at a time, so that it is there even if the "
        "monitor is killed; the\nprograms are summed up at the end. What cannot be seen is "
        "said.\n\n"
        "The command, what its processes start, and the processes of --pids are the application; "
        "under\nmpirun or srun everything the launcher started is, and one process per node "
        "watches. Without\na command, it ends after --time, or by SIGINT, SIGTERM or SIGHUP, which "
        "is no error.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT | APP_TAKES_COMMAND,
    .output_help = "write what was seen there; into a folder: as HOST.nit [HOST.nit]. With FILEs: "
                   "the report, or the merged file",
    .state_size = sizeof(monitor),
    .options = options,
    .run = run,
    .clear = clear,
};
