/* apps/ripple/exports/picture_export.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The lanes of a picture for tools that people have: Perfetto or chrome://tracing, and Paraver.
 * docs/view.md, section 6.
 */
#pragma once

#include "view/picture.h"

#include <stdio.h>

/** States are slices of a thread per rank, messages flows, detours and ripples tracks of their own.
 */
void app_picture_write_chrome(const app_picture *picture, FILE *out);
/** A .prv: states and communications; times are ns from picture->from. */
void app_picture_write_prv(const app_picture *picture, FILE *out);
/** Its .pcf: what states and events are called, and their colours. */
void app_picture_write_pcf(const app_picture *picture, FILE *out);
/** Its .row: which rank each line is. */
void app_picture_write_row(const app_picture *picture, FILE *out);
