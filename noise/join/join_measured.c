/* noise/join/join_measured.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_join_measured. */
#include "noise/join_measured.h"

#include "classes/class_switches.h"
#include "join/join_lengths.h"
#include "noise/activity.h"
#include "noise/join.h"

#include <string.h>

enum { MOST_CLASSES = 60 }; /* noise/measurement.h */

typedef struct naming {
    noise_measurement *measured;
    const noise_nit *nit;
    uint64_t named[MOST_CLASSES]; /* detours that came to a class by the watch */
    size_t *first;                /* [num_cpus] of its records in .off */
    noise_switch_record *off;     /* all detours of the scheduler, CPU after CPU */
    size_t num_off;
    size_t *detour;             /* [num_off] */
    noise_join_thread *threads; /* [num_cpus] */
} naming;

static bool is_scheduler(const noise_detour_source *class)
{
    return g_strcmp0(class->kind, "scheduler") == 0;
}

/* A thread of the process that watches? Its name says too little: others may watch as well. */
static bool is_named_like_us(const naming *w, const char *name)
{
    for (size_t t = 0; t < w->nit->num_threads; t++) {
        const noise_nit_thread *thread = &w->nit->threads[t];
        if (thread->kind == NOISE_PROGRAM_MONITOR && g_strcmp0(thread->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_to_be_named(const naming *w, const noise_detour_source *class)
{
    return is_scheduler(class) &&
           (strcmp(class->name, "other programs") == 0 ||
            strcmp(class->name, "ended programs") == 0 || is_named_like_us(w, class->name));
}

/* All detours in which others ran, so that what is known to have run in one is not laid into
 * another. */
static void collect(naming *w)
{
    const noise_measurement *m = w->measured;
    size_t n = 0;
    for (size_t c = 0; c < m->num_cpus; c++) {
        n += m->cpus[c].n;
    }
    w->off = g_new0(noise_switch_record, n + 1);
    w->detour = g_new0(size_t, n + 1);
    w->first = g_new0(size_t, m->num_cpus + 1);
    w->threads = g_new0(noise_join_thread, m->num_cpus + 1);
    size_t at = 0;
    for (size_t c = 0; c < m->num_cpus; c++) {
        const noise_measurement_cpu *cpu = &m->cpus[c];
        w->first[c] = at;
        for (size_t i = 0; i < cpu->n && cpu->class_of != NULL; i++) {
            if (!is_scheduler(&m->classes[cpu->class_of[i]])) {
                continue;
            }
            const sim_time end = cpu->start[i] + cpu->length[i];
            w->off[at] = (noise_switch_record){
                .out = (uint64_t)(cpu->begin + (int64_t)noise_class_instant(cpu, cpu->start[i])),
                .in = (uint64_t)(cpu->begin + (int64_t)noise_class_instant(cpu, end)),
                .cpu = cpu->cpu,
                .cpu_in = cpu->cpu,
                .tid = cpu->tid,
                .preempted = 1};
            w->detour[at++] = i;
        }
        w->threads[c] = (noise_join_thread){.rank = (uint32_t)c,
                                            .tid = cpu->tid,
                                            .is_main = true,
                                            .is_bound = true,
                                            .begin = (uint64_t)cpu->begin,
                                            .end = (uint64_t)cpu->end,
                                            .n = at - w->first[c],
                                            .off = w->off + w->first[c]};
    }
    w->num_off = at;
}

/* What is known by its length is exact: slices of the CPUs, and activities no more. */
typedef struct by_length {
    noise_nit nit;        /* a copy without those activities, which borrows all else */
    noise_switch *slices; /* CPU after CPU */
    noise_join_cpu *cpus; /* [num_cpus] */
} by_length;

static by_length match_lengths(const naming *w)
{
    const noise_measurement *m = w->measured;
    const size_t n = w->num_off;
    g_autofree size_t *of_off = g_new(size_t, n + 1);
    g_autofree bool *taken = g_new0(bool, w->nit->num_activities + 1);
    by_length out = {.nit = *w->nit,
                     .slices = g_new0(noise_switch, n + 1),
                     .cpus = g_new0(noise_join_cpu, m->num_cpus + 1)};
    memset(of_off, 0xff, (n + 1) * sizeof *of_off); /* SIZE_MAX */
    size_t at = 0;
    for (size_t c = 0; c < m->num_cpus; c++) {
        const noise_join_thread *t = &w->threads[c];
        const size_t first = w->first[c];
        noise_join_match_lengths(w->nit, m->cpus[c].cpu, t->tid, t->off, t->n, of_off + first);
        out.cpus[c] = (noise_join_cpu){.cpu = m->cpus[c].cpu, .slice = out.slices + at};
        for (size_t i = first; i < first + t->n; i++) {
            if (of_off[i] != SIZE_MAX) {
                const uint32_t thread = w->nit->activities[of_off[i]].thread;
                taken[of_off[i]] = true;
                out.cpus[c].n++;
                out.slices[at++] = (noise_switch){.out = w->off[i].out,
                                                  .in = w->off[i].in,
                                                  .cpu = m->cpus[c].cpu,
                                                  .cpu_in = m->cpus[c].cpu,
                                                  .next_tid = w->nit->threads[thread].tid};
            }
        }
    }
    out.nit.activities = g_new(noise_nit_activity, w->nit->num_activities + 1);
    out.nit.num_activities = 0;
    for (size_t a = 0; a < w->nit->num_activities; a++) {
        if (!taken[a]) {
            out.nit.activities[out.nit.num_activities++] = w->nit->activities[a];
        }
    }
    return out;
}

/* The class of that name; a new one if there is room. @return index, or MOST_CLASSES */
static size_t class_named(naming *w, const char *name)
{
    noise_measurement *m = w->measured;
    size_t c = 0;
    while (c < m->num_classes &&
           !(is_scheduler(&m->classes[c]) && g_strcmp0(m->classes[c].name, name) == 0)) {
        c++;
    }
    if (c == m->num_classes && c < MOST_CLASSES) {
        m->classes = g_renew(noise_detour_source, m->classes, m->num_classes + 1);
        m->classes[m->num_classes++] =
            (noise_detour_source){g_strdup(name), g_strdup("scheduler"), NULL};
    }
    return c;
}

/* Owned by the caller; no comma, which separates names elsewhere. */
static char *name_of(const noise_nit_thread *thread)
{
    return thread->kind == NOISE_PROGRAM_MONITOR
               ? g_strdup(NOISE_JOIN_WATCH)
               : g_strdelimit(noise_program_family(thread->name, thread->kind), ",", '_');
}

/* Detour @p off of CPU @p c: @p thread ran longest in it. */
static void name_one(naming *w, size_t c, size_t off, int32_t thread)
{
    const size_t i = w->detour[w->first[c] + off];
    uint8_t *class_of = &w->measured->cpus[c].class_of[i];
    if (thread == NOISE_JOIN_NOBODY || !is_to_be_named(w, &w->measured->classes[*class_of])) {
        return;
    }
    g_autofree char *name = name_of(&w->nit->threads[thread]);
    const size_t class = class_named(w, name);
    if (class < MOST_CLASSES) {
        *class_of = (uint8_t) class;
        w->named[class]++;
    }
}

/* Pieces of one detour follow each other; of each, who has most of it. */
static void name_all(naming *w, const noise_join *join)
{
    for (size_t p = 0, next; p < join->num_pieces; p = next) {
        const noise_join_piece *first = &join->piece[p];
        int32_t longest = NOISE_JOIN_NOBODY;
        uint64_t most = 0;
        for (next = p; next < join->num_pieces && join->piece[next].main == first->main &&
                       join->piece[next].off == first->off;
             next++) {
            uint64_t sum = 0;
            for (size_t q = p; q <= next; q++) {
                const bool same = join->piece[q].thread == join->piece[next].thread;
                sum += same ? join->piece[q].to - join->piece[q].from : 0;
            }
            longest = sum > most ? join->piece[next].thread : longest;
            most = MAX(most, sum);
        }
        name_one(w, first->main, first->off, longest);
    }
}

/* Behind what was known of the class before: "; 12 of them by a watch every 5.2 ms: ..." */
static void tell(naming *w)
{
    noise_measurement *m = w->measured;
    const double interval_ms = (double)w->nit->nodes[0].mean_interval_ns / 1e6;
    for (size_t c = 0; c < m->num_classes; c++) {
        if (w->named[c] == 0) {
            continue;
        }
        g_autofree char *before = m->classes[c].evidence;
        g_autofree char *count =
            before != NULL
                ? g_strdup_printf("%s; %" G_GUINT64_FORMAT " of them: ", before, w->named[c])
                : g_strdup("");
        m->classes[c].evidence =
            g_strdup_printf("%sanother thread ran, and a watch every %.3g ms saw it run on that "
                            "CPU about then",
                            count, interval_ms);
    }
}

static void drop_empty(noise_measurement *m)
{
    size_t count[MOST_CLASSES] = {0};
    uint8_t place[MOST_CLASSES] = {0};
    for (size_t c = 0; c < m->num_cpus; c++) {
        for (size_t i = 0; i < m->cpus[c].n && m->cpus[c].class_of != NULL; i++) {
            count[m->cpus[c].class_of[i]]++;
        }
    }
    size_t kept = 0;
    for (size_t k = 0; k < m->num_classes; k++) {
        place[k] = (uint8_t)kept;
        if (count[k] > 0) {
            m->classes[kept++] = m->classes[k];
        } else {
            g_free(m->classes[k].name);
            g_free(m->classes[k].kind);
            g_free(m->classes[k].evidence);
        }
    }
    m->num_classes = kept;
    for (size_t c = 0; c < m->num_cpus; c++) {
        for (size_t i = 0; i < m->cpus[c].n && m->cpus[c].class_of != NULL; i++) {
            m->cpus[c].class_of[i] = place[m->cpus[c].class_of[i]];
        }
    }
}

void noise_join_measurement(noise_measurement *measured, const noise_nit *nit)
{
    if (measured->num_classes == 0) { /* not classified: of no detour is it known what it is */
        return;
    }
    naming w = {.measured = measured, .nit = nit};
    collect(&w);
    by_length known = match_lengths(&w);
    const noise_join_input input = {.nit = &known.nit,
                                    .num_threads = measured->num_cpus,
                                    .thread = w.threads,
                                    .num_cpus = measured->num_cpus,
                                    .cpu = known.cpus};
    noise_join *join = noise_join_new(&input);
    name_all(&w, join);
    noise_join_free(join);
    tell(&w);
    drop_empty(measured);
    g_free(w.off);
    g_free(w.detour);
    g_free(w.first);
    g_free(w.threads);
    g_free(known.nit.activities);
    g_free(known.slices);
    g_free(known.cpus);
}
