/* apps/ripple/measure/measure_analysis.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_measure_analysis, cli_measure_files. */
#include "measure/measure_analysis.h"

#include "sim/unit.h"
#include "statistics/bootstrap.h"

#include <math.h>
#include <string.h>

static const double LEVEL = 0.95;
static const double FALSE_ALARM = 0.01; /* of a spectrum */
static const uint64_t SEED = 1;         /* of the resamples */
static const double QUANTILES[APP_MEASURE_QUANTILES] = {0.1, 0.5, 0.9, 0.99, 0.999};

/* The runs of all files, and what is already known of each detour: if all files say so, their
 * sources are classes. */
static void add_runs(app_measure_analysis *a, const char *const *paths)
{
    for (size_t f = 0; f < a->num_files; f++) {
        a->num_cpus += a->files[f]->num_runs;
    }
    a->cpus = g_new0(noise_observation, a->num_cpus + 1);
    a->names = g_new0(char *, a->num_cpus + 1);
    a->spectra = g_new0(noise_spectrum *, a->num_cpus + 1);
    size_t at = 0;
    for (size_t f = 0; f < a->num_files; f++) {
        const noise_detour_file *file = a->files[f];
        for (size_t r = 0; r < file->num_runs; r++, at++) {
            const noise_detour_run *run = &file->runs[r];
            a->cpus[at] = (noise_observation){run->n, run->start, run->length, run->period,
                                              a->num_files == 1 ? run->source : NULL};
            g_autofree char *cpu = run->cpu != UINT32_MAX ? g_strdup_printf("CPU %u", run->cpu)
                                                          : g_strdup_printf("run %zu", r + 1);
            a->names[at] =
                a->num_files > 1 ? g_strdup_printf("%s %s", paths[f], cpu) : g_steal_pointer(&cpu);
            a->is_sampled = a->is_sampled || run->num_samples > 0;
            a->spectra[at] = run->num_samples > 0 && run->interval > 0
                                 ? noise_ftq_spectrum_new(run->sample, run->num_samples,
                                                          run->interval, FALSE_ALARM)
                                 : NULL;
            a->num_detours += run->n;
            a->time += run->period;
        }
    }
}

static void set_share(app_measure_analysis *a)
{
    double blocks[NOISE_TIME_BLOCKS];
    noise_share_blocks(a->cpus, a->num_cpus, blocks);
    a->share = noise_stolen_share(a->cpus, a->num_cpus);
    a->share_low = a->share_high = a->share;
    bool alike = true;
    for (size_t b = 1; b < NOISE_TIME_BLOCKS; b++) {
        alike = alike && blocks[b] == blocks[0];
    }
    if (!alike) {
        app_bootstrap_mean(blocks, NOISE_TIME_BLOCKS, LEVEL, SEED, &a->share_low, &a->share_high);
    }
}

static void set_costs(app_measure_analysis *a)
{
    a->costs = g_new0(app_measure_cost, a->division->num_sources + 1);
    for (size_t s = 0; s < a->division->num_sources; s++) {
        const noise_source *source = &a->division->sources[s];
        a->costs[s].bottleneck =
            noise_bottleneck_ranks(source->interval, source->mean, (double)a->collective);
        a->costs[s].chained = fmax(source->interval / source->mean, 1);
    }
}

app_measure_analysis *app_measure_analysis_new(noise_detour_file **files, const char *const *paths,
                                               size_t n, sim_time collective)
{
    app_measure_analysis *a = g_new0(app_measure_analysis, 1);
    a->num_files = n;
    a->files = g_new0(noise_detour_file *, n + 1);
    for (size_t f = 0; f < n; f++) {
        a->files[f] = files[f];
    }
    a->origins = g_new0(noise_provenance *, n + 1);
    for (size_t f = 0; f < n; f++) {
        a->origins[f] = noise_provenance_new(files[f], paths[f]);
    }
    a->collective = collective;
    add_runs(a, paths);
    set_share(a);
    size_t num = 0;
    g_autofree sim_time *sorted = noise_sorted_lengths(a->cpus, a->num_cpus, &num);
    for (size_t q = 0; q < APP_MEASURE_QUANTILES && num > 0; q++) {
        a->quantiles[q] = noise_quantile_of(sorted, num, QUANTILES[q], LEVEL);
    }
    /* Quanta come at regular intervals, and lengths in units of work: that says nothing of sources.
     */
    a->division =
        noise_decompose(a->cpus, a->is_sampled ? 0 : a->num_cpus, n == 1 ? files[0]->sources : NULL,
                        n == 1 ? files[0]->num_sources : 0);
    set_costs(a);
    return a;
}

void app_measure_analysis_free(app_measure_analysis *a)
{
    if (a == NULL) {
        return;
    }
    for (size_t f = 0; f < a->num_files; f++) {
        noise_detour_file_free(a->files[f]);
        noise_provenance_free(a->origins[f]);
    }
    g_free(a->files);
    g_free(a->origins);
    g_free(a->cpus);
    g_strfreev(a->names);
    for (size_t c = 0; c < a->num_cpus; c++) {
        noise_spectrum_free(a->spectra[c]);
    }
    g_free(a->spectra);
    noise_decomposition_free(a->division);
    g_free(a->costs);
    g_free(a);
}

void app_measure_analysis_divide(app_measure_analysis *a, size_t index)
{
    noise_detour_file *file = a->files[index];
    size_t at = 0;
    for (size_t f = 0; f < index; f++) {
        at += a->files[f]->num_runs;
    }
    for (size_t s = 0; s < file->num_sources; s++) {
        g_free(file->sources[s].name);
        g_free(file->sources[s].kind);
        g_free(file->sources[s].evidence);
    }
    g_free(file->sources);
    file->num_sources = a->division->num_sources;
    file->sources = g_new0(noise_detour_source, file->num_sources + 1);
    for (size_t s = 0; s < file->num_sources; s++) {
        const noise_source *source = &a->division->sources[s];
        file->sources[s] = (noise_detour_source){g_strdup(source->name), g_strdup(source->kind),
                                                 g_strdup(source->evidence)};
    }
    for (size_t r = 0; r < file->num_runs; r++, at++) {
        noise_detour_run *run = &file->runs[r];
        g_free(run->source);
        run->source = file->num_sources > 0
                          ? g_memdup2(a->division->source[at], (run->n + 1) * sizeof *run->source)
                          : NULL;
        a->cpus[at].kind = NULL;
    }
}

const char *app_measure_rhythm(noise_rhythm rhythm)
{
    static const char *const names[] = {
        [NOISE_RHYTHM_PERIODIC] = "periodic", [NOISE_RHYTHM_BURSTY] = "bursts",
        [NOISE_RHYTHM_RANDOM] = "random",     [NOISE_RHYTHM_IRREGULAR] = "irregular",
        [NOISE_RHYTHM_RARE] = "rare",
    };
    return names[rhythm];
}

char **app_measure_remarks(const app_measure_analysis *a)
{
    GPtrArray *remarks = g_ptr_array_new();
    for (size_t f = 0; f < a->num_files; f++) {
        if (a->origins[f]->validity == NOISE_VALIDITY_INVALID) {
            g_autofree char *verdict = noise_provenance_verdict(a->origins[f]);
            g_ptr_array_add(remarks, g_strdup_printf("%s is %s: nothing of it can be relied on",
                                                     a->origins[f]->path, verdict));
        }
    }
    if (a->division->num_sources > 0) {
        g_autofree char *w = sim_unit_format_time_short(a->collective);
        g_ptr_array_add(
            remarks, g_strdup_printf(
                         "P*: ranks, of one such CPU each, from which a source hits every second "
                         "collective of %s, ln 2 T / (D + w), if its detours come at random and "
                         "independently on each; rho = 1: ranks from which collectives one after "
                         "the other stay delayed, T / D",
                         w));
    }
    if (a->is_sampled) {
        g_ptr_array_add(remarks,
                        g_strdup("sources are not told of quanta, which hide when in them, and in "
                                 "how many pieces, time was lost: --method=selfish says that"));
    }
    double nyquist = 0;
    for (size_t c = 0; c < a->num_cpus; c++) {
        nyquist = a->spectra[c] != NULL ? a->spectra[c]->nyquist : nyquist;
    }
    if (nyquist > 0) {
        g_ptr_array_add(remarks,
                        g_strdup_printf("spectrum: what comes more often than %g times a second "
                                        "shows at another frequency",
                                        nyquist));
    }
    g_ptr_array_add(remarks, NULL);
    return (char **)g_ptr_array_free(remarks, FALSE);
}
