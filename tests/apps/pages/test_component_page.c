/* tests/apps/pages/test_component_page.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of what was mined, as text. */
#include "check.h"
#include "folder.h"
#include "pages/component_data.h"
#include "pages/component_page.h"
#include "pages/interactive_page.h"
#include "sample_component.h"

#include <unistd.h>

/* GLib asks for the folders of data once: they are one of ours, with D3 or without. */
static char *data_folder;
static void choose_data_folder(void) __attribute__((constructor));
static void choose_data_folder(void)
{
    data_folder = g_strdup_printf("%s/ripple-pages-%d", g_get_tmp_dir(), (int)getpid());
    g_setenv("XDG_DATA_DIRS", data_folder, TRUE);
}

/* The text of the page, in a folder where D3 is or is not. Owned by the caller. */
static char *page_of(const app_component_view *view, bool with_d3)
{
    g_autofree char *dist = g_build_filename(data_folder, "nodejs", "d3", "dist", NULL);
    g_autofree char *d3 = g_build_filename(dist, "d3.min.js", NULL);
    g_autofree char *path = g_build_filename(data_folder, "page.html", NULL);
    g_autoptr(GError) error = NULL;
    char *html = NULL;
    CHECK_I64(g_mkdir_with_parents(dist, 0777), 0);
    CHECK(!with_d3 || g_file_set_contents(d3, "var d3;", -1, NULL));
    CHECK(app_component_page_write(view, path, &error), "%s", error != NULL ? error->message : "");
    CHECK(g_file_get_contents(path, &html, NULL, NULL));
    folder_remove(data_folder);
    return html;
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what)) {
        n++;
    }
    return n;
}

static void rows_and_events_are_there_as_text(void)
{
    g_autoptr(sample_component) s = sample_component_new(6);
    for (int with_d3 = 0; with_d3 < 2; with_d3++) {
        g_autofree char *html = page_of(&s->view, with_d3 == 1);
        CHECK(strstr(html, ">inside MPI_Send</td>") != NULL, "%d", with_d3);
        CHECK(strstr(html, "&lt;b&gt;external&lt;/b&gt;</td>") != NULL, "%d", with_d3);
        CHECK(strstr(html, "36 events with 5.7ms") != NULL, "%d", with_d3);
        CHECK(strstr(html, "gains 3.1 %") != NULL, "%d", with_d3);
        CHECK_I64(count(html, "MPI_Send &lt;= 8 KiB to rank+1</td>"), 36, "%d", with_d3);
        CHECK_I64(count(html, "</script"), count(html, "<script"), "%d", with_d3);
    }
}

static void without_d3_each_event_is_a_drawing_with_tooltips(void)
{
    g_autoptr(sample_component) s = sample_component_new(6);
    g_autofree char *html = page_of(&s->view, false);
    CHECK_I64(count(html, "<svg"), SAMPLE_EVENTS + 2); /* and two courses */
    size_t bars = (size_t)2 * 2 * SAMPLE_EPOCHS;
    for (size_t i = 0; i < SAMPLE_EVENTS; i++) {
        bars += s->events[i].num_slices + 2; /* the event, and what is not expected of it */
    }
    CHECK_I64(count(html, "<rect"), bars);
    CHECK_I64(count(html, "</title></rect>"), bars - (size_t)2 * 2 * SAMPLE_EPOCHS);
    CHECK(strstr(html, "node-d3") != NULL && strstr(html, "<script") == NULL);
    /* The event takes the middle third, here as an event of the second row. */
    CHECK(strstr(html, "<rect x=\"120.00\" y=\"20\" width=\"120.00\"") != NULL);
}

/* Half of the epochs of the first row, in the other colour, in full height; nothing is drawn where
 * nobody was looked at, or where it is not known. */
static void when_each_kind_came_is_a_picture(void)
{
    g_autoptr(sample_component) s = sample_component_new(2);
    noise_miner_drift drift = {.size = 0.1, .types = 3, .ranks = s->ranges[0], .num_ranges = 1};
    for (int with_d3 = 0; with_d3 < 2; with_d3++) {
        g_autofree char *html = page_of(&s->view, with_d3 == 1);
        CHECK_I64(count(html, "class=\"course\""), 2, "%d", with_d3);
        CHECK_I64(count(html, "fill:var(--c2)"), SAMPLE_EPOCHS / 2, "%d", with_d3);
        CHECK(strstr(html, "5.7ms: from 15s on (epochs 6-10 of 10)</figcaption>") != NULL);
        CHECK(strstr(html, "epoch 7, 18s to 21s: 285, 4.75 per second</title>") != NULL);
        CHECK(strstr(html, "epoch 3, 6s to 9s: no events</title>") != NULL);
        CHECK(strstr(html, "clock drift") == NULL);
    }
    s->report.drifts = &drift;
    s->report.num_drifts = 1;
    g_autofree char *html = page_of(&s->view, true);
    CHECK(strstr(html, "clock drift: +10 %") != NULL);
}

static void what_surrounds_events_is_left_out_where_there_is_no_room(void)
{
    g_autoptr(sample_component) s = sample_component_new(6);
    size_t bare = 0, fit = 0;
    const size_t most = 5 * s->events[0].num_slices;
    g_autoptr(JsonNode) node = app_component_data_new(&s->view, most, &bare);
    JsonArray *exemplars = json_object_get_array_member(json_node_get_object(node), "exemplars");
    CHECK_I64(json_array_get_length(exemplars), SAMPLE_EVENTS);
    for (guint i = 0; i < SAMPLE_EVENTS; i++) {
        fit +=
            json_object_get_int_member(json_array_get_object_element(exemplars, i), "slices") > 0;
    }
    CHECK_I64(fit, 5);
    CHECK_I64(bare, SAMPLE_EVENTS - 5);
}

static void the_page_stays_below_its_limit(void)
{
    g_autoptr(sample_component) s = sample_component_new(20000);
    g_autofree char *html = page_of(&s->view, true);
    CHECK(strlen(html) < APP_PAGE_MOST_BYTES, "%zu", strlen(html));
    CHECK(strstr(html, "there was no room for it") != NULL);
}

/* Where nothing is known of what an event should have taken, the mean of its row stands for it. */
static void the_excess_of_an_event_is_what_is_not_expected(void)
{
    g_autoptr(sample_component) s = sample_component_new(2);
    app_exemplar *e = &s->events[0];
    e->event.expected = 100 * SIM_US;
    e->event.end = e->event.start + 450 * SIM_US;
    CHECK_I64(app_component_excess(&s->view, e), 350 * SIM_US);
    e->event.waited = 50 * SIM_US;
    CHECK_I64(app_component_excess(&s->view, e), 300 * SIM_US);
    e->event.expected = -1;
    CHECK_I64(app_component_excess(&s->view, e), s->rows[0].t_noise);
}

static void nothing_found_is_said(void)
{
    noise_miner_report report = {.events = 5, .ranks_seen = 2, .observed = SIM_S};
    const app_component_view view = {.title = "Nothing", .report = &report};
    for (int with_d3 = 0; with_d3 < 2; with_d3++) {
        g_autofree char *html = page_of(&view, with_d3 == 1);
        CHECK(strstr(html, "No noise was found.") != NULL, "%d", with_d3);
    }
}

SUITE_MAIN("component_page", TEST(rows_and_events_are_there_as_text),
           TEST(without_d3_each_event_is_a_drawing_with_tooltips),
           TEST(when_each_kind_came_is_a_picture),
           TEST(what_surrounds_events_is_left_out_where_there_is_no_room),
           TEST(the_page_stays_below_its_limit),
           TEST(the_excess_of_an_event_is_what_is_not_expected), TEST(nothing_found_is_said))
