/* sim/replica/replica_shift.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Passes in which there is a rendezvous; included by replica_pass.inl alone, to which they belong.
 * A rank has to know when the receiver of its message has posted, too, so it looks up and down,
 *
 *     f(rank - distance, rank, rank + distance).
 *
 * With each pass, when a rank has posted and handed over moves up by the distance, to the row of
 * its receiver; then all that these are made from lies at or below them, and the passes go down in
 * place as the others do:
 *
 *     row[q] = f(row[q - 2 distance], row[q - distance], row[q])      for q = n - 1 .. 0
 *
 * What a rank keeps for itself, its place among the detours and the clocks of its receiving
 * interface and its CPU, stays in its own row.
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
    const lanes met = later(after(handed, m->L), posted);
    if (!c->rendezvous) {
        return (meeting){handed, handed};
    }
    if (m->rendezvous == SIM_RENDEZVOUS_INSTANT) {
        return (meeting){handed, met};
    }
    const lanes leaves = after(met, m->H + m->L); /* the send has waited for the interface */
    return (meeting){leaves, after(leaves, c->send_wire)};
}

/* The receive, the end of the send, the work; clocks of the interface in @p row. */
ALWAYS_INLINE lanes end_round_after(const batch *b, bool noisy, uint32_t rank, lanes clock,
                                    lanes leaves, lanes released, const replica_cost *c)
{
    const arrival in = arrival_of(b, c);
    const lanes received = finish(b, noisy, rank, receive_start(&in, rank, clock, leaves),
                                  b->plan->params.o + c->recv_bytes);
    return finish(b, noisy, rank, later(received, released), c->work);
}

/* Positions hi - 1 .. lo. */
ALWAYS_INLINE void shift_part(const pass *p, bool noisy, uint32_t lo, uint32_t hi)
{
    const batch *b = p->b;
    const sim_params *m = &b->plan->params;
    const replica_storage *storage = b->storage;
    replica_row *saved_handed = storage->saved->handed + p->saved;
    replica_row *saved_posted = storage->saved->posted + p->saved;
    const uint32_t top = b->num_ranks - p->reach;
    for (uint32_t q = hi; q-- > lo;) {
        const uint32_t row = row_at(p, q);
        const uint32_t rank = rank_of(b, row, p->moved);
        const lanes waits = load(&storage->posted[row]); /* of the receiver */
        if (q >= top) {
            store(&saved_handed[q - top], load(&storage->handed[row]));
            store(&saved_posted[q - top], waits);
        }
        const lanes source = q >= p->reach ? load(&storage->handed[row_at(p, q - p->reach)])
                                           : load(&saved_handed[q]);
        const bool is_below = q >= p->distance;
        const uint32_t from = is_below ? row_at(p, q - p->distance) : q + p->distance;
        const lanes own = load(is_below ? &storage->handed[from] : &saved_handed[from]);
        const lanes posted = load(is_below ? &storage->posted[from] : &saved_posted[from]);
        const meeting out = meet(b, own, waits, p->ends);
        const meeting in = meet(b, source, posted, p->ends);
        const lanes end = end_round_after(b, noisy, rank, clock_of(b, rank, own), in.leaves,
                                          out.released, p->ends);
        lanes start;
        if (p->ends->rendezvous && m->rendezvous == SIM_RENDEZVOUS_HANDSHAKE) {
            start = b->plan->tx ? later(end, after(out.released, m->g)) : end;
        } else {
            start = send_start(b, end, own, p->ends);
        }
        store(&storage->posted[row], start);
        keep(b, noisy, row, rank, finish(b, noisy, rank, start, m->o), p->begins);
    }
}
