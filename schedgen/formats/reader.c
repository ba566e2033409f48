/* schedgen/formats/reader.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_formats, test_trace. */
#include "sched/reader.h"

#include "sched/error.h"

#include <errno.h>
#include <unistd.h>

#define POINTER(NAME) &sched_reader_##NAME,
const sched_reader *const sched_readers[] = {SCHED_READERS(POINTER) NULL};

static bool is_of_traces(const sched_reader *reader)
{
    return reader->description == NULL;
}

const sched_reader *sched_reader_find(const char *path)
{
    for (size_t i = 0; sched_readers[i] != NULL; i++) {
        if (sched_readers[i]->probe(path)) {
            return sched_readers[i];
        }
    }
    return NULL;
}

char *sched_reader_names(bool traces)
{
    GString *list = g_string_new(NULL);
    for (size_t i = 0; sched_readers[i] != NULL; i++) {
        if (is_of_traces(sched_readers[i]) == traces) {
            g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", sched_readers[i]->name);
        }
    }
    return g_string_free(list, FALSE);
}

char *sched_reader_forms(bool traces)
{
    GString *list = g_string_new(NULL);
    for (size_t i = 0; sched_readers[i] != NULL; i++) {
        if (is_of_traces(sched_readers[i]) == traces) {
            g_string_append_printf(list, "%s%s", list->len > 0 ? "; " : "",
                                   sched_readers[i]->forms);
        }
    }
    return g_string_free(list, FALSE);
}

sched_trace *sched_trace_read(const char *path, GError **error)
{
    if (access(path, R_OK) != 0) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_NOT_RECOGNISED, "%s: %s", path,
                    g_strerror(errno));
        return NULL;
    }
    const sched_reader *reader = sched_reader_find(path);
    if (reader == NULL || !is_of_traces(reader)) {
        g_autofree char *names = sched_reader_names(true);
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_NOT_RECOGNISED, "%s: not a trace (%s)", path,
                    names);
        return NULL;
    }
    sched_input input = {0};
    const sched_read_options options = {0};
    return reader->open(path, &options, &input, error) ? input.trace : NULL;
}
