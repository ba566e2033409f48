/* collectives/walk.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_program, test_coll_flow. */
#include "coll/walk.h"

#include "algorithms/bytes_private.h"
#include "step_private.h"

#include <assert.h>

_Static_assert(sizeof(coll_walk) == 32, "two fit a cache line");

bool coll_course_check(const coll_call *call, coll_algorithm algorithm, GError **error)
{
    const char *name = coll_kind_name(call->kind);
    const coll_call normal = coll_call_normal(call, algorithm);
    if (normal.size < 1 || normal.root >= normal.size || normal.bytes < 0) {
        g_set_error(error, COLL_ERROR, COLL_ERROR_NOT_APPLICABLE,
                    "%s of %" G_GINT64_FORMAT " bytes on %u ranks with root %u cannot be done",
                    name, normal.bytes, normal.size, normal.root);
        return false;
    }
    if (algorithm.how == NULL && !coll_call_is_empty(&normal)) {
        g_autofree char *known = coll_algorithm_list(call->kind);
        g_set_error(error, COLL_ERROR, COLL_ERROR_NOT_APPLICABLE,
                    "%s on %u ranks needs an algorithm; known for it: %s", name, call->size, known);
        return false;
    }
    return coll_algorithm_check(algorithm, call->kind, call->size, error);
}

uint64_t coll_course_max_steps(const coll_call *call, coll_algorithm algorithm)
{
    return coll_algorithm_max_rounds(algorithm, call->size) * 3 * COLL_MAX_PHASE;
}

void coll_course_init(coll_course *course, const coll_call *call, coll_algorithm algorithm)
{
    assert(call->bytes >= 0);
    const coll_algorithm none = {0};
    *course = (coll_course){
        .call = coll_call_normal(call, algorithm),
        .phases = coll_phases(call->size == 1 ? none : algorithm, call->kind),
    };
    assert(course->call.root < call->size);
    const coll_phase *const first = course->phases[0];
    if (first != NULL && first->course != NULL && course->phases[1] == NULL) {
        course->kind = first->course(&course->call);
    }
    if (course->kind != COLL_COURSE_ANY) {
        course->bytes = coll_whole_bytes(&course->call);
        course->num_rounds = coll_log2_ceil(call->size);
        course->combines = sim_rate_times(call->reduce, course->bytes) > 0;
    }
}

bool coll_walk_find(const coll_course *course, uint32_t rank, coll_walk *walk)
{
    coll_call call = course->call;
    coll_round round;
    uint32_t phase = walk->phase;
    call.rank = rank;
    const bool found = coll_round_find(&call, course->phases, &phase, &walk->position, &round);
    walk->phase = (uint8_t)phase;
    if (!found) {
        return false;
    }
    walk->position++;
    walk->to = round.to;
    walk->from = round.from;
    walk->send = round.send;
    walk->recv = round.recv;
    walk->combines = round.combine > 0 && sim_rate_times(call.reduce, round.combine) > 0;
    walk->due = round.to != COLL_NOBODY ? COLL_DUE_SEND : COLL_DUE_RECV;
    return true;
}

sim_time coll_walk_work(const coll_course *course, uint32_t rank, const coll_walk *walk)
{
    coll_call call = course->call;
    if (course->kind != COLL_COURSE_ANY) {
        return sim_rate_times(call.reduce, course->bytes);
    }
    coll_round round;
    uint32_t phase = walk->phase;
    uint32_t position = walk->position - 1;
    call.rank = rank;
    const bool found = coll_round_find(&call, course->phases, &phase, &position, &round);
    assert(found);
    return found ? sim_rate_times(call.reduce, round.combine) : 0;
}

uint64_t coll_course_num_steps(const coll_course *course, uint32_t rank)
{
    if (course->kind != COLL_COURSE_ANY) {
        return (uint64_t)course->num_rounds * (course->combines ? 3 : 2);
    }
    const coll_phase *const first = course->phases[0];
    if (first != NULL && first->num_steps != NULL && course->phases[1] == NULL) {
        coll_call call = course->call;
        call.rank = rank;
        return first->num_steps(&call);
    }
    coll_walk walk = {0};
    uint64_t n = 0;
    while (coll_walk_find(course, rank, &walk)) {
        n += (walk.to != COLL_NOBODY) + (walk.from != COLL_NOBODY) + walk.combines;
    }
    return n;
}
