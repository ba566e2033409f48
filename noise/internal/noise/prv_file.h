/* noise/prv_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A Paraver trace, read: its header, and the numbers of its records, line by line.
 */
#pragma once

#include "noise/error.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { PRV_STATE = 1, PRV_EVENT = 2, PRV_MESSAGE = 3 };
/* Where numbers are in a record; a message has a second place and time. */
enum {
    PRV_CPU = 1,
    PRV_APPLICATION = 2,
    PRV_TASK = 3,
    PRV_TIME = 5,
    PRV_END = 6,
    PRV_RECEIVER = 7
};

typedef struct prv_task {
    uint32_t application; /* from 1 */
    uint32_t task;
    uint32_t threads;
    uint32_t node;
} prv_task;

typedef struct prv_line {
    size_t first; /* of its numbers */
    uint32_t n;
} prv_line;

typedef struct prv_file {
    char *date;
    uint64_t unit_ns;  /* of its times: 1, or 1000 */
    uint64_t duration; /* in this unit */
    GArray *cpus;      /* of uint32_t: of each node */
    uint64_t num_cpus;
    uint32_t applications;
    char *lists;            /* of tasks, as the header has them */
    GArray *tasks;          /* of prv_task */
    GString *communicators; /* lines, as they are */
    GArray *numbers;        /* of uint64_t */
    GArray *lines;          /* of prv_line: states, events, messages, in the order of the file */
} prv_file;

/** @return owned by the caller; NULL with NOISE_ERROR_BAD_FILE naming @p name, line and value */
prv_file *noise_prv_file_parse(const char *name, const char *text, size_t size, GError **error);
void noise_prv_file_free(prv_file *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(prv_file, noise_prv_file_free)

static inline uint64_t *prv_numbers(const prv_file *file, size_t line)
{
    return &g_array_index(file->numbers, uint64_t,
                          g_array_index(file->lines, prv_line, line).first);
}
/** NULL: there is none. */
const prv_task *noise_prv_file_task(const prv_file *file, uint64_t application, uint64_t task);
