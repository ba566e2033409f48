/* host/witness.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/witness.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Switches of one CPU that are kept: 100 a second for ten minutes and more. */
enum { ROOM = 1 << 16, RING_PAGES = 64 };

static void count(noise_witness *w, int64_t sign)
{
    struct rusage now;
    (void)getrusage(RUSAGE_THREAD, &now);
    w->voluntary += sign * now.ru_nvcsw;
    w->involuntary += sign * now.ru_nivcsw;
    w->page_faults += sign * (now.ru_minflt + now.ru_majflt);
}

/* Who ran is better than when something else ran; both are better than how often. */
static void listen(noise_witness *w, uint32_t cpu)
{
    w->source = noise_switches_open(0, (int)cpu, RING_PAGES);
    w->records = NOISE_WITNESS_CPU;
    w->refused = w->source != NULL ? 0 : errno;
    if (w->source == NULL) {
        w->source = noise_switches_open(0, -1, RING_PAGES);
        w->records = w->source != NULL ? NOISE_WITNESS_OWN : NOISE_WITNESS_COUNTERS;
    }
    if (w->source != NULL) {
        w->switches = g_new(noise_switch, ROOM);
        memset(w->switches, 0, ROOM * sizeof *w->switches); /* no page fault in the loop */
    }
}

static void drain(noise_witness *w)
{
    while (w->num_switches < ROOM) {
        const size_t n = noise_switches_drain(w->source, w->switches + w->num_switches,
                                              ROOM - w->num_switches, &w->lost);
        w->num_switches += n;
        if (n == 0) {
            break;
        }
    }
}

void noise_witness_begin(noise_witness *w, uint32_t cpu)
{
    w->tid = (uint32_t)gettid();
    listen(w, cpu);
    w->time[0] = noise_cpu_time_read("", cpu);
    w->interrupts[0] = noise_interrupts_read("", "/proc/interrupts");
    w->softirqs[0] = noise_interrupts_read("", "/proc/softirqs");
    w->frequency = noise_frequency_open("");
    w->clock[0] = noise_frequency_read(&w->frequency);
    w->voluntary = 0;
    w->involuntary = 0;
    w->page_faults = 0;
    w->rests = false;
    w->presence = noise_presence_begin(cpu);
    (void)noise_witness_ask(w); /* once before, so that its pages are there */
    count(w, -1);
    w->presence = noise_presence_begin(cpu);
}

unsigned noise_witness_ask(void *data)
{
    noise_witness *w = data;
    const unsigned answer = noise_presence_ask(&w->presence);
    if ((answer & NOISE_PRESENCE_KEPT) == 0 && w->source != NULL &&
        noise_switches_filling(w->source)) {
        drain(w);
    }
    return answer;
}

void noise_witness_rest(noise_witness *w)
{
    if (!w->rests) {
        (void)noise_presence_ask(&w->presence); /* still there? */
        noise_presence_end(&w->presence);
        count(w, 1);
        w->clock[1] = noise_frequency_read(&w->frequency);
        w->rests = true;
    }
}

void noise_witness_end(noise_witness *w, uint32_t cpu)
{
    noise_witness_rest(w);
    w->clock[2] = noise_frequency_read(&w->frequency);
    noise_frequency_close(&w->frequency);
    w->interrupts[1] = noise_interrupts_read("", "/proc/interrupts");
    w->softirqs[1] = noise_interrupts_read("", "/proc/softirqs");
    w->time[1] = noise_cpu_time_read("", cpu);
    if (w->source != NULL) {
        drain(w);
        noise_switches_close(w->source);
        w->source = NULL;
        if (w->num_switches == ROOM) {
            w->lost++; /* at least: nobody counts what nobody took */
        }
    }
}

void noise_witness_clear(noise_witness *w)
{
    noise_switches_close(w->source);
    g_free(w->switches);
    g_free(w->answers);
    for (size_t i = 0; i < G_N_ELEMENTS(w->interrupts); i++) {
        noise_interrupts_free(w->interrupts[i]);
        noise_interrupts_free(w->softirqs[i]);
    }
    *w = (noise_witness){0};
}
