/* schedgen/convert/convert_source.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "convert/convert_private.h"

typedef struct convert_source {
    sched_rank_source source; /* first: it is handed on as this */
    sched_convert_options options;
    conv_context context;
    uint32_t num_templates;   /* ranks of the trace */
    conv_template *templates; /* [num_templates], or one */
    uint64_t most_kept;       /* steps of all templates; if there are more, one is made at a time */
    bool kept;                /* all of them; else the one of */
    uint32_t made;
    sched_convert_report quiet_report;
    conv_context quiet;
    conv_stamp *stamp;
} convert_source;

static const conv_template *template_of(convert_source *s, uint32_t rank)
{
    if (s->kept) {
        return &s->templates[rank];
    }
    if (s->made != rank) {
        sched_convert_quiet_fill(&s->templates[0], &s->quiet, rank);
        s->made = rank;
    }
    return &s->templates[0];
}

static bool get(sched_rank_source *source, uint32_t rank, sched_rank_ops *out, GError **error)
{
    (void)error;
    convert_source *s = (convert_source *)source;
    const conv_template *template = template_of(s, conv_record_of(&s->context, rank));
    *out = sched_convert_stamp_rank(s->stamp, template, rank);
    return true;
}

static void drop_templates(convert_source *s)
{
    for (uint32_t rank = 0; rank < s->num_templates; rank++) {
        sched_convert_template_clear(&s->templates[rank]);
    }
    s->made = UINT32_MAX;
}

static bool fill(convert_source *s, GError **error)
{
    uint64_t steps = 0;
    drop_templates(s);
    s->kept = true;
    for (uint32_t rank = 0; rank < s->num_templates; rank++) {
        conv_template *template = &s->templates[s->kept ? rank : 0];
        if (template->steps == NULL) {
            *template = sched_convert_template_new();
        }
        if (!sched_convert_template_fill(template, &s->context, rank, error)) {
            return false;
        }
        steps += template->steps->len;
        if (s->kept && steps > s->most_kept) {
            s->kept = false;
            drop_templates(s);
        }
    }
    return sched_convert_finish(&s->context, error);
}

sched_rank_source *sched_convert_source_keep(const sched_trace *trace,
                                             const sched_convert_options *options,
                                             uint64_t most_kept, sched_convert_report *report,
                                             GError **error)
{
    convert_source *s = g_new0(convert_source, 1);
    s->most_kept = most_kept;
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
    s->quiet = sched_convert_quiet_begin(&s->context, &s->quiet_report);
    if (!s->kept && s->templates[0].steps == NULL) { /* the last rank was dropped, too */
        s->templates[0] = sched_convert_template_new();
    }
    return &s->source;
}

sched_rank_source *sched_convert_source_new(const sched_trace *trace,
                                            const sched_convert_options *options,
                                            sched_convert_report *report, GError **error)
{
    static const uint64_t MOST_KEPT = (uint64_t)1 << 22; /* of 32 bytes */
    return sched_convert_source_keep(trace, options, MOST_KEPT, report, error);
}

void sched_convert_source_free(sched_rank_source *source)
{
    convert_source *s = (convert_source *)source;
    if (s == NULL) {
        return;
    }
    if (s->stamp != NULL) {
        sched_convert_quiet_end(&s->quiet);
    }
    sched_convert_stamp_free(s->stamp);
    drop_templates(s);
    g_free(s->templates);
    sched_convert_close(&s->context);
    g_free(s);
}
