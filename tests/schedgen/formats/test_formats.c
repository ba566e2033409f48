/* tests/schedgen/formats/test_formats.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "data.h"
#include "sched/goal.h"
#include "sched/reader.h"
#include "sched/writer.h"
#include "trace_files.h"

#include <glib/gstdio.h>
#include <string.h>

static const char GOAL[] = "num_ranks 2\n"
                           "rank 0 {\n l1: calc 100\n l2: send 8b to 1 tag 3\n l2 requires l1\n}\n"
                           "rank 1 {\n l1: recv 8b from 0 tag 3\n}\n";

static bool write_with(const sched_writer *w, bool stream, const sim_graph *graph, const char *path)
{
    if (!stream) {
        return w->write_graph(graph, path, NULL);
    }
    sched_graph_source source;
    sched_graph_source_init(&source, graph);
    const bool ok = w->write_stream(&source.source, path, NULL);
    sched_graph_source_clear(&source);
    return ok;
}

/* A program of which both can be written: @p path is the stream of it. */
static void check_same_file(const sched_writer *w, const sim_graph *graph, const char *path)
{
    g_autofree char *stored = g_strconcat(path, ".stored", NULL);
    g_autofree char *a = NULL;
    g_autofree char *b = NULL;
    gsize len_a = 0;
    gsize len_b = 0;
    CHECK(write_with(w, false, graph, stored));
    CHECK(g_file_get_contents(path, &a, &len_a, NULL) &&
          g_file_get_contents(stored, &b, &len_b, NULL));
    CHECK(len_a == len_b && a != NULL && b != NULL && memcmp(a, b, len_a) == 0, "%s", path);
    CHECK_I64(g_unlink(stored), 0);
}

/* What is written is found again by the reader of its format, and by no other. */
static void written_schedules_find_their_readers(void)
{
    static const sched_reader *const readers[] = {&sched_reader_goal, &sched_reader_goal,
                                                  &sched_reader_native, NULL, NULL};
    g_autoptr(sim_graph) graph = sched_goal_read_data("g", GOAL, strlen(GOAL), false, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(graph);
    char *folder = trace_folder_new(NULL, NULL, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(readers); i++) {
        const sched_writer *w = sched_writers[i];
        if (!CHECK(w != NULL)) {
            break;
        }
        g_autofree char *name = g_strconcat("x", w->suffixes[0], NULL);
        g_autofree char *path = g_build_filename(folder, name, NULL);
        CHECK(write_with(w, w->write_stream != NULL, graph, path), "%s", name);
        if (w->write_stream != NULL && w->write_graph != NULL) {
            check_same_file(w, graph, path);
        }
        const sched_reader *reader = sched_reader_find(path);
        CHECK(reader == readers[i], "%s is taken for %s", name,
              reader != NULL ? reader->name : "nothing");
        if (reader != NULL) {
            const sched_read_options options = {0};
            sched_input input = {0};
            CHECK(reader->open(path, &options, &input, NULL) && input.trace == NULL);
            CHECK_I64(sim_graph_num_ranks(input.graph), 2);
            CHECK_I64(sim_graph_num_ops(input.graph, 0), 2);
            sim_graph_free(input.graph);
        }
    }
    CHECK(sched_writers[G_N_ELEMENTS(readers)] == NULL, "a writer that this test does not know");
    trace_folder_free(folder);
}

static void writers_do_not_share_suffixes(void)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (size_t i = 0; sched_writers[i] != NULL; i++) {
        const sched_writer *w = sched_writers[i];
        CHECK((w->write_graph != NULL || w->write_stream != NULL) && w->what != NULL);
        CHECK(w->suffixes[0] != NULL);
        for (const char *const *s = w->suffixes; *s != NULL; s++) {
            CHECK(**s == '.' && g_hash_table_add(seen, g_strdup(*s)), "%s", *s);
        }
    }
}

static void other_files_find_no_reader(void)
{
    static const char *const names[] = {"empty", "zeros", "text", "number"};
    static const char *const texts[] = {"", "\001\001\001\001", "Dear reader,\n", "1 2 3\n"};
    char *folder = trace_folder_new(names, texts, G_N_ELEMENTS(names));
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);
        CHECK(sched_reader_find(path) == NULL, "%s", names[i]);
    }
    CHECK(sched_reader_find(folder) == NULL);
    CHECK(sched_reader_find("/nonexistent/x") == NULL);
    trace_folder_free(folder);
}

static void lists_name_all_readers(void)
{
    g_autofree char *traces = sched_reader_names(true);
    g_autofree char *schedules = sched_reader_names(false);
    g_autofree char *all = g_strconcat(traces, ", ", schedules, NULL);
    g_auto(GStrv) words = g_strsplit(all, ", ", -1);
#define IS_NAMED(NAME) CHECK(g_strv_contains((const char *const *)words, sched_reader_##NAME.name));
    SCHED_READERS(IS_NAMED)
    g_autofree char *path = test_data("../../docs/formats.md");
    g_autofree char *text = NULL;
    CU_ASSERT_TRUE_FATAL(g_file_get_contents(path, &text, NULL, NULL));
    for (size_t i = 0; words[i] != NULL; i++) {
        CHECK(strstr(text, words[i]) != NULL, "docs/formats.md does not name %s", words[i]);
    }
    g_autofree char *forms = sched_reader_forms(false);
    CHECK_STR(forms, "Ripple's own .rpl; GOAL text or binary");
}

SUITE_MAIN("formats", TEST(written_schedules_find_their_readers),
           TEST(writers_do_not_share_suffixes), TEST(other_files_find_no_reader),
           TEST(lists_name_all_readers))
