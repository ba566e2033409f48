/* apps/ripple/program/source_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_option_effects, cli_simulate_errors. */
#include "program/source_private.h"

#include "output/error.h"
#include "sim/unit.h"

#include <string.h>

/* Names of profiles have no '='; overrides have. */
static coll_profile *parse_profile(const char *text, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text != NULL ? text : "sc10", ",", 2);
    const bool named = parts[0] != NULL && strchr(parts[0], '=') == NULL;
    coll_profile *profile =
        named ? coll_profile_new(parts[0], parts[1], error) : coll_profile_new("sc10", text, error);
    if (profile == NULL) {
        app_error_blame_option(error, "--coll");
    }
    return profile;
}

static bool parse_flops(const app_program_options *options, sched_read_options *read,
                        GError **error)
{
    const double most = 1e24;
    const char *text = options->flops_per_second;
    char *end = NULL;
    read->flops_per_second = text != NULL ? g_ascii_strtod(text, &end) : 0;
    if (text != NULL && (end == text || *end != '\0' || !(read->flops_per_second > 0) ||
                         read->flops_per_second > most)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--flops-per-second: '%s' is not a number above 0, up to %g", text, most);
        return false;
    }
    return true;
}

/* recorded, or resampled with or without a seed */
static bool parse_copies(const char *text, sched_convert_options *convert, GError **error)
{
    static const char RESAMPLED[] = "resampled";
    static const char SEED[] = "resampled,seed=";
    const bool seeded = text != NULL && g_str_has_prefix(text, SEED);
    convert->resample_seed = 1;
    convert->resample = seeded || g_strcmp0(text, RESAMPLED) == 0;
    if (seeded && !g_ascii_string_to_unsigned(text + strlen(SEED), 10, 0, UINT64_MAX,
                                              &convert->resample_seed, NULL)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--copies: '%s': a seed is a whole number",
                    text);
        return false;
    }
    if (text != NULL && !convert->resample && !g_str_equal(text, "recorded")) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--copies: '%s' is none of recorded, resampled, resampled,seed=N", text);
        return false;
    }
    return true;
}

static bool parse_choices(const app_program_options *options, sched_convert_options *convert,
                          GError **error)
{
    static const char *const COMPUTE[] = {"cpu", "wall", NULL};
    static const char *const ROOTS[] = {"global", "copy", "replica",
                                        NULL}; /* the last: its old name */
    static const char *const WILDCARDS[] = {"keep", "recorded", NULL};
    unsigned compute = SCHED_COMPUTE_CPU;
    unsigned roots = SCHED_ROOT_GLOBAL;
    unsigned wildcards = SCHED_WILDCARD_KEEP;
    if ((options->compute != NULL &&
         !app_parse_choice("--compute", options->compute, COMPUTE, &compute, error)) ||
        (options->roots != NULL &&
         !app_parse_choice("--roots", options->roots, ROOTS, &roots, error)) ||
        (options->wildcards != NULL &&
         !app_parse_choice("--wildcards", options->wildcards, WILDCARDS, &wildcards, error))) {
        return false;
    }
    if (options->reduce != NULL && strcmp(options->reduce, "0") != 0 &&
        !sim_unit_parse_rate(options->reduce, &convert->reduce, error)) {
        app_error_blame_option(error, "--reduce");
        return false;
    }
    convert->copies = 1;
    convert->repeat = 1;
    const bool is_auto = options->may_be_auto && g_strcmp0(options->repeat, APP_REPEAT_AUTO) == 0;
    if (options->repeat != NULL && !is_auto &&
        !sim_unit_parse_count(options->repeat, &convert->repeat, error)) {
        app_error_blame_option(error, "--repeat");
        return false;
    }
    convert->compute = (sched_compute)compute;
    convert->roots = roots == SCHED_ROOT_GLOBAL ? SCHED_ROOT_GLOBAL : SCHED_ROOT_PER_COPY;
    convert->wildcards = (sched_wildcard)wildcards;
    convert->no_p2p = options->no_p2p;
    convert->no_collectives = options->no_collectives;
    return true;
}

bool app_source_take_options(app_source *s, const app_program_options *options, GError **error)
{
    s->coll = g_strdup(options->coll);
    s->recognised = options->recognised;
    s->fit = options->larger.fit != NULL ? g_strsplit(options->larger.fit, ",", -1) : NULL;
    s->profile = parse_profile(options->coll, error);
    s->convert.profile = s->profile;
    return s->profile != NULL && parse_choices(options, &s->convert, error) &&
           parse_copies(options->copies, &s->convert, error) &&
           parse_flops(options, &s->read, error) &&
           app_extrapolation_parse(&options->larger, &s->extrapolation, error);
}

/* Does the text of --coll say anything of a kind of collective? A profile says something of all. */
static bool names_kind(const char *coll, coll_kind kind)
{
    g_auto(GStrv) items = g_strsplit(coll != NULL ? coll : "sc10", ",", -1);
    for (size_t i = 0; items[i] != NULL; i++) {
        const char *sign = strchr(items[i], '=');
        g_autofree char *name = g_strndup(items[i], sign != NULL ? (gsize)(sign - items[i]) : 0);
        coll_kind named;
        if (sign == NULL || (coll_kind_parse(name, &named) && named == kind)) {
            return true;
        }
    }
    return false;
}

/* Does --coll say anything of a collective whose algorithm the pattern leaves open? */
static bool names_open_kind(const app_source *s)
{
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        if (sched_pattern_leaves_open(s->pattern, (coll_kind)kind) &&
            names_kind(s->coll, (coll_kind)kind)) {
            return true;
        }
    }
    return false;
}

const char *app_source_ignores(const app_source *s, const char *option)
{
    static const char *const KINDS[] = {"on a stored schedule", "on a trace", "on a collective",
                                        "on a pattern"};
    static const char *const TRACE[] = {
        "--compute",     "--no-p2p", "--no-collectives", "--roots",   "--copies", "--wildcards",
        "--extrapolate", "--grid",   "--explained",      "--scaling", "--fit",    NULL};
    static const char *const OF_GRIDS[] = {"--grid", "--explained", "--scaling", "--fit", NULL};
    static const char *const NOT_STORED[] = {"--coll", "--reduce", NULL};
    static const char *const OF_COLLECTIVES[] = {"--coll", "--reduce", "--roots", NULL};
    const bool of_trace = g_strv_contains(TRACE, option);
    if (strcmp(option, "--strict") == 0) {
        return s->is_goal_text ? NULL : "on what is not GOAL text";
    }
    if (strcmp(option, "--flops-per-second") == 0) {
        const bool takes_flops = s->reader != NULL && s->reader->takes_flops;
        const bool trace = s->kind == APP_SOURCE_TRACE;
        return takes_flops ? NULL
               : trace     ? "on a trace in which times stand, not flops"
                           : KINDS[s->kind];
    }
    if ((of_trace && s->kind != APP_SOURCE_TRACE) ||
        (g_strv_contains(NOT_STORED, option) && s->kind == APP_SOURCE_GOAL)) {
        return KINDS[s->kind];
    }
    if (s->kind == APP_SOURCE_COLLECTIVE) {
        const bool named = s->algorithm.how != NULL;
        if (strcmp(option, "--coll") == 0) {
            return named                               ? "on a collective whose algorithm is named"
                   : names_kind(s->coll, s->call.kind) ? NULL
                                                       : "on a collective that it does not name";
        }
        return strcmp(option, "--reduce") == 0 && !coll_kind_table[s->call.kind].combines
                   ? "on a collective that reduces nothing"
                   : NULL;
    }
    if (s->kind == APP_SOURCE_PATTERN) {
        if (strcmp(option, "--coll") == 0) {
            return names_open_kind(s) ? NULL : "on a pattern that leaves no such collective open";
        }
        return strcmp(option, "--reduce") == 0 && !sched_pattern_combines(s->pattern)
                   ? "on a pattern that reduces nothing"
                   : NULL;
    }
    if (!s->extrapolation.regrid && g_strv_contains(OF_GRIDS, option)) {
        return s->recognised && !g_str_equal(option, "--scaling") ? NULL
                                                                  : "without --extrapolate=regrid";
    }
    if (!s->recognised && !s->extrapolation.target.strong && g_str_equal(option, "--fit")) {
        return "without --scaling=strong";
    }
    if (s->extrapolation.regrid && g_str_equal(option, "--roots")) {
        return "with --extrapolate=regrid";
    }
    if (s->convert.no_collectives && g_strv_contains(OF_COLLECTIVES, option)) {
        return "with --no-collectives";
    }
    const bool finds_grid = s->extrapolation.regrid || s->recognised; /* in the messages */
    return s->convert.no_p2p && !finds_grid && strcmp(option, "--wildcards") == 0 ? "with --no-p2p"
                                                                                  : NULL;
}

bool app_source_refuse_idle(const app_source *s, const app_program_options *o, bool strict,
                            GError **error)
{
    app_option_use uses[] = {
        {"--coll", o->coll != NULL, NULL},
        {"--compute", o->compute != NULL, NULL},
        {"--no-p2p", o->no_p2p, NULL},
        {"--no-collectives", o->no_collectives, NULL},
        {"--roots", o->roots != NULL, NULL},
        {"--copies", o->copies != NULL, NULL},
        {"--wildcards", o->wildcards != NULL, NULL},
        {"--reduce", o->reduce != NULL, NULL},
        {"--repeat", o->repeat != NULL, NULL},
        {"--flops-per-second", o->flops_per_second != NULL, NULL},
        {"--strict", strict, NULL},
        {"--extrapolate", o->larger.extrapolate != NULL, NULL},
        {"--grid", o->larger.grid != NULL, NULL},
        {"--explained", o->larger.explained != NULL, NULL},
        {"--scaling", o->larger.scaling != NULL, NULL},
        {"--fit", o->larger.fit != NULL, NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(uses); i++) {
        uses[i].idle = app_source_ignores(s, uses[i].name);
    }
    return o->of_study || app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error);
}
