/* host/presence.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/presence.h"

#include <sched.h>
#include <stddef.h>
#include <sys/resource.h>

#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 35)
#include <sys/rseq.h>
#endif

static int64_t count_switches(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nvcsw + usage.ru_nivcsw : -1;
}

#if defined(RSEQ_SIG) /* of processors that the C library knows it for */
/*
 * A critical section of one byte that no code is in: the kernel never aborts it, and only clears
 * its address. It checks the signature before the address of the abort all the same.
 */
static const uint32_t SIGNATURE[2] = {RSEQ_SIG, 0};
static struct rseq_cs section;

__attribute__((constructor)) static void describe_section(void)
{
    section.version = 0;
    section.start_ip = (uintptr_t)&section;
    section.post_commit_offset = 1;
    section.abort_ip = (uintptr_t)&SIGNATURE[1];
}

static volatile uint64_t *own_word(void)
{
    if (__rseq_size == 0) {
        return NULL;
    }
    char *area = (char *)__builtin_thread_pointer() + __rseq_offset;
    return (volatile uint64_t *)(void *)(area + offsetof(struct rseq, rseq_cs));
}

static uint64_t armed(void)
{
    return (uint64_t)(uintptr_t)&section;
}
#else
static volatile uint64_t *own_word(void)
{
    return NULL;
}

static uint64_t armed(void)
{
    return 0;
}
#endif

noise_presence noise_presence_begin(uint32_t cpu)
{
    noise_presence out = {.word = own_word(), .switches = count_switches(), .cpu = cpu};
    if (out.word != NULL) {
        *out.word = armed();
    }
    return out;
}

void noise_presence_end(noise_presence *presence)
{
    if (presence->word != NULL) {
        *presence->word = 0;
    }
}

unsigned noise_presence_ask(noise_presence *p)
{
    unsigned answer = 0;
    if (p->word != NULL && *p->word != 0) {
        answer = NOISE_PRESENCE_KEPT;
    } else if (p->word != NULL) {
        const int64_t switches = count_switches();
        answer = switches != p->switches ? NOISE_PRESENCE_SWITCHED : NOISE_PRESENCE_WORKED;
        p->switches = switches;
        *p->word = armed();
    }
    const int cpu = sched_getcpu(); /* without a system call */
    if (cpu >= 0 && (uint32_t)cpu != p->cpu) {
        p->moved_to = p->num_moved == 0 ? (uint32_t)cpu : p->moved_to;
        p->num_moved++;
        answer |= NOISE_PRESENCE_MOVED;
    }
    return answer;
}
