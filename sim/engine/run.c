/* sim/engine/run.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/run_private.h"
#include "record/critical_path_private.h"
#include "sim/large.h"

#include <assert.h>
#include <glib.h>
#include <string.h>

#define SERIAL_BELOW 200U  /* turns; some 600 operations and messages: ten times what gates take */
#define ALONE_BELOW  1500U /* ranks: of fewer, windows with so many turns are too rare */

static const bool NO_HANDSHAKES[MESSAGE_LEVELS] = {false};

static engine_partition *new_partition(engine *e, const rank_partition *ranks)
{
    const sim_program *program = e->program;
    engine_partition *p = sim_large_new(1, sizeof *p);
    *p = (engine_partition){.e = e, .ranks = *ranks};
    sim_event_list_init(&p->event_list, &e->layout, e->async, e->keeps_causes, program->any_source);
    message_costs_init(p->event_list.costs, e->level);
    if (e->width > 0) {
        sim_calendar_queue_init(&p->queue, ranks, e->width, (uint64_t)(e->begin / e->width));
    }
    for (uint32_t side = 0; side < 2; side++) {
        p->out[side] = g_new0(outbox, e->num_partitions);
    }
    p->out_from = EVENT_NEVER;
    p->kept = g_new0(engine_releases, e->num_partitions);
    p->taken = g_new0(size_t, e->num_partitions);
    p->ready = g_new(sim_ready, 2 * (size_t)program->max_ready + 1);
    p->posted = g_new(sim_ready, (size_t)program->max_ready + 1);
    if (e->record != NULL) {
        p->log = sim_record_log(e->record, ranks->partition);
        p->last = g_new(uint32_t, rank_partition_places(ranks) + (size_t)1);
        memset(p->last, 0xff, rank_partition_places(ranks) * sizeof *p->last); /* SIM_ANY */
    }
    if (e->sink != NULL) {
        p->sink =
            e->sink->part != NULL ? e->sink->part(e->sink, e->noise, ranks->partition) : e->sink;
    }
    p->event = e->sink != NULL ? g_new(sim_event, ENGINE_EVENTS) : NULL;
    return p;
}

/* What nothing needs once the loop is over and has been found to have come to its end. */
static void let_go(engine *e)
{
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        engine_partition *p = e->partition[i];
        sim_event_list_clear(&p->event_list);
        sim_calendar_queue_clear(&p->queue);
        for (uint32_t k = 0; k < e->num_partitions; k++) {
            g_clear_pointer(&p->out[0][k].message, g_free);
            g_clear_pointer(&p->out[1][k].message, g_free);
        }
    }
    if (e->cursor != NULL) {
        e->program->methods->end(e->cursor);
        e->cursor = NULL;
    }
}

static void free_partition(engine_partition *p)
{
    g_free(p->out[0]);
    g_free(p->out[1]);
    g_free(p->ready);
    g_free(p->posted);
    g_free(p->event);
    g_free(p->last);
    sim_record_clear_log(&p->log);
    g_free(p->exposed.rank);
    g_free(p->reached.rank);
    g_free(p->waiter);
    for (uint32_t i = 0; i < p->e->num_partitions; i++) {
        sim_engine_clear_releases(&p->kept[i]);
    }
    g_free(p->kept);
    g_free(p->taken);
    sim_large_free(p);
}

/* Blocks as large as can be, if each partition gets some of them, and no larger than need be. */
static uint32_t block_shift(uint32_t num_ranks, uint32_t partitions)
{
    enum { BLOCKS = 16, MOST = 10 };
    uint32_t shift = 0;
    while (shift < MOST && num_ranks >> shift >= 2 * BLOCKS * partitions) {
        shift++;
    }
    return shift;
}

/* A partition is worth a thread only if its windows are large enough. */
uint32_t sim_engine_num_partitions(uint32_t num_ranks, const sim_params *params,
                                   const sim_run_options *options)
{
    const bool has_node = options->levels != NULL && options->levels->has_node;
    sim_level level[MESSAGE_LEVELS];
    message_levels_of(params, options->levels, level);
    if ((options->sink != NULL && options->sink->part == NULL) ||
        sim_engine_lookahead(level, has_node, NO_HANDSHAKES) == 0 ||
        num_ranks < (options->serial_below > 0 ? options->serial_below : ALONE_BELOW)) {
        return 1;
    }
    return MAX(MIN(options->threads, num_ranks), 1);
}

/* Ranks are dealt out evenly. */
static void divide(engine *e, const sim_params *params, const sim_run_options *options)
{
    const uint32_t num_ranks = e->program->num_ranks;
    e->serial_below = options->serial_below > 0 ? options->serial_below : SERIAL_BELOW;
    e->num_partitions = sim_engine_num_partitions(num_ranks, params, options);
    e->partition = g_new(engine_partition *, e->num_partitions);
    rank_partition ranks = {.num_partitions = e->num_partitions, .num_ranks = num_ranks};
    ranks.shift = block_shift(num_ranks, MIN(e->num_partitions, UINT32_MAX / 64));
    if (e->record != NULL) {
        sim_record_begin(e->record, params, e->levels, &ranks);
    }
    for (; ranks.partition < e->num_partitions; ranks.partition++) {
        e->partition[ranks.partition] = new_partition(e, &ranks);
    }
}

/* The turns that do no more than they have to. */
static const engine_turns *turns_of(const engine *e)
{
    if (e->keeps_causes || (e->async && (e->sink != NULL || e->levels != NULL))) {
        return &sim_engine_full_turns;
    }
    if (e->async) {
        return &sim_engine_async_turns;
    }
    if (e->sink != NULL) {
        return &sim_engine_told_turns;
    }
    return e->levels != NULL ? &sim_engine_levels_turns : &sim_engine_plain_turns;
}

static void init_levels(engine *e, const sim_params *params, const sim_levels *levels)
{
    message_levels_of(params, levels, e->level);
    if (levels != NULL && (levels->has_node || levels->distance.kind != SIM_DISTANCE_NONE)) {
        assert(levels->placement.num_ranks == e->program->num_ranks);
        e->levels = levels;
        e->has_node = levels->has_node;
    }
    e->width = sim_engine_lookahead(e->level, e->has_node, NO_HANDSHAKES);
}

static void engine_init(engine *e, const sim_program *program, const sim_params *params,
                        const sim_run_options *options, const engine_standing *standing)
{
    *e = (engine){.program = program, .standing = standing};
    e->begin = standing != NULL ? standing->first : 0;
    init_levels(e, params, options->levels);
    e->noise = options->noise;
    e->sink = options->sink;
    e->watch = options->watch;
    e->async = params->progress == SIM_PROGRESS_ASYNC;
    e->instant = params->rendezvous == SIM_RENDEZVOUS_INSTANT;
    e->record = options->record;
    if (e->record == NULL && options->explain) {
        e->record = e->own_record = sim_record_new();
    }
    e->keeps_causes = e->record != NULL || (e->sink != NULL && !e->sink->is_brief);
    e->turns = turns_of(e);
    const bool may_match = params->L > 0 && (!e->has_node || e->level[MESSAGE_NODE].L > 0) &&
                           (e->async ? program->num_cpus == 1 : !e->instant);
    e->match_early = may_match && !program->any_source;
    e->chains = e->width > 0 && !e->async && !e->instant && !e->keeps_causes;
    e->goes_on = e->chains && e->match_early && e->sink == NULL;
    e->match_named = may_match && program->any_source && !e->async;
    const size_t kept_bytes = engine_kept_bytes(e->noise);
    e->keeps_quiet = kept_bytes > 0;
    e->layout = sim_event_list_layout(program, e->has_node, e->keeps_causes, kept_bytes);
    e->cursor = program->methods->begin(program);
    if (options->slices != NULL && program->num_slices > 0) {
        assert(options->slices->n == program->num_slices);
        program->methods->note_slices(e->cursor, options->slices);
    }
    e->ranks = sim_large_new(program->num_ranks, e->layout.rank_bytes);
    if (e->width == 0) {
        sim_rank_queue_init(&e->heap, program->num_ranks);
    } else if (e->instant) {
        e->order = sim_large_new(program->num_ranks, sizeof *e->order);
        memset(e->order, 0, program->num_ranks * sizeof *e->order);
    }
    divide(e, params, options);
}

static void engine_clear(engine *e)
{
    let_go(e);
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        free_partition(e->partition[i]);
    }
    g_free(e->partition);
    sim_large_free(e->ranks);
    sim_rank_queue_clear(&e->heap);
    sim_large_free(e->order);
    sim_run_record_free(e->own_record);
}

/* The record is whole. @return false with an error */
static bool end_record(engine *e, const sim_result *result, GError **error)
{
    sim_run_record *record = e->record;
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        sim_record_take(&e->partition[i]->log);
    }
    record->makespan = result->makespan;
    record->makespan_rank = result->makespan_rank;
    record->num_ops = result->num_ops;
    record->num_messages = result->num_messages;
    if (result->num_ranks > 0) {
        const engine_partition *p = engine_partition_of(e, result->makespan_rank);
        record->makespan_op = p->last[rank_partition_place(&p->ranks, result->makespan_rank)];
    }
    return sim_record_end(record, error);
}

/* At many ranks its array takes the place of what is let go before. */
static sim_result *engine_result(engine *e)
{
    let_go(e);
    sim_result *result = g_new0(sim_result, 1);
    result->num_ranks = e->program->num_ranks;
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        result->num_ops += e->partition[i]->num_ops;
        result->num_messages += e->partition[i]->num_messages;
    }
    result->finish = g_new(sim_time, MAX(result->num_ranks, 1));
    for (uint32_t r = 0; r < result->num_ranks; r++) {
        result->finish[r] = engine_rank_of(e, r)->finish;
        if (result->finish[r] > result->makespan) {
            result->makespan = result->finish[r];
            result->makespan_rank = r;
        }
    }
    return result;
}

/* Where all ranks stand now that all has finished. */
static void stand(const engine *e, const sim_result *result, engine_standing *standing)
{
    for (uint32_t r = 0; r < result->num_ranks; r++) {
        sim_time *at = engine_standing_at(standing, r);
        at[0] = engine_max(at[0], result->finish[r]);
        memcpy(at + 1, engine_rank_of(e, r)->clock, e->layout.num_clocks * sizeof *at);
    }
}

sim_result *sim_engine_run(const sim_program *program, const sim_params *params,
                           const sim_run_options *options, engine_standing *standing,
                           GError **error)
{
    engine e;
    engine_init(&e, program, params, options, standing);
    sim_engine_loop(&e);
    g_autoptr(sim_result) result = sim_engine_check_end(&e, error) ? engine_result(&e) : NULL;
    if (result != NULL && standing != NULL) {
        stand(&e, result, standing);
    }
    if (result != NULL && e.record != NULL &&
        (!end_record(&e, result, error) ||
         (options->explain && !sim_path_explain(e.record, result, error)))) {
        g_clear_pointer(&result, sim_result_free);
    }
    engine_clear(&e);
    return g_steal_pointer(&result);
}
