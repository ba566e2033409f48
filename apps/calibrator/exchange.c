/* apps/calibrator/exchange.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibrator. */
#include "exchange.h"

#include "calls.h"
#include "pace.h"

#include <mpi.h>
#include <stdlib.h>

static char *buffer;
static char *answered; /* [LARGEST], of a rank that sends at the same time */
static double *memory; /* [MOST_WALKED / sizeof(double)] */
enum { LINE = 8 };     /* numbers of memory in a line of the cache, at most */
static int peer;
static MPI_Comm pair = MPI_COMM_NULL;
static int here; /* rank in the pair */

bool exchange_begin(int other_rank, bool is_measured)
{
    peer = other_rank;
    (void)MPI_Comm_split(MPI_COMM_WORLD, is_measured ? 0 : MPI_UNDEFINED, 0, &pair);
    if (is_measured) {
        (void)MPI_Comm_rank(pair, &here);
    }
    buffer = calloc(1, LARGEST);
    answered = calloc(1, LARGEST);
    memory = calloc(1, MOST_WALKED);
    return calls_begin(pair) && buffer != NULL && answered != NULL && memory != NULL;
}

void exchange_end(void)
{
    calls_end();
    free(buffer);
    free(answered);
    free(memory);
    buffer = NULL;
    answered = NULL;
    memory = NULL;
}

int exchange_peer(void)
{
    return peer;
}

static void wait_until(int64_t when)
{
    while (pace_clock() < when) {
    }
}

/* Calls MPI, so that what has come is taken in, but receives nothing. */
static void probe_until(int64_t when)
{
    while (pace_clock() < when) {
        int is_there;
        (void)MPI_Iprobe(peer, TAG + 1, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    }
}

void exchange_walk(void)
{
    for (size_t i = 0; i < WALK / sizeof *memory; i += LINE) {
        ((volatile double *)memory)[i]++;
    }
}

/* As a computation goes through it: every number, one after the other. */
static void walk_through(int64_t bytes)
{
    for (size_t i = 0; i < (size_t)bytes / sizeof *memory; i++) {
        ((volatile double *)memory)[i]++;
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

static void send_spaced(const order *o)
{
    for (int i = 0; i < SPACED_LENGTH; i++) {
        if (i > 0) {
            wait_until(pace_clock() + o->pause);
        }
        if ((kind)o->kind == SPACED) {
            send_bytes(o->bytes);
        }
    }
}

/* Both ranks: how long it took here, ns. */
static int64_t exchange_now(int64_t bytes)
{
    const int64_t begin = pace_clock();
    (void)MPI_Sendrecv(buffer, (int)bytes, MPI_BYTE, peer, TAG, answered, (int)bytes, MPI_BYTE,
                       peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return pace_clock() - begin;
}

static int64_t exchange_cold(int64_t bytes)
{
    exchange_walk();
    return exchange_now(bytes);
}

/* Both ranks: what it took here. */
static walked walk_and_call(const order *o)
{
    walked out;
    const int64_t begin = pace_clock();
    walk_through(o->bytes);
    out.walk = pace_clock() - begin;
    out.exchange = exchange_now(1);
    const int64_t called = pace_clock();
    calls_make((int)o->call, sizeof(double), 0);
    out.call = pace_clock() - called;
    return out;
}

/* Both ranks: how long it took here, ns. Rank 0 sends if there is a root, and the other one comes
 * so late that it does not wait. */
static int64_t call_cold(const order *o)
{
    const int call = (int)o->call;
    const int root = calls_root_sends(call) ? 0 : 1;
    const int64_t late = pace_clock() + o->pause;
    exchange_walk();
    if (calls_is_rooted(call) && here == 1) {
        wait_until(late);
    }
    const int64_t begin = pace_clock();
    calls_make(call, o->bytes, root);
    return pace_clock() - begin;
}

static int64_t receive_number(void)
{
    int64_t number = 0;
    (void)MPI_Recv(&number, 1, MPI_INT64_T, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return number;
}

static void send_number(int64_t number)
{
    (void)MPI_Send(&number, 1, MPI_INT64_T, peer, TAG, MPI_COMM_WORLD);
}

/* Where only a part of a repetition counts: how long that is, ns. */
static int64_t measure_part(const order *o)
{
    if (o->kind == COLD_EXCHANGE) {
        const int64_t own = exchange_cold(o->bytes);
        const int64_t there = receive_number();
        return own < there ? own : there;
    }
    if (o->kind == COLD_CALL) {
        const int64_t own = call_cold(o);
        const int64_t there = receive_number();
        return calls_is_rooted((int)o->call) ? (own + there) / 2 : own < there ? own : there;
    }
    if (o->kind == RECEIVING) {
        send_bytes(1);
        wait_until(pace_clock() + o->pause);
        const int64_t begin = pace_clock();
        receive_bytes(o->bytes);
        return pace_clock() - begin;
    }
    receive_bytes(1); /* the other rank is there, or begins to be late */
    const int64_t begin = pace_clock();
    send_bytes(o->bytes);
    return pace_clock() - begin;
}

static void lead_whole(const order *o)
{
    if ((kind)o->kind == CALLS) {
        calls_make((int)o->call, o->bytes, 0);
        calls_make((int)o->call, o->bytes, 1);
        return;
    }
    if ((kind)o->kind == ROUND_TRIP) {
        send_bytes(o->bytes);
    } else if ((kind)o->kind == BURST) {
        for (int i = 0; i < BURST_LENGTH; i++) {
            send_bytes(o->bytes);
        }
    } else {
        send_spaced(o);
    }
    if ((kind)o->kind != PAUSES) {
        receive_bytes(o->bytes);
    }
}

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
    case CALLS:
        calls_make((int)o->call, o->bytes, 0);
        calls_make((int)o->call, o->bytes, 1);
        break;
    case RECEIVING:
        receive_bytes(1);
        send_bytes(o->bytes);
        break;
    case COLD_EXCHANGE:
        send_number(exchange_cold(o->bytes));
        break;
    case COLD_CALL:
        send_number(call_cold(o));
        break;
    case WALKED: {
        const walked own = walk_and_call(o);
        send_number(own.exchange);
        send_number(own.call);
        break;
    }
    case LATE:
    case UNPOSTED:
        send_bytes(1);
        (o->kind == LATE ? wait_until : probe_until)(pace_clock() + o->pause);
        receive_bytes(o->bytes);
        break;
    case PACE:
        send_number(pace_now());
        break;
    case PAUSES:
    case END:
        break;
    }
}

static void send_order(const order *o)
{
    (void)MPI_Send(o, (int)(sizeof *o / sizeof(int64_t)), MPI_INT64_T, peer, TAG, MPI_COMM_WORLD);
}

int64_t exchange_pace(void)
{
    const order o = {.kind = PACE, .repetitions = 1};
    send_order(&o);
    const int64_t own = pace_now();
    const int64_t there = receive_number();
    return own > there ? own : there;
}

walked exchange_walked(const order *o)
{
    send_order(o);
    walked own = walk_and_call(o);
    const int64_t exchange = receive_number();
    const int64_t call = receive_number();
    own.exchange = own.exchange < exchange ? own.exchange : exchange;
    own.call = own.call < call ? own.call : call;
    return own;
}

int64_t exchange_run(const order *o)
{
    send_order(o);
    const bool is_part = o->kind >= RECEIVING && o->kind < PACE;
    int64_t took = 0;
    const int64_t begin = pace_clock();
    for (int64_t i = 0; i < o->repetitions; i++) {
        if (is_part) {
            took += measure_part(o);
        } else {
            lead_whole(o);
        }
    }
    return is_part ? took : pace_clock() - begin;
}

void exchange_follow(void)
{
    for (;;) {
        order o;
        (void)MPI_Recv(&o, (int)(sizeof o / sizeof(int64_t)), MPI_INT64_T, peer, TAG,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (o.kind == END) {
            return;
        }
        for (int64_t i = 0; i < o.repetitions; i++) {
            answer(&o);
        }
    }
}
