/* classes/class_evidence.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The classes of a measurement while they are counted, over all its CPUs, and the line that says
 * how each is known.
 */
#pragma once

#include "classes/class_facts.h"
#include "noise/measurement.h"

typedef enum {
    NOISE_CLASS_NOT_KNOWN,
    NOISE_CLASS_SCHEDULER,
    NOISE_CLASS_TICK,
    NOISE_CLASS_INTERRUPT,
    NOISE_CLASS_STEAL,
    NOISE_CLASS_REST, /* not decided yet */
} noise_class_kind;

/* One class: a kind, and of the scheduler's a program. */
typedef struct noise_class_count {
    noise_class_kind kind;
    char *name;
    uint64_t count;
    sim_time time;
} noise_class_count;

typedef struct noise_class_totals {
    GArray *classes;           /* of noise_class_count, in the order of their indices */
    GArray *lines;             /* of noise_class_line: interrupts but the timer's */
    uint64_t timer;            /* interrupts of the timer */
    uint64_t other_interrupts; /* beyond the ticks */
    uint32_t hz;
    double tick_tolerance_ns;
    double ticks_by_chance;
    sim_time steal;         /* that the kernel counted */
    uint64_t lost;          /* records of switches */
    int64_t switches;       /* of the measuring threads, counted */
    size_t without_records; /* CPUs whose switches were not recorded with who ran */
    bool own_records;       /* there, at least when the own thread was away is recorded */
    bool asked;             /* after each gap: switched? */
    int refused;            /* errno of the records */
} noise_class_totals;
void noise_class_totals_clear(noise_class_totals *totals);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(noise_class_totals, noise_class_totals_clear)

void noise_class_totals_add_line(noise_class_totals *totals, const noise_interrupt_line *line,
                                 uint64_t count, bool is_timer);
/** One more detour. @param name of a program, or NULL. @return index of its class */
uint8_t noise_class_totals_count(noise_class_totals *totals, noise_class_kind kind,
                                 const char *name, sim_time length);
/** Sets result->classes. */
void noise_class_totals_tell(const noise_class_totals *totals, noise_measurement *result);

/** Names of the threads that ran, those of one program together: "kworker" for "kworker/1:2". */
typedef struct noise_class_programs noise_class_programs;
noise_class_programs *noise_class_programs_new(const noise_class_facts *facts);
void noise_class_programs_free(noise_class_programs *programs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_class_programs, noise_class_programs_free)
void noise_class_programs_add(noise_class_programs *programs, uint32_t tid, sim_time time);
/** From now on only the @p most that took most time have a name. */
void noise_class_programs_choose(noise_class_programs *programs, size_t most);
/** Borrowed; NULL: it is not known who that is, or it took little. "ended programs": it is gone. */
const char *noise_class_programs_name(const noise_class_programs *programs, uint32_t tid);
