/* tests/apps/report/test_short_marks.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawings of many marks in fewer bytes: the same picture. */
#include "check.h"
#include "short_marks.h"

#include <glib.h>
#include <string.h>

/* Line for line what gnuplot writes of a mark, as drawing_html.c leaves it. */
#define MARK(x, y, scale, colour)                                                                  \
    "\t<use href='#f-gpPt6' transform='translate(" x "," y ") scale(" scale                        \
    ")' color='var(" colour ")'/>\n"

/* g_str_hash("f") = 5381 * 33 + 102 = 177675, in base 62 with the lowest digit first. */
#define NAME_OF_F "JdK000"

static void kind_size_and_colour_of_marks_stand_once(void)
{
    g_autofree char *html = app_drawing_shorten(
        MARK("64.00", "262.65", "1.13", "--c1") MARK("100.00", "-3.50", "1.13", "--c1")
            MARK("0.00", "7.00", "2.00", "--c1") MARK("1.10", "7.00", "2.00", "--c2"),
        "f");
    static const char n[] = NAME_OF_F;
    g_autofree char *expected = g_strdup_printf(
        "<defs><use id='%s0' href='#f-gpPt6' transform='scale(1.13)' color='var(--c1)'/></defs>"
        "<use href='#%s0' x='64' y='262.65'/>\n"
        "<use href='#%s0' x='100' y='-3.5'/>\n"
        "<defs><use id='%s1' href='#f-gpPt6' transform='scale(2.00)' color='var(--c1)'/></defs>"
        "<use href='#%s1' x='0' y='7'/>\n"
        "<defs><use id='%s2' href='#f-gpPt6' transform='scale(2.00)' color='var(--c2)'/></defs>"
        "<use href='#%s2' x='1.1' y='7'/>\n",
        n, n, n, n, n, n, n);
    CHECK_STR(html, expected);
}

/* gnuplot writes small dots so, and what only carries a tooltip is drawn fully transparent. */
static void dots_and_invisible_marks_are_kinds_of_their_own(void)
{
    g_autofree char *html = app_drawing_shorten(
        "<use href='#f-gpDot' x='1.00' y='2.50' color='var(--c1)'/>\n"
        "<use href='#f-gpDot' transform='translate(1.00,2.50) scale(9.00)' color='var(--c1)' "
        "opacity='0.00'/></g>\n",
        "f");
    static const char n[] = NAME_OF_F;
    g_autofree char *expected =
        g_strdup_printf("<defs><use id='%s0' href='#f-gpDot' color='var(--c1)'/></defs>"
                        "<use href='#%s0' x='1' y='2.5'/>\n"
                        "<defs><use id='%s1' href='#f-gpDot' transform='scale(9.00)' "
                        "color='var(--c1)' opacity='0.00'/></defs>"
                        "<use href='#%s1' x='1' y='2.5'/></g>\n",
                        n, n, n, n);
    CHECK_STR(html, expected);
}

/* Wide and narrow drawings of one figure stand on one page: equal ids would mix them up. */
static void kinds_are_named_after_their_drawing(void)
{
    g_autofree char *wide = app_drawing_shorten(MARK("1", "2", "3", "--c1"), "figure");
    g_autofree char *narrow = app_drawing_shorten(MARK("1", "2", "3", "--c1"), "figure-narrow");
    CHECK(strstr(wide, "'5TSLD40'") != NULL, "%s", wide);
    CHECK(strstr(narrow, "'F6Ysi10'") != NULL, "%s", narrow);
}

static void groups_that_hold_nothing_are_left_out(void)
{
    g_autofree char *html =
        app_drawing_shorten("<g fill=\"none\">\n</g>\n"
                            "<g stroke=\"red\">\n<g>\n</g>\n<g a=\"b\"></g></g>\n"
                            "<g id=\"plot\" >\n</g>\n"
                            "<g stroke=\"red\">\n<path d='M0,0'/></g>\n",
                            "f");
    CHECK_STR(html, "<g id=\"plot\" >\n</g>\n<g stroke=\"red\">\n<path d='M0,0'/></g>\n");
}

static void what_is_no_mark_stays(void)
{
    static const char *const TEXTS[] = {
        "<use href='#f-gpPt5' id='f-gpPt6' fill='currentColor' stroke='none'/>",
        "<use href='#a' transform='rotate(180)'/>", "<text>scale(1) <g></text>", ""};
    for (size_t i = 0; i < G_N_ELEMENTS(TEXTS); i++) {
        g_autofree char *html = app_drawing_shorten(TEXTS[i], "f");
        CHECK_STR(html, TEXTS[i]);
    }
}

SUITE_MAIN("short marks", TEST(kind_size_and_colour_of_marks_stand_once),
           TEST(dots_and_invisible_marks_are_kinds_of_their_own),
           TEST(kinds_are_named_after_their_drawing), TEST(groups_that_hold_nothing_are_left_out),
           TEST(what_is_no_mark_stays))
