/* tests/apps/output/test_miner_words.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of when noise came, of clocks that drift, and of what is new in a later table. */
#include "check.h"
#include "output/miner_news.h"
#include "output/miner_when.h"

#include <math.h>
#include <string.h>

static uint32_t RANGES[2][2] = {{3, 3}, {5, 9}};
static char LABEL[] = "rare";

static noise_miner_row row_of(sim_time length, uint64_t count)
{
    return (noise_miner_row){.t_noise = length,
                             .count = count,
                             .num_ranks = 6,
                             .num_ranges = 2,
                             .ranks = RANGES,
                             .ranks_exact = true,
                             .label = LABEL};
}

static noise_miner_report report_of(noise_miner_row *rows, size_t n)
{
    return (noise_miner_report){
        .num_rows = n, .rows = rows, .num_epochs = 8, .epoch = SIM_S, .observed = 8 * SIM_S};
}

static void when_is_said_in_words(void)
{
    static const struct {
        noise_miner_change change;
        const char *words;
    } rows[] = {
        {{NOISE_MINER_NOT_KNOWN, 0, 0, 0, 0, 0, 0}, "-"},
        {{NOISE_MINER_TOO_FEW, 1, 0, 0, 0, 0, 0}, "too few"},
        {{NOISE_MINER_NO_CHANGE, 0.4, 0, 0, 0, 0, 0}, "no change"},
        {{NOISE_MINER_CHANGED, 1e-9, 4, 7, INFINITY, 4 * SIM_S, 8 * SIM_S},
         "from 4s on (epochs 5-8 of 8)"},
        {{NOISE_MINER_CHANGED, 1e-9, 0, 2, 3.21, 0, 3 * SIM_S}, "x3.2 until 3s (epochs 1-3 of 8)"},
        {{NOISE_MINER_CHANGED, 1e-9, 2, 2, 0, 2 * SIM_S, 3 * SIM_S}, "not 2s to 3s (epoch 3 of 8)"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        noise_miner_row row = row_of(SIM_MS, 1);
        row.change = rows[i].change;
        const noise_miner_report report = report_of(&row, 1);
        g_autofree char *words = app_miner_row_when(&report, &row);
        CHECK_STR(words, rows[i].words, "row %zu", i);
    }
}

/* All that is printed to a file, as text. Owned by the caller. */
static char *printed(void (*print)(FILE *, const void *), const void *data)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    print(out, data);
    fclose(out);
    return text;
}

/* Those that are not within quotes. */
static size_t commas(const char *text)
{
    size_t n = 0;
    bool quoted = false;
    for (; *text != '\0' && *text != '\n'; text++) {
        quoted ^= *text == '"';
        n += *text == ',' && !quoted;
    }
    return n;
}

static void print_row_cells(FILE *out, const void *data)
{
    const noise_miner_report *report = data;
    app_miner_when_csv(report, &report->rows[0], out);
}

static void print_drift_cells(FILE *out, const void *data)
{
    app_miner_drifts_csv(data, "", out);
}

static noise_miner_drift drift_of(uint32_t types)
{
    return (noise_miner_drift){.size = 0.15,
                               .low = 0.148,
                               .high = 0.1523,
                               .types = types,
                               .first = 4,
                               .last = 7,
                               .from = 4 * SIM_S,
                               .to = 8 * SIM_S,
                               .num_ranks = 1,
                               .num_ranges = 1,
                               .ranks = RANGES,
                               .ranks_exact = true};
}

static void clocks_are_said_in_words(void)
{
    noise_miner_drift drift = drift_of(5);
    const noise_miner_report report = report_of(NULL, 0);
    g_autofree char *words = app_miner_drift_words(&report, &drift);
    CHECK_STR(words, "clock drift: +15 % (+14.8 .. +15.2) from 4s on (epochs 5-8 of 8), rank 3: a "
                     "step of 5 types of events");
    drift = drift_of(1);
    drift.gradual = true;
    g_autofree char *doubt = app_miner_drift_words(&report, &drift);
    CHECK(strstr(doubt, "in several steps, of one type of events, whose work may have") != NULL,
          "%s", doubt);
}

/* Whatever a row says, it has as many cells; kind to label are 13, and these 5. */
static void lines_of_csv_have_as_many_cells(void)
{
    for (int verdict = NOISE_MINER_NOT_KNOWN; verdict <= NOISE_MINER_CHANGED; verdict++) {
        noise_miner_row row = row_of(SIM_MS, 1);
        row.change = (noise_miner_change){.verdict = (noise_miner_verdict)verdict, .last = 7};
        const noise_miner_report report = report_of(&row, 1);
        char *cells = printed(print_row_cells, &report);
        CHECK_I64(commas(cells), 5, "%s", cells);
        free(cells);
    }
    noise_miner_drift drift = drift_of(5);
    noise_miner_report report = report_of(NULL, 0);
    report.num_drifts = 1;
    report.drifts = &drift;
    char *line = printed(print_drift_cells, &report);
    CHECK_I64(commas(line), 17, "%s", line);
    CHECK(g_str_has_suffix(line, ",4000000000,8000000000,1.15,\n"), "%s", line);
    free(line);
}

typedef struct tables {
    const noise_miner_report *before;
    const noise_miner_report *now;
} tables;

static void print_news(FILE *out, const void *data)
{
    const tables *t = data;
    app_miner_news_print(t->before, t->now, out);
}

static void later_tables_say_what_is_new(void)
{
    noise_miner_row old[] = {row_of(10 * SIM_MS, 4), row_of(SIM_MS, 7)};
    noise_miner_row now[] = {row_of(11 * SIM_MS, 9), row_of(SIM_MS, 7), row_of(SIM_US, 3)};
    old[1].at_least = now[1].at_least = true; /* all of its events are rests */
    old[1].partial = now[1].partial = 7;
    const noise_miner_report before = report_of(old, 2);
    const noise_miner_report after = report_of(now, 3);
    const tables t = {&before, &after};
    char *news = printed(print_news, &t);
    CHECK_STR(news,
              "not once more since the last table: 1ms, 7 times on 6 ranks (the first: 3), rare\n"
              "not in the last table: 1us, 3 times on 6 ranks (the first: 3), rare\n");
    free(news);
    const noise_miner_report first = report_of(now, 1);
    const tables grown = {&before, &first};
    news = printed(print_news, &grown);
    CHECK_STR(news, "nothing new since the last table\n");
    free(news);
}

static void the_same_length_elsewhere_is_new(void)
{
    static uint32_t other[1][2] = {{4, 4}};
    noise_miner_row old[] = {row_of(SIM_MS, 7)};
    noise_miner_row now[] = {row_of(SIM_MS, 8)};
    now[0].ranks = other;
    now[0].num_ranges = now[0].num_ranks = 1;
    const noise_miner_report before = report_of(old, 1);
    const noise_miner_report after = report_of(now, 1);
    const tables t = {&before, &after};
    char *news = printed(print_news, &t);
    CHECK(g_str_has_prefix(news, "not in the last table: 1ms, 8 times on 1 rank (4)"), "%s", news);
    free(news);
}

SUITE_MAIN("miner_words", TEST(when_is_said_in_words), TEST(clocks_are_said_in_words),
           TEST(lines_of_csv_have_as_many_cells), TEST(later_tables_say_what_is_new),
           TEST(the_same_length_elsewhere_is_new))
