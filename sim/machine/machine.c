/* sim/machine/machine.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Machines from presets and files, and back into a file. docs/machines.md.
 */
#include "sim/machine.h"

#include "machine/machine_private.h"
#include "sim/byte_order_mark.h"
#include "sim/error.h"
#include "sim/nearest.h"

#include <string.h>

#define GROUP            "machine"
#define NODE_GROUP       "node"
#define CALLS_GROUP      "calls"
#define PROVENANCE_GROUP "provenance"
#define ONE_LEVEL        "1"   /* schema_version */
#define LEVELS           "2"   /* with [node], distance and L_hop */
#define CALLS            "3"   /* with [calls], too */
#define COLD             "4"   /* with its cold */
#define HANDSHAKE        "5"   /* with H */
#define DEFAULT_S        65535 /* the paper's, and LogGOPSim's */

static const char *const FILE_KEYS[] = {
    "schema_version", "name",       "L",        "o",     "g", "G", "O", "S",
    "progress",       "rendezvous", "distance", "L_hop", "H", NULL};
static const char *const NODE_FILE_KEYS[] = {"L", "o", "g", "G", "O", "S", "H", NULL};
static const char *const CALL_FILE_KEYS[] = {"barrier", "bcast",   "reduce",    "allreduce",
                                             "gather",  "scatter", "allgather", "alltoall",
                                             "cold",    NULL};
G_STATIC_ASSERT(G_N_ELEMENTS(CALL_FILE_KEYS) == SIM_NUM_KEYS - SIM_KEY_CALLS + 1);
static const char *const GROUPS[] = {GROUP, NODE_GROUP, CALLS_GROUP, PROVENANCE_GROUP, NULL};

static sim_machine *from_preset(const sim_machine_preset *preset)
{
    sim_machine *machine = g_new0(sim_machine, 1);
    machine->name = g_strdup(preset->name);
    machine->params = preset->params;
    for (int key = 0; key <= SIM_KEY_RENDEZVOUS; key++) {
        const char *text = preset->provenance[key];
        sim_machine_provenance_set(machine, (sim_key)key,
                                   text != NULL ? text : preset->provenance[SIM_KEY_L]);
    }
    return machine;
}

void sim_machine_free(sim_machine *machine)
{
    if (machine != NULL) {
        for (int key = 0; key < SIM_NUM_KEYS; key++) {
            g_free(machine->provenance[key]);
        }
        g_free(machine->distance);
        g_free(machine->name);
        g_free(machine);
    }
}

/* No group and no key but those that are known. */
static bool check_keys(GKeyFile *file, const char *name, const char *group,
                       const char *const *known, GError **error)
{
    g_auto(GStrv) keys = g_key_file_get_keys(file, group, NULL, NULL);
    for (size_t i = 0; keys != NULL && keys[i] != NULL; i++) {
        if (sim_machine_name_find(known, keys[i]) < 0) {
            g_autofree char *hint = sim_nearest_hint(keys[i], known);
            sim_machine_error_set(error, "%s: unknown key in [%s]: '%s'%s", name, group, keys[i],
                                  hint);
            return false;
        }
    }
    return true;
}

static bool check_names(GKeyFile *file, const char *name, GError **error)
{
    g_auto(GStrv) groups = g_key_file_get_groups(file, NULL);
    for (size_t i = 0; groups[i] != NULL; i++) {
        if (sim_machine_name_find(GROUPS, groups[i]) < 0) {
            g_autofree char *hint = sim_nearest_hint(groups[i], GROUPS);
            sim_machine_error_set(error, "%s: unknown group: '%s'%s", name, groups[i], hint);
            return false;
        }
    }
    return check_keys(file, name, GROUP, FILE_KEYS, error) &&
           check_keys(file, name, NODE_GROUP, NODE_FILE_KEYS, error) &&
           check_keys(file, name, CALLS_GROUP, CALL_FILE_KEYS, error) &&
           check_keys(file, name, PROVENANCE_GROUP, sim_machine_key_names, error);
}

/* Where a key stands in a file. */
static const char *group_of(sim_key key)
{
    return key >= SIM_KEY_CALLS ? CALLS_GROUP : key >= SIM_KEY_NODE_L ? NODE_GROUP : GROUP;
}

static const char *name_in_group(sim_key key)
{
    return key >= SIM_KEY_CALLS    ? CALL_FILE_KEYS[key - SIM_KEY_CALLS]
           : key >= SIM_KEY_NODE_L ? NODE_FILE_KEYS[key - SIM_KEY_NODE_L]
                                   : sim_machine_key_names[key];
}

static bool has_key(GKeyFile *file, sim_key key)
{
    return g_key_file_has_key(file, group_of(key), name_in_group(key), NULL);
}

/* A program that reads older versions alone would not know what these mean. */
static bool refuse_newer(GKeyFile *file, const char *name, const char *version, GError **error)
{
    const char *what = NULL;
    const char *needed = LEVELS;
    if (has_key(file, SIM_KEY_H) || has_key(file, SIM_KEY_NODE_H)) {
        what = sim_machine_key_names[has_key(file, SIM_KEY_H) ? SIM_KEY_H : SIM_KEY_NODE_H];
        needed = HANDSHAKE;
    } else if (has_key(file, SIM_KEY_COLD) && strcmp(version, COLD) != 0) {
        what = sim_machine_key_names[SIM_KEY_COLD];
        needed = COLD;
    } else if (g_key_file_has_group(file, CALLS_GROUP) && strcmp(version, CALLS) != 0 &&
               strcmp(version, COLD) != 0) {
        what = "[" CALLS_GROUP "]";
        needed = CALLS;
    } else if (strcmp(version, ONE_LEVEL) == 0) {
        what = g_key_file_has_group(file, NODE_GROUP) ? "[" NODE_GROUP "]" : NULL;
        for (int key = SIM_KEY_DISTANCE; key < SIM_KEY_NODE_L && what == NULL; key++) {
            what = has_key(file, (sim_key)key) ? sim_machine_key_names[key] : NULL;
        }
    }
    if (what != NULL) {
        sim_machine_error_set(error, "%s: %s: schema_version is %s, and must be %s for this", name,
                              what, version, needed);
    }
    return what == NULL;
}

static bool check_schema(GKeyFile *file, const char *name, GError **error)
{
    static const char *const KNOWN[] = {ONE_LEVEL, LEVELS, CALLS, COLD, HANDSHAKE, NULL};
    if (!g_key_file_has_group(file, GROUP)) {
        sim_machine_error_set(error, "%s: no group [%s]", name, GROUP);
        return false;
    }
    g_autofree char *version = g_key_file_get_string(file, GROUP, "schema_version", NULL);
    if (version == NULL || sim_machine_name_find(KNOWN, g_strchomp(version)) < 0) {
        sim_machine_error_set(error, "%s: schema_version: '%s' (these are read: %s to %s)", name,
                              version != NULL ? version : "", ONE_LEVEL, HANDSHAKE);
        return false;
    }
    return strcmp(version, HANDSHAKE) == 0 || refuse_newer(file, name, version, error);
}

static bool is_required(sim_key key)
{
    return key == SIM_KEY_L || key == SIM_KEY_o || key == SIM_KEY_g || key == SIM_KEY_G;
}

/* A file that the machine's own file names lies beside it. */
static char *beside(const char *machine_file, const char *form)
{
    const char *file = sim_distance_file(form);
    g_autofree char *folder = g_path_get_dirname(machine_file);
    if (file == NULL || file[0] == '\0' || g_path_is_absolute(file) || strcmp(folder, ".") == 0) {
        return g_strdup(form);
    }
    g_autofree char *path = g_build_filename(folder, file, NULL);
    return g_strdup_printf("%.*s%s", (int)(file - form), form, path);
}

static bool read_key(GKeyFile *file, const char *name, sim_key key, sim_machine *machine,
                     GError **error)
{
    const char *group = group_of(key);
    const char *key_name = name_in_group(key);
    g_autofree char *text = g_key_file_get_string(file, group, key_name, NULL);
    if (text == NULL) {
        if (is_required(key) || g_key_file_has_key(file, group, key_name, NULL)) {
            sim_machine_error_set(error, "%s: %s: there is no (readable) value", name,
                                  sim_machine_key_names[key]);
            return false;
        }
        if (key <= SIM_KEY_RENDEZVOUS) {
            sim_machine_provenance_set(machine, key, "default");
        }
        return true;
    }
    g_autofree char *where =
        g_key_file_get_string(file, PROVENANCE_GROUP, sim_machine_key_names[key], NULL);
    g_autofree char *value =
        key == SIM_KEY_DISTANCE ? beside(name, g_strchomp(text)) : g_strdup(g_strchomp(text));
    g_autoptr(GError) cause = NULL;
    if (!sim_machine_key_set(machine, key, value, where != NULL ? where : name, &cause)) {
        sim_machine_error_set(error, "%s: %s: %s", name, sim_machine_key_names[key],
                              cause->message);
        return false;
    }
    return true;
}

sim_machine *sim_machine_load_data(const char *name, const char *data, size_t len, GError **error)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GError) cause = NULL;
    if (!sim_byte_order_mark_refuse(name, data, len, SIM_ERROR, SIM_ERROR_BAD_MACHINE, error)) {
        return NULL;
    }
    if (len == 0 || memchr(data, '\0', len) != NULL ||
        !g_key_file_load_from_data(file, data, len, G_KEY_FILE_NONE, &cause)) {
        sim_machine_error_set(error, "%s: not a machine file: %s", name,
                              cause != NULL ? cause->message : "it is empty or binary");
        return NULL;
    }
    if (!check_schema(file, name, error) || !check_names(file, name, error)) {
        return NULL;
    }
    g_autoptr(sim_machine) machine = g_new0(sim_machine, 1);
    machine->params.S = DEFAULT_S;
    machine->name = g_key_file_get_string(file, GROUP, "name", NULL);
    if (machine->name == NULL) {
        machine->name = g_path_get_basename(name);
    }
    for (int key = 0; key < SIM_NUM_KEYS; key++) {
        if (!read_key(file, name, (sim_key)key, machine, error)) {
            return NULL;
        }
    }
    if (machine->node_keys == 0 && g_key_file_has_group(file, NODE_GROUP)) {
        sim_machine_error_set(error, "%s: [%s] is empty: it says what differs within a node", name,
                              NODE_GROUP);
        return NULL;
    }
    return g_steal_pointer(&machine);
}

sim_machine *sim_machine_load(const char *preset_or_path, GError **error)
{
    const sim_machine_preset *preset = sim_machine_preset_find(preset_or_path);
    if (preset != NULL) {
        return from_preset(preset);
    }
    if (!g_file_test(preset_or_path, G_FILE_TEST_EXISTS)) {
        g_autofree char *hint = sim_nearest_hint(preset_or_path, sim_machine_presets());
        sim_machine_error_set(error, "no such machine, preset or file: '%s'%s", preset_or_path,
                              hint);
        return NULL;
    }
    g_autofree char *data = NULL;
    gsize len = 0;
    g_autoptr(GError) cause = NULL;
    if (!g_file_get_contents(preset_or_path, &data, &len, &cause)) {
        sim_machine_error_set(error, "%s", cause->message);
        return NULL;
    }
    return sim_machine_load_data(preset_or_path, data, len, error);
}

/* The oldest version that has all of it. */
static const char *version_of(const sim_machine *machine)
{
    if (sim_machine_has(machine, SIM_KEY_H) || sim_machine_has(machine, SIM_KEY_NODE_H)) {
        return HANDSHAKE;
    }
    if (sim_machine_has(machine, SIM_KEY_COLD)) {
        return COLD;
    }
    if (sim_machine_has_calls(machine)) {
        return CALLS;
    }
    for (int key = SIM_KEY_DISTANCE; key < SIM_KEY_CALLS; key++) {
        if (sim_machine_has(machine, (sim_key)key)) {
            return LEVELS;
        }
    }
    return ONE_LEVEL;
}

char *sim_machine_to_ini(const sim_machine *machine)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_key_file_set_string(file, GROUP, "schema_version", version_of(machine));
    g_key_file_set_string(file, GROUP, "name", machine->name);
    for (int key = 0; key < SIM_NUM_KEYS; key++) {
        if (!sim_machine_key_is_said(machine, (sim_key)key)) {
            continue;
        }
        g_autofree char *value = sim_machine_format_value(machine, (sim_key)key);
        g_key_file_set_string(file, group_of((sim_key)key), name_in_group((sim_key)key), value);
        g_key_file_set_string(file, PROVENANCE_GROUP, sim_machine_key_names[key],
                              machine->provenance[key]);
    }
    return g_key_file_to_data(file, NULL, NULL);
}
