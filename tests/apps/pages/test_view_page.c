/* tests/apps/pages/test_view_page.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a run as text. */
#include "check.h"
#include "folder.h"
#include "pages/interactive_page.h"
#include "pages/view_data.h"
#include "pages/view_page.h"
#include "pages/view_tables.h"
#include "report/figure.h"
#include "sample_picture.h"

#include <unistd.h>

static void the_folded_heat_map_keeps_the_mean(void)
{
    g_autoptr(app_picture) p = sample_picture_new(1024, 128, 2, 10);
    static const uint32_t SIZES[][2] = {{16, 24}, {7, 5}, {1, 1}, {500, 500}};
    for (size_t i = 0; i < G_N_ELEMENTS(SIZES); i++) {
        uint32_t rows = 0, columns = 0;
        g_autofree app_view_field *fields =
            app_view_fold(p, SIZES[i][0], SIZES[i][1], &rows, &columns);
        CHECK(rows <= SIZES[i][0] && columns <= SIZES[i][1], "%u x %u", rows, columns);
        double lost = 0.0, whole = 0.0, wanted = 0.0;
        uint32_t next = 0;
        for (uint32_t f = 0; f < rows * columns; f++) {
            const double area =
                (fields[f].last - fields[f].first + 1.0) * (double)(fields[f].to - fields[f].from);
            CHECK(f % columns > 0 || fields[f].first == next, "row %u", f / columns);
            next = fields[f].last + 1;
            lost += area * fields[f].share;
            whole += area;
        }
        for (uint32_t cell = 0; cell < 128 * 128; cell++) {
            wanted += p->levels[0].mean[cell] / 255.0 / (128.0 * 128.0);
        }
        CHECK_I64(next, 1024);
        CHECK_NEAR(whole / ((double)p->num_ranks * (double)p->makespan), 1.0, 1e-9);
        /* Coarser levels round up: at most 1/255 for each halving. */
        CHECK_NEAR(lost / whole, wanted, 0.012, "%u x %u", rows, columns);
    }
}

static size_t size_of(const app_picture *p, size_t most, app_view_size *size)
{
    *size = (app_view_size){.most_bytes = most};
    g_autoptr(JsonNode) node = app_view_data_new(p, size);
    if (node == NULL) {
        return 0;
    }
    g_autofree char *text = json_to_string(node, FALSE);
    return strlen(text);
}

/* Whatever room there is: it is kept, and what goes first is the finest level of the heat map. */
static void the_page_takes_what_fits(void)
{
    g_autoptr(app_picture) p = sample_picture_new(4096, 512, 16, 200);
    app_view_size size;
    const size_t whole = size_of(p, 1 << 24, &size);
    CHECK(size.heat.first_level == 0 && !size.without_detail);
    size_t level = 0;
    bool refused = false, rounded = false;
    for (size_t most = whole; most > 500; most = most * 4 / 5) {
        const size_t got = size_of(p, most, &size);
        /* What is known of lanes and wave as a whole does not count: it does not grow. */
        CHECK(got < most + 20000, "%zu of %zu", got, most);
        if (got > 0) {
            CHECK(size.heat.first_level >= level, "%zu after %zu", size.heat.first_level, level);
            level = size.heat.first_level;
        }
        rounded = rounded || (got > 0 && size.without_detail);
        refused = refused || got == 0;
        CHECK(!refused || got == 0, "%zu fits, more did not", most);
    }
    CHECK(level == p->num_levels && refused && rounded, "%zu %d %d", level, refused, rounded);
}

/* GLib asks for the folders of data once: they are one of ours, with D3 or without. */
static char *data_folder;
static void choose_data_folder(void) __attribute__((constructor));
static void choose_data_folder(void)
{
    data_folder = g_strdup_printf("%s/ripple-pages-%d", g_get_tmp_dir(), (int)getpid());
    g_setenv("XDG_DATA_DIRS", data_folder, TRUE);
}

/* As large as D3. */
static void install_d3(void)
{
    g_autofree char *dist = g_build_filename(data_folder, "nodejs", "d3", "dist", NULL);
    g_autofree char *file = g_build_filename(dist, "d3.min.js", NULL);
    g_autofree char *text = g_strnfill(260000, ';');
    CHECK_I64(g_mkdir_with_parents(dist, 0777), 0);
    CHECK(g_file_set_contents(file, text, -1, NULL));
}

/* Cells that do not repeat, and 16 lanes of 100,000 slices: what a page of 5 MB must hold. */
static void a_page_stays_below_its_limit(void)
{
    g_autoptr(app_picture) p = sample_picture_new(1 << 16, 2048, 16, 15000);
    g_autoptr(GRand) rand = g_rand_new_with_seed(5);
    for (size_t l = 0; l < p->num_levels; l++) {
        app_picture_level *level = &p->levels[l];
        for (size_t i = 0; i < (size_t)level->rows * level->columns; i++) {
            level->mean[i] = (uint8_t)g_rand_int_range(rand, 1, 255);
            level->most[i] = (uint8_t)g_rand_int_range(rand, 1, 255);
        }
    }
    install_d3();
    g_autofree char *path = g_build_filename(data_folder, "page.html", NULL);
    g_autoptr(GError) error = NULL;
    CHECK(app_view_page_write(p, path, &error), "%s", error != NULL ? error->message : "");
    g_autofree char *html = NULL;
    gsize length = 0;
    CHECK(g_file_get_contents(path, &html, &length, NULL));
    CHECK(length < APP_PAGE_MOST_BYTES, "%zu", length);
    CHECK(strstr(html, "finer ones would make this page larger") != NULL);
    CHECK(strstr(html, "rounded") == NULL); /* the slices are whole */
    folder_remove(data_folder);
}

static void without_d3_drawings_do_not_move(void)
{
    g_autoptr(app_picture) p = sample_picture_new(256, 64, 20, 20);
    g_autofree char *base = g_dir_make_tmp("ripple-pages-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(base, "page.html", NULL);
    g_autoptr(GError) error = NULL;
    CHECK(app_view_page_write(p, path, &error), "%s", error != NULL ? error->message : "");
    g_autofree char *html = NULL;
    CHECK(g_file_get_contents(path, &html, NULL, NULL));
    CHECK(strstr(html, "node-d3") != NULL);
    CHECK(strstr(html, "<script") == NULL && strstr(html, "<canvas") == NULL);
    CHECK(strstr(html, "<title>") != NULL);
    if (app_figure_can_draw()) {
        CHECK(strstr(html, "Where the ripple went") != NULL && strstr(html, "<svg") != NULL);
    } else {
        CHECK(strstr(html, "gnuplot") != NULL);
    }
    g_autoptr(GDir) dir = g_dir_open(base, 0, NULL);
    size_t files = 0;
    while (g_dir_read_name(dir) != NULL) {
        files++;
    }
    CHECK_I64(files, 1); /* nothing beside it */
    folder_remove(base);
}

static void a_run_without_noise_or_heat_map_has_a_page(void)
{
    g_autoptr(app_picture) p = sample_picture_new(64, 16, 1, 1);
    CHECK_I64(p->num_levels, 0);
    p->num_messages = p->num_path = p->num_lanes = 0;
    app_view_size size;
    CHECK(size_of(p, 1 << 20, &size) > 0);
    g_autofree char *base = g_dir_make_tmp("ripple-pages-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(base, "page.html", NULL);
    g_autoptr(GError) error = NULL;
    CHECK(app_view_page_write(p, path, &error), "%s", error != NULL ? error->message : "");
    folder_remove(base);
}

/* What noise cost is not known then, rather than nothing. */
static void a_recorded_run_says_nothing_of_noise(void)
{
    g_autoptr(app_picture) p = sample_picture_new(64, 16, 3, 4);
    g_autofree char *path = g_build_filename(data_folder, "page.html", NULL);
    for (int recorded = 0; recorded < 2; recorded++) {
        g_autofree char *html = NULL;
        p->is_recorded = recorded == 1;
        install_d3();
        CHECK(app_view_page_write(p, path, NULL));
        CHECK(g_file_get_contents(path, &html, NULL, NULL));
        CHECK((strstr(html, "<th>wait for noise</th>") == NULL) == p->is_recorded);
        CHECK((strstr(html, "<th>lost</th>") == NULL) == p->is_recorded);
        CHECK(strstr(html, "<th>wait</th>") != NULL);
        folder_remove(data_folder);
    }
}

static void a_page_that_cannot_be_written_is_an_error(void)
{
    g_autoptr(app_picture) p = sample_picture_new(64, 32, 1, 1);
    g_autoptr(GError) error = NULL;
    CHECK(!app_view_page_write(p, "/nowhere/at/all.html", &error));
    CHECK_ERROR(error, "/nowhere/at/all.html");
}

SUITE_MAIN("view_page", TEST(the_folded_heat_map_keeps_the_mean), TEST(the_page_takes_what_fits),
           TEST(a_page_stays_below_its_limit), TEST(without_d3_drawings_do_not_move),
           TEST(a_run_without_noise_or_heat_map_has_a_page),
           TEST(a_recorded_run_says_nothing_of_noise),
           TEST(a_page_that_cannot_be_written_is_an_error))
