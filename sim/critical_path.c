/* sim/critical_path.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "critical_path_private.h"

#include <assert.h>

path_book *sim_path_new(const sim_program *program)
{
    path_book *book = g_new0(path_book, 1);
    book->cap_marks = 1024;
    book->mark = g_new0(path_mark, book->cap_marks);
    book->mark[PATH_START] = (path_mark){.op = SIM_ANY};
    book->num_marks = 1;
    book->first = g_new(uint64_t, program->num_ranks + (size_t)1);
    uint64_t first = 0;
    for (uint32_t r = 0; r < program->num_ranks; r++) {
        book->first[r] = first;
        first += program->class->num_ops(program, r);
    }
    book->op = g_new0(path_op, first + 1);
    book->last = g_new(uint32_t, program->num_ranks);
    for (uint32_t r = 0; r < program->num_ranks; r++) {
        book->last[r] = SIM_ANY;
    }
    return book;
}

void sim_path_free(path_book *book)
{
    if (book != NULL) {
        g_free(book->mark);
        g_free(book->first);
        g_free(book->op);
        g_free(book->last);
        g_free(book);
    }
}

uint32_t sim_path_mark(path_book *book, uint32_t before, sim_time at, path_kind kind, path_who who)
{
    if (at <= book->mark[before].at) {
        return before;
    }
    if (book->num_marks == book->cap_marks) {
        if (book->cap_marks > UINT32_MAX / 2) {
            book->full = true;
            return before;
        }
        book->cap_marks *= 2;
        book->mark = g_renew(path_mark, book->mark, book->cap_marks);
    }
    book->mark[book->num_marks] = (path_mark){.at = at,
                                              .before = before,
                                              .rank = who.rank,
                                              .op = who.op,
                                              .kind = (uint8_t)kind,
                                              .type = who.type};
    return book->num_marks++;
}

uint32_t sim_path_work(path_book *book, uint32_t before, sim_time at, sim_time work, path_kind kind,
                       path_who who)
{
    const uint32_t noisy = sim_path_mark(book, before, at - work, PATH_NOISE, who);
    return sim_path_mark(book, noisy, at, kind, who);
}

void sim_path_adopt(path_book *book, uint32_t mark, uint32_t before, uint32_t op)
{
    for (; mark != before; mark = book->mark[mark].before) {
        book->mark[mark].op = op;
    }
}

static void add_part(sim_breakdown *b, path_kind kind, sim_time length, bool own)
{
    switch (kind) {
    case PATH_COMPUTE:
        b->compute += length;
        break;
    case PATH_OVERHEAD:
        b->o += length;
        break;
    case PATH_BYTE_OVERHEAD:
        b->O += length;
        break;
    case PATH_LATENCY:
        b->L += length;
        break;
    case PATH_GAP:
        b->gap += length;
        break;
    case PATH_NOISE:
        *(own ? &b->noise : &b->peer_noise) += length;
        break;
    case PATH_NUM_KINDS:
        assert(false);
    }
}

void sim_path_explain(const path_book *book, sim_result *result)
{
    if (book->full) {
        return;
    }
    GArray *steps = g_array_new(FALSE, FALSE, sizeof(sim_path_step));
    const uint32_t last = book->last[result->makespan_rank];
    uint32_t mark = PATH_START;
    if (last != SIM_ANY) {
        mark = book->op[book->first[result->makespan_rank] + last].finish;
    }
    for (; mark != PATH_START; mark = book->mark[mark].before) {
        const path_mark *m = &book->mark[mark];
        const sim_time from = book->mark[m->before].at;
        const sim_time length = m->at - from;
        add_part(&result->breakdown, (path_kind)m->kind, length, m->rank == result->makespan_rank);
        sim_path_step *step =
            steps->len > 0 ? &g_array_index(steps, sim_path_step, steps->len - 1) : NULL;
        if (step == NULL || step->rank != m->rank || step->op != m->op) {
            const sim_path_step next = {
                .rank = m->rank, .op = m->op, .type = m->type, .finish = m->at};
            g_array_append_val(steps, next);
            step = &g_array_index(steps, sim_path_step, steps->len - 1);
        }
        step->start = from;
        step->noise += m->kind == PATH_NOISE ? length : 0;
    }
    result->explained = true;
    result->path_len = steps->len;
    result->path = (sim_path_step *)(void *)g_array_free(steps, FALSE);
}
