/* schedgen/otf2/otf2_defs.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_otf2, test_otf2_refused. */
/* Definitions of an OTF2 archive: strings, regions, locations, groups, communicators. */
#include "otf2/otf2_private.h"

#include <string.h>

static void group_free(void *data)
{
    sched_otf2_group *g = data;
    g_free(g->members);
    g_free(g);
}

static void comm_free(void *data)
{
    sched_otf2_comm *c = data;
    g_free(c->name);
    g_free(c->members);
    g_free(c);
}

sched_otf2_archive *sched_otf2_archive_new(const char *anchor)
{
    sched_otf2_archive *a = g_new0(sched_otf2_archive, 1);
    a->path = g_strdup(anchor);
    a->folder = g_strndup(anchor, strlen(anchor) - strlen(".otf2"));
    a->strings = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    a->groups = g_hash_table_new_full(NULL, NULL, NULL, group_free);
    a->comms = g_hash_table_new_full(NULL, NULL, NULL, comm_free);
    a->regions = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    a->locations = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    a->location_list = g_array_new(FALSE, FALSE, sizeof(sched_otf2_location));
    a->region_names = g_ptr_array_new_with_free_func(g_free);
    g_mutex_init(&a->comms_lock);
    for (size_t i = 0; i < G_N_ELEMENTS(a->attribute); i++) {
        a->attribute[i] = OTF2_UNDEFINED_ATTRIBUTE;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(a->parameter); i++) {
        a->parameter[i] = OTF2_UNDEFINED_PARAMETER;
    }
    return a;
}

void sched_otf2_archive_free(sched_otf2_archive *a)
{
    if (a == NULL) {
        return;
    }
    g_free(a->path);
    g_free(a->folder);
    g_free(a->location);
    g_free(a->events);
    g_free(a->self);
    sched_trace_free(a->trace);
    g_hash_table_unref(a->strings);
    g_hash_table_unref(a->groups);
    g_hash_table_unref(a->comms);
    g_hash_table_unref(a->regions);
    g_hash_table_unref(a->locations);
    g_array_unref(a->location_list);
    g_ptr_array_unref(a->region_names);
    g_mutex_clear(&a->comms_lock);
    g_free(a);
}

static const char *string(const sched_otf2_archive *a, uint32_t ref)
{
    const char *s = g_hash_table_lookup(a->strings, GUINT_TO_POINTER(ref));
    return s != NULL ? s : "";
}

static OTF2_CallbackCode on_clock(void *user, uint64_t resolution, uint64_t offset, uint64_t length,
                                  uint64_t realtime)
{
    sched_otf2_archive *a = user;
    (void)length, (void)realtime;
    a->resolution = resolution;
    a->offset = offset;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *user, OTF2_StringRef self, const char *text)
{
    sched_otf2_archive *a = user;
    g_hash_table_insert(a->strings, GUINT_TO_POINTER(self), g_strdup(text));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_attribute(void *user, OTF2_AttributeRef self, OTF2_StringRef name,
                                      OTF2_StringRef description, OTF2_Type type)
{
    static const char *const known[] = {
#define X(symbol, text, ...) text,
        SCHED_OTF2_ATTRIBUTES(X)
#undef X
    };
    sched_otf2_archive *a = user;
    (void)description, (void)type;
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        if (strcmp(string(a, name), known[i]) == 0) {
            a->attribute[i] = self;
        }
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_parameter(void *user, OTF2_ParameterRef self, OTF2_StringRef name,
                                      OTF2_ParameterType type)
{
    static const char *const known[] = {
#define X(symbol, text) text,
        SCHED_OTF2_PARAMETERS(X)
#undef X
    };
    sched_otf2_archive *a = user;
    (void)type;
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        if (strcmp(string(a, name), known[i]) == 0) {
            a->parameter[i] = self;
        }
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t events,
                                     OTF2_LocationGroupRef group)
{
    sched_otf2_archive *a = user;
    (void)name;
    const sched_otf2_location l = {.id = self, .events = events, .group = group, .type = type};
    uint64_t *key = g_new(uint64_t, 1);
    *key = self;
    g_hash_table_insert(a->locations, key, GUINT_TO_POINTER(a->location_list->len));
    g_array_append_val(a->location_list, l);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical, OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t from,
                                   uint32_t to)
{
    sched_otf2_archive *a = user;
    (void)canonical, (void)description, (void)role, (void)paradigm, (void)flags, (void)file;
    (void)from, (void)to;
    sched_otf2_region *r = g_new(sched_otf2_region, 1);
    *r = sched_otf2_region_classify(string(a, name));
    r->name = a->region_names->len;
    g_ptr_array_add(a->region_names, g_strdup(string(a, name)));
    g_hash_table_insert(a->regions, GUINT_TO_POINTER(self), r);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_group(void *user, OTF2_GroupRef self, OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                  uint32_t size, const uint64_t *members)
{
    sched_otf2_archive *a = user;
    (void)name;
    sched_otf2_group *g = g_new(sched_otf2_group, 1);
    *g = (sched_otf2_group){.type = type,
                            .paradigm = paradigm,
                            .flags = flags,
                            .size = size,
                            .members = g_memdup2(members, (gsize)size * sizeof *members)};
    g_hash_table_insert(a->groups, GUINT_TO_POINTER(self), g);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_comm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    sched_otf2_archive *a = user;
    (void)parent, (void)flags;
    const char *text = string(a, name);
    sched_otf2_comm *c = g_new(sched_otf2_comm, 1);
    *c = (sched_otf2_comm){.name = text[0] != '\0' ? g_strdup(text)
                                                   : g_strdup_printf("communicator %u", self),
                           .group = group,
                           .index = SCHED_UNKNOWN};
    g_hash_table_insert(a->comms, GUINT_TO_POINTER(self), c);
    return OTF2_CALLBACK_SUCCESS;
}

/*
 * The local definitions of other tools speak of numbers of their own, which only OTF2 maps; in
 * ours a number means the same everywhere, and what is also defined globally is the same.
 */
static OTF2_CallbackCode on_local_group(void *user, OTF2_GroupRef self, OTF2_StringRef name,
                                        OTF2_GroupType type, OTF2_Paradigm paradigm,
                                        OTF2_GroupFlag flags, uint32_t size,
                                        const uint64_t *members)
{
    sched_otf2_archive *a = user;
    return a->finalized ? OTF2_CALLBACK_SUCCESS
                        : on_group(a, self, name, type, paradigm, flags, size, members);
}

static OTF2_CallbackCode on_local_comm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                       OTF2_GroupRef group, OTF2_CommRef parent,
                                       OTF2_CommFlag flags)
{
    sched_otf2_archive *a = user;
    return a->finalized ? OTF2_CALLBACK_SUCCESS : on_comm(a, self, name, group, parent, flags);
}

void sched_otf2_local_callbacks(sched_otf2_archive *a, OTF2_DefReaderCallbacks *callbacks)
{
    if (a->ripple) {
        OTF2_DefReaderCallbacks_SetGroupCallback(callbacks, on_local_group);
        OTF2_DefReaderCallbacks_SetCommCallback(callbacks, on_local_comm);
    }
}

static int by_group_then_id(const void *x, const void *y)
{
    const sched_otf2_location *a = x;
    const sched_otf2_location *b = y;
    return a->group != b->group ? (a->group > b->group) - (a->group < b->group)
                                : (a->id > b->id) - (a->id < b->id);
}

/* The ranks are the members of MPI's group of locations, in its order. */
static bool ranks_from_group(sched_otf2_archive *a, GError **error)
{
    GHashTableIter iter;
    void *value;
    const sched_otf2_group *found = NULL;
    g_hash_table_iter_init(&iter, a->groups);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const sched_otf2_group *g = value;
        if (g->type == OTF2_GROUP_TYPE_COMM_LOCATIONS && g->paradigm == OTF2_PARADIGM_MPI) {
            found = g;
        }
    }
    if (found == NULL || found->size == 0) {
        return true; /* the other way */
    }
    if (found->size > a->location_list->len) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE,
                    "%s: %u MPI ranks, but only %u locations", a->path, found->size,
                    a->location_list->len);
        return false;
    }
    a->num_ranks = found->size;
    a->location = g_memdup2(found->members, found->size * sizeof *found->members);
    return true;
}

/* Without such a group: the first thread of each process. */
static void ranks_from_processes(sched_otf2_archive *a)
{
    g_autoptr(GArray) list = g_array_copy(a->location_list);
    g_array_sort(list, by_group_then_id);
    a->location = g_new(uint64_t, list->len + 1);
    for (guint i = 0; i < list->len; i++) {
        const sched_otf2_location *l = &g_array_index(list, sched_otf2_location, i);
        if (l->type == OTF2_LOCATION_TYPE_CPU_THREAD && (i == 0 || l[-1].group != l->group)) {
            a->location[a->num_ranks++] = l->id;
        }
    }
}

static bool find_ranks(sched_otf2_archive *a, GError **error)
{
    if (!ranks_from_group(a, error)) {
        return false;
    }
    if (a->num_ranks == 0) {
        ranks_from_processes(a);
    }
    if (a->num_ranks == 0) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s: defines no process", a->path);
        return false;
    }
    a->num_others = a->location_list->len - a->num_ranks;
    a->events = g_new(uint64_t, a->num_ranks);
    a->self = g_new(uint32_t, a->num_ranks);
    for (uint32_t r = 0; r < a->num_ranks; r++) {
        void *place;
        a->self[r] = SCHED_UNKNOWN;
        if (!g_hash_table_lookup_extended(a->locations, &a->location[r], NULL, &place)) {
            g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE,
                        "%s: rank %u is at location %" G_GUINT64_FORMAT ", which is not defined",
                        a->path, r, a->location[r]);
            return false;
        }
        a->events[r] =
            g_array_index(a->location_list, sched_otf2_location, GPOINTER_TO_UINT(place)).events;
    }
    return true;
}

bool sched_otf2_definitions_read(sched_otf2_archive *a, OTF2_Reader *reader, GError **error)
{
    OTF2_GlobalDefReader *defs = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, on_attribute);
    OTF2_GlobalDefReaderCallbacks_SetParameterCallback(callbacks, on_parameter);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
    uint64_t n = 0;
    const bool ok =
        defs != NULL &&
        OTF2_Reader_RegisterGlobalDefCallbacks(reader, defs, callbacks, a) == OTF2_SUCCESS &&
        OTF2_Reader_ReadAllGlobalDefinitions(reader, defs, &n) == OTF2_SUCCESS;
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    if (!ok) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE,
                    "%s: the definitions (%s.def) cannot be read: %s", a->path, a->folder,
                    sched_otf2_complaint());
        return false;
    }
    if (a->resolution == 0) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE,
                    "%s: does not say how fast its clock ticks", a->path);
        return false;
    }
    return find_ranks(a, error);
}

/* Members as world ranks. @return NULL: not all are ranks */
static uint32_t *members_of(const sched_otf2_archive *a, const sched_otf2_group *g)
{
    g_autofree uint32_t *members = g_new(uint32_t, (gsize)g->size + 1);
    for (uint32_t i = 0; i < g->size; i++) {
        uint64_t rank = g->members[i]; /* place in MPI's group of locations */
        if ((g->flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0) { /* a location */
            for (rank = 0; rank < a->num_ranks && a->location[rank] != g->members[i];) {
                rank++;
            }
        }
        if (rank >= a->num_ranks) {
            return NULL;
        }
        members[i] = (uint32_t)rank;
    }
    return g_steal_pointer(&members);
}

static bool is_world(const sched_otf2_archive *a, const sched_otf2_comm *c, const uint32_t *members,
                     uint32_t size)
{
    bool identity = size == a->num_ranks && strcmp(c->name, "MPI_COMM_WORLD") == 0;
    for (uint32_t i = 0; identity && i < size; i++) {
        identity = members[i] == i;
    }
    return identity;
}

static uint32_t self_of(sched_otf2_archive *a, uint32_t rank)
{
    if (a->self[rank] == SCHED_UNKNOWN) {
        uint32_t *member = g_new(uint32_t, 1);
        *member = rank;
        a->self[rank] = sched_trace_add_comm(a->trace, "MPI_COMM_SELF", 1, member);
    }
    return a->self[rank];
}

/* What its group makes it. */
static uint8_t sort_of(const sched_otf2_archive *a, sched_otf2_comm *c)
{
    const sched_otf2_group *g = g_hash_table_lookup(a->groups, GUINT_TO_POINTER(c->group));
    if (g == NULL) {
        return SCHED_OTF2_COMM_BAD;
    }
    if (g->type == OTF2_GROUP_TYPE_COMM_SELF) {
        return SCHED_OTF2_COMM_SELF;
    }
    c->members = members_of(a, g);
    c->size = g->size;
    return c->members == NULL                    ? SCHED_OTF2_COMM_BAD
           : is_world(a, c, c->members, g->size) ? SCHED_OTF2_COMM_WORLD
                                                 : SCHED_OTF2_COMM_OTHER;
}

sched_otf2_comm *sched_otf2_comm_find(sched_otf2_archive *a, uint32_t ref)
{
    sched_otf2_comm *c = g_hash_table_lookup(a->comms, GUINT_TO_POINTER(ref));
    if (c == NULL) {
        return NULL;
    }
    g_mutex_lock(&a->comms_lock);
    if (c->sort == SCHED_OTF2_COMM_UNSEEN) {
        c->sort = sort_of(a, c);
    }
    g_mutex_unlock(&a->comms_lock);
    return c->sort != SCHED_OTF2_COMM_BAD ? c : NULL;
}

uint32_t sched_otf2_comm_index(sched_otf2_archive *a, sched_otf2_comm *c, uint32_t rank)
{
    if (c->sort == SCHED_OTF2_COMM_SELF) {
        return self_of(a, rank);
    }
    if (c->index == SCHED_UNKNOWN) {
        c->index =
            c->sort == SCHED_OTF2_COMM_WORLD
                ? 0
                : sched_trace_add_comm(a->trace, c->name, c->size, g_steal_pointer(&c->members));
    }
    return c->index;
}

char *sched_otf2_file(const sched_otf2_archive *a, uint32_t rank, const char *suffix)
{
    return g_strdup_printf("%s/%" G_GUINT64_FORMAT ".%s", a->folder, a->location[rank], suffix);
}
