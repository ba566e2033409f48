/* schedgen/goal/goal_text_read.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * GOAL text, docs/goal.md, sections 1 and 2: the union of dialects, or, if strict, what the
 * reference converter takes. Decisions the text of the dialects leaves open:
 * - a label that is defined twice belongs to its first operation, as in the reference;
 * - operations outside a rank block, and a second block of a rank, are refused;
 * - num_ranks comes before the first block.
 */
#include "goal/goal_block.h"
#include "goal/goal_scan.h"
#include "goal/goal_text_fast.h"

typedef struct reader {
    goal_scan scan;
    const char *name;
    const char *data;
    bool strict;
    bool in_block;
    bool has_num_ranks;
    uint32_t num_ranks;
    uint32_t rank;      /* of the block that is open, or was last */
    uint32_t next_rank; /* strict: of the block that must come next */
    const char *opened; /* where the block begins */
    uint8_t *met;       /* [num_ranks] there was a block; NULL before the first one */
    sim_graph_builder *builder;
    goal_block *block;
    GError **error;
} reader;

static const char *const PORTALS[] = {"put",  "get",     "append", "tput",
                                      "tget", "tappend", "test",   "calcgem5"};

static uint64_t line_of(const reader *r, const char *at)
{
    uint64_t line = 1;
    for (const char *p = r->data; p < at; p++) {
        line += *p == '\n';
    }
    return line;
}

/* What stands at a place, for a message: up to the end of the line, printable. Owned. */
static char *excerpt(const reader *r, const char *at)
{
    const char *end = at;
    while (end < r->scan.end && *end != '\n' && *end != '\r' && end - at < 40) {
        end++;
    }
    if (end == at) {
        return g_strdup(at == r->scan.end ? "end of file" : "end of line");
    }
    g_autofree char *valid = g_utf8_make_valid(at, end - at);
    for (char *c = valid; *c != '\0'; c++) {
        *c = g_ascii_iscntrl(*c) ? '?' : *c;
    }
    return g_strdup(g_strchomp(valid));
}

/* Always false. The first error stays. */
static bool fail_at(const reader *r, const char *at, const char *what)
{
    if (*r->error != NULL) {
        return false;
    }
    g_autofree char *text = excerpt(r, at);
    g_set_error(r->error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s:%" G_GUINT64_FORMAT ": %s: «%s»",
                r->name, line_of(r, at), what, text);
    return false;
}

static bool fail(const reader *r, const char *what)
{
    return fail_at(r, r->scan.at, what);
}

/* The scan stands on a slash. @return false if it is no comment, or one without end (an error) */
static bool skip_comment(reader *r)
{
    goal_scan *scan = &r->scan;
    if (goal_scan_word(scan, "//", 2)) {
        const char *newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
        scan->at = newline != NULL ? newline : scan->end;
        return true;
    }
    const char *begin = scan->at;
    if (!goal_scan_word(scan, "/*", 2)) {
        return fail(r, "neither a statement nor a comment");
    }
    for (;;) {
        const char *star = memchr(scan->at, '*', (size_t)(scan->end - scan->at));
        if (star == NULL || star + 1 == scan->end) {
            return fail_at(r, begin, "comment without end");
        }
        scan->at = star + 1;
        if (goal_scan_char(scan, '/')) {
            return true;
        }
    }
}

/* Go to the next statement: past blanks, line ends and comments. */
static bool skip_filler(reader *r)
{
    goal_scan *scan = &r->scan;
    while (scan->at < scan->end) {
        const char *before = scan->at;
        goal_scan_blanks(scan);
        if (goal_scan_newline(scan)) {
            continue;
        }
        if (r->strict && scan->at > before && scan->at < scan->end) {
            return fail_at(r, before, "indented (the reference converter misreads it)");
        }
        if (scan->at == scan->end || *scan->at != '/') {
            return true;
        }
        if (!skip_comment(r)) {
            return false;
        }
    }
    return true;
}

/* Blanks within a statement; a comment without end is reported and ends the scan. */
static void skip_blanks(reader *r)
{
    goal_scan_blanks(&r->scan);
    while (!r->strict && r->scan.end - r->scan.at >= 2 && memcmp(r->scan.at, "/*", 2) == 0) {
        if (!skip_comment(r)) {
            return;
        }
        goal_scan_blanks(&r->scan);
    }
}

static bool end_statement(reader *r)
{
    goal_scan_blanks(&r->scan);
    if (!r->strict && r->scan.at < r->scan.end && *r->scan.at == '/') {
        if (!skip_comment(r)) {
            return false;
        }
        return true; /* what follows a block comment may as well be the next statement */
    }
    return r->scan.at == r->scan.end || goal_scan_newline(&r->scan) ||
           fail(r, "the statement should end here");
}

static bool read_number(reader *r, uint64_t max, const char *what, uint64_t *out)
{
    skip_blanks(r);
    const char *at = r->scan.at;
    bool fits;
    if (!goal_scan_number(&r->scan, out, &fits)) {
        return fail(r, what);
    }
    if (!fits || *out > max) {
        g_autofree char *message = g_strconcat(what, " is out of range", NULL);
        return fail_at(r, at, message);
    }
    return true;
}

static bool read_peer(reader *r, sim_op *op)
{
    const char *word = op->type == SIM_OP_SEND ? "to" : "from";
    skip_blanks(r);
    if (!goal_scan_word(&r->scan, word, strlen(word))) {
        return fail(r, op->type == SIM_OP_SEND ? "«to» is missing" : "«from» is missing");
    }
    skip_blanks(r);
    if (op->type == SIM_OP_RECV && goal_scan_word(&r->scan, "-1", 2)) {
        op->peer = SIM_ANY;
        return true;
    }
    const char *at = r->scan.at;
    uint64_t peer;
    if (!read_number(r, UINT64_MAX, "rank of the peer", &peer)) {
        return false;
    }
    if (peer >= r->num_ranks) {
        return fail_at(r, at, "peer is not one of the ranks");
    }
    op->peer = (uint32_t)peer;
    return true;
}

static bool read_tag(reader *r, sim_op *op)
{
    skip_blanks(r);
    if (!goal_scan_word(&r->scan, "tag", 3)) {
        return true;
    }
    skip_blanks(r);
    if (goal_scan_word(&r->scan, "-1", 2)) {
        op->tag = SIM_ANY;
        return true;
    }
    uint64_t tag;
    if (!read_number(r, UINT64_MAX, "tag", &tag)) {
        return false;
    }
    op->tag = (uint32_t)tag; /* mod 2^32: 2^64 - 1 is how Schedgen writes "any" */
    return true;
}

static bool read_index(reader *r, const char *word, const char *what, uint8_t *out)
{
    skip_blanks(r);
    if (!goal_scan_word(&r->scan, word, 3)) {
        return true;
    }
    uint64_t index;
    if (!read_number(r, GOAL_MAX_INDEX, what, &index)) {
        return false;
    }
    *out = (uint8_t)index;
    return true;
}

static bool read_message(reader *r, sim_op *op)
{
    uint64_t size;
    if (!read_number(r, INT64_MAX, "size", &size)) {
        return false;
    }
    op->size = (int64_t)size;
    skip_blanks(r);
    if (!goal_scan_char(&r->scan, 'b')) {
        return fail(r, "the size should be followed by «b»");
    }
    return read_peer(r, op) && read_tag(r, op) && read_index(r, "cpu", "cpu", &op->cpu) &&
           read_index(r, "nic", "nic", &op->nic);
}

static bool read_calc(reader *r, sim_op *op)
{
    uint64_t ns;
    if (!read_number(r, GOAL_MAX_NS, "duration in ns", &ns)) {
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
            (void)fail_at(r, word->text, "Portals operation not supported");
            (*r->error)->code = SCHED_ERROR_UNSUPPORTED;
            return false;
        }
    }
    return fail_at(r, word->text, "not an operation (send, recv or calc)");
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
        return fail_at(r, statement, "operation outside a rank block");
    }
    sim_op op = {.type = (uint8_t)type};
    if (!(type == SIM_OP_CALC ? read_calc(r, &op) : read_message(r, &op)) || !end_statement(r)) {
        return false;
    }
    const uint32_t index = r->block->num_ops;
    if (index == SIM_ANY) {
        return fail_at(r, statement, "more than 4294967294 operations in a rank");
    }
    goal_block_add(r->block, label, statement);
    (void)sim_graph_builder_add(r->builder, &op);
    if (label != NULL && label->number != index + 1) {
        sim_graph_builder_name(r->builder, label->text, label->len);
    }
    return true;
}

static bool read_dependency(reader *r, const goal_label *later)
{
    const char *at = r->scan.at;
    const bool start = goal_scan_char(&r->scan, 'i');
    if (!goal_scan_word(&r->scan, "requires", 8)) {
        return fail_at(r, at, "the label should be followed by «:», «requires» or «irequires»");
    }
    if (!r->in_block) {
        return fail_at(r, later->text, "dependency outside a rank block");
    }
    skip_blanks(r);
    goal_label earlier;
    if (!goal_scan_label(&r->scan, &earlier)) {
        return fail(r, "not a label");
    }
    if (!end_statement(r)) {
        return false;
    }
    goal_block_depend(r->block, later, &earlier, start);
    if (r->strict) { /* the reference looks no further than here */
        const goal_label *open = goal_block_resolve(r->block);
        return open == NULL || fail_at(r, open->text, "label is not defined above");
    }
    return true;
}

static bool read_num_ranks(reader *r)
{
    const char *at = r->scan.at;
    uint64_t n;
    if (!read_number(r, SIM_ANY - 1, "number of ranks", &n)) {
        return false;
    }
    const uint64_t described = (uint64_t)(r->scan.end - r->data) / 8; /* "rank 0{}" */
    if (n == 0 || n > MAX(described, GOAL_MAX_SILENT_RANKS)) {
        return fail_at(r, at, "number of ranks is 0, or more than the file can hold");
    }
    if (r->builder != NULL && n != r->num_ranks) {
        return fail_at(r, at, "number of ranks differs from the one above");
    }
    r->num_ranks = (uint32_t)n;
    r->has_num_ranks = true;
    return true;
}

static bool check_rank(reader *r, uint64_t rank, const char *at)
{
    if (!r->has_num_ranks) {
        return fail_at(r, at, "«num_ranks» must come before the first rank");
    }
    if (rank >= r->num_ranks) {
        return fail_at(r, at, "rank is not below num_ranks");
    }
    if (r->builder == NULL) {
        r->builder = sim_graph_builder_new(r->num_ranks);
        r->met = g_new0(uint8_t, r->num_ranks);
    }
    if (r->met[rank]) {
        return fail_at(r, at, "second block of this rank");
    }
    if (r->strict && rank != r->next_rank) {
        return fail_at(r, at, "blocks of ranks are not in ascending order without gaps");
    }
    return true;
}

static bool read_rank(reader *r, const goal_label *word)
{
    if (r->in_block) {
        return fail_at(r, r->opened, "block without «}»");
    }
    skip_blanks(r);
    const char *at = r->scan.at;
    uint64_t rank;
    if (!read_number(r, SIM_ANY - 1, "rank", &rank) || !check_rank(r, rank, at)) {
        return false;
    }
    skip_blanks(r);
    if (!goal_scan_char(&r->scan, '{')) {
        return fail(r, "«{» is missing");
    }
    r->in_block = true;
    r->opened = word->text;
    r->rank = (uint32_t)rank;
    r->next_rank = r->rank + 1;
    r->met[rank] = 1;
    sim_graph_builder_begin_rank(r->builder, r->rank); /* which ends the one before */
    goal_block_clear(r->block);
    return true;
}

/* A sched_describe: label and line. */
static char *describe_op(const void *context, uint32_t index)
{
    const reader *r = context;
    const char *statement = r->block->statement[index];
    goal_scan scan = {statement, r->scan.end};
    goal_label label = {0};
    const bool labelled = goal_scan_label(&scan, &label);
    goal_scan_blanks(&scan);
    const uint64_t line = line_of(r, statement);
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
    g_set_error(r->error, SCHED_ERROR, SCHED_ERROR_CYCLE,
                "%s:%" G_GUINT64_FORMAT ": dependency cycle in rank %u: %s", r->name,
                line_of(r, r->block->statement[cycle[0]]), r->rank, text);
    return false;
}

static bool close_block(reader *r)
{
    if (!r->in_block) {
        return fail_at(r, r->scan.at - 1, "«}» without a block");
    }
    const goal_label *open = goal_block_resolve(r->block);
    if (open != NULL) {
        return fail_at(r, open->text, "label is not defined in this block");
    }
    if (goal_block_may_have_cycle(r->block) && !check_cycles(r)) {
        return false;
    }
    sim_graph_builder_edges(r->builder, r->block->edge, r->block->num_edges);
    r->in_block = false;
    return true;
}

static bool read_statement(reader *r)
{
    if (r->in_block) {
        goal_fast fast = {r->builder, r->block, r->num_ranks};
        const char *next = goal_fast_read(&fast, r->scan.at, r->scan.end);
        if (next != r->scan.at) {
            r->scan.at = next;
            return true;
        }
    }
    const char *statement = r->scan.at;
    if (goal_scan_char(&r->scan, '}')) {
        return close_block(r);
    }
    goal_label word;
    if (!goal_scan_label(&r->scan, &word)) {
        return fail(r, "not a statement");
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
    skip_blanks(r);
    if (!goal_scan_char(&r->scan, ':')) {
        return read_dependency(r, &word);
    }
    skip_blanks(r);
    const int labelled = scan_op_type(&r->scan);
    if (labelled >= 0) {
        return read_op(r, labelled, &word, statement);
    }
    goal_label op;
    return goal_scan_label(&r->scan, &op) ? fail_unknown_op(r, &op) : fail(r, "not an operation");
}

/* The end of the file: is everything there? */
static bool check_end(reader *r)
{
    if (r->in_block) {
        return fail_at(r, r->opened, "block without «}»; is the file cut short?");
    }
    if (!r->has_num_ranks) {
        return fail(r, "«num_ranks» is missing");
    }
    if (r->strict && r->next_rank != r->num_ranks) {
        g_set_error(r->error, SCHED_ERROR, SCHED_ERROR_INCOMPLETE,
                    "%s: rank %u of %u has no block; is the file cut short?", r->name, r->next_rank,
                    r->num_ranks);
        return false;
    }
    if (r->builder == NULL) {
        r->builder = sim_graph_builder_new(r->num_ranks);
    }
    return true;
}

sim_graph *goal_text_read(const char *name, const char *data, size_t len, bool strict,
                          GError **error)
{
    g_autoptr(GError) cause = NULL;
    reader r = {.scan = {data, data + len},
                .name = name,
                .data = data,
                .strict = strict,
                .block = goal_block_new(),
                .error = &cause};
    bool ok = skip_filler(&r);
    while (ok && r.scan.at < r.scan.end) {
        ok = read_statement(&r) && skip_filler(&r);
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
    goal_block_free(r.block);
    g_free(r.met);
    if (cause != NULL) {
        g_propagate_error(error, g_steal_pointer(&cause));
    }
    return graph;
}
