/* apps/ripple/program/source.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate, cli_simulate_errors, cli_trace_input. */
#include "program/source_private.h"

#include "coll/call_text.h"
#include "options/sizes.h"
#include "output/error.h"
#include "output/number_text.h"
#include "sched/error.h"
#include "sched/goal.h"
#include "sched/reader.h"
#include "sched/replay.h"
#include "sim/byte_order_mark.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define COLLECTIVE "collective:"
#define PATTERN    "pattern:"
enum { COMPUTED_RANKS = 64 }; /* unless --ranks says more */

static bool open_collective(app_source *s, const char *text, GError **error)
{
    s->kind = APP_SOURCE_COLLECTIVE;
    s->own_ranks = COMPUTED_RANKS;
    const char *call = text + strlen(COLLECTIVE);
    g_autoptr(GError) why = NULL;
    if (!coll_call_parse(call, &s->call, &s->algorithm, &why)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "'%s': %s; the form is " COLLECTIVE COLL_CALL_FORM, text, why->message);
        return false;
    }
    coll_call_level(&s->call);
    s->call.reduce = s->convert.reduce;
    s->call.size = COMPUTED_RANKS;
    s->pattern = sched_pattern_new(call, NULL);
    g_autofree char *bytes = sim_unit_format_count((uint64_t)s->call.bytes);
    g_autofree char *how = coll_algorithm_format(s->algorithm);
    s->description =
        g_strdup_printf("%s, %s, %sB", coll_kind_name(s->call.kind),
                        s->algorithm.how != NULL ? how : coll_profile_name(s->profile), bytes);
    return true;
}

static bool open_pattern(app_source *s, const char *text, GError **error)
{
    s->kind = APP_SOURCE_PATTERN;
    s->own_ranks = COMPUTED_RANKS;
    g_autoptr(GError) why = NULL;
    s->pattern = sched_pattern_new(text + strlen(PATTERN), &why);
    if (s->pattern == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "'%s': %s", text, why->message);
        return false;
    }
    s->description = sched_pattern_format(s->pattern);
    return true;
}

static void take_notices(app_source *s, const GArray *notices)
{
    for (guint i = 0; notices != NULL && i < notices->len; i++) {
        const sched_notice *n = &g_array_index(notices, sched_notice, i);
        const sched_notice copy = {g_strdup(n->what), n->count, n->share};
        g_array_append_val(s->notices, copy);
    }
}

static bool refuse_unknown(const char *path, GError **error)
{
    if (!sim_byte_order_mark_refuse_file(path, APP_ERROR, APP_ERROR_INPUT, error)) {
        return false;
    }
    g_autofree char *schedules = sched_reader_names(false);
    g_autofree char *traces = sched_reader_names(true);
    g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                "%s: neither a stored schedule (%s) nor a trace (%s)", path, schedules, traces);
    return false;
}

/* The trace has been read. */
static bool take_trace(app_source *s, GError **error)
{
    sched_convert_report report = {0};
    s->kind = APP_SOURCE_TRACE;
    s->own_ranks = s->trace->num_ranks;
    const bool ok = app_source_follow(s, s->own_ranks, &report, error) &&
                    (!s->extrapolation.regrid || app_source_recognise(s, error) != NULL) &&
                    app_source_fit(s, error);
    if (ok) {
        take_notices(s, s->trace->notices);
        take_notices(s, report.notices);
        app_source_note_unexplained(s);
        s->description = g_strdup(s->trace->format);
        s->rank_bytes = sched_replay_rank_bytes(s->program);
        s->many_open = !s->program->few_open;
    }
    sched_convert_report_clear(&report);
    return ok;
}

static bool open_file(app_source *s, const char *path, bool strict, GError **error)
{
    if (g_access(path, R_OK) != 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: %s", path,
                    errno == ENOENT ? "there is no such file" : g_strerror(errno));
        return false;
    }
    const sched_reader *reader = sched_reader_find(path);
    s->read.strict = strict;
    s->read.pack = true;
    s->reader = reader;
    sched_input input = {0};
    GError *failure = NULL;
    if (reader == NULL || !reader->open(path, &s->read, &input, &failure)) {
        if (reader == NULL || g_error_matches(failure, SCHED_ERROR, SCHED_ERROR_NOT_RECOGNISED)) {
            g_clear_error(&failure);
            return refuse_unknown(path, error);
        }
        g_propagate_error(error, failure);
        return false;
    }
    s->trace = input.trace;
    s->own = input.graph;
    if (s->trace != NULL) {
        return take_trace(s, error);
    }
    s->kind = APP_SOURCE_GOAL;
    s->is_goal_text = sched_goal_is_text(path);
    s->own_ranks = sim_graph_num_ranks(s->own);
    s->description = g_strdup(reader->description);
    return true;
}

static void add_to_manifest(const app_source *s, const char *text, app_manifest *manifest)
{
    static const char *const COMPUTE[] = {"cpu", "wall"};
    static const char *const WILDCARDS[] = {"keep", "recorded"};
    app_manifest_add(manifest, "program", "%s", text);
    if (s->kind == APP_SOURCE_COLLECTIVE || s->convert.repeat > 1) {
        app_manifest_add(manifest, "repeat", "%u", s->convert.repeat);
    }
    if (s->kind == APP_SOURCE_GOAL) {
        return;
    }
    if (s->kind == APP_SOURCE_TRACE) {
        if (s->read.flops_per_second > 0) {
            app_manifest_add(manifest, "flops-per-second", "%.17g", s->read.flops_per_second);
        }
        app_manifest_add(manifest, "compute", "%s", COMPUTE[s->convert.compute]);
        app_manifest_add(manifest, "p2p", "%s", s->convert.no_p2p ? "no" : "yes");
        app_manifest_add(manifest, "collectives", "%s", s->convert.no_collectives ? "no" : "yes");
        if (app_source_is_regridded(s)) {
            app_manifest_add(manifest, "extrapolate", "regrid");
            app_manifest_add(manifest, "scaling", "%s",
                             s->extrapolation.target.strong ? "strong" : "weak");
            if (s->fit != NULL) {
                g_autofree char *fit = g_strjoinv(",", s->fit);
                app_manifest_add(manifest, "fit", "%s", fit);
            }
            app_manifest_add(manifest, "grid-seed", "%" G_GUINT64_FORMAT,
                             s->extrapolation.target.seed);
        } else {
            app_manifest_add(manifest, "roots", "%s", app_source_roots(s));
        }
        if (s->convert.resample) {
            app_manifest_add(manifest, "copies", "resampled");
            app_manifest_add(manifest, "copies-seed", "%" G_GUINT64_FORMAT,
                             s->convert.resample_seed);
        }
        app_manifest_add(manifest, "wildcards", "%s", WILDCARDS[s->convert.wildcards]);
    }
    g_autofree char *reduce = sim_unit_format_rate(s->convert.reduce);
    app_manifest_add(manifest, "reduce", "%s", reduce);
    if (s->kind != APP_SOURCE_COLLECTIVE || s->algorithm.how == NULL) {
        app_manifest_add(manifest, "coll", "%s", coll_profile_name(s->profile));
    }
}

static void notice_clear(gpointer data)
{
    g_free(((sched_notice *)data)->what);
}

app_source *app_source_open(const char *text, const app_program_options *options, bool strict,
                            app_manifest *manifest, GError **error)
{
    g_autoptr(app_source) s = g_new0(app_source, 1);
    s->ranks = g_strdup(options->ranks);
    s->roots_given = options->roots != NULL && !options->of_study;
    s->copies_given = options->copies != NULL && !options->of_study;
    s->extrapolate_given =
        options->larger.extrapolate != NULL && !options->of_study && !options->any_size;
    s->notices = g_array_new(FALSE, FALSE, sizeof(sched_notice));
    s->growths = g_array_new(FALSE, FALSE, sizeof(app_source_grown));
    g_array_set_clear_func(s->notices, notice_clear);
    if (!app_source_take_options(s, options, error)) {
        return NULL;
    }
    const bool opened = g_str_has_prefix(text, COLLECTIVE) ? open_collective(s, text, error)
                        : g_str_has_prefix(text, PATTERN)  ? open_pattern(s, text, error)
                                                           : open_file(s, text, strict, error);
    if (!opened || !app_source_refuse_idle(s, options, strict, error)) {
        return NULL;
    }
    add_to_manifest(s, text, manifest);
    return g_steal_pointer(&s);
}

void app_source_free(app_source *s)
{
    if (s == NULL) {
        return;
    }
    app_source_drop_forms(s);
    for (guint i = 0; i < s->growths->len; i++) {
        sched_growth_free(g_array_index(s->growths, app_source_grown, i).growth);
    }
    g_array_unref(s->growths);
    sched_regrid_scaling_free(s->scaling);
    g_strfreev(s->fit);
    sched_regrid_free(s->regrid);
    sim_graph_free(s->own);
    sched_trace_free(s->trace);
    sched_pattern_free(s->with_calls);
    sched_pattern_free(s->pattern);
    coll_profile_free(s->profile);
    g_free(s->coll);
    g_array_unref(s->notices);
    g_free(s->description);
    g_free(s->ranks);
    g_free(s);
}

app_source_kind app_source_get_kind(const app_source *s)
{
    return s->kind;
}

bool app_source_is_computed(const app_source *s)
{
    return s->pattern != NULL;
}

char *app_source_long_grid(const app_source *s, uint32_t ranks)
{
    return s->pattern != NULL ? sched_pattern_long_grid(s->pattern, ranks) : NULL;
}

const char *app_source_description(const app_source *s)
{
    return s->description;
}

uint32_t app_source_own_ranks(const app_source *s)
{
    return s->own_ranks;
}

const sched_trace *app_source_trace(const app_source *s)
{
    if (s->trace != NULL) {
        sched_trace_unpack(s->trace);
    }
    return s->trace;
}

const GArray *app_source_notices(const app_source *s)
{
    return s->notices;
}

bool app_source_check_size(const app_source *s, uint32_t ranks, GError **error)
{
    if (app_source_is_regridded(s)) {
        return app_source_check_grid(s, ranks, error);
    }
    if (!app_source_is_computed(s) && ranks % s->own_ranks != 0) {
        g_autofree char *asked = sim_unit_format_count(ranks);
        g_autofree char *own = app_format_ranks(s->own_ranks);
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--ranks: %s is not a multiple of the %s %s",
                    asked, own,
                    s->kind == APP_SOURCE_TRACE ? "that were recorded" : "of the schedule");
        return false;
    }
    if (s->kind == APP_SOURCE_COLLECTIVE && s->algorithm.how != NULL &&
        !coll_algorithm_check(s->algorithm, s->call.kind, ranks, error)) {
        app_error_blame_option(error, coll_kind_name(s->call.kind));
        return false;
    }
    if (s->kind == APP_SOURCE_PATTERN) {
        const sched_pattern_options options = app_source_pattern_options(s, ranks);
        if (!sched_pattern_check(s->pattern, &options, error)) {
            app_error_blame_option(error, "pattern");
            return false;
        }
    }
    return true;
}

void app_source_build_notices(const app_source *s, JsonBuilder *builder)
{
    sim_json_begin_array(builder, "notices");
    for (guint i = 0; i < s->notices->len; i++) {
        const sched_notice *n = &g_array_index(s->notices, sched_notice, i);
        json_builder_begin_object(builder);
        sim_json_text(builder, "what", n->what);
        sim_json_int(builder, "count", (int64_t)n->count);
        if (n->share > 0) {
            sim_json_double(builder, "share", n->share);
        }
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

void app_source_report_notices(const app_source *s, const app_context *context)
{
    for (guint i = 0; i < s->notices->len; i++) {
        const sched_notice *n = &g_array_index(s->notices, sched_notice, i);
        app_context_note(context, "%s (%" G_GUINT64_FORMAT ")", n->what, n->count);
    }
}

void app_source_scale_by_default(app_source *s, uint32_t first, uint32_t last)
{
    if (s->ranks != NULL || s->kind == APP_SOURCE_GOAL) {
        return;
    }
    const bool regridded = app_source_is_regridded(s);
    const uint32_t unit = s->kind == APP_SOURCE_TRACE && !regridded ? s->own_ranks : 1;
    size_t n = 0;
    g_autofree uint32_t *sizes = app_scaling_sizes(unit, first, last, &n);
    g_autoptr(GString) list = g_string_new(NULL);
    uint32_t before = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t size = regridded ? sched_regrid_near(s->regrid, sizes[i]) : sizes[i];
        if (size != before) {
            g_string_append_printf(list, "%s%u", i > 0 ? "," : "", size);
        }
        before = size;
    }
    s->ranks = g_strdup(list->str);
}

const char *app_source_limit(const app_source *s, uint32_t ranks)
{
    return s->kind == APP_SOURCE_GOAL && ranks > s->own_ranks
               ? "the copies do not communicate with each other: a stored schedule has no "
                 "collectives that could grow, so no delay spreads beyond its copy"
               : NULL;
}

const char *app_source_roots(const app_source *s)
{
    static const char *const ROOTS[] = {"global", "copy"};
    return s->kind == APP_SOURCE_TRACE ? ROOTS[s->convert.roots] : NULL;
}

bool app_source_is_resampled(const app_source *s)
{
    return s->kind == APP_SOURCE_TRACE && s->convert.resample;
}

static void notice_limit(app_source *s, const uint32_t *sizes, size_t n)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        largest = MAX(largest, sizes[i]);
    }
    const char *limit = app_source_limit(s, largest);
    if (limit != NULL) {
        sched_notices_add(s->notices, largest / s->own_ranks, limit);
    }
}

uint32_t *app_source_sizes(app_source *s, app_manifest *manifest, size_t *n, GError **error)
{
    g_autofree char *own = g_strdup_printf("%u", s->own_ranks);
    g_auto(GStrv) words = g_strsplit(s->ranks != NULL ? s->ranks : own, ",", -1);
    const size_t count = g_strv_length(words);
    g_autofree uint32_t *sizes = g_new(uint32_t, MAX(count, 1));
    if (count == 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--ranks: the list is empty");
        return NULL;
    }
    bool repeated = false;
    for (size_t i = 0; i < count; i++) {
        if (strstr(words[i], "..") != NULL) {
            g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                        "--ranks: '%s': ranges are for 'ripple sweep'; here is a list: 64,256,1Ki",
                        words[i]);
            return NULL;
        }
        if (!sim_unit_parse_count(words[i], &sizes[i], error)) {
            app_error_blame_option(error, "--ranks");
            return NULL;
        }
        if (!app_source_check_size(s, sizes[i], error)) {
            return NULL;
        }
        for (size_t j = 0; j < i; j++) {
            if (sizes[j] == sizes[i]) {
                (void)app_refuse_double(words[i], words[j], error);
                app_error_blame_option(error, "--ranks");
                return NULL;
            }
        }
        repeated |= sizes[i] != s->own_ranks;
    }
    if (!repeated) {
        static const char IDLE[] = "on a trace that is not repeated";
        const app_option_use uses[] = {{"--roots", s->roots_given, IDLE},
                                       {"--copies", s->copies_given, IDLE},
                                       {"--extrapolate", s->extrapolate_given, IDLE}};
        if (!app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error)) {
            return NULL;
        }
    }
    g_autoptr(GString) list = g_string_new(NULL);
    for (size_t i = 0; i < count; i++) {
        g_autofree char *size = sim_unit_format_count(sizes[i]);
        g_string_append_printf(list, "%s%s", i > 0 ? "," : "", size);
    }
    app_manifest_add(manifest, "ranks", "%s", list->str);
    if (app_source_is_regridded(s)) {
        app_source_note_grids(s, sizes, count, manifest);
        app_source_note_fit(s, sizes, count, manifest);
    }
    notice_limit(s, sizes, count);
    *n = count;
    return g_steal_pointer(&sizes);
}
