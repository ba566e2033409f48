/* apps/ripple/validation/call_times.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "validation/call_times.h"

#include "output/error.h"
#include "sched/convert.h"
#include "sim/run.h"
#include "validation/call_sink.h"

/* What the reader of OTF2 calls the time in which the record itself is written. */
static const char FLUSH[] = "BufferFlush";

static void clear_row(void *data)
{
    g_free(((app_call_time *)data)->name);
}

void app_call_times_free(app_call_times *times)
{
    if (times != NULL) {
        g_array_unref(times->rows);
        g_free(times);
    }
}

/* What a record says, summed over its ranks, ps. */
typedef struct recorded {
    double *in_calls;      /* [names] */
    uint64_t *calls;       /* [names] */
    bool *collective;      /* [names] */
    bool *converted;       /* [names] */
    double *in_first;      /* [names] in the first call of ranks that make others */
    uint64_t *first_calls; /* [names] */
    uint64_t *of_rank;     /* [names] calls of the rank that is being read */
    double *first_of_rank; /* [names] time of its first */
    size_t num_names;
    double computed; /* CPU time between calls */
    double off_cpu;
    sim_time longest;
    double whole; /* all ranks from begin to end */
} recorded;

static void recorded_clear(recorded *r)
{
    g_free(r->in_calls);
    g_free(r->calls);
    g_free(r->collective);
    g_free(r->converted);
    g_free(r->in_first);
    g_free(r->first_calls);
    g_free(r->of_rank);
    g_free(r->first_of_rank);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(recorded, recorded_clear)

static void take_call(recorded *r, const sched_call *call)
{
    const double took = (double)MAX(call->leave - call->enter, 0);
    r->in_calls[call->name] += took;
    if (r->of_rank[call->name]++ == 0) {
        r->first_of_rank[call->name] = took;
    }
    r->calls[call->name]++;
    r->collective[call->name] |= call->kind == SCHED_CALL_COLLECTIVE;
    r->converted[call->name] |= call->kind != SCHED_CALL_OTHER;
}

/* The rank is through: its first calls are known, and of which name it made others. */
static void take_first(recorded *r)
{
    for (size_t i = 0; i < r->num_names; i++) {
        if (r->of_rank[i] > 1) {
            r->in_first[i] += r->first_of_rank[i];
            r->first_calls[i]++;
        }
        r->of_rank[i] = 0;
    }
}

/* From the end of MPI_Init to the beginning of MPI_Finalize. @return false: there is none */
static bool read_rank(recorded *r, const sched_rank *rank)
{
    sched_walk walk;
    sim_time begin = -1;
    sim_time last = 0;
    bool whole = false;
    sched_walk_begin(&walk, rank);
    for (const sched_call *call; !whole && (call = sched_walk_next(&walk)) != NULL;) {
        if (call->kind == SCHED_CALL_INIT) {
            begin = call->leave;
        } else if (begin >= 0) {
            const sim_time gap = MAX(call->enter - last, 0);
            const sim_time cpu = call->cpu >= 0 ? MIN(call->cpu, gap) : gap;
            r->computed += (double)cpu;
            r->off_cpu += (double)(gap - cpu);
            whole = call->kind == SCHED_CALL_FINALIZE;
            if (whole) {
                r->longest = MAX(r->longest, call->enter - begin);
                r->whole += (double)(call->enter - begin);
            } else {
                take_call(r, call);
            }
        }
        last = call->leave;
    }
    sched_walk_end(&walk);
    take_first(r);
    return whole;
}

static bool read_record(recorded *r, const sched_trace *trace, GError **error)
{
    const size_t n = trace->names->len + 1;
    *r = (recorded){.in_calls = g_new0(double, n),
                    .calls = g_new0(uint64_t, n),
                    .collective = g_new0(bool, n),
                    .converted = g_new0(bool, n),
                    .in_first = g_new0(double, n),
                    .first_calls = g_new0(uint64_t, n),
                    .of_rank = g_new0(uint64_t, n),
                    .first_of_rank = g_new0(double, n),
                    .num_names = trace->names->len};
    for (uint32_t i = 0; i < trace->num_ranks; i++) {
        if (!read_rank(r, &trace->ranks[i])) {
            g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                        "%s: rank %u: no record from MPI_Init to MPI_Finalize", trace->path, i);
            return false;
        }
    }
    return true;
}

static void add_row(app_call_times *t, app_time_kind kind, const char *name, double recorded_ps,
                    double simulated_ps)
{
    const app_call_time row = {.kind = kind,
                               .name = g_strdup(name),
                               .recorded = recorded_ps / t->num_ranks,
                               .simulated = simulated_ps / t->num_ranks};
    g_array_append_val(t->rows, row);
}

/* Both sides, name by name. */
static app_call_times *join(const sched_trace *trace, const recorded *r, const app_call_sink *sink,
                            const sim_result *result)
{
    app_call_times *t = g_new0(app_call_times, 1);
    t->rows = g_array_new(FALSE, TRUE, sizeof(app_call_time));
    g_array_set_clear_func(t->rows, clear_row);
    t->num_ranks = trace->num_ranks;
    t->recorded = r->longest;
    t->simulated = result->makespan;
    double ended = 0;
    for (uint32_t i = 0; i < trace->num_ranks; i++) {
        t->computed += sink->rank[i].computed;
        ended += (double)result->finish[i];
    }
    double left_out = 0;
    uint64_t calls_left_out = 0;
    for (guint i = 0; i < trace->names->len; i++) {
        if (r->calls[i] > 0 && !r->converted[i]) {
            left_out += r->in_calls[i];
            calls_left_out += r->calls[i];
        }
    }
    add_row(t, APP_TIME_COMPUTATION, "computation", r->computed,
            calls_left_out > 0 ? r->computed : (double)t->computed);
    add_row(t, APP_TIME_OFF_CPU, "off the CPU between calls", r->off_cpu, 0);
    for (guint i = 0; i < trace->names->len; i++) {
        if (r->calls[i] > 0 && r->converted[i]) {
            const char *name = g_ptr_array_index(trace->names, i);
            const bool is_flush = g_str_equal(name, FLUSH);
            add_row(t, is_flush ? APP_TIME_RECORDING : APP_TIME_CALL,
                    is_flush ? "writing of the record" : name, r->in_calls[i], sink->time[i]);
            app_call_time *row = &g_array_index(t->rows, app_call_time, t->rows->len - 1);
            row->calls = r->calls[i];
            row->is_collective = r->collective[i];
            row->first_calls = is_flush ? 0 : r->first_calls[i];
            row->first_recorded = r->in_first[i] / t->num_ranks;
            row->first_simulated = sink->first_time[i] / t->num_ranks;
        }
    }
    if (calls_left_out > 0) {
        add_row(t, APP_TIME_LEFT_OUT, "calls not simulated", left_out,
                (double)t->computed - r->computed);
        g_array_index(t->rows, app_call_time, t->rows->len - 1).calls = calls_left_out;
    }
    add_row(t, APP_TIME_IDLE, "idle until the last rank ends",
            (double)r->longest * trace->num_ranks - r->whole,
            (double)result->makespan * trace->num_ranks - ended);
    return t;
}

app_call_times *app_call_times_of(const sched_trace *trace, const app_call_machine *machine,
                                  GError **error)
{
    g_auto(recorded) r = {0};
    if (!read_record(&r, trace, error)) {
        return NULL;
    }
    if (machine->by_wall) {
        r.computed += r.off_cpu;
        r.off_cpu = 0;
    }
    const sched_convert_options options = {.copies = 1,
                                           .compute = machine->by_wall ? SCHED_COMPUTE_WALL
                                                                       : SCHED_COMPUTE_CPU,
                                           .profile = machine->profile,
                                           .calls = machine->calls,
                                           .cold = machine->cold};
    sched_convert_report report = {0};
    sched_rank_source *source = sched_convert_source_new(trace, &options, &report, error);
    g_autoptr(app_call_sink) sink = source != NULL ? app_call_sink_new(trace, source, error) : NULL;
    g_autoptr(sim_graph) graph = sink != NULL ? sched_rank_source_build(source, error) : NULL;
    sched_convert_source_free(source);
    sched_convert_report_clear(&report);
    if (graph == NULL) {
        return NULL;
    }
    const sim_run_options run = {.levels = machine->levels, .sink = &sink->sink};
    g_autoptr(sim_result) result = sim_run(sim_graph_program(graph), machine->params, &run, error);
    if (result == NULL) {
        return NULL;
    }
    app_call_sink_finish(sink, result->finish);
    return join(trace, &r, sink, result);
}
