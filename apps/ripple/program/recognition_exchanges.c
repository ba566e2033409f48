/* apps/ripple/program/recognition_exchanges.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_regrid_exchanges, cli_regrid. */
#include "program/recognition_exchanges.h"

#include "output/number_text.h"
#include "sim/json_member.h"
#include "sim/program.h"

#include <math.h>

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

char *app_exchanges_share(uint64_t part, uint64_t whole)
{
    const double percent = floor(share(part, whole) * 1e4) / 100;
    return g_strdup_printf("%.4g %%", percent);
}

/* "rank 3 to 12 (call 18, tag 7, 8 B)" */
static char *format_odd(const sched_regrid_exchange *e)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "rank %u %s ", e->rank, e->is_recv ? "from" : "to");
    if (e->peer == SIM_ANY) {
        g_string_append(text, "anybody");
    } else {
        g_string_append_printf(text, "%u", e->peer);
    }
    g_string_append_printf(text, " (call %" G_GUINT64_FORMAT, e->call);
    if (e->tag == SIM_ANY) {
        g_string_append(text, ", any tag");
    } else {
        g_string_append_printf(text, ", tag %u", e->tag);
    }
    if (!e->is_recv) {
        g_string_append_printf(text, ", %" G_GINT64_FORMAT " B", e->bytes_there);
    }
    g_string_append_c(text, ')');
    return g_string_free(text, FALSE);
}

/* "8 to 5,120 B each" */
static char *format_sizes(const sched_regrid_exchange *e)
{
    if (e->messages == 0) {
        g_autofree char *receives = app_format_number(e->receives);
        return g_strdup_printf("%s receives to which no send was found", receives);
    }
    g_autofree char *least = app_format_number((uint64_t)e->least_bytes);
    g_autofree char *most = app_format_number((uint64_t)e->most_bytes);
    return e->least_bytes == e->most_bytes ? g_strdup_printf("%s B each", least)
                                           : g_strdup_printf("%s to %s B each", least, most);
}

static void print_exchange(const sched_regrid_exchange *e, uint64_t messages, FILE *out)
{
    g_autofree char *count = app_format_number(e->messages);
    g_autofree char *bytes = app_format_number(e->bytes);
    g_autofree char *of_all = app_exchanges_share(e->messages, messages);
    g_autofree char *explained = app_exchanges_share(e->explained_messages, e->messages);
    g_autofree char *sizes = format_sizes(e);
    fprintf(out, "            %8s %13s %17s %9s  %s\n", of_all, count, bytes, explained,
            e->pattern != NULL ? e->pattern : "no pattern");
    fprintf(out,
            "                     %s, %s, %s, by %u rank%s, first: call %" G_GUINT64_FORMAT
            " of rank %u\n",
            e->calls, e->tags, sizes, e->ranks, e->ranks == 1 ? "" : "s", e->first_call,
            e->first_rank);
    if (e->expected != NULL) {
        g_autofree char *odd = format_odd(e);
        g_autofree char *rest = app_format_number((e->messages > 0 ? e->messages : e->receives) -
                                                  e->explained_messages);
        fprintf(out, "                     %s not explained, as %s; expected: %s\n", rest, odd,
                e->expected);
    }
    if (e->alone != NULL) {
        g_autofree char *of_them = app_exchanges_share(e->alone_messages, e->messages);
        fprintf(out, "                     by itself %s: %s\n", of_them, e->alone);
    }
}

void app_exchanges_print(const sched_regrid_exchanges *exchanges, uint64_t messages, FILE *out)
{
    enum { SHOWN = 8 };
    if (exchanges->n == 0) {
        return;
    }
    fprintf(out, "exchanges   %8s %13s %17s %9s  %s\n", "share", "messages", "bytes", "explained",
            "pattern");
    for (size_t i = 0; i < MIN(exchanges->n, SHOWN); i++) {
        print_exchange(&exchanges->list[i], messages, out);
    }
    uint64_t left = 0;
    for (size_t i = SHOWN; i < exchanges->n; i++) {
        left += exchanges->list[i].messages;
    }
    if (exchanges->n > SHOWN) {
        g_autofree char *count = app_format_number(left);
        fprintf(out, "            and %zu more kinds of exchange, %s messages\n",
                exchanges->n - SHOWN, count);
    }
}

static void build_odd(const sched_regrid_exchange *e, JsonBuilder *b)
{
    json_builder_set_member_name(b, "counterexample");
    json_builder_begin_object(b);
    sim_json_int(b, "rank", e->rank);
    if (e->peer != SIM_ANY) {
        sim_json_int(b, "peer", e->peer);
    }
    sim_json_int(b, "call", (int64_t)e->call);
    if (e->tag != SIM_ANY) {
        sim_json_int(b, "tag", e->tag);
    }
    sim_json_bool(b, "receives", e->is_recv);
    if (!e->is_recv) {
        sim_json_int(b, "bytes", e->bytes_there);
    }
    sim_json_text(b, "expected", e->expected);
    json_builder_end_object(b);
}

void app_exchanges_build(const sched_regrid_exchanges *exchanges, uint64_t messages, JsonBuilder *b)
{
    sim_json_begin_array(b, "exchanges");
    for (size_t i = 0; i < exchanges->n; i++) {
        const sched_regrid_exchange *e = &exchanges->list[i];
        json_builder_begin_object(b);
        sim_json_text(b, "calls", e->calls);
        sim_json_text(b, "tags", e->tags);
        sim_json_int(b, "first_rank", e->first_rank);
        sim_json_int(b, "first_call", (int64_t)e->first_call);
        sim_json_int(b, "ranks", e->ranks);
        sim_json_int(b, "messages", (int64_t)e->messages);
        sim_json_int(b, "receives", (int64_t)e->receives);
        sim_json_double(b, "share", share(e->messages, messages));
        sim_json_int(b, "bytes", (int64_t)e->bytes);
        sim_json_int(b, "least_bytes", e->least_bytes);
        sim_json_int(b, "most_bytes", e->most_bytes);
        sim_json_int(b, "explained_messages", (int64_t)e->explained_messages);
        if (e->pattern != NULL) {
            sim_json_text(b, "pattern", e->pattern);
        }
        if (e->alone != NULL) {
            sim_json_text(b, "alone", e->alone);
            sim_json_int(b, "alone_messages", (int64_t)e->alone_messages);
        }
        if (e->expected != NULL) {
            build_odd(e, b);
        }
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}
