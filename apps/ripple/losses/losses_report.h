/* apps/ripple/losses/losses_report.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the ranks lost, as a section of a page.
 */
#pragma once

#include "losses/losses.h"
#include "report/page.h"

/** Add the section, with its figure in @p folder. */
bool app_losses_report(const app_losses *losses, app_page *page, const char *folder,
                       GError **error);
