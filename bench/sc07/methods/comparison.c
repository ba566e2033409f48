/* bench/sc07/methods/comparison.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_methods. */
#include "comparison.h"

#include "noise/random.h"

#include <glib.h>
#include <math.h>

enum {
    PROGRAMS = SC07_COMPARED_PROGRAMS,
    CLEAN_RUNS = 5,       /* that a model is learned from, */
    CLEAN_SEED = 1000000, /* and their seeds: none of a group's */
};

static const double FOUND = 0.9;      /* of the disturbed ranks, where false alarms are counted */
static const double DISTURBED = 1e-3; /* of what it computes */

const char *const sc07_job_names[SC07_NUM_JOBS] = {
    "none",
    "full, slices of 4 ms",
    "full, slices of 100 ms",
    "on for 10 s, off for 5 s",
    "on for 1 s, off for 20 s",
};

const char *const sc07_compared_names[PROGRAMS] = {"FT", "CG", "POP"};

static const char *const JOBS[SC07_NUM_JOBS] = {
    NULL, "job:4ms:500ms", "job:100ms:500ms", "job:4ms:500ms:10s:5s", "job:4ms:500ms:1s:20s",
};

/* How many sequences, and how long, as the paper has them. */
static const struct {
    sc07_program_kind kind;
    uint32_t most, longer;
} KINDS[PROGRAMS] = {{SC07_FT, 4, 1}, {SC07_CG, 8, 1}, {SC07_POP, 10, 50}};

typedef struct lab {
    const sc07_comparison_options *options;
    sc07_program *program[PROGRAMS];
    noise_interference_model *model[PROGRAMS];
    sc07_said *said; /* [groups][SC07_NUM_JOBS] */
} lab;

static uint32_t program_of(const lab *l, uint32_t group)
{
    return l->options->brief ? 0 : group % PROGRAMS;
}

static void learn(gpointer data, gpointer user)
{
    lab *l = user;
    const uint32_t p = GPOINTER_TO_UINT(data) - 1;
    l->program[p] = sc07_program_new(KINDS[p].kind, 0);
    l->model[p] =
        sc07_model_new(l->program[p], KINDS[p].most, KINDS[p].longer, CLEAN_SEED, CLEAN_RUNS);
}

static void run(gpointer data, gpointer user)
{
    lab *l = user;
    const uint32_t index = GPOINTER_TO_UINT(data) - 1;
    const uint32_t group = index / SC07_NUM_JOBS;
    const uint32_t job = index % SC07_NUM_JOBS;
    const uint32_t p = program_of(l, group);
    const uint32_t node =
        (uint32_t)noise_random_below(group, 1, 0, SC07_RANKS / SC07_RANKS_PER_NODE);
    g_autofree char *noise =
        JOBS[job] != NULL ? g_strdup_printf("%s@node:%u", JOBS[job], node) : NULL;
    const sc07_scene scene = {.seed = 1 + group, .noise = noise};
    sc07_ask(l->program[p], l->model[p], &scene, node, &l->said[index]);
}

/* Numbers 0..n-1, each as a task of its own. */
static void in_parallel(GFunc task, lab *l, uint32_t n)
{
    GThreadPool *pool = g_thread_pool_new(task, l, (gint)MAX(l->options->threads, 1), FALSE, NULL);
    for (uint32_t i = 0; i < n; i++) {
        g_thread_pool_push(pool, GUINT_TO_POINTER(i + 1), NULL);
    }
    g_thread_pool_free(pool, FALSE, TRUE);
}

/* Which ranks of which runs. */
typedef struct choice {
    int program; /* -1: all */
    int job;     /* of disturbed ranks; -1: any. Clean ranks are those of all runs */
} choice;

typedef enum { CLEAN, BETWEEN, IS_DISTURBED } truth;

static truth truth_of(const sc07_said *said, const sc07_said *without, uint32_t rank)
{
    const sim_time lost = said->computed[rank] - without->computed[rank];
    return lost <= 0                                                    ? CLEAN
           : (double)lost > DISTURBED * (double)without->computed[rank] ? IS_DISTURBED
                                                                        : BETWEEN;
}

/* @return how many; scored of all groups has room */
static size_t choose(const lab *l, choice which, sc07_method method, sc07_scored *out)
{
    size_t n = 0;
    for (uint32_t g = 0; g < l->options->groups; g++) {
        const sc07_said *without = &l->said[(size_t)g * SC07_NUM_JOBS];
        if (which.program >= 0 && program_of(l, g) != (uint32_t)which.program) {
            continue;
        }
        for (int j = 0; j < SC07_NUM_JOBS; j++) {
            for (uint32_t r = 0; r < SC07_RANKS; r++) {
                const truth is = truth_of(&without[j], without, r);
                const bool chosen =
                    is == CLEAN || (is == IS_DISTURBED && (which.job < 0 || which.job == j));
                if (chosen && !isnan(without[j].score[method][r])) {
                    out[n++] = (sc07_scored){.score = without[j].score[method][r],
                                             .hours = (double)without[j].makespan / (3600 * 1e12),
                                             .group = g,
                                             .disturbed = is == IS_DISTURBED};
                }
            }
        }
    }
    return n;
}

/* Of scores that are sorted. */
static void draw_line(const sc07_scored *scored, size_t n, sc07_roc_line *out)
{
    g_autofree sc07_roc_point *points = g_new(sc07_roc_point, n + 1);
    const size_t num = sc07_roc_curve(scored, n, points);
    for (int i = 0; i < SC07_ROC_POINTS; i++) {
        const double x = i == 0 ? 0 : pow(10, (i - 1) / 10.0 - SC07_ROC_DECADES);
        out->at[i] = (sc07_roc_point){x, sc07_roc_found(points, num, x)};
    }
}

/* @param line [SC07_NUM_METHODS] NULL: not asked for */
static void judge(const lab *l, choice which, sc07_scored *room, sc07_roc out[SC07_NUM_METHODS],
                  sc07_roc_line *line)
{
    for (int m = 0; m < SC07_NUM_METHODS; m++) {
        const size_t n = choose(l, which, (sc07_method)m, room);
        out[m] = sc07_roc_of(room, n, l->options->groups, FOUND);
        if (line != NULL && !isnan(out[m].area.value)) {
            draw_line(room, n, &line[m]);
        }
    }
}

static void count(const lab *l, sc07_comparison *out)
{
    uint64_t found = 0;
    uint64_t alarms = 0;
    for (uint32_t g = 0; g < l->options->groups; g++) {
        const sc07_said *without = &l->said[(size_t)g * SC07_NUM_JOBS];
        for (int j = 0; j < SC07_NUM_JOBS; j++) {
            for (uint32_t r = 0; r < SC07_RANKS; r++) {
                const truth is = truth_of(&without[j], without, r);
                found += is == IS_DISTURBED && without[j].disturbed[r];
                alarms += is == CLEAN && without[j].disturbed[r];
                out->disturbed += is == IS_DISTURBED;
                out->between += is == BETWEEN;
                out->clean += is == CLEAN;
                out->hours += is == CLEAN ? (double)without[j].makespan / (3600 * 1e12) : 0;
            }
        }
    }
    out->found = (double)found / (double)out->disturbed;
    out->false_alarms = (double)alarms / out->hours;
    out->runs = l->options->groups * SC07_NUM_JOBS;
}

void sc07_comparison_do(const sc07_comparison_options *options, sc07_comparison *out)
{
    const uint32_t num = options->groups * SC07_NUM_JOBS;
    lab l = {.options = options, .said = g_new0(sc07_said, num)};
    in_parallel(learn, &l, options->brief ? 1 : PROGRAMS);
    in_parallel(run, &l, num);
    *out = (sc07_comparison){.runs = 0};
    count(&l, out);
    g_autofree sc07_scored *room = g_new(sc07_scored, (size_t)num * SC07_RANKS);
    judge(&l, (choice){-1, -1}, room, out->all, out->line[0]);
    for (int p = 0; p < PROGRAMS; p++) {
        judge(&l, (choice){p, -1}, room, out->program[p], out->line[1 + p]);
    }
    for (int j = 0; j < SC07_NUM_JOBS; j++) {
        judge(&l, (choice){-1, j}, room, out->job[j], NULL);
    }
    for (int p = 0; p < PROGRAMS; p++) {
        sc07_program_free(l.program[p]);
        noise_interference_model_free(l.model[p]);
    }
    g_free(l.said);
}
