/* apps/ripple/pages/view_tables.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the drawings of a run show, as tables: for who cannot see them, and for who wants numbers.
 */
#pragma once

#include "report/page.h"
#include "view/picture.h"

enum { APP_VIEW_ROWS = 16, APP_VIEW_COLUMNS = 24 }; /* of a heat map that does not move, at most */

/** Of a part of the heat map: its ranks, its time, and the share of these that was lost. */
typedef struct app_view_field {
    uint32_t first;
    uint32_t last;
    sim_time from;
    sim_time to;
    double share;
} app_view_field;

/**
 * The heat map in at most @p rows by @p columns fields of about equal size.
 * @param num_rows, num_columns what it has become  @return [num_rows][num_columns], owned by the
 * caller; NULL: there is no heat map
 */
app_view_field *app_view_fold(const app_picture *picture, uint32_t rows, uint32_t columns,
                              uint32_t *num_rows, uint32_t *num_columns);

/** Each behind a <details>, nothing where the picture has none. */
void app_view_heat_table(app_page *page, const app_picture *picture);
void app_view_lanes_table(app_page *page, const app_picture *picture);
void app_view_path_table(app_page *page, const app_picture *picture);
void app_view_wave_table(app_page *page, const app_picture *picture);
