/* bench/sc07/methods/comparison_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_methods. */
#include "comparison.h"

#include <inttypes.h>
#include <math.h>

static void print_interval(FILE *file, sc07_interval x, int digits)
{
    if (isnan(x.value)) {
        fprintf(file, " – |");
    } else if (isnan(x.low)) {
        fprintf(file, " %.*f |", digits, x.value);
    } else {
        fprintf(file, " %.*f (%.*f to %.*f) |", digits, x.value, digits, x.low, digits, x.high);
    }
}

/* Areas of some choices of ranks, a column each. */
static void print_areas(FILE *file, const char *head, const sc07_roc (*columns[])[SC07_NUM_METHODS],
                        int num)
{
    fprintf(file, "| area under the curve | %s |\n|---|", head);
    for (int c = 0; c < num; c++) {
        fprintf(file, "---|");
    }
    fprintf(file, "\n");
    for (int m = 0; m < SC07_NUM_METHODS; m++) {
        fprintf(file, "| %s |", sc07_method_names[m]);
        for (int c = 0; c < num; c++) {
            print_interval(file, (*columns[c])[m].area, 3);
        }
        fprintf(file, "\n");
    }
    fprintf(file, "\n");
}

static void print_alarms(FILE *file, const sc07_comparison *c)
{
    fprintf(file,
            "| where 90 %% of the disturbed ranks are found | found | false alarms per rank and "
            "hour |\n|---|---|---|\n");
    for (int m = 0; m < SC07_NUM_METHODS; m++) {
        fprintf(file, "| %s | %.1f %% |", sc07_method_names[m], 100 * c->all[m].at.found);
        print_interval(file, c->all[m].false_alarms, 2);
        fprintf(file, "\n");
    }
    fprintf(file, "| the verdict of `ripple detect` on typical sequences | %.1f %% | %.2f |\n\n",
            100 * c->found, c->false_alarms);
}

void sc07_comparison_print(const sc07_comparison *c, FILE *file)
{
    fprintf(file,
            "%u simulated runs: %" PRIu64 " disturbed ranks, %" PRIu64
            " clean ones in %.0f hours, %" PRIu64
            " that lost less than 0.1 %% left out. Intervals of 95 %%: 1,000 resamples of whole "
            "groups of runs.\n\n",
            c->runs, c->disturbed, c->clean, c->hours, c->between);
    const sc07_roc(*programs[])[SC07_NUM_METHODS] = {&c->all, &c->program[0], &c->program[1],
                                                     &c->program[2]};
    print_areas(file, "all | FT | CG | POP", programs, 4);
    const sc07_roc(*jobs[])[SC07_NUM_METHODS] = {&c->job[1], &c->job[2], &c->job[3], &c->job[4]};
    char head[200];
    snprintf(head, sizeof head, "%s | %s | %s | %s", sc07_job_names[1], sc07_job_names[2],
             sc07_job_names[3], sc07_job_names[4]);
    print_areas(file, head, jobs, 4);
    print_alarms(file, c);
}
