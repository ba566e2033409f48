/* apps/ripple/view/lanes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_view_run. */
#include "view/lanes.h"

#include "view/rank_ops.h"

#include <stdlib.h>

/* ---- which ---- */

typedef struct loser {
    sim_time lost;
    uint32_t rank;
} loser;

static bool is_worse(const loser *a, const loser *b)
{
    return a->lost != b->lost ? a->lost > b->lost : a->rank < b->rank;
}

uint32_t *app_lanes_worst(const app_observer *o, uint32_t most, uint32_t *n)
{
    g_autofree loser *list = g_new(loser, MAX(most, 1));
    uint32_t len = 0;
    for (uint32_t rank = 0; rank < o->options.num_ranks && most > 0; rank++) {
        const sim_time *time = o->ranks[rank].time;
        const loser next = {time[APP_PICTURE_DETOUR] + time[APP_PICTURE_NOISE_WAIT], rank};
        if (len == most && !is_worse(&next, &list[len - 1])) {
            continue;
        }
        uint32_t at = len < most ? len++ : len - 1;
        for (; at > 0 && is_worse(&next, &list[at - 1]); at--) {
            list[at] = list[at - 1];
        }
        list[at] = next;
    }
    uint32_t *ranks = g_new(uint32_t, MAX(len, 1));
    for (uint32_t i = 0; i < len; i++) {
        ranks[i] = list[i].rank;
    }
    *n = len;
    return ranks;
}

/* ---- slices ---- */

typedef struct filler {
    app_picture *picture;
    const app_observer *observer;
    const app_lane_noise *noise;
    GArray *slices;
    GArray *messages;
    GHashTable *sends;               /* of key_of(rank, op): its index in kept, and 1 */
    const app_ripples *ripples;      /* of what is kept; NULL: not known */
    uint32_t ripple;                 /* of the detours of what is cut into slices, */
    uint32_t waits_in;               /* and that its waiting is in */
    const app_observed_stretch *now; /* what is cut into slices */
    sim_time reached;                /* so much of it is */
} filler;

static const uint8_t KIND_OF[] = {[SIM_OP_CALC] = APP_PICTURE_COMPUTE,
                                  [SIM_OP_SEND] = APP_PICTURE_SEND,
                                  [SIM_OP_RECV] = APP_PICTURE_RECV};

static void add(filler *f, sim_time begin, sim_time end, app_picture_slice slice)
{
    slice.begin = MAX(begin, f->picture->from);
    slice.end = MIN(end, f->picture->to);
    if (slice.begin < slice.end) {
        g_array_append_val(f->slices, slice);
    }
}

/* The first that takes the CPU while the detour lasts. */
static uint32_t component_of(const filler *f, uint32_t rank, sim_time begin, sim_time end)
{
    const app_lane_noise *n = f->noise;
    const app_detour *d = n->injected;
    if (d != NULL && d->rank == rank && begin < d->at + d->length && end > d->at) {
        return (uint32_t)n->num_components;
    }
    for (size_t i = 0; i < n->num_components; i++) {
        const sim_noise *one = n->components[i];
        if (one != NULL && one->finish(one, rank, begin, 1) > begin + 1) {
            return (uint32_t)i;
        }
    }
    for (size_t i = 0; i < n->num_components; i++) { /* it queued behind another */
        const sim_noise *one = n->components[i];
        if (one != NULL && one->finish(one, rank, begin, end - begin) > end) {
            return (uint32_t)i;
        }
    }
    return APP_PICTURE_NONE;
}

static void add_detour(sim_time begin, sim_time end, void *user)
{
    filler *f = user;
    const app_observed_stretch *s = f->now;
    const app_picture_slice work = {.from = APP_PICTURE_NONE,
                                    .op = s->op,
                                    .component = APP_PICTURE_NONE,
                                    .ripple = APP_PICTURE_NONE,
                                    .kind = KIND_OF[s->type]};
    add(f, f->reached, begin, work);
    app_picture_slice detour = work;
    detour.ripple = f->ripple;
    detour.kind = APP_PICTURE_DETOUR;
    detour.component = component_of(f, s->rank, begin, end);
    add(f, begin, end, detour);
    if (detour.component < f->picture->num_components && begin < f->picture->to &&
        end > f->picture->from) {
        f->picture->components[detour.component].detours++;
        f->picture->components[detour.component].length += end - begin;
    }
    if (detour.ripple != APP_PICTURE_NONE &&
        f->picture->ripples[detour.ripple].component == APP_PICTURE_NONE) {
        f->picture->ripples[detour.ripple].component = detour.component;
    }
    f->reached = end;
}

static void add_stretch(filler *f, const app_observed_stretch *s)
{
    const sim_time idle = s->start - s->idle_from;
    const sim_time usual = MIN(idle, MAX(s->usual_idle, 0));
    app_picture_slice slice = {.from = s->cause_rank != s->rank ? s->cause_rank : APP_PICTURE_NONE,
                               .op = s->op,
                               .component = APP_PICTURE_NONE,
                               .ripple = APP_PICTURE_NONE,
                               .kind = APP_PICTURE_WAIT};
    add(f, s->idle_from, s->idle_from + usual, slice);
    slice.kind = APP_PICTURE_NOISE_WAIT;
    slice.ripple = f->waits_in;
    add(f, s->idle_from + usual, s->start, slice);
    slice.ripple = APP_PICTURE_NONE;
    f->now = s;
    f->reached = s->start;
    if (f->noise->all != NULL && s->end - s->start > s->work) {
        app_detours_find(f->noise->all, s->rank, s->start, s->work, 1, add_detour, f);
    }
    if (f->noise->all == NULL && s->end - s->start > s->work) { /* nobody knows where */
        add_detour(s->start + s->work, s->end, f);
    }
    slice.from = APP_PICTURE_NONE;
    slice.kind = KIND_OF[s->type];
    add(f, f->reached, s->end, slice);
}

/* ---- messages ---- */

static gint64 key_of(uint32_t rank, uint32_t op)
{
    return (gint64)(((uint64_t)rank << 32) | op);
}

static void add_message(filler *f, const app_observed_stretch *s)
{
    if (s->type != SIM_OP_RECV || s->cause_rank == s->rank ||
        !app_ripples_is_shown(f->picture, s)) {
        return;
    }
    const gint64 key = key_of(s->cause_rank, s->cause_op);
    const guint found = GPOINTER_TO_UINT(g_hash_table_lookup(f->sends, &key));
    if (found == 0) {
        return;
    }
    const app_observed_stretch *from =
        &g_array_index(f->observer->kept, app_observed_stretch, found - 1);
    if (!app_ripples_is_shown(f->picture, from)) {
        return;
    }
    const app_picture_message message = {.from = from->rank,
                                         .to = s->rank,
                                         .sent = from->start,
                                         .received = s->start,
                                         .bytes = -1,
                                         .send = s->cause_op};
    g_array_append_val(f->messages, message);
}

static int by_receipt(const void *a, const void *b)
{
    const app_picture_message *x = a;
    const app_picture_message *y = b;
    return x->received != y->received ? (x->received < y->received ? -1 : 1)
                                      : (x->to > y->to) - (x->to < y->to);
}

/* Bytes of the messages of a rank, by the index of its send. */
typedef struct sizes {
    GHashTable *by_send; /* of key_of(): of a GArray of app_picture_message, the index and 1 */
    GArray *messages;
    uint32_t rank;
} sizes;

static void note_size(uint32_t index, const sim_op *op, void *user)
{
    const sizes *s = user;
    const gint64 key = key_of(s->rank, index);
    const guint found =
        op->type == SIM_OP_SEND ? GPOINTER_TO_UINT(g_hash_table_lookup(s->by_send, &key)) : 0;
    if (found > 0) {
        g_array_index(s->messages, app_picture_message, found - 1).bytes = op->size;
    }
}

enum { MOST_LOOKED_THROUGH = 1 << 22 /* operations of a rank, for their sizes */ };

static void add_sizes(filler *f, const sim_program *program, const uint32_t *chosen, uint32_t n)
{
    g_autoptr(GHashTable) by_send =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint i = 0; i < f->messages->len; i++) {
        const app_picture_message *m = &g_array_index(f->messages, app_picture_message, i);
        const gint64 key = key_of(m->from, m->send);
        g_hash_table_insert(by_send, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(i + 1));
    }
    sizes s = {by_send, f->messages, 0};
    for (uint32_t i = 0; i < n && f->messages->len > 0; i++) {
        s.rank = chosen[i];
        app_rank_ops_visit(program, chosen[i], MOST_LOOKED_THROUGH, note_size, &s);
    }
}

/* ---- all ---- */

/* Stretches of each chosen rank, in order of time: a list for each. */
static GPtrArray *sort_out(const app_observer *o, const uint32_t *chosen, uint32_t n)
{
    GPtrArray *lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    g_autofree uint32_t *lane_of = g_new(uint32_t, o->options.num_ranks);
    memset(lane_of, 0xff, o->options.num_ranks * sizeof *lane_of);
    for (uint32_t i = 0; i < n; i++) {
        lane_of[chosen[i]] = i;
        g_ptr_array_add(lists, g_array_new(FALSE, FALSE, sizeof(guint)));
    }
    for (guint i = 0; i < o->kept->len; i++) {
        const uint32_t lane = lane_of[g_array_index(o->kept, app_observed_stretch, i).rank];
        if (lane != UINT32_MAX) {
            g_array_append_val(g_ptr_array_index(lists, lane), i);
        }
    }
    return lists;
}

static void note_sends(filler *f, const GArray *list)
{
    for (guint i = 0; i < list->len; i++) {
        const guint index = g_array_index(list, guint, i);
        const app_observed_stretch *s =
            &g_array_index(f->observer->kept, app_observed_stretch, index);
        if (s->type == SIM_OP_SEND) {
            const gint64 key = key_of(s->rank, s->op);
            g_hash_table_insert(f->sends, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(index + 1));
        }
    }
}

static app_picture_lane fill_lane(filler *f, uint32_t rank, const GArray *list)
{
    const app_observer *o = f->observer;
    app_picture_lane lane = {.rank = rank,
                             .finish = o->ranks[rank].finish,
                             .first_slice = f->slices->len,
                             .whole_until = o->kept_all ? SIM_TIME_MAX : o->kept_until};
    memcpy(lane.time, o->ranks[rank].time, sizeof lane.time);
    for (guint i = 0; i < list->len; i++) {
        const app_observed_stretch *s =
            &g_array_index(o->kept, app_observed_stretch, g_array_index(list, guint, i));
        if (s->start < lane.whole_until) {
            const uint32_t index = g_array_index(list, guint, i);
            f->ripple = f->ripples != NULL ? f->ripples->of[index] : APP_PICTURE_NONE;
            f->waits_in =
                f->ripples != NULL ? app_ripples_nearest(f->ripples, index) : APP_PICTURE_NONE;
            add_stretch(f, s);
            add_message(f, s);
        }
    }
    lane.num_slices = f->slices->len - lane.first_slice;
    return lane;
}

void app_lanes_fill(app_picture *picture, const app_observer *observer, const uint32_t *chosen,
                    uint32_t n, const app_lane_noise *noise, const app_ripples *ripples,
                    const sim_program *program)
{
    filler f = {.picture = picture,
                .observer = observer,
                .noise = noise,
                .ripples = ripples,
                .slices = g_array_new(FALSE, FALSE, sizeof(app_picture_slice)),
                .messages = g_array_new(FALSE, FALSE, sizeof(app_picture_message)),
                .sends = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL)};
    g_autoptr(GPtrArray) lists = sort_out(observer, chosen, n);
    for (uint32_t i = 0; i < n; i++) {
        note_sends(&f, g_ptr_array_index(lists, i));
    }
    picture->num_lanes = n;
    picture->lanes = g_new0(app_picture_lane, MAX(n, 1));
    for (uint32_t i = 0; i < n; i++) {
        picture->lanes[i] = fill_lane(&f, chosen[i], g_ptr_array_index(lists, i));
    }
    g_array_sort(f.messages, by_receipt);
    if (program != NULL) {
        add_sizes(&f, program, chosen, n);
    }
    g_hash_table_unref(f.sends);
    picture->num_slices = f.slices->len;
    picture->slices = (app_picture_slice *)g_array_free(f.slices, FALSE);
    picture->num_messages = f.messages->len;
    picture->messages = (app_picture_message *)g_array_free(f.messages, FALSE);
}
