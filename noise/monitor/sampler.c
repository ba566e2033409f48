/* noise/monitor/sampler.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "monitor/sampler.h"

#include "monitor/program_class.h"
#include "monitor/sampler_private.h"

#include <fcntl.h>
#include <unistd.h>

/* Who was active within this time is looked at in every sweep. */
static const uint64_t OF_LATE = UINT64_C(1000000000);
enum { SMALL = 128, STAT = 1024, STATUS = 4095 };

/* The descriptor of one of its files; -1 where no more may be opened. */
static int opened(noise_sampler *s, const watched_thread *t, int *fd, const char *name)
{
    if (*fd < 0 && s->descriptors > 0) {
        char path[64];
        *fd = openat(s->proc, noise_proc_path(path, t->pid, t->tid, name), O_RDONLY | O_CLOEXEC);
        s->descriptors -= *fd >= 0;
    }
    return *fd;
}

static long read_file(noise_sampler *s, const watched_thread *t, int *fd, const char *name,
                      char *buffer, size_t size)
{
    char path[64];
    const int have = opened(s, t, fd, name);
    return noise_proc_read(s->proc, have < 0 ? noise_proc_path(path, t->pid, t->tid, name) : NULL,
                           have, buffer, size);
}

void noise_sampler_introduce(noise_sampler *s, watched_thread *t)
{
    char command[NIT_MOST_TEXT + 1];
    char name[64];
    char path[64];
    (void)g_strlcpy(name, t->name, sizeof name);
    long n = noise_proc_read(s->proc, noise_proc_path(path, t->pid, t->tid, "cmdline"), -1, command,
                             sizeof command);
    for (long i = 0; i + 1 < n; i++) {
        command[i] = (char)(command[i] == '\0' ? ' ' : command[i]);
    }
    if (n <= 0 && t->kind == NOISE_PROGRAM_KERNEL && strcspn(name, "+-") < strlen(name) &&
        g_str_has_prefix(name, "kworker/")) { /* what it does now changes; it stays */
        n = (long)g_strlcpy(command, t->name, sizeof command);
        name[strcspn(name, "+-")] = '\0';
    }
    const noise_nit_thread thread = {
        .pid = t->pid,
        .tid = t->tid,
        .parent = t->parent,
        .start_ticks = t->start_ticks,
        .name = name,
        .command = n > 0 ? command : NULL,
        .kind = t->kind,
        .rank = t->kind == NOISE_PROGRAM_APPLICATION ? noise_program_rank(s, t->pid) : -1,
    };
    t->index = noise_nit_writer_thread(s->writer, &thread);
}

/* Tell what is known of the activity that is open. */
static void tell(noise_sampler *s, watched_thread *t, bool goes_on)
{
    noise_nit_activity *a = &t->activity;
    if (a->to == a->from) {
        return; /* told already; nothing since */
    }
    char text[STATUS];
    proc_switches now;
    if (read_file(s, t, &t->status, "status", text, sizeof text) > 0 &&
        noise_proc_parse_switches(text, &now)) {
        a->voluntary = (uint32_t)(now.voluntary - t->switches.voluntary);
        a->involuntary = (uint32_t)(now.involuntary - t->switches.involuntary);
        t->switches = now;
    }
    if (t->index == UINT32_MAX) {
        noise_sampler_introduce(s, t);
    }
    a->thread = t->index;
    a->cpu = t->cpu;
    noise_nit_writer_activity(s->writer, a, goes_on);
    *a = (noise_nit_activity){.from = a->to, .to = a->to};
}

/* The same program? A kernel worker says behind its name what it works on. */
static bool same_name(const char *a, const char *b)
{
    const char *ends = g_str_has_prefix(a, "kworker/") ? "+-" : "";
    const size_t n = strcspn(a, ends);
    return n == strcspn(b, ends) && memcmp(a, b, n) == 0;
}

static void note_threads(noise_sampler *s, const watched_thread *t, uint32_t num)
{
    const watched_thread *leader =
        t->tid == t->pid ? t : noise_thread_table_find(&s->table, t->pid);
    if (leader == NULL || leader->num_threads == num || s->num_pending == SAMPLER_PENDING) {
        return;
    }
    for (uint32_t i = 0; i < s->num_pending; i++) {
        if (s->pending[i] == t->pid) {
            return;
        }
    }
    s->pending[s->num_pending++] = t->pid;
}

bool noise_sampler_identify(noise_sampler *s, watched_thread *t, proc_stat *out)
{
    char text[STAT];
    if (read_file(s, t, &t->stat, "stat", text, sizeof text) <= 0 ||
        !noise_proc_parse_stat(text, out) || out->start_ticks != t->start_ticks) {
        return false;
    }
    if (!same_name(t->name, out->name)) {
        if (t->is_open) {
            tell(s, t, false); /* what it did under its old name */
        }
        (void)g_strlcpy(t->name, out->name, sizeof t->name);
        t->index = UINT32_MAX;
    }
    if (out->cpu != t->cpu) {
        if (t->is_open) {
            tell(s, t, false); /* what it did over there */
        }
        t->cpu = out->cpu;
    }
    note_threads(s, t, out->num_threads);
    return true;
}

static void close_activity(noise_sampler *s, watched_thread *t)
{
    tell(s, t, false);
    t->is_open = false;
}

/*
 * Slices are counted when a thread is put on a CPU, its time when it leaves, or at a tick: an
 * activity begins with the one and takes up the other. A thread that shows nothing new may still
 * be running: it is asked, and only one that sleeps has ended its activity.
 */
static bool take(noise_sampler *s, watched_thread *t, const proc_schedstat *now, uint64_t when)
{
    proc_stat stat;
    const bool changed = now->cpu_ns != t->last.cpu_ns || now->slices != t->last.slices;
    if (!changed && !t->is_open) {
        return true;
    }
    if (!changed) {
        if (!noise_sampler_identify(s, t, &stat)) {
            return false;
        }
        if (stat.state != 'R') {
            close_activity(s, t);
        }
        return true;
    }
    const bool reused = now->cpu_ns < t->last.cpu_ns || now->slices < t->last.slices;
    if (reused ||
        ((now->slices != t->last.slices || !t->is_open) && !noise_sampler_identify(s, t, &stat))) {
        return false;
    }
    noise_nit_activity *a = &t->activity;
    if (!t->is_open) {
        *a = (noise_nit_activity){.from = t->looked};
        t->is_open = true;
    } else if (a->to == a->from) { /* a piece was told up to there */
        a->from = MIN(a->from, t->looked);
    }
    a->to = when;
    a->cpu_ns += now->cpu_ns - t->last.cpu_ns;
    a->slices += (uint32_t)(now->slices - t->last.slices);
    a->run_delay_ns += now->delay_ns - MIN(now->delay_ns, t->last.delay_ns);
    s->seen.slices += now->slices - t->last.slices;
    t->active = when;
    return true;
}

bool noise_sampler_look(noise_sampler *s, watched_thread *t)
{
    char text[SMALL];
    proc_schedstat now;
    if (read_file(s, t, &t->schedstat, "schedstat", text, sizeof text) <= 0 ||
        !noise_proc_parse_schedstat(text, &now)) {
        return false;
    }
    const uint64_t when = s->clock(s->clock_data);
    if (!take(s, t, &now, when)) {
        return false;
    }
    t->last = now;
    t->looked = when;
    return true;
}

void noise_sampler_forget(noise_sampler *s, uint32_t index)
{
    watched_thread *t = &s->table.threads[index];
    if (t->is_open) {
        close_activity(s, t);
    }
    const int files[] = {t->schedstat, t->stat, t->status};
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        if (files[i] >= 0) {
            (void)close(files[i]);
            s->descriptors++;
        }
    }
    noise_thread_table_remove(&s->table, index);
}

void noise_sampler_sweep(noise_sampler *s)
{
    const uint64_t begin = s->clock(s->clock_data);
    const uint64_t since = begin > OF_LATE ? begin - OF_LATE : 0;
    s->sweeps++;
    for (uint32_t i = 0; i < s->table.num;) {
        watched_thread *t = &s->table.threads[i];
        const bool is_due = t->is_open || (t->active > since && t->active > 0) ||
                            (t->tid + s->sweeps) % s->idle_rest == 0;
        if (is_due && !noise_sampler_look(s, t)) {
            noise_sampler_forget(s, i); /* another one is at its place now */
        } else {
            i++;
        }
    }
}

void noise_sampler_tell(noise_sampler *s)
{
    for (uint32_t i = 0; i < s->table.num; i++) {
        watched_thread *t = &s->table.threads[i];
        if (t->is_open) {
            tell(s, t, true);
        }
    }
}

void noise_sampler_end(noise_sampler *s)
{
    while (s->table.num > 0) {
        noise_sampler_forget(s, s->table.num - 1);
    }
    noise_thread_table_clear(&s->table);
}
