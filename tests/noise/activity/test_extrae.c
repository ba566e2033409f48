/* tests/noise/activity/test_extrae.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "activity/any_trace.h"
#include "noise/extrae.h"

static const uint64_t MS = 1000000;
static const uint64_t S = 1000000000;

/* Two ranks on one node of two CPUs, in us; the clock of the node showed 5 s at 1 s, and 13 s at 9
 * s. */
static const char TRACE[] = "#Paraver (20/11/2025 at 09:00):10000000:1(2):1:2(1:1,1:1),1\n"
                            "c:1:1:2:1:2\n"
                            "1:1:1:1:1:0:10000000:1\n"
                            "1:2:1:2:1:0:10000000:1\n"
                            "2:1:1:1:1:1000000:91000000:705032704:91000008:1\n"
                            "3:1:1:1:1:2000000:2000001:2:1:2:1:2000005:2000007:8:3\n"
                            "2:2:1:2:1:2000008:50000003:31\n"
                            "2:1:1:1:1:9000000:91000000:115098112\n"
                            "2:1:1:1:1:9000000:91000008:3\n";
static const char PCF[] = "\nSTATES\n0    Idle\n6    Test/Probe\n\nSTATES_COLOR\n6    {0,255,0}\n\n"
                          "EVENT_TYPE\n9    50000003    MPI calls\nVALUES\n31   MPI_Wait\n";

static noise_extrae *parse(const char *text, GError **error)
{
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    return noise_extrae_parse("app.prv", bytes, error);
}

/* A watch of three CPUs from 3 s to 15 s of the node's clock, a daemon at 7 s. */
static noise_nit *watch_new(void)
{
    noise_nit *nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 3, 3 * S, 15 * S);
    const uint32_t d = any_nit_add_thread(nit, 0, 7, 1, "crond", NOISE_PROGRAM_DAEMON, -1);
    any_nit_add(nit, d, 1, 7 * S, 7 * S + 3 * MS, 3 * MS);
    return nit;
}

static void two_marks_shift_and_scale(void)
{
    g_autoptr(noise_nit) nit = watch_new();
    g_autoptr(noise_activity) activity = noise_activity_new(nit, NULL, 0);
    g_autoptr(noise_activity_trace) trace = noise_activity_trace_new(activity, NULL, 0);
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_extrae) extrae = parse(TRACE, &error);
    CHECK(extrae != NULL, "%s", error != NULL ? error->message : "");
    noise_extrae_fit fit;
    CHECK(noise_extrae_fit_marks(extrae, trace, NULL, NULL, &fit, &error), "%s",
          error != NULL ? error->message : "");
    CHECK_I64(fit.marks, 2);
    CHECK_NEAR(fit.scale, 1, 1e-9);
    CHECK_I64(fit.offset_ns,
              1 * S); /* 5 s on the clock is 2 s into the watch, and 1 s of the trace */
    g_autoptr(GString) fast = g_string_new(TRACE); /* 500 ppm faster: 13.004 s where it was 13 s */
    g_string_replace(fast, "91000000:115098112", "91000000:119098112", 0);
    g_autoptr(noise_extrae) scaled = parse(fast->str, &error);
    CHECK(noise_extrae_fit_marks(scaled, trace, NULL, NULL, &fit, &error));
    CHECK_NEAR(fit.scale, 1.0005, 1e-9);
    CHECK_NEAR(fit.most_error_ns, 0, 2);
    g_autoptr(GString) once = g_string_new(TRACE);
    g_string_replace(once, "2:1:1:1:1:9000000:91000008:3\n", "", 0);
    g_autoptr(noise_extrae) shifted = parse(once->str, &error);
    CHECK(noise_extrae_fit_marks(shifted, trace, NULL, NULL, &fit, &error));
    CHECK_I64(fit.marks, 1);
    CHECK_NEAR(fit.scale, 1, 0);
    CHECK_I64(fit.offset_ns, 1 * S);
}

typedef void writer(const noise_extrae *extrae, const noise_extrae_fit *fit,
                    const noise_activity_trace *trace, FILE *out);

static void write_pcf(const noise_extrae *extrae, const noise_extrae_fit *fit,
                      const noise_activity_trace *trace, FILE *out)
{
    (void)extrae;
    (void)fit;
    noise_extrae_write_pcf(trace, PCF, out);
}

static void write_row(const noise_extrae *extrae, const noise_extrae_fit *fit,
                      const noise_activity_trace *trace, FILE *out)
{
    (void)fit;
    noise_extrae_write_row(extrae, trace, out);
}

static void both_become_one_trace(void)
{
    static const struct {
        const char *suffix;
        writer *write;
    } FILES[] = {{".prv", noise_extrae_write_prv}, {".pcf", write_pcf}, {".row", write_row}};
    static const char *const SAYS[] = {
        ":12000000000_ns:1(3):2:2(1:1,1:1),1:1(3:1)\nc:1:1:2:1:2\n",
        "\n1:1:1:1:1:1000000000:11000000000:1\n",
        "\n3:1:1:1:1:3000000000:3000001000:2:1:2:1:3000005000:3000007000:8:3\n",
        "\n1:2:2:1:2:4000000000:4003000000:101\n",
        "\n2:2:1:2:1:3000008000:50000003:31\n",
    };
    g_autoptr(noise_nit) nit = watch_new();
    g_autoptr(noise_activity) activity = noise_activity_new(nit, NULL, 0);
    g_autoptr(noise_activity_trace) trace = noise_activity_trace_new(activity, NULL, 0);
    g_autoptr(noise_extrae) extrae = parse(TRACE, NULL);
    noise_extrae_fit fit;
    CHECK(noise_extrae_fit_marks(extrae, trace, NULL, NULL, &fit, NULL));
    g_autofree char *folder = g_dir_make_tmp("ripple-extrae-XXXXXX", NULL);
    g_autofree char *base = g_build_filename(folder, "both", NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(FILES); i++) {
        g_autofree char *path = g_strconcat(base, FILES[i].suffix, NULL);
        FILE *out = fopen(path, "w");
        FILES[i].write(extrae, &fit, trace, out);
        fclose(out);
    }
    g_autofree char *prv_path = g_strconcat(base, ".prv", NULL);
    g_autofree char *prv = NULL;
    CHECK(g_file_get_contents(prv_path, &prv, NULL, NULL));
    for (size_t i = 0; i < G_N_ELEMENTS(SAYS); i++) {
        CHECK(strstr(prv, SAYS[i]) != NULL, "'%s' not in %s", SAYS[i], prv);
    }
    /* The application's own states need not reach from end to end: all else the judge checks. */
    any_trace_judge("check_paraver", base, "thread 1.1.1: states end at 11000000000");
    for (size_t i = 0; i < G_N_ELEMENTS(FILES); i++) {
        g_autofree char *path = g_strconcat(base, FILES[i].suffix, NULL);
        g_unlink(path);
    }
    g_rmdir(folder);
}

static void damage_is_refused(void)
{
    static const struct {
        const char *from;
        const char *to;
        const char *says;
    } table[] = {
        {"#Paraver (", "#Parabel (", "app.prv:1: not the header of a Paraver trace"},
        {":1(2):1", ":2(2):1", "app.prv:1: not a list of nodes"},
        {"2(1:1,1:1),1", "2(1:1,1:2),1", "app.prv:1: not a number in range at '2),1'"},
        {"2(1:1,1:1),1", "2(1:1,1:1),1x", "app.prv:1: not the end of the header"},
        {"1:2:1:2:1:0:", "1:3:1:2:1:0:", "app.prv:4: a CPU, application, task or thread"},
        {"1:2:1:2:1:0:", "1:2:1:3:1:0:", "app.prv:4: a CPU, application, task or thread"},
        {"50000003:31", "50000003", "app.prv:7: not a record"},
        {"3:1:1:1:1:2000000", "4:1:1:1:1:2000000", "app.prv:6: not a record"},
        {"2:2:1:2:1:2000008", "2:2:1:2:1:20", "app.prv:7: out of order"},
        {"2:2:1:2:1:2000008", "2:2:1:2:1:-8", "app.prv:7: not a number in range at '-8"},
        {":0:10000000:1\n1:2", ":0:99999999999999999999999:1\n1:2",
         "app.prv:3: a number beyond 64 bits"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        g_autoptr(GString) text = g_string_new(TRACE);
        CHECK_I64(g_string_replace(text, table[i].from, table[i].to, 0), 1, "row %zu", i);
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_extrae) extrae = parse(text->str, &error);
        CHECK(extrae == NULL, "row %zu", i);
        CHECK_ERROR(error, table[i].says);
    }
}

static void what_does_not_fit_is_refused(void)
{
    static const struct {
        const char *from;
        const char *to;
        const char *says;
    } table[] = {
        {"91000000", "92000000", "no marks of the clock"},
        {"115098112", "215098112", "more than 1000 ppm apart"},
        {"91000008:", "91000008:77", "of another time than the watch"},
        {":1(2):1", ":1(4):1", "node 1 has 4 CPUs, of which 3 were watched"},
        {":1(2):1", ":2(1,1):1", "2 nodes, but 1 were watched"},
    };
    g_autoptr(noise_nit) nit = watch_new();
    g_autoptr(noise_activity) activity = noise_activity_new(nit, NULL, 0);
    g_autoptr(noise_activity_trace) trace = noise_activity_trace_new(activity, NULL, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        g_autoptr(GString) text = g_string_new(TRACE);
        CHECK(g_string_replace(text, table[i].from, table[i].to, 0) >= 1, "row %zu", i);
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_extrae) extrae = parse(text->str, NULL);
        noise_extrae_fit fit;
        CHECK(extrae != NULL && !noise_extrae_fit_marks(extrae, trace, NULL, NULL, &fit, &error),
              "row %zu", i);
        CHECK_ERROR(error, table[i].says);
    }
}

SUITE_MAIN("extrae", TEST(two_marks_shift_and_scale), TEST(both_become_one_trace),
           TEST(damage_is_refused), TEST(what_does_not_fit_is_refused))
