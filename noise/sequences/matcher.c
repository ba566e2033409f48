/* noise/sequences/matcher.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Of as many calls as the longest sequence has, a ring remembers where their computations began,
 * what was computed, and off the CPU, before them, and whether an occurrence has taken them in. So
 * what a partial match is cut down to need not be summed again.
 */
#include "sequences/sequences_private.h"

#include <stdlib.h>

enum { ANCHOR_SHIFT = 20 };

typedef struct past_call {
    sim_time before; /* the sum of all computations before this one, */
    sim_time off;    /* and of the time off the CPU in them */
    sim_time begin;  /* of this one */
    sim_time compute;
} past_call;

/* What is known of a sequence. */
typedef struct progress {
    uint32_t matched;   /* its first symbols */
    uint64_t count;     /* occurrences, */
    uint64_t anchor;    /* and the anchors before the latest of them; */
    uint64_t in_anchor; /* occurrences since then */
} progress;

struct noise_matcher {
    const noise_sequences *set;
    uint64_t calls, covered, anchors;
    sim_time computed; /* by all calls so far */
    sim_time off;      /* of it, off the CPU */
    uint64_t has_cpu;  /* so many calls in a row, up to the latest, know their CPU time */
    sim_time covered_work;
    uint32_t at; /* the next place in the ring */
    uint32_t size;
    past_call *past;     /* [size] */
    uint8_t *is_covered; /* [size] */
    progress progress[];
};

static uint64_t bytes_of(const noise_sequences *set)
{
    return sizeof(noise_matcher) + set->num * sizeof(progress) +
           (uint64_t)set->longest * (sizeof(past_call) + sizeof(uint8_t));
}

noise_matcher *noise_matcher_new(const noise_sequences *set)
{
    noise_matcher *m = calloc(1, bytes_of(set));
    if (m != NULL) {
        m->set = set;
        m->size = set->longest;
        m->past = (past_call *)&m->progress[set->num];
        m->is_covered = (uint8_t *)(m->past + m->size);
    }
    return m;
}

void noise_matcher_free(noise_matcher *m)
{
    free(m);
}

/* Take the latest @p num calls in. */
static void cover_range(noise_matcher *m, uint32_t begin, uint32_t num)
{
    for (uint32_t i = begin; i < begin + num; i++) {
        const uint8_t is_new = !m->is_covered[i];
        m->covered += is_new;
        m->covered_work += is_new * m->past[i].compute;
        m->is_covered[i] = 1;
    }
}

static void cover(noise_matcher *m, uint32_t begin, uint32_t num)
{
    const uint32_t to_end = m->size - begin;
    cover_range(m, begin, num < to_end ? num : to_end);
    if (num > to_end) {
        cover_range(m, 0, num - to_end);
    }
}

/* The number of an occurrence that has just ended. @return false: it has none */
static bool number_of(const noise_matcher *m, progress *p, bool misaligned, uint64_t *t)
{
    *t = p->count++;
    if (!misaligned) {
        return true;
    }
    if (p->anchor != m->anchors) {
        p->anchor = m->anchors;
        p->in_anchor = 0;
    }
    *t = m->anchors << ANCHOR_SHIFT | p->in_anchor;
    return p->in_anchor++ < 1U << ANCHOR_SHIFT;
}

/* Clocks are coarse. */
static sim_time off_of(sim_time off, sim_time compute)
{
    return off < 0 ? 0 : off < compute ? off : compute;
}

uint32_t noise_matcher_take(noise_matcher *m, const noise_sequence_call *call, noise_sample *out)
{
    const noise_sequences *set = m->set;
    const sim_time before = m->computed;
    const sim_time off = m->off;
    m->calls++;
    m->computed += call->compute;
    m->off += call->off;
    m->has_cpu = call->has_cpu ? m->has_cpu + 1 : 0;
    if (set->num == 0) {
        return 0;
    }
    const uint32_t here = m->at;
    m->past[here] = (past_call){before, off, call->entered - call->compute, call->compute};
    m->is_covered[here] = 0;
    m->at = here + 1 < m->size ? here + 1 : 0;
    uint32_t n = 0;
    for (uint32_t l = 0; l < set->num; l++) {
        const noise_sequence *s = &set->sequence[l];
        progress *p = &m->progress[l];
        p->matched = sequence_step(s, set->fallback[l], p->matched, call->symbol);
        if (p->matched == s->length) {
            const uint32_t back = s->length - 1;
            const uint32_t first = here >= back ? here - back : here + m->size - back;
            const past_call *begin = &m->past[first];
            p->matched = 0;
            cover(m, first, s->length);
            out[n] = (noise_sample){.sequence = l,
                                    .compute = m->computed - begin->before,
                                    .begin = begin->begin,
                                    .end = call->entered,
                                    .has_cpu = m->has_cpu >= s->length};
            out[n].off = out[n].has_cpu ? off_of(m->off - begin->off, out[n].compute) : 0;
            n += number_of(m, p, s->misaligned, &out[n].t);
        }
    }
    m->anchors += call->anchor;
    return n;
}

void noise_matcher_break(noise_matcher *m)
{
    for (uint32_t l = 0; l < m->set->num; l++) {
        m->progress[l].matched = 0;
    }
}

uint64_t noise_matcher_calls(const noise_matcher *m)
{
    return m->calls;
}

uint64_t noise_matcher_covered(const noise_matcher *m)
{
    return m->covered;
}

sim_time noise_matcher_work(const noise_matcher *m)
{
    return m->computed;
}

sim_time noise_matcher_covered_work(const noise_matcher *m)
{
    return m->covered_work;
}

uint64_t noise_matcher_bytes(const noise_matcher *m)
{
    return bytes_of(m->set);
}
