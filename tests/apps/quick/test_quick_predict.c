/* tests/apps/quick/test_quick_predict.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "knockout/knockout_findings.h"
#include "options/machine_options.h"
#include "quick/quick_predict.h"

static const uint32_t SIZES[] = {64, 256, 1024};

/* Sizes and knock-out of an allreduce under @p noise within @p seconds. The prediction may be
 * looked at by @p look: what it borrows is gone afterwards. */
static void predict(const char *text, bool invalid, double seconds,
                    void (*look)(const app_quick_prediction *))
{
    char *argv[] = {NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(app_manifest) manifest = app_manifest_new("test", argv);
    const app_program_options program = {0};
    const app_machine_options options = {0};
    g_autoptr(app_source) source =
        app_source_open("collective:allreduce:8B", &program, false, manifest, &error);
    g_assert_no_error(error);
    g_autoptr(sim_machine) machine = app_machine_options_resolve(&options, manifest, &error);
    g_assert_no_error(error);
    g_auto(app_noise) noise = {.signature = noise_signature_parse(text, 1, &error),
                               .cosched = true,
                               .replicas = 10,
                               .invalid = invalid};
    g_assert_no_error(error);
    const app_experiment x = {.source = source,
                              .sizes = SIZES,
                              .num_sizes = G_N_ELEMENTS(SIZES),
                              .params = &machine->params,
                              .noise = &noise,
                              .seed = 1,
                              .threads = 2,
                              .verb = "test",
                              .quiet = true};
    g_auto(app_quick_prediction) prediction = {0};
    CHECK(app_quick_predict(&x, seconds, &prediction, &error));
    g_assert_no_error(error);
    look(&prediction);
}

#define TWO "fixed:1kHz:30us+fixed:100Hz:300us"

static void look_at_all(const app_quick_prediction *p)
{
    CHECK_I64(p->results->num_left_out, 0);
    CHECK_I64(p->results->num_series, 9);
    if (!CHECK(p->knockout != NULL) || !CHECK_I64(p->knockout->num_tables, 3)) {
        return;
    }
    for (size_t t = 0; t < 3; t++) {
        const app_knockout_table *table = &p->knockout->tables[t];
        CHECK(table->all == &p->results->series[3 * t + APP_UNSYNCHRONIZED], "size %zu", t);
        CHECK_I64(table->all->ranks, SIZES[t]);
        CHECK_I64(table->num_gains, 2);
        CHECK_NEAR(table->slowdown.mean, table->all->slowdown.mean, 1e-9);
    }
    /* The long one takes as much of the time; of one allreduce it costs more. */
    const app_knockout_table *last = &p->knockout->tables[2];
    CHECK_STR(p->knockout->parts[last->gains[0].component].name, "fixed:100Hz:300us");
    g_auto(GStrv) said = app_knockout_conclusions(p->knockout);
    CHECK(g_str_has_prefix(said[0], "What to switch off first, unsynchronized, at 1,024 ranks: "
                                    "fixed:100Hz:300us") ||
              g_str_has_prefix(said[0], "What to switch off first, unsynchronized, at 1Ki ranks: "
                                        "fixed:100Hz:300us"),
          "%s", said[0]);
}

static void with_time_all_sizes_are_there_and_their_knockout(void)
{
    predict(TWO, false, 1e6, look_at_all);
}

static void look_at_one(const app_quick_prediction *p)
{
    CHECK_I64(p->results->num_left_out, 2);
    CHECK_I64(p->results->num_series, 3);
    CHECK(p->knockout != NULL && p->knockout->num_tables == 1);
}

static void without_time_the_smallest_size_is_there_and_its_knockout(void)
{
    predict(TWO, false, 0, look_at_one);
    predict(TWO, false, -3, look_at_one); /* measuring has taken all of it, and more */
}

static void look_at_none(const app_quick_prediction *p)
{
    CHECK(p->results != NULL);
    CHECK(p->knockout == NULL);
}

static void without_noise_nothing_can_be_left_out(void)
{
    predict("none", false, 1e6, look_at_none);
}

static void look_at_invalid(const app_quick_prediction *p)
{
    g_auto(GStrv) said = app_knockout_conclusions(p->knockout);
    CHECK_STR(said[0],
              "What to switch off first: no conclusion, as the measurement of the noise is "
              "not valid.");
    CHECK(said[1] == NULL);
}

static void of_an_invalid_measurement_nothing_is_concluded(void)
{
    predict(TWO, true, 0, look_at_invalid);
}

SUITE_MAIN("quick_predict", TEST(with_time_all_sizes_are_there_and_their_knockout),
           TEST(without_time_the_smallest_size_is_there_and_its_knockout),
           TEST(without_noise_nothing_can_be_left_out),
           TEST(of_an_invalid_measurement_nothing_is_concluded))
