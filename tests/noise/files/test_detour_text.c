/* tests/noise/files/test_detour_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/detour_file.h"

#include <assert.h>
#include <json-glib/json-glib.h>
#include <string.h>

static sim_time START[] = {5, 1000000000000, 1000000001001};
static sim_time LENGTH[] = {1000, 999, 1234567};
static uint16_t SOURCE[] = {1, 0, 1};
static char TICK[] = "tick", INTERRUPT[] = "interrupt", CRON[] = "cron \"x\"",
            SCHEDULER[] = "scheduler", SWITCHES[] = "12 switches", SELFISH[] = "selfish",
            HOST[] = "n1", JSON[] = "{\"clock\": \"tsc\", \"cpus\": [{\"t_min_ns\": 10}]}";
static noise_detour_source SOURCES[] = {{TICK, INTERRUPT, NULL}, {CRON, SCHEDULER, SWITCHES}};

static noise_detour_file file_of(noise_detour_run *run)
{
    return (noise_detour_file){.num_runs = 1,
                               .runs = run,
                               .num_sources = 2,
                               .sources = SOURCES,
                               .method = SELFISH,
                               .json = JSON,
                               .host = HOST};
}

static noise_detour_run run_of(void)
{
    return (noise_detour_run){.n = 3,
                              .start = START,
                              .length = LENGTH,
                              .source = SOURCE,
                              .period = 2000000000007,
                              .node = 2,
                              .cpu = 7};
}

static void what_is_written_reads_back_exactly(void)
{
    noise_detour_run run = run_of();
    const noise_detour_file file = file_of(&run);
    g_autofree char *text = noise_detour_file_to_text(&file, true);
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_detour_file) got = noise_detour_file_parse("x", text, strlen(text), &error);
    CHECK(error == NULL, "%s", error != NULL ? error->message : "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(got);
    assert(got != NULL); /* for the analyzer */
    CHECK_I64(got->num_runs, 1);
    CHECK_I64(got->runs[0].n, 3);
    CHECK_I64(got->runs[0].period, run.period);
    CHECK_I64(got->runs[0].node, 2);
    CHECK_I64(got->runs[0].cpu, 7);
    for (size_t i = 0; i < 3; i++) {
        CHECK_I64(got->runs[0].start[i], START[i]);
        CHECK_I64(got->runs[0].length[i], LENGTH[i]);
        CHECK_I64(got->runs[0].source[i], SOURCE[i]);
    }
    CHECK_STR(got->sources[1].name, "cron \"x\"");
    CHECK_STR(got->sources[1].kind, "scheduler");
    CHECK_STR(got->sources[1].evidence, "12 switches");
    CHECK_STR(got->method, "selfish");
    CHECK_STR(got->host, "n1");
    CHECK(strstr(got->json, "\"t_min_ns\":10") != NULL, "what the header said stays: %s",
          got->json);
    g_autofree char *again = noise_detour_file_to_text(got, true);
    CHECK_STR(again, text);
}

static void undivided_text_is_what_others_read(void)
{
    noise_detour_run run = run_of();
    const noise_detour_file file = file_of(&run);
    g_autofree char *text = noise_detour_file_to_text(&file, false);
    CHECK(strstr(text, "\n0.005\t1.000\n") != NULL, "%s", text);
    CHECK(strstr(text, "sources") == NULL, "%s", text);
    CHECK(strstr(text, "# Measurement period: 2.000000000007 s\n") != NULL, "%s", text);
}

static void parts_are_what_the_whole_holds(void)
{
    noise_detour_run run = run_of();
    const noise_detour_file file = file_of(&run);
    g_autofree char *text = noise_detour_file_to_text(&file, true);
    g_autoptr(GString) lines = g_string_new(NULL);
    noise_detour_run_append_lines(lines, &run);
    CHECK_STR(lines->str, "0.005\t1.000\t1\n1000000000.000\t0.999\t0\n"
                          "1000000001.001\t1234.567\t1\n");
    CHECK(strstr(text, lines->str) != NULL);
    g_autofree char *json = noise_detour_sources_to_json(SOURCES, 2);
    CHECK(strstr(text, json) != NULL, "%s in %s", json, text);
    g_autoptr(JsonNode) node = json_from_string(json, NULL);
    CHECK(node != NULL && JSON_NODE_HOLDS_ARRAY(node));
}

SUITE_MAIN("detour_text", TEST(what_is_written_reads_back_exactly),
           TEST(undivided_text_is_what_others_read), TEST(parts_are_what_the_whole_holds))
