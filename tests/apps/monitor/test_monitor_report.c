/* tests/apps/monitor/test_monitor_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "folder.h"
#include "monitor/monitor_report.h"
#include "nit/nit_writer.h"
#include "noise/cpu_file.h"
#include "noise/switch_record.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

static const uint64_t MS = 1000000;
static const uint64_t S = 1000000000;
static char *folder;

static char *in_folder(const char *name)
{
    folder = folder != NULL ? folder : g_dir_make_tmp("ripple-monitor-XXXXXX", NULL);
    return g_build_filename(folder, name, NULL);
}

/* A node of two CPUs, watched for 10 s: a rank on CPU 0, crond every 100 ms for 2 ms beside it. */
static void write_node(const char *file, const char *name, const char *boot, uint64_t begin)
{
    g_autofree char *path = in_folder(file);
    uint32_t cpus[] = {0, 1};
    noise_nit_clocks clocks = {.monotonic = begin, .realtime = UINT64_C(1700000000000000000)};
    g_autofree char *name_copy = g_strdup(name);
    g_autofree char *boot_copy = g_strdup(boot);
    g_autofree char *kernel = g_strdup("6.1");
    const noise_nit_node node = {.name = name_copy,
                                 .boot_id = boot_copy,
                                 .kernel = kernel,
                                 .num_cpus = 2,
                                 .cpus = cpus,
                                 .core = cpus,
                                 .clk_tck = 100,
                                 .clocks = &clocks,
                                 .num_clocks = 1};
    noise_nit_writer *w = noise_nit_writer_new(path, &node, NULL);
    g_autofree char *crond = g_strdup("crond");
    g_autofree char *solver = g_strdup("solver, \"x\"");
    const noise_nit_thread threads[] = {
        {.pid = 7, .tid = 7, .parent = 1, .name = crond, .kind = NOISE_PROGRAM_DAEMON, .rank = -1},
        {.pid = 9, .tid = 9, .parent = 1, .name = solver, .kind = NOISE_PROGRAM_APPLICATION},
    };
    noise_nit_writer_thread(w, &threads[0]);
    noise_nit_writer_thread(w, &threads[1]);
    for (uint64_t at = begin; at < begin + 10 * S; at += 100 * MS) {
        const noise_nit_activity list[] = {
            {0, 0, at + 10 * MS, at + 13 * MS, 2 * MS, 1, 0, 0, false, 0},
            {1, 0, at, at + 100 * MS, 98 * MS, 2, 0, 0, false, 0},
        };
        noise_nit_writer_activity(w, &list[0], false);
        noise_nit_writer_activity(w, &list[1], false);
    }
    CHECK(noise_nit_writer_close(w, begin + 10 * S, NULL));
}

/* Rank 0 was off CPU 0 for 2 ms in each 100 ms. */
static void write_ranks(const char *boot)
{
    g_autofree char *path = in_folder("switches.0");
    noise_switch_header h = {.magic = {'r', 'i', 'p', 'p', 'l', 'e', 's', 'w'},
                             .version = NOISE_SWITCH_VERSION,
                             .header_bytes = sizeof h,
                             .record_bytes = sizeof(noise_switch_record),
                             .num_ranks = 1,
                             .pid = 9,
                             .tid = 9,
                             .is_whole = 1,
                             .begin = {5 * S, 1},
                             .end = {15 * S, 10 * S},
                             .host = "n",
                             .allowed = {1}};
    g_strlcpy(h.boot_id, boot, sizeof h.boot_id);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_byte_array_append(bytes, (const guint8 *)&h, sizeof h);
    for (uint64_t i = 0; i < 100; i++) {
        const noise_switch_record r = {.out = 5 * S + i * 100 * MS + 11 * MS,
                                       .in = 5 * S + i * 100 * MS + 13 * MS,
                                       .tid = 9,
                                       .preempted = 1};
        g_byte_array_append(bytes, (const guint8 *)&r, sizeof r);
    }
    CHECK(g_file_set_contents(path, (const char *)bytes->data, (gssize)bytes->len, NULL));
}

/* What the kernel recorded of CPU 0: crond woke 11 ms after each 100 ms, in two turns of 1 ms, and
 * a compiler that nobody saw ran for 100 us at the end. */
static void write_cpus(const char *boot)
{
    g_autofree char *path = in_folder(NOISE_CPU_FILE);
    g_autoptr(GArray) slices = g_array_new(FALSE, FALSE, sizeof(noise_switch));
    for (uint64_t at = 5 * S; at < 15 * S; at += 100 * MS) {
        const noise_switch turns[] = {
            {.out = at, .in = at + 11 * MS, .next_tid = 9},
            {.out = at + 11 * MS, .in = at + 12 * MS, .next_tid = 7, .preempted = true},
            {.out = at + 12 * MS, .in = at + 15 * MS, .next_tid = 9, .preempted = true},
            {.out = at + 15 * MS, .in = at + 16 * MS, .next_tid = 7, .preempted = true},
            {.out = at + 16 * MS, .in = at + 99900000, .next_tid = 9},
            {.out = at + 99900000, .in = at + 100 * MS, .next_tid = 77, .preempted = true},
        };
        g_array_append_vals(slices, turns, G_N_ELEMENTS(turns));
    }
    const noise_switch_name names[] = {
        {.when = 5 * S + 50 * MS, .pid = 77, .tid = 77, .parent = 7, .by = 7},
        {.when = 5 * S + 51 * MS, .pid = 77, .tid = 77, .name = "cc1"},
    };
    g_autoptr(GArray) cpus = noise_cpu_slices_new();
    const noise_cpu_slices s = {.n = slices->len,
                                .slice =
                                    g_memdup2(slices->data, slices->len * sizeof(noise_switch)),
                                .num_names = 2,
                                .name = g_memdup2(names, sizeof names)};
    g_array_append_val(cpus, s);
    FILE *out = fopen(path, "wb");
    noise_cpu_file_write(boot, cpus, out);
    CHECK(fclose(out) == 0);
}

static bool report(const app_monitor_options *options, unsigned format, const char *out,
                   const char *const *files, size_t n, GError **error)
{
    char *argv[] = {(char[]){"ripple"}, (char[]){"monitor"}, NULL};
    g_autofree char *output = out != NULL ? in_folder(out) : NULL;
    app_context context = {.verb = "monitor", .format = format, .output = output};
    context.manifest = app_manifest_new("monitor", argv);
    const bool done = app_monitor_report(&context, options, files, n, error);
    app_manifest_free(context.manifest);
    return done;
}

static char *text_of(const char *name)
{
    g_autofree char *path = in_folder(name);
    char *text = NULL;
    g_file_get_contents(path, &text, NULL, NULL);
    return text;
}

static void says_who_used_the_cpus(void)
{
    write_node("a.nit", "n07", "boot-a", 5 * S);
    g_autofree char *a = in_folder("a.nit");
    const char *const files[] = {a};
    g_autoptr(GError) error = NULL;
    CHECK(report(&(app_monitor_options){0}, APP_FORMAT_TEXT, "out.txt", files, 1, &error), "%s",
          error != NULL ? error->message : "");
    g_autofree char *text = text_of("out.txt");
    static const char *const SAYS[] = {
        "n07: watched for 10s, CPUs 0-1,",
        "Of what is not the job itself, crond on n07 used most of the CPUs that the job used: ",
        " in all, every 100ms, 2ms",
        "External: nothing ties it to the job",
        "The job itself, and the monitor",
        "Rule, internal by descent",
        "By how often it went to sleep, solver, \"x\" was active 1 to 200 times, for 49ms to 9.8s ",
        ">= 1  ",
        "<= 9.8s",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(SAYS); i++) {
        CHECK(strstr(text, SAYS[i]) != NULL, "'%s' not in: %s", SAYS[i], text);
    }
    CHECK(report(&(app_monitor_options){0}, APP_FORMAT_CSV, "out.csv", files, 1, &error));
    g_autofree char *csv = text_of("out.csv");
    CHECK(strstr(csv, "\nn07,crond,daemon,external,,7,0,100,100,10,200000000,0.01,2000000,2000000,"
                      "2000000,2000000,0,0,200000000,,") != NULL,
          "%s", csv); /* what was taken from the ranks is not known: an empty field */
    CHECK(strstr(csv, "\nn07,\"solver, \"\"x\"\"\",application,job,") != NULL, "%s", csv);
    CHECK(report(&(app_monitor_options){0}, APP_FORMAT_JSON, "out.json", files, 1, &error));
    g_autofree char *json = text_of("out.json");
    g_autoptr(JsonParser) parser = json_parser_new();
    CHECK(json_parser_load_from_data(parser, json, -1, NULL), "%s", json);
    JsonObject *root = json_node_get_object(json_parser_get_root(parser));
    JsonObject *first =
        json_array_get_object_element(json_object_get_array_member(root, "programs"), 0);
    CHECK_STR(json_object_get_string_member(first, "name"), "crond");
    CHECK_I64(json_object_get_int_member(first, "activations"), 100);
    CHECK_I64(json_object_get_int_member(first, "most_activations"), 100);
    CHECK(!json_object_has_member(first, "from_ranks_ns"));
    CHECK_NEAR(json_object_get_double_member(first, "period_ns"), 100e6, 0.1e6);
}

static void several_nodes_become_one_file(void)
{
    write_node("a.nit", "n07", "boot-a", 5 * S);
    write_node("b.nit", "n08", "boot-b", 5000 * S);
    g_autofree char *a = in_folder("a.nit");
    g_autofree char *b = in_folder("b.nit");
    g_autofree char *all = in_folder("all.nit");
    const char *const files[] = {a, b};
    const char *const twice[] = {a, a};
    const char *const merged[] = {all};
    const app_monitor_options plain = {0};
    const app_monitor_options merge = {.merge = true};
    char sundial[] = "sundial";
    const app_monitor_options bad = {.clocks = sundial};
    g_autoptr(GError) error = NULL;
    CHECK(report(&merge, APP_FORMAT_TEXT, "all.nit", files, 2, &error), "%s",
          error != NULL ? error->message : "");
    CHECK(report(&plain, APP_FORMAT_CSV, "both.csv", files, 2, &error));
    CHECK(report(&plain, APP_FORMAT_CSV, "all.csv", merged, 1, &error));
    g_autofree char *direct = text_of("both.csv");
    g_autofree char *again = text_of("all.csv");
    CHECK_STR(again, direct); /* the merged file says what its parts say */
    CHECK(strstr(again, "\nn08,crond,") != NULL, "%s", again);
    const struct {
        const app_monitor_options *options;
        const char *const *files;
        size_t n;
        const char *out;
        const char *says;
    } table[] = {
        {&plain, twice, 2, "x", "of the same node and boot as"},
        {&merge, files, 2, NULL, "--merge: where to?"},
        {&merge, merged, 1, "x", "--merge has no effect on one file"},
        {&bad, files, 2, "x", "--clocks"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        g_autoptr(GError) why = NULL;
        CHECK(!report(table[i].options, APP_FORMAT_CSV, table[i].out, table[i].files, table[i].n,
                      &why),
              "row %zu", i);
        CHECK_ERROR(why, table[i].says);
    }
}

static void writes_traces_and_a_page(void)
{
    write_node("a.nit", "n07", "boot-a", 5 * S);
    write_ranks("boot-a");
    g_autofree char *a = in_folder("a.nit");
    g_autofree char *base = in_folder("trace");
    g_autofree char *perfetto = in_folder("trace.json");
    g_autofree char *page = in_folder("page");
    g_autofree char *ranks = in_folder(".");
    const app_monitor_options options = {
        .paraver = base, .perfetto = perfetto, .report = page, .ranks = ranks};
    const char *const files[] = {a};
    g_autoptr(GError) error = NULL;
    CHECK(report(&options, APP_FORMAT_TEXT, "out.txt", files, 1, &error), "%s",
          error != NULL ? error->message : "");
    g_autofree char *text = text_of("out.txt");
    CHECK(
        strstr(text, "Most was taken from the ranks by crond on n07: 200ms in all, every 100ms") !=
            NULL,
        "%s", text);
    CHECK(strstr(text, "1 rank could have run for 200ms more; 100 % of it is joined to a name") !=
              NULL,
          "%s", text);
    CHECK(report(&options, APP_FORMAT_CSV, "out.csv", files, 1, &error));
    g_autofree char *csv = text_of("out.csv");
    CHECK(strstr(csv, ",0,0,200000000,200000000,") != NULL, "%s", csv);
    g_autofree char *prv = text_of("trace.prv");
    CHECK(strstr(prv, ":10000000000_ns:1(2):2:1(1:1):1(2:1)\n") != NULL, "%.80s", prv);
    CHECK(strstr(prv, "\n1:1:1:1:1:11000000:13000000:41\n") != NULL, "%.400s", prv); /* preempted */
    g_autofree char *json = text_of("trace.json");
    CHECK(strstr(json, "\"name\":\"preempted\",\"args\":{\"cpu\":0,\"by\":\"crond\",\"by_tid\":7,"
                       "\"exact\":false}") != NULL,
          "%s", json);
    CHECK(strstr(prv, "\n2:1:1:1:1:11000000:91000009:101\n") != NULL, "%.400s", prv);
    CHECK(strstr(prv, "\n2:1:1:1:1:13000000:91000009:0\n") != NULL, "%.400s", prv);
    g_autofree char *html = text_of("page/monitor.html");
    CHECK(html != NULL && strstr(html, "crond") != NULL);
    static const char *const VIEWS[] = {"trace.daemon-as-state.cfg", "trace.stolen-per-100ms.cfg",
                                        "trace.one-daemon.cfg", "trace.late-rank.cfg"};
    for (size_t i = 0; i < G_N_ELEMENTS(VIEWS); i++) {
        g_autofree char *view = text_of(VIEWS[i]);
        CHECK(view != NULL && g_str_has_prefix(view, "#ParaverCFG\n"), "%s", VIEWS[i]);
    }
}

static const char *row_of(const char *csv, const char *program)
{
    g_autofree char *key = g_strdup_printf("\nn07,%s,", program);
    return strstr(csv, key);
}

static void records_of_cpus_stand_in_place_of_samples(void)
{
    write_node("a.nit", "n07", "boot-a", 5 * S);
    write_ranks("boot-a");
    write_cpus("boot-a");
    g_autofree char *a = in_folder("a.nit");
    g_autofree char *base = in_folder("trace");
    g_autofree char *perfetto = in_folder("trace.json");
    g_autofree char *ranks = in_folder(".");
    const app_monitor_options options = {.paraver = base, .perfetto = perfetto, .ranks = ranks};
    const char *const files[] = {a};
    g_autoptr(GError) error = NULL;
    CHECK(report(&options, APP_FORMAT_CSV, "out.csv", files, 1, &error), "%s",
          error != NULL ? error->message : "");
    g_autofree char *csv = text_of("out.csv");
    CHECK(row_of(csv, "crond") != NULL && strstr(csv, ",0,100,200,10,200000000,") != NULL, "%s",
          csv);
    CHECK(row_of(csv, "cc1") != NULL, "%s", csv); /* which no sweep had seen */
    g_autofree char *prv = text_of("trace.prv");
    static const char *const STANDS[] = {"\n1:1:2:1:1:11000000:12000000:10",
                                         "\n1:1:2:1:1:15000000:16000000:10",
                                         "\n1:1:2:1:1:99900000:100000000:10"};
    for (size_t i = 0; i < G_N_ELEMENTS(STANDS); i++) {
        CHECK(strstr(prv, STANDS[i]) != NULL, "'%s' not in: %.600s", STANDS[i], prv);
    }
    g_autofree char *json = text_of("trace.json");
    CHECK(strstr(json, "\"ts\":15000.000,\"dur\":1000.000,\"cat\":\"daemon\",\"name\":"
                       "\"crond\"") != NULL,
          "%s", json);
    CHECK(report(&options, APP_FORMAT_TEXT, "out.txt", files, 1, &error));
    g_autofree char *text = text_of("out.txt");
    CHECK(strstr(text, "records (600 turns on a CPU), exact") != NULL, "%s", text);
    write_cpus("another-boot"); /* of no node that was watched */
    CHECK(report(&options, APP_FORMAT_CSV, "out.csv", files, 1, &error));
    g_autofree char *without = text_of("out.csv");
    CHECK(row_of(without, "cc1") == NULL, "%s", without);
    g_autofree char *cpus = in_folder(NOISE_CPU_FILE);
    CHECK(g_file_set_contents(cpus, "ripplecp", 8, NULL));
    CHECK(!report(&options, APP_FORMAT_CSV, "out.csv", files, 1, &error));
    CHECK_ERROR(error, "switches.cpus: no record of CPUs, or one that was cut");
    g_unlink(cpus);
}

static void says_what_cannot_be_read(void)
{
    g_autofree char *nothing = in_folder("nothing.nit");
    const char *const files[] = {nothing};
    const app_monitor_options plain = {0};
    g_autoptr(GError) error = NULL;
    CHECK(!report(&plain, APP_FORMAT_TEXT, "x", files, 1, &error));
    CHECK_ERROR(error, "nothing.nit");
    g_clear_error(&error);
    g_autofree char *empty = in_folder("empty");
    g_mkdir(empty, 0700);
    const app_monitor_options no_ranks = {.ranks = empty};
    CHECK(!report(&no_ranks, APP_FORMAT_TEXT, "x", files, 1, &error));
    CHECK_ERROR(error, "has no file switches.RANK");
    g_clear_error(&error);
    const app_monitor_options idle = {.paraver = empty};
    CHECK(!app_monitor_options_refuse(&idle, &error));
    CHECK_ERROR(error, "--paraver has no effect without a FILE to report on");
    folder_remove(folder);
}

SUITE_MAIN("monitor_report", TEST(says_who_used_the_cpus), TEST(several_nodes_become_one_file),
           TEST(writes_traces_and_a_page), TEST(records_of_cpus_stand_in_place_of_samples),
           TEST(says_what_cannot_be_read))
