/* apps/tracer/live/mine.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "live/mine.h"

#include "live/mine_file.h"
#include "record/cpu.h"
#include "record/state.h"
#include "synopsis/synopsis.h"
#include "tracer/protocol.h"

#include <stdlib.h>

enum { PS_PER_NS = 1000 };
#define MOST_BYTES (UINT64_C(16) << 20) /* of memory in this process, while the program runs */

static noise_synopsis synopsis;
static noise_call_events events;
static uint64_t interval, due; /* ns; 0: never */

static void count(const noise_call_event *e)
{
    const bool is_new = !noise_synopsis_has_type(&synopsis, e->event.type);
    noise_synopsis_add(&synopsis, &e->event);
    if (is_new) {
        char name[NOISE_EVENT_NAME_BYTES];
        noise_call_event_name(e, name);
        (void)noise_synopsis_name_type(&synopsis, e->event.type, name);
    }
}

void tracer_mine_call(const noise_call *call)
{
    noise_call_event got[2];
    const int n = noise_call_events_take(&events, call, true, got);
    for (int i = 0; i < n; i++) {
        count(&got[i]);
    }
}

void tracer_mine_skip(sim_time enter, sim_time leave)
{
    noise_call_events_skip(&events, enter, leave);
}

void tracer_mine_start(void)
{
    const char *seconds = getenv(TRACER_ENV_MINE_EVERY);
    if (!tracer.mining) {
        return;
    }
    noise_synopsis_init(&synopsis, &(miner_form){.width = 0}, MOST_BYTES);
    synopsis.tick = PS_PER_NS;
    events.rank = (uint32_t)tracer.rank;
    const double every = seconds != NULL ? strtod(seconds, NULL) : 0;
    if (every > 0 && every < 1e9) {
        interval = (uint64_t)(every * 1e9);
        due = tracer_clock() + interval;
    }
}

bool tracer_mine_due(uint64_t now)
{
    return due > 0 && now >= due;
}

bool tracer_mine_save(void)
{
    const bool saved = tracer_mine_file_write(&synopsis, tracer.rank);
    due = due > 0 ? tracer_clock() + interval : 0;
    return saved;
}

bool tracer_mine_unite(void)
{
    const bool written = tracer_mine_file_unite(&synopsis);
    if (written && due > 0) {
        tracer_mine_file_drop(tracer.rank);
    }
    return written;
}
