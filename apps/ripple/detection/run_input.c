/* apps/ripple/detection/run_input.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_detect. */
#include "detection/run_input.h"

#include "detection/followed_calls.h"
#include "detection/recorded_calls.h"
#include "detection/simulated_calls.h"
#include "options/extrapolation_options.h"
#include "output/error.h"

bool app_run_options_simulate(const app_run_options *o)
{
    return o->noise->noise != NULL || o->program->ranks != NULL || o->program->repeat != NULL;
}

bool app_run_options_refuse(const app_run_options *o, bool seed_given, const char *idle,
                            GError **error)
{
    const app_program_options *p = o->program;
    const app_option_use uses[] = {
        {"--coll", p->coll != NULL, idle},
        {"--compute", p->compute != NULL, idle},
        {"--no-p2p", p->no_p2p, idle},
        {"--no-collectives", p->no_collectives, idle},
        {"--roots", p->roots != NULL, idle},
        {"--copies", p->copies != NULL, idle},
        {"--wildcards", p->wildcards != NULL, idle},
        {"--reduce", p->reduce != NULL, idle},
        {"--machine", o->machine->machine != NULL, idle},
        {"--set", o->machine->set != NULL, idle},
        {"--compat", o->machine->compat != NULL, idle},
        {"--without", o->noise->without != NULL, idle},
        {"--cosched", o->noise->cosched != NULL, idle},
        {"--threads-per-rank", o->places->threads_per_rank != NULL, idle},
        {"--cores-per-node", o->places->cores_per_node != NULL, idle},
        {"--accept-invalid", o->noise->accept_invalid, idle},
        {"--seed", seed_given, idle},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error) &&
           app_extrapolation_refuse_idle(&p->larger, idle, error);
}

void app_run_input_free(app_run_input *in)
{
    if (in != NULL) {
        app_setting_clear(&in->setting);
        app_source_free(in->source);
        g_free(in->nodes);
        g_free(in->name);
        g_free(in);
    }
}

/* Where ranks are is all that is asked of a record: no machine, no noise. */
static bool place_record(app_run_input *in, bool seed_given, GError **error)
{
    static const char *const IDLE =
        "on a recorded run; --noise, --ranks or --repeat make it a simulated one";
    const app_machine_options none = {0};
    char *nobody[] = {NULL};
    g_autoptr(app_manifest) unseen = app_manifest_new("detect", nobody);
    if (!app_run_options_refuse(in->options, seed_given, IDLE, error)) {
        return false;
    }
    in->setting.machine = app_machine_options_resolve(&none, unseen, error);
    in->setting.places = in->setting.machine != NULL
                             ? app_place_options_resolve(in->options->places, in->setting.machine,
                                                         &in->num_ranks, 1, error)
                             : NULL;
    return in->setting.places != NULL;
}

/* Where ranks are matters for what they are compared with, too, not for noise alone. */
static bool resolve(app_run_input *in, const app_context *context, GError **error)
{
    const app_run_options *o = in->options;
    app_setting *s = &in->setting;
    const uint32_t n = in->num_ranks;
    if (o->places->ranks_per_node == NULL && o->places->placement == NULL) {
        return app_setting_resolve(o->machine, o->places, o->noise, &n, 1, context, s, error);
    }
    s->machine = app_machine_options_resolve(o->machine, context->manifest, error);
    s->places =
        s->machine != NULL ? app_place_options_resolve(o->places, s->machine, &n, 1, error) : NULL;
    return s->places != NULL &&
           app_noise_options_resolve(o->noise, s->places, &n, 1, context->seed, context->manifest,
                                     &s->noise, error) &&
           app_noise_check_seed(&s->noise, context->seed_given, error);
}

static bool place_simulated(app_run_input *in, const app_context *context, app_manifest *manifest,
                            GError **error)
{
    app_context own = *context;
    own.manifest = manifest;
    in->num_ranks = app_single_run_size(in->source, &own, error);
    return in->num_ranks > 0 && resolve(in, &own, error) &&
           app_source_take_calls(in->source, in->setting.machine, error);
}

static void find_nodes(app_run_input *in)
{
    if (in->options->places->ranks_per_node == NULL && in->options->places->placement == NULL) {
        return;
    }
    const sim_placement placement = app_places_at(in->setting.places, in->num_ranks);
    in->nodes = g_new(uint32_t, in->num_ranks);
    for (uint32_t rank = 0; rank < in->num_ranks; rank++) {
        in->nodes[rank] = sim_placement_node(&placement, rank);
    }
}

app_run_input *app_run_input_open(const char *name, const app_run_options *options,
                                  const app_context *context, app_manifest *manifest,
                                  uint32_t replica, GError **error)
{
    g_autoptr(app_run_input) in = g_new0(app_run_input, 1);
    in->options = options;
    in->name = g_strdup(name);
    in->replica = replica;
    in->source = app_source_open(name, options->program, false, manifest, error);
    if (in->source == NULL) {
        return NULL;
    }
    const sched_trace *trace = app_source_trace(in->source);
    in->simulated = trace == NULL || app_run_options_simulate(options);
    in->num_ranks = in->simulated ? 0 : trace->num_ranks;
    if (!(in->simulated ? place_simulated(in, context, manifest, error)
                        : place_record(in, context->seed_given, error))) {
        return NULL;
    }
    if (in->simulated) {
        app_source_report_notices(in->source, context);
    }
    find_nodes(in);
    return g_steal_pointer(&in);
}

const sched_trace *app_run_input_record(const app_run_input *in)
{
    return in->simulated ? NULL : app_source_trace(in->source);
}

char *app_run_input_folder(const app_run_input *in)
{
    return g_file_test(in->name, G_FILE_TEST_IS_DIR) ? g_strdup(in->name)
                                                     : g_path_get_dirname(in->name);
}

static bool knows_messages_only(const noise_interference_model *model)
{
    for (uint32_t i = 0; i < model->num_calls; i++) {
        if (!g_str_has_prefix(model->calls[i].name, APP_CALL_SEND) &&
            !g_str_has_prefix(model->calls[i].name, APP_CALL_RECEIVE)) {
            return false;
        }
    }
    return true;
}

bool app_run_input_fits(const app_run_input *in, const noise_interference_model *model,
                        GError **error)
{
    const bool recorded = app_source_get_kind(in->source) == APP_SOURCE_TRACE;
    const bool messages = knows_messages_only(model);
    if (recorded && messages) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "%s: a record of MPI calls; the model knows the messages of a program only",
                    in->name);
    } else if (!recorded && !messages) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "%s: has messages only, the model knows calls of MPI: simulate a record of its "
                    "program (--noise)",
                    in->name);
    }
    return recorded != messages;
}

/* A record has the names of its calls; other programs have messages only. */
static app_call_script *script_of(const app_run_input *in, const sim_program *program,
                                  noise_match match, GError **error)
{
    const sched_trace *trace = app_source_trace(in->source);
    if (trace == NULL) {
        return app_call_script_new(program, NULL, NULL, match);
    }
    sched_rank_source *ops = app_source_stream(in->source, in->num_ranks, error);
    return ops != NULL ? app_followed_script_new(trace, ops, match, error) : NULL;
}

static app_run_calls *simulate(app_run_input *in, noise_match match, const app_context *context,
                               GError **error)
{
    g_auto(app_single_run) run = {0};
    if (!app_single_run_begin(&run, in->source, &in->setting, in->num_ranks, 0, context, error)) {
        return NULL;
    }
    run.injection.replica = in->replica;
    g_autoptr(noise_injection) injection =
        noise_injection_new(in->setting.noise.signature, in->num_ranks, &run.injection);
    g_autoptr(app_call_script) script = script_of(in, run.program, match, error);
    if (script == NULL) {
        return NULL;
    }
    const sim_run_options options = {
        .noise = noise_injection_hook(injection), .levels = run.levels, .watch = &run.watch.watch};
    return app_simulated_calls(script, run.program, run.params, &options, error);
}

app_run_calls *app_run_input_calls(app_run_input *in, noise_match match, const app_context *context,
                                   GError **error)
{
    return in->simulated ? simulate(in, match, context, error)
                         : app_recorded_calls(app_source_trace(in->source), match);
}
