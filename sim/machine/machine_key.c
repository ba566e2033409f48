/* sim/machine/machine_key.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_machine. */
/**
 * @file
 * The keys of a machine: what each is called, and its value from text and back.
 */
#include "machine/machine_private.h"
#include "sim/error.h"
#include "sim/nearest.h"
#include "sim/unit.h"

#include <string.h>

#define ALL_CALLS         "calls"
#define ALL_EAGER         "inf"
#define NOTHING           "none"
#define AS_BETWEEN_NODES  "as between nodes"
#define NODE_KEY_BIT(key) (1U << ((key)-SIM_KEY_NODE_L))

const char *const sim_machine_key_names[] = {"L",
                                             "o",
                                             "g",
                                             "G",
                                             "O",
                                             "S",
                                             "progress",
                                             "rendezvous",
                                             "distance",
                                             "L_hop",
                                             "H",
                                             "node.L",
                                             "node.o",
                                             "node.g",
                                             "node.G",
                                             "node.O",
                                             "node.S",
                                             "node.H",
                                             "calls.barrier",
                                             "calls.bcast",
                                             "calls.reduce",
                                             "calls.allreduce",
                                             "calls.gather",
                                             "calls.scatter",
                                             "calls.allgather",
                                             "calls.alltoall",
                                             "calls.cold",
                                             NULL};
G_STATIC_ASSERT(G_N_ELEMENTS(sim_machine_key_names) == SIM_NUM_KEYS + 1);
static const char *const PROGRESS_NAMES[] = {"polling", "async", NULL};
static const char *const RENDEZVOUS_NAMES[] = {"handshake", "instant", NULL};

const char *sim_key_name(sim_key key)
{
    return sim_machine_key_names[key];
}

int sim_machine_name_find(const char *const *names, const char *name)
{
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

void sim_machine_error_set(GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error_literal(error, SIM_ERROR, SIM_ERROR_BAD_MACHINE, message);
}

void sim_machine_provenance_set(sim_machine *machine, sim_key key, const char *text)
{
    g_free(machine->provenance[key]);
    machine->provenance[key] = g_strdup(text);
}

/* Is it a key of messages within a node? */
static bool is_of_node(sim_key key)
{
    return key >= SIM_KEY_NODE_L && key <= SIM_KEY_NODE_H;
}

/* Values of a level, as the keys of a node are in order. */
enum { LEVEL_L, LEVEL_o, LEVEL_g, LEVEL_G, LEVEL_O, LEVEL_S, LEVEL_H, LEVEL_VALUES };

/* Where they are kept: in sim_params, or in sim_level. Times, but G and O, which are rates, and S:
 * all are numbers of 64 bits. */
typedef struct level_values {
    int64_t *value[LEVEL_VALUES];
} level_values;

static level_values values_of(sim_machine *machine, bool node)
{
    sim_params *p = &machine->params;
    sim_level *n = &machine->node;
    return node ? (level_values){{&n->L, &n->o, &n->g, &n->G, &n->O, &n->S, &n->H}}
                : (level_values){{&p->L, &p->o, &p->g, &p->G, &p->O, &p->S, &p->H}};
}

/* Which of them a key is. */
static int level_value(sim_key key)
{
    return key == SIM_KEY_H        ? LEVEL_H
           : key >= SIM_KEY_NODE_L ? (int)key - (int)SIM_KEY_NODE_L
                                   : (int)key;
}

bool sim_machine_has(const sim_machine *machine, sim_key key)
{
    if (key <= SIM_KEY_RENDEZVOUS) {
        return true;
    }
    if (key == SIM_KEY_DISTANCE) {
        return machine->distance != NULL;
    }
    const bool is_of_level = key >= SIM_KEY_NODE_L && key < SIM_KEY_NODE_H;
    return is_of_level ? machine->node_keys != 0 : machine->provenance[key] != NULL;
}

bool sim_machine_has_calls(const sim_machine *machine)
{
    for (int key = SIM_KEY_CALLS; key < SIM_NUM_KEYS; key++) {
        if (sim_machine_has(machine, (sim_key)key)) {
            return true;
        }
    }
    return false;
}

bool sim_machine_key_is_said(const sim_machine *machine, sim_key key)
{
    return sim_machine_has(machine, key) &&
           (!is_of_node(key) || (machine->node_keys & NODE_KEY_BIT(key)) != 0);
}

/* What was not said of a node is as between nodes. */
static void complete_node(sim_machine *machine)
{
    if (machine->node_keys == 0) {
        return;
    }
    const level_values of_node = values_of(machine, true);
    const level_values of_network = values_of(machine, false);
    for (int i = 0; i < LEVEL_VALUES; i++) {
        const sim_key key = (sim_key)(SIM_KEY_NODE_L + i);
        if ((machine->node_keys & NODE_KEY_BIT(key)) != 0) {
            continue;
        }
        *of_node.value[i] = *of_network.value[i];
        const bool is_there = key != SIM_KEY_NODE_H || sim_machine_has(machine, SIM_KEY_H);
        sim_machine_provenance_set(machine, key, is_there ? AS_BETWEEN_NODES : NULL);
    }
}

static bool parse_name(const char *text, const char *const *names, int *out, GError **error)
{
    const int index = sim_machine_name_find(names, text);
    if (index < 0) {
        g_autofree char *hint = sim_nearest_hint(text, names);
        sim_machine_error_set(error, "unknown value: '%s'%s", text, hint);
        return false;
    }
    *out = index;
    return true;
}

/* Nothing needs no unit. */
static bool parse_rate(const char *text, sim_rate *out, GError **error)
{
    if (strcmp(text, "0") == 0) {
        *out = 0;
        return true;
    }
    return sim_unit_parse_rate(text, out, error);
}

static bool parse_limit(const char *text, int64_t *out, GError **error)
{
    if (strcmp(text, ALL_EAGER) == 0) {
        *out = INT64_MAX;
        return true;
    }
    return sim_unit_parse_bytes(text, out, error);
}

static bool parse_distance(const char *text, char **out, GError **error)
{
    const bool none = strcmp(text, NOTHING) == 0;
    if (!none && !sim_distance_check_form(text, error)) {
        return false;
    }
    g_free(*out);
    *out = none ? NULL : g_strdup(text);
    return true;
}

/* "none": the call has none. */
static bool parse_calls_value(sim_machine *machine, sim_key key, const char *text, GError **error)
{
    const bool is_none = strcmp(text, NOTHING) == 0;
    if (key == SIM_KEY_COLD) {
        return sim_cold_cost_parse(is_none ? "0" : text, &machine->cold, error);
    }
    sim_call_cost *out = &machine->calls[key - SIM_KEY_CALLS];
    if (is_none) {
        *out = (sim_call_cost){0};
    }
    return is_none || sim_call_cost_parse(text, out, error);
}

static bool parse_level_value(sim_machine *machine, sim_key key, const char *text, GError **error)
{
    const int which = level_value(key);
    int64_t *value = values_of(machine, is_of_node(key)).value[which];
    switch (which) {
    case LEVEL_G:
    case LEVEL_O:
        return parse_rate(text, value, error);
    case LEVEL_S:
        return parse_limit(text, value, error);
    default:
        return sim_unit_parse_time(text, SIM_NS, value, error);
    }
}

static bool parse_value(sim_machine *machine, sim_key key, const char *text, GError **error)
{
    int index = 0;
    if (key >= SIM_KEY_CALLS) {
        return parse_calls_value(machine, key, text, error);
    }
    switch (key) {
    case SIM_KEY_PROGRESS:
        if (!parse_name(text, PROGRESS_NAMES, &index, error)) {
            return false;
        }
        machine->params.progress = (sim_progress)index;
        return true;
    case SIM_KEY_RENDEZVOUS:
        if (!parse_name(text, RENDEZVOUS_NAMES, &index, error)) {
            return false;
        }
        machine->params.rendezvous = (sim_rendezvous)index;
        return true;
    case SIM_KEY_DISTANCE:
        return parse_distance(text, &machine->distance, error);
    case SIM_KEY_L_HOP:
        return sim_unit_parse_time(text, SIM_NS, &machine->L_hop, error);
    default:
        return parse_level_value(machine, key, text, error);
    }
}

bool sim_machine_key_set(sim_machine *machine, sim_key key, const char *text,
                         const char *provenance, GError **error)
{
    if (!parse_value(machine, key, text, error)) {
        return false;
    }
    if (is_of_node(key)) {
        machine->node_keys |= NODE_KEY_BIT(key);
    }
    const bool has_no_distance = key == SIM_KEY_DISTANCE && machine->distance == NULL;
    const bool has_no_cost = key >= SIM_KEY_CALLS && strcmp(text, NOTHING) == 0;
    const bool has_no_handshake = key == SIM_KEY_H && machine->params.H == 0;
    const bool is_none = has_no_distance || has_no_cost || has_no_handshake;
    sim_machine_provenance_set(machine, key, is_none ? NULL : provenance);
    if (has_no_distance) { /* and what a hop of it would have taken */
        machine->L_hop = 0;
        sim_machine_provenance_set(machine, SIM_KEY_L_HOP, NULL);
    }
    complete_node(machine);
    return true;
}

static bool take_away_calls(sim_machine *machine, const char *text, GError **error)
{
    if (strcmp(text, NOTHING) != 0) {
        sim_machine_error_set(error,
                              "calls: '%s': of all calls together there is no more than "
                              "calls=" NOTHING "; one of them is calls.bcast=50ns",
                              text);
        return false;
    }
    memset(machine->calls, 0, sizeof machine->calls);
    machine->cold = (sim_cold_cost){.num_points = 0};
    for (int key = SIM_KEY_CALLS; key < SIM_NUM_KEYS; key++) {
        sim_machine_provenance_set(machine, (sim_key)key, NULL);
    }
    return true;
}

bool sim_machine_set(sim_machine *machine, const char *assignment, GError **error)
{
    const char *equals = strchr(assignment, '=');
    if (equals == NULL) {
        sim_machine_error_set(error, "not of the form KEY=VALUE: '%s'", assignment);
        return false;
    }
    g_autofree char *key_name = g_strndup(assignment, (gsize)(equals - assignment));
    if (strcmp(key_name, ALL_CALLS) == 0) {
        return take_away_calls(machine, equals + 1, error);
    }
    const int key = sim_machine_name_find(sim_machine_key_names, key_name);
    if (key < 0) {
        g_autofree char *hint = sim_nearest_hint(key_name, sim_machine_key_names);
        sim_machine_error_set(error, "unknown machine key: '%s'%s", key_name, hint);
        return false;
    }
    g_autoptr(GError) cause = NULL;
    if (!sim_machine_key_set(machine, (sim_key)key, equals + 1, "--set", &cause)) {
        sim_machine_error_set(error, "%s: %s", key_name, cause->message);
        return false;
    }
    return true;
}

bool sim_machine_check(const sim_machine *machine, GError **error)
{
    const bool hop = sim_machine_has(machine, SIM_KEY_L_HOP);
    if (machine->distance != NULL && !hop) {
        sim_machine_error_set(error,
                              "distance=%s: there is no L_hop, what each switch after the first "
                              "adds to L",
                              machine->distance);
        return false;
    }
    if (machine->distance == NULL && hop) {
        sim_machine_error_set(error, "L_hop has no effect without distance");
        return false;
    }
    if (machine->params.rendezvous == SIM_RENDEZVOUS_INSTANT &&
        (machine->params.H > 0 || machine->node.H > 0)) {
        sim_machine_error_set(error, "%s has no effect with rendezvous=instant: make it 0",
                              sim_key_name(machine->params.H > 0 ? SIM_KEY_H : SIM_KEY_NODE_H));
        return false;
    }
    return true;
}

static char *format_level_value(const sim_machine *machine, sim_key key)
{
    sim_machine copy = {.params = machine->params, .node = machine->node};
    const int which = level_value(key);
    const int64_t value = *values_of(&copy, is_of_node(key)).value[which];
    switch (which) {
    case LEVEL_G:
    case LEVEL_O:
        return sim_unit_format_rate(value);
    case LEVEL_S:
        return value == INT64_MAX ? g_strdup(ALL_EAGER)
                                  : g_strdup_printf("%" G_GINT64_FORMAT "B", value);
    default:
        return sim_unit_format_time(value);
    }
}

char *sim_machine_format_value(const sim_machine *machine, sim_key key)
{
    if (!sim_machine_has(machine, key)) {
        return NULL;
    }
    if (key == SIM_KEY_COLD) {
        return sim_cold_cost_format(&machine->cold);
    }
    if (key >= SIM_KEY_CALLS) {
        return sim_call_cost_format(&machine->calls[key - SIM_KEY_CALLS]);
    }
    switch (key) {
    case SIM_KEY_PROGRESS:
        return g_strdup(PROGRESS_NAMES[machine->params.progress]);
    case SIM_KEY_RENDEZVOUS:
        return g_strdup(RENDEZVOUS_NAMES[machine->params.rendezvous]);
    case SIM_KEY_DISTANCE:
        return g_strdup(machine->distance);
    case SIM_KEY_L_HOP:
        return sim_unit_format_time(machine->L_hop);
    default:
        return format_level_value(machine, key);
    }
}
