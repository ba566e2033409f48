/* sim/record/path_result.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_path, test_run_record_file. */
#include "record/critical_path_private.h"

#include "sim/run_path.h"

typedef struct result_path {
    sim_breakdown *breakdown;
    GArray *stretches; /* of sim_result_stretch */
} result_path;

static void add_stretch(const sim_path_stretch *s, void *user)
{
    result_path *r = user;
    sim_breakdown *b = r->breakdown;
    b->compute += s->part[SIM_PART_COMPUTE];
    b->o += s->part[SIM_PART_o];
    b->O += s->part[SIM_PART_O];
    b->L += s->part[SIM_PART_L] + s->part[SIM_PART_S] + s->part[SIM_PART_H] +
            s->part[SIM_PART_DISTANCE];
    b->gap += s->part[SIM_PART_g] + s->part[SIM_PART_G];
    for (int p = SIM_PART_NODE_o; p <= SIM_PART_NODE_G; p++) {
        b->node += s->part[p];
    }
    b->peer_noise += s->part[SIM_PART_PEER_NOISE];
    b->noise += s->part[SIM_PART_NOISE];
    const sim_result_stretch stretch = {.rank = s->rank,
                                        .op = s->op,
                                        .type = s->type,
                                        .start = s->start,
                                        .finish = s->finish,
                                        .noise =
                                            s->part[SIM_PART_PEER_NOISE] + s->part[SIM_PART_NOISE]};
    g_array_append_val(r->stretches, stretch);
}

bool sim_path_explain(const sim_run_record *record, sim_result *result, GError **error)
{
    result_path r = {&result->breakdown, g_array_new(FALSE, FALSE, sizeof(sim_result_stretch))};
    result->explained = sim_run_record_walk_path(record, add_stretch, &r, error);
    result->path_len = r.stretches->len;
    result->path = (sim_result_stretch *)(void *)g_array_free(r.stretches, FALSE);
    return result->explained;
}

sim_result *sim_run_record_explain(const sim_run_record *record, GError **error)
{
    g_autoptr(sim_result) result = g_new0(sim_result, 1);
    result->num_ranks = record->ranks.num_ranks;
    result->makespan = record->makespan;
    result->makespan_rank = record->makespan_rank;
    result->num_ops = record->num_ops;
    result->num_messages = record->num_messages;
    return sim_path_explain(record, result, error) ? g_steal_pointer(&result) : NULL;
}
