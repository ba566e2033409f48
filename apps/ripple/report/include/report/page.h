/* report/page.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A self-contained HTML page: styles and figures are inside, nothing is loaded from elsewhere.
 * All text is plain and is escaped here, but for that of app_page_html().
 */
#pragma once

#include "report/figure.h"

#include <glib.h>
#include <stdbool.h>

typedef struct app_page app_page;

/** @return owned by the caller */
app_page *app_page_new(const char *title);
void app_page_free(app_page *page);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_page, app_page_free)

void app_page_heading(app_page *page, const char *text);
void app_page_paragraph(app_page *page, const char *text);
/** The one sentence the reader came for. */
void app_page_finding(app_page *page, const char *text);
/** What must be read before everything else. */
void app_page_warning(app_page *page, const char *text);
/** Sentences below a title, in a box; @p items NULL-terminated. Nothing if there are none. */
void app_page_list(app_page *page, const char *title, const char *const *items);
/** Preformatted, e.g. a table of text. */
void app_page_code(app_page *page, const char *text);
/** A long line, e.g. of a command; wrapped. */
void app_page_command(app_page *page, const char *text);

/** Markup as it is, not escaped: drawings and scripts that others have made. */
void app_page_html(app_page *page, const char *html);

/** Begin a table; cells that look like numbers are aligned to the right. Where it is wider than the
 * page, it is scrolled, and says so. */
void app_page_table_begin(app_page *page, const char *const *columns);
void app_page_table_row(app_page *page, const char *const *cells);
void app_page_table_end(app_page *page);

typedef struct app_term {
    const char *term;
    const char *means; /* one line */
} app_term;
/** What the words of the page mean. */
void app_page_terms(app_page *page, const app_term *terms, size_t n);

/** A figure as app_figure_write() has @p drawn it, or only linked (NULL), with links to the files
 * beside the page. The page shows the drawing that fits its width. */
void app_page_figure(app_page *page, const app_figure *figure, const char *drawn);

/** Write the page to @p path, all or nothing; to what is no file (a pipe) as it is. */
bool app_page_write(const app_page *page, const char *path, GError **error);
