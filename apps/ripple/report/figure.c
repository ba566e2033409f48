/* apps/ripple/report/figure.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report. */
#include "report/figure.h"

#include "scale.h"

/* Set in one place, so that all figures of a report look alike: Okabe and Ito's colours, which
 * colour-blind readers can tell apart. */
static const char *const PREAMBLE =
    "set terminal svg noenhanced size 760,440 font 'Helvetica,13' background '#ffffff'\n"
    "set datafile separator ','\n"
    "set datafile missing 'NaN'\n"
    "set border 3 lc rgb '#555555'\n"
    "set tics nomirror\n"
    "set grid ytics lc rgb '#dddddd' lt 1\n"
    "set key top left reverse Left samplen 2\n"
    "set linetype 1 lc rgb '#0072b2' lw 2 pt 7\n"
    "set linetype 2 lc rgb '#d55e00' lw 2 pt 5\n"
    "set linetype 3 lc rgb '#009e73' lw 2 pt 9\n"
    "set linetype 4 lc rgb '#cc79a7' lw 2 pt 11\n"
    "set linetype 5 lc rgb '#e69f00' lw 2 pt 13\n"
    "set linetype 6 lc rgb '#56b4e9' lw 2 pt 6\n"
    "set linetype 7 lc rgb '#999999' lw 2 pt 4\n";

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

bool app_figure_write(const app_figure *figure, const char *folder, char **svg, GError **error)
{
    g_autofree char *csv_name = g_strconcat(figure->name, ".csv", NULL);
    g_autofree char *script_name = g_strconcat(figure->name, ".gp", NULL);
    g_autofree char *svg_name = g_strconcat(figure->name, ".svg", NULL);
    g_autofree char *csv_path = g_build_filename(folder, csv_name, NULL);
    g_autofree char *script_path = g_build_filename(folder, script_name, NULL);
    g_autofree char *svg_path = g_build_filename(folder, svg_name, NULL);
    g_autoptr(GString) script = g_string_new(NULL);
    g_string_append_printf(script,
                           "# Draws %s from %s: gnuplot %s\n%sset output '%s'\ndata = '%s'\n"
                           "set title ",
                           svg_name, csv_name, script_name, PREAMBLE, svg_name, csv_name);
    app_append_quoted(script, figure->title);
    g_string_append_printf(script, "\n%s", figure->script);
    if (!g_file_set_contents(csv_path, figure->csv, -1, error) ||
        !g_file_set_contents(script_path, script->str, -1, error)) {
        return false;
    }
    g_autofree char *drawn = NULL;
    if (app_figure_can_draw() && (!draw(folder, script_name, error) ||
                                  !g_file_get_contents(svg_path, &drawn, NULL, error))) {
        return false;
    }
    *svg = g_steal_pointer(&drawn);
    return true;
}
