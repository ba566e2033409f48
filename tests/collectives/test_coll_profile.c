/* tests/collectives/test_coll_profile.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "coll/algorithm.h"

static void every_algorithm_name_parses_back(void)
{
    for (size_t i = 0; i < coll_algorithm_count(); i++) {
        const coll_algorithm algorithm = coll_algorithm_at(i);
        g_autofree char *text = coll_algorithm_format(algorithm);
        coll_algorithm back = {0};
        CHECK(coll_algorithm_parse(text, &back, NULL), "%s", text);
        CHECK(back.how == algorithm.how, "%s", text);
        CHECK_I64(back.parameter, algorithm.parameter, "%s", text);
        CHECK(coll_algorithm_parse(coll_algorithm_name(algorithm), &back, NULL), "%s", text);
        CHECK_I64(back.parameter, algorithm.parameter, "%s: the usual one", text);
    }
    coll_algorithm found = {0};
    CHECK(coll_algorithm_parse("Recursive_Doubling", &found, NULL));
    CHECK_STR(coll_algorithm_name(found), "recursive-doubling");
    static const char *const wrong[] = {"", "rings", "ring-", "ring-2", "ring-x", "none"};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        CHECK(!coll_algorithm_parse(wrong[i], &found, &error), "%s", wrong[i]);
        CHECK(g_error_matches(error, COLL_ERROR, COLL_ERROR_UNKNOWN), "%s", wrong[i]);
    }
}

/* "| gather, scatter | linear, **binomial-far** |": what is said of @p kind, with the stars. */
static char *documented(char *const *lines, coll_kind kind)
{
    for (; *lines != NULL; lines++) {
        g_auto(GStrv) cells = g_strsplit(*lines, "|", -1);
        if (g_strv_length(cells) != 4) {
            continue;
        }
        g_auto(GStrv) kinds = g_strsplit(g_strstrip(cells[1]), ", ", -1);
        if (g_strv_contains((const char *const *)kinds, coll_kind_name(kind))) {
            return g_strdup(g_strstrip(cells[2]));
        }
    }
    return g_strdup("no row");
}

/* docs/collectives.md, section 2: its table names them all, and those of the profile in bold. */
static void every_collective_has_its_algorithms(void)
{
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents(RIPPLE_DOCS "/collectives.md", &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(strstr(text, "\n## 2. "), "\n", -1);
    g_autoptr(coll_profile) profile = coll_profile_new("sc10", NULL, NULL);
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        const coll_call call = {.kind = (coll_kind)kind, .size = 64, .bytes = 8};
        const coll_algorithm_class *chosen = coll_profile_select(profile, &call).how;
        g_autoptr(GString) wanted = g_string_new(NULL);
        for (size_t i = 0; i < coll_algorithm_count(); i++) {
            const coll_algorithm a = coll_algorithm_at(i);
            const char *mark = a.how == chosen ? "**" : "";
            if (coll_algorithm_does(a, (coll_kind)kind)) {
                g_string_append_printf(wanted, "%s%s%s%s", wanted->len > 0 ? ", " : "", mark,
                                       coll_algorithm_name(a), mark);
            }
        }
        g_autofree char *found = documented(lines, (coll_kind)kind);
        CHECK_STR(found, wanted->str, "%s", coll_kind_name((coll_kind)kind));
    }
}

static void check_says_what_would_do(void)
{
    const coll_algorithm ring = coll_algorithm_get("ring");
    const coll_algorithm none = {0};
    g_autoptr(GError) error = NULL;
    CHECK(!coll_algorithm_check(ring, COLL_GATHER, 7, &error));
    CHECK_ERROR(error, "gather cannot be done by \"ring\"; known for it: linear, binomial-far");
    CHECK(coll_algorithm_check(ring, COLL_ALLREDUCE, 7, NULL));
    CHECK(coll_algorithm_check(none, COLL_GATHER, 7, NULL));
}

static const char *chosen(const coll_profile *profile, const coll_call *call)
{
    return coll_algorithm_name(coll_profile_select(profile, call));
}

/* docs/collectives.md, section 5. */
static void sc10_is_what_the_paper_uses(void)
{
    static const struct {
        coll_kind kind;
        const char *algorithm;
    } row[] = {
        {COLL_BARRIER, "dissemination"},   {COLL_ALLREDUCE, "dissemination"},
        {COLL_ALLGATHER, "dissemination"}, {COLL_ALLTOALL, "dissemination"},
        {COLL_BCAST, "binomial"},          {COLL_REDUCE, "binomial"},
        {COLL_GATHER, "binomial-far"},     {COLL_SCATTER, "binomial-far"},
    };
    static const int64_t bytes[] = {1, 8192, 1 << 20};
    g_autoptr(coll_profile) profile = coll_profile_new("sc10", NULL, NULL);
    CHECK_STR(coll_profile_name(profile), "sc10");
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        for (size_t b = 0; b < G_N_ELEMENTS(bytes); b++) {
            const coll_call call = {.kind = row[i].kind, .size = 64, .bytes = bytes[b]};
            CHECK_STR(chosen(profile, &call), row[i].algorithm, "row %zu", i);
        }
    }
}

static void every_collective_can_be_done_by_the_profile(void)
{
    g_autoptr(coll_profile) profile = coll_profile_new("sc10", "", NULL);
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        const coll_call call = {.kind = (coll_kind)kind, .size = 6, .bytes = 8};
        const coll_algorithm algorithm = coll_profile_select(profile, &call);
        CHECK(algorithm.how != NULL, "%s", coll_kind_name(call.kind));
        CHECK(coll_algorithm_check(algorithm, call.kind, 6, NULL), "%s", coll_kind_name(call.kind));
    }
}

/* What every rank knows: alone, or nothing to move. gatherv's own bytes are not such a thing. */
static void nothing_to_do_takes_no_algorithm(void)
{
    static const int64_t zeros[] = {0, 0}, last[] = {0, 0, 1};
    const struct {
        coll_call call;
        bool is_empty;
    } row[] = {
        {{.kind = COLL_ALLREDUCE, .size = 1, .bytes = 8}, true},
        {{.kind = COLL_BARRIER, .size = 1}, true},
        {{.kind = COLL_BARRIER, .size = 2}, false},
        {{.kind = COLL_BCAST, .size = 2, .bytes = 0}, true},
        {{.kind = COLL_ALLTOALL, .size = 2, .bytes = 0}, true},
        {{.kind = COLL_ALLTOALL, .size = 2, .bytes = 1}, false},
        {{.kind = COLL_GATHERV, .size = 2, .bytes = 0}, false},
        {{.kind = COLL_ALLTOALLV, .size = 2, .bytes = 0}, false},
        {{.kind = COLL_ALLGATHERV, .size = 9, .recv_counts = zeros, .num_counts = 2}, true},
        {{.kind = COLL_ALLGATHERV, .size = 2, .recv_counts = last, .num_counts = 3}, true},
        {{.kind = COLL_ALLGATHERV, .size = 3, .recv_counts = last, .num_counts = 3}, false},
        {{.kind = COLL_REDUCE_SCATTER, .size = 9, .recv_counts = last, .num_counts = 3}, false},
        {{.kind = COLL_REDUCE_SCATTER, .size = 9, .bytes = 0}, true},
    };
    g_autoptr(coll_profile) profile = coll_profile_new("sc10", NULL, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        CHECK_I64(coll_profile_select(profile, &row[i].call).how == NULL, row[i].is_empty,
                  "row %zu", i);
    }
}

static void overrides_are_taken_and_named(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(coll_profile) profile =
        coll_profile_new("sc10", "MPI_Bcast=binomial_far, allreduce=Ring", &error);
    CHECK(profile != NULL);
    CHECK_STR(coll_profile_name(profile), "sc10,bcast=binomial-far,allreduce=ring");
    const coll_call bcast = {.kind = COLL_BCAST, .size = 5, .bytes = 1};
    const coll_call allreduce = {.kind = COLL_ALLREDUCE, .size = 5, .bytes = 1};
    const coll_call barrier = {.kind = COLL_BARRIER, .size = 5};
    CHECK_STR(chosen(profile, &bcast), "binomial-far");
    CHECK_STR(chosen(profile, &allreduce), "ring");
    CHECK_STR(chosen(profile, &barrier), "dissemination");
}

static void unknown_names_are_refused_with_the_known_ones(void)
{
    static const char *const row[][3] = {
        /* profile, overrides, message contains */
        {"sc11", NULL, "there is no profile \"sc11\" of collective algorithms; known: sc10"},
        {"sc10", "allreduce", "\"allreduce\" is not of the form COLLECTIVE=ALGORITHM"},
        {"sc10", "ring=allreduce", "there is no collective \"ring\"; known: barrier, bcast,"},
        {"sc10", "scan=foo", "no algorithm \"foo\"; known for scan: linear, recursive-doubling"},
        {"sc10", "scan=none", "no algorithm \"none\"; known for scan"},
        {"sc10", "bcast=ring,gather=ring", "gather cannot be done by \"ring\""},
        {"sc10", "bcast=ring,bcast=linear", "\"bcast=linear\": bcast is given twice"},
        {"sc10", "bcast=ring,", "\"\" is not of the form"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        CHECK(coll_profile_new(row[i][0], row[i][1], &error) == NULL, "row %zu", i);
        CHECK_ERROR(error, row[i][2]);
    }
}

SUITE_MAIN("coll_profile", TEST(every_algorithm_name_parses_back),
           TEST(every_collective_has_its_algorithms), TEST(check_says_what_would_do),
           TEST(sc10_is_what_the_paper_uses), TEST(every_collective_can_be_done_by_the_profile),
           TEST(nothing_to_do_takes_no_algorithm), TEST(overrides_are_taken_and_named),
           TEST(unknown_names_are_refused_with_the_known_ones))
