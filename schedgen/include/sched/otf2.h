/* sched/otf2.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Reader of OTF2 archives, as Ripple's own tracer and Score-P write them.
 */
#pragma once

#include "sched/trace.h"

#include <glib.h>

G_BEGIN_DECLS

/** Is the path an OTF2 anchor file, or a directory that holds exactly one? */
bool sched_otf2_probe(const char *path);
/** @return owned by the caller; NULL with SCHED_ERROR naming archive, rank and what is wrong */
sched_trace *sched_otf2_read(const char *path, GError **error);

G_END_DECLS
