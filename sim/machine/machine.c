/* sim/machine/machine.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/machine.h"
#include "sim/byte_order_mark.h"

#include "machine/machine_private.h"
#include "sim/error.h"
#include "sim/nearest.h"
#include "sim/unit.h"

#include <string.h>

#define GROUP            "machine"
#define PROVENANCE_GROUP "provenance"
#define SCHEMA_VERSION   "1"
#define ALL_EAGER        "inf"
#define DEFAULT_S        65535 /* the paper's, and LogGOPSim's */

static const char *const KEY_NAMES[] = {"L", "o",        "g",          "G", "O",
                                        "S", "progress", "rendezvous", NULL};
G_STATIC_ASSERT(G_N_ELEMENTS(KEY_NAMES) == SIM_NUM_KEYS + 1);
static const char *const FILE_KEYS[] = {
    "schema_version", "name", "L", "o", "g", "G", "O", "S", "progress", "rendezvous", NULL};
static const char *const GROUPS[] = {GROUP, PROVENANCE_GROUP, NULL};
static const char *const PROGRESS_NAMES[] = {"polling", "async", NULL};
static const char *const RENDEZVOUS_NAMES[] = {"handshake", "instant", NULL};

const char *sim_key_name(sim_key key)
{
    return KEY_NAMES[key];
}

/* @return index of name, or -1 */
static int find_name(const char *const *names, const char *name)
{
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static void set_error(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void set_error(GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error_literal(error, SIM_ERROR, SIM_ERROR_BAD_MACHINE, message);
}

static bool parse_name(const char *text, const char *const *names, int *out, GError **error)
{
    const int index = find_name(names, text);
    if (index < 0) {
        g_autofree char *hint = sim_nearest_hint(text, names);
        set_error(error, "unknown value: '%s'%s", text, hint);
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

/* The error, if any, does not name the key. */
static bool parse_value(sim_params *params, sim_key key, const char *text, GError **error)
{
    int index = 0;
    switch (key) {
    case SIM_KEY_L:
        return sim_unit_parse_time(text, SIM_NS, &params->L, error);
    case SIM_KEY_o:
        return sim_unit_parse_time(text, SIM_NS, &params->o, error);
    case SIM_KEY_g:
        return sim_unit_parse_time(text, SIM_NS, &params->g, error);
    case SIM_KEY_G:
        return parse_rate(text, &params->G, error);
    case SIM_KEY_O:
        return parse_rate(text, &params->O, error);
    case SIM_KEY_S:
        return parse_limit(text, &params->S, error);
    case SIM_KEY_PROGRESS:
        if (!parse_name(text, PROGRESS_NAMES, &index, error)) {
            return false;
        }
        params->progress = (sim_progress)index;
        return true;
    case SIM_KEY_RENDEZVOUS:
        if (!parse_name(text, RENDEZVOUS_NAMES, &index, error)) {
            return false;
        }
        params->rendezvous = (sim_rendezvous)index;
        return true;
    case SIM_NUM_KEYS:
        break;
    }
    g_assert_not_reached();
}

static void set_provenance(sim_machine *machine, sim_key key, const char *text)
{
    g_free(machine->provenance[key]);
    machine->provenance[key] = g_strdup(text);
}

static sim_machine *from_preset(const sim_machine_preset *preset)
{
    sim_machine *machine = g_new0(sim_machine, 1);
    machine->name = g_strdup(preset->name);
    machine->params = preset->params;
    for (int key = 0; key < SIM_NUM_KEYS; key++) {
        const char *text = preset->provenance[key];
        set_provenance(machine, (sim_key)key, text != NULL ? text : preset->provenance[SIM_KEY_L]);
    }
    return machine;
}

void sim_machine_free(sim_machine *machine)
{
    if (machine != NULL) {
        for (int key = 0; key < SIM_NUM_KEYS; key++) {
            g_free(machine->provenance[key]);
        }
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
        if (find_name(known, keys[i]) < 0) {
            g_autofree char *hint = sim_nearest_hint(keys[i], known);
            set_error(error, "%s: unknown key in [%s]: '%s'%s", name, group, keys[i], hint);
            return false;
        }
    }
    return true;
}

static bool check_names(GKeyFile *file, const char *name, GError **error)
{
    g_auto(GStrv) groups = g_key_file_get_groups(file, NULL);
    for (size_t i = 0; groups[i] != NULL; i++) {
        if (find_name(GROUPS, groups[i]) < 0) {
            g_autofree char *hint = sim_nearest_hint(groups[i], GROUPS);
            set_error(error, "%s: unknown group: '%s'%s", name, groups[i], hint);
            return false;
        }
    }
    return check_keys(file, name, GROUP, FILE_KEYS, error) &&
           check_keys(file, name, PROVENANCE_GROUP, KEY_NAMES, error);
}

static bool check_schema(GKeyFile *file, const char *name, GError **error)
{
    if (!g_key_file_has_group(file, GROUP)) {
        set_error(error, "%s: no group [%s]", name, GROUP);
        return false;
    }
    g_autofree char *version = g_key_file_get_string(file, GROUP, "schema_version", NULL);
    if (version == NULL || strcmp(g_strchomp(version), SCHEMA_VERSION) != 0) {
        set_error(error, "%s: schema_version: '%s' (this is read: %s)", name,
                  version != NULL ? version : "", SCHEMA_VERSION);
        return false;
    }
    return true;
}

static bool is_required(sim_key key)
{
    return key == SIM_KEY_L || key == SIM_KEY_o || key == SIM_KEY_g || key == SIM_KEY_G;
}

static bool read_key(GKeyFile *file, const char *name, sim_key key, sim_machine *machine,
                     GError **error)
{
    const char *key_name = sim_key_name(key);
    g_autofree char *text = g_key_file_get_string(file, GROUP, key_name, NULL);
    if (text == NULL) {
        if (is_required(key) || g_key_file_has_key(file, GROUP, key_name, NULL)) {
            set_error(error, "%s: %s: there is no (readable) value", name, key_name);
            return false;
        }
        set_provenance(machine, key, "default");
        return true;
    }
    g_autoptr(GError) cause = NULL;
    if (!parse_value(&machine->params, key, g_strchomp(text), &cause)) {
        set_error(error, "%s: %s: %s", name, key_name, cause->message);
        return false;
    }
    g_autofree char *where = g_key_file_get_string(file, PROVENANCE_GROUP, key_name, NULL);
    set_provenance(machine, key, where != NULL ? where : name);
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
        set_error(error, "%s: not a machine file: %s", name,
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
        set_error(error, "no such machine, preset or file: '%s'%s", preset_or_path, hint);
        return NULL;
    }
    g_autofree char *data = NULL;
    gsize len = 0;
    g_autoptr(GError) cause = NULL;
    if (!g_file_get_contents(preset_or_path, &data, &len, &cause)) {
        set_error(error, "%s", cause->message);
        return NULL;
    }
    return sim_machine_load_data(preset_or_path, data, len, error);
}

bool sim_machine_set(sim_machine *machine, const char *assignment, GError **error)
{
    const char *equals = strchr(assignment, '=');
    if (equals == NULL) {
        set_error(error, "not of the form KEY=VALUE: '%s'", assignment);
        return false;
    }
    g_autofree char *key_name = g_strndup(assignment, (gsize)(equals - assignment));
    const int key = find_name(KEY_NAMES, key_name);
    if (key < 0) {
        g_autofree char *hint = sim_nearest_hint(key_name, KEY_NAMES);
        set_error(error, "unknown machine key: '%s'%s", key_name, hint);
        return false;
    }
    g_autoptr(GError) cause = NULL;
    if (!parse_value(&machine->params, (sim_key)key, equals + 1, &cause)) {
        set_error(error, "%s: %s", key_name, cause->message);
        return false;
    }
    set_provenance(machine, (sim_key)key, "--set");
    return true;
}

char *sim_machine_format_value(const sim_machine *machine, sim_key key)
{
    const sim_params *p = &machine->params;
    switch (key) {
    case SIM_KEY_L:
        return sim_unit_format_time(p->L);
    case SIM_KEY_o:
        return sim_unit_format_time(p->o);
    case SIM_KEY_g:
        return sim_unit_format_time(p->g);
    case SIM_KEY_G:
        return sim_unit_format_rate(p->G);
    case SIM_KEY_O:
        return sim_unit_format_rate(p->O);
    case SIM_KEY_S:
        return p->S == INT64_MAX ? g_strdup(ALL_EAGER)
                                 : g_strdup_printf("%" G_GINT64_FORMAT "B", p->S);
    case SIM_KEY_PROGRESS:
        return g_strdup(PROGRESS_NAMES[p->progress]);
    case SIM_KEY_RENDEZVOUS:
        return g_strdup(RENDEZVOUS_NAMES[p->rendezvous]);
    case SIM_NUM_KEYS:
        break;
    }
    g_assert_not_reached();
}

char *sim_machine_to_ini(const sim_machine *machine)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_key_file_set_string(file, GROUP, "schema_version", SCHEMA_VERSION);
    g_key_file_set_string(file, GROUP, "name", machine->name);
    for (int key = 0; key < SIM_NUM_KEYS; key++) {
        g_autofree char *value = sim_machine_format_value(machine, (sim_key)key);
        g_key_file_set_string(file, GROUP, KEY_NAMES[key], value);
        g_key_file_set_string(file, PROVENANCE_GROUP, KEY_NAMES[key], machine->provenance[key]);
    }
    return g_key_file_to_data(file, NULL, NULL);
}
