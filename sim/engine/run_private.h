/* sim/engine/run_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The state of a run. The ranks are divided into partitions, one per thread. A partition has all
 * that its ranks need; messages to other partitions are handed over between two windows of time
 * (run_loop.c). On a rank, the earliest of all that can happen goes first; at one instant, network
 * events (run_network.inl) go before CPU work (run_cpu.inl). docs/model.md, section 4.
 */
#pragma once

#include "events/calendar_queue_private.h"
#include "events/event_list_private.h"
#include "events/rank_queue_private.h"
#include "record/run_record_private.h"
#include "sim/run.h"

/*
 * What goes from rank to rank, as it will be on the event list of its receiver, or (EVENT_CLEAR,
 * EVENT_DATA) what the item that waits for it there still lacks. By event_item.kind:
 * EVENT_ARRIVAL is what a send sends (handshake: the request), EVENT_RELEASE (instant) and
 * EVENT_CLEAR (handshake) go back to it, EVENT_DATA are a handshake's data.
 */
typedef struct engine_message {
    event_item item;
    uint32_t dest;
} engine_message;

typedef struct outbox {
    engine_message *message;
    size_t n, cap;
} outbox;

/* instant: message and receive have met; the sender goes on. run_release.c */
typedef struct engine_release engine_release;
struct engine_release {
    sim_time at;
    uint32_t from; /* the rank where they met */
    uint32_t dest; /* the sender of the message */
    uint32_t send;
    uint32_t depth;              /* how many there are above it */
    uint64_t number;             /* on every rank, in the order of its steps */
    const engine_release *above; /* of a higher rank, at the same instant, in whose train it came */
    engine_release *next;        /* to the same rank, in order */
};

/* They stay where they are until the window is over. */
typedef struct engine_releases {
    engine_release **chunk;
    size_t n, num_chunks;
} engine_releases;

#define ENGINE_RELEASES ((size_t)256) /* of a chunk */

static inline engine_release *engine_release_at(const engine_releases *list, size_t i)
{
    return &list->chunk[i / ENGINE_RELEASES][i % ENGINE_RELEASES];
}

/* When something happens; at one instant, where in the order of all ranks. */
typedef struct engine_position {
    sim_time at;
    const engine_release *above; /* as of a release */
    uint64_t number;             /* UINT64_MAX: after all that the rank has done so far */
    uint32_t rank;
} engine_position;

/* A rank that may not go on before all that could come earlier has come. */
typedef struct engine_waiter {
    engine_position position;
    uint32_t rank;
    uint32_t stamp; /* void, unless it is still that of the rank */
} engine_waiter;

/* What is known of a rank in the second half of a window. */
typedef struct engine_order {
    engine_release *known;       /* releases to come, in order */
    const engine_release *above; /* what it does at `instant` comes in the train of that one */
    sim_time instant;
    uint32_t stamp;
    bool is_listed;
} engine_order;

typedef struct engine_rank_list {
    uint32_t *rank;
    size_t n, cap;
} engine_rank_list;

typedef enum { ENGINE_SOUND, ENGINE_OVERFLOW, ENGINE_TRUNCATED } engine_state;

/* The first error in order of instant, rank and receive, so that it does not depend on threads. */
typedef struct engine_error {
    engine_state state;
    sim_time at;
    uint32_t rank;
    uint32_t receive; /* ENGINE_TRUNCATED, as all below: the operation that receives */
    int64_t room;     /* bytes that fit it */
    int64_t size;     /* bytes of the message */
    uint32_t source;  /* its sender */
    uint32_t send;    /* operation of the sender */
} engine_error;

/*
 * Where ranks stand between two passes of a program: all they have done has finished. In a block
 * for each rank: when it goes on, and its clocks.
 */
typedef struct engine_standing {
    sim_time first; /* of the instants when ranks go on */
    size_t width;   /* of a block */
    sim_time *at;   /* [num_ranks][width] */
} engine_standing;

static inline sim_time *engine_standing_at(const engine_standing *standing, uint32_t rank)
{
    return standing->at + rank * standing->width;
}

#define ENGINE_EVENTS ((size_t)512)
#define ENGINE_DELAY  32U /* messages held back while their receivers' data are fetched: 2^n */

/* What a partition knows, having run a window, of what is to come. */
typedef struct engine_outlook {
    uint64_t window; /* the next of its queue; CALENDAR_NO_WINDOW: there is none */
    uint64_t sent; /* a message that it has sent to another partition arrives then, and none before;
                      or CALENDAR_NO_WINDOW */
    uint32_t turns; /* about how many there are in `window` */
    uint32_t num_sent;
    bool is_sound;
    bool rendezvous[MESSAGE_LEVELS];
} engine_outlook;

typedef struct engine engine;

typedef struct engine_partition {
    engine *e;
    rank_partition ranks; /* its ranks */
    sim_time now;
    event_list event_list;
    calendar_queue queue; /* while windows have a width */
    engine_message delayed[ENGINE_DELAY];
    uint32_t num_delayed, first_delayed;
    /*
     * Messages to other partitions, [num_partitions] for each side: what it writes to one, others
     * may still be taking in from the other. All partitions are on the same side in one window.
     */
    outbox *out[2];
    uint32_t side;     /* that it writes to */
    sim_time out_from; /* when the first of what is there arrives; EVENT_NEVER: nothing is */
    engine_outlook outlook[2]; /* by side */
    engine_message message;    /* the one being written, while windows have no width */
    sim_ready *ready;          /* [2 max_ready] what a CPU step or a release makes ready */
    sim_ready *posted;         /* [max_ready] what a posting makes ready */
    const sim_ready *single;   /* the only operation that a step has made ready so far, not on the
                                  list; engine.chains */
    sim_sink *sink;            /* of the events of its ranks; NULL: none */
    sim_event *event;          /* [ENGINE_EVENTS] for the sink */
    size_t num_events;
    record_log log;   /* if there is a record */
    uint32_t *last;   /* if there is a record: [places of ranks] the operation of each rank that
                         finished last; SIM_ANY: none */
    uint64_t num_ops; /* that have become ready */
    uint64_t num_messages;
    engine_rank_list exposed; /* ranks with a turn in the second half of this window: run_order.c */
    engine_rank_list reached; /* of these, those that have got releases */
    engine_waiter *waiter;    /* [num_waiters of cap_waiters] a heap */
    size_t num_waiters, cap_waiters;
    engine_releases *kept;       /* [num_partitions] releases of this window, by receiver */
    size_t *taken;               /* [num_partitions] of theirs for this one, so many are known */
    size_t num_kept;             /* in all */
    uint64_t num_releases;       /* since the run began */
    const engine_release *above; /* of what the rank that is running does now */
    bool rendezvous[MESSAGE_LEVELS]; /* a rendezvous message of that level has been sent or come */
    uint64_t ahead;                  /* the window that is looked at for what may be done now */
    uint32_t left_ahead;             /* of its ranks, so many have not been looked at */
    uint32_t looked_ahead, moved_ahead; /* ranks lately, and those of them that went on */
    engine_error error;
} engine_partition;

/* A rank whose turn it is. */
typedef struct engine_turn {
    engine_partition *p;
    engine_rank *r;
    uint32_t rank;
} engine_turn;

/* What happens in turns; there are five of these, see run_turn.inl. */
typedef struct engine_turns {
    /** Every rank of a partition begins. */
    void (*begin_partition)(engine_partition *p);
    /** Every rank of a partition does its pending work of the queue's current window. */
    void (*run_window)(engine_partition *p);
    /**
     * engine.goes_on: a window is run, and others have not run it: do some of what is to come in
     * the next ones and may be done now. @return false: there is no more
     */
    bool (*run_ahead)(engine_partition *p);
    /** Deliver what the other partitions have written to their side, and turn to the other. */
    void (*take_in)(engine_partition *p);
    /** Deliver the messages that are held back. */
    void (*flush_delayed)(engine_partition *p);
    /** Put a message on the event list of its receiver, ahead of its time. */
    void (*deliver)(engine_partition *p, const engine_message *m);
    /** instant: operation @p send of the rank, which is held, is released now. */
    void (*release)(const engine_turn *t, uint32_t send);
    /** The rank does what event_list_next() named as @p which. @return when it can do the next */
    sim_time (*step)(const engine_turn *t, uint32_t which);
} engine_turns;

extern const engine_turns sim_engine_plain_turns;  /* polling; neither recorded nor a sink */
extern const engine_turns sim_engine_levels_turns; /* the same on machines with levels */
extern const engine_turns sim_engine_told_turns;   /* the same with a sink that is brief */
extern const engine_turns sim_engine_async_turns;  /* async, as plain as the first */
extern const engine_turns sim_engine_full_turns;   /* all */

struct engine {
    const engine_turns *turns;
    const sim_program *program;
    sim_level level[MESSAGE_LEVELS]; /* parameters of messages */
    /*
     * NULL if messages between nodes all take the same, and those within a node, too: a machine
     * with one level.
     */
    const sim_levels *levels;
    bool has_node; /* messages within a node have a level of their own */
    const sim_noise *noise;
    sim_sink *sink;
    void *cursor;                    /* of the program */
    const engine_standing *standing; /* where ranks begin; NULL: at 0 */
    sim_time begin;                  /* before that nothing happens */
    bool async;
    bool instant;
    sim_run_record *record;     /* NULL: none */
    sim_run_record *own_record; /* the same if the run made it, to be freed; else NULL */
    bool keeps_causes;          /* recorded, or there is a sink that is not brief */
    /*
     * May messages meet receives when they are sent, rather than when they arrive? They arrive in
     * the order sent, so without wildcards the result is the same. Not so with async on several
     * CPUs, which asks at arrival which receives are posted; where polling releases a send at once
     * when its message arrives; and where effects may be immediate.
     */
    bool match_early;
    /*
     * With wildcards, under polling: may a message meet early the first receive that fits it if
     * that takes nothing else? Nothing that comes in between can take that receive, but what the
     * same source has sent before; nor has any other receive the message, as those posted later go
     * later.
     */
    bool match_named;
    /*
     * May a rank go on beyond the end of a window while nothing that others have yet to send can
     * come before its next step? Only where messages meet receives when they are sent: then one
     * that reaches the rank's list late, its arrival being before what the rank has done, is
     * matched all the same. And without a sink or a record, which are told in the order of windows.
     */
    bool goes_on;
    /*
     * What a rank does next, there being nothing else, need not be on its list. Not under async,
     * where one step may make two things ready one after the other.
     */
    bool chains;
    /*
     * The lookahead: no effect but a release reaches another rank sooner. sim_engine_lookahead().
     * If it is 0, partitions share `heap` and one thread does all.
     */
    sim_time width;
    rank_queue heap;     /* the one order of all ranks, if windows have no width */
    engine_order *order; /* [num_ranks] if windows have a width and releases are instantaneous */
    event_list_layout layout;
    char *ranks;      /* [num_ranks] engine_rank, layout.rank_bytes each */
    bool keeps_quiet; /* an engine_quiet for each, at layout.kept_at */
    uint32_t num_partitions;
    uint32_t serial_below; /* a window with fewer turns is for one thread */
    engine_partition **partition;
    sim_watch *watch;   /* NULL: nobody */
    uint64_t unwatched; /* turns since it looked */
    bool stopped;       /* by the watch */
};

static inline engine_rank *engine_rank_of(const engine *e, uint32_t rank)
{
    return (engine_rank *)(void *)(e->ranks + rank * e->layout.rank_bytes);
}

static inline engine_partition *engine_partition_of(const engine *e, uint32_t rank)
{
    return e->partition[rank_partition_of(&e->partition[0]->ranks, rank)];
}

static inline sim_time engine_max(sim_time a, sim_time b)
{
    return a > b ? a : b;
}

/*
 * When the noise is known to leave a rank alone, from `from` to `until`, so that it need not be
 * asked: in units of 2^ENGINE_QUIET_UNIT ps, about a microsecond, so that three items of a rank
 * still lie in three cache lines. 0, 0: it is not known; that is all there is after 75 minutes of
 * simulated time.
 */
enum { ENGINE_QUIET_UNIT = 20 };
typedef struct engine_quiet {
    uint32_t from;
    uint32_t until;
} engine_quiet;

static inline size_t engine_kept_bytes(const sim_noise *noise)
{
    return noise != NULL && noise->finish_quiet != NULL ? sizeof(engine_quiet) : 0;
}

static inline engine_quiet *engine_quiet_of(const engine *e, uint32_t rank)
{
    return (engine_quiet *)(void *)((char *)engine_rank_of(e, rank) + e->layout.kept_at);
}

/** W of the model, and what it says of the time until the next detour. */
sim_time sim_engine_work_asked(const engine *e, uint32_t rank, sim_time start, sim_time work);

/** W of the model. */
static inline sim_time engine_work(const engine *e, uint32_t rank, sim_time start, sim_time work)
{
    const sim_time end = start + work;
    if (e->noise == NULL || work == 0 || end > SIM_TIME_MAX) {
        return end;
    }
    if (!e->keeps_quiet) {
        return e->noise->finish(e->noise, rank, start, work);
    }
    const engine_quiet *quiet = engine_quiet_of(e, rank);
    const bool is_quiet = start >= (sim_time)quiet->from << ENGINE_QUIET_UNIT &&
                          end <= (sim_time)quiet->until << ENGINE_QUIET_UNIT;
    return is_quiet ? end : sim_engine_work_asked(e, rank, start, work);
}

/** Where the window ends that a partition is in. */
static inline sim_time engine_window_end(const engine_partition *p)
{
    return (sim_time)((p->queue.now + 1) * p->queue.width);
}

/** The turn of @p rank is over, or it begins; it is due next at @p when. */
static inline void engine_settle(engine_partition *p, engine_rank *r, uint32_t rank, sim_time when)
{
    if (p->e->width > 0) {
        calendar_queue_put(&p->queue, r, rank, when);
    } else {
        sim_rank_queue_set(&p->e->heap, rank, when);
    }
}

/* ---- run_error.c ---- */

/** Time has run out at @p rank. */
void sim_engine_overflow(engine_partition *p, uint32_t rank, sim_time at);
void sim_engine_fail(engine_partition *p, const engine_error *error);
bool sim_engine_is_earlier_error(const engine_error *a, const engine_error *b);

/* ---- run_outlook.c ---- */

/**
 * How wide windows may be: the smallest o + L of any level; of one that has a handshake under way,
 * L. Distance only adds to it, and a rank may send to itself or, without a level for that, to
 * another of its node: so no placement makes it larger.
 * @param level [MESSAGE_LEVELS]
 * @param handshakes [MESSAGE_LEVELS]
 */
sim_time sim_engine_lookahead(const sim_level *level, bool has_node, const bool *handshakes);
/** After a window of the partition: may the run go on? */
bool sim_engine_is_sound(const engine_partition *p);
/** Is it time for the watch to look? Every so many turns. @param unwatched engine.unwatched */
bool sim_engine_is_look_due(const engine *e, uint64_t unwatched);
/** A partition has run a window: note its outlook, for what it has written to its side. */
void sim_engine_look_out(engine_partition *p);
/**
 * All have noted it for @p side, and will take in what is there: may all go on, each on its own
 * thread, to the same next window? It is the same for all who ask.
 * @param window set to it
 * @param unwatched as engine.unwatched, the asker's own
 * @return false: there is none, or it is small, or something is to be seen to first
 */
bool sim_engine_goes_on_to(const engine *e, uint32_t side, uint64_t *window, uint64_t *unwatched);

/* ---- run_loop.c ---- */

/** Let every rank begin, and run until nothing is left to do or there is an error. */
void sim_engine_loop(engine *e);

/* ---- run_release.c ---- */

/** instant: message and receive have met now. The sender goes on. */
void sim_engine_release(const engine_turn *t, uint32_t source, uint32_t send);
/** Might a release that is not known make something ready on this rank by @p when? */
bool sim_engine_waits(const engine_turn *t, sim_time when);
/** Which of the two goes first? */
bool sim_engine_goes_before(const engine_position *a, const engine_position *b);
void sim_engine_clear_releases(engine_releases *list);

/* ---- run_order.c ---- */

void sim_engine_list_rank(engine_rank_list *list, uint32_t rank);
/** Is there anything to do in the second half of a window? */
bool sim_engine_is_order_needed(const engine *e);
/** How many releases there have been in this window. */
size_t sim_engine_num_kept(const engine *e);
/*
 * The second half of a window, in steps: begin, for each partition; what threads may do at the same
 * time, each for its own partition, but all the one before any the other: take what releases there
 * are, and go on; the rest, for all partitions; end.
 */
void sim_engine_begin_order(engine_partition *p);
void sim_engine_take_releases(engine_partition *p);
void sim_engine_go_on(engine_partition *p);
void sim_engine_run_in_order(engine *e);
void sim_engine_end_order(engine_partition *p);

/* ---- run.c ---- */

/** How many threads are worth while. */
uint32_t sim_engine_num_partitions(uint32_t num_ranks, const sim_params *params,
                                   const sim_run_options *options);
/**
 * Every rank, from the beginning to the end of the program, or
 * @param standing NULL, or: from where ranks stand; set to where they stand at the end, but for
 *   `first`. Of a sim_passes_class program
 * @return as sim_run()
 */
sim_result *sim_engine_run(const sim_program *program, const sim_params *params,
                           const sim_run_options *options, engine_standing *standing,
                           GError **error);

/* ---- run_passes.c ---- */

/**
 * Pass by pass, where a pass may stand for others.
 * @return NULL with SIM_ERROR_STOPPED, or NULL: the program is to be run from the beginning, by
 * sim_engine_run(), which names any other error
 */
sim_result *sim_engine_run_passes(const sim_program *program, const sim_params *params,
                                  const sim_run_options *options, GError **error);

/* ---- run_report.c ---- */

/** What went wrong in the loop, or what is left over after it. @return false with an error */
bool sim_engine_check_end(const engine *e, GError **error);

/* ---- run_team.c ---- */

typedef struct engine_team engine_team;

/** Threads for all partitions but the first, which is the caller's. NULL: only one partition, or no
 * threads.
 */
engine_team *sim_engine_team_new(engine *e);
void sim_engine_team_free(engine_team *team);
/** Each thread does engine_turns.begin_partition(). */
void sim_engine_team_begin(engine_team *team);
/**
 * Each thread runs the current window and takes in, and then as many as can be run without looking
 * up: sim_engine_goes_on_to().
 */
void sim_engine_team_run_windows(engine_team *team);
