/* apps/ripple/quick/quick_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_quick. */
#include "quick/quick_report.h"

#include "findings/experiment_report.h"
#include "knockout/knockout_report.h"
#include "measure/measure_page.h"

static void add_sources(const app_quick_outcome *o, app_page *page)
{
    g_auto(GStrv) last = app_quick_unexplained_row(o);
    g_autofree char *unexplained = app_unexplained_sentence(&o->unexplained);
    g_autofree char *watch = app_quick_watch_sentence(o->measured);
    g_autofree char *own = app_quick_own_sentence(o);
    app_measure_page_sources(page, o->measured->analysis, (const char *const *)last);
    g_auto(GStrv) verdict = g_strsplit(o->measured->measurement->verdict, "\n", -1);
    g_autoptr(GPtrArray) remarks = g_ptr_array_new();
    g_ptr_array_add(remarks, unexplained);
    g_ptr_array_add(remarks, watch);
    if (own != NULL) {
        g_ptr_array_add(remarks, own);
    }
    for (char **line = verdict; *line != NULL; line++) {
        g_ptr_array_add(remarks, *line);
    }
    g_ptr_array_add(remarks, NULL);
    app_page_list(page, "How well it is known", (const char *const *)remarks->pdata);
}

/* What to switch off first, then what there is. */
static bool add_sections(const void *data, app_page *page, const char *folder, GError **error)
{
    const app_quick_outcome *o = data;
    const char *none = app_quick_no_knockout(o);
    if (none != NULL) {
        app_page_paragraph(page, none);
    } else if (!app_knockout_report(o->prediction->knockout, page, folder, error)) {
        return false;
    }
    add_sources(o, page);
    return true;
}

bool app_quick_report(const app_quick_outcome *o, const app_manifest *manifest, const char *folder,
                      GError **error)
{
    const app_report report = {
        .title = "The noise of this machine, and an allreduce under it",
        .program = "An allreduce of 8 bytes, simulated under the noise that was measured here.",
        .manifest = manifest,
        .findings = o->findings,
        .section = add_sections,
        .section_data = o,
    };
    return app_report_write(&report, folder, error);
}
