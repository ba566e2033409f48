/* apps/ripple/pages/component_epochs.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file When each kind of noise came, as a picture. */
#pragma once

#include "pages/component_view.h"
#include "report/page.h"

/**
 * Of each row the rate in each epoch as a bar with a tooltip, the stretch that differs in another
 * colour, and what is to be said of it. Nothing where that is not known (published modes).
 */
void app_component_epochs(app_page *page, const app_component_view *view);
