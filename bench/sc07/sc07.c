/* bench/sc07/sc07.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeats the experiments of Tabatabaee and Hollingsworth, SC07, in the simulator, and says where
 * its results and the paper's agree: docs/sc07.md. E8 sets their method beside others:
 * docs/interference.md, section 8.
 */
#include "comparison_print.h"
#include "experiments.h"
#include "figures.h"
#include "frame.h"
#include "sim/large.h"

static const char *const IDS[] = {"E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8"};

/* Without the last one. */
static sc07_experiment *const EXPERIMENTS[G_N_ELEMENTS(IDS) - 1] = {
    sc07_sequences, sc07_ft, sc07_cg, sc07_pop_node1, sc07_pop_node2, sc07_causes, sc07_pop_causes};

typedef struct work {
    int seeds;
    int groups;
    sc07_lab lab;
    sc07_report report;
    sc07_comparison *methods; /* NULL: not compared */
} work;

static const char *refuse(void *data)
{
    const work *w = data;
    return w->seeds < 8    ? "--seeds: 8 at least, please"
           : w->groups < 3 ? "--groups: 3 at least, one for each program, please"
                           : NULL;
}

static void begin(void *data, const sc10_settings *s)
{
    work *w = data;
    w->lab = (sc07_lab){(unsigned)w->seeds, (unsigned)s->threads, (uint64_t)s->seed};
    w->report = (sc07_report){sc10_table_new(stderr), sc10_table_new(stderr)};
    printf("# sc07 seeds=%d groups=%d seed=%" G_GINT64_FORMAT "\n", w->seeds, w->groups, s->seed);
}

static void compare_methods(work *w)
{
    const sc07_comparison_options options = {.groups = (uint32_t)w->groups,
                                             .threads = w->lab.threads};
    w->methods = g_new(sc07_comparison, 1);
    sc07_comparison_do(&options, w->methods);
}

static void experiment(void *data, size_t number)
{
    work *w = data;
    if (number < G_N_ELEMENTS(EXPERIMENTS)) {
        EXPERIMENTS[number](&w->lab, &w->report);
    } else {
        compare_methods(w);
    }
}

static bool print(void *data)
{
    const work *w = data;
    printf("\nnumbers of the paper, each of one run, and ours: median (least .. greatest)\n");
    sc10_table_print(w->report.numbers, stdout);
    printf("\nwhat must hold\n");
    sc10_table_print(w->report.rules, stdout);
    g_autofree char *numbers = sc10_table_sum_up(w->report.numbers);
    g_autofree char *rules = sc10_table_sum_up(w->report.rules);
    printf("numbers: %s\nrules: %s\n", numbers, rules);
    if (w->methods != NULL) {
        printf("\n");
        sc07_comparison_print(w->methods, stdout);
    }
    unsigned counts[SC10_NUM_VERDICTS];
    sc10_table_count(w->report.rules, counts);
    return counts[SC10_OUTSIDE] == 0;
}

static bool write_files(void *data, const sc10_settings *s, GError **error)
{
    const work *w = data;
    g_autofree char *command =
        g_strdup_printf("build/bench/bench/sc07 --seeds=%d --groups=%d --seed=%" G_GINT64_FORMAT,
                        w->seeds, w->groups, s->seed);
    return sc07_draw_figures(&w->lab, &w->report, w->methods, command, s->folder, error) &&
           sc10_write_csv(w->report.numbers, s->folder, "numbers.csv", error) &&
           sc10_write_csv(w->report.rules, s->folder, "rules.csv", error);
}

int main(int argc, char **argv)
{
    sim_large_keep_freed();
    work w = {.seeds = 20, .groups = 40};
    const GOptionEntry options[] = {
        {"seeds", 0, 0, G_OPTION_ARG_INT, &w.seeds, "runs of each kind (20)", "N"},
        {"groups", 0, 0, G_OPTION_ARG_INT, &w.groups, "E8: of five runs each (40)", "N"},
        {NULL},
    };
    const sc10_frame frame = {
        .name = "sc07",
        .about = "- the experiments of the SC07 paper",
        .files = "tables, report.html and figures",
        .options = options,
        .ids = IDS,
        .num_ids = G_N_ELEMENTS(IDS),
        .work = &w,
        .refuse = refuse,
        .begin = begin,
        .experiment = experiment,
        .print = print,
        .write = write_files,
    };
    const int code = sc10_frame_main(&frame, argc, argv);
    sc10_table_free(w.report.numbers);
    sc10_table_free(w.report.rules);
    g_free(w.methods);
    return code;
}
