/* sim/replica_shift.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Passes of a sweep (replica_sweep.h) in which there is a rendezvous: a rank has to know when the
 * receiver of its message has posted, too, so it looks up and down,
 *
 *     f(rank - distance, rank, rank + distance).
 *
 * With each pass, what is known of a rank moves up by the distance, to the row of its receiver;
 * then all that a row is made from lies at or below it, and the passes go down in place as the
 * others do:
 *
 *     row[q] = f(row[q - 2 distance], row[q - distance], row[q])      for q = n - 1 .. 0
 */

/* A message and its receive have met. */
typedef struct meeting {
    lanes leaves;   /* one L before the message arrives */
    lanes released; /* the send ends then, or with its own work, if that takes longer */
} meeting;

/* @p handed: of a message; @p posted: of its receive. */
ALWAYS_INLINE meeting meet(const batch *b, lanes handed, lanes posted, const replica_cost *c)
{
    const sim_params *m = &b->plan->params;
    const lanes met = later(handed + m->L, posted);
    if (!c->rendezvous) {
        return (meeting){handed, handed};
    }
    if (m->rendezvous == SIM_RENDEZVOUS_INSTANT) {
        return (meeting){handed, met};
    }
    const lanes leaves = met + m->L; /* the send has waited for the interface */
    return (meeting){leaves, leaves + c->send_wire};
}

/* The receive, the end of the send, the work; clocks of the interface in @p row. */
ALWAYS_INLINE lanes end_round_after(const batch *b, bool noisy, uint32_t row, lanes clock,
                                    lanes leaves, lanes released, const replica_cost *c)
{
    const lanes received = finish(b, noisy, row, receive_start(b, row, clock, leaves, c),
                                  b->plan->params.o + c->recv_bytes);
    return finish(b, noisy, row, later(received, released), c->work);
}

ALWAYS_INLINE void copy_row(replica_row *to, uint32_t to_row, const replica_row *from,
                            uint32_t from_row)
{
    if (to != NULL) {
        store(&to[to_row], load(&from[from_row]));
    }
}

/* All that is known of a rank. */
ALWAYS_INLINE void move_rank(const batch *b, bool noisy, const replica_room *to, uint32_t to_row,
                             const replica_room *from, uint32_t from_row)
{
    copy_row(to->handed, to_row, from->handed, from_row);
    copy_row(to->posted, to_row, from->posted, from_row);
    copy_row(to->rx, to_row, from->rx, from_row);
    if (b->plan->bytes_cost) {
        copy_row(to->clock, to_row, from->clock, from_row);
    }
    if (noisy) {
        copy_row(to->next, to_row, from->next, from_row);
        memcpy(&to->place[to_row], &from->place[from_row], sizeof(replica_places));
    }
}

/* Positions hi - 1 .. lo. */
ALWAYS_INLINE void shift_part(const pass *p, bool noisy, uint32_t lo, uint32_t hi)
{
    const batch *b = p->b;
    const sim_params *m = &b->plan->params;
    const replica_room *room = b->room;
    const replica_room *saved = room->saved;
    const uint32_t top = b->num_ranks - p->reach;
    for (uint32_t q = hi; q-- > lo;) {
        const uint32_t row = row_at(p, q);
        if (q >= top) {
            move_rank(b, noisy, saved, p->saved + q - top, room, row);
        }
        const lanes source = q >= p->reach ? load(&room->handed[row_at(p, q - p->reach)])
                                           : load(&saved->handed[p->saved + q]);
        const lanes waits = load(&room->posted[row]);
        if (q >= p->distance) {
            move_rank(b, noisy, room, row, room, row_at(p, q - p->distance));
        } else {
            move_rank(b, noisy, room, row, saved, p->saved + q + p->distance);
        }
        const lanes own = load(&room->handed[row]);
        const meeting out = meet(b, own, waits, p->ends);
        const meeting in = meet(b, source, load(&room->posted[row]), p->ends);
        const lanes end =
            end_round_after(b, noisy, row, clock_of(b, row, own), in.leaves, out.released, p->ends);
        lanes start;
        if (p->ends->rendezvous && m->rendezvous == SIM_RENDEZVOUS_HANDSHAKE) {
            start = b->plan->tx ? later(end, out.released + m->g) : end;
        } else {
            start = send_start(b, end, own, p->ends);
        }
        store(&room->posted[row], start);
        keep(b, noisy, row, finish(b, noisy, row, start, m->o), p->begins);
    }
}
