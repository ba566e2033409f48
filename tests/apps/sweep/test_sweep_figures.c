/* tests/apps/sweep/test_sweep_figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "folder.h"
#include "study/sweep_file.h"
#include "sweep/sweep_figures.h"
#include "sweep/sweep_report.h"
#include "sweep/sweep_run.h"

#include <glib/gstdio.h>
#include <string.h>

/* The points of a sweep over a barrier; @p lines: what comes after the program. */
static app_sweep_table *table_of(const char *lines)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-sweep-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "x.db", NULL);
    g_autofree char *text = g_strdup_printf("[study]\nschema_version = 1\n[parameters]\n"
                                            "program = collective:barrier\n%s",
                                            lines);
    app_sweep_table *table = NULL;
    g_autoptr(GError) error = NULL;
    g_autoptr(app_sweep_study) study = app_sweep_file_parse("study", text, strlen(text), &error);
    g_autoptr(app_sweep_maker) maker = app_sweep_maker_new();
    app_sweep_database *database = app_sweep_database_open(path, &error);
    g_autoptr(app_sweep_plan) plan = study != NULL && database != NULL
                                         ? app_sweep_plan_new(study, maker, database, &error)
                                         : NULL;
    if (plan != NULL) {
        g_autofree bool *left = g_new0(bool, plan->num_points);
        const app_sweep_run_options options = {.threads = 1, .verb = "test", .quiet = true};
        if (app_sweep_left(plan, database, left, &error) >= 0 &&
            app_sweep_run(plan, maker, database, left, &options, &error)) {
            table = app_sweep_table_read(database, &error);
        }
    }
    app_sweep_database_close(database);
    folder_remove(folder);
    CHECK(table != NULL, "%s", error != NULL ? error->message : "");
    return table;
}

#define NOISE "noise = fixed:1kHz:100us\nreplicas = 3\n"

/* Which figures a study gets, by the rules in sweep_figures.h. */
static const struct {
    const char *lines;
    const char *names;
    size_t left_out;
} STUDIES[] = {
    {"", "", 0},
    {"[sweep]\nL = 1us,2us,3us\n", "makespan-L", 0},
    {"[sweep]\nL = 1us,2us\nranks = 4,8\n", "makespan-ranks makespan-L heat-ranks-L", 0},
    {NOISE "[sweep]\nranks = 4,8,16\n", "slowdown-ranks boxes-ranks", 0},
    {"replicas = 3\n[sweep]\nnoise = none,altix,jaguar\n", "boxes-noise", 0},
    {"replicas = 3\n[sweep]\nnoise = altix,jaguar\ncosched = no,yes\nranks = 4,8\n",
     "slowdown-ranks boxes-ranks-1 boxes-ranks-2", 0},
    {NOISE "[sweep]\nmachine = xt4,chic\nL = 1us,2us\nranks = 4,8\n",
     "slowdown-ranks slowdown-L boxes-ranks-1 boxes-ranks-2 heat-ranks-L-1 heat-ranks-L-2", 0},
    {NOISE "[together]\nL = 1us,2us\no = 1us,3us\n[sweep]\nranks = 4,8\n",
     "slowdown-ranks slowdown-L boxes-ranks heat-ranks-L", 0},
    /* A clock error has no effect where nothing is co-scheduled. */
    {NOISE "[sweep]\ncosched = no,yes\nsigma = 0,1us,10us\n", "slowdown-sigma boxes-sigma", 0},
    {NOISE "[sweep]\nS = 1,inf\nranks = 4,8\n", "slowdown-ranks boxes-ranks", 0},
    {NOISE "[sweep]\nL = 1us..2us/41\n", "slowdown-L", 0}, /* too many for boxes */
    {NOISE "[sweep]\nmachine = xt4,chic,altix,cnl,zeptoos\nprogress = polling,async\n"
           "rendezvous = handshake,instant\nranks = 4,8\n",
     "slowdown-ranks-1 slowdown-ranks-2 slowdown-ranks-3 slowdown-ranks-4 "
     "boxes-ranks-1 boxes-ranks-2 boxes-ranks-3 boxes-ranks-4 boxes-ranks-5 boxes-ranks-6 "
     "boxes-ranks-7 boxes-ranks-8",
     2},
};

static void a_study_gets_the_figures_that_suit_it(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(STUDIES); i++) {
        g_autoptr(app_sweep_table) table = table_of(STUDIES[i].lines);
        if (table == NULL) {
            continue;
        }
        g_autoptr(app_sweep_space) space = app_sweep_space_new(table);
        size_t left_out = 0;
        g_autoptr(GPtrArray) figures = app_sweep_figures_new(space, &left_out);
        g_autoptr(GString) names = g_string_new(NULL);
        for (guint k = 0; k < figures->len; k++) {
            const app_chart *chart = g_ptr_array_index(figures, k);
            g_string_append_printf(names, "%s%s", k > 0 ? " " : "", chart->name);
        }
        CHECK_STR(names->str, STUDIES[i].names, "%s", STUDIES[i].lines);
        CHECK_I64((int64_t)left_out, (int64_t)STUDIES[i].left_out, "%s", STUDIES[i].lines);
    }
}

static void figures_hold_what_was_simulated(void)
{
    /* A barrier of 4, 8 ranks is 2, 3 rounds of 2 o + L, XT-4: o = 1.75 us. */
    g_autoptr(app_sweep_table) table = table_of("[sweep]\nL = 1us,2us\nranks = 4,8\n");
    g_autoptr(app_sweep_space) space = app_sweep_space_new(table);
    size_t left_out;
    g_autoptr(GPtrArray) figures = app_sweep_figures_new(space, &left_out);
    CHECK_I64(figures->len, 3);
    const app_chart *curves = g_ptr_array_index(figures, 0);
    CHECK_STR(curves->csv, "ranks,L,makespan_ns,low_makespan_ns,high_makespan_ns\n"
                           "4,L=1us,9000,9000,9000\n8,L=1us,13500,13500,13500\n"
                           "4,L=2us,11000,11000,11000\n8,L=2us,16500,16500,16500\n");
    const app_chart *heat = g_ptr_array_index(figures, 2);
    CHECK_STR(heat->csv, "ranks,L_ns,makespan_ns,column,row\n4,1000,9000,1,1\n8,1000,13500,2,1\n"
                         "4,2000,11000,1,2\n8,2000,16500,2,2\n");
}

static void the_line_without_noise_is_there_where_it_is_one(void)
{
    /* Noises share the ideal run, machines do not. */
    static const char *const AXES[] = {"noise = altix,jaguar", "L = 1us,2us"};
    for (size_t i = 0; i < G_N_ELEMENTS(AXES); i++) {
        g_autofree char *lines = g_strdup_printf("replicas = 3\n%s[sweep]\n%s\nranks = 4,8\n",
                                                 i == 1 ? "noise = altix\n" : "", AXES[i]);
        g_autoptr(app_sweep_table) table = table_of(lines);
        g_autoptr(app_sweep_space) space = app_sweep_space_new(table);
        size_t left_out;
        g_autoptr(GPtrArray) figures = app_sweep_figures_new(space, &left_out);
        const app_chart *boxes = NULL;
        for (guint k = 0; k < figures->len; k++) {
            const app_chart *chart = g_ptr_array_index(figures, k);
            boxes = g_str_has_prefix(chart->name, "boxes") ? chart : boxes;
        }
        CHECK(boxes != NULL);
        CHECK_I64(boxes != NULL && strstr(boxes->csv, "\n4,no noise,1,") != NULL, i == 0, "%s",
                  boxes != NULL ? boxes->csv : "");
    }
}

/* A caption says under which conditions its figure holds, and points tell when they are weak. */
static void figures_say_what_they_stand_on(void)
{
    g_autoptr(app_sweep_table) table =
        table_of("replicas = 6\n[sweep]\nnoise = fixed:100us:10us,jaguar\nranks = 8,64\n");
    g_autoptr(app_sweep_space) space = app_sweep_space_new(table);
    size_t left_out;
    g_autoptr(GPtrArray) figures = app_sweep_figures_new(space, &left_out);
    CHECK_I64(figures->len, 2);
    for (guint i = 0; i < figures->len; i++) {
        const app_chart *chart = g_ptr_array_index(figures, i);
        static const char *const SAID[] = {"Of one pass from a cold start.", "'jaguar' is a model.",
                                           "Few met: 2 of 4 points."};
        for (size_t k = 0; k < G_N_ELEMENTS(SAID); k++) {
            CHECK(strstr(chart->figure.caption, SAID[k]) != NULL, "%s: %s", chart->name,
                  chart->figure.caption);
        }
    }
    const app_chart *curves = g_ptr_array_index(figures, 0);
    g_auto(GStrv) rows = g_strsplit(curves->csv, "\n", -1);
    CHECK_STR(rows[0], "ranks,noise,slowdown_percent,low_slowdown_percent,high_slowdown_percent,"
                       "hollow,remark");
    CHECK(g_str_has_suffix(rows[2], ",0,\"\""), "64 ranks, a tick: %s", rows[2]);
    CHECK(strstr(rows[3], ",1,few met") != NULL, "jaguar: %s", rows[3]);
    CHECK(strstr(curves->wide, "95 % interval") != NULL);
    CHECK(strstr(curves->wide, "few met, one replica") != NULL);
}

/* Where curves are left out, and where boxes have no line, as each has another one. */
static void captions_speak_of_what_is_drawn(void)
{
    static const struct {
        const char *lines;
        const char *said[2]; /* by the curves, and by the boxes */
        bool line;           /* of the boxes */
    } CASES[] = {
        {NOISE "[sweep]\nL = 1us..8us/8\nranks = 4,8\n",
         {" Of 8 values of L, 3 are drawn.", " Of 8 values of L, 3 are drawn."},
         false},
        {NOISE "[sweep]\nL = 1us..4us/4\nranks = 4,8\n",
         {"", " Of 4 values of L, 3 are drawn."},
         false},
        {"replicas = 3\n[sweep]\nnoise = altix,jaguar\nranks = 4,8\n", {"", ""}, true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autoptr(app_sweep_table) table = table_of(CASES[i].lines);
        g_autoptr(app_sweep_space) space = app_sweep_space_new(table);
        size_t left_out;
        g_autoptr(GPtrArray) figures = app_sweep_figures_new(space, &left_out);
        for (guint k = 0; k < figures->len; k++) {
            const app_chart *chart = g_ptr_array_index(figures, k);
            const char *caption = chart->figure.caption;
            const bool boxes = g_str_has_prefix(chart->name, "boxes");
            const bool across = boxes || strcmp(chart->name, "slowdown-ranks") == 0;
            const char *said = CASES[i].said[boxes ? 1 : 0];
            CHECK(!across || strstr(caption, said) != NULL, "%s: %s", chart->name, caption);
            CHECK((strstr(caption, " are drawn.") != NULL) == (across && said[0] != '\0'), "%s: %s",
                  chart->name, caption);
            CHECK((strstr(caption, "the line is") != NULL) == (boxes && CASES[i].line), "%s: %s",
                  chart->name, caption);
            CHECK(!boxes || (strstr(chart->csv, "no noise") != NULL) == CASES[i].line, "%s",
                  chart->csv);
        }
    }
}

static void a_report_names_the_worst_point_and_what_is_missing(void)
{
    g_autoptr(app_sweep_table) table = table_of(
        "replicas = 6\nnoise = fixed:100us:99us\n[sweep]\ncosched = no,yes\nranks = 64,128\n");
    table->points[3].done = false;
    app_sweep_result *worst = &table->points[1].result; /* ranks = 128, cosched = no */
    worst->series.slowdown =
        (app_mean){.mean = 1000, .median = 999, .low = 900, .high = 1100, .level = 0.95};
    g_autofree char *folder = g_dir_make_tmp("ripple-report-XXXXXX", NULL);
    const app_sweep_report report = {table, "5 < 6", "[study]\n", "0.1.0"};
    g_autoptr(GError) error = NULL;
    CHECK(app_sweep_report_write(&report, folder, &error), "%s",
          error != NULL ? error->message : "");
    g_autofree char *page = g_build_filename(folder, APP_SWEEP_PAGE, NULL);
    g_autofree char *html = NULL;
    CHECK(g_file_get_contents(page, &html, NULL, NULL));
    static const char *const WANTED[] = {
        "<h1>5 &lt; 6</h1>",
        "Not complete: 3 of 4 points are done.",
        "unsynchronized: most at ranks=128, cosched=no: x 1,001 (x 901 .. x 1,101, 95 % interval,",
        " 6 replicas); of one pass from a cold start.",
        "boxes-ranks.csv",
        "collective:barrier",
        "[study]",
        "The slowdown is that of one pass from a cold start",
        "<td>a model</td>"};
    for (size_t i = 0; html != NULL && i < G_N_ELEMENTS(WANTED); i++) {
        CHECK(strstr(html, WANTED[i]) != NULL, "%s", WANTED[i]);
    }
    CHECK(html != NULL && strstr(html, "http") == NULL, "nothing is loaded from elsewhere");
    folder_remove(folder);
}

SUITE_MAIN("sweep figures", TEST(a_study_gets_the_figures_that_suit_it),
           TEST(figures_hold_what_was_simulated),
           TEST(the_line_without_noise_is_there_where_it_is_one),
           TEST(figures_say_what_they_stand_on), TEST(captions_speak_of_what_is_drawn),
           TEST(a_report_names_the_worst_point_and_what_is_missing))
