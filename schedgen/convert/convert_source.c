/* schedgen/convert/convert_source.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "convert/convert_private.h"
#include "model/parallel_private.h"

/* One of the ranks that are made at once. */
typedef struct source_slot {
    sched_convert_report quiet_report;
    conv_context quiet;
    conv_template template; /* unless all are kept: that of record */
    uint32_t record;        /* CONV_NONE: of none */
    conv_stamp *stamp;      /* NULL: the slot was never used */
    sched_rank_ops ops;
} source_slot;

typedef struct convert_source {
    sched_rank_source source; /* first: it is handed on as this */
    sched_convert_options options;
    conv_context context;
    uint32_t num_templates;   /* ranks of the trace */
    conv_template *templates; /* [num_templates] if they are kept */
    uint64_t most_kept;       /* steps of all templates; if there are more, none is kept */
    uint64_t steps;           /* of all templates */
    uint64_t long_record;     /* steps: records as long as that are worth a thread each */
    bool kept;
    GMutex lock;
    source_slot slots[SCHED_PARALLEL_MOST];
    uint32_t first; /* rank of the first slot; */
    uint32_t n;     /* and so many of them are made */
} convert_source;

static bool make_rank(void *data, uint32_t i, uint32_t thread)
{
    convert_source *s = data;
    source_slot *slot = &s->slots[i];
    const uint32_t rank = s->first + i;
    const uint32_t record = conv_record_of(&s->context, rank);
    (void)thread;
    if (slot->stamp == NULL) {
        slot->stamp = sched_convert_stamp_new(&s->context);
        slot->quiet = sched_convert_quiet_begin(&s->context, &slot->quiet_report);
        slot->template = sched_convert_template_new();
        slot->record = CONV_NONE;
    }
    if (!s->kept && slot->record != record) {
        sched_convert_quiet_fill(&slot->template, &slot->quiet, record);
        slot->record = record;
    }
    const conv_template *template = s->kept ? &s->templates[record] : &slot->template;
    slot->ops = sched_convert_stamp_rank(slot->stamp, template, rank);
    return true;
}

/* How many ranks from @p rank on may be made at once? Each follows a record of its own. */
static uint32_t count_at_once(const convert_source *s, uint32_t rank)
{
    const uint64_t steps = s->steps * conv_repeat(&s->options) / s->num_templates;
    const uint32_t most = sched_parallel_threads(MIN(s->num_templates, s->source.num_ranks - rank));
    uint32_t records[SCHED_PARALLEL_MOST];
    uint32_t n = 0;
    while (n < most && (n == 0 || steps >= s->long_record)) {
        records[n] = conv_record_of(&s->context, rank + n);
        for (uint32_t i = 0; i < n; i++) {
            if (records[i] == records[n]) {
                return n;
            }
        }
        n++;
    }
    return n;
}

static bool get(sched_rank_source *source, uint32_t rank, sched_rank_ops *out, GError **error)
{
    (void)error;
    convert_source *s = (convert_source *)source;
    if (rank < s->first || rank - s->first >= s->n) {
        s->first = rank;
        s->n = count_at_once(s, rank);
        (void)sched_parallel_do(s->n, make_rank, s);
    }
    *out = s->slots[rank - s->first].ops;
    return true;
}

static void drop_templates(convert_source *s)
{
    for (uint32_t rank = 0; rank < s->num_templates; rank++) {
        sched_convert_template_clear(&s->templates[rank]);
    }
}

/* Templates of all ranks are kept, or of none. */
static void keep_template(void *data, uint32_t rank, conv_template *template, uint32_t thread)
{
    convert_source *s = data;
    (void)thread;
    g_mutex_lock(&s->lock);
    s->steps += template->steps->len;
    s->kept = s->kept && s->steps <= s->most_kept;
    if (s->kept) {
        s->templates[rank] = *template;
        *template = (conv_template){0};
    }
    g_mutex_unlock(&s->lock);
}

static bool fill(convert_source *s, GError **error)
{
    drop_templates(s);
    s->kept = true;
    s->steps = 0;
    if (!sched_convert_fill_all(&s->context, keep_template, s, error)) {
        return false;
    }
    if (!s->kept) {
        drop_templates(s);
    }
    return sched_convert_finish(&s->context, error);
}

static convert_source *source_new(const sched_trace *trace, const sched_convert_options *options)
{
    convert_source *s = g_new0(convert_source, 1);
    s->options = *options;
    s->templates = g_new0(conv_template, trace->num_ranks);
    s->num_templates = trace->num_ranks;
    g_mutex_init(&s->lock);
    return s;
}

static sched_rank_source *source_ready(convert_source *s)
{
    s->source.num_ranks = (uint32_t)conv_num_ranks(&s->context);
    s->source.get = get;
    return &s->source;
}

sched_rank_source *sched_convert_source_keep(const sched_trace *trace,
                                             const sched_convert_options *options,
                                             uint64_t most_kept, uint64_t long_record,
                                             sched_convert_report *report, GError **error)
{
    convert_source *s = source_new(trace, options);
    s->most_kept = most_kept;
    s->long_record = long_record;
    if (!sched_convert_open(&s->context, trace, &s->options, report, error) ||
        (!fill(s, error) && !(sched_convert_again(&s->context, error) && fill(s, error)))) {
        sched_convert_source_free(&s->source);
        return NULL;
    }
    return source_ready(s);
}

#define LONG_RECORD ((uint64_t)1 << 15)

sched_rank_source *sched_convert_source_new(const sched_trace *trace,
                                            const sched_convert_options *options,
                                            sched_convert_report *report, GError **error)
{
    static const uint64_t MOST_KEPT = (uint64_t)1 << 22; /* of 32 bytes */
    return sched_convert_source_keep(trace, options, MOST_KEPT, LONG_RECORD, report, error);
}

sched_rank_source *sched_convert_source_known(const sched_trace *trace,
                                              const sched_convert_options *options,
                                              conv_lonely *lonely, conv_resample *resample,
                                              uint64_t steps, GError **error)
{
    convert_source *s = source_new(trace, options);
    s->steps = steps;
    s->long_record = LONG_RECORD;
    if (!sched_convert_open_known(&s->context, trace, &s->options, lonely, resample, error)) {
        sched_convert_source_free(&s->source);
        return NULL;
    }
    return source_ready(s);
}

void sched_convert_source_free(sched_rank_source *source)
{
    convert_source *s = (convert_source *)source;
    if (s == NULL) {
        return;
    }
    for (uint32_t i = 0; i < SCHED_PARALLEL_MOST; i++) {
        source_slot *slot = &s->slots[i];
        if (slot->stamp != NULL) {
            sched_convert_quiet_end(&slot->quiet);
        }
        sched_convert_template_clear(&slot->template);
        sched_convert_stamp_free(slot->stamp);
    }
    drop_templates(s);
    g_free(s->templates);
    sched_convert_close(&s->context);
    g_mutex_clear(&s->lock);
    g_free(s);
}
