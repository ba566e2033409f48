/* classes/class_evidence.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_classes. */
#include "classes/class_evidence.h"

#include "sim/unit.h"

#include <string.h>

typedef struct line_count {
    char *name;
    uint64_t count;
} line_count;

static const char *const OTHERS = "other programs";

static void count_clear(gpointer data)
{
    g_free(((noise_class_count *)data)->name);
}

static void line_clear(gpointer data)
{
    g_free(((line_count *)data)->name);
}

void noise_class_totals_clear(noise_class_totals *t)
{
    g_clear_pointer(&t->classes, g_array_unref);
    g_clear_pointer(&t->lines, g_array_unref);
}

void noise_class_totals_add_line(noise_class_totals *t, const noise_interrupt_line *line,
                                 uint64_t count, bool is_timer)
{
    if (is_timer) {
        t->timer += count;
        return;
    }
    if (t->lines == NULL) {
        t->lines = g_array_new(FALSE, FALSE, sizeof(line_count));
        g_array_set_clear_func(t->lines, line_clear);
    }
    for (guint i = 0; i < t->lines->len; i++) {
        line_count *known = &g_array_index(t->lines, line_count, i);
        if (g_str_equal(known->name, line->name)) {
            known->count += count;
            return;
        }
    }
    const line_count more = {g_strdup(line->name), count};
    g_array_append_val(t->lines, more);
}

uint8_t noise_class_totals_count(noise_class_totals *t, noise_class_kind kind, const char *name,
                                 sim_time length)
{
    static const char *const names[] = {[NOISE_CLASS_NOT_KNOWN] = "not known",
                                        [NOISE_CLASS_SCHEDULER] = OTHERS,
                                        [NOISE_CLASS_TICK] = "tick",
                                        [NOISE_CLASS_INTERRUPT] = "interrupts",
                                        [NOISE_CLASS_STEAL] = "steal or firmware"};
    const char *own = name != NULL ? name : names[kind];
    if (t->classes == NULL) {
        t->classes = g_array_new(FALSE, FALSE, sizeof(noise_class_count));
        g_array_set_clear_func(t->classes, count_clear);
    }
    guint i = 0;
    while (i < t->classes->len &&
           (g_array_index(t->classes, noise_class_count, i).kind != kind ||
            !g_str_equal(g_array_index(t->classes, noise_class_count, i).name, own))) {
        i++;
    }
    if (i == t->classes->len) {
        const noise_class_count more = {.kind = kind, .name = g_strdup(own)};
        g_array_append_val(t->classes, more);
    }
    noise_class_count *c = &g_array_index(t->classes, noise_class_count, i);
    c->count++;
    c->time += length;
    return (uint8_t)i;
}

static gint by_count(gconstpointer pa, gconstpointer pb)
{
    const line_count *a = pa;
    const line_count *b = pb;
    return a->count != b->count ? (a->count > b->count ? -1 : 1) : strcmp(a->name, b->name);
}

/* "RES: Rescheduling interrupts 300, 36: ... 20": the first four. */
static void tell_lines(const noise_class_totals *t, GString *out)
{
    enum { MOST = 4 };
    if (t->lines == NULL || t->lines->len == 0) {
        return;
    }
    g_array_sort(t->lines, by_count);
    g_string_append(out, " (");
    for (guint i = 0; i < t->lines->len && i < MOST; i++) {
        const line_count *line = &g_array_index(t->lines, line_count, i);
        g_string_append_printf(out, "%s%s: %" G_GUINT64_FORMAT, i > 0 ? "; " : "", line->name,
                               line->count);
    }
    g_string_append(out, t->lines->len > MOST ? "; …)" : ")");
}

static void tell_scheduler(const noise_class_totals *t, const noise_class_count *c, GString *out)
{
    if (!g_str_equal(c->name, OTHERS)) {
        g_string_append(out, "the kernel's records of switches: it ran there meanwhile");
        if (g_str_equal(c->name, "ended programs")) {
            g_string_append(out, ", and had ended before its name could be read");
        }
        if (t->lost > 0) {
            g_string_append_printf(out, " (%" G_GUINT64_FORMAT " records are lost)", t->lost);
        }
        return;
    }
    if (t->own_records) {
        g_string_append(out, "the kernel's records of the own switches");
    } else {
        g_string_append(out, t->asked ? "the count of switches, right after each detour"
                                      : "the kernel's records of switches");
    }
    g_string_append(out, ": another thread ran there meanwhile; who it was is not recorded");
    if (t->without_records > 0 && t->refused != 0) {
        g_string_append_printf(out, ": %s", noise_switches_refusal(t->refused, false));
    }
}

static void tell_not_known(const noise_class_totals *t, const noise_class_count *c, GString *out)
{
    if (!t->asked && !t->own_records && t->without_records > 0 && t->switches > 0) {
        g_string_append_printf(
            out, "%" G_GINT64_FORMAT " switches were counted, but not in which detours",
            t->switches);
        return;
    }
    g_string_append_printf(
        out, "the thread was not switched; %" G_GUINT64_FORMAT " interrupts beyond the tick came%s",
        t->other_interrupts, t->other_interrupts > 0 ? " on these CPUs" : "");
    tell_lines(t, out);
    g_string_append_printf(out,
                           ", too few for each of %" G_GUINT64_FORMAT
                           " detours; hardware, firmware or a hypervisor may have caused the "
                           "others",
                           c->count);
}

static char *tell(const noise_class_totals *t, const noise_class_count *c)
{
    GString *out = g_string_new(NULL);
    if (c->kind == NOISE_CLASS_SCHEDULER) {
        tell_scheduler(t, c, out);
    } else if (c->kind == NOISE_CLASS_TICK) {
        g_string_append_printf(out,
                               "the timer interrupted %" G_GUINT64_FORMAT
                               " times; these begin within %.2g us of its tick, every %g ms, as "
                               "%.3g of all detours would by chance",
                               t->timer, t->tick_tolerance_ns / 1e3, 1e3 / t->hz,
                               t->ticks_by_chance);
    } else if (c->kind == NOISE_CLASS_INTERRUPT) {
        g_string_append_printf(out,
                               "the thread was not switched; %" G_GUINT64_FORMAT
                               " interrupts beyond the tick came",
                               t->other_interrupts);
        tell_lines(t, out);
        g_string_append(out, ", enough for all of these; which belongs to which is not known");
    } else if (c->kind == NOISE_CLASS_STEAL && t->steal > 0) {
        g_autofree char *stolen = sim_unit_format_time_short(t->steal);
        g_string_append_printf(out,
                               "the thread was not switched; the kernel counts %s as stolen by a "
                               "hypervisor, in steps of a clock tick: the longest, up to that sum",
                               stolen);
    } else if (c->kind == NOISE_CLASS_STEAL) {
        g_string_append_printf(out,
                               "the thread was not switched, and only %" G_GUINT64_FORMAT
                               " interrupts beyond the tick came",
                               t->other_interrupts);
    } else {
        tell_not_known(t, c, out);
    }
    return g_string_free(out, FALSE);
}

void noise_class_totals_tell(const noise_class_totals *t, noise_measurement *r)
{
    static const char *const kinds[] = {[NOISE_CLASS_NOT_KNOWN] = "not known",
                                        [NOISE_CLASS_SCHEDULER] = "scheduler",
                                        [NOISE_CLASS_TICK] = "interrupt",
                                        [NOISE_CLASS_INTERRUPT] = "interrupt",
                                        [NOISE_CLASS_STEAL] = "steal or firmware"};
    r->num_classes = t->classes != NULL ? t->classes->len : 0;
    r->classes = g_new0(noise_detour_source, r->num_classes);
    for (size_t i = 0; i < r->num_classes; i++) {
        const noise_class_count *c = &g_array_index(t->classes, noise_class_count, i);
        r->classes[i] =
            (noise_detour_source){g_strdup(c->name), g_strdup(kinds[c->kind]), tell(t, c)};
    }
}
