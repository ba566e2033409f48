/* apps/ripple/pages/page_source.h — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_interactive_page. */
/**
 * @file
 * The files of script/, which are parts of this program: scripts, styles and markup of pages.
 */
#pragma once

typedef struct app_page_source {
    const char *name; /* "lanes.js"; NULL: the table ends */
    const char *text;
} app_page_source;

extern const app_page_source app_page_sources[];

/** The text of a file of script/, which must be there. Static. */
const char *app_page_source_text(const char *name);
