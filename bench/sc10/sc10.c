/* bench/sc10/sc10.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeats the experiments on collectives of Hoefler, Schneider and Lumsdaine, SC'10, and says
 * where its results and the paper's agree: docs/sc10.md.
 */
#include "experiments.h"
#include "figures.h"
#include "sim/out_file.h"

#include <glib/gstdio.h>
#include <gsl/gsl_errno.h>
#include <string.h>

typedef struct settings {
    int replicas;
    int log2_ranks;
    int threads;
    gint64 seed;
    char *only;
    char *folder;
} settings;

typedef struct entry {
    const char *id;
    sc10_experiment *run;
} entry;

static const entry EXPERIMENTS[] = {
    {"E1", sc10_noise_models},  {"E2", sc10_synchronization}, {"E3", sc10_beckman},
    {"E4", sc10_extreme_noise}, {"E5", sc10_rooted},          {"E6", sc10_ferreira},
    {"E7", sc10_machines},      {"E8", sc10_broadcast},       {"E9", sc10_large_messages},
    {"E10", sc10_coscheduling}, {"E11", sc10_network},
};

static bool parse(settings *s, int *argc, char ***argv, GError **error)
{
    const GOptionEntry entries[] = {
        {"replicas", 0, 0, G_OPTION_ARG_INT, &s->replicas, "runs of each case (1000)", "N"},
        {"log2-ranks", 0, 0, G_OPTION_ARG_INT, &s->log2_ranks, "largest size is 2^N ranks (20)",
         "N"},
        {"threads", 0, 0, G_OPTION_ARG_INT, &s->threads, "all", "N"},
        {"seed", 0, 0, G_OPTION_ARG_INT64, &s->seed, "of noise and replicas (1)", "N"},
        {"only", 0, 0, G_OPTION_ARG_STRING, &s->only, "one experiment, E1 to E11; no figures", "E"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &s->folder,
         "table.csv, report.html and the figures go here (sc10-report)", "FOLDER"},
        {NULL},
    };
    GOptionContext *context =
        g_option_context_new("- the experiments on collectives of the SC'10 paper");
    g_option_context_add_main_entries(context, entries, NULL);
    const bool ok = g_option_context_parse(context, argc, argv, error);
    g_option_context_free(context);
    if (ok && (s->replicas < 25 || s->log2_ranks < 10 || s->log2_ranks > 24 || s->threads < 1 ||
               *argc > 1)) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s",
                    *argc > 1 ? "no arguments, please"
                              : "at least 25 replicas, 2^10 to 2^24 ranks and one thread, please");
        return false;
    }
    return ok;
}

static bool write_csv(const sc10_table *table, const char *folder, GError **error)
{
    g_autofree char *path = g_build_filename(folder, "table.csv", NULL);
    g_autoptr(sim_out_file) file = sim_out_file_open(path, error);
    if (file == NULL) {
        return false;
    }
    sc10_table_print_csv(table, sim_out_file_stream(file));
    return sim_out_file_commit(g_steal_pointer(&file), error);
}

/* Asked before minutes of work, not after them. */
static bool make_folder(const char *folder, GError **error)
{
    if (g_mkdir_with_parents(folder, 0777) != 0) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot make folder '%s'", folder);
        return false;
    }
    g_autofree char *path = g_build_filename(folder, "table.csv", NULL);
    sim_out_file *file = sim_out_file_open(path, error);
    sim_out_file_discard(file);
    return file != NULL;
}

static bool run(const settings *s, bool *passed, GError **error)
{
    if (s->only == NULL && !make_folder(s->folder, error)) {
        return false;
    }
    g_autoptr(sc10_lab) lab = sc10_lab_new((uint32_t)s->replicas, 1U << s->log2_ranks,
                                           (unsigned)s->threads, (uint64_t)s->seed);
    g_autoptr(sc10_table) table = sc10_table_new(stderr);
    g_autoptr(GTimer) timer = g_timer_new();
    printf("# sc10 replicas=%d ranks=2..2^%d seed=%" G_GINT64_FORMAT "\n", s->replicas,
           s->log2_ranks, s->seed);
    unsigned known = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(EXPERIMENTS); i++) {
        if (s->only == NULL || strcmp(s->only, EXPERIMENTS[i].id) == 0) {
            EXPERIMENTS[i].run(lab, table);
            known++;
        }
    }
    if (known == 0) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "--only=%s: there are E1 to E11", s->only);
        return false;
    }
    sc10_table_print(table, stdout);
    unsigned counts[SC10_NUM_VERDICTS];
    sc10_table_count(table, counts);
    g_autofree char *sum = sc10_table_sum_up(table);
    printf("%s\n", sum);
    fprintf(stderr, "%.0f s\n", g_timer_elapsed(timer, NULL));
    *passed = counts[SC10_OUTSIDE] == 0;
    g_autofree char *command = g_strdup_printf(
        "build/bench/bench/sc10 --replicas=%d --log2-ranks=%d --seed=%" G_GINT64_FORMAT,
        s->replicas, s->log2_ranks, s->seed);
    return s->only != NULL || (sc10_draw_figures(lab, table, command, s->folder, error) &&
                               write_csv(table, s->folder, error));
}

int main(int argc, char **argv)
{
    gsl_set_error_handler_off();
    settings s = {
        .replicas = 1000, .log2_ranks = 20, .threads = (int)g_get_num_processors(), .seed = 1};
    g_autoptr(GError) error = NULL;
    bool passed = false;
    if (!parse(&s, &argc, &argv, &error)) {
        fprintf(stderr, "sc10: %s\n", error->message);
        return 2;
    }
    if (s.folder == NULL) {
        s.folder = g_strdup("sc10-report");
    }
    const bool ok = run(&s, &passed, &error);
    if (!ok) {
        fprintf(stderr, "sc10: %s\n", error->message);
    }
    g_free(s.folder);
    g_free(s.only);
    return ok && passed ? 0 : 1;
}
