/* schedgen/regrid/regrid_sites.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid_scaling. */
/*
 * Call sites: what comes before a computation and what after it, by the names of the calls and the
 * ways of the messages, which are the same in records of another size. Ranks of different classes
 * have sites of their own. A passage without computation counts: it took no time.
 */
#include "regrid/regrid_private.h"

#include <string.h>
#include <xxhash.h>

static void site_clear(gpointer data)
{
    regrid_site *site = data;
    g_free(site->what);
    g_array_unref(site->samples);
}

void sched_regrid_sites_init(regrid_sites *s)
{
    s->known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    s->sites = g_array_new(FALSE, FALSE, sizeof(regrid_site));
    g_array_set_clear_func(s->sites, site_clear);
}

void sched_regrid_sites_clear(regrid_sites *s)
{
    g_hash_table_unref(s->known);
    g_array_unref(s->sites);
}

/* One record on its way into the sites. */
typedef struct gatherer {
    regrid_sites *sites;
    const sched_regrid *regrid;
    uint32_t number;
    uint32_t **site_of;

    uint32_t rank;
    uint32_t class_number;
    GArray *calcs; /* of uint32_t: the sites of its computations so far */
    guint pending; /* computations since the last call */
    sim_time size; /* of these */
} gatherer;

/* "first x inner": where ranks of a class are. */
static char *class_text(const sched_regrid *g, uint32_t rank)
{
    const regrid_layout *layout = &g->match->layout;
    const regrid_point point = sched_regrid_layout_point(layout, rank);
    GString *text = g_string_new(NULL);
    for (uint32_t d = 0; d < layout->grid.num_dims; d++) {
        const uint32_t x = (uint32_t)point.x[d];
        const uint32_t from_end = layout->grid.extent[d] - 1 - x;
        const uint32_t reach = g->classes.reach[d];
        g_string_append(text, d > 0 ? " x " : "");
        if (g->classes.exact[d]) {
            g_string_append_printf(text, "%u", x);
        } else {
            const bool low = x < reach;
            const bool high = !low && from_end < reach;
            g_string_append(text, low ? "first" : high ? "last" : reach > 0 ? "inner" : "any");
            if (low || high) {
                const uint32_t in = low ? x : from_end;
                g_string_append_printf(text, in > 0 ? "+%u" : "", in);
            }
        }
    }
    return g_string_free(text, FALSE);
}

/* "MPI_Isend by (0,1)"; a message that is not explained is known by its call alone. */
static char *step_text(const sched_regrid *g, const conv_step *step, const char *name, uint32_t way)
{
    if (!conv_step_is_message(step) || way == REGRID_NONE) {
        return g_strdup(name);
    }
    const regrid_point *by = &regrid_match_way(g->match, way)->by;
    GString *text = g_string_new(name);
    for (uint32_t d = 0; d < g->match->layout.grid.num_dims; d++) {
        g_string_append_printf(text, "%s%d", d > 0 ? "," : " by (", by->x[d]);
    }
    g_string_append_c(text, ')');
    return g_string_free(text, FALSE);
}

static uint32_t site_find(gatherer *g, const char *before, const char *after)
{
    regrid_sites *s = g->sites;
    g_autofree char *steps = g_strdup_printf("after %s, before %s", before, after);
    const uint64_t key = XXH3_64bits_withSeed(steps, strlen(steps), g->class_number);
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(s->known, &key));
    if (known > 0) {
        return known - 1;
    }
    g_autofree char *of = class_text(g->regrid, g->rank);
    const regrid_site site = {.key = key,
                              .what = g_strdup_printf("%s; ranks %s", steps, of),
                              .samples = g_array_new(FALSE, FALSE, sizeof(regrid_sample))};
    g_array_append_val(s->sites, site);
    g_hash_table_insert(s->known, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(s->sites->len));
    return s->sites->len - 1;
}

/* From one call to the next one. */
static void pass(gatherer *g, const char *before, const char *after)
{
    const uint32_t index = site_find(g, before, after);
    GArray *samples = g_array_index(g->sites->sites, regrid_site, index).samples;
    regrid_sample *last =
        samples->len > 0 ? &g_array_index(samples, regrid_sample, samples->len - 1) : NULL;
    if (last == NULL || last->record != g->number || last->rank != g->rank) {
        const regrid_sample first = {.record = g->number, .rank = g->rank};
        g_array_append_val(samples, first);
        last = &g_array_index(samples, regrid_sample, samples->len - 1);
    }
    last->passages++;
    last->time += ((double)g->size - last->time) / (double)last->passages;
    for (guint i = 0; i < g->pending; i++) {
        g_array_append_val(g->calcs, index);
    }
    g->pending = 0;
    g->size = 0;
}

/* Of a record that is gone through once more. */
static void forget(gatherer *g)
{
    for (guint i = 0; i < g->sites->sites->len; i++) {
        GArray *samples = g_array_index(g->sites->sites, regrid_site, i).samples;
        while (samples->len > 0 &&
               g_array_index(samples, regrid_sample, samples->len - 1).record == g->number) {
            g_array_set_size(samples, samples->len - 1);
        }
    }
}

static void begin(gatherer *g, uint32_t rank)
{
    const sched_regrid *regrid = g->regrid;
    if (rank == 0) {
        forget(g);
    }
    g->rank = rank;
    g->class_number =
        sched_regrid_class_of(&regrid->classes, &regrid->match->layout.grid,
                              sched_regrid_layout_point(&regrid->match->layout, rank));
    g->calcs = g_array_new(FALSE, FALSE, sizeof(uint32_t));
}

static void end(gatherer *g)
{
    if (g->site_of != NULL) {
        g_free(g->site_of[g->rank]);
        g->site_of[g->rank] = (uint32_t *)(void *)g_array_free(g->calcs, FALSE);
    } else {
        g_array_unref(g->calcs);
    }
}

static void take(void *data, uint32_t rank, const conv_template *template)
{
    gatherer *g = data;
    const uint32_t *ways = g->regrid->match->item[rank];
    sched_walk walk;
    uint32_t name = 0;
    uint32_t message = 0;
    uint32_t call = CONV_NONE;
    g_autofree char *before = g_strdup("the beginning");
    begin(g, rank);
    sched_walk_begin(&walk, &g->regrid->record.trace->ranks[rank]);
    for (guint i = 0; i < template->steps->len; i++) {
        const conv_step *step = &g_array_index(template->steps, conv_step, i);
        if (step->type == CONV_CALC) {
            g->pending++;
            g->size = conv_add_times(g->size, step->size);
            continue;
        }
        if (step->type == CONV_BESIDE) { /* part of the call after it */
            continue;
        }
        const uint32_t way = conv_step_is_message(step) ? ways[message++] : REGRID_NONE;
        const uint32_t number = sched_regrid_name_at(&walk, step->call, &name);
        char *after =
            step_text(g->regrid, step, sched_regrid_record_name(&g->regrid->record, number), way);
        if (g->pending > 0 || step->call != call) { /* within a call nothing is computed */
            pass(g, before, after);
        }
        g_free(before);
        before = after;
        call = step->call;
    }
    if (g->pending > 0) {
        pass(g, before, "the end");
    }
    sched_walk_end(&walk);
    end(g);
}

bool sched_regrid_sites_add(regrid_sites *sites, const sched_regrid *regrid, uint32_t number,
                            const sched_convert_options *convert, uint32_t **site_of,
                            GError **error)
{
    gatherer g = {.sites = sites, .regrid = regrid, .number = number, .site_of = site_of};
    return sched_regrid_templates_take(regrid->record.trace, convert, take, &g, error);
}
