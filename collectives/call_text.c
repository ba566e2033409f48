/* collectives/call_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "coll/call_text.h"

#include "sim/nearest.h"
#include "sim/unit.h"

#define USUAL_BYTES 8

static bool G_GNUC_PRINTF(3, 4) refuse(GError **error, coll_error code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *why = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error_literal(error, COLL_ERROR, (gint)code, why);
    return false;
}

static char *hint_at_kinds(const char *name)
{
    const char *names[COLL_NUM_KINDS + 1] = {NULL};
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        names[kind] = coll_kind_name((coll_kind)kind);
    }
    return sim_nearest_hint(name, names);
}

/* The second of @p n parts is an algorithm, or else the size. */
static bool parse_algorithm(const char *text, guint n, coll_algorithm *out, GError **error)
{
    g_autoptr(GError) none = NULL;
    if (coll_algorithm_parse(text, out, &none)) {
        return true;
    }
    if (g_error_matches(none, COLL_ERROR, COLL_ERROR_NOT_APPLICABLE)) {
        return refuse(error, COLL_ERROR_NOT_APPLICABLE, "%s", none->message);
    }
    *out = (coll_algorithm){0};
    return n < 3 || refuse(error, COLL_ERROR_UNKNOWN, "there is no algorithm '%s'", text);
}

bool coll_call_parse(const char *text, coll_call *call, coll_algorithm *algorithm, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", -1);
    const guint n = g_strv_length(parts);
    const char *name = n > 0 ? parts[0] : "";
    coll_kind kind;
    coll_algorithm named = {0};
    if (n > 3) {
        return refuse(error, COLL_ERROR_UNKNOWN, "too many parts");
    }
    if (!coll_kind_parse(name, &kind)) {
        g_autofree char *hint = hint_at_kinds(name);
        return refuse(error, COLL_ERROR_UNKNOWN, "there is no collective '%s'%s", name, hint);
    }
    if (n > 1 && !parse_algorithm(parts[1], n, &named, error)) {
        return false;
    }
    const bool is_empty = coll_kind_table[kind].is_empty;
    const bool sized = n > (named.how != NULL ? 2U : 1U);
    int64_t bytes = is_empty ? 0 : USUAL_BYTES;
    if (sized && !sim_unit_parse_bytes(parts[n - 1], &bytes, NULL)) {
        return refuse(error, COLL_ERROR_UNKNOWN, "'%s' is not %sa size", parts[n - 1],
                      n == 2 ? "an algorithm, nor " : "");
    }
    if (sized && is_empty) {
        return refuse(error, COLL_ERROR_NOT_APPLICABLE, "'%s': a %s moves no bytes", parts[n - 1],
                      coll_kind_name(kind));
    }
    call->kind = kind;
    call->bytes = bytes;
    *algorithm = named;
    return true;
}
