/* apps/proxies/proxy.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What sweep3d, amg and pop share: options, memory, and how they end. Tests: test_proxies.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/** --NAME=VALUE: a whole number or a real one, as one of the two pointers is set. Both hold the
 * default until then. */
typedef struct proxy_option {
    const char *name; /* without dashes */
    const char *help;
    int *number;
    double *real;
    double least; /* what is accepted, both included */
    double most;
} proxy_option;

/**
 * MPI_Init, and the options, which every rank reads for itself. --help, or what is refused, ends
 * the program on all ranks, with one line from rank 0 and exit code 0 or 2.
 * @param program its name, in messages
 * @param purpose a line for --help
 */
void proxy_start(int *argc, char ***argv, const char *program, const char *purpose,
                 const proxy_option *options, size_t num_options);

/** As proxy_start() refuses options: rank 0 says it, all end with exit code 2. */
_Noreturn void proxy_refuse(const char *program, const char *what);

/** MPI_Finalize. @return the exit code: 0, or 1 after a line from rank 0 where @p ok is not set,
 * which it is on all ranks or on none */
int proxy_end(const char *program, bool ok, const char *what);

/** @p n zeros, whose pages are there already; out of memory ends the program. */
double *proxy_new(size_t n);

/** This rank and how many there are, of the world. */
int proxy_rank(void);
int proxy_size(void);
