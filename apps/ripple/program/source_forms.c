/* apps/ripple/program/source_forms.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate_errors, cli_schedule. */
#include "coll/program.h"
#include "output/error.h"
#include "output/number_text.h"
#include "program/source_private.h"
#include "sched/replay.h"
#include "sim/graph_repeat.h"
#include "sim/spread.h"
#include "system/memory.h"

enum {
    COMPUTED_RANK_BYTES = 64, /* of a computed program, per rank */
    STREAM_OP_BYTES = 64,     /* of one that is streamed, per operation of one rank */
    STORED_OP_BYTES = 24,     /* of a stored one, per operation, with a run of it */
    STORED_EDGE_BYTES = 4,
};

#define MAX_STREAM_OPS (UINT64_C(1) << 40) /* some hours */

static coll_algorithm algorithm_for(const app_source *s, const coll_call *call)
{
    return s->algorithm.how != NULL ? s->algorithm : coll_profile_select(s->profile, call);
}

static coll_call call_at(const app_source *s, uint32_t ranks)
{
    coll_call call = s->call;
    call.size = ranks;
    return call;
}

bool app_source_is_stored(const app_source *s, uint32_t ranks)
{
    return s->kind == APP_SOURCE_GOAL && ranks == s->own_ranks && s->convert.repeat == 1;
}

static bool check_memory(const app_source *s, uint32_t ranks, uint64_t need, GError **error)
{
    const uint64_t available = app_memory_available();
    if (need <= available) {
        return true;
    }
    g_autofree char *size = app_format_ranks(ranks);
    g_set_error(error, APP_ERROR, APP_ERROR_MEMORY,
                "%s at %s needs about %.1f GiB of memory, %.1f GiB are available", s->description,
                size, (double)need / (1 << 30), (double)available / (1 << 30));
    return false;
}

uint64_t app_source_memory(const app_source *s, uint32_t ranks)
{
    switch (s->kind) {
    case APP_SOURCE_COLLECTIVE:
    case APP_SOURCE_PATTERN:
        return (uint64_t)ranks * COMPUTED_RANK_BYTES;
    case APP_SOURCE_TRACE:
        return (uint64_t)ranks * s->rank_bytes;
    default:
        return sim_graph_memory(s->own) + (app_source_is_stored(s, ranks)
                                               ? sim_graph_cursor_memory(s->own)
                                               : sim_graph_repeat_memory(ranks));
    }
}

bool app_source_check_memory(const app_source *s, uint32_t ranks, uint64_t more, GError **error)
{
    return check_memory(s, ranks, app_source_memory(s, ranks) + more, error);
}

static sched_convert_options options_at(const app_source *s, uint32_t ranks)
{
    sched_convert_options options = s->convert;
    options.copies = s->own_ranks > 0 ? ranks / s->own_ranks : 1; /* empty traces are refused */
    options.growth = app_source_growth(s, ranks);
    return options;
}

sched_pattern_options app_source_pattern_options(const app_source *s, uint32_t ranks)
{
    return (sched_pattern_options){.ranks = ranks,
                                   .repeat = s->convert.repeat,
                                   .profile = s->profile,
                                   .reduce = s->convert.reduce};
}

bool app_source_follow(app_source *s, uint32_t ranks, sched_convert_report *report, GError **error)
{
    const sched_convert_options options = options_at(s, ranks);
    s->program = sched_replay_new(s->trace, &options, report, error);
    s->built_ranks = ranks;
    return s->program != NULL;
}

static void drop_program(app_source *s)
{
    sim_program_free(s->program);
    s->program = NULL;
}

static void drop_stream(app_source *s)
{
    if (s->stream == NULL) {
        return;
    }
    switch (s->kind) {
    case APP_SOURCE_GOAL:
        sched_repeat_source_clear(&s->of_own);
        break;
    case APP_SOURCE_TRACE:
        sched_convert_source_free(s->stream);
        break;
    case APP_SOURCE_COLLECTIVE:
    case APP_SOURCE_PATTERN:
        sched_pattern_source_free(s->stream);
        break;
    }
    s->stream = NULL;
}

void app_source_drop_forms(app_source *s)
{
    drop_program(s);
    drop_stream(s);
    g_clear_pointer(&s->graph, sim_graph_free);
}

const sim_program *app_source_own_program(const app_source *s)
{
    return s->kind == APP_SOURCE_GOAL ? sim_graph_program(s->own) : NULL;
}

bool app_source_is_few_open(const app_source *s)
{
    return s->kind == APP_SOURCE_GOAL ? sim_graph_program(s->own)->few_open : !s->many_open;
}

static sim_program *repeat_own(const app_source *s, uint32_t ranks, GError **error)
{
    sim_program *program =
        sim_graph_repeat_new(s->own, ranks / s->own_ranks, s->convert.repeat, error);
    if (program == NULL) {
        app_error_blame_option(error, s->convert.repeat > 1 ? "--repeat" : "--ranks");
    }
    return program;
}

uint32_t app_source_repeat(const app_source *s)
{
    return s->convert.repeat;
}

void app_source_set_repeat(app_source *s, uint32_t repeat)
{
    if (repeat != s->convert.repeat) {
        app_source_drop_forms(s);
        s->convert.repeat = repeat;
    }
}

/* With what calls take beside their messages; a rank that is alone has none. */
static const sched_pattern *pattern_at(const app_source *s, uint32_t ranks)
{
    return s->with_calls != NULL && ranks > 1 ? s->with_calls : s->pattern;
}

static sim_program *follow_pattern(const app_source *s, uint32_t ranks, GError **error)
{
    const sched_pattern_options options = app_source_pattern_options(s, ranks);
    return sched_pattern_program_new(pattern_at(s, ranks), &options, error);
}

/* As a pattern of one item would be followed, but also by the lanes. */
static sim_program *follow_collective(const app_source *s, uint32_t ranks, GError **error)
{
    const coll_call call = call_at(s, ranks);
    return coll_program_new(&call, algorithm_for(s, &call), s->convert.repeat, error);
}

/* Is a record followed in copies, which any number of ranks can be had of? */
static bool can_resize(const app_source *s)
{
    return s->kind == APP_SOURCE_TRACE && s->program != NULL && !app_source_is_regridded(s);
}

static const sim_program *resize(app_source *s, uint32_t ranks, GError **error)
{
    const sched_convert_options options = options_at(s, ranks);
    sim_program *program = sched_replay_resize(s->program, s->trace, &options, error);
    drop_program(s);
    s->program = program;
    s->built_ranks = ranks;
    return program;
}

/*
 * What is mapped runs from the file, but slower through many ranks than from memory; a copy is made
 * where that is small beside what is free.
 */
static void lay_out_own(app_source *s)
{
    if (sim_graph_memory(s->own) <= app_memory_available() / 4) {
        sim_graph_weave(s->own);
    }
}

const sim_program *app_source_program(app_source *s, uint32_t ranks, GError **error)
{
    if (app_source_is_stored(s, ranks)) {
        lay_out_own(s);
        return sim_graph_program(s->own);
    }
    if (s->program != NULL && s->built_ranks != ranks && can_resize(s)) {
        return resize(s, ranks, error);
    }
    if (s->program == NULL || s->built_ranks != ranks) {
        drop_program(s);
        s->built_ranks = ranks;
        if (s->kind == APP_SOURCE_GOAL) {
            s->program = repeat_own(s, ranks, error);
            return s->program;
        }
        if (s->kind == APP_SOURCE_TRACE) {
            sched_convert_report report = {0};
            (void)app_source_follow(s, ranks, &report, error);
            sched_convert_report_clear(&report);
            return s->program;
        }
        s->program = s->kind == APP_SOURCE_PATTERN || s->with_calls != NULL
                         ? follow_pattern(s, ranks, error)
                         : follow_collective(s, ranks, error);
    }
    return s->program;
}

static sched_rank_source *make_stream(app_source *s, uint32_t ranks, GError **error)
{
    if (s->kind == APP_SOURCE_GOAL) {
        sched_repeat_source_init(&s->of_own, s->own, ranks / s->own_ranks, s->convert.repeat);
        return &s->of_own.source;
    }
    if (s->pattern != NULL) {
        const sched_pattern_options options = app_source_pattern_options(s, ranks);
        return sched_pattern_source_new(pattern_at(s, ranks), &options, error);
    }
    sched_convert_report report = {0};
    const sched_convert_options options = options_at(s, ranks);
    if (can_resize(s)) {
        return sched_replay_source_new(s->program, s->trace, &options, error);
    }
    sched_rank_source *stream = sched_convert_source_new(s->trace, &options, &report, error);
    sched_convert_report_clear(&report);
    return stream;
}

/* Rank 0 is looked at by itself: it is the root. */
static double count_some(const sim_program *program, uint64_t *most)
{
    enum { SOME_RANKS = 1024 };
    const uint32_t others = program->num_ranks - 1;
    const uint32_t some = MIN(others, SOME_RANKS);
    const uint64_t first = program->methods->num_ops(program, 0);
    double sum = 0;
    *most = first;
    for (uint32_t i = 0; i < some; i++) {
        const uint32_t rank = 1 + sim_spread(i, some, others);
        const uint64_t n = program->methods->num_ops(program, rank);
        sum += (double)n;
        *most = MAX(*most, n);
    }
    return some > 0 ? (double)first + sum / some * others : (double)first;
}

static double count_stored(const sim_program *program, uint64_t *most)
{
    double sum = 0;
    *most = 0;
    for (uint32_t rank = 0; rank < program->num_ranks; rank++) {
        const uint64_t n = program->methods->num_ops(program, rank);
        sum += (double)n;
        *most = MAX(*most, n);
    }
    return sum;
}

/* Edges between the passes of a stored program, which are made when it is written out. */
static double count_joins(const app_source *s, uint32_t ranks, double *most)
{
    *most = 0;
    if (s->kind != APP_SOURCE_GOAL || s->convert.repeat == 1) {
        return 0;
    }
    const uint32_t copies = ranks / s->own_ranks;
    return copies * sched_repeat_count_joins(s->own, s->convert.repeat, most);
}

/* Operations of all ranks, and the most that one has. */
static bool count_ops(app_source *s, uint32_t ranks, uint64_t *all, uint64_t *most, GError **error)
{
    double ops;
    if (s->kind == APP_SOURCE_TRACE) {
        const sched_convert_options options = options_at(s, ranks);
        if (can_resize(s)
                ? !sched_replay_count_resized(s->program, s->trace, &options, &ops, most, error)
                : !sched_replay_count(s->trace, &options, &ops, most, error)) {
            return false;
        }
    } else {
        const sim_program *program = app_source_program(s, ranks, error);
        if (program == NULL) {
            return false;
        }
        ops = (s->kind == APP_SOURCE_GOAL ? count_stored : count_some)(program, most);
    }
    *all = ops < 1e18 ? (uint64_t)ops : UINT64_MAX;
    return true;
}

/* Is it more than can be gone through, or than one rank may be? */
static bool check_stream(app_source *s, uint32_t ranks, GError **error)
{
    uint64_t all = 0;
    uint64_t most = 0;
    if (!count_ops(s, ranks, &all, &most, error)) {
        return false;
    }
    if (all > MAX_STREAM_OPS) {
        g_autofree char *size = app_format_ranks(ranks);
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "%s at %s has about %.2g operations: too many to go through them one by one",
                    s->description, size, (double)all);
        return false;
    }
    double joins;
    (void)count_joins(s, ranks, &joins);
    return check_memory(
        s, ranks, (uint64_t)((double)most * STREAM_OP_BYTES + joins * sizeof(sched_edge)), error);
}

bool app_source_count(app_source *s, uint32_t ranks, uint64_t *ops, GError **error)
{
    uint64_t most = 0;
    return count_ops(s, ranks, ops, &most, error);
}

sched_rank_source *app_source_stream(app_source *s, uint32_t ranks, GError **error)
{
    if (s->stream == NULL || s->stream_ranks != ranks) {
        drop_stream(s);
        s->stream = check_stream(s, ranks, error) ? make_stream(s, ranks, error) : NULL;
        s->stream_ranks = ranks;
    }
    return s->stream;
}

/* Would the program fit, stored? */
static bool check_stored(app_source *s, uint32_t ranks, GError **error)
{
    uint64_t all = 0;
    uint64_t most = 0;
    double of_rank;
    return count_ops(s, ranks, &all, &most, error) &&
           check_memory(s, ranks,
                        all * STORED_OP_BYTES +
                            (uint64_t)(count_joins(s, ranks, &of_rank) * STORED_EDGE_BYTES),
                        error);
}

const sim_graph *app_source_graph(app_source *s, uint32_t ranks, GError **error)
{
    if (app_source_is_stored(s, ranks)) {
        return s->own;
    }
    if (s->graph == NULL || s->graph_ranks != ranks) {
        sim_graph_free(s->graph);
        s->graph = NULL;
        sched_rank_source *stream = app_source_stream(s, ranks, error);
        if (stream != NULL && check_stored(s, ranks, error)) {
            s->graph = sched_rank_source_build(stream, error);
        }
        s->graph_ranks = ranks;
    }
    return s->graph;
}
