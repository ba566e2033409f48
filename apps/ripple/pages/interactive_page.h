/* apps/ripple/pages/interactive_page.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What makes a page interactive: its data, D3 as it is installed on this machine (package node-d3),
 * and our own scripts, all inside the page. Nothing is loaded when it is opened.
 */
#pragma once

#include "report/page.h"

#include <glib.h>
#include <json-glib/json-glib.h>
#include <stdbool.h>
#include <stddef.h>

/** A page stays below this, in bytes, however large the run. */
#define APP_PAGE_MOST_BYTES ((size_t)5000000)

/**
 * Where D3 is: nodejs/d3/dist/d3.min.js in the first of @p folders that has it; NULL: none has.
 * @param folders NULL-terminated; NULL: those of $XDG_DATA_DIRS, by default /usr/local/share and
 *                /usr/share
 * @return owned by the caller
 */
char *app_d3_find(const char *const *folders);
/** Its text. The same otherwise. */
char *app_d3_read(const char *const *folders);

/** Styles of controls and drawings; call once, before the markup. */
void app_interactive_page_begin(app_page *page);
/** The markup of script/NAME. */
void app_interactive_page_markup(app_page *page, const char *name);
/**
 * The data and what draws them, at the end of the page.
 * @param d3       text of D3; not escaped  @param data an object
 * @param scripts  [NULL-terminated] files of script/, in the order in which they are run
 */
void app_interactive_page_end(app_page *page, const char *d3, JsonNode *data,
                              const char *const *scripts);
/** Says that D3 is missing, and how to get it. */
void app_interactive_page_static(app_page *page);
/** A table that is folded behind @p summary begins; app_interactive_page_unfold() ends it. */
void app_interactive_page_fold(app_page *page, const char *summary);
void app_interactive_page_unfold(app_page *page);
