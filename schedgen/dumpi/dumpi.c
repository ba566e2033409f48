/* schedgen/dumpi/dumpi.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sched/dumpi.h"

#include "dumpi/dumpi_private.h"
#include "sched/error.h"
#include "sched/reader.h"

/* The wall clocks of nodes begin where the first of them does. */
static void align(dumpi_rank *ranks, uint32_t n)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < n; i++) {
        first = MIN(first, ranks[i].head.wall_s);
    }
    for (uint32_t i = 0; i < n; i++) {
        ranks[i].offset_s = ranks[i].head.wall_s - first;
    }
}

static void add_notices(sched_trace *trace, const dumpi_rank *ranks)
{
    uint64_t set_back = 0;
    uint64_t incomplete = 0;
    for (uint32_t i = 0; i < trace->num_ranks; i++) {
        set_back += ranks[i].set_back;
        incomplete += !trace->ranks[i].complete;
    }
    if (set_back > 0) {
        sched_trace_notice(trace, set_back,
                           "calls that begin before the one before ends, or end before they begin: "
                           "the clock was set; taken as without a gap");
    }
    if (incomplete > 0) {
        sched_trace_notice(trace, incomplete, "ranks whose record ends without MPI_Finalize");
    }
}

static bool read_ranks(sched_trace *trace, dumpi_rank *ranks, const char *const *names,
                       const char *const *data, const size_t *size, GError **error)
{
    for (uint32_t i = 0; i < trace->num_ranks; i++) {
        trace->ranks[i].file = g_strdup(names[i]);
        if (!sched_dumpi_stream_open(&ranks[i].stream, names[i], data[i], size[i], &ranks[i].head,
                                     error)) {
            return false;
        }
    }
    align(ranks, trace->num_ranks);
    for (uint32_t i = 0; i < trace->num_ranks; i++) {
        if (!sched_dumpi_rank_read(&ranks[i], trace, &trace->ranks[i], error)) {
            return false;
        }
    }
    sched_dumpi_comms_resolve(trace, ranks);
    add_notices(trace, ranks);
    return true;
}

sched_trace *sched_dumpi_read_data(const char *const *names, const char *const *data,
                                   const size_t *size, uint32_t num_ranks, GError **error)
{
    g_autoptr(sched_trace) trace = sched_trace_new(names[0], "DUMPI", num_ranks);
    g_autofree dumpi_rank *ranks = g_new0(dumpi_rank, num_ranks);
    for (uint32_t i = 0; i < num_ranks; i++) {
        sched_dumpi_rank_init(&ranks[i]);
    }
    const bool ok = read_ranks(trace, ranks, names, data, size, error);
    for (uint32_t i = 0; i < num_ranks; i++) {
        sched_dumpi_rank_clear(&ranks[i]);
    }
    return ok ? g_steal_pointer(&trace) : NULL;
}

sched_trace *sched_dumpi_read(const char *path, GError **error)
{
    g_auto(GStrv) files = sched_dumpi_files(path, error);
    const uint32_t n = files != NULL ? g_strv_length(files) : 0;
    g_autofree GMappedFile **maps = g_new0(GMappedFile *, n + 1);
    g_autofree const char **data = g_new0(const char *, n + 1);
    g_autofree size_t *size = g_new0(size_t, n + 1);
    bool ok = n > 0;
    for (uint32_t i = 0; i < n && ok; i++) {
        g_autoptr(GError) cause = NULL;
        maps[i] = g_mapped_file_new(files[i], FALSE, &cause);
        ok = maps[i] != NULL;
        if (!ok) {
            g_set_error_literal(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, cause->message);
        } else {
            data[i] = g_mapped_file_get_contents(maps[i]);
            size[i] = g_mapped_file_get_length(maps[i]);
        }
    }
    sched_trace *trace =
        ok ? sched_dumpi_read_data((const char *const *)files, data, size, n, error) : NULL;
    if (trace != NULL) {
        g_free(trace->path);
        trace->path = g_strdup(path);
    }
    for (uint32_t i = 0; i < n && maps[i] != NULL; i++) {
        g_mapped_file_unref(maps[i]);
    }
    return trace;
}

static bool open_trace(const char *path, const sched_read_options *options, sched_input *out,
                       GError **error)
{
    sched_trace *trace = sched_dumpi_read(path, error);
    if (trace == NULL) {
        return false;
    }
    if (options->pack) {
        sched_trace_pack(trace);
    }
    out->trace = trace;
    return true;
}

static char **list_beside(const char *path)
{
    char **files = g_file_test(path, G_FILE_TEST_IS_DIR) ? NULL : sched_dumpi_files(path, NULL);
    return files != NULL ? files : g_new0(char *, 1);
}

const sched_reader sched_reader_dumpi = {
    .name = "DUMPI",
    .forms = "a binary trace of DUMPI (folder, metafile or any rank's file)",
    .probe = sched_dumpi_probe,
    .open = open_trace,
    .beside = list_beside,
};
