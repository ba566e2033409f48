/* tests/apps/database/test_sweep_claim.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "database/sweep_claim.h"

#include "check.h"
#include "database/sweep_database.h"
#include "sweep_scratch.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void claims_exclude_each_other_and_end(void)
{
    g_auto(scratch) s = scratch_new();
    g_autofree char *file = g_strconcat(s.path, "-claims", NULL);
    app_sweep_claims *one = app_sweep_claims_open(s.path);
    app_sweep_claims *other = app_sweep_claims_open(s.path);
    CHECK(app_sweep_claims_take(one, 3, false));
    CHECK(!app_sweep_claims_take(other, 3, false));
    CHECK(app_sweep_claims_take(other, 4, false));
    app_sweep_claims_give_back(one, 3);
    CHECK(app_sweep_claims_take(other, 3, true));
    CHECK(!app_sweep_claims_take(one, 4, false));
    app_sweep_claims_close(one);
    CHECK(g_file_test(file, G_FILE_TEST_EXISTS)); /* the other has claims */
    app_sweep_claims_close(other);
    CHECK(!g_file_test(file, G_FILE_TEST_EXISTS));
}

/* A process that claims a point and is killed leaves it to others. */
static void the_claim_of_a_killed_process_ends(void)
{
    g_auto(scratch) s = scratch_new();
    g_autoptr(app_sweep_claims) claims = app_sweep_claims_open(s.path);
    int claimed[2];
    g_assert_cmpint(pipe(claimed), ==, 0);
    const pid_t child = fork();
    if (child == 0) {
        app_sweep_claims *own = app_sweep_claims_open(s.path);
        const char told = app_sweep_claims_take(own, 7, false) ? 'y' : 'n';
        (void)!write(claimed[1], &told, 1);
        pause();
        _exit(0);
    }
    char told = 0;
    CHECK_I64(read(claimed[0], &told, 1), 1);
    CHECK_I64(told, 'y');
    CHECK(!app_sweep_claims_take(claims, 7, false));
    CHECK_I64(kill(child, SIGKILL), 0);
    CHECK(app_sweep_claims_take(claims, 7, true));
    CHECK_I64(waitpid(child, NULL, 0), child);
    (void)close(claimed[0]);
    (void)close(claimed[1]);
}

/* Whoever comes while others use it claims in the same file. */
static void claims_stay_while_somebody_uses_them(void)
{
    g_auto(scratch) s = scratch_new();
    app_sweep_claims *first = app_sweep_claims_open(s.path);
    app_sweep_claims *early = app_sweep_claims_open(s.path);
    CHECK(!app_sweep_claims_alone(first));
    app_sweep_claims_close(first);
    app_sweep_claims *late = app_sweep_claims_open(s.path);
    CHECK(app_sweep_claims_take(late, 3, false));
    CHECK(!app_sweep_claims_take(early, 3, false));
    CHECK(!app_sweep_claims_alone(early));
    app_sweep_claims_close(late);
    CHECK(app_sweep_claims_alone(early));
    app_sweep_claims_close(early);
}

/* A database that is new and has no results goes with the last who uses it, not with the first. */
static void a_database_is_not_taken_from_others(void)
{
    g_auto(scratch) s = scratch_new();
    app_sweep_database *one = app_sweep_database_open(s.path, NULL);
    app_sweep_database *other = app_sweep_database_open(s.path, NULL);
    app_sweep_database_close(one);
    CHECK(g_file_test(s.path, G_FILE_TEST_EXISTS), "another uses it");
    app_sweep_database_close(other);
    one = app_sweep_database_open(s.path, NULL);
    CHECK(sweep(STUDY, s.path, 1, NULL));
    app_sweep_database_close(one);
    CHECK_I64(number_of(s.path, "SELECT count(*) FROM results"), NUM_POINTS);
}

/* A sweep that was killed after its last point, and one that has nothing to do. */
static void no_claims_stay_beside_a_complete_database(void)
{
    g_auto(scratch) s = scratch_new();
    g_autofree char *file = g_strconcat(s.path, "-claims", NULL);
    CHECK(sweep(STUDY, s.path, 1, NULL));
    CHECK(!g_file_test(file, G_FILE_TEST_EXISTS));
    CHECK(g_file_set_contents(file, "", 0, NULL));
    app_sweep_claims *other = app_sweep_claims_open(s.path);
    CHECK(app_sweep_claims_take(other, 0, false));
    CHECK(sweep(STUDY, s.path, 1, NULL));
    CHECK(g_file_test(file, G_FILE_TEST_EXISTS), "another has claims");
    app_sweep_claims_close(other);
    CHECK(!g_file_test(file, G_FILE_TEST_EXISTS));
}

SUITE_MAIN("sweep_claim", TEST(the_claim_of_a_killed_process_ends),
           TEST(claims_exclude_each_other_and_end), TEST(claims_stay_while_somebody_uses_them),
           TEST(a_database_is_not_taken_from_others),
           TEST(no_claims_stay_beside_a_complete_database))
