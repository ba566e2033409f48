/* tests/noise/measure/test_selfish.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/detour_file.h"
#include "noise/measurement.h"

#include "measure/evidence.h"
#include "measure/windows.h"

#include <assert.h>

/* A measurement that no machine takes part in. */
static noise_measurement *made_up(void)
{
    static const sim_time start[] = {0, 5 * SIM_US, 7 * SIM_US + 123};
    static const sim_time length[] = {SIM_US, 150 * SIM_NS, 2 * SIM_US + 1};
    noise_measurement *r = g_new0(noise_measurement, 1);
    r->clock = g_strdup("tsc (rdtscp)");
    r->ticks_per_second = 2.5e9;
    r->num_cpus = 2;
    r->cpus = g_new0(noise_measurement_cpu, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const size_t n = i == 0 ? 3 : 0;
        r->cpus[i] = (noise_measurement_cpu){.cpu = 3 + i,
                                             .t_min = 10015,
                                             .threshold = 100 * SIM_NS,
                                             .duration = 2 * SIM_S + 7,
                                             .iterations = 200000000,
                                             .n = n,
                                             .start = g_memdup2(start, n * sizeof *start),
                                             .length = g_memdup2(length, n * sizeof *length)};
    }
    r->valid = true;
    r->verdict = g_strdup("valid\nnote: a \"quoted\" word");
    r->provenance = g_strdup("{\"sysname\":\"Linux\",\"host\":\"n1\",\"release\":\"6.1\"}");
    return r;
}

static void text_reads_back_exactly(void)
{
    g_autoptr(noise_measurement) r = made_up();
    g_autofree char *text = noise_measurement_to_text(r);
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_detour_file) file = noise_detour_file_parse("x", text, strlen(text), &error);
    CHECK(file != NULL, "%s", error != NULL ? error->message : "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    assert(file != NULL); /* for the analyzer */
    CHECK_I64(file->num_runs, 2);
    for (size_t i = 0; i < 2; i++) {
        CHECK_I64(file->runs[i].period, r->cpus[i].duration);
        CHECK_I64(file->runs[i].n, r->cpus[i].n);
        for (size_t d = 0; d < file->runs[i].n; d++) {
            CHECK_I64(file->runs[i].start[d], r->cpus[i].start[d]);
            CHECK_I64(file->runs[i].length[d], r->cpus[i].length[d]);
        }
    }
    CHECK(strstr(file->json, "\"cpu\":3") != NULL);
}

static void text_has_netgauges_lines(void)
{
    /* docs/noise.md, section 5 */
    static const char *const lines[] = {
        "# Benchmark Method: selfish\n",
        "# Sysname : Linux\n# Nodename: n1\n# Release : 6.1\n",
        "# Selfish Benchmark\n# Minimal cycle length [ns]: 10.015\n",
        "# Number of iterations (recorded+unrecorded): 200000000\n",
        "# Threshold: [% minimal cycle length]: 998\n#\n# Time [ns]\tselfish duration [ns]\n",
        "\n0.000\t1000.000\n5000.000\t150.000\n7000.123\t2000.001\n# CPU overhead",
        "# CPU overhead due to noise: 0.00%\n# Measurement period: 2.000000000007 s\n",
    };
    g_autoptr(noise_measurement) r = made_up();
    g_autofree char *text = noise_measurement_to_text(r);
    CHECK(g_str_has_prefix(text, "# ripple: {"));
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
        CHECK(strstr(text, lines[i]) != NULL, "%s", lines[i]);
    }
}

static void samples_and_classes_are_written(void)
{
    static const uint8_t class_of[] = {1, 0, 1};
    static const noise_measurement_window window = {.begin = 5, .share = 0.01, .valid = true};
    g_autoptr(noise_measurement) r = made_up();
    r->cpus[0].class_of = g_memdup2(class_of, sizeof class_of);
    r->num_classes = 2;
    r->classes = g_new0(noise_detour_source, 2);
    r->classes[0] = (noise_detour_source){.name = g_strdup("tick"), .kind = g_strdup("interrupt")};
    r->classes[1] = (noise_detour_source){.name = g_strdup("cron"), .kind = g_strdup("scheduler")};
    r->num_windows = 1;
    r->windows = g_memdup2(&window, sizeof window);
    g_autofree char *classified = noise_measurement_to_text(r);
    CHECK(strstr(classified, "\"sources\":[{\"name\":\"tick\",\"kind\":\"interrupt\"") != NULL);
    CHECK(strstr(classified, "\"windows\":[{\"begin_ns\":5,\"share\":0.01,") != NULL);
    CHECK(strstr(classified, "\n0.000\t1000.000\t1\n5000.000\t150.000\t0\n") != NULL);
    g_autofree char *netgauge = noise_measurement_to_netgauge(r);
    CHECK(strstr(netgauge, "\n0.000\t1000.000\n5000.000\t150.000\n") != NULL);
    CHECK(g_str_has_prefix(netgauge, "# Benchmark Method: selfish\n# Number of"));

    static const sim_time quantum[] = {SIM_MS, SIM_MS + 5 * SIM_US + 7};
    r->options.method = NOISE_METHOD_FWQ;
    r->options.quantum = SIM_MS;
    r->cpus[0].num_samples = 2;
    r->cpus[0].quantum = g_memdup2(quantum, sizeof quantum);
    g_autofree char *fwq = noise_measurement_to_text(r);
    CHECK(g_str_has_prefix(fwq, "# ripple: {\"format\":\"fwq\","));
    CHECK(strstr(fwq, "\"quantum_ns\":1000000") != NULL);
    CHECK(strstr(fwq, "\n# Benchmark Method: fwq\n# Compute-Cycle Duration: 1000 usec\n"
                      "# Number of Cycles/Detours: 2\n") != NULL);
    CHECK(strstr(fwq, "# Fixed Work Quantum Benchmark\n# cycle number\tduration [us]\n"
                      "0\t1000.000000\n1\t1005.000007\n") != NULL);

    static const uint64_t work[] = {1000, 994};
    g_clear_pointer(&r->cpus[0].quantum, g_free);
    r->options.method = NOISE_METHOD_FTQ;
    r->cpus[0].work = g_memdup2(work, sizeof work);
    r->cpus[0].most_work = 1000;
    g_autofree char *ftq = noise_measurement_to_text(r);
    CHECK(strstr(ftq, "\"samples\":2,\"most_work\":1000") != NULL);
    CHECK(strstr(ftq, "# Fixed Time Quantum Benchmark\n# cycle number\tworkload iterations\n"
                      "0\t1000\n1\t994\n# CPU overhead due to noise: 0.30%\n") != NULL);
}

static void shares_are_those_of_the_method(void)
{
    static sim_time length[] = {3, 7};
    static sim_time quantum[] = {90, 110, 90, 110};
    static uint64_t work[] = {100, 90, 100, 70};
    const noise_measurement_cpu selfish = {.duration = 1000, .n = 2, .length = length};
    const noise_measurement_cpu fwq = {
        .duration = 400, .t_min = 90, .num_samples = 4, .quantum = quantum};
    const noise_measurement_cpu ftq = {
        .duration = 400, .num_samples = 4, .work = work, .most_work = 100};
    const noise_measurement_cpu none = {.duration = 0};
    CHECK_NEAR(noise_measurement_cpu_share(&selfish), 0.01, 1e-12);
    CHECK_NEAR(noise_measurement_cpu_share(&fwq), 0.1, 1e-12);
    CHECK_NEAR(noise_measurement_cpu_share(&ftq), 0.1, 1e-12);
    CHECK_NEAR(noise_measurement_cpu_share(&none), 0, 0);
}

static void the_quietest_valid_window_is_kept(void)
{
    noise_measurement_window w[] = {{.share = 0.0003, .valid = true},
                                    {.share = 0.0001, .valid = false},
                                    {.share = 0.0002, .valid = true},
                                    {.share = 0.0004, .valid = true}};
    CHECK_I64(noise_windows_least(w, 4), 2);
    g_autofree char *note = noise_windows_note(w, 4, 2);
    CHECK_STR(note,
              "\nnote: window 3 of 4 is kept, the one with the least noise of the valid ones; "
              "noise in all of them: 0.03 %, 0.01 % (not valid), 0.02 %, 0.04 %; the least of "
              "3 is too low on average, their mean, 0.03 %, is not");
    w[0].valid = w[2].valid = w[3].valid = false;
    CHECK_I64(noise_windows_least(w, 4), 1);
    g_autofree char *none = noise_windows_note(w, 4, 1);
    CHECK(strstr(none, "too low") == NULL, "%s", none);
    CHECK(strstr(none, "of the valid") == NULL, "%s", none);
}

static void this_machine_can_be_measured(void)
{
    noise_measurement_options o;
    noise_measurement_options_init(&o);
    o.time = 300 * SIM_MS;
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_measurement) r = noise_measurement_run(&o, &error);
    CHECK(r != NULL, "%s", error != NULL ? error->message : "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(r);
    assert(r != NULL); /* for the analyzer */
    CHECK(r->num_cpus >= 1);
    CHECK(r->ticks_per_second > 1e6);
    for (size_t i = 0; i < r->num_cpus; i++) {
        const noise_measurement_cpu *cpu = &r->cpus[i];
        CHECK(cpu->t_min > 0 && cpu->t_min < 10 * SIM_US);
        /* set in whole ticks, before the final calibration */
        CHECK(cpu->threshold >= 9 * cpu->t_min - SIM_NS && cpu->threshold >= o.floor - SIM_NS);
        CHECK(cpu->duration >= o.time || cpu->n == o.events || !r->valid);
        CHECK(cpu->iterations > 1000);
        for (size_t d = 0; d < cpu->n; d++) { /* a trace: in order, disjoint, within the run */
            CU_ASSERT_FATAL(cpu->length[d] > 0);
            CU_ASSERT_FATAL(cpu->start[d] >= (d > 0 ? cpu->start[d - 1] + cpu->length[d - 1] : 0));
            CU_ASSERT_FATAL(cpu->start[d] + cpu->length[d] <= cpu->duration);
        }
    }
    g_autofree char *text = noise_measurement_to_text(r);
    g_autoptr(noise_detour_file) file = noise_detour_file_parse("x", text, strlen(text), &error);
    CHECK(file != NULL, "%s", error != NULL ? error->message : "");
    CHECK_I64(file != NULL ? file->num_runs : 0, r->num_cpus);
    CHECK(strstr(file != NULL ? file->json : "", "\"kernel_parameters\":") != NULL);
}

static void events_end_the_run(void)
{
    noise_measurement_options o;
    noise_measurement_options_init(&o);
    o.time = 5 * SIM_S;
    o.events = 3;
    g_autoptr(noise_measurement) r = noise_measurement_run(&o, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r);
    assert(r != NULL); /* for the analyzer */
    for (size_t i = 0; i < r->num_cpus; i++) {
        CHECK(r->cpus[i].n <= 3);
        CHECK(r->cpus[i].n == 3 || r->cpus[i].duration >= o.time);
    }
}

static void bad_options_are_refused(void)
{
    noise_measurement_options o;
    noise_measurement_options_init(&o);
    g_autoptr(GError) error = NULL;
    o.cpus = "60000";
    CHECK(noise_measurement_run(&o, &error) == NULL);
    CHECK_ERROR(error, "CPU 60000 is not among those this process may use (");
    g_clear_error(&error);
    o.cpus = NULL;
    o.time = 0;
    CHECK(noise_measurement_run(&o, &error) == NULL);
    CHECK_ERROR(error, "time must be above 0");
}

SUITE_MAIN("selfish", TEST(text_reads_back_exactly), TEST(text_has_netgauges_lines),
           TEST(samples_and_classes_are_written), TEST(shares_are_those_of_the_method),
           TEST(the_quietest_valid_window_is_kept), TEST(this_machine_can_be_measured),
           TEST(events_end_the_run), TEST(bad_options_are_refused))
