/* tests/apps/pages/sample_component.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample_component.h"

#include "noise/event_type.h"

#include <math.h>

static const char *const LABELS[SAMPLE_ROWS] = {"inside MPI_Send", "preempted, periodic",
                                                "<b>external</b>"};
static const sim_time T_NOISE[SAMPLE_ROWS] = {5700 * SIM_US, 120 * SIM_US, 20 * SIM_US};

/* The first row came from the middle on, the second always; of the third it is not known. */
static void fill_courses(sample_component *s)
{
    for (uint32_t e = 0; e < SAMPLE_EPOCHS; e++) {
        s->rows[0].hits[e] = e >= SAMPLE_EPOCHS / 2 ? 285 : 0;
        s->rows[1].hits[e] = 242 + e % 2;
        s->rows[0].seen[e] = s->rows[1].seen[e] = e == 2 ? 0 : 60;
    }
    s->rows[1].change = (noise_miner_change){.verdict = NOISE_MINER_NO_CHANGE, .chance = 1};
    s->rows[0].change = (noise_miner_change){.verdict = NOISE_MINER_CHANGED,
                                             .chance = 1e-9,
                                             .first = SAMPLE_EPOCHS / 2,
                                             .last = SAMPLE_EPOCHS - 1,
                                             .times = INFINITY,
                                             .from = 15 * SIM_S,
                                             .to = 30 * SIM_S};
}

static void fill_rows(sample_component *s)
{
    for (uint32_t i = 0; i < SAMPLE_ROWS; i++) {
        s->ranges[i][0][0] = 7 * i;
        s->ranges[i][0][1] = 7 * i + 20;
        s->rows[i] = (noise_miner_row){.t_noise = T_NOISE[i],
                                       .t_noise_low = T_NOISE[i] - SIM_US,
                                       .t_noise_high = T_NOISE[i] + SIM_US,
                                       .count = 1425 + 1000 * (uint64_t)i,
                                       .period = i == 1 ? 4 * SIM_MS : 0,
                                       .period_confidence = i == 1 ? 0.999 : 0,
                                       .share = 0.04 / (i + 1.0),
                                       .num_ranks = 21,
                                       .ranks = s->ranges[i],
                                       .num_ranges = 1,
                                       .ranks_exact = true,
                                       .label = g_strdup(LABELS[i])};
    }
    fill_courses(s);
    s->report = (noise_miner_report){.num_rows = SAMPLE_ROWS,
                                     .rows = s->rows,
                                     .dropped_rows = 2,
                                     .events = 123456,
                                     .ranks_seen = 64,
                                     .num_epochs = SAMPLE_EPOCHS,
                                     .epoch = 3 * SIM_S,
                                     .observed = 30 * SIM_S};
}

static void add_slice(app_exemplar *e, sim_time begin, sim_time end, app_exemplar_kind kind,
                      const char *name)
{
    e->slices[e->num_slices++] =
        (app_exemplar_slice){.begin = begin,
                             .end = end,
                             .kind = kind,
                             .name = g_strdup(name),
                             .bytes = kind == APP_EXEMPLAR_CALL ? 8192 : -1,
                             .peer = kind == APP_EXEMPLAR_CALL ? (int64_t)e->event.rank + 1 : -1,
                             .cpu = kind == APP_EXEMPLAR_SYSTEM ? -1 : (end - begin) / 2,
                             .cpu_number = kind == APP_EXEMPLAR_SYSTEM ? 3 : -1};
}

/* Calls and computations in turn, all over three times the event; a burner below its middle. */
static void fill_slices(app_exemplar *e, size_t slices)
{
    const sim_time start = e->event.start, end = e->event.end, length = end - start;
    e->slices = g_new0(app_exemplar_slice, slices + 2);
    for (size_t i = 0; i < slices; i++) {
        const sim_time begin = e->from + 3 * length / (sim_time)slices * (sim_time)i;
        const sim_time next = begin + 3 * length / (sim_time)slices;
        if (next <= start || begin >= end) {
            add_slice(e, begin, next, i % 2 == 0 ? APP_EXEMPLAR_CALL : APP_EXEMPLAR_COMPUTE,
                      i % 2 == 0 ? "MPI_Isend" : "computation");
        }
    }
    add_slice(e, start + length / 4, end - length / 4, APP_EXEMPLAR_SYSTEM, "burner/1234");
}

static void fill_event(app_exemplar *e, uint32_t i, size_t slices)
{
    const bool first = i < 36;
    const sim_time expected = 400 * SIM_US + i * SIM_NS, start = (1 + i % 7) * SIM_S + i * SIM_MS;
    const sim_time excess = T_NOISE[!first] + (sim_time)(i * 13 % 36) * 10 * SIM_US;
    const noise_event_kind kind = first ? NOISE_EVENT_CALL : NOISE_EVENT_COMPUTATION;
    e->row = !first;
    e->event = (noise_miner_event){.rank = i * 5 % 21,
                                   .type = ((uint64_t)kind << NOISE_EVENT_KIND_SHIFT) + 1,
                                   .start = start,
                                   .end = start + expected + excess,
                                   .expected = expected,
                                   .cpu = i % 3 == 0 ? -1 : expected,
                                   .waited = 0,
                                   .detour = -1};
    e->type = g_strdup(first ? "MPI_Send <= 8 KiB to rank+1" : "MPI_Recv .. MPI_Send");
    e->from = start - expected - excess;
    e->to = e->event.end + expected + excess;
    e->num_facts = 1;
    e->facts = g_malloc0(sizeof *e->facts);
    e->facts[0][0] = g_strdup("host");
    e->facts[0][1] = g_strdup_printf("node%u", i % 4);
    fill_slices(e, slices);
}

sample_component *sample_component_new(size_t slices)
{
    static const char *const GAINS[SAMPLE_ROWS] = {
        "Without it the job gains 3.1 % (2.9 to 3.3) at 64Ki ranks.", NULL, NULL};
    static const char *const NOTES[] = {"Nothing of this was run.", NULL};
    sample_component *s = g_new0(sample_component, 1);
    fill_rows(s);
    s->events = g_new0(app_exemplar, SAMPLE_EVENTS);
    for (uint32_t i = 0; i < SAMPLE_EVENTS; i++) {
        fill_event(&s->events[i], i, slices);
    }
    s->view = (app_component_view){.title = "What was found in </script>",
                                   .made_by = "ripple 0.1.0 mine sample",
                                   .report = &s->report,
                                   .exemplars = s->events,
                                   .num_exemplars = SAMPLE_EVENTS,
                                   .gains = GAINS,
                                   .notes = NOTES};
    return s;
}

void sample_component_free(sample_component *s)
{
    for (size_t i = 0; i < SAMPLE_ROWS; i++) {
        g_free(s->rows[i].label);
    }
    app_exemplars_free(s->events, SAMPLE_EVENTS);
    g_free(s);
}
