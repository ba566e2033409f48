/* apps/ripple/monitor/activity_words.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_monitor_report. */
#include "monitor/activity_words.h"

#include "output/number_text.h"
#include "output/sentences.h"
#include "sim/unit.h"

#include <math.h>

enum { FEW_RANGES = 4 };

static char *time_text(double ns)
{
    return sim_unit_format_time_short((sim_time)fmin(ns * (double)SIM_NS, (double)SIM_TIME_MAX));
}

char *app_activity_format_list(const uint32_t *numbers, size_t n, size_t most)
{
    GString *text = g_string_new(n == 0 ? "-" : "");
    size_t ranges = 0;
    for (size_t i = 0; i < n; ranges++) {
        size_t last = i;
        while (last + 1 < n && numbers[last + 1] == numbers[last] + 1) {
            last++;
        }
        if (ranges == most) {
            g_string_append(text, ",...");
            break;
        }
        g_string_append_printf(text, "%s%u", ranges > 0 ? "," : "", numbers[i]);
        if (last > i) {
            g_string_append_printf(text, "-%u", numbers[last]);
        }
        i = last + 1;
    }
    return g_string_free(text, FALSE);
}

/* ---- Sections ---- */

static const struct {
    noise_origin origin;
    const char *title;
} SECTIONS[APP_ACTIVITY_SECTIONS] = {
    {NOISE_ORIGIN_EXTERNAL, "External: nothing ties it to the job"},
    {NOISE_ORIGIN_INTERNAL, "Internal: caused by the job"},
    {NOISE_ORIGIN_JOB, "The job itself, and the monitor"},
    {NOISE_ORIGIN_UNKNOWN,
     "All programs (no job was watched: not divided into internal and external)"},
};

const char *app_activity_section_title(size_t i)
{
    return SECTIONS[i].title;
}

bool app_activity_section_has(size_t i, const noise_activity_row *row)
{
    const noise_origin origin =
        row->origin == NOISE_ORIGIN_MONITOR ? NOISE_ORIGIN_JOB : row->origin;
    return row->activations > 0 && origin == SECTIONS[i].origin;
}

/* ---- Sentences ---- */

static void add_sight(GPtrArray *s, const noise_nit_node *node, const noise_activity_node *sum)
{
    g_autofree char *mean = time_text((double)node->mean_interval_ns);
    g_autofree char *p99 = time_text((double)node->p99_interval_ns);
    g_autofree char *most = time_text((double)node->max_interval_ns);
    g_autofree char *sweeps = app_format_number(node->sweeps);
    g_autofree char *watched = time_text((double)(node->end - node->begin));
    g_autofree char *cpus = app_activity_format_list(node->cpus, node->num_cpus, FEW_RANGES);
    app_sentences_add(
        s, "%s: watched for %s, CPUs %s, %s sweeps: every %s (99 %% within %s, at most %s).",
        node->name, watched, cpus, sweeps, mean, p99, most);
    if (node->is_cut) {
        app_sentences_add(s,
                          "The file ends without its last record: the monitor was stopped. What it "
                          "had written until then is here.");
    }
    if (node->blind != NULL) {
        app_sentences_add(s, "Blind: %s. What could not be seen is not quiet, it is missing.",
                          node->blind);
    }
    if (node->blind_ns > 0) {
        const double all = (double)(sum->watched_ns + node->blind_ns);
        g_autofree char *time = time_text((double)node->blind_ns);
        g_autofree char *share = app_format_percent(all > 0 ? (double)node->blind_ns / all : 0);
        app_sentences_add(
            s,
            "The monitor was itself off its CPU for %s (%s of the time): what ran then is "
            "seen, but its time is uncertain.",
            time, share);
    }
    if (node->lost > 0) {
        g_autofree char *lost = app_format_number(node->lost);
        app_sentences_add(s, "%s records were lost because the disk was too slow.", lost);
    }
}

static void add_totals(GPtrArray *s, const app_activity *a, size_t index)
{
    const noise_nit_node *node = &a->set->nit->nodes[index];
    const noise_activity_node *sum = &a->activity->nodes[index];
    const double all = (double)sum->watched_ns * node->num_cpus;
    g_autofree char *unknown = app_format_number(node->unattributed_switches);
    g_autofree char *switches = app_format_number(node->switches);
    g_autofree char *used = app_format_percent(all > 0 ? (double)sum->cpu_ns / all : 0);
    g_autofree char *job = app_format_percent(all > 0 ? (double)sum->job_ns / all : 0);
    app_sentences_add(s, "Programs seen used %s of its CPU time%s%s%s.", used,
                      sum->has_job ? "; the job itself " : "", sum->has_job ? job : "",
                      sum->has_job ? "" : "; no job was seen");
    app_sentences_add(
        s,
        "Unattributed: at least %s of %s context switches are of threads that were gone "
        "before they were seen; %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
        " processes and threads started were never seen.",
        unknown, switches, node->unattributed_forks, node->forks);
    if (node->steal_ns > 0) {
        g_autofree char *steal = time_text((double)node->steal_ns);
        g_autofree char *share = app_format_percent(all > 0 ? (double)node->steal_ns / all : 0);
        app_sentences_add(s, "The hypervisor gave %s of CPU time (%s) to others: steal.", steal,
                          share);
    }
}

/* Interrupts of each CPU: soft and hard, and the most frequent line. */
static void add_interrupts(GPtrArray *s, const app_activity *a, size_t index)
{
    const noise_activity *sum = a->activity;
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < sum->num_lines;) {
        const noise_activity_line *first = &sum->lines[i];
        uint64_t count[2] = {0, 0};
        size_t most = i;
        size_t k = i;
        for (; k < sum->num_lines && sum->lines[k].node == first->node &&
               sum->lines[k].cpu == first->cpu;
             k++) {
            count[sum->nit->lines[sum->lines[k].line].is_soft] += sum->lines[k].count;
            most = sum->lines[k].count > sum->lines[most].count ? k : most;
        }
        if (first->node == index) {
            g_autofree char *hard = app_format_number(count[0]);
            g_autofree char *soft = app_format_number(count[1]);
            g_string_append_printf(text, "%s CPU %u: %s and %s (most: %s)",
                                   text->len > 0 ? ";" : "", first->cpu, hard, soft,
                                   sum->nit->lines[sum->lines[most].line].name);
        }
        i = k;
    }
    if (text->len > 0) {
        app_sentences_add(s, "Interrupts and softirqs (counts; their time is not known):%s.",
                          text->str);
    }
    g_string_free(text, TRUE);
}

char **app_activity_node_sentences(const app_activity *a, size_t node)
{
    GPtrArray *s = g_ptr_array_new();
    add_sight(s, &a->set->nit->nodes[node], &a->activity->nodes[node]);
    add_totals(s, a, node);
    add_interrupts(s, a, node);
    g_ptr_array_add(s, NULL);
    return (char **)g_ptr_array_free(s, FALSE);
}

static void add_clock(GPtrArray *s, const noise_node_clock *c, const char *name)
{
    static const char *const WAYS[NOISE_NUM_CLOCKS_BY] = {
        "it is the common clock", "messages between ranks", "marks of the same text",
        "the time of day (NTP or PTP), whose own error adds to this and is not in the files"};
    if (c->by == NOISE_CLOCKS_SAME) {
        app_sentences_add(s, "Clock of %s: %s.", name, WAYS[c->by]);
        return;
    }
    g_autofree char *error = isnan(c->uncertainty_ns) ? NULL : time_text(c->uncertainty_ns);
    g_autofree char *drift =
        c->pairs > 1 ? g_strdup_printf("%.4g ppm", c->drift * 1e6) : g_strdup("not known");
    app_sentences_add(s, "Clock of %s: by %s, %zu pair%s, drift %s, uncertainty %s%s.", name,
                      WAYS[c->by], c->pairs, c->pairs == 1 ? "" : "s", drift,
                      error != NULL ? "+- " : "not known: too few pairs",
                      error != NULL ? error : "");
}

static bool is_merged(const noise_activity_row *row)
{
    return row->most_activations > row->activations;
}

/* What sweeps cannot tell apart: of the row that it weighs most on. */
static void add_merged(GPtrArray *s, const app_activity *a)
{
    const noise_activity_row *worst = NULL;
    for (size_t r = 0; r < a->activity->num_active; r++) {
        const noise_activity_row *row = &a->activity->rows[r];
        if (is_merged(row) && (worst == NULL || row->most_activations - row->activations >
                                                    worst->most_activations - worst->activations)) {
            worst = row;
        }
    }
    if (worst == NULL) {
        return;
    }
    g_autofree char *interval = time_text((double)a->set->nit->nodes[worst->node].mean_interval_ns);
    g_autofree char *few = app_format_number(worst->activations);
    g_autofree char *many = app_format_number(worst->most_activations);
    g_autofree char *least = time_text((double)worst->cpu_ns / (double)worst->most_activations);
    g_autofree char *mean = time_text(worst->mean_ns);
    app_sentences_add(
        s,
        ">= and <=: activations of a thread that lie closer together than two sweeps "
        "(here one every %s in the mean) count as one, so that mean and max are upper "
        "bounds; median and p99 are of what was counted.",
        interval);
    app_sentences_add(s,
                      "By how often it went to sleep, %s was active %s to %s times, for %s to %s "
                      "in the mean.",
                      worst->name, few, many, least, mean);
}

char **app_activity_notes(const app_activity *a)
{
    GPtrArray *s = g_ptr_array_new();
    for (size_t i = 0; a->set->n > 1 && i < a->set->n; i++) {
        add_clock(s, &a->set->clocks[i], a->set->names[i]);
    }
    if (a->ranks_note != NULL) {
        app_sentences_add(s, "%s", a->ranks_note);
    }
    add_merged(s, a);
    bool has_user = false;
    for (size_t r = 0; r < a->activity->num_active; r++) {
        has_user = has_user || a->activity->rows[r].kind == NOISE_PROGRAM_USER;
    }
    if (has_user) {
        app_sentences_add(s, "Rule, %s.", noise_program_user_rule);
    }
    bool has_job = false;
    for (size_t n = 0; n < a->set->nit->num_nodes; n++) {
        has_job = has_job || a->activity->nodes[n].has_job;
    }
    for (size_t i = 0; has_job && noise_origin_rules[i] != NULL; i++) {
        app_sentences_add(s, "Rule, %s.", noise_origin_rules[i]);
    }
    g_ptr_array_add(s, NULL);
    return (char **)g_ptr_array_free(s, FALSE);
}

char *app_activity_finding(const app_activity *a)
{
    const noise_activity_row *row = a->activity->num_active > 0 ? &a->activity->rows[0] : NULL;
    if (row == NULL || row->origin == NOISE_ORIGIN_JOB || row->origin == NOISE_ORIGIN_MONITOR) {
        return NULL;
    }
    const char *node = a->set->nit->nodes[row->node].name;
    g_autofree char *mean = time_text(row->mean_ns);
    const char *bound = is_merged(row) ? "at most " : "";
    g_autofree char *period = row->period_ns > 0 ? time_text(row->period_ns) : NULL;
    g_autofree char *cpus = app_activity_format_list(row->cpus, row->num_cpus, FEW_RANGES);
    g_autofree char *how = g_strdup_printf("%s%s, %s%s each in the mean, CPU %s",
                                           period != NULL ? "every " : "irregularly",
                                           period != NULL ? period : "", bound, mean, cpus);
    if (row->has_stolen && row->stolen_ns > 0) {
        g_autofree char *stolen = time_text((double)row->stolen_ns);
        return g_strdup_printf("Most was taken from the ranks by %s on %s: %s in all, %s.",
                               row->name, node, stolen, how);
    }
    if (row->beside_ns > 0) {
        g_autofree char *beside = time_text((double)row->beside_ns);
        return g_strdup_printf(
            "Of what is not the job itself, %s on %s used most of the CPUs that the job "
            "used: %s in all, %s.",
            row->name, node, beside, how);
    }
    g_autofree char *cpu = time_text((double)row->cpu_ns);
    return g_strdup_printf("Most CPU time had %s on %s: %s in all, %s.", row->name, node, cpu, how);
}

/* ---- Cells ---- */

const char *const APP_ACTIVITY_USE[] = {
    "program",     "node",  "class", "from ranks", "beside ranks", "CPU time", "of node",
    "activations", "per s", "mean",  "median",     "p99",          "max",      NULL};
const char *const APP_ACTIVITY_WHEN[] = {
    "program", "node", "period", "sure", "voluntary",    "involuntary", "slices",
    "CPUs",    "pids", "first",  "last", "why internal", NULL};

/* Takes @p cell. */
static char *bounded(bool is_bound, const char *how, char *cell)
{
    g_autofree char *plain = cell;
    return g_strconcat(is_bound ? how : "", plain, NULL);
}

char **app_activity_use_cells(const app_activity *a, const noise_activity_row *row)
{
    char **cells = g_new0(char *, G_N_ELEMENTS(APP_ACTIVITY_USE));
    size_t i = 0;
    cells[i++] = g_utf8_make_valid(row->name, -1);
    cells[i++] = g_strdup(a->set->nit->nodes[row->node].name);
    cells[i++] = g_strdup(noise_program_class_name(row->kind));
    cells[i++] = row->has_stolen ? time_text((double)row->stolen_ns) : g_strdup("-");
    cells[i++] =
        a->activity->nodes[row->node].has_job ? time_text((double)row->beside_ns) : g_strdup("-");
    cells[i++] = time_text((double)row->cpu_ns);
    cells[i++] = app_format_percent(row->share);
    const bool merged = is_merged(row);
    cells[i++] = bounded(merged, ">= ", app_format_number(row->activations));
    cells[i++] = bounded(merged, ">= ", g_strdup_printf("%.3g", row->rate));
    cells[i++] = bounded(merged, "<= ", time_text(row->mean_ns));
    cells[i++] = time_text(row->median_ns);
    cells[i++] = time_text(row->p99_ns);
    cells[i++] = bounded(merged, "<= ", time_text((double)row->max_ns));
    return cells;
}

/* Never "100 %": nobody is that sure. */
static char *format_sure(double confidence)
{
    return confidence > 0.9999  ? g_strdup("> 99.99 %")
           : confidence > 0.999 ? g_strdup("> 99.9 %")
                                : app_format_percent(confidence);
}

char **app_activity_when_cells(const app_activity *a, const noise_activity_row *row)
{
    char **cells = g_new0(char *, G_N_ELEMENTS(APP_ACTIVITY_WHEN));
    size_t i = 0;
    cells[i++] = g_utf8_make_valid(row->name, -1);
    cells[i++] = g_strdup(a->set->nit->nodes[row->node].name);
    cells[i++] = row->period_ns > 0 ? time_text(row->period_ns) : g_strdup("-");
    cells[i++] = row->period_ns > 0 ? format_sure(row->period_confidence) : g_strdup("-");
    cells[i++] = app_format_number(row->voluntary);
    cells[i++] = app_format_number(row->involuntary);
    cells[i++] = app_format_number(row->slices);
    cells[i++] = app_activity_format_list(row->cpus, row->num_cpus, FEW_RANGES);
    cells[i++] = app_activity_format_list(row->pids, row->num_pids, 3);
    cells[i++] = time_text((double)row->first_ns);
    cells[i++] = time_text((double)row->last_ns);
    cells[i++] = g_strdup(row->because != NULL ? row->because : "-");
    return cells;
}
