/* noise/detours/detour_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/detour_file.h"

#include "sim/byte_order_mark.h"
#include "sim/unit.h"

#include <errno.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>
#include <zlib.h>

/* A line may be the JSON of a large node; more is not a file of detours. */
enum { MAX_LINE = 16 << 20, CHUNK = 1 << 16 };

/* Netgauge prints two decimals of a nanosecond, rounded: start, length and the next start may be
 * off by 5 ps each. */
static const sim_time ROUNDING = 20;
/* The period it prints has two decimals of a second. */
static const sim_time PERIOD_ROUNDING = 5 * SIM_MS;

/* What is known of a complete run's period; which one holds is settled at the end of the file. */
typedef struct run_end {
    sim_time stated; /* in its own line; -1: not */
    sim_time last;   /* end of the last detour */
    size_t line;     /* of the statement, or of the last detour */
} run_end;

typedef struct reader {
    const char *name;
    size_t line;
    GArray *runs;   /* of noise_detour_run, complete */
    GArray *ends;   /* of run_end, beside them */
    GArray *start;  /* of sim_time: the run that is being read */
    GArray *length; /* of sim_time */
    sim_time end;   /* of its last detour */
    char *json;
    size_t json_line;
    char *system, *host, *release;
    GError **error;
} reader;

G_GNUC_PRINTF(4, 5)
static bool fail(const reader *r, noise_error code, size_t line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    g_autofree char *readable = g_utf8_make_valid(what, -1);
    g_set_error(r->error, NOISE_ERROR, (int)code, "%s:%zu: %s", r->name, line, readable);
    return false;
}

/* The first field of @p text, cut to what fits into a message. */
static const char *field_text(const char *text, char out[40])
{
    const size_t len = MIN(strcspn(text, " \t\r"), 39);
    memcpy(out, text, len);
    out[len] = '\0';
    return out;
}

/*
 * A decimal number times 10^power, rounded to nearest, without a double between: "%lf" of the
 * tools that read and write such files, as far as it makes sense for a time.
 * @return -1 if it is not a number, is negative, or is above SIM_TIME_MAX
 */
static sim_time parse_decimal(const char **at, int power)
{
    const char *p = *at;
    uint64_t digits = 0; /* at most 10^18; what does not fit only moves the power */
    bool any = false;
    bool point = false;
    for (; g_ascii_isdigit(*p) || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        any = true;
        const bool fits = digits < UINT64_C(100000000000000000);
        digits = fits ? digits * 10 + (uint64_t)g_ascii_digit_value(*p) : digits;
        power += (fits ? 0 : 1) - (point ? 1 : 0);
    }
    if (!any) {
        return -1;
    }
    if (*p == 'e' || *p == 'E') {
        char *end;
        errno = 0;
        const gint64 exponent = g_ascii_strtoll(p + 1, &end, 10);
        if (end == p + 1 || g_ascii_isspace(p[1]) || exponent < -1000 || exponent > 1000) {
            return -1;
        }
        power += (int)exponent;
        p = end;
    }
    for (; power > 0 && digits > 0; power--) {
        if (digits > (uint64_t)SIM_TIME_MAX / 10) {
            return -1;
        }
        digits *= 10;
    }
    for (; power < -1 && digits > 0; power++) {
        digits /= 10;
    }
    if (power < 0) {
        digits = (digits + 5) / 10;
    }
    *at = p;
    return digits <= (uint64_t)SIM_TIME_MAX ? (sim_time)digits : -1;
}

static sim_time last_of(const GArray *a)
{
    return a->len > 0 ? g_array_index(a, sim_time, a->len - 1) : 0;
}

/* @p stated: the run's period, or -1 */
static void run_complete(reader *r, sim_time stated)
{
    if (r->start->len == 0 && stated < 0) {
        return; /* a header follows another */
    }
    noise_detour_run run = {.n = r->start->len};
    run.start = g_array_steal(r->start, NULL);
    run.length = g_array_steal(r->length, NULL);
    const run_end end = {stated, r->end, r->line};
    g_array_append_val(r->runs, run);
    g_array_append_val(r->ends, end);
    r->end = 0;
}

static bool read_period(reader *r, const char *value)
{
    const char *at = value + strspn(value, " \t");
    const char *number = at;
    char text[40];
    const sim_time period = parse_decimal(&at, 12); /* s to ps */
    at += strspn(at, " \ts\r");
    if (period < 0 || *at != '\0') {
        return fail(r, NOISE_ERROR_BAD_FILE, r->line,
                    "the measurement period '%s' is not a time in s", field_text(number, text));
    }
    run_complete(r, period);
    return true;
}

/* What the first line says that begins with @p head. */
static void keep_first(const char *line, const char *head, char **value)
{
    if (*value == NULL && g_str_has_prefix(line, head)) {
        *value = g_strstrip(g_strdup(line + strlen(head)));
    }
}

static bool read_comment(reader *r, const char *line)
{
    keep_first(line, "# Sysname :", &r->system);
    keep_first(line, "# Nodename:", &r->host);
    keep_first(line, "# Release :", &r->release);
    static const char PERIOD[] = "# Measurement period:";
    static const char JSON[] = "# ripple:";
    if (g_str_has_prefix(line, PERIOD)) {
        return read_period(r, line + strlen(PERIOD));
    }
    if (g_str_has_prefix(line, JSON) && r->json == NULL) {
        r->json = g_strstrip(g_strdup(line + strlen(JSON)));
        r->json_line = r->line;
    }
    if (g_str_has_prefix(line, "# Benchmark Method") || g_str_has_prefix(line, "# Time [ns]")) {
        run_complete(r, -1);
    }
    return true;
}

static bool add_detour(reader *r, sim_time start, sim_time length, const char *text)
{
    if (start == 0 && last_of(r->start) > 0) {
        run_complete(r, -1);
    }
    char shown[40];
    field_text(text, shown);
    if (length > SIM_TIME_MAX - start) {
        return fail(r, NOISE_ERROR_BAD_DETOUR, r->line, "the detour at '%s' ends beyond 26 days",
                    shown);
    }
    if (r->start->len > 0 && start < last_of(r->start)) {
        return fail(r, NOISE_ERROR_BAD_DETOUR, r->line,
                    "the detour at '%s' is out of order: the one before starts later", shown);
    }
    if (start < r->end) {
        const sim_time cut = r->end - start;
        if (cut > ROUNDING || cut >= length) {
            g_autofree char *end = sim_unit_format_ns(r->end);
            return fail(r, NOISE_ERROR_BAD_DETOUR, r->line,
                        "the detour at '%s' overlaps the one before, which ends at %s ns", shown,
                        end);
        }
        start += cut;
        length -= cut;
    }
    g_array_append_val(r->start, start);
    g_array_append_val(r->length, length);
    r->end = start + length;
    return true;
}

static bool read_detour(reader *r, const char *line)
{
    char shown[40];
    const char *at = line;
    const sim_time start = parse_decimal(&at, 3); /* ns to ps */
    if (start < 0 || (*at != ' ' && *at != '\t')) {
        return fail(r, NOISE_ERROR_BAD_FILE, r->line,
                    "the start '%s' is not a time in ns followed by a length",
                    field_text(line, shown));
    }
    at += strspn(at, " \t");
    const char *second = at;
    const sim_time length = parse_decimal(&at, 3);
    const bool complete = at[strspn(at, " \t\r")] == '\0';
    if (length <= 0 || !complete) {
        return fail(r, NOISE_ERROR_BAD_FILE, r->line,
                    "the length '%s' is not a time above 0 in ns, alone up to the end of the line",
                    field_text(second, shown));
    }
    return add_detour(r, start, length, line);
}

/* @p line ends in NUL, without its newline; @p len as in the file */
static bool read_line(reader *r, const char *line, size_t len)
{
    r->line++;
    if (strlen(line) != len) {
        return fail(r, NOISE_ERROR_BAD_FILE, r->line, "a byte 0: this is not a text file");
    }
    line += strspn(line, " \t\r");
    if (*line == '\0') {
        return true;
    }
    return *line == '#' ? read_comment(r, line) : read_detour(r, line);
}

static reader *reader_new(const char *name, GError **error)
{
    reader *r = g_new0(reader, 1);
    r->name = name;
    r->error = error;
    r->runs = g_array_new(FALSE, FALSE, sizeof(noise_detour_run));
    r->ends = g_array_new(FALSE, FALSE, sizeof(run_end));
    r->start = g_array_new(FALSE, FALSE, sizeof(sim_time));
    r->length = g_array_new(FALSE, FALSE, sizeof(sim_time));
    return r;
}

/* All but what reader_file() has taken. */
static void reader_free(reader *r)
{
    for (guint i = 0; r->runs != NULL && i < r->runs->len; i++) {
        g_free(g_array_index(r->runs, noise_detour_run, i).start);
        g_free(g_array_index(r->runs, noise_detour_run, i).length);
    }
    g_clear_pointer(&r->runs, g_array_unref);
    g_array_unref(r->ends);
    g_array_unref(r->start);
    g_array_unref(r->length);
    g_free(r->json);
    g_free(r->system);
    g_free(r->host);
    g_free(r->release);
    g_free(r);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(reader, reader_free)

/* json-glib's parser recurses: a line of brackets would exhaust the stack. */
static bool nests_deeply(const char *json)
{
    int depth = 0;
    bool quoted = false;
    for (const char *p = json; *p != '\0' && depth < 64; p++) {
        if (*p == '\\' && quoted && p[1] != '\0') {
            p++;
        } else if (*p == '"') {
            quoted = !quoted;
        } else if (!quoted) {
            depth += (*p == '[' || *p == '{') - (*p == ']' || *p == '}');
        }
    }
    return depth >= 64;
}

/* cpus[run].duration_ns of Ripple's header, -1 where it says nothing */
static sim_time json_period(JsonNode *root, size_t run)
{
    JsonNode *cpus = json_object_get_member(json_node_get_object(root), "cpus");
    if (cpus == NULL || !JSON_NODE_HOLDS_ARRAY(cpus) ||
        run >= json_array_get_length(json_node_get_array(cpus))) {
        return -1;
    }
    JsonNode *cpu = json_array_get_element(json_node_get_array(cpus), (guint)run);
    JsonNode *ns = JSON_NODE_HOLDS_OBJECT(cpu)
                       ? json_object_get_member(json_node_get_object(cpu), "duration_ns")
                       : NULL;
    if (ns == NULL || !JSON_NODE_HOLDS_VALUE(ns)) {
        return -1;
    }
    const double ps = json_node_get_double(ns) * 1e3;
    return ps > 0 && ps <= (double)SIM_TIME_MAX ? llround(ps) : -1;
}

static bool settle_periods(reader *r)
{
    g_autoptr(JsonParser) parser = json_parser_new_immutable();
    JsonNode *root = NULL;
    if (r->json != NULL) {
        g_autoptr(GError) why = NULL;
        if (nests_deeply(r->json) || !json_parser_load_from_data(parser, r->json, -1, &why)) {
            return fail(r, NOISE_ERROR_BAD_FILE, r->json_line, "the header is not JSON: %s",
                        why != NULL ? why->message : "it nests too deeply");
        }
        root = json_parser_get_root(parser);
        if (root == NULL || !JSON_NODE_HOLDS_OBJECT(root)) {
            return fail(r, NOISE_ERROR_BAD_FILE, r->json_line, "the header is not a JSON object");
        }
    }
    for (guint i = 0; i < r->runs->len; i++) {
        const run_end *end = &g_array_index(r->ends, run_end, i);
        sim_time stated = end->stated;
        if (stated < 0 && root != NULL) {
            stated = json_period(root, i);
        }
        if (stated >= 0 && stated < end->last - PERIOD_ROUNDING) {
            g_autofree char *period = sim_unit_format_time(stated);
            g_autofree char *last = sim_unit_format_time(end->last);
            return fail(r, NOISE_ERROR_BAD_FILE, end->line,
                        "the measurement period '%s' ends before the last detour does, at %s",
                        period, last);
        }
        const sim_time period = MAX(stated, end->last);
        if (period < 1) {
            return fail(r, NOISE_ERROR_BAD_FILE, end->line, "the measurement period is '0'");
        }
        g_array_index(r->runs, noise_detour_run, i).period = period;
    }
    return true;
}

static noise_detour_file *reader_file(reader *r)
{
    run_complete(r, -1);
    if (r->runs->len == 0) {
        fail(r, NOISE_ERROR_BAD_FILE, MAX(r->line, 1), "there is no detour in this file");
        return NULL;
    }
    if (!settle_periods(r)) {
        return NULL;
    }
    noise_detour_file *file = g_new0(noise_detour_file, 1);
    file->num_runs = r->runs->len;
    file->runs = (noise_detour_run *)(void *)g_array_free(g_steal_pointer(&r->runs), FALSE);
    file->json = g_steal_pointer(&r->json);
    file->system = g_steal_pointer(&r->system);
    file->host = g_steal_pointer(&r->host);
    file->release = g_steal_pointer(&r->release);
    return file;
}

/* Read the complete lines in @p pending, keep the rest. @p last: the rest is a line, too. */
static bool read_lines(reader *r, GString *pending, bool last)
{
    if (r->line == 0 && !sim_byte_order_mark_refuse(r->name, pending->str, pending->len,
                                                    NOISE_ERROR, NOISE_ERROR_BAD_FILE, r->error)) {
        return false;
    }
    char *line = pending->str;
    char *const end = pending->str + pending->len;
    while (line < end) {
        char *newline = memchr(line, '\n', (size_t)(end - line));
        if (newline == NULL && !last) {
            break;
        }
        char *stop = newline != NULL ? newline : end;
        *stop = '\0';
        if (!read_line(r, line, (size_t)(stop - line))) {
            return false;
        }
        line = newline != NULL ? newline + 1 : end;
    }
    g_string_erase(pending, 0, line - pending->str);
    if (pending->len > MAX_LINE) {
        return fail(r, NOISE_ERROR_BAD_FILE, r->line + 1,
                    "this line has no end: it is not a file of detours");
    }
    return true;
}

noise_detour_file *noise_detour_file_parse(const char *name, const char *text, size_t size,
                                           GError **error)
{
    g_autoptr(reader) r = reader_new(name, error);
    g_autoptr(GString) pending = g_string_new_len(text, (gssize)size);
    return read_lines(r, pending, true) ? reader_file(r) : NULL;
}

/* gzread() passes plain files through, and checks the sums of compressed ones. */
static bool read_stream(reader *r, gzFile in)
{
    g_autoptr(GString) pending = g_string_new(NULL);
    g_autofree char *chunk = g_malloc(CHUNK);
    int got;
    while ((got = gzread(in, chunk, CHUNK)) > 0) {
        g_string_append_len(pending, chunk, got);
        if (!read_lines(r, pending, false)) {
            return false;
        }
    }
    int code;
    const char *why = gzerror(in, &code);
    if (code != Z_OK && code != Z_STREAM_END) {
        return fail(r, NOISE_ERROR_BAD_FILE, r->line + 1, "reading failed here: %s",
                    code == Z_ERRNO       ? g_strerror(errno)
                    : code == Z_BUF_ERROR ? "the compressed file is cut off"
                                          : why);
    }
    return read_lines(r, pending, true);
}

noise_detour_file *noise_detour_file_read(const char *path, GError **error)
{
    gzFile in = gzopen(path, "rb");
    if (in == NULL) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE, "%s: %s", path, g_strerror(errno));
        return NULL;
    }
    g_autoptr(reader) r = reader_new(path, error);
    const bool ok = read_stream(r, in);
    (void)gzclose_r(in);
    return ok ? reader_file(r) : NULL;
}

void noise_detour_file_free(noise_detour_file *file)
{
    if (file != NULL) {
        for (size_t i = 0; i < file->num_runs; i++) {
            g_free(file->runs[i].start);
            g_free(file->runs[i].length);
        }
        g_free(file->runs);
        g_free(file->json);
        g_free(file->system);
        g_free(file->host);
        g_free(file->release);
        g_free(file);
    }
}
