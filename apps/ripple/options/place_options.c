/* apps/ripple/options/place_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_option_effects, cli_places, cli_places_errors. */
#include "options/place_options.h"

#include "output/error.h"
#include "sim/unit.h"

#include <string.h>

enum { MOST_THREADS = 1024 }; /* NOISE_MAX_THREADS */

void app_place_options_add(app_place_options *self, app_options *options)
{
    const GOptionEntry entries[] = {
        {"ranks-per-node", 0, 0, G_OPTION_ARG_STRING, &self->ranks_per_node,
         "ranks on a node: they share its noise, and what [node] of the machine says holds between "
         "them [1]",
         "N"},
        {"placement", 0, 0, G_OPTION_ARG_STRING, &self->placement,
         "which ranks share a node: neighbours (block), every so many-th (cyclic), or as a file "
         "says, a node for each rank [block]",
         "block|cyclic|FILE"},
        {"threads-per-rank", 0, 0, G_OPTION_ARG_STRING, &self->threads_per_rank,
         "cores of a rank, all of which it waits for: noise on any of them delays it [1]", "T"},
        {"cores-per-node", 0, 0, G_OPTION_ARG_STRING, &self->cores_per_node,
         "cores that noise of a node may strike, used or not [those of its ranks]", "C"},
        {NULL},
    };
    app_options_add(options, "Nodes", entries);
}

void app_place_options_clear(app_place_options *self)
{
    g_free(self->ranks_per_node);
    g_free(self->placement);
    g_free(self->threads_per_rank);
    g_free(self->cores_per_node);
}

static bool parse_count(const char *option, const char *text, uint32_t *out, GError **error)
{
    if (text != NULL && !sim_unit_parse_count(text, out, error)) {
        app_error_blame_option(error, option);
        return false;
    }
    return true;
}

static bool parse_placement(const app_place_options *self, app_places *places, GError **error)
{
    const char *text = self->placement;
    if (text == NULL || strcmp(text, "block") == 0) {
        return true;
    }
    if (strcmp(text, "cyclic") == 0) {
        places->kind = SIM_PLACEMENT_CYCLIC;
        return true;
    }
    if (strchr(text, '/') == NULL && !g_file_test(text, G_FILE_TEST_EXISTS)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--placement: '%s' is neither block nor cyclic nor a file", text);
        return false;
    }
    const app_option_use use = {"--ranks-per-node", self->ranks_per_node != NULL,
                                "with a placement from a file"};
    return (self->of_study || app_options_refuse_idle(&use, 1, error)) &&
           app_places_list(places, text, error);
}

/* Do the ranks of a node fit onto its cores? */
static bool check_cores(const app_places *places, GError **error)
{
    const uint64_t used = (uint64_t)places->ranks_per_node * places->threads_per_rank;
    if (places->threads_per_rank > MOST_THREADS) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--threads-per-rank: at most %d, not %u",
                    MOST_THREADS, places->threads_per_rank);
        return false;
    }
    if (used > UINT32_MAX) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--threads-per-rank: %u ranks of a node with %u each have too many cores",
                    places->ranks_per_node, places->threads_per_rank);
        return false;
    }
    if (places->cores_per_node != 0 && places->cores_per_node < used) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--cores-per-node: %u cores are too few for %u ranks of a node, %u core%s each",
                    places->cores_per_node, places->ranks_per_node, places->threads_per_rank,
                    places->threads_per_rank == 1 ? "" : "s");
        return false;
    }
    return true;
}

/* Of what --set has changed it is --set that is wrong. */
static bool check_machine(const sim_machine *machine, GError **error)
{
    if (sim_machine_check(machine, error)) {
        return true;
    }
    const char *distance = machine->provenance[SIM_KEY_DISTANCE];
    const char *hop = machine->provenance[SIM_KEY_L_HOP];
    if (g_strcmp0(distance, "--set") == 0 || g_strcmp0(hop, "--set") == 0) {
        app_error_blame_option(error, "--set");
    }
    return false;
}

app_places *app_place_options_resolve(const app_place_options *self, const sim_machine *machine,
                                      const uint32_t *sizes, size_t num_sizes, GError **error)
{
    g_autoptr(app_places) places = app_places_new();
    const bool ok =
        parse_count("--ranks-per-node", self->ranks_per_node, &places->ranks_per_node, error) &&
        parse_count("--threads-per-rank", self->threads_per_rank, &places->threads_per_rank,
                    error) &&
        parse_count("--cores-per-node", self->cores_per_node, &places->cores_per_node, error) &&
        parse_placement(self, places, error) && check_cores(places, error) &&
        (self->of_study || check_machine(machine, error)) &&
        app_places_take_machine(places, machine, error) &&
        (sizes == NULL || app_places_check(places, sizes, num_sizes, error));
    return ok ? g_steal_pointer(&places) : NULL;
}

/* Of the places of a signature's components: all, as bits. */
static unsigned places_struck(const noise_signature *signature)
{
    unsigned struck = 0;
    for (size_t i = 0; i < noise_signature_num_components(signature); i++) {
        const noise_component *c = noise_signature_component(signature, i);
        struck |= c->is_rate && c->place == NOISE_PLACE_NODE ? 1U << NOISE_PLACE_NODE_ALL
                                                             : 1U << c->place;
    }
    return struck;
}

const char *app_place_threads_idle(const noise_signature *signature)
{
    const unsigned struck = places_struck(signature);
    return struck == 0                            ? "without noise"
           : struck == 1U << NOISE_PLACE_NODE_ALL ? "on noise that strikes all cores of a node"
                                                  : NULL;
}

const char *app_place_cores_idle(const noise_signature *signature)
{
    const unsigned struck = places_struck(signature);
    const unsigned one_core = 1U << NOISE_PLACE_NODE | 1U << NOISE_PLACE_NODE_FIXED;
    return struck == 0                ? "without noise"
           : (struck & one_core) == 0 ? "without noise that strikes one core of a node"
                                      : NULL;
}

bool app_place_options_finish(const app_place_options *self, const app_places *places,
                              const noise_signature *signature, app_manifest *manifest,
                              GError **error)
{
    const bool noisy = signature == NULL || noise_signature_num_components(signature) > 0;
    const bool levels = app_places_have_levels(places);
    const bool listed = places->kind == SIM_PLACEMENT_LIST;
    const char *nowhere =
        noisy || levels ? NULL : "without noise, on a machine without [node] and distance";
    const char *alone = !listed && places->ranks_per_node == 1 ? "with one rank on a node" : NULL;
    const app_option_use uses[] = {
        {"--ranks-per-node", self->ranks_per_node != NULL, nowhere},
        {"--placement", self->placement != NULL, alone != NULL ? alone : nowhere},
        {"--threads-per-rank", self->threads_per_rank != NULL,
         signature != NULL ? app_place_threads_idle(signature) : NULL},
        {"--cores-per-node", self->cores_per_node != NULL,
         signature != NULL ? app_place_cores_idle(signature) : NULL},
    };
    if (!self->of_study && !app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error)) {
        return false;
    }
    if (nowhere != NULL) {
        return true;
    }
    app_manifest_add(manifest, "ranks-per-node", "%u", places->ranks_per_node);
    if (places->ranks_per_node > 1 || listed) {
        app_manifest_add(manifest, "placement", "%s", app_places_kind(places));
    }
    if (noisy && places->threads_per_rank > 1) {
        app_manifest_add(manifest, "threads-per-rank", "%u", places->threads_per_rank);
    }
    if (noisy && places->cores_per_node > 0) {
        app_manifest_add(manifest, "cores-per-node", "%u", places->cores_per_node);
    }
    return true;
}
