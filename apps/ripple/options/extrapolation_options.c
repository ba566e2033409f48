/* apps/ripple/options/extrapolation_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_option_effects, cli_regrid. */
#include "options/extrapolation_options.h"

#include "output/error.h"

#include <string.h>

void app_extrapolation_options_add(app_extrapolation_options *self, app_options *options)
{
    const GOptionEntry entries[] = {
        {"extrapolate", 0, 0, G_OPTION_ARG_STRING, &self->extrapolate,
         "more ranks than were recorded: copies side by side, or a larger grid with partners and "
         "borders of its own [blocks]",
         "blocks|regrid"},
        {"grid", 0, 0, G_OPTION_ARG_STRING, &self->grid,
         "the grid that was recorded, which of its dimensions are periodic, the one it grows to, "
         "and by which seed recorded ranks are chosen to be followed; each may be left out "
         "[found; as even as can be; seed 1]",
         "4x4x4,periodic=yyn,to=8x8x8,seed=N"},
        {"explained", 0, 0, G_OPTION_ARG_STRING, &self->explained,
         "share of the messages that the grid must explain; the others are named and left out "
         "[100%]",
         "PERCENT"},
        {"scaling", 0, 0, G_OPTION_ARG_STRING, &self->scaling,
         "on a larger grid: each rank has as much to do, or all of them together have [weak]",
         "weak|strong"},
        {"fit", 0, 0, G_OPTION_ARG_STRING, &self->fit,
         "with --scaling=strong: more records of the same problem on other numbers of ranks, from "
         "which computation at each call site is fitted over the volume and the surface of a "
         "rank's part [it shrinks with the volume]",
         "RECORD,..."},
        {NULL},
    };
    app_options_add(options, "Extrapolation", entries);
}

void app_extrapolation_options_clear(app_extrapolation_options *self)
{
    g_free(self->extrapolate);
    g_free(self->grid);
    g_free(self->explained);
    g_free(self->scaling);
    g_free(self->fit);
}

bool app_extrapolation_refuse_idle(const app_extrapolation_options *self, const char *idle,
                                   GError **error)
{
    const app_option_use uses[] = {
        {"--extrapolate", self->extrapolate != NULL, idle},
        {"--grid", self->grid != NULL, idle},
        {"--explained", self->explained != NULL, idle},
        {"--scaling", self->scaling != NULL, idle},
        {"--fit", self->fit != NULL, idle},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error);
}

static bool refuse(const char *text, const char *why, GError **error)
{
    g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--grid: '%s': %s", text, why);
    return false;
}

static bool parse_extents(const char *text, sched_grid *grid, GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, "x", -1);
    const guint n = g_strv_length(words);
    uint64_t ranks = 1;
    if (n == 0 || n > SCHED_REGRID_DIMS) {
        return refuse(text, "a grid has one to four extents: 4x4x4", error);
    }
    for (guint d = 0; d < n; d++) {
        guint64 extent;
        if (!g_ascii_string_to_unsigned(words[d], 10, 1, INT32_MAX, &extent, NULL) ||
            extent > INT32_MAX / ranks) {
            return refuse(text, "extents are whole numbers above 0, of 2^31 - 1 ranks at most",
                          error);
        }
        ranks *= extent;
        grid->extent[d] = (uint32_t)extent;
    }
    grid->num_dims = n;
    return true;
}

static bool parse_periods(const char *text, sched_regrid_options *out, GError **error)
{
    const size_t n = strlen(text);
    if (out->grid.num_dims == 0) {
        return refuse(text, "periodic= needs the grid before it: 4x4x4,periodic=yyn", error);
    }
    if (n != out->grid.num_dims || strspn(text, "yn") != n) {
        return refuse(text, "y or n is needed for each dimension: periodic=yyn", error);
    }
    for (size_t d = 0; d < n; d++) {
        out->grid.periodic[d] = text[d] == 'y';
    }
    out->periodic_given = true;
    return true;
}

static bool parse_grid(const char *text, app_extrapolation *out, GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    for (size_t i = 0; words[i] != NULL; i++) {
        const char *word = words[i];
        const char *value = strchr(word, '=') != NULL ? strchr(word, '=') + 1 : word;
        bool ok = true;
        if (g_str_has_prefix(word, "periodic=")) {
            ok = parse_periods(value, &out->recognise, error);
        } else if (g_str_has_prefix(word, "to=")) {
            ok = parse_extents(value, &out->target.grid, error);
        } else if (g_str_has_prefix(word, "seed=")) {
            ok = g_ascii_string_to_unsigned(value, 10, 0, UINT64_MAX, &out->target.seed, NULL) ||
                 refuse(word, "a seed is a whole number", error);
        } else {
            ok = parse_extents(word, &out->recognise.grid, error);
        }
        if (!ok) {
            return false;
        }
    }
    return true;
}

static bool parse_explained(const char *text, double *out, GError **error)
{
    char *end = NULL;
    const double percent = g_ascii_strtod(text, &end);
    if (end == text || strcmp(end, "%") != 0 || !(percent > 0 && percent <= 100)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--explained: '%s' is not a share above 0%%, up to 100%%", text);
        return false;
    }
    *out = percent / 100;
    return true;
}

bool app_extrapolation_parse(const app_extrapolation_options *self, app_extrapolation *out,
                             GError **error)
{
    static const char *const POLICIES[] = {"blocks", "regrid", NULL};
    static const char *const SCALINGS[] = {"weak", "strong", NULL};
    unsigned policy = 0;
    unsigned scaling = 0;
    *out = (app_extrapolation){.recognise = {.explain = 1}, .target = {.seed = 1}};
    if ((self->extrapolate != NULL &&
         !app_parse_choice("--extrapolate", self->extrapolate, POLICIES, &policy, error)) ||
        (self->scaling != NULL &&
         !app_parse_choice("--scaling", self->scaling, SCALINGS, &scaling, error)) ||
        (self->grid != NULL && !parse_grid(self->grid, out, error)) ||
        (self->explained != NULL &&
         !parse_explained(self->explained, &out->recognise.explain, error))) {
        return false;
    }
    out->regrid = policy == 1;
    out->target.strong = scaling == 1;
    return true;
}
