/* tests/schedgen/convert/trace_write_otf2.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* docs/formats.md, "OTF2 attributes". A tick is a picosecond. */
#include "sched/otf2_names.h"
#include "trace_write.h"

#include <otf2/otf2.h>

static const uint64_t CHUNK = 262144; /* OTF2_CHUNK_SIZE_MIN */

enum {
#define X(symbol, ...) ATTR_##symbol,
    SCHED_OTF2_ATTRIBUTES(X)
#undef X
        NUM_ATTRIBUTES
};

typedef struct writer {
    const sched_trace *trace;
    const sched_rank *rank;
    OTF2_EvtWriter *out;
    OTF2_AttributeList *attributes; /* of the next Enter */
    const sched_call **posted;      /* [requests of the trace] */
} writer;

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
                                void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static void add_u64(const writer *w, uint32_t which, uint64_t value)
{
    (void)OTF2_AttributeList_AddAttribute(w->attributes, which, OTF2_TYPE_UINT64,
                                          (OTF2_AttributeValue){.uint64 = value});
}

static void add_i32(const writer *w, uint32_t which, int32_t value)
{
    (void)OTF2_AttributeList_AddAttribute(w->attributes, which, OTF2_TYPE_INT32,
                                          (OTF2_AttributeValue){.int32 = value});
}

static void add_comm(const writer *w, uint32_t comm)
{
    (void)OTF2_AttributeList_AddAttribute(w->attributes, ATTR_COMM, OTF2_TYPE_COMM,
                                          (OTF2_AttributeValue){.commRef = comm});
}

static int32_t asked(uint32_t value)
{
    return value == SCHED_ANY ? -1 : (int32_t)value;
}

/* What a receive asked for; one that waits says no more than its record does not. */
static void add_receive(const writer *w, const sched_call *call)
{
    const bool posts = call->kind == SCHED_CALL_IRECV;
    if (posts) {
        add_comm(w, call->comm);
    }
    if (posts || call->peer == SCHED_ANY) {
        add_i32(w, ATTR_SOURCE, asked(call->peer));
    }
    if (posts || call->tag == SCHED_ANY) {
        add_i32(w, ATTR_RECV_TAG, asked(call->tag));
    }
    if (call->room >= 0 && (posts || call->peer == SCHED_ANY || call->tag == SCHED_ANY)) {
        add_u64(w, ATTR_RECV_BYTES, (uint64_t)call->room);
    }
}

static void add_attributes(const writer *w, const sched_call *call)
{
    if (call->kind == SCHED_CALL_RECV || call->kind == SCHED_CALL_IRECV) {
        add_receive(w, call);
    } else if (call->kind == SCHED_CALL_COLLECTIVE || call->kind == SCHED_CALL_ICOLLECTIVE) {
        add_u64(w, ATTR_BYTES, (uint64_t)call->bytes);
        if (call->kind == SCHED_CALL_ICOLLECTIVE) {
            add_comm(w, call->comm);
            add_i32(w, ATTR_ROOT, (int32_t)call->root);
        }
    }
}

static uint32_t matched(uint32_t came, uint32_t asked_for)
{
    return came != SCHED_UNKNOWN ? came : asked_for;
}

/* The kind of a collective is in its function's name; the record only says that it was one. */
static void put_completion(const writer *w, const sched_call *posted, uint64_t time)
{
    switch ((sched_call_kind)posted->kind) {
    case SCHED_CALL_ISEND:
        OTF2_EvtWriter_MpiIsendComplete(w->out, NULL, time, posted->request);
        break;
    case SCHED_CALL_IRECV:
        OTF2_EvtWriter_MpiIrecv(w->out, NULL, time, matched(posted->matched_peer, posted->peer),
                                posted->comm, matched(posted->matched_tag, posted->tag),
                                (uint64_t)posted->bytes, posted->request);
        break;
    default:
        OTF2_EvtWriter_NonBlockingCollectiveComplete(w->out, NULL, time, OTF2_COLLECTIVE_OP_BARRIER,
                                                     posted->comm, posted->root, 0, 0,
                                                     posted->request);
    }
}

static void put_records(const writer *w, const sched_call *call)
{
    const uint64_t time = (uint64_t)call->leave;
    const bool both = call->kind == SCHED_CALL_SENDRECV;
    if (call->kind == SCHED_CALL_SEND || both) {
        OTF2_EvtWriter_MpiSend(w->out, NULL, time, call->peer, call->comm, call->tag,
                               (uint64_t)call->bytes);
    }
    if (call->kind == SCHED_CALL_RECV || both) {
        OTF2_EvtWriter_MpiRecv(
            w->out, NULL, time, matched(call->matched_peer, both ? call->recv_peer : call->peer),
            call->comm, matched(call->matched_tag, both ? call->recv_tag : call->tag),
            (uint64_t)(both ? call->recv_bytes : call->bytes));
    }
    if (call->kind == SCHED_CALL_ISEND) {
        OTF2_EvtWriter_MpiIsend(w->out, NULL, time, call->peer, call->comm, call->tag,
                                (uint64_t)call->bytes, call->request);
    } else if (call->kind == SCHED_CALL_IRECV) {
        OTF2_EvtWriter_MpiIrecvRequest(w->out, NULL, time, call->request);
    } else if (call->kind == SCHED_CALL_COLLECTIVE) {
        OTF2_EvtWriter_MpiCollectiveEnd(w->out, NULL, time, OTF2_COLLECTIVE_OP_BARRIER, call->comm,
                                        call->root, 0, 0);
    } else if (call->kind == SCHED_CALL_ICOLLECTIVE) {
        OTF2_EvtWriter_NonBlockingCollectiveRequest(w->out, NULL, time, call->request);
    }
    for (uint32_t i = 0; i < call->num_list; i++) {
        put_completion(w, w->posted[w->rank->requests[call->list + i]], time);
    }
}

static void put_rank(writer *w)
{
    for (uint64_t i = 0; i < w->rank->num_calls; i++) {
        const sched_call *call = &w->rank->calls[i];
        if (call->request != SCHED_NO_REQUEST) {
            w->posted[call->request] = call;
        }
        w->attributes = OTF2_AttributeList_New();
        add_attributes(w, call);
        OTF2_EvtWriter_Enter(w->out, w->attributes, (uint64_t)call->enter, call->name);
        put_records(w, call);
        OTF2_EvtWriter_Leave(w->out, NULL, (uint64_t)call->leave, call->name);
        OTF2_AttributeList_Delete(w->attributes);
    }
}

/* Strings: 0 is empty, 1 and 2 name communicators; then functions, then attributes. */
static void define_names(OTF2_GlobalDefWriter *w, const sched_trace *trace)
{
    static const char *const attributes[] = {
#define X(symbol, name, ...) name,
        SCHED_OTF2_ATTRIBUTES(X)
#undef X
    };
    static const OTF2_Type types[] = {
#define X(symbol, name, type, ...) OTF2_TYPE_##type,
        SCHED_OTF2_ATTRIBUTES(X)
#undef X
    };
    OTF2_GlobalDefWriter_WriteString(w, 0, "");
    OTF2_GlobalDefWriter_WriteString(w, 1, "MPI_COMM_WORLD");
    OTF2_GlobalDefWriter_WriteString(w, 2, "half");
    for (uint32_t i = 0; i < trace->names->len; i++) {
        OTF2_GlobalDefWriter_WriteString(w, 3 + i, g_ptr_array_index(trace->names, i));
        OTF2_GlobalDefWriter_WriteRegion(w, i, 3 + i, 3 + i, 0, OTF2_REGION_ROLE_FUNCTION,
                                         OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, 0, 0, 0);
    }
    for (uint32_t i = 0; i < NUM_ATTRIBUTES; i++) {
        OTF2_GlobalDefWriter_WriteString(w, 3 + trace->names->len + i, attributes[i]);
        OTF2_GlobalDefWriter_WriteAttribute(w, i, 3 + trace->names->len + i, 0, types[i]);
    }
}

static void define_comms(OTF2_GlobalDefWriter *w, const sched_trace *trace)
{
    g_autofree uint64_t *members = g_new(uint64_t, trace->num_ranks);
    for (uint32_t i = 0; i < trace->num_ranks; i++) {
        members[i] = i;
    }
    OTF2_GlobalDefWriter_WriteGroup(w, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, trace->num_ranks, members);
    for (uint32_t c = 0; c < trace->num_comms; c++) {
        const sched_comm *comm = &trace->comms[c];
        for (uint32_t i = 0; i < comm->size; i++) {
            members[i] = comm->members[i];
        }
        OTF2_GlobalDefWriter_WriteGroup(w, 1 + c, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                        OTF2_GROUP_FLAG_NONE, comm->size, members);
        OTF2_GlobalDefWriter_WriteComm(w, c, c == 0 ? 1 : 2, 1 + c,
                                       c == 0 ? OTF2_UNDEFINED_COMM : 0, OTF2_COMM_FLAG_NONE);
    }
}

static void define(OTF2_GlobalDefWriter *w, const sched_trace *trace)
{
    OTF2_GlobalDefWriter_WriteClockProperties(w, 1000000000000, 0, 1000000000000,
                                              OTF2_UNDEFINED_TIMESTAMP);
    define_names(w, trace);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint32_t r = 0; r < trace->num_ranks; r++) {
        OTF2_GlobalDefWriter_WriteLocationGroup(w, r, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(w, r, 0, OTF2_LOCATION_TYPE_CPU_THREAD,
                                           OTF2_UNDEFINED_UINT64, r);
    }
    define_comms(w, trace);
}

void trace_write_otf2(const sched_trace *trace, const char *dir)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = pre_flush};
    OTF2_Archive *a = OTF2_Archive_Open(dir, "traces", OTF2_FILEMODE_WRITE, CHUNK, CHUNK,
                                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    g_assert_nonnull(a);
    OTF2_Archive_SetFlushCallbacks(a, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(a);
    OTF2_Archive_SetCreator(a, SCHED_OTF2_CREATOR " by hand");
    OTF2_Archive_SetBoolProperty(a, SCHED_OTF2_FINALIZED, true, true);
    OTF2_Archive_OpenEvtFiles(a);
    uint64_t requests = 0;
    for (uint32_t r = 0; r < trace->num_ranks; r++) {
        requests += trace->ranks[r].num_calls;
    }
    writer w = {.trace = trace, .posted = g_new0(const sched_call *, requests + 1)};
    for (uint32_t r = 0; r < trace->num_ranks; r++) {
        w.rank = &trace->ranks[r];
        w.out = OTF2_Archive_GetEvtWriter(a, r);
        put_rank(&w);
        OTF2_Archive_CloseEvtWriter(a, w.out);
    }
    g_free(w.posted);
    OTF2_Archive_CloseEvtFiles(a);
    OTF2_GlobalDefWriter *defs = OTF2_Archive_GetGlobalDefWriter(a);
    define(defs, trace);
    g_assert_cmpint(OTF2_Archive_CloseGlobalDefWriter(a, defs), ==, OTF2_SUCCESS);
    g_assert_cmpint(OTF2_Archive_Close(a), ==, OTF2_SUCCESS);
}
