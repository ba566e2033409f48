/* apps/ripple/scores/detect_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_option_effects, cli_detect. */
#include "scores/detect_options.h"

#include "output/error.h"
#include "output/output.h"
#include "scores/score.h"
#include "sim/unit.h"

void app_detect_options_add(app_detect_options *self, app_options *options)
{
    const GOptionEntry learning[] = {
        {"with", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->with,
         "a run that was disturbed, to choose thresholds by; may be given more than once", "RUN"},
        {"with-noise", 0, 0, G_OPTION_ARG_STRING, &self->with_noise,
         "simulate the first program under this noise, too: a disturbed run", "NOISE"},
        {"ref", 0, 0, G_OPTION_ARG_STRING, &self->ref,
         "with what a rank is compared: mean and standard deviation of all ranks, of those of "
         "other nodes, median and deviation of all ranks, or itself in the clean runs [loo; clean "
         "with fewer than 5 nodes]",
         "paper|loo|mad|clean"},
        {"match", 0, 0, G_OPTION_ARG_STRING, &self->match,
         "which calls are the same: those of one function and class of peer, or of one function "
         "[peer-class]",
         "peer-class|function"},
        {"rule", 0, 0, G_OPTION_ARG_STRING, &self->rule,
         "how thresholds are chosen by disturbed runs: so that no clean run exceeds them, or as "
         "published [gain]",
         "gain|paper"},
        {"min-length", 0, 0, G_OPTION_ARG_STRING, &self->min_length,
         "shortest typical sequence, in calls [2]", "CALLS"},
        {"sequences", 0, 0, G_OPTION_ARG_STRING, &self->sequences,
         "typical sequences, the longest ones, at most [8]", "N"},
        {"filter", 0, 0, G_OPTION_ARG_STRING, &self->filter,
         "do not look at occurrences that compute for less [0.5ms]", "TIME"},
        {NULL},
    };
    const GOptionEntry scoring[] = {
        {"alpha", 0, 0, G_OPTION_ARG_STRING, &self->alpha,
         "chance of a false alarm in a whole run that is accepted [0.001]", "P"},
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &self->report,
         "also write a page with figures into this folder", "FOLDER"},
        {"explain", 0, 0, G_OPTION_ARG_STRING, &self->explain,
         "also draw this rank of a record on a time line, where --page says", "RANK"},
        {"page", 0, 0, G_OPTION_ARG_FILENAME, &self->page, "the page of --explain", "FILE"},
        {NULL},
    };
    app_options_add(options, "Learning", learning);
    app_options_add(options, "Scoring", scoring);
    app_single_options_add(&self->single, options);
}

void app_detect_options_clear(app_detect_options *self)
{
    app_single_options_clear(&self->single);
    g_strfreev(self->with);
    g_free(self->with_noise);
    g_free(self->ref);
    g_free(self->match);
    g_free(self->rule);
    g_free(self->min_length);
    g_free(self->sequences);
    g_free(self->filter);
    g_free(self->alpha);
    g_free(self->report);
    g_free(self->explain);
    g_free(self->page);
}

static bool usage(GError **error, const char *text)
{
    g_set_error_literal(error, APP_ERROR, APP_ERROR_USAGE, text);
    return false;
}

app_run_options app_detect_options_runs(const app_detect_options *self)
{
    return (app_run_options){&self->single.program, &self->single.machine, &self->single.places,
                             &self->single.noise};
}

bool app_detect_options_action(const app_context *context, app_detect_action *out, GError **error)
{
    static const char *const WORDS[] = {"learn", "score", "show", NULL};
    for (unsigned i = 0; context->nargs > 0 && WORDS[i] != NULL; i++) {
        if (g_str_equal(context->args[0], WORDS[i])) {
            *out = (app_detect_action)i;
            return true;
        }
    }
    return usage(error, "what is to be done? learn, score or show");
}

/* Options of learning and of scoring, each where the other is asked for. */
static bool refuse_others(const app_detect_options *self, app_detect_action action, GError **error)
{
    const char *const learn = action == APP_DETECT_LEARN   ? NULL
                              : action == APP_DETECT_SCORE ? "on score: the model has it"
                                                           : "on show";
    const char *const score = action == APP_DETECT_SCORE   ? NULL
                              : action == APP_DETECT_LEARN ? "on learn"
                                                           : "on show";
    const bool disturbed = self->with != NULL || self->with_noise != NULL;
    const char *const rule = disturbed ? learn : "without --with or --with-noise";
    const app_option_use uses[] = {
        {"--with", self->with != NULL, learn},
        {"--with-noise", self->with_noise != NULL, learn},
        {"--ref", self->ref != NULL, learn},
        {"--match", self->match != NULL, learn},
        {"--rule", self->rule != NULL, rule},
        {"--min-length", self->min_length != NULL, learn},
        {"--sequences", self->sequences != NULL, learn},
        {"--filter", self->filter != NULL, learn},
        {"--alpha", self->alpha != NULL, score},
        {"--report", self->report != NULL, score},
        {"--explain", self->explain != NULL, score},
        {"--page", self->page != NULL, score},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error);
}

static bool check_show(const app_detect_options *self, const app_context *context, GError **error)
{
    static const char *const IDLE = "on show";
    const app_option_use uses[] = {
        {"--noise", self->single.noise.noise != NULL, IDLE},
        {"--ranks", self->single.program.ranks != NULL, IDLE},
        {"--repeat", self->single.program.repeat != NULL, IDLE},
        {"--ranks-per-node", self->single.places.ranks_per_node != NULL, IDLE},
        {"--placement", self->single.places.placement != NULL, IDLE},
    };
    const app_run_options how = app_detect_options_runs(self);
    if (context->nargs != 2) {
        return usage(error, "show: which model? One at a time");
    }
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error) &&
           app_run_options_refuse(&how, context->seed_given, IDLE, error);
}

static bool check_learn(const app_context *context, GError **error)
{
    if (context->nargs < 2) {
        return usage(error, "learn: which clean runs are to be learned from?");
    }
    if (context->output == NULL) {
        return usage(error, "learn: -o MODEL says where the model goes");
    }
    const app_output_place model = {"--output", context->output, true};
    return app_output_check(&model, context->nargs - 1, (const char *const *)context->args + 1,
                            error);
}

static bool check_score(const app_detect_options *self, const app_context *context, GError **error)
{
    if (context->nargs < 3) {
        return usage(error, "score: which model, and which runs?");
    }
    if (context->nargs > 3 && (self->report != NULL || self->explain != NULL)) {
        return usage(error, "--report and --explain: one run at a time");
    }
    if ((self->explain != NULL) != (self->page != NULL)) {
        return usage(error, "--explain and --page go together");
    }
    const char *const taken[] = {context->output, context->args[1], context->args[2]};
    const app_output_place page = {"--page", self->page, false};
    return self->page == NULL || app_output_check(&page, G_N_ELEMENTS(taken), taken, error);
}

bool app_detect_options_check(const app_detect_options *self, app_detect_action action,
                              const app_context *context, GError **error)
{
    return refuse_others(self, action, error) &&
           (action == APP_DETECT_LEARN   ? check_learn(context, error)
            : action == APP_DETECT_SCORE ? check_score(self, context, error)
                                         : check_show(self, context, error));
}

static const char *const MATCHES[] = {"peer-class", "function", NULL};
static const char *const RULES[] = {"gain", "paper", NULL};
static const char *const REFERENCES[] = {"paper", "loo", "mad", "clean", NULL};

static bool parse_count(const char *option, const char *text, uint64_t most, uint32_t *out,
                        GError **error)
{
    uint64_t value = 0;
    if (text == NULL) {
        return true;
    }
    if (!app_parse_unsigned(option, text, 1, most, &value, error)) {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

void app_detect_options_note(const app_detect_options *self, app_manifest *manifest)
{
    const struct {
        const char *key;
        const char *value;
    } given[] = {
        {"with-noise", self->with_noise}, {"ref", self->ref},
        {"match", self->match},           {"rule", self->rule},
        {"min-length", self->min_length}, {"sequences", self->sequences},
        {"filter", self->filter},
    };
    app_manifest_add(manifest, "run", "learn");
    for (size_t i = 0; i < G_N_ELEMENTS(given); i++) {
        if (given[i].value != NULL) {
            app_manifest_add(manifest, given[i].key, "%s", given[i].value);
        }
    }
}

bool app_detect_options_learning(const app_detect_options *self, app_learn_options *out,
                                 GError **error)
{
    app_learn_options *o = out;
    unsigned match = APP_MATCH_PEER_CLASS;
    unsigned reference = NOISE_REFERENCE_LOO;
    unsigned rule = 0;
    o->chooses = self->ref == NULL;
    o->filter = -1;
    if ((self->match != NULL &&
         !app_parse_choice("--match", self->match, MATCHES, &match, error)) ||
        (self->ref != NULL &&
         !app_parse_choice("--ref", self->ref, REFERENCES, &reference, error)) ||
        (self->rule != NULL && !app_parse_choice("--rule", self->rule, RULES, &rule, error)) ||
        !parse_count("--min-length", self->min_length, NOISE_SEQUENCES_LONGEST,
                     &o->sequences.min_length, error) ||
        !parse_count("--sequences", self->sequences, NOISE_SEQUENCES_MOST, &o->sequences.most,
                     error)) {
        return false;
    }
    if (self->filter != NULL && !sim_unit_parse_time(self->filter, SIM_MS, &o->filter, error)) {
        app_error_blame_option(error, "--filter");
        return false;
    }
    o->match = (app_match)match;
    o->reference = (noise_interference_reference)reference;
    o->paper_rule = rule == 1;
    return true;
}

bool app_detect_options_alpha(const app_detect_options *self, double *out, GError **error)
{
    double *alpha = out;
    *alpha = APP_SCORE_ALPHA;
    if (self->alpha == NULL) {
        return true;
    }
    char *end = NULL;
    *alpha = g_ascii_strtod(self->alpha, &end);
    if (end == self->alpha || *end != '\0' || !(*alpha > 0) || !(*alpha < 1)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--alpha: '%s' is not a number between 0 and 1", self->alpha);
        return false;
    }
    return true;
}
