/* apps/calibrator/calibrator.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibrator. */
/**
 * @file
 * How long messages take between rank 0 and the last rank, by blocking sends and receives (method:
 * T. Hoefler, A. Lichei and W. Rehm, Low-Overhead LogGP Parameter Assessment for Modern
 * Interconnection Networks, IPDPS 2007; the times of single calls are ours). Usage: calibrator
 * FILE SEED; rank 0 writes into FILE
 *
 *   # LINES OF COMMENT, KEY=VALUE
 *   SWEEP KIND BYTES PS PACE  (of one repetition, two calls of a collective; of the slower core
 *                              before and after, ps)
 *   SWEEP walk BYTES PS PACE  (through so much memory; likewise walked-exchange and walked-call,
 * what an exchange of 1 B took after it, and an allreduce after that) 0 waits BYTES 0 0 (the
 * largest whose send does not wait for a rank outside MPI) 0 unposted BYTES 0 0      (... for a
 * rank that calls MPI, but has not posted the receive)
 *
 * A time is that of a train of repetitions between two looks at the clock, so that neither the
 * clock's cost nor its steps count. A sweep visits every kind and size, in an order of its own:
 * what slows the machine down for a while strikes all of them alike, and some sweeps not. How fast
 * both cores compute (pace.h) right before and after a visit says whether somebody else was on
 * them.
 */
#include "calls.h"
#include "exchange.h"
#include "pace.h"

#include <inttypes.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TRAINS = 3, /* of one visit: the middle one counts */
    MOST_REPETITIONS = 1000,
    LEAST_SWEEPS = 8,
    MOST_SWEEPS = 400,
    SLOW = 5,          /* of what waits for a late receiver */
    LATE_BY = 1000000, /* ns, at least */
    CLOCK_TRAIN = 1000
};
static const int64_t TRAIN = 20000;           /* ns, at least: 0.05 % is one step of the clock */
static const int64_t SWEEPS_TAKE = 900000000; /* ns, about */
static const int64_t SIZES[] = {1,     8,     64,    256,    1024,   2048,   3072,
                                4096,  6144,  8192,  12288,  16384,  24576,  32768,
                                49152, 65536, 98304, 131072, 262144, 524288, 1048576};
static const int64_t CALL_SIZES[] = {8, 64, 512, 2048};
/* The first displaces the first-level cache alone, as every computation does. */
static const int64_t WALKS[] = {1 << 16, 1 << 18, 1 << 20, 1 << 21,    1 << 22,
                                1 << 23, 1 << 24, 1 << 25, MOST_WALKED};
enum {
    NUM_SIZES = sizeof SIZES / sizeof *SIZES,
    OF_ONE_BYTE = 5, /* kinds: L, o and g come from these alone */
    VISITS = 4,      /* of each of them in a sweep */
    COLD = 1,        /* kind, once in a sweep: walking takes longer than all the rest */
    COLD_TRAIN = 4,  /* repetitions */
    TURNS = 4,       /* and of calls after a walk every fourth in a sweep */
    WALK_TURNS = 8,  /* at most as often as there are LEAST_SWEEPS */
    NUM_CALL_SIZES = sizeof CALL_SIZES / sizeof *CALL_SIZES,
    CALL_CELLS = (NUM_CALLS - 1) * NUM_CALL_SIZES + 1, /* a barrier has no size */
    NUM_WALKS = sizeof WALKS / sizeof *WALKS,
    NUM_CELLS =
        2 * NUM_SIZES + 3 + (VISITS - 1) * OF_ONE_BYTE + COLD + CALL_CELLS + NUM_CALLS + NUM_WALKS
};

/* A kind at a size, and how it is measured. */
typedef struct cell {
    char name[24];
    order order;
} cell;

static cell cells[NUM_CELLS];

static int64_t middle_of_three(int64_t a, int64_t b, int64_t c)
{
    const int64_t low = a < b ? a : b;
    const int64_t high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* @return ps of one repetition; the first train finds caches and queues as others have
 * left them, and does not count */
static int64_t visit(const order *o)
{
    int64_t took[TRAINS];
    (void)exchange_run(o);
    for (int i = 0; i < TRAINS; i++) {
        took[i] = exchange_run(o);
    }
    return middle_of_three(took[0], took[1], took[2]) * 1000 / o->repetitions;
}

static cell name_cell(const char *name, const char *call, const order *o)
{
    cell c = {.order = *o};
    (void)snprintf(c.name, sizeof c.name, "%s%s", name, call);
    return c;
}

/* As many repetitions as make a train. */
static cell make_cell(const char *name, order o)
{
    o.repetitions = 4;
    (void)exchange_run(&o); /* warm */
    const int64_t each = exchange_run(&o) / o.repetitions + 1;
    const int64_t fit = (TRAIN + each - 1) / each;
    o.repetitions = fit > MOST_REPETITIONS ? MOST_REPETITIONS : fit;
    return name_cell(name, "", &o);
}

/* Collectives: one after the other, at some sizes; and at the smallest after a walk. A
 * repetition of the former makes two calls. */
static void add_calls(cell *out)
{
    order cold = {COLD_CALL, 1, .repetitions = COLD_TRAIN};
    exchange_walk(); /* its pages are there from now on */
    const int64_t begin = pace_clock();
    exchange_walk();
    cold.pause = 2 * (pace_clock() - begin); /* the other rank has walked, too, and has sent */
    for (int call = 0; call < NUM_CALLS; call++) {
        const bool is_empty = call == BARRIER;
        for (size_t i = 0; i < (is_empty ? 1 : NUM_CALL_SIZES); i++) {
            const order o = {CALLS, is_empty ? 0 : CALL_SIZES[i], .call = call};
            *out = make_cell("call-", o);
            *out = name_cell("call-", calls_name(call), &out->order);
            out++;
        }
        cold.bytes = is_empty ? 0 : CALL_SIZES[0];
        cold.call = call;
        *out++ = name_cell("cold-call-", calls_name(call), &cold);
    }
}

static void make_cells(void)
{
    size_t n = 0;
    int64_t trips[NUM_SIZES];
    for (size_t i = 0; i < NUM_SIZES; i++) {
        cells[n] = make_cell("round-trip", (order){.kind = ROUND_TRIP, .bytes = SIZES[i]});
        trips[i] = visit(&cells[n++].order) / 1000;
    }
    for (size_t i = 0; i < NUM_SIZES; i++) {
        const int64_t pause = 2 * trips[i]; /* it is there, surely */
        cells[n++] = make_cell("receive", (order){RECEIVING, SIZES[i], .pause = pause});
    }
    cells[n++] = make_cell("burst", (order){.kind = BURST, .bytes = 1});
    cells[n++] = make_cell("spaced", (order){SPACED, 1, .pause = trips[0]});
    cells[n++] = make_cell("pauses", (order){PAUSES, 1, .pause = trips[0]});
    for (size_t i = 0, last = n; i < last; i++) {
        for (int visit = 1; cells[i].order.bytes == 1 && visit < VISITS; visit++) {
            cells[n++] = cells[i];
        }
    }
    const order cold = {COLD_EXCHANGE, 1, .repetitions = COLD_TRAIN};
    cells[n++] = name_cell("cold-exchange", "", &cold);
    add_calls(&cells[n]);
    for (size_t i = 0; i < NUM_WALKS; i++) {
        const order o = {WALKED, WALKS[i], .repetitions = 1, .call = ALLREDUCE};
        cells[NUM_CELLS - NUM_WALKS + i] = name_cell("walk", "", &o);
    }
}

/* xorshift64 (G. Marsaglia, Xorshift RNGs, J. Stat. Software 8(14), 2003), for the order only. */
static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void shuffle(uint64_t *state)
{
    for (size_t i = NUM_CELLS - 1; i > 0; i--) {
        const size_t other = draw(state) % (i + 1);
        const cell kept = cells[i];
        cells[i] = cells[other];
        cells[other] = kept;
    }
}

static void print_visit(FILE *file, int sweep, const char *name, int64_t bytes, int64_t ps,
                        int64_t pace)
{
    fprintf(file, "%d %s %" PRId64 " %" PRId64 " %" PRId64 "\n", sweep, name, bytes, ps,
            1000 * pace);
}

/* A walk, and what two calls take after it; as of trains, the middle one of three counts. */
static void visit_walk(FILE *file, int sweep, const order *o)
{
    walked took[TRAINS];
    const int64_t before = exchange_pace();
    (void)exchange_walked(o);
    for (int i = 0; i < TRAINS; i++) {
        took[i] = exchange_walked(o);
    }
    (void)exchange_pace(); /* its own code is in no cache either */
    const int64_t after = exchange_pace();
    const int64_t pace = after > before ? after : before;
    const int64_t walk = middle_of_three(took[0].walk, took[1].walk, took[2].walk);
    const int64_t exchange = middle_of_three(took[0].exchange, took[1].exchange, took[2].exchange);
    const int64_t call = middle_of_three(took[0].call, took[1].call, took[2].call);
    print_visit(file, sweep, "walk", o->bytes, 1000 * walk, pace);
    print_visit(file, sweep, "walked-exchange", o->bytes, 1000 * exchange, pace);
    print_visit(file, sweep, "walked-call", o->bytes, 1000 * call, pace);
}

/* Not all that takes long is visited in every sweep. */
static bool has_turn(const order *o, int sweep)
{
    if ((kind)o->kind == COLD_CALL) {
        return (o->call + sweep) % TURNS == 0;
    }
    int which = 0;
    while ((kind)o->kind == WALKED && WALKS[which] != o->bytes) {
        which++;
    }
    return (kind)o->kind != WALKED || (which + sweep) % WALK_TURNS == 0;
}

static void run_sweeps(FILE *file, uint64_t seed)
{
    make_cells();
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    const int64_t begin = pace_clock();
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        if (sweep >= LEAST_SWEEPS && pace_clock() - begin > SWEEPS_TAKE) {
            break;
        }
        shuffle(&state);
        for (size_t i = 0; i < NUM_CELLS; i++) {
            const order *o = &cells[i].order;
            if (!has_turn(o, sweep)) {
                continue;
            }
            if ((kind)o->kind == WALKED) {
                visit_walk(file, sweep, o);
                continue;
            }
            const int64_t before = exchange_pace();
            const int64_t took = visit(o);
            const int64_t after = exchange_pace();
            print_visit(file, sweep, cells[i].name, o->bytes, took,
                        after > before ? after : before);
        }
    }
}

/* Does a send of that size wait for its receiver? By the middle one of some. */
static bool waits(kind which, int64_t bytes, int64_t pause)
{
    const order o = {which, bytes, .repetitions = 1, .pause = pause};
    int waited = 0;
    for (int i = 0; i < SLOW; i++) {
        waited += exchange_run(&o) > pause / 2;
    }
    return waited > SLOW / 2;
}

/* The largest size whose send does not wait, by bisection; LARGEST: there is none. */
static int64_t find_limit(kind which, int64_t pause)
{
    int64_t eager = 0;
    int64_t waiting = 1;
    while (waiting < LARGEST && !waits(which, waiting, pause)) {
        eager = waiting;
        waiting *= 2;
    }
    if (waiting >= LARGEST) {
        return LARGEST;
    }
    while (waiting - eager > 1) {
        const int64_t middle = eager + (waiting - eager) / 2;
        if (waits(which, middle, pause)) {
            waiting = middle;
        } else {
            eager = middle;
        }
    }
    return eager;
}

static void find_limits(FILE *file)
{
    const order longest = {ROUND_TRIP, SIZES[NUM_SIZES - 1], .repetitions = 1};
    const int64_t trip = visit(&longest) / 1000;
    const int64_t pause = trip > LATE_BY ? trip : LATE_BY;
    fprintf(file, "0 waits %" PRId64 " 0 0\n", find_limit(LATE, pause));
    fprintf(file, "0 unposted %" PRId64 " 0 0\n", find_limit(UNPOSTED, pause));
}

/* What one look at the clock takes, ps: the least of some trains. */
static int64_t clock_cost(void)
{
    int64_t least = INT64_MAX;
    for (int train = 0; train < LEAST_SWEEPS; train++) {
        const int64_t begin = pace_clock();
        for (int i = 1; i < CLOCK_TRAIN; i++) {
            (void)pace_clock();
        }
        const int64_t took = pace_clock() - begin;
        least = took < least ? took : least;
    }
    return least * 1000 / CLOCK_TRAIN;
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
        (void)MPI_Send(here, sizeof here, MPI_CHAR, exchange_peer(), TAG, MPI_COMM_WORLD);
        return;
    }
    (void)MPI_Recv(there, sizeof there, MPI_CHAR, exchange_peer(), TAG, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
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

static void lead(FILE *file, uint64_t seed)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = {0};
    int length;
    (void)MPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0';
    fprintf(file, "# ripple-calibrate 5\n# mpi=%s\n# seed=%" PRIu64 "\n# clock=%" PRId64 "\n",
            library, seed, clock_cost());
    fprintf(file, "# burst=%d\n# spaced=%d\n", BURST_LENGTH, SPACED_LENGTH);
    print_places(file, "begin");
    run_sweeps(file, seed);
    find_limits(file);
    const order end = {.kind = END};
    (void)exchange_run(&end);
    print_places(file, "end");
}

int main(int argc, char **argv)
{
    int rank;
    int size;
    (void)MPI_Init(&argc, &argv);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    const uint64_t seed = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
    if (size < 2 || seed == 0) {
        if (rank == 0) {
            fputs(size < 2 ? "ripple calibrate: there have to be two ranks (mpirun -n 2)\n"
                           : "Usage: calibrator FILE SEED\n",
                  stderr);
        }
        (void)MPI_Finalize();
        return 1;
    }
    FILE *file = rank == 0 ? fopen(argv[1], "w") : NULL;
    const bool has_memory = exchange_begin(rank == 0 ? size - 1 : 0, rank == 0 || rank == size - 1);
    if (!has_memory || (rank == 0 && file == NULL)) {
        perror(has_memory ? argv[1] : "ripple calibrate");
        (void)MPI_Abort(MPI_COMM_WORLD, 1);
    }
    settle(rank == 0);
    bool written = true;
    if (rank == 0) {
        lead(file, seed);
        written = fflush(file) == 0 && !ferror(file) && fclose(file) == 0;
    } else if (rank == size - 1) {
        print_places(NULL, "begin");
        exchange_follow();
        print_places(NULL, "end");
    }
    if (!written) {
        perror(argv[1]);
    }
    (void)MPI_Barrier(MPI_COMM_WORLD); /* the ranks between wait here: mpirun binds them away */
    (void)MPI_Finalize();
    exchange_end();
    return written ? 0 : 1;
}
