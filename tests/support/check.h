/* tests/support/check.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * CUnit with a voice: a failed check says what was wanted, what came, and where in a table or
 * random sequence it happened. Every test file is one executable and one suite:
 *
 *     SUITE_MAIN("detour_trace", TEST(finish_matches_table), TEST(refuses_overlap))
 *
 * A suite whose data are absent calls SKIP_SUITE("why") before SUITE_MAIN's tests run, or a test
 * calls SKIP_TEST("why"): it is reported, and counts neither as passed nor as failed.
 */
#pragma once

#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>
#include <glib.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition, ...)                                                                      \
    check_report((condition), #condition, __FILE__, __LINE__, g_strdup_printf(" " __VA_ARGS__))
#define CHECK_I64(actual, wanted, ...)                                                             \
    check_i64((int64_t)(actual), (int64_t)(wanted), #actual, __FILE__, __LINE__,                   \
              g_strdup_printf(" " __VA_ARGS__))
#define CHECK_STR(actual, wanted, ...)                                                             \
    check_str((actual), (wanted), #actual, __FILE__, __LINE__, g_strdup_printf(" " __VA_ARGS__))
/** |actual - wanted| <= tolerance. */
#define CHECK_NEAR(actual, wanted, tolerance, ...)                                                 \
    check_near((double)(actual), (double)(wanted), (double)(tolerance), #actual, __FILE__,         \
               __LINE__, g_strdup_printf(" " __VA_ARGS__))
/** @p error (GError *) is set and its message contains @p text. */
#define CHECK_ERROR(error, text) check_error((error), (text), __FILE__, __LINE__)

static inline bool check_report(bool ok, const char *what, const char *file, int line,
                                char *context)
{
    if (!ok) {
        fprintf(stderr, "\n%s:%d: failed: %s %s\n", file, line, what, context);
    }
    CU_assertImplementation(ok ? CU_TRUE : CU_FALSE, (unsigned)line, what, file, "", CU_FALSE);
    g_free(context);
    return ok;
}

static inline bool check_i64(int64_t actual, int64_t wanted, const char *what, const char *file,
                             int line, char *context)
{
    if (actual != wanted) {
        fprintf(stderr, "\n%s:%d: %s is %" PRId64 ", wanted %" PRId64 "\n", file, line, what,
                actual, wanted);
    }
    return check_report(actual == wanted, what, file, line, context);
}

static inline bool check_str(const char *actual, const char *wanted, const char *what,
                             const char *file, int line, char *context)
{
    const bool ok = g_strcmp0(actual, wanted) == 0;
    if (!ok) {
        fprintf(stderr, "\n%s:%d: %s is\n'%s'\nwanted\n'%s'\n", file, line, what,
                actual != NULL ? actual : "(null)", wanted != NULL ? wanted : "(null)");
    }
    return check_report(ok, what, file, line, context);
}

static inline bool check_near(double actual, double wanted, double tolerance, const char *what,
                              const char *file, int line, char *context)
{
    const bool ok = actual - wanted <= tolerance && wanted - actual <= tolerance;
    if (!ok) {
        fprintf(stderr, "\n%s:%d: %s is %.10g, wanted %.10g +- %.3g\n", file, line, what, actual,
                wanted, tolerance);
    }
    return check_report(ok, what, file, line, context);
}

static inline bool check_error(const GError *error, const char *text, const char *file, int line)
{
    const bool ok = error != NULL && strstr(error->message, text) != NULL;
    return check_report(ok, "error message", file, line,
                        g_strdup_printf("(is '%s', wanted '…%s…')",
                                        error != NULL ? error->message : "no error", text));
}

typedef struct check_test {
    const char *name;
    void (*run)(void);
} check_test;

static int check_skipped;
#define SKIP_TEST(...)                                                                             \
    do {                                                                                           \
        g_autofree char *why_ = g_strdup_printf(__VA_ARGS__);                                      \
        fprintf(stderr, "skipped: %s\n", why_);                                                    \
        check_skipped++;                                                                           \
        return;                                                                                    \
    } while (0)

#define TEST(function)                                                                             \
    {                                                                                              \
#function, function                                                                        \
    }

/** Run the suite. @return 0, 1 on failure, 77 if every test was skipped (ctest: skipped). */
static inline int check_main(const char *suite_name, const check_test *tests, size_t n)
{
    if (CU_initialize_registry() != CUE_SUCCESS) {
        return 1;
    }
    CU_pSuite suite = CU_add_suite(suite_name, NULL, NULL);
    for (size_t i = 0; i < n; i++) {
        g_autofree char *sentence = g_strdelimit(g_strdup(tests[i].name), "_", ' ');
        CU_add_test(suite, sentence, tests[i].run);
    }
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    const unsigned failed = CU_get_number_of_failures();
    CU_cleanup_registry();
    if (failed > 0) {
        return 1;
    }
    return check_skipped == (int)n ? 77 : 0;
}

#define SUITE_MAIN(name, ...)                                                                      \
    int main(void)                                                                                 \
    {                                                                                              \
        static const check_test tests[] = {__VA_ARGS__};                                           \
        return check_main((name), tests, G_N_ELEMENTS(tests));                                     \
    }
