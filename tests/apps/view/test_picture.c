/* tests/apps/view/test_picture.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What a picture's parts are called, and that it can be given back in any state. */
#include "check.h"
#include "view/picture.h"

static void kinds_have_names_of_their_own(void)
{
    for (int a = 0; a < APP_PICTURE_NUM_KINDS; a++) {
        for (int b = 0; b < a; b++) {
            CHECK(strcmp(app_picture_kind_name(a), app_picture_kind_name(b)) != 0, "%d %d", a, b);
        }
    }
    for (int a = 0; a < APP_PICTURE_PATH_NUM_KINDS; a++) {
        for (int b = 0; b < a; b++) {
            CHECK(strcmp(app_picture_path_kind_name(a), app_picture_path_kind_name(b)) != 0,
                  "%d %d", a, b);
        }
    }
}

/* The leak checker decides. */
static void half_a_picture_is_freed(void)
{
    app_picture_free(NULL);
    app_picture *p = g_new0(app_picture, 1);
    p->title = g_strdup("a run");
    p->num_levels = 1;
    p->levels = g_new0(app_picture_level, 1);
    p->levels[0].mean = g_malloc(1);
    p->injection = g_new0(app_picture_injection, 1);
    p->num_notes = 1;
    p->notes = g_new0(char *, 1);
    p->notes[0] = g_strdup("a note");
    CHECK(p->levels[0].most == NULL, "zeroed");
    app_picture_free(p);
}

SUITE_MAIN("picture", TEST(kinds_have_names_of_their_own), TEST(half_a_picture_is_freed))
