/* noise/sample_record.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The file detect.RANK, by which a rank that is scored while it runs hands on how long its typical
 * sequences took: a header, then blocks that are appended; each is a head and up to
 * NOISE_SAMPLE_ROOM records, in the byte order and layout of the machine that wrote it. Who reads
 * it sees whole blocks, while the rank goes on. Memory is fixed. No GLib. Not installed. Who reads
 * it: noise/sample_reader.h.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOISE_SAMPLE_FILE    "detect."  /* and the rank */
#define NOISE_SAMPLE_MAGIC   "ripplesm" /* 8 bytes */
#define NOISE_SAMPLE_VERSION 2

enum { NOISE_SAMPLE_ROOM = 256 }; /* records of a block */

typedef struct noise_sample_header {
    char magic[8];
    uint32_t version;
    uint32_t header_bytes, block_bytes, record_bytes; /* sizes of what is defined here */
    uint32_t rank, num_ranks;
    uint32_t num_sequences; /* of the model */
    uint32_t unused;        /* 0 */
    uint64_t run;           /* the same in the files of all ranks of a run, in no others */
    uint64_t model;         /* its checksum: whose sequences these are */
    uint64_t check;         /* of all before */
} noise_sample_header;

/** How a rank ended. */
typedef enum {
    NOISE_SAMPLE_RUNNING,
    NOISE_SAMPLE_FINALIZED, /* by MPI_Finalize */
    NOISE_SAMPLE_CUT_OFF    /* before: by exit, MPI_Abort or a signal that can be caught */
} noise_sample_end;

/** Of the rank from its beginning up to the end of this block. */
typedef struct noise_sample_totals {
    uint64_t calls;         /* that sequences are made of */
    uint64_t covered_calls; /* that are part of an occurrence of any sequence */
    int64_t compute;        /* ps, of all these calls; >= 0 */
    int64_t covered_compute;
    int64_t until; /* ps, when the last call was left; before the first: 0 */
} noise_sample_totals;

typedef struct noise_sample_block {
    uint32_t num; /* records, <= NOISE_SAMPLE_ROOM */
    uint32_t end; /* noise_sample_end; nothing follows one that is not RUNNING */
    noise_sample_totals totals;
    uint64_t check; /* of all before, and of the records */
} noise_sample_block;

/** One occurrence of a typical sequence, noise_sample of noise/sequences.h; times in ps. */
typedef struct noise_sample_record {
    uint64_t t;         /* of a sequence: greater than that of the one before */
    int64_t begin, end; /* its first computation began, its last call was entered */
    int64_t compute;    /* of its calls, >= 0 */
    int64_t off;        /* of it, off the CPU, 0..compute; -1: not known */
    uint32_t sequence;  /* < num_sequences */
    uint32_t unused;    /* 0 */
} noise_sample_record;

/** A block as it is written. */
typedef struct noise_sample_page {
    noise_sample_block block;
    noise_sample_record record[NOISE_SAMPLE_ROOM];
} noise_sample_page;

/** Fill in what does not depend on the rank, and the checksum. */
void noise_sample_header_seal(noise_sample_header *header);
/** Fill in the checksum. @return bytes to write, from the page's first on */
size_t noise_sample_page_seal(noise_sample_page *page);

/** Are these bytes as they were sealed? Their meaning is not looked at. */
bool noise_sample_header_is_whole(const noise_sample_header *header);
bool noise_sample_page_is_whole(const noise_sample_page *page);
