/* noise/detours/signature.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/signature.h"

#include "detours/component.h"
#include "detours/layout.h"
#include "detours/place.h"
#include "detours/preset.h"
#include "detours/signature_private.h"
#include "detours/without.h"
#include "noise/random.h"
#include "sim/nearest.h"
#include "traces/file_parts.h"

#include <string.h>

#define DRIFT "drift="
static const double MOST_DRIFT = 1e5; /* ppm: a tenth of the rate */

struct noise_signature {
    char *text;
    GArray *components; /* of noise_component */
    GArray *models;     /* of noise_model, one per component */
    guint num_waiting;  /* pieces of the text that are still to be parsed */
    noise_layout *layout;
    uint64_t seed;
    GArray *present; /* of size_t: the components that are not left out */
    double drift;    /* ppm */
    bool has_drift;
};

static void component_clear(gpointer data)
{
    noise_component_clear(data);
}

static void model_clear(gpointer data)
{
    noise_model_clear(data);
}

static noise_signature *signature_new(const char *text)
{
    noise_signature *s = g_new0(noise_signature, 1);
    s->text = g_strdup(text);
    s->components = g_array_new(FALSE, TRUE, sizeof(noise_component));
    g_array_set_clear_func(s->components, component_clear);
    s->models = g_array_new(FALSE, TRUE, sizeof(noise_model));
    g_array_set_clear_func(s->models, model_clear);
    s->present = g_array_new(FALSE, FALSE, sizeof(size_t));
    return s;
}

void noise_signature_free(noise_signature *s)
{
    if (s != NULL) {
        g_free(s->text);
        g_array_unref(s->components);
        g_array_unref(s->models);
        g_array_unref(s->present);
        noise_layout_free(s->layout);
        g_free(s);
    }
}

/* Takes @p model, @p name and the provenance. */
static bool add(noise_signature *s, noise_model model, char *name, noise_component_source source,
                const noise_where *where, GError **error)
{
    noise_component component = noise_component_of(&model, name, source, where);
    if (s->components->len == NOISE_MAX_COMPONENTS) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL,
                    "noise '%s': more than %d components", s->text, NOISE_MAX_COMPONENTS);
        component_clear(&component);
        noise_model_clear(&model);
        return false;
    }
    /* A component keeps its random numbers when another is left out. */
    unsigned same = 0;
    for (guint i = 0; i < s->components->len; i++) {
        same += g_str_equal(g_array_index(s->components, noise_component, i).name, name);
    }
    model.stream = noise_random_stream(name) + same;
    g_array_append_val(s->components, component);
    g_array_append_val(s->models, model);
    return true;
}

static bool add_preset(noise_signature *s, const noise_preset *preset, const noise_where *where,
                       GError **error)
{
    g_auto(GStrv) texts = g_strsplit(preset->components, "+", -1);
    for (char **text = texts; *text != NULL; text++) {
        noise_model model;
        if (!noise_model_parse(*text, &model, error)) {
            return false;
        }
        model.at_least = preset->at_least;
        char *name = g_strdup_printf("%s: %s", preset->name, *text);
        if (!add(s, model, name, (noise_component_source){.preset = preset->name}, where, error)) {
            return false;
        }
    }
    return true;
}

/* Takes the part. Of several measured nodes each stands for every n-th simulated one. */
static bool add_part(noise_signature *s, noise_file_part *part, const noise_where *where,
                     GError **error)
{
    const noise_component_source source = {
        .provenance = g_steal_pointer(&part->provenance),
        .name = g_steal_pointer(&part->source),
        .kind = g_steal_pointer(&part->kind),
        .evidence = g_steal_pointer(&part->evidence),
        .part = part->index,
        .num_nodes = part->num_nodes,
    };
    noise_range turn = {part->node, UINT32_MAX - 1, part->num_nodes};
    g_autofree char *text =
        g_strdup_printf("%s of measured node %u of %u", noise_place_name(where->place), part->node,
                        part->num_nodes);
    const noise_where in_turn = {where->place, NOISE_SCOPE_NODES, 1, &turn, text};
    return add(s, noise_model_of_trace(g_steal_pointer(&part->trace)), g_steal_pointer(&part->name),
               source, part->num_nodes > 1 ? &in_turn : where, error);
}

/* A component of its own for each source of a file, all in step. */
static bool add_file(noise_signature *s, const char *path, const noise_where *where, GError **error)
{
    const guint taken = s->components->len + s->num_waiting;
    const size_t room = taken < NOISE_MAX_COMPONENTS ? NOISE_MAX_COMPONENTS - taken : 1;
    g_autoptr(GArray) parts =
        noise_file_parts_read(path, room, where->scope == NOISE_SCOPE_ALL, error);
    for (guint i = 0; parts != NULL && i < parts->len; i++) {
        if (!add_part(s, &g_array_index(parts, noise_file_part, i), where, error)) {
            return false;
        }
    }
    return parts != NULL;
}

static bool is_file(const char *path)
{
    return g_file_test(path, G_FILE_TEST_EXISTS);
}

static bool refuse_unknown(const char *what, GError **error)
{
    if (strchr(what, '/') != NULL) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE, "%s: no such file", what);
        return false;
    }
    /* "poison:20s:2.5ms" is meant to be a model, "jagur" a preset. */
    const size_t len = strcspn(what, ":");
    g_autofree char *head = g_strndup(what, len);
    g_autofree const char **models = noise_model_names();
    g_autofree char *hint =
        sim_nearest_hint(head, what[len] == ':' ? (const char *const *)models : noise_presets());
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL,
                "noise '%s' is neither a preset nor a model nor a file%s", what, hint);
    return false;
}

static bool refuse_drift(const noise_signature *s, const char *why, GError **error)
{
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL, "noise '%s': %s", s->text, why);
    return false;
}

/* "20": of all nodes. */
static bool add_drift(noise_signature *s, const char *ppm, bool some, GError **error)
{
    char *end = NULL;
    const double value = g_ascii_strtod(ppm, &end);
    if (end == ppm || *end != '\0' || !(value >= 0) || value > MOST_DRIFT) {
        g_autofree char *why = g_strdup_printf(
            "drift is a number of parts per million from 0 to %g, not '%s'", MOST_DRIFT, ppm);
        return refuse_drift(s, why, error);
    }
    if (some) {
        return refuse_drift(s, "drift is of all ranks, not of some", error);
    }
    if (s->has_drift) {
        return refuse_drift(s, "drift is said twice", error);
    }
    s->drift = value;
    s->has_drift = true;
    return true;
}

/* Without phases that stay there is nothing that could wander. */
static bool check_drift(const noise_signature *s, GError **error)
{
    bool any = false;
    for (guint i = 0; i < s->components->len; i++) {
        any = any || g_array_index(s->components, noise_component, i).is_locked;
    }
    return !s->has_drift || any ||
           refuse_drift(s, "drift has no effect: nothing in it is periodic", error);
}

/* @p what, without what stands behind '@'. */
static bool add_named(noise_signature *s, const char *what, const noise_where *where,
                      GError **error)
{
    const noise_preset *preset = noise_preset_find(what);
    if (preset != NULL) {
        return add_preset(s, preset, where, error);
    }
    if (noise_model_is_text(what)) {
        noise_model model;
        return noise_model_parse(what, &model, error) &&
               add(s, model, g_strdup(what), (noise_component_source){0}, where, error);
    }
    if (is_file(what)) {
        return add_file(s, what, where, error);
    }
    return refuse_unknown(what, error);
}

/* What says how the others are, or which of them are there, takes no room from them. */
static bool is_component(const char *piece)
{
    return !g_str_has_prefix(piece, NOISE_SIGNATURE_WITHOUT) && !g_str_has_prefix(piece, DRIFT);
}

/* One piece between '+'. */
static bool add_piece(noise_signature *s, const char *piece, GError **error)
{
    g_autofree char *what = g_strdup(piece);
    const char *place = NULL;
    char *at = strrchr(what, '@');
    if (at != NULL && !is_file(piece)) {
        *at = '\0';
        place = at + 1;
    }
    if (*what == '\0') {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL,
                    "noise '%s': nothing stands between two '+' or at an end", s->text);
        return false;
    }
    if (g_str_has_prefix(piece, NOISE_SIGNATURE_WITHOUT)) {
        return true; /* looked at when all of the others are there */
    }
    noise_where where;
    if (!noise_where_parse(place, &where, error)) { /* also where nothing will be there */
        return false;
    }
    const bool ok = g_str_has_prefix(what, DRIFT)
                        ? add_drift(s, what + strlen(DRIFT), place != NULL, error)
                        : add_named(s, what, &where, error);
    g_free(where.ranges);
    return ok;
}

static bool leave_out(noise_signature *s, const char *name, GError **error)
{
    bool any = false;
    for (guint i = 0; i < s->components->len; i++) {
        if (noise_without_means(name, &g_array_index(s->components, noise_component, i))) {
            g_array_index(s->models, noise_model, i).is_left_out = any = true;
        }
    }
    if (!any) {
        noise_without_refuse(name, (const noise_component *)(const void *)s->components->data,
                             s->components->len, s->text, error);
    }
    return any;
}

/* Which of them are there. */
static bool choose(noise_signature *s, char **pieces, GError **error)
{
    for (char **piece = pieces; *piece != NULL; piece++) {
        if (g_str_has_prefix(*piece, NOISE_SIGNATURE_WITHOUT)) {
            g_auto(GStrv) names = noise_without_names(*piece + strlen(NOISE_SIGNATURE_WITHOUT));
            for (char **name = names; *name != NULL; name++) {
                if (!leave_out(s, *name, error)) {
                    return false;
                }
            }
        }
    }
    for (size_t i = 0; i < s->components->len; i++) {
        if (!g_array_index(s->models, noise_model, i).is_left_out) {
            g_array_append_val(s->present, i);
        }
    }
    return true;
}

/* A file may have a '+' in its name. */
static char **pieces_of(const char *text)
{
    const size_t head = noise_without_head(text);
    g_autofree char *path = g_strndup(text, head);
    return is_file(text)   ? noise_without_pieces(text, strlen(text))
           : is_file(path) ? noise_without_pieces(text, head)
                           : noise_without_pieces(text, 0);
}

noise_signature *noise_signature_parse(const char *text, uint64_t seed, GError **error)
{
    g_autoptr(noise_signature) s = signature_new(text);
    s->seed = seed;
    if (!g_str_equal(text, "none")) {
        g_auto(GStrv) pieces = pieces_of(text);
        for (char **piece = pieces; *piece != NULL; piece++) {
            s->num_waiting += is_component(*piece);
        }
        for (char **piece = pieces; *piece != NULL; piece++) {
            s->num_waiting -= is_component(*piece);
            if (!add_piece(s, *piece, error)) {
                return NULL;
            }
        }
        if (!choose(s, pieces, error)) {
            return NULL;
        }
    }
    if (!check_drift(s, error)) {
        return NULL;
    }
    s->layout = noise_layout_new(s->components, s->models, seed, error);
    return s->layout != NULL ? g_steal_pointer(&s) : NULL;
}

bool noise_signature_is_drawn(const noise_signature *s)
{
    bool drawn = false;
    unsigned with_phase = 0; /* what lies somehow to each other */
    for (guint i = 0; i < s->components->len; i++) {
        const noise_component *c = &g_array_index(s->components, noise_component, i);
        drawn = drawn || g_array_index(s->models, noise_model, i).kind->is_drawn;
        with_phase += (!c->is_rate || c->phase > 0) && c->part == 0; /* a file has one phase */
    }
    return drawn || with_phase > 1;
}

noise_signature *noise_signature_redraw(const noise_signature *s, uint64_t seed, uint32_t replica,
                                        GError **error)
{
    const uint64_t stream = noise_random_stream("redraw");
    return noise_signature_parse(
        s->text, replica > 0 ? noise_random_u64(seed, stream, replica) : seed, error);
}

noise_signature *noise_signature_without(const noise_signature *s, const char *const *names,
                                         GError **error)
{
    if (*names == NULL) {
        return noise_signature_parse(s->text, s->seed, error);
    }
    g_autofree char *left_out = noise_without_text(names);
    g_autofree char *text = g_strconcat(s->text, "+" NOISE_SIGNATURE_WITHOUT, left_out, NULL);
    return noise_signature_parse(text, s->seed, error);
}

const char **noise_signature_models(void)
{
    return noise_model_names();
}

size_t noise_signature_num_components(const noise_signature *s)
{
    return s->present->len;
}

const noise_component *noise_signature_component(const noise_signature *s, size_t i)
{
    return noise_signature_drawn(s, g_array_index(s->present, size_t, i));
}

bool noise_signature_begins_file(const noise_signature *s, size_t i)
{
    const noise_component *c = noise_signature_component(s, i);
    const noise_component *before = i > 0 ? noise_signature_component(s, i - 1) : NULL;
    const bool goes_on = before != NULL && before->source != NULL && before->part < c->part &&
                         g_strcmp0(before->provenance->path, c->provenance->path) == 0;
    return c->provenance != NULL && !goes_on;
}

size_t noise_signature_num_drawn(const noise_signature *s)
{
    return s->components->len;
}

const noise_component *noise_signature_drawn(const noise_signature *s, size_t i)
{
    return &g_array_index(s->components, noise_component, i);
}

const char *noise_signature_text(const noise_signature *s)
{
    return s->text;
}

const noise_layout *noise_signature_layout(const noise_signature *s)
{
    return s->layout;
}

const noise_model *noise_signature_model(const noise_signature *s, size_t i)
{
    return &g_array_index(s->models, noise_model, i);
}

const noise_detour_trace *noise_signature_trace(const noise_signature *s, uint32_t rank)
{
    return noise_layout_trace(s->layout, NOISE_GROUP_CORE, rank);
}

double noise_signature_share(const noise_signature *s, uint32_t rank)
{
    const noise_detour_trace *trace = noise_signature_trace(s, rank);
    return trace != NULL ? noise_detour_trace_share(trace) : 0;
}

double noise_signature_drift(const noise_signature *s)
{
    return s->drift;
}

sim_time noise_signature_longest_period(const noise_signature *s)
{
    sim_time longest = 1;
    for (int g = 0; g < NOISE_NUM_GROUPS; g++) {
        for (size_t i = 0; i < noise_layout_num_traces(s->layout, (noise_group)g); i++) {
            const noise_detour_trace *t = noise_layout_nth_trace(s->layout, (noise_group)g, i);
            longest = MAX(longest, noise_detour_trace_period(t));
        }
    }
    for (guint i = 0; i < s->components->len; i++) {
        const noise_component *c = &g_array_index(s->components, noise_component, i);
        longest = c->is_rate ? MAX(longest, c->list_length) : longest;
    }
    return longest;
}
