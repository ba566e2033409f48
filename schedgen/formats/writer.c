/* schedgen/formats/writer.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_formats. */
#include "sched/writer.h"

#define POINTER(ID, NAME) &sched_writer_##ID,
const sched_writer *const sched_writers[] = {SCHED_WRITERS(POINTER) NULL};
