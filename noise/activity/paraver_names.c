/* noise/activity/paraver_names.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_paraver. */
/**
 * @file
 * What a Paraver trace calls its states, events, CPUs and threads, and their colours.
 */
#include "activity/paraver_private.h"

#include <math.h>
#include <string.h>

typedef struct colour {
    unsigned red;
    unsigned green;
    unsigned blue;
} colour;

typedef struct known_state {
    const char *label;
    unsigned state;
    colour colour;
} known_state;

/* Paraver's own colours. */
static const known_state STATES[] = {
    {"Idle", PARAVER_IDLE, {117, 195, 255}},
    {"Running", PARAVER_RUNNING, {0, 0, 255}},
    {"Synchronization", 5, {179, 0, 0}},
    {"Blocked", PARAVER_BLOCKED, {255, 0, 174}},
    {"I/O", 12, {172, 174, 41}},
    {"Group Communication", 13, {255, 144, 26}},
    {"Preempted", PARAVER_PREEMPTED, {200, 0, 0}},
};

/* Programs that always look the same. */
static const struct {
    const char *prefix;
    colour colour;
} RESERVED[] = {
    {"kworker", {230, 120, 0}},  {"ksoftirqd", {150, 75, 0}}, {"rcu", {0, 150, 136}},
    {"migration", {96, 96, 96}}, {"slurmd", {0, 100, 0}},     {"lustre", {128, 0, 128}},
    {"ripple", {190, 190, 190}},
};

/* Hues a golden angle apart: any two of the first ones differ. */
static colour colour_of(const noise_trace_program *program, size_t index)
{
    for (size_t i = 0; i < G_N_ELEMENTS(RESERVED); i++) {
        if (g_str_has_prefix(program->name, RESERVED[i].prefix)) {
            return RESERVED[i].colour;
        }
    }
    const double sector = fmod(30.0 + 137.50776405003785 * (double)index, 360.0) / 60.0;
    const double value = index % 2 == 0 ? 220 : 170;
    const double low = value * 0.2;
    const double part = low + (value - low) * (1 - fabs(fmod(sector, 2.0) - 1));
    const unsigned high = (unsigned)value;
    const unsigned middle = (unsigned)part;
    const unsigned dark = (unsigned)low;
    const colour wheel[] = {{high, middle, dark}, {middle, high, dark}, {dark, high, middle},
                            {dark, middle, high}, {middle, dark, high}, {high, dark, middle}};
    return wheel[(size_t)sector];
}

/* A label ends with its line. */
static void print_label(const char *name, FILE *out)
{
    for (const char *c = name; *c != '\0'; c++) {
        fputc(g_ascii_iscntrl(*c) ? '?' : *c, out);
    }
    fputc('\n', out);
}

static void print_states(const noise_activity_trace *t, FILE *out)
{
    fputs("STATES\n", out);
    for (size_t i = 0; i < G_N_ELEMENTS(STATES); i++) {
        fprintf(out, "%u    %s\n", STATES[i].state, STATES[i].label);
    }
    for (size_t p = 0; p < t->num_programs; p++) {
        fprintf(out, "%zu    ", NOISE_PARAVER_FIRST_STATE + p);
        print_label(t->programs[p].name, out);
    }
    fputs("\nSTATES_COLOR\n", out);
    for (size_t i = 0; i < G_N_ELEMENTS(STATES); i++) {
        const colour c = STATES[i].colour;
        fprintf(out, "%u    {%u,%u,%u}\n", STATES[i].state, c.red, c.green, c.blue);
    }
    for (size_t p = 0; p < t->num_programs; p++) {
        const colour c = colour_of(&t->programs[p], p);
        fprintf(out, "%zu    {%u,%u,%u}\n", NOISE_PARAVER_FIRST_STATE + p, c.red, c.green, c.blue);
    }
}

/* A type of events whose values are programs. */
static void print_programs(const noise_activity_trace *t, unsigned type, const char *label,
                           FILE *out)
{
    fprintf(out, "\n\nEVENT_TYPE\n0    %u    %s\nVALUES\n0      End\n", type, label);
    for (size_t p = 0; p < t->num_programs; p++) {
        fprintf(out, "%zu      ", NOISE_PARAVER_FIRST_STATE + p);
        print_label(t->programs[p].name, out);
    }
}

void noise_paraver_write_pcf(const noise_activity_trace *t, FILE *out)
{
    static const struct {
        unsigned type;
        const char *label;
    } NUMBERS[] = {
        {PARAVER_PID, "Process id"},
        {PARAVER_CPU_NS, "CPU time, ns"},
        {PARAVER_VOLUNTARY, "Voluntary context switches"},
        {PARAVER_INVOLUNTARY, "Involuntary context switches"},
        {PARAVER_UNCERTAINTY, "Uncertainty of its time, ns"},
        {PARAVER_RUN_DELAY, "Time it waited for the CPU, ns"},
        {PARAVER_STOLEN, "CPU time of other programs in the last 100 ms, us"},
    };
    fprintf(out,
            "DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n"
            "LOOK_BACK           100\nSPEED               1\nFLAG_ICONS          ENABLED\n"
            "NUM_OF_STATE_COLORS %zu\nYMAX_SCALE          %zu\n\n\n"
            "DEFAULT_SEMANTIC\n\nTHREAD_FUNC          State As Is\n\n\n",
            NOISE_PARAVER_FIRST_STATE + t->num_programs, t->timeline->num_cpus + t->num_ranks);
    print_states(t, out);
    print_programs(t, PARAVER_ACTIVITY, "Activity", out);
    print_programs(t, PARAVER_TAKEN, "Who has the CPU of the rank", out);
    for (size_t i = 0; i < G_N_ELEMENTS(NUMBERS); i++) {
        fprintf(out, "\n\nEVENT_TYPE\n7    %u    %s\n", NUMBERS[i].type, NUMBERS[i].label);
    }
}

/* A name in a list of names: no blanks. */
static void print_name(const char *name, FILE *out)
{
    for (const char *c = name; *c != '\0'; c++) {
        fputc(g_ascii_isgraph(*c) ? *c : '_', out);
    }
}

void noise_paraver_write_row(const noise_activity_trace *t, FILE *out)
{
    const noise_nit *nit = t->activity->nit;
    const noise_timeline *line = t->timeline;
    fprintf(out, "LEVEL CPU SIZE %zu\n", line->num_cpus);
    uint32_t k = 0;
    for (size_t c = 0; c < line->num_cpus; c++) {
        k = c > 0 && line->node[c] == line->node[c - 1] ? k + 1 : 1;
        fprintf(out, "%u.", k);
        print_name(nit->nodes[line->node[c]].name, out);
        fputc('\n', out);
    }
    fprintf(out, "\nLEVEL NODE SIZE %zu\n", nit->num_nodes);
    for (size_t n = 0; n < nit->num_nodes; n++) {
        print_name(nit->nodes[n].name, out);
        fputc('\n', out);
    }
    fprintf(out, "\nLEVEL THREAD SIZE %zu\n", t->num_ranks + line->num_cpus);
    for (size_t r = 0; r < t->num_ranks; r++) {
        fprintf(out, "rank %u\n", t->ranks[r].rank);
    }
    for (size_t c = 0; c < line->num_cpus; c++) {
        print_name(nit->nodes[line->node[c]].name, out);
        fprintf(out, " cpu%u\n", line->cpu[c]);
    }
}
