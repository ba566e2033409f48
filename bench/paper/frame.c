/* bench/paper/frame.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_frame, sc10_short, sc07_short. */
#include "frame.h"

#include "cost.h"
#include "sim/out_file.h"

#include <glib/gstdio.h>
#include <gsl/gsl_errno.h>
#include <string.h>

static const char FIGURES[] = "figures";

/* An option's name is one of the experiments or the figures. */
static bool is_known(const sc10_frame *f, const char *id)
{
    bool known = strcmp(id, FIGURES) == 0;
    for (size_t i = 0; i < f->num_ids; i++) {
        known = known || strcmp(id, f->ids[i]) == 0;
    }
    return known;
}

static bool check(const sc10_frame *f, const sc10_settings *s, int argc, GError **error)
{
    const char *wrong = argc > 1         ? "no arguments, please"
                        : s->threads < 1 ? "--threads: one at least, please"
                                         : f->refuse(f->work);
    if (wrong != NULL) {
        g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, wrong);
        return false;
    }
    g_auto(GStrv) only = g_strsplit(s->only != NULL ? s->only : FIGURES, ",", -1);
    bool ok = only[0] != NULL;
    for (size_t i = 0; only[i] != NULL; i++) {
        ok = ok && is_known(f, only[i]);
    }
    if (!ok) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "--only=%s: there are %s to %s and %s", s->only, f->ids[0],
                    f->ids[f->num_ids - 1], FIGURES);
    }
    return ok;
}

static bool parse(const sc10_frame *f, sc10_settings *s, int argc, char **argv, GError **error)
{
    g_autofree char *only =
        g_strdup_printf("experiments, %s to %s, or %s: %s,%s; no files without %s", f->ids[0],
                        f->ids[f->num_ids - 1], FIGURES, f->ids[0], f->ids[1], FIGURES);
    g_autofree char *output = g_strdup_printf("%s go here (%s)", f->files, s->folder);
    char *folder = NULL;
    const GOptionEntry entries[] = {
        {"threads", 0, 0, G_OPTION_ARG_INT, &s->threads, "all", "N"},
        {"seed", 0, 0, G_OPTION_ARG_INT64, &s->seed, "of everything that is drawn (1)", "N"},
        {"only", 0, 0, G_OPTION_ARG_STRING, &s->only, only, "E"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &folder, output, "FOLDER"},
        {NULL},
    };
    GOptionContext *context = g_option_context_new(f->about);
    g_option_context_add_main_entries(context, f->options, NULL);
    g_option_context_add_main_entries(context, entries, NULL);
    const bool ok = g_option_context_parse(context, &argc, &argv, error);
    g_option_context_free(context);
    if (folder != NULL) {
        g_free(s->folder);
        s->folder = folder;
    }
    return ok && check(f, s, argc, error);
}

/* Asked before minutes of work, not after them. */
static bool make_folder(const char *folder, GError **error)
{
    if (g_mkdir_with_parents(folder, 0777) != 0) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot make folder '%s'", folder);
        return false;
    }
    g_autofree char *path = g_build_filename(folder, "report.html", NULL);
    sim_out_file *file = sim_out_file_open(path, error);
    sim_out_file_discard(file);
    return file != NULL;
}

/* What each part took that was asked for: what they share first, the figures last. */
typedef struct bill {
    const char **names;
    sc10_cost *costs;
    size_t n;
} bill;

static void add_to_bill(bill *b, const char *name, sc10_cost begin)
{
    b->names[b->n] = name;
    b->costs[b->n++] = sc10_cost_since(begin);
}

static void run_experiments(const sc10_frame *f, const sc10_settings *s, bill *b)
{
    if (f->prepare != NULL) {
        const sc10_cost begin = sc10_cost_now();
        f->prepare(f->work, s);
        add_to_bill(b, f->prepared, begin);
    }
    for (size_t i = 0; i < f->num_ids; i++) {
        if (sc10_is_asked(s, f->ids[i])) {
            const sc10_cost begin = sc10_cost_now();
            f->experiment(f->work, i);
            add_to_bill(b, f->ids[i], begin);
        }
    }
}

static bool run(const sc10_frame *f, const sc10_settings *s, bool *passed, GError **error)
{
    const bool files = sc10_is_asked(s, FIGURES);
    if (files && !make_folder(s->folder, error)) {
        return false;
    }
    g_autofree const char **names = g_new(const char *, f->num_ids + 2);
    g_autofree sc10_cost *costs = g_new(sc10_cost, f->num_ids + 2);
    bill b = {names, costs, 0};
    f->begin(f->work, s);
    run_experiments(f, s, &b);
    *passed = f->print(f->work);
    const sc10_cost begin = sc10_cost_now();
    const bool ok = !files || f->write(f->work, s, error);
    if (files) {
        add_to_bill(&b, FIGURES, begin);
    }
    sc10_cost_print(b.names, b.costs, b.n, stderr);
    return ok;
}

int sc10_frame_main(const sc10_frame *f, int argc, char **argv)
{
    gsl_set_error_handler_off();
    sc10_settings s = {.threads = (int)g_get_num_processors(), .seed = 1};
    s.folder = g_strconcat(f->name, "-report", NULL);
    g_autoptr(GError) error = NULL;
    bool passed = false;
    const bool is_clear = parse(f, &s, argc, argv, &error);
    const bool ok = is_clear && run(f, &s, &passed, &error);
    if (!ok) {
        fprintf(stderr, "%s: %s\n", f->name, error->message);
    }
    g_free(s.folder);
    g_free(s.only);
    return !is_clear ? 2 : ok && passed ? 0 : 1;
}

bool sc10_is_asked(const sc10_settings *s, const char *id)
{
    g_auto(GStrv) only = g_strsplit(s->only != NULL ? s->only : id, ",", -1);
    return g_strv_contains((const gchar *const *)only, id);
}

bool sc10_write_csv(const sc10_table *table, const char *folder, const char *name, GError **error)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autoptr(sim_out_file) file = sim_out_file_open(path, error);
    if (file == NULL) {
        return false;
    }
    sc10_table_print_csv(table, sim_out_file_stream(file));
    return sim_out_file_commit(g_steal_pointer(&file), error);
}
