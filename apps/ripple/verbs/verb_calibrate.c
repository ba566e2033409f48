/* apps/ripple/verbs/verb_calibrate.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_calibrate, test_calibrator. */
/**
 * @file
 * ripple calibrate: the LogGOPS parameters of this machine, as a machine file.
 */
#include "calibration/calibration.h"
#include "calibration/calibration_print.h"
#include "output/error.h"
#include "output/result.h"
#include "system/launch.h"
#include "verbs/verb_list.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#define DEFAULT_FILE "machine.ini"
enum { DEFAULT_ROUNDS = 9, LEAST_ROUNDS = 5, MOST_ROUNDS = 1000 };

typedef struct calibrating {
    gint rounds;
    char *node_of;
} calibrating;

static void init(void *state)
{
    calibrating *self = state;
    self->rounds = DEFAULT_ROUNDS;
}

static void options(void *state, app_options *table)
{
    calibrating *self = state;
    const GOptionEntry entries[] = {
        {"rounds", 0, 0, G_OPTION_ARG_INT, &self->rounds,
         "measure everything so often, one after the other: 5 to 1000 [9]", "N"},
        {"node-of", 0, 0, G_OPTION_ARG_STRING, &self->node_of,
         "what is measured is what messages take within a node of this machine, a file or a "
         "preset: its values between nodes are kept",
         "MACHINE"},
        {NULL},
    };
    app_options_add(table, "Calibration", entries);
}

/* The command with the calibrator of its MPI behind it. @return NULL with an error */
static GPtrArray *words_of(char **command, const char *samples, int rounds, GError **error)
{
    char *calibrator = app_launch_calibrator(command, error);
    if (calibrator == NULL) {
        return NULL;
    }
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    for (char **word = command; *word != NULL; word++) {
        g_ptr_array_add(words, g_strdup(*word));
    }
    g_ptr_array_add(words, calibrator);
    g_ptr_array_add(words, g_strdup(samples));
    g_ptr_array_add(words, g_strdup_printf("%d", rounds));
    g_ptr_array_add(words, NULL);
    return words;
}

/* Run it, and read what it wrote. */
static app_calibration *measure(char **command, int rounds, GError **error)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-calibrate-XXXXXX", error);
    if (folder == NULL) {
        return NULL;
    }
    g_autofree char *samples = g_build_filename(folder, "samples", NULL);
    g_autoptr(GPtrArray) words = words_of(command, samples, rounds, error);
    g_auto(GStrv) environment = g_get_environ();
    app_child_end end = {0};
    app_calibration *calibration = NULL;
    if (words != NULL && app_child_run((char **)words->pdata, environment, NULL, &end, error)) {
        if (end.stopped_by != 0) {
            (void)g_unlink(samples);
            (void)g_rmdir(folder);
            app_child_die(end.stopped_by);
        }
        if (!WIFEXITED(end.status) || WEXITSTATUS(end.status) != 0) {
            g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: the measurement failed (status %d)",
                        command[0], WIFEXITED(end.status) ? WEXITSTATUS(end.status) : end.status);
        } else {
            calibration = app_calibration_read(samples, error);
        }
    }
    (void)g_unlink(samples);
    (void)g_rmdir(folder);
    return calibration;
}

static bool write_machine(const app_context *context, const calibrating *self,
                          const app_calibration *c, GError **error)
{
    g_autoptr(GDateTime) now = g_date_time_new_now_utc();
    g_autofree char *when = g_date_time_format(now, "%Y-%m-%d");
    g_autoptr(sim_machine) base = NULL;
    if (self->node_of != NULL && (base = sim_machine_load(self->node_of, error)) == NULL) {
        return false;
    }
    g_autoptr(sim_machine) machine =
        app_calibration_machine(c, g_steal_pointer(&base), when, error);
    app_output *output =
        machine != NULL
            ? app_output_open(context->output != NULL ? context->output : DEFAULT_FILE, error)
            : NULL;
    if (output == NULL) {
        return false;
    }
    g_autofree char *text = sim_machine_to_ini(machine);
    fputs(text, app_output_stream(output));
    return app_output_close(output, error);
}

static void print_text(const void *result, FILE *out)
{
    app_calibration_print(result, out);
}

static void print_csv(const void *result, FILE *out)
{
    app_calibration_print_csv(result, out);
}

static void build(const void *result, JsonBuilder *builder)
{
    app_calibration_build(result, builder);
}

static bool check(const app_context *context, const calibrating *self, GError **error)
{
    if (!app_context_check_args(context, 0, 0, error)) {
        return false;
    }
    if (context->command == NULL || context->command[0] == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "how are two ranks started? Put the launcher after '--', e.g. mpirun -n 2");
        return false;
    }
    if (self->rounds < LEAST_ROUNDS || self->rounds > MOST_ROUNDS) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--rounds: %d is not between %d and %d: an interval takes %d", self->rounds,
                    LEAST_ROUNDS, MOST_ROUNDS, LEAST_ROUNDS);
        return false;
    }
    return true;
}

static int run(app_context *context, void *state, GError **error)
{
    const calibrating *self = state;
    if (!check(context, self, error)) {
        return APP_EXIT_USAGE;
    }
    const app_output_place place = {
        "--output", context->output != NULL ? context->output : DEFAULT_FILE, false};
    if (self->node_of != NULL) { /* before it is measured */
        g_autoptr(sim_machine) base = sim_machine_load(self->node_of, error);
        if (base == NULL) {
            app_error_blame_option(error, "--node-of");
            return APP_EXIT_USAGE;
        }
    }
    if (!app_output_check(&place, 0, NULL, error)) {
        return APP_EXIT_ERROR;
    }
    g_autoptr(app_calibration) c = measure(context->command, self->rounds, error);
    if (c == NULL) {
        return APP_EXIT_ERROR;
    }
    app_manifest_add(context->manifest, "rounds", "%d", self->rounds);
    app_manifest_add(context->manifest, "node-of", "%s",
                     self->node_of != NULL ? self->node_of : "none");
    const app_result_writer writer = {print_text, print_csv, build};
    if (!app_result_write(context, NULL, context->format, &writer, c, error)) {
        return APP_EXIT_ERROR;
    }
    if (c->invalid != NULL) {
        app_context_note(context, "not valid: %s; no machine file is written", c->invalid);
        return APP_EXIT_INVALID;
    }
    if (!write_machine(context, self, c, error)) {
        return APP_EXIT_ERROR;
    }
    app_context_note(
        context, "%s%s in %s, for --machine=%s", self->node_of != NULL ? self->node_of : "machine",
        self->node_of != NULL ? ", with these values within a node," : "", place.path, place.path);
    return APP_EXIT_DONE;
}

static void clear(void *state)
{
    calibrating *self = state;
    g_free(self->node_of);
}

static const char *const EXAMPLES[] = {
    "ripple calibrate -o here.ini -- mpirun -n 2 --bind-to core",
    "Measure messages between two cores of this node.",
    "ripple calibrate -o cluster.ini -- mpirun -n 2 --host a,b",
    "Measure messages between two nodes.",
    "ripple calibrate --node-of=cluster.ini -o both.ini -- mpirun -n 2 --bind-to core",
    "Add what messages within a node take.",
    NULL,
};

const app_verb app_verb_calibrate = {
    .name = "calibrate",
    .summary = "measure the LogGOPS parameters of this machine",
    .usage = "-- LAUNCHER [ARGUMENT]...",
    .description =
        "Starts a small MPI program by the launcher that is given (mpirun -n 2 ...), which sends\n"
        "messages of 1 B to 1 MiB between its first and its last rank: there and back, in bursts, "
        "with\npauses, to a rank that waits and to one that is late. From these times come L, o, "
        "g, G, O and S\nwith their intervals, and a machine file for --machine. Round trips as "
        "measured and as the model\nhas them with these values stand side by side.\n\n"
        "Do it on a machine that does nothing else, each rank on a core of its own. Where both "
        "ranks were\non one CPU, or were moved, the exit code is 3 and there is no file.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT | APP_TAKES_COMMAND,
    .output_help = "the machine file [" DEFAULT_FILE "]",
    .state_size = sizeof(calibrating),
    .init = init,
    .options = options,
    .run = run,
    .clear = clear,
};
