/* tests/noise/activity/test_paraver.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "activity/any_trace.h"

static const uint64_t MS = 1000000;

/* One node of two CPUs, a rank on CPU 1 (of Paraver; 0 of the node), a daemon from 2 to 5 ms. */
static noise_nit *tiny_new(void)
{
    noise_nit *nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "node", 2, 0, 10 * MS);
    /* 20/11/2025 at 09:00 UTC */
    const noise_nit_clocks clocks = {.monotonic = 0, .realtime = UINT64_C(1763629200000000000)};
    nit->nodes[0].clocks = g_memdup2(&clocks, sizeof clocks);
    nit->nodes[0].num_clocks = 1;
    const uint32_t daemon = any_nit_add_thread(nit, 0, 0, 0, "crond", NOISE_PROGRAM_DAEMON, -1);
    const uint32_t rank = any_nit_add_thread(nit, 0, 5, 1, "app", NOISE_PROGRAM_APPLICATION, 0);
    any_nit_add(nit, daemon, 0, 2 * MS, 5 * MS, 3 * MS);
    any_nit_add(nit, rank, 0, 0, 10 * MS, 7 * MS);
    return nit;
}

/* The example of the specification of this format, line for line. */
static void the_tiny_example_comes_out(void)
{
    g_autoptr(noise_nit) nit = tiny_new();
    g_autoptr(noise_activity) activity = noise_activity_new(nit, NULL, 0);
    g_autoptr(noise_activity_trace) trace = noise_activity_trace_new(activity, NULL, 0);
    g_autofree char *prv = any_trace_text(trace, noise_paraver_write_prv);
    CHECK_STR(prv, "#Paraver (20/11/2025 at 09:00):10000000_ns:1(2):2:1(1:1):1(2:1)\n"
                   "1:1:1:1:1:0:10000000:1\n"
                   "1:1:2:1:1:0:2000000:0\n"
                   "1:2:2:1:2:0:10000000:0\n"
                   "1:1:2:1:1:2000000:5000000:101\n"
                   "2:1:2:1:1:2000000:91000001:101:91000003:3000000\n"
                   "2:1:2:1:1:5000000:91000001:0\n"
                   "1:1:2:1:1:5000000:10000000:0\n");
    g_autofree char *row = any_trace_text(trace, noise_paraver_write_row);
    CHECK_STR(row, "LEVEL CPU SIZE 2\n1.node\n2.node\n\nLEVEL NODE SIZE 1\nnode\n\n"
                   "LEVEL THREAD SIZE 3\nrank 0\nnode cpu0\nnode cpu1\n");
}

static void ranks_have_the_states_of_their_switches(void)
{
    g_autoptr(noise_nit) nit = tiny_new();
    g_autoptr(noise_activity) activity = noise_activity_new(nit, NULL, 0);
    const noise_rank_gap gaps[] = {
        {.out = 2 * MS, .in = 5 * MS, .cpu = 0, .by = 0, .is_exact = true, .preempted = true},
        {.out = 6 * MS, .in = 7 * MS, .cpu = 1, .by = UINT32_MAX, .preempted = false},
    };
    const noise_rank_track rank = {
        .rank = 0, .node = 0, .cpu = 0, .begin = 0, .end = 9 * MS, .num_gaps = 2, .gaps = gaps};
    g_autoptr(noise_activity_trace) trace = noise_activity_trace_new(activity, &rank, 1);
    g_autofree char *prv = any_trace_text(trace, noise_paraver_write_prv);
    static const char *const LINES[] = {
        "\n1:1:1:1:1:0:2000000:1\n",        "\n1:1:1:1:1:2000000:5000000:41\n",
        "\n1:2:1:1:1:5000000:6000000:1\n",  "\n1:2:1:1:1:6000000:7000000:9\n",
        "\n1:2:1:1:1:7000000:9000000:1\n",  "\n1:2:1:1:1:9000000:10000000:0\n",
        "\n2:1:1:1:1:2000000:91000009:1", /* a program takes its CPU, and leaves it */
        "\n2:1:1:1:1:5000000:91000009:0\n",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(LINES); i++) {
        CHECK(strstr(prv, LINES[i]) != NULL, "%s not in %s", LINES[i], prv);
    }
}

static void write_all(const noise_activity_trace *trace, const char *base)
{
    static const struct {
        const char *suffix;
        any_trace_writer *write;
    } FILES[] = {{".prv", noise_paraver_write_prv},
                 {".pcf", noise_paraver_write_pcf},
                 {".row", noise_paraver_write_row}};
    for (size_t i = 0; i < G_N_ELEMENTS(FILES); i++) {
        g_autofree char *path = g_strconcat(base, FILES[i].suffix, NULL);
        g_autofree char *text = any_trace_text(trace, FILES[i].write);
        CHECK(g_file_set_contents(path, text, -1, NULL), "%s", path);
    }
}

static void remove_all(const char *folder, const char *base)
{
    static const char *const SUFFIXES[] = {".prv", ".pcf", ".row"};
    for (size_t i = 0; i < G_N_ELEMENTS(SUFFIXES); i++) {
        g_autofree char *path = g_strconcat(base, SUFFIXES[i], NULL);
        g_unlink(path);
    }
    g_rmdir(folder);
}

static void random_traces_keep_to_the_grammar(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-paraver-XXXXXX", NULL);
    g_autofree char *base = g_build_filename(folder, "trace", NULL);
    g_autoptr(GRand) random = g_rand_new_with_seed(9);
    for (unsigned round = 0; round < 6; round++) {
        g_autoptr(noise_nit) nit = any_trace_nit_new(random);
        g_autoptr(noise_activity) activity = noise_activity_new(nit, NULL, 0);
        g_autoptr(noise_activity_trace) trace = noise_activity_trace_new(activity, NULL, 0);
        write_all(trace, base);
        any_trace_judge("check_paraver", base, NULL);
    }
    remove_all(folder, base);
}

static void the_judge_finds_what_is_broken(void)
{
    static const any_trace_damage table[] = {
        {"_ns:1(2)", "_ns:1(3)", "row"},
        {"_ns:1(2)", ":1(2)", "not a header"},
        {"1:2:2:1:2:0:10000000:0\n", "", "states end at 0"},
        {"2:1:2:1:1:2000000:91000001:101:91000003:3000000\n2:1:2:1:1:5000000:91000001:0\n",
         "2:1:2:1:1:5000000:91000001:0\n2:1:2:1:1:2000000:91000001:101:91000003:3000000\n",
         "out of order"},
        {"1:1:2:1:1:5000000:10000000:0", "1:1:2:1:1:5000000:10000001:0", "a state from"},
        {"1:1:2:1:1:2000000:5000000:101", "1:1:2:1:1:2000000:6000000:101", "begins before"},
        {"2:1:2:1:1:5000000:91000001:0\n", "", "has no end"},
        {"1:1:2:1:1:0:2000000:0", "1:1:2:1:3:0:2000000:0", "no thread 3"},
        {"1:1:1:1:1:0", "1:3:1:1:1:0", "no CPU 3"},
        {"91000001:101:", "91000001:101:91000001:101:", "a type twice"},
        {"91000003:3000000", "91000099:3000000", "no name for type"},
        {"1:1:1:1:1:0:10000000:1", "1:1:1:1:1:0:10000000:2", "no name for state 2"},
        {"1:1:2:1:1:2000000:5000000:101", "1:1:2:1:1:2000000:5000000:1", "not the same activities"},
        {"1:1:1:1:1:0:10000000:1", "1:1:1:1:1:0:10000000:x", "not all numbers"},
    };
    g_autofree char *folder = g_dir_make_tmp("ripple-paraver-XXXXXX", NULL);
    g_autofree char *base = g_build_filename(folder, "trace", NULL);
    g_autofree char *path = g_strconcat(base, ".prv", NULL);
    g_autoptr(noise_nit) nit = tiny_new();
    g_autoptr(noise_activity) activity = noise_activity_new(nit, NULL, 0);
    g_autoptr(noise_activity_trace) trace = noise_activity_trace_new(activity, NULL, 0);
    write_all(trace, base);
    any_trace_judge("check_paraver", base, NULL);
    g_autofree char *whole = any_trace_text(trace, noise_paraver_write_prv);
    any_trace_judge_damaged("check_paraver", base, path, whole, table, G_N_ELEMENTS(table));
    remove_all(folder, base);
}

static void stolen_time_is_summed_per_window(void)
{
    g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 1, 0, 250 * MS);
    const uint32_t d = any_nit_add_thread(nit, 0, 7, 1, "crond", NOISE_PROGRAM_DAEMON, -1);
    any_nit_add(nit, d, 0, 90 * MS, 130 * MS, 40 * MS); /* 10 in the first window, 30 in the next */
    any_nit_add(nit, d, 0, 210 * MS, 215 * MS, 5 * MS); /* in a window that is not whole */
    g_autoptr(noise_activity) activity = noise_activity_new(nit, NULL, 0);
    g_autoptr(noise_activity_trace) trace = noise_activity_trace_new(activity, NULL, 0);
    g_autofree char *prv = any_trace_text(trace, noise_paraver_write_prv);
    CHECK(strstr(prv, "\n2:1:1:1:1:100000000:91000010:10000\n") != NULL, "%s", prv);
    CHECK(strstr(prv, "\n2:1:1:1:1:200000000:91000010:30000\n") != NULL, "%s", prv);
    CHECK(strstr(prv, ":300000000:91000010") == NULL, "%s", prv);
}

static void views_name_what_the_trace_has(void)
{
    g_autoptr(noise_nit) nit = tiny_new();
    g_autoptr(noise_activity) activity = noise_activity_new(nit, NULL, 0);
    g_autoptr(noise_activity_trace) trace = noise_activity_trace_new(activity, NULL, 0);
    g_autofree char *pcf = any_trace_text(trace, noise_paraver_write_pcf);
    for (size_t v = 0; noise_paraver_views[v].name != NULL; v++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        noise_paraver_write_view(trace, v, out);
        fclose(out);
        CHECK(g_str_has_prefix(text,
                               "#ParaverCFG\nConfigFile.Version: 3.4\nConfigFile.NumWindows: "));
        g_auto(GStrv) parts = g_strsplit(text, "window_filter_module evt_type 1 ", -1);
        for (size_t i = 1; parts[i] != NULL;
             i++) { /* each type it filters has a name in the .pcf */
            const unsigned type = (unsigned)g_ascii_strtoull(parts[i], NULL, 10);
            g_autofree char *named = g_strdup_printf("    %u    ", type);
            CHECK(strstr(pcf, named) != NULL, "%s", named);
        }
        g_auto(GStrv) windows = g_strsplit(text, "< NEW DISPLAYING WINDOW ", -1);
        g_autofree char *number = g_strdup_printf("NumWindows: %u\n", g_strv_length(windows) - 1);
        CHECK(strstr(text, number) != NULL, "%s", noise_paraver_views[v].name);
        free(text); /* NOLINT: open_memstream() allocates it */
    }
}

SUITE_MAIN("paraver", TEST(the_tiny_example_comes_out),
           TEST(ranks_have_the_states_of_their_switches), TEST(random_traces_keep_to_the_grammar),
           TEST(the_judge_finds_what_is_broken), TEST(stolen_time_is_summed_per_window),
           TEST(views_name_what_the_trace_has))
