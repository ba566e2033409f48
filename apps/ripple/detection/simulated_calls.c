/* apps/ripple/detection/simulated_calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "detection/simulated_calls.h"

typedef struct recorder {
    sim_sink sink;
    const app_call_script *script;
    app_run_calls *calls;
} recorder;

static void take_events(sim_sink *sink, const sim_event *events, size_t n)
{
    const recorder *r = (const recorder *)(const void *)sink;
    for (size_t i = 0; i < n; i++) {
        const sim_event *e = &events[i];
        const app_rank_script *script = &r->script->rank[e->rank];
        if (e->op >= script->num_ops || script->part[e->op] == APP_PART_NONE) {
            continue;
        }
        const uint32_t part = script->part[e->op];
        const uint32_t k = part & ~APP_PART_BEGINS;
        if (k >= script->num_calls) {
            continue; /* computes after the last call */
        }
        noise_sequence_call *call = &r->calls->rank[e->rank].call[k];
        if ((part & APP_PART_BEGINS) == 0) {
            call->compute += e->end - e->start;
            call->entered = MAX(call->entered, e->end);
        } else if (call->entered == 0) { /* nothing is computed before it */
            call->entered = e->start;
        }
    }
}

/* What a script knows before any run: which calls there will be. */
static app_run_calls *prepare(const app_call_script *script)
{
    app_run_calls *calls = app_run_calls_new(script->num_ranks);
    const bool has_anchors = g_hash_table_size(script->anchors) > 0;
    for (uint32_t rank = 0; rank < script->num_ranks; rank++) {
        const app_rank_script *from = &script->rank[rank];
        app_rank_calls *to = &calls->rank[rank];
        to->n = from->num_calls;
        to->call = g_new0(noise_sequence_call, to->n + 1);
        for (size_t i = 0; i < to->n; i++) {
            const uint64_t symbol = from->symbol[i];
            to->call[i].symbol = symbol;
            to->call[i].compute = from->base != NULL ? from->base[i] : 0;
            to->call[i].anchor =
                from->anchor != NULL
                    ? from->anchor[i]
                    : has_anchors && g_hash_table_contains(script->anchors, &symbol);
        }
    }
    GHashTableIter at;
    gpointer symbol;
    gpointer name;
    g_hash_table_iter_init(&at, script->names);
    while (g_hash_table_iter_next(&at, &symbol, &name)) {
        app_run_calls_name(calls, *(const uint64_t *)symbol, name);
    }
    return calls;
}

/* A call of a record may have no operation: a wait. It is entered when the one before is, at least.
 */
static void finish(app_run_calls *calls)
{
    for (uint32_t rank = 0; rank < calls->num_ranks; rank++) {
        noise_sequence_call *call = calls->rank[rank].call;
        for (size_t i = 0; i < calls->rank[rank].n; i++) {
            call[i].compute = MAX(call[i].compute, 0);
            call[i].entered = MAX(call[i].entered, i > 0 ? call[i - 1].entered : 0);
        }
    }
}

app_run_calls *app_simulated_calls(const app_call_script *script, const sim_program *program,
                                   const sim_params *params, const sim_run_options *options,
                                   GError **error)
{
    g_autoptr(app_run_calls) calls = prepare(script);
    recorder r = {{.events = take_events, .is_brief = true}, script, calls};
    sim_run_options all = options != NULL ? *options : (sim_run_options){0};
    all.sink = &r.sink;
    g_autoptr(sim_result) result = sim_run(program, params, &all, error);
    if (result == NULL) {
        return NULL;
    }
    finish(calls);
    calls->end = result->makespan;
    return g_steal_pointer(&calls);
}
