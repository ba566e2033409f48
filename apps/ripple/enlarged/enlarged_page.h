/* apps/ripple/enlarged/enlarged_page.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "enlarged/enlarged.h"

#define APP_ENLARGED_PAGE "validate.html"

/** Write the page and what belongs to it into @p folder, all or nothing. @param made_by a command
 */
bool app_enlarged_page_write(const app_enlarged *enlarged, const char *made_by, const char *folder,
                             GError **error);
