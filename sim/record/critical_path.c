/* sim/record/critical_path.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_path. */
/*
 * From the operation that finishes last, each step names the one that it waited for, which was
 * executed before it: so each log is read once, from its end, up to the step that is wanted, and
 * later on from there.
 *
 * What lies between two steps is known without instants: a step took its work and its noise, a
 * message L, an interface g and the bytes of the message before.
 */
#include "record/critical_path_private.h"

#include "record/message_cost_private.h"
#include "sim/error.h"
#include "sim/run_path.h"

#include <string.h>

/* Which instant of a step. */
typedef enum {
    WANT_NOTHING, /* instant 0 */
    WANT_START,   /* operation ref; of a receive: its posting */
    WANT_FINISH,  /* operation ref */
    WANT_CPU,     /* the CPU has done with ref */
    WANT_TX,      /* from here on the interface is busy with operation ref */
    WANT_RX,      /* the same, receiving ref */
    WANT_HANDED,  /* operation ref hands its message over */
    WANT_CLEARED, /* handshake: the data of operation ref leave */
    WANT_MET,     /* rendezvous: message ref meets its receive */
} want_kind;

typedef struct wanted {
    want_kind kind;
    uint32_t rank;
    record_ref ref;
    uint32_t for_rank, for_op; /* tx, rx: the send that waits for the interface */
} wanted;

typedef struct path_walk {
    record_reader reader;
    sim_level level[MESSAGE_LEVELS];
    message_costs costs[MESSAGE_LEVELS];
    sim_time L_hop;
    bool async;
    bool instant;
    uint32_t last_rank; /* that finishes last */
    sim_path_visit *visit;
    void *user;
    sim_path_stretch stretch; /* being put together, from its end */
    bool open;                /* is there one? */
    bool caused;              /* is its cause known? */
    sim_time at;              /* what is left */
    wanted want;
} path_walk;

/* ---- the path ---- */

/* Who does something, or waits. */
typedef struct path_who {
    uint32_t rank;
    uint32_t op;
    sim_op_type type;
} path_who;

/* The stretch is complete. */
static void close_stretch(path_walk *w)
{
    if (w->open) {
        w->visit(&w->stretch, w->user);
        w->open = false;
    }
}

static void open_stretch(path_walk *w, path_who who)
{
    sim_path_stretch next = {.rank = who.rank,
                             .op = who.op,
                             .type = (uint8_t)who.type,
                             .cause = {SIM_CAUSE_BEGIN, SIM_ANY, SIM_ANY},
                             .start = w->at,
                             .finish = w->at};
    if (!w->open) { /* what has taken no time so far */
        memcpy(next.amount, w->stretch.amount, sizeof next.amount);
    }
    close_stretch(w);
    w->stretch = next;
    w->open = true;
    w->caused = false;
}

/* What the operation of the stretch waited for, unless that is known from later on, or is itself.
 */
static void cause(path_walk *w, sim_cause_kind kind, uint32_t rank, uint32_t op)
{
    if (w->open && !w->caused && (rank != w->stretch.rank || op != w->stretch.op)) {
        w->stretch.cause = (sim_cause){(uint8_t)kind, rank, op};
        w->caused = true;
    }
}

/* Busy with @p ref: an operation of the rank, or a message. */
static void cause_busy(path_walk *w, sim_cause_kind kind, uint32_t rank, record_ref ref)
{
    cause(w, kind, ref.source != SIM_ANY ? ref.source : rank, ref.op);
}

/* The last @p length of what is left went to @p part, for @p amount of bytes or of times. */
static void add(path_walk *w, sim_part part, sim_time length, int64_t amount, path_who who)
{
    if (w->at == 0 || (length == 0 && amount == 0)) {
        return;
    }
    if (length > w->at) {
        if (w->reader.wrong == NULL) {
            w->reader.wrong = g_strdup_printf("the path begins before 0, at rank %" G_GUINT32_FORMAT
                                              ", operation %" G_GUINT32_FORMAT,
                                              who.rank, who.op);
        }
        w->at = 0;
        return;
    }
    sim_path_stretch *s = &w->stretch;
    if (length > 0 && (!w->open || s->rank != who.rank || s->op != who.op)) {
        open_stretch(w, who);
    }
    w->at -= length;
    s->start = w->at;
    s->part[part] += length;
    s->amount[part] += (uint64_t)amount;
}

static void add_noise(path_walk *w, sim_time length, path_who who)
{
    add(w, who.rank == w->last_rank ? SIM_PART_NOISE : SIM_PART_PEER_NOISE, length, 0, who);
}

/* ---- what messages take, each on its level ---- */

static const sim_level *level_of(const path_walk *w, const record_step *s)
{
    return &w->level[s->level];
}

static message_cost cost_of(path_walk *w, const record_step *s)
{
    return *message_cost_of(&w->costs[s->level], s->size);
}

/* The part that @p part, of the network, is of a message. */
static sim_part part_of(const record_step *s, sim_part part)
{
    return s->level == MESSAGE_NODE ? part + (SIM_PART_NODE_o - SIM_PART_o) : part;
}

/* A message, a request or a clear-to-send on its way. */
static void add_flight(path_walk *w, sim_part part, const record_step *s, path_who who)
{
    const int64_t hops = w->L_hop > 0 ? s->distance / w->L_hop : 0;
    add(w, SIM_PART_DISTANCE, s->distance, hops, who);
    add(w, part_of(s, part), level_of(w, s)->L, 1, who);
}

/* Bytes that cost anything: all but the first. */
static int64_t counted(int64_t size)
{
    return MAX(size - 1, 0);
}

static void want(path_walk *w, want_kind kind, uint32_t rank, record_ref ref)
{
    w->want = (wanted){.kind = kind, .rank = rank, .ref = ref};
}

static void want_op(path_walk *w, want_kind kind, uint32_t rank, uint32_t op)
{
    want(w, kind, rank, (record_ref){.op = op, .source = SIM_ANY});
}

static void want_interface(path_walk *w, want_kind kind, uint32_t rank, record_ref ref,
                           path_who waiting)
{
    want(w, kind, rank, ref);
    w->want.for_rank = waiting.rank;
    w->want.for_op = waiting.op;
}

static void want_cpu(path_walk *w, uint32_t rank, record_ref ref)
{
    cause_busy(w, SIM_CAUSE_CPU, rank, ref);
    want(w, WANT_CPU, rank, ref);
}

/* ---- from an instant of a step back to the step that it follows from ---- */

static path_who who_of(const record_step *s)
{
    static const uint8_t TYPES[RECORD_NUM_KINDS] = {[RECORD_CALC] = SIM_OP_CALC,
                                                    [RECORD_SEND] = SIM_OP_SEND,
                                                    [RECORD_CLEARED] = SIM_OP_SEND,
                                                    [RECORD_RECEIVE] = SIM_OP_RECV,
                                                    [RECORD_ACCEPT] = SIM_OP_RECV};
    return (path_who){s->rank, s->op, TYPES[s->kind]};
}

static path_who sender_of(const record_step *s)
{
    return (path_who){s->peer, s->send, SIM_OP_SEND};
}

/* A calc or a send starts, a receive is posted. */
static void from_start(path_walk *w, const record_step *s)
{
    switch ((record_bound)s->bound) {
    case RECORD_BY_TX:
        want_interface(w, WANT_TX, s->rank, s->by, who_of(s));
        break;
    case RECORD_BY_CPU:
        want_cpu(w, s->rank, s->by);
        break;
    default:
        if (s->by.op == SIM_ANY) {
            want_op(w, WANT_NOTHING, s->rank, SIM_ANY);
        } else if (s->bound == RECORD_BY_START) {
            cause(w, SIM_CAUSE_START, s->rank, s->by.op);
            want_op(w, WANT_START, s->rank, s->by.op);
        } else {
            cause(w, SIM_CAUSE_FINISH, s->rank, s->by.op);
            want_op(w, WANT_FINISH, s->rank, s->by.op);
        }
    }
}

/* A message is handed over, or the CPU has spent o on one. */
static void from_handed(path_walk *w, const record_step *s)
{
    add(w, part_of(s, SIM_PART_o), level_of(w, s)->o, 1, who_of(s));
    add_noise(w, s->noise[0], who_of(s));
}

/* The CPU has done with a message. */
static void from_end(path_walk *w, const record_step *s)
{
    const message_cost cost = cost_of(w, s);
    if (w->async && s->kind != RECORD_SEND && cost.G > cost.O && cost.G - cost.O > s->noise[1]) {
        add(w, part_of(s, SIM_PART_G), cost.G, counted(s->size), who_of(s));
    } else {
        add(w, part_of(s, SIM_PART_O), cost.O, counted(s->size), who_of(s));
        add_noise(w, s->noise[1], who_of(s));
    }
    from_handed(w, s);
}

/* The interface takes in a message. */
static void from_intake(path_walk *w, const record_step *s)
{
    cause(w, SIM_CAUSE_MESSAGE, s->peer, s->send);
    if (s->waited) {
        want_interface(w, WANT_RX, s->rank, s->rx, sender_of(s));
        return;
    }
    add_flight(w, SIM_PART_L, s, sender_of(s));
    const bool cleared = s->size > level_of(w, s)->S && !w->instant;
    want_op(w, cleared ? WANT_CLEARED : WANT_HANDED, s->peer, s->send);
}

/* The CPU takes up a receive, or accepts a message. */
static void from_receive(path_walk *w, const record_step *s)
{
    switch ((record_bound)s->bound) {
    case RECORD_BY_POSTING:
        want_op(w, WANT_START, s->rank, s->op);
        break;
    case RECORD_BY_CPU:
        want_cpu(w, s->rank, s->by);
        break;
    default:
        if (!w->async) {
            const sim_time delay = cost_of(w, s).delay;
            add(w, part_of(s, SIM_PART_G), delay, delay > 0 ? counted(s->size) : 0, who_of(s));
        }
        from_intake(w, s);
    }
}

/* handshake: the data leave. */
static void from_cleared(path_walk *w, const record_step *s)
{
    if (s->bound == RECORD_BY_TX) {
        want_interface(w, WANT_TX, s->rank, s->by, who_of(s));
        return;
    }
    add_flight(w, SIM_PART_S, s, who_of(s));
    const sim_time H = level_of(w, s)->H;
    add(w, part_of(s, SIM_PART_H), H, H > 0, who_of(s));
    want(w, WANT_MET, s->peer, (record_ref){.op = s->op, .source = s->rank});
}

static void from_meeting(path_walk *w, const record_step *s)
{
    if (s->kind == RECORD_RECEIVE) { /* it is accepted */
        from_receive(w, s);
    } else if (s->kind == RECORD_LATE || s->bound == RECORD_BY_POSTING) {
        cause(w, SIM_CAUSE_RECEIVE, s->rank, s->op);
        want_op(w, WANT_START, s->rank, s->op);
    } else {
        add_flight(w, w->instant ? SIM_PART_L : SIM_PART_S, s, sender_of(s));
        want_op(w, WANT_HANDED, s->peer, s->send);
    }
}

/* The last thing that an operation waited for. */
static void from_finish(path_walk *w, const record_step *s)
{
    switch ((record_kind)s->kind) {
    case RECORD_CLEARED:
        add(w, part_of(s, SIM_PART_G), cost_of(w, s).G, counted(s->size), who_of(s));
        from_cleared(w, s);
        break;
    case RECORD_RELEASED:
        want(w, WANT_MET, s->peer, (record_ref){.op = s->op, .source = s->rank});
        break;
    case RECORD_LATE:
        if (s->bound == RECORD_BY_POSTING) {
            want_op(w, WANT_START, s->rank, s->op);
        } else {
            want_cpu(w, s->rank, (record_ref){.op = s->send, .source = s->peer});
        }
        break;
    case RECORD_CALC:
        add(w, SIM_PART_COMPUTE, s->size, 0, who_of(s));
        add_noise(w, s->noise[0], who_of(s));
        from_start(w, s);
        break;
    case RECORD_SEND:
        from_end(w, s);
        from_start(w, s);
        break;
    default:
        from_end(w, s);
        from_receive(w, s);
    }
}

/* From here on the interface was busy for the next message. */
static void from_busy(path_walk *w, const record_step *s)
{
    const path_who waiting = {w->want.for_rank, w->want.for_op, SIM_OP_SEND};
    add(w, part_of(s, SIM_PART_g), level_of(w, s)->g, 1, waiting);
    add(w, part_of(s, SIM_PART_G), cost_of(w, s).G, counted(s->size), waiting);
    cause_busy(w, SIM_CAUSE_NIC, s->rank, w->want.ref);
    switch ((record_kind)s->kind) {
    case RECORD_SEND: /* it was, when o had begun */
        add_noise(w, s->noise[0], who_of(s));
        from_start(w, s);
        break;
    case RECORD_CLEARED:
        from_cleared(w, s);
        break;
    default:
        if (w->async) {
            from_receive(w, s);
        } else {
            from_intake(w, s);
        }
    }
}

/* ---- the walk ---- */

static bool is_message(const record_step *s, record_ref ref)
{
    return s->peer == ref.source && s->send == ref.op;
}

static bool is_cpu_work(uint8_t kind)
{
    return kind == RECORD_CALC || kind == RECORD_SEND || kind == RECORD_RECEIVE;
}

/* Is @p s, a step of the rank, the one that is wanted? */
static bool is_wanted(const path_walk *w, const record_step *s)
{
    const record_ref ref = w->want.ref;
    const uint8_t kind = s->kind;
    switch (w->want.kind) {
    case WANT_START:
        return s->op == ref.op &&
               (kind == RECORD_CALC || kind == RECORD_SEND || kind == RECORD_POST);
    case WANT_FINISH:
        return s->op == ref.op && (is_cpu_work(kind) || kind == RECORD_LATE ||
                                   kind == RECORD_RELEASED || (kind == RECORD_CLEARED && s->later));
    case WANT_CPU:
    case WANT_RX:
        return ref.source != SIM_ANY ? kind == RECORD_ACCEPT && is_message(s, ref)
                                     : is_cpu_work(kind) && s->op == ref.op;
    case WANT_TX:
        return s->op == ref.op && (kind == RECORD_SEND || kind == RECORD_CLEARED);
    case WANT_HANDED:
        return s->op == ref.op && kind == RECORD_SEND;
    case WANT_CLEARED:
        return s->op == ref.op && kind == RECORD_CLEARED;
    default:
        return is_message(s, ref) &&
               (w->async && w->instant ? kind == RECORD_RECEIVE || kind == RECORD_LATE
                                       : kind == RECORD_MEET);
    }
}

static const record_step *find(path_walk *w)
{
    const record_step *s = NULL;
    do {
        s = record_reader_back(&w->reader, w->want.rank);
    } while (s != NULL && (s->rank != w->want.rank || !is_wanted(w, s)));
    if (s == NULL && w->reader.wrong == NULL) {
        w->reader.wrong = g_strdup_printf("there is no step of rank %" G_GUINT32_FORMAT
                                          ", operation %" G_GUINT32_FORMAT " to follow from",
                                          w->want.rank, w->want.ref.op);
    }
    return s;
}

static void go_back(path_walk *w, const record_step *s)
{
    switch (w->want.kind) {
    case WANT_START:
        from_start(w, s);
        break;
    case WANT_HANDED:
        from_handed(w, s);
        from_start(w, s);
        break;
    case WANT_CLEARED:
        from_cleared(w, s);
        break;
    case WANT_MET:
        from_meeting(w, s);
        break;
    case WANT_TX:
    case WANT_RX:
        from_busy(w, s);
        break;
    case WANT_CPU:
        if (s->kind == RECORD_ACCEPT) {
            from_end(w, s);
            from_receive(w, s);
            break;
        }
        __attribute__((fallthrough));
    default:
        from_finish(w, s);
    }
}

bool sim_run_record_walk_path(const sim_run_record *record, sim_path_visit *visit, void *user,
                              GError **error)
{
    path_walk w = {.visit = visit, .user = user, .at = record->makespan, .L_hop = record->L_hop};
    w.last_rank = record->makespan_rank;
    w.async = record->params.progress == SIM_PROGRESS_ASYNC;
    w.instant = record->params.rendezvous == SIM_RENDEZVOUS_INSTANT;
    sim_record_levels(record, w.level);
    message_costs_init(w.costs, w.level);
    sim_record_reader_init(&w.reader, record);
    want_op(&w, WANT_FINISH, record->makespan_rank, record->makespan_op);
    while (w.at > 0 && w.want.kind != WANT_NOTHING && w.reader.wrong == NULL) {
        const record_step *s = find(&w);
        if (s != NULL) {
            go_back(&w, s);
        }
    }
    close_stretch(&w);
    if (w.at > 0 && w.reader.wrong == NULL) {
        w.reader.wrong = g_strdup_printf("the path ends at rank %" G_GUINT32_FORMAT
                                         ", %" G_GINT64_FORMAT " ps after 0",
                                         w.want.rank, w.at);
    }
    const bool right = w.reader.wrong == NULL;
    if (!right) {
        g_set_error(error, SIM_ERROR, SIM_ERROR_BAD_FILE, "%s: damaged: %s",
                    record->path != NULL ? record->path : "record", w.reader.wrong);
    }
    sim_record_reader_clear(&w.reader);
    return right;
}
