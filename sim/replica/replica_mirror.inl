/* sim/replica/replica_mirror.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Passes in which ranks r and r xor m exchange messages; included by replica_pass.inl alone, to
 * which they belong. Both read what the other has handed over before either overwrites it:
 *
 *     handed[r], handed[r xor m] = f(handed[r], handed[r xor m]), f(handed[r xor m], handed[r])
 *
 * Ranks that differ only in bits that the distances of a group have exchange messages among
 * themselves alone. So all levels of small distances are made of one block of ranks, which stays in
 * the cache, before the next; where the distances are large, such ranks are put together
 * (gather()).
 */

/* The lower one of pair @p i of rows 0 .. n - 1; @p top: the highest bit in which the two differ.
 */
ALWAYS_INLINE uint32_t pair_at(uint32_t i, uint32_t top)
{
    const uint32_t low = i & (top - 1);
    return (i - low) * 2 + low;
}

ALWAYS_INLINE void noisy_pairs(const pass *p, bool waits, uint32_t first, uint32_t n, uint32_t top)
{
    const batch *b = p->b;
    const turnover t = turnover_of(p, waits);
    const uint32_t distance = p->distance;
    interrupted hits;
    for (uint32_t i = 0; i < n / 2;) {
        const uint32_t left = n / 2 - i;
        const uint32_t stop = i + (left < ROWS_AT_ONCE / 2 ? left : ROWS_AT_ONCE / 2);
        hits.n = 0;
        for (; i < stop; i++) {
            const uint32_t one = first + pair_at(i, top);
            const uint32_t two = one ^ distance;
            const lanes of_one = load(&t.handed[one]);
            const lanes of_two = load(&t.handed[two]);
            turn_over_row(&t, one, of_one, of_two, &hits);
            turn_over_row(&t, two, of_two, of_one, &hits);
        }
        put_right(b, &t, &hits);
    }
}

/* One level in rows first .. first + n - 1, n a power of two above the distance. */
ALWAYS_INLINE void mirror_part(const pass *p, bool noisy, uint32_t first, uint32_t n)
{
    const batch *b = p->b;
    const uint32_t top = UINT32_C(1) << (31 - (unsigned)__builtin_clz(p->distance));
    if (noisy && is_short(b)) {
        if (b->plan->tx) {
            noisy_pairs(p, true, first, n, top);
        } else {
            noisy_pairs(p, false, first, n, top);
        }
        return;
    }
    for (uint32_t i = 0; i < n / 2; i++) {
        const uint32_t one = first + pair_at(i, top);
        const uint32_t two = one ^ p->distance;
        const lanes of_one = load(&b->storage->handed[one]);
        const lanes of_two = load(&b->storage->handed[two]);
        pass_row(p, noisy, one, of_one, of_two);
        pass_row(p, noisy, two, of_two, of_one);
    }
}

/* The ends of the levels of a group and the beginnings of those after each, as follow(). */
ALWAYS_INLINE void mirror_group(const batch *b, bool noisy, const replica_group *g,
                                const replica_cost *last)
{
    pass passes[PASS_MAX];
    uint32_t bits = PASS_BLOCK - 1; /* in which ranks of a block differ */
    for (unsigned i = 0; i < g->n; i++) {
        passes[i] = pass_of(b, g->first + i, 0, 0);
        bits |= passes[i].distance;
    }
    const uint64_t block = UINT64_C(1) << (32 - (unsigned)__builtin_clz(bits));
    const uint32_t n = block < b->num_ranks ? (uint32_t)block : b->num_ranks;
    for (uint32_t first = 0; first < b->num_ranks; first += n) {
        const uint32_t part = n < PASS_BLOCK ? n : PASS_BLOCK;
        for (uint32_t row = first; g->first == 0 && row < first + n; row += part) {
            begin_ranks(b, noisy, row, part, last, 0);
        }
        for (unsigned i = 0; i < g->n; i++) {
            mirror_part(&passes[i], noisy, first, n);
        }
        if (!go_on(b, (uint64_t)n * g->n)) {
            return;
        }
    }
}
