/* apps/ripple/pages/component_epochs.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_component_page, browser_component. */
#include "pages/component_epochs.h"

#include "output/miner_when.h"
#include "sim/unit.h"

enum { MOST_ROWS = 40, WIDTH = 600, HEIGHT = 48, GAP = 2 };

static double rate_of(const noise_miner_row *row, uint32_t epoch)
{
    return row->seen[epoch] > 0 ? row->hits[epoch] / row->seen[epoch] : 0;
}

static bool differs(const noise_miner_row *row, uint32_t epoch)
{
    return row->change.verdict == NOISE_MINER_CHANGED && epoch >= row->change.first &&
           epoch <= row->change.last;
}

/* An epoch in which nobody was looked at has no bar, but a tooltip as well. */
static void append_bar(GString *svg, const noise_miner_report *r, const noise_miner_row *row,
                       uint32_t epoch, double highest)
{
    const int step = WIDTH / NOISE_MINER_EPOCHS;
    const sim_time begin = r->epochs_from + (sim_time)epoch * r->epoch;
    g_autofree char *from = sim_unit_format_time_short(MAX(begin, r->first));
    g_autofree char *to = sim_unit_format_time_short(MIN(begin + r->epoch, r->first + r->observed));
    const double rate = rate_of(row, epoch);
    const int height = highest > 0 ? (int)((HEIGHT - 1) * rate / highest + 0.5) : 0;
    g_string_append_printf(svg,
                           "<g><rect x=\"%d\" y=\"0\" width=\"%d\" height=\"%d\" "
                           "style=\"fill:var(--grey)\"/><rect x=\"%d\" y=\"%d\" width=\"%d\" "
                           "height=\"%d\" style=\"fill:var(--%s)\"/><title>",
                           (int)epoch * step, step - GAP, HEIGHT, (int)epoch * step,
                           HEIGHT - height, step - GAP, height, differs(row, epoch) ? "c2" : "c1");
    if (row->seen[epoch] > 0) {
        g_string_append_printf(svg, "epoch %u, %s to %s: %.0f, %.3g per second", epoch + 1, from,
                               to, row->hits[epoch], rate);
    } else {
        g_string_append_printf(svg, "epoch %u, %s to %s: no events", epoch + 1, from, to);
    }
    g_string_append(svg, "</title></g>");
}

static void append_row(GString *html, const noise_miner_report *r, const noise_miner_row *row)
{
    g_autofree char *time = sim_unit_format_time_short(row->t_noise);
    g_autofree char *when = app_miner_row_when(r, row);
    g_autofree char *said = g_markup_printf_escaped("%s: %s", time, when);
    double highest = 0;
    for (uint32_t e = 0; e < r->num_epochs; e++) {
        highest = MAX(highest, rate_of(row, e));
    }
    g_string_append_printf(html,
                           "<figure class=\"course\"><figcaption>%s</figcaption>"
                           "<svg role=\"img\" aria-label=\"%s\" viewBox=\"0 0 %d %d\" "
                           "style=\"width:100%%;max-width:40em;display:block\">",
                           said, said, WIDTH / NOISE_MINER_EPOCHS * (int)r->num_epochs, HEIGHT);
    for (uint32_t e = 0; e < r->num_epochs; e++) {
        append_bar(html, r, row, e, highest);
    }
    g_string_append(html, "</svg></figure>\n");
}

void app_component_epochs(app_page *page, const app_component_view *view)
{
    const noise_miner_report *r = view->report;
    g_autoptr(GPtrArray) drifts = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < MIN(r->num_drifts, MOST_ROWS); i++) {
        g_ptr_array_add(drifts, app_miner_drift_words(r, &r->drifts[i]));
    }
    g_ptr_array_add(drifts, NULL);
    app_page_list(page, "Slower or faster as a whole: no noise",
                  (const char *const *)drifts->pdata);
    g_autoptr(GString) html = g_string_new("<div id=\"courses\">\n");
    size_t rows = 0;
    for (size_t i = 0; i < MIN(r->num_rows, MOST_ROWS); i++) {
        if (r->rows[i].change.verdict != NOISE_MINER_NOT_KNOWN) {
            append_row(html, r, &r->rows[i]);
            rows++;
        }
    }
    if (rows == 0 || r->num_epochs == 0) {
        return;
    }
    g_autofree char *each = sim_unit_format_time_short(r->epoch);
    g_autofree char *about = g_strdup_printf(
        "How often in each epoch of %s, per second that its ranks were looked at. The highest bar "
        "of "
        "each kind has full height. In another colour: what chance does not explain.",
        each);
    g_string_append(html, "</div>\n");
    app_page_heading(page, "When each kind came");
    app_page_paragraph(page, about);
    app_page_html(page, html->str);
}
