/* apps/ripple/verbs/verb_detect.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_detect. */
/**
 * @file
 * ripple detect: learn a program's typical sequences, score its ranks, say who disturbs them.
 */
#include "detection/scoring.h"
#include "noise/call_symbol.h"
#include "noise/interference_file.h"
#include "output/error.h"
#include "output/result.h"
#include "pages/view_page.h"
#include "scores/culprits.h"
#include "scores/detect_options.h"
#include "scores/explain.h"
#include "scores/model_print.h"
#include "scores/score_page.h"
#include "verbs/verb_list.h"

/* ---- learn ---- */

static void print_model(const void *data, FILE *out)
{
    app_model_print(data, out);
}

static void print_model_csv(const void *data, FILE *out)
{
    app_model_print_csv(data, out);
}

static void build_model(const void *data, JsonBuilder *builder)
{
    app_model_build(data, builder);
}

static bool write_model(const app_context *context, const noise_interference_model *model,
                        const char *path, GError **error)
{
    static const app_result_writer WRITER = {print_model, print_model_csv, build_model};
    return app_result_write(context, path, context->format, &WRITER, model, error);
}

static int learn(app_context *context, const app_detect_options *self, const app_run_options *clean,
                 GError **error)
{
    app_learn_options o = {.seed = context->seed};
    if (!app_detect_options_learning(self, &o, error)) {
        return APP_EXIT_USAGE;
    }
    app_noise_options noise = self->single.noise;
    noise.noise = self->with_noise;
    app_run_options disturbed = *clean;
    disturbed.noise = &noise;
    g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(app_learn_run));
    for (unsigned i = 1; i < context->nargs; i++) {
        const app_learn_run run = {context->args[i], NOISE_RUN_CLEAN, clean};
        g_array_append_val(runs, run);
    }
    for (char **w = self->with; w != NULL && *w != NULL; w++) {
        const app_learn_run run = {*w, NOISE_RUN_DISTURBED, clean};
        g_array_append_val(runs, run);
    }
    if (self->with_noise != NULL) {
        const app_learn_run run = {context->args[1], NOISE_RUN_DISTURBED, &disturbed};
        g_array_append_val(runs, run);
    }
    app_detect_options_note(self, context->manifest);
    noise_sequences_found found;
    noise_interference_model *model =
        app_learn((const app_learn_run *)(void *)runs->data, runs->len, &o, context, &found, error);
    if (model == NULL) {
        return APP_EXIT_ERROR;
    }
    const bool ok = noise_interference_model_save(model, context->output, error) &&
                    write_model(context, model, NULL, error);
    noise_interference_model_free(model);
    return ok ? APP_EXIT_DONE : APP_EXIT_ERROR;
}

/* ---- score ---- */

typedef struct scored {
    char **name;       /* [n] borrowed */
    app_score **score; /* [n] */
    size_t n;
    const noise_interference_model *model;
} scored;

static void print_text(const void *data, FILE *out)
{
    const scored *s = data;
    for (size_t i = 0; i < s->n; i++) {
        if (s->n > 1) {
            fprintf(out, "%s%s:\n", i > 0 ? "\n" : "", s->name[i]);
        }
        app_score_print(s->score[i], out);
    }
}

static void print_csv(const void *data, FILE *out)
{
    const scored *s = data;
    app_score_print_csv_head(out);
    for (size_t i = 0; i < s->n; i++) {
        app_score_print_csv(s->score[i], s->name[i], out);
    }
}

static void build(const void *data, JsonBuilder *b)
{
    const scored *s = data;
    json_builder_set_member_name(b, "runs");
    json_builder_begin_array(b);
    for (size_t i = 0; i < s->n; i++) {
        json_builder_begin_object(b);
        json_builder_set_member_name(b, "name");
        json_builder_add_string_value(b, s->name[i]);
        app_score_build(s->score[i], b);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

/* The time line of one rank, as a page. */
static bool explain(const app_context *context, const app_detect_options *self,
                    const app_score *score, const app_run_input *input, GError **error)
{
    uint64_t rank = 0;
    const sched_trace *trace = app_run_input_record(input);
    if (self->explain == NULL) {
        return true;
    }
    if (trace == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--explain has no effect on a simulated run");
        return false;
    }
    if (!app_parse_unsigned("--explain", self->explain, 0, input->num_ranks - 1, &rank, error)) {
        return false;
    }
    g_autofree char *folder = app_run_input_folder(input);
    g_autoptr(app_picture) picture = app_explain_rank(score, (uint32_t)rank, trace, folder);
    g_autofree char *line = app_manifest_line(context->manifest);
    g_autofree char *name = g_path_get_basename(input->name);
    picture->title = g_strdup_printf("Rank %u of %s", (uint32_t)rank, name);
    picture->manifest = g_strdup(g_str_has_prefix(line, "# ") ? line + 2 : line);
    return app_view_page_write(picture, self->page, error);
}

static bool write_page(const app_context *context, const app_detect_options *self,
                       const app_score *score, const char *run, GError **error)
{
    g_autofree char *made_by = app_manifest_line(context->manifest);
    g_autofree char *name =
        g_file_test(run, G_FILE_TEST_EXISTS) ? g_path_get_basename(run) : g_strdup(run);
    const app_score_page page = {score, name, made_by};
    return self->report == NULL || app_score_page_write(&page, self->report, error);
}

/* Score one run. @param manifest that of the result, or of nobody */
static app_score *score_run(app_context *context, const app_detect_options *self,
                            const app_run_options *how, const noise_interference_model *model,
                            size_t i, double alpha, noise_interference_scorer **scorer,
                            app_manifest *manifest, GError **error)
{
    const char *name = context->args[2 + i];
    g_autoptr(app_run_input) input =
        app_run_input_open(name, how, context, manifest, (uint32_t)i, error);
    if (input == NULL || !app_run_input_fits(input, model, error)) {
        return NULL;
    }
    g_autoptr(app_run_calls) calls =
        app_run_input_calls(input, (noise_match)model->match, context, error);
    if (calls == NULL) {
        return NULL;
    }
    *scorer = app_scoring(model, calls, input->nodes, self->report != NULL ? APP_SCORING_COURSE : 0,
                          error);
    if (*scorer == NULL) {
        g_prefix_error(error, "%s: ", name);
        return NULL;
    }
    g_autoptr(app_score) score = app_score_new(model, *scorer, calls->num_ranks, alpha);
    const sched_trace *trace = app_run_input_record(input);
    if (trace != NULL) {
        g_autofree char *folder = app_run_input_folder(input);
        app_culprits_find(score, trace, folder);
    }
    return explain(context, self, score, input, error) &&
                   write_page(context, self, score, name, error)
               ? g_steal_pointer(&score)
               : NULL;
}

static bool score_all(app_context *context, const app_detect_options *self,
                      const app_run_options *how, scored *out, noise_interference_scorer **scorers,
                      double alpha, GError **error)
{
    char *nobody[] = {NULL};
    for (size_t i = 0; i < context->nargs - 2; i++) {
        g_autoptr(app_manifest) unseen = app_manifest_new("detect", nobody);
        out->score[i] = score_run(context, self, how, out->model, i, alpha, &scorers[i],
                                  i == 0 ? context->manifest : unseen, error);
        if (out->score[i] == NULL) {
            return false;
        }
        out->n++;
    }
    return true;
}

static bool nothing_judged(const scored *s)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->score[i]->num_judged == 0) {
            return true;
        }
    }
    return false;
}

static void add_to_manifest(const noise_interference_model *model, const char *path, double alpha,
                            app_manifest *manifest)
{
    app_manifest_add(manifest, "model", "%s", path);
    app_manifest_add(manifest, "model-checksum", "%016" G_GINT64_MODIFIER "x", model->checksum);
    app_manifest_add(manifest, "ref", "%s", noise_interference_reference_names[model->reference]);
    app_manifest_add(manifest, "match", "%s", noise_match_name((noise_match)model->match));
    app_manifest_add(manifest, "alpha", "%g", alpha);
}

static int score(app_context *context, const app_detect_options *self, const app_run_options *how,
                 GError **error)
{
    static const app_result_writer WRITER = {print_text, print_csv, build};
    double alpha = 0;
    if (!app_detect_options_alpha(self, &alpha, error)) {
        return APP_EXIT_USAGE;
    }
    noise_interference_model *model = noise_interference_model_open(context->args[1], error);
    if (model == NULL) {
        return APP_EXIT_ERROR;
    }
    add_to_manifest(model, context->args[1], alpha, context->manifest);
    const size_t n = context->nargs - 2;
    g_autofree noise_interference_scorer **scorers = g_new0(noise_interference_scorer *, n);
    g_autofree app_score **scores = g_new0(app_score *, n);
    scored all = {context->args + 2, scores, 0, model};
    const bool ok =
        score_all(context, self, how, &all, scorers, alpha, error) &&
        app_result_write(context, context->output, context->format, &WRITER, &all, error);
    const bool is_judged = ok && !nothing_judged(&all);
    for (size_t i = 0; i < n; i++) {
        app_score_free(scores[i]);
        noise_interference_scorer_free(scorers[i]);
    }
    noise_interference_model_free(model);
    return !ok ? APP_EXIT_ERROR : is_judged ? APP_EXIT_DONE : APP_EXIT_INVALID;
}

/* ---- the verb ---- */

static int show(app_context *context, GError **error)
{
    noise_interference_model *model = noise_interference_model_open(context->args[1], error);
    if (model == NULL) {
        return APP_EXIT_ERROR;
    }
    app_manifest_add(context->manifest, "model-checksum", "%016" G_GINT64_MODIFIER "x",
                     model->checksum);
    const bool ok = write_model(context, model, context->output, error);
    noise_interference_model_free(model);
    return ok ? APP_EXIT_DONE : APP_EXIT_ERROR;
}

static void options(void *state, app_options *options)
{
    app_detect_options_add(state, options);
}

static void clear(void *state)
{
    app_detect_options_clear(state);
}

static int run(app_context *context, void *state, GError **error)
{
    const app_detect_options *self = state;
    app_detect_action action = APP_DETECT_SHOW;
    if (!app_detect_options_action(context, &action, error) ||
        !app_detect_options_check(self, action, context, error)) {
        return APP_EXIT_USAGE;
    }
    const app_run_options how = app_detect_options_runs(self);
    return action == APP_DETECT_LEARN   ? learn(context, self, &how, error)
           : action == APP_DETECT_SCORE ? score(context, self, &how, error)
                                        : show(context, error);
}

static const char *const EXAMPLES[] = {
    "ripple detect learn clean/ -o app.model",
    "Learn which sequences of calls are typical of a recorded program, and how long they take.",
    "ripple detect score app.model today/",
    "Which ranks of another run were disturbed, since when, and how much they lost.",
    "ripple detect score app.model today/ --report=page --explain=3 --page=rank3.html",
    "The same with figures; and a time line of rank 3, with who was on its CPU if watched.",
    "ripple detect show app.model",
    "What the model knows.",
    "ripple detect learn 'pattern:(calc=1ms~5%,ring)*500' --ranks=16 -o ring.model",
    "Learn from a simulated run.",
    NULL,
};

const app_verb app_verb_detect = {
    .name = "detect",
    .summary = "say which ranks something outside the program disturbed, by typical sequences",
    .usage = "learn RUN... -o MODEL | score MODEL RUN... | show MODEL",
    .description =
        "learn finds which sequences of MPI calls the first clean RUN makes again and again, and "
        "how long\neach rank of the clean runs computes within them. score says of another run of "
        "the same program, rank\nby rank, whether it was disturbed, since when and how much it "
        "lost, and whether that can be judged\nat all; of records that were watched (trace "
        "--watch), by whom. The method is that of Tabatabaee and\nHollingsworth (SC'07): "
        "docs/interference.md.\n"
        "\n"
        "A RUN is a record, taken as it is, or a PROGRAM as for simulate, which is simulated "
        "first; --noise,\n--ranks or --repeat make a simulated run of a record, too, which keeps "
        "the record's calls. Runs after\nthe first one have other draws of the noise.\n"
        "\n"
        "The exit code of score is 3 if nothing of a run can be judged.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT | APP_TAKES_SEED,
    .output_help = "learn: the model, which is needed. Else: the result",
    .state_size = sizeof(app_detect_options),
    .options = options,
    .run = run,
    .clear = clear,
};
