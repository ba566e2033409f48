/* apps/tracer/record/replay.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/replay.h"

#include "record/buffer.h"
#include "record/cpu.h"
#include "record/regions.h"
#include "record/state.h"

static OTF2_AttributeList *attributes; /* of the next Enter */
static uint64_t last;                  /* latest time written: OTF2 wants them in order */
static struct {
    uint64_t enter;
    uint64_t leave;
    uint32_t region;
    bool there;
} open;

static uint64_t in_order(uint64_t time)
{
    last = time > last ? time : last;
    return last;
}

static uint32_t lower(uint64_t word)
{
    return (uint32_t)word;
}

static uint32_t upper(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

static void add_attribute(OTF2_AttributeList **list, uint32_t which, uint64_t value)
{
    static const OTF2_Type type[] = {
#define X(symbol, name, type, description) OTF2_TYPE_##type,
        SCHED_OTF2_ATTRIBUTES(X)
#undef X
    };
    OTF2_AttributeValue v = {.uint64 = value};
    switch (type[which]) {
    case OTF2_TYPE_INT32:
        v.int32 = (int32_t)lower(value);
        break;
    case OTF2_TYPE_UINT8:
        v.uint8 = (uint8_t)value;
        break;
    case OTF2_TYPE_COMM:
        v.commRef = lower(value);
        break;
    default:
        break;
    }
    if (*list == NULL) {
        *list = OTF2_AttributeList_New();
    }
    (void)OTF2_AttributeList_AddAttribute(*list, which, type[which], v);
}

static void enter(OTF2_AttributeList **list, const uint64_t *note)
{
    if (note[3] > 0) {
        add_attribute(list, ATTR_CPU, note[3] - 1);
    }
    if (note[4] != note[2] - note[1]) {
        add_attribute(list, ATTR_CPU_INSIDE, note[4]);
    }
    OTF2_EvtWriter_Enter(tracer.events, *list, in_order(note[1]), upper(note[0]));
}

void tracer_replay_leave(void)
{
    if (open.there) {
        open.there = false;
        OTF2_EvtWriter_Leave(tracer.events, NULL, in_order(open.leave), open.region);
    }
}

static void call(const uint64_t *note)
{
    tracer_replay_leave();
    enter(&attributes, note);
    open.region = upper(note[0]);
    open.enter = note[1];
    open.leave = note[2];
    open.there = true;
}

/* The attributes collected so far are those of the call that comes after the polls. */
static void poll(const uint64_t *note)
{
    static OTF2_AttributeList *own;
    tracer_replay_leave();
    enter(&own, note);
    OTF2_EvtWriter_Leave(tracer.events, NULL, in_order(note[2]), upper(note[0]));
}

void tracer_replay_flushed(uint64_t now)
{
    if (open.there) {
        OTF2_EvtWriter_BufferFlush(tracer.events, NULL, in_order(open.leave), now);
    }
}

/* Messages and collectives that were waited for. */
static void transfer(const uint64_t *note)
{
    OTF2_EvtWriter *w = tracer.events;
    const uint32_t which = upper(note[0]);
    const uint32_t comm = lower(note[1]);
    const uint32_t other = upper(note[1]); /* tag or root */
    switch ((tracer_note)lower(note[0])) {
    case NOTE_SEND:
        OTF2_EvtWriter_MpiSend(w, NULL, in_order(open.enter), which, comm, other, note[2]);
        break;
    case NOTE_RECV:
        OTF2_EvtWriter_MpiRecv(w, NULL, in_order(open.leave), which, comm, other, note[2]);
        break;
    case NOTE_ISEND:
        OTF2_EvtWriter_MpiIsend(w, NULL, in_order(open.enter), which, comm, other, note[2],
                                note[3]);
        break;
    case NOTE_IRECV_DONE:
        OTF2_EvtWriter_MpiIrecv(w, NULL, in_order(open.leave), which, comm, other, note[2],
                                note[3]);
        break;
    case NOTE_COLLECTIVE:
        OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, in_order(open.enter));
        OTF2_EvtWriter_MpiCollectiveEnd(w, NULL, in_order(open.leave), (OTF2_CollectiveOp)which,
                                        comm, other, note[2], note[3]);
        break;
    default: /* NOTE_ICOLLECTIVE_DONE */
        OTF2_EvtWriter_NonBlockingCollectiveComplete(w, NULL, in_order(open.leave),
                                                     (OTF2_CollectiveOp)which, comm, other, note[2],
                                                     note[3], note[4]);
        break;
    }
}

static void replay_one(const uint64_t *note)
{
    OTF2_EvtWriter *w = tracer.events;
    switch ((tracer_note)lower(note[0])) {
    case NOTE_ATTRIBUTE:
        add_attribute(&attributes, upper(note[0]), note[1]);
        break;
    case NOTE_CALL:
        call(note);
        break;
    case NOTE_POLL:
        poll(note);
        break;
    case NOTE_IRECV:
        OTF2_EvtWriter_MpiIrecvRequest(w, NULL, in_order(open.enter), note[1]);
        break;
    case NOTE_ISEND_DONE:
        OTF2_EvtWriter_MpiIsendComplete(w, NULL, in_order(open.leave), note[1]);
        break;
    case NOTE_CANCELLED:
        OTF2_EvtWriter_MpiRequestCancelled(w, NULL, in_order(open.leave), note[1]);
        break;
    case NOTE_ICOLLECTIVE:
        OTF2_EvtWriter_NonBlockingCollectiveRequest(w, NULL, in_order(open.enter), note[1]);
        break;
    case NOTE_PARAMETER:
        OTF2_EvtWriter_ParameterUnsignedInt(w, NULL, in_order(open.enter), upper(note[0]), note[1]);
        break;
    default:
        transfer(note);
        break;
    }
}

void tracer_replay(const uint64_t *notes, size_t n)
{
    static const uint8_t words[] = {
#define X(kind, words) words,
        TRACER_NOTES(X)
#undef X
    };
    for (size_t i = 0; i < n; i += words[lower(notes[i])]) {
        replay_one(&notes[i]);
    }
}
