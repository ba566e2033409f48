/* noise/files/formats/format_nit.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_format_nit. */
/**
 * @file
 * What `ripple monitor` has watched, as detours of programs: a source for each program. What ran,
 * for how long and on which CPU is known; when, to within a sweep (docs/monitor.md).
 */
#include "files/format.h"
#include "noise/nit.h"
#include "noise/nit_merge.h"
#include "noise/nit_programs.h"

#include <stdlib.h>
#include <string.h>

/* Of one activity. The monitor ends one with the first look that sees no change: it is short. */
enum { MOST_PIECES = 1 << 12 };
/* Of a file: what more there is would not fit into a trace. */
enum { MOST_DETOURS = 1 << 24 };

/* A file, and how the program of each of its threads is called. */
typedef struct content {
    const noise_nit *nit;
    char **programs; /* [nit->num_threads] */
} content;

/* One piece of an activity. */
typedef struct piece {
    uint32_t node, cpu;
    uint32_t thread;
    uint64_t from, length; /* ns */
} piece;

static bool probe(const char *head)
{
    (void)head;
    return false; /* its first bytes say it: noise_nit_is(), noise_nit_set_is() */
}

static bool is_noise(const noise_nit_thread *t)
{
    return t->kind != NOISE_PROGRAM_APPLICATION && t->kind != NOISE_PROGRAM_MONITOR;
}

/* Where the kernel could not say it any more, the first CPU of the node. */
static uint32_t cpu_of(const noise_nit *nit, const noise_nit_activity *a)
{
    const noise_nit_node *node = &nit->nodes[nit->threads[a->thread].node];
    return a->cpu == UINT32_MAX && node->num_cpus > 0 ? node->cpus[0] : a->cpu;
}

/*
 * It ran cpu_ns somewhere in (from, to]. Put on a CPU once, it is taken to have run up to the look
 * at which it was seen; more often, to have run in as many equal pieces, each at the end of its
 * part of the time.
 */
static void add_pieces(const noise_nit *nit, const noise_nit_activity *a, GArray *pieces)
{
    const noise_nit_thread *t = &nit->threads[a->thread];
    const uint64_t begin = nit->nodes[t->node].begin;
    const uint64_t gap = a->to > a->from ? a->to - a->from : 0;
    const uint64_t n = CLAMP((uint64_t)a->slices, 1, CLAMP(a->cpu_ns, 1, MOST_PIECES));
    for (uint64_t i = 0; i < n && a->cpu_ns > 0; i++) {
        const uint64_t length = a->cpu_ns / n + (i < a->cpu_ns % n);
        const uint64_t end = a->from + (uint64_t)((sim_int128)gap * (i + 1) / n);
        const uint64_t since = end > begin ? end - begin : 0;
        const piece p = {t->node, cpu_of(nit, a), a->thread, since > length ? since - length : 0,
                         length};
        g_array_append_val(pieces, p);
    }
}

static int by_cpu(const void *pa, const void *pb)
{
    const piece *a = pa;
    const piece *b = pb;
    if (a->node != b->node) {
        return a->node < b->node ? -1 : 1;
    }
    if (a->cpu != b->cpu) {
        return a->cpu < b->cpu ? -1 : 1;
    }
    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    return (a->thread > b->thread) - (a->thread < b->thread);
}

/* A CPU runs one after the other: what is known only to within a sweep may overlap. @return how
 * many of @p pieces there are of this CPU; SIZE_MAX with the reader's error */
static size_t add_run(noise_reader *r, const content *all, uint32_t node, uint32_t cpu,
                      const piece *pieces, size_t most)
{
    static const uint64_t LONGEST = (uint64_t)(SIM_TIME_MAX / SIM_NS);
    const noise_nit_node *at = &all->nit->nodes[node];
    uint64_t now = 0;
    size_t n = 0;
    for (; n < most && pieces[n].node == node && pieces[n].cpu == cpu; n++) {
        const piece *p = &pieces[n];
        const char *program = all->programs[p->thread];
        const noise_program_class kind = all->nit->threads[p->thread].kind;
        now = MAX(now, p->from);
        if (now > LONGEST || p->length > LONGEST - now) {
            noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line, "'%s' ran beyond 26 days on CPU %u",
                              program, cpu);
            return SIZE_MAX;
        }
        const uint32_t source = noise_reader_source(r, *program != '\0' ? program : "unnamed",
                                                    "program", noise_program_class_name(kind));
        if (!noise_reader_add(r, (sim_time)now * SIM_NS, (sim_time)p->length * SIM_NS, source,
                              program)) {
            return SIZE_MAX;
        }
        now += p->length;
    }
    const uint64_t watched = at->end > at->begin ? at->end - at->begin : 0;
    r->node = node;
    r->cpu = cpu;
    noise_reader_end_run(r, (sim_time)MIN(MAX(watched, now), LONGEST) * SIM_NS);
    return n;
}

/* All CPUs, the silent ones as well. */
static bool add_node(noise_reader *r, const content *all, uint32_t node, const GArray *pieces,
                     size_t *used)
{
    for (uint32_t c = 0; c < all->nit->nodes[node].num_cpus; c++) {
        const uint32_t cpu = all->nit->nodes[node].cpus[c];
        const piece *next = *used < pieces->len ? &g_array_index(pieces, piece, *used) : NULL;
        const size_t n = add_run(r, all, node, cpu, next, pieces->len - *used);
        if (n == SIZE_MAX) {
            return false;
        }
        *used += n;
    }
    if (*used < pieces->len && g_array_index(pieces, piece, *used).node == node) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                 "CPU %u is not among those of the node",
                                 g_array_index(pieces, piece, *used).cpu);
    }
    return true;
}

/* What is not in it, and how well was seen what is: on the node on which that was worst. */
static void add_note(noise_reader *r, const noise_nit *nit)
{
    bool left_out[NOISE_NUM_PROGRAM_CLASSES] = {false};
    for (size_t i = 0; i < nit->num_threads; i++) {
        left_out[nit->threads[i].kind] = true;
    }
    uint64_t interval_ns = 0;
    const char *blind = NULL;
    bool is_cut = false;
    for (size_t i = 0; i < nit->num_nodes; i++) {
        const noise_nit_node *node = &nit->nodes[i];
        interval_ns = MAX(interval_ns, node->mean_interval_ns);
        blind = blind != NULL ? blind : node->blind;
        is_cut = is_cut || node->is_cut;
    }
    g_autoptr(GString) note = g_string_new("CPU time of programs, each in the interval between "
                                           "two looks at it");
    g_string_append_printf(note, " (%.3g ms apart on average)", (double)interval_ns / 1e6);
    g_string_append_printf(note, "; left out are %s%sinterrupts, whose counts say no length.",
                           left_out[NOISE_PROGRAM_APPLICATION] ? "the application, " : "",
                           left_out[NOISE_PROGRAM_MONITOR] ? "the monitor and " : "");
    if (blind != NULL) {
        g_string_append_printf(note, " The monitor was blind to other programs: %s.", blind);
    }
    if (is_cut) {
        g_string_append(note, " The file is cut: its end is not the end of the watch.");
    }
    noise_reader_note(r, note->str);
}

/* "n07", "n07 and 3 more nodes". Owned by the caller. */
static char *host_of(const noise_nit *nit)
{
    return nit->num_nodes == 1
               ? g_strdup(nit->nodes[0].name)
               : g_strdup_printf("%s and %zu more node%s", nit->nodes[0].name, nit->num_nodes - 1,
                                 nit->num_nodes == 2 ? "" : "s");
}

static bool read_whole(noise_reader *r, const void *data, size_t size)
{
    g_autoptr(noise_nit_set) set = noise_nit_set_parse(r->name, data, size, r->error);
    if (set == NULL) {
        return false;
    }
    const noise_nit *nit = set->nit;
    g_auto(GStrv) programs = noise_nit_programs(nit);
    const content all = {nit, programs};
    g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(piece));
    for (size_t i = 0; i < nit->num_activities && pieces->len <= MOST_DETOURS; i++) {
        if (is_noise(&nit->threads[nit->activities[i].thread])) {
            add_pieces(nit, &nit->activities[i], pieces);
        }
    }
    if (pieces->len > MOST_DETOURS) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, 1, "there are more than %d activities",
                                 MOST_DETOURS);
    }
    if (pieces->len > 0) {
        qsort(pieces->data, pieces->len, sizeof(piece), by_cpu);
    }
    r->line = 1;
    noise_reader_method(r, "monitor");
    r->system = g_strdup("Linux");
    r->host = host_of(nit);
    r->release = g_strdup(nit->nodes[0].kernel);
    add_note(r, nit);
    size_t used = 0;
    for (uint32_t node = 0; node < nit->num_nodes; node++) {
        if (!add_node(r, &all, node, pieces, &used)) {
            return false;
        }
    }
    return true;
}

const noise_file_format noise_format_nit = {
    .name = ".nit",
    .probe = probe,
    .is_foreign = true,
    .whole = read_whole,
};
