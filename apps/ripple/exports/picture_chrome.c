/* apps/ripple/exports/picture_chrome.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_picture_export. */
/**
 * @file
 * JSON of Chrome's "Trace Event Format": complete events (ph X) on a thread per rank, detours again
 * on a process of their own, flows (s, f) for messages and from detours to what waited behind them,
 * ripples as asynchronous slices (b, e) of one more process, since they overlap, counters (C) of
 * how many of the ranks shown are in a detour or wait for noise. Times are microseconds, with ps
 * behind the point.
 */
#include "exports/picture_export.h"

#include "sim/json_member.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_PID = 1, DETOURS_PID = 2, RIPPLES_PID = 3 };

typedef struct writer {
    const app_picture *picture;
    FILE *out;
    bool is_first;
} writer;

static void print_text(const char *text, FILE *out)
{
    g_autoptr(JsonNode) node = json_node_new(JSON_NODE_VALUE);
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    json_node_set_string(node, valid);
    g_autofree char *json = json_to_string(node, FALSE);
    fputs(json, out);
}

static void print_time(const char *key, sim_time t, FILE *out)
{
    fprintf(out, ",\"%s\":%" PRId64 ".%06d", key, t / SIM_US, (int)(t % SIM_US));
}

static void begin(writer *w, const char *phase, uint32_t pid, uint32_t tid)
{
    fprintf(w->out, "%s\n{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u", w->is_first ? "" : ",", phase, pid,
            tid);
    w->is_first = false;
}

static void name_it(writer *w, const char *what, uint32_t pid, uint32_t tid, const char *name,
                    uint32_t order)
{
    begin(w, "M", pid, tid);
    fprintf(w->out, ",\"name\":\"%s_name\",\"args\":{\"name\":", what);
    print_text(name, w->out);
    fputs("}}", w->out);
    begin(w, "M", pid, tid);
    fprintf(w->out, ",\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%u}}", what, order);
}

static void write_slice(writer *w, uint32_t pid, uint32_t rank, const app_picture_slice *s)
{
    const app_picture *p = w->picture;
    const bool is_named = s->component < p->num_components;
    begin(w, "X", pid, rank + 1);
    print_time("ts", s->begin, w->out);
    print_time("dur", s->end - s->begin, w->out);
    fprintf(w->out, ",\"cat\":\"%s\",\"name\":", app_picture_kind_name(s->kind));
    print_text(pid == DETOURS_PID && is_named ? p->components[s->component].name
                                              : app_picture_kind_name(s->kind),
               w->out);
    fputs(",\"args\":{", w->out);
    const char *comma = "";
    if (s->op != APP_PICTURE_NONE) {
        fprintf(w->out, "\"operation\":%u", s->op);
        comma = ",";
    }
    if (s->from != APP_PICTURE_NONE) {
        fprintf(w->out, "%s\"for_rank\":%u", comma, s->from);
        comma = ",";
    }
    if (s->ripple != APP_PICTURE_NONE) {
        fprintf(w->out, "%s\"ripple\":%u", comma, s->ripple + 1);
    }
    fputs("}}", w->out);
}

/* An end of a flow. */
static void write_end(writer *w, const char *phase, uint32_t rank, sim_time at, const char *what,
                      size_t id)
{
    begin(w, phase, RANKS_PID, rank + 1);
    print_time("ts", at, w->out);
    fprintf(w->out, ",\"cat\":\"%s\",\"name\":\"%s\",\"id\":%zu%s", what, what, id,
            phase[0] == 'f' ? ",\"bp\":\"e\"" : "");
}

static void write_message(writer *w, size_t index)
{
    const app_picture_message *m = &w->picture->messages[index];
    const struct {
        const char *phase;
        uint32_t rank;
        sim_time at;
    } ends[] = {{"s", m->from, m->sent}, {"f", m->to, m->received}};
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        write_end(w, ends[i].phase, ends[i].rank, ends[i].at, "message", index + 1);
        if (m->bytes >= 0) {
            fprintf(w->out, ",\"args\":{\"bytes\":%" PRId64 "}", m->bytes);
        }
        fputc('}', w->out);
    }
}

/* ---- ripples ---- */

/* From its first detour until the last wait behind it; those with nothing behind them are short. */
static void write_ripple(writer *w, size_t index)
{
    const app_picture *p = w->picture;
    const app_picture_ripple *r = &p->ripples[index];
    const struct {
        const char *phase;
        sim_time at;
    } ends[] = {{"b", r->begin}, {"e", MAX(r->end, r->until)}};
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        begin(w, ends[i].phase, RIPPLES_PID, r->rank + 1);
        print_time("ts", ends[i].at, w->out);
        fprintf(w->out, ",\"cat\":\"ripple\",\"id\":%zu,\"name\":", index + 1);
        print_text(r->component < p->num_components ? p->components[r->component].name : "ripple",
                   w->out);
        if (i == 0) {
            fprintf(w->out, ",\"args\":{\"ripple\":%zu,\"rank\":%u,\"waits\":%" G_GUINT64_FORMAT,
                    index + 1, r->rank, r->waits);
            print_time("detour_us", r->detour, w->out);
            print_time("waited_us", r->waited, w->out);
            print_time("absorbed_us", r->absorbed, w->out);
            if (r->after != APP_PICTURE_NONE) {
                fprintf(w->out, ",\"after\":%u", r->after + 1);
            }
            fputc('}', w->out);
        }
        fputc('}', w->out);
    }
}

/* From the first detour of a ripple to the last ps of each wait behind it on the ranks shown: a
 * wait may have begun before the detour that made it longer. */
static void write_ripple_flows(writer *w)
{
    const app_picture *p = w->picture;
    g_autofree sim_time *from = g_new(sim_time, p->num_ripples + 1);
    memset(from, 0xff, p->num_ripples * sizeof *from); /* not shown */
    for (size_t i = p->num_slices; i > 0; i--) {
        const app_picture_slice *s = &p->slices[i - 1];
        if (s->kind == APP_PICTURE_DETOUR && s->ripple != APP_PICTURE_NONE) {
            from[s->ripple] = s->begin;
        }
    }
    size_t id = 0;
    for (size_t l = 0; l < p->num_lanes; l++) {
        const app_picture_lane *lane = &p->lanes[l];
        for (size_t k = 0; k < lane->num_slices; k++) {
            const app_picture_slice *s = &p->slices[lane->first_slice + k];
            if (s->kind == APP_PICTURE_NOISE_WAIT && s->ripple != APP_PICTURE_NONE &&
                from[s->ripple] >= 0) {
                id++;
                write_end(w, "s", p->ripples[s->ripple].rank, from[s->ripple], "ripple", id);
                fputc('}', w->out);
                write_end(w, "f", lane->rank, s->end - 1, "ripple", id);
                fputc('}', w->out);
            }
        }
    }
}

/* One more rank, or one less, from an instant on. */
typedef struct change {
    sim_time at;
    int by;
} change;

static int by_time(const void *a, const void *b)
{
    const change *x = a;
    const change *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static void write_counter(writer *w, app_picture_kind kind, const char *name)
{
    const app_picture *p = w->picture;
    g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(change));
    for (size_t i = 0; i < p->num_slices; i++) {
        if (p->slices[i].kind == kind) {
            const change both[] = {{p->slices[i].begin, 1}, {p->slices[i].end, -1}};
            g_array_append_vals(changes, both, 2);
        }
    }
    g_array_sort(changes, by_time);
    int ranks = 0;
    for (guint i = 0; i < changes->len; i++) {
        const change *c = &g_array_index(changes, change, i);
        ranks += c->by;
        if (i + 1 == changes->len || (c + 1)->at != c->at) {
            begin(w, "C", RANKS_PID, 0);
            print_time("ts", c->at, w->out);
            fprintf(w->out, ",\"name\":\"%s\",\"args\":{\"ranks\":%d}}", name, ranks);
        }
    }
}

static void write_names(writer *w)
{
    const app_picture *p = w->picture;
    name_it(w, "process", RANKS_PID, 0, "ranks", 0);
    name_it(w, "process", DETOURS_PID, 0, "detours", 1);
    if (p->num_ripples > 0) {
        name_it(w, "process", RIPPLES_PID, 0, "ripples", 2);
    }
    for (size_t i = 0; i < p->num_lanes; i++) {
        g_autofree char *name = g_strdup_printf("rank %u", p->lanes[i].rank);
        name_it(w, "thread", RANKS_PID, p->lanes[i].rank + 1, name, p->lanes[i].rank);
        name_it(w, "thread", DETOURS_PID, p->lanes[i].rank + 1, name, p->lanes[i].rank);
    }
}

void app_picture_write_chrome(const app_picture *p, FILE *out)
{
    writer w = {p, out, true};
    fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"from\":\"ripple view\"},\"traceEvents\":[",
          out);
    write_names(&w);
    for (size_t i = 0; i < p->num_lanes; i++) {
        const app_picture_lane *l = &p->lanes[i];
        for (size_t k = 0; k < l->num_slices; k++) {
            const app_picture_slice *s = &p->slices[l->first_slice + k];
            write_slice(&w, RANKS_PID, l->rank, s);
            if (s->kind == APP_PICTURE_DETOUR) {
                write_slice(&w, DETOURS_PID, l->rank, s);
            }
        }
    }
    for (size_t i = 0; i < p->num_messages; i++) {
        write_message(&w, i);
    }
    for (size_t i = 0; i < p->num_ripples; i++) {
        write_ripple(&w, i);
    }
    write_ripple_flows(&w);
    write_counter(&w, APP_PICTURE_DETOUR, "ranks in a detour");
    write_counter(&w, APP_PICTURE_NOISE_WAIT, "ranks waiting for noise");
    fputs("\n]}\n", out);
}
