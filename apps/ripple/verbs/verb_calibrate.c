/* apps/ripple/verbs/verb_calibrate.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_calibrate, test_calibrator. */
/**
 * @file
 * ripple calibrate: the LogGOPS parameters of this machine, as a machine file.
 */
#include "calibration/calibration.h"
#include "calibration/calibration_print.h"
#include "calibration/calibration_run.h"
#include "output/error.h"
#include "output/result.h"
#include "verbs/verb_list.h"

#define DEFAULT_FILE "machine.ini"
enum { LEAST_ROUNDS = APP_CALIBRATION_LEAST, MOST_ROUNDS = 1000 };

typedef struct calibrating {
    gint rounds;
    char *node_of;
    gboolean cold;
} calibrating;

static void init(void *state)
{
    calibrating *self = state;
    self->rounds = APP_CALIBRATION_ROUNDS;
}

static void options(void *state, app_options *table)
{
    calibrating *self = state;
    const GOptionEntry entries[] = {
        {"rounds", 0, 0, G_OPTION_ARG_INT, &self->rounds,
         "start it so often: 6 to 1000; up to three times as often, until so many agree [15]", "N"},
        {"node-of", 0, 0, G_OPTION_ARG_STRING, &self->node_of,
         "what is measured is what messages take within a node of this machine, a file or a "
         "preset: its values between nodes are kept",
         "MACHINE"},
        {"cold", 0, 0, G_OPTION_ARG_NONE, &self->cold,
         "o of the machine file is that of calls after a computation has used the caches, not of "
         "calls one after the other",
         NULL},
        {NULL},
    };
    app_options_add(table, "Calibration", entries);
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
    g_autoptr(app_calibration) c = app_calibration_run(context->command, self->rounds, error);
    if (c == NULL) {
        return APP_EXIT_ERROR;
    }
    c->takes_cold = self->cold;
    app_manifest_add(context->manifest, "rounds", "%d", self->rounds);
    app_manifest_add(context->manifest, "node-of", "%s",
                     self->node_of != NULL ? self->node_of : "none");
    app_manifest_add(context->manifest, "cold", "%s", self->cold ? "yes" : "no");
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
        "with\npauses, to a rank that waits and to one that is late; then it calls collectives. It "
        "is "
        "started several\ntimes, some 2 s each: a round. From these times come L, o, g, G, O and S "
        "with their intervals, what\nthe calls take beside their messages, and a machine file for "
        "--machine. Round trips as measured and as\nthe model has them with these values stand "
        "side by side.\n\n"
        "Do it on a machine that does nothing else, each rank on a core of its own. Where both "
        "ranks were\non one CPU, or were moved, or where the machine was too noisy (too few rounds "
        "agree, or the values\nare not known to 10 %), the exit code is 3 and there is no file.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT | APP_TAKES_COMMAND,
    .output_help = "the machine file [" DEFAULT_FILE "]",
    .state_size = sizeof(calibrating),
    .init = init,
    .options = options,
    .run = run,
    .clear = clear,
};
