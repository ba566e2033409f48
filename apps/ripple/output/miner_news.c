/* apps/ripple/output/miner_news.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_words. */
#include "output/miner_news.h"

#include "output/number_text.h"
#include "sim/unit.h"

#include <stdbool.h>
#include <stdlib.h>

#define SAME 0.15 /* relative: lengths that differ by less may be one */

static bool share_a_rank(const noise_miner_row *a, const noise_miner_row *b)
{
    for (uint32_t i = 0, k = 0; i < a->num_ranges && k < b->num_ranges;) {
        if (a->ranks[i][1] < b->ranks[k][0]) {
            i++;
        } else if (b->ranks[k][1] < a->ranks[i][0]) {
            k++;
        } else {
            return true;
        }
    }
    return false;
}

/* The row of @p report that is nearest in length; NULL: none is like it. */
static const noise_miner_row *like(const noise_miner_report *report, const noise_miner_row *row)
{
    const noise_miner_row *found = NULL;
    sim_time least = 0;
    for (size_t i = 0; i < report->num_rows; i++) {
        const noise_miner_row *one = &report->rows[i];
        const sim_time off = llabs(one->t_noise - row->t_noise);
        if ((double)off < SAME * (double)MAX(one->t_noise, row->t_noise) &&
            share_a_rank(one, row) && (found == NULL || off < least)) {
            found = one;
            least = off;
        }
    }
    return found;
}

/* Of a bound all are rests. */
static uint64_t events_of(const noise_miner_row *row)
{
    return row->at_least ? row->count : row->count + row->partial;
}

static void print_row(const char *what, const noise_miner_row *row, uint64_t count, FILE *out)
{
    g_autofree char *length = sim_unit_format_time_short(row->t_noise);
    g_autofree char *times = app_format_number(count);
    g_autofree char *ranks = app_format_ranks(row->num_ranks);
    fprintf(out, "%s: %s, %s time%s on %s (%s%u), %s\n", what, length, times, count == 1 ? "" : "s",
            ranks, row->num_ranks == 1 ? "" : "the first: ", row->ranks[0][0], row->label);
}

void app_miner_news_print(const noise_miner_report *before, const noise_miner_report *now,
                          FILE *out)
{
    bool any = false;
    for (size_t i = 0; i < now->num_rows; i++) {
        const noise_miner_row *row = &now->rows[i];
        const noise_miner_row *old = like(before, row);
        const uint64_t count = events_of(row);
        if (old == NULL) {
            print_row("not in the last table", row, count, out);
            any = true;
        } else if (count <= events_of(old)) {
            print_row("not once more since the last table", row, count, out);
            any = true;
        }
    }
    if (!any) {
        fputs("nothing new since the last table\n", out);
    }
}
