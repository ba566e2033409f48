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
#define NUM_LEVEL_KEYS    (SIM_KEY_S + 1)
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
                                             "node.L",
                                             "node.o",
                                             "node.g",
                                             "node.G",
                                             "node.O",
                                             "node.S",
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

/* Where the values of a level are kept: in sim_params, or in sim_level. */
typedef struct level_values {
    sim_time *time[3]; /* L, o, g */
    sim_rate *rate[2]; /* G, O */
    int64_t *S;
} level_values;

static level_values values_of(sim_machine *machine, bool node)
{
    sim_params *p = &machine->params;
    sim_level *n = &machine->node;
    return node ? (level_values){{&n->L, &n->o, &n->g}, {&n->G, &n->O}, &n->S}
                : (level_values){{&p->L, &p->o, &p->g}, {&p->G, &p->O}, &p->S};
}

bool sim_machine_has(const sim_machine *machine, sim_key key)
{
    if (key <= SIM_KEY_RENDEZVOUS) {
        return true;
    }
    if (key == SIM_KEY_DISTANCE) {
        return machine->distance != NULL;
    }
    return key == SIM_KEY_L_HOP || key >= SIM_KEY_CALLS ? machine->provenance[key] != NULL
                                                        : machine->node_keys != 0;
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

/* Is it a key of messages within a node? */
static bool is_of_node(sim_key key)
{
    return key >= SIM_KEY_NODE_L && key <= SIM_KEY_NODE_S;
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
    const sim_level said = machine->node;
    const sim_params *p = &machine->params;
    machine->node = (sim_level){.L = p->L, .o = p->o, .g = p->g, .G = p->G, .O = p->O, .S = p->S};
    const level_values to = values_of(machine, true);
    const sim_time times[] = {said.L, said.o, said.g};
    const sim_rate rates[] = {said.G, said.O};
    for (int i = 0; i < NUM_LEVEL_KEYS; i++) {
        const sim_key key = (sim_key)(SIM_KEY_NODE_L + i);
        if (!sim_machine_key_is_said(machine, key)) {
            sim_machine_provenance_set(machine, key, AS_BETWEEN_NODES);
        } else if (i <= SIM_KEY_g) {
            *to.time[i] = times[i];
        } else if (i <= SIM_KEY_O) {
            *to.rate[i - SIM_KEY_G] = rates[i - SIM_KEY_G];
        } else {
            *to.S = said.S;
        }
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
    const bool node = key >= SIM_KEY_NODE_L;
    const level_values values = values_of(machine, node);
    const int i = (int)key - (node ? (int)SIM_KEY_NODE_L : 0);
    if (i <= SIM_KEY_g) {
        return sim_unit_parse_time(text, SIM_NS, values.time[i], error);
    }
    return i <= SIM_KEY_O ? parse_rate(text, values.rate[i - SIM_KEY_G], error)
                          : parse_limit(text, values.S, error);
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
    sim_machine_provenance_set(machine, key, has_no_distance || has_no_cost ? NULL : provenance);
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
    return true;
}

static char *format_level_value(const sim_machine *machine, sim_key key)
{
    sim_machine copy = {.params = machine->params, .node = machine->node};
    const bool node = key >= SIM_KEY_NODE_L;
    const level_values values = values_of(&copy, node);
    const int i = (int)key - (node ? (int)SIM_KEY_NODE_L : 0);
    if (i <= SIM_KEY_g) {
        return sim_unit_format_time(*values.time[i]);
    }
    if (i <= SIM_KEY_O) {
        return sim_unit_format_rate(*values.rate[i - SIM_KEY_G]);
    }
    return *values.S == INT64_MAX ? g_strdup(ALL_EAGER)
                                  : g_strdup_printf("%" G_GINT64_FORMAT "B", *values.S);
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
