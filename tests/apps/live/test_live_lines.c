/* tests/apps/live/test_live_lines.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "live/live_lines.h"
#include "sim/time.h"

#include <stdlib.h>

/* Two sequences: three calls, and one alone. */
static noise_interference_model *model(void)
{
    static const char *const NAMES[] = {"MPI_Irecv from rank-1", "MPI_Send to rank+1",
                                        "MPI_Waitall"};
    noise_interference_model *m = noise_interference_model_new();
    m->num_calls = G_N_ELEMENTS(NAMES);
    m->calls = calloc(m->num_calls, sizeof *m->calls);
    for (uint32_t i = 0; i < m->num_calls; i++) {
        m->calls[i] = (noise_interference_call){.symbol = i, .name = strdup(NAMES[i])};
    }
    m->num_sequences = 2;
    m->sequences = calloc(2, sizeof *m->sequences);
    for (uint32_t i = 0; i < 2; i++) {
        m->sequences[i].length = i == 0 ? 3 : 1;
        m->sequences[i].calls = calloc(3, sizeof *m->sequences[i].calls);
        for (uint32_t k = 0; k < 3; k++) {
            m->sequences[i].calls[k] = k + i;
        }
    }
    return m;
}

static void collect(void *to, const char *line)
{
    g_string_append(to, line);
    g_string_append_c(to, '\n');
}

typedef struct told {
    noise_interference_change change;
    uint32_t rank, sequence;
    noise_interference_kind kind;
    sim_time when, noticed, lost; /* ms */
} told;

static char *lines_of(const told *events, size_t n)
{
    noise_interference_model *m = model();
    GString *text = g_string_new("");
    g_autoptr(app_live_lines) lines = app_live_lines_new(m, collect, text);
    for (size_t i = 0; i < n; i++) {
        const noise_interference_event e = {.change = events[i].change,
                                            .kind = events[i].kind,
                                            .rank = events[i].rank,
                                            .sequence = events[i].sequence,
                                            .when = events[i].when * SIM_MS,
                                            .noticed = events[i].noticed * SIM_MS,
                                            .lost = events[i].lost * SIM_MS};
        app_live_lines_tell(lines, &e);
    }
    noise_interference_model_free(m);
    return g_string_free(text, FALSE);
}

static void a_rank_has_one_line_however_many_of_its_sequences_are_disturbed(void)
{
    static const told EVENTS[] = {
        {NOISE_INTERFERENCE_BEGAN, 5, 0, NOISE_INTERFERENCE_DISTURBED, 3000, 3200, 90},
        {NOISE_INTERFERENCE_BEGAN, 5, 1, NOISE_INTERFERENCE_DISTURBED, 3010, 3300, 80},
        {NOISE_INTERFERENCE_BEGAN, 0, 1, NOISE_INTERFERENCE_DISTURBED, 4000, 4100, 7},
        {NOISE_INTERFERENCE_ENDED, 5, 0, NOISE_INTERFERENCE_DISTURBED, 7000, 7200, 2000},
        {NOISE_INTERFERENCE_ENDED, 5, 1, NOISE_INTERFERENCE_DISTURBED, 7100, 7200, 1500},
        {NOISE_INTERFERENCE_BEGAN, 5, 1, NOISE_INTERFERENCE_DISTURBED, 9000, 9100, 6},
        {NOISE_INTERFERENCE_ENDED, 5, 1, NOISE_INTERFERENCE_DISTURBED, 9500, 9600, 20},
    };
    g_autofree char *text = lines_of(EVENTS, G_N_ELEMENTS(EVENTS));
    CHECK_STR(text,
              "rank 5 looks disturbed since 3s of the run (noticed at 3.2s): 90ms lost by then in "
              "its 3 calls from MPI_Irecv from rank-1 to MPI_Waitall\n"
              "rank 0 looks disturbed since 4s of the run (noticed at 4.1s): 7ms lost by then in "
              "its MPI_Send to rank+1\n"
              "rank 5 looks disturbed no more since 7.1s of the run; it lost 2s\n"
              "rank 5 looks disturbed since 9s of the run (noticed at 9.1s): 6ms lost by then in "
              "its MPI_Send to rank+1\n"
              "rank 5 looks disturbed no more since 9.5s of the run; it lost 20ms\n");
}

static void a_rank_may_be_slower_and_disturbed_at_once(void)
{
    static const told EVENTS[] = {
        {NOISE_INTERFERENCE_BEGAN, 1, 1, NOISE_INTERFERENCE_SLOWER, 1000, 1100, 5},
        {NOISE_INTERFERENCE_BEGAN, 1, 1, NOISE_INTERFERENCE_DISTURBED, 2000, 2100, 6},
        {NOISE_INTERFERENCE_ENDED, 1, 1, NOISE_INTERFERENCE_SLOWER, 3000, 3100, 70},
        {NOISE_INTERFERENCE_ENDED, 1, 1, NOISE_INTERFERENCE_DISTURBED, 4000, 4100, 80},
    };
    g_autofree char *text = lines_of(EVENTS, G_N_ELEMENTS(EVENTS));
    CHECK_STR(text,
              "rank 1 looks slower since 1s of the run (noticed at 1.1s): 5ms more CPU time by "
              "then in its MPI_Send to rank+1\n"
              "rank 1 looks disturbed since 2s of the run (noticed at 2.1s): 6ms lost by then in "
              "its MPI_Send to rank+1\n"
              "rank 1 looks slower no more since 3s of the run; it took 70ms "
              "more CPU time\n"
              "rank 1 looks disturbed no more since 4s of the run; it lost 80ms\n");
}

static void what_comes_again_and_again_is_told_16_times(void)
{
    told events[80];
    for (size_t i = 0; i < G_N_ELEMENTS(events); i++) {
        events[i] = (told){i % 2 == 0 ? NOISE_INTERFERENCE_BEGAN : NOISE_INTERFERENCE_ENDED,
                           1,
                           0,
                           NOISE_INTERFERENCE_DISTURBED,
                           (sim_time)i,
                           (sim_time)i,
                           1};
    }
    g_autofree char *text = lines_of(events, G_N_ELEMENTS(events));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    CHECK_I64(g_strv_length(lines), 16 + 15 + 1); /* the last is empty */
    CHECK(strstr(lines[30], "it is told no more until the end") != NULL, "%s", lines[30]);
    CHECK(strstr(lines[28], "no more until") == NULL, "%s", lines[28]);
}

SUITE_MAIN("live_lines", TEST(a_rank_has_one_line_however_many_of_its_sequences_are_disturbed),
           TEST(a_rank_may_be_slower_and_disturbed_at_once),
           TEST(what_comes_again_and_again_is_told_16_times))
