/* apps/ripple/verbs/verb_view.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_view. */
/**
 * @file
 * ripple view: one picture of a run, as a page, as text, and for other tools.
 */
#include "experiment/single_run.h"
#include "exports/picture_export.h"
#include "exports/picture_print.h"
#include "exports/view_notes.h"
#include "options/extrapolation_options.h"
#include "options/single_options.h"
#include "output/error.h"
#include "output/result.h"
#include "pages/view_page.h"
#include "sim/unit.h"
#include "verbs/verb_list.h"
#include "view/record_picture.h"
#include "view/recorded.h"
#include "view/view_options.h"
#include "view/view_run.h"

typedef struct view {
    app_single_options single;
    char *inject;
    gboolean recorded;
    char *lanes;
    char *time;
    char *table;
    char *page;
    char *chrome;
    char *paraver;
} view;

static void options(void *state, app_options *options)
{
    view *self = state;
    const GOptionEntry entries[] = {
        {"recorded", 0, 0, G_OPTION_ARG_NONE, &self->recorded,
         "show a trace as it was recorded: computations and calls; what noise cost is not in it",
         NULL},
        {"inject", 0, 0, G_OPTION_ARG_STRING, &self->inject,
         "one more detour, once: rank=5,at=1ms,for=6ms; where its idle wave comes, how fast, and "
         "how it becomes smaller",
         "DETOUR"},
        {"lanes", 0, 0, G_OPTION_ARG_STRING, &self->lanes,
         "ranks whose every state is shown: 0,5-7, the worst:N, which lost most (of a record: "
         "were in detours for longest), or none "
         "[worst:64]",
         "RANKS"},
        {"time", 0, 0, G_OPTION_ARG_STRING, &self->time,
         "show their states only from FROM to TO; either may be left out", "FROM..TO"},
        {"page", 0, 0, G_OPTION_ARG_FILENAME, &self->page,
         "write a page that shows it all, with zoom", "FILE"},
        {"chrome", 0, 0, G_OPTION_ARG_FILENAME, &self->chrome,
         "write the lanes as Chrome's JSON, for Perfetto and chrome://tracing", "FILE"},
        {"paraver", 0, 0, G_OPTION_ARG_FILENAME, &self->paraver,
         "write the lanes for Paraver: BASE.prv, BASE.pcf, BASE.row", "BASE"},
        {"table", 0, 0, G_OPTION_ARG_STRING, &self->table, "what --format=csv writes [ranks]",
         app_options_keep(options, app_join(app_view_tables, "|"))},
        {NULL},
    };
    app_single_options_add(&self->single, options);
    app_options_add(options, "Picture", entries);
}

static void clear(void *state)
{
    view *self = state;
    app_single_options_clear(&self->single);
    g_free(self->inject);
    g_free(self->lanes);
    g_free(self->time);
    g_free(self->table);
    g_free(self->page);
    g_free(self->chrome);
    g_free(self->paraver);
}

static bool usage(GError **error, const char *text)
{
    g_set_error_literal(error, APP_ERROR, APP_ERROR_USAGE, text);
    return false;
}

/* ---- writing ---- */

typedef struct result {
    const app_picture *picture;
    app_view_table table;
} result;

static void print_text(const void *data, FILE *out)
{
    app_picture_print(((const result *)data)->picture, out);
}

static void print_csv(const void *data, FILE *out)
{
    const result *r = data;
    app_picture_print_csv(r->picture, r->table, out);
}

static void build(const void *data, JsonBuilder *builder)
{
    app_picture_build(((const result *)data)->picture, builder);
}

static bool write_file(const char *path, void (*print)(const app_picture *, FILE *),
                       const app_picture *picture, GError **error)
{
    g_autoptr(app_output) output = app_output_open(path, error);
    if (output == NULL) {
        return false;
    }
    print(picture, app_output_stream(output));
    return app_output_close(g_steal_pointer(&output), error);
}

static bool write_paraver(const char *base, const app_picture *picture, GError **error)
{
    static const struct {
        const char *suffix;
        void (*print)(const app_picture *, FILE *);
    } FILES[] = {{".pcf", app_picture_write_pcf},
                 {".row", app_picture_write_row},
                 {".prv", app_picture_write_prv}};
    for (size_t i = 0; i < G_N_ELEMENTS(FILES); i++) {
        g_autofree char *path = g_strconcat(base, FILES[i].suffix, NULL);
        if (!write_file(path, FILES[i].print, picture, error)) {
            return false;
        }
    }
    return true;
}

static bool write_all(const app_context *context, const view *self, const result *r, GError **error)
{
    static const app_result_writer writer = {print_text, print_csv, build};
    return (self->chrome == NULL ||
            write_file(self->chrome, app_picture_write_chrome, r->picture, error)) &&
           (self->paraver == NULL || write_paraver(self->paraver, r->picture, error)) &&
           (self->page == NULL || app_view_page_write(r->picture, self->page, error)) &&
           app_result_write(context, context->output, context->format, &writer, r, error);
}

/* ---- the run ---- */

/* A program on a machine under noise, at its one size. */
typedef struct scene {
    app_source *source;     /* NULL where there is */
    sim_run_record *record; /* that is pictured */
    app_setting setting;
    uint32_t ranks;
} scene;

static void scene_clear(scene *s)
{
    app_setting_clear(&s->setting);
    app_source_free(s->source);
    sim_run_record_free(s->record);
}

static bool scene_set(scene *s, app_context *context, const view *self, GError **error)
{
    s->source =
        app_source_open(context->args[0], &self->single.program, false, context->manifest, error);
    s->ranks = s->source != NULL ? app_single_run_size(s->source, context, error) : 0;
    return s->ranks != 0 &&
           app_setting_resolve(&self->single.machine, &self->single.places, &self->single.noise,
                               &s->ranks, 1, context, &s->setting, error) &&
           app_source_take_calls(s->source, s->setting.machine, error);
}

/* What --inject, --lanes and --time come to. */
typedef struct choice {
    app_detour detour;
    uint32_t *lanes;
    uint32_t num_lanes;
    sim_time from, to;
} choice;

static bool choose(choice *c, const view *self, uint32_t ranks, app_manifest *manifest,
                   GError **error)
{
    if ((self->inject != NULL && !app_view_parse_detour(self->inject, ranks, &c->detour, error)) ||
        !app_view_parse_lanes(self->lanes, ranks, &c->lanes, &c->num_lanes, error) ||
        !app_view_parse_time(self->time, &c->from, &c->to, error)) {
        return false;
    }
    if (self->inject != NULL) {
        app_manifest_add(manifest, "inject", "%s", self->inject);
    }
    app_manifest_add(manifest, "lanes", "%s",
                     self->lanes != NULL ? self->lanes
                     : self->recorded    ? "first:64"
                                         : "worst:64");
    if (self->time != NULL) {
        app_manifest_add(manifest, "time", "%s", self->time);
    }
    return true;
}

/* Beside the program and its run: the runs that it is compared with, and the picture. */
static uint64_t extra_memory(const view *self, const scene *s)
{
    const bool noisy = app_noise_is_some(&s->setting.noise);
    const uint64_t runs = (noisy || self->inject != NULL) + (noisy && self->inject != NULL);
    return runs * app_source_memory(s->source, s->ranks) +
           (uint64_t)s->ranks * APP_VIEW_BYTES_PER_RANK + APP_VIEW_BYTES;
}

static app_picture *make_picture(const app_context *context, const view *self, scene *s,
                                 const choice *c, app_view_table table, GError **error)
{
    g_auto(app_single_run) run = {0};
    if (!app_single_run_begin(&run, s->source, &s->setting, s->ranks, extra_memory(self, s),
                              context, error)) {
        return NULL;
    }
    const app_view_request request = {.program = run.program,
                                      .params = run.params,
                                      .levels = run.levels,
                                      .signature = s->setting.noise.signature,
                                      .injection = run.injection,
                                      .detour = self->inject != NULL ? &c->detour : NULL,
                                      .lanes = c->lanes,
                                      .num_lanes = c->num_lanes,
                                      .from = c->from,
                                      .to = c->to,
                                      .with_cones = context->format == APP_FORMAT_JSON ||
                                                    table == APP_VIEW_TABLE_CONES,
                                      .num_ops = run.num_ops,
                                      .watch = &run.watch.watch,
                                      .threads = context->threads};
    app_picture *picture = app_view_run(&request, error);
    if (picture != NULL) {
        app_view_note(picture, &request);
    }
    return picture;
}

static bool check_request(const app_context *context, const view *self, app_view_table *table,
                          GError **error)
{
    unsigned index = APP_VIEW_TABLE_RANKS;
    if (self->table != NULL) {
        if (!app_parse_choice("--table", self->table, app_view_tables, &index, error)) {
            return false;
        }
        if (context->format != APP_FORMAT_CSV) {
            return usage(error, "--table: only with --format=csv");
        }
    }
    *table = (app_view_table)index;
    if (self->inject == NULL && (index == APP_VIEW_TABLE_FRONT || index == APP_VIEW_TABLE_WAVE)) {
        return usage(error, "--table: there is no wave without --inject");
    }
    g_autofree char *prv = self->paraver != NULL ? g_strconcat(self->paraver, ".prv", NULL) : NULL;
    const char *const taken[] = {context->output, context->args[0], self->page, self->chrome};
    const app_output_place page = {"--page", self->page, false};
    const app_output_place chrome = {"--chrome", self->chrome, false};
    const app_output_place paraver = {"--paraver", prv, false};
    return (self->page == NULL || app_output_check(&page, 2, taken, error)) &&
           (self->chrome == NULL || app_output_check(&chrome, 3, taken, error)) &&
           (prv == NULL || app_output_check(&paraver, 4, taken, error));
}

/* What is said of a simulated run, where there is none. */
static bool refuse_idle(const view *self, bool is_record, bool seed_given, GError **error)
{
    const char *idle = is_record        ? "on the record of a run"
                       : self->recorded ? "with --recorded"
                                        : NULL;
    const app_program_options *p = &self->single.program;
    const app_option_use uses[] = {
        {"--ranks", p->ranks != NULL, idle},
        {"--repeat", p->repeat != NULL, idle},
        {"--coll", p->coll != NULL, idle},
        {"--compute", p->compute != NULL, idle},
        {"--no-p2p", p->no_p2p, idle},
        {"--no-collectives", p->no_collectives, idle},
        {"--roots", p->roots != NULL, idle},
        {"--copies", p->copies != NULL, idle},
        {"--wildcards", p->wildcards != NULL, idle},
        {"--reduce", p->reduce != NULL, idle},
        {"--machine", self->single.machine.machine != NULL, idle},
        {"--set", self->single.machine.set != NULL, idle},
        {"--noise", self->single.noise.noise != NULL, idle},
        {"--without", self->single.noise.without != NULL, idle},
        {"--cosched", self->single.noise.cosched != NULL, idle},
        {"--accept-invalid", self->single.noise.accept_invalid, idle},
        {"--ranks-per-node", self->single.places.ranks_per_node != NULL, idle},
        {"--placement", self->single.places.placement != NULL, idle},
        {"--threads-per-rank", self->single.places.threads_per_rank != NULL, idle},
        {"--cores-per-node", self->single.places.cores_per_node != NULL, idle},
        {"--inject", self->inject != NULL, idle},
        {"--seed", seed_given, idle},
        {"--recorded", self->recorded, is_record ? idle : NULL},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error) &&
           app_extrapolation_refuse_idle(&p->larger, idle, error);
}

static app_picture *recorded_picture(app_context *context, const view *self, scene *s, choice *c,
                                     GError **error)
{
    s->source =
        app_source_open(context->args[0], &self->single.program, false, context->manifest, error);
    if (s->source == NULL) {
        return NULL;
    }
    const sched_trace *trace = app_source_trace(s->source);
    if (trace == NULL) {
        usage(error, "--recorded has no effect on what is not a trace");
        return NULL;
    }
    if (!choose(c, self, trace->num_ranks, context->manifest, error)) {
        return NULL;
    }
    app_manifest_add(context->manifest, "run", "recorded");
    return app_recorded_picture(trace, c->lanes, c->num_lanes, c->from, c->to);
}

/* A file that a run was recorded in: nothing is run. */
static app_picture *read_picture(app_context *context, const view *self, scene *s, choice *c,
                                 GError **error)
{
    s->record = sim_run_record_open(context->args[0], error);
    if (s->record == NULL) {
        return NULL;
    }
    const sim_run_facts facts = sim_run_record_facts(s->record);
    app_manifest_add(context->manifest, "record", "%s", context->args[0]);
    if (!choose(c, self, facts.num_ranks, context->manifest, error)) {
        return NULL;
    }
    app_picture *picture =
        app_record_picture(s->record, c->lanes, c->num_lanes, c->from, c->to, error);
    if (picture != NULL) {
        app_view_note_record(picture, sim_run_record_label(s->record), facts.num_ops);
    }
    return picture;
}

static app_picture *simulated_picture(app_context *context, const view *self, scene *s, choice *c,
                                      app_view_table table, GError **error)
{
    if (!scene_set(s, context, self, error) ||
        !choose(c, self, s->ranks, context->manifest, error)) {
        return NULL;
    }
    app_source_report_notices(s->source, context);
    return make_picture(context, self, s, c, table, error);
}

/* Who made a trace says little of what is in it. */
static char *title_of(const app_context *context, const scene *s)
{
    return s->record != NULL ? g_strdup_printf("record %s", context->args[0])
           : app_source_trace(s->source) != NULL
               ? g_strdup_printf("trace %s, %s", context->args[0],
                                 app_source_description(s->source))
               : g_strdup(app_source_description(s->source));
}

static bool view_run(app_context *context, const view *self, scene *s, choice *c,
                     app_view_table table, GError **error)
{
    const bool is_record = sim_run_record_is_one(context->args[0]);
    g_autoptr(app_picture) picture = is_record ? read_picture(context, self, s, c, error)
                                     : self->recorded
                                         ? recorded_picture(context, self, s, c, error)
                                         : simulated_picture(context, self, s, c, table, error);
    if (picture == NULL) {
        return false;
    }
    picture->title = title_of(context, s);
    g_autofree char *line = app_manifest_line(context->manifest);
    picture->manifest = g_strdup(g_str_has_prefix(line, "# ") ? line + 2 : line);
    const result r = {picture, table};
    return write_all(context, self, &r, error);
}

static int run(app_context *context, void *state, GError **error)
{
    const view *self = state;
    app_view_table table;
    if (!app_context_check_args(context, 1, 1, error) ||
        !refuse_idle(self, sim_run_record_is_one(context->args[0]), context->seed_given, error) ||
        !check_request(context, self, &table, error)) {
        return APP_EXIT_USAGE;
    }
    scene s = {0};
    choice c = {0};
    const bool ok = view_run(context, self, &s, &c, table, error);
    g_free(c.lanes);
    scene_clear(&s);
    return ok ? APP_EXIT_DONE : APP_EXIT_ERROR;
}

static const char *const EXAMPLES[] = {
    "ripple view 'pattern:stencil3d:8KiB,calc=1ms*100' --ranks=512 --noise=altix --page=run.html",
    "Where the ripples of a run went, on a page with a heat map and timelines.",
    "ripple view 'pattern:stencil1d,calc=1ms*60' --inject=rank=32,at=5ms,for=6ms",
    "The idle wave of one detour: its speed, beside the formula, and its decay.",
    "ripple view trace/ --noise=jaguar --lanes=0-15 --time=1s..1.1s --chrome=run.json",
    "A tenth of a second of 16 ranks of a recorded program, for Perfetto.",
    "ripple view run.hb --lanes=0-63 --page=run.html",
    "A run that `ripple simulate --record=run.hb` has kept.",
    "ripple view trace/ --recorded --page=record.html",
    "The run as it was recorded.",
    NULL,
};

const app_verb app_verb_view = {
    .name = "view",
    .summary = "draw a run: timelines, where the ripples went, idle waves",
    .usage = "PROGRAM|RECORD",
    .description =
        "PROGRAM is as for simulate, and is run once, under noise, beside the same run without "
        "noise.\n"
        "\n"
        "What is lost is time in detours, and time in which a rank waits for noise: idle time "
        "before a\n"
        "stretch of its work beyond what the run without noise has before the same stretch. The "
        "heat map\n"
        "has ranks by time; the lanes have every state of chosen ranks.\n"
        "\n"
        "RECORD is the record of a run, from simulate --record: lanes, messages and critical path "
        "of\n"
        "that run, without another one; what of it was lost is not in a record.\n"
        "\n"
        "With --inject there is one more detour. The ranks that it makes late are its front; "
        "speed and\n"
        "decay are fitted to it by least squares, and the formula of Afzal, Hager and Wellein\n"
        "(sigma d / (T_exec + T_comm)) is printed beside them. docs/view.md.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT | APP_TAKES_SEED | APP_TAKES_THREADS,
    .state_size = sizeof(view),
    .options = options,
    .run = run,
    .clear = clear,
};
