/* apps/ripple/mining/projections_names.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mining/projections.h"

/** "Main::start(CkArgMsg* m)", "entry method 7" where the file has no name. Owned by the caller. */
char *app_projections_entry(const app_projections_names *names, int64_t entry);
/** "force computation", "user event 7". Owned by the caller. */
char *app_projections_user_event(const app_projections_names *names, int64_t event);
