/* schedgen/convert/convert.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sched/convert.h"

#include "convert/convert_private.h"
#include "convert/convert_resample.h"

void sched_convert_report_clear(sched_convert_report *report)
{
    if (report->notices != NULL) {
        g_array_unref(report->notices);
    }
    *report = (sched_convert_report){0};
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
    if (options->resample) {
        context->resample = sched_convert_resample_new(trace->num_ranks, options->resample_seed);
    }
    return true;
}

bool sched_convert_open_known(conv_context *context, const sched_trace *trace,
                              const sched_convert_options *options, conv_lonely *lonely,
                              conv_resample *resample, GError **error)
{
    if (!sched_convert_prepare(context, trace, options, error) ||
        !sched_convert_places_find_all(context, error)) {
        return false;
    }
    context->lonely = sched_convert_lonely_ref(lonely);
    context->resample = sched_convert_resample_ref(resample);
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

/* Of what stays as recorded, copies are clones still. */
static void finish_resample(const conv_context *context)
{
    static const double MATTERS = 0.01;
    const double kept = sched_convert_resample_finish(context->resample);
    if (kept >= MATTERS) {
        g_autofree char *what = g_strdup_printf(
            "%.3g %% of the computation is at call sites where nothing alike was recorded: copies "
            "have it as recorded",
            100 * kept);
        sched_notices_add(context->report->notices, 1, what);
    }
}

bool sched_convert_finish(const conv_context *context, GError **error)
{
    if (!sched_convert_tally_check(context->tally) && !match_all(context, error)) {
        return false;
    }
    sched_convert_left_out_say(context->left_out, context->report->notices);
    if (context->resample != NULL) {
        finish_resample(context);
    }
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
    sched_convert_resample_unref(context->resample);
    sched_convert_report_clear(&context->before);
    g_free(context->is_probe);
    g_free(context->probes);
}
