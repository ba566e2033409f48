/* apps/ripple/study/sweep_setup.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_sweep, cli_sweep_errors. */
#include "study/sweep_setup.h"

#include "options/machine_options.h"
#include "options/place_options.h"
#include "output/error.h"
#include "sim/unit.h"
#include "study/sweep_program.h"

#include <string.h>

#define NOTHING "none"     /* to leave out */
enum { MOST_NOISES = 64 }; /* kept at once; a trace of detours takes a few megabytes */

struct app_sweep_maker {
    char *source_key;
    app_source *source;
    char *program; /* its text, with the bytes asked for */
    char *machine_key;
    sim_machine *machine;
    app_places *places; /* of the last point */
    GHashTable *noises; /* by their texts: of app_noise */
    app_sweep_setup setup;
};

static void noise_free(gpointer data)
{
    app_noise_clear(data);
    g_free(data);
}

app_sweep_maker *app_sweep_maker_new(void)
{
    app_sweep_maker *m = g_new0(app_sweep_maker, 1);
    m->noises = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, noise_free);
    return m;
}

static void forget_effective(app_sweep_maker *m)
{
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        g_free(m->setup.effective[id].text);
        m->setup.effective[id] = (app_sweep_value){0};
    }
}

static void drop_source(app_sweep_maker *m)
{
    app_source_free(m->source);
    m->source = NULL;
    g_clear_pointer(&m->source_key, g_free);
    g_clear_pointer(&m->program, g_free);
}

static void drop_machine(app_sweep_maker *m)
{
    sim_machine_free(m->machine);
    m->machine = NULL;
    g_clear_pointer(&m->machine_key, g_free);
}

void app_sweep_maker_free(app_sweep_maker *m)
{
    if (m != NULL) {
        drop_source(m);
        drop_machine(m);
        app_places_free(m->places);
        g_hash_table_unref(m->noises);
        forget_effective(m);
        g_free(m);
    }
}

/* The values of parameters first..last as one text: equal texts, equal things. */
static char *key_of(const char *const values[], app_parameter_id first, app_parameter_id last)
{
    GString *key = g_string_new(NULL);
    for (int id = (int)first; id <= (int)last; id++) {
        g_string_append_printf(key, "%s\n", values[id] != NULL ? values[id] : "");
    }
    return g_string_free(key, FALSE);
}

char *app_sweep_source_key(const char *const values[APP_NUM_PARAMETERS])
{
    const char *others[APP_NUM_PARAMETERS];
    memcpy(others, values, sizeof others);
    others[APP_PARAMETER_RANKS] = NULL; /* a source can be had at any size */
    return key_of(others, APP_PARAMETER_PROGRAM, APP_PARAMETER_REDUCE);
}

static bool is_no(const char *value)
{
    return value != NULL && strcmp(value, "no") == 0;
}

/* As --copies has it; owned by the caller. */
static char *copies_text(const char *const values[])
{
    const char *copies = values[APP_PARAMETER_COPIES];
    const char *seed = values[APP_PARAMETER_COPIES_SEED];
    return g_strcmp0(copies, "resampled") == 0 && seed != NULL
               ? g_strdup_printf("%s,seed=%s", copies, seed)
               : g_strdup(copies);
}

static bool make_source(app_sweep_maker *m, const char *const values[], GError **error)
{
    g_autofree char *key = app_sweep_source_key(values);
    if (g_strcmp0(key, m->source_key) == 0) {
        return true;
    }
    drop_source(m);
    m->program = app_sweep_program_text(values, error);
    if (m->program == NULL) {
        return false;
    }
    g_auto(GStrv) texts = g_new0(char *, APP_NUM_PARAMETERS + 1); /* the options' own */
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        texts[id] = g_strdup(values[id] != NULL ? values[id] : "");
    }
    g_autofree char *copies = copies_text(values);
#define OPTION(id) (values[id] != NULL ? texts[id] : NULL)
    const app_program_options options = {
        .copies = copies,
        .coll = OPTION(APP_PARAMETER_COLL),
        .compute = OPTION(APP_PARAMETER_COMPUTE),
        .roots = OPTION(APP_PARAMETER_ROOTS),
        .larger = {.extrapolate = OPTION(APP_PARAMETER_EXTRAPOLATE),
                   .grid = OPTION(APP_PARAMETER_GRID),
                   .explained = OPTION(APP_PARAMETER_EXPLAINED),
                   .scaling = OPTION(APP_PARAMETER_SCALING),
                   .fit = OPTION(APP_PARAMETER_FIT)},
        .wildcards = OPTION(APP_PARAMETER_WILDCARDS),
        .reduce = OPTION(APP_PARAMETER_REDUCE),
        .repeat = OPTION(APP_PARAMETER_REPEAT),
        .no_p2p = is_no(values[APP_PARAMETER_P2P]),
        .no_collectives = is_no(values[APP_PARAMETER_COLLECTIVES]),
        .of_study = true,
    };
#undef OPTION
    char *nothing[] = {NULL};
    g_autoptr(app_manifest) manifest = app_manifest_new("sweep", nothing);
    m->source = app_source_open(m->program, &options, false, manifest, error);
    if (m->source == NULL) {
        return false;
    }
    m->source_key = g_steal_pointer(&key);
    return true;
}

static bool make_machine(app_sweep_maker *m, const char *const values[], GError **error)
{
    g_autofree char *key = key_of(values, APP_PARAMETER_MACHINE, APP_PARAMETER_NODE_H);
    if (g_strcmp0(key, m->machine_key) == 0) {
        return true;
    }
    drop_machine(m);
    g_autofree char *name = g_strdup(values[APP_PARAMETER_MACHINE]);
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (int id = APP_PARAMETER_L; id <= APP_PARAMETER_NODE_H; id++) {
        if (values[id] != NULL) {
            g_autofree char *set = g_strconcat(app_parameters[id].name, "=", values[id], NULL);
            g_strv_builder_add(builder, set);
        }
    }
    g_auto(GStrv) set = g_strv_builder_end(builder);
    const app_machine_options options = {.machine = name, .set = set};
    char *nothing[] = {NULL};
    g_autoptr(app_manifest) manifest = app_manifest_new("sweep", nothing);
    m->machine = app_machine_options_resolve(&options, manifest, error);
    if (m->machine == NULL) {
        return false;
    }
    m->machine_key = g_steal_pointer(&key);
    return true;
}

static bool make_places(app_sweep_maker *m, const char *const values[], GError **error)
{
    g_auto(GStrv) texts = g_new0(char *, 5); /* the options' own */
    for (int i = 0; i < 4; i++) {
        const char *value = values[APP_PARAMETER_RANKS_PER_NODE + i];
        texts[i] = g_strdup(value != NULL ? value : "");
    }
#define OPTION(id) (values[id] != NULL ? texts[(id)-APP_PARAMETER_RANKS_PER_NODE] : NULL)
    const app_place_options options = {
        .ranks_per_node = OPTION(APP_PARAMETER_RANKS_PER_NODE),
        .placement = OPTION(APP_PARAMETER_PLACEMENT),
        .threads_per_rank = OPTION(APP_PARAMETER_THREADS_PER_RANK),
        .cores_per_node = OPTION(APP_PARAMETER_CORES_PER_NODE),
        .of_study = true,
    };
#undef OPTION
    app_places_free(m->places);
    m->places = app_place_options_resolve(&options, m->machine, &m->setup.ranks, 1, error);
    return m->places != NULL;
}

static bool make_noise(app_sweep_maker *m, const char *const values[], uint64_t seed,
                       GError **error)
{
    g_autofree char *key = key_of(values, APP_PARAMETER_NOISE, APP_PARAMETER_SEED);
    app_noise *known = g_hash_table_lookup(m->noises, key);
    m->setup.noise = known;
    if (known != NULL) {
        known->places = m->places;
        return true;
    }
    if (g_hash_table_size(m->noises) >= MOST_NOISES) {
        g_hash_table_remove_all(m->noises);
    }
    const char *cosched = values[APP_PARAMETER_COSCHED];
    const char *sigma = values[APP_PARAMETER_SIGMA];
    const bool together = cosched != NULL && !is_no(cosched);
    g_autofree char *noise = g_strdup(values[APP_PARAMETER_NOISE]);
    g_autofree char *error_of_clock = together ? g_strdup(sigma != NULL ? sigma : "") : NULL;
    g_autofree char *replicas = g_strdup(values[APP_PARAMETER_REPLICAS]);
    const char *without = values[APP_PARAMETER_WITHOUT];
    const bool some = without != NULL && !g_str_equal(without, NOTHING);
    g_autofree char *left_out = some ? g_strdup(without) : NULL;
    const char *accept = values[APP_PARAMETER_ACCEPT_INVALID];
    const app_noise_options options = {.noise = noise,
                                       .without = left_out,
                                       .cosched = error_of_clock,
                                       .replicas = replicas,
                                       .accept_invalid = accept != NULL && !is_no(accept),
                                       .of_study = true};
    char *nothing[] = {NULL};
    g_autoptr(app_manifest) manifest = app_manifest_new("sweep", nothing);
    g_auto(app_noise) resolved = {0};
    if (!app_noise_options_resolve(&options, m->places, NULL, 0, seed, manifest, &resolved,
                                   error)) {
        return false;
    }
    resolved.only_cosched = resolved.cosched;
    app_noise *kept = g_memdup2(&resolved, sizeof resolved);
    resolved.signature = NULL;
    g_hash_table_insert(m->noises, g_steal_pointer(&key), kept);
    m->setup.noise = kept;
    return true;
}

/* Check the size by the code that checks --ranks. */
static bool check_ranks(app_sweep_maker *m, const char *ranks, GError **error)
{
    m->setup.ranks = app_source_own_ranks(m->source);
    return (ranks == NULL || sim_unit_parse_count(ranks, &m->setup.ranks, error)) &&
           app_source_check_size(m->source, m->setup.ranks, error);
}

static void take_number(app_sweep_setup *s, app_parameter_id id, int64_t number)
{
    s->effective[id] = (app_sweep_value){.has = true, .number = number};
}

static void take_text(app_sweep_setup *s, app_parameter_id id, const char *text)
{
    s->effective[id] = (app_sweep_value){.has = true, .text = g_strdup(text)};
}

/* What was said of @p id, else what holds when nothing is said. */
static void take_said(app_sweep_setup *s, const char *const values[], app_parameter_id id,
                      const char *standard)
{
    const char *text = values[id] != NULL ? values[id] : standard;
    int64_t number;
    if (!app_parameter_is_number(id)) {
        take_text(s, id, text);
    } else if (app_parameter_parse(id, text, &number, NULL)) {
        take_number(s, id, number);
    }
}

/* The grid at this size, found or said; how much of the messages it has to explain. */
static void take_grid(app_sweep_maker *m, const char *const values[])
{
    app_sweep_setup *s = &m->setup;
    g_autofree char *grid = app_source_grid_option(m->source, s->ranks);
    take_text(s, APP_PARAMETER_GRID, grid);
    take_said(s, values, APP_PARAMETER_EXPLAINED, "100%");
    take_said(s, values, APP_PARAMETER_SCALING, "weak");
    if (values[APP_PARAMETER_FIT] != NULL) {
        take_said(s, values, APP_PARAMETER_FIT, "");
    }
}

static void take_program(app_sweep_maker *m, const char *const values[])
{
    app_sweep_setup *s = &m->setup;
    const app_source_kind kind = app_source_get_kind(m->source);
    take_text(s, APP_PARAMETER_PROGRAM, m->program);
    take_number(s, APP_PARAMETER_RANKS, s->ranks);
    int64_t bytes;
    if (kind == APP_SOURCE_COLLECTIVE && app_sweep_size_part(m->program, &bytes) != NULL) {
        take_number(s, APP_PARAMETER_BYTES, bytes);
    }
    if (values[APP_PARAMETER_INTERVAL] != NULL) {
        take_said(s, values, APP_PARAMETER_INTERVAL, "");
    }
    if (kind == APP_SOURCE_TRACE) {
        take_said(s, values, APP_PARAMETER_COMPUTE, "cpu");
        take_said(s, values, APP_PARAMETER_P2P, "yes");
        take_said(s, values, APP_PARAMETER_COLLECTIVES, "yes");
        if (!app_source_is_regridded(m->source)) {
            take_said(s, values, APP_PARAMETER_ROOTS, "global");
        }
        take_said(s, values, APP_PARAMETER_COPIES, "recorded");
        if (app_source_is_resampled(m->source)) {
            take_said(s, values, APP_PARAMETER_COPIES_SEED, "1");
        }
        take_said(s, values, APP_PARAMETER_EXTRAPOLATE, "blocks");
        if (app_source_is_regridded(m->source)) {
            take_grid(m, values);
        }
        take_said(s, values, APP_PARAMETER_WILDCARDS, "keep");
    }
    take_said(s, values, APP_PARAMETER_REPEAT, "1");
    if (kind != APP_SOURCE_GOAL) {
        take_said(s, values, APP_PARAMETER_COLL, "sc10");
        take_said(s, values, APP_PARAMETER_REDUCE, "0");
    }
}

static void take_machine(app_sweep_maker *m, const char *const values[])
{
    app_sweep_setup *s = &m->setup;
    take_text(s, APP_PARAMETER_MACHINE, m->machine->name);
    if (values[APP_PARAMETER_DISTANCE] != NULL && m->machine->distance == NULL) {
        take_text(s, APP_PARAMETER_DISTANCE, values[APP_PARAMETER_DISTANCE]); /* none */
    }
    for (int key = 0; key < SIM_KEY_CALLS; key++) { /* these are no parameters */
        const app_parameter_id id = (app_parameter_id)(APP_PARAMETER_L + key);
        g_autofree char *text = sim_machine_format_value(m->machine, (sim_key)key);
        int64_t number;
        if (text == NULL || (key == SIM_KEY_L_HOP && m->machine->distance == NULL)) {
            continue;
        }
        if (!app_parameter_is_number(id)) {
            take_text(s, id, text);
        } else if (app_parameter_parse(id, text, &number, NULL)) {
            take_number(s, id, number);
        }
    }
}

static void take_noise(app_sweep_maker *m, const char *const values[])
{
    app_sweep_setup *s = &m->setup;
    const app_noise *noise = s->noise;
    const char *text = noise_signature_text(noise->signature);
    take_text(s, APP_PARAMETER_NOISE, text);
    if (values[APP_PARAMETER_WITHOUT] != NULL && !g_str_equal(text, "none")) {
        take_text(s, APP_PARAMETER_WITHOUT, values[APP_PARAMETER_WITHOUT]);
    }
    if (app_noise_is_some(noise)) {
        take_text(s, APP_PARAMETER_COSCHED, noise->cosched ? "yes" : "no");
        if (noise->cosched) {
            take_number(s, APP_PARAMETER_SIGMA, noise->sigma);
        }
        take_number(s, APP_PARAMETER_REPLICAS, noise->replicas);
    }
    if (noise->invalid) {
        take_text(s, APP_PARAMETER_ACCEPT_INVALID, "yes");
    }
    take_number(s, APP_PARAMETER_SEED, (int64_t)s->seed);
}

/* What changes nothing is not there: app_place_options_finish(). */
static void take_places(app_sweep_maker *m)
{
    app_sweep_setup *s = &m->setup;
    const app_places *p = m->places;
    const bool noisy = app_noise_is_some(s->noise);
    if (!noisy && !app_places_have_levels(p)) {
        return;
    }
    take_number(s, APP_PARAMETER_RANKS_PER_NODE, p->ranks_per_node);
    if (p->ranks_per_node > 1 || p->kind == SIM_PLACEMENT_LIST) {
        take_text(s, APP_PARAMETER_PLACEMENT, app_places_kind(p));
    }
    if (noisy) {
        take_number(s, APP_PARAMETER_THREADS_PER_RANK, p->threads_per_rank);
    }
    if (noisy && p->cores_per_node > 0) {
        take_number(s, APP_PARAMETER_CORES_PER_NODE, p->cores_per_node);
    }
}

const app_sweep_setup *app_sweep_make(app_sweep_maker *m,
                                      const char *const values[APP_NUM_PARAMETERS], GError **error)
{
    app_sweep_setup *s = &m->setup;
    forget_effective(m);
    int64_t seed = 1;
    if (values[APP_PARAMETER_SEED] != NULL &&
        !app_parameter_parse(APP_PARAMETER_SEED, values[APP_PARAMETER_SEED], &seed, error)) {
        return NULL;
    }
    s->seed = (uint64_t)seed;
    if (!make_source(m, values, error) || !check_ranks(m, values[APP_PARAMETER_RANKS], error) ||
        !make_machine(m, values, error) || !app_source_take_calls(m->source, m->machine, error) ||
        !make_places(m, values, error) || !make_noise(m, values, s->seed, error)) {
        return NULL;
    }
    s->source = m->source;
    s->machine = m->machine;
    s->places = m->places;
    s->cosched = app_noise_is_some(s->noise) && s->noise->cosched;
    take_program(m, values);
    take_machine(m, values);
    take_noise(m, values);
    take_places(m);
    return s;
}

/* The option of simulate that a parameter of the program goes by; NULL: none. */
static const char *option_of(app_parameter_id id)
{
    static const char *const OPTIONS[APP_NUM_PARAMETERS] = {
        [APP_PARAMETER_REPEAT] = "--repeat",
        [APP_PARAMETER_COLL] = "--coll",
        [APP_PARAMETER_COMPUTE] = "--compute",
        [APP_PARAMETER_P2P] = "--no-p2p",
        [APP_PARAMETER_COLLECTIVES] = "--no-collectives",
        [APP_PARAMETER_ROOTS] = "--roots",
        [APP_PARAMETER_COPIES] = "--copies",
        [APP_PARAMETER_COPIES_SEED] = "--copies",
        [APP_PARAMETER_EXTRAPOLATE] = "--extrapolate",
        [APP_PARAMETER_GRID] = "--grid",
        [APP_PARAMETER_EXPLAINED] = "--explained",
        [APP_PARAMETER_SCALING] = "--scaling",
        [APP_PARAMETER_FIT] = "--fit",
        [APP_PARAMETER_WILDCARDS] = "--wildcards",
        [APP_PARAMETER_REDUCE] = "--reduce",
    };
    return OPTIONS[id];
}

static const char *place_is_idle(const app_sweep_setup *s, app_parameter_id id)
{
    const bool listed = s->places->kind == SIM_PLACEMENT_LIST;
    if (id == APP_PARAMETER_RANKS_PER_NODE && listed) {
        return "with a placement from a file";
    }
    if (id == APP_PARAMETER_PLACEMENT && !listed && s->places->ranks_per_node == 1) {
        return "with one rank on a node";
    }
    return app_noise_is_some(s->noise) || app_places_have_levels(s->places)
               ? NULL
               : "without noise, on a machine without [node] and distance";
}

const char *app_sweep_setup_ignores(const app_sweep_setup *s, app_parameter_id id)
{
    const char *option = option_of(id);
    const char *idle = option != NULL ? app_source_ignores(s->source, option) : NULL;
    if (idle != NULL) {
        return idle;
    }
    const bool of_place = id == APP_PARAMETER_RANKS_PER_NODE || id == APP_PARAMETER_PLACEMENT;
    if (of_place) {
        return place_is_idle(s, id);
    }
    if (id == APP_PARAMETER_WITHOUT) {
        return s->effective[id].has ? NULL : "without noise";
    }
    if (id >= APP_PARAMETER_COSCHED && id != APP_PARAMETER_ACCEPT_INVALID &&
        !app_noise_is_some(s->noise)) {
        return "without noise";
    }
    if (id == APP_PARAMETER_L_HOP && s->machine->distance == NULL) {
        return "without distance";
    }
    if (id == APP_PARAMETER_THREADS_PER_RANK || id == APP_PARAMETER_CORES_PER_NODE) {
        return id == APP_PARAMETER_CORES_PER_NODE ? app_place_cores_idle(s->noise->signature)
                                                  : app_place_threads_idle(s->noise->signature);
    }
    if (id == APP_PARAMETER_SIGMA && !s->noise->cosched) {
        return "without cosched=yes";
    }
    if (id == APP_PARAMETER_ACCEPT_INVALID && !s->noise->invalid) {
        return "without a measurement that is not valid";
    }
    const bool of_larger = id >= APP_PARAMETER_ROOTS && id <= APP_PARAMETER_FIT;
    if (id == APP_PARAMETER_COPIES_SEED && !s->effective[id].has) {
        return "without copies=resampled";
    }
    if (of_larger && s->ranks == app_source_own_ranks(s->source)) {
        return "on a trace that is not repeated";
    }
    return s->effective[id].has ? NULL : "on this program";
}
