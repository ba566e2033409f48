/* noise/monitor/proc_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Files of /proc: read without allocating, and the numbers in them. spec: proc(5).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Of task/TID/schedstat: ns on a CPU, ns waiting for one, how often it was put on one. */
typedef struct proc_schedstat {
    uint64_t cpu_ns, delay_ns, slices;
} proc_schedstat;

/** Of task/TID/stat. */
typedef struct proc_stat {
    char name[64]; /* of kernel workers longer than the 15 bytes of others */
    char state;    /* 'R' running or ready, 'S', 'D', … */
    uint32_t parent;
    uint32_t session;  /* process that leads it; 0: none that is visible */
    uint32_t terminal; /* number of the device that controls it; 0: none */
    uint32_t flags;
    uint32_t num_threads;
    uint64_t start_ticks;
    uint32_t cpu; /* last on; UINT32_MAX: the line is too short */
} proc_stat;
enum { PROC_KERNEL_THREAD = 0x00200000 }; /* of flags: PF_KTHREAD */

/** Of task/TID/status. */
typedef struct proc_switches {
    uint64_t voluntary, involuntary;
} proc_switches;

/**
 * All of a file into @p buffer, ending in NUL; cut to @p size - 1.
 * @param fd where it is open, or -1: it is opened below @p folder and closed again
 * @return bytes; -1 with errno if it is not there (any more); 0: empty
 */
long noise_proc_read(int folder, const char *path, int fd, char *buffer, size_t size);

/** The decimal number at @p at, behind blanks; @p at moves behind it. 0 where there is none. */
uint64_t noise_proc_number(const char **at);
bool noise_proc_parse_schedstat(const char *text, proc_schedstat *out);
bool noise_proc_parse_stat(const char *text, proc_stat *out);
bool noise_proc_parse_switches(const char *text, proc_switches *out);
/** "PID/task/TID/NAME", without allocating. @return @p out */
char *noise_proc_path(char out[64], uint32_t pid, uint32_t tid, const char *name);
