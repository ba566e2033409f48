/* apps/ripple/enlarged/enlarged_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "enlarged/enlarged.h"

/** Of an app_enlarged: text, CSV, JSON. */
extern const app_result_writer app_enlarged_writer;
