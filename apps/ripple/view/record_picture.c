/* apps/ripple/view/record_picture.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_record_picture. */
#include "view/record_picture.h"

#include "view/lanes.h"
#include "view/path.h"
#include "view/view_run.h"

#include "sim/run_wait.h"

/* A record does not say on which CPU of its rank an operation ran: what begins before the one
 * before has ended is on another one. */
static void observe(const sim_event *event, void *user)
{
    app_observer *o = user;
    if (event->start < o->ranks[event->rank].finish) {
        o->further++;
    } else {
        o->sink.events(&o->sink, event, 1);
    }
}

static bool look(app_observer *o, const sim_run_record *record, const bool *is_kept,
                 size_t most_kept, const sim_time time[2], GError **error)
{
    const app_observer_options options = {.num_ranks = sim_run_record_facts(record).num_ranks,
                                          .injected = APP_PICTURE_NONE,
                                          .is_kept = is_kept,
                                          .from = time[0],
                                          .to = time[1] > 0 ? time[1] : SIM_TIME_MAX,
                                          .most_kept = most_kept};
    app_observer_init(o, &options);
    const bool ok = sim_run_record_visit_work(record, observe, o, error);
    app_observer_gather(o);
    return ok;
}

static void fill_totals(app_picture *p, const app_observer *o)
{
    for (uint32_t rank = 0; rank < p->num_ranks; rank++) {
        for (int k = 0; k < APP_PICTURE_NUM_KINDS; k++) {
            p->time[k] += o->ranks[rank].time[k];
        }
    }
    p->further = o->further;
}

/* It is read once for the sums, which say who the worst are, and once for the lanes. */
static bool fill(app_picture *p, const sim_run_record *record, const uint32_t *lanes, uint32_t n,
                 const sim_time time[2], GError **error)
{
    g_auto(app_observer) sums = {0};
    if (!look(&sums, record, NULL, 0, time, error)) {
        return false;
    }
    fill_totals(p, &sums);
    g_autofree uint32_t *worst = lanes == NULL ? app_lanes_worst(&sums, n, &n) : NULL;
    const uint32_t *chosen = lanes != NULL ? lanes : worst;
    g_autofree bool *is_kept = g_new0(bool, p->num_ranks);
    for (uint32_t i = 0; i < n; i++) {
        is_kept[chosen[i]] = true;
    }
    g_auto(app_observer) kept = {0};
    if (n > 0 && !look(&kept, record, is_kept, APP_VIEW_KEPT_OF_LANES, time, error)) {
        return false;
    }
    const app_lane_noise noise = {0};
    app_lanes_fill(p, n > 0 ? &kept : &sums, chosen, n, &noise, NULL, NULL);
    return true;
}

app_picture *app_record_picture(const sim_run_record *record, const uint32_t *lanes, uint32_t n,
                                sim_time from, sim_time to, GError **error)
{
    const sim_run_facts facts = sim_run_record_facts(record);
    g_autoptr(app_picture) p = g_new0(app_picture, 1);
    const sim_time time[2] = {from, to};
    p->num_ranks = facts.num_ranks;
    p->makespan = facts.makespan;
    p->has_no_usual = true;
    p->from = from;
    p->to = to > 0 ? MIN(to, p->makespan) : p->makespan;
    if (!fill(p, record, lanes, n, time, error) ||
        (facts.num_ops <= APP_VIEW_PATH_OPS && !app_path_fill(p, record, error))) {
        return NULL;
    }
    return g_steal_pointer(&p);
}
