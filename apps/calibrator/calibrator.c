/* apps/calibrator/calibrator.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibrator. */
/**
 * @file
 * How long messages take between rank 0 and the last rank, by blocking sends and receives (method:
 * T. Hoefler, A. Lichei and W. Rehm, Low-Overhead LogGP Parameter Assessment for Modern
 * Interconnection Networks, IPDPS 2007; the times of single calls are ours). Usage: calibrator
 * FILE ROUNDS; rank 0 writes into FILE
 *
 *   # LINES OF COMMENT, KEY=VALUE
 *   ROUND KIND BYTES REPETITIONS LEAST QUARTILE MEDIAN      (ns; the quartile is the lower one)
 *   ROUND waits BYTES 1 BYTES BYTES BYTES     (the largest whose send does not wait, or LARGEST)
 *   ROUND jump BYTES 1 BYTES BYTES BYTES      (the largest before the round trip jumps, likewise)
 */
#include <inttypes.h>
#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What both ranks do; the numbers are of rank 0. */
typedef enum {
    ROUND_TRIP, /* a message there and one back */
    BURST,      /* BURST_LENGTH messages without a pause, one back */
    SPACED,     /* SPACED_LENGTH messages, after each but the last a pause; one back */
    RECEIVING,  /* one receive of a message that is there */
    LATE,       /* one send, to a rank that does not receive before the pause is over */
    END
} kind;

static const char *const NAMES[] = {"round-trip", "burst", "spaced", "receive", "late"};

typedef struct order {
    int64_t kind;
    int64_t bytes;
    int64_t repetitions;
    int64_t pause; /* ns */
} order;

enum {
    BURST_LENGTH = 16,
    SPACED_LENGTH = 8,
    WARM = 4,    /* repetitions that do not count */
    MOST = 1000, /* repetitions that do */
    LEAST = 8,
    SLOW = 5,          /* of what waits for a late receiver */
    SIZE_TRIALS = 21,  /* round trips of a size between those of the table */
    LATE_BY = 1000000, /* ns, at least */
    LARGEST = 1 << 22, /* bytes */
    TAG = 7,
};
static const int64_t TIME_FOR_EACH = 15000000; /* ns, of one kind at one size in one round */
static const int64_t SIZES[] = {1,     64,    256,    1024,   2048,   3072,   4096,
                                6144,  8192,  12288,  16384,  24576,  32768,  49152,
                                65536, 98304, 131072, 262144, 524288, 1048576};
enum { NUM_SIZES = sizeof SIZES / sizeof *SIZES };
static const double JUMP = 1.25; /* as much longer as larger, and by so much more */

static char *buffer;
static int peer;

static int64_t now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void wait_until(int64_t when)
{
    while (now() < when) {
    }
}

static void send_bytes(int64_t bytes)
{
    (void)MPI_Send(buffer, (int)bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
}

static void receive_bytes(int64_t bytes)
{
    (void)MPI_Recv(buffer, (int)bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* One repetition on rank 0, in ns. */
static int64_t measure(const order *o)
{
    int64_t begin = now();
    switch ((kind)o->kind) {
    case ROUND_TRIP:
        send_bytes(o->bytes);
        receive_bytes(o->bytes);
        break;
    case BURST:
        for (int i = 0; i < BURST_LENGTH; i++) {
            send_bytes(o->bytes);
        }
        receive_bytes(o->bytes);
        break;
    case SPACED:
        for (int i = 0; i < SPACED_LENGTH; i++) {
            if (i > 0) {
                wait_until(now() + o->pause);
            }
            send_bytes(o->bytes);
        }
        receive_bytes(o->bytes);
        break;
    case RECEIVING:
        send_bytes(1);
        wait_until(now() + o->pause);
        begin = now();
        receive_bytes(o->bytes);
        break;
    case LATE:
        receive_bytes(1); /* the other rank begins to be late */
        begin = now();
        send_bytes(o->bytes);
        return now() - begin;
    case END:
        break;
    }
    return now() - begin;
}

/* The same on the last rank. */
static void answer(const order *o)
{
    switch ((kind)o->kind) {
    case ROUND_TRIP:
        receive_bytes(o->bytes);
        send_bytes(o->bytes);
        break;
    case BURST:
    case SPACED:
        for (int i = 0; i < (o->kind == BURST ? BURST_LENGTH : SPACED_LENGTH); i++) {
            receive_bytes(o->bytes);
        }
        send_bytes(o->bytes);
        break;
    case RECEIVING:
        receive_bytes(1);
        send_bytes(o->bytes);
        break;
    case LATE:
        send_bytes(1);
        wait_until(now() + o->pause);
        receive_bytes(o->bytes);
        break;
    case END:
        break;
    }
}

static void give(const order *o)
{
    (void)MPI_Send(o, (int)(sizeof *o / sizeof(int64_t)), MPI_INT64_T, peer, TAG, MPI_COMM_WORLD);
}

static int by_value(const void *pa, const void *pb)
{
    const int64_t a = *(const int64_t *)pa;
    const int64_t b = *(const int64_t *)pb;
    return (a > b) - (a < b);
}

/* Sorted times of what @p o says. @return the median */
static int64_t run(const order *o, int64_t *times)
{
    give(o);
    for (int64_t i = 0; i < o->repetitions; i++) {
        times[i] = measure(o);
    }
    qsort(times, (size_t)o->repetitions, sizeof *times, by_value);
    return times[o->repetitions / 2];
}

static void print(FILE *file, long round, const order *o, const int64_t *times)
{
    const int64_t n = o->repetitions;
    fprintf(file, "%ld %s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", round,
            NAMES[o->kind], o->bytes, n, times[0], times[n / 4], times[n / 2]);
}

/* One kind at one size: as often as there is time. @return the median */
static int64_t run_kind(FILE *file, long round, kind which, int64_t bytes, int64_t pause)
{
    static int64_t times[MOST];
    order o = {which, bytes, WARM, pause};
    const int64_t each = run(&o, times) + (which == ROUND_TRIP ? 0 : pause) + 1;
    const int64_t fit = TIME_FOR_EACH / each;
    o.repetitions = fit > MOST ? MOST : fit < LEAST ? LEAST : fit;
    const int64_t median = run(&o, times);
    print(file, round, &o, times);
    return median;
}

/* Does a send of that size wait for its receiver? */
static bool waits(int64_t bytes, int64_t pause)
{
    int64_t times[SLOW];
    const order o = {LATE, bytes, SLOW, pause};
    return run(&o, times) > pause / 2;
}

/* The largest size whose send does not wait, by bisection; LARGEST: there is none. */
static int64_t find_limit(int64_t pause)
{
    int64_t eager = 0;
    int64_t waiting = 1;
    while (waiting < LARGEST && !waits(waiting, pause)) {
        eager = waiting;
        waiting *= 2;
    }
    if (waiting >= LARGEST) {
        return LARGEST;
    }
    while (waiting - eager > 1) {
        const int64_t middle = eager + (waiting - eager) / 2;
        if (waits(middle, pause)) {
            waiting = middle;
        } else {
            eager = middle;
        }
    }
    return eager;
}

static int64_t trip_of(int64_t bytes)
{
    static int64_t times[SIZE_TRIALS];
    const order o = {ROUND_TRIP, bytes, SIZE_TRIALS, 0};
    return run(&o, times);
}

/* The largest size before the round trip becomes longer by far more than the message; LARGEST:
 * it does not. @p trips: of SIZES, medians */
static int64_t find_jump(const int64_t *trips)
{
    for (size_t i = 1; i < NUM_SIZES; i++) {
        const double longer = (double)trips[i] / (double)trips[i - 1];
        const double larger = (double)SIZES[i] / (double)SIZES[i - 1];
        if (longer < JUMP * larger) {
            continue;
        }
        /* On which side a size is, is told by the geometric mean: t > sqrt(a b). */
        const double middle = (double)trips[i] * (double)trips[i - 1];
        int64_t below = SIZES[i - 1];
        int64_t above = SIZES[i];
        while (above - below > 1) {
            const int64_t at = below + (above - below) / 2;
            const double trip = (double)trip_of(at);
            if (trip * trip > middle) {
                above = at;
            } else {
                below = at;
            }
        }
        return below;
    }
    return LARGEST;
}

static void print_size(FILE *file, long round, const char *what, int64_t bytes)
{
    fprintf(file, "%ld %s %" PRId64 " 1 %" PRId64 " %" PRId64 " %" PRId64 "\n", round, what, bytes,
            bytes, bytes, bytes);
}

static void run_round(FILE *file, long round)
{
    int64_t trips[NUM_SIZES];
    for (size_t i = 0; i < NUM_SIZES; i++) {
        trips[i] = run_kind(file, round, ROUND_TRIP, SIZES[i], 0);
        (void)run_kind(file, round, BURST, SIZES[i], 0);
        (void)run_kind(file, round, SPACED, SIZES[i], trips[i]);
        (void)run_kind(file, round, RECEIVING, SIZES[i], 2 * trips[i]);
    }
    const int64_t longest = trips[NUM_SIZES - 1];
    print_size(file, round, "waits", find_limit(longest > LATE_BY ? longest : LATE_BY));
    print_size(file, round, "jump", find_jump(trips));
}

/* What reading the clock adds to each time: the least of many. */
static int64_t clock_cost(void)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < MOST; i++) {
        const int64_t begin = now();
        const int64_t took = now() - begin;
        least = took < least ? took : least;
    }
    return least;
}

/* "NAME/CPU" of both ranks, at the beginning and at the end: have they moved? */
static void print_places(FILE *file, const char *when)
{
    char here[256] = {0};
    char there[256] = {0};
    char host[128] = {0};
    (void)gethostname(host, sizeof host - 1);
    (void)snprintf(here, sizeof here, "%s/%d", host, sched_getcpu());
    if (file == NULL) {
        (void)MPI_Send(here, sizeof here, MPI_CHAR, peer, TAG, MPI_COMM_WORLD);
        return;
    }
    (void)MPI_Recv(there, sizeof there, MPI_CHAR, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    fprintf(file, "# %s=%s %s\n", when, here, there);
}

/* Rank 0 to the first CPU that it may use, the other to its last: no wish if mpirun binds them. */
static void settle(bool first)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return;
    }
    int chosen = -1;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &allowed) && (chosen < 0 || !first)) {
            chosen = cpu;
        }
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(chosen, &one);
    (void)sched_setaffinity(0, sizeof one, &one);
}

static void lead(FILE *file, long rounds)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = {0};
    int length;
    (void)MPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0';
    fprintf(file, "# ripple-calibrate 1\n# mpi=%s\n# rounds=%ld\n# clock=%" PRId64 "\n", library,
            rounds, clock_cost());
    fprintf(file, "# burst=%d\n# spaced=%d\n", BURST_LENGTH, SPACED_LENGTH);
    print_places(file, "begin");
    for (long round = 0; round < rounds; round++) {
        run_round(file, round);
    }
    const order end = {.kind = END};
    give(&end);
    print_places(file, "end");
}

static void follow(void)
{
    print_places(NULL, "begin");
    for (;;) {
        order o;
        (void)MPI_Recv(&o, (int)(sizeof o / sizeof(int64_t)), MPI_INT64_T, peer, TAG,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (o.kind == END) {
            break;
        }
        for (int64_t i = 0; i < o.repetitions; i++) {
            answer(&o);
        }
    }
    print_places(NULL, "end");
}

int main(int argc, char **argv)
{
    int rank;
    int size;
    (void)MPI_Init(&argc, &argv);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    const long rounds = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
    if (size < 2 || rounds <= 0) {
        if (rank == 0) {
            fputs(size < 2 ? "ripple calibrate: there have to be two ranks (mpirun -n 2)\n"
                           : "Usage: calibrator FILE ROUNDS\n",
                  stderr);
        }
        (void)MPI_Finalize();
        return 1;
    }
    FILE *file = rank == 0 ? fopen(argv[1], "w") : NULL;
    buffer = calloc(1, LARGEST);
    if (buffer == NULL || (rank == 0 && file == NULL)) {
        perror(buffer == NULL ? "ripple calibrate" : argv[1]);
        (void)MPI_Abort(MPI_COMM_WORLD, 1);
    }
    peer = rank == 0 ? size - 1 : 0;
    settle(rank == 0);
    bool written = true;
    if (rank == 0) {
        lead(file, rounds);
        written = fflush(file) == 0 && !ferror(file) && fclose(file) == 0;
    } else if (rank == size - 1) {
        follow();
    }
    if (!written) {
        perror(argv[1]);
    }
    (void)MPI_Barrier(MPI_COMM_WORLD); /* the ranks between wait here: mpirun binds them away */
    (void)MPI_Finalize();
    free(buffer);
    return written ? 0 : 1;
}
