/* apps/ripple/system/memory.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "system/memory.h"

#include <glib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

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

/* What the control groups from @p path up to the root leave, as the kernel mounts them at @p root.
 */
static uint64_t groups_available(const char *root, const char *path, const char *limit_name,
                                 const char *used_name)
{
    uint64_t available = UINT64_MAX;
    g_autofree char *group = g_strdup(path);
    for (;;) {
        g_autofree char *limit_path = g_build_filename(root, group, limit_name, NULL);
        g_autofree char *used_path = g_build_filename(root, group, used_name, NULL);
        const uint64_t limit = read_number(limit_path);
        const uint64_t used = read_number(used_path);
        if (limit != UINT64_MAX && used != UINT64_MAX) {
            available = MIN(available, limit > used ? limit - used : 0);
        }
        if (strcmp(group, "/") == 0 || strcmp(group, ".") == 0) {
            return available;
        }
        char *parent = g_path_get_dirname(group);
        g_free(group);
        group = parent;
    }
}

/* What the control groups of this process leave: lines ID:CONTROLLERS:PATH, in version 2 0::PATH.
 */
static uint64_t group_available(void)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents("/proc/self/cgroup", &text, NULL, NULL)) {
        return UINT64_MAX;
    }
    uint64_t available = UINT64_MAX;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        g_auto(GStrv) field = g_strsplit(*line, ":", 3);
        if (g_strv_length(field) < 3) {
            continue;
        }
        uint64_t left = UINT64_MAX;
        if (field[1][0] == '\0') {
            left = groups_available("/sys/fs/cgroup", field[2], "memory.max", "memory.current");
        } else if (strstr(field[1], "memory") != NULL) {
            left = groups_available("/sys/fs/cgroup/memory", field[2], "memory.limit_in_bytes",
                                    "memory.usage_in_bytes");
        }
        available = MIN(available, left);
    }
    return available;
}

/* What `ulimit -v` leaves, which batch systems set. */
static uint64_t limit_available(void)
{
    struct rlimit limit;
    g_autofree char *text = NULL; /* pages: of address space, resident, ... */
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        !g_file_get_contents("/proc/self/statm", &text, NULL, NULL)) {
        return UINT64_MAX;
    }
    const uint64_t used = g_ascii_strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
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
    return MIN(MIN(machine, group_available()), limit_available());
}

uint64_t app_disk_available(const char *path)
{
    struct statvfs disk;
    if (statvfs(path, &disk) != 0) {
        return UINT64_MAX;
    }
    return (uint64_t)disk.f_bavail * disk.f_frsize;
}
