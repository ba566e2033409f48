/* apps/ripple/program/recognition.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * On which grid of processes a trace was recorded: what `ripple schedule --recognise` says.
 */
#pragma once

#include "program/source.h"

/**
 * Write it as context asks for. @return false with an error: it cannot be written; or, after it,
 * that the record cannot be enlarged on a grid, and why
 */
bool app_recognition_write(const app_context *context, const app_source *source,
                           const sched_regrid *regrid, GError **error);
