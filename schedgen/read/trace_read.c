/* schedgen/read/trace_read.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sched/error.h"
#include "sched/liballprof.h"
#include "sched/otf2.h"
#include "sched/trace.h"

#include <errno.h>
#include <unistd.h>

sched_trace *sched_trace_read(const char *path, GError **error)
{
    if (access(path, R_OK) != 0) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_NOT_RECOGNISED, "%s: %s", path,
                    g_strerror(errno));
        return NULL;
    }
    if (sched_otf2_probe(path)) {
        return sched_otf2_read(path, error);
    }
    if (sched_liballprof_probe(path)) {
        return sched_liballprof_read(path, error);
    }
    g_set_error(error, SCHED_ERROR, SCHED_ERROR_NOT_RECOGNISED,
                "%s: not a trace: neither an OTF2 archive nor liballprof text", path);
    return NULL;
}
