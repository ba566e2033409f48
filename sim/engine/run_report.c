/* sim/engine/run_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run, test_run_errors. */
#include "engine/run_private.h"
#include "events/event_spill_private.h"
#include "events/left_over_private.h"
#include "sim/error.h"

#include <inttypes.h>

static char *label_of(const engine *e, uint32_t rank, uint32_t op)
{
    return e->program->methods->label(e->program, rank, op);
}

static left_over left_over_of(uint32_t holder, const event_item *i)
{
    const bool message = i->kind == EVENT_UNEXPECTED;
    return (left_over){.rank = message ? i->peer : holder,
                       .op = i->index,
                       .is_message = message,
                       .peer = message ? holder : i->peer,
                       .tag = i->tag,
                       .comm = i->comm,
                       .size = i->size};
}

/* What still waits for a partner. Of left_over. */
static GArray *list_left_overs(const engine *e)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(left_over));
    event_item items[EVENT_OUTSIDE];
    for (uint32_t rank = 0; rank < e->program->num_ranks; rank++) {
        const event_list *a = &engine_partition_of(e, rank)->event_list;
        const size_t n = sim_event_list_left(a, engine_rank_of(e, rank), items);
        for (size_t k = 0; k < n; k++) {
            const left_over l = left_over_of(rank, &items[k]);
            g_array_append_val(all, l);
        }
    }
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        const event_list *a = &e->partition[i]->event_list;
        const size_t n = sim_spills_num_left(a);
        g_autofree spill_left *spill = g_new(spill_left, n + 1);
        sim_spills_left(a, spill);
        for (size_t k = 0; k < n; k++) {
            const left_over l = left_over_of(spill[k].rank, &spill[k].item);
            g_array_append_val(all, l);
        }
    }
    return all;
}

static bool report_left_overs(const engine *e, GError **error)
{
    g_autoptr(GArray) left = list_left_overs(e);
    return sim_left_overs_report(e->program, e->cursor, left, error);
}

static void report_error(const engine *e, const engine_error *bad, GError **error)
{
    if (bad->state == ENGINE_OVERFLOW) {
        g_set_error(error, SIM_ERROR, SIM_ERROR_OVERFLOW,
                    "rank %" PRIu32 ": simulated time passes %" PRId64
                    " ps, the latest instant that can be computed",
                    bad->rank, (int64_t)SIM_TIME_MAX);
        return;
    }
    g_autofree char *send = label_of(e, bad->source, bad->send);
    g_autofree char *receive = label_of(e, bad->rank, bad->receive);
    g_set_error(error, SIM_ERROR, SIM_ERROR_TRUNCATED,
                "rank %" PRIu32 ", %s: receive of %" PRId64 " bytes meets a message of %" PRId64
                " bytes from rank %" PRIu32 ", %s",
                bad->rank, receive, bad->room, bad->size, bad->source, send);
}

bool sim_engine_check_end(const engine *e, GError **error)
{
    engine_error bad = {ENGINE_SOUND};
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        const engine_error *own = &e->partition[i]->error;
        if (own->state != ENGINE_SOUND &&
            (bad.state == ENGINE_SOUND || sim_engine_is_earlier_error(own, &bad))) {
            bad = *own;
        }
    }
    if (bad.state != ENGINE_SOUND) {
        report_error(e, &bad, error);
        return false;
    }
    if (e->record != NULL && !sim_record_check(e->record, error)) {
        return false;
    }
    if (e->stopped) {
        g_set_error(error, SIM_ERROR, SIM_ERROR_STOPPED, "the run was stopped");
        return false;
    }
    return report_left_overs(e, error);
}
