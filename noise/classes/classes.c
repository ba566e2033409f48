/* classes/classes.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "classes/classes.h"

#include "classes/class_evidence.h"
#include "classes/class_switches.h"
#include "classes/class_tick.h"

#include <string.h>
#include <unistd.h>

/* Programs with a class of their own: those that took most. */
enum { MOST_PROGRAMS = 50 };
/* Steal is counted in clock ticks; what is shorter cannot be told from an interrupt by it. */
static const sim_time LEAST_STEAL = 100 * SIM_US;
/* Fewer other interrupts than that, for each detour that is left: they are not the cause. */
static const double TOO_FEW = 0.05;

/* One CPU while it is looked at. */
typedef struct work {
    const noise_measurement_cpu *cpu;
    const noise_witness *witness;
    uint32_t *who; /* [n] as of noise_class_find_switches() */
    uint8_t *kind; /* [n] noise_class_kind */
} work;

/* Was the thread certainly on its CPU in detour @p i? */
static bool was_kept(const work *w, size_t i)
{
    const noise_witness *witness = w->witness;
    const uint8_t answer = i < witness->num_answers ? witness->answers[i] : 0;
    return w->who[i] == NOISE_CLASS_NOBODY &&
           ((answer & (NOISE_PRESENCE_KEPT | NOISE_PRESENCE_WORKED)) != 0 ||
            (witness->records != NOISE_WITNESS_COUNTERS && witness->lost == 0 && answer == 0) ||
            witness->voluntary + witness->involuntary == 0);
}

static void find_switched(work *w)
{
    const noise_witness *witness = w->witness;
    noise_class_find_switches(w->cpu, witness->switches, witness->num_switches, witness->tid,
                              w->who);
    for (size_t i = 0; i < w->cpu->n; i++) {
        const bool said =
            i < witness->num_answers && (witness->answers[i] & NOISE_PRESENCE_SWITCHED) != 0;
        if (said && w->who[i] == NOISE_CLASS_NOBODY) {
            w->who[i] = 0; /* it was switched, though no record says so */
        }
        w->kind[i] = w->who[i] != NOISE_CLASS_NOBODY ? NOISE_CLASS_SCHEDULER
                     : was_kept(w, i)                ? NOISE_CLASS_REST
                                                     : NOISE_CLASS_NOT_KNOWN;
    }
}

/* The line of the timer that drives the tick: LOC of x86, arch_timer of AArch64. */
static bool is_timer(const noise_interrupt_line *line)
{
    return g_str_equal(line->id, "LOC") || strstr(line->name, "arch_timer") != NULL;
}

static void find_tick(work *w, GArray *growth, uint32_t hz, noise_class_totals *t)
{
    uint64_t timer = 0;
    for (guint i = 0; i < growth->len; i++) {
        const noise_interrupt_growth *g = &g_array_index(growth, noise_interrupt_growth, i);
        if (is_timer(g->line)) {
            timer += g->count;
        }
        noise_class_totals_add_line(t, g->line, g->count, is_timer(g->line));
    }
    const noise_class_tick tick = noise_class_find_tick(w->cpu, hz, timer);
    for (size_t i = 0; i < w->cpu->n; i++) {
        if (w->kind[i] == NOISE_CLASS_REST &&
            noise_class_is_tick(&tick, w->cpu, w->cpu->start[i])) {
            w->kind[i] = NOISE_CLASS_TICK;
        }
    }
    if (tick.hz != 0) {
        t->hz = tick.hz;
        t->tick_tolerance_ns = tick.tolerance_ns;
        t->ticks_by_chance += tick.by_chance;
    }
    /* Of the timer's interrupts, those beyond the ticks are there for other detours. */
    const double ticks = tick.hz * (double)w->cpu->duration / (double)SIM_S;
    t->other_interrupts +=
        noise_interrupts_total(growth) - MIN(noise_interrupts_total(growth), (uint64_t)ticks);
}

typedef struct length_at {
    sim_time length;
    size_t at;
} length_at;

static gint by_length(gconstpointer pa, gconstpointer pb)
{
    const length_at *a = pa;
    const length_at *b = pb;
    return a->length != b->length ? (a->length > b->length ? -1 : 1)
                                  : (a->at > b->at) - (a->at < b->at);
}

/* By amount: the longest of those left, as long as their sum is not above what was stolen. */
static void find_stolen(work *w, noise_class_totals *t)
{
    const int64_t ticks =
        noise_cpu_time_growth(w->witness->time[0].steal_ticks, w->witness->time[1].steal_ticks);
    if (ticks <= 0) {
        return;
    }
    const sim_time tick = SIM_S / sysconf(_SC_CLK_TCK);
    t->steal += ticks * tick;
    g_autoptr(GArray) left = g_array_new(FALSE, FALSE, sizeof(length_at));
    for (size_t i = 0; i < w->cpu->n; i++) {
        const length_at l = {w->cpu->length[i], i};
        if (w->kind[i] == NOISE_CLASS_REST && l.length >= LEAST_STEAL) {
            g_array_append_val(left, l);
        }
    }
    g_array_sort(left, by_length);
    sim_time sum = 0;
    for (guint i = 0; i < left->len; i++) {
        const length_at *l = &g_array_index(left, length_at, i);
        if (sum + l->length <= ticks * tick + tick) { /* counted in whole ticks */
            sum += l->length;
            w->kind[l->at] = NOISE_CLASS_STEAL;
        }
    }
}

/* What is neither switched nor tick nor stolen: interrupts, if enough of them came. */
static void judge_rest(work *w, const noise_class_totals *t, uint64_t other, bool is_guest)
{
    size_t rest = 0;
    for (size_t i = 0; i < w->cpu->n; i++) {
        rest += w->kind[i] == NOISE_CLASS_REST;
    }
    const bool stolen = !is_guest || t->steal > 0;
    const noise_class_kind kind = other >= rest ? NOISE_CLASS_INTERRUPT
                                  : (double)other < TOO_FEW * (double)rest && stolen
                                      ? NOISE_CLASS_STEAL
                                      : NOISE_CLASS_NOT_KNOWN;
    for (size_t i = 0; i < w->cpu->n; i++) {
        const bool worked =
            i < w->witness->num_answers && (w->witness->answers[i] & NOISE_PRESENCE_WORKED) != 0;
        if (w->kind[i] == NOISE_CLASS_REST) {
            w->kind[i] = worked ? NOISE_CLASS_INTERRUPT : kind;
        }
    }
}

static void look_at(work *w, noise_class_totals *t, const noise_class_facts *facts)
{
    find_switched(w);
    const uint64_t before = t->other_interrupts;
    const sim_time stolen = t->steal;
    if (w->witness->interrupts[0] != NULL && w->witness->interrupts[1] != NULL) {
        g_autoptr(GArray) growth = noise_interrupts_growth(w->witness->interrupts[0],
                                                           w->witness->interrupts[1], w->cpu->cpu);
        find_tick(w, growth, facts->hz, t);
    }
    find_stolen(w, t);
    const noise_class_totals own = {.steal = t->steal - stolen};
    judge_rest(w, &own, t->other_interrupts - before, facts->is_guest);
}

/* A class of its own for each program, by the time it took; then one for each kind. */
static void give_names(noise_measurement *r, const work *all, const noise_class_facts *facts,
                       noise_class_totals *t)
{
    g_autoptr(noise_class_programs) programs = noise_class_programs_new(facts);
    for (size_t c = 0; c < r->num_cpus; c++) {
        for (size_t i = 0; i < all[c].cpu->n; i++) {
            if (all[c].kind[i] == NOISE_CLASS_SCHEDULER) {
                noise_class_programs_add(programs, all[c].who[i], all[c].cpu->length[i]);
            }
        }
    }
    noise_class_programs_choose(programs, MOST_PROGRAMS);
    for (size_t c = 0; c < r->num_cpus; c++) {
        const work *w = &all[c];
        uint8_t *class_of = g_new(uint8_t, w->cpu->n + 1);
        for (size_t i = 0; i < w->cpu->n; i++) {
            const char *name = w->kind[i] == NOISE_CLASS_SCHEDULER
                                   ? noise_class_programs_name(programs, w->who[i])
                                   : NULL;
            class_of[i] = noise_class_totals_count(t, w->kind[i], name, w->cpu->length[i]);
        }
        g_free(r->cpus[c].class_of);
        r->cpus[c].class_of = class_of;
    }
}

void noise_measurement_classify(noise_measurement *r, const noise_class_facts *facts)
{
    g_auto(noise_class_totals) totals = {0};
    g_autofree work *all = g_new0(work, r->num_cpus);
    for (size_t c = 0; c < r->num_cpus; c++) {
        const size_t n = r->cpus[c].n;
        all[c] =
            (work){&r->cpus[c], &facts->witness[c], g_new(uint32_t, n + 1), g_new(uint8_t, n + 1)};
        look_at(&all[c], &totals, facts);
        totals.lost += facts->witness[c].lost;
        totals.switches += facts->witness[c].voluntary + facts->witness[c].involuntary;
        totals.without_records += facts->witness[c].records != NOISE_WITNESS_CPU;
        totals.refused =
            facts->witness[c].refused != 0 ? facts->witness[c].refused : totals.refused;
        totals.own_records |= facts->witness[c].records == NOISE_WITNESS_OWN;
        totals.asked |= facts->witness[c].num_answers > 0;
    }
    give_names(r, all, facts, &totals);
    noise_class_totals_tell(&totals, r);
    for (size_t c = 0; c < r->num_cpus; c++) {
        g_free(all[c].who);
        g_free(all[c].kind);
    }
}
