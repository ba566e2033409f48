/* schedgen/replay/replay_build.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_replay, cli_trace_input. */
#include "model/parallel_private.h"
#include "replay/replay_cursor_private.h"
#include "replay/replay_private.h"
#include "sched/replay.h"
#include "sim/spread.h"

/* Receives posted at a time: those of a halo exchange with six neighbours. */
#define FEW_RECEIVES 6

/* What a replay needs of the templates, made by several threads. */
typedef struct making {
    replay *replay;
    const conv_context *context;
    replay_extent extents[SCHED_PARALLEL_MOST];
} making;

static void make_record(void *data, uint32_t record, conv_template *template, uint32_t thread)
{
    making *m = data;
    sched_replay_record_init(&m->replay->record[record], template, m->context, &m->extents[thread]);
}

static bool fill(replay *p, const conv_context *context, GError **error)
{
    making m = {.replay = p, .context = context};
    if (!sched_convert_fill_all(context, make_record, &m, error)) {
        return false;
    }
    for (uint32_t i = 0; i < SCHED_PARALLEL_MOST; i++) {
        replay_extent_join(&p->extent, &m.extents[i]);
    }
    return true;
}

static bool may_match_any(const replay *p)
{
    for (uint32_t h = 0; h < p->num_records; h++) {
        for (uint32_t i = 0; i < p->record[h].num_steps; i++) {
            const replay_step *step = &p->record[h].steps[i];
            const bool message = step->kind <= REPLAY_POST && step->op != SIM_OP_CALC;
            if (message && (step->peer == SIM_ANY || step->tag == SIM_ANY)) {
                return true;
            }
        }
    }
    return false;
}

/* Operations are numbered in 32 bits; the last two numbers mean something else. */
static bool check_ops(const replay *p, const char *path, GError **error)
{
    for (uint32_t rank = 0; rank < p->program.num_ranks; rank++) {
        const uint64_t n = sched_replay_rank_ops(p, rank);
        if (n >= SIM_ANY - 1) {
            g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                        "%s: rank %u has '%" G_GUINT64_FORMAT
                        "' operations: more than can be numbered",
                        path, rank, n);
            return false;
        }
    }
    return true;
}

enum { SOME_RANKS = 1024 };

/* Of ranks that are no copies: which record they follow is spread evenly enough. */
static double count_grown(const replay *p, uint64_t *most)
{
    const uint32_t some = MIN(p->program.num_ranks, SOME_RANKS);
    double sum = 0;
    *most = 0;
    for (uint32_t i = 0; i < some; i++) {
        const uint64_t n = sched_replay_rank_ops(p, sim_spread(i, some, p->program.num_ranks));
        sum += (double)n;
        *most = MAX(*most, n);
    }
    return sum / some * p->program.num_ranks;
}

/* Copy 0 is looked at by itself: roots are in it. */
static double count_copies(const replay *p, uint64_t *most)
{
    const uint32_t of_record = p->num_records;
    const uint32_t others = p->program.num_ranks / of_record - 1;
    const uint32_t some = MIN(others, MAX(SOME_RANKS / of_record, 1));
    double first = 0;
    double sum = 0;
    *most = 0;
    for (uint32_t i = 0; i <= some; i++) {
        const uint32_t copy = i == 0 ? 0 : 1 + sim_spread(i - 1, some, others);
        for (uint32_t h = 0; h < of_record; h++) {
            const uint64_t n = sched_replay_rank_ops(p, copy * of_record + h);
            *(i == 0 ? &first : &sum) += (double)n;
            *most = MAX(*most, n);
        }
    }
    return some > 0 ? first + sum / some * others : first;
}

/* All records are there. */
static void describe(replay *p)
{
    p->program.few_open = p->extent.receives <= FEW_RECEIVES;
    p->program.any_source = may_match_any(p);
    sched_replay_find_symmetry(p);
    p->program.max_ready =
        p->extent.chains > 0 ? 2 : 1; /* a chain may go on together with the rank */
}

static bool build(replay *p, const conv_context *context, GError **error)
{
    if (!fill(p, context, error) || !sched_convert_finish(context, error)) {
        return false;
    }
    p->resample = sched_convert_resample_ref(context->resample);
    describe(p);
    return true;
}

static replay *replay_new(uint32_t num_records, uint64_t num_ranks,
                          const sched_convert_options *options)
{
    replay *p = g_new0(replay, 1);
    p->program = (sim_program){.methods = &sched_replay_class,
                               .num_ranks = (uint32_t)num_ranks,
                               .num_cpus = 1,
                               .num_nics = 1};
    p->base = p;
    p->refs = 1;
    p->growth = options->growth;
    p->num_records = num_records;
    p->reciprocal = num_records > 1 ? UINT64_MAX / num_records + 1 : 0;
    p->repeat = conv_repeat(options);
    p->program.num_slices = 2 * p->repeat;
    p->record = g_new0(replay_record, p->num_records);
    return p;
}

/* All but the check that operations can be numbered. */
static replay *build_unchecked(const sched_trace *trace, const sched_convert_options *options,
                               sched_convert_report *report, GError **error)
{
    conv_context context;
    replay *p = NULL;
    if (sched_convert_open(&context, trace, options, report, error)) {
        p = replay_new(trace->num_ranks, conv_num_ranks(&context), options);
        bool ok = build(p, &context, error);
        if (!ok && sched_convert_again(&context, error)) {
            for (uint32_t h = 0; h < p->num_records; h++) {
                sched_replay_record_clear(&p->record[h]);
                p->record[h] = (replay_record){0};
            }
            p->extent = (replay_extent){0};
            ok = build(p, &context, error);
        }
        if (ok) {
            p->lonely = sched_convert_lonely_ref(context.lonely);
        } else {
            sched_replay_free(&p->program);
            p = NULL;
        }
    }
    sched_convert_close(&context);
    return p;
}

/* NULL if it failed, which frees it. */
static sim_program *check_built(replay *p, const char *path, GError **error)
{
    if (p != NULL && !check_ops(p, path, error)) {
        sched_replay_free(&p->program);
        return NULL;
    }
    return p != NULL ? &p->program : NULL;
}

sim_program *sched_replay_new(const sched_trace *trace, const sched_convert_options *options,
                              sched_convert_report *report, GError **error)
{
    return check_built(build_unchecked(trace, options, report, error), trace->path, error);
}

static void count(const replay *p, double *ops, uint64_t *most)
{
    *ops = p->growth != NULL ? count_grown(p, most) : count_copies(p, most);
}

bool sched_replay_count(const sched_trace *trace, const sched_convert_options *options, double *ops,
                        uint64_t *most, GError **error)
{
    sched_convert_report report = {0};
    replay *p = build_unchecked(trace, options, &report, error);
    sched_convert_report_clear(&report);
    if (p == NULL) {
        return false;
    }
    count(p, ops, most);
    sched_replay_free(&p->program);
    return true;
}

/* ---- the same record in other copies -------------------------------------------------------- */

/* What of a record depends on the number of copies: its collectives. */
static replay_record record_resized(const replay_record *from, const conv_context *context)
{
    replay_record record = *from;
    record.colls = g_memdup2(from->colls, from->num_colls * sizeof *from->colls);
    for (uint32_t i = 0; i < from->num_colls; i++) {
        conv_coll *coll = &record.colls[i].recorded;
        coll->grows = conv_coll_grows(coll->call.kind, coll->call.size, context->trace->num_ranks,
                                      context->options);
        sched_replay_course_find(&record.colls[i], context);
    }
    return record;
}

static replay *resize_unchecked(const sim_program *program, const sched_trace *trace,
                                const sched_convert_options *options, GError **error)
{
    const replay *from = (const replay *)(const void *)program; /* its first member */
    conv_context context;
    replay *p = NULL;
    g_assert(from->growth == NULL && options->growth == NULL &&
             conv_repeat(options) == from->repeat);
    if (sched_convert_prepare(&context, trace, options, error)) {
        p = replay_new(trace->num_ranks, conv_num_ranks(&context), options);
        p->base = from->base;
        g_atomic_int_inc(&p->base->refs);
        p->extent = from->extent;
        p->resample = sched_convert_resample_ref(from->resample);
        for (uint32_t h = 0; h < p->num_records; h++) {
            p->record[h] = record_resized(&from->record[h], &context);
        }
        describe(p);
    }
    sched_convert_close(&context);
    return p;
}

sim_program *sched_replay_resize(const sim_program *program, const sched_trace *trace,
                                 const sched_convert_options *options, GError **error)
{
    return check_built(resize_unchecked(program, trace, options, error), trace->path, error);
}

bool sched_replay_count_resized(const sim_program *program, const sched_trace *trace,
                                const sched_convert_options *options, double *ops, uint64_t *most,
                                GError **error)
{
    replay *p = resize_unchecked(program, trace, options, error);
    if (p == NULL) {
        return false;
    }
    count(p, ops, most);
    sched_replay_free(&p->program);
    return true;
}

size_t sched_replay_rank_bytes(const sim_program *program)
{
    if (program->methods != &sched_replay_class) {
        return 0;
    }
    return sched_replay_cursor_layout((const replay *)program).stride;
}

sched_rank_source *sched_replay_source_new(const sim_program *program, const sched_trace *trace,
                                           const sched_convert_options *options, GError **error)
{
    const replay *p = (const replay *)(const void *)program;
    uint64_t entries = 0;
    for (uint32_t h = 0; h < p->num_records; h++) {
        entries += p->record[h].num_entries;
    }
    return sched_convert_source_known(trace, options, p->base->lonely, p->resample, entries, error);
}
