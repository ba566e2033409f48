/* noise/switches/cpu_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_cpu_file. */
#include "noise/cpu_file.h"

#include "noise/error.h"

#include <string.h>

#define MAGIC   "ripplecp" /* 8 bytes */
#define VERSION 1

/* All members are naturally aligned. */
typedef struct file_head {
    char magic[8];
    uint32_t version;
    uint32_t head_bytes, cpu_bytes, slice_bytes, name_bytes;
    uint32_t num_cpus;
    char boot_id[40];
} file_head;

/* Of a CPU; its slices follow, then its names. */
typedef struct file_cpu {
    uint32_t cpu, zero;
    uint64_t lost;
    uint64_t num_slices, num_names;
} file_cpu;

typedef struct file_slice {
    uint64_t out, in;
    uint32_t tid;
    uint32_t preempted; /* 1: the one that left at out could have gone on */
} file_slice;

typedef struct file_name {
    uint64_t when;
    uint32_t pid, tid, parent, by;
    char name[16];
} file_name;

static void clear_slices(gpointer data)
{
    noise_cpu_slices *slices = data;
    g_free(slices->slice);
    g_free(slices->name);
}

GArray *noise_cpu_slices_new(void)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(noise_cpu_slices));
    g_array_set_clear_func(all, clear_slices);
    return all;
}

/* ---- Writing ---- */

static void write_cpu(const noise_cpu_slices *s, FILE *out)
{
    const file_cpu cpu = {
        .cpu = s->cpu, .lost = s->lost, .num_slices = s->n, .num_names = s->num_names};
    (void)fwrite(&cpu, sizeof cpu, 1, out);
    for (size_t i = 0; i < s->n; i++) {
        const noise_switch *each = &s->slice[i];
        const file_slice slice = {each->out, each->in, each->next_tid, each->preempted ? 1 : 0};
        (void)fwrite(&slice, sizeof slice, 1, out);
    }
    for (size_t i = 0; i < s->num_names; i++) {
        const noise_switch_name *each = &s->name[i];
        file_name name = {each->when, each->pid, each->tid, each->parent, each->by, ""};
        memcpy(name.name, each->name, sizeof name.name);
        (void)fwrite(&name, sizeof name, 1, out);
    }
}

void noise_cpu_file_write(const char *boot_id, const GArray *cpus, FILE *out)
{
    file_head head = {.version = VERSION,
                      .head_bytes = sizeof(file_head),
                      .cpu_bytes = sizeof(file_cpu),
                      .slice_bytes = sizeof(file_slice),
                      .name_bytes = sizeof(file_name),
                      .num_cpus = cpus->len};
    memcpy(head.magic, MAGIC, sizeof head.magic);
    (void)g_strlcpy(head.boot_id, boot_id, sizeof head.boot_id);
    (void)fwrite(&head, sizeof head, 1, out);
    for (guint i = 0; i < cpus->len; i++) {
        write_cpu(&g_array_index(cpus, noise_cpu_slices, i), out);
    }
}

/* ---- Reading ---- */

typedef struct reader {
    const char *name; /* of the file */
    const unsigned char *data;
    size_t left;
    GError **error;
} reader;

static bool refuse(const reader *r, const char *what)
{
    g_set_error(r->error, NOISE_ERROR, NOISE_ERROR_BAD_FILE, "%s: %s", r->name, what);
    return false;
}

static bool take(reader *r, void *to, size_t size)
{
    if (size > r->left) {
        return refuse(r, "no record of CPUs, or one that was cut");
    }
    memcpy(to, r->data, size);
    r->data += size;
    r->left -= size;
    return true;
}

static bool take_head(reader *r, file_head *head)
{
    if (!take(r, head, sizeof *head)) {
        return false;
    }
    if (memcmp(head->magic, MAGIC, sizeof head->magic) != 0) {
        return refuse(r, "no record of CPUs");
    }
    if (head->version != VERSION || head->head_bytes != sizeof(file_head) ||
        head->cpu_bytes != sizeof(file_cpu) || head->slice_bytes != sizeof(file_slice) ||
        head->name_bytes != sizeof(file_name)) {
        return refuse(r, "a record of CPUs of another version or byte order");
    }
    return head->boot_id[sizeof head->boot_id - 1] == '\0' ||
           refuse(r, "the head of its record of CPUs is damaged");
}

static bool take_slices(reader *r, noise_cpu_slices *s)
{
    uint64_t end = 0; /* of the slice before */
    for (size_t i = 0; i < s->n; i++) {
        file_slice f;
        if (!take(r, &f, sizeof f)) {
            return false;
        }
        if (f.out < end || f.in < f.out || f.in > INT64_MAX || f.preempted > 1) {
            g_set_error(r->error, NOISE_ERROR, NOISE_ERROR_BAD_FILE,
                        "%s: record %zu of CPU %u is damaged, or begins before the one before it "
                        "ends",
                        r->name, i, s->cpu);
            return false;
        }
        end = f.in;
        s->slice[i] = (noise_switch){.out = f.out,
                                     .in = f.in,
                                     .cpu = s->cpu,
                                     .cpu_in = s->cpu,
                                     .next_tid = f.tid,
                                     .preempted = f.preempted != 0};
    }
    return true;
}

static bool take_names(reader *r, noise_cpu_slices *s)
{
    for (size_t i = 0; i < s->num_names; i++) {
        file_name f;
        if (!take(r, &f, sizeof f)) {
            return false;
        }
        if (f.when > INT64_MAX || f.name[sizeof f.name - 1] != '\0') {
            g_set_error(r->error, NOISE_ERROR, NOISE_ERROR_BAD_FILE,
                        "%s: name %zu of CPU %u is damaged", r->name, i, s->cpu);
            return false;
        }
        noise_switch_name *name = &s->name[i];
        *name = (noise_switch_name){
            .when = f.when, .pid = f.pid, .tid = f.tid, .parent = f.parent, .by = f.by};
        memcpy(name->name, f.name, sizeof name->name);
    }
    return true;
}

static bool take_cpu(reader *r, GArray *cpus)
{
    file_cpu f;
    if (!take(r, &f, sizeof f)) {
        return false;
    }
    const noise_cpu_slices *before =
        cpus->len > 0 ? &g_array_index(cpus, noise_cpu_slices, cpus->len - 1) : NULL;
    if (before != NULL && f.cpu <= before->cpu) {
        return refuse(r, "its CPUs do not ascend");
    }
    if (f.num_slices > r->left / sizeof(file_slice) || f.num_names > r->left / sizeof(file_name)) {
        return refuse(r, "no record of CPUs, or one that was cut");
    }
    const noise_cpu_slices all = {.cpu = f.cpu,
                                  .lost = f.lost,
                                  .n = f.num_slices,
                                  .slice = g_new0(noise_switch, f.num_slices + 1),
                                  .num_names = f.num_names,
                                  .name = g_new0(noise_switch_name, f.num_names + 1)};
    g_array_append_val(cpus, all);
    noise_cpu_slices *s = &g_array_index(cpus, noise_cpu_slices, cpus->len - 1);
    return take_slices(r, s) && take_names(r, s);
}

noise_cpu_log *noise_cpu_file_parse(const char *name, const void *data, size_t size, GError **error)
{
    reader r = {name, data, size, error};
    file_head head;
    if (!take_head(&r, &head)) {
        return NULL;
    }
    g_autoptr(noise_cpu_log) log = g_new0(noise_cpu_log, 1);
    memcpy(log->boot_id, head.boot_id, sizeof log->boot_id);
    log->cpus = noise_cpu_slices_new();
    for (uint32_t c = 0; c < head.num_cpus; c++) {
        if (!take_cpu(&r, log->cpus)) {
            return NULL;
        }
    }
    return r.left == 0 || refuse(&r, "more than its record of CPUs") ? g_steal_pointer(&log) : NULL;
}

noise_cpu_log *noise_cpu_file_read(const char *path, GError **error)
{
    g_autofree char *data = NULL;
    gsize size = 0;
    return g_file_get_contents(path, &data, &size, error)
               ? noise_cpu_file_parse(path, data, size, error)
               : NULL;
}

void noise_cpu_log_free(noise_cpu_log *log)
{
    if (log != NULL) {
        if (log->cpus != NULL) {
            g_array_unref(log->cpus);
        }
        g_free(log);
    }
}
