/* schedgen/convert/convert_lonely.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert_lonely. */
/* Which messages of each rank no call completes, and which are left out: convert_again.c. */
#include "convert/convert_private.h"

struct conv_lonely {
    gint refs;
    uint32_t num_ranks;
    GHashTable **noted;            /* [ranks] sets of messages that no call completes */
    GHashTable **left;             /* [ranks] sets of messages that are left out */
    uint64_t num_recvs, num_sends; /* in left */
};

static GHashTable **sets_new(uint32_t n)
{
    GHashTable **sets = g_new(GHashTable *, n);
    for (uint32_t i = 0; i < n; i++) {
        sets[i] = g_hash_table_new(NULL, NULL);
    }
    return sets;
}

static void sets_free(GHashTable **sets, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        g_hash_table_unref(sets[i]);
    }
    g_free(sets);
}

conv_lonely *sched_convert_lonely_new(const sched_trace *trace)
{
    conv_lonely *l = g_new0(conv_lonely, 1);
    l->refs = 1;
    l->num_ranks = trace->num_ranks;
    l->noted = sets_new(trace->num_ranks);
    l->left = sets_new(trace->num_ranks);
    return l;
}

conv_lonely *sched_convert_lonely_ref(conv_lonely *l)
{
    g_atomic_int_inc(&l->refs);
    return l;
}

void sched_convert_lonely_unref(conv_lonely *l)
{
    if (l != NULL && g_atomic_int_dec_and_test(&l->refs)) {
        sets_free(l->noted, l->num_ranks);
        sets_free(l->left, l->num_ranks);
        g_free(l);
    }
}

void sched_convert_lonely_note(conv_lonely *l, uint32_t rank, uint64_t message)
{
    g_hash_table_add(l->noted[rank], GSIZE_TO_POINTER(message));
}

bool sched_convert_lonely_noted(const conv_lonely *l, uint32_t rank, uint64_t message)
{
    return g_hash_table_contains(l->noted[rank], GSIZE_TO_POINTER(message));
}

void sched_convert_lonely_add(conv_lonely *l, uint32_t rank, uint64_t message, bool is_recv)
{
    g_hash_table_add(l->left[rank], GSIZE_TO_POINTER(message));
    *(is_recv ? &l->num_recvs : &l->num_sends) += 1;
}

bool sched_convert_is_lonely(const conv_lonely *l, uint32_t rank, uint64_t message)
{
    return g_hash_table_size(l->left[rank]) > 0 &&
           g_hash_table_contains(l->left[rank], GSIZE_TO_POINTER(message));
}

uint64_t sched_convert_lonely_count(const conv_lonely *l, bool recvs)
{
    return recvs ? l->num_recvs : l->num_sends;
}
