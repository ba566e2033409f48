/* sim/graph/graph_dictionary.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_graph_forms. */
#include "graph/graph_dictionary.h"

#include <string.h>

#define FIRST_SLOTS 256
/* An entry is worth it if so many operations refer to it: it takes about three times as much. */
#define OPS_PER_ENTRY 4

static graph_segment *segment_of(const graph_dictionary_builder *d)
{
    return (graph_segment *)d->graph->segment.at + d->graph->segment.n - 1;
}

static void index_reset(graph_index *index, uint32_t num_slots)
{
    g_free(index->slot);
    index->slot = g_new0(uint32_t, num_slots);
    index->mask = num_slots - 1;
}

void sim_graph_dictionary_init(graph_dictionary_builder *d, sim_graph *graph)
{
    *d = (graph_dictionary_builder){.graph = graph};
    (void)sim_graph_dictionary_renew(d);
}

void sim_graph_dictionary_clear(graph_dictionary_builder *d)
{
    g_free(d->descs.slot);
    g_free(d->shapes.slot);
}

bool sim_graph_dictionary_renew(graph_dictionary_builder *d)
{
    sim_graph *graph = d->graph;
    if (graph->segment.n > UINT16_MAX) {
        return false;
    }
    graph_segment *segment = sim_graph_table_add(&graph->segment, 1, sizeof(graph_segment));
    *segment =
        (graph_segment){.desc = graph->desc.n, .shape = graph->shape.n, .step = graph->step.n};
    index_reset(&d->descs, FIRST_SLOTS);
    index_reset(&d->shapes, FIRST_SLOTS);
    memset(d->num_ops, 0, sizeof d->num_ops);
    return true;
}

bool sim_graph_dictionary_pays(const graph_dictionary_builder *d, graph_form form)
{
    const graph_segment *s = segment_of(d);
    return d->num_ops[form] / OPS_PER_ENTRY >= (uint64_t)s->num_descs + s->num_shapes;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static graph_desc_key packed(const sim_op *op)
{
    return (graph_desc_key){op->size, (uint64_t)op->tag << 32 | op->peer, sim_graph_op_rest(op)};
}

static bool same_desc(const sim_op *op, const graph_desc_key *key)
{
    const graph_desc_key other = packed(op);
    return other.size == key->size && other.tag_peer == key->tag_peer && other.rest == key->rest;
}

static uint64_t hash_desc(const graph_desc_key *key)
{
    return mix(mix(mix(0, (uint64_t)key->size), key->tag_peer), key->rest);
}

static uint64_t hash_shape(const graph_shape_key *key)
{
    uint64_t hash = mix((uint64_t)key->waits << 32 | key->num_finish, key->num_start);
    for (uint32_t i = 0; i < key->num_finish + key->num_start; i++) {
        hash = mix(hash, key->steps[i]);
    }
    return hash;
}

static graph_shape_key key_of(const graph_dictionary_builder *d, const graph_shape *shape)
{
    const uint32_t *steps = (const uint32_t *)d->graph->step.at + segment_of(d)->step;
    return (graph_shape_key){.waits = shape->waits,
                             .num_finish = shape->middle - shape->begin,
                             .num_start = shape->end - shape->middle,
                             .steps = steps + shape->begin};
}

static const sim_op *desc_at(const graph_dictionary_builder *d, uint32_t entry)
{
    return (const sim_op *)d->graph->desc.at + segment_of(d)->desc + entry;
}

static const graph_shape *shape_at(const graph_dictionary_builder *d, uint32_t entry)
{
    return (const graph_shape *)d->graph->shape.at + segment_of(d)->shape + entry;
}

static uint64_t hash_desc_entry(const graph_dictionary_builder *d, uint32_t entry)
{
    const graph_desc_key key = packed(desc_at(d, entry));
    return hash_desc(&key);
}

static uint64_t hash_shape_entry(const graph_dictionary_builder *d, uint32_t entry)
{
    const graph_shape_key key = key_of(d, shape_at(d, entry));
    return hash_shape(&key);
}

typedef uint64_t hash_entry(const graph_dictionary_builder *d, uint32_t entry);

/* The next entry goes into the free slot @p at; there are @p n before it. Half of them stay free.
 */
static void index_add(const graph_dictionary_builder *d, graph_index *index, uint32_t at,
                      uint32_t n, hash_entry *hash)
{
    index->slot[at] = n + 1;
    if (2 * (n + 1) <= index->mask) {
        return;
    }
    index_reset(index, 2 * (index->mask + 1));
    for (uint32_t entry = 0; entry <= n; entry++) { /* in order: see undoing */
        uint32_t i = (uint32_t)hash(d, entry) & index->mask;
        while (index->slot[i] != 0) {
            i = (i + 1) & index->mask;
        }
        index->slot[i] = entry + 1;
    }
}

uint32_t sim_graph_dictionary_desc(graph_dictionary_builder *d, const graph_desc_key *key,
                                   uint32_t guess, uint32_t limit)
{
    const uint32_t n = segment_of(d)->num_descs;
    if (guess < n && same_desc(desc_at(d, guess), key)) {
        return guess;
    }
    uint32_t i = (uint32_t)hash_desc(key) & d->descs.mask;
    for (; d->descs.slot[i] != 0; i = (i + 1) & d->descs.mask) {
        if (same_desc(desc_at(d, d->descs.slot[i] - 1), key)) {
            return d->descs.slot[i] - 1;
        }
    }
    if (n >= limit) {
        return GRAPH_MAX_ENTRIES;
    }
    sim_op *desc = sim_graph_table_add(&d->graph->desc, 1, sizeof *desc);
    memset(desc, 0, sizeof *desc); /* between the members, which a file has as well */
    desc->size = key->size;
    desc->peer = (uint32_t)key->tag_peer;
    desc->tag = (uint32_t)(key->tag_peer >> 32);
    desc->comm = (uint32_t)key->rest;
    desc->type = (uint8_t)(key->rest >> 48);
    desc->cpu = (uint8_t)(key->rest >> 40);
    desc->nic = (uint8_t)(key->rest >> 32);
    segment_of(d)->num_descs++;
    index_add(d, &d->descs, i, n, hash_desc_entry);
    return n;
}

/* One after the other: there are one or two, mostly. */
static bool is_shape(const graph_dictionary_builder *d, uint32_t entry, const graph_shape_key *key)
{
    const graph_shape_key other = key_of(d, shape_at(d, entry));
    bool same = other.waits == key->waits && other.num_finish == key->num_finish &&
                other.num_start == key->num_start;
    for (uint32_t i = 0; same && i < key->num_finish + key->num_start; i++) {
        same = other.steps[i] == key->steps[i];
    }
    return same;
}

uint32_t sim_graph_dictionary_shape(graph_dictionary_builder *d, const graph_shape_key *key)
{
    sim_graph *graph = d->graph;
    uint32_t i = (uint32_t)hash_shape(key) & d->shapes.mask;
    for (; d->shapes.slot[i] != 0; i = (i + 1) & d->shapes.mask) {
        if (is_shape(d, d->shapes.slot[i] - 1, key)) {
            return d->shapes.slot[i] - 1;
        }
    }
    const uint32_t n = segment_of(d)->num_shapes;
    const uint32_t num_steps = key->num_finish + key->num_start;
    const uint64_t begin = graph->step.n - segment_of(d)->step;
    if (n == GRAPH_MAX_ENTRIES || begin + num_steps > UINT32_MAX) {
        return GRAPH_MAX_ENTRIES;
    }
    uint32_t *steps = sim_graph_table_add(&graph->step, num_steps, sizeof *steps);
    for (uint32_t k = 0; k < num_steps; k++) {
        steps[k] = key->steps[k];
    }
    graph_shape *shape = sim_graph_table_add(&graph->shape, 1, sizeof *shape);
    *shape = (graph_shape){.waits = key->waits,
                           .begin = (uint32_t)begin,
                           .middle = (uint32_t)begin + key->num_finish,
                           .end = (uint32_t)begin + num_steps};
    segment_of(d)->num_shapes++;
    index_add(d, &d->shapes, i, n, hash_shape_entry);
    return n;
}

graph_dictionary_mark sim_graph_dictionary_mark(const graph_dictionary_builder *d)
{
    return (graph_dictionary_mark){.num_descs = segment_of(d)->num_descs,
                                   .num_shapes = segment_of(d)->num_shapes,
                                   .num_steps = d->graph->step.n};
}

/* From the last to the first: then no entry is behind a slot that becomes free. */
static void index_undo(const graph_dictionary_builder *d, graph_index *index, uint32_t from,
                       uint32_t to, hash_entry *hash)
{
    for (uint32_t entry = from; entry-- > to;) {
        uint32_t i = (uint32_t)hash(d, entry) & index->mask;
        while (index->slot[i] != entry + 1) {
            i = (i + 1) & index->mask;
        }
        index->slot[i] = 0;
    }
}

void sim_graph_dictionary_undo(graph_dictionary_builder *d, const graph_dictionary_mark *mark)
{
    graph_segment *segment = segment_of(d);
    index_undo(d, &d->descs, segment->num_descs, mark->num_descs, hash_desc_entry);
    index_undo(d, &d->shapes, segment->num_shapes, mark->num_shapes, hash_shape_entry);
    d->graph->desc.n -= segment->num_descs - mark->num_descs;
    d->graph->shape.n -= segment->num_shapes - mark->num_shapes;
    d->graph->step.n = mark->num_steps;
    segment->num_descs = mark->num_descs;
    segment->num_shapes = mark->num_shapes;
}
