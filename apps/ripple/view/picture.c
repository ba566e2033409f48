/* apps/ripple/view/picture.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_picture. */
#include "view/picture.h"

const char *app_picture_kind_name(app_picture_kind kind)
{
    static const char *const NAMES[] = {[APP_PICTURE_COMPUTE] = "compute",
                                        [APP_PICTURE_SEND] = "send",
                                        [APP_PICTURE_RECV] = "receive",
                                        [APP_PICTURE_WAIT] = "wait",
                                        [APP_PICTURE_NOISE_WAIT] = "wait for noise",
                                        [APP_PICTURE_DETOUR] = "detour"};
    return NAMES[kind];
}

const char *app_picture_path_kind_name(app_picture_path_kind kind)
{
    static const char *const NAMES[] = {[APP_PICTURE_PATH_COMPUTE] = "compute",
                                        [APP_PICTURE_PATH_OVERHEAD] = "overhead",
                                        [APP_PICTURE_PATH_NETWORK] = "network",
                                        [APP_PICTURE_PATH_NOISE] = "noise"};
    return NAMES[kind];
}

static void free_injection(app_picture_injection *injection)
{
    if (injection != NULL) {
        g_free(injection->fronts);
        g_free(injection->text);
        g_free(injection);
    }
}

bool app_picture_knows(const app_picture *p, app_picture_kind kind)
{
    return kind == APP_PICTURE_NOISE_WAIT ? !p->is_recorded && !p->has_no_usual
                                          : kind != APP_PICTURE_DETOUR || !p->is_recorded;
}

void app_picture_level_clear(app_picture_level *level)
{
    g_free(level->mean);
    g_free(level->most);
    g_free(level->worst);
}

static void free_heat(app_picture *p)
{
    for (size_t i = 0; i < p->num_levels; i++) {
        app_picture_level_clear(&p->levels[i]);
    }
    if (p->few != NULL) {
        app_picture_level_clear(p->few);
    }
    for (size_t i = 0; i < p->num_blocks; i++) {
        g_free(p->blocks[i].share);
    }
    g_free(p->levels);
    g_free(p->few);
    g_free(p->blocks);
}

void app_picture_free(app_picture *picture)
{
    if (picture == NULL) {
        return;
    }
    free_heat(picture);
    for (size_t i = 0; i < picture->num_components; i++) {
        g_free(picture->components[i].name);
    }
    for (size_t i = 0; i < picture->num_facts; i++) {
        g_free(picture->facts[i].key);
        g_free(picture->facts[i].value);
    }
    for (size_t i = 0; i < picture->num_notes; i++) {
        g_free(picture->notes[i]);
    }
    g_free(picture->title);
    g_free(picture->manifest);
    g_free(picture->lanes);
    g_free(picture->slices);
    g_free(picture->ripples);
    g_free(picture->cones);
    g_free(picture->messages);
    g_free(picture->path);
    g_free(picture->components);
    g_free(picture->facts);
    g_free(picture->notes);
    free_injection(picture->injection);
    g_free(picture);
}
