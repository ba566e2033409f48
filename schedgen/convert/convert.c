/* schedgen/convert/convert.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sched/convert.h"

#include "convert/convert_private.h"

#include <unistd.h>

void sched_convert_report_clear(sched_convert_report *report)
{
    if (report->notices != NULL) {
        g_array_unref(report->notices);
    }
    *report = (sched_convert_report){0};
}

/* ---- functions that communicate, but are not converted ------------------------------------- */

static bool is_remote(const char *name)
{
    static const char *const PREFIXES[] = {"MPI_Neighbor_",   "MPI_Ineighbor_", "MPI_Win_",
                                           "MPI_File_",       "MPI_Rput",       "MPI_Rget",
                                           "MPI_Raccumulate", "MPI_Comm_spawn"};
    static const char *const NAMES[] = {"MPI_Put",
                                        "MPI_Get",
                                        "MPI_Accumulate",
                                        "MPI_Get_accumulate",
                                        "MPI_Probe",
                                        "MPI_Mprobe",
                                        "MPI_Fetch_and_op",
                                        "MPI_Compare_and_swap",
                                        "MPI_Mrecv",
                                        "MPI_Imrecv",
                                        "MPI_Comm_accept",
                                        "MPI_Comm_connect",
                                        "MPI_Intercomm_create"};
    for (size_t i = 0; i < G_N_ELEMENTS(PREFIXES); i++) {
        if (g_str_has_prefix(name, PREFIXES[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(NAMES); i++) {
        if (g_str_equal(name, NAMES[i])) {
            return true;
        }
    }
    return false;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Bytes an operation takes at least, edges left aside: sim/graph.h. */
#define OP_BYTES 32

/* A program that outgrows the machine is refused while the machine still answers. */
static bool check_memory(const conv_context *context, uint64_t num_ops, GError **error)
{
    const uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    if (num_ops > bytes / OP_BYTES) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                    "%s: on '%u' times as many ranks, more than %" G_GUINT64_FORMAT
                    " operations: too many for this machine's memory",
                    context->trace->path, context->options->copies, num_ops);
        return false;
    }
    return true;
}

static bool build(const conv_context *context, sim_graph_builder *builder, GError **error)
{
    const uint32_t num_ranks = context->trace->num_ranks;
    conv_template template = sched_convert_template_new();
    conv_stamp *stamp = sched_convert_stamp_new(context);
    uint64_t num_ops = 0;
    bool ok = true;
    for (uint32_t rank = 0; ok && rank < num_ranks; rank++) {
        ok = sched_convert_template_fill(&template, context, rank, error);
        for (uint32_t e = 0; ok && e < context->options->copies; e++) {
            const sched_rank_ops ops = sched_convert_stamp_rank(stamp, &template, e);
            sched_rank_ops_build(&ops, rank + e * num_ranks, builder);
            num_ops += ops.num_ops;
            ok = check_memory(context, num_ops, error);
        }
    }
    sched_convert_stamp_free(stamp);
    sched_convert_template_clear(&template);
    return ok;
}

bool sched_convert_open(conv_context *context, const sched_trace *trace,
                        const sched_convert_options *options, sched_convert_report *report,
                        GError **error)
{
    *context = (conv_context){.trace = trace, .options = options, .report = report};
    const uint64_t ranks = (uint64_t)trace->num_ranks * options->copies;
    if (ranks == 0 || ranks >= SIM_ANY) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                    "%s: %u ranks repeated '%u' times is not a number of ranks", trace->path,
                    trace->num_ranks, options->copies);
        return false;
    }
    if (options->repeat > SCHED_MAX_REPEAT) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                    "%s: repeated '%u' times, one after the other: more than %d", trace->path,
                    options->repeat, SCHED_MAX_REPEAT);
        return false;
    }
    if (report->notices == NULL) {
        report->notices = sched_notices_new();
    }
    context->profile = options->profile;
    if (options->profile == NULL) {
        context->own_profile = coll_profile_new("sc10", NULL, error);
        context->profile = context->own_profile;
    }
    context->match = sched_convert_match_new(trace);
    context->is_remote = g_new0(bool, (gsize)trace->names->len + 1);
    for (guint i = 0; i < trace->names->len; i++) {
        context->is_remote[i] = is_remote(g_ptr_array_index(trace->names, i));
    }
    return context->profile != NULL && sched_convert_places_find_all(context, error) &&
           sched_convert_agree(context, error);
}

void sched_convert_close(conv_context *context)
{
    coll_profile_free(context->own_profile);
    sched_convert_match_free(context->match);
    g_free(context->first_place);
    g_free(context->places);
    g_free(context->is_remote);
}

static sim_graph *convert(const conv_context *context, GError **error)
{
    g_autoptr(sim_graph_builder) builder =
        sim_graph_builder_new(context->trace->num_ranks * context->options->copies);
    if (!build(context, builder, error) || !sched_convert_match_check(context->match, error)) {
        return NULL;
    }
    return sim_graph_builder_finish(g_steal_pointer(&builder), error);
}

sim_graph *sched_convert(const sched_trace *trace, const sched_convert_options *options,
                         sched_convert_report *report, GError **error)
{
    conv_context context;
    sim_graph *graph = sched_convert_open(&context, trace, options, report, error)
                           ? convert(&context, error)
                           : NULL;
    sched_convert_close(&context);
    return graph;
}
