/* tests/apps/validation/test_validation.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts and what is said of them, on a record whose times are known by hand. */
#include "check.h"
#include "output/folder.h"
#include "validation/one_message.h"
#include "validation/validation_page.h"
#include "validation/validation_print.h"
#include "validation/validation_words.h"

#include <math.h>

enum { PAIRS = 6 };

/* Pairs of runs of @p trace, e.g. one_message(): the timed ones take 25 us, 25.1 us, ... */
static app_validation *validate_trace(const sched_trace *trace, const char *change,
                                      const char *second_cpu, double tolerance, sim_time more)
{
    g_autoptr(coll_profile) profile = coll_profile_new("sc10", NULL, NULL);
    g_autoptr(sim_machine) m = sim_machine_load("xt4", NULL);
    m->params = one_message_machine();
    CHECK(change == NULL || sim_machine_set(m, change, NULL), "%s", change);
    const app_call_machine machine = {&m->params, NULL, profile, NULL, NULL, false};
    app_validation_pair pairs[PAIRS];
    for (size_t i = 0; i < PAIRS; i++) {
        app_spans *s = g_new0(app_spans, 1);
        s->num_ranks = 2;
        s->num_nodes = 1;
        s->rank = g_new0(app_span, 2);
        for (uint32_t r = 0; r < 2; r++) {
            s->rank[r].wall = (16 + 9 * (sim_time)r) * SIM_US + more * (sim_time)i;
            s->rank[r].cpu = s->rank[r].wall;
            s->rank[r].num_cpus = 1;
            s->rank[r].cpus = g_new0(uint32_t, 1);
        }
        s->rank[1].cpus[0] = second_cpu[0] == '1';
        pairs[i] = (app_validation_pair){.spans = s,
                                         .command = 1000 * SIM_US,
                                         .times = app_call_times_of(trace, &machine, NULL)};
    }
    g_autoptr(GError) error = NULL;
    app_validation *v = app_validation_new(pairs, PAIRS, tolerance, &error);
    CHECK(v != NULL, "%s", error != NULL ? error->message : "");
    for (size_t i = 0; i < PAIRS; i++) {
        app_spans_free(pairs[i].spans);
        app_call_times_free(pairs[i].times);
    }
    return v;
}

static app_validation *validate(const char *change, const char *second_cpu, double tolerance,
                                sim_time more)
{
    g_autoptr(sched_trace) trace = one_message(false);
    return validate_trace(trace, change, second_cpu, tolerance, more);
}

static char *all_sentences(const app_validation *v)
{
    g_autoptr(GPtrArray) sentences = app_validation_sentences(v);
    g_ptr_array_add(sentences, NULL);
    return g_strjoinv("\n", (char **)sentences->pdata);
}

static void the_right_machine_is_inside(void)
{
    g_autoptr(app_validation) v = validate(NULL, "1", 0.05, 0);
    g_autofree char *said = all_sentences(v);
    CHECK_I64(v->verdict, APP_VALIDATION_INSIDE);
    CHECK_I64(v->error.median, 0);
    CHECK_I64(v->wall.median, 25 * SIM_US);
    CHECK_I64(v->outside.median, 975 * SIM_US);
    CHECK_NEAR(v->wall.level, 0.969, 0.001, "1 - 2 / 2^6");
    CHECK(g_str_has_prefix(said, "Inside: "), "%s", said);
    CHECK(strstr(said, "carries") == NULL, "%s", said);
    CHECK(strstr(said, "975us lie outside") != NULL, "%s", said);
}

static void a_wrong_machine_is_outside_and_the_call_is_named(void)
{
    static const struct {
        const char *change, *words;
        double error;
    } ROWS[] = {
        {"G=2ns/B",
         "MPI_Recv carries +20 % of the wall clock (recorded 21us a call, simulated "
         "31us)",
         0.4},
        {"L=12us", "MPI_Recv carries +20 % of the wall clock", 0.4},
        {"L=0", "MPI_Recv carries -4 % of the wall clock (recorded 21us a call, simulated 19us)",
         -0.08},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autoptr(app_validation) v = validate(ROWS[i].change, "1", 0.05, 0);
        g_autofree char *said = all_sentences(v);
        CHECK_I64(v->verdict, APP_VALIDATION_OUTSIDE, "%s", ROWS[i].change);
        CHECK_NEAR(app_validation_fraction(v->error.median), ROWS[i].error, 1e-9, "%s",
                   ROWS[i].change);
        CHECK_STR(g_array_index(v->rows, app_validation_row, 0).name, "MPI_Recv");
        CHECK(strstr(said, ROWS[i].words) != NULL, "%s: %s", ROWS[i].change, said);
        CHECK(g_str_has_prefix(said, "Outside: "), "%s", said);
    }
}

static const app_validation_row *find_row(const app_validation *v, const char *name)
{
    for (guint i = 0; i < v->rows->len; i++) {
        const app_validation_row *row = &g_array_index(v->rows, app_validation_row, i);
        if (g_str_equal(row->name, name)) {
            return row;
        }
    }
    return NULL;
}

static void slow_first_calls_have_a_row_and_later_ones_are_judged(void)
{
    g_autoptr(sched_trace) trace = four_barriers();
    g_autoptr(app_validation) v = validate_trace(trace, NULL, "1", 0.05, 0);
    g_autofree char *said = all_sentences(v);
    const app_validation_row *first = find_row(v, "first barrier");
    const app_validation_row *later = find_row(v, "barrier");
    if (CHECK(first != NULL && later != NULL, "50 us are more than 3 times 4 us")) {
        CHECK_I64(first->recorded.median, 50 * SIM_US);
        CHECK_I64(first->simulated.median, 4 * SIM_US);
        CHECK_I64(llround(first->calls), 2);
        CHECK_I64(later->recorded.median, 12 * SIM_US);
        CHECK_I64(later->simulated.median, 12 * SIM_US);
        CHECK_I64(llround(later->calls), 6);
        CHECK(!first->is_collective && later->is_collective, "held against 10 %%");
    }
    CHECK(strstr(said, "Of 1 collectives, waiting for the last rank included, 1 take") != NULL,
          "%s", said);
    sim_time recorded = 0;
    sim_time simulated = 0;
    for (guint i = 0; i < v->rows->len; i++) {
        const app_validation_row *row = &g_array_index(v->rows, app_validation_row, i);
        recorded += row->recorded.median;
        simulated += row->simulated.median;
    }
    CHECK_I64(recorded, v->recorded.median, "the rows are all of the record");
    CHECK_I64(simulated, v->simulated.median, "the rows are all of the run");

    for (uint32_t r = 0; r < 2; r++) { /* 12 us are 3 times 4 us, and no more */
        for (uint64_t k = 1; k < trace->ranks[r].num_calls; k++) {
            sched_call *call = &trace->ranks[r].calls[k];
            call->enter -= k > 1 ? 38 * SIM_US : 0;
            call->leave -= 38 * SIM_US;
        }
    }
    g_autoptr(app_validation) even = validate_trace(trace, NULL, "1", 0.05, 0);
    CHECK(find_row(even, "first barrier") == NULL, "one row");
    CHECK_I64(find_row(even, "barrier")->recorded.median, 24 * SIM_US);
}

static void the_limit_decides(void)
{
    g_autoptr(app_validation) wide = validate("L=0", "1", 0.09, 0);
    g_autoptr(app_validation) narrow = validate("L=0", "1", 0.07, 0);
    CHECK_I64(wide->verdict, APP_VALIDATION_INSIDE);
    CHECK_I64(narrow->verdict, APP_VALIDATION_OUTSIDE);
    CHECK(!wide->is_close && !narrow->is_close, "all runs are alike");
}

static void an_interval_across_the_limit_is_said(void)
{
    g_autoptr(app_validation) v = validate(NULL, "1", 0.05, SIM_US); /* 25 us to 30 us */
    g_autofree char *said = all_sentences(v);
    CHECK(v->is_close, "from 0 to -17 %%");
    CHECK(strstr(said, "on both sides of the limit") != NULL, "%s", said);
    CHECK(strstr(said, "side by the median, not settled: ") != NULL, "%s", said);
    /* Timed runs become longer, one after the other; what one run's record says does not. */
    CHECK(v->error.low < v->error.high);
    CHECK_I64(v->of_record.low, 0);
    CHECK_I64(v->of_record.high, 0);
}

static void without_a_cpu_for_each_there_is_a_bound_and_no_verdict(void)
{
    g_autoptr(app_validation) v = validate(NULL, "0", 0.05, 0);
    g_autofree char *said = all_sentences(v);
    CHECK_I64(v->verdict, APP_VALIDATION_NONE);
    CHECK_I64(v->num_cpus, 1);
    CHECK_I64(v->bound.median, 19 * SIM_US, "15 us and 4 us on one CPU");
    CHECK(v->holds, "25 us are more");
    CHECK(strstr(said, "No verdict: 2 ranks have 1 CPU") != NULL, "%s", said);
    CHECK(strstr(said, "Inside") == NULL && strstr(said, "carries") == NULL, "%s", said);
}

static void json_has_what_is_printed(void)
{
    g_autoptr(app_validation) v = validate("G=2ns/B", "1", 0.05, 0);
    g_autoptr(JsonBuilder) builder = json_builder_new();
    json_builder_begin_object(builder);
    app_validation_build(v, builder);
    json_builder_end_object(builder);
    g_autoptr(JsonNode) root = json_builder_get_root(builder);
    JsonObject *object = json_node_get_object(root);
    CHECK_STR(json_object_get_string_member(object, "verdict"), "outside");
    JsonObject *error = json_object_get_object_member(object, "error");
    CHECK_NEAR(json_object_get_double_member(error, "median"), 0.4, 1e-9);
    JsonObject *row =
        json_array_get_object_element(json_object_get_array_member(object, "rows"), 0);
    CHECK_STR(json_object_get_string_member(row, "name"), "MPI_Recv");
    JsonObject *difference = json_object_get_object_member(row, "difference_ns");
    CHECK_NEAR(json_object_get_double_member(difference, "median"), 5000, 1e-9);
}

/* The text's numbers in a table, each pair of runs in a figure's CSV, and nothing left behind. */
static void the_page_has_verdict_rows_and_every_run(void)
{
    g_autoptr(app_validation) v = validate("G=2ns/B", "1", 0.05, SIM_US);
    g_autofree char *folder = g_dir_make_tmp("ripple-test-XXXXXX", NULL);
    g_autoptr(GError) error = NULL;
    CHECK(app_validation_page_write(v, "ripple validate <of a test>", folder, &error), "%s",
          error != NULL ? error->message : "");
    g_autofree char *path = g_build_filename(folder, APP_VALIDATION_PAGE, NULL);
    g_autofree char *page = NULL;
    CHECK(g_file_get_contents(path, &page, NULL, NULL), "%s", path);
    static const char *const SAID[] = {"2 ranks against the clock",
                                       "Outside: ",
                                       ">MPI_Recv<",
                                       ">wall clock<",
                                       "<svg",
                                       "carries",
                                       "ripple validate &lt;of a test&gt;"};
    for (size_t i = 0; page != NULL && i < G_N_ELEMENTS(SAID); i++) {
        CHECK(strstr(page, SAID[i]) != NULL, "'%s'", SAID[i]);
    }
    g_autofree char *csv_path = g_build_filename(folder, "runs.csv", NULL);
    g_autofree char *csv = NULL;
    CHECK(g_file_get_contents(csv_path, &csv, NULL, NULL), "%s", csv_path);
    g_auto(GStrv) lines = g_strsplit(csv != NULL ? csv : "", "\n", -1);
    size_t shown = 0;
    for (char **line = lines; *line != NULL; line++) {
        shown += strstr(*line, "wall clock") != NULL;
    }
    CHECK_I64((int64_t)shown, PAIRS, "%s", csv);
    app_folder_remove(folder);
}

SUITE_MAIN("validation", TEST(the_right_machine_is_inside),
           TEST(the_page_has_verdict_rows_and_every_run),
           TEST(a_wrong_machine_is_outside_and_the_call_is_named), TEST(the_limit_decides),
           TEST(an_interval_across_the_limit_is_said),
           TEST(without_a_cpu_for_each_there_is_a_bound_and_no_verdict),
           TEST(slow_first_calls_have_a_row_and_later_ones_are_judged),
           TEST(json_has_what_is_printed))
