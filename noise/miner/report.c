/* noise/miner/report.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "miner/course.h"
#include "miner/drift.h"
#include "miner/row.h"
#include "miner/state.h"

static void row_clear(noise_miner_row *row)
{
    g_free(row->ranks);
    g_free(row->label);
    g_free(row->exemplars);
}

static int by_type(const void *a, const void *b)
{
    const uint64_t x = ((const noise_miner_type_row *)a)->type;
    const uint64_t y = ((const noise_miner_type_row *)b)->type;
    return (x > y) - (x < y);
}

static void report_types(const noise_miner *miner, noise_miner_report *report)
{
    const miner_types *types = &miner->synopsis.types;
    report->types = g_new0(noise_miner_type_row, types->num);
    for (uint32_t i = 0; i < types->num; i++) {
        const miner_type *t = &types->type[i];
        report->types[report->num_types++] = (noise_miner_type_row){
            .type = t->type,
            .name = g_strdup(t->name),
            .events = t->events,
            .slower = t->slower,
            .excess = (double)t->excess / (double)SIM_S,
        };
    }
    if (report->num_types > 0) {
        qsort(report->types, report->num_types, sizeof *report->types, by_type);
    }
}

static void report_totals(noise_miner *miner, noise_miner_report *report)
{
    sim_time first = INT64_MAX;
    sim_time last = INT64_MIN;
    for (uint64_t i = 0; i < miner_rank_end(miner); i++) {
        const miner_rank *rank = miner_rank_at(miner, i);
        if (rank == NULL) {
            continue;
        }
        report->ranks_seen++;
        report->events += rank->events;
        report->run_time += (double)miner_rank_span(rank) / (double)SIM_S;
        first = MIN(first, rank->first);
        last = MAX(last, rank->last);
    }
    report->first = report->ranks_seen > 0 ? first : 0;
    report->observed = report->ranks_seen > 0 ? last - first : 0;
    noise_miner_course_epochs(miner, report);
}

noise_miner_report *noise_miner_report_new(noise_miner *miner)
{
    noise_miner_gather(miner);
    noise_miner_report *report = g_new0(noise_miner_report, 1);
    report_totals(miner, report);
    report_types(miner, report);
    switch (miner->options.mode) {
    case NOISE_MINER_PAPER:
        noise_miner_paper_report(miner, report);
        break;
    case NOISE_MINER_PROJECTIONS:
        noise_miner_projections_report(miner, report);
        break;
    case NOISE_MINER_MODERN:
        noise_miner_drift_report(miner, report);
        noise_miner_modern_report(miner, report);
        break;
    }
    return report;
}

void noise_miner_report_free(noise_miner_report *report)
{
    if (report == NULL) {
        return;
    }
    for (size_t i = 0; i < report->num_rows; i++) {
        row_clear(&report->rows[i]);
    }
    for (size_t i = 0; i < report->num_faster; i++) {
        row_clear(&report->faster[i]);
    }
    for (size_t i = 0; i < report->num_types; i++) {
        g_free(report->types[i].name);
    }
    for (size_t i = 0; i < report->num_drifts; i++) {
        g_free(report->drifts[i].ranks);
    }
    g_free(report->drifts);
    g_free(report->rows);
    g_free(report->faster);
    g_free(report->singles);
    g_free(report->types);
    g_free(report);
}
