/* host/quota.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/quota.h"

#include "host/host_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void noise_quota_clear(noise_quota *quota)
{
    g_free(quota->group);
    g_free(quota->limit);
    *quota = (noise_quota){.stops = -1, .stop_ns = -1};
}

static bool lists_word(const char *list, const char *word)
{
    g_auto(GStrv) words = g_strsplit(list, ",", -1);
    return g_strv_contains((const char *const *)words, word);
}

/* Where the controller is mounted: "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0". Owned, or NULL.
 */
static char *mount_point(const char *root, bool second)
{
    g_autofree char *text = noise_host_file_text(root, "/proc/self/mounts", 0);
    g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        g_auto(GStrv) word = g_strsplit(*line, " ", -1);
        if (g_strv_length(word) >= 4 && g_str_equal(word[2], second ? "cgroup2" : "cgroup") &&
            (second || lists_word(word[3], "cpu"))) {
            return g_strdup(word[1]);
        }
    }
    return NULL;
}

/* The group of this process below that mount point: "1:cpu:/a" or "0::/a". Owned, or NULL. */
static char *own_group(const char *root, bool second)
{
    g_autofree char *text = noise_host_file_text(root, "/proc/self/cgroup", 0);
    g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        g_auto(GStrv) part = g_strsplit(*line, ":", 3);
        if (g_strv_length(part) == 3 &&
            (second ? g_str_equal(part[0], "0") && *part[1] == '\0' : lists_word(part[1], "cpu"))) {
            return g_strdup(part[2]);
        }
    }
    return NULL;
}

static char *limit_in(const char *root, const char *folder, bool second)
{
    int64_t quota_us;
    int64_t period_us;
    if (second) {
        g_autofree char *path = g_strconcat(folder, "/cpu.max", NULL);
        g_autofree char *line = noise_host_file_line(root, path, 0);
        char *rest = line;
        quota_us = line != NULL ? strtoll(line, &rest, 10) : 0; /* "max 100000": no quota */
        period_us = line != NULL ? strtoll(rest, NULL, 10) : 0;
    } else {
        g_autofree char *quota = g_strconcat(folder, "/cpu.cfs_quota_us", NULL);
        g_autofree char *period = g_strconcat(folder, "/cpu.cfs_period_us", NULL);
        quota_us = noise_host_file_number(root, quota, 0);
        period_us = noise_host_file_number(root, period, 0);
    }
    return quota_us > 0 && period_us > 0
               ? g_strdup_printf("%g ms of every %g ms", (double)quota_us / 1e3,
                                 (double)period_us / 1e3)
               : NULL;
}

/* Takes the counts of one group into @p out. @return was there something to read? */
static bool take_group(noise_quota *out, int64_t *most, const char *root, const char *mount,
                       const char *group, bool second)
{
    g_autofree char *folder = g_strconcat(mount, g_str_equal(group, "/") ? "" : group, NULL);
    g_autofree char *path = g_strconcat(folder, "/cpu.stat", NULL);
    g_autofree char *text = noise_host_file_text(root, path, 0);
    const int64_t stops = noise_host_file_value(text, "nr_throttled");
    if (stops < 0) { /* of version 2 without the controller, or not of this container */
        return false;
    }
    const int64_t ns = second ? noise_host_file_value(text, "throttled_usec") * 1000
                              : noise_host_file_value(text, "throttled_time");
    out->stops = MAX(out->stops, 0) + stops;
    out->stop_ns = MAX(out->stop_ns, 0) + MAX(ns, 0);
    g_autofree char *limit = limit_in(root, folder, second);
    const bool tighter = stops > *most || (out->limit == NULL && limit != NULL);
    if (out->group == NULL || tighter) {
        g_free(out->group);
        g_free(out->limit);
        out->group = g_strdup(group);
        out->limit = g_steal_pointer(&limit);
        *most = stops;
    }
    return true;
}

noise_quota noise_quota_read(const char *root)
{
    noise_quota out = {.stops = -1, .stop_ns = -1};
    for (int version = 1; version <= 2 && out.stops < 0; version++) {
        const bool second = version == 2;
        g_autofree char *mount = mount_point(root, second);
        g_autofree char *group = mount != NULL ? own_group(root, second) : NULL;
        int64_t most = -1;
        while (group != NULL) {
            (void)take_group(&out, &most, root, mount, group, second);
            char *slash = strrchr(group, '/');
            if (slash == NULL || g_str_equal(group, "/")) {
                break;
            }
            slash[slash == group] = '\0'; /* a container often shows its own group as the root */
        }
    }
    return out;
}
