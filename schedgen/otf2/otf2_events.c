/* schedgen/otf2/otf2_events.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_otf2. */
/*
 * One rank's events. Everything between the Enter and the Leave of an outermost MPI function is
 * collected and made into a call at the Leave. A record outside of MPI functions (a tool that
 * left them out) is a call by itself.
 */
#include "otf2/otf2_call.h"

#include <string.h>

static OTF2_CallbackCode stop(sched_otf2_rank *s, const char *what, uint64_t value)
{
    if (s->error == NULL) {
        s->error = g_error_new(
            SCHED_ERROR, SCHED_ERROR_BAD_FILE,
            "%s/%" G_GUINT64_FORMAT ".evt: event %" G_GUINT64_FORMAT ": %s %" G_GUINT64_FORMAT,
            s->archive->folder, s->archive->location[s->number], s->events, what, value);
    }
    return OTF2_CALLBACK_INTERRUPT;
}

#define PS_PER_S ((int64_t)1000000000000)

/* Ticks of the archive's clock to ps from its offset; offsets of ranks may make it negative. */
static sim_time to_time(const sched_otf2_rank *s, uint64_t ticks)
{
    const __int128 since = (__int128)(int64_t)(ticks - s->archive->offset);
    const __int128 ps = s->tick > 0 ? since * s->tick : since * PS_PER_S / s->archive->resolution;
    return (sim_time)CLAMP(ps, -(__int128)SIM_TIME_MAX, (__int128)SIM_TIME_MAX);
}

/*
 * At the end of a file that was cut between two chunks OTF2 3.0 reads the last chunk again, and
 * again: then time jumps back. Less than this is the rounding of clock corrections.
 */
static const sim_time BACKWARDS = 10000000;

static bool goes_back(sched_otf2_rank *s, sim_time time)
{
    const bool back = time < s->last - BACKWARDS;
    s->last = time;
    return back;
}

/*
 * While a buffer is flushed nobody computes: a call by itself that is neither computation nor
 * communication. Tools may note calls first and write them later, so that a flush stands before
 * calls that were over when it began: it comes after those that begin before its end.
 */
static bool put_flush(sched_otf2_rank *s, sim_time until)
{
    if (s->flush_end == -SIM_TIME_MAX || until < s->flush_end) {
        return true;
    }
    const sched_rank *rank = s->rank;
    const sim_time begin = rank->num_calls > 0
                               ? MAX(rank->calls[rank->num_calls - 1].leave, s->flush_begin)
                               : s->flush_begin;
    const sim_time end = s->flush_end;
    s->flush_end = -SIM_TIME_MAX;
    if (begin >= end) { /* within a call */
        return true;
    }
    s->lone =
        (sched_otf2_region){.kind = SCHED_CALL_COMPLETE,
                            .name = sched_otf2_local_name(s->local, s->archive, "BufferFlush")};
    sched_otf2_call_begin(s, &s->lone, begin);
    return sched_otf2_call_end(s, end);
}

static bool begin(sched_otf2_rank *s, const sched_otf2_region *region, sim_time enter)
{
    if (!put_flush(s, enter)) {
        return false;
    }
    sched_otf2_call_begin(s, region, enter);
    return true;
}

/* A program calls few functions, again and again. */
static const sched_otf2_region *region_of(sched_otf2_rank *s, OTF2_RegionRef ref)
{
    sched_otf2_region_met *met = &s->regions[ref % SCHED_OTF2_REGIONS_MET];
    if (met->region == NULL || met->ref != ref) {
        met->region = g_hash_table_lookup(s->archive->regions, GUINT_TO_POINTER(ref));
        met->ref = ref;
    }
    return met->region;
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, uint64_t time, uint64_t position,
                                  void *user, OTF2_AttributeList *list, OTF2_RegionRef ref)
{
    sched_otf2_rank *s = user;
    (void)location, (void)position;
    s->events++;
    const sched_otf2_region *r = region_of(s, ref);
    const sim_time at = to_time(s, time);
    if (r == NULL) {
        return stop(s, "enters undefined region", ref);
    }
    if (goes_back(s, at)) {
        return s->archive->finalized ? stop(s, "time runs backwards at tick", time)
                                     : OTF2_CALLBACK_INTERRUPT;
    }
    if (r->mpi && s->depth++ == 0) {
        if (!begin(s, r, at)) {
            return OTF2_CALLBACK_INTERRUPT;
        }
        sched_otf2_call_attributes(s, list);
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef location, uint64_t time, uint64_t position,
                                  void *user, OTF2_AttributeList *list, OTF2_RegionRef ref)
{
    sched_otf2_rank *s = user;
    (void)location, (void)position, (void)list;
    s->events++;
    const sched_otf2_region *r = region_of(s, ref);
    const sim_time at = to_time(s, time);
    if (r == NULL) {
        return stop(s, "leaves undefined region", ref);
    }
    if (goes_back(s, at)) {
        return s->archive->finalized ? stop(s, "time runs backwards at tick", time)
                                     : OTF2_CALLBACK_INTERRUPT;
    }
    if (r->mpi && s->depth > 0 && --s->depth == 0) {
        return sched_otf2_call_end(s, at) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
    }
    return OTF2_CALLBACK_SUCCESS;
}

/* Begin a call for a record outside of MPI functions. @return is it one? */
static bool alone(sched_otf2_rank *s, uint64_t time, const char *name)
{
    s->events++;
    if (s->depth > 0) {
        return false;
    }
    (void)put_flush(s, to_time(s, time));
    s->lone = sched_otf2_region_classify(name);
    s->lone.name = sched_otf2_local_name(s->local, s->archive, name);
    sched_otf2_call_begin(s, &s->lone, to_time(s, time));
    return true;
}

static OTF2_CallbackCode end_if(sched_otf2_rank *s, bool is_alone, uint64_t time)
{
    return !is_alone || sched_otf2_call_end(s, to_time(s, time)) ? OTF2_CALLBACK_SUCCESS
                                                                 : OTF2_CALLBACK_INTERRUPT;
}

/* In its place: a copy would wait for its parts to be written. */
static void set_message(sched_otf2_message *m, uint32_t peer, uint32_t comm, uint32_t tag,
                        uint64_t bytes)
{
    m->there = true;
    m->peer = peer;
    m->comm = comm;
    m->tag = tag;
    m->bytes = bytes;
}

static OTF2_CallbackCode on_send(OTF2_LocationRef location, uint64_t time, uint64_t position,
                                 void *user, OTF2_AttributeList *list, uint32_t peer,
                                 OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    sched_otf2_rank *s = user;
    (void)location, (void)position, (void)list;
    const bool lone = alone(s, time, "MPI_Send");
    set_message(&s->call.send, peer, comm, tag, bytes);
    return end_if(s, lone, time);
}

static OTF2_CallbackCode on_recv(OTF2_LocationRef location, uint64_t time, uint64_t position,
                                 void *user, OTF2_AttributeList *list, uint32_t peer,
                                 OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    sched_otf2_rank *s = user;
    (void)location, (void)position, (void)list;
    const bool lone = alone(s, time, "MPI_Recv");
    set_message(&s->call.recv, peer, comm, tag, bytes);
    return end_if(s, lone, time);
}

static sched_otf2_post *posted(sched_otf2_rank *s, uint8_t kind, uint64_t request)
{
    sched_otf2_post *p = sched_otf2_call_post(&s->call);
    p->kind = kind;
    p->request = request;
    p->message.there = false;
    return p;
}

static OTF2_CallbackCode on_isend(OTF2_LocationRef location, uint64_t time, uint64_t position,
                                  void *user, OTF2_AttributeList *list, uint32_t peer,
                                  OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    sched_otf2_rank *s = user;
    (void)location, (void)position, (void)list;
    const bool lone = alone(s, time, "MPI_Isend");
    set_message(&posted(s, SCHED_CALL_ISEND, request)->message, peer, comm, tag, bytes);
    return end_if(s, lone, time);
}

static OTF2_CallbackCode on_irecv_request(OTF2_LocationRef location, uint64_t time,
                                          uint64_t position, void *user, OTF2_AttributeList *list,
                                          uint64_t request)
{
    sched_otf2_rank *s = user;
    (void)location, (void)position, (void)list;
    const bool lone = alone(s, time, "MPI_Irecv");
    (void)posted(s, SCHED_CALL_IRECV, request);
    return end_if(s, lone, time);
}

/* One more completion, whose other fields are to be set. *@p lone: it is a call by itself. */
static sched_otf2_completion *completed(sched_otf2_rank *s, uint64_t time, uint64_t request,
                                        bool *lone)
{
    *lone = alone(s, time, "MPI_Wait");
    sched_otf2_completion *done = sched_otf2_call_completion(&s->call);
    done->request = request;
    done->cancelled = false;
    done->message.there = false;
    done->collective.there = false;
    return done;
}

static OTF2_CallbackCode on_isend_complete(OTF2_LocationRef location, uint64_t time,
                                           uint64_t position, void *user, OTF2_AttributeList *list,
                                           uint64_t request)
{
    bool lone;
    (void)location, (void)position, (void)list;
    (void)completed(user, time, request, &lone);
    return end_if(user, lone, time);
}

static OTF2_CallbackCode on_irecv(OTF2_LocationRef location, uint64_t time, uint64_t position,
                                  void *user, OTF2_AttributeList *list, uint32_t peer,
                                  OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    bool lone;
    (void)location, (void)position, (void)list;
    sched_otf2_completion *done = completed(user, time, request, &lone);
    set_message(&done->message, peer, comm, tag, bytes);
    return end_if(user, lone, time);
}

static OTF2_CallbackCode on_cancelled(OTF2_LocationRef location, uint64_t time, uint64_t position,
                                      void *user, OTF2_AttributeList *list, uint64_t request)
{
    bool lone;
    (void)location, (void)position, (void)list;
    completed(user, time, request, &lone)->cancelled = true;
    return end_if(user, lone, time);
}

static OTF2_CallbackCode on_collective(OTF2_LocationRef location, uint64_t time, uint64_t position,
                                       void *user, OTF2_AttributeList *list, OTF2_CollectiveOp op,
                                       OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                       uint64_t received)
{
    sched_otf2_rank *s = user;
    (void)location, (void)position, (void)list;
    coll_kind kind;
    const char *name = sched_otf2_collective_kind(op, &kind) ? coll_kind_name(kind) : "Comm_create";
    g_autofree char *function = s->depth > 0 ? NULL : g_strconcat("MPI_", name, NULL);
    const bool lone = alone(s, time, function);
    s->call.collective = (sched_otf2_done){true, op, comm, root, sent, received};
    return end_if(s, lone, time);
}

static OTF2_CallbackCode on_icollective(OTF2_LocationRef location, uint64_t time, uint64_t position,
                                        void *user, OTF2_AttributeList *list, uint64_t request)
{
    sched_otf2_rank *s = user;
    (void)location, (void)position, (void)list;
    const bool lone = alone(s, time, "MPI_Ibarrier"); /* which it was, its completion says */
    (void)posted(s, SCHED_CALL_ICOLLECTIVE, request);
    return end_if(s, lone, time);
}

static OTF2_CallbackCode on_icollective_complete(OTF2_LocationRef location, uint64_t time,
                                                 uint64_t position, void *user,
                                                 OTF2_AttributeList *list, OTF2_CollectiveOp op,
                                                 OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                                 uint64_t received, uint64_t request)
{
    bool lone;
    (void)location, (void)position, (void)list;
    completed(user, time, request, &lone)->collective =
        (sched_otf2_done){true, op, comm, root, sent, received};
    return end_if(user, lone, time);
}

static void add_count(sched_otf2_rank *s, GArray *counts, uint64_t bytes)
{
    const int64_t v = (int64_t)MIN(bytes, (uint64_t)INT64_MAX / 4);
    g_array_append_val(counts, v);
    s->counting = counts;
}

static OTF2_CallbackCode on_parameter(OTF2_LocationRef location, uint64_t time, uint64_t position,
                                      void *user, OTF2_AttributeList *list, OTF2_ParameterRef which,
                                      uint64_t value)
{
    sched_otf2_rank *s = user;
    const sched_otf2_archive *a = s->archive;
    (void)location, (void)position, (void)list, (void)time;
    s->events++;
    if (!a->ripple || s->depth == 0 || which == OTF2_UNDEFINED_PARAMETER) {
        return OTF2_CALLBACK_SUCCESS;
    }
    if (which == a->parameter[SCHED_OTF2_PARAM_SEND_COUNT]) {
        add_count(s, s->call.send_counts, value);
    } else if (which == a->parameter[SCHED_OTF2_PARAM_RECV_COUNT]) {
        add_count(s, s->call.recv_counts, value);
    } else if (which == a->parameter[SCHED_OTF2_PARAM_REPEAT]) {
        if (s->counting == NULL || s->counting->len == 0 || value >= a->num_ranks) {
            return stop(s, "repeats a count that is not there, or too often:", value);
        }
        const int64_t last = g_array_index(s->counting, int64_t, s->counting->len - 1);
        for (uint64_t i = 0; i < value; i++) {
            g_array_append_val(s->counting, last);
        }
    } else if (which == a->parameter[SCHED_OTF2_PARAM_START]) {
        (void)posted(s, SCHED_CALL_START, value);
    } else if (which == a->parameter[SCHED_OTF2_PARAM_COMPLETE]) {
        *sched_otf2_call_completion(&s->call) = (sched_otf2_completion){.request = value};
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_flush(OTF2_LocationRef location, uint64_t time, uint64_t position,
                                  void *user, OTF2_AttributeList *list, uint64_t until)
{
    sched_otf2_rank *s = user;
    (void)location, (void)position, (void)list;
    s->events++;
    s->flush_begin = to_time(s, time);
    s->flush_end = MAX(s->flush_end, to_time(s, until));
    return OTF2_CALLBACK_SUCCESS;
}

/* Recording was off: one long call that is neither computation nor communication. */
static OTF2_CallbackCode on_off_or_on(OTF2_LocationRef location, uint64_t time, uint64_t position,
                                      void *user, OTF2_AttributeList *list,
                                      OTF2_MeasurementMode mode)
{
    sched_otf2_rank *s = user;
    (void)location, (void)position, (void)list;
    s->events++;
    if (mode == OTF2_MEASUREMENT_OFF) {
        s->off_since = to_time(s, time);
        s->off = true;
    } else if (s->off && s->depth == 0) {
        s->off = false;
        s->lone = sched_otf2_region_classify("MPI_Pcontrol");
        s->lone.name = sched_otf2_local_name(s->local, s->archive, "MPI_Pcontrol");
        s->lone.kind = SCHED_CALL_COMPLETE;
        sched_notices_add(s->local->notices, 1, "recording was off for a while: left out");
        sched_otf2_call_begin(s, &s->lone, s->off_since);
        return end_if(s, true, time);
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_other(OTF2_LocationRef location, uint64_t time, uint64_t position,
                                  void *user, OTF2_AttributeList *list)
{
    (void)location, (void)position, (void)list, (void)time;
    ((sched_otf2_rank *)user)->events++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_EvtReaderCallbacks *callbacks_new(void)
{
    OTF2_EvtReaderCallbacks *c = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetUnknownCallback(c, on_other);
    OTF2_EvtReaderCallbacks_SetEnterCallback(c, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(c, on_leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(c, on_send);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(c, on_recv);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(c, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(c, on_isend_complete);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(c, on_irecv_request);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(c, on_irecv);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(c, on_cancelled);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(c, on_collective);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(c, on_icollective);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(c, on_icollective_complete);
    OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(c, on_parameter);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(c, on_flush);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(c, on_off_or_on);
    return c;
}

/* Is what was read all that was written? Sets s->error if not. */
static void check_end(sched_otf2_rank *s, bool ok, uint64_t read)
{
    const sched_otf2_archive *a = s->archive;
    const uint64_t wanted = a->events[s->number];
    g_autofree char *file = sched_otf2_file(a, s->number, "evt");
    if (s->error != NULL) {
        return;
    }
    if (a->ripple && !a->finalized) {
        if (!ok) { /* killed while it ran; what it had written is good */
            g_autofree char *what =
                g_strdup_printf("rank %u was killed or its disk full: its record breaks off after "
                                "%" G_GUINT64_FORMAT " calls",
                                s->number, s->taken + s->rank->num_calls);
            sched_notices_add(s->local->notices, 1, what);
        }
    } else if (!ok) {
        s->error = g_error_new(SCHED_ERROR, SCHED_ERROR_BAD_FILE,
                               "%s: damaged after event %" G_GUINT64_FORMAT ": %s", file, read,
                               sched_otf2_complaint());
    } else if (wanted != OTF2_UNDEFINED_UINT64 && read != wanted) {
        s->error = g_error_new(SCHED_ERROR, SCHED_ERROR_INCOMPLETE,
                               "%s: holds %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                               " events of rank %u",
                               file, read, wanted, s->number);
    } else if (s->depth > 0 && s->call.region->kind != SCHED_CALL_FINALIZE) {
        g_autofree char *what =
            g_strdup_printf("rank %u ends in the middle of %s", s->number,
                            sched_otf2_local_name_of(s->local, a, s->call.region->name));
        sched_notices_add(s->local->notices, 1, what);
    }
}

/* Is the file cut short? Then that is what is wrong, whatever OTF2 read on behind its end. */
static void blame_cut(sched_otf2_rank *s, OTF2_Reader *reader)
{
    uint64_t chunk_bytes = 0;
    uint64_t of_definitions = 0;
    g_autofree char *file = sched_otf2_file(s->archive, s->number, "evt");
    GError *cut = NULL;
    if (s->error != NULL && s->archive->finalized &&
        OTF2_Reader_GetChunkSize(reader, &chunk_bytes, &of_definitions) == OTF2_SUCCESS &&
        !sched_otf2_records_check(file, true, chunk_bytes, &cut)) {
        g_clear_error(&s->error);
        s->error = cut;
    }
}

bool sched_otf2_events_read(sched_otf2_archive *a, OTF2_Reader *reader, uint32_t number,
                            sched_otf2_local *local, GError **error)
{
    sched_otf2_rank s = {
        .archive = a, .rank = &a->trace->ranks[number], .local = local, .number = number};
    s.tick = PS_PER_S % (int64_t)a->resolution == 0 ? PS_PER_S / (int64_t)a->resolution : 0;
    sched_otf2_rank_init(&s);
    uint64_t read = 0;
    bool ok = false;
    OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, a->location[number]);
    if (events != NULL) {
        OTF2_EvtReaderCallbacks *callbacks = callbacks_new();
        ok = OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, &s) == OTF2_SUCCESS &&
             OTF2_Reader_ReadAllLocalEvents(reader, events, &read) == OTF2_SUCCESS;
        OTF2_EvtReaderCallbacks_Delete(callbacks);
    }
    s.rank->complete |= s.off; /* the program itself ended its record */
    check_end(&s, ok, read);
    blame_cut(&s, reader);
    sched_otf2_rank_end(&s);
    if (events != NULL) {
        (void)OTF2_Reader_CloseEvtReader(reader, events);
    }
    if (s.error != NULL) {
        g_propagate_error(error, s.error);
        return false;
    }
    return true;
}
