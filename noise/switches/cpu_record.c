/* noise/switches/cpu_record.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/cpu_record.h"

#include "noise/cpu_file.h"
#include "noise/error.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

enum { PAGES = 128, BATCH = 1024, NAMES = 256, PAUSE_US = 20000 };

typedef struct one_cpu {
    noise_switches *ring;
    noise_cpu_slices slices;
    GArray *taken; /* of noise_switch */
    GArray *names; /* of noise_switch_name */
} one_cpu;

struct noise_cpu_record {
    GThread *thread;
    GMutex lock;
    GCond wake;
    bool stop;
    GArray *cpus; /* of one_cpu */
};

static void keep(GArray *all, const void *got, size_t n, uint64_t *lost)
{
    if (all->len + n <= NOISE_CPU_RECORD_MOST) {
        g_array_append_vals(all, got, (guint)n);
    } else {
        *lost += n;
    }
}

static void drain(one_cpu *c)
{
    noise_switch got[BATCH];
    noise_switch_name names[NAMES];
    size_t n;
    size_t num_names;
    do {
        n = noise_switches_drain_named(c->ring, got, BATCH, names, NAMES, &num_names,
                                       &c->slices.lost);
        keep(c->taken, got, n, &c->slices.lost);
        keep(c->names, names, num_names, &c->slices.lost);
    } while (n == BATCH || num_names == NAMES);
}

static gpointer listen(gpointer data)
{
    noise_cpu_record *r = data;
    bool stop = false;
    while (!stop) {
        g_mutex_lock(&r->lock);
        const gint64 until = g_get_monotonic_time() + PAUSE_US;
        while (!r->stop && g_cond_wait_until(&r->wake, &r->lock, until)) {
        }
        stop = r->stop;
        g_mutex_unlock(&r->lock);
        for (guint i = 0; i < r->cpus->len; i++) {
            drain(&g_array_index(r->cpus, one_cpu, i));
        }
    }
    return NULL;
}

/* Signals are the other threads'. */
static GThread *start_thread(noise_cpu_record *r)
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    GThread *thread = g_thread_new("cpu record", listen, r);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return thread;
}

noise_cpu_record *noise_cpu_record_start(GError **error)
{
    noise_cpu_record *r = g_new0(noise_cpu_record, 1);
    r->cpus = g_array_new(FALSE, FALSE, sizeof(one_cpu));
    int why = ENODEV;
    const long most = sysconf(_SC_NPROCESSORS_CONF);
    for (long cpu = 0; cpu < most; cpu++) {
        one_cpu c = {.ring = noise_switches_open(0, (int)cpu, PAGES)};
        if (c.ring == NULL) { /* off line, or not for us */
            why = errno;
            continue;
        }
        c.slices.cpu = (uint32_t)cpu;
        c.taken = g_array_new(FALSE, FALSE, sizeof(noise_switch));
        c.names = g_array_new(FALSE, FALSE, sizeof(noise_switch_name));
        g_array_append_val(r->cpus, c);
    }
    if (r->cpus->len == 0) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE, "%s",
                    noise_switches_refusal(why, false));
        g_array_unref(r->cpus);
        g_free(r);
        return NULL;
    }
    g_mutex_init(&r->lock);
    g_cond_init(&r->wake);
    r->thread = start_thread(r);
    return r;
}

GArray *noise_cpu_record_stop(noise_cpu_record *r)
{
    GArray *all = noise_cpu_slices_new();
    g_mutex_lock(&r->lock);
    r->stop = true;
    g_cond_signal(&r->wake);
    g_mutex_unlock(&r->lock);
    (void)g_thread_join(r->thread);
    for (guint i = 0; i < r->cpus->len; i++) {
        one_cpu *c = &g_array_index(r->cpus, one_cpu, i);
        noise_switches_close(c->ring);
        c->slices.n = c->taken->len;
        c->slices.slice = (noise_switch *)(void *)g_array_free(c->taken, FALSE);
        c->slices.num_names = c->names->len;
        c->slices.name = (noise_switch_name *)(void *)g_array_free(c->names, FALSE);
        g_array_append_val(all, c->slices);
    }
    g_array_unref(r->cpus);
    g_mutex_clear(&r->lock);
    g_cond_clear(&r->wake);
    g_free(r);
    return all;
}
