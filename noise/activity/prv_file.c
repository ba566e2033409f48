/* noise/activity/prv_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_extrae, fuzz_extrae. */
#include "noise/prv_file.h"

#include <string.h>

#define MOST_TIME  (UINT64_C(1) << 60) /* ns: 36 years */
#define MOST_TASKS 10000000

typedef struct reader {
    const char *name;
    unsigned line;
    const char *at; /* within the line */
    const char *end;
    GError **error;
} reader;

static bool refuse(const reader *r, const char *what)
{
    g_autofree char *value = g_strndup(r->at, (gsize)MIN(r->end - r->at, 40));
    g_autofree char *valid = g_utf8_make_valid(value, -1);
    g_set_error(r->error, NOISE_ERROR, NOISE_ERROR_BAD_FILE, "%s:%u: %s at '%s'", r->name, r->line,
                what, valid);
    return false;
}

static bool take(reader *r, char c)
{
    if (r->at < r->end && *r->at == c) {
        r->at++;
        return true;
    }
    return false;
}

static bool take_number(reader *r, uint64_t most, uint64_t *out)
{
    const char *begin = r->at;
    uint64_t value = 0;
    while (r->at < r->end && g_ascii_isdigit(*r->at)) {
        const uint64_t digit = (uint64_t)(*r->at - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            return refuse(r, "a number beyond 64 bits");
        }
        value = value * 10 + digit;
        r->at++;
    }
    if (r->at == begin || value > most) {
        r->at = begin;
        return refuse(r, r->at == r->end ? "a number is missing" : "not a number in range");
    }
    *out = value;
    return true;
}

/* "2(1,4)" */
static bool take_nodes(reader *r, prv_file *f)
{
    uint64_t n = 0;
    if (!take_number(r, 1000000, &n)) {
        return false;
    }
    if (n == 0 || !take(r, '(')) {
        return refuse(r, "no list of nodes");
    }
    for (uint64_t i = 0; i < n; i++) {
        uint64_t cpus = 0;
        if (!take_number(r, 1000000, &cpus)) {
            return false;
        }
        const uint32_t value = (uint32_t)cpus;
        g_array_append_val(f->cpus, value);
        f->num_cpus += cpus;
        if (!take(r, i + 1 < n ? ',' : ')')) {
            return refuse(r, "not a list of nodes");
        }
    }
    return take(r, ':') || refuse(r, "no applications");
}

/* "2(1:1,1:2),3" */
static bool take_application(reader *r, prv_file *f, uint32_t application)
{
    uint64_t n = 0;
    if (!take_number(r, MOST_TASKS, &n)) {
        return false;
    }
    if (n == 0 || !take(r, '(')) {
        return refuse(r, "no list of tasks");
    }
    for (uint64_t i = 0; i < n; i++) {
        uint64_t threads = 0;
        uint64_t node = 0;
        if (!take_number(r, MOST_TASKS, &threads)) {
            return false;
        }
        if (!take(r, ':')) {
            return refuse(r, "no node of a task");
        }
        if (!take_number(r, f->cpus->len, &node)) {
            return false;
        }
        if (node == 0 || !take(r, i + 1 < n ? ',' : ')')) {
            return refuse(r, "not a list of tasks");
        }
        const prv_task task = {application, (uint32_t)i + 1, (uint32_t)threads, (uint32_t)node};
        g_array_append_val(f->tasks, task);
    }
    uint64_t communicators = 0;
    return !take(r, ',') || take_number(r, UINT32_MAX, &communicators);
}

static bool take_head(reader *r, prv_file *f)
{
    static const char MAGIC[] = "#Paraver (";
    const char *close = memchr(r->at, ')', (size_t)(r->end - r->at));
    if ((size_t)(r->end - r->at) < sizeof MAGIC || memcmp(r->at, MAGIC, sizeof MAGIC - 1) != 0 ||
        close == NULL) {
        return refuse(r, "not the header of a Paraver trace");
    }
    r->at += sizeof MAGIC - 1;
    f->date = g_strndup(r->at, (gsize)(close - r->at));
    r->at = close + 1;
    if (!take(r, ':')) {
        return refuse(r, "no duration");
    }
    if (!take_number(r, MOST_TIME, &f->duration)) {
        return false;
    }
    f->unit_ns = 1000;
    if (take(r, '_')) {
        if (!take(r, 'n') || !take(r, 's')) {
            return refuse(r, "a unit that is not ns");
        }
        f->unit_ns = 1;
    }
    if (f->duration > MOST_TIME / f->unit_ns || !take(r, ':')) {
        return refuse(r, "no duration");
    }
    uint64_t applications = 0;
    if (!take_nodes(r, f) || !take_number(r, 1000, &applications)) {
        return false;
    }
    f->applications = (uint32_t)applications;
    const char *lists = r->at + 1;
    for (uint32_t a = 1; a <= applications; a++) {
        if (!take(r, ':')) {
            return refuse(r, "an application is missing");
        }
        if (!take_application(r, f, a)) {
            return false;
        }
    }
    if (applications == 0 || r->at != r->end) {
        return refuse(r, "not the end of the header");
    }
    f->lists = g_strndup(lists, (gsize)(r->end - lists));
    return true;
}

const prv_task *noise_prv_file_task(const prv_file *f, uint64_t application, uint64_t task)
{
    const prv_task *all = (const prv_task *)(void *)f->tasks->data;
    guint low = 0;
    guint high = f->tasks->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        const bool below = all[middle].application < application ||
                           (all[middle].application == application && all[middle].task < task);
        low = below ? middle + 1 : low;
        high = below ? high : middle;
    }
    return low < f->tasks->len && all[low].application == application && all[low].task == task
               ? &all[low]
               : NULL;
}

/* CPU, application, task, thread: are they there? */
static bool check_place(const reader *r, const prv_file *f, const uint64_t *place)
{
    const prv_task *task = noise_prv_file_task(f, place[1], place[2]);
    return (task != NULL && place[3] >= 1 && place[3] <= task->threads &&
            place[0] <= f->num_cpus) ||
           refuse(r, "a CPU, application, task or thread that the header does not have");
}

static bool take_record(reader *r, prv_file *f, uint64_t *before)
{
    const char *begin = r->at;
    prv_line line = {.first = f->numbers->len, .n = 0};
    do {
        uint64_t value = 0;
        if (!take_number(r, UINT64_MAX, &value)) {
            return false;
        }
        g_array_append_val(f->numbers, value);
        line.n++;
    } while (take(r, ':'));
    if (r->at != r->end) {
        return refuse(r, "not a record");
    }
    r->at = begin;
    const uint64_t *v = &g_array_index(f->numbers, uint64_t, line.first);
    const bool fits = (v[0] == PRV_STATE && line.n == 8) ||
                      (v[0] == PRV_EVENT && line.n >= 8 && line.n % 2 == 0) ||
                      (v[0] == PRV_MESSAGE && line.n == 15);
    if (!fits) {
        return refuse(r, "not a record");
    }
    if (!check_place(r, f, v + PRV_CPU) ||
        (v[0] == PRV_MESSAGE && !check_place(r, f, v + PRV_RECEIVER))) {
        return false;
    }
    const uint64_t most = MOST_TIME / f->unit_ns;
    const bool in_range = v[PRV_TIME] <= most && (v[0] == PRV_EVENT || v[PRV_END] <= most) &&
                          (v[0] != PRV_MESSAGE || (v[11] <= most && v[12] <= most)) &&
                          (v[0] != PRV_STATE || v[PRV_TIME] <= v[PRV_END]);
    if (!in_range || v[PRV_TIME] < *before) {
        return refuse(r, in_range ? "out of order" : "a time out of range");
    }
    *before = v[PRV_TIME];
    g_array_append_val(f->lines, line);
    return true;
}

prv_file *noise_prv_file_parse(const char *name, const char *text, size_t size, GError **error)
{
    g_autoptr(prv_file) f = g_new0(prv_file, 1);
    f->cpus = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    f->tasks = g_array_new(FALSE, FALSE, sizeof(prv_task));
    f->numbers = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    f->lines = g_array_new(FALSE, FALSE, sizeof(prv_line));
    f->communicators = g_string_new(NULL);
    GError *why = NULL;
    uint64_t before = 0;
    unsigned line = 0;
    text = size > 0 ? text : ""; /* an empty file has no place in memory */
    const char *at = text;
    while (at < text + size || line == 0) {
        const char *end = size > 0 ? memchr(at, '\n', (size_t)(text + size - at)) : NULL;
        end = end != NULL ? end : text + size;
        reader r = {name, ++line, at, end, &why};
        bool good = true;
        if (line == 1) {
            good = take_head(&r, f);
        } else if (at < end && *at == 'c') {
            g_string_append_len(f->communicators, at, end - at);
            g_string_append_c(f->communicators, '\n');
        } else if (at < end && *at != '#') {
            good = take_record(&r, f, &before);
        }
        if (!good) {
            g_propagate_error(error, why);
            return NULL;
        }
        at = end < text + size ? end + 1 : text + size;
    }
    return g_steal_pointer(&f);
}

void noise_prv_file_free(prv_file *f)
{
    if (f != NULL) {
        g_free(f->date);
        g_free(f->lists);
        g_array_unref(f->cpus);
        g_array_unref(f->tasks);
        g_array_unref(f->numbers);
        g_array_unref(f->lines);
        g_string_free(f->communicators, TRUE);
        g_free(f);
    }
}
