/* noise/files/formats/format_osnoise_hist.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_file_formats. */
/**
 * @file
 * What `rtla osnoise hist` prints: how many detours of each CPU fell into each bucket of lengths.
 * https://docs.kernel.org/tools/rtla/rtla-osnoise-hist.html
 */
#include "files/comment.h"
#include "files/decimal.h"
#include "files/format.h"
#include "files/head.h"
#include "files/scatter.h"

#include <string.h>

static const char DURATION[] = "# Duration:";
static const char UNIT[] = "# Time unit is ";

typedef struct hist {
    int power;       /* of ten, from the unit to ps; 0: not said */
    sim_time period; /* 0: not said */
    GArray *cpu;     /* of uint32_t, a column each; NULL: there was no head */
    GArray *index;   /* of sim_time, in units, a row each */
    GArray *count;   /* of uint64_t, row after row */
    GArray *over;    /* of uint64_t, longer than the last bucket; empty: none */
    GArray *longest; /* of uint64_t, in units; empty: not said */
} hist;

static bool probe(const char *head)
{
    return noise_head_has_line(head, "# RTLA osnoise histogram");
}

/* "0 00:01:00": days, and hours, minutes, seconds. */
static bool read_duration(noise_reader *r, const char *value)
{
    hist *h = r->state;
    static const sim_time SECONDS[] = {86400, 3600, 60, 1};
    value += strspn(value, " \t");
    const char *at = value;
    sim_time seconds = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(SECONDS); i++) {
        char *end;
        const guint64 n = g_ascii_isdigit(*at) ? g_ascii_strtoull(at, &end, 10) : UINT64_MAX;
        if (n > 100000) {
            return noise_reader_refuse(r, "the duration ", value, " is not days and HH:MM:SS");
        }
        seconds += (sim_time)n * SECONDS[i];
        at = end + (i == 0 ? strspn(end, " ") : strspn(end, ":"));
    }
    if (seconds < 1 || seconds > SIM_TIME_MAX / SIM_S) {
        return noise_reader_refuse(r, "the duration ", value,
                                   " is not between a second and 26 days");
    }
    h->period = seconds * SIM_S;
    return true;
}

static bool read_comment(noise_reader *r, const char *line)
{
    hist *h = r->state;
    if (g_str_has_prefix(line, DURATION)) {
        return read_duration(r, line + strlen(DURATION));
    }
    if (g_str_has_prefix(line, UNIT)) {
        const char *unit = line + strlen(UNIT);
        h->power = g_str_has_prefix(unit, "microseconds")  ? 6
                   : g_str_has_prefix(unit, "nanoseconds") ? 3
                                                           : 0;
        return h->power > 0 || noise_reader_refuse(r, "the unit of time ", unit, " is not known");
    }
    return noise_comment_read(r, line);
}

/* "Index   CPU-000   CPU-001" */
static bool read_cpus(noise_reader *r, const char *line)
{
    hist *h = r->state;
    g_auto(GStrv) field = g_strsplit_set(line, " \t\r", -1);
    h->cpu = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (char **f = field + 1; *f != NULL; f++) {
        if (**f == '\0') {
            continue;
        }
        char *end = *f;
        const guint64 cpu = g_str_has_prefix(*f, "CPU-") && g_ascii_isdigit((*f)[4])
                                ? g_ascii_strtoull(*f + 4, &end, 10)
                                : UINT64_MAX;
        if (cpu >= UINT32_MAX || *end != '\0') {
            return noise_reader_refuse(r, "the column ", *f, " is not a CPU");
        }
        const uint32_t number = (uint32_t)cpu;
        g_array_append_val(h->cpu, number);
    }
    return h->cpu->len > 0 || noise_reader_refuse(r, "", line, " has no columns of CPUs");
}

/* A number for each CPU. */
static bool read_counts(noise_reader *r, const char *at, GArray *to)
{
    const hist *h = r->state;
    for (guint i = 0; i < h->cpu->len; i++) {
        at += strspn(at, " \t");
        const char *value = at;
        const sim_time count = noise_decimal_parse(&at, 0);
        /* where a CPU has seen nothing, its minimum and its like are "-" */
        const bool none = count < 0 && *value == '-';
        at += none ? 1 : 0;
        if ((count < 0 && !none) || (*at != '\0' && strchr(" \t\r", *at) == NULL)) {
            return noise_reader_refuse(r, "", value, " is not a count");
        }
        const uint64_t n = none ? 0 : (uint64_t)count;
        g_array_append_val(to, n);
    }
    at += strspn(at, " \t\r");
    return *at == '\0' || noise_reader_refuse(r, "", at, " has no column of a CPU");
}

static bool read_row(noise_reader *r, const char *line)
{
    hist *h = r->state;
    const char *at = line;
    const sim_time index = noise_decimal_parse(&at, 0);
    if (index < 0 || (*at != ' ' && *at != '\t')) {
        return noise_reader_refuse(r, "", line, " is not the length that a bucket begins with");
    }
    if (h->index->len > 0 && index <= g_array_index(h->index, sim_time, h->index->len - 1)) {
        return noise_reader_refuse(r, "the bucket ", line, " does not come after the one before");
    }
    g_array_append_val(h->index, index);
    return read_counts(r, at, h->count);
}

static bool read_line(noise_reader *r, const char *line)
{
    hist *h = r->state;
    if (h->index == NULL) {
        h->index = g_array_new(FALSE, FALSE, sizeof(sim_time));
        h->count = g_array_new(FALSE, FALSE, sizeof(uint64_t));
        h->over = g_array_new(FALSE, FALSE, sizeof(uint64_t));
        h->longest = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    }
    if (*line == '#') {
        return read_comment(r, line);
    }
    if (h->cpu == NULL) {
        return g_str_has_prefix(line, "Index")
                   ? read_cpus(r, line)
                   : noise_reader_refuse(r, "", line, " stands before the line 'Index'");
    }
    if (g_ascii_isdigit(*line)) {
        return read_row(r, line);
    }
    if (g_str_has_prefix(line, "over:") && h->over->len == 0) {
        return read_counts(r, line + strlen("over:"), h->over);
    }
    if (g_str_has_prefix(line, "max:") && h->longest->len == 0) {
        return read_counts(r, line + strlen("max:"), h->longest);
    }
    return true; /* count, min, avg: they follow from the rows */
}

/* The width of a bucket is that between the first two, as empty ones are not printed the least. */
static sim_time width_of(const hist *h)
{
    sim_time width = h->index->len > 1 ? SIM_TIME_MAX : 1;
    for (guint i = 1; i < h->index->len; i++) {
        width = MIN(width, g_array_index(h->index, sim_time, i) -
                               g_array_index(h->index, sim_time, i - 1));
    }
    return width;
}

/* In the middle of its bucket, a detour is half a bucket off at most. */
static bool end_cpu(noise_reader *r, guint column)
{
    static const sim_time POWERS[] = {[3] = SIM_NS, [6] = SIM_US};
    hist *h = r->state;
    const sim_time unit = POWERS[h->power];
    const sim_time width = width_of(h);
    g_autofree noise_bin *bins = g_new(noise_bin, h->index->len + 1);
    for (guint i = 0; i < h->index->len; i++) {
        const sim_time from = g_array_index(h->index, sim_time, i);
        if (from > (SIM_TIME_MAX / unit) - width) {
            return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                     "a bucket is longer than 26 days");
        }
        bins[i] = (noise_bin){from * unit + width * unit / 2,
                              g_array_index(h->count, uint64_t, i * h->cpu->len + column)};
    }
    const sim_time last =
        h->index->len > 0 ? g_array_index(h->index, sim_time, h->index->len - 1) + width : width;
    const uint64_t said =
        column < h->longest->len ? g_array_index(h->longest, uint64_t, column) : 0;
    const sim_time over = said > (uint64_t)last ? (sim_time)said : last;
    bins[h->index->len] =
        (noise_bin){over <= SIM_TIME_MAX / unit ? over * unit : SIM_TIME_MAX,
                    column < h->over->len ? g_array_index(h->over, uint64_t, column) : 0};
    r->cpu = g_array_index(h->cpu, uint32_t, column);
    return noise_scatter(r, bins, h->index->len + 1, h->period, r->cpu);
}

static bool finish(noise_reader *r)
{
    hist *h = r->state;
    if (h->cpu == NULL || h->period == 0 || h->power == 0) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, MAX(r->line, 1), "%s",
                                 h->period == 0  ? "no line '# Duration:' says how long it took"
                                 : h->power == 0 ? "no line '# Time unit is' says the unit"
                                                 : "there is no line 'Index'");
    }
    noise_reader_method(r, "osnoise histogram");
    noise_reader_note(r, "A model drawn from a histogram: detours of the measured lengths (in the "
                         "middle of their bucket) at random times; when they came is not known.");
    bool ok = true;
    for (guint i = 0; ok && i < h->cpu->len; i++) {
        ok = end_cpu(r, i);
    }
    return ok;
}

static void clear(void *state)
{
    hist *h = state;
    GArray **const all[] = {&h->cpu, &h->index, &h->count, &h->over, &h->longest};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        g_clear_pointer(all[i], g_array_unref);
    }
}

const noise_file_format noise_format_osnoise_hist = {
    .name = "rtla osnoise hist",
    .probe = probe,
    .is_foreign = true,
    .line = read_line,
    .finish = finish,
    .state_size = sizeof(hist),
    .clear = clear,
};
