/* apps/ripple/verbs/verb_analyze.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_analyze. */
/**
 * @file
 * ripple analyze: the record of a run -> where its time went.
 */
#include "analysis/analysis_print.h"
#include "options/options.h"
#include "output/error.h"
#include "output/output.h"
#include "sim/unit.h"
#include "verbs/verb_list.h"

#include <string.h>

#define DEFAULT_TOP 10
#define MOST_TOP    100000 /* lists are kept in order, one insertion each */

typedef struct analyze {
    char *top;
    char *waits;
    char *table;
    gboolean path;
} analyze;

/* What --format=csv may write. */
typedef enum {
    TABLE_BREAKDOWN,
    TABLE_KINDS,
    TABLE_RANKS,
    TABLE_OPERATIONS,
    TABLE_PATH,
    TABLE_CAUSES,
    TABLE_WAITS,
} csv_table;
static const char *const TABLES[] = {"breakdown", "kinds",  "ranks", "operations",
                                     "path",      "causes", "waits", NULL};

static void options(void *state, app_options *options)
{
    analyze *self = state;
    const GOptionEntry entries[] = {
        {"waits", 0, 0, G_OPTION_ARG_STRING, &self->waits,
         "list the N longest waits; 0: look at none [10]", "N"},
        {"top", 0, 0, G_OPTION_ARG_STRING, &self->top,
         "list N ranks and N stretches of the path [10]", "N"},
        {"path", 0, 0, G_OPTION_ARG_NONE, &self->path,
         "print the critical path itself, latest first", NULL},
        {"table", 0, 0, G_OPTION_ARG_STRING, &self->table, "what --format=csv writes [breakdown]",
         app_options_keep(options, app_join(TABLES, "|"))},
        {NULL},
    };
    app_options_add(options, "Result", entries);
}

static void clear(void *state)
{
    analyze *self = state;
    g_free(self->top);
    g_free(self->waits);
    g_free(self->table);
}

/* What the options come to. */
typedef struct request {
    app_analysis_request analysis;
    uint64_t top;
    csv_table table;
    bool path;
} request;

static bool refuse(GError **error, const char *text)
{
    g_set_error_literal(error, APP_ERROR, APP_ERROR_USAGE, text);
    return false;
}

/* Options that the table does not show would be ignored. */
static bool check_table(const analyze *self, const request *r, GError **error)
{
    if (self->path && r->table != TABLE_PATH) {
        return refuse(error, "--path: CSV is one table: --table=path");
    }
    if (self->waits != NULL && r->table != TABLE_WAITS) {
        return refuse(error, "--waits: CSV is one table: --table=waits");
    }
    if (self->top != NULL && r->table != TABLE_OPERATIONS) {
        return refuse(error, "--top: CSV is one table, and --table=operations the one it is for");
    }
    return true;
}

static bool read_request(const app_context *context, const analyze *self, request *r,
                         GError **error)
{
    uint64_t waits = DEFAULT_TOP;
    unsigned table = TABLE_BREAKDOWN;
    r->top = DEFAULT_TOP;
    if ((self->waits != NULL &&
         !app_parse_unsigned("--waits", self->waits, 0, MOST_TOP, &waits, error)) ||
        (self->top != NULL &&
         !app_parse_unsigned("--top", self->top, 1, MOST_TOP, &r->top, error)) ||
        (self->table != NULL && !app_parse_choice("--table", self->table, TABLES, &table, error))) {
        return false;
    }
    const bool csv = context->format == APP_FORMAT_CSV;
    if (self->table != NULL && !csv) {
        return refuse(error, "--table: only with --format=csv");
    }
    r->table = (csv_table)table;
    if (csv && !check_table(self, r, error)) {
        return false;
    }
    r->path = self->path;
    r->analysis = (app_analysis_request){
        .operations = r->top,
        .waits = waits,
        .waited = csv ? table == TABLE_CAUSES || (table == TABLE_WAITS && waits > 0) : waits > 0};
    return true;
}

/* The parameters that the run had, of each level. */
static void list_parameters(app_manifest *manifest, const char *path, const sim_run_facts *facts)
{
    static char said[] = "record";
    const sim_machine machine = {
        .params = facts->params,
        .node_keys = facts->has_node,
        .node = facts->node,
        .provenance = {[SIM_KEY_H] = facts->params.H > 0 ? said : NULL,
                       [SIM_KEY_NODE_H] = facts->node.H > 0 ? said : NULL}};
    app_manifest_add(manifest, "record", "%s", path);
    for (int key = 0; key < SIM_NUM_KEYS; key++) {
        g_autofree char *value = sim_machine_format_value(&machine, (sim_key)key);
        if (value != NULL) {
            app_manifest_add(manifest, sim_key_name((sim_key)key), "%s", value);
        }
    }
    if (facts->L_hop > 0) { /* of which distance is not kept */
        g_autofree char *value = sim_unit_format_time(facts->L_hop);
        app_manifest_add(manifest, "L_hop", "%s", value);
    }
}

/* ---- writing ---- */

static bool write_csv(const request *r, const sim_run_record *record, const app_analysis *analysis,
                      FILE *out, GError **error)
{
    switch (r->table) {
    case TABLE_BREAKDOWN:
        app_analysis_breakdown_csv(analysis, out);
        break;
    case TABLE_KINDS:
        app_analysis_types_csv(analysis, out);
        break;
    case TABLE_RANKS:
        app_analysis_ranks_csv(analysis, out);
        break;
    case TABLE_OPERATIONS:
        app_analysis_operations_csv(analysis, out);
        break;
    case TABLE_PATH:
        return app_analysis_path_csv(record, out, error);
    case TABLE_CAUSES:
        app_analysis_causes_csv(analysis, out);
        break;
    default:
        app_analysis_waits_csv(analysis, out);
    }
    return true;
}

static bool write_json(const app_context *context, const request *r, const sim_run_record *record,
                       const char *label, const app_analysis *analysis, app_output *output,
                       GError **error)
{
    g_autoptr(JsonBuilder) builder = json_builder_new();
    json_builder_begin_object(builder);
    app_manifest_build(context->manifest, builder);
    app_analysis_build(analysis, label, r->top, builder);
    if (r->path && !app_analysis_build_path(record, builder, error)) {
        return false;
    }
    json_builder_end_object(builder);
    app_output_json(output, builder);
    return true;
}

/* The line that headed the run's own result, without what makes it a comment. */
static const char *label_of(const sim_run_record *record)
{
    const char *label = sim_run_record_label(record);
    return g_str_has_prefix(label, "# ") ? label + strlen("# ") : label;
}

/* The path is read once more as it is written, so a record that changes meanwhile leaves nothing.
 */
static bool write_result(const app_context *context, const request *r, const sim_run_record *record,
                         const app_analysis *analysis, GError **error)
{
    g_autoptr(app_output) output = app_output_open(context->output, error);
    if (output == NULL) {
        return false;
    }
    const char *label = label_of(record);
    bool whole = true;
    if (context->format == APP_FORMAT_JSON) {
        whole = write_json(context, r, record, label, analysis, output, error);
    } else {
        FILE *out = app_output_stream(output);
        app_output_head(output, context->manifest);
        if (context->format == APP_FORMAT_CSV) {
            whole = write_csv(r, record, analysis, out, error);
        } else {
            app_analysis_print(analysis, label, r->top, out);
            whole = !r->path || app_analysis_print_path(record, out, error);
        }
    }
    return whole && app_output_close(g_steal_pointer(&output), error);
}

static int run(app_context *context, void *state, GError **error)
{
    request r = {.top = DEFAULT_TOP};
    if (!app_context_check_args(context, 1, 1, error) || !read_request(context, state, &r, error)) {
        return APP_EXIT_USAGE;
    }
    g_autoptr(sim_run_record) record = sim_run_record_open(context->args[0], error);
    g_autoptr(app_analysis) analysis =
        record != NULL ? app_analysis_new(record, &r.analysis, error) : NULL;
    if (analysis == NULL) {
        return APP_EXIT_ERROR;
    }
    list_parameters(context->manifest, context->args[0], &analysis->facts);
    return write_result(context, &r, record, analysis, error) ? APP_EXIT_DONE : APP_EXIT_ERROR;
}

static const char *const EXAMPLES[] = {
    "ripple analyze run.hb",
    "Where the time of a run went that `ripple simulate --record=run.hb` has kept.",
    "ripple analyze run.hb --path --waits=0",
    "Its critical path, from the end of the run to its beginning.",
    "ripple analyze run.hb --format=csv --table=waits --waits=1000",
    "The thousand longest waits, one row each.",
    NULL,
};

const app_verb app_verb_analyze = {
    .name = "analyze",
    .summary = "say where the time of a recorded run went, and who waited for what",
    .usage = "FILE",
    .description =
        "FILE is the record of a run, from `ripple simulate --record=FILE`.\n"
        "\n"
        "The critical path leads from the operation that finishes last back to the beginning: "
        "each\n"
        "operation on it starts when its cause lets it. Its parts (computation, the machine's\n"
        "parameters, noise) add up to the makespan; how often a parameter is on it says what a\n"
        "change of it would cost. Operations are numbered as in the program, rank by rank.\n"
        "\n"
        "A wait is listed whether it is on the path or not: a receive's, from its posting, for "
        "its\n"
        "message, a busy interface (NIC) and the CPU; a large message's for its receive; any\n"
        "operation's for detours. What a calc or send waits for before it starts is counted from\n"
        "when that began (<=): a record does not say when the operation became ready.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT,
    .state_size = sizeof(analyze),
    .options = options,
    .run = run,
    .clear = clear,
};
