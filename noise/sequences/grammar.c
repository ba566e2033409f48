/* noise/sequences/grammar.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Sequitur. Every change of a right-hand side makes new pairs of neighbours. They go on a stack,
 * and are checked one after the other, each with all that follows from it before the next: what has
 * to be checked is never lost, however many rules a symbol makes and dissolves, and a pair that is
 * gone by then costs a look. Of a run of three equal neighbours the index has the left pair.
 *
 * Nodes and slots of the index grow together, and only where something is about to be added. So the
 * rest of the code cannot fail. bench/bench_grammar.c measures it.
 */
#include "sequences/grammar_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    FIRST_BITS = 7, /* of the index */
    MOST_BITS = 30, /* nodes have numbers below 2^30 */
    FIRST_PENDING = 64,
    NODES_OF_A_STEP = 8,    /* more than a symbol or a new rule takes */
    PENDING_OF_A_STEP = 40, /* more than a new rule with two ends inlined leaves to be checked */
    WORTH_HUGE_PAGES = 4 << 20,
};

/* As many nodes as fill 6 in 10 slots: of each node's digram there is at most one slot. */
static uint32_t nodes_for(unsigned bits)
{
    return (uint32_t)((UINT64_C(1) << bits) * 6 / 10);
}

uint64_t noise_grammar_bytes(const noise_grammar *g)
{
    return sizeof *g + g->cap * sizeof *g->node + (sizeof *g->index.slot << g->index.bits) +
           g->cap_pending * sizeof *g->pending + noise_alphabet_bytes(&g->alphabet);
}

static bool may_take(const noise_grammar *g, uint64_t more)
{
    const uint64_t held = noise_grammar_bytes(g);
    return held <= g->most && more <= g->most - held;
}

/* ---- nodes ---- */

/* Nodes and slots are accessed at random: with small pages most accesses would miss the TLB as well
 * as the cache. Where huge ones are refused, small ones will do. */
static void *on_huge_pages(void *memory, size_t bytes)
{
    if (memory != NULL && bytes >= WORTH_HUGE_PAGES) {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE);
        const size_t skipped = (page - (uintptr_t)memory % page) % page;
        (void)madvise((char *)memory + skipped, (bytes - skipped) / page * page, MADV_HUGEPAGE);
    }
    return memory;
}

static bool grow_nodes(noise_grammar *g)
{
    const unsigned bits = g->index.bits + 1;
    const uint32_t cap = nodes_for(bits);
    if (bits > MOST_BITS ||
        !may_take(g, (cap - g->cap) * sizeof *g->node + (sizeof(digram_slot) << bits))) {
        return false;
    }
    /* Not by realloc(): what it moves may end up on small pages. */
    grammar_node *node = on_huge_pages(malloc(cap * sizeof *node), cap * sizeof *node);
    digram_slot *slot =
        on_huge_pages(calloc((size_t)1 << bits, sizeof *slot), sizeof *slot << bits);
    if (node == NULL || slot == NULL) {
        free(node);
        free(slot);
        return false;
    }
    memcpy(node, g->node, g->used * sizeof *node);
    free(g->node);
    g->node = node;
    g->cap = cap;
    free(noise_digrams_grow(&g->index, slot));
    return true;
}

static bool grow_pending(noise_grammar *g)
{
    const uint32_t cap = 2 * g->cap_pending;
    if (cap > GRAMMAR_NUMBER || !may_take(g, (cap - g->cap_pending) * sizeof *g->pending)) {
        return false;
    }
    uint32_t *pending = realloc(g->pending, cap * sizeof *pending);
    if (pending == NULL) {
        return false;
    }
    g->pending = pending;
    g->cap_pending = cap;
    return true;
}

static bool has_nodes(const noise_grammar *g)
{
    return g->cap - g->live > NODES_OF_A_STEP;
}

static bool has_pending(const noise_grammar *g)
{
    return g->cap_pending - g->num_pending > PENDING_OF_A_STEP;
}

/* Is there room for one step, or can it be made? Slots move then. */
static bool reserve(noise_grammar *g)
{
    return (has_nodes(g) || grow_nodes(g)) && (has_pending(g) || grow_pending(g));
}

static uint32_t take_node(noise_grammar *g, uint32_t value)
{
    uint32_t n = g->spare;
    if (n != 0) {
        g->spare = g->node[n].next;
    } else {
        n = g->used++;
    }
    assert(n < g->cap);
    g->node[n].value = value;
    g->live++;
    if ((value & GRAMMAR_KIND) == GRAMMAR_RULE) {
        g->node[value & GRAMMAR_NUMBER].value++; /* its uses */
    }
    return n;
}

static void give_node(noise_grammar *g, uint32_t n)
{
    if (grammar_is_rule(g, n)) {
        g->node[grammar_number(g, n)].value--;
    }
    g->node[n] = (grammar_node){.next = g->spare, .value = GRAMMAR_SPARE};
    g->spare = n;
    g->live--;
}

static void link_nodes(noise_grammar *g, uint32_t left, uint32_t right)
{
    g->node[left].next = right;
    g->node[right].prev = left;
}

/* ---- pairs ---- */

static void push(noise_grammar *g, uint32_t left)
{
    assert(g->num_pending < g->cap_pending);
    g->pending[g->num_pending++] = left;
}

/* The pair at left is about to go. If it is the one of the index, another pair of the same run of
 * equal neighbours may have to take its place. */
static void forget(noise_grammar *g, uint32_t left)
{
    const grammar_node *node = g->node;
    const uint32_t right = node[left].next;
    if (grammar_is_guard(g, left) || grammar_is_guard(g, right) ||
        !noise_digrams_remove(&g->index, node, left) || node[left].value != node[right].value) {
        return;
    }
    if (node[node[right].next].value == node[right].value) {
        push(g, right);
    }
    if (node[node[left].prev].value == node[left].value) {
        push(g, node[left].prev);
    }
}

static bool is_used_once(const noise_grammar *g, uint32_t value)
{
    return (value & GRAMMAR_KIND) == GRAMMAR_RULE &&
           g->node[value & GRAMMAR_NUMBER].value == (GRAMMAR_GUARD | 1);
}

static void drop_use(noise_grammar *g, uint32_t value)
{
    if ((value & GRAMMAR_KIND) == GRAMMAR_RULE) {
        g->node[value & GRAMMAR_NUMBER].value--;
    }
}

/* Put a rule in place of the pair at left; the index has that pair in the rule. @return its node */
static uint32_t replace(noise_grammar *g, uint32_t left, uint32_t guard)
{
    const uint32_t right = g->node[left].next;
    const uint32_t before = g->node[left].prev;
    forget(g, before);
    forget(g, right);
    give_node(g, left);
    drop_use(g, g->node[right].value);
    g->node[right].value = GRAMMAR_RULE | guard;
    g->node[guard].value++;
    link_nodes(g, before, right);
    return right;
}

/* Put the right-hand side of a rule in place of its only use. */
static void inline_rule(noise_grammar *g, uint32_t use)
{
    const uint32_t guard = grammar_number(g, use);
    const uint32_t before = g->node[use].prev;
    const uint32_t after = g->node[use].next;
    const uint32_t first = g->node[guard].next;
    const uint32_t last = g->node[guard].prev;
    forget(g, before);
    forget(g, use);
    give_node(g, use);
    give_node(g, guard);
    link_nodes(g, before, first);
    link_nodes(g, last, after);
    push(g, last);
    push(g, before);
}

/* Uses went from two pairs into one, so a rule may have a single use left: at an end of this one,
 * which are those of the pair. */
static void inline_ends(noise_grammar *g, uint32_t guard, uint32_t first, uint32_t second)
{
    if (is_used_once(g, first)) {
        inline_rule(g, g->node[guard].next);
    }
    if (is_used_once(g, second)) {
        inline_rule(g, g->node[guard].prev);
    }
}

/* Is the pair at left all of a rule's right-hand side? */
static bool is_whole(const noise_grammar *g, uint32_t left)
{
    const uint32_t before = g->node[left].prev;
    return before != GRAMMAR_START && grammar_is_guard(g, before) &&
           g->node[g->node[left].next].next == before;
}

/* A rule for the pair at left, whose slot this is. @return its guard */
static uint32_t new_rule(noise_grammar *g, uint32_t left, digram_slot *slot)
{
    const uint32_t guard = take_node(g, GRAMMAR_GUARD);
    const uint32_t first = take_node(g, g->node[left].value);
    const uint32_t second = take_node(g, g->node[g->node[left].next].value);
    link_nodes(g, guard, first);
    link_nodes(g, first, second);
    link_nodes(g, second, guard);
    slot->node = first; /* the same pair */
    return guard;
}

/* A rule will take the place of the pair at left: what replace() and the checks after it look up
 * lies far apart, and waiting for it is most of what long strings without much order take. At the
 * end of the string, where most rules are put, it is the next symbol that the rule will stand
 * before; the pairs there now were looked up a moment ago. */
static void expect(const noise_grammar *g, uint32_t left, uint32_t rule)
{
    const grammar_node *node = g->node;
    const uint32_t right = node[left].next;
    const uint32_t before = node[node[left].prev].value;
    if (node[right].next == GRAMMAR_START) {
        noise_digrams_expect(&g->index, before, rule);
        noise_digrams_expect(&g->index, rule, g->ahead);
        return;
    }
    const uint32_t after = node[node[right].next].value;
    noise_digrams_expect(&g->index, before, node[left].value);
    noise_digrams_expect(&g->index, node[right].value, after);
    noise_digrams_expect(&g->index, before, rule);
    noise_digrams_expect(&g->index, rule, after);
}

/* The rule whose right-hand side is the pair at @p whole takes the place of the one at @p other. */
static void use_rule(noise_grammar *g, uint32_t whole, uint32_t other, digram_slot *slot)
{
    const uint32_t guard = g->node[whole].prev;
    const uint32_t first = g->node[other].value;
    const uint32_t second = g->node[g->node[other].next].value;
    slot->node = whole;
    expect(g, other, GRAMMAR_RULE | guard);
    const uint32_t n = replace(g, other, guard);
    push(g, n);
    push(g, g->node[n].prev);
    inline_ends(g, guard, first, second);
}

/* Leave out what follows @p left. */
static void drop_next(noise_grammar *g, uint32_t left)
{
    const uint32_t dropped = g->node[left].next;
    const uint32_t after = g->node[dropped].next;
    forget(g, left);
    forget(g, dropped);
    give_node(g, dropped);
    link_nodes(g, left, after);
    push(g, left);
}

/*
 * The pairs at a and m begin with the only two uses of a rule: it becomes longer. That is what a
 * new rule would come to once the old one, used there only, is inlined; in strings that repeat it
 * happens with almost every symbol, and takes half the time.
 */
static void extend(noise_grammar *g, uint32_t a, uint32_t m)
{
    const uint32_t guard = grammar_number(g, a);
    const uint32_t last = g->node[guard].prev;
    const uint32_t value = g->node[g->node[a].next].value;
    const uint32_t n = take_node(g, value);
    drop_next(g, a);
    drop_next(g, m);
    link_nodes(g, last, n);
    link_nodes(g, n, guard);
    push(g, last);
    if (is_used_once(g, value)) {
        inline_rule(g, n);
    }
}

/* The pairs at a and m are the same, and do not overlap; this is their slot. */
static void match(noise_grammar *g, uint32_t a, uint32_t m, digram_slot *slot)
{
    if (!has_nodes(g) || !has_pending(g)) {
        if (!reserve(g)) {
            g->closed = true; /* and the pair stays twice: what the grammar makes is still right */
            return;
        }
        slot = noise_digrams_slot(&g->index, g->node, a);
    }
    if (is_whole(g, m)) {
        use_rule(g, m, a, slot);
    } else if (is_whole(g, a)) {
        use_rule(g, a, m, slot);
    } else if (grammar_is_rule(g, a) && grammar_number(g, grammar_number(g, a)) == 2) {
        extend(g, a, m);
    } else {
        const uint32_t first = g->node[a].value;
        const uint32_t second = g->node[g->node[a].next].value;
        const uint32_t guard = new_rule(g, m, slot);
        expect(g, m, GRAMMAR_RULE | guard);
        expect(g, a, GRAMMAR_RULE | guard);
        const uint32_t at_m = replace(g, m, guard);
        const uint32_t at_a = replace(g, a, guard);
        push(g, at_a);
        push(g, g->node[at_a].prev);
        push(g, at_m);
        push(g, g->node[at_m].prev);
        inline_ends(g, guard, first, second);
    }
}

/* See to it that the pair at a stands nowhere else. */
static void check(noise_grammar *g, uint32_t a)
{
    const grammar_node *node = g->node;
    if ((node[a].value & GRAMMAR_GUARD) != 0 || grammar_is_guard(g, node[a].next)) {
        return; /* spare nodes have the bit of guards */
    }
    digram_slot *slot = noise_digrams_slot(&g->index, node, a);
    const uint32_t m = slot->node;
    if (m == 0) {
        noise_digrams_put(slot, node, a);
    } else if (m == node[a].next) { /* a run, longer to the left */
        slot->node = a;
        const uint32_t third = node[m].next;
        if (node[node[third].next].value == node[a].value) {
            match(g, third, a, slot);
        }
    } else if (m != a && node[m].next != a) {
        match(g, a, m, slot);
    }
}

/* ---- the grammar ---- */

noise_grammar *noise_grammar_new(uint64_t most_bytes)
{
    noise_grammar *g = calloc(1, sizeof *g);
    if (g == NULL) {
        return NULL;
    }
    g->most = most_bytes > 0 ? most_bytes : UINT64_MAX;
    g->index.bits = FIRST_BITS;
    g->cap = nodes_for(FIRST_BITS);
    g->cap_pending = FIRST_PENDING;
    g->index.slot = calloc((size_t)1 << FIRST_BITS, sizeof *g->index.slot);
    g->node = malloc(g->cap * sizeof *g->node);
    g->pending = malloc(g->cap_pending * sizeof *g->pending);
    if (g->index.slot == NULL || g->node == NULL || g->pending == NULL || !may_take(g, 0)) {
        noise_grammar_free(g);
        return NULL;
    }
    g->node[0] = (grammar_node){.value = GRAMMAR_SPARE};
    g->used = GRAMMAR_START;
    const uint32_t start = take_node(g, GRAMMAR_GUARD);
    link_nodes(g, start, start);
    return g;
}

void noise_grammar_free(noise_grammar *g)
{
    if (g != NULL) {
        free(g->node);
        free(g->index.slot);
        free(g->pending);
        noise_alphabet_clear(&g->alphabet);
        free(g);
    }
}

/* The number of a symbol, new or not. UINT32_MAX: no memory */
static uint32_t number_of(noise_grammar *g, uint64_t symbol)
{
    alphabet *a = &g->alphabet;
    const uint32_t number = noise_alphabet_find(a, symbol);
    if (number != UINT32_MAX) {
        return number;
    }
    if (a->num > GRAMMAR_NUMBER || !may_take(g, noise_alphabet_growth(a)) ||
        !noise_alphabet_add(a, symbol)) {
        return UINT32_MAX;
    }
    return a->num - 1;
}

/* @param number of the symbol; UINT32_MAX: not known */
static bool append(noise_grammar *g, uint64_t symbol, uint32_t number)
{
    if (g->closed || !reserve(g)) {
        g->closed = true;
        return false;
    }
    number = number != UINT32_MAX ? number : number_of(g, symbol);
    if (number == UINT32_MAX) {
        g->closed = true;
        return false;
    }
    const uint32_t last = g->node[GRAMMAR_START].prev;
    const uint32_t n = take_node(g, GRAMMAR_SYMBOL | number);
    link_nodes(g, last, n);
    link_nodes(g, n, GRAMMAR_START);
    g->length++;
    push(g, last);
    while (g->num_pending > 0) {
        check(g, g->pending[--g->num_pending]);
    }
    return true;
}

uint64_t noise_grammar_append_all(noise_grammar *g, const uint64_t *symbol, uint64_t num)
{
    uint32_t number = UINT32_MAX;
    for (uint64_t i = 0; i < num; i++) {
        g->ahead = i + 1 < num ? noise_alphabet_find(&g->alphabet, symbol[i + 1]) : UINT32_MAX;
        if (!append(g, symbol[i], number)) {
            return i;
        }
        number = g->ahead;
    }
    return num;
}

bool noise_grammar_append(noise_grammar *g, uint64_t symbol)
{
    return noise_grammar_append_all(g, &symbol, 1) == 1;
}

uint64_t noise_grammar_length(const noise_grammar *g)
{
    return g->length;
}

uint64_t noise_grammar_nodes(const noise_grammar *g)
{
    return g->live;
}
