/* tests/apps/losses/test_losses.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The way of `run --watch` from what was recorded to what it costs at scale, on a run made by hand:
 * two ranks, each on its CPU, for 10 s. On CPU 1 a burner takes 4 ms every 100 ms, in five pieces.
 * On CPU 0 a compiler that nobody ever saw takes 1 ms now and then, on CPU 1 a daemon next to
 * nothing.
 */
#include "check.h"
#include "folder.h"
#include "knockout/knockout.h"
#include "losses/losses_report.h"
#include "noise/cpu_file.h"
#include "trial.h"
#include "watched_node.h"

#include <string.h>

#define BOOT WATCHED_NODE_BOOT
enum { BURNER = 7, DAEMON = 8, SHELL = 20, RANK0 = WATCHED_NODE_RANK0, COMPILER = 900 };
static const uint64_t US = 1000, MS = 1000000, S = 1000000000, BEGIN = 5000000000;
static const watched_time WHEN = {5000000000, 10000000000};

static void write_node(const char *folder)
{
    char burner[] = "burner", daemon[] = "crond", shell[] = "sh", solver[] = "solver";
    const noise_nit_thread threads[] = {
        {.pid = BURNER, .tid = BURNER, .name = burner, .rank = -1},
        {.pid = DAEMON, .tid = DAEMON, .name = daemon, .rank = -1},
        {.pid = SHELL, .tid = SHELL, .name = shell, .rank = -1},
        {.pid = RANK0, .tid = RANK0, .name = solver, .kind = NOISE_PROGRAM_APPLICATION},
        {.pid = RANK0 + 1, .tid = RANK0 + 1, .name = solver, .kind = NOISE_PROGRAM_APPLICATION},
    };
    watched_node_write(folder, WHEN, threads, G_N_ELEMENTS(threads), NULL, 0);
}

/* A CPU that belongs to a rank. */
typedef struct lane {
    uint32_t rank;
    GArray *slices; /* of noise_switch */
    GArray *names;  /* of noise_switch_name */
    GArray *off;    /* of noise_switch_record */
} lane;

static lane lane_new(uint32_t rank)
{
    lane l = {.rank = rank,
              .slices = g_array_new(FALSE, FALSE, sizeof(noise_switch)),
              .names = g_array_new(FALSE, FALSE, sizeof(noise_switch_name)),
              .off = g_array_new(FALSE, FALSE, sizeof(noise_switch_record))};
    const noise_switch s = {.out = BEGIN, .cpu = rank, .cpu_in = rank, .next_tid = RANK0 + rank};
    g_array_append_val(l.slices, s);
    return l;
}

/* Instead of the rank @p tid runs; whether it could have run on afterwards. */
static void take(lane *l, uint64_t at, uint64_t ns, uint32_t tid, bool goes_on)
{
    const noise_switch_record r = {.out = BEGIN + at,
                                   .in = BEGIN + at + ns,
                                   .cpu = l->rank,
                                   .cpu_in = l->rank,
                                   .tid = RANK0 + l->rank,
                                   .preempted = 1};
    const noise_switch in = {.out = r.out, .cpu = l->rank, .next_tid = tid, .preempted = true};
    const noise_switch back = {
        .out = r.in, .cpu = l->rank, .next_tid = RANK0 + l->rank, .preempted = goes_on};
    g_array_append_val(l->off, r);
    g_array_append_val(l->slices, in);
    g_array_append_val(l->slices, back);
}

static void write_rank(const char *folder, const lane *l)
{
    watched_rank_write(folder, WHEN, l->rank,
                       (const noise_switch_record *)(const void *)l->off->data, l->off->len);
    g_array_unref(l->off);
}

static void clear_slices(gpointer data)
{
    noise_cpu_slices *s = data;
    g_free(s->slice);
    g_free(s->name);
}

static void keep_records(GArray *all, const lane *l)
{
    noise_switch *slice = (noise_switch *)(void *)l->slices->data;
    for (guint i = 0; i < l->slices->len; i++) {
        slice[i].in = i + 1 < l->slices->len ? slice[i + 1].out : BEGIN + 10 * S;
    }
    const noise_cpu_slices s = {.cpu = l->rank,
                                .n = l->slices->len,
                                .slice = (noise_switch *)(void *)g_array_free(l->slices, FALSE),
                                .num_names = l->names->len,
                                .name = (noise_switch_name *)(void *)g_array_free(l->names, FALSE)};
    g_array_append_val(all, s);
}

/* Records of CPUs: as the run has just left them, as it left them in its folder, or none. */
typedef enum { AT_HAND, IN_A_FILE, NONE } whose_records;

/* The whole run into @p folder. */
static app_losses *losses_of(const char *folder, whose_records records)
{
    lane lanes[2] = {lane_new(0), lane_new(1)};
    write_node(folder);
    for (uint64_t i = 0; i < 100; i++) {
        for (uint64_t p = 0; p < 5; p++) {
            take(&lanes[1], (i * 100 + 10 + 3 * p) * MS, 800 * US, BURNER, p < 4);
        }
        if (i % 10 == 3) {
            const uint32_t tid = COMPILER + (uint32_t)i;
            const noise_switch_name names[] = {
                {.when = BEGIN + (i * 100 + 40) * MS,
                 .pid = tid,
                 .tid = tid,
                 .parent = SHELL,
                 .by = SHELL},
                {.when = BEGIN + (i * 100 + 41) * MS, .pid = tid, .tid = tid, .name = "cc1"},
            };
            g_array_append_vals(lanes[0].names, names, G_N_ELEMENTS(names));
            take(&lanes[0], (i * 100 + 42 + i * i % 31) * MS, MS, tid, false);
            take(&lanes[1], (i * 100 + 60) * MS, 20 * US, DAEMON, false);
        }
    }
    app_watched watched = {.slices = g_array_new(FALSE, FALSE, sizeof(noise_cpu_slices))};
    g_array_set_clear_func(watched.slices, clear_slices);
    for (size_t c = 0; c < 2; c++) {
        write_rank(folder, &lanes[c]);
        keep_records(watched.slices, &lanes[c]);
    }
    if (records == IN_A_FILE) {
        g_autofree char *path = g_build_filename(folder, NOISE_CPU_FILE, NULL);
        FILE *out = fopen(path, "wb");
        noise_cpu_file_write(BOOT, watched.slices, out);
        CHECK(fclose(out) == 0);
    }
    if (records != AT_HAND) {
        g_clear_pointer(&watched.slices, g_array_unref);
        watched.refusal = records == NONE ? g_strdup("not for us") : NULL;
    }
    g_autoptr(sched_trace) trace = sched_trace_new("by hand", "by hand", 2);
    g_autoptr(GError) error = NULL;
    app_losses *l = app_losses_new(folder, trace, &watched, &error);
    g_assert_no_error(error);
    return l;
}

static char *text_of(const app_losses *l)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    app_losses_print(l, out);
    (void)fclose(out);
    char *copy = g_strdup(text);
    free(text);
    return copy;
}

static void each_rank_is_told_what_it_lost_to_whom(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-losses-XXXXXX", NULL);
    g_autoptr(app_losses) l = losses_of(folder, AT_HAND);
    g_autofree char *text = text_of(l);
    static const char *const SAYS[] = {
        "\n  rank 1 lost 4 % to `burner`, every 100 ms, 4 ms, CPU 1; in 5 pieces each\n",
        "\n  rank 0 lost 0.1 % to `cc1`, ",
        ", 1 ms, CPU 0\n",
        "\n  rank 1 lost 0.002 % to `crond`, ",
        ", 20 us, CPU 1\n",
        "\n  rank 0: of 10 s lost 10 ms computing (0.1 %), 100 % of it joined to a name\n",
        "\n  rank 1: of 10 s lost 400 ms computing (4 %), 100 % of it joined to a name\n",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(SAYS); i++) {
        CHECK(strstr(text, SAYS[i]) != NULL, "'%s' not in: %s", SAYS[i], text);
    }
    folder_remove(folder);
}

/* `ripple detect` and `ripple mine` read what a run left. */
static void what_a_run_left_says_the_same_later(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-losses-XXXXXX", NULL);
    g_autoptr(app_losses) now = losses_of(folder, AT_HAND);
    g_autoptr(app_losses) later = losses_of(folder, IN_A_FILE);
    g_autofree char *said = text_of(now);
    g_autofree char *again = text_of(later);
    CHECK_STR(again, said);
    folder_remove(folder);
}

/* Nobody may say who ran: the watcher saw no activity, so nothing is made up. */
static void without_records_nobody_is_accused(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-losses-XXXXXX", NULL);
    g_autoptr(app_losses) l = losses_of(folder, NONE);
    g_autofree char *text = text_of(l);
    CHECK(strstr(text, "none that was seen") != NULL, "%s", text);
    CHECK(strstr(text, "rank 1: of 10 s lost 400 ms computing (4 %), 0 % of it") != NULL, "%s",
          text);
    CHECK(strstr(text, "(not for us)") != NULL, "%s", text);
    folder_remove(folder);
}

static void the_page_has_a_section_with_a_figure(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-losses-XXXXXX", NULL);
    g_autoptr(app_losses) l = losses_of(folder, AT_HAND);
    g_autoptr(app_page) page = app_page_new("test");
    g_autofree char *path = g_build_filename(folder, "page.html", NULL);
    g_autofree char *csv = g_build_filename(folder, "lost-by-rank.csv", NULL);
    g_autofree char *html = NULL;
    g_autofree char *numbers = NULL;
    g_autoptr(GError) error = NULL;
    CHECK(app_losses_report(l, page, folder, &error) && app_page_write(page, path, &error));
    g_assert_no_error(error);
    CHECK(g_file_get_contents(path, &html, NULL, NULL));
    CHECK(g_file_get_contents(csv, &numbers, NULL, NULL));
    CHECK(strstr(html, "The most: rank 1 lost 4 % to `burner`, every 100 ms, 4 ms, CPU 1") != NULL,
          "%s", html);
    CHECK(strstr(html, "<svg") != NULL && strstr(html, "How this is known") != NULL);
    CHECK(strstr(numbers, "`burner`_percent,`cc1`_percent,`crond`_percent,") != NULL, "%s",
          numbers);
    CHECK(strstr(numbers, "\n0,share of its time,1,0,0.1,0,0,0,0,0\n") != NULL, "%s", numbers);
    CHECK(strstr(numbers, "\n1,share of its time,2,4,0,0.002,0,0,0,0\n") != NULL, "%s", numbers);
    folder_remove(folder);
}

static const app_knockout_gain *gain_of(const app_knockout *k, const char *name)
{
    for (size_t i = 0; i < k->tables[0].num_gains; i++) {
        if (g_str_has_suffix(k->parts[k->tables[0].gains[i].component].name, name)) {
            return &k->tables[0].gains[i];
        }
    }
    return NULL;
}

/* What was lost is the noise of a simulation, and leaving out its programs says what each costs. */
static void what_was_lost_is_simulated_and_knocked_out(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-losses-XXXXXX", NULL);
    g_autoptr(app_losses) l = losses_of(folder, AT_HAND);
    g_autofree char *path = NULL;
    g_autoptr(GError) error = NULL;
    trial t = {0};
    CHECK(app_losses_write_detours(l, folder, &path, &error) && path != NULL);
    /* 200 steps of 10 ms; of 16 ranks half have the noise of rank 1, each at its own time. 2 s hold
     * 20 bursts of each: any that does not meet one of another rank costs its length. */
    trial_open(&t, "pattern:calc=10ms,allreduce:8B*200", "16", path, NULL, "5");
    const app_experiment x = trial_experiment(&t, 2);
    t.results = app_experiment_run(&x, &error);
    g_assert_no_error(error);
    const app_knockout_wish wish = {.wanted = true, .largest = true};
    g_autoptr(app_knockout) k = app_knockout_run(&x, t.results, &wish, &error);
    g_assert_no_error(error);
    CHECK_I64(k->num_tables, 1);
    CHECK_I64(k->num_parts, 3);
    const app_knockout_gain *burner = gain_of(k, ": burner");
    const app_knockout_gain *compiler = gain_of(k, ": cc1");
    const app_knockout_gain *others = gain_of(k, "2 others together"); /* with "not explained" */
    if (CHECK(burner != NULL && compiler != NULL && others != NULL)) {
        const double all = k->tables[0].slowdown.mean;
        CHECK_I64(burner->best, 1);
        CHECK_I64(burner->worst, 1);
        CHECK(all > 0.04 && all < 8 * 0.04 + 8 * 0.001 + 0.001, "%g", all);
        CHECK(burner->without.mean < 8 * 0.001 + 0.001, "%g", burner->without.mean);
        CHECK(compiler->gain.mean > 0 && compiler->gain.mean < 8 * 0.001 + 1e-9);
        CHECK(others->gain.mean >= 0 && others->gain.mean < 0.001);
    }
    trial_close(&t);
    folder_remove(folder);
}

SUITE_MAIN("losses", TEST(each_rank_is_told_what_it_lost_to_whom),
           TEST(what_a_run_left_says_the_same_later), TEST(without_records_nobody_is_accused),
           TEST(the_page_has_a_section_with_a_figure),
           TEST(what_was_lost_is_simulated_and_knocked_out))
