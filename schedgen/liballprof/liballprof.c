/* schedgen/liballprof/liballprof.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sched/liballprof.h"

#include "liballprof/liballprof_private.h"
#include "liballprof/liballprof_set.h"
#include "model/parallel_private.h"
#include "sched/reader.h"
#include "sim/byte_order_mark.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

#define BLOCK         ((size_t)1 << 16)
#define PROBE_ENTRIES 64 /* of an archive, until one looks right */

typedef struct archive archive_reader;
static void archive_reader_free(archive_reader *a)
{
    (void)archive_read_free(a);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(archive_reader, archive_reader_free)

/* A reader that takes tar archives and, as archives of one member, any other file; both may be
 * compressed. */
static archive_reader *open_archive(const char *path, const void *data, size_t len, GError **error)
{
    g_autoptr(archive_reader) a = archive_read_new();
    /* Not all filters: some of them start other programs. */
    (void)archive_read_support_filter_gzip(a);
    (void)archive_read_support_filter_bzip2(a);
    (void)archive_read_support_filter_xz(a);
    (void)archive_read_support_filter_zstd(a);
    (void)archive_read_support_format_tar(a);
    (void)archive_read_support_format_raw(a);
    (void)archive_read_support_format_empty(a);
    const int result = data != NULL ? archive_read_open_memory(a, data, len)
                                    : archive_read_open_filename(a, path, BLOCK);
    if (result != ARCHIVE_OK) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s: %s", path,
                    archive_error_string(a));
        return NULL;
    }
    return g_steal_pointer(&a);
}

/* Does the text begin as such a file does? */
static bool looks_right(const char *text, size_t len)
{
    while (len > 0 && g_ascii_isspace(*text)) {
        text++;
        len--;
    }
    const char *eol = memchr(text, '\n', len);
    const size_t line = eol != NULL ? (size_t)(eol - text) : len;
    if (line > 0 && text[0] == '#') {
        return g_strstr_len(text, (gssize)line, "collprof") != NULL ||
               g_strstr_len(text, (gssize)line, "PMPI Tracer") != NULL;
    }
    return line > 4 && memcmp(text, "MPI_", 4) == 0 && memchr(text, ':', line) != NULL;
}

/* The next regular member. @return 1, 0 at the end, -1 with an error */
static int next_entry(archive_reader *a, const char *path, struct archive_entry **entry,
                      GError **error)
{
    for (;;) {
        const int result = archive_read_next_header(a, entry);
        if (result == ARCHIVE_EOF) {
            return 0;
        }
        if (result < ARCHIVE_WARN) {
            g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s: damaged or cut short: %s",
                        path, archive_error_string(a));
            return -1;
        }
        if (archive_entry_filetype(*entry) == AE_IFREG) {
            return 1;
        }
    }
}

static bool probe_archive(archive_reader *a, const char *path, bool tar)
{
    struct archive_entry *entry;
    char *block = g_malloc(BLOCK);
    bool found = false;
    for (int i = 0; i < PROBE_ENTRIES && !found && next_entry(a, path, &entry, NULL) > 0; i++) {
        if (!tar && archive_format(a) != ARCHIVE_FORMAT_RAW) {
            break;
        }
        const la_ssize_t n = archive_read_data(a, block, BLOCK);
        found = n > 0 && looks_right(block, (size_t)n);
    }
    g_free(block);
    return found;
}

static bool probe_file(const char *path, bool tar)
{
    g_autoptr(archive_reader) a = open_archive(path, NULL, 0, NULL);
    return a != NULL && probe_archive(a, path, tar);
}

bool sched_liballprof_probe(const char *path)
{
    if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
        return probe_file(path, true);
    }
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        if (g_file_test(file, G_FILE_TEST_IS_REGULAR) && probe_file(file, false)) {
            return true;
        }
    }
    return false;
}

/* Hand the lines of a block on; what follows the last line end stays in @p rest. */
static bool feed(sched_lap_file *file, GByteArray *rest, const char *block, size_t len,
                 GError **error)
{
    const char *const end = block + len;
    const char *eol;
    while ((eol = memchr(block, '\n', (size_t)(end - block))) != NULL) {
        bool ok;
        if (rest->len > 0) {
            g_byte_array_append(rest, (const guint8 *)block, (guint)(eol - block));
            ok = sched_lap_file_line(file, (const char *)rest->data, rest->len, error);
            g_byte_array_set_size(rest, 0);
        } else {
            ok = sched_lap_file_line(file, block, (size_t)(eol - block), error);
        }
        if (!ok) {
            return false;
        }
        block = eol + 1;
    }
    g_byte_array_append(rest, (const guint8 *)block, (guint)(end - block));
    return true;
}

/* A last line without its end is whole only if it is MPI_Finalize's. */
static bool feed_last(sched_lap_file *file, const GByteArray *rest, GError **error)
{
    if (rest->len > 0) {
        const char *text = (const char *)rest->data;
        if (!sched_lap_file_line(file, text, rest->len, NULL) ||
            (text[0] != '#' && !file->rank.complete)) {
            g_autofree char *shown = g_utf8_make_valid(text, (gssize)MIN(rest->len, 60U));
            g_set_error(error, SCHED_ERROR, SCHED_ERROR_INCOMPLETE,
                        "%s:%u: the file ends inside a record '%s'", file->rank.file, file->line,
                        shown);
            return false;
        }
    }
    if (file->rank.num_calls == 0) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_INCOMPLETE, "%s: no records", file->rank.file);
        return false;
    }
    return true;
}

/* The current member as a rank. @p out stays NULL where it is another kind of file. */
static bool read_entry(archive_reader *a, const char *name, bool pack, sched_lap_file **out,
                       GError **error)
{
    g_autofree char *block = g_malloc(BLOCK);
    g_autoptr(GByteArray) rest = g_byte_array_new();
    sched_lap_file *file = NULL;
    la_ssize_t n;
    bool ok = true;
    while (ok && (n = archive_read_data(a, block, BLOCK)) != 0) {
        if (n < 0) {
            g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s: damaged or cut short: %s",
                        name, archive_error_string(a));
            ok = false;
        } else if (file == NULL && !looks_right(block, (size_t)n)) {
            /* Another kind of file, or a record behind a mark. */
            return n <= SIM_BYTE_ORDER_MARK_BYTES ||
                   !looks_right(block + SIM_BYTE_ORDER_MARK_BYTES,
                                (size_t)n - SIM_BYTE_ORDER_MARK_BYTES) ||
                   sim_byte_order_mark_refuse(name, block, (size_t)n, SCHED_ERROR,
                                              SCHED_ERROR_BAD_FILE, error);
        } else {
            file = file != NULL ? file : sched_lap_file_new(name);
            ok = feed(file, rest, block, (size_t)n, error);
        }
    }
    if (!ok ||
        (file != NULL && (!feed_last(file, rest, error) || !sched_lap_file_finish(file, error)))) {
        sched_lap_file_free(file);
        return false;
    }
    if (file != NULL && pack) {
        sched_rank_pack(&file->rank);
    }
    *out = file;
    return true;
}

/* All ranks in a file: one, or, if @p tar, the members of a tar archive. @p files: of
 * sched_lap_file */
static bool read_archive(const char *path, const void *data, size_t len, bool tar, bool pack,
                         GPtrArray *files, GError **error)
{
    g_autoptr(archive_reader) a = open_archive(path, data, len, error);
    struct archive_entry *entry;
    int more;
    if (a == NULL) {
        return false;
    }
    while ((more = next_entry(a, path, &entry, error)) > 0) {
        const bool raw = archive_format(a) == ARCHIVE_FORMAT_RAW;
        if (!raw && !tar) {
            return true;
        }
        const char *member = archive_entry_pathname(entry);
        g_autofree char *name =
            raw ? g_strdup(path)
                : g_strdup_printf("%s/%s", path, member != NULL ? member : "(no name)");
        sched_lap_file *file = NULL;
        if (!read_entry(a, name, pack, &file, error)) {
            return false;
        }
        if (file != NULL) {
            g_ptr_array_add(files, file);
        }
    }
    return more == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of a folder's regular files, in order. */
static GPtrArray *list_folder(const char *folder, GError **error)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, error);
    if (dir == NULL) {
        return NULL;
    }
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    while ((name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *file = g_build_filename(folder, name, NULL);
        if (g_file_test(file, G_FILE_TEST_IS_REGULAR)) {
            g_ptr_array_add(names, g_steal_pointer(&file));
        }
    }
    g_ptr_array_sort(names, by_name);
    return names;
}

/* Files of a folder, which several threads read. */
typedef struct lap_folder {
    const GPtrArray *names;
    GPtrArray **files; /* [names] of sched_lap_file: none or one */
    GError **errors;   /* [names] */
    bool pack;
} lap_folder;

static bool read_one(void *data, uint32_t i, uint32_t thread)
{
    (void)thread;
    const lap_folder *f = data;
    return read_archive(g_ptr_array_index(f->names, i), NULL, 0, false, f->pack, f->files[i],
                        &f->errors[i]);
}

/* In the order of their names, whoever was faster; and of errors the first. */
static bool read_files(const GPtrArray *names, sched_lap_set *set, GError **error)
{
    g_autofree GPtrArray **files = g_new(GPtrArray *, (gsize)names->len + 1);
    g_autofree GError **errors = g_new0(GError *, (gsize)names->len + 1);
    lap_folder f = {.names = names, .files = files, .errors = errors, .pack = set->pack};
    for (guint i = 0; i < names->len; i++) {
        files[i] = g_ptr_array_new();
    }
    const bool ok = sched_parallel_do(names->len, read_one, &f);
    bool told = false;
    for (guint i = 0; i < names->len; i++) {
        g_ptr_array_extend_and_steal(set->files, files[i]);
        if (errors[i] != NULL && !told) {
            g_propagate_error(error, errors[i]);
            told = true;
        } else {
            g_clear_error(&errors[i]);
        }
    }
    return ok;
}

/* A rank's file stands for all of its set: those beside it whose names differ in one number. */
static bool read_folder(const char *folder, const char *rank_file, sched_lap_set *set,
                        GError **error)
{
    g_autoptr(GPtrArray) names = list_folder(folder, error);
    if (names == NULL) {
        return false;
    }
    if (rank_file != NULL) {
        sched_lap_set_narrow(names, rank_file);
    }
    return read_files(names, set, error);
}

static bool is_tar(const char *path)
{
    g_autoptr(archive_reader) a = open_archive(path, NULL, 0, NULL);
    struct archive_entry *entry;
    return a != NULL && next_entry(a, path, &entry, NULL) > 0 &&
           archive_format(a) != ARCHIVE_FORMAT_RAW;
}

static sched_trace *read_path(const char *path, bool pack, GError **error)
{
    g_autoptr(sched_lap_set) set = sched_lap_set_new(path);
    bool ok;
    set->pack = pack;
    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        ok = read_folder(path, NULL, set, error);
    } else if (is_tar(path)) {
        ok = read_archive(path, NULL, 0, true, pack, set->files, error);
    } else {
        g_autofree char *folder = g_path_get_dirname(path);
        g_autofree char *base = g_path_get_basename(path);
        g_autofree char *file = g_build_filename(folder, base, NULL);
        ok = read_folder(folder, file, set, error);
    }
    return ok ? sched_lap_set_finish(set, error) : NULL;
}

sched_trace *sched_liballprof_read(const char *path, GError **error)
{
    return read_path(path, false, error);
}

sched_trace *sched_liballprof_read_data(const char *name, const char *data, size_t len,
                                        GError **error)
{
    g_autoptr(sched_lap_set) set = sched_lap_set_new(name);
    return read_archive(name, data, len, true, false, set->files, error)
               ? sched_lap_set_finish(set, error)
               : NULL;
}

static bool open_trace(const char *path, const sched_read_options *options, sched_input *out,
                       GError **error)
{
    sched_trace *trace = read_path(path, options->pack, error);
    if (trace == NULL) {
        return false;
    }
    out->trace = trace;
    return true;
}

const sched_reader sched_reader_liballprof = {
    .name = "liballprof",
    .forms = "a liballprof file, directory or tar archive",
    .probe = sched_liballprof_probe,
    .open = open_trace,
};
