/* tests/bench/test_memory_gate.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that share the memory: never more of it than there is, but by one that goes alone. */
#include "memory_gate.h"

#include "check.h"

enum { THREADS = 6, TURNS = 200 };

typedef struct crowd {
    sc10_memory_gate gate;
    gint taken; /* bytes of those inside */
    gint most;  /* that have been taken at once */
    gint too_many;
} crowd;

static const gint BYTES[] = {10, 60, 40, 100, 25, 150};

static void raise_to(gint *most, gint value)
{
    for (gint old = g_atomic_int_get(most);
         value > old && !g_atomic_int_compare_and_exchange(most, old, value);
         old = g_atomic_int_get(most)) {
    }
}

/* Of 100 bytes: one of 150 enters when nobody else is inside. */
static void enter_and_leave(crowd *c, gint bytes)
{
    sc10_memory_gate_enter(&c->gate, (uint64_t)bytes);
    const gint taken = g_atomic_int_add(&c->taken, bytes) + bytes;
    raise_to(&c->most, taken);
    if (taken > 100 && taken != bytes) {
        g_atomic_int_inc(&c->too_many);
    }
    g_thread_yield();
    g_atomic_int_add(&c->taken, -bytes);
    sc10_memory_gate_leave(&c->gate, (uint64_t)bytes);
}

static gpointer come_often(gpointer data)
{
    for (size_t i = 0; i < TURNS; i++) {
        enter_and_leave(data, BYTES[i % G_N_ELEMENTS(BYTES)]);
    }
    return NULL;
}

static void nobody_takes_what_is_not_there(void)
{
    crowd c = {0};
    sc10_memory_gate_init(&c.gate, 100);
    GThread *threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        threads[i] = g_thread_new("crowd", come_often, &c);
    }
    for (size_t i = 0; i < THREADS; i++) {
        (void)g_thread_join(threads[i]);
    }
    CHECK_I64(c.too_many, 0);
    CHECK_I64(c.most, 150, "alone, it goes");
    CHECK_I64(c.gate.taken, 0);
    sc10_memory_gate_clear(&c.gate);
}

static void those_that_fit_go_together(void)
{
    sc10_memory_gate gate;
    sc10_memory_gate_init(&gate, 100);
    sc10_memory_gate_enter(&gate, 60);
    sc10_memory_gate_enter(&gate, 40); /* would wait for ever */
    CHECK_I64(gate.inside, 2);
    sc10_memory_gate_leave(&gate, 60);
    sc10_memory_gate_leave(&gate, 40);
    sc10_memory_gate_clear(&gate);
}

SUITE_MAIN("memory_gate", TEST(nobody_takes_what_is_not_there), TEST(those_that_fit_go_together))
