/* apps/ripple/study/sweep_parameter.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_axis. */
#include "study/sweep_parameter.h"

#include "noise/signature.h"
#include "output/error.h"
#include "sim/machine.h"
#include "sim/nearest.h"
#include "sim/unit.h"

#include <string.h>

static const char *const YES_NO[] = {"no", "yes", NULL};
static const char *const COMPUTE[] = {"cpu", "wall", NULL};
static const char *const ROOTS[] = {"global", "copy", "replica", NULL};
static const char *const COPIES[] = {"recorded", "resampled", NULL};
static const char *const EXTRAPOLATE[] = {"blocks", "regrid", NULL};
static const char *const SCALING[] = {"weak", "strong", NULL};
static const char *const WILDCARDS[] = {"keep", "recorded", NULL};
static const char *const PROGRESS[] = {"polling", "async", NULL};
static const char *const RENDEZVOUS[] = {"handshake", "instant", NULL};

/* Names of columns ignore case: where two parameters differ by it, their units keep them apart. */
const app_parameter app_parameters[APP_NUM_PARAMETERS] = {
    [APP_PARAMETER_PROGRAM] = {"program", "program", APP_KIND_TEXT, NULL},
    [APP_PARAMETER_RANKS] = {"ranks", "ranks", APP_KIND_COUNT, NULL},
    [APP_PARAMETER_BYTES] = {"bytes", "bytes", APP_KIND_BYTES, NULL},
    [APP_PARAMETER_INTERVAL] = {"interval", "interval_ps", APP_KIND_TIME, NULL},
    [APP_PARAMETER_REPEAT] = {"repeat", "repeat", APP_KIND_COUNT, NULL},
    [APP_PARAMETER_COLL] = {"coll", "coll", APP_KIND_TEXT, NULL},
    [APP_PARAMETER_COMPUTE] = {"compute", "compute", APP_KIND_CHOICE, COMPUTE},
    [APP_PARAMETER_P2P] = {"p2p", "p2p", APP_KIND_CHOICE, YES_NO},
    [APP_PARAMETER_COLLECTIVES] = {"collectives", "collectives", APP_KIND_CHOICE, YES_NO},
    [APP_PARAMETER_ROOTS] = {"roots", "roots", APP_KIND_CHOICE, ROOTS},
    [APP_PARAMETER_COPIES] = {"copies", "copies", APP_KIND_CHOICE, COPIES},
    [APP_PARAMETER_COPIES_SEED] = {"copies-seed", "copies_seed", APP_KIND_NUMBER, NULL},
    [APP_PARAMETER_EXTRAPOLATE] = {"extrapolate", "extrapolate", APP_KIND_CHOICE, EXTRAPOLATE},
    [APP_PARAMETER_GRID] = {"grid", "grid", APP_KIND_TEXT, NULL},
    [APP_PARAMETER_EXPLAINED] = {"explained", "explained", APP_KIND_TEXT, NULL},
    [APP_PARAMETER_SCALING] = {"scaling", "scaling", APP_KIND_CHOICE, SCALING},
    [APP_PARAMETER_FIT] = {"fit", "fit", APP_KIND_TEXT, NULL},
    [APP_PARAMETER_WILDCARDS] = {"wildcards", "wildcards", APP_KIND_CHOICE, WILDCARDS},
    [APP_PARAMETER_REDUCE] = {"reduce", "reduce_ns_per_byte", APP_KIND_RATE, NULL},
    [APP_PARAMETER_MACHINE] = {"machine", "machine", APP_KIND_TEXT, NULL},
    [APP_PARAMETER_L] = {"L", "L_ps", APP_KIND_TIME, NULL},
    [APP_PARAMETER_o] = {"o", "o_ps", APP_KIND_TIME, NULL},
    [APP_PARAMETER_g] = {"g", "g_ps", APP_KIND_TIME, NULL},
    [APP_PARAMETER_G] = {"G", "G_ns_per_byte", APP_KIND_RATE, NULL},
    [APP_PARAMETER_O] = {"O", "O_ns_per_byte", APP_KIND_RATE, NULL},
    [APP_PARAMETER_S] = {"S", "S_bytes", APP_KIND_BYTES, NULL},
    [APP_PARAMETER_PROGRESS] = {"progress", "progress", APP_KIND_CHOICE, PROGRESS},
    [APP_PARAMETER_RENDEZVOUS] = {"rendezvous", "rendezvous", APP_KIND_CHOICE, RENDEZVOUS},
    [APP_PARAMETER_DISTANCE] = {"distance", "distance", APP_KIND_TEXT, NULL},
    [APP_PARAMETER_L_HOP] = {"L_hop", "L_hop_ps", APP_KIND_TIME, NULL},
    [APP_PARAMETER_H] = {"H", "H_ps", APP_KIND_TIME, NULL},
    [APP_PARAMETER_NODE_L] = {"node.L", "node_L_ps", APP_KIND_TIME, NULL},
    [APP_PARAMETER_NODE_o] = {"node.o", "node_o_ps", APP_KIND_TIME, NULL},
    [APP_PARAMETER_NODE_g] = {"node.g", "node_g_ps", APP_KIND_TIME, NULL},
    [APP_PARAMETER_NODE_G] = {"node.G", "node_G_ns_per_byte", APP_KIND_RATE, NULL},
    [APP_PARAMETER_NODE_O] = {"node.O", "node_O_ns_per_byte", APP_KIND_RATE, NULL},
    [APP_PARAMETER_NODE_S] = {"node.S", "node_S_bytes", APP_KIND_BYTES, NULL},
    [APP_PARAMETER_NODE_H] = {"node.H", "node_H_ps", APP_KIND_TIME, NULL},
    [APP_PARAMETER_NOISE] = {"noise", "noise", APP_KIND_TEXT, NULL},
    [APP_PARAMETER_WITHOUT] = {"without", "without", APP_KIND_TEXT, NULL},
    [APP_PARAMETER_COSCHED] = {"cosched", "cosched", APP_KIND_CHOICE, YES_NO},
    [APP_PARAMETER_SIGMA] = {"sigma", "sigma_ps", APP_KIND_TIME, NULL},
    [APP_PARAMETER_RANKS_PER_NODE] = {"ranks-per-node", "ranks_per_node", APP_KIND_COUNT, NULL},
    [APP_PARAMETER_PLACEMENT] = {"placement", "placement", APP_KIND_TEXT, NULL},
    [APP_PARAMETER_THREADS_PER_RANK] = {"threads-per-rank", "threads_per_rank", APP_KIND_COUNT,
                                        NULL},
    [APP_PARAMETER_CORES_PER_NODE] = {"cores-per-node", "cores_per_node", APP_KIND_COUNT, NULL},
    [APP_PARAMETER_REPLICAS] = {"replicas", "replicas", APP_KIND_COUNT, NULL},
    [APP_PARAMETER_ACCEPT_INVALID] = {"accept-invalid", "accept_invalid", APP_KIND_CHOICE, YES_NO},
    [APP_PARAMETER_SEED] = {"seed", "seed", APP_KIND_NUMBER, NULL},
};

app_parameter_id app_parameter_find(const char *name, GError **error)
{
    const char *names[APP_NUM_PARAMETERS + 1] = {NULL};
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        names[id] = app_parameters[id].name;
        if (strcmp(names[id], name) == 0) {
            return (app_parameter_id)id;
        }
    }
    g_autofree char *hint = sim_nearest_hint(name, names);
    g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "there is no parameter '%s'%s", name, hint);
    return APP_NUM_PARAMETERS;
}

bool app_parameter_is_number(app_parameter_id id)
{
    return app_parameters[id].kind > APP_KIND_CHOICE;
}

static bool parse_choice(const char *text, const char *const *choices, int64_t *number,
                         GError **error)
{
    for (int64_t i = 0; choices[i] != NULL; i++) {
        if (strcmp(choices[i], text) == 0) {
            *number = i;
            return true;
        }
    }
    g_autofree char *hint = sim_nearest_hint(text, choices);
    g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "'%s' is none of its values%s", text, hint);
    return false;
}

/* Texts whose check needs nothing else. A program is read only once, by who runs it. */
static bool check_text(app_parameter_id id, const char *text, GError **error)
{
    if (text[0] == '\0') {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "its value is empty");
        return false;
    }
    if (id == APP_PARAMETER_MACHINE) {
        g_autoptr(sim_machine) machine = sim_machine_load(text, error);
        return machine != NULL;
    }
    if (id == APP_PARAMETER_DISTANCE) {
        return strcmp(text, "none") == 0 || sim_distance_check_form(text, error);
    }
    if (id == APP_PARAMETER_NOISE) {
        g_autoptr(noise_signature) signature = noise_signature_parse(text, 1, error);
        return signature != NULL;
    }
    return true;
}

static bool parse_number(app_parameter_id id, const char *text, int64_t *number, GError **error)
{
    uint32_t count = 0;
    guint64 whole = 0;
    switch (app_parameters[id].kind) {
    case APP_KIND_TIME:
        return sim_unit_parse_time(text, SIM_NS, number, error);
    case APP_KIND_RATE:
        *number = 0;
        return strcmp(text, "0") == 0 || sim_unit_parse_rate(text, number, error);
    case APP_KIND_BYTES:
        *number = INT64_MAX;
        return ((id == APP_PARAMETER_S || id == APP_PARAMETER_NODE_S) &&
                strcmp(text, "inf") == 0) ||
               sim_unit_parse_bytes(text, number, error);
    case APP_KIND_COUNT:
        if (!sim_unit_parse_count(text, &count, error)) {
            return false;
        }
        *number = count;
        return true;
    default:
        if (!g_ascii_string_to_unsigned(text, 10, 0, INT64_MAX, &whole, NULL)) {
            g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                        "'%s' is not a whole number from 0 to %" G_GINT64_FORMAT, text,
                        (gint64)INT64_MAX);
            return false;
        }
        *number = (int64_t)whole;
        return true;
    }
}

bool app_parameter_parse(app_parameter_id id, const char *text, int64_t *number, GError **error)
{
    *number = 0;
    switch (app_parameters[id].kind) {
    case APP_KIND_TEXT:
        return check_text(id, text, error);
    case APP_KIND_CHOICE:
        return parse_choice(text, app_parameters[id].choices, number, error);
    default:
        return parse_number(id, text, number, error);
    }
}

char *app_parameter_format(app_parameter_id id, int64_t number)
{
    switch (app_parameters[id].kind) {
    case APP_KIND_TIME:
        return sim_unit_format_time(number);
    case APP_KIND_RATE:
        return sim_unit_format_rate(number);
    case APP_KIND_BYTES:
        if (number == INT64_MAX) {
            return g_strdup("inf");
        } // else as a count
        // fall through
    case APP_KIND_COUNT:
        return sim_unit_format_count((uint64_t)number);
    case APP_KIND_CHOICE:
        return g_strdup(app_parameters[id].choices[number]);
    default:
        return g_strdup_printf("%" G_GINT64_FORMAT, number);
    }
}

app_unit app_parameter_unit(app_parameter_id id)
{
    switch (app_parameters[id].kind) {
    case APP_KIND_TIME:
        return APP_UNIT_TIME;
    case APP_KIND_RATE:
        return APP_UNIT_RATE;
    case APP_KIND_BYTES:
        return APP_UNIT_BYTES;
    case APP_KIND_COUNT:
        return APP_UNIT_COUNT;
    default:
        return APP_UNIT_NONE;
    }
}

double app_parameter_plotted(app_parameter_id id, int64_t number)
{
    switch (app_parameters[id].kind) {
    case APP_KIND_TIME:
        return (double)number / (double)SIM_NS;
    case APP_KIND_RATE:
        return (double)number / ((double)SIM_NS * (double)SIM_RATE_PER_PS);
    default:
        return (double)number;
    }
}
