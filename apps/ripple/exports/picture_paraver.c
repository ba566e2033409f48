/* apps/ripple/exports/picture_paraver.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_picture_export. */
/**
 * @file
 * Paraver's three files: one application, a task of one thread for each rank shown, all on a node
 * of as many CPUs. States without a gap, events where a detour begins and ends, of which ripple it
 * is, what waited behind it; the same of waits for noise; communications.
 */
#include "exports/picture_export.h"

#include "sim/unit.h"

#include <inttypes.h>

enum { IDLE = 0, FIRST_OWN = 40 };

/* Types of events; those of `ripple monitor` are 91000000 to 91000010 (docs/formats.md). */
enum {
    DETOUR_EVENT = 91000020, /* a component */
    RIPPLE_EVENT,            /* of a detour: its ripple, */
    WAIT_EVENT,              /* of waiting for noise: the ripple that it is in */
    BEHIND_EVENT             /* ns that were waited behind a detour, by all ranks */
};

typedef struct state {
    const char *name;
    uint32_t number;
    unsigned red, green, blue;
} state;

/* Paraver's own numbers where it has one; colours as on the page (Okabe and Ito). */
static const state STATES[APP_PICTURE_NUM_KINDS] = {
    [APP_PICTURE_COMPUTE] = {"Running", 1, 0, 114, 178},
    [APP_PICTURE_SEND] = {"Immediate Send", 10, 86, 180, 233},
    [APP_PICTURE_RECV] = {"Immediate Receive", 11, 0, 158, 115},
    [APP_PICTURE_WAIT] = {"Waiting a message", 3, 200, 200, 200},
    [APP_PICTURE_NOISE_WAIT] = {"Waiting for noise", FIRST_OWN, 230, 159, 0},
    [APP_PICTURE_DETOUR] = {"Detour", FIRST_OWN + 1, 213, 94, 0},
};

/* A line; at one instant states come first, then what ends, what begins, messages. */
typedef struct line {
    sim_time time;
    uint32_t order;
    uint32_t task;
    char *text;
} line;

enum { ORDER_STATE, ORDER_END, ORDER_BEGIN, ORDER_MESSAGE };

static int by_time(const void *a, const void *b)
{
    const line *x = a;
    const line *y = b;
    if (x->time != y->time) {
        return x->time < y->time ? -1 : 1;
    }
    if (x->order != y->order) {
        return x->order < y->order ? -1 : 1;
    }
    return (x->task > y->task) - (x->task < y->task);
}

static void free_line(void *data)
{
    g_free(((line *)data)->text);
}

/* ns from the beginning of the time shown. */
static sim_time instant(const app_picture *p, sim_time t)
{
    return (t - p->from) / SIM_NS;
}

static void add(GArray *lines, sim_time time, uint32_t order, uint32_t task, char *text)
{
    const line l = {time, order, task, text};
    g_array_append_val(lines, l);
}

static void add_state(GArray *lines, uint32_t task, sim_time from, sim_time to, uint32_t number)
{
    if (from < to) {
        add(lines, from, ORDER_STATE, task,
            g_strdup_printf("1:%u:1:%u:1:%" PRId64 ":%" PRId64 ":%u", task, task, from, to,
                            number));
    }
}

static void add_event(GArray *lines, sim_time at, uint32_t order, uint32_t task,
                      const GString *pairs)
{
    add(lines, at, order, task,
        g_strdup_printf("2:%u:1:%u:1:%" PRId64 "%s", task, task, at, pairs->str));
}

/* Pairs of type and value of one instant are one line. */
static void add_events(const app_picture *p, const app_picture_slice *s, uint32_t task,
                       GArray *lines)
{
    const bool is_detour = s->kind == APP_PICTURE_DETOUR;
    const bool has_ripple = s->ripple != APP_PICTURE_NONE;
    const bool is_wait = s->kind == APP_PICTURE_NOISE_WAIT && has_ripple;
    if ((!is_detour && !is_wait) || instant(p, s->begin) == instant(p, s->end)) {
        return; /* what is no ns long cannot end after it has begun */
    }
    g_autoptr(GString) begin = g_string_new(NULL);
    g_autoptr(GString) end = g_string_new(NULL);
    if (is_detour) {
        const uint32_t value =
            s->component < p->num_components ? s->component + 1 : (uint32_t)p->num_components + 1;
        g_string_append_printf(begin, ":%u:%u", DETOUR_EVENT, value);
        g_string_append_printf(end, ":%u:0", DETOUR_EVENT);
    }
    if (has_ripple) {
        const unsigned type = is_detour ? RIPPLE_EVENT : WAIT_EVENT;
        g_string_append_printf(begin, ":%u:%u", type, s->ripple + 1);
        g_string_append_printf(end, ":%u:0", type);
    }
    if (is_detour && has_ripple) {
        g_string_append_printf(begin, ":%u:%" PRId64, BEHIND_EVENT,
                               p->ripples[s->ripple].waited / SIM_NS);
        g_string_append_printf(end, ":%u:0", BEHIND_EVENT);
    }
    add_event(lines, instant(p, s->begin), ORDER_BEGIN, task, begin);
    add_event(lines, instant(p, s->end), ORDER_END, task, end);
}

static void add_lane(const app_picture *p, size_t index, GArray *lines)
{
    const app_picture_lane *l = &p->lanes[index];
    const uint32_t task = (uint32_t)index + 1;
    sim_time reached = 0;
    for (size_t k = 0; k < l->num_slices; k++) {
        const app_picture_slice *s = &p->slices[l->first_slice + k];
        const sim_time begin = instant(p, s->begin);
        const sim_time end = instant(p, s->end);
        add_state(lines, task, reached, begin, IDLE);
        add_state(lines, task, begin, end, STATES[s->kind].number);
        reached = end;
        add_events(p, s, task, lines);
    }
    add_state(lines, task, reached, instant(p, p->to), IDLE);
}

static uint32_t task_of(const app_picture *p, uint32_t rank)
{
    for (size_t i = 0; i < p->num_lanes; i++) {
        if (p->lanes[i].rank == rank) {
            return (uint32_t)i + 1;
        }
    }
    return 0;
}

static void add_message(const app_picture *p, const app_picture_message *m, GArray *lines)
{
    const uint32_t from = task_of(p, m->from);
    const uint32_t to = task_of(p, m->to);
    if (m->sent < p->from || m->received > p->to) {
        return;
    }
    const sim_time sent = instant(p, m->sent);
    const sim_time received = instant(p, m->received);
    add(lines, sent, ORDER_MESSAGE, from,
        g_strdup_printf("3:%u:1:%u:1:%" PRId64 ":%" PRId64 ":%u:1:%u:1:%" PRId64 ":%" PRId64
                        ":%" PRId64 ":0",
                        from, from, sent, sent, to, to, received, received, MAX(m->bytes, 0)));
}

void app_picture_write_prv(const app_picture *p, FILE *out)
{
    g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(line));
    g_array_set_clear_func(lines, free_line);
    for (size_t i = 0; i < p->num_lanes; i++) {
        add_lane(p, i, lines);
    }
    for (size_t i = 0; i < p->num_messages; i++) {
        add_message(p, &p->messages[i], lines);
    }
    g_array_sort(lines, by_time);
    fprintf(out, "#Paraver (01/01/1970 at 00:00):%" PRId64 "_ns:1(%zu):1:%zu(", instant(p, p->to),
            p->num_lanes, p->num_lanes);
    for (size_t i = 0; i < p->num_lanes; i++) {
        fprintf(out, "%s1:1", i > 0 ? "," : "");
    }
    fputs(")\n", out);
    for (guint i = 0; i < lines->len; i++) {
        fprintf(out, "%s\n", g_array_index(lines, line, i).text);
    }
}

/* A label ends with its line. */
static void print_label(const char *name, FILE *out)
{
    for (const char *c = name; *c != '\0'; c++) {
        fputc(g_ascii_iscntrl(*c) ? '?' : *c, out);
    }
    fputc('\n', out);
}

/* Both types have the same values: "12      rank 5 at 1.2ms: fixed:1kHz:100us". */
static void print_ripple_types(const app_picture *p, FILE *out)
{
    if (p->num_ripples == 0) {
        return;
    }
    fprintf(out,
            "\nEVENT_TYPE\n0    %u    Ripple of the detour\n0    %u    Waiting for noise in the "
            "ripple\nVALUES\n0      End\n",
            RIPPLE_EVENT, WAIT_EVENT);
    for (size_t i = 0; i < p->num_ripples; i++) {
        const app_picture_ripple *r = &p->ripples[i];
        g_autofree char *at = sim_unit_format_time_short(r->begin);
        fprintf(out, "%zu      rank %u at %s: ", i + 1, r->rank, at);
        print_label(
            r->component < p->num_components ? p->components[r->component].name : "not known", out);
    }
    fprintf(out, "\nEVENT_TYPE\n0    %u    Waited behind the detour, ns\n", BEHIND_EVENT);
}

void app_picture_write_pcf(const app_picture *p, FILE *out)
{
    fputs("DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n\n"
          "STATES\n0    Idle\n",
          out);
    for (size_t k = 0; k < G_N_ELEMENTS(STATES); k++) {
        fprintf(out, "%u    %s\n", STATES[k].number, STATES[k].name);
    }
    fputs("\nSTATES_COLOR\n0    {117,195,255}\n", out);
    for (size_t k = 0; k < G_N_ELEMENTS(STATES); k++) {
        fprintf(out, "%u    {%u,%u,%u}\n", STATES[k].number, STATES[k].red, STATES[k].green,
                STATES[k].blue);
    }
    fprintf(out, "\nEVENT_TYPE\n0    %u    Detour\nVALUES\n0      End\n", DETOUR_EVENT);
    for (size_t i = 0; i < p->num_components; i++) {
        fprintf(out, "%zu      ", i + 1);
        print_label(p->components[i].name, out);
    }
    fprintf(out, "%zu      not known\n", p->num_components + 1);
    print_ripple_types(p, out);
}

void app_picture_write_row(const app_picture *p, FILE *out)
{
    static const char *const LEVELS[] = {"TASK", "THREAD"};
    fprintf(out, "LEVEL CPU SIZE %zu\n", p->num_lanes);
    for (size_t i = 0; i < p->num_lanes; i++) {
        fprintf(out, "CPU of rank %u\n", p->lanes[i].rank);
    }
    for (size_t l = 0; l < G_N_ELEMENTS(LEVELS); l++) {
        fprintf(out, "\nLEVEL %s SIZE %zu\n", LEVELS[l], p->num_lanes);
        for (size_t i = 0; i < p->num_lanes; i++) {
            fprintf(out, "rank %u\n", p->lanes[i].rank);
        }
    }
}
