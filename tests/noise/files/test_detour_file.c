/* tests/noise/files/test_detour_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "data.h"
#include "noise/detour_file.h"

#include <assert.h>
#include <glib/gstdio.h>

/* Reading @p path must go well. */
static noise_detour_file *must_read(const char *path)
{
    GError *error = NULL;
    noise_detour_file *file = noise_detour_file_read(path, &error);
    CHECK(file != NULL, "%s", error != NULL ? error->message : "");
    g_clear_error(&error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    assert(file != NULL); /* for the analyzer */
    return file;
}

static noise_detour_file *parse(const char *text, GError **error)
{
    return noise_detour_file_parse("x.txt", text, strlen(text), error);
}

/* "start+length ... /period" of each run in ps, runs separated by " | " */
static char *describe(const noise_detour_file *file)
{
    GString *out = g_string_new(NULL);
    for (size_t r = 0; file != NULL && r < file->num_runs; r++) {
        const noise_detour_run *run = &file->runs[r];
        g_string_append(out, r > 0 ? " | " : "");
        for (size_t i = 0; i < run->n; i++) {
            g_string_append_printf(out, "%" PRId64 "+%" PRId64 " ", run->start[i], run->length[i]);
        }
        g_string_append_printf(out, "/%" PRId64, run->period);
    }
    return g_string_free(out, FALSE);
}

static void times_are_exact_and_runs_are_told_apart(void)
{
    static const char *const row[][2] = {
        /* LogGOPSim's two columns, tab or blanks, with or without a last newline */
        {"1000\t50\n2000\t70", "1000000+50000 2000000+70000 /2070000"},
        {"  1000   50 \r\n\r\n2000 70\n", "1000000+50000 2000000+70000 /2070000"},
        /* decimals: exact to the ps, then rounded to nearest */
        {"0.001 1\n", "1+1000 /1001"},
        {"0.0004 1.0005\n", "0+1001 /1001"},
        {"12345678901.123 .5\n", "12345678901123+500 /12345678901623"},
        {"1e3 2.5e+01\n", "1000000+25000 /1025000"},
        {"15e-1 100000000000000000000e-20\n", "1500+1000 /2500"},
        {"1.0000000000000000000000000009 1\n", "1000+1000 /2000"},
        {"1844674407370955.161 1\n", "1844674407370955161+1000 /1844674407370956161"},
        {"99999999999999999999e-10 1\n", "10000000000000+1000 /10000000001000"},
        /* a start of 0 again is another run */
        {"0 1\n5 1\n0 2\n6 2\n", "0+1000 5000+1000 /6000 | 0+2000 6000+2000 /8000"},
        /* stated periods end runs */
        {"0 1\n# Measurement period: 2.00 s\n3 1\n# Measurement period: 3 s\n",
         "0+1000 /2000000000000 | 3000+1000 /3000000000000"},
        /* ... and are rounded to 10 ms: the last detour may end up to 5 ms later */
        {"2004000000 1\n# Measurement period: 2.00 s\n", "2004000000000+1000 /2004000001000"},
        /* a quiet run is a run */
        {"# Time [ns]\tselfish duration [ns]\n# Measurement period: 1 s\n", "/1000000000000"},
        {"1 1\n# Benchmark Method: selfish\n# Time [ns]\n0 2\n", "1000+1000 /2000 | 0+2000 /2000"},
        {"# ripple: {\"cpus\": [{\"duration_ns\": 10}, {\"duration_ns\": 2.5}]}\n0 1\n2 1\n0 1\n",
         "0+1000 2000+1000 /10000 | 0+1000 /2500"},
        /* the line outranks the header */
        {"# ripple: {\"cpus\": [{\"duration_ns\": 10}]}\n0 1\n# Measurement period: 1e-9 s\n",
         "0+1000 /1000"},
        /* rounding to two decimals may let detours overlap by 0.02 ns: they are made to touch */
        {"1.00 2.01\n3.00 1\n", "1000+2010 3010+990 /4000"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_detour_file) file = parse(row[i][0], &error);
        CHECK(error == NULL, "row %zu: %s", i, error != NULL ? error->message : "");
        g_autofree char *got = describe(file);
        CHECK_STR(got, row[i][1], "row %zu", i);
    }
}

static void bad_files_are_refused_by_line_and_value(void)
{
    static const char *const row[][2] = {
        {"", "x.txt:1: there is no detour"},
        {"# only\n# comments\n", "x.txt:2: there is no detour"},
        {"1 1\nabc 1\n", "x.txt:2: the start 'abc' is not a time in ns"},
        {"-1 1\n", "x.txt:1: the start '-1' is not"},
        {"1\n", "x.txt:1: the start '1' is not a time in ns followed by a length"},
        {"1,5 1\n", "x.txt:1: the start '1,5' is not"},
        {"nan 1\n", "x.txt:1: the start 'nan' is not"},
        {"1e99 1\n", "x.txt:1: the start '1e99' is not"},
        {"99999999999999999999 1\n", "x.txt:1: the start '99999999999999999999' is not"},
        {"1e 1\n", "'1e'"},
        {"1e99999999999999999999 1\n", "x.txt:1"},
        {"1 0\n", "x.txt:1: the length '0' is not a time above 0"},
        {"1 0.0004\n", "x.txt:1: the length '0.0004' is not"},
        {"1 -5\n", "x.txt:1: the length '-5' is not"},
        {"1 5 7\n", "x.txt:1: the length '5' is not a time above 0 in ns, alone"},
        {"1 5ns\n", "x.txt:1: the length '5ns'"},
        {"10 5\n14.9 1\n",
         "x.txt:2: the detour at '14.9' overlaps the one before, which ends at 15"},
        {"10 5\n10 5\n", "x.txt:2: the detour at '10' overlaps"},
        {"0 5\n0 5\n", "x.txt:2: the detour at '0' overlaps"},
        {"10 1\n\n9 1\n", "x.txt:3: the detour at '9' is out of order"},
        {"2305843009213693 1e15\n",
         "x.txt:1: the detour at '2305843009213693' ends beyond 26 days"},
        {"1 1\n# Measurement period: soon\n",
         "x.txt:2: the measurement period 'soon' is not a time"},
        {"3e9 1\n# Measurement period: 2.99 s\n",
         "x.txt:2: the measurement period '2.99s' ends before"},
        {"# Measurement period: 0\n", "x.txt:1: the measurement period is '0'"},
        {"# ripple: {\"cpus\":\n1 1\n", "x.txt:1: the header is not JSON"},
        {"\n# ripple: [1]\n1 1\n", "x.txt:2: the header is not a JSON object"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_detour_file) file = parse(row[i][0], &error);
        CHECK(file == NULL, "row %zu", i);
        CHECK_ERROR(error, row[i][1]);
    }
}

static void headers_cannot_harm(void)
{
    static const char *const json[] = {
        "{}",
        "{\"cpus\": 1}",
        "{\"cpus\": [1, null]}",
        "{\"cpus\": [{\"duration_ns\": []}]}",
        "{\"cpus\": [{\"duration_ns\": -1}]}",
        "{\"cpus\": [{\"duration_ns\": \"x\"}]}",
        "{\"cpus\": [{\"duration_ns\": 1e300}]}",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(json); i++) {
        g_autofree char *text = g_strdup_printf("# ripple: %s\n0 1\n", json[i]);
        g_autoptr(noise_detour_file) file = parse(text, NULL);
        g_autofree char *got = describe(file);
        CHECK_STR(got, "0+1000 /1000", "row %zu", i);
    }
    g_autofree char *deep = g_strnfill(1000000, '[');
    g_autofree char *text = g_strdup_printf("# ripple: %s\n0 1\n", deep);
    g_autoptr(GError) error = NULL;
    CHECK(parse(text, &error) == NULL);
    CHECK_ERROR(error, "nests too deeply");
}

/* docs/noise.md, section 5: "sources" of the header, and the third column */
static void divided_files_name_the_source_of_each_detour(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_detour_file) file = parse(
        "# ripple: {\"method\": \"selfish\", \"cpus\": [{\"cpu\": 3, \"node\": 1}, {\"cpu\": 0}], "
        "\"sources\": [{\"name\": \"tick\", \"kind\": \"interrupt\", \"evidence\": \"line LOC\"}, "
        "{\"name\": \"cron\"}]}\n"
        "10 5\t1\n20 5 0\n# Measurement period: 1e-6 s\n# Time [ns]\n0 1 0 \r\n",
        &error);
    CHECK(error == NULL, "%s", error != NULL ? error->message : "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    assert(file != NULL); /* for the analyzer */
    CHECK_I64(file->num_sources, 2);
    CHECK_STR(file->method, "selfish");
    CHECK_STR(file->sources[0].name, "tick");
    CHECK_STR(file->sources[0].kind, "interrupt");
    CHECK_STR(file->sources[0].evidence, "line LOC");
    CHECK_STR(file->sources[1].kind, "not known");
    CHECK(file->sources[1].evidence == NULL);
    CHECK_I64(file->runs[0].source[0], 1);
    CHECK_I64(file->runs[0].source[1], 0);
    CHECK_I64(file->runs[1].source[0], 0);
    CHECK_I64(file->runs[0].cpu, 3);
    CHECK_I64(file->runs[0].node, 1);
    CHECK_I64(file->runs[1].cpu, 0);
    CHECK_I64(file->runs[1].node, UINT32_MAX);
}

static void sources_that_do_not_fit_are_refused(void)
{
    static const char TWO[] = "# ripple: {\"sources\": [{\"name\": \"a\"}, {\"name\": \"b\"}]}\n";
    static const char *const row[][2] = {
        {"1 1 2\n", "x.txt:2: the source '2' is not one of the 2 of the header"},
        {"1 1\n", "x.txt:2: the source '' is not one of"},
        {"1 1 -1\n", "x.txt:2: the source '-1' is not one of"},
        {"1 1 x\n", "x.txt:2: the source 'x' is not one of"},
        {"1 1 1 1\n", "x.txt:2: the length '1' is not a time above 0 in ns, alone"},
        {"1 1 1.5\n", "x.txt:2: the length '1' is not a time above 0 in ns, alone"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *text = g_strconcat(TWO, row[i][0], NULL);
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_detour_file) file = parse(text, &error);
        CHECK(file == NULL, "row %zu", i);
        CHECK_ERROR(error, row[i][1]);
    }
    static const char *const header[][2] = {
        {"# ripple: {\"sources\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}\n",
         "x.txt:1: two sources of the header are called 'a'"},
        {"# ripple: {\"sources\": [{\"kind\": \"a\"}]}\n",
         "x.txt:1: source 0 of the header has no name"},
        {"1 1\n# ripple: {\"sources\": [{\"name\": \"a\"}]}\n2 1 0\n",
         "x.txt:2: the header names sources, but stands behind detours"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(header); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_detour_file) file = parse(header[i][0], &error);
        CHECK(file == NULL, "row %zu", i);
        CHECK_ERROR(error, header[i][1]);
    }
}

/* 70 sources; source i has one detour of i + 1 ns. */
static void the_smallest_of_many_sources_become_one(void)
{
    enum { ALL = 70, REST = ALL - NOISE_DETOUR_MOST_SOURCES + 1 };
    g_autoptr(GString) text = g_string_new("# ripple: {\"sources\": [");
    for (int i = 0; i < ALL; i++) {
        g_string_append_printf(text, "%s{\"name\": \"s%d\"}", i > 0 ? "," : "", i);
    }
    g_string_append(text, "]}\n");
    for (int i = 0; i < ALL; i++) {
        g_string_append_printf(text, "%d %d %d\n", 1000 * i, i + 1, i);
    }
    g_autoptr(noise_detour_file) file = parse(text->str, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    assert(file != NULL); /* for the analyzer */
    CHECK_I64(file->num_sources, NOISE_DETOUR_MOST_SOURCES);
    CHECK_STR(file->sources[0].name, "s11");
    CHECK_STR(file->sources[NOISE_DETOUR_MOST_SOURCES - 1].name, "others");
    CHECK_STR(file->sources[NOISE_DETOUR_MOST_SOURCES - 1].evidence,
              "the 11 sources that took the least time");
    for (int i = 0; i < ALL; i++) {
        CHECK_I64(file->runs[0].source[i], i < REST ? NOISE_DETOUR_MOST_SOURCES - 1 : i - REST,
                  "%d", i);
    }
}

static void a_byte_zero_is_not_text(void)
{
    g_autoptr(GError) error = NULL;
    CHECK(noise_detour_file_parse("x", "1 1\n\0001 2\n", 9, &error) == NULL);
    CHECK_ERROR(error, "x:2: a byte 0");
}

static void files_may_be_compressed(void)
{
    g_autofree char *plain_path = test_data("noise/detours/two-runs.txt");
    g_autofree char *gz_path = test_data("noise/compressed/two-runs.txt.gz");
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_detour_file) plain = noise_detour_file_read(plain_path, &error);
    g_autoptr(noise_detour_file) gz = noise_detour_file_read(gz_path, &error);
    CHECK(error == NULL, "%s", error != NULL ? error->message : "");
    g_autofree char *want = describe(plain);
    g_autofree char *got = describe(gz);
    CHECK_STR(got, want);
    CHECK_STR(got, "0+12340 1000500+2000 /1000000000 | 0+7000 3000000+1010 /1000000000");
}

static void damaged_compressed_files_are_refused(void)
{
    g_autofree char *gz_path = test_data("noise/compressed/two-runs.txt.gz");
    char *bytes = NULL;
    gsize size = 0;
    CU_ASSERT_FATAL(g_file_get_contents(gz_path, &bytes, &size, NULL));
    g_autofree char *path = g_strdup_printf("damaged-%d.gz", (int)g_random_int_range(0, 1 << 30));
    static const struct {
        gsize cut;
        const char *message;
    } row[] = {{10, "cut off"}, {0, "reading failed here"}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        if (row[i].cut == 0) {
            bytes[size - 8] ^= 1; /* in the check sum: the text itself is whole */
        }
        CHECK(g_file_set_contents(path, bytes, (gssize)(size - row[i].cut), NULL));
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_detour_file) file = noise_detour_file_read(path, &error);
        CHECK(file == NULL, "row %zu", i);
        CHECK_ERROR(error, path);
        CHECK_ERROR(error, row[i].message);
    }
    g_unlink(path);
    g_free(bytes);
}

static void what_cannot_be_read_is_said(void)
{
    g_autoptr(GError) error = NULL;
    CHECK(noise_detour_file_read("no/such/file", &error) == NULL);
    CHECK_ERROR(error, "no/such/file: No such file");
    g_clear_error(&error);
    CHECK(noise_detour_file_read("/", &error) == NULL);
    CHECK_ERROR(error, "/:1: reading failed here: Is a directory");
}

static void our_own_measurement_reads(void)
{
    /* the first 100 data lines of a selfish loop on a virtual machine */
    g_autofree char *path = test_data("noise/detours/linux-vm-head.tsv");
    g_autoptr(noise_detour_file) file = must_read(path);
    CHECK_I64(file->num_runs, 1);
    CHECK_I64(file->runs[0].n, 100);
    CHECK_I64(file->runs[0].start[0], 2184738 * SIM_NS);
    CHECK_I64(file->runs[0].length[0], 15864 * SIM_NS);
}

static void netgauge_files_read_whole(void)
{
    /* Counts, periods and overheads as the files' own lines state them. */
    static const struct {
        const char *name;
        size_t runs;
        double period_s[4], percent[4];
    } row[] = {
        {"aws_c5n.x16large_cluster__2022_03_21_22_12_22", 2, {81.56, 81.14}, {0.59, 0.59}},
        {"azure_hpc44rs_azure_quite_same_rack__2022_03_18_10_05_53",
         2,
         {43.99, 44.05},
         {0.40, 0.40}},
        {"daint_mc_quiet_hours_same_rack_default__2022_03_24_04_59_53",
         2,
         {104.82, 103.42},
         {0.63, 0.60}},
        {"oracle__2022_07_08_21_16_56", 4, {24.93, 24.94, 24.93, 24.93}, {0.67, 0.67, 0.69, 0.67}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *name =
            g_strdup_printf("noise/netgauge/%s__ng_osnoise.out.gz", row[i].name);
        g_autofree char *path = shared_data(name);
        if (path == NULL) {
            SKIP_TEST("no %s", name);
        }
        g_autoptr(noise_detour_file) file = must_read(path);
        CHECK_I64(file->num_runs, row[i].runs, "%s", row[i].name);
        for (size_t r = 0; r < file->num_runs && r < row[i].runs; r++) {
            const noise_detour_run *run = &file->runs[r];
            double stolen = 0;
            for (size_t d = 0; d < run->n; d++) {
                stolen += (double)run->length[d];
            }
            CHECK_I64(run->n, 49999); /* docs/noise.md, section 5: (100000 - 2) / 2 */
            CHECK_NEAR((double)run->period / SIM_S, row[i].period_s[r], 0.00501);
            CHECK_NEAR(100 * stolen / (double)run->period, row[i].percent[r], 0.0051);
        }
    }
}

SUITE_MAIN("detour_file", TEST(times_are_exact_and_runs_are_told_apart),
           TEST(bad_files_are_refused_by_line_and_value), TEST(headers_cannot_harm),
           TEST(divided_files_name_the_source_of_each_detour),
           TEST(sources_that_do_not_fit_are_refused), TEST(the_smallest_of_many_sources_become_one),
           TEST(a_byte_zero_is_not_text), TEST(files_may_be_compressed),
           TEST(damaged_compressed_files_are_refused), TEST(what_cannot_be_read_is_said),
           TEST(our_own_measurement_reads), TEST(netgauge_files_read_whole))
