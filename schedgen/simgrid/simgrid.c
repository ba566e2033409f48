/* schedgen/simgrid/simgrid.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sched/simgrid.h"

#include "sched/error.h"
#include "sched/reader.h"
#include "simgrid/simgrid_file.h"
#include "simgrid/simgrid_private.h"

#include <string.h>

enum { PROBE_BYTES = 1 << 16 };

/* ---- lines ---------------------------------------------------------------------------------- */

/* One file of actions, line by line. */
typedef struct scan {
    const char *file; /* its name, in messages */
    const char *at;
    const char *end;
    uint32_t number;
    GString *text;    /* of the line, cut into */
    GPtrArray *words; /* of char *, into text */
} scan;

static scan scan_new(const char *file, const char *data, size_t len)
{
    return (scan){.file = file,
                  .at = data,
                  .end = data + len,
                  .text = g_string_new(NULL),
                  .words = g_ptr_array_new()};
}

static void scan_clear(scan *s)
{
    (void)g_string_free(s->text, TRUE);
    g_ptr_array_unref(s->words);
}

/* The words of the next line that has any. @return false at the end */
static bool scan_next(scan *s)
{
    g_ptr_array_set_size(s->words, 0);
    while (s->at < s->end && s->words->len == 0) {
        const char *eol = memchr(s->at, '\n', (size_t)(s->end - s->at));
        const char *stop = eol != NULL ? eol : s->end;
        g_string_truncate(s->text, 0);
        g_string_append_len(s->text, s->at, stop - s->at);
        s->at = eol != NULL ? eol + 1 : s->end;
        s->number++;
        if (strlen(s->text->str) < s->text->len) { /* a byte of 0 would hide the rest */
            (void)g_string_assign(s->text, "\001");
        }
        for (char *p = s->text->str; *p != '\0' && *p != '#';) {
            p += strspn(p, " \t\r");
            const size_t len = strcspn(p, " \t\r#");
            if (len > 0) {
                g_ptr_array_add(s->words, p);
            }
            p += len;
            if (*p == '#') {
                *p = '\0';
            } else if (*p != '\0') {
                *p++ = '\0';
            }
        }
    }
    return s->words->len > 0;
}

static simgrid_line line_of(const scan *s)
{
    return (simgrid_line){.file = s->file,
                          .number = s->number,
                          .words = (char **)s->words->pdata,
                          .num_words = s->words->len};
}

/* The rank a line begins with. */
static bool read_rank(simgrid_line *line, GError **error)
{
    int64_t rank;
    if (!sched_simgrid_integer(line, 0, 0, INT32_MAX, &rank, error)) {
        return false;
    }
    line->rank = (uint32_t)rank;
    return line->num_words > 1 ||
           sched_simgrid_fail(line, "no action of rank", line->words[0], error);
}

/* ---- what is read: file by file, twice ------------------------------------------------------- */

static void part_clear(gpointer data)
{
    sched_simgrid_file_clear(data);
}

static GArray *parts_new(void)
{
    GArray *parts = g_array_new(FALSE, TRUE, sizeof(simgrid_file));
    g_array_set_clear_func(parts, part_clear);
    return parts;
}

static bool add_part(GArray *parts, const char *path, GError **error)
{
    simgrid_file p;
    if (!sched_simgrid_file_open(path, &p, error)) {
        return false;
    }
    g_array_append_val(parts, p);
    return true;
}

static void free_ranks(simgrid_reading *reading)
{
    for (uint32_t i = 0; i < reading->trace->num_ranks; i++) {
        g_array_unref(reading->ranks[i].open);
    }
    g_free(reading->ranks);
}

/* How many ranks are there? Each has a line at least, so that a wild number is no memory. */
static bool count_ranks(const GArray *parts, const char *path, uint32_t *num_ranks, GError **error)
{
    uint64_t lines = 0;
    uint32_t last = 0;
    bool ok = true;
    for (guint i = 0; ok && i < parts->len; i++) {
        const simgrid_file *p = &g_array_index(parts, simgrid_file, i);
        scan s = scan_new(p->name, p->data, p->len);
        while (ok && scan_next(&s)) {
            simgrid_line line = line_of(&s);
            ok = read_rank(&line, error);
            last = MAX(last, line.rank);
            lines++;
        }
        scan_clear(&s);
    }
    if (ok && last >= lines) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_INCOMPLETE,
                    "%s: a rank '%u', but no more than %" G_GUINT64_FORMAT " lines", path, last,
                    lines);
        return false;
    }
    *num_ranks = last + 1;
    return ok;
}

static bool read_line(simgrid_reading *reading, simgrid_line *line, GError **error)
{
    if (!read_rank(line, error)) {
        return false;
    }
    simgrid_rank *rank = &reading->ranks[line->rank];
    if (rank->file == NULL) {
        rank->file = line->file;
        reading->trace->ranks[line->rank].file = g_strdup(line->file);
    } else if (rank->file != line->file) {
        g_autofree char *what = g_strdup_printf("actions in %s already are of rank", rank->file);
        return sched_simgrid_fail(line, what, line->words[0], error);
    }
    return sched_simgrid_action_read(reading, line, error);
}

static bool read_parts(simgrid_reading *reading, const GArray *parts, GError **error)
{
    bool ok = true;
    for (guint i = 0; ok && i < parts->len; i++) {
        const simgrid_file *p = &g_array_index(parts, simgrid_file, i);
        scan s = scan_new(p->name, p->data, p->len);
        while (ok && scan_next(&s)) {
            simgrid_line line = line_of(&s);
            ok = read_line(reading, &line, error);
        }
        scan_clear(&s);
    }
    return ok;
}

static bool check_ends(const sched_trace *trace, GError **error)
{
    for (uint32_t i = 0; i < trace->num_ranks; i++) {
        const sched_rank *rank = &trace->ranks[i];
        if (rank->file == NULL || !rank->complete) {
            g_set_error(error, SCHED_ERROR, SCHED_ERROR_INCOMPLETE,
                        rank->file == NULL ? "%s: no actions of rank '%u'"
                                           : "%s: no finalize of rank '%u'",
                        rank->file == NULL ? trace->path : rank->file, i);
            return false;
        }
    }
    return true;
}

/* Receives of no size take the largest message there is. */
static void close_receives(sched_trace *trace)
{
    int64_t largest = 0;
    for (uint32_t i = 0; i < trace->num_ranks; i++) {
        for (uint64_t k = 0; k < trace->ranks[i].num_calls; k++) {
            const sched_call *call = &trace->ranks[i].calls[k];
            const bool sends = call->kind == SCHED_CALL_SEND || call->kind == SCHED_CALL_ISEND ||
                               call->kind == SCHED_CALL_SENDRECV;
            largest = sends ? MAX(largest, call->bytes) : largest;
        }
    }
    for (uint32_t i = 0; i < trace->num_ranks; i++) {
        for (uint64_t k = 0; k < trace->ranks[i].num_calls; k++) {
            sched_call *call = &trace->ranks[i].calls[k];
            call->bytes = call->bytes == SIMGRID_OPEN ? largest : call->bytes;
        }
    }
}

static sched_trace *read_trace(const char *path, const GArray *parts, double flops_per_second,
                               GError **error)
{
    uint32_t num_ranks = 0;
    if (!count_ranks(parts, path, &num_ranks, error)) {
        return NULL;
    }
    g_autoptr(sched_trace) trace = sched_trace_new(path, "SimGrid TI", num_ranks);
    simgrid_reading reading = {.trace = trace,
                               .ranks = g_new0(simgrid_rank, num_ranks),
                               .flops_per_second = flops_per_second};
    for (uint32_t i = 0; i < num_ranks; i++) {
        reading.ranks[i].open = sched_simgrid_requests_new();
    }
    const bool ok = read_parts(&reading, parts, error) && check_ends(trace, error);
    free_ranks(&reading);
    if (!ok) {
        return NULL;
    }
    if (reading.num_open > 0) {
        close_receives(trace);
    }
    return g_steal_pointer(&trace);
}

sched_trace *sched_simgrid_read_data(const char *name, const char *data, size_t len,
                                     double flops_per_second, GError **error)
{
    g_autoptr(GArray) parts = parts_new();
    const simgrid_file p = {.name = g_strdup(name), .data = data, .len = len};
    g_array_append_val(parts, p);
    return read_trace(name, parts, flops_per_second, error);
}

/* ---- the files of a trace -------------------------------------------------------------------- */

/* The first words of a file; false: it is none, or has none */
static bool first_words(const char *path, GPtrArray *words)
{
    g_autofree char *data = g_malloc(PROBE_BYTES);
    const size_t len = sched_simgrid_file_peek(path, data, PROBE_BYTES);
    scan s = scan_new(path, data, len);
    const bool found = scan_next(&s);
    for (guint i = 0; i < s.words->len; i++) {
        g_ptr_array_add(words, g_strdup(g_ptr_array_index(s.words, i)));
    }
    scan_clear(&s);
    return found;
}

/* Does a file begin with an action of a rank? */
static bool has_actions(const char *path)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    return first_words(path, words) && words->len > 1 &&
           g_ascii_string_to_unsigned(g_ptr_array_index(words, 0), 10, 0, INT32_MAX, NULL, NULL) &&
           sched_simgrid_is_action(g_ptr_array_index(words, 1));
}

/* A file that an index names: from the index's folder, or the one above (SimGrid puts the files
 * into a folder beside the index, but names them from where it ran), or from here. */
static char *find_listed(const char *index, const char *name)
{
    if (g_path_is_absolute(name)) {
        return g_strdup(name);
    }
    g_autofree char *folder = g_path_get_dirname(index);
    g_autofree char *above = g_build_filename(folder, "..", NULL);
    const char *const from[] = {folder, above, "."};
    for (size_t i = 0; i < G_N_ELEMENTS(from); i++) {
        g_autofree char *path = g_build_filename(from[i], name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
            return g_steal_pointer(&path);
        }
    }
    return g_build_filename(folder, name, NULL);
}

bool sched_simgrid_probe(const char *path)
{
    if (has_actions(path)) {
        return true;
    }
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    if (!first_words(path, words) || words->len != 1) {
        return false;
    }
    g_autofree char *listed = find_listed(path, g_ptr_array_index(words, 0));
    return has_actions(listed);
}

/* The files that an index lists, one on each line. @return NULL with an error */
static char **list_files(const char *index, GError **error)
{
    g_autoptr(GArray) parts = parts_new();
    if (!add_part(parts, index, error)) {
        return NULL;
    }
    const simgrid_file *p = &g_array_index(parts, simgrid_file, 0);
    g_autoptr(GStrvBuilder) files = g_strv_builder_new();
    scan s = scan_new(index, p->data, p->len);
    bool ok = true;
    while (ok && scan_next(&s)) {
        const simgrid_line line = line_of(&s);
        g_autofree char *path = find_listed(index, line.words[0]);
        ok = line.num_words == 1 && g_file_test(path, G_FILE_TEST_IS_REGULAR);
        if (ok) {
            g_strv_builder_add(files, path);
        } else {
            const bool one = line.num_words == 1;
            (void)sched_simgrid_fail(&line, one ? "no such file:" : "more than the name of a file:",
                                     line.words[one ? 0 : 1], error);
        }
    }
    scan_clear(&s);
    return ok ? g_strv_builder_end(files) : NULL;
}

sched_trace *sched_simgrid_read(const char *path, double flops_per_second, GError **error)
{
    g_autoptr(GArray) parts = parts_new();
    if (has_actions(path)) {
        return add_part(parts, path, error) ? read_trace(path, parts, flops_per_second, error)
                                            : NULL;
    }
    g_auto(GStrv) files = list_files(path, error);
    for (size_t i = 0; files != NULL && files[i] != NULL; i++) {
        if (!add_part(parts, files[i], error)) {
            return NULL;
        }
    }
    return files != NULL ? read_trace(path, parts, flops_per_second, error) : NULL;
}

static bool open_trace(const char *path, const sched_read_options *options, sched_input *out,
                       GError **error)
{
    sched_trace *trace = sched_simgrid_read(path, options->flops_per_second, error);
    if (trace == NULL) {
        return false;
    }
    if (options->pack) {
        sched_trace_pack(trace);
    }
    out->trace = trace;
    return true;
}

static char **list_beside(const char *path)
{
    char **files = has_actions(path) ? NULL : list_files(path, NULL);
    return files != NULL ? files : g_new0(char *, 1);
}

const sched_reader sched_reader_simgrid = {
    .name = "SimGrid",
    .forms = "a time-independent trace of SimGrid, or the list of its files",
    .takes_flops = true,
    .probe = sched_simgrid_probe,
    .open = open_trace,
    .beside = list_beside,
};
