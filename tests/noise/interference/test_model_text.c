/* tests/noise/interference/test_model_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "interference_models.h"
#include "noise/interference_file.h"

#include "check.h"
#include <glib/gstdio.h>

static noise_interference_model *full_model(void)
{
    static const uint32_t lengths[] = {40, 3};
    noise_interference_model *m = some_model(NOISE_REFERENCE_CLEAN, lengths, 2, 2, 3500);
    m->rule = NOISE_LEARNED_CLEAN;
    m->match = 2;
    m->seed = 0xfedcba9876543210;
    m->coverage = 0.9;
    m->least_coverage = 0.1 + 0.2;
    m->how = strdup("--ref=clean");
    m->runs = calloc(2, sizeof *m->runs);
    m->num_runs = 2;
    m->runs[0] = (noise_interference_run){NOISE_RUN_CLEAN, strdup("a run/with a space")};
    m->runs[1] = (noise_interference_run){NOISE_RUN_DISTURBED, strdup("")};
    m->sequences[1].misaligned = true;
    m->rows[1] = (noise_interference_row){.k = NOISE_INTERFERENCE_K_MOST,
                                          .count = 1000,
                                          .exceeded = 3,
                                          .mean = INT64_MAX / 4,
                                          .deviation = 17,
                                          .centre = 5,
                                          .residual = 2,
                                          .peak = 2500,
                                          .has_cpu = true,
                                          .off = 11,
                                          .off_deviation = 12,
                                          .off_peak = 13,
                                          .num_course = 20};
    m->rows[1].course = calloc(20, sizeof(sim_time));
    m->rows[1].course[19] = 19;
    return m;
}

static char *text_of(const noise_interference_model *m, size_t *size)
{
    char *text = noise_interference_model_text(m, size);
    CHECK(text != NULL);
    return text;
}

static void what_is_written_is_read_again(void)
{
    noise_interference_model *m = full_model();
    size_t size = 0, size2 = 0;
    char *text = text_of(m, &size);
    noise_interference_error error = {{0}};
    noise_interference_model *again = noise_interference_model_parse("m", text, size, &error);
    if (CHECK(again != NULL, "%s", error.text)) {
        char *text2 = text_of(again, &size2);
        CHECK_STR(text2, text);
        CHECK_I64(again->num_ranks, 2);
        CHECK_I64(again->rows[1].course[19], 19);
        CHECK_I64(again->rows[1].mean, INT64_MAX / 4);
        CHECK(!again->rows[1].used && again->rows[0].used);
        CHECK(again->rows[1].has_cpu && !again->rows[0].has_cpu);
        CHECK_I64(again->rows[1].off, 11);
        CHECK_I64(again->rows[1].off_deviation, 12);
        CHECK_I64(again->rows[1].off_peak, 13);
        CHECK(again->least_coverage == 0.1 + 0.2, "to the last bit");
        CHECK_I64(again->seed, 0xfedcba9876543210);
        CHECK_STR(again->runs[0].name, "a run/with a space");
        CHECK(again->sequences[1].misaligned);
        CHECK(again->checksum != 0);
        noise_sequences *sequences = noise_interference_model_sequences(again);
        CHECK_I64(noise_sequences_num(sequences), 2);
        CHECK_I64(noise_sequences_at(sequences, 0)->length, 40);
        CHECK_I64(noise_sequences_at(sequences, 0)->symbol[39], 7);
        CHECK(noise_sequences_at(sequences, 1)->misaligned);
        noise_sequences_free(sequences);
        free(text2);
    }
    noise_interference_model_free(again);
    free(text);
    noise_interference_model_free(m);
}

/* Every byte cut off, and every byte changed: never taken, never a crash, always file and line. */
static void every_damage_is_refused(void)
{
    noise_interference_model *m = full_model();
    size_t size = 0;
    char *text = text_of(m, &size);
    for (size_t i = 0; i + 1 < size; i++) { /* without the last newline it is whole */
        noise_interference_error error = {{0}};
        CHECK(noise_interference_model_parse("m", text, i, &error) == NULL, "cut to %zu", i);
        CHECK(g_str_has_prefix(error.text, "m:"), "%s", error.text);
        for (unsigned bit = 0; bit < 8; bit++) {
            text[i] = (char)(text[i] ^ (1 << bit));
            noise_interference_model *taken =
                noise_interference_model_parse("m", text, size, &error);
            CHECK(taken == NULL, "byte %zu, bit %u", i, bit);
            CHECK(g_str_has_prefix(error.text, "m:"), "%s", error.text);
            noise_interference_model_free(taken);
            text[i] = (char)(text[i] ^ (1 << bit));
        }
    }
    free(text);
    noise_interference_model_free(m);
}

static void damage_is_named(void)
{
    static const struct {
        const char *from, *to, *why;
    } row[] = {
        {"model 2", "model 1",
         "m:1: a model of another version, to be learned anew (this is version 2): \"1\""},
        {" 2500 cpu", " 2500 gpu", "unknown word \"gpu\""},
        {"cpu 11 12", "cpu 11 -2", "not a whole number: \"-2\""},
        {"reference clean", "reference sunny", "m:4: unknown word \"sunny\""},
        {"filter-ps 500000000", "filter-ps -5", "m:7: not a whole number: \"-5\""},
        {"filter-ps 500000000", "filter-ps 99999999999999999999",
         "m:7: not a whole number: \"99999999999999999999\""},
        {"coverage 0.9", "coverage 1.5", "m:10: not a share from 0 to 1: \"1.5\""},
        {"coverage 0.9", "coverage nan", "m:10: not a share from 0 to 1: \"nan\""},
        {"runs 2", "runs 3", "m:17: expected run, not \"calls\""},
        {"calls 1", "calls 4000000000", "more than the file can hold: \"4000000000\""},
        {"sequence aligned 40", "sequence aligned 39", "too much at the end of the line: \"0\""},
        {"sequence aligned 40", "sequence aligned 0", "a sequence of no calls \"0\""},
        {"0 0 0\n", "0 1 0\n", "out of range: \"1\""},
        {"row 0 1", "row 1 1", "expected 0, not \"1\""},
        {"ranks 2", "ranks 60000", "more than the file can hold: \"60000\""},
        {"1000 3", "1000 1001", "out of range: \"1001\""},
        {"--ref=clean", "--ref=Clean", "the file has been changed: its checksum is "},
        {"how ", "how\t", "expected how, not \"how?--ref=clean\""},
    };
    noise_interference_model *m = full_model();
    size_t size = 0;
    char *text = text_of(m, &size);
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const char *at = strstr(text, row[i].from);
        if (!CHECK(at != NULL, "%s", row[i].from)) {
            continue;
        }
        g_autofree char *bad = g_strdup_printf("%.*s%s%s", (int)(at - text), text, row[i].to,
                                               at + strlen(row[i].from));
        noise_interference_error error = {{0}};
        CHECK(noise_interference_model_parse("m", bad, strlen(bad), &error) == NULL);
        CHECK(strstr(error.text, row[i].why) != NULL, "%s: %s", row[i].to, error.text);
    }
    free(text);
    noise_interference_model_free(m);
}

static void it_is_saved_whole_or_not_at_all(void)
{
    noise_interference_model *m = full_model();
    g_autofree char *folder = g_dir_make_tmp("ripple-model-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "m.model", NULL);
    g_autofree char *nowhere = g_build_filename(folder, "none", "m.model", NULL);
    g_autoptr(GError) error = NULL;
    CHECK(noise_interference_model_open(path, &error) == NULL);
    CHECK_ERROR(error, "m.model: No such file or directory");
    g_clear_error(&error);
    CHECK(!noise_interference_model_save(m, nowhere, &error));
    CHECK_ERROR(error, "none");
    g_clear_error(&error);
    CHECK(noise_interference_model_save(m, path, &error));
    noise_interference_model *again = noise_interference_model_open(path, &error);
    CHECK(again != NULL && again->num_calls == 1);
    noise_interference_model_free(again);
    noise_interference_model_free(m);
    g_remove(path);
    g_rmdir(folder);
}

SUITE_MAIN("model_text", TEST(what_is_written_is_read_again), TEST(every_damage_is_refused),
           TEST(damage_is_named), TEST(it_is_saved_whole_or_not_at_all))
