/* tests/apps/live/test_live_scores.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Files as ranks would write them. That the tracer writes such: test_tracer_detect. */
#include "check.h"
#include "live/live_scores.h"
#include "noise/sample_record.h"
#include "sim/time.h"

#include <glib/gstdio.h>
#include <stdlib.h>

enum { RANKS = 4, SAMPLES = 1000, MANY = 20000, MODEL = 4711, RUN = 99 };

/* One sequence of one call, of which 2 ms are expected, give or take 10 us. */
static noise_interference_model *model(noise_interference_reference reference)
{
    noise_interference_model *m = noise_interference_model_new();
    m->checksum = MODEL;
    m->reference = reference;
    m->coverage = 1;
    m->least_coverage = 0.5;
    m->how = strdup("a test");
    m->num_calls = 1;
    m->calls = calloc(1, sizeof *m->calls);
    m->calls[0].name = strdup("MPI_Barrier");
    m->num_sequences = 1;
    m->sequences = calloc(1, sizeof *m->sequences);
    m->sequences[0].length = 1;
    m->sequences[0].calls = calloc(1, sizeof *m->sequences[0].calls);
    CHECK(noise_interference_model_make_rows(m, RANKS));
    for (uint32_t r = 0; r <= RANKS; r++) {
        m->rows[r] = (noise_interference_row){.used = true,
                                              .k = 5 * NOISE_INTERFERENCE_K_ONE,
                                              .count = 10000,
                                              .mean = 2 * SIM_MS,
                                              .deviation = 10 * SIM_US,
                                              .centre = 2 * SIM_MS,
                                              .residual = 10 * SIM_US,
                                              .has_cpu = true};
    }
    return m;
}

/* Rank 1 takes twice as long from its 400th to its 700th, and has its CPU half of the time. */
static noise_sample_record record_of(uint32_t rank, uint64_t t)
{
    const sim_time compute = rank == 1 && t >= 400 && t < 700 ? 4 * SIM_MS : 2 * SIM_MS;
    const sim_time begin = (sim_time)t * 5 * SIM_MS;
    return (noise_sample_record){.t = t,
                                 .begin = begin,
                                 .end = begin + compute,
                                 .compute = compute,
                                 .off = compute - 2 * SIM_MS};
}

static void append(const char *folder, uint32_t rank, const void *bytes, size_t size)
{
    g_autofree char *name = g_strdup_printf(NOISE_SAMPLE_FILE "%u", rank);
    g_autofree char *path = g_build_filename(folder, name, NULL);
    FILE *f = g_fopen(path, "ab");
    CHECK(f != NULL && fwrite(bytes, 1, size, f) == size && fclose(f) == 0);
}

static void append_header(const char *folder, uint32_t rank, uint64_t run_of, uint64_t model_of)
{
    noise_sample_header h = {
        .rank = rank, .num_ranks = RANKS, .num_sequences = 1, .model = model_of, .run = run_of};
    noise_sample_header_seal(&h);
    append(folder, rank, &h, sizeof h);
}

/* Samples first..first+num-1. */
static void append_page(const char *folder, uint32_t rank, uint64_t first, uint32_t num,
                        noise_sample_end end)
{
    static noise_sample_page p;
    int64_t until = 0;
    for (uint32_t i = 0; i < num; i++) {
        p.record[i] = record_of(rank, first + i);
        until = p.record[i].end;
    }
    const uint64_t calls = first + num;
    p.block = (noise_sample_block){
        .num = num, .end = end, .totals = {calls, calls, (int64_t)calls, (int64_t)calls, until}};
    append(folder, rank, &p, noise_sample_page_seal(&p));
}

typedef struct heard {
    GString *text;
    uint64_t polled; /* how often it had been looked by then */
} heard;

static void hear(void *to, const noise_interference_event *e)
{
    heard *h = to;
    g_string_append_printf(h->text, "%s %u after %" PRIu64 "; ",
                           e->change == NOISE_INTERFERENCE_BEGAN ? "began" : "ended", e->rank,
                           h->polled);
}

/* What a scorer that is fed with everything at once says. */
static noise_interference_scorer *at_once(const noise_interference_model *m, const uint64_t *num)
{
    const noise_interference_options options = {.num_ranks = RANKS};
    noise_interference_error why;
    noise_interference_scorer *s = noise_interference_scorer_new(m, &options, &why);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        for (uint64_t t = 0; t < num[rank]; t++) {
            const noise_sample_record r = record_of(rank, t);
            const noise_sample sample = {.t = r.t,
                                         .compute = r.compute,
                                         .begin = r.begin,
                                         .end = r.end,
                                         .has_cpu = r.off >= 0,
                                         .off = r.off >= 0 ? r.off : 0};
            CHECK(noise_interference_scorer_add(s, rank, &sample));
        }
        noise_interference_scorer_cover(s, rank, num[rank], num[rank], (sim_time)num[rank],
                                        (sim_time)num[rank]);
    }
    noise_interference_scorer_finish(s);
    return s;
}

static void check_same(const noise_interference_scorer *a, const noise_interference_scorer *b)
{
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        const noise_interference_judgement x = noise_interference_judge(a, rank, 0.001);
        const noise_interference_judgement y = noise_interference_judge(b, rank, 0.001);
        CHECK_I64(x.verdict, y.verdict, "rank %u", rank);
        CHECK_I64(x.of[NOISE_INTERFERENCE_DISTURBED].onset,
                  y.of[NOISE_INTERFERENCE_DISTURBED].onset, "rank %u", rank);
        CHECK_I64(x.of[NOISE_INTERFERENCE_DISTURBED].lost, y.of[NOISE_INTERFERENCE_DISTURBED].lost,
                  "rank %u", rank);
        CHECK_NEAR(x.metric, y.metric, 0, "rank %u", rank);
        CHECK_NEAR(x.of[NOISE_INTERFERENCE_DISTURBED].p_value,
                   y.of[NOISE_INTERFERENCE_DISTURBED].p_value, 0, "rank %u", rank);
        CHECK(x.has_cpu && y.has_cpu, "rank %u", rank);
        CHECK_I64(x.verdict, rank == 1 ? NOISE_VERDICT_DISTURBED : NOISE_VERDICT_CLEAN, "rank %u",
                  rank);
    }
}

typedef void with_folder(const char *folder, app_live_scores *scores, heard *heard,
                         const noise_interference_model *m);

static void in_folder(noise_interference_reference reference, with_folder *work)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-live-XXXXXX", NULL);
    noise_interference_model *m = model(reference);
    heard h = {g_string_new(""), 0};
    app_live_scores *scores = app_live_scores_new(folder, m, hear, &h);
    work(folder, scores, &h, m);
    app_live_scores_remove(scores);
    app_live_scores_free(scores);
    noise_interference_model_free(m);
    g_string_free(h.text, TRUE);
    CHECK_I64(g_rmdir(folder), 0); /* nothing is left in it */
}

static void grow(const char *folder, app_live_scores *scores, heard *h,
                 const noise_interference_model *m)
{
    static const uint64_t NUM[RANKS] = {SAMPLES, SAMPLES, SAMPLES - 100, SAMPLES};
    app_live_end end;
    g_autoptr(GError) error = NULL;
    app_live_scores_poll(scores); /* nothing there */
    CHECK(!app_live_scores_are_in(folder));
    for (uint64_t first = 0; first < SAMPLES; first += 100) {
        for (uint32_t rank = RANKS; rank-- > 0;) {
            if (first == 0) {
                append_header(folder, rank, RUN, MODEL);
            }
            if (first < NUM[rank]) {
                const bool is_last = first + 100 == SAMPLES;
                append_page(folder, rank, first, 100,
                            is_last ? NOISE_SAMPLE_FINALIZED : NOISE_SAMPLE_RUNNING);
            }
            app_live_scores_poll(scores); /* ranks are not equally far */
        }
        h->polled++;
    }
    CHECK_STR(h->text->str, "began 1 after 4; ended 1 after 7; ");
    CHECK(app_live_scores_are_in(folder));
    CHECK(app_live_scores_finish(scores, &end, &error), "%s", error != NULL ? error->message : "");
    CHECK_I64(end.num_ranks, RANKS);
    CHECK_I64(end.cut_off, 1);
    CHECK_I64(end.first, 2);
    CHECK_I64(end.missing, 0);
    CHECK_I64(end.until, record_of(2, NUM[2] - 1).end);
    noise_interference_scorer *b = at_once(m, NUM);
    check_same(app_live_scores_scorer(scores), b);
    noise_interference_scorer_free(b);
}

static void scores_of_a_run_that_goes_on_are_those_of_its_end(void)
{
    in_folder(NOISE_REFERENCE_CLEAN, grow);
}

static void lack(const char *folder, app_live_scores *scores, heard *h,
                 const noise_interference_model *m)
{
    static const uint64_t NUM[RANKS] = {SAMPLES / 10, SAMPLES / 10, 0, 0};
    app_live_end end;
    g_autoptr(GError) error = NULL;
    (void)h;
    (void)m;
    for (uint32_t rank = 0; rank < 2; rank++) {
        append_header(folder, rank, RUN, MODEL);
        append_page(folder, rank, 0, (uint32_t)NUM[rank], NOISE_SAMPLE_FINALIZED);
    }
    CHECK(app_live_scores_finish(scores, &end, &error), "%s", error != NULL ? error->message : "");
    CHECK_I64(end.cut_off, 2);
    CHECK_I64(end.missing, 2);
    CHECK_I64(end.first, 2);
    CHECK_I64(noise_interference_judge(app_live_scores_scorer(scores), 2, 0.001).verdict,
              NOISE_VERDICT_NO_SAMPLES);
}

static void ranks_of_which_nothing_came_are_counted(void)
{
    in_folder(NOISE_REFERENCE_CLEAN, lack);
}

/* All samples of a rank in pages. */
static void append_all(const char *folder, uint32_t rank)
{
    append_header(folder, rank, RUN, MODEL);
    for (uint64_t first = 0; first < MANY; first += 200) {
        append_page(folder, rank, first, 200,
                    first + 200 == MANY ? NOISE_SAMPLE_FINALIZED : NOISE_SAMPLE_RUNNING);
    }
}

/* Ranks that are compared with each other, of which the last one is heard of at the end. */
static void lag(const char *folder, app_live_scores *scores, heard *h,
                const noise_interference_model *m)
{
    static const uint64_t NUM[RANKS] = {MANY, MANY, MANY, MANY};
    app_live_end end;
    g_autoptr(GError) error = NULL;
    for (uint32_t rank = 0; rank + 1 < RANKS; rank++) {
        append_all(folder, rank);
    }
    for (int i = 0; i < 3; i++) {
        app_live_scores_poll(scores);
        for (uint32_t rank = 0; rank + 1 < RANKS; rank++) {
            const uint64_t waiting =
                noise_interference_scorer_waiting(app_live_scores_scorer(scores), rank);
            CHECK(waiting > 0 && waiting <= APP_LIVE_MOST_WAITING, "rank %u: %" PRIu64, rank,
                  waiting);
        }
    }
    CHECK_STR(h->text->str, "");
    append_all(folder, RANKS - 1);
    CHECK(app_live_scores_finish(scores, &end, &error), "%s", error != NULL ? error->message : "");
    CHECK_I64(end.cut_off, 0);
    CHECK_STR(h->text->str, "began 1 after 0; ended 1 after 0; ");
    noise_interference_scorer *b = at_once(m, NUM);
    check_same(app_live_scores_scorer(scores), b);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        CHECK_I64(noise_interference_scorer_signal(app_live_scores_scorer(scores), rank, 0)->judged,
                  MANY, "rank %u: nothing is dropped", rank);
    }
    noise_interference_scorer_free(b);
}

static void ranks_that_are_ahead_wait_in_their_files(void)
{
    in_folder(NOISE_REFERENCE_LOO, lag);
}

/* The last one is never heard of. */
static void end_early(const char *folder, app_live_scores *scores, heard *h,
                      const noise_interference_model *m)
{
    app_live_end end;
    g_autoptr(GError) error = NULL;
    (void)h;
    (void)m;
    for (uint32_t rank = 0; rank + 1 < RANKS; rank++) {
        append_all(folder, rank);
    }
    app_live_scores_poll(scores);
    CHECK(app_live_scores_finish(scores, &end, &error), "%s", error != NULL ? error->message : "");
    CHECK_I64(end.missing, 1);
    for (uint32_t rank = 0; rank + 1 < RANKS; rank++) {
        const noise_interference_signal *g =
            noise_interference_scorer_signal(app_live_scores_scorer(scores), rank, 0);
        CHECK_I64(g->seen, MANY, "rank %u", rank);
        CHECK_I64(g->unmatched, MANY, "rank %u", rank);
        CHECK_I64(g->late, 0, "rank %u", rank);
    }
}

static void one_that_never_comes_is_not_waited_for_at_the_end(void)
{
    in_folder(NOISE_REFERENCE_LOO, end_early);
}

/* Refused: with which words? */
static void check_refused(app_live_scores *scores, const char *words)
{
    app_live_end end;
    g_autoptr(GError) error = NULL;
    app_live_scores_poll(scores);
    CHECK(!app_live_scores_finish(scores, &end, &error));
    CHECK_ERROR(error, words);
}

static void mix_runs(const char *folder, app_live_scores *scores, heard *h,
                     const noise_interference_model *m)
{
    (void)h;
    (void)m;
    append_header(folder, 0, RUN, MODEL);
    append_header(folder, 1, RUN + 1, MODEL);
    check_refused(scores, "detect.1: samples of another run");
}

static void mix_models(const char *folder, app_live_scores *scores, heard *h,
                       const noise_interference_model *m)
{
    (void)h;
    (void)m;
    append_header(folder, 0, RUN, MODEL + 1);
    check_refused(scores, "detect.0: samples of another model");
}

static void turn_back(const char *folder, app_live_scores *scores, heard *h,
                      const noise_interference_model *m)
{
    (void)h;
    (void)m;
    append_header(folder, 0, RUN, MODEL);
    append_page(folder, 0, 0, 10, NOISE_SAMPLE_RUNNING);
    static noise_sample_page p;
    p.block = (noise_sample_block){.num = 1, .totals = {11, 11, 11, 11, SIM_S}};
    p.record[0] = record_of(0, 3);
    append(folder, 0, &p, noise_sample_page_seal(&p));
    check_refused(scores, "detect.0: samples that are not in order");
}

static void have_nothing(const char *folder, app_live_scores *scores, heard *h,
                         const noise_interference_model *m)
{
    (void)folder;
    (void)h;
    (void)m;
    check_refused(scores, "no rank has handed on");
}

static void what_does_not_belong_together_is_refused(void)
{
    in_folder(NOISE_REFERENCE_CLEAN, mix_runs);
    in_folder(NOISE_REFERENCE_CLEAN, mix_models);
    in_folder(NOISE_REFERENCE_CLEAN, turn_back);
    in_folder(NOISE_REFERENCE_CLEAN, have_nothing);
}

SUITE_MAIN("live_scores", TEST(scores_of_a_run_that_goes_on_are_those_of_its_end),
           TEST(ranks_of_which_nothing_came_are_counted),
           TEST(ranks_that_are_ahead_wait_in_their_files),
           TEST(one_that_never_comes_is_not_waited_for_at_the_end),
           TEST(what_does_not_belong_together_is_refused))
