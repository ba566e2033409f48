/* apps/ripple/report/line_labels.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report, test_drawing_html. */
#include "line_labels.h"

#include <math.h>
#include <stdlib.h>

enum { APART = 16, GAP = 8 }; /* px: between two labels; from the line to its label */

int app_line_labels_width(const app_layout *l, const app_line_label *labels, size_t n)
{
    int widest = 0;
    for (size_t i = 0; i < n; i++) {
        widest = MAX(widest, app_layout_text_width(labels[i].name));
    }
    const int room = l->narrow ? 90 : 200;
    return widest <= room && (int)n * APART <= l->plot_height ? widest + 2 * GAP : 0;
}

static int compare(const void *a, const void *b)
{
    const double x = ((const app_line_label *)a)->height;
    const double y = ((const app_line_label *)b)->height;
    return (x > y) - (x < y);
}

void app_line_labels_append(GString *script, const app_layout *l, app_line_label *labels, size_t n)
{
    const double apart = (double)APART / l->plot_height;
    qsort(labels, n, sizeof *labels, compare);
    for (size_t i = 1; i < n; i++) { /* upwards, then back down from the upper end */
        labels[i].height = fmax(labels[i].height, labels[i - 1].height + apart);
    }
    double limit = 1 + apart / 2;
    for (size_t i = n; i-- > 0;) {
        labels[i].height = fmin(labels[i].height, limit);
        limit = labels[i].height - apart;
    }
    for (size_t i = 0; i < n; i++) {
        g_autofree char *look = g_strdup_printf("left front tc lt %zu", labels[i].colour);
        app_layout_label(script, l, labels[i].name, l->width - l->right + GAP,
                         l->top + l->plot_height * (1 - labels[i].height), look);
    }
}
