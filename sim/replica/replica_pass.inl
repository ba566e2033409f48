/* sim/replica/replica_pass.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Part of the loops, included by replica_kernel.inl alone: for plans in which every rank is in
 * every level and receives from the rank at one distance. The end of a round and the beginning of
 * the next are one pass over the ranks. All that it writes is when each rank hands over its
 * message, in place of when it handed over the one before:
 *
 *     handed[q] = f(handed[q], handed[q - distance])      for q = n - 1 .. 0
 *
 * Going down, q - distance is not overwritten yet when q needs it; the top ones, which the bottom
 * ones need, are saved. (Where messages come from above, positions are counted from the top.)
 *
 * Several passes are made as one, so that memory is read and written once for all of them:
 *
 * - small distances: each pass follows the one before as closely as its distance allows, and what
 *   lies between the first and the last stays in the cache;
 * - multiples of a distance D that divides the number of ranks: ranks that differ by multiples of D
 *   exchange messages only among themselves. Some such classes are copied to one place, evaluated
 *   there as if they were a small machine of their own, and copied back.
 */

/* Positions by which the first pass of a group moves on before the others follow. */
enum { PASS_BLOCK = 64 };

typedef struct pass {
    const batch *b;
    const replica_cost *ends;
    const replica_cost *begins;
    uint32_t distance; /* 1 .. num_ranks / 2 */
    uint32_t reach;    /* position q looks at q - reach .. q; q - distance, or twice that */
    uint32_t moved;    /* rank r is in row r + moved when the pass is through; replica_shift.inl */
    uint32_t saved;    /* the top [reach] rows as they were are saved from this row on */
    uint32_t done;     /* positions from here on */
    bool from_above;   /* position q is row num_ranks - 1 - q, else q */
} pass;

ALWAYS_INLINE uint32_t row_at(const pass *p, uint32_t position)
{
    return p->from_above ? p->b->num_ranks - 1 - position : position;
}

/* Who is in a row, where ranks have moved up by @p moved. */
ALWAYS_INLINE uint32_t rank_of(const batch *b, uint32_t row, uint32_t moved)
{
    return row >= moved ? row - moved : row + (b->num_ranks - moved);
}

/* How a message gets to the CPU of its receiver. Kept in registers by loops over rows: what is
 * behind a pointer may be what a row has overwritten, for all that the compiler knows. */
typedef struct arrival {
    replica_row *rx; /* when each interface is free; NULL: always */
    sim_time wire;   /* L */
    sim_time gap;    /* the interface is busy with the message */
    sim_time delay;
} arrival;

ALWAYS_INLINE arrival arrival_of(const batch *b, const replica_cost *c)
{
    const sim_params *m = &b->plan->params;
    return (arrival){
        .rx = b->storage->rx, .wire = m->L, .gap = m->g + c->recv_wire, .delay = c->delay};
}

/* When the CPU takes up the message that another rank has handed over at @p from. */
ALWAYS_INLINE lanes receive_start(const arrival *a, uint32_t rank, lanes clock, lanes from)
{
    lanes taken = after(from, a->wire);
    if (a->rx != NULL) {
        taken = later(taken, load(&a->rx[rank]));
        store(&a->rx[rank], after(taken, a->gap));
    }
    return later(clock, after(taken, a->delay));
}

/* When the round of @p rank has ended. */
ALWAYS_INLINE lanes end_round(const batch *b, bool noisy, uint32_t rank, lanes clock, lanes from,
                              const replica_cost *c, sim_time more)
{
    const arrival in = arrival_of(b, c);
    return finish(b, noisy, rank, receive_start(&in, rank, clock, from),
                  b->plan->params.o + c->recv_bytes + c->work + more);
}

/* What is not known of a rank from when it handed over its message. */
ALWAYS_INLINE lanes clock_of(const batch *b, uint32_t rank, lanes handed)
{
    return b->plan->bytes_cost ? load(&b->storage->clock[rank]) : handed;
}

/* When a send starts; @p before: when the one before, an eager one of cost @p last, was handed
 * over.
 */
ALWAYS_INLINE lanes send_start(const batch *b, lanes clock, lanes before, const replica_cost *last)
{
    const sim_params *m = &b->plan->params;
    return b->plan->tx ? later(clock, after(before, m->g + last->send_wire - m->o)) : clock;
}

ALWAYS_INLINE void keep(const batch *b, bool noisy, uint32_t row, uint32_t rank, lanes handed,
                        const replica_cost *c)
{
    store(&b->storage->handed[row], handed);
    if (b->plan->bytes_cost) {
        store(&b->storage->clock[rank], finish(b, noisy, rank, handed, c->send_bytes));
    }
}

/* The receive of a round and, o later or when the interface lets it, the send of the next. */
typedef struct turnover {
    arrival in;
    replica_row *handed;
    const replica_row *next;
    sim_time first; /* work of the receive and, without @p waits, of the send */
    sim_time then;  /* with it, of the send */
    sim_time gap;   /* after the send before was handed over */
    bool waits;     /* sends may have to wait for the interface */
} turnover;

ALWAYS_INLINE turnover turnover_of(const pass *p, bool waits)
{
    const sim_params *m = &p->b->plan->params;
    const sim_time receive = m->o + p->ends->recv_bytes + p->ends->work;
    return (turnover){.in = arrival_of(p->b, p->ends),
                      .handed = p->b->storage->handed,
                      .next = p->b->storage->next,
                      .first = waits ? receive : receive + m->o, /* W is additive */
                      .then = m->o,
                      .gap = m->g + p->ends->send_wire - m->o,
                      .waits = waits};
}

/* As if there were no noise, which holds where it is not after the next detour. @p own: when the
 * send before was handed over */
ALWAYS_INLINE lanes turn_over(const turnover *t, lanes start, lanes own)
{
    lanes end = after(start, t->first);
    if (t->waits) {
        end = after(later(end, after(own, t->gap)), t->then);
    }
    return end;
}

/* In a row that @p which lanes of were interrupted in, one way or the other. @p own: read only
 * where sends wait */
ALWAYS_INLINE lanes turn_over_noisy(const batch *b, const turnover *t, uint32_t row, lanes start,
                                    const lanes *own, unsigned which)
{
    if (!t->waits) {
        return finish_some(b, row, start, t->first, which);
    }
    const lanes sent = later(finish(b, true, row, start, t->first), after(*own, t->gap));
    return finish(b, true, row, sent, t->then);
}

/* A row as if there were no noise; if it is interrupted, it is put right later. */
ALWAYS_INLINE void turn_over_row(const turnover *t, uint32_t rank, lanes own, lanes from,
                                 interrupted *hits)
{
    const lanes start = receive_start(&t->in, rank, own, from);
    const lanes end = turn_over(t, start, own);
    store(&t->handed[rank], end);
    hits->start[hits->n] = start;
    if (t->waits) {
        hits->own[hits->n] = own;
    }
    hits->row[hits->n] = rank;
    hits->which[hits->n] = where_later(end, load(&t->next[rank]));
    hits->n += hits->which[hits->n] != 0;
}

ALWAYS_INLINE void put_right(const batch *b, const turnover *t, const interrupted *hits)
{
    for (unsigned i = 0; i < hits->n; i++) {
        fetch_detours(b, hits->row[i], hits->which[i]);
    }
    for (unsigned i = 0; i < hits->n; i++) {
        store(&t->handed[hits->row[i]],
              turn_over_noisy(b, t, hits->row[i], hits->start[i], &hits->own[i], hits->which[i]));
    }
}

/* The same under noise, where a rank does nothing but receive, compute and send. What is in a row
 * is needed above it only, so rows may be put right after those below are looked at. */
ALWAYS_INLINE void noisy_part(const pass *p, bool waits, uint32_t lo, uint32_t hi, bool from_saved,
                              bool save)
{
    const batch *b = p->b;
    replica_row *saved = b->storage->saved->handed + p->saved;
    const turnover t = turnover_of(p, waits);
    const uint32_t distance = p->distance;
    const uint32_t top = b->num_ranks - distance;
    const uint32_t first = row_at(p, 0);
    const uint32_t step =
        p->from_above ? UINT32_MAX : 1; /* from a position to the next: mod 2^32 */
    interrupted hits;
    while (hi > lo) {
        const uint32_t stop = hi - lo > ROWS_AT_ONCE ? hi - ROWS_AT_ONCE : lo;
        hits.n = 0;
        for (uint32_t q = hi; q-- > stop;) {
            const uint32_t rank = first + q * step;
            const lanes own = load(&t.handed[rank]);
            const lanes from =
                load(from_saved ? &saved[q] : &t.handed[first + (q - distance) * step]);
            if (save) {
                store(&saved[q - top], own);
            }
            turn_over_row(&t, rank, own, from, &hits);
        }
        put_right(b, &t, &hits);
        hi = stop;
    }
}

/* Can the receive and the send be put right together? */
ALWAYS_INLINE bool is_short(const batch *b)
{
    return !b->plan->bytes_cost && b->plan->params.o > 0;
}

/* A row, whatever it costs. */
ALWAYS_INLINE void pass_row(const pass *p, bool noisy, uint32_t rank, lanes own, lanes from)
{
    const batch *b = p->b;
    const lanes clock = clock_of(b, rank, own);
    lanes next;
    if (b->plan->tx) {
        const lanes end = end_round(b, noisy, rank, clock, from, p->ends, 0);
        next = finish(b, noisy, rank, send_start(b, end, own, p->ends), b->plan->params.o);
    } else { /* o of the send follows at once: W is additive */
        next = end_round(b, noisy, rank, clock, from, p->ends, b->plan->params.o);
    }
    keep(b, noisy, rank, rank, next, p->begins);
}

/* Positions hi - 1 .. lo. @p from_saved, @p save: this is the bottom, the top. */
ALWAYS_INLINE void pass_part(const pass *p, bool noisy, uint32_t lo, uint32_t hi, bool from_saved,
                             bool save)
{
    const batch *b = p->b;
    const replica_row *handed = b->storage->handed;
    replica_row *saved = b->storage->saved->handed + p->saved;
    if (noisy && is_short(b)) {
        if (b->plan->tx) {
            noisy_part(p, true, lo, hi, from_saved, save);
        } else {
            noisy_part(p, false, lo, hi, from_saved, save);
        }
        return;
    }
    for (uint32_t q = hi; q-- > lo;) {
        const uint32_t rank = row_at(p, q);
        const lanes own = load(&handed[rank]);
        const lanes from = from_saved ? load(&saved[q]) : load(&handed[row_at(p, q - p->distance)]);
        if (save) {
            store(&saved[q - (b->num_ranks - p->distance)], own);
        }
        pass_row(p, noisy, rank, own, from);
    }
}

#include "replica/replica_shift.inl"

ALWAYS_INLINE void pass_on(pass *p, bool noisy, uint32_t down_to)
{
    if (p->b->plan->rendezvous) {
        shift_part(p, noisy, down_to, p->done);
        p->done = down_to;
        return;
    }
    const uint32_t top = p->b->num_ranks - p->distance; /* >= distance */
    const uint32_t lo = down_to;
    const uint32_t hi = p->done;
    if (hi > top) {
        pass_part(p, noisy, lo > top ? lo : top, hi, false, true);
    }
    if (lo < top && hi > p->distance) {
        pass_part(p, noisy, lo > p->distance ? lo : p->distance, hi < top ? hi : top, false, false);
    }
    if (lo < p->distance) {
        pass_part(p, noisy, lo, hi < p->distance ? hi : p->distance, true, false);
    }
    p->done = lo;
}

/* How many rows up ranks move in a level. */
static uint32_t level_moves(const batch *b, unsigned level)
{
    const replica_plan *plan = b->plan;
    const uint32_t up = plan->num_ranks - sim_replica_level_end(plan, level)->peer;
    return plan->rendezvous ? (uint32_t)((uint64_t)up * b->num_ranks / plan->num_ranks) : 0;
}

static pass pass_of(const batch *b, unsigned level, uint32_t moved, uint32_t saved)
{
    const replica_plan *plan = b->plan;
    bool from_above = false;
    uint32_t distance = sim_replica_level_distance(plan, level, &from_above);
    distance = (uint32_t)((uint64_t)distance * b->num_ranks / plan->num_ranks); /* copies */
    return (pass){
        .b = b,
        .distance = distance,
        .reach = plan->rendezvous ? 2 * distance : distance,
        .from_above = from_above,
        .ends = sim_replica_level_cost(plan, level),
        .begins = sim_replica_level_cost(plan, level + 1),
        .moved = (moved + level_moves(b, level)) % b->num_ranks,
        .saved = saved,
        .done = b->num_ranks,
    };
}

/* The first sends of @p n <= PASS_BLOCK ranks. @p last: of the repetition before; NULL: none was
 */
ALWAYS_INLINE void begin_ranks(const batch *b, bool noisy, uint32_t first, uint32_t n,
                               const replica_cost *last, uint32_t moved)
{
    const replica_cost *c = sim_replica_level_cost(b->plan, 0);
    if (noisy && last == NULL) {
        begin_noise(b, first, n);
    }
    for (uint32_t row = first; row < first + n; row++) {
        const uint32_t rank = rank_of(b, row, moved);
        lanes start = {{{0}}};
        if (last != NULL) {
            start =
                send_start(b, load(&b->storage->clock[rank]), load(&b->storage->handed[row]), last);
        }
        if (b->plan->rendezvous) {
            store(&b->storage->posted[row], start);
        }
        keep(b, noisy, row, rank, finish(b, noisy, rank, start, b->plan->params.o), c);
    }
}

#include "replica/replica_mirror.inl"

/* The ends of the levels of a group and the beginnings of those after each, each pass behind the
 * one before. The group with level 0 is led by the beginning of that. @return how far ranks have
 * moved then, @p moved: before. A batch that is stopped ends anywhere. */
ALWAYS_INLINE uint32_t follow(const batch *b, bool noisy, const replica_group *g,
                              const replica_cost *last, uint32_t moved)
{
    pass passes[PASS_MAX];
    uint32_t saved = 0;
    for (unsigned i = 0; i < g->n; i++) {
        passes[i] = pass_of(b, g->first + i, i > 0 ? passes[i - 1].moved : moved, saved);
        saved += passes[i].reach;
    }
    const bool begins = g->first == 0;
    uint32_t led = b->num_ranks; /* positions from here on have been led over */
    while (passes[g->n - 1].done > 0) {
        const uint32_t block = led < PASS_BLOCK ? led : PASS_BLOCK;
        led -= block;
        if (begins && block > 0) {
            const uint32_t top = row_at(&passes[0], led + block - 1);
            begin_ranks(b, noisy, passes[0].from_above ? top : led, block, last, moved);
        }
        uint32_t before = led; /* position of the pass before */
        uint32_t rows = 0;
        for (unsigned i = 0; i < g->n; i++) {
            pass *p = &passes[i];
            const bool leads = i == 0 && !begins;
            const uint32_t behind = before > 0 && !leads ? before + p->reach : before;
            if (behind < p->done) {
                rows += p->done - behind;
                pass_on(p, noisy, behind);
            }
            before = p->done;
        }
        if (!go_on(b, rows)) {
            break;
        }
    }
    return passes[g->n - 1].moved;
}

/* The end of the last level. @p is_kept: when each rank has finished, too. @return the latest of
 * all ranks */
ALWAYS_INLINE lanes end_ranks(const batch *b, bool noisy, bool is_kept, uint32_t moved)
{
    const replica_plan *plan = b->plan;
    const unsigned level = plan->levels->len - 1;
    const uint64_t peer = sim_replica_level_end(plan, level)->peer;
    const uint32_t from = (uint32_t)(peer * b->num_ranks / plan->num_ranks); /* copies */
    const replica_cost *c = sim_replica_level_cost(plan, level);
    const replica_row *handed = b->storage->handed;
    lanes latest = {{{0}}};
    for (uint32_t row = 0; row < b->num_ranks; row++) {
        const uint32_t rank = rank_of(b, row, moved);
        const uint32_t left = b->num_ranks - from;
        const uint32_t at = plan->mirrors ? row ^ from : row < left ? row + from : row - left;
        const lanes source = load(&handed[at]);
        const lanes own = load(&handed[row]);
        const lanes clock = clock_of(b, rank, own);
        lanes end;
        if (plan->rendezvous) {
            const lanes posted = load(&b->storage->posted[row]);
            const lanes waits = load(&b->storage->posted[row < from ? row + left : row - from]);
            const meeting out = meet(b, own, waits, c);
            const meeting in = meet(b, source, posted, c);
            end = end_round_after(b, noisy, rank, clock, in.leaves, out.released, c);
        } else {
            end = end_round(b, noisy, rank, clock, source, c, 0);
        }
        latest = later(latest, end);
        if (is_kept) {
            store(&b->storage->clock[rank], end);
        }
    }
    return latest;
}

#include "replica/replica_gather.inl"

/* All levels of a repetition but the last, and that, too, if @p end says so then. @p last, @p moved
 * and @return as for follow() */
ALWAYS_INLINE uint32_t make_groups(const batch *b, bool noisy, const replica_cost *last,
                                   uint32_t moved, ending *end)
{
    const replica_plan *plan = b->plan;
    const bool can_gather = b->noise == NULL || b->noise->same != NULL;
    for (guint j = 0; j < plan->groups->len && !b->watch->stopped; j++) {
        const replica_group *g = &g_array_index(plan->groups, replica_group, j);
        if (g->apart > 0 && can_gather) {
            moved = gather(b, noisy, g, moved, end);
            continue;
        }
        const unsigned n = g->apart > 0 ? 1 : g->n; /* levels at once */
        for (unsigned k = 0; k < g->n && !b->watch->stopped; k += n) {
            const replica_group part = {.first = g->first + k, .n = n};
            if (plan->mirrors) {
                mirror_group(b, noisy, &part, last);
            } else {
                moved = follow(b, noisy, &part, last, moved);
            }
        }
    }
    return moved;
}

/* All repetitions. @return the latest of all ranks */
ALWAYS_INLINE lanes run_passes(const batch *b, bool noisy, bool is_kept)
{
    const replica_plan *plan = b->plan;
    const replica_cost *last = NULL;
    lanes latest = {{{0}}};
    uint32_t moved = 0;
    for (uint32_t i = 0; i < plan->repeat && !b->watch->stopped; i++) {
        ending end = {.is_kept = is_kept || i + 1 < plan->repeat};
        moved = make_groups(b, noisy, last, moved, &end);
        if (b->watch->stopped || !go_on(b, b->num_ranks)) {
            break;
        }
        latest = end.is_done ? end.latest : end_ranks(b, noisy, end.is_kept, moved);
        last = sim_replica_level_cost(plan, plan->levels->len - 1);
    }
    return latest;
}
