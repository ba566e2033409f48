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

/* ---- the whole ----------------------------------------------------------------------------- */

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
            sched_rank_ops_build(&ops, rank, builder);
            num_ops += ops.num_ops;
            ok = check_memory(context, num_ops, error);
        }
    }
    sched_convert_stamp_free(stamp);
    sched_convert_template_clear(&template);
    return ok;
}

bool sched_convert_prepare(conv_context *context, const sched_trace *trace,
                           const sched_convert_options *options, GError **error)
{
    *context = (conv_context){.trace = trace, .options = options};
    const uint64_t ranks = conv_num_ranks(context);
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
    context->profile = options->profile;
    if (options->profile == NULL) {
        context->own_profile = coll_profile_new("sc10", NULL, error);
        context->profile = context->own_profile;
    }
    return context->profile != NULL;
}

bool sched_convert_open(conv_context *context, const sched_trace *trace,
                        const sched_convert_options *options, sched_convert_report *report,
                        GError **error)
{
    if (!sched_convert_prepare(context, trace, options, error)) {
        return false;
    }
    context->report = report;
    if (report->notices == NULL) {
        report->notices = sched_notices_new();
    }
    context->tally = sched_convert_tally_new();
    context->match = sched_convert_match_new(trace);
    context->left_out = sched_convert_left_out_new(trace);
    context->lonely = sched_convert_lonely_new(trace);
    sched_convert_before(context);
    if (!sched_convert_places_find_all(context, error) || !sched_convert_agree(context, error)) {
        return false;
    }
    sched_convert_rooms_find(context);
    return true;
}

bool sched_convert_open_known(conv_context *context, const sched_trace *trace,
                              const sched_convert_options *options, conv_lonely *lonely,
                              GError **error)
{
    if (!sched_convert_prepare(context, trace, options, error) ||
        !sched_convert_places_find_all(context, error)) {
        return false;
    }
    context->lonely = sched_convert_lonely_ref(lonely);
    sched_convert_rooms_find(context);
    return true;
}

/* Which messages find no partner? */
static bool match_all(const conv_context *context, GError **error)
{
    sched_convert_report report;
    conv_context quiet = sched_convert_quiet_begin(context, &report);
    conv_template template = sched_convert_template_new();
    quiet.match = context->match;
    for (uint32_t rank = 0; rank < context->trace->num_ranks; rank++) {
        sched_convert_quiet_fill(&template, &quiet, rank);
    }
    sched_convert_template_clear(&template);
    sched_convert_quiet_end(&quiet);
    return sched_convert_match_check(context->match, error);
}

bool sched_convert_finish(const conv_context *context, GError **error)
{
    if (!sched_convert_tally_check(context->tally) && !match_all(context, error)) {
        return false;
    }
    sched_convert_left_out_say(context->left_out, context->report->notices);
    return true;
}

void sched_convert_close(conv_context *context)
{
    coll_profile_free(context->own_profile);
    sched_convert_tally_free(context->tally);
    sched_convert_match_free(context->match);
    g_free(context->first_place);
    g_free(context->places);
    sched_convert_left_out_free(context->left_out);
    sched_convert_lonely_unref(context->lonely);
    sched_convert_report_clear(&context->before);
    g_free(context->is_probe);
    g_free(context->probes);
}

static sim_graph *convert(const conv_context *context, GError **error)
{
    g_autoptr(sim_graph_builder) builder = sim_graph_builder_new((uint32_t)conv_num_ranks(context));
    if (!build(context, builder, error) || !sched_convert_finish(context, error)) {
        return NULL;
    }
    return sim_graph_builder_finish(g_steal_pointer(&builder), error);
}

sim_graph *sched_convert(const sched_trace *trace, const sched_convert_options *options,
                         sched_convert_report *report, GError **error)
{
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
