/* apps/ripple/detection/learning.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_score, cli_detect. */
#include "detection/learning.h"

#include "detection/samples.h"
#include "output/error.h"
#include "output/number_text.h"

/* The calls of the first run, by one way to tell them apart, and what is typical of them. */
typedef struct first_run {
    noise_match match;
    app_run_calls *calls;
    noise_sequences *sequences;
    noise_sequences_found found;
} first_run;

static void clear_first(first_run *f)
{
    app_run_calls_free(f->calls);
    noise_sequences_free(f->sequences);
    *f = (first_run){0};
}

static bool out_of_memory(GError **error)
{
    g_set_error(error, APP_ERROR, APP_ERROR_MEMORY, "no memory for typical sequences");
    return false;
}

static noise_sequences *find_sequences(const app_run_calls *calls,
                                       const noise_sequences_options *options,
                                       noise_sequences_found *found)
{
    g_autofree noise_symbols *ranks = g_new0(noise_symbols, (gsize)calls->num_ranks + 1);
    uint64_t all = 0;
    for (uint32_t r = 0; r < calls->num_ranks; r++) {
        all += calls->rank[r].n;
    }
    g_autofree uint64_t *symbols = g_new(uint64_t, all + 1);
    uint64_t *at = symbols;
    for (uint32_t r = 0; r < calls->num_ranks; r++) {
        ranks[r] = (noise_symbols){at, calls->rank[r].n};
        for (size_t i = 0; i < calls->rank[r].n; i++) {
            *at++ = calls->rank[r].call[i].symbol;
        }
    }
    return noise_sequences_learn(ranks, calls->num_ranks, options, found);
}

static bool look(first_run *f, app_run_input *input, noise_match match,
                 const app_learn_options *options, const app_context *context, GError **error)
{
    f->match = match;
    f->calls = app_run_input_calls(input, match, context, error);
    if (f->calls == NULL) {
        return false;
    }
    f->sequences = find_sequences(f->calls, &options->sequences, &f->found);
    return f->sequences != NULL || out_of_memory(error);
}

static bool covers_more(const first_run *a, const first_run *b)
{
    return noise_sequences_num(a->sequences) > 0 && a->found.covered > b->found.covered;
}

/* By the first way that covers most; by functions alone where classes of peers find nothing. */
static bool choose_match(first_run *best, app_run_input *input, const app_learn_options *options,
                         const app_context *context, GError **error)
{
    static const noise_match WAYS[] = {NOISE_MATCH_DISTANCE, NOISE_MATCH_XOR, NOISE_MATCH_FUNCTION};
    const bool by_class = options->match == APP_MATCH_PEER_CLASS;
    if (!look(best, input, by_class ? WAYS[0] : NOISE_MATCH_FUNCTION, options, context, error)) {
        return false;
    }
    for (size_t i = 1; by_class && i < G_N_ELEMENTS(WAYS); i++) {
        if (WAYS[i] == NOISE_MATCH_FUNCTION && noise_sequences_num(best->sequences) > 0) {
            break;
        }
        first_run other = {0};
        if (!look(&other, input, WAYS[i], options, context, error)) {
            clear_first(&other);
            return false;
        }
        const bool is_better =
            covers_more(&other, best) || noise_sequences_num(best->sequences) == 0;
        if (is_better) {
            const first_run swap = *best;
            *best = other;
            other = swap;
        }
        clear_first(&other);
    }
    return true;
}

/* The place of @p symbol among the model's calls, with its name. */
static uint32_t call_of(noise_interference_model *model, GHashTable *places,
                        const app_run_calls *calls, uint64_t symbol)
{
    gpointer place = NULL;
    if (g_hash_table_lookup_extended(places, &symbol, NULL, &place)) {
        return GPOINTER_TO_UINT(place);
    }
    const uint32_t n = model->num_calls++;
    model->calls = g_renew(noise_interference_call, model->calls, model->num_calls);
    const char *name = app_run_calls_find_name(calls, symbol);
    model->calls[n] = (noise_interference_call){symbol, g_strdup(name != NULL ? name : "unnamed")};
    g_hash_table_insert(places, g_memdup2(&symbol, sizeof symbol), GUINT_TO_POINTER(n));
    return n;
}

/* The model is freed by free(), which is what GLib's memory is freed by, too. */
static void put_sequences(noise_interference_model *model, const first_run *first)
{
    g_autoptr(GHashTable) places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    model->num_sequences = noise_sequences_num(first->sequences);
    model->sequences = g_new0(noise_interference_sequence, model->num_sequences + 1);
    for (uint32_t s = 0; s < model->num_sequences; s++) {
        const noise_sequence *from = noise_sequences_at(first->sequences, s);
        noise_interference_sequence *to = &model->sequences[s];
        to->length = from->length;
        to->misaligned = from->misaligned;
        to->calls = g_new(uint32_t, from->length);
        for (uint32_t i = 0; i < from->length; i++) {
            to->calls[i] = call_of(model, places, first->calls, from->symbol[i]);
        }
    }
}

/* A run that is being learned. */
typedef struct lesson {
    noise_interference_learner *learner;
    uint64_t calls, covered;
} lesson;

static bool learn_sample(void *data, uint32_t rank, const noise_sample *sample)
{
    return noise_interference_learner_add(((lesson *)data)->learner, rank, sample);
}

static void learn_cover(void *data, uint32_t rank, const app_rank_cover *cover)
{
    lesson *l = data;
    l->calls += cover->calls;
    l->covered += cover->covered_calls;
    noise_interference_learner_cover(l->learner, rank, cover->calls, cover->covered_calls);
}

/* Half as much as in the first run is what scoring asks for, too. */
static bool is_same_program(const lesson *l, const app_learn_run *run, double first, GError **error)
{
    const double share = l->calls > 0 ? (double)l->covered / (double)l->calls : 0;
    if (share >= first / 2) {
        return true;
    }
    g_autofree char *percent = app_format_percent(share);
    g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                "%s: only %s of its calls belong to typical sequences of the first run: is it the "
                "same program?",
                run->name, percent);
    return false;
}

static bool learn_run(noise_interference_learner *learner, const app_learn_run *run,
                      const app_run_calls *calls, const first_run *first, GError **error)
{
    lesson l = {.learner = learner};
    const app_sample_taker taker = {learn_sample, learn_cover, &l};
    if (!noise_interference_learner_run(learner, run->kind, run->name) ||
        !app_samples_take(calls, first->sequences, &taker)) {
        return out_of_memory(error);
    }
    return is_same_program(&l, run, first->found.covered, error);
}

static bool refuse(const noise_interference_error *why, GError **error)
{
    g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s", why->text);
    return false;
}

static app_run_calls *calls_of(const app_learn_run *run, uint32_t replica, uint32_t num_ranks,
                               noise_match match, const app_context *context, GError **error)
{
    char *nobody[] = {NULL};
    g_autoptr(app_manifest) unseen =
        app_manifest_new("detect", nobody); /* the first run's is seen */
    g_autoptr(app_run_input) input =
        app_run_input_open(run->name, run->options, context, unseen, replica, error);
    if (input == NULL) {
        return NULL;
    }
    if (input->num_ranks != num_ranks) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "%s has %u ranks, and the first run %u: they cannot be learned together",
                    run->name, input->num_ranks, num_ranks);
        return NULL;
    }
    return app_run_input_calls(input, match, context, error);
}

static bool learn_runs(noise_interference_model *model, const app_learn_run *runs, size_t n,
                       const first_run *first, const app_run_input *input,
                       const app_context *context, GError **error)
{
    noise_interference_error why = {""};
    noise_interference_learner *learner =
        noise_interference_learner_new(model, input->num_ranks, input->nodes, &why);
    if (learner == NULL) {
        return refuse(&why, error);
    }
    bool ok = learn_run(learner, &runs[0], first->calls, first, error);
    for (size_t i = 1; ok && i < n; i++) {
        g_autoptr(app_run_calls) calls =
            calls_of(&runs[i], (uint32_t)i, input->num_ranks, first->match, context, error);
        ok = calls != NULL && learn_run(learner, &runs[i], calls, first, error);
    }
    ok = ok && (noise_interference_learner_finish(learner, &why) || refuse(&why, error));
    noise_interference_learner_free(learner);
    return ok;
}

static noise_interference_rule rule_of(const app_learn_run *runs, size_t n, bool paper_rule)
{
    for (size_t i = 0; i < n; i++) {
        if (runs[i].kind == NOISE_RUN_DISTURBED) {
            return paper_rule ? NOISE_LEARNED_PAPER : NOISE_LEARNED_GAIN;
        }
    }
    return NOISE_LEARNED_CLEAN;
}

noise_interference_reference app_learn_reference(const app_run_input *input)
{
    g_autoptr(GHashTable) nodes = g_hash_table_new(NULL, NULL);
    for (uint32_t r = 0; input->nodes != NULL && r < input->num_ranks; r++) {
        g_hash_table_add(nodes, GUINT_TO_POINTER(input->nodes[r]));
    }
    const uint32_t n = input->nodes != NULL ? g_hash_table_size(nodes) : input->num_ranks;
    return n >= APP_LEARN_NODES ? NOISE_REFERENCE_LOO : NOISE_REFERENCE_CLEAN;
}

static noise_interference_model *learn_from(const app_learn_run *runs, size_t n,
                                            const app_learn_options *options,
                                            const first_run *first, const app_run_input *input,
                                            const app_context *context, GError **error)
{
    if (noise_sequences_num(first->sequences) == 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "%s: no sequence of calls occurs often enough on all ranks", runs[0].name);
        return NULL;
    }
    noise_interference_model *model = noise_interference_model_new();
    if (model == NULL) {
        out_of_memory(error);
        return NULL;
    }
    model->reference = options->chooses ? app_learn_reference(input) : options->reference;
    if (options->chooses && model->reference == NOISE_REFERENCE_CLEAN) {
        app_context_note(context,
                         "fewer than %d nodes cannot be compared with each other: a rank "
                         "is compared with itself in the clean runs (--ref=clean)",
                         APP_LEARN_NODES);
    }
    model->match = first->match;
    model->rule = rule_of(runs, n, options->paper_rule);
    model->filter = options->filter >= 0 ? options->filter : model->filter;
    g_autofree char *how = app_manifest_line(context->manifest); /* "# ripple 0.1.0 detect ..." */
    g_free(model->how);
    model->how = g_strdup(g_str_has_prefix(how, "# ") ? how + 2 : how);
    model->seed = input->simulated ? options->seed : 0;
    put_sequences(model, first);
    if (!learn_runs(model, runs, n, first, input, context, error)) {
        noise_interference_model_free(model);
        return NULL;
    }
    return model;
}

noise_interference_model *app_learn(const app_learn_run *runs, size_t n,
                                    const app_learn_options *options, const app_context *context,
                                    noise_sequences_found *found, GError **error)
{
    g_autoptr(app_run_input) input =
        app_run_input_open(runs[0].name, runs[0].options, context, context->manifest, 0, error);
    if (input == NULL) {
        return NULL;
    }
    first_run first = {0};
    noise_interference_model *model = NULL;
    if (choose_match(&first, input, options, context, error)) {
        *found = first.found;
        model = learn_from(runs, n, options, &first, input, context, error);
    }
    clear_first(&first);
    return model;
}
