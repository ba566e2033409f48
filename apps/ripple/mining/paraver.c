/* apps/ripple/mining/paraver.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_paraver_mining, fuzz_paraver_mining, cli_mine_paraver. */
#include "mining/paraver.h"

#include "noise/call_events.h"
#include "output/error.h"
#include "output/sentences.h"
#include "sim/unit.h"

#include <errno.h>
#include <stdio.h>

/* Types of events, and where a message has what we want. */
enum {
    FIRST_MPI = 50000001, /* point-to-point, collectives, others, one-sided, files */
    LAST_MPI = 50000005,
    FLUSHING = 40000003,
    MESSAGE_TASK = 9,
    MESSAGE_THREAD = 10,
    MESSAGE_BYTES = 13,
    RUNNING = 1,
    STOLEN = 41, /* ours: a detour; off its CPU though it could have run */
};

/* One thread. */
typedef struct thread {
    uint32_t rank;
    noise_call_events calls;
    const noise_event_function *open; /* the call that it is in */
    sim_time enter;
    sim_time flushing; /* since when; -1: it is not */
    sim_time sent;     /* a message, last; -1: none */
    int64_t bytes, distance;
    sim_time run, run_end, own; /* a stretch of states: from, to, of that running */
} thread;

typedef struct mining {
    const prv_file *file;
    app_paraver_names *names;
    noise_miner *miner;
    GHashTable *named; /* types whose names the miner has */
    uint32_t *first;   /* thread of each task */
    thread *threads;
    uint32_t num_threads;
    bool has_calls, has_stolen;
    uint64_t events;
} mining;

static sim_time instant(const mining *m, uint64_t time)
{
    return (sim_time)(time * m->file->unit_ns) * SIM_NS;
}

static void mine(mining *m, const noise_miner_event *event, const char *name)
{
    if (!g_hash_table_contains(m->named, &event->type)) {
        (void)g_hash_table_add(m->named, g_memdup2(&event->type, sizeof event->type));
        noise_miner_name_type(m->miner, event->type, name);
    }
    noise_miner_add_event(m->miner, event);
    m->events++;
}

/* ---- calls ---- */

static void end_call(mining *m, thread *t, sim_time leave)
{
    const bool sent = t->sent >= t->enter;
    const noise_call call = {.function = t->open,
                             .bytes = sent ? t->bytes : NOISE_EVENT_NO_SIZE,
                             .distance = sent ? t->distance : NOISE_EVENT_NO_PEER,
                             .enter = t->enter,
                             .leave = leave,
                             .cpu = -1,
                             .cpu_inside = -1,
                             .waited = -1};
    noise_call_event out[2];
    const int n = noise_call_events_take(&t->calls, &call, false, out);
    for (int i = 0; i < n; i++) {
        char name[NOISE_EVENT_NAME_BYTES];
        noise_call_event_name(&out[i], name);
        mine(m, &out[i].event, name);
    }
    t->open = NULL;
}

static void take_events(mining *m, thread *t, const uint64_t *v, uint32_t n)
{
    const sim_time now = instant(m, v[PRV_TIME]);
    for (uint32_t k = PRV_TIME + 1; k + 1 < n; k += 2) {
        if (v[k] == FLUSHING && v[k + 1] != 0) {
            t->flushing = now;
        } else if (v[k] == FLUSHING && t->flushing >= 0) {
            noise_call_events_skip(&t->calls, t->flushing, now);
            t->flushing = -1;
        } else if (v[k] >= FIRST_MPI && v[k] <= LAST_MPI) {
            if (t->open != NULL) {
                end_call(m, t, now);
            }
            t->open = v[k + 1] != 0 ? app_paraver_function(m->names, v[k], v[k + 1]) : NULL;
            t->enter = now;
        }
    }
}

static void take_message(mining *m, thread *t, const uint64_t *v)
{
    t->sent = instant(m, v[PRV_TIME]);
    t->bytes = (int64_t)MIN(v[MESSAGE_BYTES], (uint64_t)INT64_MAX);
    t->distance = (int64_t)v[MESSAGE_TASK] - (int64_t)v[PRV_TASK];
}

/* ---- states ---- */

/* With what was stolen of it known, or to be found out. */
static void end_run(mining *m, thread *t)
{
    if (t->run >= 0 && t->own > 0) {
        const char *name = app_paraver_state(m->names, RUNNING);
        name = name != NULL ? name : "state 1";
        const noise_miner_event event = {.rank = t->rank,
                                         .type = noise_event_task_type(name),
                                         .start = t->run,
                                         .end = t->run_end,
                                         .expected = m->has_stolen ? t->own : -1,
                                         .cpu = -1,
                                         .detour = -1};
        mine(m, &event, name);
    }
    t->run = -1;
}

static void take_state(mining *m, thread *t, const uint64_t *v)
{
    const sim_time begin = instant(m, v[PRV_TIME]);
    const sim_time end = instant(m, v[PRV_END]);
    const uint64_t state = v[PRV_END + 1];
    if (t->run >= 0 && (begin != t->run_end || (state != RUNNING && state != STOLEN))) {
        end_run(m, t);
    }
    if (state == RUNNING || state == STOLEN) {
        if (t->run < 0) {
            t->run = begin;
            t->own = 0;
        }
        t->own += state == RUNNING ? end - begin : 0;
        t->run_end = end;
    }
}

/* ---- a trace ---- */

/* Does a stretch of 41 go by a name of ours? Others may use the number as they like. */
static bool is_stolen_named(const app_paraver_names *names)
{
    const char *name = app_paraver_state(names, STOLEN);
    return g_strcmp0(name, "Detour") == 0 || g_strcmp0(name, "Preempted") == 0;
}

static void look(mining *m)
{
    bool stolen = false;
    for (guint i = 0; i < m->file->lines->len; i++) {
        const uint64_t *v = prv_numbers(m->file, i);
        const uint32_t n = g_array_index(m->file->lines, prv_line, i).n;
        stolen = stolen || (v[0] == PRV_STATE && v[PRV_END + 1] == STOLEN);
        for (uint32_t k = PRV_TIME + 1; v[0] == PRV_EVENT && k + 1 < n; k += 2) {
            m->has_calls = m->has_calls || (v[k] >= FIRST_MPI && v[k] <= LAST_MPI);
        }
    }
    m->has_stolen = stolen && is_stolen_named(m->names);
}

static thread *thread_of(const mining *m, uint64_t application, uint64_t task, uint64_t number)
{
    const prv_task *t = noise_prv_file_task(m->file, application, task);
    return &m->threads[m->first[t - (const prv_task *)(void *)m->file->tasks->data] + number - 1];
}

static void make_threads(mining *m, const char *row)
{
    const GArray *tasks = m->file->tasks;
    m->first = g_new(uint32_t, tasks->len + 1);
    for (guint i = 0; i < tasks->len; i++) {
        m->first[i] = m->num_threads;
        m->num_threads += g_array_index(tasks, prv_task, i).threads;
    }
    m->threads = g_new0(thread, (gsize)m->num_threads + 1);
    g_autofree uint32_t *ranks = app_paraver_ranks(row, m->num_threads);
    for (uint32_t i = 0; i < m->num_threads; i++) {
        m->threads[i] = (thread){.rank = ranks[i], .flushing = -1, .sent = -1, .run = -1};
        m->threads[i].calls.rank = ranks[i];
    }
}

static void take_all(mining *m)
{
    for (guint i = 0; i < m->file->lines->len; i++) {
        const uint64_t *v = prv_numbers(m->file, i);
        thread *t = thread_of(m, v[PRV_APPLICATION], v[PRV_TASK], v[PRV_TASK + 1]);
        if (v[0] == PRV_EVENT && m->has_calls) {
            take_events(m, t, v, g_array_index(m->file->lines, prv_line, i).n);
        } else if (v[0] == PRV_MESSAGE && m->has_calls) {
            take_message(m, t, v);
        } else if (v[0] == PRV_STATE && !m->has_calls) {
            take_state(m, t, v);
        }
    }
    for (uint32_t i = 0; i < m->num_threads; i++) {
        end_run(m, &m->threads[i]);
    }
}

/* Each has a record at least, so that a wild number is no memory. */
static bool check_threads(const prv_file *file, const char *name, GError **error)
{
    uint64_t threads = 0;
    for (guint i = 0; i < file->tasks->len; i++) {
        threads += g_array_index(file->tasks, prv_task, i).threads;
    }
    if (threads > file->lines->len) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "%s:1: '%" G_GUINT64_FORMAT "' threads, but no more than %u records", name,
                    threads, file->lines->len);
        return false;
    }
    return true;
}

bool app_paraver_mine_text(const char *name, const char *text, size_t size, const char *pcf,
                           const char *row, noise_miner *miner, GPtrArray *notes, GError **error)
{
    g_autoptr(prv_file) file = noise_prv_file_parse(name, text, size, error);
    if (file == NULL || !check_threads(file, name, error)) {
        return false;
    }
    g_autoptr(app_paraver_names) names = app_paraver_names_new(pcf);
    mining m = {.file = file, .names = names, .miner = miner};
    m.named = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    make_threads(&m, row);
    look(&m);
    take_all(&m);
    if (m.events == 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "%s: no two calls of MPI of one thread (events of types '%d' to '%d'), and no "
                    "state '%d': there is nothing to mine",
                    name, FIRST_MPI, LAST_MPI, RUNNING);
    } else if (m.has_calls && pcf == NULL) {
        app_sentences_add(notes,
                          "there is no .pcf beside %s, so calls have numbers for names, and "
                          "only computations are mined",
                          name);
    } else if (!m.has_calls) {
        app_sentences_add(notes,
                          "%s has no calls of MPI: events are stretches in which a thread %s", name,
                          m.has_stolen ? "could run; what was stolen of them is known" : "ran");
    }
    g_free(m.first);
    g_free(m.threads);
    g_hash_table_unref(m.named);
    return m.events > 0;
}

/* ---- files ---- */

static bool read_head(const char *path, char *head, size_t size)
{
    FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rb") : NULL;
    const bool ok = file != NULL && fgets(head, (int)size, file) != NULL;
    if (file != NULL) {
        (void)fclose(file);
    }
    return ok && g_str_has_prefix(head, "#Paraver (");
}

bool app_paraver_probe(const char *path)
{
    char head[64];
    return read_head(path, head, sizeof head);
}

sim_time app_paraver_tick(const char *path)
{
    char head[256];
    if (!read_head(path, head, sizeof head)) {
        return 0;
    }
    const char *duration = strstr(head, "):");
    return duration != NULL &&
                   strncmp(duration + 2 + strspn(duration + 2, "0123456789"), "_ns", 3) == 0
               ? SIM_NS
               : SIM_US;
}

/* What lies beside the trace, or NULL. */
static char *read_beside(const char *path, const char *suffix)
{
    const size_t base = strlen(path) - (g_str_has_suffix(path, ".prv") ? strlen(".prv") : 0);
    g_autofree char *name = g_strdup_printf("%.*s%s", (int)base, path, suffix);
    char *text = NULL;
    return g_file_get_contents(name, &text, NULL, NULL) ? text : NULL;
}

bool app_paraver_mine(const char *path, noise_miner *miner, GPtrArray *notes, GError **error)
{
    g_autoptr(GMappedFile) map = g_mapped_file_new(path, FALSE, error);
    if (map == NULL) {
        return false;
    }
    g_autofree char *pcf = read_beside(path, ".pcf");
    g_autofree char *row = read_beside(path, ".row");
    return app_paraver_mine_text(path, g_mapped_file_get_contents(map),
                                 g_mapped_file_get_length(map), pcf, row, miner, notes, error);
}
