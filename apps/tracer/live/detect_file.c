/* apps/tracer/live/detect_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "live/detect_file.h"

#include "record/cpu.h"
#include "record/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG_PIECE = 4714, PATH = 4096, PIECE = 1 << 18 };

static int file = -1;
static bool apart;     /* it is not in rank 0's folder */
static int64_t length; /* of its whole pages */

static bool make_name(char path[PATH], const char *dir, int rank)
{
    const int n = snprintf(path, PATH, "%s/" NOISE_SAMPLE_FILE "%d", dir, rank);
    errno = ENAMETOOLONG;
    return n > 0 && n < PATH;
}

static int create(int rank)
{
    char path[PATH];
    return make_name(path, tracer.dir, rank)
               ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
               : -1;
}

/* In a folder of this node; nobody else has to know its name. */
static int create_apart(void)
{
    char path[PATH];
    const char *dir = getenv("TMPDIR");
    const int n = snprintf(path, PATH, "%s/ripple-detect-XXXXXX",
                           dir != NULL && dir[0] != '\0' ? dir : "/tmp");
    errno = ENAMETOOLONG;
    const int made = n > 0 && n < PATH ? mkostemp(path, O_CLOEXEC) : -1;
    if (made >= 0) {
        (void)unlink(path);
    }
    return made;
}

static bool write_all(int to, const void *bytes, size_t size)
{
    bool ok = to >= 0;
    for (size_t done = 0; ok && done < size;) {
        const ssize_t n = write(to, (const char *)bytes + done, size - done);
        ok = n > 0 || (n < 0 && errno == EINTR);
        done += n > 0 ? (size_t)n : 0;
    }
    return ok;
}

/* Does this process see what rank 0 has just written? */
static bool sees_rank_0(uint64_t run)
{
    char path[PATH];
    noise_sample_header h = {.run = 0};
    const int f = make_name(path, tracer.dir, 0) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    const bool there = f >= 0 && read(f, &h, sizeof h) == (ssize_t)sizeof h;
    if (f >= 0) {
        (void)close(f);
    }
    return there && noise_sample_header_is_whole(&h) && h.run == run;
}

static bool complain(void)
{
    const int code = errno;
    tracer_say("rank %d: how long its typical sequences took cannot be written to %s: %s",
               tracer.rank, apart ? "a file of its node" : tracer.dir, strerror(code));
    if (file >= 0) {
        (void)ftruncate(file, length); /* no half of a page */
        (void)close(file);
        file = -1;
    }
    return false;
}

/* The same number on all ranks, and never again on this machine since it was started. */
static uint64_t agree_on_run(void)
{
    uint64_t run = tracer_clock() ^ (uint64_t)getpid() << 40;
    PMPI_Bcast(&run, 1, MPI_UINT64_T, 0, tracer.world);
    return run;
}

static bool begin(const noise_sample_header *h)
{
    const bool ok = write_all(file, h, sizeof *h);
    length = sizeof *h;
    return ok || complain();
}

bool tracer_detect_file_open(noise_sample_header *h)
{
    bool ok = true;
    h->run = agree_on_run();
    noise_sample_header_seal(h);
    if (tracer.rank == 0) {
        file = create(0);
        ok = begin(h);
    }
    PMPI_Barrier(tracer.world);
    if (tracer.rank != 0) {
        apart = !sees_rank_0(h->run);
        file = apart ? create_apart() : create(tracer.rank);
        ok = begin(h);
    }
    return ok;
}

bool tracer_detect_file_write(noise_sample_page *page)
{
    if (file < 0) {
        return false;
    }
    const size_t size = noise_sample_page_seal(page);
    const bool ok = write_all(file, page, size);
    length += ok ? (int64_t)size : 0;
    page->block.num = 0;
    return ok || complain();
}

/* To rank 0, piece by piece; the last one is empty. */
static void send_pieces(void)
{
    static char piece[PIECE];
    ssize_t n = 0;
    (void)lseek(file, 0, SEEK_SET);
    do {
        n = file >= 0 ? read(file, piece, sizeof piece) : 0;
        n = n > 0 ? n : 0;
        PMPI_Send(piece, (int)n, MPI_BYTE, 0, TAG_PIECE, tracer.world);
    } while (n > 0);
}

/* @return false: they could not be written; said */
static bool receive_pieces(int rank)
{
    static char piece[PIECE];
    const int to = create(rank);
    bool ok = to >= 0;
    int n = 0;
    int code = errno;
    do {
        MPI_Status status;
        PMPI_Recv(piece, PIECE, MPI_BYTE, rank, TAG_PIECE, tracer.world, &status);
        PMPI_Get_count(&status, MPI_BYTE, &n);
        if (ok && !write_all(to, piece, (size_t)n)) {
            code = errno;
            ok = false;
        }
    } while (n > 0);
    ok = to >= 0 && close(to) == 0 && ok;
    if (!ok) {
        tracer_say("cannot write %s/" NOISE_SAMPLE_FILE "%d: %s", tracer.dir, rank, strerror(code));
    }
    return ok;
}

bool tracer_detect_file_unite(void)
{
    int ok = file >= 0;
    int all = 0;
    int mine = apart ? 1 : 0;
    int *others = tracer.rank == 0 ? tracer_calloc((size_t)tracer.size, sizeof *others) : NULL;
    PMPI_Gather(&mine, 1, MPI_INT, others, 1, MPI_INT, 0, tracer.world);
    if (apart) {
        send_pieces();
    }
    for (int r = 1; others != NULL && r < tracer.size; r++) {
        ok = (others[r] == 0 || receive_pieces(r)) && ok;
    }
    free(others);
    if (file >= 0 && close(file) != 0) {
        ok = complain();
    }
    file = -1;
    PMPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_MIN, tracer.world);
    return all != 0;
}

bool tracer_detect_file_leave(void)
{
    const bool ok = file >= 0 && !apart;
    if (file >= 0 && apart) {
        tracer_say("rank %d: how long its typical sequences took is lost: it does not see the "
                   "folder of rank 0",
                   tracer.rank);
    }
    return ok;
}
