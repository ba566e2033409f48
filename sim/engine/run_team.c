/* sim/engine/run_team.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_random. */
/*
 * One thread per partition. The threads meet once a window: when all have run it, each takes in
 * what the others have sent, knows by itself which window is next, and runs that. (More often if
 * windows have a second half.) A thread that waits first polls for a while, since windows are
 * short, and then sleeps.
 */
#include "engine/run_private.h"

#include <glib.h>
#include <stdatomic.h>

#define LOOKS   256U /* between two looks at the clock: one takes 5 to 50 ns, by processor */
#define MOST_US 20   /* of them */

/* Opens when all have come. */
typedef struct gate {
    atomic_uint members;
    atomic_uint arrived;
    atomic_uint times_opened;
    GMutex mutex; /* for those that sleep */
    GCond opened;
} gate;

typedef enum { TEAM_BEGIN, TEAM_WINDOWS, TEAM_END } team_task;

struct engine_team {
    engine *e;
    uint32_t num_threads; /* besides the caller */
    team_task task;
    uint64_t unwatched; /* engine.unwatched after the task */
    gate gate;
    GThread **thread;
    struct member *member;
};

typedef struct member {
    engine_team *team;
    engine_partition *partition;
} member;

static void look_again(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* @return has the gate opened? Else it may take longer. */
static bool looks_until_open(const gate *g, unsigned before)
{
    const gint64 begin = g_get_monotonic_time();
    do {
        for (unsigned i = 0; i < LOOKS; i++) {
            if (atomic_load(&g->times_opened) != before) {
                return true;
            }
            look_again();
        }
    } while (g_get_monotonic_time() - begin < MOST_US);
    return false;
}

static void pass(gate *g)
{
    const unsigned before = atomic_load(&g->times_opened);
    if (atomic_fetch_add(&g->arrived, 1) + 1 == atomic_load(&g->members)) {
        atomic_store(&g->arrived, 0);
        g_mutex_lock(&g->mutex);
        atomic_store(&g->times_opened, before + 1);
        g_cond_broadcast(&g->opened);
        g_mutex_unlock(&g->mutex);
        return;
    }
    if (looks_until_open(g, before)) {
        return;
    }
    g_mutex_lock(&g->mutex);
    while (atomic_load(&g->times_opened) == before) {
        g_cond_wait(&g->opened, &g->mutex);
    }
    g_mutex_unlock(&g->mutex);
}

static void pass_gate(engine_team *team)
{
    pass(&team->gate);
}

/* A window is run: while others run it, what comes next is begun. */
static void run_ahead(engine_team *team, engine_partition *partition)
{
    const gate *g = &team->gate;
    if (team->e->goes_on) {
        while (atomic_load(&g->arrived) + 1 < atomic_load(&g->members) &&
               team->e->turns->run_ahead(partition)) {
        }
    }
}

/* The second half of a window: all share in it while there is enough to do, one does the rest. */
static void do_order(engine_team *team, engine_partition *partition)
{
    engine *e = team->e;
    const size_t enough = e->serial_below; /* releases at once */
    pass_gate(team);                       /* all have seen that there is one */
    sim_engine_begin_order(partition);
    size_t done = 0;
    size_t n = sim_engine_num_kept(e);
    while (n - done >= enough) {
        sim_engine_take_releases(partition);
        pass_gate(team);
        sim_engine_go_on(partition);
        pass_gate(team);
        done = n;
        n = sim_engine_num_kept(e);
    }
    pass_gate(team);
    if (partition == e->partition[0]) {
        sim_engine_run_in_order(e);
    }
    pass_gate(team);
    sim_engine_end_order(partition);
}

/* Where releases are immediate: one window. */
static void run_in_halves(engine_team *team, engine_partition *partition)
{
    team->e->turns->run_window(partition);
    pass_gate(team);
    if (sim_engine_is_order_needed(team->e)) {
        do_order(team, partition);
    }
    team->e->turns->take_in(partition);
}

/* @return engine.unwatched after all */
static uint64_t run_windows(engine_team *team, engine_partition *partition)
{
    engine *e = team->e;
    uint64_t unwatched = e->unwatched;
    bool more = true;
    while (more) {
        e->turns->run_window(partition);
        run_ahead(team, partition);
        sim_engine_look_out(partition);
        const uint32_t side = partition->side;
        uint64_t next = 0;
        pass_gate(team);
        more = sim_engine_goes_on_to(e, side, &next, &unwatched);
        e->turns->take_in(partition);
        if (more) {
            sim_calendar_queue_advance(&partition->queue, next, e->ranks, e->layout.rank_bytes);
        }
    }
    return unwatched;
}

/* The share of a thread in a task; the last gate is the caller's to pass. */
static void do_share(engine_team *team, engine_partition *partition)
{
    if (team->task == TEAM_BEGIN) {
        team->e->turns->begin_partition(partition);
    } else if (team->e->instant) {
        run_in_halves(team, partition);
    } else {
        const uint64_t unwatched = run_windows(team, partition);
        if (partition == team->e->partition[0]) {
            team->unwatched = unwatched;
        }
    }
}

static gpointer work(gpointer data)
{
    const member *m = data;
    for (;;) {
        pass_gate(m->team);
        if (m->team->task == TEAM_END) {
            return NULL;
        }
        do_share(m->team, m->partition);
        pass_gate(m->team);
    }
}

engine_team *sim_engine_team_new(engine *e)
{
    if (e->num_partitions == 1) {
        return NULL;
    }
    engine_team *team = g_new0(engine_team, 1);
    team->e = e;
    g_mutex_init(&team->gate.mutex);
    g_cond_init(&team->gate.opened);
    team->thread = g_new(GThread *, e->num_partitions);
    team->member = g_new(member, e->num_partitions);
    atomic_init(&team->gate.members, e->num_partitions);
    for (uint32_t i = 1; i < e->num_partitions; i++) {
        team->member[i] = (member){.team = team, .partition = e->partition[i]};
        GThread *thread = g_thread_try_new("ripple-engine", work, &team->member[i], NULL);
        if (thread == NULL) { /* those that there are go home */
            atomic_store(&team->gate.members, i);
            sim_engine_team_free(team);
            return NULL;
        }
        team->thread[team->num_threads++] = thread;
    }
    return team;
}

/* All do a task. */
static void do_task(engine_team *team, team_task task)
{
    team->task = task;
    pass_gate(team);
    do_share(team, team->e->partition[0]);
    pass_gate(team);
}

void sim_engine_team_begin(engine_team *team)
{
    do_task(team, TEAM_BEGIN);
}

void sim_engine_team_run_windows(engine_team *team)
{
    team->unwatched = team->e->unwatched;
    do_task(team, TEAM_WINDOWS);
    team->e->unwatched = team->unwatched;
}

void sim_engine_team_free(engine_team *team)
{
    if (team == NULL) {
        return;
    }
    team->task = TEAM_END;
    pass_gate(team);
    for (uint32_t i = 0; i < team->num_threads; i++) {
        g_thread_join(team->thread[i]);
    }
    g_mutex_clear(&team->gate.mutex);
    g_cond_clear(&team->gate.opened);
    g_free(team->thread);
    g_free(team->member);
    g_free(team);
}
