/* bench/sc10/sc10.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeats the experiments of Hoefler, Schneider and Lumsdaine, SC'10, on collectives and on
 * applications, and says where its results and the paper's agree: docs/sc10.md.
 */
#include "app_experiments.h"
#include "app_figures.h"
#include "experiments.h"
#include "figures.h"
#include "frame.h"
#include "sim/large.h"

static const char *const IDS[] = {"E1",  "E2",  "E3",  "E4",  "E5",  "E6",  "E7",  "E8", "E9",
                                  "E10", "E11", "E12", "E13", "E14", "E15", "E16", "E17"};

static sc10_experiment *const COLLECTIVES[] = {
    sc10_noise_models,   sc10_synchronization, sc10_beckman,  sc10_extreme_noise,
    sc10_rooted,         sc10_ferreira,        sc10_machines, sc10_broadcast,
    sc10_large_messages, sc10_coscheduling,    sc10_network};

/* Those behind the collectives'. */
static const sc10_app_experiment
    *const APPLICATIONS[G_N_ELEMENTS(IDS) - G_N_ELEMENTS(COLLECTIVES)] = {
        &sc10_call_pattern, &sc10_scale_sweep3d, &sc10_scale_amg,
        &sc10_scale_pop,    &sc10_parts,         &sc10_app_network};

typedef struct work {
    int replicas;
    int log2_ranks;
    int copies;
    int runs;
    gboolean exact;
    sc10_lab *lab;
    sc10_app_lab *apps;
    sc10_table *table;
} work;

/* Of an application at the paper's size, and, of what no interval is asked of, at the size before:
 * as many as have a range. */
enum { FEW_RUNS = 1, FEWER_RUNS = 3 };

static const char *refuse(void *data)
{
    const work *w = data;
    return w->replicas < 25 || w->log2_ranks < 10 || w->log2_ranks > 24
               ? "at least 25 replicas and 2^10 to 2^24 ranks, please"
           : w->copies < 0 || w->runs < 1 ? "--copies: 0 or more, --runs: one at least, please"
                                          : NULL;
}

static void begin(void *data, const sc10_settings *s)
{
    work *w = data;
    w->lab = sc10_lab_new((uint32_t)w->replicas, 1U << w->log2_ranks, (unsigned)s->threads,
                          (uint64_t)s->seed);
    const sc10_app_plan plan = {.copies = (uint32_t)w->copies,
                                .runs = (uint32_t)w->runs,
                                .few_runs = MIN((uint32_t)w->runs, FEW_RUNS),
                                .fewer_runs = MIN((uint32_t)w->runs, FEWER_RUNS),
                                .exact = w->exact,
                                .threads = (unsigned)s->threads,
                                .seed = (uint64_t)s->seed};
    w->apps = sc10_app_lab_new(SC10_TRACES, &plan);
    w->table = sc10_table_new(stderr);
    printf("# sc10 replicas=%d ranks=2..2^%d copies=%d runs=%d exact=%d seed=%" G_GINT64_FORMAT
           "\n",
           w->replicas, w->log2_ranks, w->copies, w->runs, w->exact, s->seed);
}

/* The runs of all applications that are asked for. */
static void prepare(void *data, const sc10_settings *s)
{
    const work *w = data;
    for (int more = 0; more <= 1; more++) {
        for (size_t i = 0; i < G_N_ELEMENTS(APPLICATIONS); i++) {
            const sc10_app_experiment *e = APPLICATIONS[i];
            void (*ask)(sc10_app_lab *) = more ? e->ask_more : e->ask;
            if (ask != NULL && sc10_is_asked(s, IDS[G_N_ELEMENTS(COLLECTIVES) + i])) {
                ask(w->apps);
            }
        }
        sc10_app_run_asked(w->apps);
    }
}

static void experiment(void *data, size_t number)
{
    const work *w = data;
    if (number < G_N_ELEMENTS(COLLECTIVES)) {
        COLLECTIVES[number](w->lab, w->table);
    } else {
        APPLICATIONS[number - G_N_ELEMENTS(COLLECTIVES)]->check(w->apps, w->table);
    }
}

static bool print(void *data)
{
    const work *w = data;
    sc10_table_print(w->table, stdout);
    g_autofree char *sum = sc10_table_sum_up(w->table);
    printf("%s\n", sum);
    unsigned counts[SC10_NUM_VERDICTS];
    sc10_table_count(w->table, counts);
    return counts[SC10_OUTSIDE] == 0;
}

static bool draw_applications(void *data, app_page *page, const char *folder, GError **error)
{
    const work *w = data;
    return sc10_draw_app_figures(w->apps, w->table, page, folder, error);
}

/* Figures of the collectives are drawn unless only applications are asked for. */
static bool wants_collectives(const sc10_settings *s)
{
    bool applications = false;
    bool collectives = false;
    for (size_t i = 0; i < G_N_ELEMENTS(IDS); i++) {
        *(i < G_N_ELEMENTS(COLLECTIVES) ? &collectives : &applications) |= sc10_is_asked(s, IDS[i]);
    }
    return collectives || !applications;
}

static bool write_files(void *data, const sc10_settings *s, GError **error)
{
    const work *w = data;
    g_autofree char *command = g_strdup_printf(
        "build/bench/bench/sc10 --replicas=%d --log2-ranks=%d --copies=%d --runs=%d%s "
        "--seed=%" G_GINT64_FORMAT,
        w->replicas, w->log2_ranks, w->copies, w->runs, w->exact ? " --exact" : "", s->seed);
    return sc10_draw_figures(w->lab, w->table, command, s->folder, wants_collectives(s),
                             draw_applications, data, error) &&
           sc10_write_csv(w->table, s->folder, "table.csv", error);
}

int main(int argc, char **argv)
{
    sim_large_keep_freed();
    work w = {.replicas = 1000, .log2_ranks = 20, .runs = 5};
    const GOptionEntry options[] = {
        {"replicas", 0, 0, G_OPTION_ARG_INT, &w.replicas, "runs of each case (1000)", "N"},
        {"log2-ranks", 0, 0, G_OPTION_ARG_INT, &w.log2_ranks, "largest size is 2^N ranks (20)",
         "N"},
        {"copies", 0, 0, G_OPTION_ARG_INT, &w.copies,
         "of an application's record, at most (0: as many ranks as the paper)", "N"},
        {"runs", 0, 0, G_OPTION_ARG_INT, &w.runs,
         "of each case of an application under noise (5); of the largest, one, of the size before, "
         "three or N",
         "N"},
        {"exact", 0, 0, G_OPTION_ARG_NONE, &w.exact,
         "run the largest size of an application without noise, too; else its time is extrapolated",
         NULL},
        {NULL},
    };
    const sc10_frame frame = {
        .name = "sc10",
        .about = "- the experiments of the SC'10 paper",
        .files = "table.csv, report.html and the figures",
        .options = options,
        .ids = IDS,
        .num_ids = G_N_ELEMENTS(IDS),
        .work = &w,
        .refuse = refuse,
        .begin = begin,
        .prepared = "runs",
        .prepare = prepare,
        .experiment = experiment,
        .print = print,
        .write = write_files,
    };
    const int code = sc10_frame_main(&frame, argc, argv);
    sc10_lab_free(w.lab);
    sc10_app_lab_free(w.apps);
    sc10_table_free(w.table);
    return code;
}
