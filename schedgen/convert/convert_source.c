/* schedgen/convert/convert_source.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "convert/convert_private.h"

typedef struct convert_source {
    sched_rank_source source; /* first: it is handed on as this */
    sched_convert_options options;
    conv_context context;
    uint32_t num_templates; /* ranks of the trace */
    conv_template *templates;
    conv_stamp *stamp;
} convert_source;

static bool get(sched_rank_source *source, uint32_t rank, sched_rank_ops *out, GError **error)
{
    (void)error;
    const convert_source *s = (convert_source *)source;
    const uint32_t record = conv_record_of(&s->context, rank);
    *out = sched_convert_stamp_rank(s->stamp, &s->templates[record], rank);
    return true;
}

static bool fill(convert_source *s, GError **error)
{
    for (uint32_t rank = 0; rank < s->num_templates; rank++) {
        sched_convert_template_clear(&s->templates[rank]);
        s->templates[rank] = sched_convert_template_new();
    }
    for (uint32_t rank = 0; rank < s->num_templates; rank++) {
        if (!sched_convert_template_fill(&s->templates[rank], &s->context, rank, error)) {
            return false;
        }
    }
    return sched_convert_finish(&s->context, error);
}

sched_rank_source *sched_convert_source_new(const sched_trace *trace,
                                            const sched_convert_options *options,
                                            sched_convert_report *report, GError **error)
{
    convert_source *s = g_new0(convert_source, 1);
    s->options = *options;
    s->templates = g_new0(conv_template, trace->num_ranks);
    s->num_templates = trace->num_ranks;
    if (!sched_convert_open(&s->context, trace, &s->options, report, error) ||
        (!fill(s, error) && !(sched_convert_again(&s->context, error) && fill(s, error)))) {
        sched_convert_source_free(&s->source);
        return NULL;
    }
    s->source.num_ranks =
        options->growth != NULL ? options->growth->num_ranks : trace->num_ranks * options->copies;
    s->source.get = get;
    s->stamp = sched_convert_stamp_new(&s->context);
    return &s->source;
}

void sched_convert_source_free(sched_rank_source *source)
{
    convert_source *s = (convert_source *)source;
    if (s == NULL) {
        return;
    }
    sched_convert_stamp_free(s->stamp);
    for (uint32_t rank = 0; rank < s->num_templates; rank++) {
        sched_convert_template_clear(&s->templates[rank]);
    }
    g_free(s->templates);
    sched_convert_close(&s->context);
    g_free(s);
}
