/* schedgen/replay_build.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "replay_private.h"
#include "sched/replay.h"

#include <string.h>

void replay_free(sim_program *program)
{
    replay *p = (replay *)program;
    for (uint32_t h = 0; h < p->num_records; h++) {
        g_free(p->record[h].steps);
        g_free(p->record[h].colls);
        g_free(p->record[h].algorithms);
    }
    g_free(p->record);
    g_free(p->num_ops);
    g_free(p);
}

static bool is_post(const conv_step *step)
{
    return step->type == CONV_ISEND || step->type == CONV_IRECV;
}

/*
 * A record numbers its requests from first to last; of those only a few are open at once. Give each
 * a place that is free again after its last join; a request that nobody joins needs none.
 * @return how many places
 */
static uint32_t reuse_places(replay_record *record, uint32_t num_slots)
{
    g_autofree uint32_t *last_join = g_new(uint32_t, (gsize)num_slots + 1);
    g_autofree uint32_t *place = g_new(uint32_t, (gsize)num_slots + 1);
    g_autoptr(GArray) vacant = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    uint32_t num_places = 0;
    memset(last_join, 0xff, ((gsize)num_slots + 1) * sizeof *last_join);
    for (uint32_t i = 0; i < record->num_steps; i++) {
        if (record->steps[i].type == CONV_JOIN) {
            last_join[record->steps[i].slot] = i;
        }
    }
    for (uint32_t i = 0; i < record->num_steps; i++) {
        conv_step *step = &record->steps[i];
        const uint32_t slot = step->slot;
        if (is_post(step) && last_join[slot] == CONV_NONE) {
            step->slot = CONV_NONE;
        } else if (is_post(step) && vacant->len > 0) {
            step->slot = place[slot] = g_array_index(vacant, uint32_t, vacant->len - 1);
            g_array_set_size(vacant, vacant->len - 1);
        } else if (is_post(step)) {
            step->slot = place[slot] = num_places++;
        } else if (step->type == CONV_JOIN) {
            step->slot = place[slot];
            if (last_join[slot] == i) {
                g_array_append_val(vacant, place[slot]);
            }
        }
    }
    return num_places;
}

/* Operations under way at once, at most: posts nobody has waited for, and what follows the last. */
static uint32_t count_open(const replay_record *record, uint32_t num_places)
{
    enum { CHAIN = 4 }; /* a blocking operation or a stage of a collective, and one to spare */
    uint32_t unjoined = 0;
    for (uint32_t i = 0; i < record->num_steps; i++) {
        unjoined += is_post(&record->steps[i]) && record->steps[i].slot == CONV_NONE;
    }
    /* Joined posts keep their place in the count until what follows the join has begun. */
    return unjoined + 2 * num_places + CHAIN;
}

static bool fill(replay *p, const conv_context *context, uint32_t h, GError **error)
{
    conv_template template = {.steps = g_array_new(FALSE, FALSE, sizeof(conv_step)),
                              .colls = g_array_new(FALSE, FALSE, sizeof(conv_coll))};
    const bool ok = conv_template_fill(&template, context, h, error);
    replay_record *record = &p->record[h];
    record->num_steps = template.steps->len;
    record->num_colls = template.colls->len;
    record->steps = (conv_step *)(void *)g_array_free(template.steps, FALSE);
    record->colls = (conv_coll *)(void *)g_array_free(template.colls, FALSE);
    record->algorithms = g_new(coll_algorithm, (gsize)record->num_colls + 1);
    for (uint32_t c = 0; ok && c < record->num_colls; c++) {
        const coll_call call = conv_coll_call(&record->colls[c], 0, p->replicas);
        record->algorithms[c] = coll_profile_select(context->profile, &call);
    }
    if (ok) {
        const uint32_t places = reuse_places(record, template.num_slots);
        p->num_places = MAX(p->num_places, places);
        p->num_open = MAX(p->num_open, count_open(record, places));
    }
    return ok;
}

static bool may_match_any(const replay *p)
{
    for (uint32_t h = 0; h < p->num_records; h++) {
        for (uint32_t i = 0; i < p->record[h].num_steps; i++) {
            const conv_step *step = &p->record[h].steps[i];
            const bool message =
                step->type != CONV_CALC && step->type != CONV_COLL && step->type != CONV_JOIN;
            if (message && (step->peer == SIM_ANY || step->tag == SIM_ANY)) {
                return true;
            }
        }
    }
    return false;
}

static uint32_t count_coll_ops(const replay *p, const replay_record *record, uint32_t c,
                               uint32_t replica)
{
    const coll_call call = conv_coll_call(&record->colls[c], replica, p->replicas);
    coll_cursor cursor;
    coll_step step;
    uint32_t n = 0;
    coll_cursor_begin(&cursor, &call, record->algorithms[c]);
    while (coll_cursor_next(&cursor, &step)) {
        n++;
    }
    return n;
}

/* Programs repeat themselves: most collectives are the one before once more. */
static bool same_call(const conv_coll *a, const conv_coll *b)
{
    const coll_call *x = &a->call;
    const coll_call *y = &b->call;
    return x->kind == y->kind && x->rank == y->rank && x->size == y->size && x->root == y->root &&
           x->bytes == y->bytes && x->send_counts == y->send_counts &&
           x->recv_counts == y->recv_counts && x->num_counts == y->num_counts &&
           x->reduce == y->reduce && x->in_place == y->in_place && a->grows == b->grows;
}

static uint32_t count_ops(const replay *p, const replay_record *record, uint32_t replica)
{
    uint32_t n = 0;
    uint32_t of_coll = 0;
    for (uint32_t i = 0; i < record->num_steps; i++) {
        n += record->steps[i].type != CONV_COLL && record->steps[i].type != CONV_JOIN;
    }
    for (uint32_t c = 0; c < record->num_colls; c++) {
        if (c == 0 || !same_call(&record->colls[c], &record->colls[c - 1])) {
            of_coll = count_coll_ops(p, record, c, replica);
        }
        n += of_coll;
    }
    return n;
}

static bool build(replay *p, const conv_context *context, GError **error)
{
    for (uint32_t h = 0; h < p->num_records; h++) {
        if (!fill(p, context, h, error)) {
            return false;
        }
    }
    if (!conv_match_check(context->match, error)) {
        return false;
    }
    p->program.any_source = may_match_any(p);
    for (uint32_t r = 0; r < p->program.num_ranks; r++) {
        p->num_ops[r] = count_ops(p, &p->record[r % p->num_records], r / p->num_records);
    }
    return true;
}

static bool is_one_chain(const sched_trace *trace, const sched_convert_options *options)
{
    for (uint32_t r = 0; r < trace->num_ranks && !options->no_collectives; r++) {
        for (uint64_t i = 0; i < trace->ranks[r].num_calls; i++) {
            if (trace->ranks[r].calls[i].kind == SCHED_CALL_ICOLLECTIVE) {
                return false;
            }
        }
    }
    return true;
}

sim_program *sched_replay_new(const sched_trace *trace, const sched_convert_options *options,
                              sched_convert_report *report, GError **error)
{
    if (!is_one_chain(trace, options)) {
        sim_graph *graph = sched_convert(trace, options, report, error);
        return graph != NULL ? sim_graph_program(graph) : NULL;
    }
    conv_context context;
    replay *p = NULL;
    if (conv_open(&context, trace, options, report, error)) {
        p = g_new0(replay, 1);
        p->program = (sim_program){.class = &replay_class,
                                   .num_ranks = trace->num_ranks * options->replicas,
                                   .num_cpus = 1,
                                   .num_nics = 1,
                                   .max_ready = 1};
        p->num_records = trace->num_ranks;
        p->replicas = options->replicas;
        p->record = g_new0(replay_record, p->num_records);
        p->num_ops = g_new0(uint32_t, p->program.num_ranks);
        if (!build(p, &context, error)) {
            replay_free(&p->program);
            p = NULL;
        }
    }
    conv_close(&context);
    return p != NULL ? &p->program : NULL;
}
