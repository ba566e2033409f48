/* bench/sc07/worked.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file An example that can be done by hand, scored. */
#pragma once

#include "experiments.h"

void sc07_check_worked(const sc07_report *report);
