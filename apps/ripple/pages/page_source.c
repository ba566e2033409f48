/* apps/ripple/pages/page_source.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_interactive_page. */
#include "pages/page_source.h"

#include <assert.h>
#include <string.h>

const char *app_page_source_text(const char *name)
{
    const app_page_source *source = app_page_sources;
    while (source->name != NULL && strcmp(source->name, name) != 0) {
        source++;
    }
    assert(source->name != NULL);
    return source->text;
}
