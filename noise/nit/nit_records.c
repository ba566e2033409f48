/* noise/nit/nit_records.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_nit_file, fuzz_nit. */
#include "nit/nit_records.h"

void noise_nit_contents_init(noise_nit_contents *c)
{
    *c = (noise_nit_contents){
        .threads = g_array_new(FALSE, FALSE, sizeof(noise_nit_thread)),
        .activities = g_array_new(FALSE, FALSE, sizeof(noise_nit_activity)),
        .goes_on = g_array_new(FALSE, TRUE, sizeof(uint32_t)),
        .lines = g_array_new(FALSE, FALSE, sizeof(noise_nit_line)),
        .interrupts = g_array_new(FALSE, FALSE, sizeof(noise_nit_interrupts)),
        .steals = g_array_new(FALSE, FALSE, sizeof(noise_nit_steal)),
        .markers = g_array_new(FALSE, FALSE, sizeof(noise_nit_marker)),
        .clocks = g_array_new(FALSE, FALSE, sizeof(noise_nit_clocks)),
    };
}

/* NULL where it is empty. Owned by the caller. */
static char *get_text(nit_cursor *c)
{
    const size_t n = nit_get_below(c, NIT_MOST_TEXT + 1);
    c->bad |= n > (size_t)(c->end - c->at) || memchr(c->at, '\0', n) != NULL;
    if (c->bad || n == 0) {
        return NULL;
    }
    char *text = g_strndup((const char *)c->at, n);
    c->at += n;
    return text;
}

static char *get_text_there(nit_cursor *c)
{
    char *text = get_text(c);
    return text != NULL ? text : g_strdup("");
}

static uint64_t get_time(nit_cursor *c)
{
    return nit_get_below(c, NIT_MOST_TIME);
}

/* Relative to @p base; may lie before it. */
static uint64_t get_time_near(nit_cursor *c, uint64_t base)
{
    const int64_t difference = nit_unfold(nit_get(c));
    const uint64_t time = base + (uint64_t)difference;
    c->bad |= time >= NIT_MOST_TIME;
    return c->bad ? 0 : time;
}

/* A stretch: its end, and how long before that it begins. */
static void get_stretch(nit_cursor *c, uint64_t base, uint64_t *from, uint64_t *to)
{
    *to = get_time_near(c, base);
    *from = *to - nit_get_below(c, *to + 1);
}

static void take_clocks(noise_nit_contents *contents, nit_cursor *c)
{
    noise_nit_clocks clocks = {.monotonic = get_time(c)};
    clocks.monotonic_raw = get_time(c);
    clocks.realtime = get_time(c);
    clocks.tsc = nit_get(c);
    g_array_append_val(contents->clocks, clocks);
}

static const char *take_head(noise_nit_contents *contents, nit_cursor *c)
{
    noise_nit_node *node = &contents->node;
    if (node->name != NULL) {
        return "a second head";
    }
    node->name = get_text_there(c);
    node->boot_id = get_text_there(c);
    node->kernel = get_text_there(c);
    node->num_cpus = (uint32_t)nit_get_below(c, NIT_MOST_CPUS);
    c->bad |= node->num_cpus > (size_t)(c->end - c->at);
    if (c->bad) {
        return "a head that ends early";
    }
    node->cpus = g_new0(uint32_t, node->num_cpus + 1);
    node->core = g_new0(uint32_t, node->num_cpus + 1);
    for (uint32_t i = 0; i < node->num_cpus; i++) {
        node->cpus[i] = (uint32_t)nit_get_below(c, UINT32_MAX);
        node->core[i] = (uint32_t)nit_get_below(c, UINT32_MAX);
        if (i > 0 && node->cpus[i] <= node->cpus[i - 1]) {
            return "CPUs that are not in order";
        }
    }
    node->hz = (uint32_t)nit_get_below(c, UINT32_MAX);
    node->clk_tck = (long)nit_get_below(c, INT32_MAX);
    node->mode = (noise_nit_mode)nit_get_below(c, NOISE_NIT_DEDICATED + 1);
    node->asked = (double)nit_get(c) / 1e6;
    node->blind = get_text(c);
    take_clocks(contents, c);
    node->begin = g_array_index(contents->clocks, noise_nit_clocks, 0).monotonic;
    node->end = node->begin;
    return NULL;
}

static void take_thread(noise_nit_contents *contents, nit_cursor *c)
{
    noise_nit_thread t = {.pid = (uint32_t)nit_get_below(c, UINT32_MAX)};
    t.tid = (uint32_t)nit_get_below(c, UINT32_MAX);
    t.parent = (uint32_t)nit_get_below(c, UINT32_MAX);
    t.start_ticks = nit_get(c);
    t.kind = (noise_program_class)nit_get_below(c, NOISE_NUM_PROGRAM_CLASSES);
    t.rank = (int32_t)((int64_t)nit_get_below(c, INT32_MAX) - 1);
    t.name = get_text_there(c);
    t.command = get_text(c);
    g_array_append_val(contents->threads, t);
    g_array_set_size(contents->goes_on, contents->threads->len);
}

/* What goes on from the frame before is one activity with it. */
static bool continues(const noise_nit_activity *before, const noise_nit_activity *a)
{
    return before->cpu == a->cpu && before->to == a->from &&
           before->slices <= UINT32_MAX - a->slices && before->cpu_ns + a->cpu_ns < NIT_MOST_TIME;
}

static void take_activity(noise_nit_contents *contents, nit_cursor *c, uint64_t base, bool goes_on)
{
    noise_nit_activity a = {.thread = (uint32_t)nit_get_below(c, contents->threads->len)};
    a.cpu = (uint32_t)(nit_get_below(c, (uint64_t)UINT32_MAX + 1) - 1); /* 0: UINT32_MAX */
    get_stretch(c, base, &a.from, &a.to);
    a.cpu_ns = get_time(c);
    a.slices = (uint32_t)nit_get_below(c, UINT32_MAX);
    a.voluntary = (uint32_t)nit_get_below(c, UINT32_MAX);
    a.involuntary = (uint32_t)nit_get_below(c, UINT32_MAX);
    a.run_delay_ns = get_time(c);
    if (c->bad) {
        return;
    }
    uint32_t *open = &g_array_index(contents->goes_on, uint32_t, a.thread);
    noise_nit_activity *before =
        *open > 0 ? &g_array_index(contents->activities, noise_nit_activity, *open - 1) : NULL;
    if (before != NULL && continues(before, &a)) {
        before->to = a.to;
        before->cpu_ns += a.cpu_ns;
        before->slices += a.slices;
        before->voluntary += a.voluntary;
        before->involuntary += a.involuntary;
        before->run_delay_ns += a.run_delay_ns;
    } else {
        g_array_append_val(contents->activities, a);
        *open = contents->activities->len;
    }
    if (!goes_on) {
        g_array_index(contents->goes_on, uint32_t, a.thread) = 0;
    }
}

static void take_line(noise_nit_contents *contents, nit_cursor *c)
{
    noise_nit_line line = {.is_soft = nit_get_below(c, 2) == 1};
    line.name = get_text_there(c);
    g_array_append_val(contents->lines, line);
}

static void take_interrupts(noise_nit_contents *contents, nit_cursor *c, uint64_t base)
{
    noise_nit_interrupts i = {.line = (uint32_t)nit_get_below(c, contents->lines->len)};
    i.cpu = (uint32_t)nit_get_below(c, UINT32_MAX);
    get_stretch(c, base, &i.from, &i.to);
    i.count = (uint32_t)nit_get_below(c, UINT32_MAX);
    g_array_append_val(contents->interrupts, i);
}

static void take_steal(noise_nit_contents *contents, nit_cursor *c, uint64_t base)
{
    noise_nit_steal s = {.cpu = (uint32_t)nit_get_below(c, UINT32_MAX)};
    get_stretch(c, base, &s.from, &s.to);
    s.ns = get_time(c);
    g_array_append_val(contents->steals, s);
}

static void take_marker(noise_nit_contents *contents, nit_cursor *c, uint64_t base)
{
    noise_nit_marker m = {.when = get_time_near(c, base)};
    m.text = get_text_there(c);
    g_array_append_val(contents->markers, m);
}

static void add(nit_cursor *c, uint64_t *sum, uint64_t more)
{
    *sum += more;
    c->bad |= *sum >= NIT_MOST_TIME;
}

static void take_seen(noise_nit_contents *contents, nit_cursor *c, uint64_t base)
{
    nit_seen *s = &contents->seen;
    const uint64_t to = get_time_near(c, base);
    s->to = MAX(s->to, to);
    uint64_t *const sums[] = {&s->sweeps,   &s->interval_ns, &s->sweep_ns, &s->monitor_ns,
                              &s->blind_ns, &s->switches,    &s->slices,   &s->forks,
                              &s->appeared, &s->steal_ns,    &s->lost};
    for (size_t i = 0; i < G_N_ELEMENTS(sums); i++) {
        add(c, sums[i], get_time(c));
    }
    const uint64_t longest = get_time(c);
    const uint64_t threads = nit_get_below(c, UINT32_MAX);
    s->max_interval_ns = MAX(s->max_interval_ns, longest);
    s->most_threads = MAX(s->most_threads, threads);
    for (uint64_t n = nit_get_below(c, NIT_BUCKETS + 1); n > 0 && !c->bad; n--) {
        const uint64_t bucket = nit_get_below(c, NIT_BUCKETS);
        const uint64_t count = nit_get_below(c, UINT32_MAX - s->intervals[bucket]);
        s->intervals[bucket] += (uint32_t)count;
    }
}

static const char *take_records(noise_nit_contents *contents, nit_cursor *c)
{
    const uint64_t base = get_time(c);
    while (c->at < c->end && !c->bad) {
        const nit_tag tag = (nit_tag)nit_get(c);
        switch (tag) {
        case NIT_THREAD:
            take_thread(contents, c);
            break;
        case NIT_ACTIVITY:
        case NIT_ACTIVITY_GOES_ON:
            take_activity(contents, c, base, tag == NIT_ACTIVITY_GOES_ON);
            break;
        case NIT_LINE:
            take_line(contents, c);
            break;
        case NIT_INTERRUPTS:
            take_interrupts(contents, c, base);
            break;
        case NIT_STEAL:
            take_steal(contents, c, base);
            break;
        case NIT_MARKER:
            take_marker(contents, c, base);
            break;
        case NIT_CLOCKS:
            take_clocks(contents, c);
            break;
        case NIT_SEEN:
            take_seen(contents, c, base);
            break;
        default:
            return "an unknown record";
        }
    }
    return NULL;
}

const char *noise_nit_contents_take(noise_nit_contents *contents, nit_frame_kind kind,
                                    nit_cursor *c)
{
    const char *wrong = NULL;
    if (kind == NIT_FRAME_HEAD) {
        wrong = take_head(contents, c);
    } else if (contents->node.name == NULL) {
        wrong = "no head before it";
    } else if (kind == NIT_FRAME_DATA) {
        wrong = take_records(contents, c);
    } else {
        contents->node.end = get_time(c);
    }
    if (wrong == NULL && c->bad) {
        wrong = "a number that is cut or out of range";
    }
    return wrong == NULL && c->at != c->end ? "more bytes than it should have" : wrong;
}

static gint by_end(gconstpointer a, gconstpointer b)
{
    const noise_nit_activity *x = a;
    const noise_nit_activity *y = b;
    return x->to != y->to ? (x->to > y->to) - (x->to < y->to)
                          : (x->thread > y->thread) - (x->thread < y->thread);
}

static gint by_interrupt(gconstpointer a, gconstpointer b)
{
    const noise_nit_interrupts *x = a;
    const noise_nit_interrupts *y = b;
    return x->to != y->to ? (x->to > y->to) - (x->to < y->to)
                          : (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static gint by_steal(gconstpointer a, gconstpointer b)
{
    const noise_nit_steal *x = a;
    const noise_nit_steal *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

static gint by_time(gconstpointer a, gconstpointer b)
{
    const noise_nit_marker *x = a;
    const noise_nit_marker *y = b;
    return (x->when > y->when) - (x->when < y->when);
}

/* The interval that 99 % of all are not above. */
static uint64_t high_interval(const nit_seen *s)
{
    uint64_t all = 0;
    for (uint32_t b = 0; b < NIT_BUCKETS; b++) {
        all += s->intervals[b];
    }
    uint64_t below = 0;
    for (uint32_t b = 0; b < NIT_BUCKETS; b++) {
        below += s->intervals[b];
        if (below > 0 && below >= all - all / 100) {
            return MIN(nit_bucket_end(b), s->max_interval_ns);
        }
    }
    return 0;
}

static void sum_up(noise_nit_node *node, const nit_seen *s)
{
    node->end = MAX(node->end, s->to);
    node->sweeps = s->sweeps;
    node->mean_interval_ns = s->sweeps > 0 ? s->interval_ns / s->sweeps : 0;
    node->mean_sweep_ns = s->sweeps > 0 ? s->sweep_ns / s->sweeps : 0;
    node->max_interval_ns = s->max_interval_ns;
    node->p99_interval_ns = high_interval(s);
    node->monitor_ns = s->monitor_ns;
    node->blind_ns = s->blind_ns;
    node->switches = s->switches;
    node->unattributed_switches = s->switches - MIN(s->switches, 2 * s->slices);
    node->forks = s->forks;
    node->unattributed_forks = s->forks - MIN(s->forks, s->appeared);
    node->steal_ns = s->steal_ns;
    node->lost = s->lost;
    node->most_threads = (uint32_t)s->most_threads;
}

noise_nit *noise_nit_contents_finish(noise_nit_contents *c)
{
    g_array_sort(c->activities, by_end);
    g_array_sort(c->interrupts, by_interrupt);
    g_array_sort(c->steals, by_steal);
    g_array_sort(c->markers, by_time);
    sum_up(&c->node, &c->seen);
    noise_nit *nit = g_new0(noise_nit, 1);
    nit->num_nodes = 1;
    c->node.clocks = (noise_nit_clocks *)(void *)g_array_steal(c->clocks, &c->node.num_clocks);
    nit->nodes = g_memdup2(&c->node, sizeof c->node);
    c->node = (noise_nit_node){0};
    nit->threads = (void *)g_array_steal(c->threads, &nit->num_threads);
    nit->activities = (void *)g_array_steal(c->activities, &nit->num_activities);
    nit->lines = (void *)g_array_steal(c->lines, &nit->num_lines);
    nit->interrupts = (void *)g_array_steal(c->interrupts, &nit->num_interrupts);
    nit->steals = (void *)g_array_steal(c->steals, &nit->num_steals);
    nit->markers = (void *)g_array_steal(c->markers, &nit->num_markers);
    return nit;
}

void noise_nit_contents_clear(noise_nit_contents *c)
{
    noise_nit_free(noise_nit_contents_finish(c));
    GArray *const arrays[] = {c->threads,    c->activities, c->goes_on, c->lines,
                              c->interrupts, c->steals,     c->markers, c->clocks};
    for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++) {
        g_array_unref(arrays[i]);
    }
}
