/* schedgen/goal/sched_goal_text_read.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_goal_text, fuzz_goal_text. */
/**
 * @file
 * GOAL text, docs/goal.md, sections 1 and 2: the union of dialects, or, if strict, what the
 * reference converter takes. Decisions the text of the dialects leaves open:
 * - a label that is defined twice belongs to its first operation, as in the reference;
 * - operations outside a rank block, and a second block of a rank, are refused;
 * - num_ranks comes before the first block.
 */
#include "goal/goal_block.h"
#include "goal/goal_text_fast.h"
#include "goal/goal_text_private.h"

typedef struct reader {
    goal_text text;
    bool in_block;
    bool has_num_ranks;
    uint32_t num_ranks;
    uint32_t rank;      /* of the block that is open, or was last */
    uint32_t next_rank; /* strict: of the block that must come next */
    const char *opened; /* where the block begins */
    uint8_t *met;       /* [num_ranks] there was a block; NULL before the first one */
    sim_graph_builder *builder;
    goal_block *block;
} reader;

static const char *const PORTALS[] = {"put",  "get",     "append", "tput",
                                      "tget", "tappend", "test",   "calcgem5"};

static bool read_peer(reader *r, sim_op *op)
{
    const char *word = op->type == SIM_OP_SEND ? "to" : "from";
    sched_goal_text_skip_blanks(&r->text);
    if (!goal_scan_word(&r->text.scan, word, strlen(word))) {
        return sched_goal_text_fail(&r->text, op->type == SIM_OP_SEND ? "'to' is missing"
                                                                      : "'from' is missing");
    }
    sched_goal_text_skip_blanks(&r->text);
    if (op->type == SIM_OP_RECV && goal_scan_word(&r->text.scan, "-1", 2)) {
        op->peer = SIM_ANY;
        return true;
    }
    const char *at = r->text.scan.at;
    uint64_t peer;
    if (!sched_goal_text_number(&r->text, UINT64_MAX, "rank of the peer", &peer)) {
        return false;
    }
    if (peer >= r->num_ranks) {
        return sched_goal_text_fail_at(&r->text, at, "peer is not one of the ranks");
    }
    op->peer = (uint32_t)peer;
    return true;
}

static bool read_tag(reader *r, sim_op *op)
{
    sched_goal_text_skip_blanks(&r->text);
    if (!goal_scan_word(&r->text.scan, "tag", 3)) {
        return true;
    }
    sched_goal_text_skip_blanks(&r->text);
    if (goal_scan_word(&r->text.scan, "-1", 2)) {
        op->tag = SIM_ANY;
        return true;
    }
    uint64_t tag;
    if (!sched_goal_text_number(&r->text, UINT64_MAX, "tag", &tag)) {
        return false;
    }
    op->tag = (uint32_t)tag; /* mod 2^32: 2^64 - 1 is how Schedgen writes "any" */
    return true;
}

static bool read_index(reader *r, const char *word, const char *what, uint8_t *out)
{
    sched_goal_text_skip_blanks(&r->text);
    if (!goal_scan_word(&r->text.scan, word, 3)) {
        return true;
    }
    uint64_t index;
    if (!sched_goal_text_number(&r->text, GOAL_MAX_INDEX, what, &index)) {
        return false;
    }
    *out = (uint8_t)index;
    return true;
}

static bool read_message(reader *r, sim_op *op)
{
    uint64_t size;
    if (!sched_goal_text_number(&r->text, INT64_MAX, "size", &size)) {
        return false;
    }
    op->size = (int64_t)size;
    sched_goal_text_skip_blanks(&r->text);
    if (!goal_scan_char(&r->text.scan, 'b')) {
        return sched_goal_text_fail(&r->text, "the size should be followed by 'b'");
    }
    return read_peer(r, op) && read_tag(r, op) && read_index(r, "cpu", "cpu", &op->cpu) &&
           read_index(r, "nic", "nic", &op->nic);
}

static bool read_calc(reader *r, sim_op *op)
{
    uint64_t ns;
    if (!sched_goal_text_number(&r->text, GOAL_MAX_NS, "duration in ns", &ns)) {
        return false;
    }
    op->size = (int64_t)ns * SIM_NS;
    return read_index(r, "cpu", "cpu", &op->cpu);
}

/* @return the sim_op_type, or -1 */
static int op_type(const goal_label *word)
{
    if (word->len != 4) {
        return -1;
    }
    return memcmp(word->text, "send", 4) == 0   ? SIM_OP_SEND
           : memcmp(word->text, "recv", 4) == 0 ? SIM_OP_RECV
           : memcmp(word->text, "calc", 4) == 0 ? SIM_OP_CALC
                                                : -1;
}

static bool fail_unknown_op(const reader *r, const goal_label *word)
{
    for (size_t i = 0; i < G_N_ELEMENTS(PORTALS); i++) {
        if (goal_label_is(word, PORTALS[i])) {
            (void)sched_goal_text_fail_at(&r->text, word->text, "Portals operation not supported");
            (*r->text.error)->code = SCHED_ERROR_UNSUPPORTED;
            return false;
        }
    }
    return sched_goal_text_fail_at(&r->text, word->text, "not an operation (send, recv or calc)");
}

/* The keyword may touch the number behind it: "recv10b". */
static int scan_op_type(goal_scan *scan)
{
    static const struct {
        char word[5];
        int type;
    } ops[] = {{"send", SIM_OP_SEND}, {"recv", SIM_OP_RECV}, {"calc", SIM_OP_CALC}};
    for (size_t i = 0; i < G_N_ELEMENTS(ops); i++) {
        goal_scan ahead = *scan;
        if (goal_scan_word(&ahead, ops[i].word, 4) &&
            (ahead.at == ahead.end || !(goal_is_letter(*ahead.at) || *ahead.at == '_'))) {
            *scan = ahead;
            return ops[i].type;
        }
    }
    return -1;
}

static bool read_op(reader *r, int type, const goal_label *label, const char *statement)
{
    if (!r->in_block) {
        return sched_goal_text_fail_at(&r->text, statement, "operation outside a rank block");
    }
    sim_op op = {.type = (uint8_t)type};
    if (!(type == SIM_OP_CALC ? read_calc(r, &op) : read_message(r, &op)) ||
        !sched_goal_text_end_statement(&r->text)) {
        return false;
    }
    if (r->block->num_ops == SIM_ANY) {
        return sched_goal_text_fail_at(&r->text, statement,
                                       "more than 4294967294 operations in a rank");
    }
    *goal_block_body(r->block) = op;
    sched_goal_block_add(r->block, label, statement);
    return true;
}

static bool read_dependency(reader *r, const goal_label *later)
{
    const char *at = r->text.scan.at;
    const bool start = goal_scan_char(&r->text.scan, 'i');
    if (!goal_scan_word(&r->text.scan, "requires", 8)) {
        return sched_goal_text_fail_at(
            &r->text, at, "the label should be followed by ':', 'requires' or 'irequires'");
    }
    if (!r->in_block) {
        return sched_goal_text_fail_at(&r->text, later->text, "dependency outside a rank block");
    }
    sched_goal_text_skip_blanks(&r->text);
    goal_label earlier;
    if (!goal_scan_label(&r->text.scan, &earlier)) {
        return sched_goal_text_fail(&r->text, "not a label");
    }
    if (!sched_goal_text_end_statement(&r->text)) {
        return false;
    }
    sched_goal_block_depend(r->block, later, &earlier, start);
    if (r->text.strict) { /* the reference looks no further than here */
        const goal_label *open = sched_goal_block_resolve(r->block);
        return open == NULL ||
               sched_goal_text_fail_at(&r->text, open->text, "label is not defined above");
    }
    return true;
}

static bool read_num_ranks(reader *r)
{
    const char *at = r->text.scan.at;
    uint64_t n;
    if (!sched_goal_text_number(&r->text, SIM_ANY - 1, "number of ranks", &n)) {
        return false;
    }
    const uint64_t described = (uint64_t)(r->text.scan.end - r->text.data) / 8; /* "rank 0{}" */
    if (n == 0 || n > MAX(described, GOAL_MAX_SILENT_RANKS)) {
        return sched_goal_text_fail_at(&r->text, at,
                                       "number of ranks is 0, or more than the file can hold");
    }
    if (r->builder != NULL && n != r->num_ranks) {
        return sched_goal_text_fail_at(&r->text, at, "number of ranks differs from the one above");
    }
    r->num_ranks = (uint32_t)n;
    r->has_num_ranks = true;
    return true;
}

static bool check_rank(reader *r, uint64_t rank, const char *at)
{
    if (!r->has_num_ranks) {
        return sched_goal_text_fail_at(&r->text, at, "'num_ranks' must come before the first rank");
    }
    if (rank >= r->num_ranks) {
        return sched_goal_text_fail_at(&r->text, at, "rank is not below num_ranks");
    }
    if (r->builder == NULL) {
        r->builder = sim_graph_builder_new(r->num_ranks);
        r->met = g_new0(uint8_t, r->num_ranks);
    }
    if (r->met[rank]) {
        return sched_goal_text_fail_at(&r->text, at, "second block of this rank");
    }
    if (r->text.strict && rank != r->next_rank) {
        return sched_goal_text_fail_at(&r->text, at,
                                       "blocks of ranks are not in ascending order without gaps");
    }
    return true;
}

static bool read_rank(reader *r, const goal_label *word)
{
    if (r->in_block) {
        return sched_goal_text_fail_at(&r->text, r->opened, "block without '}'");
    }
    sched_goal_text_skip_blanks(&r->text);
    const char *at = r->text.scan.at;
    uint64_t rank;
    if (!sched_goal_text_number(&r->text, SIM_ANY - 1, "rank", &rank) || !check_rank(r, rank, at)) {
        return false;
    }
    sched_goal_text_skip_blanks(&r->text);
    if (!goal_scan_char(&r->text.scan, '{')) {
        return sched_goal_text_fail(&r->text, "'{' is missing");
    }
    r->in_block = true;
    r->opened = word->text;
    r->rank = (uint32_t)rank;
    r->next_rank = r->rank + 1;
    r->met[rank] = 1;
    sim_graph_builder_begin_rank(r->builder, r->rank); /* which ends the one before */
    sched_goal_block_clear(r->block);
    return true;
}

/* A sched_describe: label and line. */
static char *describe_op(const void *context, uint32_t index)
{
    const reader *r = context;
    const char *statement = r->block->op[index].text;
    goal_scan scan = {statement, r->text.scan.end};
    goal_label label = {0};
    const bool labelled = goal_scan_label(&scan, &label);
    goal_scan_blanks(&scan);
    const uint64_t line = sched_goal_text_line(&r->text, statement);
    return labelled && goal_scan_char(&scan, ':')
               ? g_strdup_printf("%.*s (line %" G_GUINT64_FORMAT ")", (int)MIN(label.len, 40),
                                 label.text, line)
               : g_strdup_printf("operation %u (line %" G_GUINT64_FORMAT ")", index, line);
}

static bool check_cycles(reader *r)
{
    g_autofree uint32_t *cycle = NULL;
    const size_t len =
        sched_cycle_find(r->block->num_ops, r->block->edge, r->block->num_edges, &cycle);
    if (len == 0) {
        return true;
    }
    g_autofree char *text = sched_cycle_describe(cycle, len, describe_op, r);
    g_set_error(r->text.error, SCHED_ERROR, SCHED_ERROR_CYCLE,
                "%s:%" G_GUINT64_FORMAT ": dependency cycle in rank %u: %s", r->text.name,
                sched_goal_text_line(&r->text, r->block->op[cycle[0]].text), r->rank, text);
    return false;
}

static bool close_block(reader *r)
{
    if (!r->in_block) {
        return sched_goal_text_fail_at(&r->text, r->text.scan.at - 1, "'}' without a block");
    }
    const goal_label *open = sched_goal_block_resolve(r->block);
    if (open != NULL) {
        return sched_goal_text_fail_at(&r->text, open->text, "label is not defined in this block");
    }
    if (goal_block_may_have_cycle(r->block) && !check_cycles(r)) {
        return false;
    }
    sched_goal_block_give(r->block, r->builder);
    r->in_block = false;
    return true;
}

static bool read_statement(reader *r)
{
    if (r->in_block) {
        goal_fast fast = {r->block, r->num_ranks};
        const char *next = sched_goal_fast_read(&fast, r->text.scan.at, r->text.scan.end);
        if (next != r->text.scan.at) {
            r->text.scan.at = next;
            return true;
        }
    }
    const char *statement = r->text.scan.at;
    if (goal_scan_char(&r->text.scan, '}')) {
        return close_block(r);
    }
    goal_label word;
    if (!goal_scan_label(&r->text.scan, &word)) {
        return sched_goal_text_fail(&r->text, "not a statement");
    }
    const int type = op_type(&word);
    if (type >= 0) {
        return read_op(r, type, NULL, statement);
    }
    if (goal_label_is(&word, "rank")) {
        return read_rank(r, &word);
    }
    if (goal_label_is(&word, "num_ranks")) {
        return read_num_ranks(r);
    }
    sched_goal_text_skip_blanks(&r->text);
    if (!goal_scan_char(&r->text.scan, ':')) {
        return read_dependency(r, &word);
    }
    sched_goal_text_skip_blanks(&r->text);
    const int labelled = scan_op_type(&r->text.scan);
    if (labelled >= 0) {
        return read_op(r, labelled, &word, statement);
    }
    goal_label op;
    return goal_scan_label(&r->text.scan, &op) ? fail_unknown_op(r, &op)
                                               : sched_goal_text_fail(&r->text, "not an operation");
}

/* The end of the file: is everything there? */
static bool check_end(reader *r)
{
    if (r->in_block) {
        return sched_goal_text_fail_at(&r->text, r->opened,
                                       "block without '}'; is the file cut short?");
    }
    if (!r->has_num_ranks) {
        return sched_goal_text_fail(&r->text, "'num_ranks' is missing");
    }
    if (r->text.strict && r->next_rank != r->num_ranks) {
        g_set_error(r->text.error, SCHED_ERROR, SCHED_ERROR_INCOMPLETE,
                    "%s: rank %u of %u has no block; is the file cut short?", r->text.name,
                    r->next_rank, r->num_ranks);
        return false;
    }
    if (r->builder == NULL) {
        r->builder = sim_graph_builder_new(r->num_ranks);
    }
    return true;
}

sim_graph *sched_goal_text_read(const char *name, const char *data, size_t len, bool strict,
                                GError **error)
{
    g_autoptr(GError) cause = NULL;
    reader r = {.text = {.scan = {data, data + len},
                         .name = name,
                         .data = data,
                         .strict = strict,
                         .error = &cause},
                .block = sched_goal_block_new()};
    bool ok = sched_goal_text_skip_filler(&r.text);
    while (ok && r.text.scan.at < r.text.scan.end) {
        ok = read_statement(&r) && sched_goal_text_skip_filler(&r.text);
    }
    ok = ok && check_end(&r);
    sim_graph *graph = NULL;
    if (ok) {
        graph = sim_graph_builder_finish(g_steal_pointer(&r.builder), &cause);
        if (graph == NULL) {
            g_prefix_error(&cause, "%s: ", name);
        }
    }
    sim_graph_builder_free(r.builder);
    sched_goal_block_free(r.block);
    g_free(r.met);
    if (cause != NULL) {
        g_propagate_error(error, g_steal_pointer(&cause));
    }
    return graph;
}
