/* noise/measure/windows.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_selfish, test_quantum. */
#include "measure/windows.h"

#include "classes/class_tick.h"
#include "classes/classes.h"
#include "host/host_file.h"
#include "host/ran.h"
#include "measure/clock_sync.h"
#include "sim/unit.h"

/* Between the common starts of two windows, beyond their time, where the start is prescribed. */
static const sim_time BETWEEN = 2 * SIM_S;

typedef struct window {
    noise_measurement_cpu *cpus; /* [num_cpus] */
    noise_watch *watch;          /* [num_cpus] */
    noise_quota quota[2];        /* before, after */
    noise_ran_counts *ran[2];    /* before, after */
    int64_t began;               /* CLOCK_REALTIME ns, of the first CPU */
} window;

struct noise_windows {
    size_t num_cpus;
    size_t n;
    window *all;                /* [n] */
    noise_gate_offset *offsets; /* [num_cpus] of their clocks */
};

/* Members that are measured at once: all, or each alone. */
static bool run_groups(noise_team *team, noise_member *members, size_t n, size_t index, window *w,
                       GError **error)
{
    const noise_measurement_options *o = team->options;
    const size_t size = o->one_by_one ? 1 : n;
    for (size_t i = 0; i < n; i += size) {
        const int64_t slot = (int64_t)(index * (n / size) + i / size);
        const int64_t at =
            o->start_at > 0 ? o->start_at + slot * ((o->time + BETWEEN) / SIM_NS) : 0;
        int64_t began = 0;
        if (!noise_team_run(team, members + i, size, at, &began, error)) {
            return false;
        }
        w->began = i == 0 ? began : w->began;
    }
    return true;
}

static bool run_window(noise_team *team, noise_member *members, size_t n, size_t index, window *w,
                       const noise_anchor *begin, GError **error)
{
    w->cpus = g_new0(noise_measurement_cpu, n);
    w->watch = g_new0(noise_watch, n);
    for (size_t i = 0; i < n; i++) {
        w->cpus[i].cpu = members[i].cpu;
    }
    w->quota[0] = noise_quota_read("");
    w->ran[0] = noise_ran_read("");
    if (!run_groups(team, members, n, index, w, error)) {
        return false;
    }
    w->quota[1] = noise_quota_read("");
    w->ran[1] = noise_ran_read("");
    const noise_anchor now = noise_anchor_take(team->clock);
    const double rate = noise_anchor_rate(begin, &now);
    for (size_t i = 0; i < n; i++) {
        const noise_member *m = &members[i];
        w->cpus[i].tid = m->watch.witness.tid;
        w->cpus[i].begin = m->begin;
        w->cpus[i].end = m->end;
        w->cpus[i].duration = noise_ticks_to_time(m->last_tick - m->first_tick, rate);
        team->method->convert(m, rate, &w->cpus[i]);
        w->watch[i] = m->watch;
        noise_witness *witness = &w->watch[i].witness;
        witness->answers = g_memdup2(witness->answers, witness->num_answers);
    }
    return true;
}

noise_windows *noise_windows_run(noise_team *team, const uint32_t *cpus, size_t n,
                                 const noise_anchor *begin, GError **error)
{
    g_autofree noise_member *members = g_new0(noise_member, n);
    for (size_t i = 0; i < n; i++) {
        members[i].team = team;
        members[i].cpu = cpus[i];
    }
    noise_windows *out = g_new0(noise_windows, 1);
    out->num_cpus = n;
    out->n = team->options->windows;
    out->all = g_new0(window, out->n);
    out->offsets = g_new0(noise_gate_offset, n);
    noise_clock_compare(team->clock, team->ticks_per_second, cpus, n, out->offsets);
    bool ok = true;
    for (size_t i = 0; i < out->n && ok; i++) {
        ok = run_window(team, members, n, i, &out->all[i], begin, error);
    }
    for (size_t i = 0; i < n; i++) {
        team->method->clear(&members[i]);
    }
    if (!ok) {
        noise_windows_free(out);
        return NULL;
    }
    return out;
}

/* What result says of itself and of its machine is that of window w. */
static void judge(noise_measurement *result, const noise_windows *ws, const window *w,
                  const char *clock_why, bool limited, noise_measurement_window *out)
{
    const noise_evidence evidence = {.watch = w->watch,
                                     .offsets = ws->offsets,
                                     .quota = {w->quota[0], w->quota[1]},
                                     .ran = {w->ran[0], w->ran[1]},
                                     .clock_why = clock_why,
                                     .limited = limited};
    result->cpus = w->cpus;
    noise_measurement_judge(result, &evidence);
    g_free(result->provenance);
    result->provenance = noise_measurement_describe_host(result, &evidence);
    *out = (noise_measurement_window){
        .begin = w->began, .valid = result->valid, .verdict = g_strdup(result->verdict)};
    double lost = 0;
    double time = 0;
    for (size_t i = 0; i < result->num_cpus; i++) {
        const double share = noise_measurement_cpu_share(&w->cpus[i]);
        lost += share * (double)w->cpus[i].duration;
        time += (double)w->cpus[i].duration;
        out->worst = MAX(out->worst, share);
    }
    out->share = time > 0 ? lost / time : 0;
}

size_t noise_windows_least(const noise_measurement_window *windows, size_t n)
{
    size_t least = 0;
    for (size_t i = 1; i < n; i++) {
        const bool better = windows[i].valid == windows[least].valid
                                ? windows[i].share < windows[least].share
                                : windows[i].valid;
        least = better ? i : least;
    }
    return least;
}

char *noise_windows_note(const noise_measurement_window *windows, size_t n, size_t kept)
{
    GString *out = g_string_new(NULL);
    double sum = 0;
    size_t num_valid = 0;
    for (size_t i = 0; i < n; i++) {
        sum += windows[i].valid ? windows[i].share : 0;
        num_valid += windows[i].valid;
    }
    g_string_append_printf(out,
                           "\nnote: window %zu of %zu is kept, the one with the least noise%s; "
                           "noise in all of them: ",
                           kept + 1, n, num_valid > 0 && num_valid < n ? " of the valid ones" : "");
    for (size_t i = 0; i < n; i++) {
        g_string_append_printf(out, "%s%.3g %%%s", i > 0 ? ", " : "", 100 * windows[i].share,
                               windows[i].valid ? "" : " (not valid)");
    }
    if (num_valid > 1) {
        g_string_append_printf(out,
                               "; the least of %zu is too low on average, their mean, %.3g %%, "
                               "is not",
                               num_valid, 100 * sum / (double)num_valid);
    }
    return g_string_free(out, FALSE);
}

static void classify(noise_measurement *result, const window *w)
{
    g_autofree noise_witness *witness = g_new0(noise_witness, result->num_cpus);
    for (size_t i = 0; i < result->num_cpus; i++) {
        witness[i] = w->watch[i].witness;
    }
    const noise_class_facts facts = {.witness = witness,
                                     .ran_before = w->ran[0],
                                     .ran_after = w->ran[1],
                                     .hz = noise_class_kernel_hz(),
                                     .is_guest = noise_host_is_guest("")};
    noise_measurement_classify(result, &facts);
}

void noise_windows_choose(noise_windows *ws, noise_measurement *result, const char *clock_why,
                          bool limited)
{
    result->num_cpus = ws->num_cpus;
    result->num_windows = ws->n;
    result->windows = g_new0(noise_measurement_window, ws->n);
    for (size_t i = 0; i < ws->n; i++) {
        judge(result, ws, &ws->all[i], clock_why, limited, &result->windows[i]);
    }
    result->kept = noise_windows_least(result->windows, ws->n);
    window *kept = &ws->all[result->kept];
    if (result->kept + 1 < ws->n) { /* back to what is said of that one */
        g_free(result->windows[result->kept].verdict);
        judge(result, ws, kept, clock_why, limited, &result->windows[result->kept]);
    }
    result->cpus = g_steal_pointer(&kept->cpus);
    if (result->options.method == NOISE_METHOD_SELFISH) {
        classify(result, kept);
    }
    if (ws->n > 1) {
        g_autofree char *note = noise_windows_note(result->windows, ws->n, result->kept);
        g_autofree char *alone = result->verdict;
        result->verdict = g_strconcat(alone, note, NULL);
    }
}

void noise_windows_free(noise_windows *ws)
{
    if (ws != NULL) {
        for (size_t i = 0; i < ws->n; i++) {
            if (ws->all[i].cpus != NULL) {
                noise_measurement_cpus_free(ws->all[i].cpus, ws->num_cpus);
            }
            for (size_t c = 0; ws->all[i].watch != NULL && c < ws->num_cpus; c++) {
                noise_witness_clear(&ws->all[i].watch[c].witness);
            }
            g_free(ws->all[i].watch);
            for (size_t k = 0; k < G_N_ELEMENTS(ws->all[i].ran); k++) {
                noise_ran_free(ws->all[i].ran[k]);
                noise_quota_clear(&ws->all[i].quota[k]);
            }
        }
        g_free(ws->all);
        g_free(ws->offsets);
        g_free(ws);
    }
}
