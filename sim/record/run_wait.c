/* sim/record/run_wait.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From its beginning each step of a record gives an instant: that of its cause, and what lies
 * between the two (critical_path.c goes the other way). Logs are followed in turns, each until it
 * comes to a message that its sender's log has not come to.
 */
#include "record/run_wait_private.h"

#include "sim/error.h"

#include <assert.h>
#include <inttypes.h>

enum { STEPS_AT_ONCE = 4096 }; /* of a log, so that no other has to wait for much */

/* @return false: what it needs of another rank has not happened */
static bool happens(wait_walk *w, const record_step *s, uint8_t mark)
{
    instant_key key;
    if (sim_wait_needs(w, s, &key) && sim_instant_find(&w->table, key) == NULL) {
        return false;
    }
    happening h = {.s = s};
    instant_key keys[MAX(MOST_USED, MOST_MADE)];
    h.num_used = sim_step_uses(s, keys);
    for (unsigned i = 0; i < h.num_used; i++) {
        const instant *found = sim_instant_find(&w->table, keys[i]);
        if (found == NULL) {
            sim_wait_fail(
                w, "rank %" PRIu32 ", operation %" PRIu32 ": what it follows from comes later",
                s->rank, s->op);
            return false;
        }
        h.used[i] = *found;
    }
    for (unsigned i = 0; i < h.num_used; i++) {
        if (mark_is_last_use(mark, i)) {
            (void)sim_instant_remove(&w->table, keys[i]);
        }
    }
    h.num_made = sim_step_makes(s, keys);
    for (unsigned i = 0; i < h.num_made; i++) {
        h.made[i].key = keys[i];
    }
    sim_wait_follow(w, &h);
    for (unsigned i = 0; i < h.num_made; i++) {
        if (mark_is_needed(mark, i)) {
            sim_instant_put(&w->table, h.made[i]);
        }
    }
    return true;
}

/* Room for the steps of a log, while there are any. */
static bool next_chunk(wait_walk *w, uint32_t partition)
{
    followed_log *log = &w->log[partition];
    if (log->chunks_left == 0) {
        g_clear_pointer(&log->place.data, g_free);
        g_clear_pointer(&log->place.step, g_free);
        g_clear_pointer(&log->mark, g_free);
        return false;
    }
    if (log->mark == NULL) {
        log->place.data = g_malloc(RECORD_CHUNK_BYTES);
        log->mark = g_malloc(RECORD_CHUNK_BYTES);
    }
    log->next = 0;
    return sim_record_marks_read(&w->marks, partition, --log->chunks_left, &log->place, log->mark,
                                 &w->wrong);
}

/* @return how many steps of it have happened; @p left: are there more? */
static size_t follow_log(wait_walk *w, uint32_t partition, bool *left)
{
    followed_log *log = &w->log[partition];
    for (size_t n = 0; n < STEPS_AT_ONCE && w->wrong == NULL; n++, log->next++) {
        if (log->next >= log->place.n && !next_chunk(w, partition)) {
            log->place.n = log->next = 0;
            return n;
        }
        if (!happens(w, &log->place.step[log->next], log->mark[log->next])) {
            *left = true;
            return n;
        }
    }
    *left = true;
    return STEPS_AT_ONCE;
}

static void follow_logs(wait_walk *w)
{
    bool left = true;
    while (left && w->wrong == NULL) {
        left = false;
        size_t n = 0;
        for (uint32_t i = 0; i < w->record->ranks.num_partitions; i++) {
            n += follow_log(w, i, &left);
        }
        if (left && n == 0) {
            sim_wait_fail(w, "its steps wait for each other");
        }
    }
    if (w->finish != w->record->makespan) {
        sim_wait_fail(w, "its steps end at %" PRId64 " ps, but the makespan is %" PRId64 " ps",
                      w->finish, w->record->makespan);
    }
}

static void clear(wait_walk *w)
{
    for (uint32_t i = 0; i < w->record->ranks.num_partitions; i++) {
        g_free(w->log[i].place.data);
        g_free(w->log[i].place.step);
        g_free(w->log[i].mark);
    }
    g_free(w->log);
    g_free(w->wrong);
    sim_instant_table_clear(&w->table);
    sim_record_marks_clear(&w->marks);
}

static bool walk(wait_walk w, GError **error)
{
    const sim_run_record *record = w.record;
    assert(record->path != NULL);
    const uint32_t parts = record->ranks.num_partitions;
    w.async = record->params.progress == SIM_PROGRESS_ASYNC;
    w.instant = record->params.rendezvous == SIM_RENDEZVOUS_INSTANT;
    sim_record_levels(record, w.level);
    message_costs_init(w.costs, w.level);
    w.log = g_new0(followed_log, parts);
    bool right = sim_record_marks_init(&w.marks, record, error);
    if (right) {
        for (uint32_t i = 0; i < parts; i++) {
            w.log[i].chunks_left = w.marks.chunks[i]->len;
        }
        follow_logs(&w);
        right = w.wrong == NULL;
        if (!right) {
            g_set_error(error, SIM_ERROR, SIM_ERROR_BAD_FILE, "%s: damaged: %s", record->path,
                        w.wrong);
        }
    }
    clear(&w);
    return right;
}

bool sim_run_record_visit_waits(const sim_run_record *record, sim_wait_visit *visit, void *user,
                                GError **error)
{
    return walk((wait_walk){.record = record, .visit = visit, .user = user}, error);
}

bool sim_run_record_visit_work(const sim_run_record *record, sim_work_visit *visit, void *user,
                               GError **error)
{
    return walk((wait_walk){.record = record, .visit_work = visit, .user = user}, error);
}
