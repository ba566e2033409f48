/* bench/sc07/methods/comparison_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_methods. */
#include "comparison_print.h"

#include <inttypes.h>
#include <math.h>

static char *interval_text(sc07_interval x, int digits)
{
    return isnan(x.value) ? g_strdup("–")
           : isnan(x.low) ? g_strdup_printf("%.*f", digits, x.value)
                          : g_strdup_printf("%.*f (%.*f to %.*f)", digits, x.value, digits, x.low,
                                            digits, x.high);
}

static char **row_new(sc07_text_table *table, const char *first)
{
    char **row = g_new0(char *, table->columns + 1);
    row[0] = g_strdup(first);
    g_ptr_array_add(table->rows, row);
    return row;
}

static sc07_text_table *table_new(size_t columns, const char *const *head)
{
    sc07_text_table *table = g_new(sc07_text_table, 1);
    *table = (sc07_text_table){columns, g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev)};
    char **row = row_new(table, head[0]);
    for (size_t i = 1; i < columns; i++) {
        row[i] = g_strdup(head[i]);
    }
    return table;
}

void sc07_text_table_free(sc07_text_table *table)
{
    if (table != NULL) {
        g_ptr_array_unref(table->rows);
        g_free(table);
    }
}

/* Areas of some choices of ranks, a column each. */
static sc07_text_table *areas_of(const char *const *head, size_t num,
                                 const sc07_roc (*columns[])[SC07_NUM_METHODS])
{
    sc07_text_table *table = table_new(1 + num, head);
    for (int m = 0; m < SC07_NUM_METHODS; m++) {
        char **row = row_new(table, sc07_method_names[m]);
        for (size_t c = 0; c < num; c++) {
            row[1 + c] = interval_text((*columns[c])[m].area, 3);
        }
    }
    return table;
}

sc07_text_table *sc07_comparison_programs(const sc07_comparison *c)
{
    const sc07_roc(*programs[])[SC07_NUM_METHODS] = {&c->all, &c->program[0], &c->program[1],
                                                     &c->program[2]};
    static const char *const HEAD[] = {"area under the curve", "all", "FT", "CG", "POP"};
    return areas_of(HEAD, G_N_ELEMENTS(programs), programs);
}

sc07_text_table *sc07_comparison_jobs(const sc07_comparison *c)
{
    const sc07_roc(*jobs[])[SC07_NUM_METHODS] = {&c->job[1], &c->job[2], &c->job[3], &c->job[4]};
    const char *const head[] = {"area under the curve", sc07_job_names[1], sc07_job_names[2],
                                sc07_job_names[3], sc07_job_names[4]};
    return areas_of(head, G_N_ELEMENTS(jobs), jobs);
}

sc07_text_table *sc07_comparison_alarms(const sc07_comparison *c)
{
    static const char *const HEAD[] = {"where 90 % of the disturbed ranks are found", "found",
                                       "false alarms per rank and hour"};
    sc07_text_table *table = table_new(G_N_ELEMENTS(HEAD), HEAD);
    for (int m = 0; m < SC07_NUM_METHODS; m++) {
        char **row = row_new(table, sc07_method_names[m]);
        row[1] = g_strdup_printf("%.1f %%", 100 * c->all[m].at.found);
        row[2] = interval_text(c->all[m].false_alarms, 2);
    }
    char **row = row_new(table, "the verdict of `ripple detect` on typical sequences");
    row[1] = g_strdup_printf("%.1f %%", 100 * c->found);
    row[2] = g_strdup_printf("%.2f", c->false_alarms);
    return table;
}

char *sc07_comparison_says(const sc07_comparison *c)
{
    return g_strdup_printf("%u simulated runs: %" PRIu64 " disturbed ranks, %" PRIu64
                           " clean ones in %.0f hours, %" PRIu64
                           " that lost less than 0.1 %% left out. Intervals of 95 %%: 1,000 "
                           "resamples of whole groups of runs.",
                           c->runs, c->disturbed, c->clean, c->hours, c->between);
}

static void print_table(const sc07_text_table *table, FILE *file)
{
    for (guint r = 0; r < table->rows->len; r++) {
        g_autofree char *row = g_strjoinv(" | ", g_ptr_array_index(table->rows, r));
        fprintf(file, "| %s |\n", row);
        for (size_t i = 0; r == 0 && i < table->columns; i++) {
            fprintf(file, "|---%s", i + 1 == table->columns ? "|\n" : "");
        }
    }
    fprintf(file, "\n");
}

void sc07_comparison_print(const sc07_comparison *c, FILE *file)
{
    g_autofree char *says = sc07_comparison_says(c);
    fprintf(file, "%s\n\n", says);
    g_autoptr(sc07_text_table) programs = sc07_comparison_programs(c);
    g_autoptr(sc07_text_table) jobs = sc07_comparison_jobs(c);
    g_autoptr(sc07_text_table) alarms = sc07_comparison_alarms(c);
    print_table(programs, file);
    print_table(jobs, file);
    print_table(alarms, file);
}
