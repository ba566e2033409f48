/* apps/ripple/enlarged/enlarged.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_enlarged, cli_regrid_validate. */
#include "enlarged/enlarged.h"

#include "enlarged/enlarged_program.h"
#include "output/error.h"

#include <math.h>
#include <string.h>

const char *app_enlarged_side_name(app_enlarged_side side)
{
    static const char *const NAMES[] = {"recorded", "regridded", "in copies"};
    return NAMES[side];
}

static void row_clear(gpointer data)
{
    g_free(((app_enlarged_row *)data)->what);
}

/* ---- programs ------------------------------------------------------------------------------ */

/* Options for one of the three: those that it knows nothing of are left out. */
static app_program_options options_for(const app_enlarged_request *r, app_enlarged_side side,
                                       char *ranks)
{
    app_program_options options = *r->options;
    options.ranks = ranks;
    options.larger.extrapolate = NULL;
    if (side == APP_ENLARGED_REGRIDDED) {
        static char REGRID[] = "regrid"; /* as GOption would have it: not const */
        options.larger.extrapolate = REGRID;
        options.any_size = true;
    } else {
        options.larger.grid = NULL;
        options.larger.explained = NULL;
        options.larger.scaling = NULL;
        options.larger.fit = NULL;
    }
    options.roots = side == APP_ENLARGED_COPIES ? options.roots : NULL;
    return options;
}

static app_source *open_record(const app_enlarged_request *r, app_enlarged_side side, char *ranks,
                               app_manifest *manifest, GError **error)
{
    const char *path = side == APP_ENLARGED_RECORDED ? r->large : r->small;
    const app_program_options options = options_for(r, side, ranks);
    g_autoptr(app_source) source = app_source_open(path, &options, false, manifest, error);
    if (source != NULL && app_source_get_kind(source) != APP_SOURCE_TRACE) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: only recorded traces are compared",
                    path);
        return NULL;
    }
    return g_steal_pointer(&source);
}

static uint32_t nearest_multiple(uint32_t ranks, uint32_t of)
{
    const uint32_t below = ranks / of;
    return of * MAX(below + (ranks - below * of > of / 2), 1);
}

/*
 * Enlarge the small record in one of the two ways. @return false with an error; that it refuses is
 * none, but noted.
 */
static bool enlarge(app_enlarged *e, const app_enlarged_request *r, app_enlarged_side side,
                    app_manifest *manifest, app_enlarged_program *program, GError **error)
{
    const bool regrids = side == APP_ENLARGED_REGRIDDED;
    const uint32_t ranks = regrids ? e->ranks : e->copies_ranks;
    g_autofree char *text = g_strdup_printf("%u", ranks);
    g_autoptr(app_source) source = open_record(r, side, text, manifest, error);
    if (source == NULL) {
        return false;
    }
    g_autoptr(GError) why = NULL;
    size_t n = 0;
    g_autofree uint32_t *sizes = app_source_sizes(source, manifest, &n, &why);
    if (sizes == NULL) {
        e->refusal[side] = g_strdup(why->message);
        return true;
    }
    if (regrids) {
        e->small_grid = app_source_grid_text(source, e->small_ranks);
        e->large_grid = app_source_grid_text(source, e->ranks);
    }
    return app_enlarged_program_measure(program, source, ranks, r->params, r->threads, error);
}

/* ---- rows ---------------------------------------------------------------------------------- */

typedef struct adder {
    app_enlarged *e;
    const app_enlarged_program *programs;
} adder;

/* Numbers of copies that are more or fewer ranks, as if there were as many as recorded. */
static int64_t per_rank(const adder *a, app_enlarged_side side, int64_t value)
{
    const uint32_t ranks = a->programs[side].ranks;
    return ranks == a->e->ranks || ranks == 0
               ? value
               : (int64_t)llround((double)value / ranks * a->e->ranks);
}

/* @param base 0: what was recorded itself */
static void add_row(const adder *a, const char *what, bool is_time,
                    const int64_t value[APP_ENLARGED_SIDES], int64_t base)
{
    app_enlarged_row row = {.what = g_strdup(what), .is_time = is_time};
    const int64_t recorded = value[APP_ENLARGED_RECORDED];
    bool is_there = false;
    base = base > 0 ? base : recorded;
    for (int s = 0; s < APP_ENLARGED_SIDES; s++) {
        const int64_t by = value[s] - recorded;
        row.value[s] = value[s];
        row.off[s] = by == 0 ? 0 : base > 0 ? (double)by / (double)base : INFINITY;
        is_there = is_there || value[s] != 0;
    }
    if (is_there) {
        g_array_append_val(a->e->rows, row);
    } else {
        g_free(row.what);
    }
}

typedef uint64_t count_of(const app_enlarged_call *call);

static uint64_t calls_of(const app_enlarged_call *call)
{
    return call->calls;
}

static uint64_t messages_of(const app_enlarged_call *call)
{
    return call->messages;
}

static uint64_t bytes_of(const app_enlarged_call *call)
{
    return call->bytes;
}

static void add_of_call(const adder *a, const char *name, const char *what, count_of *count)
{
    int64_t value[APP_ENLARGED_SIDES] = {0};
    for (int s = 0; s < APP_ENLARGED_SIDES; s++) {
        const GPtrArray *calls = a->programs[s].calls;
        for (guint i = 0; calls != NULL && i < calls->len; i++) {
            const app_enlarged_call *call = g_ptr_array_index(calls, i);
            if (g_str_equal(call->name, name)) {
                value[s] = per_rank(a, (app_enlarged_side)s, (int64_t)count(call));
            }
        }
    }
    g_autofree char *text = g_strdup_printf("%s: %s", name, what);
    add_row(a, text, false, value, 0);
}

/* Of each name that one of the three has. */
static void add_calls(const adder *a)
{
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    for (int s = 0; s < APP_ENLARGED_SIDES; s++) {
        const GPtrArray *calls = a->programs[s].calls;
        for (guint i = 0; calls != NULL && i < calls->len; i++) {
            const app_enlarged_call *call = g_ptr_array_index(calls, i);
            if (g_hash_table_add(known, call->name)) {
                add_of_call(a, call->name, "calls", calls_of);
                add_of_call(a, call->name, "messages", messages_of);
                add_of_call(a, call->name, "bytes", bytes_of);
            }
        }
    }
}

static void add_path(const adder *a)
{
    static const struct {
        const char *what;
        size_t at;
    } PARTS[] = {
        {"path: compute", offsetof(sim_breakdown, compute)},
        {"path: o", offsetof(sim_breakdown, o)},
        {"path: O", offsetof(sim_breakdown, O)},
        {"path: L", offsetof(sim_breakdown, L)},
        {"path: g/G", offsetof(sim_breakdown, gap)},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(PARTS); i++) {
        int64_t value[APP_ENLARGED_SIDES];
        for (int s = 0; s < APP_ENLARGED_SIDES; s++) {
            value[s] =
                *(const sim_time *)(const void *)((const char *)&a->programs[s].path + PARTS[i].at);
        }
        add_row(a, PARTS[i].what, true, value, a->programs[APP_ENLARGED_RECORDED].makespan);
    }
}

static void add_rows(const adder *a)
{
    int64_t messages[APP_ENLARGED_SIDES];
    int64_t bytes[APP_ENLARGED_SIDES];
    int64_t compute[APP_ENLARGED_SIDES];
    int64_t makespan[APP_ENLARGED_SIDES];
    for (int s = 0; s < APP_ENLARGED_SIDES; s++) {
        const app_enlarged_program *p = &a->programs[s];
        messages[s] = per_rank(a, (app_enlarged_side)s, (int64_t)p->messages);
        bytes[s] = per_rank(a, (app_enlarged_side)s, (int64_t)p->bytes);
        compute[s] = per_rank(a, (app_enlarged_side)s, p->compute);
        makespan[s] = p->makespan;
    }
    add_row(a, "messages", false, messages, 0);
    add_row(a, "bytes", false, bytes, 0);
    add_calls(a);
    add_row(a, "compute, all ranks", true, compute, 0);
    add_row(a, "makespan", true, makespan, 0);
    add_path(a);
}

static void find_worst(app_enlarged *e)
{
    for (guint i = 0; i < e->rows->len; i++) {
        const app_enlarged_row *row = &g_array_index(e->rows, app_enlarged_row, i);
        if (e->worst == NULL || fabs(row->off[e->judged]) > fabs(e->worst->off[e->judged])) {
            e->worst = row;
        }
    }
}

/* ---- the whole ----------------------------------------------------------------------------- */

static bool measure_recorded(app_enlarged *e, const app_enlarged_request *r,
                             app_enlarged_program *program, GError **error)
{
    g_autoptr(app_manifest) aside = app_manifest_new("schedule", (char *[]){NULL});
    g_autoptr(app_source) small = open_record(r, APP_ENLARGED_COPIES, NULL, aside, error);
    g_autoptr(app_source) large =
        small != NULL ? open_record(r, APP_ENLARGED_RECORDED, NULL, aside, error) : NULL;
    if (large == NULL) {
        return false;
    }
    e->program = g_strdup(app_source_description(small));
    e->small_ranks = app_source_own_ranks(small);
    e->ranks = app_source_own_ranks(large);
    if (e->ranks < e->small_ranks) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--validate: '%s' has %u ranks, '%s' only %u: the smaller record comes first",
                    r->small, e->small_ranks, r->large, e->ranks);
        return false;
    }
    e->copies_ranks = nearest_multiple(e->ranks, e->small_ranks);
    return app_enlarged_program_measure(program, large, e->ranks, r->params, r->threads, error);
}

static bool measure_all(app_enlarged *e, const app_enlarged_request *r, app_manifest *manifest,
                        app_enlarged_program *programs, GError **error)
{
    g_autoptr(app_manifest) aside = app_manifest_new("schedule", (char *[]){NULL});
    return measure_recorded(e, r, &programs[APP_ENLARGED_RECORDED], error) &&
           enlarge(e, r, APP_ENLARGED_REGRIDDED, manifest, &programs[APP_ENLARGED_REGRIDDED],
                   error) &&
           enlarge(e, r, APP_ENLARGED_COPIES, aside, &programs[APP_ENLARGED_COPIES], error);
}

app_enlarged *app_enlarged_new(const app_enlarged_request *request, app_manifest *manifest,
                               GError **error)
{
    g_autoptr(app_enlarged) e = g_new0(app_enlarged, 1);
    app_enlarged_program programs[APP_ENLARGED_SIDES] = {{0}};
    e->tolerance = request->tolerance;
    e->rows = g_array_new(FALSE, FALSE, sizeof(app_enlarged_row));
    g_array_set_clear_func(e->rows, row_clear);
    const bool ok = measure_all(e, request, manifest, programs, error);
    if (ok) {
        const adder a = {e, programs};
        e->judged = e->refusal[APP_ENLARGED_REGRIDDED] == NULL ? APP_ENLARGED_REGRIDDED
                                                               : APP_ENLARGED_COPIES;
        add_rows(&a);
        find_worst(e);
    }
    for (int s = 0; s < APP_ENLARGED_SIDES; s++) {
        app_enlarged_program_clear(&programs[s]);
    }
    return ok ? g_steal_pointer(&e) : NULL;
}

void app_enlarged_free(app_enlarged *e)
{
    if (e == NULL) {
        return;
    }
    for (int s = 0; s < APP_ENLARGED_SIDES; s++) {
        g_free(e->refusal[s]);
    }
    g_array_unref(e->rows);
    g_free(e->small_grid);
    g_free(e->large_grid);
    g_free(e->program);
    g_free(e);
}

bool app_enlarged_holds(const app_enlarged *e)
{
    return e->worst == NULL || fabs(e->worst->off[e->judged]) <= e->tolerance;
}
