/* noise/measure/selfish.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/selfish.h"

#include "measure/cpu_list.h"
#include "measure/selfish_private.h"

#include <hwloc.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { SAMPLES = 1 << 17, MAX_RAISES = 40 };
/* Where events are not limited: 64 MiB for each of up to 16 CPUs, then less. */
enum { MAX_GAPS = 1 << 22, MAX_GAPS_OF_ALL = 1 << 26 };

static const sim_time WARM_UP = 100 * SIM_MS; /* clock frequency and idle states settle */
static const sim_time TRIAL = 50 * SIM_MS;
static const sim_time HEAD_START = 2 * SIM_MS; /* for all to wake up before the common start */
static const gint64 CALIBRATION_US = G_USEC_PER_SEC;

/* Shared by the threads; constant but for the atomics. */
typedef struct team {
    const noise_selfish_options *options;
    hwloc_topology_t topology;
    noise_clock clock;
    double ticks_per_second;
    size_t size;
    size_t capacity;     /* gaps of each */
    atomic_size_t ready; /* members that have calibrated */
    atomic_int go;       /* 1: start at .start; -1: give up */
    uint64_t start;      /* tick; set before .go */
    atomic_size_t finished;
} team;

typedef struct member {
    pthread_t thread;
    team *team;
    uint32_t cpu;
    noise_selfish_watch watch;
    noise_loop loop;
    uint64_t raised;
} member;

void noise_selfish_options_init(noise_selfish_options *options)
{
    *options = (noise_selfish_options){
        .time = 10 * SIM_S, .events = 100000, .factor = 9, .floor = 100 * SIM_NS};
}

static uint64_t ticks_of(const team *t, sim_time time)
{
    return (uint64_t)ceil((double)time / (double)SIM_S * t->ticks_per_second);
}

static bool bind_thread(const member *m)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    hwloc_bitmap_only(set, m->cpu);
    const bool ok =
        hwloc_set_cpubind(m->team->topology, set, HWLOC_CPUBIND_THREAD | HWLOC_CPUBIND_STRICT) == 0;
    hwloc_bitmap_free(set);
    return ok;
}

static void raise_threshold(member *m)
{
    m->loop.threshold += m->loop.threshold / 2;
    m->raised++;
}

/* Find t_min, and a threshold that at most 1 % of the iterations pass. */
static void calibrate(member *m)
{
    const team *t = m->team;
    const uint64_t begin = noise_clock_read(t->clock);
    while (noise_clock_read(t->clock) - begin < ticks_of(t, WARM_UP)) {
    }
    g_autofree uint64_t *differences = g_new(uint64_t, SAMPLES);
    memset(differences, 0, SAMPLES * sizeof *differences); /* no page fault while sampling */
    noise_loop_sample(differences, SAMPLES, t->clock);
    m->watch.iteration = noise_calibrate_iteration(differences, SAMPLES);
    m->loop.threshold = noise_calibrate_threshold(&m->watch.iteration, t->options->factor,
                                                  t->options->floor, t->ticks_per_second);
    m->loop.duration = ticks_of(t, TRIAL);
    while (noise_loop_measure(&m->loop, t->clock) == NOISE_LOOP_TOO_MANY &&
           m->raised < MAX_RAISES) {
        raise_threshold(m);
    }
}

/* All begin at the same tick. A loop whose threshold turns out too low begins again. */
static void measure(member *m)
{
    team *t = m->team;
    const uint64_t start = t->start;
    const uint64_t duration = ticks_of(t, t->options->time);
    while ((int64_t)(noise_clock_read(t->clock) - start) < 0) {
    }
    m->loop.duration = duration;
    m->watch.end = noise_loop_measure(&m->loop, t->clock);
    while (m->watch.end == NOISE_LOOP_TOO_MANY && m->raised < MAX_RAISES &&
           m->loop.last - start < duration) {
        raise_threshold(m);
        m->loop.duration = duration - (m->loop.last - start);
        m->watch.end = noise_loop_measure(&m->loop, t->clock);
    }
    m->watch.backwards = m->loop.backwards;
}

static void *run_member(void *data)
{
    member *m = data;
    team *t = m->team;
    m->watch.bound = bind_thread(m);
    /* By the thread itself, so that it is near; touched and locked, so that it is there. */
    m->loop.capacity = MAX(t->capacity, (size_t)2 * NOISE_LOOP_PROBE);
    const size_t bytes = m->loop.capacity * sizeof(noise_gap);
    m->loop.gaps = g_malloc(bytes);
    memset(m->loop.gaps, 0, bytes);
    (void)mlock(m->loop.gaps, bytes);
    calibrate(m);
    atomic_fetch_add(&t->ready, 1);
    int go;
    while ((go = atomic_load(&t->go)) == 0) { /* awake, so that the CPU stays fast */
    }
    if (go < 0) {
        return NULL;
    }
    m->loop.capacity = t->capacity;
    struct rusage before;
    struct rusage after;
    (void)getrusage(RUSAGE_THREAD, &before);
    measure(m);
    (void)getrusage(RUSAGE_THREAD, &after);
    m->watch.voluntary = after.ru_nvcsw - before.ru_nvcsw;
    m->watch.involuntary = after.ru_nivcsw - before.ru_nivcsw;
    m->watch.page_faults = after.ru_minflt + after.ru_majflt - before.ru_minflt - before.ru_majflt;
    m->watch.moved = sched_getcpu() != (int)m->cpu;
    (void)munlock(m->loop.gaps, bytes);
    /* An idle CPU would draw the daemons to itself, away from those still measured. */
    atomic_fetch_add(&t->finished, 1);
    while (atomic_load(&t->finished) < t->size) {
    }
    return NULL;
}

static void convert(noise_selfish_cpu *out, const member *m, double ticks_per_second)
{
    const noise_loop *loop = &m->loop;
    const uint64_t t_min = m->watch.iteration.t_min;
    out->t_min = noise_ticks_to_time(t_min, ticks_per_second);
    out->threshold = noise_ticks_to_time(loop->threshold, ticks_per_second);
    out->duration = noise_ticks_to_time(loop->last - loop->first, ticks_per_second);
    out->iterations = loop->iterations;
    out->raised = m->raised;
    out->n = loop->n;
    out->start = g_new(sim_time, loop->n);
    out->length = g_new(sim_time, loop->n);
    for (size_t i = 0; i < loop->n; i++) {
        const noise_gap *gap = &loop->gaps[i];
        out->start[i] = noise_ticks_to_time(gap->start - loop->first, ticks_per_second);
        out->length[i] = noise_ticks_to_time(gap->length - t_min, ticks_per_second);
    }
}

/* Start, measure, join. @return false with @p error if threads cannot be had */
static bool run_team(team *t, member *members, GError **error)
{
    size_t started = 0;
    int code = 0;
    while (started < t->size && code == 0) {
        code = pthread_create(&members[started].thread, NULL, run_member, &members[started]);
        started += code == 0;
    }
    if (code != 0) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE, "thread %zu of %zu: %s", started,
                    t->size, g_strerror(code));
    }
    while (code == 0 && atomic_load(&t->ready) < t->size) {
        g_usleep(1000);
    }
    t->start = noise_clock_read(t->clock) + ticks_of(t, HEAD_START);
    atomic_store(&t->go, code == 0 ? 1 : -1);
    for (size_t i = 0; i < started; i++) {
        (void)pthread_join(members[i].thread, NULL);
    }
    return code == 0;
}

static bool check_options(const noise_selfish_options *o, GError **error)
{
    if (o->time <= 0 || !(o->factor > 1) || o->factor > 1e6 || o->floor < 0 ||
        o->time > SIM_TIME_MAX || o->floor > SIM_S) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE,
                    "time must be above 0, the threshold factor between 1 and 1e6, its floor "
                    "between 0 and 1 s");
        return false;
    }
    return true;
}

/* All that is done on @p result once its CPUs are known. */
static bool measure_all(noise_selfish_result *result, const noise_selfish_options *options,
                        hwloc_topology_t topology, GError **error)
{
    noise_selfish_evidence evidence = {0};
    team t = {.options = options, .topology = topology, .size = result->num_cpus};
    t.capacity = MIN((size_t)MAX_GAPS, (size_t)MAX_GAPS_OF_ALL / t.size + 1);
    evidence.limited = options->events > 0 && options->events <= t.capacity;
    t.capacity = evidence.limited ? (size_t)options->events : t.capacity;
    t.clock = noise_clock_choose(&evidence.clock_why);
    result->clock = g_strdup(noise_clock_name(t.clock));

    const noise_anchor a = noise_anchor_take(t.clock);
    g_usleep(CALIBRATION_US);
    const noise_anchor b = noise_anchor_take(t.clock);
    t.ticks_per_second = noise_anchor_rate(&a, &b);
    g_autofree member *members = g_new0(member, t.size);
    for (size_t i = 0; i < t.size; i++) {
        members[i].team = &t;
        members[i].cpu = result->cpus[i].cpu;
    }
    evidence.before = noise_host_counters_read(result->cpus, t.size);
    const bool ok = run_team(&t, members, error);
    evidence.after = noise_host_counters_read(result->cpus, t.size);
    if (ok) {
        const noise_anchor c = noise_anchor_take(t.clock);
        g_usleep(CALIBRATION_US);
        const noise_anchor d = noise_anchor_take(t.clock);
        result->ticks_per_second = noise_anchor_rate(&a, &d);
        result->drift_ppm = (noise_anchor_rate(&c, &d) / t.ticks_per_second - 1) * 1e6;
    }
    g_autofree noise_selfish_watch *watch = g_new(noise_selfish_watch, t.size);
    for (size_t i = 0; i < t.size; i++) {
        if (ok) {
            convert(&result->cpus[i], &members[i], result->ticks_per_second);
        }
        watch[i] = members[i].watch;
        g_free(members[i].loop.gaps);
    }
    evidence.watch = watch;
    if (ok) {
        noise_selfish_judge(result, &evidence);
        result->provenance = noise_selfish_describe_host(result, &evidence);
    }
    return ok;
}

noise_selfish_result *noise_selfish_run(const noise_selfish_options *options, GError **error)
{
    if (!check_options(options, error)) {
        return NULL;
    }
    size_t num_allowed;
    size_t n;
    g_autofree uint32_t *allowed = noise_cpu_list_inherited(&num_allowed);
    g_autofree uint32_t *cpus =
        noise_cpu_list_parse(options->cpus, allowed, num_allowed, &n, error);
    if (cpus == NULL) {
        return NULL;
    }
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE, "hwloc cannot be initialised");
        return NULL;
    }
    g_autoptr(noise_selfish_result) result = g_new0(noise_selfish_result, 1);
    result->num_cpus = n;
    result->cpus = g_new0(noise_selfish_cpu, n);
    for (size_t i = 0; i < n; i++) {
        result->cpus[i].cpu = cpus[i];
    }
    bool ok = hwloc_topology_load(topology) == 0;
    if (!ok) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE, "hwloc cannot read the topology");
    }
    ok = ok && measure_all(result, options, topology, error);
    hwloc_topology_destroy(topology);
    return ok ? g_steal_pointer(&result) : NULL;
}

void noise_selfish_result_free(noise_selfish_result *result)
{
    if (result != NULL) {
        for (size_t i = 0; i < result->num_cpus; i++) {
            g_free(result->cpus[i].start);
            g_free(result->cpus[i].length);
        }
        g_free(result->cpus);
        g_free(result->clock);
        g_free(result->verdict);
        g_free(result->provenance);
        g_free(result);
    }
}
