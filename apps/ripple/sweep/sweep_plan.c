/* apps/ripple/sweep/sweep_plan.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_database, cli_sweep. */
#include "sweep/sweep_plan.h"

#include "experiment/capacity.h"
#include "output/error.h"
#include "sweep/sweep_input.h"

#include <string.h>

/* The points being checked. */
typedef struct check {
    app_sweep_plan *plan;
    app_sweep_maker *maker;
    app_sweep_database *database;
    GHashTable *inputs;                   /* paths that are in the database */
    const app_source *source;             /* of the point before */
    uint32_t ranks;                       /* of the point before */
    uint64_t operations;                  /* of one run of the point before */
    bool effective[APP_NUM_PARAMETERS];   /* has the parameter an effect in some point? */
    const char *idle[APP_NUM_PARAMETERS]; /* why it has none */
} check;

void app_sweep_plan_free(app_sweep_plan *plan)
{
    if (plan != NULL) {
        g_free(plan->order);
        g_free(plan->work);
        g_clear_pointer(&plan->notices, g_array_unref);
        g_free(plan);
    }
}

static void blame_point(const app_sweep_plan *plan, size_t i, GError **error)
{
    g_autofree char *where = app_sweep_study_describe(plan->study, i);
    if (where[0] != '\0') {
        g_prefix_error(error, "point %zu (%s): ", i, where);
    }
}

const app_sweep_setup *app_sweep_plan_make(const app_sweep_plan *plan, size_t i,
                                           app_sweep_maker *maker, GError **error)
{
    const char *values[APP_NUM_PARAMETERS];
    app_sweep_study_point(plan->study, i, values);
    const app_sweep_setup *setup = app_sweep_make(maker, values, error);
    if (setup == NULL) {
        blame_point(plan, i, error);
    }
    return setup;
}

app_experiment app_sweep_plan_experiment(const app_sweep_setup *s, unsigned threads)
{
    return (app_experiment){
        .source = s->source,
        .sizes = &s->ranks,
        .num_sizes = 1,
        .params = &s->machine->params,
        .places = s->places,
        .noise = s->noise,
        .seed = s->seed,
        .threads = threads,
        .no_breakdown = true,
        .verb = "sweep",
    };
}

app_work app_sweep_plan_left(const app_sweep_plan *plan, const bool *left)
{
    app_work work = {0};
    for (size_t i = 0; i < plan->num_points; i++) {
        if (left[i]) {
            app_work_add(&work, &plan->work[i]);
        }
    }
    return work;
}

/* Points with the same program one after the other; among them as numbered. */
static void put_in_order(app_sweep_plan *plan)
{
    g_autoptr(GHashTable) firsts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) groups =
        g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref); /* of points */
    for (size_t i = 0; i < plan->num_points; i++) {
        const char *values[APP_NUM_PARAMETERS];
        app_sweep_study_point(plan->study, i, values);
        char *key = app_sweep_source_key(values);
        GArray *group = g_hash_table_lookup(firsts, key);
        if (group == NULL) {
            group = g_array_new(FALSE, FALSE, sizeof(size_t));
            g_ptr_array_add(groups, group);
            g_hash_table_insert(firsts, key, group);
        } else {
            g_free(key);
        }
        g_array_append_val(group, i);
    }
    size_t n = 0;
    for (guint g = 0; g < groups->len; g++) {
        const GArray *group = g_ptr_array_index(groups, g);
        memcpy(plan->order + n, group->data, group->len * sizeof *plan->order);
        n += group->len;
    }
}

/* Does the program fit at this size, and how much is there to do? */
static bool size_up(check *c, const app_sweep_setup *s, GError **error)
{
    if (c->source == s->source && c->ranks == s->ranks && !app_places_have_levels(s->places)) {
        return true;
    }
    if (!app_capacity_check(s->source, s->ranks, &s->machine->params, s->places,
                            s->noise->signature, 0, error)) {
        return false;
    }
    uint64_t operations = 0;
    if (app_source_program(s->source, s->ranks, error) == NULL ||
        !app_source_count(s->source, s->ranks, &operations, error)) {
        return false;
    }
    c->operations = operations;
    c->source = s->source;
    c->ranks = s->ranks;
    return true;
}

static bool add_input(check *c, const char *path, GError **error)
{
    if (!g_hash_table_add(c->inputs, g_strdup(path))) {
        return true;
    }
    g_autofree char *digest = app_sweep_input_digest(path, error);
    return digest != NULL && app_sweep_database_add_input(c->database, path, digest, error);
}

static bool add_inputs(check *c, const app_sweep_setup *s, GError **error)
{
    if (!app_source_is_computed(s->source) &&
        !add_input(c, s->effective[APP_PARAMETER_PROGRAM].text, error)) {
        return false;
    }
    const char *form = s->machine->distance;
    const char *network = form != NULL ? sim_distance_file(form) : NULL;
    if ((network != NULL && !add_input(c, network, error)) ||
        (s->places->file != NULL && !add_input(c, s->places->file, error))) {
        return false;
    }
    const noise_signature *signature = s->noise->signature;
    for (size_t i = 0; i < noise_signature_num_components(signature); i++) {
        const noise_provenance *p = noise_signature_begins_file(signature, i)
                                        ? noise_signature_component(signature, i)->provenance
                                        : NULL;
        if (p != NULL && (!add_input(c, p->path, error) ||
                          !app_sweep_database_add_measurement(c->database, p, error))) {
            return false;
        }
    }
    return true;
}

static void note(GArray *notices, const char *what, uint64_t count)
{
    for (guint i = 0; i < notices->len; i++) {
        app_sweep_notice *n = &g_array_index(notices, app_sweep_notice, i);
        if (strcmp(n->what, what) == 0) {
            n->count = MAX(n->count, count);
            n->points++;
            return;
        }
    }
    const app_sweep_notice new = {g_strdup(what), count, 1};
    g_array_append_val(notices, new);
}

/* What the point's program does not stand for. */
static void note_all(app_sweep_plan *plan, const app_sweep_setup *s)
{
    const GArray *notices = app_source_notices(s->source);
    for (guint i = 0; i < notices->len; i++) {
        const sched_notice *n = &g_array_index(notices, sched_notice, i);
        note(plan->notices, n->what, n->count);
    }
    const char *limit = app_source_limit(s->source, s->ranks);
    if (limit != NULL) {
        note(plan->notices, limit, s->ranks / app_source_own_ranks(s->source));
    }
}

static bool add_notices(const check *c, GError **error)
{
    for (guint i = 0; i < c->plan->notices->len; i++) {
        if (!app_sweep_database_add_notice(
                c->database, &g_array_index(c->plan->notices, app_sweep_notice, i), error)) {
            return false;
        }
    }
    return true;
}

static bool check_point(check *c, size_t i, GError **error)
{
    app_sweep_plan *plan = c->plan;
    const app_sweep_setup *s = app_sweep_plan_make(plan, i, c->maker, error);
    if (s == NULL) {
        return false;
    }
    if (!size_up(c, s, error)) {
        blame_point(plan, i, error);
        return false;
    }
    const app_experiment x = app_sweep_plan_experiment(s, 1);
    plan->work[i] = app_workload_at(&x, s->ranks, c->operations, app_workload_in_lanes(&x));
    note_all(plan, s);
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        c->idle[id] = app_sweep_setup_ignores(s, (app_parameter_id)id);
        c->effective[id] = c->effective[id] || c->idle[id] == NULL;
    }
    return c->database == NULL ||
           (add_inputs(c, s, error) &&
            app_sweep_database_add_point(c->database, i, s->effective, error));
}

/* What was said and changes nothing in any point is a mistake, not a wish. */
static bool refuse_idle(const check *c, GError **error)
{
    const app_sweep_study *study = c->plan->study;
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        if (study->origin[id] != NULL && !c->effective[id]) {
            g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "has no effect %s", c->idle[id]);
            app_sweep_study_blame(study->origin[id], (app_parameter_id)id, error);
            return false;
        }
    }
    return true;
}

app_sweep_plan *app_sweep_plan_new(const app_sweep_study *study, app_sweep_maker *maker,
                                   app_sweep_database *database, GError **error)
{
    g_autoptr(app_sweep_plan) plan = g_new0(app_sweep_plan, 1);
    plan->study = study;
    if (!app_sweep_study_count(study, &plan->num_points, error) ||
        (database != NULL && !app_sweep_database_begin(database, study, error))) {
        return NULL;
    }
    plan->order = g_new0(size_t, plan->num_points);
    plan->work = g_new(app_work, plan->num_points);
    plan->notices = app_sweep_notices_new();
    put_in_order(plan);
    g_autoptr(GHashTable) inputs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    check c = {.plan = plan, .maker = maker, .database = database, .inputs = inputs};
    for (size_t k = 0; k < plan->num_points; k++) {
        if (!check_point(&c, plan->order[k], error)) {
            return NULL;
        }
    }
    if (!refuse_idle(&c, error) ||
        (database != NULL &&
         (!add_notices(&c, error) || !app_sweep_database_commit(database, error)))) {
        return NULL;
    }
    return g_steal_pointer(&plan);
}
