/* noise/nit_merge.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Several nodes' .nit files as one, on a common clock. Each node counts nanoseconds since it was
 * booted; what it takes to compare them is an offset, and a rate at which it changes.
 * docs/monitor.md.
 */
#pragma once

#include "noise/nit.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

/** By what the clocks of two nodes were compared, from the best down. */
typedef enum {
    NOISE_CLOCKS_SAME,     /* it is the common clock */
    NOISE_CLOCKS_MPI,      /* messages between ranks */
    NOISE_CLOCKS_MARKER,   /* marks of the same text */
    NOISE_CLOCKS_REALTIME, /* the time of day, as NTP or PTP keeps it */
} noise_clocks_by;
enum { NOISE_NUM_CLOCKS_BY = 4 };
/** "same", "mpi", "marker", "realtime", NULL. */
extern const char *const noise_clocks_by_names[];

/** How the clock of a node becomes the common one: when + offset_ns + drift * (when - at). */
typedef struct noise_node_clock {
    noise_clocks_by by;
    uint64_t at;           /* ns on the node's clock */
    int64_t offset_ns;     /* what is added at that instant */
    double drift;          /* ns per ns */
    double uncertainty_ns; /* half a width: MPI: half of the fastest way there and back; else the
                            * largest residual. NAN: not known (too few pairs) */
    size_t pairs;          /* instants at which clocks were compared */
} noise_node_clock;

/** What ranks found out: their node's clock against that of rank 0. */
typedef struct noise_clock_round {
    const char *boot_id; /* of the node; that of rank 0's own is in the round with is_reference */
    bool is_reference;
    uint64_t when;     /* ns on the node's clock */
    int64_t offset_ns; /* add to get rank 0's clock */
    uint64_t round_ns; /* of the fastest message there and back; at most half is the error */
} noise_clock_round;

/** The instant @p when of a node, on the common clock; not below 0. */
uint64_t noise_node_clock_apply(const noise_node_clock *clock, uint64_t when);

/**
 * Compare the clocks of @p n nodes; that of the first, or with MPI that of rank 0's, is the common
 * one.
 * @param nits   [n] of one node each
 * @param names  [n] for errors: their files
 * @param rounds [num_rounds] of MPI; may be none
 * @param by     NOISE_CLOCKS_SAME: the best that there is for all of them
 * @param out    [n] filled on success
 * @return false with NOISE_ERROR_BAD_FILE in one line: two files of one node (the same boot),
 * clocks that cannot be compared in this way, that run apart by more than 1000 ppm, that run
 * backwards, or watches without a common instant
 */
bool noise_node_clocks_find(const noise_nit *const *nits, const char *const *names, size_t n,
                            const noise_clock_round *rounds, size_t num_rounds, noise_clocks_by by,
                            noise_node_clock *out, GError **error);

/**
 * One content of all nodes: theirs in the order given, all times on the common clock, lists sorted
 * as they are in a file. Instants of clocks' pairs are moved, too. O(total log total).
 * @return owned by the caller; the nits are as they were
 */
noise_nit *noise_nit_merge(const noise_nit *const *nits, const noise_node_clock *clocks, size_t n);

/* ---- The file of several nodes: a head that says the clocks, then the files as they were ---- */

typedef struct noise_nit_set {
    size_t n;
    char **names;             /* [n] the files they came from */
    noise_node_clock *clocks; /* [n] */
    noise_nit *nit;           /* merged; of a plain file: its own content */
} noise_nit_set;

/** Do these bytes begin a file of several nodes? */
bool noise_nit_set_is(const void *data, size_t size);
/** Read a .nit file of one node or of several. @return owned by the caller; NULL with an error */
noise_nit_set *noise_nit_set_read(const char *path, GError **error);
/** The same from memory. */
noise_nit_set *noise_nit_set_parse(const char *name, const void *data, size_t size, GError **error);
void noise_nit_set_free(noise_nit_set *set); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_nit_set, noise_nit_set_free)

/** The bytes of a file of several nodes. @p parts [n]: the bytes of each node's file. */
GBytes *noise_nit_set_build(const char *const *names, const noise_node_clock *clocks,
                            GBytes *const *parts, size_t n);

G_END_DECLS
