/* schedgen/otf2/otf2.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sched/otf2.h"
#include "otf2/otf2_private.h"
#include "sched/reader.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- where the archive is ---- */
#define ANCHOR ".otf2"

/* The anchor file of a path. @return owned by the caller; NULL: there is none, or several */
static char *find_anchor(const char *path)
{
    if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
        return g_str_has_suffix(path, ANCHOR) ? g_strdup(path) : NULL;
    }
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    char *anchor = NULL;
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        if (g_str_has_suffix(name, ANCHOR)) {
            if (anchor != NULL) {
                g_free(anchor);
                return NULL;
            }
            anchor = g_build_filename(path, name, NULL);
        }
    }
    return anchor;
}

bool sched_otf2_probe(const char *path)
{
    g_autofree char *anchor = find_anchor(path);
    return anchor != NULL && g_file_test(anchor, G_FILE_TEST_IS_REGULAR);
}

/* Chunks begin with 3; an anchor file is one chunk with this name after it. */
static bool check_anchor(const char *anchor, GError **error)
{
    char head[6];
    FILE *f = fopen(anchor, "rb");
    const bool ok = f != NULL && fread(head, 1, sizeof head, f) == sizeof head &&
                    memcmp(head + 2, "OTF2", 4) == 0;
    if (f != NULL) {
        (void)fclose(f);
    }
    if (!ok) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_NOT_RECOGNISED,
                    "%s: not the anchor file of an OTF2 archive", anchor);
    }
    return ok;
}

/*
 * OTF2 3.0 believes the number of properties, and where it is damaged may write beyond what it
 * allocated. It follows three texts (machine, creator, description) after 46 bytes of numbers;
 * each property has two more, its name and its value.
 */
static bool check_properties(const char *anchor, GError **error)
{
    enum { TEXTS_AT = 46, BIG_ENDIAN_MARK = 0x23 };
    g_autofree char *data = NULL;
    gsize len = 0;
    if (!g_file_get_contents(anchor, &data, &len, error)) {
        return false;
    }
    gsize at = TEXTS_AT;
    for (int text = 0; text < 3 && at < len; text++) {
        at += strnlen(data + at, len - at) + 1;
    }
    uint32_t count = 0;
    if (at + sizeof count > len) {
        return true; /* too short: OTF2 says so itself */
    }
    memcpy(&count, data + at, sizeof count);
    count = data[1] == BIG_ENDIAN_MARK ? GUINT32_FROM_BE(count) : GUINT32_FROM_LE(count);
    if (count > (len - at) / 2) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE,
                    "%s: damaged: %u properties do not fit into its %zu bytes", anchor, count, len);
        return false;
    }
    return true;
}

/* The anchor says at this byte how large the chunks of definitions are. */
static bool check_definitions(const char *anchor, GError **error)
{
    enum { CHUNK_BYTES_AT = 20, BIG_ENDIAN_MARK = 0x23 };
    g_autofree char *data = NULL;
    gsize len = 0;
    uint64_t chunk_bytes;
    if (!g_file_get_contents(anchor, &data, &len, error)) {
        return false;
    }
    if (len < CHUNK_BYTES_AT + sizeof chunk_bytes) {
        return true; /* too short: OTF2 says so itself */
    }
    memcpy(&chunk_bytes, data + CHUNK_BYTES_AT, sizeof chunk_bytes);
    chunk_bytes =
        data[1] == BIG_ENDIAN_MARK ? GUINT64_FROM_BE(chunk_bytes) : GUINT64_FROM_LE(chunk_bytes);
    g_autofree char *folder = g_strndup(anchor, strlen(anchor) - strlen(".otf2"));
    g_autofree char *file = g_strconcat(folder, ".def", NULL);
    return sched_otf2_records_check(file, false, chunk_bytes, error);
}

/* ---- reading ---- */
static void identify(sched_otf2_archive *a, OTF2_Reader *reader)
{
    char *creator = NULL;
    bool finalized = true;
    if (OTF2_Reader_GetCreator(reader, &creator) == OTF2_SUCCESS && creator != NULL) {
        a->ripple = g_str_has_prefix(creator, SCHED_OTF2_CREATOR);
    }
    if (a->ripple) { /* an archive of ours without the property is not whole either */
        finalized = false;
        (void)OTF2_Reader_GetBoolProperty(reader, SCHED_OTF2_FINALIZED, &finalized);
    }
    a->finalized = finalized;
    free(creator);
    (void)sched_otf2_complaint();
}

/* Every rank that has events has a file. */
static bool check_files(const sched_otf2_archive *a, GError **error)
{
    for (uint32_t r = 0; r < a->num_ranks; r++) {
        g_autofree char *file = sched_otf2_file(a, r, "evt");
        struct stat st;
        const bool there = stat(file, &st) == 0;
        if (a->events[r] != 0 && (!there || st.st_size == 0)) {
            g_set_error(error, SCHED_ERROR, SCHED_ERROR_INCOMPLETE,
                        "%s: rank %u of %u has no record: %s is %s%s", a->path, r, a->num_ranks,
                        file, there ? "empty" : "missing",
                        a->finalized ? ""
                                     : " (killed before it was written, or the disk was full)");
            return false;
        }
    }
    return true;
}

static void make_trace(sched_otf2_archive *a, const char *path)
{
    a->trace = sched_trace_new(path, a->ripple ? "OTF2 (Ripple)" : "OTF2 (Score-P)", a->num_ranks);
    for (guint i = 0; i < a->region_names->len; i++) {
        const char *name = g_ptr_array_index(a->region_names, i);
        const uint32_t index = sched_trace_name(a->trace, name);
        GHashTableIter iter;
        void *value;
        if (index != i) { /* two regions of one name: the later ones share the first's */
            g_hash_table_iter_init(&iter, a->regions);
            while (g_hash_table_iter_next(&iter, NULL, &value)) {
                sched_otf2_region *r = value;
                r->name = r->name == i ? index : r->name;
            }
        }
    }
    for (uint32_t r = 0; r < a->num_ranks; r++) {
        a->trace->ranks[r].file = sched_otf2_file(a, r, "evt");
    }
    if (a->num_others > 0) {
        sched_trace_notice(a->trace, a->num_others,
                           "a location beside the ranks' main threads: not converted");
    }
    if (!a->finalized) {
        sched_trace_notice(a->trace, 1,
                           "the program did not come to MPI_Finalize: its end is not recorded");
    }
}

/* Time begins with the first call of all. */
static void shift_to_zero(sched_trace *trace)
{
    sim_time first = SIM_TIME_MAX;
    for (uint32_t r = 0; r < trace->num_ranks; r++) {
        if (trace->ranks[r].num_calls > 0) {
            first = MIN(first, sched_rank_begin(&trace->ranks[r]));
        }
    }
    for (uint32_t r = 0; r < trace->num_ranks; r++) {
        sched_rank_shift(&trace->ranks[r], -first);
    }
}

static bool read_archive(sched_otf2_archive *a, OTF2_Reader *reader, const char *path,
                         GError **error)
{
    identify(a, reader);
    if (!sched_otf2_definitions_read(a, reader, error) || !check_files(a, error)) {
        return false;
    }
    make_trace(a, path);
    if (!sched_otf2_ranks_read(a, reader, error)) {
        return false;
    }
    shift_to_zero(a->trace);
    return true;
}

sched_trace *sched_otf2_read_after(const char *path, bool pack, sched_otf2_trial *survives,
                                   GError **error)
{
    g_autofree char *anchor = find_anchor(path);
    if (anchor == NULL) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_NOT_RECOGNISED,
                    "%s: not an OTF2 archive: no anchor file (.otf2), or more than one", path);
        return NULL;
    }
    sched_otf2_complaints_begin();
    if (!check_anchor(anchor, error) || !check_properties(anchor, error) ||
        !check_definitions(anchor, error) || !survives(anchor, error)) {
        return NULL;
    }
    OTF2_Reader *reader = sched_otf2_reader_open(anchor);
    if (reader == NULL) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s: cannot be read: %s", anchor,
                    sched_otf2_complaint());
        return NULL;
    }
    g_autoptr(sched_otf2_archive) a = sched_otf2_archive_new(anchor);
    a->pack = pack;
    const bool ok = read_archive(a, reader, path, error);
    (void)OTF2_Reader_Close(reader);
    return ok ? g_steal_pointer(&a->trace) : NULL;
}

static bool open_trace(const char *path, const sched_read_options *options, sched_input *out,
                       GError **error)
{
    sched_trace *trace = sched_otf2_read_after(path, options->pack, sched_otf2_survives, error);
    if (trace == NULL) {
        return false;
    }
    out->trace = trace;
    return true;
}

/* The folder and the definitions beside the anchor file. */
static char **list_beside(const char *path)
{
    g_autoptr(GStrvBuilder) list = g_strv_builder_new();
    if (g_str_has_suffix(path, ANCHOR) && !g_file_test(path, G_FILE_TEST_IS_DIR)) {
        g_autofree char *folder = g_strndup(path, strlen(path) - strlen(ANCHOR));
        g_autofree char *definitions = g_strconcat(folder, ".def", NULL);
        if (g_file_test(folder, G_FILE_TEST_IS_DIR)) {
            g_strv_builder_add(list, folder);
        }
        if (g_file_test(definitions, G_FILE_TEST_IS_REGULAR)) {
            g_strv_builder_add(list, definitions);
        }
    }
    return g_strv_builder_end(list);
}

const sched_reader sched_reader_otf2 = {
    .name = "OTF2",
    .forms = "an OTF2 archive or its directory",
    .probe = sched_otf2_probe,
    .open = open_trace,
    .beside = list_beside,
};

sched_trace *sched_otf2_read(const char *path, GError **error)
{
    return sched_otf2_read_after(path, false, sched_otf2_survives, error);
}
