/* tests/noise/files/test_file_formats.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of other tools as detours: what of them is a detour is worked out by hand beside each.
 */
#include "check.h"
#include "data.h"
#include "noise/detour_file.h"
#include "noise/detour_trace.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static noise_detour_file *must_read(const char *name)
{
    g_autofree char *inside = g_strconcat("noise/detours/", name, NULL);
    g_autofree char *path = test_data(inside);
    GError *error = NULL;
    noise_detour_file *file = noise_detour_file_read(path, &error);
    CHECK(file != NULL, "%s", error != NULL ? error->message : "");
    g_clear_error(&error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    assert(file != NULL); /* for the analyzer */
    return file;
}

/* "CPU: start+length(source) ... /period" of each run in ns, runs separated by " | " */
static char *describe(const noise_detour_file *file)
{
    GString *out = g_string_new(NULL);
    for (size_t r = 0; r < file->num_runs; r++) {
        const noise_detour_run *run = &file->runs[r];
        g_string_append_printf(out, "%s", r > 0 ? " | " : "");
        if (run->cpu != UINT32_MAX) {
            g_string_append_printf(out, "%u: ", run->cpu);
        }
        for (size_t i = 0; i < run->n; i++) {
            g_string_append_printf(out, "%g+%g", (double)run->start[i] / 1e3,
                                   (double)run->length[i] / 1e3);
            g_string_append_printf(out, "%s%s%s ", run->source != NULL ? "(" : "",
                                   run->source != NULL ? file->sources[run->source[i]].name : "",
                                   run->source != NULL ? ")" : "");
        }
        g_string_append_printf(out, "/%g", (double)run->period / 1e3);
    }
    return g_string_free(out, FALSE);
}

static void samples_above_the_shortest_are_detours(void)
{
    static const struct {
        const char *name, *method, *want;
    } row[] = {
        /* shortest 1000 us: the second took 3 us, the fourth 250 us more */
        {"netgauge-fwq.txt", "fwq", "1e+06+3000 3.003e+06+250000 /5.253e+06"},
        /* of 1000 units in 1 ms 250 are missing, then all; 1 is resolution */
        {"netgauge-ftq.txt", "ftq", "1e+06+250000 4e+06+1e+06 /5e+06"},
        /* of 4000 units in 100 us 1000 are missing */
        {"ftq_0.dat", "ftq", "200000+25000 /400000"},
        {"fwq_times.dat", "fwq", "1000+30 /2030"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(noise_detour_file) file = must_read(row[i].name);
        g_autofree char *got = describe(file);
        CHECK_STR(got, row[i].want, "%s", row[i].name);
        CHECK_STR(file->method, row[i].method);
        CHECK(file->note != NULL && strstr(file->note, "at its beginning") != NULL, "%s",
              row[i].name);
        CHECK(file->runs[0].num_samples >= 4, "%s", row[i].name);
    }
}

static void samples_stay_what_they_were(void)
{
    g_autoptr(noise_detour_file) fwq = must_read("netgauge-fwq.txt");
    CHECK_I64(fwq->runs[0].num_samples, 5);
    CHECK_NEAR(fwq->runs[0].sample[3], 1250e6, 0);
    CHECK_I64(fwq->runs[0].interval, 0);
    CHECK_STR(fwq->host, "n0001");
    g_autoptr(noise_detour_file) ftq = must_read("netgauge-ftq.txt");
    CHECK_NEAR(ftq->runs[0].sample[1], 750, 0);
    CHECK_I64(ftq->runs[0].interval, SIM_MS);
}

static void ripples_own_samples_have_runs_and_an_exact_interval(void)
{
    static const char text[] =
        "# ripple: {\"format\": \"ftq\", \"method\": \"ftq\", \"quantum_ns\": 100, \"cpus\": "
        "[{\"cpu\": 2}, {\"cpu\": 5}], \"sources\": [{\"name\": \"tick\"}]}\n"
        "# Benchmark Method: ftq\n# Compute-Cycle Duration: 0 usec\n0\t10\n1\t5\n"
        "# Measurement period: 0.000000201 s\n# Benchmark Method: ftq\n0\t7\n1\t7\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_detour_file) file = noise_detour_file_parse("x", text, strlen(text), &error);
    CHECK(error == NULL, "%s", error != NULL ? error->message : "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    assert(file != NULL); /* for the analyzer */
    g_autofree char *got = describe(file);
    CHECK_STR(got, "2: 100.5+50.25 /201 | 5: /200");
    CHECK_I64(file->num_sources, 0, "samples are not told apart");
}

/* Kernel's documentation of the osnoise tracer: its example, and what stands beside it by hand. */
static void osnoise_events_have_their_sources(void)
{
    g_autoptr(noise_detour_file) file = must_read("osnoise-trace.txt");
    g_autofree char *got = describe(file);
    /* From the first start, 5789.857529929, to the last end, 5789.859100100. The sample with two
     * interferences is left out, as these are there; the one with none is the hardware's. */
    CHECK_STR(got, "0: 960071+6000(hardware) 1.47007e+06+700(softirq SCHED) 1.57007e+06+100(NMI) "
                   "/1.57017e+06 | 1: 0+1845(irq local_timer) 874942+2848(irq local_timer) "
                   "879371+3068(migration/1) /1.57017e+06");
    for (size_t i = 0; i < file->num_sources; i++) {
        const noise_detour_source *s = &file->sources[i];
        CHECK_STR(s->kind, g_str_equal(s->name, "hardware")      ? "steal or firmware"
                           : g_str_equal(s->name, "migration/1") ? "scheduler"
                                                                 : "interrupt");
    }
}

static void nested_events_follow_one_another(void)
{
    /* The thread's net duration: the interrupt within it is listed apart. */
    static const char text[] =
        "a-1 [000] 1.0: irq_noise: x:1 start 1.000000002 duration 5 ns\n"
        "a-1 [000] 1.0: thread_noise: my:daemon:7 start 1.000000000 duration 10 ns\n"
        "a-1 [000] 1.0: thread_noise: b:8 start 1.000000015 duration 1 ns\n";
    g_autoptr(noise_detour_file) file = noise_detour_file_parse("x", text, strlen(text), NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    assert(file != NULL); /* for the analyzer */
    g_autofree char *got = describe(file);
    CHECK_STR(got, "0: 0+10(my:daemon) 10+5(irq x) 15+1(b) /16");
}

static void samples_alone_are_detours_of_no_known_source(void)
{
    static const char text[] =
        "a-1 [002] .... 1.0: sample_threshold: start 1.0 duration 10 ns interferences 1\n";
    g_autoptr(noise_detour_file) file = noise_detour_file_parse("x", text, strlen(text), NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    assert(file != NULL); /* for the analyzer */
    g_autofree char *got = describe(file);
    CHECK_STR(got, "2: 0+10(interferences) /10");
    CHECK_STR(file->sources[0].kind, "not known");
}

static size_t count_of(const noise_detour_run *run, sim_time length)
{
    size_t n = 0;
    for (size_t i = 0; i < run->n; i++) {
        n += run->length[i] == length;
    }
    return n;
}

static void histograms_are_drawn_with_the_lengths_they_have(void)
{
    g_autoptr(noise_detour_file) file = must_read("osnoise-hist.txt");
    CHECK_I64(file->num_runs, 2);
    const noise_detour_run *run = &file->runs[0];
    CHECK_I64(run->n, 44);
    CHECK_I64(run->period, 2 * SIM_S);
    CHECK_I64(file->runs[1].cpu, 3);
    /* in the middle of buckets of 10 us; the one beyond the last by the line "max" */
    CHECK_I64(count_of(run, 5 * SIM_US), 40);
    CHECK_I64(count_of(run, 15 * SIM_US), 2);
    CHECK_I64(count_of(run, 55 * SIM_US), 1);
    CHECK_I64(count_of(run, 300 * SIM_US), 1);
    CHECK_I64(file->runs[1].n, 3);
    CHECK(strstr(file->note, "drawn from a histogram") != NULL);
    /* uniform: the mean of 44 starts in 2 s is 1 s, to three standard deviations */
    double mean = 0;
    for (size_t i = 0; i < run->n; i++) {
        mean += (double)run->start[i] / (double)run->n;
    }
    CHECK_NEAR(mean / SIM_S, 1, 3 * 2 / sqrt(12 * 44));
    g_autoptr(noise_detour_file) again = must_read("osnoise-hist.txt");
    g_autofree char *a = describe(file);
    g_autofree char *b = describe(again);
    CHECK_STR(a, b);
}

static void loops_of_a_histogram_above_the_shortest_are_detours(void)
{
    g_autoptr(noise_detour_file) file = must_read("psnap.txt");
    CHECK_I64(file->num_runs, 2);
    CHECK_I64(file->runs[0].n, 2);
    CHECK_I64(count_of(&file->runs[0], 1 * SIM_US), 1);
    CHECK_I64(count_of(&file->runs[0], 250 * SIM_US), 1);
    CHECK_I64(file->runs[0].period, (998 * 100 + 101 + 350) * SIM_US);
    CHECK_I64(file->runs[1].n, 0);
    CHECK_I64(file->runs[1].period, 100 * SIM_MS);
}

static void a_method_that_is_said_stays(void)
{
    static const char text[] = "# Benchmark Method: mine\n0 100 5 h\n0 102 1 h\n";
    g_autoptr(noise_detour_file) file = noise_detour_file_parse("x", text, strlen(text), NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    assert(file != NULL); /* for the analyzer */
    CHECK_STR(file->method, "mine");
    CHECK_I64(file->runs[0].n, 1);
}

static void malformed_files_are_refused_by_line_and_value(void)
{
#define FWQ   "# Fixed Work Quantum Benchmark\n"
#define FTQ   "# Compute-Cycle Duration: 10 usec\n# Fixed Time Quantum Benchmark\n"
#define HIST  "# RTLA osnoise histogram\n"
#define WHOLE HIST "# Time unit is microseconds (us)\n# Duration: 0 00:00:01\nIndex CPU-0 CPU-1\n"
    static const char *const row[][2] = {
        {FWQ, "x:1: there is no detour"},
        {FWQ "0 10\n1 x\n", "x:3: 'x' is not the duration"},
        {FWQ "0 0\n", "x:2: '0' is not the duration above 0"},
        {FWQ "a 10\n", "x:2: 'a' is not the duration"},
        {FWQ "0 10 3\n", "x:2: '10' is not the duration"},
        {FWQ "0 1\n1 2000000000000\n2 2000000000000\n", "x:4: the samples together are longer"},
        {FWQ "0 10\n# Measurement period: x\n", "x:3: the measurement period 'x'"},
        {FTQ "0 -5\n", "x:3: '-5' is not the work"},
        {FTQ "0 0\n1 0\n", "x:4: no sample of this run has done any work"},
        {"# Fixed Time Quantum Benchmark\n0 5\n", "x:2: no line '# Compute-Cycle Duration:'"},
        {"# Compute-Cycle Duration: x\n" FTQ, "x:1: the duration of a cycle 'x'"},
        {"# pwelch\n0 5\n", "x:2: there are fewer than two samples"},
        {"# pwelch\n0 5\n0 5\n", "x:3: the sample at '0' is not later"},
        {"# pwelch\n0 5\n1\n", "x:3: '1' does not begin a line of a time"},
        {"500\n500\n-3\n", "x:3: '-3' is not a duration above 0 in ns"},
        {"500\n500\n500 1\n", "x:3: '500' is not a duration above 0 in ns, alone"},
        {HIST "Index CPU-0\n0 1\n", "x:3: no line '# Duration:'"},
        {HIST "# Duration: 0 00:00:01\nIndex CPU-0\n0 1\n", "x:4: no line '# Time unit is'"},
        {HIST "# Time unit is fortnights\n", "x:2: the unit of time 'fortnights' is not known"},
        {HIST "# Duration: soon\n", "x:2: the duration 'soon' is not days"},
        {HIST "# Duration: 0 00:00:00\n", "x:2: the duration '0' is not between"},
        {HIST "# Duration: 99 00:00:00\n", "x:2: the duration '99' is not between"},
        {HIST "0 1\n", "x:2: '0' stands before the line 'Index'"},
        {HIST "Index CPU-0 x\n", "x:2: the column 'x' is not a CPU"},
        {WHOLE "0 1\n", "x:5: '' is not a count"},
        {WHOLE "0 1 x\n", "x:5: 'x' is not a count"},
        {WHOLE "0 1 2 3\n", "x:5: '3' has no column of a CPU"},
        {WHOLE "5 1 2\n0 1 2\n", "x:6: the bucket '0' does not come after"},
        {WHOLE "0 99999999 1\n", "x:5: the histogram has more than 16777216 detours"},
        {WHOLE "100000 11 1\n", "x:5: the detours of the histogram take all of its time"},
        {"a-1 [0] 1.0: irq_noise: x:1 start y duration 5 ns\n", "x:1: the start 'y' is not"},
        {"a-1 [0] 1.0: irq_noise: x:1 start 1.5 duration y ns\n", "x:1: the duration 'y' is not"},
        {"a-1 [0] 1.0: irq_noise: x:1 start 1.5 duration 5 us\n", "x:1: the duration '5' is not"},
        {"a-1 0 1.0: irq_noise: x:1 start 1.5 duration 5 ns\n",
         "x:1: 'a-1' begins a line without a CPU"},
        {"# tracer: osnoise\na-1 [0] 1.0: irq_noise: x:1\n", "x:2: 'x:1' is not followed"},
        {"# tracer: osnoise\n", "x:1: there is no detour"},
        {"# tracer: osnoise\na-1 [0] 1.0: irq_noise: x:1 start 1.0 duration 0 ns\n",
         "x:2: there is no detour"},
        {"0 100 5 h\n0 101 0\n", "x:2: '0' is not a count of a histogram"},
        {"0 100 5 h\n0 x 1\n", "x:2: 'x' is not the time in us"},
        {"0 100 5 h\n-1 100 1\n", "x:2: '-1' is not the rank"},
        {"0 100 5 h\n0 100\n", "x:2: '' is not a count"},
        {"   Operating System Noise\nduration:   0 00:01:00 | time is in us\n"
         "CPU Period  Runtime  Noise  % CPU Aval   Max Noise   Max Single\n",
         "x:1: a table of 'rtla osnoise top' has totals"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_detour_file) file =
            noise_detour_file_parse("x", row[i][0], strlen(row[i][0]), &error);
        CHECK(file == NULL, "row %zu", i);
        CHECK_ERROR(error, row[i][1]);
    }
}

static void what_was_read_is_written_as_detours(void)
{
    static const char *const name[] = {"netgauge-fwq.txt", "osnoise-hist.txt", "osnoise-trace.txt",
                                       "psnap.txt", "ftq_0.dat"};
    for (size_t i = 0; i < G_N_ELEMENTS(name); i++) {
        g_autoptr(noise_detour_file) file = must_read(name[i]);
        g_autofree char *text = noise_detour_file_to_text(file, true);
        g_autoptr(noise_detour_file) again =
            noise_detour_file_parse("again", text, strlen(text), NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(again);
        assert(again != NULL); /* for the analyzer */
        g_autofree char *a = describe(file);
        g_autofree char *b = describe(again);
        CHECK_STR(b, a, "%s", name[i]);
        CHECK_STR(again->method, file->method, "%s", name[i]);
        CHECK_STR(again->note, file->note, "%s", name[i]);
    }
}

SUITE_MAIN("file_formats", TEST(samples_above_the_shortest_are_detours),
           TEST(samples_stay_what_they_were),
           TEST(ripples_own_samples_have_runs_and_an_exact_interval),
           TEST(osnoise_events_have_their_sources), TEST(nested_events_follow_one_another),
           TEST(samples_alone_are_detours_of_no_known_source),
           TEST(histograms_are_drawn_with_the_lengths_they_have),
           TEST(loops_of_a_histogram_above_the_shortest_are_detours),
           TEST(a_method_that_is_said_stays), TEST(malformed_files_are_refused_by_line_and_value),
           TEST(what_was_read_is_written_as_detours))
