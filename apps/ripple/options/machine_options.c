/* apps/ripple/options/machine_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate, cli_simulate_errors. */
#include "options/machine_options.h"

#include "output/error.h"

#include <string.h>

#define DEFAULT_MACHINE "xt4"

void app_machine_options_add(app_machine_options *self, app_options *options)
{
    g_autofree char *presets = app_join(sim_machine_presets(), ", ");
    const char *help = app_options_keep(
        options, g_strdup_printf("LogGOPS parameters: a machine file or one of %s [%s]", presets,
                                 self->without != NULL ? self->without : DEFAULT_MACHINE));
    enum { COMPAT = 2 }; /* its place below */
    GOptionEntry entries[] = {
        {"machine", 'm', 0, G_OPTION_ARG_FILENAME, &self->machine, help, "FILE|PRESET"},
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->set,
         "change one parameter: L, o, g (times), G, O (times per byte), S (bytes), progress "
         "(polling, async), rendezvous (handshake, instant); H (time of a handshake); node.L to "
         "node.H of messages within a node; distance (a topology, none), L_hop (time); "
         "calls.barrier to calls.alltoall (time, "
         "time+time per byte, none), calls.cold (computed:first:further,..., none), calls=none; "
         "may be "
         "repeated",
         "KEY=VALUE"},
        {"compat", 0, 0, G_OPTION_ARG_STRING, &self->compat,
         "compute what that simulator computes, in every tie: progress=async, rendezvous=instant "
         "and its order of events, on one thread; without noise, nodes, distance and H",
         "loggopsim"},
        {NULL},
    };
    if (!self->may_be_compat) {
        entries[COMPAT] = (GOptionEntry){NULL};
    }
    app_options_add(options, "Machine", entries);
}

void app_machine_options_clear(app_machine_options *self)
{
    g_free(self->machine);
    g_strfreev(self->set);
    g_free(self->compat);
}

static bool set(sim_machine *machine, const char *assignment, const char *option, GError **error)
{
    if (!sim_machine_set(machine, assignment, error)) {
        app_error_blame_option(error, option);
        return false;
    }
    return true;
}

/* Its messages all take the same parameters, and there is one way to take them. */
static bool check_compat(const sim_machine *machine, GError **error)
{
    if (machine->params.progress != SIM_PROGRESS_ASYNC ||
        machine->params.rendezvous != SIM_RENDEZVOUS_INSTANT) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--compat: LogGOPSim knows progress=async and rendezvous=instant only");
        return false;
    }
    if (sim_machine_has_calls(machine)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--compat: LogGOPSim knows nothing that calls take beside their messages, and "
                    "the machine '%s' has [calls]; --set=calls=none leaves it out",
                    machine->name);
        return false;
    }
    for (int key = SIM_KEY_DISTANCE; key < SIM_KEY_CALLS; key++) {
        if (sim_machine_has(machine, (sim_key)key)) {
            g_set_error(
                error, APP_ERROR, APP_ERROR_USAGE,
                "--compat: LogGOPSim knows no nodes, no distance and no H, and the machine '%s' "
                "has %s",
                machine->name, sim_key_name((sim_key)key));
            return false;
        }
    }
    return true;
}

static bool apply(const app_machine_options *self, sim_machine *machine, GError **error)
{
    static const char *const SIMULATORS[] = {"loggopsim", NULL};
    unsigned simulator;
    if (self->compat != NULL) {
        if (!app_parse_choice("--compat", self->compat, SIMULATORS, &simulator, error) ||
            !set(machine, "progress=async", "--compat", error) ||
            !set(machine, "rendezvous=instant", "--compat", error)) {
            return false;
        }
        machine->params.order = SIM_ORDER_CREATION;
    }
    for (char **s = self->set; s != NULL && *s != NULL; s++) {
        if (!set(machine, *s, "--set", error)) {
            return false;
        }
    }
    return self->compat == NULL || check_compat(machine, error);
}

sim_machine *app_machine_options_resolve(const app_machine_options *self, app_manifest *manifest,
                                         GError **error)
{
    const char *name = self->machine != NULL ? self->machine : DEFAULT_MACHINE;
    sim_machine *machine = sim_machine_load(name, error);
    if (machine == NULL && strchr(name, '/') == NULL && !g_file_test(name, G_FILE_TEST_EXISTS)) {
        app_error_blame_option(error, "--machine"); /* a word that is no preset */
    }
    return machine != NULL ? app_machine_options_apply(self, machine, manifest, error) : NULL;
}

sim_machine *app_machine_options_apply(const app_machine_options *self, sim_machine *taken,
                                       app_manifest *manifest, GError **error)
{
    g_autoptr(sim_machine) machine = taken;
    if (!apply(self, machine, error)) {
        return NULL;
    }
    app_manifest_add(manifest, "machine", "%s", machine->name);
    for (int key = 0; key < SIM_NUM_KEYS; key++) {
        g_autofree char *value = sim_machine_format_value(machine, (sim_key)key);
        if (value == NULL) {
            continue;
        }
        app_manifest_add(manifest, sim_key_name((sim_key)key), "%s", value);
    }
    if (self->compat != NULL) {
        app_manifest_add(manifest, "compat", "%s", self->compat);
    }
    return g_steal_pointer(&machine);
}
