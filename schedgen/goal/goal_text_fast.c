/* schedgen/goal/goal_text_fast.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A statement is looked at as a whole before anything of it is taken up, so that it can be left
 * at any point. Numbers, which are most of the text, are found and converted in words of eight
 * digits without a branch for each: those would be mispredicted, since lengths vary.
 *
 * bench/bench_load.c measures it.
 */
#include "goal/goal_text_fast.h"

#include "goal/goal_scan.h"

#include <string.h>

/* No statement that is read here is longer, nor looked at further; nor is the text after it. */
#define REACH       192
#define LABEL_REACH 48

static uint64_t word_at(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return GUINT64_FROM_LE(word);
}

static uint32_t half_at(const char *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return GUINT32_FROM_LE(word);
}

/* Constants for comparison with the text. */
#define WORD4(a, b, c, d)                                                                          \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define WORD8(a, b, c, d, e, f, g, h)                                                              \
    ((uint64_t)WORD4(a, b, c, d) | (uint64_t)WORD4(e, f, g, h) << 32)

/* How many digits the text begins with, up to 8; their values, one in a byte. */
static unsigned digits_at(const char *at, uint64_t *values)
{
    *values = word_at(at) ^ UINT64_C(0x3030303030303030); /* digits become 0 to 9 */
    /* the eighth bit of what is not, up to the first such byte at least */
    const uint64_t others =
        ((*values + UINT64_C(0x7676767676767676)) | *values) & UINT64_C(0x8080808080808080);
    return others == 0 ? 8 : (unsigned)__builtin_ctzll(others) / 8;
}

/* Of n > 0 digits: pairs, then fours, then all, each next to the other in the word. */
static uint64_t value_of(uint64_t values, unsigned n)
{
    values <<= 8 * (8 - n); /* zeros go before */
    values = values * 10 + (values >> 8);
    return (((values & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064)) +
            ((values >> 16 & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x0000271000000001))) >>
           32;
}

/* A number of 1 to 15 digits. @return behind it, or NULL */
static const char *read_number(const char *at, uint64_t *out)
{
    uint64_t values;
    unsigned n = digits_at(at, &values);
    if (n == 0) {
        return NULL;
    }
    *out = value_of(values, n);
    if (n < 8) {
        return at + n;
    }
    at += 8;
    static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    n = digits_at(at, &values);
    if (n == 8) {
        return NULL;
    }
    *out = *out * powers[n] + (n > 0 ? value_of(values, n) : 0);
    return at + n;
}

/* How many letters, digits and _ the text begins with, up to 8. */
static unsigned name_at(const char *at)
{
    const uint64_t word = word_at(at);
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const uint64_t seven = word & 0x7F * ones; /* no sum below reaches the next byte */
    const uint64_t lower = seven | 0x20 * ones;
    const uint64_t letter = (lower + (0x80 - 'a') * ones) & ~(lower + (0x7F - 'z') * ones);
    const uint64_t digit = (seven + (0x80 - '0') * ones) & ~(seven + (0x7F - '9') * ones);
    const uint64_t other = (seven ^ '_' * ones) + 0x7F * ones; /* than _ */
    const uint64_t end = ~((letter | digit | ~other) & ~word) & 0x80 * ones;
    return end == 0 ? 8 : (unsigned)__builtin_ctzll(end) / 8;
}

/* Does the text begin with the letters of the label? Both are long enough for two words. */
static bool begins_with(const char *at, const goal_label *label)
{
    const uint32_t len = label->len;
    const uint64_t differ = word_at(at) ^ word_at(label->text);
    if (len <= 8) {
        return len > 0 && differ << (64 - 8 * len) == 0;
    }
    return differ == 0 && len <= 16 && word_at(at + len - 8) == word_at(label->text + len - 8);
}

/* A label that ends within LABEL_REACH; most have a number. @return behind it, or NULL */
static const char *read_label(const goal_block *block, const char *at, goal_label *out)
{
    if (begins_with(at, &block->stem)) {
        uint64_t values;
        const char *digits = at + block->stem.len;
        const unsigned n = digits_at(digits, &values);
        if (n > 0 && n < 8 && digits[0] != '0' && (digits[n] == ':' || digits[n] <= ' ')) {
            *out = (goal_label){at, block->stem.len + n, (uint32_t)value_of(values, n)};
            return digits + n;
        }
    }
    uint32_t len = 0;
    unsigned more = 8;
    for (; more == 8 && len < LABEL_REACH; len += more) {
        more = name_at(at + len);
    }
    *out = (goal_label){.text = at, .len = len}; /* the block sees whether it has a number */
    return goal_is_letter(*at) && more < 8 ? at + len : NULL;
}

/* Words that the format has taken are labels nowhere. */
static bool is_keyword(const goal_label *label)
{
    if (label->len != 4) {
        return goal_label_is(label, "num_ranks");
    }
    const uint32_t word = half_at(label->text);
    return word == WORD4('s', 'e', 'n', 'd') || word == WORD4('r', 'e', 'c', 'v') ||
           word == WORD4('c', 'a', 'l', 'c') || word == WORD4('r', 'a', 'n', 'k');
}

/* " cpu N" or " nic N", or nothing. @return behind it, or NULL */
static const char *read_index(const char *at, uint64_t word, uint8_t *out)
{
    if ((word_at(at) & UINT64_C(0xFFFFFFFFFF)) != word) {
        return at;
    }
    uint64_t index;
    at = read_number(at + 5, &index);
    if (at == NULL || index > GOAL_MAX_INDEX) {
        return NULL;
    }
    *out = (uint8_t)index;
    return at;
}

#define CPU_WORD WORD8(' ', 'c', 'p', 'u', ' ', 0, 0, 0)
#define NIC_WORD WORD8(' ', 'n', 'i', 'c', ' ', 0, 0, 0)
#define TAG_WORD WORD8(' ', 't', 'a', 'g', ' ', 0, 0, 0)

/* Behind "send ". @return behind the line, or NULL */
static const char *read_message(const char *at, uint32_t num_ranks, sim_op *op)
{
    static const uint64_t peer_mask[] = {
        [SIM_OP_SEND] = UINT64_C(0xFFFFFFFFFF), [SIM_OP_RECV] = UINT64_C(0xFFFFFFFFFFFFFF)};
    static const uint64_t peer_word[] = {[SIM_OP_SEND] = WORD8('b', ' ', 't', 'o', ' ', 0, 0, 0),
                                         [SIM_OP_RECV] =
                                             WORD8('b', ' ', 'f', 'r', 'o', 'm', ' ', 0)};
    uint64_t number;
    at = read_number(at, &number);
    if (at == NULL || (word_at(at) & peer_mask[op->type]) != peer_word[op->type]) {
        return NULL;
    }
    op->size = (int64_t)number;
    at = read_number(at + (op->type == SIM_OP_SEND ? 5 : 7), &number);
    if (at == NULL || number >= num_ranks) {
        return NULL;
    }
    op->peer = (uint32_t)number;
    if ((word_at(at) & UINT64_C(0xFFFFFFFFFF)) == TAG_WORD) {
        at = read_number(at + 5, &number);
        if (at == NULL || number > UINT32_MAX) {
            return NULL;
        }
        op->tag = (uint32_t)number;
    }
    if (*at == '\n') {
        return at + 1;
    }
    at = read_index(at, CPU_WORD, &op->cpu);
    at = at != NULL ? read_index(at, NIC_WORD, &op->nic) : NULL;
    return at != NULL && *at == '\n' ? at + 1 : NULL;
}

/* Behind "calc ". @return behind the line, or NULL */
static const char *read_calc(const char *at, sim_op *op)
{
    uint64_t ns;
    at = read_number(at, &ns);
    if (at == NULL || ns > GOAL_MAX_NS) {
        return NULL;
    }
    op->size = (int64_t)ns * SIM_NS;
    at = read_index(at, CPU_WORD, &op->cpu);
    return at != NULL && *at == '\n' ? at + 1 : NULL;
}

/* Behind the label and ": ". @return behind the line, or NULL */
static const char *read_op(const char *at, uint32_t num_ranks, sim_op *op)
{
    if (at[4] != ' ') {
        return NULL;
    }
    switch (half_at(at)) {
    case WORD4('s', 'e', 'n', 'd'):
        op->type = SIM_OP_SEND;
        return read_message(at + 5, num_ranks, op);
    case WORD4('r', 'e', 'c', 'v'):
        op->type = SIM_OP_RECV;
        return read_message(at + 5, num_ranks, op);
    case WORD4('c', 'a', 'l', 'c'):
        return read_calc(at + 5, op);
    default:
        return NULL;
    }
}

/* " requires " or " irequires ". @return behind it, or NULL */
static const char *read_requires(const char *at, bool *start)
{
    *start = at[1] == 'i';
    at += 1 + *start;
    return word_at(at) == WORD8('r', 'e', 'q', 'u', 'i', 'r', 'e', 's') && at[8] == ' ' ? at + 9
                                                                                        : NULL;
}

/* An operation without a label that is expected. @return was it taken up? */
static bool add_label(goal_block *block, const goal_label *label)
{
    if (label->number > 0 && goal_block_is_next(block, label->number)) {
        goal_block_add_next(block, label);
    } else if (is_keyword(label)) {
        return false;
    } else {
        sched_goal_block_add(block, label, label->text);
    }
    return true;
}

/* An operation, behind its label. @return behind the line, or NULL */
static const char *take_op(goal_fast *fast, const char *at, const goal_label *label, bool expected)
{
    goal_block *block = fast->block;
    sim_op *op = goal_block_body(block); /* in its place: a copy would wait for it to be written */
    *op = (sim_op){0};
    at = read_op(at + 2, fast->num_ranks, op);
    if (at == NULL || block->num_ops == SIM_ANY - 1) {
        return NULL;
    }
    if (expected) {
        goal_block_add_expected(block, label->text);
    } else if (!add_label(block, label)) {
        return NULL;
    }
    return at;
}

/* The operation of the label that the text is at, guessed or found; that may be GOAL_OPEN.
 * @return behind it, or NULL */
static const char *read_reference(const goal_block *block, const char *at, uint32_t guess,
                                  uint32_t *out)
{
    if (guess < block->num_ops && begins_with(at, &block->op[guess]) &&
        at[block->op[guess].len] <= ' ') {
        *out = guess;
        return at + block->op[guess].len;
    }
    goal_label label;
    at = read_label(block, at, &label);
    if (at != NULL) {
        *out = goal_block_numbered(block, label.number);
        *out = *out != GOAL_OPEN ? *out : sched_goal_block_find(block, &label);
    }
    return at;
}

/* A dependency, behind the label of what comes later. @return behind the line, or NULL */
static const char *take_dependency(goal_block *block, const char *at, uint32_t later,
                                   uint32_t guess)
{
    bool start;
    uint32_t earlier = GOAL_OPEN;
    at = later != GOAL_OPEN ? read_requires(at, &start) : NULL;
    at = at != NULL ? read_reference(block, at, guess, &earlier) : NULL;
    if (at == NULL || *at != '\n' || earlier == GOAL_OPEN) {
        return NULL;
    }
    goal_block_connect(block, later, earlier, start);
    return at + 1;
}

/* A statement that is none of those that are expected. @return as below */
static const char *read_other(goal_fast *fast, const char *at, uint32_t guess)
{
    goal_label label;
    at = read_label(fast->block, at, &label);
    if (at == NULL) {
        return NULL;
    }
    if (at[0] == ':' && at[1] == ' ') {
        return take_op(fast, at, &label, false);
    }
    return *at == ' '
               ? take_dependency(fast->block, at, sched_goal_block_find(fast->block, &label), guess)
               : NULL;
}

/* One statement. @return behind its line, or NULL if it was not taken up */
static const char *read_statement(goal_fast *fast, const char *at)
{
    goal_block *block = fast->block;
    if (goal_block_expects(block) && begins_with(at, &block->op[block->num_ops])) {
        const goal_label *expected = &block->op[block->num_ops];
        const goal_label label = {at, expected->len, expected->number};
        if (at[label.len] == ':' && at[label.len + 1] == ' ') {
            return take_op(fast, at + label.len, &label, true);
        }
    }
    const sched_edge *edge = goal_block_guess(block);
    const uint32_t guess = edge != NULL ? edge->earlier : GOAL_OPEN;
    const uint32_t later =
        edge != NULL && edge->later < block->num_ops ? edge->later : block->num_ops - 1;
    if (later < block->num_ops && !block->twice && begins_with(at, &block->op[later]) &&
        at[block->op[later].len] == ' ') {
        return take_dependency(block, at + block->op[later].len, later, guess);
    }
    return read_other(fast, at, guess);
}

const char *sched_goal_fast_read(goal_fast *fast, const char *at, const char *end)
{
    while (end - at > REACH) {
        const char *next = read_statement(fast, at);
        if (next == NULL) {
            break;
        }
        at = next;
    }
    return at;
}
