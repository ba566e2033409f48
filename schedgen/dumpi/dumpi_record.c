/* schedgen/dumpi/dumpi_record.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_dumpi, fuzz_dumpi. */
#include "dumpi/dumpi_private.h"

#include "sched/error.h"

/* What a record has, by its mask. */
enum { HAS_STATUS = 3, HAS_CPU = 4, HAS_WALL = 8, HAS_THREAD = 64, HAS_COUNTERS = 128 };

enum { STATUS_BYTES = 14 }; /* bytes, source, cancelled, error, tag */

static dumpi_list take_list(dumpi_stream *s, int bytes)
{
    const uint64_t n = sched_dumpi_take(s, 4);
    const dumpi_list list = {s->data + s->at, (uint32_t)n, bytes};
    sched_dumpi_skip(s, n * (uint64_t)bytes);
    return s->is_cut ? (dumpi_list){NULL, 0, bytes} : list;
}

static void skip_lists(dumpi_stream *s, int bytes)
{
    const uint64_t n = sched_dumpi_take(s, 4);
    for (uint64_t i = 0; i < n && !s->is_cut; i++) {
        (void)take_list(s, bytes);
    }
}

int32_t sched_dumpi_entry(const dumpi_list *list, uint32_t i)
{
    uint32_t value = 0;
    for (int b = 0; b < list->bytes; b++) {
        value = value << 8 | list->at[(size_t)i * (size_t)list->bytes + (size_t)b];
    }
    return (int32_t)value;
}

bool sched_dumpi_status(const dumpi_record *record, uint32_t i, dumpi_status *out)
{
    if (i >= record->statuses.n) {
        return false;
    }
    const uint8_t *at = record->statuses.at + (size_t)i * STATUS_BYTES;
    const dumpi_list numbers = {at, 2, 4};
    const dumpi_list tag = {at + 10, 1, 4};
    *out = (dumpi_status){.bytes = sched_dumpi_entry(&numbers, 0),
                          .source = sched_dumpi_entry(&numbers, 1),
                          .tag = sched_dumpi_entry(&tag, 0),
                          .is_cancelled = at[8] != 0};
    return true;
}

/* Two instants, each 16 bits of seconds and 32 of nanoseconds. */
static bool take_times(dumpi_stream *s, uint64_t *seconds, uint32_t *ns, GError **error)
{
    for (int i = 0; i < 2; i++) {
        seconds[i] = sched_dumpi_take(s, 2);
        ns[i] = (uint32_t)sched_dumpi_take(s, 4);
        if (ns[i] >= 1000000000) {
            return sched_dumpi_fail(s, "no nanoseconds of a second:", ns[i], error);
        }
    }
    return true;
}

/* Handles and numbers; false: the letter is none of these. */
static bool take_number(dumpi_stream *s, char letter, dumpi_record *r)
{
    const struct {
        char letter;
        int32_t *to;
    } numbers[] = {{'n', &r->count},     {'N', &r->other_count}, {'l', &r->block},
                   {'d', &r->dest},      {'s', &r->source},      {'a', &r->tag},
                   {'A', &r->other_tag}, {'k', &r->comm_rank},   {'o', &r->root},
                   {'f', &r->flag},      {'x', &r->index},       {'K', &r->color},
                   {'Y', &r->key},       {'r', &r->reorder}};
    const struct {
        char letter;
        uint16_t *to;
    } handles[] = {{'t', &r->type},
                   {'T', &r->other_type},
                   {'u', &r->new_type},
                   {'c', &r->comm},
                   {'C', &r->new_comm}};
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
        if (numbers[i].letter == letter) {
            *numbers[i].to = (int32_t)sched_dumpi_take(s, 4);
            return true;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(handles); i++) {
        if (handles[i].letter == letter) {
            *handles[i].to = (uint16_t)sched_dumpi_take(s, 2);
            return true;
        }
    }
    if (letter == 'q') {
        r->request = (uint32_t)sched_dumpi_take(s, 4);
    }
    return letter == 'q';
}

static bool take_named_list(dumpi_stream *s, char letter, dumpi_record *r)
{
    const struct {
        char letter;
        int bytes;
        dumpi_list *to;
    } lists[] = {{'Q', 4, &r->requests},    {'X', 4, &r->indices},    {'V', 4, &r->send_counts},
                 {'R', 4, &r->recv_counts}, {'D', 4, &r->dims},       {'L', 4, &r->blocks},
                 {'y', 2, &r->types},       {'e', 2, &r->other_types}};
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
        if (lists[i].letter == letter) {
            *lists[i].to = take_list(s, lists[i].bytes);
            return true;
        }
    }
    return false;
}

static void skip_argument(dumpi_stream *s, char letter)
{
    switch (letter) {
    case 'i':
        sched_dumpi_skip(s, 4);
        break;
    case 'h':
        sched_dumpi_skip(s, 2);
        break;
    case 'b':
        sched_dumpi_skip(s, 1);
        break;
    case 'I':
        (void)take_list(s, 4);
        break;
    case 'H':
        (void)take_list(s, 2);
        break;
    case 'B':
        (void)take_list(s, 1);
        break;
    case 'J':
        skip_lists(s, 4);
        break;
    default: /* 'S' */
        skip_lists(s, 1);
    }
}

/* Older versions wrote the receive type of a gatherv at the root alone, and do not say so. Whether
 * it is there shows in what follows: the next record has the mask of this one as its third byte. */
static bool has_more(const dumpi_stream *s, uint8_t mask)
{
    dumpi_stream next = *s;
    const unsigned number = (unsigned)sched_dumpi_take(&next, 2);
    return !sched_dumpi_is_end(number) && sched_dumpi_take(&next, 1) != mask;
}

static void take_arguments(dumpi_stream *s, uint8_t mask, dumpi_record *r)
{
    bool here = true;
    for (const char *letter = r->function->args; *letter != '\0'; letter++) {
        if (*letter == '?') {
            here = r->comm_rank == r->root;
        } else if (*letter == '!') {
            here = here || has_more(s, mask);
        } else if (here && *letter == 'z') {
            r->statuses = (mask & HAS_STATUS) != 0 ? take_list(s, STATUS_BYTES) : r->statuses;
        } else if (here && !take_number(s, *letter, r) && !take_named_list(s, *letter, r)) {
            skip_argument(s, *letter);
        }
    }
}

static bool take_head(dumpi_stream *s, uint8_t mask, dumpi_record *r, GError **error)
{
    r->thread = (mask & HAS_THREAD) != 0 ? (uint16_t)sched_dumpi_take(s, 2) : 0;
    r->has_cpu = (mask & HAS_CPU) != 0;
    r->has_wall = (mask & HAS_WALL) != 0;
    if ((r->has_cpu && !take_times(s, r->cpu_s, r->cpu_ns, error)) ||
        (r->has_wall && !take_times(s, r->wall_s, r->wall_ns, error))) {
        return false;
    }
    if ((mask & HAS_COUNTERS) != 0) {
        sched_dumpi_skip(s, 16 * sched_dumpi_take(s, 1));
    }
    return true;
}

bool sched_dumpi_record_read(dumpi_stream *s, dumpi_record *out, bool *is_end, GError **error)
{
    *out = (dumpi_record){.flag = 1};
    s->begin = s->at;
    s->what = NULL;
    s->record++;
    const unsigned number = (unsigned)sched_dumpi_take(s, 2);
    *is_end = !s->is_cut && sched_dumpi_is_end(number);
    if (*is_end) {
        return true;
    }
    out->function = s->is_cut ? NULL : sched_dumpi_function(number);
    if (out->function == NULL) {
        return s->is_cut ? sched_dumpi_fail(s, "the end is missing at byte", (int64_t)s->at, error)
                         : sched_dumpi_fail(s, "no function has the number", number, error);
    }
    s->what = out->function->name;
    if (out->function->args == NULL) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                    "%s: record %u at byte %zu, %s: what its record holds is not known, '%u'",
                    s->file, s->record, s->begin, s->what, number);
        return false;
    }
    const uint8_t mask = (uint8_t)sched_dumpi_take(s, 1);
    if (!take_head(s, mask, out, error)) {
        return false;
    }
    take_arguments(s, mask, out);
    return !s->is_cut ||
           sched_dumpi_fail(s, "it ends behind the records, at byte", (int64_t)s->end, error);
}
