/* tests/noise/switches/test_cpu_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/cpu_file.h"

#include <stdlib.h>

/* Two CPUs: thread 7 from 100 to 200 on CPU 0, idle until 300; a thread that began on CPU 3. */
static GArray *example(void)
{
    static const noise_switch SLICES[] = {
        {.out = 100, .in = 200, .next_tid = 7},
        {.out = 200, .in = 300, .next_tid = NOISE_SWITCH_IDLE, .preempted = true},
    };
    static const noise_switch_name NAME = {
        .when = 150, .pid = 9, .tid = 10, .parent = 7, .by = 7, .name = "cc1"};
    GArray *all = noise_cpu_slices_new();
    const noise_cpu_slices cpus[] = {
        {.cpu = 0, .n = 2, .slice = g_memdup2(SLICES, sizeof SLICES)},
        {.cpu = 3, .lost = 5, .num_names = 1, .name = g_memdup2(&NAME, sizeof NAME)},
    };
    g_array_append_vals(all, cpus, 2);
    return all;
}

static char *bytes_of(const GArray *cpus, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    noise_cpu_file_write("a-boot", cpus, out);
    CHECK(fclose(out) == 0);
    char *copy = g_memdup2(text, *size);
    free(text); /* NOLINT: open_memstream() allocates it */
    return copy;
}

static void what_is_written_is_read(void)
{
    g_autoptr(GArray) cpus = example();
    size_t size = 0;
    g_autofree char *bytes = bytes_of(cpus, &size);
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_cpu_log) log = noise_cpu_file_parse("f", bytes, size, &error);
    if (!CHECK(log != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    CHECK_STR(log->boot_id, "a-boot");
    CHECK_I64(log->cpus->len, 2);
    const noise_cpu_slices *s = &g_array_index(log->cpus, noise_cpu_slices, 0);
    CHECK_I64(s->n, 2);
    CHECK_I64(s->slice[0].next_tid, 7);
    CHECK(s->slice[1].out == 200 && s->slice[1].in == 300 && s->slice[1].preempted);
    CHECK(s->slice[1].next_tid == NOISE_SWITCH_IDLE);
    CHECK_I64(s[1].cpu, 3);
    CHECK_I64(s[1].lost, 5);
    CHECK_I64(s[1].num_names, 1);
    CHECK_STR(s[1].name[0].name, "cc1");
    CHECK(s[1].name[0].pid == 9 && s[1].name[0].tid == 10 && s[1].name[0].by == 7);
    g_autofree char *again = bytes_of(log->cpus, &size);
    CHECK(memcmp(again, bytes, size) == 0);
}

/* Offsets: 72 bytes of head, 32 of a CPU, 24 of a slice, 40 of a name. */
static void damage_is_refused(void)
{
    enum { HEAD = 72, CPU = 32, SLICE = 24, SECOND = HEAD + CPU + 2 * SLICE };
    static const struct {
        size_t at;
        uint8_t flip;
        const char *want;
    } ROWS[] = {
        {0, 1, "no record of CPUs"},
        {8, 2, "another version"},
        {20, 1, "another version"},
        {71, 1, "head"},
        {HEAD + 17, 1, "was cut"},
        {HEAD + CPU + 9, 0x40, "record 1 of CPU 0"},
        {HEAD + CPU + SLICE + 20, 2, "record 1 of CPU 0"},
        {SECOND, 3, "do not ascend"},
        {SECOND + CPU + 39, 1, "name 0 of CPU 3"},
        {28, 3, "more than its record"},
    };
    g_autoptr(GArray) cpus = example();
    size_t size = 0;
    g_autofree char *bytes = bytes_of(cpus, &size);
    CHECK_I64(size, SECOND + CPU + 40);
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autofree uint8_t *damaged = g_memdup2(bytes, size);
        damaged[ROWS[i].at] ^= ROWS[i].flip;
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_cpu_log) log = noise_cpu_file_parse("f", damaged, size, &error);
        CHECK(log == NULL, "row %zu", i);
        CHECK_ERROR(error, ROWS[i].want);
    }
    for (size_t cut = 0; cut < size; cut++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_cpu_log) log = noise_cpu_file_parse("f", bytes, cut, &error);
        CHECK(log == NULL, "%zu bytes", cut);
        CHECK_ERROR(error, "was cut");
    }
}

SUITE_MAIN("cpu_file", TEST(what_is_written_is_read), TEST(damage_is_refused))
