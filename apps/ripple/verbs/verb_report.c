/* apps/ripple/verbs/verb_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_report. */
/**
 * @file
 * ripple report: the figures of a sweep, and a page with all of them.
 */
#include "output/error.h"
#include "output/output.h"
#include "sweep/sweep_print.h"
#include "sweep/sweep_report.h"
#include "verbs/verb_list.h"

#include <stdio.h>

#define DEFAULT_FOLDER "ripple-report"

static bool report(const app_context *context, GError **error)
{
    const app_output_place printed = {.option = "--output", .path = NULL};
    if (!app_output_check(&printed, 0, NULL, error)) {
        return false;
    }
    const char *folder = context->output != NULL ? context->output : DEFAULT_FOLDER;
    g_autoptr(app_sweep_table) table = app_sweep_report_database(context->args[0], folder, error);
    if (table == NULL) {
        return false;
    }
    app_output *output = app_output_open(NULL, error);
    if (output == NULL) {
        return false;
    }
    g_autofree char *page = g_build_filename(folder, APP_SWEEP_PAGE, NULL);
    app_sweep_print_statements(table, app_output_stream(output));
    fprintf(app_output_stream(output), "Report: %s\n", page);
    return app_output_close(output, error);
}

static int run(app_context *context, void *state, GError **error)
{
    (void)state;
    if (!app_context_check_args(context, 1, 1, error)) {
        return APP_EXIT_USAGE;
    }
    return report(context, error) ? APP_EXIT_DONE : APP_EXIT_ERROR;
}

static const char *const EXAMPLES[] = {
    "ripple report results.db -o report",
    "Figures of a sweep, complete or not, and report/report.html with all of them.",
    NULL,
};

const app_verb app_verb_report = {
    .name = "report",
    .summary = "draw what a sweep has found: curves, box plots, heat maps, one page",
    .usage = "DATABASE",
    .description =
        "Chooses figures by what the study varies: the slowdown over each parameter that is a\n"
        "number, with one curve for each combination of the others and a band for its interval,\n"
        "or the range below five replicas; the makespans of the replicas as box plots over ranks\n"
        "(or over the parameter with most values), with the line without noise; heat maps over "
        "two\n"
        "numbers. Points that have met too few detours, or stand on one replica, are marked. Each\n"
        "figure is there as two SVGs, wide and narrow, as CSV, and as the gnuplot script that\n"
        "draws them. report.html has all of them, what they stand on, the parameters, the points\n"
        "and the study file; it loads nothing. A sweep that is still running can be drawn as\n"
        "well.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_OUTPUT,
    .output_help = "the folder [" DEFAULT_FOLDER "]",
    .run = run,
};
