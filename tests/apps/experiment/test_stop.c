/* tests/apps/experiment/test_stop.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asked to stop by a signal or by the time, alone and in the middle of an experiment. A process is
 * asked once and for all: each case is a process of its own.
 */
#include "check.h"
#include "experiment/experiment.h"
#include "output/error.h"
#include "system/stop.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FAILED = 1 };

/* How a process ended that does @p body: its exit code, or 128 and the signal. */
static int end_of(bool (*body)(void))
{
    const pid_t child = fork();
    g_assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGINT, SIG_DFL); /* who runs the tests may ignore it */
        const bool ok = body();
        fflush(stderr);
        _exit(ok ? 0 : FAILED);
    }
    int status = 0;
    g_assert_true(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static bool says(const char *wanted)
{
    g_autofree char *by = app_stop_describe();
    return CHECK_STR(by, wanted, "asked by");
}

static bool be_asked_twice(void)
{
    bool ok = CHECK(!app_stop_is_asked(), "at first");
    app_stop_catch_signals();
    (void)raise(SIGINT);
    ok = CHECK(app_stop_is_asked(), "after the first") && says("SIGINT") && ok;
    if (ok) {
        (void)raise(SIGTERM); /* whichever it is */
    }
    return false; /* it is too late for this */
}

static void the_first_signal_asks_and_the_second_ends(void)
{
    CHECK_I64(end_of(be_asked_twice), 128 + SIGTERM, "how it ended");
}

static bool be_asked_and_leave(void)
{
    app_stop_catch_signals();
    (void)raise(SIGINT);
    app_stop_release_signals();
    app_stop_leave();
    return false;
}

static void who_was_asked_by_a_signal_leaves_by_it(void)
{
    CHECK_I64(end_of(be_asked_and_leave), 128 + SIGINT, "how it ended");
}

static bool ignore(void)
{
    (void)signal(SIGHUP, SIG_IGN);
    app_stop_catch_signals();
    (void)raise(SIGHUP);
    return CHECK(!app_stop_is_asked(), "by what is ignored");
}

static void a_signal_that_is_ignored_stays_so(void)
{
    CHECK_I64(end_of(ignore), 0, "how it ended");
}

static bool be_late(void)
{
    app_stop_after(3600 * SIM_S, "1h");
    bool ok = CHECK(!app_stop_is_asked(), "an hour is not over");
    app_stop_after(0, "0s");
    ok = CHECK(app_stop_is_asked(), "no time") && says("--time-limit=0s") && ok;
    app_stop_after(3600 * SIM_S, "1h");
    ok = CHECK(app_stop_is_asked(), "it stays") && ok;
    app_stop_leave(); /* no signal */
    return ok;
}

static void time_asks_when_it_is_over(void)
{
    CHECK_I64(end_of(be_late), 0, "how it ended");
}

/** Where an experiment is asked: when it begins a run of this size, as its replica, in this mode.
 */
typedef struct moment {
    uint32_t ranks;
    uint32_t replica;
} moment;

static sim_sink *ask(void *data, uint32_t ranks, app_mode mode, uint32_t replica)
{
    const moment *m = data;
    if (ranks == m->ranks && mode == APP_UNSYNCHRONIZED && replica == m->replica) {
        (void)raise(SIGINT);
    }
    return NULL;
}

/* On three sizes. @p when: NULL: nobody asks. Owned by the caller; NULL with an error */
static app_results *experiment(moment *when, GError **error)
{
    static const uint32_t SIZES[] = {4, 8, 16};
    const app_program_options program = {0};
    char *argv[] = {NULL};
    g_autoptr(app_manifest) manifest = app_manifest_new("test", argv);
    g_autoptr(app_source) source =
        app_source_open("collective:allreduce:1B", &program, false, manifest, NULL);
    g_autoptr(sim_machine) machine = sim_machine_load("xt4", NULL);
    g_autoptr(noise_signature) signature = noise_signature_parse("fixed:1kHz:100us", 1, NULL);
    g_assert_true(source != NULL && machine != NULL && signature != NULL);
    const app_noise noise = {.signature = signature, .replicas = 20};
    const app_experiment x = {
        .source = source,
        .sizes = SIZES,
        .num_sizes = G_N_ELEMENTS(SIZES),
        .params = &machine->params,
        .noise = &noise,
        .seed = 1,
        .threads = 1, /* the runs go in order */
        .keep_finish = true,
        .explain = true,
        .sink = when != NULL ? ask : NULL,
        .sink_data = when,
        .sink_of_first = when != NULL && when->replica == 0, /* the others go in lanes */
        .verb = "test",
        .quiet = true,
    };
    return app_experiment_run(&x, error);
}

static bool is_beginning_of(const app_results *part, const app_results *whole)
{
    bool same = part->num_series < whole->num_series;
    for (size_t i = 0; same && i < part->num_series; i++) {
        const app_series *a = &part->series[i];
        const app_series *b = &whole->series[i];
        same = a->ranks == b->ranks && a->num_runs == b->num_runs && a->num_ops == b->num_ops &&
               a->times.min == b->times.min && a->times.median == b->times.median &&
               a->times.max == b->times.max &&
               memcmp(&a->breakdown, &b->breakdown, sizeof a->breakdown) == 0;
        for (uint32_t r = 0; same && r < a->num_runs; r++) {
            same = memcmp(a->runs[r].finish, b->runs[r].finish, a->ranks * sizeof(sim_time)) == 0;
        }
    }
    return same;
}

static bool stop_in(moment when, size_t sizes_there, const char *missing)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(app_results) whole = experiment(NULL, NULL);
    app_stop_catch_signals();
    g_autoptr(app_results) part = experiment(&when, &error);
    if (!CHECK(part != NULL, "%s", error != NULL ? error->message : "")) {
        return false;
    }
    g_autofree char *text = app_results_format_missing(part);
    const bool ok = CHECK_I64(part->num_series, 2 * sizes_there, "two modes each") &&
                    CHECK_STR(text, missing, "missing") &&
                    CHECK_STR(part->stopped_by, "SIGINT", "by") &&
                    CHECK(app_results_have(part, 4) && !app_results_have(part, 16), "sizes") &&
                    CHECK(is_beginning_of(part, whole), "the finished sizes are what they were");
    CHECK(app_results_check_whole(whole, NULL), "nobody had asked");
    return ok && CHECK(!app_results_check_whole(part, &error), "it is not whole") &&
           CHECK(g_error_matches(error, APP_ERROR, APP_ERROR_STOPPED), "%s", error->message);
}

static bool stop_in_the_second(void)
{
    return stop_in((moment){8, 0}, 1, "8,16");
}

static bool stop_in_the_third(void)
{
    return stop_in((moment){16, 10}, 2, "16");
}

/* Nothing was left to be done. */
static bool stop_in_the_last_run(void)
{
    moment when = {16, 19};
    app_stop_catch_signals();
    g_autoptr(app_results) results = experiment(&when, NULL);
    return CHECK(results != NULL && app_stop_is_asked(), "asked, and done") &&
           CHECK_I64(results->num_series, 6, "two modes each") &&
           CHECK(app_results_check_whole(results, NULL), "it is whole");
}

static void sizes_that_are_finished_are_kept_as_they_are(void)
{
    CHECK_I64(end_of(stop_in_the_second), 0, "lanes wait for the run that is told");
    CHECK_I64(end_of(stop_in_the_third), 0, "one at a time");
    CHECK_I64(end_of(stop_in_the_last_run), 0, "all of them");
}

static bool stop_in_the_first(void)
{
    g_autoptr(GError) error = NULL;
    moment when = {4, 0};
    app_stop_catch_signals();
    g_autoptr(app_results) results = experiment(&when, &error);
    return CHECK(results == NULL, "no size is finished") && CHECK_ERROR(error, "stopped by SIGINT");
}

static void with_no_size_finished_there_is_no_result(void)
{
    CHECK_I64(end_of(stop_in_the_first), 0, "how it ended");
}

SUITE_MAIN("stop", TEST(the_first_signal_asks_and_the_second_ends),
           TEST(who_was_asked_by_a_signal_leaves_by_it), TEST(a_signal_that_is_ignored_stays_so),
           TEST(time_asks_when_it_is_over), TEST(sizes_that_are_finished_are_kept_as_they_are),
           TEST(with_no_size_finished_there_is_no_result))
