/* gate/gate_loop.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_gate. */
/**
 * @file
 * What the loop met: its thread, its clock, its buffer.
 */
#include "gate/gate_checks.h"

#include "sim/unit.h"

#include <math.h>

/* Between calibrations before and after: healthy counters stay within 10 ppm. */
static const double DRIFT_NOTE_PPM = 10;
static const double DRIFT_MAX_PPM = 200;
static const sim_time SHORT_RUN = SIM_S;
/* t_min after against before, less one: the threshold of 9 t_min is then 3 t_min, or 27. What is a
 * detour has changed; less than that happens wherever cores are shared, and misses short ones. */
static const double SPEED_NOTE = 0.05;
static const double SPEED_MAX = 2;
static const uint64_t LEAST_CLOCKS = 100000; /* to judge a frequency by: some 40 us */
/* Clocks that are so far apart give no common start, and no common scale. */
static const double OFFSET_NOTE_NS = 100;
static const double OFFSET_MAX_NS = 1000;

NOISE_GATE_JUDGE(binding)
{
    const noise_presence *p = &view->witness->presence;
    if (!view->loop->bound) {
        g_string_append(sentence, "the thread could not be bound there");
    } else if (p->num_moved > 0) {
        g_string_append_printf(
            sentence,
            "the thread could not be kept there: seen on CPU %u, %" G_GUINT64_FORMAT
            " times elsewhere in all",
            p->moved_to, p->num_moved);
    }
    return sentence->len > 0 ? NOISE_GATE_SPOILED : NOISE_GATE_PASSED;
}

NOISE_GATE_JUDGE(steps)
{
    if (view->loop->backwards == 0) {
        return NOISE_GATE_PASSED;
    }
    g_string_append_printf(sentence, "the clock went back %" G_GUINT64_FORMAT " times",
                           view->loop->backwards);
    return NOISE_GATE_SPOILED;
}

NOISE_GATE_JUDGE(threshold)
{
    const noise_measurement_cpu *cpu = view->cpu;
    if (view->loop->too_many || (cpu->n > 0 && cpu->n > cpu->iterations / 100 + 10)) {
        g_string_append(sentence, "more than 1 % of the iterations are detours at any threshold");
        return NOISE_GATE_SPOILED;
    }
    if (cpu->raised == 0) {
        return NOISE_GATE_PASSED;
    }
    g_autofree char *threshold = sim_unit_format_time_short(cpu->threshold);
    g_string_append_printf(sentence,
                           "the threshold was raised %" G_GUINT64_FORMAT
                           " times, to %s; shorter detours are not seen",
                           cpu->raised, threshold);
    return NOISE_GATE_NOTED;
}

NOISE_GATE_JUDGE(resolution)
{
    if (!view->loop->coarse_clock) {
        return NOISE_GATE_PASSED;
    }
    g_autofree char *tick = sim_unit_format_time_short(view->cpu->t_min);
    g_string_append_printf(sentence, "the clock is coarser than the loop: one tick is %s", tick);
    return NOISE_GATE_NOTED;
}

NOISE_GATE_JUDGE(room)
{
    if (!view->loop->full) {
        return NOISE_GATE_PASSED;
    }
    g_string_append_printf(sentence, "there was no room for more than %zu detours", view->cpu->n);
    return NOISE_GATE_NOTED;
}

NOISE_GATE_JUDGE(faults)
{
    if (view->witness->page_faults <= 0) {
        return NOISE_GATE_PASSED;
    }
    g_string_append_printf(sentence, "page faults in the loop, its own noise: %" G_GINT64_FORMAT,
                           view->witness->page_faults);
    return NOISE_GATE_NOTED;
}

NOISE_GATE_JUDGE(length)
{
    if (view->cpu->duration >= SHORT_RUN) {
        return NOISE_GATE_PASSED;
    }
    g_autofree char *duration = sim_unit_format_time_short(view->cpu->duration);
    g_string_append_printf(sentence, "%s is a short time: rare detours are missed", duration);
    return NOISE_GATE_NOTED;
}

NOISE_GATE_JUDGE(speeds)
{
    if (!view->loop->two_speeds) {
        return NOISE_GATE_PASSED;
    }
    g_string_append_printf(sentence,
                           "iterations take %" G_GUINT64_FORMAT " or %" G_GUINT64_FORMAT
                           " ticks: a sibling on the same core is busy, the clock frequency "
                           "changes, or a hypervisor shares the core",
                           view->loop->t_min, view->loop->typical);
    return NOISE_GATE_NOTED;
}

/* By the processor's own counters, where they can be read. */
static bool judge_counters(const noise_gate_view *view, GString *sentence)
{
    const noise_frequency_counts *c = view->witness->clock;
    const double loop = noise_frequency_ratio(&c[0], &c[1]);
    const double after = noise_frequency_ratio(&c[1], &c[2]);
    if (loop <= 0 || after <= 0 || c[2].mperf - c[1].mperf < LEAST_CLOCKS) {
        return false;
    }
    if (MAX(loop, after) / MIN(loop, after) - 1 >= SPEED_NOTE) {
        g_string_append_printf(sentence,
                               "the core ran at %.3g of its nominal clock in the loop, and at %.3g "
                               "right after it",
                               loop, after);
    }
    return true;
}

/* t_min is a first percentile, to a tick. */
NOISE_GATE_JUDGE(frequency)
{
    const double before = (double)view->loop->t_min;
    const double after = (double)view->loop->t_min_after;
    const bool counted = judge_counters(view, sentence);
    if (before <= 0 || after <= 0) {
        return sentence->len > 0 ? NOISE_GATE_NOTED
               : counted         ? NOISE_GATE_PASSED
                                 : NOISE_GATE_NOT_LOOKED;
    }
    const double change = MAX(before, after) / MIN(before, after) - 1;
    if (change >= SPEED_NOTE && fabs(after - before) > 1) {
        g_string_append_printf(sentence,
                               "%san iteration took %g ticks before the loop and %g after it: the "
                               "clock frequency changed, or another thread came to the core or "
                               "left it",
                               sentence->len > 0 ? "; " : "", before, after);
    }
    if (change >= SPEED_MAX) {
        g_string_append(sentence, "; with it, what counts as a detour");
        return NOISE_GATE_SPOILED;
    }
    return sentence->len > 0 ? NOISE_GATE_NOTED : NOISE_GATE_PASSED;
}

NOISE_GATE_JUDGE(drift)
{
    const double ppm = view->result->drift_ppm;
    if (fabs(ppm) <= DRIFT_NOTE_PPM) {
        return NOISE_GATE_PASSED;
    }
    g_string_append_printf(sentence, "the clock's rate changed by %.3g ppm during the run", ppm);
    return fabs(ppm) > DRIFT_MAX_PPM ? NOISE_GATE_SPOILED : NOISE_GATE_NOTED;
}

NOISE_GATE_JUDGE(clock)
{
    const char *name = view->result->clock;
    if (name == NULL || !g_str_equal(name, "clock_gettime")) {
        return NOISE_GATE_PASSED;
    }
    g_string_append_printf(sentence,
                           "the kernel's clock is read, which is slower than a counter: %s",
                           view->facts->clock_why);
    return NOISE_GATE_NOTED;
}

/* Only what is certain counts: the offset beyond what the way there and back leaves open. */
NOISE_GATE_JUDGE(sync)
{
    const noise_gate_offset *o = view->facts->offsets;
    if (view->at == 0) {
        return NOISE_GATE_PASSED;
    }
    if (o == NULL || o[view->at].within_ns <= 0) {
        return NOISE_GATE_NOT_LOOKED;
    }
    const double certain = fabs(o[view->at].ns) - o[view->at].within_ns;
    if (certain <= OFFSET_NOTE_NS) {
        return NOISE_GATE_PASSED;
    }
    g_string_append_printf(sentence, "its clock is %.3g ns (+- %.2g) %s that of CPU %u",
                           fabs(o[view->at].ns), o[view->at].within_ns,
                           o[view->at].ns > 0 ? "ahead of" : "behind", view->result->cpus[0].cpu);
    if (certain > OFFSET_MAX_NS) {
        g_string_append(sentence, ": the CPUs have no common time");
        return NOISE_GATE_SPOILED;
    }
    return NOISE_GATE_NOTED;
}
