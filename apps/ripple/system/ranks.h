/* apps/ripple/system/ranks.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Several processes of one command, started by mpirun or srun, agree on a common start without
 * MPI: through small files beside their output, on a file system that all of them see.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** What the launcher says of this process. */
typedef struct app_rank {
    unsigned rank;
    unsigned size; /* 1: alone, or not launched by any launcher that is known */
} app_rank;

/** OMPI_COMM_WORLD_*, PMI_*, SLURM_*, in that order. */
app_rank app_rank_of_environment(void);

typedef struct app_rendezvous app_rendezvous;

/** What all have agreed on. */
typedef struct app_agreement {
    char *cpus;    /* "0-3": this process's; "": others measure all that it may use */
    int64_t start; /* CLOCK_REALTIME ns of the common start */
    bool shared;   /* it has less than it asked for: others of its node may use the same CPUs */
} app_agreement;

/**
 * Wait until all @p rank.size processes have come here, each with the CPUs that it may use. Those
 * that several processes of one node may use are dealt out: each CPU to the one that has the
 * fewest. Blocks until the last process is there, or a minute.
 * @param beside the path that the small files are put beside
 * @param cpus "0-3,8"
 * @param lead ns from now to the common start
 * @return owned by the caller; NULL with APP_ERROR_OUTPUT
 */
app_rendezvous *app_rendezvous_new(app_rank rank, const char *beside, const char *cpus,
                                   int64_t lead, app_agreement *agreement, GError **error);
/**
 * Wait until all have finished, so that no launcher ends the others because one is done; remove the
 * small files; free. A process that does not come within a minute is not waited for.
 */
void app_rendezvous_finish(app_rendezvous *rendezvous);

/**
 * Deal out CPUs: @p masks [n] lists "0-3", @p nodes [n] names; those of one node that overlap are
 * shared. @return [n] lists, NULL-terminated, owned by the caller
 */
char **app_rank_deal_cpus(char *const *masks, char *const *nodes, unsigned n);
