/* noise/detours/signature.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/signature.h"

#include "detours/component.h"
#include "detours/model.h"
#include "detours/preset.h"
#include "detours/rank_ranges.h"
#include "noise/detour_file.h"
#include "noise/random.h"
#include "sim/nearest.h"

#include <stdlib.h>
#include <string.h>

/* A set of components is a mask. */
enum { MAX_COMPONENTS = 64 };

#define DRIFT "drift="
static const double MOST_DRIFT = 1e5; /* ppm: a tenth of the rate */

/* From @p first on, up to the next entry, all ranks see the same components. */
typedef struct stretch {
    uint32_t first;
    uint32_t trace; /* index; UINT32_MAX: none */
} stretch;

struct noise_signature {
    char *text;
    GArray *components; /* of noise_component */
    GArray *models;     /* of noise_model, one per component */
    GPtrArray *traces;  /* of noise_detour_trace, one per set of components that occurs */
    GArray *masks;      /* of uint64_t, one per trace */
    GArray *stretches;  /* of stretch, by first; the first begins at rank 0 */
    double drift;       /* ppm */
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

static void trace_free(gpointer data)
{
    noise_detour_trace_free(data);
}

static noise_signature *signature_new(const char *text)
{
    noise_signature *s = g_new0(noise_signature, 1);
    s->text = g_strdup(text);
    s->components = g_array_new(FALSE, TRUE, sizeof(noise_component));
    g_array_set_clear_func(s->components, component_clear);
    s->models = g_array_new(FALSE, TRUE, sizeof(noise_model));
    g_array_set_clear_func(s->models, model_clear);
    s->traces = g_ptr_array_new_with_free_func(trace_free);
    s->masks = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    s->stretches = g_array_new(FALSE, FALSE, sizeof(stretch));
    return s;
}

void noise_signature_free(noise_signature *s)
{
    if (s != NULL) {
        g_free(s->text);
        g_array_unref(s->components);
        g_array_unref(s->models);
        g_ptr_array_unref(s->traces);
        g_array_unref(s->masks);
        g_array_unref(s->stretches);
        g_free(s);
    }
}

/* Takes @p model, @p name and the provenance. @p ranks as after '@', or NULL for all. */
static bool add(noise_signature *s, noise_model model, char *name, noise_component_source source,
                const char *ranks, GError **error)
{
    noise_component component = noise_component_of(&model, name, source);
    if (ranks != NULL) {
        component.some_ranks = true;
        component.ranges = noise_rank_ranges_parse(ranks, &component.num_ranges, error);
    }
    const bool ok = ranks == NULL || component.ranges != NULL;
    if (ok && s->components->len == MAX_COMPONENTS) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL,
                    "noise '%s': more than %d components", s->text, MAX_COMPONENTS);
    }
    if (!ok || s->components->len == MAX_COMPONENTS) {
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

static bool add_preset(noise_signature *s, const noise_preset *preset, const char *ranks,
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
        if (!add(s, model, name, (noise_component_source){.preset = preset->name}, ranks, error)) {
            return false;
        }
    }
    return true;
}

/* All runs of a file, one after the other. */
static noise_detour_trace *trace_of_file(const noise_detour_file *file, const char *path,
                                         GError **error)
{
    size_t n = 0;
    for (size_t r = 0; r < file->num_runs; r++) {
        n += file->runs[r].n;
    }
    g_autofree sim_time *start = g_new(sim_time, n + 1);
    g_autofree sim_time *length = g_new(sim_time, n + 1);
    sim_time base = 0;
    n = 0;
    for (size_t r = 0; r < file->num_runs; r++) {
        const noise_detour_run *run = &file->runs[r];
        if (run->period > SIM_TIME_MAX - base) {
            g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE,
                        "%s: its runs together are longer than 26 days", path);
            return NULL;
        }
        for (size_t i = 0; i < run->n; i++, n++) {
            start[n] = base + run->start[i];
            length[n] = run->length[i];
        }
        base += run->period;
    }
    noise_detour_trace *trace = noise_detour_trace_new(start, length, n, base, error);
    if (trace == NULL) {
        g_prefix_error(error, "%s: ", path);
    }
    return trace;
}

static bool add_file(noise_signature *s, const char *path, const char *ranks, GError **error)
{
    g_autoptr(noise_detour_file) file = noise_detour_file_read(path, error);
    noise_detour_trace *trace = file != NULL ? trace_of_file(file, path, error) : NULL;
    if (trace == NULL) {
        return false;
    }
    noise_provenance *provenance = noise_provenance_new(file, path);
    provenance->tail = noise_tail_of(trace);
    return add(s, noise_model_of_trace(trace), g_path_get_basename(path),
               (noise_component_source){.provenance = provenance}, ranks, error);
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
static bool add_drift(noise_signature *s, const char *ppm, const char *ranks, GError **error)
{
    char *end = NULL;
    const double value = g_ascii_strtod(ppm, &end);
    if (end == ppm || *end != '\0' || !(value >= 0) || value > MOST_DRIFT) {
        g_autofree char *why = g_strdup_printf(
            "drift is a number of parts per million from 0 to %g, not '%s'", MOST_DRIFT, ppm);
        return refuse_drift(s, why, error);
    }
    if (ranks != NULL) {
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

/* One piece between '+'. */
static bool add_piece(noise_signature *s, const char *piece, GError **error)
{
    g_autofree char *what = g_strdup(piece);
    const char *ranks = NULL;
    char *at = strrchr(what, '@');
    if (at != NULL && !is_file(piece)) {
        *at = '\0';
        ranks = at + 1;
    }
    if (*what == '\0') {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL,
                    "noise '%s': nothing stands between two '+' or at an end", s->text);
        return false;
    }
    uint32_t num_ranges;
    g_autofree void *ranges =
        ranks != NULL ? noise_rank_ranges_parse(ranks, &num_ranges, error) : NULL;
    if (ranks != NULL && ranges == NULL) { /* also where a preset has no component to hold them */
        return false;
    }
    if (g_str_has_prefix(what, DRIFT)) {
        return add_drift(s, what + strlen(DRIFT), ranks, error);
    }
    const noise_preset *preset = noise_preset_find(what);
    if (preset != NULL) {
        return add_preset(s, preset, ranks, error);
    }
    if (noise_model_is_text(what)) {
        noise_model model;
        return noise_model_parse(what, &model, error) &&
               add(s, model, g_strdup(what), (noise_component_source){0}, ranks, error);
    }
    if (is_file(what)) {
        return add_file(s, what, ranks, error);
    }
    return refuse_unknown(what, error);
}

static uint64_t mask_of_rank(const noise_signature *s, uint32_t rank)
{
    uint64_t mask = 0;
    for (guint i = 0; i < s->components->len; i++) {
        const noise_component *c = &g_array_index(s->components, noise_component, i);
        const uint32_t(*ranges)[2] = (const uint32_t(*)[2])c->ranges;
        if (!c->some_ranks || noise_rank_ranges_contain(ranges, c->num_ranges, rank)) {
            mask |= UINT64_C(1) << i;
        }
    }
    return mask;
}

/* What the ranks of @p mask see: drawn once. @return its index, UINT32_MAX for none; or -1 */
static int64_t trace_of_mask(noise_signature *s, uint64_t mask, uint64_t seed, GError **error)
{
    if (mask == 0) {
        return UINT32_MAX;
    }
    for (guint i = 0; i < s->masks->len; i++) {
        if (g_array_index(s->masks, uint64_t, i) == mask) {
            return i;
        }
    }
    const noise_model *models[MAX_COMPONENTS] = {NULL};
    noise_component *components[MAX_COMPONENTS];
    sim_time longest[MAX_COMPONENTS];
    size_t n = 0;
    for (guint i = 0; i < s->models->len; i++) {
        if (mask >> i & 1) {
            components[n] = &g_array_index(s->components, noise_component, i);
            models[n++] = &g_array_index(s->models, noise_model, i);
        }
    }
    noise_detour_trace *trace = noise_model_draw(models, n, seed, longest, error);
    if (trace == NULL) {
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        noise_component_note_drawn(components[i], models[i], longest[i],
                                   noise_detour_trace_period(trace));
    }
    g_ptr_array_add(s->traces, trace);
    g_array_append_val(s->masks, mask);
    return s->masks->len - 1;
}

static int by_value(const void *pa, const void *pb)
{
    const uint32_t a = *(const uint32_t *)pa;
    const uint32_t b = *(const uint32_t *)pb;
    return (a > b) - (a < b);
}

/* The set of components changes only where a range begins, or after one ends. */
static bool lay_out(noise_signature *s, uint64_t seed, GError **error)
{
    g_autoptr(GArray) border = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    const uint32_t zero = 0;
    g_array_append_val(border, zero);
    for (guint i = 0; i < s->components->len; i++) {
        const noise_component *c = &g_array_index(s->components, noise_component, i);
        for (uint32_t r = 0; r < c->num_ranges; r++) {
            const uint32_t after = c->ranges[r][1] + 1;
            g_array_append_val(border, c->ranges[r][0]);
            g_array_append_val(border, after);
        }
    }
    qsort(border->data, border->len, sizeof(uint32_t), by_value);
    for (guint i = 0; i < border->len; i++) {
        const uint32_t first = g_array_index(border, uint32_t, i);
        if (i > 0 && first == g_array_index(border, uint32_t, i - 1)) {
            continue;
        }
        const int64_t trace = trace_of_mask(s, mask_of_rank(s, first), seed, error);
        if (trace < 0) {
            return false;
        }
        const stretch next = {first, (uint32_t)trace};
        g_array_append_val(s->stretches, next);
    }
    return true;
}

noise_signature *noise_signature_parse(const char *text, uint64_t seed, GError **error)
{
    g_autoptr(noise_signature) s = signature_new(text);
    if (!g_str_equal(text, "none")) {
        /* A file may have a '+' in its name. */
        g_auto(GStrv) pieces = g_strsplit(text, "+", is_file(text) ? 1 : -1);
        if (*pieces == NULL) { /* an empty text has no pieces */
            add_piece(s, "", error);
            return NULL;
        }
        for (char **piece = pieces; *piece != NULL; piece++) {
            if (!add_piece(s, *piece, error)) {
                return NULL;
            }
        }
    }
    return check_drift(s, error) && lay_out(s, seed, error) ? g_steal_pointer(&s) : NULL;
}

bool noise_signature_is_drawn(const noise_signature *s)
{
    bool drawn = s->components->len > 1;
    for (guint i = 0; i < s->components->len; i++) {
        drawn = drawn || g_array_index(s->models, noise_model, i).kind->is_drawn;
    }
    return drawn;
}

noise_signature *noise_signature_redraw(const noise_signature *s, uint64_t seed, uint32_t replica,
                                        GError **error)
{
    const uint64_t stream = noise_random_stream("redraw");
    return noise_signature_parse(
        s->text, replica > 0 ? noise_random_u64(seed, stream, replica) : seed, error);
}

const char **noise_signature_models(void)
{
    return noise_model_names();
}

size_t noise_signature_num_components(const noise_signature *s)
{
    return s->components->len;
}

const noise_component *noise_signature_component(const noise_signature *s, size_t i)
{
    return &g_array_index(s->components, noise_component, i);
}

const char *noise_signature_text(const noise_signature *s)
{
    return s->text;
}

const noise_detour_trace *noise_signature_trace(const noise_signature *s, uint32_t rank)
{
    guint low = 0;
    guint high = s->stretches->len;
    while (high - low > 1) { /* the answer is in low..high - 1 */
        const guint middle = low + (high - low) / 2;
        if (g_array_index(s->stretches, stretch, middle).first <= rank) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const uint32_t trace = g_array_index(s->stretches, stretch, low).trace;
    return trace != UINT32_MAX ? g_ptr_array_index(s->traces, trace) : NULL;
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
    for (guint i = 0; i < s->traces->len; i++) {
        longest = MAX(longest, noise_detour_trace_period(g_ptr_array_index(s->traces, i)));
    }
    return longest;
}
