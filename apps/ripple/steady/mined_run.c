/* apps/ripple/steady/mined_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_report, cli_steady. */
#include "steady/mined_run.h"

#include "experiment/scaling.h"
#include "experiment/work.h"
#include "output/error.h"

#include <assert.h>

static const uint64_t MINED_OPS = 20000000; /* of a run, unless one pass has more */
static const uint64_t MOST_OPS = 50000000;  /* of a pass: some seconds */
static const double HEARD = 2.5;            /* how much longer a run takes that is mined, about */

void app_mined_run_choose(app_mined_run *m, const uint32_t *sizes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        m->ranks = MAX(m->ranks, sizes[i]);
    }
}

static sim_sink *choose_sink(void *data, uint32_t ranks, app_mode mode, uint32_t replica)
{
    const app_mined_run *m = data;
    assert(replica == 0); /* sink_of_first */
    (void)replica;
    return ranks == m->ranks && mode == m->mode ? noise_miner_sink(m->miner) : NULL;
}

/* Of those that are there the largest of which a pass is not too long for one more run, or the
 * smallest. They are in order. */
static void choose_size_there(app_mined_run *m, const app_results *results)
{
    uint32_t ranks = 0;
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        const bool is_short = s->num_ops / MAX(s->passes, 1) <= MOST_OPS;
        if (s->mode == m->mode && (ranks == 0 || is_short)) {
            ranks = s->ranks;
        }
    }
    m->ranks = ranks > 0 ? ranks : m->ranks;
}

static uint32_t passes_to_mine(uint64_t pass_ops, uint32_t most)
{
    return (uint32_t)CLAMP(MINED_OPS / MAX(pass_ops, 1), 1, most);
}

/* The largest that is short, else the shortest. @p than 0: none yet */
static bool is_better(uint64_t ops, uint64_t than)
{
    return than == 0 || (ops <= MOST_OPS ? ops > than || than > MOST_OPS : ops < than);
}

/* Work of the run that will be mined if all sizes are done. */
static bool plan_mining(const app_experiment *experiment, double *work, GError **error)
{
    uint64_t mined = 0;
    uint32_t ranks = 1;
    app_source_set_repeat(experiment->source, 1);
    for (size_t i = 0; i < experiment->num_sizes; i++) {
        uint64_t ops = 0;
        if (!app_source_count(experiment->source, experiment->sizes[i], &ops, error)) {
            return false;
        }
        if (is_better(ops, mined)) {
            mined = ops;
            ranks = experiment->sizes[i];
        }
    }
    const uint32_t passes = passes_to_mine(mined, UINT32_MAX);
    *work = HEARD * app_work_of_run(ranks, mined * passes, false);
    return true;
}

/* Runs of that size came in stages; what is mined is one more, as long as the last of them or
 * shorter. */
static bool mine_steady(const app_experiment *experiment, const app_results *results,
                        app_mined_run *m, GError **error)
{
    choose_size_there(m, results);
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (s->ranks != m->ranks || s->mode != m->mode) {
            continue;
        }
        app_noise noise = *experiment->noise;
        noise.cosched = false;
        noise.replicas = 1;
        app_experiment one = *experiment;
        one.noise = &noise;
        one.sizes = &m->ranks;
        one.num_sizes = 1;
        one.ideal = s->ideal;
        one.no_breakdown = true;
        const uint64_t pass_ops = s->num_ops / MAX(s->passes, 1);
        app_source_set_repeat(one.source, passes_to_mine(pass_ops, s->passes));
        GError *why = NULL;
        g_autoptr(app_results) mined = app_experiment_run(&one, &why);
        m->done = mined != NULL;
        if (mined != NULL || g_error_matches(why, APP_ERROR, APP_ERROR_STOPPED)) {
            g_clear_error(&why); /* the results are there, mined or not */
            return true;
        }
        g_propagate_error(error, why);
        return false;
    }
    return true;
}

app_results *app_mined_run_all(app_experiment *experiment, const app_steady_wish *wish,
                               app_mined_run *m, GError **error)
{
    if (!wish->wanted) {
        experiment->sink = choose_sink;
        experiment->sink_data = m;
        experiment->sink_of_first = true;
        app_results *results = app_scaling_run(experiment, error);
        m->done = results != NULL && app_results_have(results, m->ranks);
        return results;
    }
    app_steady_wish all = *wish;
    if (!app_experiment_check_memory(experiment, error) ||
        !plan_mining(experiment, &all.later, error)) {
        return NULL;
    }
    g_autoptr(app_results) results = app_steady_run(experiment, &all, error);
    experiment->sink = choose_sink;
    experiment->sink_data = m;
    experiment->sink_of_first = true;
    return results != NULL && mine_steady(experiment, results, m, error) ? g_steal_pointer(&results)
                                                                         : NULL;
}
