/* schedgen/otf2/otf2_begin.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_otf2. */
/*
 * What a rank is before its first event and a call before its first record, and the lists of
 * records of a call. A call begins anew millions of times: field by field, as what records will
 * fill in needs no clearing. bench/bench_record.c
 */
#include "otf2/otf2_call.h"

void sched_otf2_rank_init(sched_otf2_rank *s)
{
    sched_by_number_init(&s->requests);
    s->call.send_counts = g_array_new(FALSE, FALSE, sizeof(int64_t));
    s->call.recv_counts = g_array_new(FALSE, FALSE, sizeof(int64_t));
    s->flush_begin = -SIM_TIME_MAX;
    s->flush_end = -SIM_TIME_MAX;
    s->last = -SIM_TIME_MAX;
    sched_otf2_attributes_begin(s);
    sched_otf2_window_begin(s);
}

void sched_otf2_rank_end(sched_otf2_rank *s)
{
    sched_otf2_window_end(s);
    for (uint32_t i = 0; i < s->requests.size; i++) {
        g_free(s->requests.entry[i].thing);
    }
    sched_by_number_clear(&s->requests);
    while (s->spare != NULL) {
        sched_otf2_request *spare = s->spare;
        s->spare = spare->next;
        g_free(spare);
    }
    g_free(s->call.posts.at);
    g_free(s->call.completions.at);
    g_array_unref(s->call.send_counts);
    g_array_unref(s->call.recv_counts);
}

void sched_otf2_call_begin(sched_otf2_rank *s, const sched_otf2_region *region, sim_time enter)
{
    sched_otf2_call *c = &s->call;
    c->region = region;
    c->enter = enter;
    c->cpu = -1;
    c->cpu_inside = -1;
    c->bytes = 0;
    c->recv_bytes = 0;
    c->request = 0;
    c->peer = SCHED_UNKNOWN;
    c->tag = SCHED_UNKNOWN;
    c->source = SCHED_UNKNOWN;
    c->recv_tag = SCHED_UNKNOWN;
    c->comm = OTF2_UNDEFINED_COMM;
    c->root = SCHED_UNKNOWN;
    c->has_bytes = false;
    c->has_recv_bytes = false;
    c->has_request = false;
    c->in_place = false;
    c->all_cpu = false;
    c->send.there = false;
    c->recv.there = false;
    c->collective.there = false;
    c->posts.num = 0;
    c->completions.num = 0;
    GArray *const lists[] = {c->send_counts, c->recv_counts};
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
        if (lists[i]->len > 0) {
            g_array_set_size(lists[i], 0);
        }
    }
    s->counting = NULL;
}

enum { FIRST_RECORDS = 16 };

sched_otf2_post *sched_otf2_call_post(sched_otf2_call *c)
{
    sched_otf2_posts *p = &c->posts;
    if (p->num == p->room) {
        p->room = MAX(2 * p->room, FIRST_RECORDS);
        p->at = g_renew(sched_otf2_post, p->at, p->room);
    }
    return &p->at[p->num++];
}

sched_otf2_completion *sched_otf2_call_completion(sched_otf2_call *c)
{
    sched_otf2_completions *d = &c->completions;
    if (d->num == d->room) {
        d->room = MAX(2 * d->room, FIRST_RECORDS);
        d->at = g_renew(sched_otf2_completion, d->at, d->room);
    }
    return &d->at[d->num++];
}
