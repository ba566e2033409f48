/* apps/tracer/live/mine_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "live/mine_file.h"

#include "record/state.h"
#include "synopsis/packed.h"
#include "tracer/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG_SIZE = 4712, TAG_BYTES = 4713, PATH = 4096 };
#define MOST_BYTES (UINT64_C(512) << 20) /* of memory for the synopses of several ranks */

static bool write_all(const char *path, const uint8_t *bytes, size_t size)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool ok = file >= 0;
    for (size_t done = 0; ok && done < size;) {
        const ssize_t n = write(file, bytes + done, size - done);
        ok = n > 0 || (n < 0 && errno == EINTR);
        done += n > 0 ? (size_t)n : 0;
    }
    return file >= 0 && close(file) == 0 && ok;
}

/* Under another name first: who reads sees all of it, or the one before. */
static bool put_file(const noise_synopsis *s, const char *name)
{
    char path[PATH];
    char fresh[PATH];
    size_t size = 0;
    const int n = snprintf(path, sizeof path, "%s/%s", tracer.dir, name);
    const int m = snprintf(fresh, sizeof fresh, "%s/.%s.new", tracer.dir, name);
    uint8_t *bytes = noise_synopsis_pack(s, &size);
    errno = bytes == NULL ? ENOMEM : ENAMETOOLONG;
    const bool ok = bytes != NULL && n > 0 && n < PATH && m > 0 && m < PATH &&
                    write_all(fresh, bytes, size) && rename(fresh, path) == 0;
    free(bytes);
    if (!ok) {
        const int code = errno;
        (void)unlink(fresh);
        tracer_say("cannot write %s/%s: %s", tracer.dir, name, strerror(code));
    }
    return ok;
}

bool tracer_mine_file_write(const noise_synopsis *s, int rank)
{
    static bool failed;
    char name[32];
    (void)snprintf(name, sizeof name, TRACER_MINE_PART "%d", rank);
    failed = failed || !put_file(s, name); /* what failed once is not said every time */
    return !failed;
}

void tracer_mine_file_drop(int rank)
{
    char path[PATH];
    const int n = snprintf(path, sizeof path, "%s/" TRACER_MINE_PART "%d", tracer.dir, rank);
    if (n > 0 && n < PATH) {
        (void)unlink(path);
    }
}

static void send_to(int rank, const noise_synopsis *s)
{
    size_t size = 0;
    uint8_t *bytes = noise_synopsis_pack(s, &size);
    const uint64_t said = bytes != NULL && size <= INT_MAX ? size : 0;
    PMPI_Send(&said, 1, MPI_UINT64_T, rank, TAG_SIZE, tracer.world);
    if (said > 0) {
        PMPI_Send(bytes, (int)said, MPI_BYTE, rank, TAG_BYTES, tracer.world);
    }
    free(bytes);
}

/* @return false: it is missing, or a part of it */
static bool receive_from(int rank, noise_synopsis *s)
{
    uint64_t size = 0;
    size_t where = 0;
    PMPI_Recv(&size, 1, MPI_UINT64_T, rank, TAG_SIZE, tracer.world, MPI_STATUS_IGNORE);
    uint8_t *bytes = size > 0 ? malloc(size) : NULL;
    if (size > 0 && bytes == NULL) { /* the sender waits */
        tracer_say("out of memory");
        PMPI_Abort(tracer.world, 1);
    }
    if (size == 0) {
        return false;
    }
    PMPI_Recv(bytes, (int)size, MPI_BYTE, rank, TAG_BYTES, tracer.world, MPI_STATUS_IGNORE);
    noise_synopsis other;
    const bool read = noise_synopsis_unpack(&other, bytes, size, MOST_BYTES, &where) == NULL;
    free(bytes);
    const bool whole = read && noise_synopsis_absorb(s, &other);
    noise_synopsis_clear(&other);
    return whole;
}

bool tracer_mine_file_unite(noise_synopsis *s)
{
    int missing = 0;
    int of_all = 0;
    s->memory.most = MOST_BYTES;
    for (int step = 1; step < tracer.size; step *= 2) {
        if ((tracer.rank & step) != 0) {
            send_to(tracer.rank - step, s);
            break;
        }
        if (tracer.rank + step < tracer.size) {
            missing += receive_from(tracer.rank + step, s) ? 0 : 1;
        }
    }
    PMPI_Reduce(&missing, &of_all, 1, MPI_INT, MPI_SUM, 0, tracer.world);
    if (of_all > 0) {
        tracer_say("what was mined does not fit into memory: some ranks, or parts of them, are "
                   "missing from it");
    }
    int ok = tracer.rank != 0 || put_file(s, TRACER_MINE_FILE);
    noise_synopsis_clear(s);
    PMPI_Bcast(&ok, 1, MPI_INT, 0, tracer.world);
    return ok != 0;
}
