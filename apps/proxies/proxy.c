/* apps/proxies/proxy.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "proxy.h"

#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int proxy_rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int proxy_size(void)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/* Every rank comes here: nobody is left waiting, and the launcher has nothing to add. */
static _Noreturn void end_all(int code)
{
    MPI_Finalize();
    exit(code);
}

_Noreturn void proxy_refuse(const char *program, const char *what)
{
    if (proxy_rank() == 0) {
        (void)fprintf(stderr, "%s: %s\n", program, what);
    }
    end_all(2);
}

static _Noreturn void help(const char *program, const char *purpose, const proxy_option *options,
                           size_t num_options)
{
    if (proxy_rank() == 0) {
        printf("Usage: %s [--NAME=VALUE...]\n%s\n\n", program, purpose);
        for (size_t i = 0; i < num_options; i++) {
            const proxy_option *o = &options[i];
            printf("  --%-12s %s [%g]\n", o->name, o->help,
                   o->number != NULL ? (double)*o->number : *o->real);
        }
    }
    end_all(0);
}

static void read_option(const char *program, const proxy_option *o, const char *value)
{
    char *end;
    errno = 0;
    const double number = strtod(value, &end);
    if (end == value || *end != '\0' || errno != 0 || !(number >= o->least && number <= o->most) ||
        (o->number != NULL && number != (double)(long)number)) {
        char what[200];
        (void)snprintf(what, sizeof what, "--%s=%s: %s from %g to %g", o->name, value,
                       o->number != NULL ? "a whole number" : "a number", o->least, o->most);
        proxy_refuse(program, what);
    }
    if (o->number != NULL) {
        *o->number = (int)number;
    } else {
        *o->real = number;
    }
}

static void read_argument(const char *program, const char *argument, const proxy_option *options,
                          size_t num_options)
{
    for (size_t i = 0; i < num_options; i++) {
        const size_t len = strlen(options[i].name);
        if (strncmp(argument, "--", 2) == 0 && strncmp(argument + 2, options[i].name, len) == 0 &&
            argument[2 + len] == '=') {
            read_option(program, &options[i], argument + 2 + len + 1);
            return;
        }
    }
    char what[200];
    (void)snprintf(what, sizeof what,
                   "no such option: %s (--help lists them; each is --NAME=VALUE)", argument);
    proxy_refuse(program, what);
}

void proxy_start(int *argc, char ***argv, const char *program, const char *purpose,
                 const proxy_option *options, size_t num_options)
{
    MPI_Init(argc, argv);
    for (int i = 1; i < *argc; i++) {
        if (strcmp((*argv)[i], "--help") == 0) {
            help(program, purpose, options, num_options);
        }
        read_argument(program, (*argv)[i], options, num_options);
    }
}

int proxy_end(const char *program, bool ok, const char *what)
{
    if (!ok && proxy_rank() == 0) {
        (void)fprintf(stderr, "%s: %s\n", program, what);
    }
    MPI_Finalize();
    return ok ? 0 : 1;
}

double *proxy_new(size_t n)
{
    double *f = malloc((n > 0 ? n : 1) * sizeof *f);
    if (f == NULL) {
        (void)fprintf(stderr, "out of memory: %zu bytes\n", n * sizeof *f);
        exit(MPI_Abort(MPI_COMM_WORLD, 1));
    }
    for (size_t i = 0; i < n; i++) { /* not calloc: its pages would come with the first step */
        f[i] = 0;
    }
    return f;
}
