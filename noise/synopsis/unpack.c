/* noise/synopsis/unpack.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_packed. */
#include "synopsis/packed.h"

#define XXH_INLINE_ALL
#include <string.h>
#include <xxhash.h>

#define MOST_TIME   (INT64_MAX / 4) /* as SIM_TIME_MAX */
#define MOST_COUNT  (UINT64_C(1) << 53)
#define MOST_BINS   (UINT32_C(1) << 20)
#define MOST_WINDOW 4096
#define MOST_SHIFT  59 /* of epochs that hold all of time */
#define ANY_EVENTS  UINT64_MAX
#define MOST_NAME   4096

typedef struct unpacking {
    const uint8_t *start;
    const uint8_t *at;
    const uint8_t *end;
    const char *wrong; /* the first thing */
    noise_synopsis *s;
} unpacking;

static bool fail(unpacking *u, const char *why)
{
    u->wrong = u->wrong != NULL ? u->wrong : why;
    return false;
}

/* 0 where something is wrong already, so that loops over a number end. */
static uint64_t get(unpacking *u, uint64_t most, const char *what)
{
    uint64_t value = 0;
    for (unsigned shift = 0; u->wrong == NULL; shift += 7) {
        if (u->at == u->end) {
            fail(u, "cut off");
        } else if (shift == 63 && *u->at > 1) {
            fail(u, "a number beyond 64 bits");
        } else {
            value |= (uint64_t)(*u->at & 127) << shift;
            if (*u->at++ < 128) {
                break;
            }
        }
    }
    if (u->wrong == NULL && value > most) {
        fail(u, what);
    }
    return u->wrong == NULL ? value : 0;
}

static int64_t get_signed(unpacking *u, const char *what)
{
    const uint64_t value = get(u, 2 * (uint64_t)MOST_TIME, what);
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

static sim_time get_time(unpacking *u, const char *what)
{
    return (sim_time)get(u, MOST_TIME, what);
}

static miner_u128 get_sum(unpacking *u)
{
    const uint64_t low = get(u, UINT64_MAX, "");
    return (miner_u128)get(u, UINT64_MAX, "") << 64 | low;
}

/* How many of what takes at least so many bytes each. */
static uint64_t get_number(unpacking *u, uint64_t most, size_t bytes, const char *what)
{
    const uint64_t n = get(u, most, what);
    return n <= (uint64_t)(u->end - u->at) / bytes ? n : (fail(u, what), 0);
}

static uint32_t num_bins(const miner_form *form)
{
    return form->width == 0 ? MINER_BINS : form->last_bin + 1;
}

/* Counts over epochs of so many events; the first and the last count something, and narrower ones
 * would not do: nothing else is ever written. */
static bool get_epochs(unpacking *u, miner_grid *grid, uint32_t *count, uint64_t events)
{
    grid->shift = (uint32_t)get(u, MOST_SHIFT, "epochs that are too long");
    const int64_t from = get_signed(u, "an instant out of range");
    const uint64_t num = get(u, MINER_EPOCHS, "too many epochs");
    uint64_t sum = 0;
    bool full = false;
    for (uint64_t i = 0; i < num; i++) {
        count[i] = (uint32_t)get(u, UINT32_MAX, "too many events in an epoch");
        sum += count[i];
        full |= count[i] == UINT32_MAX;
    }
    const int64_t most = MOST_TIME >> grid->shift;
    if (u->wrong != NULL || from < -most - 1 || from + (int64_t)num - 1 > most) {
        return fail(u, "an instant out of range");
    }
    if (num == 0 || count[0] == 0 || count[num - 1] == 0 ||
        (grid->shift > 0 && 2 * num <= MINER_EPOCHS) ||
        (events != ANY_EVENTS && (full ? sum > events : sum != events))) {
        return fail(u, "epochs that do not fit the events");
    }
    grid->from = from * (INT64_C(1) << grid->shift);
    return true;
}

static bool get_cells(unpacking *u, miner_histogram *h)
{
    const uint32_t bins = num_bins(&u->s->form);
    const uint64_t num = get_number(u, bins, 14, "more cells than bins");
    uint64_t bin = 0;
    for (uint64_t i = 0; i < num && u->wrong == NULL; i++) {
        bin += get(u, bins, "a bin beyond the last");
        if (bin >= bins) {
            return fail(u, "a bin beyond the last");
        }
        miner_cell cell = {
            .bin = (uint32_t)bin++ & 0xffffff,
            .linear = u->s->form.width > 0,
            .count = get(u, MOST_COUNT, "a cell with too many events"),
        };
        cell.sum = get(u, UINT64_MAX, "");
        cell.sum_2 = get_sum(u);
        cell.wall = get(u, UINT64_MAX, "");
        cell.partial = get(u, cell.count, "more parts of detours than events");
        cell.missed = get(u, UINT64_MAX, "");
        cell.num_cpu = get(u, cell.count, "more CPU times than events");
        cell.cpu = get(u, UINT64_MAX, "");
        miner_grid grid;
        if (!get_epochs(u, &grid, cell.epoch, cell.count)) {
            return false;
        }
        cell.from = grid.from;
        cell.shift = grid.shift & 127;
        if (cell.count == 0 || cell.sum / cell.count > MOST_TIME) {
            return fail(u, "a cell without events, or with times beyond its bin");
        }
        if (u->wrong == NULL && !noise_miner_histogram_add_cell(h, &u->s->memory, &cell)) {
            return fail(u, "too large for the memory allowed");
        }
    }
    return u->wrong == NULL;
}

static bool get_hit(unpacking *u, miner_histogram *h, uint64_t key, sim_time *start)
{
    const uint32_t most = u->s->form.window > 0 ? u->s->form.window : MOST_WINDOW;
    miner_hit hit;
    *start += get_signed(u, "an instant out of range");
    hit.start = *start;
    hit.end = hit.start + get_time(u, "an event that is too long");
    hit.value = get_time(u, "an event that is too long");
    if (hit.start < -MOST_TIME || hit.start > MOST_TIME) {
        return fail(u, "an instant out of range");
    }
    const miner_place place = noise_synopsis_place(&u->s->form, hit.value);
    if (place.window != key || !noise_miner_histogram_has(h, place.bin)) {
        return fail(u, "an event where none was counted");
    }
    return noise_miner_histogram_add_hit(h, &u->s->memory, place.window, hit, most) ||
           fail(u, "too large for the memory allowed");
}

/* Every cell has events in a window, and every window has some. */
static bool get_windows(unpacking *u, miner_histogram *h)
{
    const uint64_t num = get_number(u, h->num_cells, 5, "more windows than cells");
    uint64_t before = 0;
    for (uint64_t i = 0; i < num && u->wrong == NULL; i++) {
        const uint64_t key = get(u, MOST_BINS, "a window beyond the last bin");
        const uint64_t hits = get_number(u, MOST_WINDOW, 3, "too many events in a window");
        if (hits == 0 || (i > 0 && key <= before)) {
            return fail(u, "windows out of order, or empty");
        }
        before = key;
        sim_time start = 0;
        for (uint64_t k = 0; k < hits && u->wrong == NULL; k++) {
            (void)get_hit(u, h, key, &start);
        }
    }
    if (u->s->form.width > 0 && num != h->num_cells) {
        return fail(u, "bins without a window");
    }
    return u->wrong == NULL;
}

static bool get_histogram(unpacking *u, miner_histogram *h)
{
    const bool got = get_cells(u, h) && get_windows(u, h);
    u->s->num_histograms += h->num_cells > 0;
    return got;
}

static bool get_detail(unpacking *u, miner_rank *rank)
{
    miner_detail *detail = noise_synopsis_detail(u->s, rank);
    if (detail == NULL) {
        return fail(u, "too large for the memory allowed");
    }
    (void)(get_histogram(u, &detail->slower) && get_histogram(u, &detail->faster));
    const uint64_t num = get_number(u, UINT32_MAX, 17, "more types than there are bytes");
    uint64_t before = 0;
    for (uint64_t i = 0; i < num && u->wrong == NULL; i++) {
        const uint64_t type = get(u, UINT64_MAX, "");
        if ((i > 0 && type <= before) || !noise_synopsis_has_type(u->s, type)) {
            return fail(u, "an unknown type, or types out of order");
        }
        before = type;
        miner_histogram *h = noise_synopsis_table(u->s, detail, type);
        if (h == NULL) {
            return fail(u, "too large for the memory allowed");
        }
        if (get_histogram(u, h) && h->num_cells == 0) {
            return fail(u, "a type without events");
        }
    }
    return u->wrong == NULL;
}

static bool get_ranks(unpacking *u)
{
    const uint64_t num = get_number(u, UINT64_C(1) << 32, 5, "more ranks than there are bytes");
    uint64_t next = 0;
    for (uint64_t i = 0; i < num && u->wrong == NULL; i++) {
        next += get(u, UINT32_MAX, "a rank out of range");
        if (next > UINT32_MAX) {
            return fail(u, "a rank out of range");
        }
        miner_rank *rank = noise_synopsis_rank_of(u->s, (uint32_t)next++);
        if (rank == NULL) {
            return fail(u, "too large for the memory allowed");
        }
        rank->events = get(u, MOST_COUNT, "a rank with too many events");
        rank->first = get_signed(u, "an instant out of range");
        rank->last = rank->first + get_time(u, "a rank that runs too long");
        const bool has_detail = get(u, 1, "neither yes nor no") == 1;
        if (has_detail ? !get_detail(u, rank) : u->s->form.durations) {
            return fail(u, "a rank without durations");
        }
        if (rank->events == 0) {
            return fail(u, "a rank without events");
        }
    }
    return u->wrong == NULL;
}

static bool get_exposure(unpacking *u, miner_exposure *e)
{
    miner_exposure got = {.count = {0}};
    if (!get_epochs(u, &got.grid, got.count, ANY_EVENTS)) {
        return false;
    }
    for (uint32_t k = 0; k < MINER_EPOCHS; k++) {
        got.work[k] = got.count[k] > 0 ? get(u, UINT64_MAX, "") : 0;
    }
    *e = got;
    return u->wrong == NULL;
}

static bool get_exposures(unpacking *u)
{
    const uint64_t num = get_number(u, UINT32_MAX, 6, "more exposures than there are bytes");
    const uint64_t most = noise_exposures_index(UINT32_MAX);
    uint64_t next = 0;
    if (num > 0 && u->s->form.durations) {
        return fail(u, "exposures where there are none");
    }
    for (uint64_t i = 0; i < num && u->wrong == NULL; i++) {
        next += get(u, most, "an exposure out of range");
        if (next > most) {
            return fail(u, "an exposure out of range");
        }
        miner_exposure *e = noise_exposures_get(&u->s->exposures, &u->s->memory, (uint32_t)next++);
        if (e == NULL) {
            return fail(u, "too large for the memory allowed");
        }
        (void)get_exposure(u, e);
    }
    return u->wrong == NULL;
}

static bool get_types(unpacking *u)
{
    const uint64_t num = get_number(u, UINT32_MAX, 6, "more types than there are bytes");
    uint64_t before = 0;
    for (uint64_t i = 0; i < num && u->wrong == NULL; i++) {
        const uint64_t number = get(u, UINT64_MAX, "");
        if (i > 0 && number <= before) {
            return fail(u, "types out of order");
        }
        before = number;
        miner_type *type = noise_synopsis_types_get(&u->s->types, &u->s->memory, number);
        const uint64_t length = get_number(u, MOST_NAME + 1, 1, "a name that is too long");
        if (type == NULL) {
            return fail(u, "too large for the memory allowed");
        }
        if (length > 0) {
            if (memchr(u->at, '\0', length - 1) != NULL) {
                return fail(u, "a name with a zero in it");
            }
            if (!noise_synopsis_type_name(type, &u->s->memory, (const char *)u->at, length - 1)) {
                return fail(u, "too large for the memory allowed");
            }
            u->at += length - 1;
        }
        type->events = get(u, UINT64_MAX, "");
        type->slower = get(u, type->events, "more events slower than there are");
        type->excess = get_sum(u);
    }
    return u->wrong == NULL;
}

static bool get_exemplar(unpacking *u, miner_side side, uint64_t type, uint32_t bin,
                         miner_choice choice)
{
    noise_miner_event e = {.type = type, .rank = (uint32_t)get(u, UINT32_MAX, "a rank too high")};
    e.start = get_signed(u, "an instant out of range");
    e.end = e.start + get_time(u, "an event that is too long");
    e.expected = get_signed(u, "a duration out of range");
    e.cpu = get_signed(u, "a duration out of range");
    e.waited = get_signed(u, "a duration out of range");
    e.detour = get_signed(u, "a duration out of range");
    const uint32_t index = noise_synopsis_map_find(&u->s->types.index, type);
    if (u->wrong == NULL && !noise_synopsis_exemplars_put(&u->s->exemplars, &u->s->memory, side,
                                                          index, bin, choice, &e)) {
        fail(u, "too large for the memory allowed");
    }
    return u->wrong == NULL;
}

static bool get_exemplars(unpacking *u)
{
    const uint64_t num = get_number(u, UINT32_MAX, 13, "more exemplars than there are bytes");
    for (uint64_t i = 0; i < num && u->wrong == NULL; i++) {
        const miner_side side = (miner_side)get(u, MINER_FASTER, "an exemplar of nothing");
        const uint64_t type = get(u, UINT64_MAX, "");
        const uint32_t bin = (uint32_t)get(u, num_bins(&u->s->form) - 1, "a bin beyond the last");
        if (!noise_synopsis_has_type(u->s, type)) {
            return fail(u, "an exemplar of an unknown type");
        }
        for (int c = 0; c < MINER_CHOICES; c++) {
            const uint64_t chosen = get_number(u, MINER_EXEMPLARS, 7, "too many exemplars");
            for (uint64_t k = 0; k < chosen && u->wrong == NULL; k++) {
                (void)get_exemplar(u, side, type, bin, (miner_choice)c);
            }
        }
    }
    return u->wrong == NULL;
}

static void get_form(unpacking *u, miner_form *form)
{
    form->width = get_time(u, "bins that are too wide");
    form->last_bin = (uint32_t)get(u, MOST_BINS, "too many bins");
    form->window = (uint32_t)get(u, MOST_WINDOW, "windows that are too long");
    form->durations = get(u, 1, "neither yes nor no") == 1;
    if (form->width > 0 && (form->last_bin > MOST_TIME / form->width || form->window == 0)) {
        fail(u, "bins beyond all times");
    }
}

static uint64_t load(const uint8_t *from, size_t n)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++) {
        value |= (uint64_t)from[i] << (8 * i);
    }
    return value;
}

static const char *check_header(const uint8_t *bytes, size_t size)
{
    if (size < NOISE_SYNOPSIS_HEADER || memcmp(bytes, NOISE_SYNOPSIS_MAGIC, 8) != 0) {
        return "not a synopsis";
    }
    const uint64_t version = load(bytes + 8, 4);
    if (version == 1) {
        return "of version 1, which does not say when anything was; version 2 is read here: mine "
               "again";
    }
    if (version != NOISE_SYNOPSIS_VERSION) {
        return "of another version than 2, which is read here";
    }
    const uint8_t *rest = bytes + NOISE_SYNOPSIS_HEADER;
    if (load(bytes + 12, 8) != size - NOISE_SYNOPSIS_HEADER) {
        return "cut off, or followed by something else";
    }
    return load(bytes + 20, 8) == XXH3_64bits(rest, size - NOISE_SYNOPSIS_HEADER)
               ? NULL
               : "its checksum does not fit";
}

const char *noise_synopsis_unpack(noise_synopsis *s, const uint8_t *bytes, size_t size,
                                  uint64_t most_bytes, size_t *where)
{
    noise_synopsis_init(s, &(miner_form){.width = 0}, most_bytes);
    *where = 0;
    const char *wrong = check_header(bytes, size);
    if (wrong != NULL) {
        return wrong;
    }
    unpacking u = {bytes, bytes + NOISE_SYNOPSIS_HEADER, bytes + size, NULL, s};
    get_form(&u, &s->form);
    s->tick = get_time(&u, "a tick that is too long");
    s->lost = get(&u, UINT64_MAX, "");
    if (u.wrong == NULL && get_types(&u) && get_ranks(&u) && get_exposures(&u) &&
        get_exemplars(&u) && u.at != u.end) {
        fail(&u, "followed by something else");
    }
    *where = (size_t)(u.at - u.start);
    return u.wrong;
}
