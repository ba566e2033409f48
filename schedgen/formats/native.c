/* schedgen/formats/native.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_formats. */
/**
 * @file
 * Ripple's own form, which is mapped, not read: sim/graph_file.h.
 */
#include "sched/reader.h"
#include "sched/writer.h"
#include "sim/graph_file.h"

static bool open_native(const char *path, const sched_read_options *options, sched_input *out,
                        GError **error)
{
    (void)options;
    sim_graph *graph = sim_graph_map(path, SIM_GRAPH_VERIFY, error);
    if (graph == NULL) {
        return false;
    }
    out->graph = graph;
    return true;
}

static bool write_native(sched_rank_source *source, const char *path, GError **error)
{
    g_autoptr(sim_graph_builder) builder =
        sim_graph_builder_new_file(source->num_ranks, path, error);
    return builder != NULL && sched_rank_source_build_in(source, builder, error) &&
           sim_graph_builder_save(g_steal_pointer(&builder), error);
}

const sched_reader sched_reader_native = {
    .name = "Ripple's own",
    .forms = "Ripple's own .rpl",
    .description = "Ripple program",
    .probe = sim_graph_file_probe,
    .open = open_native,
};

const sched_writer sched_writer_native = {
    .what = "Ripple's own, the fastest to read",
    .suffixes = {".rpl", ".ripple"},
    .op_bytes = 8,
    .gathers = true,
    .write_stream = write_native,
    .write_graph = sim_graph_save,
};
