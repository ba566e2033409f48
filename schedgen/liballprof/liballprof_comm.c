/* schedgen/liballprof/liballprof_comm.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "liballprof/liballprof_private.h"

#include <stdlib.h>
#include <string.h>

/*
 * A record names a communicator by a handle of its own process, and says its size and the rank in
 * it. What it does not say is who else is in it, nor which call made it. Both are found as far as
 * the record allows:
 *
 *  - The n-th creating call on a communicator is one event for all its members. MPI_Comm_dup and
 *    MPI_Comm_split say enough (colour, key) for the outcome to be computed.
 *  - A handle seen for the first time belongs to the first event of its rank, not yet taken, whose
 *    outcome has that size and rank; failing that, to the first whose outcome is open.
 *  - Where the outcome is open (MPI_Comm_create, topologies), the members are those that came to
 *    use it, if exactly one process claims each rank. Parts of a grid, and splits by type, are told
 *    apart where all that made the call came to use theirs (liballprof_group.c). Else the members
 *    stay unknown.
 *
 * Every rank is followed until it needs an outcome that others have yet to contribute to; the
 * ranks take turns until all are through.
 */

typedef struct lap_entry {
    uint32_t world;       /* who called */
    uint32_t parent_rank; /* its rank in the parent */
    uint32_t comm;        /* outcome; LAP_NONE: no communicator, or not known */
    uint32_t comm_rank;
    int64_t color;
    int64_t key;
    sched_lap_comm *used; /* that the rank took it for; NULL: none yet */
} lap_entry;

typedef struct lap_event {
    uint32_t parent; /* communicator in the trace */
    uint32_t ordinal;
    uint32_t name;
    uint8_t action;
    bool solved;
    bool reorder;
    GArray *entries; /* of lap_entry, in order of arrival */
    char *label;
} lap_event;

/* A communicator whose members are being gathered from its uses. */
typedef struct lap_pending {
    uint32_t event;
    uint32_t comm;
    uint32_t *claimed; /* [size] world rank; LAP_NONE: nobody */
    bool ambiguous;
    bool done;
} lap_pending;

/* A creating call as its rank remembers it. */
typedef struct lap_made {
    uint32_t event;
    uint32_t entry;
    uint32_t local; /* communicator it is taken by, LAP_NONE: not yet */
    uint64_t address;
    bool freed;
} lap_made;

typedef struct lap_walk {
    const sched_lap_file *file;
    uint32_t world;
    uint32_t next; /* item */
    uint64_t world_handle;
    bool has_world;
    GArray *made;         /* of lap_made */
    GHashTable *ordinals; /* communicator in the trace to number of creating calls on it */
    uint32_t self;        /* this rank's MPI_COMM_SELF, LAP_NONE: not used yet */
} lap_walk;

typedef struct lap_resolver {
    sched_trace *trace;
    GPtrArray *names;
    GArray *events;    /* of lap_event */
    GHashTable *index; /* parent << 32 | ordinal to event + 1 */
    GArray *pending;   /* of lap_pending */
    bool force;        /* nothing moves: take what is known */
} lap_resolver;

static lap_event *event_at(const lap_resolver *r, uint32_t i)
{
    return &g_array_index(r->events, lap_event, i);
}

static bool is_pending(const lap_resolver *r, uint32_t comm)
{
    for (guint i = 0; i < r->pending->len; i++) {
        const lap_pending *p = &g_array_index(r->pending, lap_pending, i);
        if (p->comm == comm && !p->done) {
            return true;
        }
    }
    return false;
}

static int by_key(const void *a, const void *b)
{
    const lap_entry *const *x = a;
    const lap_entry *const *y = b;
    if ((*x)->key != (*y)->key) {
        return (*x)->key < (*y)->key ? -1 : 1;
    }
    return (*x)->parent_rank < (*y)->parent_rank ? -1 : 1;
}

static int by_color(const void *a, const void *b)
{
    const lap_entry *const *x = a;
    const lap_entry *const *y = b;
    if ((*x)->color != (*y)->color) {
        return (*x)->color < (*y)->color ? -1 : 1;
    }
    return by_key(a, b);
}

/* MPI_Comm_split: all have come; by colour, then key, then rank. */
static void solve_split(lap_resolver *r, lap_event *event)
{
    const guint n = event->entries->len;
    g_autofree lap_entry **sorted = g_new(lap_entry *, (gsize)n + 1);
    for (guint i = 0; i < n; i++) {
        sorted[i] = &g_array_index(event->entries, lap_entry, i);
    }
    qsort(sorted, n, sizeof(lap_entry *),
          by_color); /* NOLINT(bugprone-sizeof-expression): of pointers */
    for (guint first = 0, end; first < n; first = end) {
        end = first;
        while (end < n && sorted[end]->color == sorted[first]->color) {
            end++;
        }
        if (sorted[first]->color < 0) { /* MPI_UNDEFINED */
            continue;
        }
        uint32_t *members = g_new(uint32_t, end - first);
        const uint32_t comm = r->trace->num_comms;
        for (guint i = first; i < end; i++) {
            members[i - first] = sorted[i]->world;
            sorted[i]->comm = comm;
            sorted[i]->comm_rank = i - first;
        }
        g_autofree char *name =
            g_strdup_printf("%s, colour %" G_GINT64_FORMAT, event->label, sorted[first]->color);
        sched_trace_add_comm(r->trace, name, end - first, members);
    }
    event->solved = true;
}

static void solve_dup(lap_resolver *r, lap_event *event, lap_entry *entry)
{
    const sched_comm *parent = &r->trace->comms[event->parent];
    const lap_entry *first = &g_array_index(event->entries, lap_entry, 0);
    if (first->comm == LAP_NONE) {
        uint32_t *members = parent->members == NULL
                                ? NULL
                                : g_memdup2(parent->members, parent->size * sizeof(uint32_t));
        entry->comm = sched_trace_add_comm(r->trace, event->label, parent->size, members);
    } else {
        entry->comm = first->comm;
    }
    entry->comm_rank = entry->parent_rank;
    event->solved = true;
}

static void create(lap_resolver *r, lap_walk *walk, const sched_lap_item *item, uint32_t parent,
                   uint32_t parent_rank)
{
    gpointer key = GUINT_TO_POINTER(parent);
    const guint ordinal = GPOINTER_TO_UINT(g_hash_table_lookup(walk->ordinals, key));
    g_hash_table_insert(walk->ordinals, key, GUINT_TO_POINTER(ordinal + 1));
    const uint64_t id = (uint64_t)parent << 32 | ordinal;
    guint at = GPOINTER_TO_UINT(g_hash_table_lookup(r->index, &id));
    if (at == 0) {
        g_autofree char *base = g_path_get_basename(walk->file->rank.file);
        const char *name = g_ptr_array_index(r->names, item->name);
        const lap_event fresh = {.parent = parent,
                                 .ordinal = ordinal,
                                 .name = item->name,
                                 .action = item->action,
                                 .reorder = item->reorder,
                                 .entries = g_array_new(FALSE, FALSE, sizeof(lap_entry)),
                                 .label = g_strdup_printf("%s at %s:%u", name, base, item->line)};
        g_array_append_val(r->events, fresh);
        at = r->events->len;
        uint64_t *own = g_new(uint64_t, 1);
        *own = id;
        g_hash_table_insert(r->index, own, GUINT_TO_POINTER(at));
    }
    lap_event *event = event_at(r, at - 1);
    if (event->name != item->name && !event->solved) {
        event->action = LAP_CREATE; /* the ranks disagree: see who uses what */
    }
    const lap_entry arrived = {.world = walk->world,
                               .parent_rank = parent_rank,
                               .comm = LAP_NONE,
                               .color = item->color,
                               .key = item->key};
    g_array_append_val(event->entries, arrived);
    const uint32_t own_entry = event->entries->len - 1;
    if (event->action == LAP_DUP) {
        solve_dup(r, event, &g_array_index(event->entries, lap_entry, own_entry));
    } else if (event->action == LAP_SPLIT && !event->solved &&
               event->entries->len == r->trace->comms[parent].size) {
        solve_split(r, event);
    }
    const lap_made made = {
        .event = at - 1, .entry = own_entry, .local = LAP_NONE, .address = item->address};
    g_array_append_val(walk->made, made);
}

/* Take part in the communicator of @p comm->size that @p event made, as its rank @p comm->rank. */
static uint32_t claim(lap_resolver *r, const lap_walk *walk, uint32_t event,
                      const sched_lap_comm *comm)
{
    for (guint i = 0; i < r->pending->len; i++) {
        lap_pending *p = &g_array_index(r->pending, lap_pending, i);
        if (p->event != event || r->trace->comms[p->comm].size != comm->size) {
            continue;
        }
        if (!p->done) {
            p->ambiguous = p->ambiguous || p->claimed[comm->rank] != LAP_NONE;
            p->claimed[comm->rank] = walk->world;
        }
        if (!p->done || p->ambiguous || p->claimed[comm->rank] == walk->world) {
            return p->comm;
        }
    }
    lap_pending fresh = {.event = event, .claimed = g_new(uint32_t, comm->size)};
    memset(fresh.claimed, 0xff, comm->size * sizeof(uint32_t));
    fresh.claimed[comm->rank] = walk->world;
    fresh.comm = sched_trace_add_comm(r->trace, event_at(r, event)->label, comm->size, NULL);
    g_array_append_val(r->pending, fresh);
    return fresh.comm;
}

typedef enum { LAP_NO, LAP_EXACT, LAP_OPEN, LAP_WAITING } lap_fit;

static lap_fit fit(const lap_resolver *r, const lap_made *made, const sched_lap_comm *comm)
{
    const lap_event *event = event_at(r, made->event);
    const lap_entry *entry = &g_array_index(event->entries, lap_entry, made->entry);
    if (made->freed || made->local != LAP_NONE) {
        return LAP_NO;
    }
    if (event->solved) {
        return entry->comm != LAP_NONE && r->trace->comms[entry->comm].size == comm->size &&
                       entry->comm_rank == comm->rank
                   ? LAP_EXACT
                   : LAP_NO;
    }
    if (event->action == LAP_SPLIT && !r->force) {
        return LAP_WAITING;
    }
    const bool keeps_order = event->action == LAP_CART && !event->reorder;
    return comm->size <= r->trace->comms[event->parent].size &&
                   (!keeps_order || comm->rank == entry->parent_rank)
               ? LAP_OPEN
               : LAP_NO;
}

/* One for all handles of that size that no recorded call made. */
static uint32_t unknown_comm(sched_trace *trace, uint32_t size)
{
    static const char *const NAME = "a call that is not recorded";
    for (uint32_t i = 0; i < trace->num_comms; i++) {
        if (trace->comms[i].size == size && g_str_equal(trace->comms[i].name, NAME)) {
            return i;
        }
    }
    return sched_trace_add_comm(trace, NAME, size, NULL);
}

/* The event that made a communicator seen for the first time. @return false: ask again later */
static bool take(lap_resolver *r, lap_walk *walk, uint32_t local, sched_lap_comm *comm)
{
    lap_made *open = NULL;
    lap_made *exact = NULL;
    bool choice = false;
    for (guint i = 0; i < walk->made->len; i++) {
        lap_made *made = &g_array_index(walk->made, lap_made, i);
        const lap_fit how = fit(r, made, comm);
        if (how == LAP_WAITING) {
            return false;
        }
        choice = choice || (how == LAP_EXACT && exact != NULL);
        exact = how == LAP_EXACT && exact == NULL ? made : exact;
        open = how == LAP_OPEN && open == NULL ? made : open;
    }
    if (exact != NULL) {
        exact->local = local;
        comm->comm =
            g_array_index(event_at(r, exact->event)->entries, lap_entry, exact->entry).comm;
        if (choice) {
            sched_trace_notice(r->trace, 1,
                               "communicators of equal size and rank: taken to be first used in "
                               "the order in which they were created");
        }
    } else if (comm->size == 1) {
        if (walk->self == LAP_NONE) {
            uint32_t *members = g_new(uint32_t, 1);
            members[0] = walk->world;
            walk->self = sched_trace_add_comm(r->trace, "MPI_COMM_SELF", 1, members);
        }
        comm->comm = walk->self;
    } else if (open != NULL) {
        open->local = local;
        g_array_index(event_at(r, open->event)->entries, lap_entry, open->entry).used = comm;
        comm->comm = claim(r, walk, open->event, comm);
    } else {
        comm->comm = unknown_comm(r->trace, comm->size);
    }
    return true;
}

static bool use(lap_resolver *r, lap_walk *walk, uint32_t local)
{
    sched_lap_comm *comm = &g_array_index(walk->file->comms, sched_lap_comm, local);
    const bool whole = comm->size == r->trace->num_ranks;
    if (whole && !walk->has_world) { /* any other of this size is made by a call that names it */
        walk->has_world = true;
        walk->world_handle = comm->handle;
    }
    if (whole && comm->handle == walk->world_handle) {
        comm->comm = 0;
        if (comm->rank != walk->world) {
            sched_trace_notice(r->trace, 1,
                               "ranks whose number in MPI_COMM_WORLD is not that of their file: "
                               "the file's is taken");
        }
        return true;
    }
    for (guint i = 0; i < walk->made->len && comm->previous != LAP_NONE; i++) {
        lap_made *made = &g_array_index(walk->made, lap_made, i);
        if (made->local == comm->previous && !made->freed) {
            made->local = local;
            comm->comm = g_array_index(walk->file->comms, sched_lap_comm, comm->previous).comm;
            return true;
        }
    }
    return take(r, walk, local, comm);
}

static void release(lap_walk *walk, uint64_t address)
{
    for (guint i = walk->made->len; i-- > 0;) {
        lap_made *made = &g_array_index(walk->made, lap_made, i);
        if (made->address == address && !made->freed) {
            made->freed = true;
            return;
        }
    }
}

/* Follow a rank as far as it goes. @return whether it went at all */
static bool advance(lap_resolver *r, lap_walk *walk)
{
    const uint32_t from = walk->next;
    for (; walk->next < walk->file->items->len; walk->next++) {
        const sched_lap_item *item = &g_array_index(walk->file->items, sched_lap_item, walk->next);
        if (item->type == LAP_ITEM_FREE) {
            release(walk, item->address);
        } else if (item->type == LAP_ITEM_CREATE) {
            const sched_lap_comm *parent =
                &g_array_index(walk->file->comms, sched_lap_comm, item->local);
            if (is_pending(r, parent->comm) && !r->force) {
                break;
            }
            create(r, walk, item, parent->comm, parent->comm == 0 ? walk->world : parent->rank);
        } else if (!use(r, walk, item->local)) {
            break;
        }
    }
    return walk->next > from;
}

/* Several communicators of one call, each in the place of the one that stood for all of them. */
static bool tell_apart(lap_resolver *r, lap_event *event)
{
    const uint32_t n = event->entries->len;
    g_autofree lap_entry **sorted = g_new(lap_entry *, (gsize)n + 1);
    g_autofree sched_lap_claim *claims = g_new(sched_lap_claim, (gsize)n + 1);
    g_autofree uint32_t *group = g_new(uint32_t, (gsize)n + 1);
    bool all = (event->action == LAP_SUB || event->action == LAP_TYPE) &&
               n == r->trace->comms[event->parent].size;
    for (uint32_t i = 0; i < n; i++) {
        sorted[i] = &g_array_index(event->entries, lap_entry, i);
        all = all && sorted[i]->used != NULL;
    }
    if (!all) {
        return false;
    }
    qsort(sorted, n, sizeof(lap_entry *), by_key); /* NOLINT(bugprone-sizeof-expression) */
    for (uint32_t i = 0; i < n; i++) {
        claims[i] = (sched_lap_claim){sorted[i]->used->rank, sorted[i]->used->size};
    }
    const uint32_t groups = sched_lap_groups_find(claims, n, event->action == LAP_SUB, group);
    const uint32_t first = r->trace->num_comms;
    for (uint32_t i = 0; groups > 0 && i < n; i++) { /* of each group rank 0 comes first */
        if (claims[i].rank == 0) {
            (void)sched_trace_add_comm(r->trace, event->label, claims[i].size,
                                       g_new(uint32_t, claims[i].size));
        }
        sorted[i]->used->comm = sorted[i]->comm = first + group[i];
        sorted[i]->comm_rank = claims[i].rank;
        r->trace->comms[first + group[i]].members[claims[i].rank] = sorted[i]->world;
    }
    event->solved = groups > 0;
    return event->solved;
}

/* Give members to the communicators whose ranks are all claimed once. @return whether any was */
static bool settle(lap_resolver *r, bool all)
{
    bool settled = false;
    for (guint i = 0; i < r->pending->len; i++) {
        lap_pending *p = &g_array_index(r->pending, lap_pending, i);
        if (p->done) {
            continue;
        }
        sched_comm *comm = &r->trace->comms[p->comm];
        const lap_event *event = event_at(r, p->event);
        const uint32_t *parent = r->trace->comms[event->parent].members;
        const bool keeps_order = parent != NULL && event->action == LAP_CART && !event->reorder;
        bool whole = !p->ambiguous;
        for (uint32_t k = 0; k < comm->size; k++) {
            if (p->claimed[k] == LAP_NONE && keeps_order) {
                p->claimed[k] = parent[k];
            }
            whole = whole && p->claimed[k] != LAP_NONE;
        }
        if (whole) {
            comm->members = g_memdup2(p->claimed, comm->size * sizeof(uint32_t));
        }
        lap_event *made = event_at(r, p->event);
        p->done = whole || made->solved || tell_apart(r, made) || all;
        settled = settled || p->done;
    }
    return settled;
}

static void follow_all(lap_resolver *r, lap_walk *walks)
{
    const uint32_t n = r->trace->num_ranks;
    for (;;) {
        bool moved = false;
        bool through = true;
        for (uint32_t i = 0; i < n; i++) {
            moved = advance(r, &walks[i]) || moved;
            through = through && walks[i].next == walks[i].file->items->len;
        }
        if (through) {
            break;
        }
        r->force = !moved && !settle(r, false) && !settle(r, true);
    }
    settle(r, true);
}

void sched_lap_comms_resolve(sched_trace *trace, sched_lap_file *const *files)
{
    lap_resolver r = {.trace = trace, .names = trace->names};
    r.events = g_array_new(FALSE, FALSE, sizeof(lap_event));
    r.index = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    r.pending = g_array_new(FALSE, FALSE, sizeof(lap_pending));
    g_autofree lap_walk *walks = g_new0(lap_walk, trace->num_ranks);
    for (uint32_t i = 0; i < trace->num_ranks; i++) {
        walks[i] = (lap_walk){.file = files[i],
                              .world = i,
                              .self = LAP_NONE,
                              .made = g_array_new(FALSE, FALSE, sizeof(lap_made)),
                              .ordinals = g_hash_table_new(NULL, NULL)};
    }
    follow_all(&r, walks);
    for (uint32_t i = 0; i < trace->num_ranks; i++) {
        sched_lap_file_renumber(files[i], &trace->ranks[i]);
        g_array_unref(walks[i].made);
        g_hash_table_unref(walks[i].ordinals);
    }
    for (guint i = 0; i < r.events->len; i++) {
        g_array_unref(event_at(&r, i)->entries);
        g_free(event_at(&r, i)->label);
    }
    for (guint i = 0; i < r.pending->len; i++) {
        g_free(g_array_index(r.pending, lap_pending, i).claimed);
    }
    g_array_unref(r.events);
    g_array_unref(r.pending);
    g_hash_table_unref(r.index);
}
