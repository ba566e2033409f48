/* apps/ripple/view/view_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_view_run, test_wave_speed. */
#include "view/view_run.h"

#include "view/blocks.h"
#include "view/components.h"
#include "view/path.h"
#include "view/rank_ops.h"
#include "view/wave.h"

/* An arrival is later by one part in so many of the detour: less is rounding, or absorbed. */
enum { ARRIVAL_PART = 100 };

/* Everything about one picture. */
typedef struct viewing {
    const app_view_request *request;
    app_components components;
    app_one_detour one;
    const sim_noise *noise; /* of the run; NULL: none */
    app_picture *picture;
} viewing;

/* Which stretches a pass keeps, and what else it looks at. */
typedef struct pass {
    const bool *is_kept; /* NULL: of all ranks */
    size_t most_kept;
    bool is_first; /* heat, path, front, results */
    bool logs;
} pass;

typedef struct references {
    app_reference *ideal;
    app_reference *undisturbed; /* the same, or another */
} references;

static references begin_references(const viewing *v, bool is_first)
{
    const app_view_request *r = v->request;
    references refs = {0};
    if (v->noise != NULL) {
        refs.ideal = app_reference_new(r->program, r->params, r->levels, NULL);
    }
    if (r->detour != NULL && is_first) {
        refs.undisturbed = v->one.others != NULL
                               ? app_reference_new(r->program, r->params, r->levels, v->one.others)
                               : refs.ideal;
    }
    return refs;
}

static bool end_references(references *refs, sim_time *ideal, sim_time *undisturbed, GError **error)
{
    g_autoptr(sim_result) a = refs->ideal != NULL ? app_reference_finish(refs->ideal, error) : NULL;
    const bool is_other = refs->undisturbed != NULL && refs->undisturbed != refs->ideal;
    if (refs->ideal != NULL && a == NULL) {
        return false;
    }
    *ideal = a != NULL ? a->makespan : 0;
    *undisturbed = *ideal;
    if (is_other) {
        g_autoptr(sim_result) b = app_reference_finish(refs->undisturbed, error);
        *undisturbed = b != NULL ? b->makespan : 0;
        return b != NULL;
    }
    return true;
}

static void free_references(references *refs)
{
    if (refs->undisturbed != refs->ideal) {
        app_reference_free(refs->undisturbed);
    }
    app_reference_free(refs->ideal);
}

/* What is known of the makespan before the run. */
static sim_time shortest(const viewing *v, const references *refs)
{
    const app_view_request *r = v->request;
    const sim_time overhead =
        r->levels == NULL ? r->params->o : 0; /* within a node it may be less */
    const sim_time ideal = refs->ideal != NULL ? app_reference_makespan(refs->ideal) : 0;
    return MAX(ideal, app_rank_ops_work(r->program, 0, overhead));
}

static app_observer_options look_for(const viewing *v, const pass *p, const references *refs)
{
    const app_view_request *r = v->request;
    return (app_observer_options){
        .num_ranks = r->program->num_ranks,
        .noise = v->noise,
        .ideal = refs->ideal,
        .undisturbed = refs->undisturbed,
        .threshold = r->detour != NULL ? MAX(r->detour->length / ARRIVAL_PART, 1) : 0,
        .injected = r->detour != NULL ? r->detour->rank : APP_PICTURE_NONE,
        .maps_heat = p->is_first && !r->no_heat && v->noise != NULL,
        .makespan = p->is_first ? shortest(v, refs) : 0,
        .is_kept = p->is_kept,
        .from = p->is_kept != NULL ? r->from : 0, /* of all ranks all is kept */
        .to = p->is_kept != NULL && r->to > 0 ? r->to : SIM_TIME_MAX,
        .most_kept = p->most_kept,
        .logs = p->logs};
}

static void fill_results(viewing *v, const app_observer *o, const sim_result *result,
                         sim_time ideal, sim_time undisturbed)
{
    app_picture *picture = v->picture;
    const app_view_request *r = v->request;
    picture->num_ranks = r->program->num_ranks;
    picture->makespan = result->makespan;
    picture->ideal = v->noise != NULL ? ideal : result->makespan;
    picture->from = r->from;
    picture->to = r->to > 0 ? MIN(r->to, result->makespan) : result->makespan;
    if (o->heat != NULL) {
        picture->levels = app_heat_levels(o->heat, result->makespan, &picture->num_levels);
        app_picture_level few;
        if (app_heat_few(o->heat, result->makespan, &few)) {
            picture->few = g_memdup2(&few, sizeof few);
        }
    }
    for (uint32_t rank = 0; rank < picture->num_ranks; rank++) {
        for (int k = 0; k < APP_PICTURE_NUM_KINDS; k++) {
            picture->time[k] += o->ranks[rank].time[k];
        }
        picture->absorbed += o->ranks[rank].absorbed;
    }
    picture->further = o->further;
    picture->reordered = o->reordered;
    if (r->detour != NULL) {
        const app_wave_facts facts = {.num_ranks = picture->num_ranks,
                                      .detour = *r->detour,
                                      .arrivals = o->arrivals,
                                      .steps = (const sim_time *)(void *)o->steps->data,
                                      .num_steps = o->steps->len,
                                      .distance =
                                          app_rank_ops_distance(r->program, r->detour->rank),
                                      .finish_delay = result->makespan - undisturbed};
        picture->injection = app_wave_fit(&facts);
    }
}

static bool make_run(viewing *v, const pass *p, const references *refs, app_observer *o,
                     sim_run_record *record, GError **error)
{
    const app_view_request *r = v->request;
    const sim_run_options options = {.noise = v->noise,
                                     .levels = r->levels,
                                     .sink = &o->sink,
                                     .record = record,
                                     .watch = r->watch,
                                     .threads = r->threads};
    g_autoptr(sim_result) result = sim_run(r->program, r->params, &options, error);
    sim_time ideal = 0;
    sim_time undisturbed = 0;
    references all = *refs;
    if (result == NULL || !end_references(&all, &ideal, &undisturbed, error)) {
        return false;
    }
    app_observer_gather(o);
    if (p->is_first) {
        fill_results(v, o, result, ideal, undisturbed);
    }
    return record == NULL || app_path_fill(v->picture, record, error);
}

/* Run it, and what it is compared with. */
static bool make_pass(viewing *v, const pass *p, app_observer *o, GError **error)
{
    const app_view_request *r = v->request;
    g_autoptr(sim_run_record) record = NULL;
    if (p->is_first && !r->no_path && r->num_ops <= APP_VIEW_PATH_OPS) {
        record = sim_run_record_spill(error);
        if (record == NULL) {
            return false;
        }
    }
    references refs = begin_references(v, p->is_first);
    const app_observer_options options = look_for(v, p, &refs);
    app_observer_init(o, &options);
    const bool ok = make_run(v, p, &refs, o, record, error);
    free_references(&refs);
    return ok;
}

static void name_components(viewing *v)
{
    app_picture *p = v->picture;
    const bool injected = v->request->detour != NULL;
    p->num_components = v->components.n + injected;
    p->components = g_new0(app_picture_component, p->num_components + 1);
    for (size_t i = 0; i < v->components.n; i++) {
        p->components[i].name =
            noise_component_label(noise_signature_component(v->components.signature, i));
    }
    if (injected) {
        p->components[v->components.n].name = g_strdup("injected");
    }
}

static bool *mark(const uint32_t *ranks, uint32_t n, uint32_t num_ranks)
{
    bool *marks = g_new0(bool, num_ranks);
    for (uint32_t i = 0; i < n; i++) {
        marks[ranks[i]] = true;
    }
    return marks;
}

/* Where what has been logged goes. */
typedef struct again {
    app_observer *observer;
    app_blocks *blocks;
    const bool *is_lane;
} again;

static void take_logged(const app_observed_stretch *stretch, void *user)
{
    const again *a = user;
    if (a->is_lane[stretch->rank]) {
        app_observer_keep(a->observer, stretch);
    }
    app_blocks_add(a->blocks, stretch);
}

static bool *with_blocks(const bool *is_lane, const app_blocks *blocks, uint32_t ranks)
{
    bool *wanted = g_memdup2(is_lane, ranks * sizeof *is_lane);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        wanted[rank] = wanted[rank] || app_blocks_has(blocks, rank);
    }
    return wanted;
}

/*
 * Nobody knew which ranks would be the worst: their stretches come from the log; where that has
 * failed, from the run once more, without blocks.
 */
static bool look_again(viewing *v, app_observer *first, const bool *is_lane, app_blocks *blocks,
                       app_observer *second, GError **error)
{
    const app_view_request *r = v->request;
    const uint32_t ranks = r->program->num_ranks;
    app_observer_options options = first->options;
    options.ideal = NULL; /* they ended with the run, and what is logged is not compared again */
    options.undisturbed = NULL;
    options.is_kept = is_lane;
    options.from = r->from;
    options.to = r->to > 0 ? r->to : SIM_TIME_MAX;
    options.most_kept = APP_VIEW_KEPT_OF_LANES;
    options.maps_heat = false;
    options.logs = false;
    app_observer_init(second, &options);
    memcpy(second->ranks, first->ranks, ranks * sizeof *second->ranks);
    again a = {second, blocks, is_lane};
    g_autofree bool *wanted = with_blocks(is_lane, blocks, ranks);
    if (app_observer_read_logs(first, wanted, take_logged, &a)) {
        app_observer_gather(second);
        app_blocks_fill(blocks, v->picture);
        return true;
    }
    app_observer_clear(second);
    const pass p = {is_lane, APP_VIEW_KEPT_OF_LANES, false, false};
    return make_pass(v, &p, second, error);
}

static void fill_blocks(viewing *v, const app_observer *o, app_blocks *blocks)
{
    for (guint i = 0; i < o->kept->len; i++) {
        app_blocks_add(blocks, &g_array_index(o->kept, app_observed_stretch, i));
    }
    app_blocks_fill(blocks, v->picture);
}

/* Where a row of the heat map is many ranks, and the stretches of all of them are to be had. */
static void choose_blocks(const viewing *v, const app_observer *first, const uint32_t *lanes,
                          uint32_t n, app_blocks *blocks)
{
    const app_picture *p = v->picture;
    const bool are_all = first->options.logs || (first->options.is_kept == NULL &&
                                                 first->kept_all && first->kept->len > 0);
    const bool are_many = p->num_levels > 0 && p->levels[0].ranks_per_row > 1;
    app_blocks_choose(blocks, first, lanes, n, are_all && are_many ? APP_MOST_BLOCKS : 0, v->noise);
}

static bool fill_lanes(viewing *v, app_observer *first, GError **error)
{
    const app_view_request *r = v->request;
    uint32_t n = r->num_lanes;
    g_autofree uint32_t *worst = r->lanes == NULL ? app_lanes_worst(first, r->num_lanes, &n) : NULL;
    const uint32_t *chosen = r->lanes != NULL ? r->lanes : worst;
    g_auto(app_observer) second = {0};
    g_auto(app_blocks) blocks = {0};
    const app_observer *o = first;
    g_autofree bool *is_lane = mark(chosen, n, r->program->num_ranks);
    choose_blocks(v, first, chosen, n, &blocks);
    if (!first->options.logs) {
        fill_blocks(v, first, &blocks);
    } else if (look_again(v, first, is_lane, &blocks, &second, error)) {
        o = &second;
    } else {
        return false;
    }
    name_components(v);
    const app_lane_noise noise = {.all = v->noise,
                                  .components = v->components.hooks,
                                  .num_components = v->components.n,
                                  .injected = r->detour};
    g_auto(app_causes) causes = {0};
    g_auto(app_ripples) ripples = {0};
    const bool knows = o == first && first->options.is_kept == NULL && first->kept_all &&
                       v->noise != NULL && first->further == 0;
    if (knows) {
        const app_observed_stretch *s = (const app_observed_stretch *)(void *)first->kept->data;
        app_causes_find(s, first->kept->len, r->program->num_ranks, &causes);
        app_ripples_fill(&ripples, v->picture, is_lane, s, first->kept->len, &causes);
    }
    if (knows && r->with_cones) {
        app_ripples_fill_cones(&ripples, v->picture);
    }
    app_lanes_fill(v->picture, o, chosen, n, &noise, knows ? &ripples : NULL, r->program);
    return true;
}

app_picture *app_view_run(const app_view_request *r, GError **error)
{
    const uint32_t ranks = r->program->num_ranks;
    viewing v = {.request = r, .picture = g_new0(app_picture, 1)};
    g_autoptr(app_picture) picture = v.picture;
    g_auto(app_observer) first = {0};
    app_components_init(&v.components, r->signature, &r->injection, ranks);
    v.noise = v.components.all != NULL ? noise_injection_hook(v.components.all) : NULL;
    if (r->detour != NULL) {
        v.one = app_one_detour_of(r->detour, v.noise);
        v.noise = &v.one.noise;
    }
    g_autofree bool *named = r->lanes != NULL ? mark(r->lanes, r->num_lanes, ranks) : NULL;
    const bool keeps_all = r->num_lanes > 0 && r->num_ops <= APP_VIEW_KEPT_OF_ALL;
    const bool logs = named == NULL && !keeps_all && r->num_lanes > 0;
    const pass p = {keeps_all ? NULL : named,
                    keeps_all       ? APP_VIEW_KEPT_OF_ALL
                    : named != NULL ? APP_VIEW_KEPT_OF_LANES
                                    : 0,
                    true, logs};
    const bool ok = app_components_split(&v.components, error) &&
                    make_pass(&v, &p, &first, error) && fill_lanes(&v, &first, error);
    app_components_clear(&v.components);
    return ok ? g_steal_pointer(&picture) : NULL;
}
