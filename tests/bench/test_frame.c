/* tests/bench/test_frame.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The command around the experiments of a paper. */
#include "check.h"
#include "cost.h"
#include "folder.h"
#include "frame.h"

/* A paper of three experiments, and what was asked of it. */
typedef struct paper {
    int rows;
    char *done; /* experiments, in order: "E1 E3 " */
    bool passes;
    bool prepares;
    unsigned begun, written;
    char folder[200];
    int threads;
    gint64 seed;
} paper;

static const char *refuse(void *data)
{
    return ((paper *)data)->rows < 1 ? "--rows: one at least" : NULL;
}

static void begin(void *data, const sc10_settings *s)
{
    paper *p = data;
    p->begun++;
    p->threads = s->threads;
    p->seed = s->seed;
}

static void add_done(paper *p, char *next)
{
    char *done = g_strconcat(p->done, next, " ", NULL);
    g_free(next);
    g_free(p->done);
    p->done = done;
}

static void prepare(void *data, const sc10_settings *s)
{
    add_done(data, g_strdup(sc10_is_asked(s, "E3") ? "prepare:E3" : "prepare"));
}

static void experiment(void *data, size_t number)
{
    add_done(data, g_strdup_printf("E%zu", number + 1));
}

static bool print(void *data)
{
    return ((paper *)data)->passes;
}

static bool write_files(void *data, const sc10_settings *s, GError **error)
{
    (void)error;
    paper *p = data;
    p->written++;
    g_strlcpy(p->folder, s->folder, sizeof p->folder);
    return true;
}

/* @param line "--only=E1 --rows=2" */
static int run(paper *p, const char *line)
{
    static const char *const IDS[] = {"E1", "E2", "E3"};
    *p = (paper){.rows = 5, .done = g_strdup(""), .passes = p->passes, .prepares = p->prepares};
    const GOptionEntry options[] = {
        {"rows", 0, 0, G_OPTION_ARG_INT, &p->rows, "of something (5)", "N"}, {NULL}};
    const sc10_frame frame = {.name = "paper",
                              .about = "- a test",
                              .files = "files",
                              .options = options,
                              .ids = IDS,
                              .num_ids = G_N_ELEMENTS(IDS),
                              .work = p,
                              .refuse = refuse,
                              .begin = begin,
                              .prepared = "both",
                              .prepare = p->prepares ? prepare : NULL,
                              .experiment = experiment,
                              .print = print,
                              .write = write_files};
    g_autofree char *whole = g_strconcat("paper ", line, NULL);
    char **argv = g_strsplit(whole, " ", -1);
    int argc = (int)g_strv_length(argv);
    g_autofree char **borrowed = g_memdup2(argv, ((gsize)argc + 1) * sizeof *argv);
    const int code = sc10_frame_main(&frame, argc, borrowed);
    g_strfreev(argv);
    return code;
}

static void those_are_run_that_are_asked_for(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-frame-XXXXXX", NULL);
    static const struct {
        const char *only;
        const char *done;
        bool files;
    } ROWS[] = {{"", "E1 E2 E3 ", true},
                {"--only=E2", "E2 ", false},
                {"--only=E3,E1", "E1 E3 ", false},
                {"--only=figures", "", true},
                {"--only=E1,figures", "E1 ", true}};
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autofree char *line = g_strdup_printf("--seed=7 --threads=3 -o %s%s%s", folder,
                                                ROWS[i].only[0] != '\0' ? " " : "", ROWS[i].only);
        paper p = {.passes = true};
        CHECK_I64(run(&p, line), 0, "%s", ROWS[i].only);
        CHECK_STR(p.done, ROWS[i].done, "%s", ROWS[i].only);
        CHECK_I64(p.written, ROWS[i].files, "%s", ROWS[i].only);
        CHECK_STR(p.folder, ROWS[i].files ? folder : "", "%s", ROWS[i].only);
        CHECK(p.threads == 3 && p.seed == 7);
        g_free(p.done);
    }
    folder_remove(folder);
}

static void what_experiments_share_comes_before_them(void)
{
    paper p = {.passes = true, .prepares = true};
    CHECK_I64(run(&p, "--only=E3,E1"), 0);
    CHECK_STR(p.done, "prepare:E3 E1 E3 ");
    g_free(p.done);
    CHECK_I64(run(&p, "--only=E1"), 0);
    CHECK_STR(p.done, "prepare E1 ");
    g_free(p.done);
}

static void mistakes_are_found_before_anything_is_run(void)
{
    static const char *const LINES[] = {
        "--only=E4", "--only=E1,E4", "--only=",   "--only=E1,",   "--threads=0",
        "--rows=0",  "E1",           "--only=e1", "--no-such-one"};
    for (size_t i = 0; i < G_N_ELEMENTS(LINES); i++) {
        paper p = {.passes = true};
        CHECK_I64(run(&p, LINES[i]), 2, "%s", LINES[i]);
        CHECK(p.begun == 0 && p.written == 0, "%s", LINES[i]);
        g_free(p.done);
    }
}

static void what_is_outside_or_cannot_be_written_is_said_by_the_exit_code(void)
{
    paper p = {.passes = false};
    CHECK_I64(run(&p, "--only=E1"), 1);
    CHECK_I64(p.begun, 1);
    g_free(p.done);
    p.passes = true;
    CHECK_I64(run(&p, "-o /dev/null/here"), 1);
    CHECK_I64(p.begun, 0, "the folder is tried first");
    g_free(p.done);
}

/* Until a hundredth of a second of CPU time is gone. */
static gpointer work_hard(gpointer data)
{
    const sc10_cost begin = sc10_cost_now();
    while (sc10_cost_since(begin).cpu < 0.01) {
    }
    return data;
}

static void cpu_time_of_all_threads_is_counted(void)
{
    const sc10_cost begin = sc10_cost_now();
    g_thread_join(g_thread_new("work", work_hard, NULL));
    const sc10_cost spent = sc10_cost_since(begin);
    CHECK(spent.cpu >= 0.01, "%g", spent.cpu);
    CHECK(spent.wall > 0, "%g", spent.wall);
}

static void what_each_took_is_printed_and_added_up(void)
{
    static const char *const NAMES[] = {"E1", "figures"};
    const sc10_cost costs[] = {{1.25, 2.5}, {0.5, 100}};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    sc10_cost_print(NAMES, costs, G_N_ELEMENTS(NAMES), out);
    (void)fclose(out);
    CHECK_STR(text, "E1            1.2 s  CPU      2.5 s\n"
                    "figures       0.5 s  CPU    100.0 s\n"
                    "all           1.8 s  CPU    102.5 s\n");
    free(text);
}

SUITE_MAIN("frame", TEST(those_are_run_that_are_asked_for),
           TEST(what_experiments_share_comes_before_them),
           TEST(mistakes_are_found_before_anything_is_run),
           TEST(what_is_outside_or_cannot_be_written_is_said_by_the_exit_code),
           TEST(cpu_time_of_all_threads_is_counted), TEST(what_each_took_is_printed_and_added_up))
