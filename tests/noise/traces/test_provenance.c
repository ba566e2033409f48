/* tests/noise/traces/test_provenance.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "data.h"
#include "noise/measurement.h"
#include "noise/provenance.h"
#include "noise/signature.h"

#include <string.h>

#define DATA "# Time [ns]\n0 5\n1000 7\n"

static noise_provenance *of(const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_detour_file) file =
        noise_detour_file_parse("some.detours", text, strlen(text), &error);
    CHECK(file != NULL, "%s: %s", text, error != NULL ? error->message : "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    return noise_provenance_new(file, "some.detours");
}

static void validity_is_what_the_header_says(void)
{
    static const struct {
        const char *text;
        noise_validity validity;
        const char *verdict;
    } row[] = {
        {DATA, NOISE_VALIDITY_UNKNOWN, "validity unknown"},
        {"# ripple: {}\n" DATA, NOISE_VALIDITY_UNKNOWN, "validity unknown"},
        {"# ripple: {\"valid\": \"yes\"}\n" DATA, NOISE_VALIDITY_UNKNOWN, "validity unknown"},
        {"# ripple: {\"valid\": null, \"verdict\": 3}\n" DATA, NOISE_VALIDITY_UNKNOWN,
         "validity unknown"},
        {"# ripple: {\"valid\": true}\n" DATA, NOISE_VALIDITY_VALID, "valid"},
        {"# ripple: {\"valid\": true, \"verdict\": \"valid\\nnote: CPU 0: x\"}\n" DATA,
         NOISE_VALIDITY_VALID, "valid"},
        {"# ripple: {\"valid\": false}\n" DATA, NOISE_VALIDITY_INVALID, "not valid"},
        {"# ripple: {\"valid\": false, \"verdict\": \"note: a\"}\n" DATA, NOISE_VALIDITY_INVALID,
         "not valid"},
        {"# ripple: {\"valid\": false, \"verdict\": \"not valid: a\\nnote: b\"}\n" DATA,
         NOISE_VALIDITY_INVALID, "not valid: a"},
        {"# ripple: {\"valid\": false, \"verdict\": \"not valid: a\\nnot valid: b\"}\n" DATA,
         NOISE_VALIDITY_INVALID, "not valid: a (and 1 more reason)"},
        {"# ripple: {\"valid\": false, \"verdict\": "
         "\"not valid: \\u001b[2Ja\\nnot valid: b\\nnot valid: c\"}\n" DATA,
         NOISE_VALIDITY_INVALID, "not valid:  [2Ja (and 2 more reasons)"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(noise_provenance) p = of(row[i].text);
        g_autofree char *verdict = noise_provenance_verdict(p);
        CHECK_I64(p->validity, row[i].validity, "%s", row[i].text);
        CHECK_STR(verdict, row[i].verdict);
    }
}

static void origin_is_read_from_the_header(void)
{
    g_autoptr(noise_provenance) p =
        of("# ripple: {\"clock\": \"tsc (rdtscp)\", \"valid\": true, \"provenance\": {\"host\": "
           "\"n1\", \"sysname\": \"Linux\", \"release\": \"6.1.0\"}}\n# Nodename: other\n" DATA);
    CHECK_STR(p->path, "some.detours");
    CHECK_STR(p->clock, "tsc (rdtscp)");
    CHECK_STR(p->host, "n1");
    CHECK_STR(p->kernel, "Linux 6.1.0");
}

static void netgauge_names_its_system(void)
{
    g_autoptr(noise_provenance) p =
        of("# Benchmark Method: selfish\n# Sysname : Linux\n# Nodename: n1\n# Release : 5.4\n" DATA
           "# Measurement period: 2 s\n"
           "# Benchmark Method: selfish\n# Nodename: n2\n0 5\n# Measurement period: 3 s\n");
    CHECK_STR(p->host, "n1");
    CHECK_STR(p->kernel, "Linux 5.4");
    CHECK(p->clock == NULL);
    CHECK_I64(p->validity, NOISE_VALIDITY_UNKNOWN);
    CHECK_I64(p->num_runs, 2);
    CHECK_I64(p->run_length[0], 2 * SIM_S);
    CHECK_I64(p->run_length[1], 3 * SIM_S);
    CHECK_I64(p->length, 5 * SIM_S);
}

static void two_columns_say_nothing(void)
{
    g_autoptr(noise_provenance) p = of("0 5\n1000 7\n");
    CHECK(p->verdict == NULL && p->clock == NULL && p->host == NULL && p->kernel == NULL);
    CHECK_I64(p->length, 1007 * SIM_NS); /* the end of the last detour */
}

/* What measure writes, read again. */
static void what_was_measured_comes_back(void)
{
    sim_time start[] = {SIM_US};
    sim_time length[] = {SIM_NS};
    noise_measurement_cpu cpus[] = {
        {.cpu = 1, .duration = 3 * SIM_S, .n = 1, .start = start, .length = length},
        {.cpu = 2, .duration = 4 * SIM_S, .n = 1, .start = start, .length = length}};
    char host[] = "{\"host\": \"n1\", \"sysname\": \"Linux\", \"release\": \"6.1\"}";
    char clock[] = "cntvct";
    char verdict[] = "not valid: CPU 1: the clock went back 3 times\nnote: CPU 2: a short run";
    const noise_measurement r = {.clock = clock,
                                 .num_cpus = 2,
                                 .cpus = cpus,
                                 .valid = false,
                                 .verdict = verdict,
                                 .provenance = host};
    g_autofree char *text = noise_measurement_to_text(&r);
    g_autoptr(noise_provenance) p = of(text);
    g_autofree char *line = noise_provenance_verdict(p);
    CHECK_I64(p->validity, NOISE_VALIDITY_INVALID);
    CHECK_STR(p->verdict, verdict);
    CHECK_STR(line, "not valid: CPU 1: the clock went back 3 times");
    CHECK_STR(p->clock, clock);
    CHECK_STR(p->host, "n1");
    CHECK_STR(p->kernel, "Linux 6.1");
    CHECK_I64(p->num_runs, 2);
    CHECK_I64(p->length, 7 * SIM_S);
}

static void a_component_of_a_file_has_it(void)
{
    g_autofree char *path = test_data("noise/detours/two-runs.txt");
    g_autofree char *text = g_strdup_printf("%s+fixed:1ms:1us", path);
    g_autoptr(noise_signature) s = noise_signature_parse(text, 1, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    const noise_provenance *p = noise_signature_component(s, 0)->provenance;
    CHECK(p != NULL);
    if (p == NULL) {
        return;
    }
    CHECK_STR(p->path, path);
    CHECK_I64(p->length, 2 * SIM_MS);
    /* 12.34, 7, 2 and 1.01 ns: fewer than five in all */
    CHECK_I64(p->tail.count, 4);
    CHECK_I64(p->tail.longest, 12340);
    CHECK_I64(p->tail.measured, 2 * SIM_MS);
    CHECK(noise_signature_component(s, 1)->provenance == NULL);
}

SUITE_MAIN("provenance", TEST(validity_is_what_the_header_says),
           TEST(origin_is_read_from_the_header), TEST(netgauge_names_its_system),
           TEST(two_columns_say_nothing), TEST(what_was_measured_comes_back),
           TEST(a_component_of_a_file_has_it))
