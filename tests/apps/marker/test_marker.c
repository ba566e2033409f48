/* tests/apps/marker/test_marker.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <time.h>

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/* What a program that does nothing prints with these libraries before it. */
static char *run_with(const char *preload)
{
    g_autofree char *setting = g_strdup_printf("LD_PRELOAD=%s", preload);
    char program[] = "/bin/true";
    char *argv[] = {program, NULL};
    char *env[] = {setting, NULL};
    char *out = NULL;
    int status = -1;
    CHECK(g_spawn_sync(NULL, argv, env, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, &status, NULL));
    CHECK_I64(status, 0, "%s", preload);
    return out;
}

static void check_marks(const char *extrae)
{
    g_autofree char *preload = g_strdup_printf("%s %s", MARKER, extrae);
    const uint64_t before = now_ns();
    g_autofree char *out = run_with(preload);
    const uint64_t after = now_ns();
    g_auto(GStrv) lines = g_strsplit(out, "\n", -1);
    CHECK_I64(g_strv_length(lines), 5, "%s: %s", extrae, out); /* two marks of two, and an end */
    uint64_t last = before;
    for (unsigned i = 0; g_strv_length(lines) == 5 && i < 4; i += 2) {
        unsigned type[2];
        unsigned long long value[2];
        CHECK_I64(sscanf(lines[i], "%u %llu", &type[0], &value[0]), 2);     /* NOLINT: checked */
        CHECK_I64(sscanf(lines[i + 1], "%u %llu", &type[1], &value[1]), 2); /* NOLINT: checked */
        CHECK_I64(type[0], 91000000);
        CHECK_I64(type[1], 91000008);
        const uint64_t when = value[1] << 32 | value[0];
        CHECK(when >= last && when <= after && value[0] <= UINT32_MAX, "mark %u", i / 2);
        last = when;
    }
}

static void marks_both_ends_where_extrae_takes_pairs(void)
{
    check_marks(FAKE_PAIRS);
}

static void marks_both_ends_where_it_takes_one_at_a_time(void)
{
    check_marks(FAKE_SINGLE);
}

static void does_nothing_without_extrae(void)
{
    g_autofree char *out = run_with(MARKER);
    CHECK_STR(out, "");
}

SUITE_MAIN("marker", TEST(marks_both_ends_where_extrae_takes_pairs),
           TEST(marks_both_ends_where_it_takes_one_at_a_time), TEST(does_nothing_without_extrae))
