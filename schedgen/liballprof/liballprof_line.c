/* schedgen/liballprof/liballprof_line.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_liballprof, fuzz_liballprof. */
#include "liballprof/liballprof_private.h"

#include <string.h>

static bool fail(const sched_lap_place *place, const char *what, const char *text, size_t len,
                 GError **error)
{
    const int shown = (int)MIN(len, 60U);
    g_autofree char *value = g_utf8_make_valid(text, shown);
    g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s:%u: %s '%s%s'", place->file,
                place->line, what, value, (size_t)shown < len ? "…" : "");
    return false;
}

/* A decimal number of at most 64 bits; unsigned ones above INT64_MAX wrap: handles, addresses. */
static bool parse_raw(sched_lap_slice s, uint64_t *out, bool *negative)
{
    const char *p = s.text;
    const char *const end = s.text + s.len;
    *negative = p < end && *p == '-';
    p += *negative;
    uint64_t value = 0;
    if (p == end) {
        return false;
    }
    for (; p < end; p++) {
        if (!g_ascii_isdigit(*p) || __builtin_mul_overflow(value, 10U, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*p - '0'), &value)) {
            return false;
        }
    }
    *out = value;
    return !*negative || value <= (uint64_t)INT64_MAX;
}

static bool parse_address(const sched_lap_place *place, sched_lap_slice s, uint64_t *out,
                          GError **error)
{
    bool negative;
    if (!parse_raw(s, out, &negative)) {
        return fail(place, "not an address or handle:", s.text, s.len, error);
    }
    if (negative) {
        *out = 0 - *out;
    }
    return true;
}

static bool parse_int(const sched_lap_place *place, sched_lap_slice s, int64_t min, int64_t max,
                      int64_t *out, GError **error)
{
    bool negative;
    uint64_t value = 0;
    if (!parse_raw(s, &value, &negative) || value > (uint64_t)INT64_MAX) {
        return fail(place, "not a number:", s.text, s.len, error);
    }
    const int64_t number = negative ? -(int64_t)value : (int64_t)value;
    if (number < min || number > max) {
        return fail(place, "number out of range:", s.text, s.len, error);
    }
    *out = number;
    return true;
}

/* Microseconds, with or without decimals, to ps. */
static bool parse_time(const sched_lap_place *place, sched_lap_slice s, sim_int128 *out,
                       GError **error)
{
    const char *point = memchr(s.text, '.', s.len);
    const sched_lap_slice whole = {s.text, point != NULL ? (size_t)(point - s.text) : s.len, 1};
    bool negative;
    uint64_t us = 0;
    if (!parse_raw(whole, &us, &negative) || negative) {
        return fail(place, "not a time in microseconds:", s.text, s.len, error);
    }
    sim_int128 ps = (sim_int128)us * (sim_int128)SIM_US;
    sim_int128 unit = (sim_int128)SIM_US / 10;
    for (const char *p = point != NULL ? point + 1 : NULL; p != NULL && p < s.text + s.len; p++) {
        if (!g_ascii_isdigit(*p)) {
            return fail(place, "not a time in microseconds:", s.text, s.len, error);
        }
        ps += (sim_int128)(*p - '0') * unit;
        unit /= 10; /* below a picosecond nothing counts */
    }
    *out = ps;
    return true;
}

static sched_lap_slice field(sched_lap_slice *rest)
{
    const char *comma = memchr(rest->text, ',', rest->len);
    const size_t len = comma != NULL ? (size_t)(comma - rest->text) : rest->len;
    const sched_lap_slice first = {rest->text, len, 1};
    const size_t skip = comma != NULL ? len + 1 : len;
    rest->text += skip;
    rest->len -= skip;
    return first;
}

bool sched_lap_list_next(const sched_lap_place *place, sched_lap_slice *list, int64_t type_size,
                         int64_t *bytes, GError **error)
{
    const sched_lap_slice number = field(list);
    int64_t count = 0;
    if (!parse_int(place, number, 0, INT64_MAX, &count, error)) {
        return false;
    }
    if (__builtin_mul_overflow(count, type_size, bytes)) {
        return fail(place, "too many bytes, count", number.text, number.len, error);
    }
    return true;
}

/* "handle,rank,size" */
static bool parse_comm(const sched_lap_place *place, sched_lap_slice s, sched_lap_line *r,
                       GError **error)
{
    sched_lap_slice rest = s;
    const sched_lap_slice handle = field(&rest);
    const sched_lap_slice rank = field(&rest);
    int64_t my_rank = 0;
    int64_t size = 0;
    if (!parse_address(place, handle, &r->comm, error) ||
        !parse_int(place, rank, 0, INT32_MAX, &my_rank, error) ||
        !parse_int(place, rest, 1, INT32_MAX, &size, error)) {
        return false;
    }
    if (my_rank >= size) {
        return fail(place, "rank outside of its communicator:", s.text, s.len, error);
    }
    r->comm_rank = (uint32_t)my_rank;
    r->comm_size = (uint32_t)size;
    return true;
}

/* "id,size,extent" */
static bool parse_type(const sched_lap_place *place, sched_lap_slice s, int64_t *size,
                       GError **error)
{
    (void)field(&s);
    return parse_int(place, field(&s), 0, INT64_MAX, size, error);
}

/* Does argument @p s look like a @p letter? Letters in capitals are addresses of lists. */
static bool fits(char letter, sched_lap_slice s)
{
    const bool three = letter == 'c' || letter == 'd' || letter == 'e';
    return letter == '.' || s.fields == (three ? 3 : 1);
}

/*
 * Which lists follow their addresses? Some wrappers print all of them, some only those that
 * their prototype declares as pointers. Every subset is tried, those with the first lists first,
 * until the arguments have the shapes that the layout asks for; bit i of the result: list i is
 * there.
 */
static int find_lists(const sched_lap_function *function, const sched_lap_slice *args,
                      size_t num_args)
{
    const size_t letters = function->num_letters;
    const size_t lists = function->num_lists;
    if (num_args < letters || num_args > letters + lists) {
        return -1;
    }
    size_t size = 0;
    if (lists > 0) { /* no list follows the communicator */
        sched_lap_slice comm = args[num_args - (letters + 1 - function->comm_at)];
        (void)field(&comm);
        (void)field(&comm);
        size = (size_t)MIN(g_ascii_strtoull(comm.text, NULL, 10), (guint64)INT32_MAX);
    }
    for (int mask = 0; mask < 1 << lists; mask++) {
        size_t at = 0;
        size_t list = 0;
        bool ok = lists == 0 || (size_t)__builtin_popcount((unsigned)mask) == num_args - letters;
        for (const char *letter = function->layout->args; ok && *letter != '\0'; letter++) {
            ok = fits(*letter, args[at++]);
            if (ok && g_ascii_isupper(*letter) && (mask & (1 << list++)) != 0) {
                ok = args[at++].fields == size;
            }
        }
        if (ok) {
            return mask;
        }
    }
    return -1;
}

static bool parse_arg(const sched_lap_place *place, char letter, sched_lap_slice s,
                      sched_lap_line *r, GError **error)
{
    uint64_t address;
    switch (letter) {
    case 'n':
        return parse_int(place, s, 0, INT64_MAX, &r->count, error);
    case 'm':
        return parse_int(place, s, 0, INT64_MAX, &r->recv_count, error);
    case 'd':
        return parse_type(place, s, &r->type_size, error);
    case 'e':
        return parse_type(place, s, &r->recv_type_size, error);
    case 'p':
        return parse_int(place, s, -2, INT32_MAX, &r->peer, error);
    case 'q':
        return parse_int(place, s, -2, INT32_MAX, &r->recv_peer, error);
    case 't':
        return parse_int(place, s, -1, INT32_MAX, &r->tag, error);
    case 'u':
        return parse_int(place, s, -1, INT32_MAX, &r->recv_tag, error);
    case 'o':
        return parse_int(place, s, INT32_MIN, INT32_MAX, &r->root, error);
    case 'c':
        return parse_comm(place, s, r, error);
    case 'r':
        return parse_address(place, s, &r->request, error);
    case 'w':
        return parse_address(place, s, &r->new_comm, error);
    case 'k':
        return parse_int(place, s, 0, INT32_MAX, &r->num_requests, error);
    case 'y':
        return parse_int(place, s, INT32_MIN, INT32_MAX, &r->color, error);
    case 'z':
        return parse_int(place, s, INT32_MIN, INT32_MAX, &r->key, error);
    case 'f':
        return parse_int(place, s, INT32_MIN, INT32_MAX, &r->reorder, error);
    case 'i':
    case 'j': /* MPI_IN_PLACE: 1 in Open MPI, -1 in MPICH */
        if (!parse_address(place, s, &address, error)) {
            return false;
        }
        *(letter == 'i' ? &r->send_in_place : &r->recv_in_place) =
            address == 1 || address == UINT64_MAX;
        return true;
    default:
        return true;
    }
}

static bool parse_args(const sched_lap_place *place, const sched_lap_slice *args, size_t num_args,
                       sched_lap_line *r, GError **error)
{
    const int lists = find_lists(r->function, args, num_args);
    if (lists < 0) {
        return fail(place, "not the arguments of", r->name.text, r->name.len, error);
    }
    size_t list = 0;
    size_t at = 0;
    r->num_requests = 1; /* unless the record has a count of them */
    for (const char *letter = r->layout->args; *letter != '\0'; letter++) {
        if (!parse_arg(place, *letter, args[at++], r, error)) {
            return false;
        }
        if (g_ascii_isupper(*letter) && (lists & (1 << list++)) != 0) {
            if (*letter != 'L') {
                *(*letter == 'S' ? &r->send_list : &r->recv_list) = args[at];
            }
            at++;
        }
    }
    return true;
}

static bool is_dash(sched_lap_slice s)
{
    return s.len == 1 && s.text[0] == '-';
}

/* Start and end. "-": outside of what is timed, as are MPI_Init's start and MPI_Finalize's end. */
static bool parse_times(const sched_lap_place *place, sched_lap_slice start, sched_lap_slice end,
                        sched_lap_line *r, GError **error)
{
    const uint8_t kind = r->layout != NULL ? r->layout->kind : SCHED_CALL_OTHER;
    const bool no_start = (kind == SCHED_CALL_INIT || kind == SCHED_CALL_OTHER) && is_dash(start);
    const bool no_end = (kind == SCHED_CALL_FINALIZE || kind == SCHED_CALL_OTHER) && is_dash(end);
    r->enter = LAP_NO_TIME;
    r->leave = LAP_NO_TIME;
    if ((!no_start && !parse_time(place, start, &r->enter, error)) ||
        (!no_end && !parse_time(place, end, &r->leave, error))) {
        return false;
    }
    if (no_start) {
        r->enter = r->leave;
    }
    if (no_end) {
        r->leave = r->enter;
    }
    if (r->leave < r->enter) {
        return fail(place, "a call that ends before it starts:", end.text, end.len, error);
    }
    return true;
}

/* Take a line apart at its colons, as far as there is room. */
static size_t split(const char *line, size_t len, sched_lap_slice *args)
{
    const char *begin = line;
    const char *const end = line + len;
    size_t fields = 1;
    size_t n = 0;
    for (const char *p = line; p < end; p++) {
        if (*p == ':') {
            args[n++] = (sched_lap_slice){begin, (size_t)(p - begin), fields};
            if (n == LAP_MAX_ARGS) {
                return n;
            }
            begin = p + 1;
            fields = 1;
        } else {
            fields += *p == ',';
        }
    }
    args[n++] = (sched_lap_slice){begin, (size_t)(end - begin), fields};
    return n;
}

bool sched_lap_line_parse(const sched_lap_place *place, sched_lap_functions *functions,
                          const char *line, size_t len, sched_lap_line *r, GError **error)
{
    sched_lap_slice args[LAP_MAX_ARGS];
    const size_t n = split(line, len, args);
    sched_lap_function *function = sched_lap_functions_find(functions, args[0]);
    if (function == NULL) {
        return fail(place, "not a record:", line, len, error);
    }
    if (n < 3) {
        return fail(place, "a record without its times:", line, len, error);
    }
    sched_lap_slice last = args[n - 1];
    if (n == LAP_MAX_ARGS) { /* there may be more */
        last.text = g_strrstr_len(line, (gssize)len, ":") + 1;
        last.len = (size_t)(line + len - last.text);
    }
    *r = (sched_lap_line){.name = args[0], .function = function, .layout = function->layout};
    return parse_times(place, args[1], last, r, error) &&
           (r->layout == NULL || parse_args(place, args + 2, n - 3, r, error));
}
