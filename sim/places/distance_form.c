/* sim/places/distance_form.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_distance. */
/**
 * @file
 * Topologies as people write them: "torus:8x8x8". docs/model.md, section 10.2.
 */
#include "sim/distance.h"

#include "places/distance_private.h"
#include "sim/error.h"
#include "sim/nearest.h"

#include <string.h>

static bool refuse(const char *form, const char *what, GError **error)
{
    g_set_error(error, SIM_ERROR, SIM_ERROR_BAD_MACHINE, "distance '%s': %s", form, what);
    return false;
}

/* Whole numbers, from 1 to 2^31 - 1, with @p between them. @return how many; 0: not such a text */
static unsigned parse_numbers(const char *text, char between, uint32_t *number, unsigned most)
{
    const char separator[] = {between, '\0'};
    g_auto(GStrv) parts = g_strsplit(text, separator, -1);
    const unsigned n = g_strv_length(parts);
    for (unsigned i = 0; i < n && i < most; i++) {
        guint64 value = 0;
        if (!g_ascii_string_to_unsigned(parts[i], 10, 1, INT32_MAX, &value, NULL)) {
            return 0;
        }
        number[i] = (uint32_t)value;
    }
    return n <= most ? n : 0;
}

static void push_size(sim_distance *d, uint32_t size)
{
    d->reciprocal[d->num_sizes] = sim_reciprocal(size);
    d->size[d->num_sizes++] = size;
}

/* @return false: more than INT32_MAX nodes */
static bool multiply_nodes(sim_distance *d, uint32_t factor)
{
    const uint64_t nodes = (uint64_t)d->num_nodes * factor;
    d->num_nodes = (uint32_t)MIN(nodes, INT32_MAX);
    return nodes <= INT32_MAX;
}

#define TOO_MANY "more than 2^31 - 1 nodes"

/* k/2 nodes below a leaf, k/2 times as many below each level above, and k times below the top. */
static bool parse_fat_tree(const char *form, const char *text, sim_distance *d, GError **error)
{
    uint32_t n[2];
    if (parse_numbers(text, ':', n, 2) != 2 || n[0] < 4 || n[0] % 2 != 0 ||
        n[1] > SIM_DISTANCE_MAX_SIZES) {
        return refuse(
            form,
            "wanted fat-tree:RADIX:LEVELS, RADIX the ports of a switch, even, at least 4, "
            "and 1 to 6 LEVELS of switches",
            error);
    }
    bool fits = true;
    for (uint32_t level = 1; level < n[1] && fits; level++) {
        fits = multiply_nodes(d, n[0] / 2);
        push_size(d, d->num_nodes);
    }
    return (fits && multiply_nodes(d, n[0])) || refuse(form, TOO_MANY, error);
}

static bool parse_torus(const char *form, const char *text, sim_distance *d, GError **error)
{
    uint32_t n[SIM_DISTANCE_MAX_SIZES];
    const unsigned num = parse_numbers(text, 'x', n, SIM_DISTANCE_MAX_SIZES);
    if (num == 0) {
        return refuse(form, "wanted torus:AxBxC, the nodes along each of 1 to 6 dimensions", error);
    }
    for (unsigned i = 0; i < num; i++) {
        push_size(d, n[i]);
        if (!multiply_nodes(d, n[i])) {
            return refuse(form, TOO_MANY, error);
        }
    }
    return true;
}

static bool parse_dragonfly(const char *form, const char *text, sim_distance *d, GError **error)
{
    uint32_t n[3];
    if (parse_numbers(text, ':', n, 3) != 3) {
        return refuse(
            form, "wanted dragonfly:GROUPS:ROUTERS:NODES, ROUTERS in a group, NODES on a router",
            error);
    }
    push_size(d, n[2]);
    push_size(d, n[1]);
    push_size(d, n[0] > 1 ? (n[0] - 2) / n[1] + 1 : 1); /* links of a router: ceil((groups-1)/R) */
    return (multiply_nodes(d, n[0]) && multiply_nodes(d, n[1]) && multiply_nodes(d, n[2])) ||
           refuse(form, TOO_MANY, error);
}

#define FORMS(ROW)                                                                                 \
    ROW("fat-tree", SIM_DISTANCE_FAT_TREE, parse_fat_tree)                                         \
    ROW("torus", SIM_DISTANCE_TORUS, parse_torus)                                                  \
    ROW("dragonfly", SIM_DISTANCE_DRAGONFLY, parse_dragonfly)                                      \
    ROW("matrix", SIM_DISTANCE_MATRIX, NULL) /* of files */                                        \
    ROW("graph", SIM_DISTANCE_MATRIX, NULL)
#define NAME(name, kind, parse) name,
#define FORM(name, kind, parse) {kind, parse},

static const char *const names[] = {FORMS(NAME) NULL};
static const struct {
    sim_distance_kind kind;
    bool (*parse)(const char *form, const char *text, sim_distance *d, GError **error);
} forms[] = {FORMS(FORM)};

const char *sim_distance_file(const char *form)
{
    const char *colon = strchr(form, ':');
    const bool is_file = g_str_has_prefix(form, "matrix:") || g_str_has_prefix(form, "graph:");
    return is_file ? colon + 1 : NULL;
}

/* @return its row of forms, or -1 with an error */
static int find_form(const char *form, GError **error)
{
    const char *colon = strchr(form, ':');
    g_autofree char *name = colon != NULL ? g_strndup(form, (gsize)(colon - form)) : g_strdup(form);
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(name, names[i]) == 0) {
            return i;
        }
    }
    g_autofree char *hint = sim_nearest_hint(name, names);
    g_set_error(error, SIM_ERROR, SIM_ERROR_BAD_MACHINE, "distance '%s': no such form%s", form,
                hint);
    return -1;
}

static bool check_longest(const char *form, const sim_distance *d, GError **error)
{
    return d->L_hop <= SIM_TIME_MAX / MAX(sim_distance_most_hops(d), 1) ||
           refuse(form, "the longest way takes more time than there is", error);
}

bool sim_distance_parse(const char *form, sim_time L_hop, sim_distance *out, GError **error)
{
    const int i = find_form(form, error);
    if (i < 0) {
        return false;
    }
    sim_distance d = {.kind = forms[i].kind, .num_nodes = 1, .L_hop = L_hop};
    const char *colon = strchr(form, ':');
    if (forms[i].parse == NULL) {
        return refuse(form, "wanted a form that needs no file", error);
    }
    if (!forms[i].parse(form, colon != NULL ? colon + 1 : "", &d, error) ||
        !check_longest(form, &d, error)) {
        return false;
    }
    *out = d;
    return true;
}

bool sim_distance_check_form(const char *form, GError **error)
{
    const int i = find_form(form, error);
    if (i < 0 || forms[i].parse != NULL) {
        sim_distance unused;
        return i >= 0 && sim_distance_parse(form, 0, &unused, error);
    }
    const char *file = sim_distance_file(form);
    return (file != NULL && file[0] != '\0') || refuse(form, "which file?", error);
}

bool sim_distance_matrix(uint32_t num_switches, const uint16_t *hops, uint32_t num_nodes,
                         const uint32_t *switch_of, sim_time L_hop, sim_distance *out,
                         GError **error)
{
    const sim_distance d = {.kind = SIM_DISTANCE_MATRIX,
                            .num_nodes = num_nodes,
                            .L_hop = L_hop,
                            .num_switches = num_switches,
                            .switch_of = switch_of,
                            .hops = hops};
    if (!check_longest("matrix", &d, error)) {
        return false;
    }
    *out = d;
    return true;
}
