/* noise/monitor/discover.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sampler. */
/**
 * @file
 * Which processes and threads there are: by the folders of /proc.
 */
#include "monitor/program_class.h"
#include "monitor/sampler_private.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LISTING = 1 << 15 };

/* As the kernel gives it: getdents64(2). */
typedef struct entry {
    uint64_t inode;
    int64_t offset;
    uint16_t bytes;
    uint8_t type;
    char name[];
} entry;

/* The number a folder is named by; 0: another name. */
static uint32_t number_of(const char *name)
{
    const char *at = name;
    const uint64_t v = *name >= '1' && *name <= '9' ? noise_proc_number(&at) : 0;
    return *at == '\0' && v <= INT32_MAX ? (uint32_t)v : 0;
}

typedef void (*visitor)(noise_sampler *s, uint32_t number, uint32_t pid);

/* Visit all numbers in the folder open at @p fd. @return how many */
static uint32_t list(noise_sampler *s, int fd, visitor visit, uint32_t pid)
{
    union {
        entry first;
        char bytes[LISTING];
    } buffer;
    uint32_t num = 0;
    long n;
    (void)lseek(fd, 0, SEEK_SET);
    while ((n = syscall(SYS_getdents64, fd, buffer.bytes, sizeof buffer.bytes)) > 0) {
        for (long at = 0; at < n;) {
            const entry *e = (const entry *)(const void *)(buffer.bytes + at);
            const uint32_t number = number_of(e->name);
            if (number != 0) {
                num++;
                visit(s, number, pid);
            }
            at += e->bytes;
        }
    }
    return num;
}

/* The switches and counters it has had so far are not told; of one that began since we last looked
 * all is. */
static void add_thread(noise_sampler *s, uint32_t tid, uint32_t pid)
{
    if (noise_thread_table_find(&s->table, tid) != NULL) {
        return;
    }
    char path[64];
    char text[4095];
    proc_stat stat = {0};
    if (noise_proc_read(s->proc, noise_proc_path(path, pid, tid, "stat"), -1, text, sizeof text) <=
            0 ||
        !noise_proc_parse_stat(text, &stat)) {
        return; /* it has gone already */
    }
    watched_thread *t = noise_thread_table_add(&s->table, pid, tid);
    (void)g_strlcpy(t->name, stat.name, sizeof t->name);
    t->parent = stat.parent;
    t->start_ticks = stat.start_ticks;
    t->cpu = stat.cpu;
    t->kind = noise_program_class_of(s, pid, &stat);
    t->looked = s->discovered;
    s->seen.appeared += s->has_begun;
    if (!s->has_begun) {
        (void)noise_proc_read(s->proc, noise_proc_path(path, pid, tid, "schedstat"), -1, text,
                              sizeof text);
        (void)noise_proc_parse_schedstat(text, &t->last);
        (void)noise_proc_read(s->proc, noise_proc_path(path, pid, tid, "status"), -1, text,
                              sizeof text);
        (void)noise_proc_parse_switches(text, &t->switches);
        t->looked = s->clock(s->clock_data);
    } else if (!noise_sampler_look(s, t)) {
        noise_sampler_forget(s, (uint32_t)(t - s->table.threads));
    }
}

static void list_threads(noise_sampler *s, uint32_t pid)
{
    char path[64];
    (void)g_snprintf(path, sizeof path, "%u/task", pid);
    const int fd = openat(s->proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    const uint32_t num = list(s, fd, add_thread, pid);
    (void)close(fd);
    watched_thread *leader = noise_thread_table_find(&s->table, pid);
    if (leader != NULL) {
        leader->num_threads = num;
    }
}

static void visit_process(noise_sampler *s, uint32_t pid, uint32_t unused)
{
    (void)unused;
    if (noise_thread_table_find(&s->table, pid) == NULL) {
        list_threads(s, pid);
    }
}

void noise_sampler_discover(noise_sampler *s)
{
    const uint64_t now = s->clock(s->clock_data);
    (void)list(s, s->proc, visit_process, 0);
    const uint32_t num = s->num_pending;
    s->num_pending = 0;
    for (uint32_t i = 0; i < num; i++) {
        list_threads(s, s->pending[i]);
    }
    s->discovered = now;
    s->seen.most_threads = MAX(s->seen.most_threads, s->table.num);
}

void noise_sampler_begin(noise_sampler *s)
{
    noise_thread_table_init(&s->table);
    s->discovered = s->clock(s->clock_data);
    noise_sampler_discover(s);
    s->has_begun = true;
}

void noise_sampler_classify(noise_sampler *s)
{
    for (uint32_t i = 0; i < s->table.num; i++) {
        watched_thread *t = &s->table.threads[i];
        proc_stat stat = {.parent = t->parent};
        stat.flags = t->kind == NOISE_PROGRAM_KERNEL ? PROC_KERNEL_THREAD : 0;
        const noise_program_class kind = noise_program_class_of(s, t->pid, &stat);
        if (kind != t->kind) {
            t->kind = kind;
            t->index = UINT32_MAX;
        }
    }
}
