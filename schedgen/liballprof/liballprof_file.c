/* schedgen/liballprof/liballprof_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "liballprof/liballprof_private.h"
#include "model/packed_private.h"

#include <string.h>

#define MPICH_WORLD 0x44000000U /* the handle of MPI_COMM_WORLD in MPICH and its children */

typedef struct lap_peers {
    int64_t any;
    int64_t null;
} lap_peers;

sched_lap_file *sched_lap_file_new(const char *path)
{
    sched_lap_file *file = g_new0(sched_lap_file, 1);
    file->rank.file = g_strdup(path);
    file->functions = sched_lap_functions_new();
    file->last_comm = LAP_NONE;
    file->times = g_array_new(FALSE, FALSE, sizeof(sim_int128));
    file->requests = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
    file->listed = g_array_new(FALSE, FALSE, sizeof(sched_lap_listed));
    file->comms = g_array_new(FALSE, FALSE, sizeof(sched_lap_comm));
    file->items = g_array_new(FALSE, FALSE, sizeof(sched_lap_item));
    file->handles = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    file->known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    return file;
}

void sched_lap_file_free(sched_lap_file *file)
{
    if (file != NULL) {
        sched_rank_clear(&file->rank);
        sched_lap_functions_free(file->functions);
        g_array_unref(file->times);
        g_hash_table_unref(file->requests);
        g_array_unref(file->listed);
        g_array_unref(file->comms);
        g_array_unref(file->items);
        g_hash_table_unref(file->handles);
        g_hash_table_unref(file->known);
        g_free(file);
    }
}

static void remember(GHashTable *table, uint64_t handle, uint32_t index)
{
    uint64_t *key = g_new(uint64_t, 1);
    *key = handle;
    g_hash_table_replace(table, key, GUINT_TO_POINTER(index + 1));
}

/* Which communicator of this rank does a record mean? */
static uint32_t local_comm(sched_lap_file *file, const sched_lap_line *r)
{
    if (file->last_comm != LAP_NONE) { /* mostly it is the same again */
        const sched_lap_comm *last = &g_array_index(file->comms, sched_lap_comm, file->last_comm);
        if (last->handle == r->comm && last->rank == r->comm_rank && last->size == r->comm_size) {
            return file->last_comm;
        }
    }
    const guint at = GPOINTER_TO_UINT(g_hash_table_lookup(file->handles, &r->comm));
    if (at > 0) {
        const sched_lap_comm *comm = &g_array_index(file->comms, sched_lap_comm, at - 1);
        if (comm->rank == r->comm_rank && comm->size == r->comm_size) {
            file->last_comm = at - 1;
            return at - 1;
        }
    }
    const uint32_t local = file->comms->len;
    file->last_comm = local;
    sched_lap_comm comm = {.handle = r->comm,
                           .rank = r->comm_rank,
                           .size = r->comm_size,
                           .previous = LAP_NONE,
                           .line = file->line};
    const guint before = GPOINTER_TO_UINT(g_hash_table_lookup(file->known, &r->comm));
    if (before > 0) {
        const sched_lap_comm *old = &g_array_index(file->comms, sched_lap_comm, before - 1);
        if (old->rank == comm.rank && old->size == comm.size) {
            comm.previous = before - 1;
        }
    }
    if (local == 0) {
        file->mpich = comm.handle == MPICH_WORLD || comm.handle == MPICH_WORLD + 1;
    }
    g_array_append_val(file->comms, comm);
    remember(file->handles, comm.handle, local);
    remember(file->known, comm.handle, local);
    if (comm.size > file->max_size) {
        file->max_size = comm.size;
        file->max_size_line = file->line;
    }
    const sched_lap_item use = {.type = LAP_ITEM_USE, .local = local, .line = file->line};
    g_array_append_val(file->items, use);
    return local;
}

static void add_item(sched_lap_file *file, const sched_lap_line *r, uint32_t local, uint32_t name)
{
    const uint8_t action = r->layout->action;
    sched_lap_item item = {.action = action, .line = file->line, .address = r->new_comm};
    if (action == LAP_FREE_COMM) {
        /* Which handle it was is not in the record: any may be another communicator from now on. */
        item.type = LAP_ITEM_FREE;
        g_hash_table_remove_all(file->handles);
        file->last_comm = LAP_NONE;
        g_array_append_val(file->items, item);
    } else if (action >= LAP_DUP) {
        item.type = LAP_ITEM_CREATE;
        item.local = local;
        item.name = name;
        item.color = r->color;
        item.key = r->key;
        item.reorder = r->reorder != 0;
        g_array_append_val(file->items, item);
    }
}

static bool bad(const sched_lap_file *file, const sched_lap_line *r, const char *what,
                int64_t value, GError **error)
{
    g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s:%u: %.*s: %s '%" G_GINT64_FORMAT "'",
                file->rank.file, file->line, (int)r->name.len, r->name.text, what, value);
    return false;
}

static bool set_peer(const sched_lap_file *file, const sched_lap_line *r, int64_t peer,
                     bool receives, uint32_t *out, GError **error)
{
    const lap_peers special = file->mpich ? (lap_peers){-2, -1} : (lap_peers){-1, -2};
    if (peer == special.null) {
        *out = SCHED_PROC_NULL;
    } else if (peer == special.any && receives) {
        *out = SCHED_ANY;
    } else if (peer >= 0 && peer < r->comm_size) {
        *out = (uint32_t)peer;
    } else {
        return bad(file, r, receives ? "no such source" : "no such destination", peer, error);
    }
    return true;
}

static bool set_bytes(const sched_lap_file *file, const sched_lap_line *r, int64_t count,
                      int64_t type_size, int64_t *out, GError **error)
{
    return __builtin_mul_overflow(count, type_size, out)
               ? bad(file, r, "too many bytes, count", count, error)
               : true;
}

static bool set_p2p(const sched_lap_file *file, const sched_lap_line *r, sched_call *call,
                    GError **error)
{
    const bool receives = call->kind == SCHED_CALL_RECV || call->kind == SCHED_CALL_IRECV ||
                          call->kind == SCHED_CALL_RECV_INIT;
    if (!set_bytes(file, r, r->count, r->type_size, &call->bytes, error) ||
        !set_peer(file, r, r->peer, receives, &call->peer, error)) {
        return false;
    }
    if (r->tag < 0 && !receives) {
        return bad(file, r, "no such tag", r->tag, error);
    }
    call->tag = r->tag < 0 ? SCHED_ANY : (uint32_t)r->tag;
    call->room = receives ? call->bytes : -1;
    if (call->kind == SCHED_CALL_SENDRECV) {
        call->recv_bytes = call->bytes; /* MPI_Sendrecv_replace: one buffer */
        if (strchr(r->layout->args, 'm') != NULL &&
            !set_bytes(file, r, r->recv_count, r->recv_type_size, &call->recv_bytes, error)) {
            return false;
        }
        call->room = call->recv_bytes;
        call->recv_tag = r->recv_tag < 0 ? SCHED_ANY : (uint32_t)r->recv_tag;
        return set_peer(file, r, r->recv_peer, true, &call->recv_peer, error);
    }
    return true;
}

static bool add_counts(sched_lap_file *file, sched_lap_slice list, int64_t type_size, uint32_t *num,
                       GError **error)
{
    const sched_lap_place place = {file->rank.file, file->line};
    for (uint32_t i = 0; list.len > 0; i++) {
        int64_t bytes;
        if (!sched_lap_list_next(&place, &list, type_size, &bytes, error)) {
            return false;
        }
        sched_rank_add_count(&file->rank, bytes);
        *num = i + 1;
    }
    return true;
}

/* Lists count only where MPI says they do: a gatherv's at the root. */
static bool set_counts(sched_lap_file *file, const sched_lap_line *r, sched_call *call,
                       GError **error)
{
    const coll_kind kind = (coll_kind)call->collective;
    const bool at_root = r->comm_rank == call->root;
    const bool sends = coll_kind_has_send_counts(kind, at_root);
    const bool recvs = coll_kind_has_recv_counts(kind, at_root);
    if ((sends && r->send_list.text == NULL && !(r->send_in_place && recvs)) ||
        (recvs && r->recv_list.text == NULL) || kind == COLL_ALLTOALLW) {
        file->unsure.no_counts[kind]++;
        return true;
    }
    const bool reduces = kind == COLL_REDUCE_SCATTER;
    const int64_t recv_size = reduces ? r->type_size : r->recv_type_size;
    call->counts = file->rank.num_counts;
    if (sends) { /* in place: what is sent is what is received */
        const bool own = !r->send_in_place;
        if (!add_counts(file, own ? r->send_list : r->recv_list, own ? r->type_size : recv_size,
                        &call->num_send_counts, error)) {
            return false;
        }
    }
    if (recvs && !add_counts(file, r->recv_list, recv_size, &call->num_recv_counts, error)) {
        return false;
    }
    /* A root in place does not say what its own block is, but its list does. */
    if (call->in_place && at_root && (kind == COLL_GATHERV || kind == COLL_SCATTERV)) {
        call->bytes = file->rank.counts[call->counts + r->comm_rank];
    }
    return true;
}

static bool set_collective(sched_lap_file *file, const sched_lap_line *r, sched_call *call,
                           GError **error)
{
    const char *args = r->layout->args;
    const bool rooted = strchr(args, 'o') != NULL;
    if (rooted) {
        if (r->root < 0 || r->root >= r->comm_size) {
            return bad(file, r, "no such root", r->root, error);
        }
        call->root = (uint32_t)r->root;
    }
    call->collective = r->layout->collective;
    call->in_place = r->send_in_place || r->recv_in_place;
    const coll_kind kind = (coll_kind)call->collective;
    bool ok = true;
    if (kind == COLL_SCATTERV || (kind == COLL_SCATTER && r->comm_rank != call->root) ||
        (r->send_in_place &&
         (kind == COLL_GATHER || kind == COLL_ALLGATHER || kind == COLL_ALLTOALL))) {
        ok = set_bytes(file, r, r->recv_count, r->recv_type_size, &call->bytes, error);
    } else if (strchr(args, 'n') != NULL && kind != COLL_ALLGATHERV) {
        ok = set_bytes(file, r, r->count, r->type_size, &call->bytes, error);
    }
    return ok && (strpbrk(args, "SR") == NULL || set_counts(file, r, call, error));
}

bool sched_lap_file_line(sched_lap_file *file, const char *line, size_t len, GError **error)
{
    file->line++;
    if (len > 0 && line[len - 1] == '\r') {
        len--;
    }
    if (len == 0 || line[0] == '#') {
        file->header_2011 = file->header_2011 || g_strstr_len(line, (gssize)len, "PMPI Tracer");
        return true;
    }
    const sched_lap_place place = {file->rank.file, file->line};
    sched_lap_line r;
    if (!sched_lap_line_parse(&place, file->functions, line, len, &r, error)) {
        return false;
    }
    if (file->rank.complete && r.layout == NULL) {
        return true; /* MPI_Finalized and the like */
    }
    if (file->rank.complete) {
        return bad(file, &r, "a call after MPI_Finalize, in line", file->line, error);
    }
    const uint64_t index = file->rank.num_calls;
    sched_call *call = sched_rank_append(&file->rank);
    call->name = sched_lap_functions_number(file->functions, r.function);
    call->line = file->line;
    g_array_append_val(file->times, r.enter);
    g_array_append_val(file->times, r.leave);
    if (r.layout == NULL) {
        return true;
    }
    call->kind = r.layout->kind;
    call->synchronous = r.layout->synchronous;
    file->rank.complete = call->kind == SCHED_CALL_FINALIZE;
    if (r.function->has_comm) {
        call->comm = local_comm(file, &r);
    }
    if (r.function->is_message && !set_p2p(file, &r, call, error)) {
        return false;
    }
    if ((call->kind == SCHED_CALL_COLLECTIVE || call->kind == SCHED_CALL_ICOLLECTIVE) &&
        !set_collective(file, &r, call, error)) {
        return false;
    }
    add_item(file, &r, call->comm, call->name);
    if (r.function->has_request) {
        if (r.function->has_comm) {
            const bool persistent =
                call->kind == SCHED_CALL_SEND_INIT || call->kind == SCHED_CALL_RECV_INIT;
            call->request = file->next_request++;
            sched_lap_requests_post(file, r.request, call->request, persistent);
        } else {
            sched_lap_requests_apply(file, &r, index);
        }
    }
    return true;
}

/* Time 0 of a rank: the end of MPI_Init, else the start of the first call. */
static sim_int128 time_base(const sched_rank *rank, const sim_int128 *times)
{
    sim_int128 base = LAP_NO_TIME;
    for (uint64_t i = 0; i < rank->num_calls; i++) {
        if (rank->calls[i].kind == SCHED_CALL_INIT) {
            return times[2 * i + 1];
        }
        base = base == LAP_NO_TIME ? times[2 * i] : base;
    }
    return base;
}

bool sched_lap_file_finish(sched_lap_file *file, GError **error)
{
    sched_lap_requests_finish(file);
    sched_rank *rank = &file->rank;
    const sim_int128 *times = (const sim_int128 *)(const void *)file->times->data;
    const sim_int128 base = time_base(rank, times);
    for (uint64_t i = 0; i < rank->num_calls; i++) {
        const sim_int128 enter = times[2 * i] == LAP_NO_TIME ? 0 : times[2 * i] - base;
        const sim_int128 leave = times[2 * i] == LAP_NO_TIME ? 0 : times[2 * i + 1] - base;
        if (enter < -SIM_TIME_MAX || leave > SIM_TIME_MAX) {
            g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE,
                        "%s:%u: more than 26 days away from the start", rank->file,
                        rank->calls[i].line);
            return false;
        }
        sched_call *call = &rank->calls[i];
        call->enter = (sim_time)enter;
        call->leave = (sim_time)leave;
    }
    /* All that is needed from here on is the calls and the communicators. */
    g_array_set_size(file->times, 0);
    g_array_set_size(file->listed, 0);
    g_hash_table_remove_all(file->requests);
    return true;
}

void sched_lap_file_rename(sched_lap_file *file, sched_rank *rank, sched_trace *trace)
{
    g_autofree uint32_t *names = sched_lap_functions_names(file->functions, trace);
    for (uint32_t i = 0; rank->packed != NULL && i < rank->packed->num_classes; i++) {
        rank->packed->classes[i].name = names[rank->packed->classes[i].name];
    }
    for (uint64_t i = 0; rank->packed == NULL && i < rank->num_calls; i++) {
        rank->calls[i].name = names[rank->calls[i].name];
    }
    for (guint i = 0; i < file->items->len; i++) {
        sched_lap_item *item = &g_array_index(file->items, sched_lap_item, i);
        item->name = item->type == LAP_ITEM_CREATE ? names[item->name] : 0;
    }
}

/* Whose communicator counts; that of other calls is none. */
static bool uses_comm(uint8_t kind)
{
    return (kind >= SCHED_CALL_SEND && kind <= SCHED_CALL_RECV_INIT) ||
           kind == SCHED_CALL_COLLECTIVE || kind == SCHED_CALL_ICOLLECTIVE;
}

void sched_lap_file_renumber(const sched_lap_file *file, sched_rank *rank)
{
    const sched_lap_comm *comms = (const sched_lap_comm *)(const void *)file->comms->data;
    for (uint32_t i = 0; rank->packed != NULL && i < rank->packed->num_classes; i++) {
        packed_class *class = &rank->packed->classes[i];
        class->comm = uses_comm(class->kind) ? comms[class->comm].comm : 0;
    }
    for (uint64_t i = 0; rank->packed == NULL && i < rank->num_calls; i++) {
        sched_call *call = &rank->calls[i];
        call->comm = uses_comm(call->kind) ? comms[call->comm].comm : 0;
    }
}
