/* apps/ripple/mining/projections_log.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_projections. */
/*
 * From the records of one processor to events, as the tool itself makes them: executions of an
 * entry method, apart by the user event that was logged in them; and the runtime between two (black
 * in the tool's timelines), if it logged nothing.
 */
#include "mining/projections_names.h"
#include "noise/event_type.h"
#include "output/error.h"
#include "sim/unit.h"

enum {
    BEGIN_PROCESSING = 2,
    END_PROCESSING = 3,
    USER_EVENT = 13,
    BEGIN_IDLE = 14,
    END_IDLE = 15,
    USER_EVENT_PAIR = 100
};
#define NONE INT64_MIN

struct app_projections_log {
    const char *file;
    const app_projections_names *names;
    noise_miner *miner;
    GHashTable *named; /* types whose names the miner has */
    uint64_t line;
    uint32_t rank;
    int64_t entry; /* that runs; NONE */
    sim_time begun;
    int64_t user_event; /* logged since the last execution ended; NONE */
    sim_time gap;       /* since when neither an entry method nor idling was logged; -1 */
    bool after_idling;  /* the gap */
    bool tool_types;
};

app_projections_log *app_projections_log_new(const char *file, const app_projections_names *names,
                                             uint32_t rank, bool tool_types, noise_miner *miner)
{
    app_projections_log *log = g_new0(app_projections_log, 1);
    log->file = file;
    log->names = names;
    log->miner = miner;
    log->rank = rank;
    log->tool_types = tool_types;
    log->entry = NONE;
    log->user_event = NONE;
    log->gap = -1;
    log->named = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    return log;
}

void app_projections_log_free(app_projections_log *log)
{
    if (log != NULL) {
        g_hash_table_unref(log->named);
        g_free(log);
    }
}

static bool refuse(const app_projections_log *log, const char *what, GError **error)
{
    g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s:%" G_GUINT64_FORMAT ": %s", log->file,
                log->line, what);
    return false;
}

/* The next number of a record. */
static bool number(const char **at, int64_t *out)
{
    char *end = NULL;
    *out = g_ascii_strtoll(*at, &end, 10);
    const bool ok = end != *at && (*end == ' ' || *end == '\t' || *end == '\0' || *end == '\r');
    *at = end;
    return ok;
}

/* Field @p n, from 1, behind the kind of the record. */
static bool field(const char *rest, int n, int64_t *out)
{
    bool ok = true;
    for (int i = 0; i < n && ok; i++) {
        ok = number(&rest, out);
    }
    return ok;
}

static bool time_field(const char *rest, int n, sim_time *out)
{
    int64_t us = 0;
    const bool ok = field(rest, n, &us) && us >= 0 && us <= SIM_TIME_MAX / SIM_US;
    *out = ok ? us * SIM_US : 0;
    return ok;
}

static void mine(app_projections_log *log, const char *name, sim_time start, sim_time end)
{
    if (end < start) {
        return;
    }
    const noise_miner_event event = {.rank = log->rank,
                                     .type = noise_event_task_type(name),
                                     .start = start,
                                     .end = end,
                                     .expected = -1,
                                     .cpu = -1,
                                     .detour = -1};
    if (!g_hash_table_contains(log->named, &event.type)) {
        g_hash_table_add(log->named, g_memdup2(&event.type, sizeof event.type));
        noise_miner_name_type(log->miner, event.type, name);
    }
    noise_miner_add_event(log->miner, &event);
}

static void mine_execution(app_projections_log *log, sim_time end)
{
    g_autofree char *entry = app_projections_entry(log->names, log->entry);
    if (log->user_event == NONE) {
        mine(log, entry, log->begun, end);
    } else {
        g_autofree char *event = app_projections_user_event(log->names, log->user_event);
        g_autofree char *name = g_strdup_printf("%s with %s", entry, event);
        mine(log, name, log->begun, end);
    }
}

/* To the tool all gaps are alike. But what the runtime does before it idles is not what it does
 * after. */
static void end_gap(app_projections_log *log, sim_time at, bool before_idling)
{
    static const char *const NAMES[2][2] = {
        {"runtime from task to task", "runtime from task to idling"},
        {"runtime from idling to task", "runtime from idling to idling"}};
    if (log->gap >= 0) {
        mine(log, log->tool_types ? "runtime" : NAMES[log->after_idling][before_idling], log->gap,
             at);
    }
    log->gap = -1;
}

static void begin_gap(app_projections_log *log, sim_time at, bool after_idling)
{
    log->gap = at;
    log->after_idling = after_idling;
}

static bool take_processing(app_projections_log *log, int64_t kind, const char *rest,
                            GError **error)
{
    int64_t entry = 0;
    sim_time at = 0;
    if (!field(rest, 2, &entry) || !time_field(rest, 3, &at)) {
        return refuse(log, "a record of an entry method without its number or its time", error);
    }
    if (kind == BEGIN_PROCESSING) {
        end_gap(log, at, false);
        log->entry = entry;
        log->begun = at;
    } else {
        if (log->entry == entry) {
            mine_execution(log, at);
        }
        log->entry = NONE;
        log->user_event = NONE;
        begin_gap(log, at, false);
    }
    return true;
}

static bool take_idle(app_projections_log *log, int64_t kind, const char *rest, GError **error)
{
    sim_time at = 0;
    if (!time_field(rest, 1, &at)) {
        return refuse(log, "a record of idling without its time", error);
    }
    if (kind == BEGIN_IDLE) {
        end_gap(log, at, true);
    } else {
        begin_gap(log, at, true);
    }
    return true;
}

bool app_projections_log_take(app_projections_log *log, const char *line, GError **error)
{
    int64_t kind = 0;
    const char *rest = line;
    if (log->line++ == 0) {
        return g_str_has_prefix(line, "PROJECTIONS-RECORD") ||
               refuse(log, "it does not begin with PROJECTIONS-RECORD", error);
    }
    if (line[strspn(line, " \t\r")] == '\0') {
        return true;
    }
    if (!number(&rest, &kind)) {
        return refuse(log, "this is no record", error);
    }
    switch (kind) {
    case BEGIN_PROCESSING:
    case END_PROCESSING:
        return take_processing(log, kind, rest, error);
    case BEGIN_IDLE:
    case END_IDLE:
        return take_idle(log, kind, rest, error);
    case USER_EVENT:
    case USER_EVENT_PAIR:
        log->gap = -1;
        return field(rest, 1, &log->user_event) ||
               refuse(log, "a user event without its number", error);
    default: /* something is logged here, so this is no gap */
        log->gap = -1;
        return true;
    }
}
