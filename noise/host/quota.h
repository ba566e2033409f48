/* host/quota.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The quota of CPU time of this process: cgroups of version 1 and 2. A quota of any group above
 * stops the process as well, and is counted only there.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

typedef struct noise_quota {
    int64_t stops;   /* how often the groups that this process is in were stopped; -1: not known */
    int64_t stop_ns; /* for how long, over all their CPUs; -1: not known */
    char *group;     /* the group with the most stops, or the own one; NULL: not known */
    char *limit;     /* its quota: "50 ms of every 100 ms"; NULL: none */
} noise_quota;

noise_quota noise_quota_read(const char *root);
void noise_quota_clear(noise_quota *quota);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(noise_quota, noise_quota_clear)
