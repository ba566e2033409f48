/* schedgen/regrid/regrid_master.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid, test_regrid_refused. */
/*
 * A rank from which all ways stay on the grid shows the whole sequence: the master. Of what it
 * does, only that counts which every rank does as often, from where that stays on the grid; the
 * rest is its own. The sequence of every other rank must be the master's, without what leaves the
 * grid; what stands between is not explained. A rank that lacks one of these, or has them in
 * another order, is odd, and nothing of it is explained.
 *
 * Ranks that differ in an open dimension which cannot grow have a master each: none of them
 * stands for another.
 */
#include "regrid/regrid_private.h"

#include <xxhash.h>

typedef struct master_item {
    uint64_t key;
    uint32_t way;
    uint32_t tag;
    uint32_t family;
    bool is_recv;
} master_item;

/* How often ranks do it. */
typedef struct often {
    uint64_t key;
    uint32_t way;
    uint32_t least;
    uint32_t last; /* the rank that `count` is of */
    uint32_t count;
} often;

typedef struct matcher {
    regrid_match *match;
    const regrid_record *record;
    uint32_t *group;  /* [ranks] */
    GArray *master;   /* of master_item, of the group that is matched */
    GArray *oftens;   /* of often */
    GHashTable *find; /* key to the number of its often, plus 1 */
    uint32_t of_group;
    bool any_tag; /* some receive takes any */
} matcher;

static uint64_t key_of(const matcher *m, const regrid_item *item, uint32_t way)
{
    const uint64_t words[] = {item->is_recv, way, item->tag, m->match->comms[item->comm].family,
                              (uint64_t)item->bytes};
    return XXH3_64bits(words, sizeof words);
}

static bool stays(const matcher *m, uint32_t way, uint32_t rank)
{
    const regrid_layout *layout = &m->match->layout;
    return sched_regrid_way_stays(&layout->grid, &regrid_match_way(m->match, way)->by,
                                  sched_regrid_layout_point(layout, rank));
}

static bool counts(const matcher *m, uint32_t way)
{
    return way != REGRID_NONE && regrid_match_way(m->match, way)->explained;
}

static often *often_of(const matcher *m, uint64_t key)
{
    const uint32_t n = GPOINTER_TO_UINT(g_hash_table_lookup(m->find, &key));
    return n > 0 ? &g_array_index(m->oftens, often, n - 1) : NULL;
}

/* How often every rank of the group does what @p rank does. */
static void count_group(matcher *m, uint32_t rank)
{
    g_hash_table_remove_all(m->find);
    g_array_set_size(m->oftens, 0);
    const regrid_rank *own = &m->record->ranks[rank];
    for (uint32_t i = 0; i < own->num_items; i++) {
        const uint32_t way = m->match->item[rank][i];
        const uint64_t key = counts(m, way) ? key_of(m, &own->items[i], way) : 0;
        if (counts(m, way) && often_of(m, key) == NULL) {
            const often one = {.key = key, .way = way, .least = UINT32_MAX, .last = REGRID_NONE};
            uint64_t *copy = g_new(uint64_t, 1);
            *copy = key;
            g_array_append_val(m->oftens, one);
            g_hash_table_insert(m->find, copy, GUINT_TO_POINTER(m->oftens->len));
        }
    }
    for (uint32_t r = 0; r < m->record->trace->num_ranks; r++) {
        const regrid_rank *other = &m->record->ranks[r];
        for (uint32_t i = 0; m->group[r] == m->of_group && i < other->num_items; i++) {
            const uint32_t way = m->match->item[r][i];
            often *o = counts(m, way) ? often_of(m, key_of(m, &other->items[i], way)) : NULL;
            if (o != NULL) {
                o->count = o->last == r ? o->count + 1 : 1;
                o->last = r;
            }
        }
        for (guint k = 0; m->group[r] == m->of_group && k < m->oftens->len; k++) {
            often *o = &g_array_index(m->oftens, often, k);
            if (stays(m, o->way, r)) {
                o->least = MIN(o->least, o->last == r ? o->count : 0);
            }
        }
    }
}

static void make_master(matcher *m, uint32_t rank)
{
    const regrid_rank *own = &m->record->ranks[rank];
    count_group(m, rank);
    g_array_set_size(m->master, 0);
    for (uint32_t i = 0; i < own->num_items; i++) {
        const uint32_t way = m->match->item[rank][i];
        often *o = counts(m, way) ? often_of(m, key_of(m, &own->items[i], way)) : NULL;
        if (o != NULL && o->least > 0) {
            o->least--;
            const master_item item = {.key = o->key,
                                      .way = way,
                                      .tag = own->items[i].tag,
                                      .family = m->match->comms[own->items[i].comm].family,
                                      .is_recv = own->items[i].is_recv};
            g_array_append_val(m->master, item);
        }
    }
}

/* The next item of the master that @p rank is to do, from @p at on. */
static guint next_item(const matcher *m, uint32_t rank, guint at)
{
    while (at < m->master->len && !stays(m, g_array_index(m->master, master_item, at).way, rank)) {
        at++;
    }
    return at;
}

/* Does the rank keep to the master? @p explained: [items] set for those that are the master's. */
static bool follow(const matcher *m, uint32_t rank, bool *explained)
{
    const regrid_rank *own = &m->record->ranks[rank];
    guint at = next_item(m, rank, 0);
    for (uint32_t i = 0; i < own->num_items; i++) {
        const uint32_t way = m->match->item[rank][i];
        explained[i] =
            at < m->master->len && counts(m, way) &&
            key_of(m, &own->items[i], way) == g_array_index(m->master, master_item, at).key;
        if (explained[i]) {
            at = next_item(m, rank, at + 1);
        }
    }
    return at == m->master->len;
}

/* How many messages of the group the master explains; @p take: note it. */
static uint64_t follow_all(matcher *m, bool take)
{
    uint64_t sum = 0;
    for (uint32_t r = 0; r < m->record->trace->num_ranks; r++) {
        if (m->group[r] != m->of_group) {
            continue;
        }
        const regrid_rank *own = &m->record->ranks[r];
        g_autofree bool *explained = g_new0(bool, (gsize)own->num_items + 1);
        const bool ok = follow(m, r, explained);
        for (uint32_t i = 0; i < own->num_items; i++) {
            sum += ok && explained[i];
            if (take && ok && explained[i]) {
                m->match->sends += !own->items[i].is_recv;
                m->match->recvs += own->items[i].is_recv;
                m->match->bytes += (uint64_t)own->items[i].bytes;
            } else if (take) {
                m->match->item[r][i] = REGRID_NONE;
            }
        }
        if (take) {
            m->match->odd[r] = !ok;
        }
    }
    return sum;
}

/* From how many ways does the rank have a partner? */
static uint32_t partners(const matcher *m, uint32_t rank)
{
    uint32_t n = 0;
    for (guint w = 0; w < m->match->ways->len; w++) {
        n += regrid_match_way(m->match, w)->explained && stays(m, w, rank);
    }
    return n;
}

/* A few of those in the middle are tried: one that does something of its own, too, is no master. */
static void match_group(matcher *m)
{
    enum { TRIES = 3 };
    uint32_t most = 0;
    uint32_t tries[TRIES] = {0};
    uint32_t num_tries = 0;
    for (uint32_t r = 0; r < m->record->trace->num_ranks; r++) {
        if (m->group[r] != m->of_group) {
            continue;
        }
        const uint32_t n = partners(m, r);
        if (n > most || num_tries == 0) {
            most = n;
            num_tries = 0;
        }
        if (n == most && num_tries < TRIES) {
            tries[num_tries++] = r;
        }
    }
    uint64_t best = 0;
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < num_tries; i++) {
        make_master(m, tries[i]);
        const uint64_t n = follow_all(m, false);
        chosen = n > best ? i : chosen;
        best = MAX(best, n);
    }
    make_master(m, tries[chosen]);
    (void)follow_all(m, true);
}

static bool takes_any_tag(const regrid_record *record)
{
    for (uint32_t r = 0; r < record->trace->num_ranks; r++) {
        for (uint32_t i = 0; i < record->ranks[r].num_items; i++) {
            if (record->ranks[r].items[i].tag == SIM_ANY) {
                return true;
            }
        }
    }
    return false;
}

/* Numbers by coordinates in open dimensions that cannot grow. @return how many there are */
static uint32_t find_groups(matcher *m)
{
    const sched_grid *grid = &m->match->layout.grid;
    uint32_t most = 0;
    for (uint32_t r = 0; r < m->record->trace->num_ranks; r++) {
        const regrid_point point = sched_regrid_layout_point(&m->match->layout, r);
        uint32_t group = 0;
        for (uint32_t d = 0; d < grid->num_dims; d++) {
            if (m->match->fixed[d] && !grid->periodic[d]) {
                group = group * grid->extent[d] + (uint32_t)point.x[d];
            }
        }
        m->group[r] = group;
        most = MAX(most, group);
    }
    return most + 1;
}

/* Does it begin with receives, and never send to where what it has just received came from? */
static bool sweeps(const matcher *m)
{
    uint64_t from = 0;
    bool sent = true;
    for (guint i = 0; i < m->master->len; i++) {
        const master_item *item = &g_array_index(m->master, master_item, i);
        const uint64_t way = UINT64_C(1) << item->way % 64;
        if (item->is_recv) {
            from = sent ? way : from | way;
            sent = false;
        } else if (i == 0 || (from & way) != 0) {
            return false;
        } else {
            sent = true;
        }
    }
    return m->master->len > 0;
}

/* Sends of the masters one way, less receives from there: by tag and communicator. */
static void weigh(const matcher *m, GHashTable *balance)
{
    for (guint i = 0; i < m->master->len; i++) {
        const master_item *item = &g_array_index(m->master, master_item, i);
        const uint32_t way =
            item->is_recv ? regrid_match_way(m->match, item->way)->back : item->way;
        const uint64_t words[] = {way, m->any_tag ? 0 : item->tag, item->family};
        const uint64_t key = XXH3_64bits(words, sizeof words);
        int64_t *sum = g_hash_table_lookup(balance, &key);
        if (sum == NULL) {
            sum = g_new0(int64_t, 3);
            sum[0] = (int64_t)key;
            sum[2] = way;
            g_hash_table_insert(balance, sum, sum);
        }
        sum[1] += item->is_recv ? -1 : 1;
    }
}

static void check_balance(matcher *m, GHashTable *balance)
{
    GHashTableIter iter;
    void *value;
    g_hash_table_iter_init(&iter, balance);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const int64_t *sum = value;
        if (sum[1] != 0) {
            m->match->unbalanced = (uint32_t)sum[2];
        }
    }
}

void sched_regrid_master_match(regrid_match *match, const regrid_record *record)
{
    matcher m = {.match = match, .record = record, .any_tag = takes_any_tag(record)};
    g_autoptr(GHashTable) balance =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    m.group = g_new(uint32_t, record->trace->num_ranks);
    m.master = g_array_new(FALSE, FALSE, sizeof(master_item));
    m.oftens = g_array_new(FALSE, FALSE, sizeof(often));
    m.find = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    const uint32_t num_groups = find_groups(&m);
    for (m.of_group = 0; m.of_group < num_groups; m.of_group++) {
        match_group(&m);
        weigh(&m, balance);
        match->sweeps = (match->sweeps || m.of_group == 0) && sweeps(&m);
    }
    check_balance(&m, balance);
    g_free(m.group);
    g_array_unref(m.master);
    g_array_unref(m.oftens);
    g_hash_table_unref(m.find);
}
