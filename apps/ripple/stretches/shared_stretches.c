/* apps/ripple/stretches/shared_stretches.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_reference. */
#include "stretches/shared_stretches.h"

#include "sim/large.h"

#include <string.h>

enum { PIECE = 255 };

/* Of the list of a class. Where start < 0, there is no stretch: not yet, or never at the end. */
typedef struct piece {
    app_reference_stretch stretch[PIECE + 1];
    struct piece *next;
    uint32_t ranks; /* of the class that have not gone on to the next piece */
} piece;

typedef struct list {
    piece *first;
    piece *last;
    uint32_t n; /* in the last one */
} list;

struct app_shared_stretches {
    app_shared_source *source;
    void *user;
    uint32_t num_ranks;
    uint32_t classes;
    list *lists;                /* [classes] */
    app_reference_stretch **at; /* [num_ranks] the next one of each; in a piece */
    GMutex lock;                /* of all but the places, and what has come already */
};

static piece *new_piece(const app_shared_stretches *s)
{
    piece *p = g_new(piece, 1);
    memset(p, 0xff, sizeof *p); /* all of them start at -1 */
    p->next = NULL;
    p->ranks = s->num_ranks / s->classes;
    return p;
}

app_shared_stretches *app_shared_stretches_new(uint32_t num_ranks, uint32_t classes,
                                               app_shared_source *source, void *user)
{
    app_shared_stretches *s = g_new(app_shared_stretches, 1);
    *s = (app_shared_stretches){
        .source = source, .user = user, .num_ranks = num_ranks, .classes = classes};
    s->lists = g_new(list, classes);
    for (uint32_t c = 0; c < classes; c++) {
        piece *p = new_piece(s);
        s->lists[c] = (list){p, p, 0};
    }
    s->at = sim_large_new(num_ranks, sizeof(app_reference_stretch *));
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        s->at[rank] = s->lists[rank % classes].first->stretch;
    }
    g_mutex_init(&s->lock);
    return s;
}

void app_shared_stretches_free(app_shared_stretches *s)
{
    if (s == NULL) {
        return;
    }
    for (uint32_t c = 0; c < s->classes; c++) {
        for (piece *p = s->lists[c].first; p != NULL;) {
            piece *next = p->next;
            g_free(p);
            p = next;
        }
    }
    g_free(s->lists);
    sim_large_free(s->at);
    g_mutex_clear(&s->lock);
    g_free(s);
}

/* The rank is at the end of a piece that is not the last one. */
static app_reference_stretch *go_on(list *l, app_reference_stretch *at)
{
    piece *p = (piece *)(void *)(at - PIECE); /* its first member */
    piece *next = p->next;
    p->ranks--;
    while (l->first->ranks == 0) { /* nobody is farther back */
        piece *done = l->first;
        l->first = done->next;
        g_free(done);
    }
    return next->stretch;
}

/* Others may look at it at any time: the instant that says it is there comes last. */
static bool fill(app_shared_stretches *s, uint32_t class, app_reference_stretch *end)
{
    app_reference_stretch next;
    if (!s->source(s->user, class, &next)) {
        return false;
    }
    end->idle = next.idle;
    end->end = next.end;
    end->op = next.op;
    __atomic_store_n(&end->start, next.start, __ATOMIC_RELEASE);
    return true;
}

/* Here is nothing: the rank is between two pieces, or farther on than any other of its class. */
static app_reference_stretch *find_more(app_shared_stretches *s, uint32_t rank)
{
    list *l = &s->lists[rank % s->classes];
    app_reference_stretch *at = s->at[rank];
    if (l->n == PIECE && at == &l->last->stretch[PIECE]) {
        l->last->next = new_piece(s);
        l->last = l->last->next;
        l->n = 0;
    }
    if (at->start < 0 && at != &l->last->stretch[l->n]) {
        at = s->at[rank] = go_on(l, at);
    }
    app_reference_stretch *end = &l->last->stretch[l->n];
    if (at == end) {
        if (!fill(s, rank % s->classes, end)) {
            return NULL;
        }
        l->n++;
    }
    return at;
}

bool app_shared_stretches_take(app_shared_stretches *s, uint32_t rank, app_reference_stretch *out)
{
    app_reference_stretch *next = s->at[rank];
    if (__builtin_expect(__atomic_load_n(&next->start, __ATOMIC_ACQUIRE) < 0, 0)) {
        g_mutex_lock(&s->lock);
        next = find_more(s, rank);
        g_mutex_unlock(&s->lock);
        if (next == NULL) {
            return false;
        }
    }
    *out = *next;
    s->at[rank] = next + 1;
    return true;
}

void app_shared_stretches_near(const app_shared_stretches *s, uint32_t rank)
{
    __builtin_prefetch(&s->at[rank], 1);
}
