/* tests/sim/record/fuzz_run_record.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Any bytes as the record of a run, with the right marks and checksums, or nothing but those would
 * be tried: refused with a message, or explained with a path that
 * adds up, and waits that are some.
 */
#include "fuzz.h"
#include "sim/run_record.h"
#include "sim/run_wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* docs/formats.md, "The record of a run". */
enum {
    HEAD = 96,
    HEAD_SUM = 88,
    LEVELS = 72,
    LEVELS_SUM = 64,
    LABEL_BYTES = 28,
    CHUNK = 32,
    CHUNK_SUM = 24,
    END = 56,
    END_SUM = 48
};

static uint64_t checksum(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    return XXH3_64bits_withSeed(b, b_bytes, XXH3_64bits(a, a_bytes));
}

static uint32_t get32(const char *at)
{
    uint32_t x;
    memcpy(&x, at, sizeof x);
    return x;
}

static void put32(char *at, uint32_t x)
{
    memcpy(at, &x, sizeof x);
}

static void put64(char *at, uint64_t x)
{
    memcpy(at, &x, sizeof x);
}

static void seal_chunks(char *data, size_t at, size_t end)
{
    while (at + CHUNK <= end) {
        const size_t bytes = get32(data + at + 8);
        if (bytes > end - at - CHUNK) {
            return;
        }
        put32(data + at, 0x4b4e4843); /* "CHNK" */
        put64(data + at + CHUNK_SUM, checksum(data + at, CHUNK_SUM, data + at + CHUNK, bytes));
        at += CHUNK + bytes;
    }
}

static void seal(char *data, size_t size)
{
    static const char magic[8] = {'\x89', 'R', 'H', 'B', '\r', '\n', '\x1a', '\n'};
    const uint32_t order_version[2] = {0x01020304, get32(data + 12) == 2 ? 2 : 1};
    memcpy(data, magic, sizeof magic);
    memcpy(data + 8, order_version, sizeof order_version);
    const size_t label = get32(data + LABEL_BYTES);
    const size_t levels = order_version[1] == 2 ? LEVELS : 0;
    const size_t places = (size_t)get32(data + 20) * sizeof(uint64_t);
    if (label > size - HEAD - END || levels > size - HEAD - END - label ||
        places > size - HEAD - END - label - levels) {
        return;
    }
    put64(data + HEAD_SUM, checksum(data, HEAD_SUM, data + HEAD, label));
    if (levels > 0) {
        put64(data + HEAD + label + LEVELS_SUM, XXH3_64bits(data + HEAD + label, LEVELS_SUM));
    }
    char *end = data + size - END;
    seal_chunks(data, HEAD + label + levels, size - END - places);
    put32(end, 0x20444e45); /* "END " */
    put64(end + 40, size);
    put64(end + END_SUM, checksum(end - places, places, end, END_SUM));
}

static void check_path(const sim_result *r)
{
    const sim_breakdown *b = &r->breakdown;
    sim_time at = r->makespan;
    for (size_t i = 0; i < r->path_len; i++) {
        if (r->path[i].finish != at || r->path[i].rank >= r->num_ranks) {
            abort();
        }
        at = r->path[i].start;
    }
    if (at != 0 || b->compute + b->o + b->O + b->L + b->gap + b->node + b->peer_noise + b->noise !=
                       r->makespan) {
        abort();
    }
}

static void check_wait(const sim_wait *wait, void *user)
{
    const sim_run_facts *facts = user;
    if (wait->rank >= facts->num_ranks || wait->length <= 0 || wait->start < 0 ||
        wait->finish < wait->start || wait->cause.kind >= SIM_NUM_CAUSES) {
        abort();
    }
}

static void check_waits(const sim_run_record *record)
{
    sim_run_facts facts = sim_run_record_facts(record);
    g_autoptr(GError) error = NULL;
    if (!sim_run_record_visit_waits(record, check_wait, &facts, &error) &&
        (error == NULL || error->message[0] == '\0')) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD + END) {
        return 0;
    }
    g_autofree char *input = g_memdup2(data, size);
    seal(input, size);
    FILE *file = fopen("fuzz.hb", "wb"); /* g_file_set_contents() would wait for the disk */
    if (file == NULL || fwrite(input, 1, size, file) != size || fclose(file) != 0) {
        abort();
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_run_record) record = sim_run_record_open("fuzz.hb", &error);
    g_autoptr(sim_result) result = record != NULL ? sim_run_record_explain(record, &error) : NULL;
    if (result != NULL) {
        check_path(result);
    } else if (error == NULL || error->message[0] == '\0') {
        abort();
    }
    if (record != NULL) {
        check_waits(record);
    }
    return 0;
}
