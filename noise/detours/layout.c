/* noise/detours/layout.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature, test_place. */
#include "detours/layout.h"

#include "detours/component.h"
#include "detours/rank_ranges.h"

#include <assert.h>
#include <stdlib.h>

/* A set of components is a mask. */
G_STATIC_ASSERT(NOISE_MAX_COMPONENTS <= 64);

/* Strides make a pattern that repeats; so many ranks are looked over for the sets in it. */
enum { MOST_PATTERN = 1 << 20 };

enum { NONE = UINT32_MAX, LOOKED_UP = UINT32_MAX - 1 };

/* From @p first on, up to the next entry, all see the same components. */
typedef struct stretch {
    uint32_t first;
    uint32_t trace; /* index; NONE; LOOKED_UP: by the mask, as there are strides */
} stretch;

typedef struct members {
    GPtrArray *traces; /* of noise_detour_trace, one per set of components that occurs */
    GArray *masks;     /* of uint64_t, one per trace */
    GArray *stretches; /* of stretch, by first; the first begins at 0 */
    uint64_t mask;     /* mask of its components */
} members;

struct noise_layout {
    members group[NOISE_NUM_GROUPS];
    const GArray *components;
};

/* What it takes to draw. */
typedef struct drawing {
    noise_layout *layout;
    GArray *components;
    const GArray *models;
    uint64_t seed;
    bool alone; /* one group only */
} drawing;

static void trace_free(gpointer data)
{
    noise_detour_trace_free(data);
}

void noise_layout_free(noise_layout *l)
{
    for (int i = 0; l != NULL && i < NOISE_NUM_GROUPS; i++) {
        g_ptr_array_unref(l->group[i].traces);
        g_array_unref(l->group[i].masks);
        g_array_unref(l->group[i].stretches);
    }
    g_free(l);
}

static noise_group group_of(const noise_component *c)
{
    switch (c->place) {
    case NOISE_PLACE_NODE:
        return NOISE_GROUP_NODE;
    case NOISE_PLACE_NODE_FIXED:
        return NOISE_GROUP_NODE_FIXED;
    case NOISE_PLACE_NODE_ALL:
        return NOISE_GROUP_NODE_ALL;
    case NOISE_PLACE_CORE:
        break;
    }
    return c->scope == NOISE_SCOPE_NODES ? NOISE_GROUP_CORE_OF_NODES : NOISE_GROUP_CORE;
}

static const noise_component *component_at(const noise_layout *l, guint i)
{
    return &g_array_index(l->components, noise_component, i);
}

static uint64_t mask_of(const noise_layout *l, const members *g, uint32_t index)
{
    uint64_t mask = 0;
    for (guint i = 0; i < l->components->len; i++) {
        const noise_component *c = component_at(l, i);
        if (g->mask >> i & 1 &&
            (c->ranges == NULL || noise_rank_ranges_contain(c->ranges, c->num_ranges, index))) {
            mask |= UINT64_C(1) << i;
        }
    }
    return mask;
}

/* @return its index, NONE for the empty mask; or -1: it is not drawn */
static int64_t trace_of_mask(const members *g, uint64_t mask)
{
    for (guint i = 0; i < g->masks->len; i++) {
        if (g_array_index(g->masks, uint64_t, i) == mask) {
            return i;
        }
    }
    return mask == 0 ? (int64_t)NONE : -1;
}

/* What those of @p mask see: drawn once. @return as above, -1 with an error */
static int64_t draw_mask(const drawing *d, members *g, uint64_t mask, GError **error)
{
    const int64_t drawn = trace_of_mask(g, mask);
    if (drawn >= 0) {
        return drawn;
    }
    const noise_model *models[NOISE_MAX_COMPONENTS] = {NULL};
    noise_component *components[NOISE_MAX_COMPONENTS];
    sim_time longest[NOISE_MAX_COMPONENTS];
    size_t n = 0;
    for (guint i = 0; i < d->models->len; i++) {
        if (mask >> i & 1) {
            components[n] = &g_array_index(d->components, noise_component, i);
            models[n++] = &g_array_index(d->models, noise_model, i);
        }
    }
    noise_detour_trace *trace = noise_model_draw(models, n, d->seed, d->alone, longest, error);
    if (trace == NULL) {
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        noise_component_note_drawn(components[i], models[i], longest[i],
                                   noise_detour_trace_period(trace));
    }
    g_ptr_array_add(g->traces, trace);
    g_array_append_val(g->masks, mask);
    return g->masks->len - 1;
}

static int by_value(const void *pa, const void *pb)
{
    const uint32_t a = *(const uint32_t *)pa;
    const uint32_t b = *(const uint32_t *)pb;
    return (a > b) - (a < b);
}

/* Where a range begins, or has ended, from 0 up. */
static GArray *borders_of(const noise_layout *l, const members *g)
{
    GArray *border = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    const uint32_t zero = 0;
    g_array_append_val(border, zero);
    for (guint i = 0; i < l->components->len; i++) {
        const noise_component *c = component_at(l, i);
        for (uint32_t r = 0; g->mask >> i & 1 && r < c->num_ranges; r++) {
            const uint32_t after = c->ranges[r].last + 1;
            g_array_append_val(border, c->ranges[r].first);
            g_array_append_val(border, after);
        }
    }
    qsort(border->data, border->len, sizeof(uint32_t), by_value);
    return border;
}

/* After how many the sets of components in first..end - 1 repeat; 1: there is no stride. */
static uint64_t pattern_of(const noise_layout *l, const members *g, uint32_t first, uint64_t end)
{
    uint64_t common = 1;
    for (guint i = 0; i < l->components->len; i++) {
        const noise_component *c = component_at(l, i);
        for (uint32_t r = 0; g->mask >> i & 1 && r < c->num_ranges; r++) {
            const noise_range *range = &c->ranges[r];
            if (range->first < end && range->last >= first && common <= MOST_PATTERN) {
                uint64_t a = common;
                for (uint64_t b = range->stride; b != 0;) {
                    const uint64_t rest = a % b;
                    a = b;
                    b = rest;
                }
                assert(a > 0);
                common = common / a * range->stride;
            }
        }
    }
    return MIN(common, end - first);
}

/* Draws what occurs in first..end - 1, where no range begins or ends. */
static bool add_stretch(const drawing *d, members *g, uint32_t first, uint64_t end, GError **error)
{
    const uint64_t pattern = pattern_of(d->layout, g, first, end);
    if (pattern > MOST_PATTERN) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL,
                    "the strides behind '@' have no common multiple below %d", MOST_PATTERN);
        return false;
    }
    stretch next = {first, NONE};
    for (uint64_t i = 0; i < pattern; i++) {
        const uint64_t mask = mask_of(d->layout, g, (uint32_t)(first + i));
        const int64_t trace = draw_mask(d, g, mask, error);
        if (trace < 0) {
            return false;
        }
        next.trace = pattern > 1 ? LOOKED_UP : (uint32_t)trace;
    }
    g_array_append_val(g->stretches, next);
    return true;
}

static bool lay_out(const drawing *d, members *g, GError **error)
{
    g_autoptr(GArray) border = borders_of(d->layout, g);
    for (guint i = 0; i < border->len; i++) {
        const uint32_t first = g_array_index(border, uint32_t, i);
        if (i > 0 && first == g_array_index(border, uint32_t, i - 1)) {
            continue;
        }
        uint64_t end = (uint64_t)UINT32_MAX + 1;
        for (guint k = i + 1; k < border->len && end > UINT32_MAX; k++) {
            const uint32_t next = g_array_index(border, uint32_t, k);
            end = next > first ? next : end;
        }
        if (!add_stretch(d, g, first, end, error)) {
            return false;
        }
    }
    return true;
}

/* All groups may meet on one core. */
static bool check_share(const noise_layout *l, GError **error)
{
    double stolen = 0;
    for (int i = 0; i < NOISE_NUM_GROUPS; i++) {
        double most = 0;
        for (guint k = 0; k < l->group[i].traces->len; k++) {
            most = MAX(most, noise_detour_trace_share(l->group[i].traces->pdata[k]));
        }
        stolen += most;
    }
    if (stolen >= 1) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL,
                    "noise: the components of all places together steal up to %.4g %% of the CPU "
                    "time of a core: none is left",
                    100 * stolen);
    }
    return stolen < 1;
}

noise_layout *noise_layout_new(GArray *components, const GArray *models, uint64_t seed,
                               GError **error)
{
    g_autoptr(noise_layout) l = g_new0(noise_layout, 1);
    l->components = components;
    for (int i = 0; i < NOISE_NUM_GROUPS; i++) {
        l->group[i].traces = g_ptr_array_new_with_free_func(trace_free);
        l->group[i].masks = g_array_new(FALSE, FALSE, sizeof(uint64_t));
        l->group[i].stretches = g_array_new(FALSE, FALSE, sizeof(stretch));
    }
    for (guint i = 0; i < components->len; i++) {
        const noise_component *c = &g_array_index(components, noise_component, i);
        if (!c->is_rate) {
            l->group[group_of(c)].mask |= UINT64_C(1) << i;
        }
    }
    const drawing d = {l, components, models, seed, noise_layout_num_groups(l) <= 1};
    for (int i = 0; i < NOISE_NUM_GROUPS; i++) {
        if (!lay_out(&d, &l->group[i], error)) {
            return NULL;
        }
    }
    return noise_layout_num_groups(l) <= 1 || check_share(l, error) ? g_steal_pointer(&l) : NULL;
}

const noise_detour_trace *noise_layout_trace(const noise_layout *l, noise_group which,
                                             uint32_t index)
{
    const members *g = &l->group[which];
    guint low = 0;
    guint high = g->stretches->len;
    while (high - low > 1) { /* the answer is in low..high - 1 */
        const guint middle = low + (high - low) / 2;
        if (g_array_index(g->stretches, stretch, middle).first <= index) {
            low = middle;
        } else {
            high = middle;
        }
    }
    uint32_t trace = g_array_index(g->stretches, stretch, low).trace;
    if (trace == LOOKED_UP) {
        trace = (uint32_t)trace_of_mask(g, mask_of(l, g, index));
    }
    if (trace == NONE) {
        return NULL;
    }
    const noise_detour_trace *t = g->traces->pdata[trace];
    return noise_detour_trace_count(t) > 0 ? t : NULL; /* a quiet file; all of it left out */
}

bool noise_layout_has(const noise_layout *l, noise_group group)
{
    return l->group[group].mask != 0;
}

unsigned noise_layout_num_groups(const noise_layout *l)
{
    unsigned n = 0;
    for (int i = 0; i < NOISE_NUM_GROUPS; i++) {
        n += l->group[i].mask != 0;
    }
    return n;
}

bool noise_layout_is_same(const noise_layout *l, noise_group group)
{
    return l->group[group].stretches->len == 1;
}

size_t noise_layout_num_traces(const noise_layout *l, noise_group group)
{
    return l->group[group].traces->len;
}

const noise_detour_trace *noise_layout_nth_trace(const noise_layout *l, noise_group group, size_t i)
{
    return l->group[group].traces->pdata[i];
}
