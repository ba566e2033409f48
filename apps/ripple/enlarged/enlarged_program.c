/* apps/ripple/enlarged/enlarged_program.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_enlarged, cli_regrid_validate. */
#include "enlarged/enlarged_program.h"

#include "sched/rank_source.h"
#include "sim/run.h"

#include <string.h>

static void call_free(gpointer data)
{
    app_enlarged_call *call = data;
    g_free(call->name);
    g_free(call);
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
    const app_enlarged_call *const *x = a;
    const app_enlarged_call *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

/* How the calls of each recorded rank are called. */
typedef struct name_book {
    const sched_trace *trace;
    uint32_t **names;         /* [recorded ranks][calls]; NULL: not asked for so far */
    app_enlarged_call **call; /* [names of the trace] */
} name_book;

static const uint32_t *names_of(name_book *book, uint32_t record)
{
    if (book->names[record] == NULL) {
        const sched_rank *rank = &book->trace->ranks[record];
        uint32_t *names = g_new(uint32_t, rank->num_calls + 1);
        sched_walk walk;
        sched_walk_begin(&walk, rank);
        for (const sched_call *call; (call = sched_walk_next(&walk)) != NULL;) {
            names[walk.next - 1] = call->name;
        }
        sched_walk_end(&walk);
        book->names[record] = names;
    }
    return book->names[record];
}

static app_enlarged_call *call_of(const name_book *book, app_enlarged_program *p, uint32_t name)
{
    if (book->call[name] == NULL) {
        app_enlarged_call *call = g_new0(app_enlarged_call, 1);
        call->name = g_strdup(g_ptr_array_index(book->trace->names, name));
        g_ptr_array_add(p->calls, call);
        book->call[name] = call;
    }
    return book->call[name];
}

/* Operations of one call come one after the other, computation before it first. */
static void add_rank(app_enlarged_program *p, name_book *book, uint32_t record,
                     const sched_rank_ops *ops)
{
    const uint32_t *names = names_of(book, record);
    const uint64_t num_calls = book->trace->ranks[record].num_calls;
    uint64_t last = UINT64_MAX;
    for (uint32_t i = 0; i < ops->num_ops; i++) {
        const sim_op *op = &ops->ops[i];
        const bool computes = (ops->calls[i] & SCHED_OP_COMPUTES) != 0;
        const uint64_t index = ops->calls[i] & ~SCHED_OP_COMPUTES;
        p->compute += op->type == SIM_OP_CALC ? op->size : 0;
        if (computes) {
            continue;
        }
        app_enlarged_call *call = call_of(book, p, names[index % num_calls]);
        call->calls += index != last;
        last = index;
        if (op->type == SIM_OP_SEND) {
            call->messages++;
            call->bytes += (uint64_t)op->size;
            p->messages++;
            p->bytes += (uint64_t)op->size;
        }
    }
}

static bool add_ranks(app_enlarged_program *p, app_source *source, name_book *book, GError **error)
{
    sched_rank_source *stream = app_source_stream(source, p->ranks, error);
    if (stream == NULL) {
        return false;
    }
    for (uint32_t rank = 0; rank < p->ranks; rank++) {
        sched_rank_ops ops;
        if (!stream->get(stream, rank, &ops, error)) {
            return false;
        }
        add_rank(p, book, app_source_followed(source, p->ranks, rank), &ops);
    }
    g_ptr_array_sort(p->calls, compare_names);
    return true;
}

static bool count(app_enlarged_program *p, app_source *source, GError **error)
{
    const sched_trace *trace = app_source_trace(source);
    name_book book = {.trace = trace,
                      .names = g_new0(uint32_t *, trace->num_ranks),
                      .call = g_new0(app_enlarged_call *, (gsize)trace->names->len + 1)};
    const bool ok = add_ranks(p, source, &book, error);
    for (uint32_t r = 0; r < trace->num_ranks; r++) {
        g_free(book.names[r]);
    }
    g_free(book.names);
    g_free(book.call);
    return ok;
}

static bool run(app_enlarged_program *p, app_source *source, const sim_params *params,
                unsigned threads, GError **error)
{
    const sim_program *program = app_source_check_memory(source, p->ranks, 0, error)
                                     ? app_source_program(source, p->ranks, error)
                                     : NULL;
    if (program == NULL) {
        return false;
    }
    const sim_run_options options = {.threads = threads, .explain = true};
    g_autoptr(sim_result) result = sim_run(program, params, &options, error);
    if (result == NULL) {
        return false;
    }
    p->makespan = result->makespan;
    p->path = result->breakdown;
    return true;
}

bool app_enlarged_program_measure(app_enlarged_program *p, app_source *source, uint32_t ranks,
                                  const sim_params *params, unsigned threads, GError **error)
{
    *p = (app_enlarged_program){.ranks = ranks, .calls = g_ptr_array_new_with_free_func(call_free)};
    if (count(p, source, error) && run(p, source, params, threads, error)) {
        return true;
    }
    app_enlarged_program_clear(p);
    return false;
}

void app_enlarged_program_clear(app_enlarged_program *p)
{
    g_clear_pointer(&p->calls, g_ptr_array_unref);
    *p = (app_enlarged_program){0};
}
