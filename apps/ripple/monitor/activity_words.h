/* apps/ripple/monitor/activity_words.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What is said of watched nodes, the same in text and on the page: sentences, and the cells of the
 * tables.
 */
#pragma once

#include "noise/activity.h"
#include "noise/nit_merge.h"

#include <glib.h>
#include <stdbool.h>

/** What is reported: the file, summed up. All borrowed. */
typedef struct app_activity {
    const noise_nit_set *set;
    const noise_activity *activity;
    const char
        *ranks_note; /* why there is no "from ranks", or how much of it has a name; or NULL */
} app_activity;

/** Parts of the table: external first. */
enum { APP_ACTIVITY_SECTIONS = 4 };
/** "Not caused by the job", … of section @p i. */
const char *app_activity_section_title(size_t i);
/** Does the row belong there? Rows of nothing belong nowhere. */
bool app_activity_section_has(size_t i, const noise_activity_row *row);

/** How a node was watched: a sentence or two per fact, NULL-terminated. Owned by the caller. */
char **app_activity_node_sentences(const app_activity *a, size_t node);
/** Clocks of several nodes, how ranks were seen, what CPU time has no place. NULL-terminated. */
char **app_activity_notes(const app_activity *a);
/** The head of the answer: who took most from the ranks, or from their CPUs. NULL: nobody did. */
char *app_activity_finding(const app_activity *a);

/** Columns of the first table (what it used) and of the second (when and where); NULL-terminated.
 */
extern const char *const APP_ACTIVITY_USE[];
extern const char *const APP_ACTIVITY_WHEN[];
/** Cells of a row, as many as there are columns. Owned by the caller. */
char **app_activity_use_cells(const app_activity *a, const noise_activity_row *row);
char **app_activity_when_cells(const app_activity *a, const noise_activity_row *row);

/** "0-3,8", at most @p most ranges, then "..."; "-" for none. Owned by the caller. */
char *app_activity_format_list(const uint32_t *numbers, size_t n, size_t most);
