/* sim/engine/run_outlook.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_random, test_run_errors. */
#include "engine/run_private.h"

#include <glib.h>
#include <string.h>

sim_time sim_engine_lookahead(const sim_level *level, bool has_node, const bool *handshakes)
{
    sim_time least = INT64_MAX;
    for (int l = 0; l < (has_node ? MESSAGE_LEVELS : 1); l++) {
        least = MIN(least, level[l].L + (handshakes[l] ? 0 : level[l].o));
    }
    return least;
}

/* After a window. Where messages meet receives ahead of their time, or ranks go on, so do errors:
 * what is found before all earlier windows are done need not be the first. */
bool sim_engine_is_sound(const engine_partition *p)
{
    const bool is_early = p->e->width > 0 && p->error.at >= engine_window_end(p);
    const sim_run_record *record = p->e->record;
    return (p->error.state == ENGINE_SOUND || is_early) &&
           (record == NULL || !sim_record_has_failed(record));
}

bool sim_engine_is_look_due(const engine *e, uint64_t unwatched)
{
    enum { TURNS = 1 << 16 }; /* some 20 ms */
    return e->watch != NULL && unwatched >= TURNS;
}

void sim_engine_look_out(engine_partition *p)
{
    const engine *e = p->e;
    engine_outlook *o = &p->outlook[p->side];
    *o = (engine_outlook){.window = sim_calendar_queue_next(&p->queue),
                          .sent = CALENDAR_NO_WINDOW,
                          .is_sound = sim_engine_is_sound(p)};
    if (o->window != CALENDAR_NO_WINDOW) {
        o->turns = sim_calendar_queue_count(&p->queue, o->window);
    }
    if (p->out_from != EVENT_NEVER) {
        o->sent = calendar_queue_window(&p->queue, p->out_from);
        for (uint32_t i = 0; i < e->num_partitions; i++) {
            o->num_sent += (uint32_t)p->out[p->side][i].n;
        }
    }
    memcpy(o->rendezvous, p->rendezvous, sizeof o->rendezvous);
}

bool sim_engine_goes_on_to(const engine *e, uint32_t side, uint64_t *window, uint64_t *unwatched)
{
    uint64_t next = CALENDAR_NO_WINDOW;
    bool handshakes[MESSAGE_LEVELS] = {false};
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        const engine_outlook *o = &e->partition[i]->outlook[side];
        if (!o->is_sound) {
            return false;
        }
        next = MIN(next, MIN(o->window, o->sent));
        for (int l = 0; l < MESSAGE_LEVELS; l++) {
            handshakes[l] |= o->rendezvous[l];
        }
    }
    uint64_t turns = 0;
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        const engine_outlook *o = &e->partition[i]->outlook[side];
        turns += o->num_sent + (o->window == next ? o->turns : 0);
    }
    if (next == CALENDAR_NO_WINDOW || turns < e->serial_below ||
        sim_engine_is_look_due(e, *unwatched) ||
        sim_engine_lookahead(e->level, e->has_node, handshakes) < e->width) {
        return false;
    }
    *unwatched += turns;
    *window = next;
    return true;
}
