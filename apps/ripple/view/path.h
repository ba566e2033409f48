/* apps/ripple/view/path.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "view/picture.h"

#include "sim/run_record.h"

/** Stretches of a path that a picture holds; a longer one has its parts only. */
enum { APP_PICTURE_MOST_PATH = 200000 };

/** Fill the critical path of @p picture. @return false with an error: the record is damaged */
bool app_path_fill(app_picture *picture, const sim_run_record *record, GError **error);
