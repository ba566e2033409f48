/* apps/ripple/detection/call_script.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_simulated_calls. */
#include "detection/call_script.h"

#include "view/rank_ops.h"

/* Operations come in an order in which they can be done; calls are numbered in that of the
 * program. */
typedef struct writing {
    app_call_script *script;
    app_op_symbol *symbol_of;
    void *data;
    uint32_t rank;
    GArray *symbols; /* of uint64_t: what each operation of the rank is */
} writing;

static void take_op(uint32_t index, const sim_op *op, void *user)
{
    const writing *w = user;
    if (index >= w->symbols->len) {
        g_array_set_size(w->symbols, index + 1);
    }
    g_array_index(w->symbols, uint64_t, index) = w->symbol_of(w->data, w->rank, index, op);
}

/* What is known of the operations of a rank becomes its script. */
static void finish_rank(const writing *w)
{
    app_rank_script *s = &w->script->rank[w->rank];
    s->num_ops = w->symbols->len;
    s->part = g_new(uint32_t, s->num_ops + 1);
    for (size_t i = 0; i < s->num_ops; i++) {
        s->num_calls += g_array_index(w->symbols, uint64_t, i) > APP_CALL_GOES_ON;
    }
    s->symbol = g_new(uint64_t, s->num_calls + 1);
    uint32_t k = 0;
    for (size_t i = 0; i < s->num_ops; i++) {
        const uint64_t symbol = g_array_index(w->symbols, uint64_t, i);
        if (symbol > APP_CALL_GOES_ON) {
            s->symbol[k] = symbol;
            s->part[i] = k++ | APP_PART_BEGINS;
        } else {
            s->part[i] = symbol == APP_CALL_COMPUTES ? k : APP_PART_NONE;
        }
    }
}

static void begin_rank(uint32_t rank, void *user)
{
    writing *w = user;
    if (rank > 0) {
        finish_rank(w);
    }
    w->rank = rank;
    g_array_set_size(w->symbols, 0);
}

/* What operations are where nobody says: a call to send, a call to receive. */
typedef struct plain {
    app_call_script *script;
    noise_match match;
    noise_event_function send;
    noise_event_function receive;
} plain;

static uint64_t plain_symbol(void *data, uint32_t rank, uint32_t index, const sim_op *op)
{
    (void)index;
    const plain *p = data;
    if (op->type == SIM_OP_CALC) {
        return APP_CALL_COMPUTES;
    }
    const noise_event_function *f = op->type == SIM_OP_SEND ? &p->send : &p->receive;
    const noise_call_peer peer = {
        .kind = op->peer == SIM_ANY ? NOISE_PEER_ANY : NOISE_PEER_RANK,
        .number = op->peer == SIM_ANY ? 0 : op->peer,
        .own = rank,
        .size = p->script->num_ranks,
    };
    const uint64_t symbol = noise_call_symbol(f, p->match, &peer);
    if (!g_hash_table_contains(p->script->names, &symbol)) {
        char name[NOISE_CALL_SYMBOL_BYTES];
        noise_call_symbol_name(f, p->match, &peer, name);
        app_call_script_name(p->script, symbol, name);
    }
    return symbol;
}

app_call_script *app_call_script_empty(uint32_t num_ranks)
{
    app_call_script *s = g_new0(app_call_script, 1);
    s->num_ranks = num_ranks;
    s->rank = g_new0(app_rank_script, (gsize)num_ranks + 1);
    s->names = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    s->anchors = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    return s;
}

app_call_script *app_call_script_new(const sim_program *program, app_op_symbol *symbol_of,
                                     void *data, noise_match match)
{
    app_call_script *s = app_call_script_empty(program->num_ranks);
    plain p = {s, match, noise_event_function_of(APP_CALL_SEND),
               noise_event_function_of(APP_CALL_RECEIVE)};
    g_autoptr(GArray) symbols = g_array_new(FALSE, TRUE, sizeof(uint64_t));
    writing w = {s, symbol_of != NULL ? symbol_of : plain_symbol, symbol_of != NULL ? data : &p, 0,
                 symbols};
    app_ranks_ops_visit(program, begin_rank, take_op, &w);
    finish_rank(&w);
    return s;
}

void app_call_script_name(app_call_script *s, uint64_t symbol, const char *name)
{
    g_hash_table_insert(s->names, g_memdup2(&symbol, sizeof symbol), g_strdup(name));
}

void app_call_script_anchor(app_call_script *s, uint64_t symbol)
{
    g_hash_table_add(s->anchors, g_memdup2(&symbol, sizeof symbol));
}

void app_call_script_free(app_call_script *s)
{
    if (s != NULL) {
        for (uint32_t r = 0; r < s->num_ranks; r++) {
            g_free(s->rank[r].part);
            g_free(s->rank[r].symbol);
            g_free(s->rank[r].base);
            g_free(s->rank[r].anchor);
        }
        g_free(s->rank);
        g_hash_table_unref(s->names);
        g_hash_table_unref(s->anchors);
        g_free(s);
    }
}
