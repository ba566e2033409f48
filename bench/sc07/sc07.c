/* bench/sc07/sc07.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeats the experiments of Tabatabaee and Hollingsworth, SC07, in the simulator, and says where
 * its results and the paper's agree: docs/sc07.md.
 */
#include "experiments.h"
#include "figures.h"
#include "sim/out_file.h"

#include <glib/gstdio.h>
#include <gsl/gsl_errno.h>
#include <string.h>

typedef struct settings {
    int seeds;
    int threads;
    gint64 seed;
    char *only;
    char *folder;
} settings;

typedef struct entry {
    const char *id;
    sc07_experiment *run;
} entry;

static const entry EXPERIMENTS[] = {{"E1", sc07_sequences}, {"E2", sc07_ft},
                                    {"E3", sc07_cg},        {"E4", sc07_pop_node1},
                                    {"E5", sc07_pop_node2}, {"E6", sc07_causes}};

static bool parse(settings *s, int *argc, char ***argv, GError **error)
{
    const GOptionEntry entries[] = {
        {"seeds", 0, 0, G_OPTION_ARG_INT, &s->seeds, "runs of each kind (20)", "N"},
        {"threads", 0, 0, G_OPTION_ARG_INT, &s->threads, "all", "N"},
        {"seed", 0, 0, G_OPTION_ARG_INT64, &s->seed, "of everything that is drawn (1)", "N"},
        {"only", 0, 0, G_OPTION_ARG_STRING, &s->only,
         "experiments, E1 to E6, or figures: E1,E2; no files without figures", "E"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &s->folder,
         "tables, report.html and figures go here (sc07-report)", "FOLDER"},
        {NULL},
    };
    GOptionContext *context = g_option_context_new("- the experiments of the SC07 paper");
    g_option_context_add_main_entries(context, entries, NULL);
    const bool ok = g_option_context_parse(context, argc, argv, error);
    g_option_context_free(context);
    if (ok && (s->seeds < 8 || s->threads < 1 || *argc > 1)) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s",
                    *argc > 1 ? "no arguments, please" : "8 seeds and one thread at least, please");
        return false;
    }
    return ok;
}

static bool write_csv(const sc10_table *table, const char *folder, const char *name, GError **error)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
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
    return true;
}

#define FIGURES "figures"

static bool is_asked(const settings *s, const char *id)
{
    g_auto(GStrv) only = g_strsplit(s->only != NULL ? s->only : id, ",", -1);
    return g_strv_contains((const gchar *const *)only, id);
}

static bool do_experiments(const settings *s, const sc07_lab *lab, const sc07_report *report,
                           GError **error)
{
    unsigned known = is_asked(s, FIGURES);
    for (size_t i = 0; i < G_N_ELEMENTS(EXPERIMENTS); i++) {
        if (is_asked(s, EXPERIMENTS[i].id)) {
            EXPERIMENTS[i].run(lab, report);
            known++;
        }
    }
    if (known == 0) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "--only=%s: there are E1 to E6 and figures", s->only);
    }
    return known > 0;
}

static void print(const sc07_report *report)
{
    printf("\nnumbers of the paper, each of one run, and ours: median (least .. greatest)\n");
    sc10_table_print(report->numbers, stdout);
    printf("\nwhat must hold\n");
    sc10_table_print(report->rules, stdout);
    g_autofree char *numbers = sc10_table_sum_up(report->numbers);
    g_autofree char *rules = sc10_table_sum_up(report->rules);
    printf("numbers: %s\nrules: %s\n", numbers, rules);
}

static bool run(const settings *s, bool *passed, GError **error)
{
    if (is_asked(s, FIGURES) && !make_folder(s->folder, error)) {
        return false;
    }
    const sc07_lab lab = {(unsigned)s->seeds, (unsigned)s->threads, (uint64_t)s->seed};
    g_autoptr(sc10_table) numbers = sc10_table_new(stderr);
    g_autoptr(sc10_table) rules = sc10_table_new(stderr);
    const sc07_report report = {numbers, rules};
    g_autoptr(GTimer) timer = g_timer_new();
    printf("# sc07 seeds=%d seed=%" G_GINT64_FORMAT "\n", s->seeds, s->seed);
    if (!do_experiments(s, &lab, &report, error)) {
        return false;
    }
    print(&report);
    fprintf(stderr, "%.0f s\n", g_timer_elapsed(timer, NULL));
    unsigned counts[SC10_NUM_VERDICTS];
    sc10_table_count(rules, counts);
    *passed = counts[SC10_OUTSIDE] == 0;
    g_autofree char *command = g_strdup_printf(
        "build/bench/bench/sc07 --seeds=%d --seed=%" G_GINT64_FORMAT, s->seeds, s->seed);
    return !is_asked(s, FIGURES) || (sc07_draw_figures(&lab, &report, command, s->folder, error) &&
                                     write_csv(numbers, s->folder, "numbers.csv", error) &&
                                     write_csv(rules, s->folder, "rules.csv", error));
}

int main(int argc, char **argv)
{
    gsl_set_error_handler_off();
    settings s = {.seeds = 20, .threads = (int)g_get_num_processors(), .seed = 1};
    g_autoptr(GError) error = NULL;
    bool passed = false;
    if (!parse(&s, &argc, &argv, &error)) {
        fprintf(stderr, "sc07: %s\n", error->message);
        return 2;
    }
    if (s.folder == NULL) {
        s.folder = g_strdup("sc07-report");
    }
    const bool ok = run(&s, &passed, &error);
    if (!ok) {
        fprintf(stderr, "sc07: %s\n", error->message);
    }
    g_free(s.folder);
    g_free(s.only);
    return ok && passed ? 0 : 1;
}
