/* tests/noise/switches/test_switch_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/switch_file.h"

typedef struct file {
    noise_switch_header header;
    noise_switch_record record[4];
} file;

static file example(void)
{
    file f = {
        .header = {.version = NOISE_SWITCH_VERSION,
                   .header_bytes = sizeof(noise_switch_header),
                   .record_bytes = sizeof(noise_switch_record),
                   .rank = 3,
                   .num_ranks = 8,
                   .pid = 70,
                   .tid = 70,
                   .is_whole = 1,
                   .begin = {100, 1000},
                   .end = {900, 1800},
                   .init_enter = 90,
                   .host = "n0",
                   .allowed = {1U << 5}},
        .record = {{500, 600, 5, 5, 70, 1},
                   {510, 520, 1, 1, 71, 0},
                   {200, 300, 5, 5, 70, 0},
                   {600, 650, 5, 5, 70, 1}},
    };
    memcpy(f.header.magic, NOISE_SWITCH_MAGIC, sizeof f.header.magic);
    return f;
}

static void records_come_by_thread_and_time(void)
{
    static const uint64_t OUT[] = {200, 500, 600, 510};
    const file f = example();
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_switch_log) log = noise_switch_log_parse("f", &f, sizeof f, &error);
    if (!CHECK(log != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    CHECK_I64(log->n, 4);
    for (size_t i = 0; i < log->n; i++) {
        CHECK_I64(log->record[i].out, OUT[i], "record %zu", i);
    }
    CHECK_STR(log->header.host, "n0");
    CHECK(noise_switch_log_is_bound(log, 5));
    CHECK(!noise_switch_log_is_bound(log, 4));
}

static void a_killed_rank_leaves_what_is_whole(void)
{
    file f = example();
    f.header.is_whole = 0;
    f.header.end.monotonic = 0;
    g_autoptr(noise_switch_log) log = noise_switch_log_parse("f", &f, sizeof f - 5, NULL);
    if (CHECK(log != NULL)) {
        CHECK_I64(log->n, 3);
        CHECK_I64(log->header.end.monotonic, 600);
    }
}

static void damage_is_refused(void)
{
    static const struct {
        size_t at;
        uint8_t flip;
        const char *want;
    } ROWS[] = {
        {0, 1, "no record of context switches"},
        {offsetof(file, header.version), 2, "another version"},
        {offsetof(file, header.record_bytes), 1, "another version"},
        {offsetof(file, header.rank), 8, "header"},
        {offsetof(file, header.host) + 63, 1, "header"},
        {offsetof(file, header.begin) + 7, 0x80, "header"},
        {offsetof(file, record[1].in) + 1, 2, "context switch 1 ends before"},
        {offsetof(file, record[1].preempted), 2, "context switch 1"},
        {offsetof(file, record[1].tid), 1, "thread 70 was off the CPU twice"},
        {offsetof(file, record[3].in) + 2, 2, "after the end"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        file f = example();
        ((uint8_t *)&f)[ROWS[i].at] ^= ROWS[i].flip;
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_switch_log) log = noise_switch_log_parse("f", &f, sizeof f, &error);
        CHECK(log == NULL, "row %zu", i);
        CHECK_ERROR(error, ROWS[i].want);
    }
    const file f = example();
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_switch_log) log = noise_switch_log_parse("f", &f, sizeof f - 5, &error);
    CHECK(log == NULL);
    CHECK_ERROR(error, "was cut");
}

SUITE_MAIN("switch_file", TEST(records_come_by_thread_and_time),
           TEST(a_killed_rank_leaves_what_is_whole), TEST(damage_is_refused))
