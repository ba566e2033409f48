/* apps/ripple/impact/mine_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_mine, test_option_effects. */
#include "impact/mine_options.h"

#include "options/extrapolation_options.h"
#include "output/error.h"
#include "sim/unit.h"

void app_mine_options_add(app_mine_options *self, app_options *options)
{
    const GOptionEntry entries[] = {
        {"mode", 0, 0, G_OPTION_ARG_STRING, &self->mode,
         "how to look: robust statistics with confidence, as published in 2009, or as the tool "
         "Projections does [modern]",
         "modern|paper|projections"},
        {"calls", 0, 0, G_OPTION_ARG_STRING, &self->calls,
         "MPI calls of a recorded run to look into, beside the computations between them: all of "
         "which is known how long they waited for others, those that wait for nobody, or none "
         "[all]",
         "all|local|none"},
        {"exemplars", 0, 0, G_OPTION_ARG_STRING, &self->exemplars,
         "print events of this row, counted from 1, or of all rows, with what went on around them; "
         "a "
         "simulated run is run once more for them",
         "ROW|all"},
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &self->report,
         "also write a page: the rows, and their events as small timelines; a simulated run is run "
         "once more for them",
         "FILE"},
        {"min-share", 0, 0, G_OPTION_ARG_STRING, &self->min_share,
         "mode modern: leave out what takes a smaller share of the run time [1e-4]", "SHARE"},
        {"min-count", 0, 0, G_OPTION_ARG_STRING, &self->min_count,
         "modes modern and projections: leave out what occurs less often [3; projections: 6]", "N"},
        {"quantum", 0, 0, G_OPTION_ARG_STRING, &self->quantum,
         "the scheduler's time slice, for the label internal or external [100ms]", "TIME"},
        {"cutoff", 0, 0, G_OPTION_ARG_STRING, &self->cutoff,
         "mode paper: leave out what has a smaller t_noise / period [0]; mode projections: what "
         "has "
         "no higher importance, t_noise / period * ln(t_noise / us) [0.8]",
         "RATIO"},
        {NULL},
    };
    app_single_options_add(&self->single, options);
    app_options_add(options, "Mining", entries);
    app_impact_options_add(&self->impact, options);
}

void app_mine_options_clear(app_mine_options *self)
{
    app_single_options_clear(&self->single);
    app_impact_options_clear(&self->impact);
    g_free(self->mode);
    g_free(self->calls);
    g_free(self->exemplars);
    g_free(self->report);
    g_free(self->min_share);
    g_free(self->min_count);
    g_free(self->quantum);
    g_free(self->cutoff);
}

static bool parse_ratio(const char *option, const char *text, double *out, GError **error)
{
    if (text == NULL) {
        return true;
    }
    char *end = NULL;
    const double value = g_ascii_strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0.0) || !(value <= 1.0)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "%s: '%s' is not a number from 0 to 1",
                    option, text);
        return false;
    }
    *out = value;
    return true;
}

static const char *const MODES[] = {"modern", "paper", "projections", NULL};

static const char *const CALLS[] = {"all", "local", "none", NULL};

static bool read_calls(const app_mine_options *self, app_calls *out, GError **error)
{
    unsigned calls = APP_CALLS_ALL;
    if (self->calls != NULL && !app_parse_choice("--calls", self->calls, CALLS, &calls, error)) {
        return false;
    }
    *out = (app_calls)calls;
    return true;
}

static bool read_options(const app_mine_options *self, noise_miner_options *o, GError **error)
{
    unsigned mode = NOISE_MINER_MODERN;
    if (self->mode != NULL && !app_parse_choice("--mode", self->mode, MODES, &mode, error)) {
        return false;
    }
    noise_miner_options_init(o, (noise_miner_mode)mode);
    if (!parse_ratio("--min-share", self->min_share, &o->min_share, error) ||
        !parse_ratio("--cutoff", self->cutoff, &o->cutoff, error)) {
        return false;
    }
    if (self->min_count != NULL &&
        !app_parse_unsigned("--min-count", self->min_count, 1, UINT64_MAX, &o->min_count, error)) {
        return false;
    }
    if (self->quantum != NULL && !sim_unit_parse_time(self->quantum, SIM_MS, &o->quantum, error)) {
        app_error_blame_option(error, "--quantum");
        return false;
    }
    return true;
}

static bool refuse_idle_in_mode(const app_mine_options *self, noise_miner_mode mode, GError **error)
{
    const char *in_paper = mode == NOISE_MINER_PAPER ? "with --mode=paper" : NULL;
    const char *in_projections =
        mode == NOISE_MINER_PROJECTIONS ? "with --mode=projections" : in_paper;
    const char *in_modern =
        mode == NOISE_MINER_MODERN ? "without --mode=paper or --mode=projections" : NULL;
    const app_option_use uses[] = {
        {"--min-share", self->min_share != NULL, in_projections},
        {"--min-count", self->min_count != NULL, in_paper},
        {"--cutoff", self->cutoff != NULL, in_modern},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error);
}

/* "3", or "all", or nothing. */
static bool read_row(const app_mine_options *self, app_mine_wish *wish, GError **error)
{
    wish->shows = self->exemplars != NULL;
    wish->row = 0;
    return !wish->shows || g_str_equal(self->exemplars, "all") ||
           app_parse_unsigned("--exemplars", self->exemplars, 1, UINT32_MAX, &wish->row, error);
}

bool app_mine_options_resolve(const app_mine_options *self, app_manifest *manifest,
                              app_mine_wish *wish, GError **error)
{
    return read_options(self, &wish->miner, error) && read_calls(self, &wish->calls, error) &&
           refuse_idle_in_mode(self, wish->miner.mode, error) && read_row(self, wish, error) &&
           app_impact_options_resolve(&self->impact, manifest, &wish->impact, error);
}

void app_mine_options_note(const app_mine_wish *wish, bool calls, app_manifest *manifest)
{
    const noise_miner_options *o = &wish->miner;
    if (calls) {
        app_manifest_add(manifest, "calls", "%s", CALLS[wish->calls]);
    }
    g_autofree char *quantum = sim_unit_format_time(o->quantum);
    app_manifest_add(manifest, "mode", "%s", MODES[o->mode]);
    if (o->mode == NOISE_MINER_MODERN) {
        app_manifest_add(manifest, "min-share", "%g", o->min_share);
    }
    if (o->mode != NOISE_MINER_PAPER) {
        app_manifest_add(manifest, "min-count", "%" G_GUINT64_FORMAT, o->min_count);
    }
    app_manifest_add(manifest, "quantum", "%s", quantum);
    if (o->mode != NOISE_MINER_MODERN) {
        app_manifest_add(manifest, "cutoff", "%g", o->cutoff);
    }
}

bool app_mine_options_refuse_program(const app_mine_options *self, bool seed_given,
                                     const char *idle, GError **error)
{
    const app_option_use uses[] = {
        {"--noise", self->single.noise.noise != NULL, idle},
        {"--ranks", self->single.program.ranks != NULL, idle},
        {"--repeat", self->single.program.repeat != NULL, idle},
        {"--calls", self->calls != NULL, idle},
        {"--exemplars", self->exemplars != NULL, idle},
        {"--impact", self->impact.impact != NULL, idle},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error) &&
           app_mine_options_refuse_on_record(self, seed_given, error);
}

/* What is said of a simulated run, where there is none. */
bool app_mine_options_refuse_on_record(const app_mine_options *self, bool seed_given,
                                       GError **error)
{
    static const char *const IDLE =
        "on a recorded run; --noise, --ranks or --repeat make it a simulated one";
    const char *const idle = self->impact.impact == NULL ? IDLE : NULL;
    const bool repeated = self->impact.impact != NULL && self->impact.impact[0] != '\0';
    const app_program_options *p = &self->single.program;
    const app_machine_options *m = &self->single.machine;
    const app_option_use uses[] = {
        {"--coll", p->coll != NULL, idle},
        {"--compute", p->compute != NULL, idle},
        {"--no-p2p", p->no_p2p, idle},
        {"--no-collectives", p->no_collectives, idle},
        {"--roots", p->roots != NULL, repeated ? NULL : IDLE},
        {"--copies", p->copies != NULL, repeated ? NULL : IDLE},
        {"--wildcards", p->wildcards != NULL, idle},
        {"--reduce", p->reduce != NULL, idle},
        {"--machine", m->machine != NULL, idle},
        {"--set", m->set != NULL, idle},
        {"--without", self->single.noise.without != NULL, IDLE},
        {"--cosched", self->single.noise.cosched != NULL, IDLE},
        {"--ranks-per-node", self->single.places.ranks_per_node != NULL, idle},
        {"--placement", self->single.places.placement != NULL, idle},
        {"--threads-per-rank", self->single.places.threads_per_rank != NULL, idle},
        {"--cores-per-node", self->single.places.cores_per_node != NULL, idle},
        {"--accept-invalid", self->single.noise.accept_invalid, IDLE},
        {"--seed", seed_given, idle},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error) &&
           app_extrapolation_refuse_idle(&p->larger, repeated ? NULL : IDLE, error);
}

bool app_mine_options_refuse_on_simulated(const app_mine_options *self, GError **error)
{
    const app_option_use uses[] = {
        {"--calls", self->calls != NULL, "on a simulated run"},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error);
}
