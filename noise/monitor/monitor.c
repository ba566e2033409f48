/* noise/monitor/monitor.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/monitor.h"

#include "monitor/interrupt_counts.h"
#include "monitor/node_counts.h"
#include "monitor/node_facts.h"
#include "monitor/pace.h"
#include "monitor/sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const uint64_t MS = 1000000;
static const uint64_t SECOND = 1000000000;
enum {
    DISCOVER_MS = 10,     /* at the least between two looks for new processes */
    INTERRUPTS_MS = 10,   /* between two readings of interrupts */
    COUNTS_MS = 100,      /* of /proc/stat, which is long */
    SWEEPS_OF_OTHERS = 4, /* under a budget, the above come at most once in so many sweeps */
    IDLE_REST = 8,        /* of threads not active of late, under a budget or without sleep */
    SPARE_DESCRIPTORS = 64,
    FAR_MORE = 10, /* than the usual interval: we were away */
};

/* What other threads want to be told; looked at when .has_mail is set. */
typedef struct mailbox {
    atomic_bool has_mail;
    pthread_mutex_t lock;
    GArray *roots;      /* of uint32_t */
    GPtrArray *markers; /* of noise_nit_marker */
} mailbox;

struct noise_monitor {
    noise_monitor_options options;
    int proc;
    pthread_t thread;
    sem_t begun; /* who is there has been noted */
    sem_t stop;  /* posted once */
    mailbox mail;
    noise_sampler sampler;
    interrupt_counts *interrupts[2];
    node_counts counts;
    noise_pace pace;
    uint64_t begin, end;
    uint64_t last_sweep;                          /* when the one before ended */
    uint64_t interrupts_at, counts_at, clocks_at; /* when they were last read */
    uint64_t told, spent_told;                    /* when, and CPU time until, it was last told */
    double usual_ns;                              /* interval */
};

void noise_monitor_options_init(noise_monitor_options *options)
{
    *options = (noise_monitor_options){.proc = "/proc", .mode = NOISE_NIT_BUDGET, .budget = 0.01};
}

static void marker_free(gpointer data)
{
    g_free(((noise_nit_marker *)data)->text);
    g_free(data);
}

void noise_monitor_add_root(noise_monitor *m, uint32_t pid)
{
    (void)pthread_mutex_lock(&m->mail.lock);
    g_array_append_val(m->mail.roots, pid);
    (void)pthread_mutex_unlock(&m->mail.lock);
    atomic_store(&m->mail.has_mail, true);
}

void noise_monitor_mark(noise_monitor *m, const char *text)
{
    noise_nit_marker *marker = g_new0(noise_nit_marker, 1);
    marker->when = noise_node_now(NULL);
    marker->text = g_strdup(text);
    (void)pthread_mutex_lock(&m->mail.lock);
    g_ptr_array_add(m->mail.markers, marker);
    (void)pthread_mutex_unlock(&m->mail.lock);
    atomic_store(&m->mail.has_mail, true);
}

static void read_mail(noise_monitor *m)
{
    if (!atomic_exchange(&m->mail.has_mail, false)) {
        return;
    }
    (void)pthread_mutex_lock(&m->mail.lock);
    const bool more = m->mail.roots->len > 0;
    g_array_append_vals(m->sampler.roots, m->mail.roots->data, m->mail.roots->len);
    g_array_set_size(m->mail.roots, 0);
    for (guint i = 0; i < m->mail.markers->len; i++) {
        noise_nit_writer_marker(m->sampler.writer, g_ptr_array_index(m->mail.markers, i));
    }
    g_ptr_array_set_size(m->mail.markers, 0);
    (void)pthread_mutex_unlock(&m->mail.lock);
    if (more) {
        noise_sampler_classify(&m->sampler);
    }
}

static uint64_t spent(const noise_monitor *m)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec +
           noise_nit_writer_cpu_ns(m->sampler.writer);
}

static void count_interval(noise_monitor *m, uint64_t now)
{
    nit_seen *seen = &m->sampler.seen;
    const uint64_t interval = now - m->last_sweep;
    m->last_sweep = now;
    seen->sweeps++;
    seen->interval_ns += interval;
    seen->max_interval_ns = MAX(seen->max_interval_ns, interval);
    seen->intervals[nit_bucket(interval)]++;
    const double usual = MAX(m->usual_ns, (double)m->pace.interval_ns);
    if (usual > 0 && (double)interval > FAR_MORE * usual) {
        seen->blind_ns += interval - (uint64_t)usual;
    } else {
        m->usual_ns += 0.01 * ((double)interval - m->usual_ns);
    }
}

/* Once a second all that is known goes to the file: so much is lost if we are killed. */
static void tell(noise_monitor *m, uint64_t now)
{
    noise_nit_writer *w = m->sampler.writer;
    noise_sampler_tell(&m->sampler);
    for (size_t i = 0; i < G_N_ELEMENTS(m->interrupts); i++) {
        if (m->interrupts[i] != NULL) {
            noise_interrupt_counts_tell(m->interrupts[i]);
        }
    }
    nit_seen *seen = &m->sampler.seen;
    const uint64_t so_far = spent(m);
    seen->to = now;
    seen->monitor_ns = so_far - m->spent_told;
    m->spent_told = so_far;
    noise_nit_writer_seen(w, seen);
    memset(seen, 0, sizeof *seen);
    m->told = now;
    noise_nit_writer_spill(w, now);
}

/* What does not have to be looked at in every sweep. */
static void look_around(noise_monitor *m, uint64_t now)
{
    const uint64_t rest =
        m->pace.mode == NOISE_NIT_BUDGET ? SWEEPS_OF_OTHERS * m->pace.interval_ns : 0;
    if (now - m->sampler.discovered >= MAX(DISCOVER_MS * MS, rest) || m->sampler.num_pending > 0) {
        noise_sampler_discover(&m->sampler);
    }
    if (now - m->interrupts_at >= MAX(INTERRUPTS_MS * MS, rest)) {
        for (size_t i = 0; i < G_N_ELEMENTS(m->interrupts); i++) {
            if (m->interrupts[i] != NULL) {
                noise_interrupt_counts_read(m->interrupts[i], now);
            }
        }
        m->interrupts_at = now;
    }
    if (now - m->counts_at >= MAX(COUNTS_MS * MS, rest)) {
        noise_node_counts_read(&m->counts, m->sampler.writer, &m->sampler.seen, now);
        m->counts_at = now;
    }
    if (now - m->clocks_at >= 60 * SECOND) {
        const noise_nit_clocks clocks = noise_node_clocks();
        noise_nit_writer_clocks(m->sampler.writer, &clocks);
        m->clocks_at = now;
    }
    read_mail(m);
}

/* Until the next sweep is due, from when this one began. @return false: it is time to stop */
static bool wait_from(noise_monitor *m, uint64_t begun)
{
    if (m->pace.mode == NOISE_NIT_DEDICATED) {
        return sem_trywait(&m->stop) != 0;
    }
    const uint64_t due = begun + m->pace.interval_ns;
    const struct timespec until = {(time_t)(due / SECOND), (long)(due % SECOND)};
    int code;
    do {
        code = sem_clockwait(&m->stop, CLOCK_MONOTONIC, &until);
    } while (code != 0 && errno == EINTR);
    return code != 0;
}

static void settle(const noise_monitor *m)
{
    (void)prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); /* ns: wake when asked, not up to 50 us later */
    (void)prctl(PR_SET_NAME, "ripple-monitor", 0, 0, 0);
    if (m->options.mode == NOISE_NIT_DEDICATED) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(m->options.cpu, &set);
        (void)pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    }
}

static void *run(void *data)
{
    noise_monitor *m = data;
    settle(m);
    noise_sampler_begin(&m->sampler);
    (void)sem_post(&m->begun);
    m->last_sweep = m->told = noise_node_now(NULL);
    bool more;
    do {
        const uint64_t begun = noise_node_now(NULL);
        noise_sampler_sweep(&m->sampler);
        const uint64_t swept = noise_node_now(NULL);
        m->sampler.seen.sweep_ns += swept - begun;
        count_interval(m, swept);
        look_around(m, swept);
        if (swept - m->told >= SECOND) {
            tell(m, swept);
        }
        if (m->pace.mode == NOISE_NIT_BUDGET) {
            noise_pace_step(&m->pace, spent(m), swept - m->begin);
        }
        more = wait_from(m, begun);
    } while (more);
    m->end = noise_node_now(NULL);
    m->sampler.idle_rest = 1; /* a last look at all */
    noise_sampler_sweep(&m->sampler);
    look_around(m, m->end);
    noise_sampler_end(&m->sampler);
    tell(m, m->end);
    const noise_nit_clocks clocks = noise_node_clocks();
    noise_nit_writer_clocks(m->sampler.writer, &clocks);
    return NULL;
}

static bool check(const noise_monitor_options *o, GError **error)
{
    const char *wrong = NULL;
    if (o->mode == NOISE_NIT_BUDGET && !(o->budget >= 1e-4 && o->budget <= 1)) {
        wrong = "the budget is not between 0.01 % and 100 % of a CPU";
    } else if (o->mode == NOISE_NIT_RATE && !(o->rate >= 0.1 && o->rate <= 1e5)) {
        wrong = "the rate is not between 0.1 and 100000 sweeps per second";
    } else if (o->mode == NOISE_NIT_DEDICATED) {
        cpu_set_t allowed;
        CPU_ZERO(&allowed);
        (void)sched_getaffinity(0, sizeof allowed, &allowed);
        wrong = o->cpu < CPU_SETSIZE && CPU_ISSET(o->cpu, &allowed)
                    ? NULL
                    : "the CPU is not one that this process may use";
    }
    if (wrong != NULL) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE, "%s", wrong);
    }
    return wrong == NULL;
}

/* Three for each thread; each thread of this process that opens files needs some, too. */
static long spare_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return 0;
    }
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    (void)getrlimit(RLIMIT_NOFILE, &limit);
    const rlim_t most = MIN(limit.rlim_cur, (rlim_t)1 << 20);
    return most > SPARE_DESCRIPTORS ? (long)(most - SPARE_DESCRIPTORS) : 0;
}

static void monitor_free(noise_monitor *m)
{
    for (size_t i = 0; i < G_N_ELEMENTS(m->interrupts); i++) {
        noise_interrupt_counts_free(m->interrupts[i]);
    }
    noise_node_counts_clear(&m->counts);
    g_array_unref(m->sampler.roots);
    g_array_unref(m->mail.roots);
    g_ptr_array_unref(m->mail.markers);
    (void)pthread_mutex_destroy(&m->mail.lock);
    (void)sem_destroy(&m->begun);
    (void)sem_destroy(&m->stop);
    (void)close(m->proc);
    g_free(m);
}

static noise_monitor *monitor_new(const noise_monitor_options *o, int proc)
{
    noise_monitor *m = g_new0(noise_monitor, 1);
    m->options = *o;
    m->proc = proc;
    m->counts.fd = -1;
    (void)sem_init(&m->begun, 0, 0);
    (void)sem_init(&m->stop, 0, 0);
    (void)pthread_mutex_init(&m->mail.lock, NULL);
    m->mail.roots = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    m->mail.markers = g_ptr_array_new_with_free_func(marker_free);
    m->sampler = (noise_sampler){.clock = noise_node_now,
                                 .proc = proc,
                                 .descriptors = spare_descriptors(),
                                 .self = (uint32_t)getpid(),
                                 .roots = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                                 .idle_rest = IDLE_REST};
    if (o->num_roots > 0) {
        g_array_append_vals(m->sampler.roots, o->roots, (guint)o->num_roots);
    }
    noise_pace_init(&m->pace, o->mode, o->mode == NOISE_NIT_RATE ? o->rate : o->budget);
    if (o->mode == NOISE_NIT_RATE) { /* each thread at least every 10 ms, as far as that can be */
        m->sampler.idle_rest =
            (uint32_t)CLAMP(DISCOVER_MS * MS / m->pace.interval_ns, 1, IDLE_REST);
    }
    return m;
}

/* Signals are for the threads that know of them. */
static int start_quiet(noise_monitor *m)
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const int code = pthread_create(&m->thread, NULL, run, m);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

static bool begin(noise_monitor *m, GError **error)
{
    noise_nit_node *node = noise_node_facts(m->proc);
    node->mode = m->options.mode;
    node->asked = m->options.mode == NOISE_NIT_BUDGET ? m->options.budget
                  : m->options.mode == NOISE_NIT_RATE ? m->options.rate
                                                      : m->options.cpu;
    m->sampler.writer = noise_nit_writer_new(m->options.path, node, error);
    m->begin = node->clocks[0].monotonic;
    noise_node_facts_free(node);
    if (m->sampler.writer == NULL) {
        return false;
    }
    const uint64_t now = noise_node_now(NULL);
    m->interrupts_at = m->counts_at = m->clocks_at = now;
    m->interrupts[0] = noise_interrupt_counts_new(m->proc, "interrupts", m->sampler.writer, now);
    m->interrupts[1] = noise_interrupt_counts_new(m->proc, "softirqs", m->sampler.writer, now);
    noise_node_counts_init(&m->counts, m->proc, now);
    const int code = start_quiet(m);
    if (code != 0) {
        (void)noise_nit_writer_close(m->sampler.writer, now, NULL);
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE, "no thread for the monitor: %s",
                    g_strerror(code));
        return false;
    }
    while (sem_wait(&m->begun) != 0) {
    }
    return true;
}

noise_monitor *noise_monitor_start(const noise_monitor_options *options, GError **error)
{
    if (!check(options, error)) {
        return NULL;
    }
    const int proc = open(options->proc, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (proc < 0) {
        const int code = errno;
        g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(code), "%s: %s",
                    options->proc, g_strerror(code));
        return NULL;
    }
    noise_monitor *m = monitor_new(options, proc);
    if (!begin(m, error)) {
        monitor_free(m);
        return NULL;
    }
    return m;
}

bool noise_monitor_stop(noise_monitor *m, GError **error)
{
    (void)sem_post(&m->stop);
    (void)pthread_join(m->thread, NULL);
    const bool ok = noise_nit_writer_close(m->sampler.writer, m->end, error);
    monitor_free(m);
    return ok;
}
