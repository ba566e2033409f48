/* tests/schedgen/convert/trace_write.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * One recorded program in two formats, with the same times to the picosecond: liballprof text, and
 * an OTF2 archive with Ripple's attributes. Of what a trace may hold, they write what the traces of
 * trace_random.h do.
 */
#pragma once

#include "sched/trace.h"

/** Into an existing folder; the test program ends where that fails. */
void trace_write_liballprof(const sched_trace *trace, const char *dir);
void trace_write_otf2(const sched_trace *trace, const char *dir);
/** The folder and all in it. */
void trace_write_remove(const char *dir);
