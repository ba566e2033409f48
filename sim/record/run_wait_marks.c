/* sim/record/run_wait_marks.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_wait. */
#include "record/run_wait_private.h"

#include "sim/error.h"
#include "sim/scratch_file.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

static instant_key key_of(const record_step *s, instant_kind kind, uint32_t op)
{
    return (instant_key){.rank = s->rank, .op = op, .source = SIM_ANY, .kind = kind};
}

static instant_key key_of_ref(const record_step *s, instant_kind kind, record_ref ref)
{
    return (instant_key){.rank = s->rank, .op = ref.op, .source = ref.source, .kind = kind};
}

static instant_key key_of_message(const record_step *s, instant_kind kind)
{
    return (instant_key){.rank = s->rank, .op = s->send, .source = s->peer, .kind = kind};
}

unsigned sim_step_uses(const record_step *s, instant_key out[MOST_USED])
{
    unsigned n = 0;
    switch ((record_kind)s->kind) {
    case RECORD_RECEIVE:
    case RECORD_MEET:
    case RECORD_LATE:
        out[n++] = key_of(s, INSTANT_START, s->op);
        break;
    default:
        break;
    }
    if (s->kind == RECORD_LATE) {
        out[n++] = key_of_message(s, INSTANT_CPU);
    }
    switch ((record_bound)s->bound) {
    case RECORD_BY_FINISH:
    case RECORD_BY_START:
        if (s->by.op != SIM_ANY) {
            out[n++] =
                key_of(s, s->bound == RECORD_BY_START ? INSTANT_START : INSTANT_FINISH, s->by.op);
        }
        break;
    case RECORD_BY_CPU:
        out[n++] = key_of_ref(s, INSTANT_CPU, s->by);
        break;
    case RECORD_BY_TX:
        out[n++] = key_of(s, INSTANT_TX, s->by.op);
        break;
    default:
        break;
    }
    if (s->waited) {
        out[n++] = key_of_ref(s, INSTANT_RX, s->rx);
    }
    return n;
}

unsigned sim_step_makes(const record_step *s, instant_key out[MOST_MADE])
{
    unsigned n = 0;
    switch ((record_kind)s->kind) {
    case RECORD_SEND:
        out[n++] = key_of(s, INSTANT_TX, s->op);
        __attribute__((fallthrough));
    case RECORD_CALC:
        out[n++] = key_of(s, INSTANT_FINISH, s->op);
        out[n++] = key_of(s, INSTANT_CPU, s->op);
        __attribute__((fallthrough));
    case RECORD_POST:
        out[n++] = key_of(s, INSTANT_START, s->op);
        break;
    case RECORD_RECEIVE:
        out[n++] = key_of(s, INSTANT_FINISH, s->op);
        out[n++] = key_of(s, INSTANT_CPU, s->op);
        out[n++] = key_of(s, INSTANT_RX, s->op);
        break;
    case RECORD_ACCEPT:
        out[n++] = key_of_message(s, INSTANT_CPU);
        out[n++] = key_of_message(s, INSTANT_RX);
        break;
    case RECORD_CLEARED:
        out[n++] = key_of(s, INSTANT_TX, s->op);
        if (s->later) {
            out[n++] = key_of(s, INSTANT_FINISH, s->op);
        }
        break;
    case RECORD_RELEASED:
    case RECORD_LATE:
        out[n++] = key_of(s, INSTANT_FINISH, s->op);
        break;
    default:
        break;
    }
    return n;
}

/* ---- marking ---- */

/* @param later what the steps behind this one follow from and have not met yet */
static uint8_t mark_step(instant_table *later, const record_step *s)
{
    instant_key key[MAX(MOST_USED, MOST_MADE)];
    unsigned mark = 0;
    unsigned n = sim_step_makes(s, key);
    for (unsigned i = 0; i < n; i++) {
        mark |= (unsigned)sim_instant_remove(later, key[i]) << (MOST_USED + i);
    }
    n = sim_step_uses(s, key);
    for (unsigned i = 0; i < n; i++) {
        if (sim_instant_find(later, key[i]) == NULL) {
            mark |= 1U << i;
            sim_instant_put(later, (instant){.key = key[i]});
        }
    }
    return (uint8_t)mark;
}

static bool cannot_write(GError **error)
{
    const int code = errno;
    g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(code),
                "a file in %s: cannot be written: %s", g_get_tmp_dir(), g_strerror(code));
    return false;
}

static bool write_marks(record_marks *marks, const uint8_t *mark, size_t n, GError **error)
{
    marks->bytes += n;
    return fwrite(mark, 1, n, marks->file) == n || cannot_write(error);
}

G_GNUC_PRINTF(3, 4)
static bool damaged(const record_marks *marks, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error(error, SIM_ERROR, SIM_ERROR_BAD_FILE, "%s: damaged: %s", marks->record->path, what);
    return false;
}

/* A log is read from its end; what no step of it has made known is missing. */
static bool mark_log(record_marks *marks, uint32_t partition, record_place *place, uint8_t *mark,
                     GError **error)
{
    instant_table later = {0};
    bool right = true;
    for (uint64_t at = marks->record->last[partition]; right && at != 0;) {
        const marked_chunk chunk = {.offset = at, .marks = marks->bytes};
        g_autofree char *wrong = NULL;
        const size_t bytes =
            sim_record_read_chunk(marks->record, partition, &at, place->data, &wrong);
        place->n = 0;
        if (bytes == 0 ||
            !sim_record_decode_chunk(marks->record, partition, place->data, bytes, place, &wrong)) {
            right = damaged(marks, error, "%s", wrong);
            break;
        }
        for (size_t i = place->n; i-- > 0;) {
            mark[i] = mark_step(&later, &place->step[i]);
        }
        g_array_append_val(marks->chunks[partition], chunk);
        right = write_marks(marks, mark, place->n, error);
    }
    if (right && later.n > 0) {
        right = damaged(marks, error,
                        "log %" PRIu32 ": %zu instants that steps follow from are in none",
                        partition, later.n);
    }
    sim_instant_table_clear(&later);
    return right;
}

bool sim_record_marks_init(record_marks *marks, const sim_run_record *record, GError **error)
{
    *marks = (record_marks){.record = record};
    const uint32_t parts = record->ranks.num_partitions;
    marks->chunks = g_new0(GArray *, parts);
    for (uint32_t i = 0; i < parts; i++) {
        marks->chunks[i] = g_array_new(FALSE, FALSE, sizeof(marked_chunk));
    }
    marks->file = sim_scratch_file(NULL, error);
    record_place place = {.data = g_malloc(RECORD_CHUNK_BYTES)};
    g_autofree uint8_t *mark = g_malloc(RECORD_CHUNK_BYTES);
    bool right = marks->file != NULL;
    for (uint32_t i = 0; right && i < parts; i++) {
        right = mark_log(marks, i, &place, mark, error);
    }
    g_free(place.step);
    g_free(place.data);
    return right && (fflush(marks->file) == 0 || cannot_write(error));
}

void sim_record_marks_clear(record_marks *marks)
{
    for (uint32_t i = 0; i < marks->record->ranks.num_partitions; i++) {
        g_array_free(marks->chunks[i], TRUE);
    }
    g_free(marks->chunks);
    if (marks->file != NULL) {
        (void)fclose(marks->file);
    }
}

bool sim_record_marks_read(const record_marks *marks, uint32_t partition, guint i,
                           record_place *place, uint8_t *mark, char **wrong)
{
    const marked_chunk *chunk = &g_array_index(marks->chunks[partition], marked_chunk, i);
    uint64_t at = chunk->offset;
    const size_t bytes = sim_record_read_chunk(marks->record, partition, &at, place->data, wrong);
    place->n = 0;
    if (bytes == 0 ||
        !sim_record_decode_chunk(marks->record, partition, place->data, bytes, place, wrong)) {
        return false;
    }
    for (size_t done = 0; done < place->n;) {
        const ssize_t n =
            pread(fileno(marks->file), mark + done, place->n - done, (off_t)(chunk->marks + done));
        if (n <= 0 && !(n < 0 && errno == EINTR)) {
            *wrong = g_strdup_printf("a file in %s cannot be read", g_get_tmp_dir());
            return false;
        }
        done += (size_t)MAX(n, 0);
    }
    return true;
}
