/* schedgen/regrid/regrid_kinds.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid_exchanges. */
/*
 * Exchanges (regrid_parts.c) of the same sending calls, communicators, tags and ways are one kind,
 * however often they are made and by however many ranks. Of one that the grid explains in part,
 * only that part counts, so that a message of its own makes no kind of its own; of one that it
 * does not explain, ways are not known. Tags that go on changing tell nothing apart.
 */
#include "regrid/regrid_private.h"

#include <xxhash.h>

/* ---- which are alike ----------------------------------------------------------------------- */

typedef struct trait {
    uint32_t part;
    uint64_t strict; /* call, communicator, way, tag */
    uint64_t loose;  /* but for the tag */
} trait;

static int compare_traits(const void *a, const void *b)
{
    const trait *x = a;
    const trait *y = b;
    if (x->part != y->part) {
        return x->part < y->part ? -1 : 1;
    }
    if (x->loose != y->loose) {
        return x->loose < y->loose ? -1 : 1;
    }
    return x->strict < y->strict ? -1 : x->strict > y->strict;
}

bool sched_regrid_explains(const sched_regrid *g, uint32_t rank, uint32_t item)
{
    return g->butterfly != NULL || (g->match != NULL && g->match->item[rank][item] != REGRID_NONE);
}

static trait trait_of(const sched_regrid *g, uint32_t part, uint32_t rank, uint32_t i)
{
    const regrid_item *item = &g->record.ranks[rank].items[i];
    const regrid_match *match = g->butterfly == NULL ? g->match : NULL;
    const uint32_t family = match != NULL ? match->comms[item->comm].family : REGRID_NONE;
    const uint64_t words[] = {item->name, family != REGRID_NONE ? family : item->comm,
                              match != NULL ? match->item[rank][i] : REGRID_NONE, item->tag};
    const size_t strict = g->butterfly == NULL ? sizeof words : sizeof words[0];
    return (trait){.part = part,
                   .strict = XXH3_64bits(words, strict),
                   .loose = XXH3_64bits(words, MIN(strict, sizeof words - sizeof words[0]))};
}

enum { SENDS = 1, EXPLAINED = 2, ODD = 4 };

/* What is in a part: sends, some that are explained, some that are not. */
static uint8_t *look_into(const sched_regrid *g, const regrid_parts *parts)
{
    uint8_t *has = g_new0(uint8_t, (gsize)parts->num_parts + 1);
    for (uint32_t r = 0; r < parts->num_ranks; r++) {
        for (uint32_t i = 0; i < g->record.ranks[r].num_items; i++) {
            if (!g->record.ranks[r].items[i].is_recv) {
                has[parts->of[r][i]] |= SENDS | (sched_regrid_explains(g, r, i) ? EXPLAINED : ODD);
            }
        }
    }
    return has;
}

static GArray *list_traits(const sched_regrid *g, const regrid_parts *parts, const uint8_t *has)
{
    GArray *traits = g_array_new(FALSE, FALSE, sizeof(trait));
    for (uint32_t r = 0; r < parts->num_ranks; r++) {
        for (uint32_t i = 0; i < g->record.ranks[r].num_items; i++) {
            const uint32_t part = parts->of[r][i];
            const bool tells = (has[part] & SENDS) == 0 || !g->record.ranks[r].items[i].is_recv;
            if (tells && ((has[part] & EXPLAINED) == 0 || sched_regrid_explains(g, r, i))) {
                const trait one = trait_of(g, part, r, i);
                g_array_append_val(traits, one);
            }
        }
    }
    return traits;
}

static uint64_t digest(const GArray *words)
{
    return XXH3_64bits(words->data, words->len * sizeof(uint64_t));
}

/* All traits of one part, once each. */
static void digest_parts(const GArray *traits, uint64_t *strict, uint64_t *loose)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    g_autoptr(GArray) tagless = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    for (guint i = 0; i < traits->len; i++) {
        const trait *t = &g_array_index(traits, trait, i);
        const trait *last = i > 0 && t[-1].part == t->part ? t - 1 : NULL;
        if (last == NULL) {
            g_array_set_size(all, 0);
            g_array_set_size(tagless, 0);
        }
        g_array_append_val(all, t->strict);
        if (last == NULL || last->loose != t->loose) {
            g_array_append_val(tagless, t->loose);
        }
        strict[t->part] = digest(all);
        loose[t->part] = digest(tagless);
    }
}

/* A number for each key, from 0 on. */
static uint32_t number_of(GHashTable *numbers, const uint64_t *key)
{
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, key));
    if (known > 0) {
        return known - 1;
    }
    g_hash_table_insert(numbers, g_memdup2(key, sizeof *key),
                        GUINT_TO_POINTER(g_hash_table_size(numbers) + 1));
    return g_hash_table_size(numbers) - 1;
}

/* Kinds of parts, while they are put together. */
typedef struct merger {
    uint32_t num_parts;
    uint32_t num_kinds;
    uint32_t *of;    /* [num_parts] */
    uint32_t *model; /* [num_kinds] the first part of each */
    uint8_t *has;    /* [num_parts] */
    bool *clean;     /* [num_kinds] one of its parts is explained whole */
    GArray *traits;  /* of trait */
    uint64_t *first; /* [num_parts + 1] in traits */
} merger;

/* The kind of each part: tags count where there are few. */
static void number_kinds(merger *m)
{
    enum { TAGS_TOLD = 8 };
    const uint32_t n = m->num_parts;
    g_autofree uint64_t *strict = g_new0(uint64_t, (gsize)n + 1);
    g_autofree uint64_t *loose = g_new0(uint64_t, (gsize)n + 1);
    g_autofree uint32_t *members = g_new0(uint32_t, (gsize)n + 1); /* kinds, of each group */
    g_autoptr(GHashTable) numbers =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    g_autoptr(GHashTable) groups = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    digest_parts(m->traits, strict, loose);
    for (uint32_t p = 0; p < n; p++) {
        const guint before = g_hash_table_size(numbers);
        (void)number_of(numbers, &strict[p]);
        members[number_of(groups, &loose[p])] += g_hash_table_size(numbers) > before;
    }
    g_hash_table_remove_all(numbers);
    for (uint32_t p = 0; p < n; p++) {
        const bool told = members[number_of(groups, &loose[p])] <= TAGS_TOLD;
        m->of[p] = number_of(numbers, told ? &strict[p] : &loose[p]);
        if (m->of[p] == m->num_kinds) {
            m->model[m->num_kinds++] = p;
        }
        m->clean[m->of[p]] = m->clean[m->of[p]] || (m->has[p] & (SENDS | ODD)) == SENDS;
    }
}

/* Has part @p b all traits of part @p a, and more? */
static bool is_within(const merger *m, uint32_t a, uint32_t b)
{
    uint64_t i = m->first[a];
    uint64_t j = m->first[b];
    bool more = false;
    while (i < m->first[a + 1] && j < m->first[b + 1]) {
        const trait *x = &g_array_index(m->traits, trait, i);
        const trait *y = &g_array_index(m->traits, trait, j);
        const bool same = x->strict == y->strict;
        more = more || !same;
        i += same;
        j++;
    }
    return i == m->first[a + 1] && (more || j < m->first[b + 1]);
}

/*
 * An exchange that lacks a way because one of its messages is not explained is no other kind, but
 * the nearest one that has them all.
 */
static void merge_odd(merger *m)
{
    enum { READ = 1000 }; /* of more, nobody reads a list; it would take their square */
    g_autofree uint32_t *to = g_new(uint32_t, (gsize)m->num_kinds + 1);
    for (uint32_t k = 0; k < m->num_kinds; k++) {
        to[k] = k;
        uint64_t least = UINT64_MAX;
        for (uint32_t b = 0; !m->clean[k] && m->num_kinds <= READ && b < m->num_kinds; b++) {
            const uint32_t model = m->model[b];
            const uint64_t size = m->first[model + 1] - m->first[model];
            if (b != k && size < least && is_within(m, m->model[k], model)) {
                least = size;
                to[k] = b;
            }
        }
    }
    for (uint32_t p = 0; p < m->num_parts; p++) {
        while (to[m->of[p]] != m->of[p]) {
            m->of[p] = to[m->of[p]];
        }
    }
}

/* Each trait once, and where those of a part begin. */
static void sort_traits(merger *m)
{
    GArray *traits = m->traits;
    guint kept = 0;
    g_array_sort(traits, compare_traits);
    for (guint i = 0; i < traits->len; i++) {
        const trait *t = &g_array_index(traits, trait, i);
        if (i == 0 || compare_traits(t - 1, t) != 0) {
            m->first[t->part + 1]++;
            g_array_index(traits, trait, kept++) = *t;
        }
    }
    g_array_set_size(traits, kept);
    for (uint32_t p = 0; p < m->num_parts; p++) {
        m->first[p + 1] += m->first[p];
    }
}

/* @return the kind of each part, without gaps; set @p num */
static uint32_t *kinds_of_parts(const sched_regrid *g, const regrid_parts *parts, uint32_t *num)
{
    const gsize n = (gsize)parts->num_parts + 1;
    merger m = {.num_parts = parts->num_parts, .has = look_into(g, parts)};
    m.of = g_new0(uint32_t, n);
    m.model = g_new0(uint32_t, n);
    m.clean = g_new0(bool, n);
    m.first = g_new0(uint64_t, n);
    m.traits = list_traits(g, parts, m.has);
    sort_traits(&m);
    number_kinds(&m);
    merge_odd(&m);
    g_autofree uint32_t *number = g_new0(uint32_t, n);
    *num = 0;
    for (uint32_t p = 0; p < m.num_parts; p++) {
        number[m.of[p]] = number[m.of[p]] > 0 ? number[m.of[p]] : ++*num;
        m.of[p] = number[m.of[p]] - 1;
    }
    g_free(m.model);
    g_free(m.clean);
    g_free(m.first);
    g_free(m.has);
    g_array_unref(m.traits);
    return m.of;
}

/* ---- what is in them ----------------------------------------------------------------------- */

regrid_point sched_regrid_way_by(const sched_regrid *g, uint32_t rank, const regrid_item *item)
{
    const regrid_layout *layout = &g->match->layout;
    return sched_regrid_layout_way(&layout->grid, sched_regrid_layout_point(layout, rank),
                                   sched_regrid_layout_point(layout, item->peer));
}

bool sched_regrid_way_known(const regrid_kinds *kinds, const sched_regrid *g,
                            const regrid_point *by)
{
    const uint64_t key = sched_regrid_way_key(&g->match->layout.grid, by);
    return g_hash_table_contains(kinds->ways, &key);
}

enum { KNOWN_WAY = 2 };

/* What goes where nothing else does tells the most, sends before receives. */
static uint32_t weigh(const regrid_kinds *kinds, const sched_regrid *g, uint32_t rank,
                      const regrid_item *item)
{
    uint32_t weight = item->is_recv;
    if (g->match != NULL && item->peer != SIM_ANY) {
        const regrid_point by = sched_regrid_way_by(g, rank, item);
        weight += sched_regrid_way_known(kinds, g, &by) ? KNOWN_WAY : 0;
    }
    return weight;
}

static void note_odd(const regrid_kinds *kinds, const sched_regrid *g, regrid_kind *kind,
                     uint32_t rank, uint32_t i)
{
    const regrid_item *item = &g->record.ranks[rank].items[i];
    const uint32_t weight = weigh(kinds, g, rank, item);
    const uint32_t call = kind->odd_rank != REGRID_NONE
                              ? g->record.ranks[kind->odd_rank].items[kind->odd_item].call
                              : UINT32_MAX;
    if (kind->odd_rank == REGRID_NONE || weight < kind->odd_weight ||
        (weight == kind->odd_weight && item->call < call)) {
        kind->odd_rank = rank;
        kind->odd_item = i;
        kind->odd_weight = weight;
    }
}

static void add_item(const regrid_kinds *kinds, const sched_regrid *g, regrid_kind *kind,
                     uint32_t rank, uint32_t i)
{
    const regrid_item *item = &g->record.ranks[rank].items[i];
    const bool explained = sched_regrid_explains(g, rank, i);
    const char *name = sched_regrid_record_name(&g->record, item->name);
    sched_regrid_add_name(item->is_recv ? kind->recvs : kind->sends, name);
    if (item->tag != SIM_ANY) {
        kind->least_tag = MIN(kind->least_tag, item->tag);
        kind->most_tag = MAX(kind->most_tag, item->tag);
    }
    kind->receives += item->is_recv;
    kind->ranks += rank != kind->last_rank;
    kind->last_rank = rank;
    if (!item->is_recv) {
        kind->messages++;
        kind->bytes += (uint64_t)item->bytes;
        kind->least_bytes = MIN(kind->least_bytes, item->bytes);
        kind->most_bytes = MAX(kind->most_bytes, item->bytes);
    }
    kind->explained_sends += explained && !item->is_recv;
    kind->explained_recvs += explained && item->is_recv;
    if (kind->first_rank == REGRID_NONE ||
        item->call < g->record.ranks[kind->first_rank].items[kind->first_item].call) {
        kind->first_rank = rank;
        kind->first_item = i;
    }
    if (!explained) {
        note_odd(kinds, g, kind, rank, i);
    }
}

/* What messages of one exchange that ought to be alike have in common. */
static uint64_t alike_key(const sched_regrid *g, uint32_t rank, const regrid_item *item)
{
    const regrid_point by = sched_regrid_way_by(g, rank, item);
    const uint64_t words[] = {sched_regrid_way_key(&g->match->layout.grid, &by), item->is_recv,
                              item->tag, (uint64_t)item->bytes};
    return XXH3_64bits(words, sizeof words);
}

/* Can the first one of an exchange stand back for another one of it? */
static bool is_rival(const regrid_kinds *kinds, const sched_regrid *g, const regrid_kind *kind,
                     const regrid_place *place)
{
    const regrid_item *item = &g->record.ranks[place->rank].items[place->item];
    return kinds->parts.of[place->rank][place->item] ==
               kinds->parts.of[kind->odd_rank][kind->odd_item] &&
           !sched_regrid_explains(g, place->rank, place->item) && item->peer != SIM_ANY &&
           weigh(kinds, g, place->rank, item) == kind->odd_weight;
}

/*
 * One rank that does something else in an exchange leaves the same messages of the others without
 * an explanation. What is rarest in it is to blame.
 */
static void blame_rarest(const regrid_kinds *kinds, const sched_regrid *g, uint32_t number)
{
    regrid_kind *kind = &g_array_index(kinds->kinds, regrid_kind, number);
    g_autoptr(GHashTable) counts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    guint least = G_MAXUINT;
    for (int pass = 0; pass < 2; pass++) {
        const regrid_kind first = *kind;
        for (uint64_t m = kinds->first[number]; m < kinds->first[number + 1]; m++) {
            const regrid_place *place = &kinds->members[m];
            if (!is_rival(kinds, g, &first, place)) {
                continue;
            }
            const uint64_t key =
                alike_key(g, place->rank, &g->record.ranks[place->rank].items[place->item]);
            const guint count = GPOINTER_TO_UINT(g_hash_table_lookup(counts, &key));
            if (pass == 0) {
                g_hash_table_insert(counts, g_memdup2(&key, sizeof key),
                                    GUINT_TO_POINTER(count + 1));
            } else if (count < least) {
                least = count;
                kind->odd_rank = REGRID_NONE;
            }
            if (pass == 1 && count == least) {
                note_odd(kinds, g, kind, place->rank, place->item);
            }
        }
    }
}

static GHashTable *list_ways(const sched_regrid *g)
{
    GHashTable *ways = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint w = 0; g->match != NULL && w < g->match->ways->len; w++) {
        const regrid_way *way = regrid_match_way(g->match, w);
        const uint64_t key = sched_regrid_way_key(&g->match->layout.grid, &way->by);
        if (way->explained) {
            g_hash_table_add(ways, g_memdup2(&key, sizeof key));
        }
    }
    return ways;
}

static void kind_clear(gpointer data)
{
    regrid_kind *kind = data;
    g_string_free(kind->sends, TRUE);
    g_string_free(kind->recvs, TRUE);
}

/* Messages of each kind one after the other. */
static void list_members(regrid_kinds *kinds, const sched_regrid *g)
{
    const guint num = kinds->kinds->len;
    const regrid_parts *parts = &kinds->parts;
    kinds->first = g_new0(uint64_t, (gsize)num + 2);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t r = 0; r < parts->num_ranks; r++) {
            for (uint32_t i = 0; i < g->record.ranks[r].num_items; i++) {
                const uint32_t kind = kinds->of[parts->of[r][i]];
                if (pass == 0) {
                    kinds->first[kind + 2]++;
                } else {
                    kinds->members[kinds->first[kind + 1]++] = (regrid_place){r, i};
                }
            }
        }
        for (guint k = 0; pass == 0 && k < num; k++) {
            kinds->first[k + 2] += kinds->first[k + 1];
        }
        if (pass == 0) {
            kinds->members = g_new(regrid_place, kinds->first[num + 1] + 1);
        }
    }
}

void sched_regrid_kinds_find(regrid_kinds *kinds, const sched_regrid *g)
{
    uint32_t num = 0;
    sched_regrid_parts_find(&kinds->parts, &g->record);
    kinds->of = kinds_of_parts(g, &kinds->parts, &num);
    kinds->ways = list_ways(g);
    kinds->kinds = g_array_new(FALSE, FALSE, sizeof(regrid_kind));
    g_array_set_clear_func(kinds->kinds, kind_clear);
    for (uint32_t k = 0; k < num; k++) {
        const regrid_kind kind = {.sends = g_string_new(NULL),
                                  .recvs = g_string_new(NULL),
                                  .least_tag = UINT32_MAX,
                                  .least_bytes = INT64_MAX,
                                  .last_rank = REGRID_NONE,
                                  .first_rank = REGRID_NONE,
                                  .odd_rank = REGRID_NONE};
        g_array_append_val(kinds->kinds, kind);
    }
    list_members(kinds, g);
    for (uint32_t k = 0; k < num; k++) {
        for (uint64_t m = kinds->first[k]; m < kinds->first[k + 1]; m++) {
            const regrid_place *place = &kinds->members[m];
            add_item(kinds, g, &g_array_index(kinds->kinds, regrid_kind, k), place->rank,
                     place->item);
        }
        if (g_array_index(kinds->kinds, regrid_kind, k).odd_weight >= KNOWN_WAY) {
            blame_rarest(kinds, g, k);
        }
    }
}

void sched_regrid_kinds_clear(regrid_kinds *kinds)
{
    sched_regrid_parts_clear(&kinds->parts);
    g_free(kinds->of);
    g_free(kinds->first);
    g_free(kinds->members);
    g_array_unref(kinds->kinds);
    g_hash_table_unref(kinds->ways);
}
