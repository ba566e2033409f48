/* apps/ripple/stretches/stretch_log.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_stretch_log. */
#include "stretches/stretch_log.h"

#include "sim/scratch_file.h"
#include "stretches/length_table.h"
#include "stretches/number_bytes.h"

#include <stdio.h>
#include <string.h>

/* A stretch takes at most so many bytes, and a group of one rank; what is written at once. */
enum { STRETCH = 8 * APP_NUMBER_BYTES, GROUP = 255, BLOCK = 1 << 18 };

/* A head says the place of work and type, and what else follows: */
enum { PLACE = 0x1f, HAS_IDLE = 0x20, HAS_OP = 0x40 /* not the next one */, HAS_MORE = 0x80 };
enum { MORE_NOISE = 1, MORE_USUAL = 2 /* idle time is another */, MORE_CAUSE = 4 };

struct app_stretch_log {
    FILE *stream; /* NULL: it has failed */
    app_length_table lengths;
    uint8_t *block; /* [BLOCK] groups: difference of ranks, bytes, stretches */
    size_t n;       /* of it */
    uint32_t rank;  /* of the group */
    uint8_t *group; /* where its bytes are counted; NULL: none has begun */
    uint32_t next_op;
};

app_stretch_log *app_stretch_log_new(void)
{
    app_stretch_log *log = g_new0(app_stretch_log, 1);
    log->stream = sim_scratch_file(NULL, NULL);
    log->block = g_new(uint8_t, BLOCK);
    return log;
}

static void give_up(app_stretch_log *log)
{
    if (log->stream != NULL) {
        (void)fclose(log->stream);
        log->stream = NULL;
    }
}

void app_stretch_log_free(app_stretch_log *log)
{
    if (log != NULL) {
        give_up(log);
        g_free(log->block);
        g_free(log);
    }
}

static void write_block(app_stretch_log *log)
{
    const uint32_t n = (uint32_t)log->n;
    if (log->stream != NULL && n > 0 &&
        (fwrite(&n, sizeof n, 1, log->stream) != 1 || fwrite(log->block, n, 1, log->stream) != 1)) {
        give_up(log);
    }
    log->n = 0;
    log->rank = 0;
    log->group = NULL;
}

static void begin_group(app_stretch_log *log, uint32_t rank)
{
    if (log->n + APP_NUMBER_BYTES + 1 + GROUP > BLOCK) {
        write_block(log);
    }
    uint8_t *out = log->block + log->n;
    log->group = app_number_put(out, app_number_fold((int64_t)rank - log->rank));
    *log->group = 0;
    log->n = (size_t)(log->group + 1 - log->block);
    log->rank = rank;
    log->next_op = 0;
}

static uint8_t *put_more(uint8_t *out, const app_observed_stretch *s, unsigned more)
{
    *out++ = (uint8_t)more;
    if ((more & MORE_NOISE) != 0) {
        out = app_number_put(out, (uint64_t)(s->end - s->start - s->work));
    }
    if ((more & MORE_USUAL) != 0) {
        out = app_number_put(out, app_number_fold(s->usual_idle - (s->start - s->idle_from)));
    }
    if ((more & MORE_CAUSE) != 0) {
        out = app_number_put(out, app_number_fold((int64_t)s->cause_rank - s->rank));
        out = app_number_put(out, s->cause_op);
    }
    return out;
}

void app_stretch_log_add(app_stretch_log *log, const app_observed_stretch *s)
{
    if (log->group == NULL || log->rank != s->rank || *log->group + STRETCH > GROUP) {
        begin_group(log, s->rank);
    }
    const sim_time idle = s->start - s->idle_from;
    const uint64_t length = (uint64_t)s->work << 2 | s->type;
    const unsigned more = (s->end - s->start != s->work ? MORE_NOISE : 0U) |
                          (s->usual_idle != idle ? MORE_USUAL : 0U) |
                          (s->cause_rank != s->rank ? MORE_CAUSE : 0U);
    const unsigned at = app_length_place(&log->lengths, length);
    uint8_t *begin = log->block + log->n;
    uint8_t *out = begin;
    *out++ = (uint8_t)(at | (idle != 0 ? HAS_IDLE : 0U) | (s->op != log->next_op ? HAS_OP : 0U) |
                       (more != 0 ? HAS_MORE : 0U));
    if (at == APP_LENGTH_PLACES) {
        out = app_number_put(out, length);
    }
    if (idle != 0) {
        out = app_number_put(out, (uint64_t)idle);
    }
    if (s->op != log->next_op) {
        out = app_number_put(out, app_number_fold((int64_t)s->op - log->next_op));
    }
    if (more != 0) {
        out = put_more(out, s, more);
    }
    log->next_op = s->op + 1;
    *log->group = (uint8_t)(*log->group + (out - begin));
    log->n += (size_t)(out - begin);
}

/* ---- once more ---- */

typedef struct reader {
    const app_stretch_log *log;
    const bool *wanted;
    sim_time *end; /* [num_ranks] of the stretch before */
    app_stretch_log_visit *visit;
    void *user;
} reader;

static app_observed_stretch read_one(const reader *r, uint32_t rank, uint32_t next_op,
                                     const uint8_t **in)
{
    const unsigned head = *(*in)++;
    const unsigned at = head & PLACE;
    const uint64_t length =
        at == APP_LENGTH_PLACES ? app_number_get(in) : app_length_at(&r->log->lengths, at);
    const sim_time idle = (head & HAS_IDLE) != 0 ? (sim_time)app_number_get(in) : 0;
    app_observed_stretch s = {.idle_from = r->end[rank],
                              .start = r->end[rank] + idle,
                              .work = (sim_time)(length >> 2),
                              .usual_idle = idle,
                              .rank = rank,
                              .op = next_op,
                              .cause_rank = rank,
                              .cause_op = UINT32_MAX,
                              .type = (uint8_t)(length & 3)};
    if ((head & HAS_OP) != 0) {
        s.op = (uint32_t)((int64_t)next_op + app_number_unfold(app_number_get(in)));
    }
    const unsigned more = (head & HAS_MORE) != 0 ? *(*in)++ : 0;
    const sim_time noise = (more & MORE_NOISE) != 0 ? (sim_time)app_number_get(in) : 0;
    s.end = s.start + s.work + noise;
    if ((more & MORE_USUAL) != 0) {
        s.usual_idle += app_number_unfold(app_number_get(in));
    }
    if ((more & MORE_CAUSE) != 0) {
        s.cause_rank = (uint32_t)((int64_t)rank + app_number_unfold(app_number_get(in)));
        s.cause_op = (uint32_t)app_number_get(in);
    }
    return s;
}

static void read_block(const reader *r, const uint8_t *in, size_t n)
{
    const uint8_t *end = in + n;
    uint32_t rank = 0;
    while (in < end) {
        rank = (uint32_t)((int64_t)rank + app_number_unfold(app_number_get(&in)));
        const uint8_t *after = in + 1 + *in;
        in++;
        uint32_t next_op = 0;
        while (in < after && r->wanted[rank]) {
            const app_observed_stretch s = read_one(r, rank, next_op, &in);
            r->end[rank] = s.end;
            next_op = s.op + 1;
            r->visit(&s, r->user);
        }
        in = after;
    }
}

bool app_stretch_log_read(app_stretch_log *log, const bool *wanted, uint32_t num_ranks,
                          app_stretch_log_visit *visit, void *user)
{
    write_block(log);
    if (log->stream == NULL || fflush(log->stream) != 0 || fseek(log->stream, 0, SEEK_SET) != 0) {
        return false;
    }
    g_autofree sim_time *end = g_new0(sim_time, num_ranks);
    const reader r = {log, wanted, end, visit, user};
    uint32_t n;
    while (fread(&n, sizeof n, 1, log->stream) == 1) {
        if (n > BLOCK || fread(log->block, n, 1, log->stream) != 1) {
            return false;
        }
        read_block(&r, log->block, n);
    }
    return ferror(log->stream) == 0;
}
