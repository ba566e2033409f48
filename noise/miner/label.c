/* noise/miner/label.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_label. */
#include "miner/label.h"

#include "miner/row.h"
#include "sim/unit.h"

#include <glib.h>
#include <math.h>

#define FEW_HITS      8
#define BURSTY_CV     1.5
#define POISSON_CV    0.7   /* a Poisson stream has 1 */
#define SAME_PERIOD   0.005 /* relative */
#define MOSTLY        0.8   /* preempted, or not */
#define LEAST_QUANTUM 0.05  /* of a quantum: less is none that somebody used up */

/* What is usually behind a period, if a detour is as long; docs/noise-miner.md, section 2. Times in
 * seconds. */
typedef struct suspect {
    double period;
    double shortest;
    double longest;
    const char *name;
} suspect;

static const suspect SUSPECTS[] = {
    {1e-3, 0, 200e-6, "1000 Hz tick"},
    {1.0 / 300, 0, 200e-6, "300 Hz tick"},
    {4e-3, 0, 200e-6, "250 Hz tick"},
    {10e-3, 0, 200e-6, "100 Hz tick"},
    {1, 0, 50e-6, "1 Hz tick of an isolated CPU"},
    {1, 5e-6, 20e-3, "daemon that wakes every second"},
    {5, 20e-6, 100e-3, "write-back of files"},
    {60, 100e-6, 10, "cron"},
    {100e-3, 5e-3, 99e-3, "CPU quota of a control group"},
    {1, 49e-3, 51e-3, "throttling of real-time programs"},
};

/* A program that wants to run all the time and shares the CPU gets slices: whole ticks, or what
 * schedulers give at least; 3 ms is that of EEVDF on 8 CPUs and more. Seconds. */
static const double SLICES[] = {1e-3, 2e-3, 3e-3, 4e-3, 8e-3, 10e-3, 12e-3, 20e-3, 100e-3};
#define SAME_SLICE 0.05
#define SLICE_EACH                                                                                 \
    4.0 /* a period of so many slices at most: else nobody wants to run all the time */

static bool is_slice(double length, double period)
{
    if (period > SLICE_EACH * length) {
        return false;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(SLICES); i++) {
        if (fabs(length - SLICES[i]) <= SAME_SLICE * SLICES[i]) {
            return true;
        }
    }
    return false;
}

static void add_name(GString *names, const char *name)
{
    g_string_append_printf(names, "%s%s", names->len > 0 ? " or " : "", name);
}

/* All that fit. Owned by the caller; empty: none. */
static char *suspects_of(const miner_character *row)
{
    const double s = row->period / (double)SIM_S;
    const double length = row->length / (double)SIM_S;
    const double quantum = (double)row->quantum / (double)SIM_S;
    GString *names = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(SUSPECTS); i++) {
        const suspect *one = &SUSPECTS[i];
        if (fabs(s - one->period) <= SAME_PERIOD * one->period && length >= one->shortest &&
            length <= one->longest) {
            add_name(names, one->name);
        }
    }
    if (is_slice(length, s)) {
        add_name(names, "time slices of another program");
    }
    if (fabs(s - quantum) <= SAME_PERIOD * quantum && length >= LEAST_QUANTUM * quantum) {
        add_name(names, "scheduler quantum");
    }
    return g_string_free(names, FALSE);
}

static const char *regularity(const miner_character *row)
{
    return row->gap_cv < 0 || row->hits < FEW_HITS ? "rare"
           : row->gap_cv > BURSTY_CV               ? "bursty"
           : row->gap_cv >= POISSON_CV             ? "Poisson-like"
                                                   : "irregular";
}

static const char *evidence(const miner_character *row)
{
    return row->preempted < 0             ? ""
           : row->preempted >= MOSTLY     ? "preempted, "
           : row->preempted <= 1 - MOSTLY ? "slow code, "
                                          : "partly preempted, ";
}

char *noise_miner_label_new(const miner_character *row)
{
    const char *before = evidence(row);
    if (!(row->period > 0)) {
        return g_strdup_printf("%s%s", before, row->faster ? "faster" : regularity(row));
    }
    g_autofree char *period = sim_unit_format_time_short(noise_miner_round(row->period));
    /* Where the CPU was not taken away, nothing else ran. */
    const bool own = row->faster || (row->preempted >= 0 && row->preempted <= 1 - MOSTLY);
    g_autofree char *names = own ? g_strdup("") : suspects_of(row);
    return names[0] != '\0' ? g_strdup_printf("%speriodic %s (%s)", before, period, names)
                            : g_strdup_printf("%speriodic %s", before, period);
}
