/* tests/apps/mining/test_paraver_mining.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "mining/inputs.h"
#include "mining/paraver.h"

#include "check.h"
#include "sim/unit.h"

#include <glib/gstdio.h>

#define HEAD "#Paraver (20/11/2025 at 09:00):900000000_ns:1(2):1:2(1:1,1:1),1\n"

static const char PCF[] = "DEFAULT_OPTIONS\n\nLEVEL THREAD\n\nSTATES\n0    Idle\n1    Running\n"
                          "41   Detour\n\nSTATES_COLOR\n1    {0,0,255}\n\nEVENT_TYPE\n"
                          "9    50000001    MPI Point-to-point\nVALUES\n0    End\n1    MPI_Send\n"
                          "2    MPI_Recv\n\nEVENT_TYPE\n9    50000002    MPI Collective Comm\n"
                          "9    50000003    MPI Other\nVALUES\n8    MPI_Barrier\n31   MPI_Init\n";

/* What the miner finds, or NULL with an error. */
static noise_miner_report *mined(const char *text, const char *pcf, const char *row,
                                 GPtrArray *notes, GError **error)
{
    noise_miner_options options;
    noise_miner_options_init(&options, NOISE_MINER_MODERN);
    options.tick = SIM_NS;
    g_autoptr(noise_miner) miner = noise_miner_new(&options);
    return app_paraver_mine_text("t.prv", text, strlen(text), pcf, row, miner, notes, error)
               ? noise_miner_report_new(miner)
               : NULL;
}

static uint64_t events_of(const noise_miner_report *report, const char *name)
{
    uint64_t n = 0;
    for (size_t i = 0; i < report->num_types; i++) {
        n += g_strcmp0(report->types[i].name, name) == 0 ? report->types[i].events : 0;
    }
    return n;
}

/* Task 1 sends 8 bytes to task 2 every ms, which takes 2 us, but 6 ms at every 25th. */
static char *slow_sends(void)
{
    GString *text = g_string_new(HEAD);
    uint64_t at = 0;
    for (int i = 0; i < 100; i++) {
        const uint64_t leave = at + (i % 25 == 24 ? 6002000 : 2000);
        g_string_append_printf(text, "2:1:1:1:1:%" PRIu64 ":50000001:1\n", at);
        g_string_append_printf(
            text, "3:1:1:1:1:%" PRIu64 ":%" PRIu64 ":2:1:2:1:%" PRIu64 ":%" PRIu64 ":8:7\n", at,
            leave, leave, leave);
        g_string_append_printf(text, "2:1:1:1:1:%" PRIu64 ":50000001:0\n", leave);
        at = leave + 1000000;
    }
    return g_string_free(text, FALSE);
}

static void a_slow_send_is_found_inside_its_call(void)
{
    g_autofree char *text = slow_sends();
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_miner_report) report = mined(text, PCF, NULL, notes, &error);
    if (!CHECK(report != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    CHECK_I64(events_of(report, "MPI_Send <= 8 B to rank+1"), 100);
    CHECK_I64(events_of(report, "MPI_Send <= 8 B .. MPI_Send <= 8 B"), 99);
    CHECK_I64(report->num_rows, 1);
    CHECK(report->num_rows == 1 && report->rows[0].count == 4);
    CHECK_I64(report->num_rows == 1 ? report->rows[0].t_noise : 0, 6 * SIM_MS);
    CHECK_I64(notes->len, 0);
}

/* Nobody knows how long it waited for others; and what was written out is no computation. */
static void calls_that_may_wait_are_ends_of_computations(void)
{
    static const char text[] = HEAD "2:1:1:1:1:0:50000003:31\n2:1:1:1:1:1000:50000003:0\n"
                                    "2:1:1:1:1:2000:50000001:2\n2:1:1:1:1:5000:50000001:0\n"
                                    "2:1:1:1:1:6000:50000002:8\n2:1:1:1:1:9000:50000002:0\n"
                                    "2:1:1:1:1:9500:40000003:1\n2:1:1:1:1:9900:40000003:0\n"
                                    "2:1:1:1:1:10000:50000002:8\n2:1:1:1:1:11000:50000002:0\n";
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(noise_miner_report) report = mined(text, PCF, NULL, notes, NULL);
    if (!CHECK(report != NULL)) {
        return;
    }
    CHECK_I64(report->events, 2);
    CHECK_I64(events_of(report, "MPI_Init .. MPI_Recv"), 1);
    CHECK_I64(events_of(report, "MPI_Recv .. MPI_Barrier"), 1);
}

static void without_names_only_computations_are_mined(void)
{
    g_autofree char *text = slow_sends();
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(noise_miner_report) report = mined(text, NULL, NULL, notes, NULL);
    if (!CHECK(report != NULL)) {
        return;
    }
    CHECK_I64(report->events, 99);
    CHECK_I64(notes->len, 1);
}

/* 300 us of work, in which every third time 50 us are stolen. */
static char *stretches(void)
{
    GString *text = g_string_new(HEAD);
    uint64_t at = 0;
    for (int i = 0; i < 60; i++) {
        const uint64_t half = at + 100000;
        const uint64_t again = half + (i % 3 == 0 ? 50000 : 0);
        g_string_append_printf(text, "1:1:1:1:1:%" PRIu64 ":%" PRIu64 ":1\n", at, half);
        if (again > half) {
            g_string_append_printf(text, "1:1:1:1:1:%" PRIu64 ":%" PRIu64 ":41\n", half, again);
        }
        g_string_append_printf(text, "1:1:1:1:1:%" PRIu64 ":%" PRIu64 ":1\n", again,
                               again + 200000);
        at = again + 300000; /* waits */
        g_string_append_printf(text, "1:1:1:1:1:%" PRIu64 ":%" PRIu64 ":3\n", again + 200000, at);
    }
    return g_string_free(text, FALSE);
}

static void what_was_stolen_of_a_stretch_is_known(void)
{
    g_autofree char *text = stretches();
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(noise_miner_report) report =
        mined(text, PCF, "LEVEL THREAD SIZE 2\nrank 7\nrank 3\n", notes, NULL);
    if (!CHECK(report != NULL)) {
        return;
    }
    CHECK_I64(events_of(report, "Running"), 60);
    CHECK_I64(report->num_rows, 1);
    CHECK(report->num_rows == 1 && report->rows[0].count == 20 &&
          report->rows[0].t_noise == 50 * SIM_US);
    CHECK(report->num_rows == 1 && report->rows[0].num_ranges == 1 &&
          report->rows[0].ranks[0][0] == 7);
    /* By another name, 41 is nothing that is known. */
    g_autoptr(noise_miner_report) other = mined(text, "STATES\n41   Mine\n", NULL, notes, NULL);
    if (!CHECK(other != NULL)) {
        return;
    }
    CHECK_I64(events_of(other, "state 1"), 60);
}

static void faults_are_named_by_line_and_value(void)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {"", "t.prv:1: not the header of a Paraver trace"},
        {HEAD "2:1:1:9:1:0:50000003:31\n", "t.prv:2: a CPU, application, task or thread"},
        {HEAD "2:1:1:1:1:5:50000003:31\n2:1:1:1:1:4:50000003:0\n", "t.prv:3: out of order"},
        {HEAD "2:1:1:1:1:x:50000003:31\n", "t.prv:2: not a number in range at 'x:50000003:31'"},
        {HEAD "1:1:1:1:1:0:5:3\n1:1:1:2:1:0:5:3\n", "t.prv: no two calls of MPI of one thread"},
        {"#Paraver (x):1_ns:1(1):1:1(9999999:1)\n1:1:1:1:1:0:1:1\n",
         "t.prv:1: '9999999' threads, but no more than 1 records"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_miner_report) report = mined(rows[i].text, NULL, NULL, notes, &error);
        CHECK(report == NULL, "row %zu", i);
        CHECK(error != NULL && strstr(error->message, rows[i].want) != NULL, "row %zu: %s", i,
              error != NULL ? error->message : "");
    }
}

static void files_are_known_by_their_first_line(void)
{
    char *folder = g_dir_make_tmp("ripple-prv-XXXXXX", NULL);
    static const struct {
        const char *text;
        sim_time tick;
        bool is_one;
    } rows[] = {
        {HEAD, SIM_NS, true},
        {"#Paraver (20/11/2025 at 09:00):900:1(2):1:1(1:1)\n", SIM_US, true},
        {"#Parameter\n", 0, false},
        {"", 0, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = g_build_filename(folder, "any", NULL);
        CHECK(g_file_set_contents(path, rows[i].text, -1, NULL));
        const app_mine_input *input = app_mine_input_find(path);
        CHECK(app_paraver_probe(path) == rows[i].is_one, "row %zu", i);
        CHECK((input != NULL) == rows[i].is_one, "row %zu", i);
        CHECK_I64(app_paraver_tick(path), rows[i].tick, "row %zu", i);
        (void)g_unlink(path);
    }
    (void)g_rmdir(folder);
    g_free(folder);
}

SUITE_MAIN("paraver_mining", TEST(a_slow_send_is_found_inside_its_call),
           TEST(calls_that_may_wait_are_ends_of_computations),
           TEST(without_names_only_computations_are_mined),
           TEST(what_was_stolen_of_a_stretch_is_known), TEST(faults_are_named_by_line_and_value),
           TEST(files_are_known_by_their_first_line))
