/* noise/measure/measurement.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_selfish. */
#include "noise/measurement.h"

#include "measure/calibrate.h"
#include "measure/cpu_list.h"
#include "measure/evidence.h"
#include "measure/team.h"
#include "measure/windows.h"

#include <hwloc.h>

/* Where events are not limited: 64 MiB for each of up to 16 CPUs, then less. */
enum { MAX_GAPS = 1 << 22, MAX_GAPS_OF_ALL = 1 << 26, MAX_WINDOWS = 100 };

static const gint64 CALIBRATION_US = G_USEC_PER_SEC;

void noise_measurement_options_init(noise_measurement_options *options)
{
    *options = (noise_measurement_options){
        .time = 10 * SIM_S, .windows = 1, .events = 100000, .factor = 9, .floor = 100 * SIM_NS};
}

static bool check_options(const noise_measurement_options *o, GError **error)
{
    if (o->time <= 0 || !(o->factor > 1) || o->factor > 1e6 || o->floor < 0 ||
        o->time > SIM_TIME_MAX || o->floor > SIM_S) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE,
                    "time must be above 0, the threshold factor between 1 and 1e6, its floor "
                    "between 0 and 1 s");
        return false;
    }
    if (o->quantum < 0 || (o->quantum > 0 && o->quantum < SIM_US) || o->quantum > 10 * SIM_S) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE,
                    "the quantum must be between 1 us and 10 s");
        return false;
    }
    if (o->windows < 1 || o->windows > MAX_WINDOWS) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE, "windows must be between 1 and %d",
                    MAX_WINDOWS);
        return false;
    }
    return true;
}

/* What each member has to keep: gaps, or samples. false: too many samples. */
static bool choose_capacity(noise_team *t, size_t n, bool *limited, GError **error)
{
    const noise_measurement_options *o = t->options;
    const size_t most = (size_t)MAX_GAPS_OF_ALL / (n * o->windows) + 1;
    if (o->method == NOISE_METHOD_SELFISH) {
        t->capacity = MIN((size_t)MAX_GAPS, most);
        *limited = o->events > 0 && o->events <= t->capacity;
        t->capacity = *limited ? (size_t)o->events : t->capacity;
        return true;
    }
    *limited = true;
    const uint64_t in_time = (uint64_t)(o->time / o->quantum);
    uint64_t samples = o->samples;
    if (o->method == NOISE_METHOD_FTQ) { /* its time is exact */
        samples = samples > 0 ? MIN(samples, in_time) : in_time;
    } else { /* calibrated to 0.5 % only */
        const uint64_t room = in_time + in_time / 50 + 2;
        samples = samples > 0 ? MIN(samples, room) : room;
    }
    if (samples > most || samples == 0) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE,
                    samples == 0 ? "the time is shorter than a quantum"
                                 : "too many samples: take a shorter time or a longer quantum");
        return false;
    }
    t->capacity = (size_t)samples;
    return true;
}

/* FTQ counts units of work and a read of the clock: 500 of them must go into an interval. */
static bool check_interval(const noise_team *t, GError **error)
{
    enum { READS = 1000, UNITS = 500 };
    if (t->options->method != NOISE_METHOD_FTQ) {
        return true;
    }
    uint64_t differences[READS];
    noise_loop_sample(differences, READS, t->clock);
    const uint64_t read = noise_calibrate_iteration(differences, READS).t_min;
    const double least_us = UNITS * (double)read / t->ticks_per_second * 1e6;
    if ((double)t->options->quantum / (double)SIM_US < least_us) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE,
                    "the interval must be at least %.3g us: %d reads of the clock", least_us,
                    UNITS);
        return false;
    }
    return true;
}

/* All the windows, between two calibrations. */
static bool measure_all(noise_measurement *result, const noise_measurement_options *options,
                        const uint32_t *cpus, size_t n, hwloc_topology_t topology, GError **error)
{
    static const noise_method_class *const methods[] = {
        [NOISE_METHOD_SELFISH] = &noise_method_selfish,
        [NOISE_METHOD_FWQ] = &noise_method_fwq,
        [NOISE_METHOD_FTQ] = &noise_method_ftq,
    };
    noise_team t = {.options = options, .topology = topology, .method = methods[options->method]};
    const char *clock_why;
    t.clock = noise_clock_choose(&clock_why);
    result->clock = g_strdup(noise_clock_name(t.clock));
    bool limited = false;
    if (!choose_capacity(&t, n, &limited, error)) {
        return false;
    }

    const noise_anchor a = noise_anchor_take(t.clock);
    g_usleep(CALIBRATION_US);
    const noise_anchor b = noise_anchor_take(t.clock);
    t.ticks_per_second = noise_anchor_rate(&a, &b);
    noise_windows *windows =
        check_interval(&t, error) ? noise_windows_run(&t, cpus, n, &a, error) : NULL;
    if (windows == NULL) {
        return false;
    }
    const noise_anchor c = noise_anchor_take(t.clock);
    g_usleep(CALIBRATION_US);
    const noise_anchor d = noise_anchor_take(t.clock);
    result->ticks_per_second = noise_anchor_rate(&a, &d);
    result->drift_ppm = (noise_anchor_rate(&c, &d) / t.ticks_per_second - 1) * 1e6;
    result->bracket_ppm = noise_anchor_bracket_ppm(&a, &d);
    noise_windows_choose(windows, result, clock_why, limited);
    noise_windows_free(windows);
    return true;
}

char *noise_measurement_list_cpus(const char *cpus, GError **error)
{
    size_t num_allowed;
    size_t n;
    g_autofree uint32_t *allowed = noise_cpu_list_inherited(&num_allowed);
    g_autofree uint32_t *list = noise_cpu_list_parse(cpus, allowed, num_allowed, &n, error);
    return list != NULL ? noise_cpu_list_format(list, n) : NULL;
}

noise_measurement *noise_measurement_run(const noise_measurement_options *options, GError **error)
{
    if (!check_options(options, error)) {
        return NULL;
    }
    size_t num_allowed;
    size_t n;
    g_autofree uint32_t *allowed = noise_cpu_list_inherited(&num_allowed);
    g_autofree uint32_t *cpus =
        noise_cpu_list_parse(options->cpus, allowed, num_allowed, &n, error);
    if (cpus == NULL) {
        return NULL;
    }
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE, "hwloc cannot be initialised");
        return NULL;
    }
    g_autoptr(noise_measurement) result = g_new0(noise_measurement, 1);
    result->options = *options;
    result->options.cpus = NULL;
    if (result->options.quantum == 0) {
        result->options.quantum = noise_method_quantum(options->method);
    }
    bool ok = hwloc_topology_load(topology) == 0;
    if (!ok) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE, "hwloc cannot read the topology");
    }
    ok = ok && measure_all(result, &result->options, cpus, n, topology, error);
    hwloc_topology_destroy(topology);
    return ok ? g_steal_pointer(&result) : NULL;
}
