/* noise/switches/switch_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/switch_file.h"

#include "noise/error.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(GError **error, const char *name, const char *what)
{
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE, "%s: %s", name, what);
    return false;
}

static bool read_header(const char *name, const void *data, size_t size, noise_switch_header *h,
                        GError **error)
{
    if (size < sizeof *h || memcmp(data, NOISE_SWITCH_MAGIC, sizeof h->magic) != 0) {
        return refuse(error, name, "no record of context switches, or one that was cut");
    }
    memcpy(h, data, sizeof *h);
    if (h->version != NOISE_SWITCH_VERSION || h->header_bytes != sizeof *h ||
        h->record_bytes != sizeof(noise_switch_record)) {
        return refuse(error, name, "context switches of another version or byte order");
    }
    if (h->rank >= h->num_ranks || h->host[sizeof h->host - 1] != '\0' ||
        h->boot_id[sizeof h->boot_id - 1] != '\0' || h->begin.monotonic > INT64_MAX ||
        h->end.monotonic > INT64_MAX || h->init_enter > h->begin.monotonic) {
        return refuse(error, name, "the header of its context switches is damaged");
    }
    return true;
}

static int by_thread(const void *a, const void *b)
{
    const noise_switch_record *x = a;
    const noise_switch_record *y = b;
    if (x->tid != y->tid) {
        return x->tid < y->tid ? -1 : 1;
    }
    return x->out != y->out ? (x->out < y->out ? -1 : 1) : (x->in > y->in) - (x->in < y->in);
}

static bool check_record(const char *name, const noise_switch_record *r, size_t i, GError **error)
{
    if (r->in < r->out || r->in > INT64_MAX || r->preempted > 1) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE,
                    "%s: context switch %zu ends before it begins, or is damaged", name, i);
        return false;
    }
    return true;
}

static bool check_order(const char *name, const noise_switch_log *log, GError **error)
{
    for (size_t i = 1; i < log->n; i++) {
        const noise_switch_record *r = &log->record[i];
        if (r->tid == r[-1].tid && r->out < r[-1].in) {
            g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE,
                        "%s: thread %u was off the CPU twice at a time, at %" G_GUINT64_FORMAT
                        " ns",
                        name, r->tid, r->out);
            return false;
        }
    }
    return true;
}

noise_switch_log *noise_switch_log_parse(const char *name, const void *data, size_t size,
                                         GError **error)
{
    g_autoptr(noise_switch_log) log = g_new0(noise_switch_log, 1);
    if (!read_header(name, data, size, &log->header, error)) {
        return NULL;
    }
    const size_t rest = size - sizeof log->header;
    if (log->header.is_whole != 0 && rest % sizeof *log->record != 0) {
        (void)refuse(error, name, "its last context switch was cut");
        return NULL;
    }
    log->n = rest / sizeof *log->record;
    log->record = g_new(noise_switch_record, log->n + 1);
    memcpy(log->record, (const char *)data + sizeof log->header, log->n * sizeof *log->record);
    uint64_t last = log->header.begin.monotonic;
    for (size_t i = 0; i < log->n; i++) {
        if (!check_record(name, &log->record[i], i, error)) {
            return NULL;
        }
        last = MAX(last, log->record[i].in);
    }
    qsort(log->record, log->n, sizeof *log->record, by_thread);
    if (!check_order(name, log, error)) {
        return NULL;
    }
    if (log->header.is_whole == 0) {
        log->header.end = (noise_switch_clocks){.monotonic = last};
    }
    if (log->header.end.monotonic < last) {
        (void)refuse(error, name, "a context switch lies after the end of the record");
        return NULL;
    }
    return g_steal_pointer(&log);
}

noise_switch_log *noise_switch_log_read(const char *path, GError **error)
{
    g_autofree char *data = NULL;
    gsize size = 0;
    return g_file_get_contents(path, &data, &size, error)
               ? noise_switch_log_parse(path, data, size, error)
               : NULL;
}

void noise_switch_log_free(noise_switch_log *log)
{
    if (log != NULL) {
        g_free(log->record);
        g_free(log);
    }
}

bool noise_switch_log_is_bound(const noise_switch_log *log, uint32_t cpu)
{
    bool is_bound = cpu < NOISE_SWITCH_MAX_CPUS;
    for (uint32_t c = 0; c < NOISE_SWITCH_MAX_CPUS; c++) {
        const bool may = (log->header.allowed[c / 8] >> (c % 8) & 1) != 0;
        is_bound &= may == (c == cpu);
    }
    return is_bound;
}
