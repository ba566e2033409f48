/* sim/engine/run_passes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_passes. */
/*
 * Passes that need not be simulated, since they are the same as one that was: docs/model.md,
 * section 6.6.
 *
 *      where ranks stand     A ──pass──▶ B ──pass──▶ C ──pass──▶ C    known from here on
 *
 * What happens in a pass follows from where ranks stand when they begin it, and moves along with
 * it in time, as long as no detour is met. So where ranks stand is kept, relative to the first of
 * them, with the pass that was simulated from there; when they stand like that again, and nothing
 * but the time of the day has changed, the pass is known.
 *
 * Where that is rare, what is left of the program is run as a whole.
 */
#include "engine/run_private.h"
#include "sim/error.h"
#include "sim/passes.h"
#include "sim/slices.h"

#include <glib.h>
#include <string.h>

#define FEWEST_PASSES 3 /* the second mostly begins in another way than the first */
#define MOST_BYTES    ((size_t)64 << 20) /* of what is known */
#define LOOK_EVERY    32U                /* passes that are simulated */
#define AT_LEAST      8U                 /* that are not, meanwhile, or this is given up */
#define WATCH_EVERY   (1U << 18)         /* operations, some 10 ms */
#define PASS_COST     1000U /* operations: beginning and end of one that is simulated */
#define KNOWN_COST    4U    /* of one that is not */
#define NOT_NOTED     (-1)

/* A way to stand, and what comes of it. All instants are relative to that when the first goes on.
 */
typedef struct known_pass known_pass;
struct known_pass {
    known_pass *next;  /* how ranks stand after it; NULL: not known */
    sim_time later;    /* when the first goes on then */
    sim_time end;      /* of all that happens in it */
    sim_time slice[2]; /* sim_slices.end, or NOT_NOTED */
    size_t num_words;
    sim_time word[]; /* engine_standing.at */
};

typedef struct passes {
    const sim_program *program;
    const sim_params *params;
    const sim_run_options *options;
    sim_program *one; /* pass */
    uint32_t num_passes, done, simulated;
    bool *is_idle; /* [num_ranks] it has no operations at all */
    engine_standing standing;
    size_t num_words;     /* of it */
    size_t rx_at;         /* in a block: the first of the clocks that may matter in the past */
    GHashTable *known;    /* of known_pass */
    size_t bytes;         /* of them */
    uint32_t tried, told; /* since the last look: passes that were simulated, and were not */
    uint64_t unwatched;   /* cost since the watch looked, in operations */
    uint64_t pass_ops, pass_messages;
    uint64_t num_ops, num_messages;
} passes;

/* ---- what is known -------------------------------------------------------------------------- */

static guint hash(gconstpointer key)
{
    const known_pass *k = key;
    uint64_t h = 0;
    for (size_t i = 0; i < k->num_words; i++) {
        h = (h ^ (uint64_t)k->word[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return (guint)h;
}

static gboolean are_equal(gconstpointer a, gconstpointer b)
{
    const known_pass *x = a;
    const known_pass *y = b;
    return memcmp(x->word, y->word, x->num_words * sizeof *x->word) == 0;
}

/* When the first rank goes on. */
static sim_time first_of(const passes *p)
{
    sim_time first = SIM_TIME_MAX;
    bool any = false;
    for (uint32_t r = 0; r < p->program->num_ranks; r++) {
        if (!p->is_idle[r]) {
            first = MIN(first, engine_standing_at(&p->standing, r)[0]);
            any = true;
        }
    }
    return any ? first : 0;
}

/*
 * How a rank stands, relative to @p first. Its CPU and what it sends with are not asked for before
 * it goes on; nor is what it receives with before any rank does, but then perhaps before it goes on
 * itself.
 */
static void put_relative(const passes *p, uint32_t rank, sim_time first, sim_time *out)
{
    const sim_time *at = engine_standing_at(&p->standing, rank);
    for (size_t i = 0; i < p->standing.width; i++) {
        out[i] = engine_max(at[i], i < p->rx_at ? at[0] : first) - first;
    }
}

/* How ranks stand now, as something known. @return NULL: there is no room for more */
static known_pass *know(passes *p)
{
    const size_t bytes = sizeof(known_pass) + p->num_words * sizeof(sim_time);
    known_pass *now = g_malloc0(bytes);
    now->num_words = p->num_words;
    p->standing.first = first_of(p);
    for (uint32_t r = 0; r < p->program->num_ranks; r++) {
        if (!p->is_idle[r]) {
            put_relative(p, r, p->standing.first, now->word + r * p->standing.width);
        }
    }
    known_pass *known = g_hash_table_lookup(p->known, now);
    if (known != NULL || p->bytes + bytes > MOST_BYTES) {
        g_free(now);
        return known;
    }
    p->bytes += bytes;
    g_hash_table_add(p->known, now);
    return now;
}

/* Ranks stand like this, the first at standing.first. */
static void stand_like(passes *p, const known_pass *k)
{
    for (uint32_t r = 0; r < p->program->num_ranks; r++) {
        sim_time *at = engine_standing_at(&p->standing, r);
        for (size_t i = 0; i < p->standing.width && !p->is_idle[r]; i++) {
            at[i] = p->standing.first + k->word[r * p->standing.width + i];
        }
    }
}

/* From @p first on, is there no detour before @p end later? */
static bool is_quiet(const passes *p, sim_time first, sim_time end)
{
    const sim_noise *noise = p->options->noise;
    return first <= SIM_TIME_MAX - end &&
           (noise == NULL || noise->finish(noise, 0, first, end) == first + end);
}

/* ---- passes --------------------------------------------------------------------------------- */

typedef struct passes_watch {
    sim_watch base; /* first: it is handed out as this */
    const passes *p;
} passes_watch;

static bool look(sim_watch *watch, uint64_t num_ops, sim_time now)
{
    const passes *p = ((const passes_watch *)(const void *)watch)->p;
    sim_watch *outer = p->options->watch;
    return outer->look(outer, p->num_ops + num_ops, now);
}

/* @p program, some passes, from where ranks stand. @p slices: theirs. */
static sim_result *run(passes *p, const sim_program *program, const sim_slices *slices,
                       GError **error)
{
    passes_watch watch = {{look}, p};
    sim_run_options options = *p->options;
    options.slices = slices;
    options.watch = options.watch != NULL ? &watch.base : NULL;
    sim_result *result = sim_engine_run(program, p->params, &options, &p->standing, error);
    if (result != NULL) {
        p->num_ops += result->num_ops;
        p->num_messages += result->num_messages;
    }
    return result;
}

static void note_slices(const passes *p, sim_time first, const sim_time *slice)
{
    const sim_slices *slices = p->options->slices;
    for (uint32_t i = 0; slices != NULL && i < 2; i++) {
        slices->end[2 * p->done + i] = slice[i] != NOT_NOTED ? first + slice[i] : 0;
    }
}

/* The next pass, which is known. */
static known_pass *tell(passes *p, const known_pass *k)
{
    note_slices(p, p->standing.first, k->slice);
    p->standing.first += k->later;
    p->num_ops += p->pass_ops;
    p->num_messages += p->pass_messages;
    p->done++;
    p->told++;
    p->unwatched += KNOWN_COST;
    return k->next;
}

/* The next pass is simulated. @return false with an error */
static bool simulate(passes *p, known_pass *k, known_pass **next, GError **error)
{
    const sim_time first = p->standing.first;
    sim_time end[2] = {NOT_NOTED, NOT_NOTED};
    const sim_slices slices = {2, end};
    stand_like(p, k);
    g_autoptr(sim_result) result = run(p, p->one, &slices, error);
    if (result == NULL) {
        return false;
    }
    p->pass_ops = result->num_ops;
    p->pass_messages = result->num_messages;
    for (int i = 0; i < 2; i++) {
        end[i] -= end[i] != NOT_NOTED ? first : 0;
    }
    note_slices(p, first, end);
    *next = know(p);
    const sim_time length = MAX(result->makespan - first, 0);
    if (is_quiet(p, first, length)) {
        k->next = *next;
        k->later = p->standing.first - first;
        k->end = length;
        memcpy(k->slice, end, sizeof end);
    }
    p->done++;
    p->simulated++;
    p->tried++;
    p->unwatched += p->pass_ops + PASS_COST;
    return true;
}

/* What is left is simulated as a whole. */
static bool simulate_rest(passes *p, GError **error)
{
    const uint32_t n = p->num_passes - p->done;
    sim_slices slices = {2 * n, NULL};
    if (p->options->slices != NULL) {
        slices.end = p->options->slices->end + 2 * (size_t)p->done;
    }
    sim_program *rest = p->program->methods->passes->some(p->program, n);
    g_autoptr(sim_result) result = run(p, rest, slices.end != NULL ? &slices : NULL, error);
    sim_program_free(rest);
    p->done += n;
    p->simulated += n;
    return result != NULL;
}

/* Every so many simulated passes: were enough of those since the last look known? */
static bool is_worth_while(passes *p)
{
    if (p->tried < LOOK_EVERY) {
        return true;
    }
    const bool worth = p->told >= AT_LEAST;
    p->tried = p->told = 0;
    return worth;
}

/* Each run of a pass may be too short to look itself. @return false: the watch has ended it */
static bool is_watched(passes *p)
{
    sim_watch *watch = p->options->watch;
    if (watch == NULL || p->unwatched < WATCH_EVERY) {
        return true;
    }
    p->unwatched = 0;
    return watch->look(watch, p->num_ops, p->standing.first);
}

/* All passes. @return false, perhaps with an error: this is for sim_engine_run() */
static bool run_all(passes *p, GError **error)
{
    known_pass *now = know(p);
    while (p->done < p->num_passes) {
        if (now != NULL && now->next != NULL && is_quiet(p, p->standing.first, now->end)) {
            now = tell(p, now);
        } else if (now == NULL || !is_worth_while(p)) {
            return simulate_rest(p, error);
        } else if (!simulate(p, now, &now, error)) {
            return false;
        }
        if (!is_watched(p)) {
            g_set_error(error, SIM_ERROR, SIM_ERROR_STOPPED, "the run was stopped");
            return false;
        }
    }
    if (now != NULL) {
        stand_like(p, now);
    }
    return true;
}

static sim_result *result_of(const passes *p)
{
    sim_result *result = g_new0(sim_result, 1);
    result->num_ranks = p->program->num_ranks;
    result->num_ops = p->num_ops;
    result->num_messages = p->num_messages;
    result->simulated_passes = p->simulated < p->num_passes ? p->simulated : 0;
    result->finish = g_new(sim_time, result->num_ranks);
    for (uint32_t r = 0; r < result->num_ranks; r++) {
        result->finish[r] = p->is_idle[r] ? 0 : engine_standing_at(&p->standing, r)[0];
        if (result->finish[r] > result->makespan) {
            result->makespan = result->finish[r];
            result->makespan_rank = r;
        }
    }
    return result;
}

/* ---- whether -------------------------------------------------------------------------------- */

/* Does anybody ask for what happens in each pass? */
static bool is_each_wanted(const sim_run_options *options)
{
    return options->sink != NULL || options->record != NULL || options->explain;
}

/*
 * Does what happens in a pass follow from where ranks stand? A rank may get messages of one that is
 * in the next pass already. They are nothing to it while no receive takes them that is posted: so
 * no receive may take what comes from anyone, and no CPU may accept what nobody has asked for.
 */
static bool is_by_standing(const sim_program *program, const sim_params *params,
                           const sim_run_options *options)
{
    sim_level level[MESSAGE_LEVELS];
    message_levels_of(params, options->levels, level);
    const bool has_node = options->levels != NULL && options->levels->has_node;
    return params->progress == SIM_PROGRESS_POLLING && !program->any_source &&
           params->rendezvous == SIM_RENDEZVOUS_HANDSHAKE && params->L > 0 &&
           (!has_node || level[MESSAGE_NODE].L > 0);
}

static bool may_tell(const sim_program *program, const sim_params *params,
                     const sim_run_options *options)
{
    return program->methods->passes != NULL && options->symmetry && !is_each_wanted(options) &&
           (options->noise == NULL || options->noise->same) &&
           program->num_slices / 2 >= FEWEST_PASSES && program->num_ranks > 0 &&
           is_by_standing(program, params, options);
}

static void passes_init(passes *p, const sim_program *program, const sim_params *params,
                        const sim_run_options *options)
{
    const bool has_node = options->levels != NULL && options->levels->has_node;
    const event_list_layout layout = sim_event_list_layout(program, has_node, false, 0);
    *p = (passes){.program = program, .params = params, .options = options};
    p->num_passes = program->num_slices / 2;
    p->standing.width = 1 + (size_t)layout.num_clocks;
    p->num_words = program->num_ranks * p->standing.width;
    p->rx_at = 1 + (size_t)layout.rx_at;
    p->known = g_hash_table_new_full(hash, are_equal, g_free, NULL);
}

sim_result *sim_engine_run_passes(const sim_program *program, const sim_params *params,
                                  const sim_run_options *options, GError **error)
{
    if (!may_tell(program, params, options)) {
        return NULL;
    }
    passes p;
    passes_init(&p, program, params, options);
    sim_result *result = NULL;
    const bool fits = p.num_words <= MOST_BYTES / sizeof(sim_time) / FEWEST_PASSES;
    p.one = fits ? program->methods->passes->some(program, 1) : NULL;
    if (p.one != NULL) {
        p.standing.at = g_new0(sim_time, p.num_words);
        p.is_idle = g_new(bool, program->num_ranks);
        for (uint32_t r = 0; r < program->num_ranks; r++) {
            p.is_idle[r] = program->methods->num_ops(program, r) == 0;
        }
        g_autoptr(GError) why = NULL;
        if (run_all(&p, &why)) {
            result = result_of(&p);
        } else if (g_error_matches(why, SIM_ERROR, SIM_ERROR_STOPPED)) {
            g_propagate_error(error, g_steal_pointer(&why));
        } else {
            sim_slices_clear(options->slices);
        }
        sim_program_free(p.one);
        g_free(p.standing.at);
        g_free(p.is_idle);
    }
    g_hash_table_unref(p.known);
    return result;
}
