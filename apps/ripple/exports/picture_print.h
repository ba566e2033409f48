/* apps/ripple/exports/picture_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A picture as text, JSON and CSV, so that all of it can be had without a page. docs/view.md,
 * section 5.
 */
#pragma once

#include "view/picture.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

/** What --format=csv writes. */
typedef enum {
    APP_VIEW_TABLE_RANKS,  /* of the lanes: what their time went to */
    APP_VIEW_TABLE_HEAT,   /* cells of the map in which something is lost */
    APP_VIEW_TABLE_SLICES, /* of the lanes */
    APP_VIEW_TABLE_MESSAGES,
    APP_VIEW_TABLE_PATH,
    APP_VIEW_TABLE_RIPPLES, /* of the detours shown: what waited behind each */
    APP_VIEW_TABLE_CONES,   /* the same by rank */
    APP_VIEW_TABLE_FRONT,   /* of an idle wave: where it came when */
    APP_VIEW_TABLE_WAVE,    /* its speed and decay, beside the formula */
} app_view_table;
/** Their names, NULL-terminated. */
extern const char *const app_view_tables[];

void app_picture_print(const app_picture *picture, FILE *out);
void app_picture_print_csv(const app_picture *picture, app_view_table table, FILE *out);
/** Add its members to the object being built. */
void app_picture_build(const app_picture *picture, JsonBuilder *builder);
/** What became of an injected detour, in a few sentences. Owned by the caller. */
char *app_injection_text(const app_picture_injection *injection, uint32_t num_ranks);
