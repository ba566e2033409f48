/* sim/sequential/sequential_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sequential, test_sequential_random, test_creation_vectors. */
#include "events/left_over_private.h"
#include "sequential/sequential_private.h"
#include "sim/error.h"
#include "sim/large.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum {
    LINE_BYTES = 64, /* of the cache */
    FIRST_CAP = 64,
    /*
     * Per rank, of what is pending or waits for a partner: 32 bytes each in the queue or in a line,
     * 32 in a table of envelopes that is a quarter to half full, and 24 more; what the stencil of
     * bench_engine takes at 16Ki ranks.
     */
    PENDING_BYTES = 2048,
};

static size_t line_bytes(uint32_t num_cpus, uint32_t num_nics)
{
    return (num_cpus + 2 * (size_t)num_cpus * num_nics) * sizeof(uint32_t);
}

static size_t clock_bytes(uint32_t num_cpus, uint32_t num_nics)
{
    return (num_cpus + 2 * (size_t)num_nics) * sizeof(sim_time);
}

static size_t rank_bytes(uint32_t num_cpus, uint32_t num_nics)
{
    const size_t bytes = clock_bytes(num_cpus, num_nics) + line_bytes(num_cpus, num_nics);
    return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

sim_run_needs sim_sequential_estimate(uint32_t num_ranks, const sim_program *like)
{
    const size_t bytes = rank_bytes(MAX(like->num_cpus, 1), MAX(like->num_nics, 1));
    return (sim_run_needs){num_ranks * (uint64_t)(bytes + PENDING_BYTES), 1};
}

static void init(sequential *s, const sim_program *program, const sim_params *params,
                 const sim_run_options *options)
{
    *s = (sequential){.program = program, .params = params, .overflow = SIM_ANY};
    s->num_cpus = MAX(program->num_cpus, 1);
    s->num_nics = MAX(program->num_nics, 1);
    s->rank_bytes = rank_bytes(s->num_cpus, s->num_nics);
    s->lines_at = clock_bytes(s->num_cpus, s->num_nics);
    s->ranks = sim_large_new(program->num_ranks, s->rank_bytes);
    memset(s->ranks, 0, program->num_ranks * s->rank_bytes);
    s->cursor = program->methods->begin(program);
    if (options->slices != NULL && program->num_slices > 0) {
        assert(options->slices->n == program->num_slices);
        program->methods->note_slices(s->cursor, options->slices);
    }
    sim_instant_queue_init(&s->queue);
    sim_message_forms_init(&s->forms, params);
    s->matching = sim_matching_new(program->any_source);
    s->num_singles = s->num_waiting = 1;
    s->cap_singles = s->cap_waiting = FIRST_CAP;
    s->single = g_new(sequential_single, s->cap_singles);
    s->waiting = g_new(sequential_event, s->cap_waiting);
    s->ready = g_new(sim_ready, 3 * (size_t)program->max_ready + 1);
    s->other = g_new(sim_ready, (size_t)program->max_ready + 1);
}

static void clear(sequential *s)
{
    s->program->methods->end(s->cursor);
    sim_large_free(s->ranks);
    sim_instant_queue_clear(&s->queue);
    sim_message_forms_clear(&s->forms);
    sim_matching_free(s->matching);
    g_free(s->single);
    g_free(s->waiting);
    g_free(s->ready);
    g_free(s->other);
}

static bool report_left_overs(const sequential *s, GError **error)
{
    const size_t n = sim_matching_num_left(s->matching);
    g_autofree matching_left *left = g_new(matching_left, n + 1);
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(left_over));
    sim_matching_left(s->matching, left);
    for (size_t i = 0; i < n; i++) {
        const sequential_single *single = &s->single[left[i].ref];
        const message_form *form = &s->forms.form[single->form];
        const uint32_t at = left[i].envelope.rank;
        const bool message = left[i].is_message;
        const left_over one = {.size = form->size,
                               .rank = message ? single->peer : at,
                               .op = single->op,
                               .peer = message ? at : single->peer,
                               .tag = form->tag,
                               .comm = form->comm,
                               .is_message = message};
        g_array_append_val(all, one);
    }
    return sim_left_overs_report(s->program, s->cursor, all, error);
}

static bool check_end(const sequential *s, GError **error)
{
    if (s->overflow != SIM_ANY) {
        g_set_error(error, SIM_ERROR, SIM_ERROR_OVERFLOW,
                    "rank %" PRIu32 ": simulated time passes %" PRId64
                    " ps, the latest instant that can be computed",
                    s->overflow, (int64_t)SIM_TIME_MAX);
        return false;
    }
    if (s->stopped) {
        g_set_error(error, SIM_ERROR, SIM_ERROR_STOPPED, "the run was stopped");
        return false;
    }
    return report_left_overs(s, error);
}

/* A rank has finished when all its CPUs are free. */
static sim_result *result_of(const sequential *s)
{
    sim_result *result = g_new0(sim_result, 1);
    result->num_ranks = s->program->num_ranks;
    result->num_ops = s->num_ops;
    result->num_messages = s->num_messages;
    memcpy(result->departure, s->departure, sizeof s->departure);
    result->finish = g_new0(sim_time, MAX(result->num_ranks, 1));
    for (uint32_t r = 0; r < result->num_ranks; r++) {
        const sim_time *cpu = sequential_cpus(s, r);
        for (uint32_t c = 0; c < s->num_cpus; c++) {
            result->finish[r] = MAX(result->finish[r], cpu[c]);
        }
        if (result->finish[r] > result->makespan) {
            result->makespan = result->finish[r];
            result->makespan_rank = r;
        }
    }
    return result;
}

/* LogGOPSim has rules for these alone. */
static bool check_request(const sim_params *params, const sim_run_options *options, GError **error)
{
    const sim_levels *levels = options->levels;
    const char *refused =
        params->progress != SIM_PROGRESS_ASYNC         ? "another progress than async"
        : params->rendezvous != SIM_RENDEZVOUS_INSTANT ? "another rendezvous than instant"
        : options->noise != NULL                       ? "noise"
        : levels != NULL && levels->has_node           ? "nodes of several ranks"
        : levels != NULL && levels->distance.kind != SIM_DISTANCE_NONE ? "distance"
        : options->sink != NULL                                        ? "a stream of events"
        : options->explain || options->record != NULL ? "a record of what each step waited for"
                                                      : NULL;
    if (refused == NULL) {
        return true;
    }
    g_set_error(
        error, SIM_ERROR, SIM_ERROR_BAD_MACHINE,
        "events in the order of creation, as LogGOPSim takes them: there is no %s with them",
        refused);
    return false;
}

sim_result *sim_sequential_run(const sim_program *program, const sim_params *params,
                               const sim_run_options *options, GError **error)
{
    sequential s;
    if (!check_request(params, options, error)) {
        return NULL;
    }
    init(&s, program, params, options);
    sim_sequential_loop(&s, options->watch);
    sim_result *result = check_end(&s, error) ? result_of(&s) : NULL;
    clear(&s);
    return result;
}
