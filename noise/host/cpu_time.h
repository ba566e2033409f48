/* host/cpu_time.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the kernel counts for one CPU: time taken by a hypervisor and by interrupts, and how often
 * heat or power slowed it. All numbers only grow; -1: the kernel does not say.
 */
#pragma once

#include <stdint.h>

typedef struct noise_cpu_time {
    int64_t interrupts_ticks; /* of sysconf(_SC_CLK_TCK) */
    int64_t softirqs_ticks;
    int64_t steal_ticks;
    int64_t hot;    /* times that heat slowed the core or its package */
    int64_t capped; /* times that a limit of power slowed it */
} noise_cpu_time;

noise_cpu_time noise_cpu_time_read(const char *root, uint32_t cpu);
/** now - then; -1 where one of them is not known. */
int64_t noise_cpu_time_growth(int64_t then, int64_t now);
