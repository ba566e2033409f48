/* schedgen/liballprof/liballprof_line.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_liballprof, fuzz_liballprof. */
#include "liballprof/liballprof_private.h"

#include <string.h>

/*
 * Arguments, one letter each, after the start time and before the end time:
 *   .  not needed             n d  count and datatype (sent)     m e  the same (received)
 *   p t  peer and tag         q u  source and tag of a Sendrecv  o    root
 *   c  communicator           r k  request, number of them       w    new communicator
 *   i j  buffer that may be MPI_IN_PLACE (send, receive)
 *   S R L  address of a list of counts sent, received, of displacements; the list may follow
 *   y z f  colour, key, reorder
 */
#define P2P(name_, args_, kind_)                                                                   \
    {                                                                                              \
        .name = "MPI_" name_, .args = (args_), .kind = (kind_)                                     \
    }
#define P2P_SYNC(name_, args_, kind_)                                                              \
    {                                                                                              \
        .name = "MPI_" name_, .args = (args_), .kind = (kind_), .synchronous = true                \
    }
#define COLL(name_, args_, which_)                                                                 \
    {.name = "MPI_" name_,                                                                         \
     .args = (args_),                                                                              \
     .kind = SCHED_CALL_COLLECTIVE,                                                                \
     .collective = (which_)},                                                                      \
    {                                                                                              \
        .name = "MPI_I" name_, .args = args_ "r", .kind = SCHED_CALL_ICOLLECTIVE,                  \
        .collective = (which_)                                                                     \
    }
#define DONE(name_, args_, action_)                                                                \
    {                                                                                              \
        .name = "MPI_" name_, .args = (args_), .kind = SCHED_CALL_COMPLETE, .action = (action_)    \
    }
#define OTHER(name_, args_, action_)                                                               \
    {                                                                                              \
        .name = "MPI_" name_, .args = (args_), .action = (action_)                                 \
    }

static const sched_lap_layout LAYOUTS[] = {
    P2P("Send", ".ndptc", SCHED_CALL_SEND),
    P2P("Bsend", ".ndptc", SCHED_CALL_SEND),
    P2P("Rsend", ".ndptc", SCHED_CALL_SEND),
    P2P_SYNC("Ssend", ".ndptc", SCHED_CALL_SEND),
    P2P("Recv", ".ndptc.", SCHED_CALL_RECV),
    P2P("Isend", ".ndptcr", SCHED_CALL_ISEND),
    P2P("Ibsend", ".ndptcr", SCHED_CALL_ISEND),
    P2P("Irsend", ".ndptcr", SCHED_CALL_ISEND),
    P2P_SYNC("Issend", ".ndptcr", SCHED_CALL_ISEND),
    P2P("Irecv", ".ndptcr", SCHED_CALL_IRECV),
    P2P("Send_init", ".ndptcr", SCHED_CALL_SEND_INIT),
    P2P("Bsend_init", ".ndptcr", SCHED_CALL_SEND_INIT),
    P2P("Rsend_init", ".ndptcr", SCHED_CALL_SEND_INIT),
    P2P_SYNC("Ssend_init", ".ndptcr", SCHED_CALL_SEND_INIT),
    P2P("Recv_init", ".ndptcr", SCHED_CALL_RECV_INIT),
    P2P("Sendrecv", ".ndpt.mequc.", SCHED_CALL_SENDRECV),
    P2P("Sendrecv_replace", ".ndptquc.", SCHED_CALL_SENDRECV),
    P2P("Start", "r", SCHED_CALL_START),
    P2P("Startall", "kr", SCHED_CALL_START),
    P2P("Cancel", "r", SCHED_CALL_CANCEL),
    DONE("Wait", "r.", LAP_WAIT),
    DONE("Waitall", "kr.", LAP_WAIT),
    DONE("Waitany", "kr..", LAP_ANY),
    DONE("Waitsome", "kr...", LAP_ANY),
    DONE("Test", "r..", LAP_ANY),
    DONE("Testall", "kr..", LAP_ANY),
    DONE("Testany", "kr...", LAP_ANY),
    DONE("Testsome", "kr...", LAP_ANY),
    DONE("Request_get_status", "...", LAP_CALL),
    COLL("barrier", "c", COLL_BARRIER),
    COLL("bcast", ".ndoc", COLL_BCAST),
    COLL("reduce", "i.nd.oc", COLL_REDUCE),
    COLL("allreduce", "i.nd.c", COLL_ALLREDUCE),
    COLL("scan", "i.nd.c", COLL_SCAN),
    COLL("exscan", "i.nd.c", COLL_EXSCAN),
    COLL("gather", "ind.meoc", COLL_GATHER),
    COLL("gatherv", "ind.RLeoc", COLL_GATHERV),
    COLL("scatter", ".ndjmeoc", COLL_SCATTER),
    COLL("scatterv", ".SLdjmeoc", COLL_SCATTERV),
    COLL("allgather", "ind.mec", COLL_ALLGATHER),
    COLL("allgatherv", "ind.RLec", COLL_ALLGATHERV),
    COLL("alltoall", "ind.mec", COLL_ALLTOALL),
    COLL("alltoallv", "iSLd.RLec", COLL_ALLTOALLV),
    COLL("alltoallw", "iSL..RL.c", COLL_ALLTOALLW),
    COLL("reduce_scatter", "i.Rd.c", COLL_REDUCE_SCATTER),
    COLL("reduce_scatter_block", "i.nd.c", COLL_REDUCE_SCATTER_BLOCK),
    OTHER("Comm_rank", "c.", LAP_CALL), /* from here on: they show which communicators there are */
    OTHER("Comm_size", "c.", LAP_CALL),
    OTHER("Comm_group", "c.", LAP_CALL),
    OTHER("Cart_get", "c....", LAP_CALL),
    OTHER("Cart_rank", "c..", LAP_CALL),
    OTHER("Cart_coords", "c...", LAP_CALL),
    OTHER("Cart_shift", "c....", LAP_CALL),
    OTHER("Request_free", "r", LAP_FREE_REQ),
    OTHER("Comm_free", "w", LAP_FREE_COMM),
    OTHER("Comm_disconnect", "w", LAP_FREE_COMM),
    OTHER("Comm_dup", "cw", LAP_DUP),
    OTHER("Comm_dup_with_info", "c.w", LAP_DUP),
    OTHER("Comm_idup", "cw.", LAP_DUP),
    OTHER("Comm_split", "cyzw", LAP_SPLIT),
    OTHER("Comm_split_type", "c.z.w", LAP_TYPE),
    OTHER("Comm_create", "c.w", LAP_CREATE),
    OTHER("Cart_create", "c...fw", LAP_CART),
    OTHER("Cart_sub", "c.w", LAP_SUB),
    OTHER("Graph_create", "c...fw", LAP_CART),
    OTHER("Dist_graph_create_adjacent", "c.......fw", LAP_CART),
    OTHER("Dist_graph_create", "c......fw", LAP_CART),
    {.name = "MPI_Init", .args = "..", .kind = SCHED_CALL_INIT},
    {.name = "MPI_Init_thread", .args = "....", .kind = SCHED_CALL_INIT},
    {.name = "MPI_Finalize", .args = "", .kind = SCHED_CALL_FINALIZE},
};

static bool fail(const sched_lap_place *place, const char *what, const char *text, size_t len,
                 GError **error)
{
    const int shown = (int)MIN(len, 60U);
    g_autofree char *value = g_utf8_make_valid(text, shown);
    g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s:%u: %s '%s%s'", place->file,
                place->line, what, value, (size_t)shown < len ? "…" : "");
    return false;
}

/* Layouts by name, lower case: collectives are listed as they are spelled after MPI_I. */
static const sched_lap_layout *layout_find(sched_lap_slice name)
{
    static GHashTable *index;
    if (g_once_init_enter(&index)) {
        GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
        for (size_t i = 0; i < G_N_ELEMENTS(LAYOUTS); i++) {
            g_hash_table_insert(table, g_ascii_strdown(LAYOUTS[i].name, -1),
                                GSIZE_TO_POINTER(i + 1));
        }
        g_once_init_leave(&index, table);
    }
    char lower[40];
    if (name.len >= sizeof lower) {
        return NULL;
    }
    for (size_t i = 0; i < name.len; i++) {
        lower[i] = g_ascii_tolower(name.text[i]);
    }
    lower[name.len] = '\0';
    const gsize at = GPOINTER_TO_SIZE(g_hash_table_lookup(index, lower));
    return at > 0 ? &LAYOUTS[at - 1] : NULL;
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
    const sched_lap_slice whole = {s.text, point != NULL ? (size_t)(point - s.text) : s.len};
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
    const sched_lap_slice first = {rest->text, len};
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

static size_t num_fields(sched_lap_slice s)
{
    size_t n = 1;
    for (size_t i = 0; i < s.len; i++) {
        n += s.text[i] == ',';
    }
    return n;
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
    const size_t wanted = strchr("cde", letter) != NULL ? 3 : 1;
    return letter == '.' || num_fields(s) == wanted;
}

/*
 * Which lists follow their addresses? Some wrappers print all of them, some only those that
 * their prototype declares as pointers. Every subset is tried, those with the first lists first,
 * until the arguments have the shapes that the layout asks for; bit i of the result: list i is
 * there.
 */
static int find_lists(const char *layout, const sched_lap_slice *args, size_t num_args)
{
    size_t comm_at = 0; /* from the end: no list follows the communicator */
    size_t lists = 0;
    const size_t letters = strlen(layout);
    for (size_t i = 0; i < letters; i++) {
        lists += g_ascii_isupper(layout[i]);
        comm_at = layout[i] == 'c' ? letters - i : comm_at;
    }
    if (num_args < letters || num_args > letters + lists) {
        return -1;
    }
    size_t size = 0;
    if (lists > 0) {
        sched_lap_slice comm = args[num_args - comm_at];
        (void)field(&comm);
        (void)field(&comm);
        size = (size_t)MIN(g_ascii_strtoull(comm.text, NULL, 10), (guint64)INT32_MAX);
    }
    for (int mask = 0; mask < 1 << lists; mask++) {
        size_t at = 0;
        size_t list = 0;
        bool ok = (size_t)__builtin_popcount((unsigned)mask) == num_args - letters;
        for (const char *letter = layout; ok && *letter != '\0'; letter++) {
            ok = fits(*letter, args[at++]);
            if (ok && g_ascii_isupper(*letter) && (mask & (1 << list++)) != 0) {
                ok = num_fields(args[at++]) == size;
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
    const int lists = find_lists(r->layout->args, args, num_args);
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

static bool is_name(sched_lap_slice s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (!g_ascii_isalnum(s.text[i]) && s.text[i] != '_') {
            return false;
        }
    }
    return s.len > 0 && g_ascii_isalpha(s.text[0]);
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

bool sched_lap_line_parse(const sched_lap_place *place, const char *line, size_t len,
                          sched_lap_line *r, GError **error)
{
    sched_lap_slice args[LAP_MAX_ARGS] = {0};
    size_t n = 0;
    const char *p = line;
    const char *const end = line + len;
    while (n < LAP_MAX_ARGS) {
        const char *colon = memchr(p, ':', (size_t)(end - p));
        args[n++] = (sched_lap_slice){p, (size_t)((colon != NULL ? colon : end) - p)};
        if (colon == NULL) {
            break;
        }
        p = colon + 1;
    }
    if (!is_name(args[0])) {
        return fail(place, "not a record:", line, len, error);
    }
    const char *last = g_strrstr_len(line, (gssize)len, ":");
    if (n < 3 || last == NULL) {
        return fail(place, "a record without its times:", line, len, error);
    }
    *r = (sched_lap_line){.name = args[0], .layout = layout_find(args[0])};
    const sched_lap_slice end_time = {last + 1, (size_t)(end - last) - 1};
    return parse_times(place, args[1], end_time, r, error) &&
           (r->layout == NULL || parse_args(place, args + 2, n - 3, r, error));
}
