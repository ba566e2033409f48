/* tests/schedgen/otf2/test_otf2.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expected calls of everything-4 follow from its program, tests/apps/mpi/everything.c. Those of
 * the Score-P archives were read off the listing of otf2-print (OTF2 3.0.2).
 */
#include "check.h"
#include "data.h"
#include "otf2_archive.h"
#include "sched/otf2.h"

static const char *name_of(const sched_trace *t, const sched_call *c)
{
    return g_ptr_array_index(t->names, c->name);
}

/* The nth (from 0) call of a name on a rank; fails the test if there is none. */
static const sched_call *nth(const sched_trace *t, uint32_t rank, const char *name, int n)
{
    static const sched_call none;
    for (uint64_t i = 0; i < t->ranks[rank].num_calls; i++) {
        const sched_call *c = &t->ranks[rank].calls[i];
        if (strcmp(name_of(t, c), name) == 0 && n-- == 0) {
            return c;
        }
    }
    CHECK(false, "rank %u has no such %s", rank, name);
    return &none;
}

static sched_trace *everything(void)
{
    g_autofree char *path = test_data("otf2/everything-4");
    g_autoptr(GError) error = NULL;
    sched_trace *t = sched_otf2_read(path, &error);
    CHECK(t != NULL, "%s", error != NULL ? error->message : "");
    return t;
}

static void every_rank_of_ours_is_whole_and_in_order(void)
{
    g_autoptr(sched_trace) t = everything();
    CHECK_STR(t->format, "OTF2 (Ripple)");
    CHECK_I64(t->num_ranks, 4);
    CHECK_I64(t->notices->len, 0);
    for (uint32_t r = 0; r < t->num_ranks; r++) {
        const sched_rank *k = &t->ranks[r];
        CHECK(k->complete, "rank %u", r);
        CHECK_STR(name_of(t, &k->calls[0]), "MPI_Init");
        CHECK_STR(name_of(t, &k->calls[k->num_calls - 1]), "MPI_Finalize");
        sim_time before = 0;
        for (uint64_t i = 0; i < k->num_calls; i++) {
            const sched_call *c = &k->calls[i];
            CHECK(c->enter >= before && c->leave >= c->enter, "rank %u, call %" PRIu64, r, i);
            CHECK(i == 0 || (c->cpu >= 0 && c->cpu <= c->enter - before + 1000000),
                  "rank %u, call %" PRIu64 ": cpu %" PRId64, r, i, c->cpu);
            before = c->leave;
        }
    }
}

static void sends_in_every_mode_have_their_peers_and_bytes(void)
{
    static const char *const name[] = {"MPI_Send", "MPI_Bsend", "MPI_Ssend", "MPI_Rsend"};
    g_autoptr(sched_trace) t = everything();
    for (uint32_t r = 0; r < 4; r++) {
        for (int mode = 0; mode < 4; mode++) {
            const sched_call *c = nth(t, r, name[mode], 0);
            CHECK_I64(c->kind, SCHED_CALL_SEND);
            CHECK_I64(c->peer, (r + 1) % 4);
            CHECK_I64(c->tag, mode);
            CHECK_I64(c->bytes, 8 * (10 - mode)); /* doubles */
            CHECK(c->synchronous == (mode == 2));
            CHECK_I64(c->comm, 0);
            const sched_call *in = nth(t, r, "MPI_Irecv", mode);
            CHECK_I64(in->peer, (r + 3) % 4);
            CHECK_I64(in->matched_peer, (r + 3) % 4);
            CHECK_I64(in->tag, mode);
            CHECK_I64(in->bytes, 8 * (10 - mode), "what came, not the 80 that fit");
            const sched_call *wait = nth(t, r, "MPI_Wait", mode);
            CHECK_I64(wait->kind, SCHED_CALL_COMPLETE);
            CHECK_I64(wait->num_list, 1);
            CHECK_I64(t->ranks[r].requests[wait->list], in->request);
        }
    }
}

static void proc_null_stays_visible(void)
{
    g_autoptr(sched_trace) t = everything();
    CHECK_I64(nth(t, 1, "MPI_Send", 1)->peer, SCHED_PROC_NULL);
    CHECK_I64(nth(t, 1, "MPI_Recv", 0)->peer, SCHED_PROC_NULL);
    const sched_call *first = nth(t, 0, "MPI_Sendrecv", 0);
    CHECK_I64(first->peer, 1);
    CHECK_I64(first->recv_peer, SCHED_PROC_NULL);
    const sched_call *last = nth(t, 3, "MPI_Sendrecv", 0);
    CHECK_I64(last->peer, SCHED_PROC_NULL);
    CHECK_I64(last->recv_peer, 2);
    CHECK_I64(last->recv_tag, 6);
    CHECK_I64(last->recv_bytes, 4);
    /* both requests complete in the Waitall, also those for nobody */
    CHECK_I64(nth(t, 0, "MPI_Irecv", 4)->peer, SCHED_PROC_NULL);
    CHECK_I64(nth(t, 3, "MPI_Isend", 0)->peer, SCHED_PROC_NULL);
    CHECK_I64(nth(t, 0, "MPI_Waitall", 0)->num_list, 2);
    CHECK_I64(nth(t, 3, "MPI_Waitall", 0)->num_list, 2);
}

static void wildcards_say_what_was_asked_and_what_came(void)
{
    g_autoptr(sched_trace) t = everything();
    uint32_t seen = 0;
    for (int i = 0; i < 3; i++) {
        const sched_call *c = nth(t, 0, "MPI_Recv", 1 + i);
        CHECK_I64(c->peer, SCHED_ANY);
        CHECK_I64(c->tag, SCHED_ANY);
        CHECK_I64(c->matched_tag, 100 + c->matched_peer);
        seen |= 1U << c->matched_peer;
    }
    CHECK_I64(seen, 0xe, "one from each of ranks 1 to 3");
    seen = 0;
    for (int i = 0; i < 3; i++) {
        const sched_call *c = nth(t, 0, "MPI_Irecv", 5 + i);
        CHECK_I64(c->peer, SCHED_ANY);
        CHECK_I64(c->tag, 77);
        seen |= 1U << c->matched_peer;
    }
    CHECK_I64(seen, 0xe);
    uint32_t completed = 0; /* by one or several Waitsome */
    for (uint64_t i = 0; i < t->ranks[0].num_calls; i++) {
        const sched_call *c = &t->ranks[0].calls[i];
        completed += strcmp(name_of(t, c), "MPI_Waitsome") == 0 ? c->num_list : 0;
    }
    CHECK_I64(completed, 3);
}

static void persistent_requests_keep_their_number(void)
{
    g_autoptr(sched_trace) t = everything();
    for (uint32_t r = 0; r < 4; r++) {
        const sched_call *in = nth(t, r, "MPI_Recv_init", 0);
        const sched_call *out = nth(t, r, "MPI_Ssend_init", 0);
        const sched_call *nobody = nth(t, r, "MPI_Send_init", 0);
        CHECK_I64(in->kind, SCHED_CALL_RECV_INIT);
        CHECK_I64(in->peer, (r + 3) % 4);
        CHECK_I64(out->kind, SCHED_CALL_SEND_INIT);
        CHECK_I64(out->peer, (r + 1) % 4);
        CHECK_I64(out->bytes, 32);
        CHECK(out->synchronous);
        CHECK_I64(nobody->peer, SCHED_PROC_NULL);
        for (int i = 0; i < 3; i++) {
            const sched_call *one = nth(t, r, "MPI_Start", i);
            const sched_call *two = nth(t, r, "MPI_Startall", i);
            CHECK_I64(one->kind, SCHED_CALL_START);
            CHECK_I64(one->num_list, 1);
            CHECK_I64(t->ranks[r].requests[one->list], in->request);
            CHECK_I64(two->num_list, 2);
            CHECK_I64(t->ranks[r].requests[two->list], out->request);
            CHECK_I64(t->ranks[r].requests[two->list + 1], nobody->request);
            uint64_t sum = 0; /* of three Waitany: each request once, in any order */
            for (int k = 0; k < 3; k++) {
                const sched_call *wait = nth(t, r, "MPI_Waitany", 3 * i + k);
                CHECK_I64(wait->num_list, 1);
                sum += t->ranks[r].requests[wait->list];
            }
            CHECK_I64(sum, in->request + out->request + nobody->request);
        }
    }
}

static void polls_and_cancelled_receives(void)
{
    g_autoptr(sched_trace) t = everything();
    for (uint32_t r = 0; r < 4; r++) {
        const sched_rank *k = &t->ranks[r];
        uint32_t completed = 0;
        const sched_call *cancel = NULL;
        for (uint64_t i = 0; i < k->num_calls; i++) {
            completed +=
                strcmp(name_of(t, &k->calls[i]), "MPI_Testall") == 0 ? k->calls[i].num_list : 0;
            cancel = k->calls[i].kind == SCHED_CALL_CANCEL ? &k->calls[i] : cancel;
        }
        CHECK_I64(completed, 2);
        if (!CHECK(cancel != NULL, "rank %u", r)) {
            continue;
        }
        CHECK_I64(cancel->num_list, 1);
        const uint64_t request = k->requests[cancel->list];
        const sched_call *never = NULL;
        for (uint64_t i = 0; i < k->num_calls; i++) {
            never = k->calls[i].request == request ? &k->calls[i] : never;
        }
        CHECK(never != NULL && never->tag == 999 && never->matched_peer == SCHED_UNKNOWN);
    }
}

/* Calls of collectives() in everything.c, in its order, for a communicator of n ranks. */
typedef struct expected {
    int64_t bytes; /* -1: (rank in comm + 1) * 4; -2: the same at the root */
    coll_kind kind;
    bool in_place;
    bool send_counts, recv_counts; /* at the root only for gatherv and scatterv */
} expected;
static const expected COLLECTIVE[] = {
    {0, COLL_BARRIER, false, false, false},
    {12, COLL_BCAST, false, false, false},
    {16, COLL_REDUCE, false, false, false},
    {20, COLL_ALLREDUCE, false, false, false},
    {20, COLL_ALLREDUCE, true, false, false},
    {8, COLL_GATHER, false, false, false},
    {-1, COLL_GATHERV, false, false, true},
    {8, COLL_SCATTER, false, false, false},
    {-1, COLL_SCATTERV, false, true, false},
    {8, COLL_ALLGATHER, false, false, false},
    {0, COLL_ALLGATHERV, false, false, true},
    {8, COLL_ALLTOALL, false, false, false},
    {0, COLL_ALLTOALLV, false, true, true},
    {0, COLL_ALLTOALLW, false, true, true},
    {0, COLL_REDUCE_SCATTER, false, false, true},
    {8, COLL_REDUCE_SCATTER_BLOCK, false, false, false},
    {8, COLL_SCAN, false, false, false},
    {8, COLL_EXSCAN, false, false, false},
};

static void check_counts(const sched_rank *k, const sched_call *c, const expected *e, uint32_t me,
                         uint32_t n, bool root)
{
    const bool rooted = e->kind == COLL_GATHERV || e->kind == COLL_SCATTERV;
    const uint32_t sends = e->send_counts && (!rooted || root) ? n : 0;
    const uint32_t recvs = e->recv_counts && (!rooted || root) ? n : 0;
    CHECK_I64(c->num_send_counts, sends, "%s", coll_kind_name(e->kind));
    CHECK_I64(c->num_recv_counts, recvs, "%s", coll_kind_name(e->kind));
    for (uint32_t i = 0; i < sends; i++) { /* alltoall: me + 1 to each; scatter: i + 1 */
        CHECK_I64(k->counts[c->counts + i], 4 * (rooted ? i + 1 : me + 1));
    }
    for (uint32_t i = 0; i < recvs; i++) {
        CHECK_I64(k->counts[c->counts + sends + i], 4 * (i + 1));
    }
}

/* Check the 18 calls from the first barrier on @p comm that is followed by a broadcast. */
static void check_collectives(const sched_trace *t, uint32_t rank, uint32_t comm, uint32_t me)
{
    const sched_rank *k = &t->ranks[rank];
    const uint32_t n = t->comms[comm].size;
    uint64_t at = 0;
    while (at + 1 < k->num_calls &&
           !(k->calls[at].kind == SCHED_CALL_COLLECTIVE && k->calls[at].comm == comm &&
             k->calls[at + 1].collective == COLL_BCAST &&
             k->calls[at + 1].kind == SCHED_CALL_COLLECTIVE && k->calls[at + 1].comm == comm)) {
        at++;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(COLLECTIVE) && at + i < k->num_calls; i++) {
        const sched_call *c = &k->calls[at + i];
        const expected *e = &COLLECTIVE[i];
        CHECK_I64(c->kind, SCHED_CALL_COLLECTIVE, "%s", name_of(t, c));
        CHECK_I64(c->collective, e->kind, "%s", name_of(t, c));
        CHECK_I64(c->comm, comm);
        CHECK(c->in_place == e->in_place, "%s", name_of(t, c));
        CHECK_I64(c->bytes, e->bytes < 0 ? 4 * (int64_t)(me + 1) : e->bytes, "%s", name_of(t, c));
        const bool rooted = e->kind == COLL_BCAST || e->kind == COLL_REDUCE ||
                            e->kind == COLL_GATHER || e->kind == COLL_GATHERV ||
                            e->kind == COLL_SCATTER || e->kind == COLL_SCATTERV;
        CHECK_I64(c->root, rooted ? 1 : 0, "%s", name_of(t, c));
        check_counts(k, c, e, me, n, me == 1);
    }
}

static void collectives_have_roots_bytes_and_counts(void)
{
    g_autoptr(sched_trace) t = everything();
    for (uint32_t r = 0; r < 4; r++) {
        check_collectives(t, r, 0, r);
    }
}

static void sub_communicators_have_the_same_members_everywhere(void)
{
    g_autoptr(sched_trace) t = everything();
    for (uint32_t r = 0; r < 4; r++) { /* MPI_Comm_split(parity, key -rank): reverse order */
        uint32_t parity = 0;
        for (uint32_t c = 1; c < t->num_comms && parity == 0; c++) {
            parity = t->comms[c].size == 2 && t->comms[c].members[0] == 2 + r % 2 &&
                             t->comms[c].members[1] == r % 2
                         ? c
                         : 0;
        }
        CHECK(parity > 0, "rank %u", r);
        check_collectives(t, r, parity, r < 2 ? 1 : 0);
        const sched_call *shift = nth(t, r, "MPI_Sendrecv", 1); /* on the ring */
        CHECK_I64(t->comms[shift->comm].size, 4);
        CHECK(shift->comm != 0);
        CHECK_I64(shift->peer, (r + 1) % 4);
        const sched_call *alone = nth(t, r, "MPI_Barrier", 6 + (r > 0 ? 1 : 0));
        CHECK_I64(t->comms[alone->comm].size, 1);
        CHECK_I64(t->comms[alone->comm].members[0], r);
    }
    CHECK_I64(nth(t, 1, "MPI_Sendrecv", 1)->comm, nth(t, 3, "MPI_Sendrecv", 1)->comm);
}

static void nonblocking_collectives_complete_in_the_waitall(void)
{
    g_autoptr(sched_trace) t = everything();
    for (uint32_t r = 0; r < 4; r++) {
        const sched_call *all = nth(t, r, "MPI_Iallreduce", 0);
        CHECK_I64(all->kind, SCHED_CALL_ICOLLECTIVE);
        CHECK_I64(all->collective, COLL_ALLREDUCE);
        CHECK_I64(all->bytes, 4);
        CHECK_I64(nth(t, r, "MPI_Ibcast", 0)->collective, COLL_BCAST);
        CHECK_I64(nth(t, r, "MPI_Ibarrier", 0)->collective, COLL_BARRIER);
        const sched_call *wait = nth(t, r, "MPI_Waitall", 1);
        CHECK_I64(wait->num_list, 3);
        CHECK_I64(t->ranks[r].requests[wait->list], all->request);
    }
}

/* ---- archives that Score-P wrote ---- */
static void score_p_ping_pong(void)
{
    g_autofree char *path = shared_data("traces/otf2/ping-pong/traces.otf2");
    if (path == NULL) {
        SKIP_TEST("no shared data");
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) t = sched_otf2_read(path, &error);
    CHECK(t != NULL, "%s", error != NULL ? error->message : "");
    CHECK_I64(t->num_ranks, 2);
    CHECK_STR(t->format, "OTF2 (Score-P)");
    const sched_call *send = nth(t, 0, "MPI_Send", 0);
    CHECK_I64(send->peer, 1);
    CHECK_I64(send->tag, 10);
    CHECK_I64(send->bytes, 16384);
    /* enters at tick 7397467382750926, leaves at ...788022; 2095197216 ticks/s */
    CHECK_NEAR(send->leave - send->enter, (788022.0 - 750926.0) * 1e12 / 2095197216, 2);
    const sched_call *recv = nth(t, 0, "MPI_Recv", 0);
    CHECK_I64(recv->peer, 1);
    CHECK_I64(recv->tag, 20);
    CHECK(t->ranks[0].complete && t->ranks[1].complete);
    CHECK_I64(nth(t, 1, "MPI_Send", 7)->bytes, 2097152);
}

static void score_p_stencil(void)
{
    g_autofree char *path = shared_data("traces/otf2/stencil4d-32");
    if (path == NULL) {
        SKIP_TEST("no shared data");
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) t = sched_otf2_read(path, &error);
    CHECK(t != NULL, "%s", error != NULL ? error->message : "");
    CHECK_I64(t->num_ranks, 32);
    for (uint32_t r = 0; r < 32; r++) { /* 2 rounds of 8 receives, 8 sends; a barrier after each */
        const sched_call *irecv = nth(t, r, "MPI_Irecv", 15);
        CHECK(irecv->peer < 32 && irecv->bytes == 131072);
        CHECK_I64(nth(t, r, "MPI_Send", 15)->bytes, 131072);
        CHECK_I64(nth(t, r, "MPI_Waitall", 1)->num_list, 8);
        CHECK_I64(nth(t, r, "MPI_Barrier", 2)->collective, COLL_BARRIER);
        CHECK_I64(t->ranks[r].num_calls, 39);
    }
    const sched_call *second = nth(t, 0, "MPI_Irecv", 1); /* request 2: from 1, tag 1 */
    CHECK_I64(second->peer, 1);
    CHECK_I64(second->tag, 1);
}

/* ---- archives made here ---- */
static void clock_offsets_and_flushes_are_applied(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-otf2-XXXXXX", NULL);
    otf2_archive_write(dir, OTF2_ARCHIVE_CLOCKS);
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) t = sched_otf2_read(dir, &error);
    CHECK(t != NULL, "%s", error != NULL ? error->message : "");
    if (t != NULL) {
        /* Rank 1's clock is 500 ns ahead at 1000 and 700 ns ahead at 3000: drift included. */
        const sim_time zero = t->ranks[0].calls[0].enter;
        CHECK_I64(t->ranks[0].calls[0].leave - zero, 1000 * 1000);
        CHECK_I64(t->ranks[1].calls[0].enter - zero, (1000 - 500) * 1000 - 0);
        CHECK_I64(t->ranks[1].calls[1].enter - zero, (3000 - 700) * 1000);
        /* a flush from 2400 to 2900 is a call by itself */
        CHECK_I64(t->ranks[0].calls[1].enter - zero, 2000 * 1000);
        CHECK_I64(t->ranks[0].calls[1].leave - zero, 2400 * 1000);
        CHECK_I64(t->ranks[0].calls[2].leave - zero, 2900 * 1000);
    }
    otf2_archive_remove(dir);
}

/* Calls that were over before a flush began were once stretched to its end, each of them. */
static void a_flush_stretches_no_call_that_is_written_after_it(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-otf2-XXXXXX", NULL);
    otf2_archive_write(dir, OTF2_ARCHIVE_FLUSHES);
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) t = sched_otf2_read(dir, &error);
    CHECK(t != NULL, "%s", error != NULL ? error->message : "");
    if (t != NULL) {
        static const struct {
            sim_time enter, leave;
            uint8_t kind;
        } want[] = {
            {0, 1000, SCHED_CALL_INIT},          {1600, 1610, SCHED_CALL_OTHER},
            {1700, 1710, SCHED_CALL_OTHER},      {1800, 1850, SCHED_CALL_COLLECTIVE},
            {1900, 1910, SCHED_CALL_OTHER},      {1910, 3000, SCHED_CALL_COMPLETE},
            {3500, 3600, SCHED_CALL_COLLECTIVE},
        };
        const sched_rank *rank = &t->ranks[0];
        CHECK_I64(rank->num_calls, G_N_ELEMENTS(want));
        for (guint i = 0; i < MIN(rank->num_calls, G_N_ELEMENTS(want)); i++) {
            CHECK_I64(rank->calls[i].enter - rank->calls[0].enter, want[i].enter * 1000);
            CHECK_I64(rank->calls[i].leave - rank->calls[0].enter, want[i].leave * 1000);
            CHECK_I64(rank->calls[i].kind, want[i].kind);
        }
    }
    otf2_archive_remove(dir);
}

static void threads_are_named_and_the_main_one_is_read(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-otf2-XXXXXX", NULL);
    otf2_archive_write(dir, OTF2_ARCHIVE_THREADS);
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) t = sched_otf2_read(dir, &error);
    CHECK(t != NULL, "%s", error != NULL ? error->message : "");
    if (t != NULL) {
        CHECK_I64(t->num_ranks, 2);
        CHECK_I64(t->notices->len, 1);
        CHECK_I64(g_array_index(t->notices, sched_notice, 0).count, 2);
        CHECK_I64(t->ranks[0].num_calls, 2);
    }
    otf2_archive_remove(dir);
}

static void totals_of_collectives_become_blocks(void)
{
    /* As Score-P counts them: 3 ranks, root 1; what each rank sends and receives in all. */
    static const struct {
        uint64_t sent[3], received[3];
        int64_t bytes[3];
        OTF2_CollectiveOp op;
        bool in_place[3];
    } row[] = {
        {{0}, {0}, {0}, OTF2_COLLECTIVE_OP_BARRIER, {0}},
        {{0, 30, 0}, {10, 10, 10}, {10, 10, 10}, OTF2_COLLECTIVE_OP_BCAST, {0}},
        {{10, 10, 10}, {0, 30, 0}, {10, 10, 10}, OTF2_COLLECTIVE_OP_REDUCE, {0}},
        {{10, 0, 10}, {0, 20, 0}, {10, 10, 10}, OTF2_COLLECTIVE_OP_REDUCE, {0, true, 0}},
        {{30, 30, 30}, {30, 30, 30}, {10, 10, 10}, OTF2_COLLECTIVE_OP_ALLREDUCE, {0}},
        {{20, 20, 20}, {20, 20, 20}, {10, 10, 10}, OTF2_COLLECTIVE_OP_ALLREDUCE, {1, 1, 1}},
        {{10, 10, 10}, {0, 30, 0}, {10, 10, 10}, OTF2_COLLECTIVE_OP_GATHER, {0}},
        {{0, 30, 0}, {10, 10, 10}, {10, 10, 10}, OTF2_COLLECTIVE_OP_SCATTER, {0}},
        {{30, 30, 30}, {30, 30, 30}, {10, 10, 10}, OTF2_COLLECTIVE_OP_ALLGATHER, {0}},
        {{30, 30, 30}, {30, 30, 30}, {10, 10, 10}, OTF2_COLLECTIVE_OP_ALLTOALL, {0}},
        {{30, 30, 30}, {30, 30, 30}, {10, 10, 10}, OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, {0}},
        {{30, 20, 10}, {10, 20, 30}, {10, 10, 10}, OTF2_COLLECTIVE_OP_SCAN, {0}},
        {{20, 10, 0}, {0, 10, 20}, {10, 10, 10}, OTF2_COLLECTIVE_OP_EXSCAN, {0}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *dir = g_dir_make_tmp("ripple-otf2-XXXXXX", NULL);
        otf2_archive_write_collective(dir, row[i].op, 1, row[i].sent, row[i].received);
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) t = sched_otf2_read(dir, &error);
        CHECK(t != NULL, "row %zu: %s", i, error != NULL ? error->message : "");
        for (uint32_t r = 0; t != NULL && r < 3; r++) {
            CHECK_I64(t->ranks[r].calls[0].kind, SCHED_CALL_COLLECTIVE, "row %zu", i);
            CHECK_I64(t->ranks[r].calls[0].bytes, row[i].bytes[r], "row %zu, rank %u", i, r);
            CHECK(t->ranks[r].calls[0].in_place == row[i].in_place[r], "row %zu, rank %u", i, r);
        }
        otf2_archive_remove(dir);
    }
}

SUITE_MAIN("otf2", TEST(every_rank_of_ours_is_whole_and_in_order),
           TEST(sends_in_every_mode_have_their_peers_and_bytes), TEST(proc_null_stays_visible),
           TEST(wildcards_say_what_was_asked_and_what_came),
           TEST(persistent_requests_keep_their_number), TEST(polls_and_cancelled_receives),
           TEST(collectives_have_roots_bytes_and_counts),
           TEST(sub_communicators_have_the_same_members_everywhere),
           TEST(nonblocking_collectives_complete_in_the_waitall), TEST(score_p_ping_pong),
           TEST(score_p_stencil), TEST(clock_offsets_and_flushes_are_applied),
           TEST(a_flush_stretches_no_call_that_is_written_after_it),
           TEST(threads_are_named_and_the_main_one_is_read),
           TEST(totals_of_collectives_become_blocks))
