/* apps/tracer/live/noted.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "live/noted.h"

#include "live/detect.h"
#include "live/mine.h"
#include "live/noted_call.h"
#include "record/buffer.h"
#include "record/comm.h"
#include "record/record.h"
#include "record/state.h"

enum { PS_PER_NS = 1000, PROC_NULL = -2, ANY_SOURCE = -1 }; /* as attributes say it */

static noise_event_function function[REGION_COUNT];
static int64_t base;  /* the first call of all, on rank 0's clock: readers count from it, too */
static uint64_t last; /* latest time, as replay.c has it */

/* Whom a call is with. */
typedef struct party {
    tracer_peer_kind kind;
    uint32_t rank, comm;
} party;

/* A call as far as it is known. */
typedef struct call {
    int64_t bytes; /* that its attributes say */
    int64_t sent, sent_to, received, received_from;
    uint64_t completed;
    uint64_t enter, leave;
    int64_t cpu, cpu_inside; /* ns; -1: not known */
    uint32_t region;
    uint32_t comm;         /* that its attributes say */
    party to, from, among; /* among: a collective's root */
    bool there;
} call;

static const call NOTHING = {
    .bytes = NOISE_EVENT_NO_SIZE,
    .sent = NOISE_EVENT_NO_SIZE,
    .sent_to = NOISE_EVENT_NO_PEER,
    .received = NOISE_EVENT_NO_SIZE,
    .received_from = NOISE_EVENT_NO_PEER,
    .cpu = -1,
    .comm = OTF2_UNDEFINED_COMM,
    .to.comm = OTF2_UNDEFINED_COMM,
    .from.comm = OTF2_UNDEFINED_COMM,
    .among.comm = OTF2_UNDEFINED_COMM,
};
static call open; /* the one whose notes are being read */
static call next; /* attributes come before their call */

/* The buffer was emptied from begin to end; end 0: that is accounted for. A call of another thread
 * may begin before the end: what it computed until then is computation, and the emptying comes
 * after all calls that begin before its end, as readers of the archive have it. */
static struct {
    uint64_t begin, end;
} emptying;

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

/* What is switched off, or was written out, is neither computation nor call. */
static void skip(sim_time enter, sim_time leave)
{
    if (tracer.mining) {
        tracer_mine_skip(enter, leave);
    }
    if (tracer.detecting) {
        tracer_detect_skip(enter, leave);
    }
}

/* A send's destination goes before a source: MPI_Sendrecv has both. */
static const party *party_of(const call *c)
{
    return c->to.kind != TRACER_PEER_NONE     ? &c->to
           : c->from.kind != TRACER_PEER_NONE ? &c->from
                                              : &c->among;
}

static void hand_over(const call *c)
{
    const noise_event_function *f = &function[c->region];
    const int64_t moved = f->receives ? c->received : c->sent;
    const party *with = party_of(c);
    const tracer_noted_call noted = {
        .call = {.function = f,
                 .bytes = moved != NOISE_EVENT_NO_SIZE ? moved : c->bytes,
                 .distance = f->receives ? c->received_from : c->sent_to,
                 .enter = from_base(c->enter),
                 .leave = from_base(in_order(c->leave)),
                 .cpu = to_ps(c->cpu),
                 .cpu_inside = to_ps(c->cpu_inside),
                 .waited = -1,
                 .completed = c->completed},
        .region = c->region,
        .peer_kind = with->kind,
        .peer = with->rank,
        .comm = with->comm,
    };
    if (tracer.mining) {
        tracer_mine_call(&noted.call);
    }
    if (tracer.detecting) {
        tracer_detect_call(&noted);
    }
}

static void leave(void)
{
    if (open.there && open.region == REGION_Pcontrol) {
        skip(from_base(open.enter), from_base(in_order(open.leave)));
    } else if (open.there) {
        hand_over(&open);
    }
    open.there = false;
}

/* A call begins at @p enter. */
static void skip_emptying(uint64_t enter)
{
    if (emptying.end > 0 && enter >= emptying.end) {
        const uint64_t from = emptying.begin > last ? emptying.begin : last;
        if (from < emptying.end) {
            skip(from_base(from), from_base(emptying.end));
        }
        emptying.end = 0;
    }
}

static void begin(const call *attributes, const uint64_t *note)
{
    leave();
    skip_emptying(note[1]);
    open = *attributes;
    open.region = upper(note[0]);
    open.enter = in_order(note[1]);
    open.leave = note[2];
    open.cpu = (int64_t)note[3] - 1;
    open.cpu_inside = (int64_t)note[4];
    open.there = true;
}

/* @p value  a rank, as attributes say it */
static party asked_for(uint64_t value)
{
    const int32_t rank = (int32_t)lower(value);
    return (party){.kind = rank == PROC_NULL    ? TRACER_PEER_NOBODY
                           : rank == ANY_SOURCE ? TRACER_PEER_ANY
                                                : TRACER_PEER_RANK,
                   .rank = (uint32_t)rank,
                   .comm = OTF2_UNDEFINED_COMM};
}

static void take_attribute(uint32_t which, uint64_t value)
{
    switch (which) {
    case ATTR_BYTES:
        next.bytes = (int64_t)value;
        break;
    case ATTR_COMM:
        next.comm = lower(value);
        break;
    case ATTR_PEER:
        next.to = asked_for(value);
        next.sent_to = next.to.kind == TRACER_PEER_NOBODY ? NOISE_EVENT_NOBODY : next.sent_to;
        break;
    case ATTR_SOURCE:
        next.from = asked_for(value);
        next.received_from =
            next.from.kind == TRACER_PEER_NOBODY ? NOISE_EVENT_NOBODY : next.received_from;
        break;
    case ATTR_ROOT:
        next.among = (party){TRACER_PEER_ROOT, lower(value), OTF2_UNDEFINED_COMM};
        break;
    default:
        break;
    }
}

/* All attributes of the call are there. */
static void take_call(const uint64_t *note)
{
    next.to.comm = next.comm;
    next.from.comm = next.comm;
    next.among.comm = next.comm;
    begin(&next, note);
    next = NOTHING;
}

static void take_send(uint32_t peer, const uint64_t *note)
{
    open.sent = (int64_t)note[2];
    open.sent_to = distance_to(peer, lower(note[1]));
    if (open.region != REGION_Start && open.region != REGION_Startall) {
        open.to = (party){TRACER_PEER_RANK, peer, lower(note[1])};
    }
}

static void take_receive(uint32_t peer, const uint64_t *note)
{
    open.received = (int64_t)note[2];
    open.received_from = distance_to(peer, lower(note[1]));
    if (open.from.kind != TRACER_PEER_ANY) { /* else which one came is by chance */
        open.from = (party){TRACER_PEER_RANK, peer, lower(note[1])};
    }
}

static void take_collective(const uint64_t *note)
{
    const uint32_t root = upper(note[1]);
    open.among = root == OTF2_COLLECTIVE_ROOT_NONE
                     ? (party){TRACER_PEER_NONE, 0, lower(note[1])}
                     : (party){TRACER_PEER_ROOT, root, lower(note[1])};
}

static void take_one(const uint64_t *note)
{
    const uint32_t number = upper(note[0]);
    switch ((tracer_note)lower(note[0])) {
    case NOTE_ATTRIBUTE:
        take_attribute(number, note[1]);
        break;
    case NOTE_CALL:
        take_call(note);
        break;
    case NOTE_POLL: /* complete; the attributes are those of the call that comes after it */
        begin(&NOTHING, note);
        leave();
        break;
    case NOTE_SEND:
    case NOTE_ISEND:
        take_send(number, note);
        break;
    case NOTE_RECV:
        take_receive(number, note);
        break;
    case NOTE_COLLECTIVE:
        take_collective(note);
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

static void take(const uint64_t *notes, size_t n)
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

static void flushed(uint64_t now)
{
    if (open.there) {
        emptying.begin = in_order(open.leave);
        emptying.end = now; /* later than the end of any before */
        leave();
    }
}

static bool due(uint64_t now)
{
    return (tracer.mining && tracer_mine_due(now)) || (tracer.detecting && tracer_detect_due(now));
}

static void write_due(uint64_t now)
{
    if (tracer.mining && tracer_mine_due(now)) {
        tracer_mine_save();
    }
    if (tracer.detecting && tracer_detect_due(now)) {
        tracer_detect_hand_on();
    }
}

void tracer_noted_start(uint64_t entered)
{
    static const tracer_listener SELF = {take, leave, flushed, due, write_due};
    static const char *const NAMES[] = {
#define X(name, ...) "MPI_" #name,
        TRACER_FUNCTIONS(X)
#undef X
    };
    const int64_t mine = (int64_t)entered + tracer.clock_offset;
    PMPI_Allreduce(&mine, &base, 1, MPI_INT64_T, MPI_MIN, tracer.world);
    tracer_mine_start();
    tracer_detect_start();
    if (!tracer.mining && !tracer.detecting) {
        return;
    }
    open = NOTHING;
    next = NOTHING;
    for (int i = 0; i < REGION_COUNT; i++) {
        function[i] = noise_event_function_of(NAMES[i]);
    }
    tracer_record_listen(&SELF);
}
