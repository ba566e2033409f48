/* apps/ripple/options/noise_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate, cli_simulate_errors. */
#include "options/noise_options.h"

#include "output/error.h"
#include "sim/unit.h"

enum { DEFAULT_REPLICAS = 10, MAX_REPLICAS = 1000000 };

static const char *cosched_help(const app_noise_options *self, bool replicas)
{
    if (self->standard != NULL) {
        return "clock error of co-scheduled noise, which strikes all nodes at once: standard "
               "deviation SIGMA [0]";
    }
    return replicas
               ? "co-scheduled noise as well: it strikes all nodes at once, with a clock error "
                 "of standard deviation SIGMA [0]"
               : "co-scheduled noise: it strikes all nodes at once, with a clock error of "
                 "standard deviation SIGMA [0]";
}

void app_noise_options_add(app_noise_options *self, bool replicas, app_options *options)
{
    g_autofree char *presets = app_join(noise_presets(), ", ");
    g_autofree const char **names = noise_signature_models();
    g_autofree char *models = app_join((const char *const *)names, ", ");
    const char *help = app_options_keep(
        options, g_strdup_printf(
                     "noise on each rank: none, a file of detours, a preset (%s), or a model "
                     "(%s), e.g. fixed:1kHz:100us, poisson:20s:2.5ms, slow:3%%; several joined by "
                     "'+', each followed by @ and whom it strikes: core (every core on its own, "
                     "as without), node (one core of each node at a time), node-fixed (always "
                     "the same one), node-all (all together), one of these on some nodes "
                     "(node:17), or ranks (0-1023/64); +drift=PPM lets the nodes' clocks drift "
                     "apart, and periodic noise with them [%s]",
                     presets, models, self->standard != NULL ? self->standard : "none"));
    const GOptionEntry entries[] = {
        {"noise", 'n', 0, G_OPTION_ARG_STRING, &self->noise, help, "none|FILE|PRESET|MODEL"},
        {"without", 0, 0, G_OPTION_ARG_STRING, &self->without,
         "leave these components of the noise out: everything is drawn as with them, then they are "
         "not there; by the text of each, or by the name of a preset or file",
         "NAME,..."},
        {"cosched", 0, 0, G_OPTION_ARG_STRING, &self->cosched, cosched_help(self, replicas),
         "[=SIGMA]"},
        {"accept-invalid", 0, 0, G_OPTION_ARG_NONE, &self->accept_invalid,
         "take a file of detours although its measurement is not valid; results say so", NULL},
        {replicas ? "replicas" : NULL, 'r', 0, G_OPTION_ARG_STRING, &self->replicas,
         "runs with noise, each with other offsets; --repeat=auto: at first, at most [10]", "N"},
        {NULL},
    };
    self->single = !replicas;
    app_options_add(options, "Noise", entries);
}

void app_noise_options_clear(app_noise_options *self)
{
    g_free(self->noise);
    g_free(self->without);
    g_free(self->cosched);
    g_free(self->replicas);
}

static bool parse_count(const char *option, const char *text, uint32_t standard, uint32_t *out,
                        GError **error)
{
    *out = standard;
    if (text != NULL && !sim_unit_parse_count(text, out, error)) {
        app_error_blame_option(error, option);
        return false;
    }
    return true;
}

void app_noise_add_measurement(const noise_provenance *p, unsigned number, app_manifest *manifest)
{
    g_autofree char *verdict = noise_provenance_verdict(p);
    g_autofree char *length = sim_unit_format_time(p->length);
    g_autofree char *runs = g_strdup_printf("%zu", p->num_runs);
    const char *const values[][2] = {
        {"file", p->path},   {"verdict", verdict}, {"length", length},    {"runs", runs},
        {"clock", p->clock}, {"host", p->host},    {"kernel", p->kernel},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        g_autofree char *key = number > 1 ? g_strdup_printf("detours%u-%s", number, values[i][0])
                                          : g_strconcat("detours-", values[i][0], NULL);
        app_manifest_add(manifest, key, "%s", values[i][1] != NULL ? values[i][1] : "unknown");
    }
}

void app_noise_add_measurements(const noise_signature *signature, app_manifest *manifest)
{
    unsigned number = 0;
    for (size_t i = 0; i < noise_signature_num_components(signature); i++) {
        const noise_component *c = noise_signature_component(signature, i);
        if (noise_signature_begins_file(signature, i)) {
            app_noise_add_measurement(c->provenance, ++number, manifest);
        }
    }
}

static void add_to_manifest(const app_noise *noise, bool single, app_manifest *manifest)
{
    app_manifest_add(manifest, "noise", "%s", noise_signature_text(noise->signature));
    if (!app_noise_is_some(noise)) {
        return;
    }
    g_autofree char *sigma = sim_unit_format_time(noise->sigma);
    app_manifest_add(manifest, "cosched", "%s", noise->cosched ? sigma : "no");
    if (!single) {
        app_manifest_add(manifest, "replicas", "%u", noise->replicas);
    }
    if (noise->invalid) {
        app_manifest_add(manifest, "accept-invalid", "yes");
    }
    app_noise_add_measurements(noise->signature, manifest);
}

/* Is there a rank, or node, for every component, in the largest program at least? */
static bool check_ranks(const app_noise *noise, const uint32_t *sizes, size_t num_sizes,
                        GError **error)
{
    const noise_signature *signature = noise->signature;
    uint32_t largest = 0;
    for (size_t i = 0; i < num_sizes; i++) {
        largest = MAX(largest, sizes[i]);
    }
    for (size_t i = 0; largest > 0 && i < noise_signature_num_components(signature); i++) {
        const noise_component *c = noise_signature_component(signature, i);
        uint32_t first = c->scope == NOISE_SCOPE_ALL ? 0 : UINT32_MAX;
        for (uint32_t k = 0; k < c->num_ranges; k++) {
            first = MIN(first, c->ranges[k].first);
        }
        const bool of_nodes = c->scope == NOISE_SCOPE_NODES;
        const uint32_t there = of_nodes ? app_noise_placement(noise, largest).num_nodes : largest;
        /* Of more nodes than are simulated some stand for none. */
        if (first >= there && c->num_nodes == 1) {
            g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                        "--noise: '%s' is on no %s before %u, and there are %u %ss", c->name,
                        of_nodes ? "node" : "rank", first, there, of_nodes ? "node" : "rank");
            return false;
        }
    }
    return true;
}

/* The first measurement that says itself that it is not valid; or NULL. */
static const noise_provenance *invalid_one(const noise_signature *signature)
{
    for (size_t i = 0; i < noise_signature_num_components(signature); i++) {
        const noise_provenance *p = noise_signature_component(signature, i)->provenance;
        if (p != NULL && p->validity == NOISE_VALIDITY_INVALID) {
            return p;
        }
    }
    return NULL;
}

static bool check_validity(const app_noise_options *o, app_noise *noise, GError **error)
{
    const noise_provenance *invalid = invalid_one(noise->signature);
    if (invalid != NULL && !o->accept_invalid) {
        g_autofree char *verdict = noise_provenance_verdict(invalid);
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "%s: %s; --accept-invalid simulates it all the same", invalid->path, verdict);
        return false;
    }
    noise->invalid = invalid != NULL;
    return true;
}

/* One run that is co-scheduled: all nodes share a clock. */
static bool check_drift(const app_noise_options *o, const app_noise *noise, GError **error)
{
    const bool drifts = noise_signature_drift(noise->signature) > 0;
    const app_option_use use = {"--noise: drift", drifts,
                                o->single && noise->cosched ? "with --cosched" : NULL};
    return app_options_refuse_idle(&use, 1, error);
}

static const char *idle_without(const app_noise *noise)
{
    return app_noise_is_some(noise) ? NULL : "without noise";
}

static bool refuse_idle_options(const app_noise_options *o, const app_noise *noise, GError **error)
{
    const char *idle = idle_without(noise);
    const app_option_use uses[] = {
        {"--without", o->without != NULL,
         g_str_equal(noise_signature_text(noise->signature), "none") ? idle : NULL},
        {"--cosched", o->cosched != NULL, idle},
        {"--accept-invalid", o->accept_invalid,
         noise->invalid ? NULL : "without a measurement that is not valid"},
        {"--replicas", o->replicas != NULL, idle},
    };
    return o->of_study || app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error);
}

bool app_noise_check_seed(const app_noise *noise, bool seed_given, GError **error)
{
    const app_option_use use = {"--seed", seed_given, idle_without(noise)};
    return app_options_refuse_idle(&use, 1, error);
}

/* What is wrong is said of the option that says it. */
static noise_signature *parse_signature(const char *text, const char *without, uint64_t seed,
                                        GError **error)
{
    const bool some = without != NULL && !g_str_equal(text, "none");
    g_autofree char *whole =
        some ? g_strconcat(text, "+" NOISE_SIGNATURE_WITHOUT, without, NULL) : g_strdup(text);
    GError *failure = NULL;
    noise_signature *signature = noise_signature_parse(whole, seed, &failure);
    if (signature == NULL) {
        g_autoptr(noise_signature) base = some ? noise_signature_parse(text, seed, NULL) : NULL;
        if (g_error_matches(failure, NOISE_ERROR, NOISE_ERROR_BAD_MODEL)) {
            app_error_blame_option(&failure, base != NULL ? "--without" : "--noise");
        }
        g_propagate_error(error, failure);
    }
    return signature;
}

bool app_noise_options_resolve(const app_noise_options *self, const app_places *places,
                               const uint32_t *sizes, size_t num_sizes, uint64_t seed,
                               app_manifest *manifest, app_noise *noise, GError **error)
{
    const char *text = self->noise != NULL ? self->noise : self->standard;
    app_noise n = {.cosched = self->cosched != NULL || self->standard != NULL, .places = places};
    if (!parse_count("--replicas", self->replicas, DEFAULT_REPLICAS, &n.replicas, error)) {
        return false;
    }
    if (n.replicas > MAX_REPLICAS) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--replicas: at most %d, not %u",
                    MAX_REPLICAS, n.replicas);
        return false;
    }
    if (self->cosched != NULL && self->cosched[0] != '\0' &&
        !sim_unit_parse_time(self->cosched, SIM_NS, &n.sigma, error)) {
        app_error_blame_option(error, "--cosched");
        return false;
    }
    n.signature = parse_signature(text != NULL ? text : "none", self->without, seed, error);
    if (n.signature == NULL) {
        return false;
    }
    if (!check_ranks(&n, sizes, num_sizes, error) || !check_validity(self, &n, error) ||
        !check_drift(self, &n, error) || !refuse_idle_options(self, &n, error)) {
        noise_signature_free(n.signature);
        return false;
    }
    if (self->single || !app_noise_is_some(&n)) {
        n.replicas = 1;
    }
    add_to_manifest(&n, self->single, manifest);
    *noise = n;
    return true;
}

void app_noise_clear(app_noise *noise)
{
    noise_signature_free(noise->signature);
    noise->signature = NULL;
}

sim_placement app_noise_placement(const app_noise *noise, uint32_t num_ranks)
{
    return app_places_at(noise->places, num_ranks);
}

uint32_t app_noise_threads(const app_noise *noise)
{
    return noise->places != NULL ? noise->places->threads_per_rank : 1;
}

uint32_t app_noise_cores(const app_noise *noise)
{
    const app_places *p = noise->places;
    return p != NULL ? MAX(p->cores_per_node, p->ranks_per_node * p->threads_per_rank) : 1;
}

bool app_noise_is_some(const app_noise *noise)
{
    return noise_signature_num_components(noise->signature) > 0;
}
