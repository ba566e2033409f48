/* apps/ripple/validation/validation_page.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "validation/validation.h"

#define APP_VALIDATION_PAGE "validate.html"

/** Write the page and its figures into @p folder, all or nothing. @param made_by a command */
bool app_validation_page_write(const app_validation *validation, const char *made_by,
                               const char *folder, GError **error);
