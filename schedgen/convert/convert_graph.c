/* schedgen/convert/convert_graph.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert, test_convert_copies, test_resample. */
#include "convert/convert_private.h"

#include <unistd.h>

/* Bytes an operation takes at least, edges left aside: sim/graph.h. */
#define OP_BYTES 32

/* A program that outgrows the machine is refused while the machine still answers. */
static bool check_memory(const conv_context *context, uint64_t num_ops, GError **error)
{
    const uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    if (num_ops > bytes / OP_BYTES) {
        g_set_error(
            error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
            "%s: on '%" G_GUINT64_FORMAT "' times as many ranks, more than %" G_GUINT64_FORMAT
            " operations: too many for this machine's memory",
            context->trace->path, conv_num_ranks(context) / context->trace->num_ranks, num_ops);
        return false;
    }
    return true;
}

static bool build(const conv_context *context, sim_graph_builder *builder, GError **error)
{
    const uint32_t num_ranks = (uint32_t)conv_num_ranks(context);
    conv_template template = sched_convert_template_new();
    conv_stamp *stamp = sched_convert_stamp_new(context);
    uint64_t num_ops = 0;
    bool ok = true;
    const bool by_copies = context->options->growth == NULL;
    const uint32_t step = by_copies ? context->trace->num_ranks : 1;
    for (uint32_t record = 0; ok && record < context->trace->num_ranks; record++) {
        ok = sched_convert_template_fill(&template, context, record, error);
        for (uint32_t rank = by_copies ? record : 0; ok && rank < num_ranks; rank += step) {
            if (!by_copies && conv_record_of(context, rank) != record) {
                continue;
            }
            const sched_rank_ops ops = sched_convert_stamp_rank(stamp, &template, rank);
            (void)sched_rank_ops_build(&ops, rank, builder);
            num_ops += ops.num_ops;
            ok = check_memory(context, num_ops, error);
        }
    }
    sched_convert_stamp_free(stamp);
    sched_convert_template_clear(&template);
    return ok;
}

static sim_graph *convert(const conv_context *context, GError **error)
{
    g_autoptr(sim_graph_builder) builder = sim_graph_builder_new((uint32_t)conv_num_ranks(context));
    if (!build(context, builder, error) || !sched_convert_finish(context, error)) {
        return NULL;
    }
    return sim_graph_builder_finish(g_steal_pointer(&builder), error);
}

/* What copies compute is known only once all ranks have been gone through. */
static sim_graph *convert_resampled(const sched_trace *trace, const sched_convert_options *options,
                                    sched_convert_report *report, GError **error)
{
    sched_rank_source *source = sched_convert_source_new(trace, options, report, error);
    sim_graph *graph = source != NULL ? sched_rank_source_build(source, error) : NULL;
    sched_convert_source_free(source);
    return graph;
}

sim_graph *sched_convert(const sched_trace *trace, const sched_convert_options *options,
                         sched_convert_report *report, GError **error)
{
    if (options->resample) {
        return convert_resampled(trace, options, report, error);
    }
    conv_context context;
    sim_graph *graph = NULL;
    if (sched_convert_open(&context, trace, options, report, error)) {
        graph = convert(&context, error);
        if (graph == NULL && sched_convert_again(&context, error)) {
            graph = convert(&context, error);
        }
    }
    sched_convert_close(&context);
    return graph;
}
