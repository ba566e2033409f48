/* schedgen/regrid/regrid_record.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid, test_regrid_refused. */
#include "regrid/regrid_private.h"

#include <string.h>
#include <xxhash.h>

static bool counts_differ(const int64_t *counts, uint32_t n)
{
    for (uint32_t i = 1; counts != NULL && i < n; i++) {
        if (counts[i] != counts[0]) {
            return true;
        }
    }
    return false;
}

static int64_t digest_counts(const int64_t *counts, uint32_t n)
{
    return counts != NULL ? (int64_t)XXH3_64bits(counts, n * sizeof *counts) : 0;
}

/* Where all ranks give the same list, it goes round: rank i has count i modulo its length. Then
 * what a rank gives of its own is in there. */
static regrid_coll take_collective(const conv_coll *coll, const conv_step *step, uint32_t name)
{
    const coll_call *call = &coll->call;
    const bool listed = call->num_counts > 0 && coll_kind_counts_agree(call->kind);
    const coll_kind_class *traits = &coll_kind_table[call->kind];
    const int64_t words[] = {(int64_t)call->kind,
                             listed ? 0 : call->bytes,
                             call->in_place,
                             step->slot != CONV_NONE,
                             digest_counts(call->send_counts, call->num_counts),
                             digest_counts(call->recv_counts, call->num_counts)};
    return (regrid_coll){.what = XXH3_64bits(words, sizeof words),
                         .comm = coll->comm / 2,
                         .root = call->root,
                         .name = name,
                         .kind = (uint8_t)call->kind,
                         .uneven = !listed && (counts_differ(call->send_counts, call->num_counts) ||
                                               counts_differ(call->recv_counts, call->num_counts)),
                         .root_counts = traits->send_counts == COLL_COUNTS_ROOT ||
                                        traits->recv_counts == COLL_COUNTS_ROOT};
}

uint32_t sched_regrid_name_at(sched_walk *walk, uint32_t index, uint32_t *name)
{
    const sched_call *call = NULL;
    while (walk->next <= index && (call = sched_walk_next(walk)) != NULL) {
        *name = call->name;
    }
    return *name;
}

static void clear_ranks(regrid_record *record)
{
    for (uint32_t r = 0; r < record->trace->num_ranks; r++) {
        g_free(record->ranks[r].items);
        g_free(record->ranks[r].colls);
        record->ranks[r] = (regrid_rank){0};
    }
    record->messages = 0;
    record->bytes = 0;
    record->collectives = 0;
}

/* The steps of the template that matter here. */
static void take(void *data, uint32_t rank, const conv_template *template)
{
    regrid_record *record = data;
    if (rank == 0) {
        clear_ranks(record);
    }
    GArray *items = g_array_new(FALSE, FALSE, sizeof(regrid_item));
    GArray *colls = g_array_new(FALSE, FALSE, sizeof(regrid_coll));
    sched_walk walk;
    uint32_t last = 0;
    sched_walk_begin(&walk, &record->trace->ranks[rank]);
    for (guint i = 0; i < template->steps->len; i++) {
        const conv_step *step = &g_array_index(template->steps, conv_step, i);
        const uint32_t name = sched_regrid_name_at(&walk, step->call, &last);
        if (step->type == CONV_COLL) {
            const regrid_coll coll = take_collective(
                &g_array_index(template->colls, conv_coll, (guint)step->size), step, name);
            record->used[coll.comm] = true;
            g_array_append_val(colls, coll);
        } else if (conv_step_is_message(step)) {
            const bool is_recv = conv_step_op(step, 0).type == SIM_OP_RECV;
            const regrid_item item = {.bytes = is_recv ? 0 : step->size,
                                      .peer = step->peer,
                                      .tag = step->tag,
                                      .comm = step->comm / 2,
                                      .name = name,
                                      .call = step->call,
                                      .is_recv = is_recv};
            record->used[item.comm] = true;
            record->messages += !is_recv;
            record->bytes += (uint64_t)item.bytes;
            g_array_append_val(items, item);
        }
    }
    sched_walk_end(&walk);
    record->collectives += colls->len;
    regrid_rank *out = &record->ranks[rank];
    out->num_items = items->len;
    out->num_colls = colls->len;
    out->items = (regrid_item *)(void *)g_array_free(items, FALSE);
    out->colls = (regrid_coll *)(void *)g_array_free(colls, FALSE);
}

static bool fill(const conv_context *context, regrid_take *taken, void *data, GError **error)
{
    conv_template template = sched_convert_template_new();
    bool ok = true;
    for (uint32_t r = 0; ok && r < context->trace->num_ranks; r++) {
        ok = sched_convert_template_fill(&template, context, r, error);
        if (ok) {
            taken(data, r, &template);
        }
    }
    sched_convert_template_clear(&template);
    return ok && sched_convert_finish(context, error);
}

void sched_regrid_record_connect(regrid_record *record)
{
    const uint32_t n = record->trace->num_ranks;
    GArray *edges = g_array_new(FALSE, FALSE, sizeof(regrid_edge));
    g_autofree uint64_t *to = g_new0(uint64_t, n);
    for (uint32_t r = 0; r < n; r++) {
        for (uint32_t i = 0; i < record->ranks[r].num_items; i++) {
            const regrid_item *item = &record->ranks[r].items[i];
            if (!item->is_recv) {
                to[item->peer]++;
            }
        }
        for (uint32_t p = 0; p < n; p++) {
            if (to[p] > 0) {
                const regrid_edge edge = {.messages = to[p], .from = r, .to = p};
                g_array_append_val(edges, edge);
                to[p] = 0;
            }
        }
    }
    record->num_edges = edges->len;
    record->edges = (regrid_edge *)(void *)g_array_free(edges, FALSE);
}

bool sched_regrid_templates_take(const sched_trace *trace, const sched_convert_options *options,
                                 regrid_take *taken, void *data, GError **error)
{
    sched_convert_options alone = *options;
    sched_convert_report report = {0};
    conv_context context;
    alone.copies = 1;
    alone.repeat = 1;
    alone.growth = NULL;
    alone.calls = NULL;
    alone.resample = false;
    const bool ok = sched_convert_open(&context, trace, &alone, &report, error) &&
                    (fill(&context, taken, data, error) ||
                     (sched_convert_again(&context, error) && fill(&context, taken, data, error)));
    sched_convert_close(&context);
    sched_convert_report_clear(&report);
    return ok;
}

bool sched_regrid_record_init(regrid_record *record, const sched_trace *trace,
                              const sched_convert_options *options, GError **error)
{
    *record = (regrid_record){.trace = trace};
    record->ranks = g_new0(regrid_rank, trace->num_ranks);
    record->used = g_new0(bool, trace->num_comms);
    const bool ok = sched_regrid_templates_take(trace, options, take, record, error);
    if (ok) {
        sched_regrid_record_connect(record);
    }
    return ok;
}

void sched_regrid_record_clear(regrid_record *record)
{
    clear_ranks(record);
    g_free(record->ranks);
    g_free(record->edges);
    g_free(record->used);
}

const char *sched_regrid_record_name(const regrid_record *record, uint32_t name)
{
    return g_ptr_array_index(record->trace->names, name);
}
