/* host/frequency.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/frequency.h"

#include "host/host_file.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DEVICE "/sys/bus/event_source/devices/msr/"

int64_t noise_frequency_event(const char *root, const char *name)
{
    static const char key[] = "event=";
    g_autofree char *path = g_strconcat(DEVICE "events/", name, NULL);
    g_autofree char *line = noise_host_file_line(root, path, 0);
    return line != NULL && g_str_has_prefix(line, key) ? strtoll(line + strlen(key), NULL, 0) : -1;
}

static int open_event(const char *root, const char *name)
{
    const int64_t type = noise_host_file_number(root, DEVICE "type", 0);
    const int64_t event = noise_frequency_event(root, name);
    if (type < 0 || event < 0) {
        return -1;
    }
    struct perf_event_attr attr = {
        .type = (uint32_t)type, .size = sizeof attr, .config = (uint64_t)event};
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

noise_frequency noise_frequency_open(const char *root)
{
    noise_frequency f = {open_event(root, "aperf"), open_event(root, "mperf")};
    if (f.aperf < 0 || f.mperf < 0) {
        noise_frequency_close(&f);
    }
    return f;
}

void noise_frequency_close(noise_frequency *f)
{
    if (f->aperf >= 0) {
        (void)close(f->aperf);
    }
    if (f->mperf >= 0) {
        (void)close(f->mperf);
    }
    *f = (noise_frequency){-1, -1};
}

static bool read_count(int descriptor, uint64_t *out)
{
    return descriptor >= 0 && read(descriptor, out, sizeof *out) == (ssize_t)sizeof *out;
}

noise_frequency_counts noise_frequency_read(const noise_frequency *f)
{
    noise_frequency_counts c = {0};
    c.known = read_count(f->aperf, &c.aperf) && read_count(f->mperf, &c.mperf);
    return c;
}

double noise_frequency_ratio(const noise_frequency_counts *a, const noise_frequency_counts *b)
{
    return a->known && b->known && b->mperf > a->mperf
               ? (double)(b->aperf - a->aperf) / (double)(b->mperf - a->mperf)
               : 0;
}
