/* schedgen/convert/convert_quiet.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert_source, test_convert_refused. */
/* The same templates once more: of a record that is too long to keep all of them, or to see which
 * messages find no partner. */
#include "convert/convert_private.h"

#include <assert.h>

conv_context sched_convert_quiet_begin(const conv_context *context, sched_convert_report *report)
{
    conv_context quiet = *context;
    *report = (sched_convert_report){.notices = sched_notices_new()};
    quiet.report = report;
    quiet.tally = NULL;
    quiet.match = NULL;
    quiet.left_out = sched_convert_left_out_new(context->trace);
    return quiet;
}

void sched_convert_quiet_end(conv_context *quiet)
{
    sched_convert_left_out_free(quiet->left_out);
    g_clear_pointer(&quiet->report->notices, g_array_unref);
}

void sched_convert_quiet_fill(conv_template *template, const conv_context *quiet, uint32_t rank)
{
    for (uint64_t i = quiet->first_place[rank]; i < quiet->first_place[rank + 1]; i++) {
        quiet->places[i].made = 0;
    }
    const bool ok = sched_convert_template_fill(template, quiet, rank, NULL);
    assert(ok);
    (void)ok;
}
