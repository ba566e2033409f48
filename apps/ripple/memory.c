/* apps/ripple/memory.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "memory.h"

#include <glib.h>
#include <string.h>
#include <sys/statvfs.h>

/* A number in a file of one line, or UINT64_MAX ("max", absent). */
static uint64_t read_number(const char *path)
{
    g_autofree char *text = NULL;
    guint64 value;
    if (!g_file_get_contents(path, &text, NULL, NULL) ||
        !g_ascii_string_to_unsigned(g_strchomp(text), 10, 0, G_MAXUINT64, &value, NULL)) {
        return UINT64_MAX;
    }
    return value;
}

/* What the control group of this process (version 2, as a container sees it) leaves. */
static uint64_t group_available(void)
{
    const uint64_t limit = read_number("/sys/fs/cgroup/memory.max");
    const uint64_t used = read_number("/sys/fs/cgroup/memory.current");
    if (limit == UINT64_MAX || used == UINT64_MAX) {
        return UINT64_MAX;
    }
    return limit > used ? limit - used : 0;
}

uint64_t app_memory_available(void)
{
    g_autofree char *text = NULL;
    uint64_t machine = UINT64_MAX;
    if (g_file_get_contents("/proc/meminfo", &text, NULL, NULL)) {
        const char *line = strstr(text, "MemAvailable:");
        if (line != NULL) {
            machine = g_ascii_strtoull(line + strlen("MemAvailable:"), NULL, 10) * 1024;
        }
    }
    return MIN(machine, group_available());
}

uint64_t app_disk_available(const char *path)
{
    struct statvfs disk;
    if (statvfs(path, &disk) != 0) {
        return UINT64_MAX;
    }
    return (uint64_t)disk.f_bavail * disk.f_frsize;
}
