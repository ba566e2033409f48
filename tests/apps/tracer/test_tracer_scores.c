/* tests/apps/tracer/test_tracer_scores.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of a run that was scored while it ran is that of its archive: the same bytes. */
#include "check.h"
#include "mpi_record.h"
#include "noise/sample_record.h"
#include "tracer/protocol.h"

#include <string.h>
#include <sys/wait.h>

enum { RANKS = 2 };

typedef struct said {
    char *out, *err;
    int code;
} said;

static void clear(said *s)
{
    g_free(s->out);
    g_free(s->err);
}

/* ripple WORDS, in @p dir; if @p program is given: -- mpirun -n RANKS PROGRAM ARGUMENTS */
static said ripple(const mpi *m, const char *dir, const char *words, const char *name,
                   const char *argument)
{
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) list = g_strsplit(words, " ", -1);
    char **env = g_get_environ();
    g_autoptr(GError) error = NULL;
    said s = {NULL, NULL, -1};
    int status = 0;
    g_ptr_array_add(argv, g_strdup(RIPPLE));
    for (char **word = list; *word != NULL; word++) {
        g_ptr_array_add(argv, g_strdup(*word));
    }
    if (name != NULL) {
        g_ptr_array_add(argv, g_strdup("--"));
        add_launcher(m, RANKS, argv, &env);
        g_ptr_array_add(argv, g_strdup(program(m, name)));
        g_auto(GStrv) arguments = g_strsplit(argument, " ", -1);
        for (char **word = arguments; *word != NULL; word++) {
            g_ptr_array_add(argv, g_strdup(*word));
        }
    }
    g_ptr_array_add(argv, NULL);
    CHECK(g_spawn_sync(dir, (char **)argv->pdata, env, G_SPAWN_DEFAULT, NULL, NULL, &s.out, &s.err,
                       &status, &error),
          "%s", error != NULL ? error->message : "");
    s.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    g_strfreev(env);
    return s;
}

/* Without the line that repeats the command. */
static const char *table_of(const said *s)
{
    const char *end = s->out[0] == '#' ? strchr(s->out, '\n') : NULL;
    return end != NULL ? end + 1 : s->out;
}

static bool there(const char *dir, const char *name)
{
    g_autofree char *path = g_build_filename(dir, name, NULL);
    return g_file_test(path, G_FILE_TEST_EXISTS);
}

typedef void check_run(const mpi *m, const char *dir);

/* With the model of a ring, in each MPI. */
static void each_mpi(check_run *check)
{
    bool ran = false;
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            continue;
        }
        ran = true;
        g_autofree char *dir = folder();
        said clean = ripple(&MPI[k], dir, "trace -q -o clean", "slow", "100");
        said learned = ripple(&MPI[k], dir, "detect learn --ref=clean --filter=1us -o model clean",
                              NULL, NULL);
        CHECK_I64(clean.code, 0, "%s: %s", MPI[k].name, clean.err);
        if (CHECK(learned.code == 0, "%s: %s", MPI[k].name, learned.err)) {
            check(&MPI[k], dir);
        }
        clear(&clean);
        clear(&learned);
        remove_folder(dir);
    }
    if (!ran) {
        SKIP_TEST("no mpirun");
    }
}

static void check_same(const mpi *m, const char *dir)
{
    said online = ripple(m, dir, "trace --detect=model -o run", "slow", "100");
    said after = ripple(m, dir, "detect score model run", NULL, NULL);
    CHECK_I64(online.code, 0, "%s: %s", m->name, online.err);
    CHECK(strstr(table_of(&after), "verdict") != NULL, "%s: %s", m->name, after.out);
    CHECK_STR(online.out, table_of(&after), "%s", m->name);
    CHECK(there(dir, "run/" TRACER_ANCHOR) && !there(dir, "run/" NOISE_SAMPLE_FILE "0"), "%s",
          m->name);
    said again = ripple(m, dir, "trace --detect=model -o run", "slow", "100");
    CHECK(again.code == 1 && strstr(again.err, "there is an archive already") != NULL, "%s: %s",
          m->name, again.err);
    clear(&online);
    clear(&after);
    clear(&again);
}

static void a_run_has_the_table_of_its_archive(void)
{
    each_mpi(check_same);
}

/* Another program: none of its calls is in a sequence of the model. */
static void check_unjudged(const mpi *m, const char *dir)
{
    said online = ripple(m, dir, "trace --detect=model -o run", "rests", "1");
    said after = ripple(m, dir, "detect score model run", NULL, NULL);
    CHECK(strstr(online.out, "The run cannot be judged") != NULL, "%s: %s", m->name, online.out);
    CHECK_STR(online.out, table_of(&after), "%s", m->name);
    CHECK_I64(after.code, 3, "%s: %s", m->name, after.err);
    CHECK_I64(online.code, 3, "%s: %s", m->name, online.err);
    clear(&online);
    clear(&after);
}

static void what_cannot_be_judged_ends_as_it_does_afterwards(void)
{
    each_mpi(check_unjudged);
}

/* Who took CPU time comes first, then the table with the names that are known. */
static void check_watched(const mpi *m, const char *dir)
{
    said online = ripple(m, dir, "trace --watch --detect=model -o run", "slow", "1000 burner");
    said after = ripple(m, dir, "detect score model run", NULL, NULL);
    CHECK_I64(online.code, 0, "%s: %s", m->name, online.err);
    CHECK(strstr(table_of(&after), "verdict") != NULL, "%s: %s", m->name, after.out);
    CHECK(g_str_has_prefix(online.out, "CPU time taken from the ranks"), "%s: %s", m->name,
          online.out);
    CHECK(g_str_has_suffix(online.out, table_of(&after)), "%s: on-line\n%safterwards\n%s", m->name,
          online.out, after.out);
    clear(&online);
    clear(&after);
}

static void a_watched_run_has_the_table_of_its_archive_with_names(void)
{
    each_mpi(check_watched);
}

/* Each rank kills itself after some 100 calls, within the first 100 ms: hardly a sample has been
 * handed on, which is said. */
static void check_killed(const mpi *m, const char *dir)
{
    said s = ripple(m, dir, "trace --detect=model --no-archive -o run", "dies", "kill");
    CHECK_I64(s.code, 1, "%s: %s", m->name, s.err);
    CHECK(strstr(s.out, "verdict") != NULL, "%s: %s", m->name, s.out);
    CHECK(strstr(s.err,
                 "2 of 2 ranks (the first is 0) did not come to MPI_Finalize: scored is what") !=
              NULL,
          "%s: %s", m->name, s.err);
    CHECK(!there(dir, "run"), "%s", m->name);
    clear(&s);
}

static void a_job_that_is_killed_is_scored_up_to_there(void)
{
    each_mpi(check_killed);
}

static void check_without(const mpi *m, const char *dir)
{
    said s = ripple(m, dir, "trace --detect=model --no-archive -o run", "slow", "100");
    CHECK_I64(s.code, 0, "%s: %s", m->name, s.err);
    CHECK(strstr(s.out, "verdict") != NULL && !there(dir, "run"), "%s: %s", m->name, s.out);
    clear(&s);
    s = ripple(m, dir, "trace --detect=nothing -o run", "slow", "100");
    CHECK(s.code == 1 && strstr(s.err, "nothing") != NULL && !there(dir, "run"), "%s: %s", m->name,
          s.err);
    clear(&s);
}

static void without_an_archive_nothing_remains(void)
{
    each_mpi(check_without);
}

SUITE_MAIN("tracer_scores", TEST(a_run_has_the_table_of_its_archive),
           TEST(a_watched_run_has_the_table_of_its_archive_with_names),
           TEST(what_cannot_be_judged_ends_as_it_does_afterwards),
           TEST(a_job_that_is_killed_is_scored_up_to_there),
           TEST(without_an_archive_nothing_remains))
