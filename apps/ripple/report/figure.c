/* apps/ripple/report/figure.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report. */
#include "report/figure.h"

#include "drawing_html.h"
#include "scale.h"

/* Set in one place, so that all figures of a report look alike. Colours that colour-blind readers
 * can tell apart, each with a contrast of at least 3 to white; drawing_html.c has their
 * counterparts on a dark page. */
static const char *const COLOURS = "set border 3 lc rgb '#555555'\n"
                                   "set tics nomirror textcolor rgb '#222222'\n"
                                   "set grid ytics lc rgb '#dddddd' lt 1\n"
                                   "set linetype 1 lc rgb '#0072b2' lw 2 pt 7\n"
                                   "set linetype 2 lc rgb '#d55e00' lw 2 pt 5\n"
                                   "set linetype 3 lc rgb '#00815e' lw 2 pt 9\n"
                                   "set linetype 4 lc rgb '#b4508c' lw 2 pt 11\n"
                                   "set linetype 5 lc rgb '#8f6a00' lw 2 pt 13\n"
                                   "set linetype 6 lc rgb '#3f97d3' lw 2 pt 6\n"
                                   "set linetype 7 lc rgb '#7f7f7f' lw 2 pt 4\n"
                                   "set linetype 8 lc rgb '#4b4f58' lw 2 pt 7\n"
                                   "set linetype cycle 8\n";

bool app_figure_can_draw(void)
{
    g_autofree char *gnuplot = g_find_program_in_path("gnuplot");
    return gnuplot != NULL;
}

/* Run gnuplot on NAME.gp in the folder. What it says on stderr is the error's text. */
static bool draw(const char *folder, const char *script_name, GError **error)
{
    char program[] = "gnuplot";
    g_autofree char *script = g_strdup(script_name);
    char *argv[] = {program, script, NULL};
    g_autofree char *said = NULL;
    int status = 0;
    if (!g_spawn_sync(folder, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL, NULL,
                      NULL, NULL, &said, &status, error)) {
        return false;
    }
    if (!g_spawn_check_wait_status(status, NULL)) {
        g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "gnuplot %s: %s", script_name,
                    g_strstrip(said));
        return false;
    }
    return true;
}

static void append_drawing(GString *script, const app_figure *figure, const app_drawing *drawing,
                           const char *suffix)
{
    g_string_append_printf(script,
                           "\nreset\nset datafile separator ','\nset datafile missing 'NaN'\n"
                           "set terminal svg noenhanced size %d,%d font 'Helvetica,13' "
                           "background '#ffffff'\n"
                           "set output '%s%s.svg'\n%s%s",
                           drawing->width, drawing->height, figure->name, suffix, COLOURS,
                           drawing->script);
}

/* Read NAME.svg, let its tooltips work without gnuplot's JavaScript, and take it over to a page. */
static bool take_over(const app_figure *figure, const char *folder, const char *suffix,
                      GString *html, GError **error)
{
    g_autofree char *id = g_strconcat(figure->name, suffix, NULL);
    g_autofree char *file = g_strconcat(id, ".svg", NULL);
    g_autofree char *path = g_build_filename(folder, file, NULL);
    g_autofree char *svg = NULL;
    if (!g_file_get_contents(path, &svg, NULL, error)) {
        return false;
    }
    g_autofree char *told = app_drawing_with_tooltips(svg);
    g_autofree char *inlined = app_drawing_html(told, id, figure->title);
    g_string_append_printf(html, "<div class=\"%s\">%s</div>\n",
                           suffix[0] == '\0' ? "wide" : "narrow", inlined);
    return g_file_set_contents(path, told, -1, error);
}

bool app_figure_write(const app_figure *figure, const char *folder, char **drawn, GError **error)
{
    static const char *const SUFFIX[] = {"", "-narrow"};
    g_autofree char *csv_name = g_strconcat(figure->name, ".csv", NULL);
    g_autofree char *script_name = g_strconcat(figure->name, ".gp", NULL);
    g_autofree char *csv_path = g_build_filename(folder, csv_name, NULL);
    g_autofree char *script_path = g_build_filename(folder, script_name, NULL);
    g_autoptr(GString) script = g_string_new(NULL);
    g_string_append_printf(script,
                           "# Draws %s.svg and %s-narrow.svg from %s: gnuplot %s\n"
                           "set encoding utf8\ndata = '%s'\n",
                           figure->name, figure->name, csv_name, script_name, csv_name);
    append_drawing(script, figure, &figure->wide, SUFFIX[0]);
    append_drawing(script, figure, &figure->narrow, SUFFIX[1]);
    if (!g_file_set_contents(csv_path, figure->csv, -1, error) ||
        !g_file_set_contents(script_path, script->str, -1, error)) {
        return false;
    }
    *drawn = NULL;
    if (!app_figure_can_draw()) {
        return true;
    }
    g_autoptr(GString) html = g_string_new(NULL);
    if (!draw(folder, script_name, error) || !take_over(figure, folder, SUFFIX[0], html, error) ||
        !take_over(figure, folder, SUFFIX[1], html, error)) {
        return false;
    }
    *drawn = g_strdup(html->str);
    return true;
}
