/* apps/tracer/record/mine.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/mine.h"

#include "noise/call_events.h"
#include "record/buffer.h"
#include "record/comm.h"
#include "record/cpu.h"
#include "record/mine_file.h"
#include "record/regions.h"
#include "record/state.h"
#include "synopsis/synopsis.h"
#include "tracer/protocol.h"

#include <stdlib.h>
#include <string.h>

enum { PS_PER_NS = 1000, PROC_NULL = -2 }; /* as attributes say it */
#define MOST_BYTES (UINT64_C(16) << 20)    /* of memory in this process, while the program runs */

static noise_synopsis synopsis;
static noise_event_function function[REGION_COUNT];
static noise_call_events events;
static int64_t base;  /* the first call of all, on rank 0's clock: readers count from it, too */
static uint64_t last; /* latest time, as replay.c has it */
static uint64_t interval, due; /* ns; 0: never */

/* A call as far as it is known. */
typedef struct call {
    int64_t bytes; /* that its attributes say */
    int64_t sent, sent_to, received, received_from;
    uint64_t completed;
    uint64_t enter, leave;
    int64_t cpu, cpu_inside; /* ns; -1: not known */
    uint32_t region;
    bool there;
} call;

static const call NOTHING = {
    .bytes = NOISE_EVENT_NO_SIZE,
    .sent = NOISE_EVENT_NO_SIZE,
    .sent_to = NOISE_EVENT_NO_PEER,
    .received = NOISE_EVENT_NO_SIZE,
    .received_from = NOISE_EVENT_NO_PEER,
    .cpu = -1,
};
static call open; /* the one whose notes are being read */
static call next; /* attributes come before their call */

static uint32_t lower(uint64_t word)
{
    return (uint32_t)word;
}

static uint32_t upper(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

static uint64_t in_order(uint64_t time)
{
    last = time > last ? time : last;
    return last;
}

static sim_time from_base(uint64_t ns)
{
    return ((int64_t)ns + tracer.clock_offset - base) * PS_PER_NS;
}

static sim_time to_ps(int64_t ns)
{
    return ns < 0 ? -1 : ns * PS_PER_NS;
}

static int64_t distance_to(uint32_t peer, uint32_t comm)
{
    return (int64_t)peer - (int64_t)tracer_comm_rank(comm);
}

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

void tracer_mine_leave(void)
{
    if (!open.there) {
        return;
    }
    if (open.region == REGION_Pcontrol) { /* what is switched off is neither */
        noise_call_events_skip(&events, from_base(open.enter), from_base(in_order(open.leave)));
        open.there = false;
        return;
    }
    const noise_event_function *f = &function[open.region];
    const int64_t moved = f->receives ? open.received : open.sent;
    const noise_call c = {
        .function = f,
        .bytes = moved != NOISE_EVENT_NO_SIZE ? moved : open.bytes,
        .distance = f->receives ? open.received_from : open.sent_to,
        .enter = from_base(open.enter),
        .leave = from_base(in_order(open.leave)),
        .cpu = to_ps(open.cpu),
        .cpu_inside = to_ps(open.cpu_inside),
        .waited = -1,
        .completed = open.completed,
    };
    noise_call_event got[2];
    const int n = noise_call_events_take(&events, &c, true, got);
    for (int i = 0; i < n; i++) {
        count(&got[i]);
    }
    open.there = false;
}

static void begin(const call *attributes, const uint64_t *note)
{
    tracer_mine_leave();
    open = *attributes;
    open.region = upper(note[0]);
    open.enter = in_order(note[1]);
    open.leave = note[2];
    open.cpu = (int64_t)note[3] - 1;
    open.cpu_inside = (int64_t)note[4];
    open.there = true;
}

static void take_attribute(uint32_t which, uint64_t value)
{
    if (which == ATTR_BYTES) {
        next.bytes = (int64_t)value;
    } else if (which == ATTR_PEER && (int32_t)lower(value) == PROC_NULL) {
        next.sent_to = NOISE_EVENT_NOBODY;
    } else if (which == ATTR_SOURCE && (int32_t)lower(value) == PROC_NULL) {
        next.received_from = NOISE_EVENT_NOBODY;
    }
}

static void take_one(const uint64_t *note)
{
    const uint32_t number = upper(note[0]);
    switch ((tracer_note)lower(note[0])) {
    case NOTE_ATTRIBUTE:
        take_attribute(number, note[1]);
        break;
    case NOTE_CALL:
        begin(&next, note);
        next = NOTHING;
        break;
    case NOTE_POLL: /* complete; the attributes are those of the call that comes after it */
        begin(&NOTHING, note);
        tracer_mine_leave();
        break;
    case NOTE_SEND:
    case NOTE_ISEND:
        open.sent = (int64_t)note[2];
        open.sent_to = distance_to(number, lower(note[1]));
        break;
    case NOTE_RECV:
        open.received = (int64_t)note[2];
        open.received_from = distance_to(number, lower(note[1]));
        break;
    case NOTE_ISEND_DONE:
    case NOTE_IRECV_DONE:
    case NOTE_ICOLLECTIVE_DONE:
        open.completed++;
        break;
    case NOTE_PARAMETER:
        open.completed += number == PARAM_COMPLETE;
        break;
    default:
        break;
    }
}

void tracer_mine_notes(const uint64_t *notes, size_t n)
{
    static const uint8_t words[] = {
#define X(kind, words) words,
        TRACER_NOTES(X)
#undef X
    };
    for (size_t i = 0; i < n; i += words[lower(notes[i])]) {
        take_one(&notes[i]);
    }
}

void tracer_mine_flushed(uint64_t now)
{
    if (open.there) {
        const uint64_t from = open.leave > last ? open.leave : last;
        tracer_mine_leave();
        noise_call_events_skip(&events, from_base(from), from_base(now));
    }
}

void tracer_mine_start(uint64_t entered)
{
    static const char *const NAMES[] = {
#define X(name, ...) "MPI_" #name,
        TRACER_FUNCTIONS(X)
#undef X
    };
    const char *seconds = getenv(TRACER_ENV_MINE_EVERY);
    const int64_t mine = (int64_t)entered + tracer.clock_offset;
    PMPI_Allreduce(&mine, &base, 1, MPI_INT64_T, MPI_MIN, tracer.world);
    if (!tracer.mining) {
        return;
    }
    noise_synopsis_init(&synopsis, &(miner_form){.width = 0}, MOST_BYTES);
    synopsis.tick = PS_PER_NS;
    events.rank = (uint32_t)tracer.rank;
    open = NOTHING;
    next = NOTHING;
    for (int i = 0; i < REGION_COUNT; i++) {
        function[i] = noise_event_function_of(NAMES[i]);
    }
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
