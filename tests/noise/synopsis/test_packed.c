/* tests/noise/synopsis/test_packed.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* A synopsis as bytes: a function of the set of events alone, whatever the order, the splits and
 * the tree of merges; and the same again after it was read. */
#include "check.h"
#include "random_events.h"
#include "synopsis/packed.h"

#include <string.h>

enum { EVENTS = 3000, PARTS = 12, SEEDS = 100 };

static const miner_form FORMS[] = {
    {.width = 0},
    {.width = 10000000, .last_bin = 300, .window = 50, .durations = true},
};

static const char *const NAMES[RANDOM_TYPES] = {"MPI_Send 8 KiB", "b", "c", "d", "", NULL};

static GBytes *pack(const noise_synopsis *s)
{
    size_t size = 0;
    uint8_t *bytes = noise_synopsis_pack(s, &size);
    GBytes *copy = g_bytes_new(bytes, size);
    free(bytes);
    return copy;
}

static bool unpack(noise_synopsis *s, GBytes *bytes, uint64_t most, const char *what)
{
    size_t where = 0;
    size_t size = 0;
    const uint8_t *data = g_bytes_get_data(bytes, &size);
    const char *wrong = noise_synopsis_unpack(s, data, size, most, &where);
    return CHECK(wrong == NULL, "%s: %s at byte %zu", what, wrong, where);
}

static void name_all(noise_synopsis *s)
{
    for (uint64_t t = 0; t < RANDOM_TYPES; t++) {
        if (NAMES[t] != NULL) {
            noise_synopsis_name_type(s, t, NAMES[t]);
        }
    }
}

static GBytes *bytes_of_whole(const miner_form *form, uint64_t seed)
{
    noise_synopsis s;
    noise_synopsis_init(&s, form, 0);
    s.tick = 1000;
    name_all(&s);
    for (uint64_t i = 0; i < EVENTS; i++) {
        const noise_miner_event e = random_event(seed, i);
        noise_synopsis_add(&s, &e);
    }
    GBytes *bytes = pack(&s);
    noise_synopsis_clear(&s);
    return bytes;
}

/* Some events go to each part, in chunks or one by one; each part may name types or not. */
static void fill_parts(noise_synopsis *part, uint64_t n, const miner_form *form, uint64_t seed)
{
    for (uint64_t p = 0; p < n; p++) {
        noise_synopsis_init(&part[p], form, 0);
        part[p].tick = p % 2 == 0 ? 1000 : 3000;
    }
    name_all(&part[random_below(seed, 999999, n)]);
    uint64_t at = 0;
    const uint64_t stay = 1 + random_below(seed, 999998, 200);
    for (uint64_t i = 0; i < EVENTS; i++) {
        at = random_below(seed, 1000000 + i, stay) == 0 ? random_below(seed, 2000000 + i, n) : at;
        const noise_miner_event e = random_event(seed, i);
        noise_synopsis_add(&part[at], &e);
    }
}

/* One of three ways: as it is, moved, or over bytes as between processes. */
static void merge_any_way(noise_synopsis *to, noise_synopsis *from, uint64_t way)
{
    if (way == 0) {
        CHECK(noise_synopsis_merge(to, from));
    } else if (way == 1) {
        CHECK(noise_synopsis_absorb(to, from));
        CHECK_I64(from->memory.used, 0);
    } else {
        g_autoptr(GBytes) bytes = pack(from);
        noise_synopsis read;
        unpack(&read, bytes, 0, "part");
        CHECK(noise_synopsis_merge(to, &read));
        noise_synopsis_clear(&read);
    }
    noise_synopsis_clear(from);
}

static void a_hundred_splits_and_trees_give_the_same_bytes(void)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const miner_form *form = &FORMS[seed % 2];
        g_autoptr(GBytes) whole = bytes_of_whole(form, seed);
        noise_synopsis part[PARTS];
        uint64_t n = 2 + random_below(seed, 77, PARTS - 1);
        fill_parts(part, n, form, seed);
        for (uint64_t step = 0; n > 1; step++) { /* any two of those that are left */
            const uint64_t from = random_below(seed, 3000000 + step, n);
            const uint64_t to = (from + 1 + random_below(seed, 4000000 + step, n - 1)) % n;
            merge_any_way(&part[to], &part[from], random_below(seed, 5000000 + step, 3));
            part[from] = part[--n];
        }
        g_autoptr(GBytes) merged = pack(&part[0]);
        CHECK(g_bytes_equal(merged, whole), "seed %u", (unsigned)seed);
        noise_synopsis_clear(&part[0]);
        CHECK_I64(part[0].memory.used, 0);
    }
}

static void what_is_read_is_written_again_in_the_same_bytes(void)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        g_autoptr(GBytes) whole = bytes_of_whole(&FORMS[seed % 2], seed);
        noise_synopsis read;
        if (unpack(&read, whole, 0, "whole")) {
            g_autoptr(GBytes) again = pack(&read);
            CHECK(g_bytes_equal(again, whole), "seed %u", (unsigned)seed);
        }
        noise_synopsis_clear(&read);
    }
}

static void another_event_gives_other_bytes(void)
{
    g_autoptr(GBytes) whole = bytes_of_whole(&FORMS[0], 1);
    for (int field = 0; field < 5; field++) {
        noise_synopsis s;
        noise_synopsis_init(&s, &FORMS[0], 0);
        s.tick = 1000;
        name_all(&s);
        for (uint64_t i = 0; i < EVENTS; i++) {
            noise_miner_event e = random_event(1, i);
            if (i == EVENTS - 1) {
                e.rank += field == 0;
                e.type = field == 1 ? 3 - e.type % 2 : e.type;
                e.end += field == 2;
                e.cpu += field == 3;
                e.start -= field == 4;
            }
            noise_synopsis_add(&s, &e);
        }
        g_autoptr(GBytes) other = pack(&s);
        CHECK(!g_bytes_equal(other, whole), "field %d", field);
        noise_synopsis_clear(&s);
    }
}

/* The checksum finds every wrong byte, so that what the reader checks beside is shown without it.
 */
static void every_wrong_or_missing_byte_is_found(void)
{
    noise_synopsis s;
    noise_synopsis_init(&s, &FORMS[0], 0);
    for (uint64_t i = 0; i < 20; i++) {
        const noise_miner_event e = random_event(3, i);
        noise_synopsis_add(&s, &e);
    }
    g_autoptr(GBytes) bytes = pack(&s);
    noise_synopsis_clear(&s);
    size_t size = 0;
    const uint8_t *data = g_bytes_get_data(bytes, &size);
    for (size_t i = 0; i < size; i++) {
        g_autofree uint8_t *wrong = g_memdup2(data, size);
        wrong[i] ^= 1;
        size_t where = 0;
        noise_synopsis read;
        CHECK(noise_synopsis_unpack(&read, wrong, size, 0, &where) != NULL, "byte %zu", i);
        noise_synopsis_clear(&read);
        CHECK(noise_synopsis_unpack(&read, data, i, 0, &where) != NULL, "%zu bytes", i);
        noise_synopsis_clear(&read);
    }
}

static void an_empty_one_is_read_as_well(void)
{
    noise_synopsis s;
    noise_synopsis read;
    noise_synopsis_init(&s, &FORMS[0], 0);
    g_autoptr(GBytes) bytes = pack(&s);
    CHECK(unpack(&read, bytes, 0, "empty") && read.types.num == 0);
    noise_synopsis_clear(&read);
    noise_synopsis_clear(&s);
}

static void reading_stays_within_its_budget(void)
{
    g_autoptr(GBytes) whole = bytes_of_whole(&FORMS[0], 2);
    size_t size = 0;
    const uint8_t *data = g_bytes_get_data(whole, &size);
    for (uint64_t most = 1; most < 400000; most += 9973) {
        size_t where = 0;
        noise_synopsis read;
        const char *wrong = noise_synopsis_unpack(&read, data, size, most, &where);
        CHECK(wrong != NULL && strstr(wrong, "memory") != NULL, "%" G_GUINT64_FORMAT, most);
        CHECK(read.memory.used <= most);
        noise_synopsis_clear(&read);
    }
}

SUITE_MAIN("packed", TEST(a_hundred_splits_and_trees_give_the_same_bytes),
           TEST(what_is_read_is_written_again_in_the_same_bytes),
           TEST(another_event_gives_other_bytes), TEST(every_wrong_or_missing_byte_is_found),
           TEST(an_empty_one_is_read_as_well), TEST(reading_stays_within_its_budget))
