/* schedgen/simgrid/simgrid_action.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_simgrid. */
#include "simgrid/simgrid_private.h"

#include <string.h>

/* Special numbers of SimGrid's MPI. Any source is -1 in traces that come from other ones. */
enum { ANY_TAG = -444, ANY_SOURCE = -555, PROC_NULL = -666, ANY = -1 };

/* A request is known by sender, receiver and tag: the oldest of those that are alike. */
typedef struct simgrid_request {
    uint32_t source;
    uint32_t destination;
    uint32_t tag;
    uint64_t number;
    uint64_t call; /* that posted it */
} simgrid_request;

enum { TYPE_DOUBLE_SIZE = 8, TYPE_BYTE_SIZE = 1 };

GArray *sched_simgrid_requests_new(void)
{
    return g_array_new(FALSE, FALSE, sizeof(simgrid_request));
}

/* ---- arguments ---- */

static bool optional_type(const simgrid_reading *reading, const simgrid_line *line, size_t word,
                          int64_t *out, GError **error)
{
    *out = reading->ranks[line->rank].type_size;
    return word >= line->num_words || sched_simgrid_type(line, word, out, error);
}

static bool read_peer(const simgrid_reading *reading, const simgrid_line *line, size_t word,
                      bool receives, uint32_t *out, GError **error)
{
    int64_t peer;
    if (!sched_simgrid_integer(line, word, INT32_MIN, INT32_MAX, &peer, error)) {
        return false;
    }
    if (peer == PROC_NULL) {
        *out = SCHED_PROC_NULL;
    } else if (receives && (peer == ANY_SOURCE || peer == ANY)) {
        *out = SCHED_ANY;
    } else if (peer >= 0 && peer < reading->trace->num_ranks) {
        *out = (uint32_t)peer;
    } else {
        return sched_simgrid_fail(
            line, receives ? "no such source:" : "no such destination:", line->words[word], error);
    }
    return true;
}

static bool read_tag(const simgrid_line *line, size_t word, bool receives, uint32_t *out,
                     GError **error)
{
    int64_t tag;
    if (!sched_simgrid_integer(line, word, INT32_MIN, INT32_MAX, &tag, error)) {
        return false;
    }
    const bool any = receives && (tag == ANY_TAG || tag == ANY);
    *out = any ? SCHED_ANY : (uint32_t)tag;
    return any || tag >= 0 || sched_simgrid_fail(line, "no such tag:", line->words[word], error);
}

/* ---- actions: each has as many words as its row says ---- */

typedef bool (*action_reader)(simgrid_reading *, const simgrid_line *, GError **);

static bool read_init(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    simgrid_rank *rank = &reading->ranks[line->rank];
    if (rank->type_size > 0) {
        return sched_simgrid_fail(line, "a second", line->words[1], error);
    }
    rank->type_size = line->num_words > 2 ? TYPE_DOUBLE_SIZE : TYPE_BYTE_SIZE;
    (void)sched_simgrid_call(reading, line, SCHED_CALL_INIT);
    return true;
}

static void complete(simgrid_reading *reading, const simgrid_line *line, guint first, guint n)
{
    GArray *open = reading->ranks[line->rank].open;
    sched_rank *record = &reading->trace->ranks[line->rank];
    sched_call *call = sched_simgrid_call(reading, line, SCHED_CALL_COMPLETE);
    call->list = record->num_requests;
    call->num_list = n;
    for (guint i = first; i < first + n; i++) {
        (void)sched_rank_add_request(record, g_array_index(open, simgrid_request, i).number);
    }
    g_array_remove_range(open, first, n);
}

/* All that is open at the end is waited for, as SimGrid does. */
static bool read_finalize(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    (void)error;
    const guint open = reading->ranks[line->rank].open->len;
    if (open > 0) {
        complete(reading, line, 0, open);
        sched_trace_notice(reading->trace, open,
                           "requests that no wait names: waited for at the "
                           "end");
    }
    (void)sched_simgrid_call(reading, line, SCHED_CALL_FINALIZE);
    reading->trace->ranks[line->rank].complete = true;
    return true;
}

static bool read_nothing(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    (void)error;
    (void)sched_simgrid_call(reading, line, SCHED_CALL_OTHER);
    return true;
}

/* The format has no communicators: what it calls a split has no effect on what follows. */
static bool read_comm(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    sched_trace_notice(reading->trace, 1,
                       "%s: the format says nothing more of communicators; "
                       "collectives are those of all ranks",
                       line->words[1]);
    return read_nothing(reading, line, error);
}

static bool read_location(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    (void)reading, (void)line, (void)error;
    return true;
}

static bool read_compute(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    return sched_simgrid_compute(reading, line, 2, error);
}

static bool read_sleep(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    double seconds;
    if (!sched_simgrid_number(line, 2, &seconds, error)) {
        return false;
    }
    sched_trace_notice(reading->trace, 1, "sleep: counts as computation");
    return sched_simgrid_pass(reading, line, seconds, 2, error);
}

static void post(simgrid_reading *reading, const simgrid_line *line, sched_call *call,
                 bool receives)
{
    simgrid_rank *rank = &reading->ranks[line->rank];
    const simgrid_request request = {
        .source = receives ? call->peer : line->rank,
        .destination = receives ? line->rank : call->peer,
        .tag = call->tag,
        .number = rank->num_requests++,
        .call = reading->trace->ranks[line->rank].num_calls - 1,
    };
    call->request = request.number;
    g_array_append_val(rank->open, request);
}

static bool read_message(simgrid_reading *reading, const simgrid_line *line, sched_call_kind kind,
                         GError **error)
{
    const bool receives = kind == SCHED_CALL_RECV || kind == SCHED_CALL_IRECV;
    sched_call *call = sched_simgrid_call(reading, line, kind);
    int64_t type_size;
    if (!read_peer(reading, line, 2, receives, &call->peer, error) ||
        !read_tag(line, 3, receives, &call->tag, error) ||
        !optional_type(reading, line, 5, &type_size, error)) {
        return false;
    }
    /* A receive may leave its size open, as 0 or -1: it takes what comes. */
    const bool open = receives && strcmp(line->words[4], "-1") == 0;
    if (!open && !sched_simgrid_bytes(line, 4, type_size, &call->bytes, error)) {
        return false;
    }
    if (receives && (open || call->bytes == 0)) {
        call->bytes = SIMGRID_OPEN;
        reading->num_open++;
    }
    if (kind == SCHED_CALL_ISEND || kind == SCHED_CALL_IRECV) {
        post(reading, line, call, receives);
    }
    return true;
}

static bool read_send(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    return read_message(reading, line, SCHED_CALL_SEND, error);
}

static bool read_recv(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    return read_message(reading, line, SCHED_CALL_RECV, error);
}

static bool read_isend(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    return read_message(reading, line, SCHED_CALL_ISEND, error);
}

static bool read_irecv(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    return read_message(reading, line, SCHED_CALL_IRECV, error);
}

static bool read_sendrecv(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    sched_call *call = sched_simgrid_call(reading, line, SCHED_CALL_SENDRECV);
    int64_t sent;
    int64_t received;
    return optional_type(reading, line, 6, &sent, error) &&
           optional_type(reading, line, 7, &received, error) &&
           sched_simgrid_bytes(line, 2, sent, &call->bytes, error) &&
           read_peer(reading, line, 3, false, &call->peer, error) &&
           sched_simgrid_bytes(line, 4, received, &call->recv_bytes, error) &&
           read_peer(reading, line, 5, true, &call->recv_peer, error);
}

static bool is_alike(uint32_t posted, uint32_t named)
{
    return posted == named || posted == SCHED_ANY || named == SCHED_ANY;
}

static bool read_wait(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    uint32_t source = 0;
    uint32_t destination = 0;
    uint32_t tag = 0;
    if (!read_peer(reading, line, 2, true, &source, error) ||
        !read_peer(reading, line, 3, false, &destination, error) ||
        !read_tag(line, 4, true, &tag, error)) {
        return false;
    }
    const GArray *open = reading->ranks[line->rank].open;
    for (guint i = 0; i < open->len; i++) {
        const simgrid_request *r = &g_array_index(open, simgrid_request, i);
        if (r->destination == destination && is_alike(r->source, source) && is_alike(r->tag, tag)) {
            sched_call *posted = &reading->trace->ranks[line->rank].calls[r->call];
            posted->matched_peer =
                r->source == SCHED_ANY && source != SCHED_ANY ? source : posted->matched_peer;
            complete(reading, line, i, 1);
            return true;
        }
    }
    /* A test had completed it: SimGrid takes it so. */
    sched_trace_notice(reading->trace, 1, "wait: for a request that is not open");
    return read_nothing(reading, line, error);
}

/* What a test finds depends on time, which is not in the trace: the wait that follows counts. */
static bool read_test(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    sched_trace_notice(reading->trace, 1,
                       "test: which does not say what it found; requests are "
                       "complete at the next wait for them");
    return read_nothing(reading, line, error);
}

static bool read_waitall(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    const guint open = reading->ranks[line->rank].open->len;
    if (open == 0) {
        return read_nothing(reading, line, error);
    }
    complete(reading, line, 0, open);
    return true;
}

static const struct {
    const char *name;
    size_t min; /* words, rank and name included */
    size_t max;
    action_reader read;
    const char *form;
} ACTIONS[] = {
    {"init", 2, 3, read_init, "init [1]"},
    {"finalize", 2, 2, read_finalize, "finalize"},
    {"comm_size", 2, SIZE_MAX, read_nothing, "comm_size ..."},
    {"comm_split", 2, SIZE_MAX, read_comm, "comm_split ..."},
    {"comm_dup", 2, SIZE_MAX, read_comm, "comm_dup ..."},
    {"location", 2, SIZE_MAX, read_location, "location FILE LINE"},
    {"compute", 3, 3, read_compute, "compute FLOPS"},
    {"sleep", 3, 3, read_sleep, "sleep SECONDS"},
    {"send", 5, 6, read_send, "send DESTINATION TAG COUNT [TYPE]"},
    {"recv", 5, 6, read_recv, "recv SOURCE TAG COUNT [TYPE]"},
    {"isend", 5, 6, read_isend, "isend DESTINATION TAG COUNT [TYPE]"},
    {"irecv", 5, 6, read_irecv, "irecv SOURCE TAG COUNT [TYPE]"},
    {"sendrecv", 6, 8, read_sendrecv, "sendRecv COUNT DESTINATION COUNT SOURCE [TYPE TYPE]"},
    {"wait", 5, 5, read_wait, "wait SOURCE DESTINATION TAG"},
    {"test", 5, 5, read_test, "test SOURCE DESTINATION TAG"},
    {"waitall", 2, SIZE_MAX, read_waitall, "waitall"},
};

bool sched_simgrid_is_action(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(ACTIONS); i++) {
        if (g_ascii_strcasecmp(ACTIONS[i].name, name) == 0) {
            return true;
        }
    }
    return sched_simgrid_is_collective(name);
}

bool sched_simgrid_action_read(simgrid_reading *reading, const simgrid_line *line, GError **error)
{
    const char *name = line->words[1];
    if (reading->ranks[line->rank].type_size == 0 && g_ascii_strcasecmp(name, "init") != 0) {
        return sched_simgrid_fail(line, "an action before init:", name, error);
    }
    if (reading->trace->ranks[line->rank].complete) {
        return sched_simgrid_fail(line, "an action after finalize:", name, error);
    }
    if (sched_simgrid_is_collective(name)) {
        return sched_simgrid_collective_read(reading, line, error);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(ACTIONS); i++) {
        if (g_ascii_strcasecmp(ACTIONS[i].name, name) == 0) {
            return line->num_words >= ACTIONS[i].min && line->num_words <= ACTIONS[i].max
                       ? ACTIONS[i].read(reading, line, error)
                       : sched_simgrid_fail(line, "its form is RANK", ACTIONS[i].form, error);
        }
    }
    return sched_simgrid_fail(line, "no such action:", name, error);
}
