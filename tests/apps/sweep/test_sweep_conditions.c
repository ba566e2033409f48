/* tests/apps/sweep/test_sweep_conditions.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "sweep/sweep_conditions.h"
#include "sweep/sweep_findings.h"
#include "sweep/sweep_rows.h"

enum { MOST = 6 };

/* Points without makespans: what is said of a point depends on its series and conditions. */
typedef struct points {
    app_sweep_point point[MOST];
    const app_sweep_point *all[MOST];
    app_conditions conditions[MOST];
    app_met met[MOST];
    app_sweep_table table;
} points;

static points *points_new(size_t n)
{
    points *p = g_new0(points, 1);
    for (size_t i = 0; i < n; i++) {
        app_sweep_point *point = &p->point[i];
        point->done = true;
        point->number = i;
        point->values[APP_PARAMETER_RANKS] = (app_sweep_value){.has = true, .number = 1 << i};
        p->met[i] = (app_met){.by_rank = 10, .by_run = 100, .share = 0.1, .most = 1, .ranks = 10};
        point->result.series = (app_series){.ranks = 1U << i,
                                            .mode = APP_UNSYNCHRONIZED,
                                            .ideal = SIM_MS,
                                            .passes = 1,
                                            .num_runs = 5,
                                            .slowdown = {.mean = 0.1 * (double)(i + 1),
                                                         .low = 0.05,
                                                         .high = 0.2 * (double)(i + 1),
                                                         .level = 0.95},
                                            .met = &p->met[i],
                                            .num_met = 1};
        point->result.conditions = &p->conditions[i];
        p->all[i] = point;
    }
    p->table = (app_sweep_table){.num_points = n, .points = p->point};
    p->table.varied[APP_PARAMETER_RANKS] = true;
    return p;
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(points, g_free)

static app_condition condition(const char *code, app_condition_weight weight, char *text)
{
    return (app_condition){.code = code, .weight = weight, .text = text, .brief = text};
}

static char PASS[] = "Of a pass.";
static char INVALID[] = "NOT VALID: x: too loud";
static char SIZES[MOST][16] = {"Of 1.", "Of 2.", "Of 3.", "Of 4.", "Of 5.", "Of 6."};

static void what_holds_for_several_points_is_said_once(void)
{
    enum { N = 5 };
    g_autoptr(points) p = points_new(N);
    app_condition list[N][3];
    for (size_t i = 0; i < N; i++) {
        list[i][0] = condition("pass", APP_CONDITION_REMARK, PASS);
        list[i][1] = condition("extrapolated", APP_CONDITION_REMARK, SIZES[i]);
        list[i][2] = condition("invalid-measurement", APP_CONDITION_GRAVE, INVALID);
        p->conditions[i] = (app_conditions){list[i], i < 2 ? 3 : 2};
    }
    p->point[3].result.series.num_runs = 1;
    p->point[3].result.series.slowdown.level = 0;
    p->met[4].by_run = 3; /* 15 in all replicas */
    g_autoptr(app_sweep_conditions) c = app_sweep_conditions_new(p->all, N);
    static const struct {
        const char *code;
        const char *text;
        size_t points;
    } WANTED[] = {
        {"invalid-measurement", "NOT VALID: x: too loud. In 2 of 5 points.", 2},
        {"pass", "Of a pass.", 5},
        {"extrapolated", "Of 1. The like, with other numbers, holds elsewhere.", 5},
        {"few-met", "Few met: 1 of 5 points. All their replicas together meet fewer than 20 ", 1},
        {"one-replica", "One replica: 1 of 5 points. It is an example", 1},
    };
    CHECK_I64((int64_t)c->n, (int64_t)G_N_ELEMENTS(WANTED));
    for (size_t i = 0; i < MIN(c->n, G_N_ELEMENTS(WANTED)); i++) {
        CHECK_STR(c->list[i].code, WANTED[i].code);
        CHECK(g_str_has_prefix(c->list[i].text, WANTED[i].text), "%s", c->list[i].text);
        CHECK_I64((int64_t)c->list[i].points, (int64_t)WANTED[i].points);
        CHECK_I64(c->list[i].grave, i == 0);
    }
    g_autofree char *caption = app_sweep_conditions_caption(c);
    CHECK_STR(caption, " NOT VALID: x: too loud Of a pass. Of 1. Few met: 1 of 5 points. One "
                       "replica: 1 of 5 points.");
}

static void a_point_of_which_much_is_said_counts_once(void)
{
    enum { N = 3 };
    g_autoptr(points) p = points_new(N);
    app_condition list[2][2];
    for (size_t i = 0; i < 2; i++) {
        list[i][0] = condition("rare-tail", APP_CONDITION_REMARK, SIZES[2 * i]);
        list[i][1] = condition("rare-tail", APP_CONDITION_REMARK, SIZES[2 * i + 1]);
        p->conditions[i] = (app_conditions){list[i], 2};
    }
    g_autoptr(app_sweep_conditions) c = app_sweep_conditions_new(p->all, N);
    CHECK_I64((int64_t)c->n, 1);
    CHECK_STR(c->list[0].text,
              "Of 1. The like, with other numbers, holds elsewhere. In 2 of 3 points.");
    CHECK_I64((int64_t)c->list[0].points, 2);
}

static void check_findings(const points *p, const char *wanted)
{
    g_auto(GStrv) findings = app_sweep_findings_new(&p->table);
    g_autofree char *all = g_strjoinv("|", findings);
    CHECK_STR(all, wanted);
}

static void no_conclusion_stands_on_too_little(void)
{
    enum { N = 4 };
    g_autoptr(points) p = points_new(N);
    check_findings(p, "unsynchronized: most at ranks=8: 40 % (5 % .. 80 %, 95 % interval, 5 "
                      "replicas); of one pass from a cold start.");
    p->met[3].by_run = 1;
    app_condition invalid = condition("invalid-measurement", APP_CONDITION_GRAVE, INVALID);
    p->conditions[2] = (app_conditions){&invalid, 1};
    app_series *s = &p->point[1].result.series;
    s->num_runs = 1;
    s->slowdown.level = 0;
    check_findings(p, "unsynchronized: most at ranks=1: 10 % (5 % .. 20 %, 95 % interval, 5 "
                      "replicas); of one pass from a cold start. Left out: 1 on a measurement that "
                      "is not valid, 1 with too few detours met, 1 of one replica.");
    /* An interval that holds 0 tells what the slowdown is less than. */
    p->point[0].result.series.slowdown.low = -0.1;
    p->point[3].done = false;
    check_findings(p,
                   "Not complete: 3 of 4 points are done.|unsynchronized: most at ranks=1: less "
                   "than 20 % (the 95 % interval of 5 replicas holds 0); of one pass from a cold "
                   "start. Left out: 1 on a measurement that is not valid, 1 of one replica.");
    /* A range that reaches to 0 is none. */
    p->point[0].result.series.num_runs = 4;
    p->point[0].result.series.slowdown.level = 0;
    check_findings(p,
                   "Not complete: 3 of 4 points are done.|unsynchronized: no conclusion. Of 3 "
                   "points: 1 on a measurement that is not valid, 1 of one replica, 1 whose range "
                   "reaches to 0.");
}

static void check_row(const points *p, size_t i, const char *wanted)
{
    g_auto(GStrv) cells = app_sweep_rows_cells(&p->table, &p->point[i], true);
    g_autofree char *row = g_strjoinv("|", cells);
    CHECK_STR(row, wanted);
}

static void no_row_has_a_bare_zero(void)
{
    g_autoptr(points) p = points_new(3);
    p->point[0].result.series.slowdown = (app_mean){.level = 0.95};
    check_row(p, 0, "1|1ms|0 %|0 % .. 0 %|0 %|5|10|100|no effect");
    p->met[0].by_run = 0.3;
    check_row(p, 0, "1|1ms|few met|-|-|5|10|0.3|few met");
    app_condition invalid = condition("invalid-measurement", APP_CONDITION_GRAVE, INVALID);
    p->conditions[0] = (app_conditions){&invalid, 1};
    check_row(p, 0, "1|1ms|few met|-|-|5|10|0.3|not valid, few met");
    app_series *s = &p->point[1].result.series;
    s->num_runs = 3;
    s->passes = 7;
    s->slowdown.level = 0;
    check_row(p, 1, "2|1ms|20 %|5 % .. 40 %|0 %|3x7|10|100|range");

    /* What low and high are called: what they are. */
    CHECK_STR(app_sweep_rows_interval(p->all, 1), "95 % interval");
    CHECK_STR(app_sweep_rows_interval(p->all + 1, 1), "range");
    CHECK_STR(app_sweep_rows_interval(p->all, 3), "95 % interval, range");
    s->num_runs = 1;
    CHECK(app_sweep_rows_interval(p->all + 1, 1) == NULL);
}

SUITE_MAIN("sweep conditions", TEST(what_holds_for_several_points_is_said_once),
           TEST(a_point_of_which_much_is_said_counts_once),
           TEST(no_conclusion_stands_on_too_little), TEST(no_row_has_a_bare_zero))
