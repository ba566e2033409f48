/* tests/apps/detection/read_record.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file A record of whatever format. */
#pragma once

#include "check.h"
#include "sched/reader.h"

/** Owned by the caller; NULL, and a failed check, where it cannot be read. */
static inline sched_trace *read_record(const char *path)
{
    const sched_reader *reader = sched_reader_find(path);
    const sched_read_options options = {.flops_per_second = 1e9};
    sched_input input = {.trace = NULL};
    g_autoptr(GError) error = NULL;
    const bool ok = reader != NULL && reader->open(path, &options, &input, &error);
    CHECK(ok && input.trace != NULL, "%s: %s", path,
          error != NULL ? error->message : "not a record");
    return input.trace;
}
