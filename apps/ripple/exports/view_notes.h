/* apps/ripple/exports/view_notes.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a picture stands for, and what it does not, in sentences.
 */
#pragma once

#include "view/view_run.h"

/**
 * Add facts and notes to what app_record_picture() has made of a record.
 * @param label what the record says about itself; "": nothing
 */
void app_view_note_record(app_picture *picture, const char *label, uint64_t num_ops);
/** Add facts and notes to what app_view_run() has made of @p request. */
void app_view_note(app_picture *picture, const app_view_request *request);
