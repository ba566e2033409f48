/* apps/ripple/monitor/validate.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_monitor_validate. */
#include "monitor/validate.h"

#include "monitor/burst_judge.h"
#include "monitor/fixed_work.h"
#include "monitor/fwq_judge.h"
#include "monitor/injector.h"
#include "monitor/long_watch.h"
#include "output/error.h"
#include "sim/unit.h"
#include "system/child.h"

#include <glib/gstdio.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t US = 1000;
static const uint64_t MS = 1000000;
static const uint64_t SECOND = 1000000000;
static const uint64_t BURST = 17000000; /* of those beside fixed work: late by half */
static const uint64_t PERIOD = 410000000;
/* A watch during which a process burns. Owned: nit, injector. */
typedef struct trial {
    noise_nit *nit;
    app_injector injector;
} trial;

/* The work beside the bursts. */
typedef struct fixed {
    uint64_t quantum, time; /* ns */
    app_fixed_work *work;   /* gets it */
} fixed;

static void trial_clear(trial *t)
{
    noise_nit_free(t->nit);
    app_injector_clear(&t->injector);
}

static bool run_trial(trial *t, const noise_monitor_options *o, uint32_t cpu, uint64_t burst,
                      uint64_t period, uint32_t bursts, const fixed *fwq, GError **error)
{
    *t = (trial){0};
    noise_monitor *m = noise_monitor_start(o, error);
    if (m == NULL) {
        return false;
    }
    bool ok = app_injector_start(&t->injector, cpu, burst, period, bursts);
    if (!ok) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "no process to burn CPU time");
    } else if (fwq != NULL) {
        app_fixed_work_run(cpu, fwq->quantum, fwq->time, fwq->work);
    }
    if (t->injector.pid > 0) {
        app_injector_join(&t->injector, fwq != NULL);
    }
    ok = noise_monitor_stop(m, ok ? error : NULL) && ok;
    t->nit = ok ? noise_nit_read(o->path, error) : NULL;
    return t->nit != NULL;
}

static bool is_of(const noise_nit *nit, const noise_nit_activity *a, pid_t pid)
{
    return nit->threads[a->thread].pid == (uint32_t)pid;
}

static char *time_text(uint64_t ns)
{
    return sim_unit_format_time_short((sim_time)ns * SIM_NS);
}

/* A row of the table. */
static bool judge_bursts(const trial *t, uint32_t cpu, uint64_t burst, uint64_t period, FILE *out)
{
    const app_burst_agreement a = app_burst_judge(t->nit, &t->injector, cpu, burst, period);
    const bool ok = app_burst_passed(&a);
    g_autofree char *b = time_text(burst);
    g_autofree char *p = time_text(period);
    g_autofree char *e = time_text(t->nit->nodes[0].p99_interval_ns);
    fprintf(out,
            "%6s %6s %6" G_GUINT64_FORMAT " %6" G_GUINT64_FORMAT " %10" G_GUINT64_FORMAT
            " %9.3f %9.3f %9.3f %8.1f %9" G_GUINT64_FORMAT " %10s  %s\n",
            b, p, a.bursts, a.found, a.activities, (double)a.burnt_ns / 1e6, (double)a.own_ns / 1e6,
            (double)a.seen_ns / 1e6, app_burst_excess(&a) / 1e3, a.elsewhere, e, ok ? "yes" : "NO");
    return ok;
}

static bool validate_bursts(const noise_monitor_options *o, uint32_t cpu, FILE *out, bool *passed,
                            GError **error)
{
    const uint64_t BURSTS[] = {20 * US, 100 * US, MS, 5 * MS};
    const uint64_t PERIODS[] = {5 * MS, 50 * MS, SECOND};
    fprintf(out, "%6s %6s %6s %6s %10s %9s %9s %9s %8s %9s %10s  %s\n", "burst", "every", "bursts",
            "found", "activities", "burnt ms", "own ms", "seen ms", "us each", "other CPU",
            "p99 sweeps", "passed");
    *passed = true;
    for (size_t p = 0; p < G_N_ELEMENTS(PERIODS); p++) {
        for (size_t b = 0; b < G_N_ELEMENTS(BURSTS) && BURSTS[b] < PERIODS[p]; b++) {
            trial t;
            const uint32_t n = (uint32_t)CLAMP(3 * SECOND / PERIODS[p], 5, 300);
            const bool ok = run_trial(&t, o, cpu, BURSTS[b], PERIODS[p], n, NULL, error);
            *passed &= ok && judge_bursts(&t, cpu, BURSTS[b], PERIODS[p], out);
            trial_clear(&t);
            if (!ok) {
                return false;
            }
        }
    }
    fputs(
        "burnt: in bursts; own: all CPU time of the process by its own clock, waking up and going "
        "to "
        "sleep, too;\nseen: by the watch; us each: what it saw more, for each burst. A burst is "
        "found "
        "if an activity of its process\noverlaps it: 99 % must be where burst and pause are longer "
        "than two intervals between sweeps, else 95 %;\nseen and own must agree within 5 % and 25 "
        "us "
        "for each burst.\n",
        out);
    return true;
}

static bool validate_fwq(const noise_monitor_options *o, uint32_t cpu, sim_time time, FILE *out,
                         bool *passed, GError **error)
{
    const uint64_t quantum = 33 * MS;
    trial t;
    app_fixed_work work = {0};
    const fixed fwq = {.quantum = quantum, .time = (uint64_t)(time / SIM_NS), .work = &work};
    const bool ok = run_trial(&t, o, cpu, BURST, PERIOD, 10000, &fwq, error);
    if (ok) {
        const app_fwq_agreement a = app_fwq_judge(t.nit, cpu, &work, quantum, out);
        const size_t judged = a.late - a.stolen;
        *passed = app_fwq_passed(&a, (size_t)(fwq.time / PERIOD));
        fprintf(out, "%zu quanta of 33 ms on CPU %u, beside bursts of 17 ms every 410 ms\n",
                a.quanta, cpu);
        fprintf(
            out,
            "late quanta (off the CPU for more than 10 %%): %zu, with activity of others: %zu, of "
            "a length within 10 %%: %zu; filled by steal, not judged: %zu (recall %.3f)\n",
            a.late, a.explained, a.length_agrees, a.stolen,
            (double)a.length_agrees / (double)MAX(judged, 1));
        fprintf(
            out,
            "quanta with more than 10 %% of activity: %zu, of which late: %zu (precision %.3f)\n",
            a.active, a.answered, (double)a.answered / (double)MAX(a.active, 1));
        fprintf(out,
                "quanta whose own CPU time is 10 %% above the median (slower clock, caches, "
                "interrupts; not late): %zu\n",
                a.slow);
        if (2 * a.late < fwq.time / PERIOD) {
            fputs("This CPU is too busy: late quanta run into each other.\n", out);
        }
    }
    trial_clear(&t);
    app_fixed_work_clear(&work);
    return ok;
}

static uint32_t last_cpu(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    (void)sched_getaffinity(0, sizeof set, &set);
    uint32_t cpu = CPU_SETSIZE - 1;
    while (cpu > 0 && !CPU_ISSET(cpu, &set)) {
        cpu--;
    }
    return cpu;
}

bool app_validate(app_validation which, const noise_monitor_options *o, sim_time time, FILE *out,
                  bool *passed, GError **error)
{
    const uint32_t cpu = last_cpu();
    return which == APP_VALIDATE_FWQ ? validate_fwq(o, cpu, time, out, passed, error)
                                     : validate_bursts(o, cpu, out, passed, error);
}

static double resident_bytes(void)
{
    g_autofree char *text = NULL;
    const char *pages =
        g_file_get_contents("/proc/self/statm", &text, NULL, NULL) ? strchr(text, ' ') : NULL;
    return pages != NULL ? g_ascii_strtod(pages, NULL) * (double)sysconf(_SC_PAGESIZE) : 0;
}

bool app_validate_long(const noise_monitor_options *o, sim_time time, FILE *out, bool *passed,
                       GError **error)
{
    noise_monitor *m = noise_monitor_start(o, error);
    if (m == NULL) {
        return false;
    }
    g_autoptr(GArray) samples = g_array_new(FALSE, FALSE, sizeof(app_long_sample));
    const gint64 begin = g_get_monotonic_time();
    const double length = (double)time / (double)SIM_S;
    const guint most = (guint)CLAMP(length / 2, APP_LONG_LEAST, 600);
    for (guint i = 1; i <= most; i++) {
        const gint64 due = begin + (gint64)(length * 1e6 * i / most);
        g_usleep((gulong)MAX(due - g_get_monotonic_time(), 0));
        GStatBuf file = {0};
        (void)g_stat(o->path, &file);
        const app_long_sample one = {(double)(g_get_monotonic_time() - begin) / 1e6,
                                     resident_bytes(), (double)file.st_size};
        g_array_append_val(samples, one);
    }
    if (!noise_monitor_stop(m, error)) {
        return false;
    }
    g_autoptr(noise_nit) nit = noise_nit_read(o->path, error);
    if (nit == NULL || samples->len < APP_LONG_LEAST) {
        return nit != NULL;
    }
    const noise_nit_node *node = &nit->nodes[0];
    const double s = (double)(node->end - node->begin) / 1e9;
    app_long_watch w = {.s = s,
                        .cpu_share = (double)node->monitor_ns / 1e9 / s,
                        .budget = o->budget,
                        .sweep_ms = (double)node->mean_sweep_ns / 1e6,
                        .sweeps = (double)node->sweeps / s,
                        .threads = node->most_threads};
    app_long_watch_fit(&w, (const app_long_sample *)(void *)samples->data, samples->len);
    app_long_watch_print(&w, out);
    *passed = app_long_watch_passed(&w);
    return true;
}

typedef struct late_ranks {
    size_t iterations, late, by_injector, on_its_cpu, named;
} late_ranks;

/* CPU time of the process itself on that CPU, by what was seen. */
static double injected(const trial *t, uint32_t cpu, uint64_t from, uint64_t to)
{
    double sum = 0;
    for (size_t i = 0; i < t->nit->num_activities; i++) {
        const noise_nit_activity *a = &t->nit->activities[i];
        if (a->cpu == cpu && a->to > from && a->from < to && is_of(t->nit, a, t->injector.pid)) {
            sum += (double)a->cpu_ns;
        }
    }
    return sum;
}

static bool has_burst(const trial *t, uint64_t from, uint64_t to)
{
    for (uint64_t i = 0; i < *t->injector.num; i++) {
        if (t->injector.bursts[i].begin >= from && t->injector.bursts[i].end <= to) {
            return true;
        }
    }
    return false;
}

/* Of each rank of each iteration: begin, end, CPU, CPU time in between. */
enum { BEGIN, END, CPU, USED, NUMBERS };

/* How long it was off its CPU: what is slow on it is no delay by others. */
static double off_cpu(const uint64_t *rank)
{
    const uint64_t wall = rank[END] - rank[BEGIN];
    return wall > rank[USED] ? (double)(wall - rank[USED]) : 0;
}

/* @p numbers: NUMBERS for each rank of each iteration. */
static late_ranks find_late(const trial *t, const GArray *numbers, size_t ranks, uint32_t cpu)
{
    const uint64_t *v = (const uint64_t *)(const void *)numbers->data;
    late_ranks found = {0};
    const uint64_t slack = t->nit->nodes[0].p99_interval_ns;
    for (size_t i = 0; i + NUMBERS * ranks <= numbers->len; i += NUMBERS * ranks) {
        const uint64_t *late = &v[i];
        bool burst = false;
        for (size_t k = 0; k < ranks; k++) {
            const uint64_t *rank = &v[i + NUMBERS * k];
            late = off_cpu(rank) > off_cpu(late) ? rank : late;
            burst |= rank[CPU] == cpu && has_burst(t, rank[BEGIN], rank[END]);
        }
        found.iterations++;
        found.late += off_cpu(late) > 0.1 * (double)late[USED];
        if (burst) {
            found.by_injector++;
            found.on_its_cpu += late[CPU] == cpu;
            found.named += late[CPU] == cpu && injected(t, cpu, late[BEGIN] - slack,
                                                        late[END] + slack) > 0.9 * (double)BURST;
        }
    }
    return found;
}

/* All numbers of a file, and how many ranks its first line has. NULL: there is none */
static GArray *read_numbers(const char *path, size_t *ranks)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        return NULL;
    }
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    *ranks = 0;
    for (char *at = text; *at != '\0';) {
        char *end;
        const uint64_t v = g_ascii_strtoull(at, &end, 10);
        if (end == at) {
            break;
        }
        g_array_append_val(numbers, v);
        *ranks = *ranks == 0 && *end == '\n' ? numbers->len / NUMBERS : *ranks;
        at = end + (*end == '\n');
    }
    if (*ranks == 0) {
        g_clear_pointer(&numbers, g_array_unref);
    }
    return numbers;
}

static bool run_ranks(trial *t, const noise_monitor_options *o, char **command, uint32_t cpu,
                      GError **error)
{
    *t = (trial){0};
    noise_monitor *m = noise_monitor_start(o, error);
    if (m == NULL) {
        return false;
    }
    app_child_end end = {0};
    g_auto(GStrv) environment = g_get_environ();
    bool ok = app_injector_start(&t->injector, cpu, BURST, PERIOD, 10000) &&
              app_child_run(command, environment, NULL, &end, error);
    if (ok && (!WIFEXITED(end.status) || WEXITSTATUS(end.status) != 0)) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: the command failed", command[0]);
        ok = false;
    }
    if (t->injector.pid > 0) {
        app_injector_join(&t->injector, true);
    }
    ok = noise_monitor_stop(m, ok ? error : NULL) && ok;
    t->nit = ok ? noise_nit_read(o->path, error) : NULL;
    return t->nit != NULL;
}

bool app_validate_allreduce(const noise_monitor_options *o, char **command, FILE *out, bool *passed,
                            GError **error)
{
    g_autofree char *path = g_strdup_printf("%s.ranks", o->path);
    g_autoptr(GPtrArray) arguments = g_ptr_array_new();
    for (char **word = command; *word != NULL; word++) {
        g_ptr_array_add(arguments, *word);
    }
    char iterations[] = "300";
    g_ptr_array_add(arguments, iterations);
    g_ptr_array_add(arguments, path);
    g_ptr_array_add(arguments, NULL);
    const uint32_t cpu = last_cpu();
    trial t;
    size_t ranks = 0;
    bool ok = run_ranks(&t, o, (char **)arguments->pdata, cpu, error);
    g_autoptr(GArray) numbers = ok ? read_numbers(path, &ranks) : NULL;
    (void)g_unlink(path);
    if (ok && numbers == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "%s: the command has written no times: it must be fwq_allreduce", path);
        ok = false;
    }
    if (ok) {
        const late_ranks l = find_late(&t, numbers, ranks, cpu);
        *passed = l.by_injector > 0 && (double)l.named >= 0.95 * (double)l.by_injector;
        fprintf(out,
                "%zu iterations of 33 ms and an allreduce on %zu ranks, beside bursts of 17 ms "
                "every 410 ms on CPU %u\n",
                l.iterations, ranks, cpu);
        fprintf(out,
                "a rank was off its CPU for more than 10 %%: %zu; with a burst beside a rank: %zu, "
                "of which the "
                "late rank was on that CPU: %zu, and the monitor shows the burst there: %zu\n",
                l.late, l.by_injector, l.on_its_cpu, l.named);
    }
    trial_clear(&t);
    return ok;
}
