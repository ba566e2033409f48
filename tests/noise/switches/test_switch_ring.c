/* tests/noise/switches/test_switch_ring.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Records are written here by hand, as perf_event_open(2) says they look. */
#include "check.h"
#include "switches/switch_ring.h"

#include <linux/perf_event.h>

enum { SIZE = 4096 };

/* A kernel that writes records into a ring. */
typedef struct kernel {
    unsigned char data[SIZE];
    uint64_t head;
    noise_ring ring;
    uint64_t lost;
} kernel;

static void kernel_begin(kernel *k, bool own, uint64_t at)
{
    memset(k, 0, sizeof *k);
    k->head = at;
    k->ring = (noise_ring){.data = k->data, .size = SIZE, .tail = at, .own = own};
}

static void put(kernel *k, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        memcpy(&k->data[k->head++ % SIZE], (const unsigned char *)from + i, 1);
    }
}

static void put_record(kernel *k, uint32_t type, uint16_t misc, const void *body, uint16_t bytes,
                       uint32_t tid, uint64_t time, uint32_t cpu)
{
    const struct perf_event_header h = {type, misc, (uint16_t)(sizeof h + bytes + 24)};
    const uint32_t id[2] = {77, tid};
    const uint32_t where[2] = {cpu, 0};
    put(k, &h, sizeof h);
    put(k, body, bytes);
    put(k, id, sizeof id);
    put(k, &time, sizeof time);
    put(k, where, sizeof where);
}

static void put_out(kernel *k, uint64_t time, uint32_t cpu, bool preempted)
{
    put_record(k, PERF_RECORD_SWITCH,
               (uint16_t)(PERF_RECORD_MISC_SWITCH_OUT |
                          (preempted ? PERF_RECORD_MISC_SWITCH_OUT_PREEMPT : 0)),
               NULL, 0, 5, time, cpu);
}

static void put_in(kernel *k, uint64_t time, uint32_t cpu)
{
    put_record(k, PERF_RECORD_SWITCH, 0, NULL, 0, 5, time, cpu);
}

static void put_lost(kernel *k, uint64_t n)
{
    const uint64_t body[2] = {1, n};
    put_record(k, PERF_RECORD_LOST, 0, body, sizeof body, 5, 0, 0);
}

/* As the kernel does: the one that goes says who is next, the next says who it was. */
static void put_wide(kernel *k, uint64_t time, uint32_t goes, uint32_t comes, bool preempted)
{
    const uint32_t next[2] = {comes, comes};
    const uint32_t prev[2] = {goes, goes};
    if (goes != 0) { /* an idle CPU has no "out": seen with Linux 6.18 */
        put_record(k, PERF_RECORD_SWITCH_CPU_WIDE,
                   (uint16_t)(PERF_RECORD_MISC_SWITCH_OUT |
                              (preempted ? PERF_RECORD_MISC_SWITCH_OUT_PREEMPT : 0)),
                   next, sizeof next, goes, time, 3);
    }
    put_record(k, PERF_RECORD_SWITCH_CPU_WIDE, 0, prev, sizeof prev, comes, time + 1, 3);
}

static size_t take(kernel *k, noise_switch *out, size_t room)
{
    return noise_ring_parse(&k->ring, k->head, out, room, &k->lost);
}

static void an_out_and_an_in_are_an_interval(void)
{
    kernel k;
    noise_switch got[4];
    kernel_begin(&k, true, 0);
    put_in(&k, 100, 1); /* was away when it began */
    put_out(&k, 200, 1, true);
    put_in(&k, 250, 2);
    put_out(&k, 300, 2, false);
    CHECK_I64(take(&k, got, 4), 1);
    CHECK_I64(got[0].out, 200);
    CHECK_I64(got[0].in, 250);
    CHECK_I64(got[0].cpu, 1);
    CHECK_I64(got[0].cpu_in, 2);
    CHECK_I64(got[0].next_tid, 0);
    CHECK(got[0].preempted);
    put_in(&k, 333, 2); /* what was open goes on */
    CHECK_I64(take(&k, got, 4), 1);
    CHECK_I64(got[0].out, 300);
    CHECK_I64(got[0].in, 333);
    CHECK(!got[0].preempted);
    CHECK_I64(k.lost, 0);
}

static void a_loss_is_counted_and_nothing_is_made_up(void)
{
    kernel k;
    noise_switch got[4];
    kernel_begin(&k, true, 0);
    put_out(&k, 200, 1, true);
    put_lost(&k, 6);
    put_in(&k, 900, 1); /* of another interval than the one that began at 200 */
    put_out(&k, 950, 1, true);
    put_in(&k, 960, 1);
    CHECK_I64(take(&k, got, 4), 1);
    CHECK_I64(got[0].out, 950);
    CHECK_I64(k.lost, 6);
}

static void a_cpu_says_who_ran_when(void)
{
    static const uint32_t WHO[] = {9, NOISE_SWITCH_IDLE, 5, 8};
    static const uint64_t FROM[] = {100, 150, 181, 1000}, TO[] = {150, 181, 1000, 1010};
    kernel k;
    noise_switch got[8];
    kernel_begin(&k, false, 0);
    put_wide(&k, 100, 5, 9, true);
    put_wide(&k, 150, 9, 0, false);
    put_wide(&k, 180, 0, 5, false);
    put_wide(&k, 1000, 5, 8, true);
    put_wide(&k, 1010, 8, 5, false);
    CHECK_I64(take(&k, got, 8), 4);
    for (int i = 0; i < 4; i++) {
        CHECK_I64(got[i].next_tid, WHO[i], "slice %d", i);
        CHECK_I64(got[i].out, FROM[i], "slice %d", i);
        CHECK_I64(got[i].in, TO[i], "slice %d", i);
        CHECK_I64(got[i].cpu, 3);
        CHECK(got[i].preempted == (i == 0 || i == 3), "slice %d", i);
    }
    put_wide(&k, 1020, 5, 4, true); /* which ends, and has no number when it goes */
    put_wide(&k, 1030, UINT32_MAX, 5, false);
    CHECK_I64(take(&k, got, 8), 2);
    CHECK_I64(got[1].next_tid, 4);
    put_wide(&k, 2000, 6, 7, true); /* 5 was there: records are missing, so 5's time is not known */
    put_wide(&k, 2005, 7, 6, true);
    CHECK_I64(take(&k, got, 8), 1);
    CHECK_I64(got[0].next_tid, 7);
}

/* Threads of process 1 go without an "out": seen with Linux 6.18. */
static void who_comes_says_when_the_one_before_went(void)
{
    static const struct {
        uint32_t says; /* whom it came after */
        size_t want;
    } ROWS[] = {{7, 2}, {6, 1}, {0, 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        const uint32_t before[2] = {1, ROWS[i].says};
        kernel k;
        noise_switch got[8];
        kernel_begin(&k, false, 0);
        put_wide(&k, 100, 5, 7, true);
        put_record(&k, PERF_RECORD_SWITCH_CPU_WIDE, 0, before, sizeof before, 9, 301, 3);
        put_wide(&k, 400, 9, 5, false);
        CHECK_I64(take(&k, got, 8), ROWS[i].want, "after %u", ROWS[i].says);
        CHECK_I64(got[0].next_tid, ROWS[i].want == 2 ? 7 : 9, "after %u", ROWS[i].says);
        CHECK_I64(got[0].in, ROWS[i].want == 2 ? 301 : 400, "after %u", ROWS[i].says);
    }
}

static void records_wrap_around_the_ring(void)
{
    noise_switch got[4];
    for (uint64_t at = SIZE - 72; at <= SIZE; at += 8) { /* every place of the seam */
        kernel k;
        kernel_begin(&k, true, at);
        put_out(&k, 200, 1, true);
        put_in(&k, 0x1122334455667788, 7);
        CHECK_I64(take(&k, got, 4), 1);
        CHECK_I64(got[0].in, 0x1122334455667788, "seam %d", (int)(SIZE - at));
        CHECK_I64(got[0].cpu_in, 7, "seam %d", (int)(SIZE - at));
    }
}

static void other_records_are_passed_over(void)
{
    static const uint64_t body[4] = {0};
    kernel k;
    noise_switch got[4];
    kernel_begin(&k, true, 0);
    put_out(&k, 1, 1, true);
    put_record(&k, PERF_RECORD_THROTTLE, 0, body, sizeof body, 5, 0, 0);
    put_wide(&k, 2, 1, 2, true); /* of a CPU, in a thread's ring */
    put_in(&k, 3, 1);
    CHECK_I64(take(&k, got, 4), 1);
    CHECK_I64(got[0].in, 3);
    CHECK_I64(k.lost, 0);
}

static void what_is_no_record_is_skipped_and_counted(void)
{
    static const uint64_t NOTHING[4] = {0};
    static const struct perf_event_header BAD[] = {
        {PERF_RECORD_SWITCH, 0, 0},  /* no end */
        {PERF_RECORD_SWITCH, 0, 33}, /* not in words */
        {PERF_RECORD_SWITCH, 0, 40}, /* longer than such a record */
        {PERF_RECORD_LOST, 0, 4000}, /* beyond the head */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(BAD); i++) {
        kernel k;
        noise_switch got[4];
        kernel_begin(&k, true, 0);
        put_out(&k, 1, 1, true);
        put(&k, &BAD[i], sizeof BAD[i]);
        put(&k, NOTHING, sizeof NOTHING);
        CHECK_I64(take(&k, got, 4), 0, "row %zu", i);
        CHECK_I64(k.lost, 1, "row %zu", i);
        put_in(&k, 5, 1);
        put_out(&k, 6, 1, true);
        put_in(&k, 7, 1);
        CHECK_I64(take(&k, got, 4), 1, "row %zu", i);
        CHECK_I64(got[0].out, 6, "row %zu", i);
    }
}

/* Room for one at a time gives what room for all gives. */
static void room_does_not_matter(void)
{
    kernel k;
    noise_switch all[64], one;
    kernel_begin(&k, true, 0);
    for (uint64_t t = 10; t < 600; t += 10) {
        put_out(&k, t, 1, t % 20 == 0);
        put_in(&k, t + 5, 1);
    }
    kernel again = k;
    again.ring.data = again.data;
    const size_t n = take(&k, all, 64);
    CHECK_I64(n, 59);
    for (size_t i = 0; i < n; i++) {
        CHECK_I64(take(&again, &one, 1), 1);
        CHECK(one.out == all[i].out && one.in == all[i].in && one.preempted == all[i].preempted);
    }
    CHECK_I64(take(&again, &one, 1), 0);
}

static void put_comm(kernel *k, uint64_t time, uint32_t pid, uint32_t tid, const char *name)
{
    unsigned char body[24] = {0};
    const uint32_t id[2] = {pid, tid};
    memcpy(body, id, sizeof id);
    (void)g_strlcpy((char *)body + sizeof id, name, sizeof body - sizeof id);
    put_record(k, PERF_RECORD_COMM, 0, body, (uint16_t)(8 + (strlen(name) / 8 + 1) * 8), tid, time,
               3);
}

static void put_fork(kernel *k, uint64_t time, uint32_t pid, uint32_t tid, uint32_t by)
{
    const uint32_t body[6] = {pid, by, tid, by, 0, 0};
    put_record(k, PERF_RECORD_FORK, 0, body, sizeof body, by, time, 3);
}

static void threads_that_begin_and_take_names_are_told(void)
{
    kernel k;
    noise_switch got[4];
    noise_switch_name names[3];
    kernel_begin(&k, false, SIZE - 40); /* across the seam */
    k.ring.names = names;
    k.ring.names_room = G_N_ELEMENTS(names);
    put_wide(&k, 100, 0, 5, false);
    put_fork(&k, 150, 8, 8, 5);
    put_comm(&k, 160, 8, 8, "fifteen letters");
    put_wide(&k, 200, 5, 0, false);
    put_comm(&k, 210, 8, 9, "sh");
    put_comm(&k, 220, 8, 9, "no room for it");
    CHECK_I64(take(&k, got, 4), 1);
    CHECK_I64(k.lost, 0);
    if (CHECK_I64(k.ring.num_names, 3)) {
        CHECK_I64(names[0].when, 150);
        CHECK_I64(names[0].tid, 8);
        CHECK_I64(names[0].parent, 5);
        CHECK_I64(names[0].by, 5);
        CHECK_STR(names[0].name, "");
        CHECK_I64(names[1].tid, 8);
        CHECK_I64(names[1].by, 0);
        CHECK_STR(names[1].name, "fifteen letters");
        CHECK_I64(names[2].pid, 8);
        CHECK_I64(names[2].tid, 9);
        CHECK_STR(names[2].name, "sh");
    }
    k.ring.num_names = 0; /* the rest, when there is room again */
    CHECK_I64(take(&k, got, 4), 0);
    CHECK_I64(k.ring.num_names, 1);
    CHECK_STR(names[0].name, "no room for it");
}

static void names_that_nobody_asked_for_are_skipped(void)
{
    kernel k;
    noise_switch got[4];
    kernel_begin(&k, false, 0);
    put_wide(&k, 100, 0, 5, false);
    put_comm(&k, 160, 8, 8, "sh");
    put_wide(&k, 200, 5, 0, false);
    CHECK_I64(take(&k, got, 4), 1);
    CHECK_I64(k.lost, 0);
    CHECK(k.ring.tail == k.head);
}

/* A name of no bytes, or of more than the kernel has, is none. */
static void a_damaged_name_ends_what_can_be_read(void)
{
    static const uint16_t BYTES[] = {0, 8, 72};
    for (size_t i = 0; i < G_N_ELEMENTS(BYTES); i++) {
        static const unsigned char zeros[72];
        kernel k;
        noise_switch got[4];
        noise_switch_name names[3];
        kernel_begin(&k, false, 0);
        k.ring.names = names;
        k.ring.names_room = G_N_ELEMENTS(names);
        put_record(&k, PERF_RECORD_COMM, 0, zeros, BYTES[i], 8, 100, 3);
        CHECK_I64(take(&k, got, 4), 0);
        CHECK_I64(k.ring.num_names, 0);
        CHECK_I64(k.lost, 1);
    }
}

SUITE_MAIN("switch_ring", TEST(an_out_and_an_in_are_an_interval),
           TEST(a_loss_is_counted_and_nothing_is_made_up), TEST(a_cpu_says_who_ran_when),
           TEST(who_comes_says_when_the_one_before_went), TEST(records_wrap_around_the_ring),
           TEST(other_records_are_passed_over), TEST(what_is_no_record_is_skipped_and_counted),
           TEST(room_does_not_matter), TEST(threads_that_begin_and_take_names_are_told),
           TEST(names_that_nobody_asked_for_are_skipped),
           TEST(a_damaged_name_ends_what_can_be_read))
