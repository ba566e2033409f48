/* apps/ripple/stretches/detours.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_detours. */
#include "stretches/detours.h"

enum { MOST_DETOURS = 4096 /* of one stretch; far more than noise that leaves time for work */ };
#define SHORTEST (SIM_NS / 10) /* less is how a slow core is rounded */

void app_detours_find(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work,
                      sim_time grain, app_detour_visit *visit, void *user)
{
    app_detours_find_columns(noise, rank, start, work, 0, grain, visit, user);
}

/* Is it all of one column? 0: there are no columns. */
static bool is_one_column(sim_time begin, sim_time end, sim_time width)
{
    return width > 0 && begin / width == (end - 1) / width;
}

void app_detours_find_columns(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work,
                              sim_time width, sim_time grain, app_detour_visit *visit, void *user)
{
    const sim_time end = noise->finish(noise, rank, start, work);
    for (int n = 0; start + work < end; n++) {
        sim_time before = 0;   /* so much is done before the next detour, */
        sim_time after = work; /* and so much is not */
        /* On a slow core before stays 0. What is still to come is end - start - work, at most. */
        while (after - before > (before > 0 ? grain : 1) &&
               (before == 0 || !is_one_column(start + before, end - work + after, width))) {
            const sim_time half = before + (after - before) / 2;
            *(noise->finish(noise, rank, start, half) == start + half ? &before : &after) = half;
        }
        const sim_time back = noise->finish(noise, rank, start, after);
        const sim_time length = back - start - after;
        if (n == MOST_DETOURS || length < SHORTEST) {
            visit(start + work, end, user);
            return;
        }
        visit(start + before, start + before + length, user);
        work -= after;
        start = back;
    }
}

/* As much of @p work as is done by @p by. */
static sim_time done_by(const sim_noise *others, uint32_t rank, sim_time start, sim_time work,
                        sim_time by)
{
    if (others == NULL) {
        return by - start;
    }
    sim_time done = 0;
    while (work - done > 1) { /* that all of it is not has been seen */
        const sim_time half = done + (work - done) / 2;
        *(others->finish(others, rank, start, half) <= by ? &done : &work) = half;
    }
    return done;
}

static sim_time others_finish(const app_one_detour *one, uint32_t rank, sim_time start,
                              sim_time work)
{
    return one->others != NULL ? one->others->finish(one->others, rank, start, work) : start + work;
}

static sim_time finish(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    const app_one_detour *one = (const app_one_detour *)noise; /* its first member */
    const app_detour *d = &one->detour;
    const sim_time back = d->at + d->length;
    const sim_time usual = others_finish(one, rank, start, work);
    if (rank != d->rank || work == 0 || usual <= d->at || start >= back) {
        return usual;
    }
    const sim_time done = start < d->at ? done_by(one->others, rank, start, work, d->at) : 0;
    return others_finish(one, rank, back, work - done);
}

static void prefetch(const sim_noise *noise, uint32_t rank)
{
    const app_one_detour *one = (const app_one_detour *)noise;
    if (one->others != NULL && one->others->prefetch != NULL) {
        one->others->prefetch(one->others, rank);
    }
}

app_one_detour app_one_detour_of(const app_detour *detour, const sim_noise *others)
{
    return (app_one_detour){
        .noise = {.finish = finish, .prefetch = prefetch}, .others = others, .detour = *detour};
}
