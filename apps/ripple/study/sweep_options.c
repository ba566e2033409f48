/* apps/ripple/study/sweep_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_sweep, cli_sweep_errors. */
#include "study/sweep_options.h"

#include "output/error.h"
#include "study/sweep_file.h"
#include "study/sweep_shipped.h"

#include <string.h>

void app_sweep_options_add(app_sweep_options *self, app_options *options)
{
    const GOptionEntry entries[] = {
        {"sweep", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->sweep,
         "vary a parameter over a list, e.g. noise=altix,jaguar, or a range: L=1us..100us/log:10, "
         "ranks=2^6..2^20/x4, o=0..4us/5, seed=1..9/+1; may be repeated: all combinations",
         "NAME=VALUES"},
        {"seed", 0, 0, G_OPTION_ARG_STRING, &self->seed, "seed of all random numbers [1]", "N"},
        {NULL},
    };
    app_options_add(options, "Sweep", entries);
    app_program_options_add(&self->program, options);
    app_machine_options_add(&self->machine, options);
    app_place_options_add(&self->places, options);
    app_noise_options_add(&self->noise, true, options);
}

void app_sweep_options_clear(app_sweep_options *self)
{
    app_program_options_clear(&self->program);
    app_machine_options_clear(&self->machine);
    app_place_options_clear(&self->places);
    app_noise_options_clear(&self->noise);
    g_free(self->seed);
    g_strfreev(self->sweep);
}

static bool fix(app_sweep_study *study, app_parameter_id id, const char *text, const char *option,
                GError **error)
{
    return text == NULL || app_sweep_study_fix(study, id, text, option, error);
}

/* A list of sizes is an axis, as for simulate. */
static bool fix_ranks(app_sweep_study *study, const char *text, GError **error)
{
    if (text == NULL || (strchr(text, ',') == NULL && strstr(text, "..") == NULL)) {
        return fix(study, APP_PARAMETER_RANKS, text, "--ranks", error);
    }
    return app_sweep_study_vary(study, APP_PARAMETER_RANKS, text, "--ranks", error);
}

/* "resampled,seed=7" are two parameters. */
static bool fix_copies(app_sweep_study *study, const char *text, GError **error)
{
    static const char SEED[] = ",seed=";
    const char *seed = text != NULL ? strstr(text, SEED) : NULL;
    if (seed == NULL) {
        return fix(study, APP_PARAMETER_COPIES, text, "--copies", error);
    }
    g_autofree char *how = g_strndup(text, (gsize)(seed - text));
    return fix(study, APP_PARAMETER_COPIES, how, "--copies", error) &&
           fix(study, APP_PARAMETER_COPIES_SEED, seed + strlen(SEED), "--copies", error);
}

static bool fix_program(const app_program_options *o, app_sweep_study *study, GError **error)
{
    return fix_ranks(study, o->ranks, error) &&
           fix(study, APP_PARAMETER_COLL, o->coll, "--coll", error) &&
           fix(study, APP_PARAMETER_COMPUTE, o->compute, "--compute", error) &&
           fix(study, APP_PARAMETER_P2P, o->no_p2p ? "no" : NULL, "--no-p2p", error) &&
           fix(study, APP_PARAMETER_COLLECTIVES, o->no_collectives ? "no" : NULL,
               "--no-collectives", error) &&
           fix(study, APP_PARAMETER_ROOTS, o->roots, "--roots", error) &&
           fix_copies(study, o->copies, error) &&
           fix(study, APP_PARAMETER_EXTRAPOLATE, o->larger.extrapolate, "--extrapolate", error) &&
           fix(study, APP_PARAMETER_GRID, o->larger.grid, "--grid", error) &&
           fix(study, APP_PARAMETER_EXPLAINED, o->larger.explained, "--explained", error) &&
           fix(study, APP_PARAMETER_SCALING, o->larger.scaling, "--scaling", error) &&
           fix(study, APP_PARAMETER_FIT, o->larger.fit, "--fit", error) &&
           fix(study, APP_PARAMETER_WILDCARDS, o->wildcards, "--wildcards", error) &&
           fix(study, APP_PARAMETER_REDUCE, o->reduce, "--reduce", error) &&
           fix(study, APP_PARAMETER_REPEAT, o->repeat, "--repeat", error);
}

/* Take "NAME=TEXT" apart. */
static bool split(const char *option, const char *assignment, app_parameter_id *id,
                  const char **text, GError **error)
{
    const char *equals = strchr(assignment, '=');
    if (equals == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "%s: '%s' is not of the form NAME=%s",
                    option, assignment, strcmp(option, "--set") == 0 ? "VALUE" : "VALUES");
        return false;
    }
    g_autofree char *name = g_strndup(assignment, (gsize)(equals - assignment));
    *id = app_parameter_find(name, error);
    if (*id == APP_NUM_PARAMETERS) {
        app_error_blame_option(error, option);
        return false;
    }
    *text = equals + 1;
    return true;
}

static bool fix_machine(const app_machine_options *o, app_sweep_study *study, GError **error)
{
    if (!fix(study, APP_PARAMETER_MACHINE, o->machine, "--machine", error)) {
        return false;
    }
    for (char **s = o->set; s != NULL && *s != NULL; s++) {
        app_parameter_id id;
        const char *text;
        if (!split("--set", *s, &id, &text, error)) {
            return false;
        }
        if (id < APP_PARAMETER_L || id > APP_PARAMETER_NODE_H) {
            g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                        "--set: '%s' is not a parameter of a machine", app_parameters[id].name);
            return false;
        }
        if (!app_sweep_study_fix(study, id, text, "--set", error)) {
            return false;
        }
    }
    return true;
}

static bool fix_noise(const app_noise_options *o, app_sweep_study *study, GError **error)
{
    const char *sigma = o->cosched != NULL && o->cosched[0] != '\0' ? o->cosched : NULL;
    return fix(study, APP_PARAMETER_NOISE, o->noise, "--noise", error) &&
           fix(study, APP_PARAMETER_WITHOUT, o->without, "--without", error) &&
           fix(study, APP_PARAMETER_COSCHED, o->cosched != NULL ? "yes" : NULL, "--cosched",
               error) &&
           fix(study, APP_PARAMETER_SIGMA, sigma, "--cosched", error) &&
           fix(study, APP_PARAMETER_REPLICAS, o->replicas, "--replicas", error) &&
           fix(study, APP_PARAMETER_ACCEPT_INVALID, o->accept_invalid ? "yes" : NULL,
               "--accept-invalid", error);
}

static bool fix_places(const app_place_options *o, app_sweep_study *study, GError **error)
{
    return fix(study, APP_PARAMETER_RANKS_PER_NODE, o->ranks_per_node, "--ranks-per-node", error) &&
           fix(study, APP_PARAMETER_PLACEMENT, o->placement, "--placement", error) &&
           fix(study, APP_PARAMETER_THREADS_PER_RANK, o->threads_per_rank, "--threads-per-rank",
               error) &&
           fix(study, APP_PARAMETER_CORES_PER_NODE, o->cores_per_node, "--cores-per-node", error);
}

static bool vary(char **sweep, app_sweep_study *study, GError **error)
{
    for (; sweep != NULL && *sweep != NULL; sweep++) {
        app_parameter_id id;
        const char *text;
        if (!split("--sweep", *sweep, &id, &text, error)) {
            return false;
        }
        if (study->origin[id] != NULL && g_str_has_prefix(study->origin[id], "--")) {
            g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--sweep: %s was said before, by %s",
                        app_parameters[id].name, study->origin[id]);
            return false;
        }
        if (!app_sweep_study_vary(study, id, text, "--sweep", error)) {
            return false;
        }
    }
    return true;
}

app_sweep_study *app_sweep_options_resolve(const app_sweep_options *self,
                                           const char *file_or_program, GError **error)
{
    const bool shipped = file_or_program != NULL && app_sweep_is_shipped(file_or_program);
    const bool file = shipped || (file_or_program != NULL && app_sweep_file_probe(file_or_program));
    g_autoptr(app_sweep_study) study = shipped ? app_sweep_shipped(file_or_program, error)
                                       : file  ? app_sweep_file_read(file_or_program, error)
                                               : app_sweep_study_new();
    if (study == NULL) {
        return NULL;
    }
    if (!file && file_or_program != NULL &&
        !app_sweep_study_fix(study, APP_PARAMETER_PROGRAM, file_or_program, "PROGRAM", error)) {
        return NULL;
    }
    if (!fix_program(&self->program, study, error) || !fix_machine(&self->machine, study, error) ||
        !fix_noise(&self->noise, study, error) || !fix_places(&self->places, study, error) ||
        !fix(study, APP_PARAMETER_SEED, self->seed, "--seed", error) ||
        !vary(self->sweep, study, error) || !app_sweep_study_check_doubles(study, error)) {
        return NULL;
    }
    if (!file && file_or_program != NULL && study->swept[APP_PARAMETER_PROGRAM] != NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "'%s' and --sweep program=%s: the program is said twice", file_or_program,
                    study->swept[APP_PARAMETER_PROGRAM]);
        return NULL;
    }
    if (!file && study->axes->len == 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "nothing is varied: give a study file, or --sweep");
        return NULL;
    }
    return g_steal_pointer(&study);
}
