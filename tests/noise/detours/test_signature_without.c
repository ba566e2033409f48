/* tests/noise/detours/test_signature_without.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "data.h"
#include "noise/signature.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

static noise_signature *parse(const char *text)
{
    GError *error = NULL;
    noise_signature *s = noise_signature_parse(text, 1, &error);
    CHECK(s != NULL, "%s: %s", text, error != NULL ? error->message : "");
    g_clear_error(&error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    return s;
}

static void names_say_what_is_left_out(void)
{
    static const struct {
        const char *text;
        const char *rest; /* labels of what remains */
    } ROWS[] = {
        {"jaguar+without=jaguar", ""},
        {"jaguar+without=poisson:20s:2.5ms", "jaguar: fixed:100ms:6us|jaguar: fixed:1s:15us"},
        {"jaguar+without=jaguar: fixed:1s:15us",
         "jaguar: poisson:20s:2.5ms|jaguar: fixed:100ms:6us"},
        {"jaguar+fixed:1s:15us+without=fixed:1s:15us",
         "jaguar: poisson:20s:2.5ms|jaguar: fixed:100ms:6us"},
        {"fixed:1kHz:1us+slow:3%@node:17+without=slow:3%", "fixed:1kHz:1us"},
        {"fixed:1kHz:1us@0,5-7+fixed:1kHz:1us@9+without=fixed:1kHz:1us@0\\,5-7",
         "fixed:1kHz:1us@9"},
        {"fixed:1kHz:1us@0,5-7+fixed:1kHz:1us@9+without=fixed:1kHz:1us", ""},
        {"jaguar@node:3+without=fixed:1s:15us@node:3,poisson:20s:2.5ms",
         "jaguar: fixed:100ms:6us@node:3"},
        {"without=fixed:1Hz:1us+fixed:1Hz:1us+tick:1Hz:1us:2us", "tick:1Hz:1us:2us"},
        {"fixed:1Hz:1us+tick:1Hz:1us:2us+without=fixed:1Hz:1us+without=tick:1Hz:1us:2us", ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autoptr(noise_signature) s = parse(ROWS[i].text);
        g_autoptr(GString) rest = g_string_new(NULL);
        for (size_t k = 0; k < noise_signature_num_components(s); k++) {
            g_autofree char *label = noise_component_label(noise_signature_component(s, k));
            g_string_append_printf(rest, "%s%s", k > 0 ? "|" : "", label);
        }
        CHECK_STR(rest->str, ROWS[i].rest, "%s", ROWS[i].text);
        CHECK_STR(noise_signature_text(s), ROWS[i].text);
    }
}

static void unknown_names_are_refused_with_a_list(void)
{
    static const struct {
        const char *text;
        const char *message;
    } ROWS[] = {
        {"jaguar+without=fixed:1s:16us",
         "noise 'jaguar+without=fixed:1s:16us': no component to leave out is called "
         "'fixed:1s:16us'; did you mean 'jaguar: fixed:1s:15us'?; there are: jaguar: "
         "poisson:20s:2.5ms, jaguar: fixed:100ms:6us, jaguar: fixed:1s:15us"},
        {"fixed:1Hz:1us@3+without=",
         "noise 'fixed:1Hz:1us@3+without=': no component to leave out is called ''; there are: "
         "fixed:1Hz:1us@3"},
        {"cnk+without=x",
         "noise 'cnk+without=x': no component to leave out is called 'x'; there is no noise"},
        {"fixed:1Hz:1us+without=fixed:1Hz:1us,",
         "noise 'fixed:1Hz:1us+without=fixed:1Hz:1us,': no component to leave out is called ''; "
         "there are: fixed:1Hz:1us"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_signature) s = noise_signature_parse(ROWS[i].text, 1, &error);
        CHECK(s == NULL, "%s", ROWS[i].text);
        CHECK_STR(error != NULL ? error->message : "", ROWS[i].message);
    }
}

static void a_file_is_named_by_its_name_or_its_path(void)
{
    g_autofree char *folder = g_dir_make_tmp("without_XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "a,b+c.detours", NULL);
    CHECK(g_file_set_contents(path, "1000 500\n9000 100\n", -1, NULL));
    g_autoptr(noise_signature) alone = parse(path);
    const char *const by_name[] = {"a,b+c.detours", NULL};
    const char *const by_path[] = {path, NULL};
    const char *const *const names[] = {by_name, by_path};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(noise_signature) none = noise_signature_without(alone, names[i], NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(none);
        CHECK_I64(noise_signature_num_components(none), 0);
        CHECK_I64(noise_signature_longest_period(none), noise_signature_longest_period(alone));
        g_autoptr(noise_signature) again = parse(noise_signature_text(none));
        CHECK_I64(noise_signature_num_components(again), 0);
    }
    g_remove(path);
    g_rmdir(folder);
}

static void check_same(const noise_detour_trace *a, const noise_detour_trace *b, const char *text)
{
    CHECK_I64(noise_detour_trace_period(a), noise_detour_trace_period(b), "%s", text);
    CHECK_I64(noise_detour_trace_count(a), noise_detour_trace_count(b), "%s", text);
    for (size_t i = 0; i < noise_detour_trace_count(a); i++) {
        CHECK_I64(noise_detour_trace_start(a, i), noise_detour_trace_start(b, i));
        CHECK_I64(noise_detour_trace_length(a, i), noise_detour_trace_length(b, i));
    }
}

/* With as many sources as there is room for, all the others are still there by name. */
static void leaving_out_takes_no_room_from_others(void)
{
    g_autofree char *folder = g_dir_make_tmp("without-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "many.detours", NULL);
    g_autoptr(GString) text = g_string_new("# ripple: {\"format\":1,\"sources\":[");
    enum { MANY = 60 };
    for (int i = 0; i < MANY; i++) {
        g_string_append_printf(text, "%s{\"name\":\"p%d\",\"kind\":\"program\"}", i > 0 ? "," : "",
                               i);
    }
    g_string_append(text, "]}\n");
    for (int i = 0; i < MANY; i++) {
        g_string_append_printf(text, "%d %d %d\n", 1000000 * (i + 1), 1000 + i, i);
    }
    CU_ASSERT_FATAL(g_file_set_contents(path, text->str, -1, NULL));
    static const char *const more[] = {"",
                                       "+fixed:1Hz:1us+fixed:2Hz:1us+fixed:3Hz:1us+fixed:4Hz:1us"};
    for (size_t k = 0; k < G_N_ELEMENTS(more); k++) {
        g_autofree char *with = g_strconcat(path, more[k], NULL);
        g_autofree char *less = g_strconcat(with, "+without=p7", NULL);
        g_autoptr(noise_signature) all = parse(with);
        g_autoptr(noise_signature) one_less = parse(less);
        const size_t n = noise_signature_num_components(all);
        CHECK_I64(noise_signature_num_components(one_less), n - 1, "'%s'", more[k]);
        for (size_t i = 0; i + 1 < n && i + 1 < MANY; i++) {
            CHECK_STR(noise_signature_component(one_less, i)->name,
                      noise_signature_component(all, i + (i >= 7))->name, "%zu", i);
        }
    }
    (void)g_remove(path);
    (void)g_rmdir(folder);
}

static void without_nothing_it_is_the_same(void)
{
    static const char *const TEXTS[] = {"jaguar", "fixed:1ms:10us+poisson:3ms:1ms", "altix@3"};
    const char *const nothing[] = {NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(TEXTS); i++) {
        g_autoptr(noise_signature) s = noise_signature_parse(TEXTS[i], 77, NULL);
        g_autoptr(noise_signature) same = noise_signature_without(s, nothing, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(same);
        check_same(noise_signature_trace(s, 3), noise_signature_trace(same, 3), TEXTS[i]);
        CHECK_STR(noise_signature_text(same), TEXTS[i]);
    }
}

typedef struct span {
    sim_time start;
    sim_time length;
} span;

static int by_start(const void *pa, const void *pb)
{
    const span *a = pa;
    const span *b = pb;
    return (a->start > b->start) - (a->start < b->start);
}

/* In which picoseconds the CPU is away, if all of @p arrivals queue in front of one counter. */
static GArray *away_of(GArray *arrivals, sim_time period)
{
    GArray *away = g_array_new(FALSE, FALSE, sizeof(span));
    if (arrivals->len > 0) {
        qsort(arrivals->data, arrivals->len, sizeof(span), by_start);
    }
    /* Once to know what is left over at the end, then with that at the beginning. */
    sim_time now = 0;
    for (int turn = 0; turn < 2; turn++) {
        now = MAX(now - (turn > 0 ? period : 0), 0);
        g_array_set_size(away, 0);
        span last = {0, now};
        for (guint i = 0; i < arrivals->len; i++) {
            const span *a = &g_array_index(arrivals, span, i);
            if (a->start > last.start + last.length) {
                g_array_append_val(away, last);
                last = (span){a->start, 0};
            }
            last.length += a->length;
        }
        now = last.start + last.length;
        last.length = MIN(last.length, period - last.start);
        g_array_append_val(away, last);
    }
    return away;
}

static void add_all(GArray *list, const noise_detour_trace *t)
{
    for (size_t i = 0; t != NULL && i < noise_detour_trace_count(t); i++) {
        const span s = {noise_detour_trace_start(t, i), noise_detour_trace_length(t, i)};
        g_array_append_val(list, s);
    }
}

/* The same as a list of instants at which the CPU leaves and comes back. */
static void check_away(const noise_detour_trace *t, GArray *arrivals, const char *text)
{
    g_autoptr(GArray) own = g_array_new(FALSE, FALSE, sizeof(span));
    add_all(own, t);
    g_autoptr(GArray) got = away_of(own, noise_detour_trace_period(t));
    g_autoptr(GArray) want = away_of(arrivals, noise_detour_trace_period(t));
    if (!CHECK_I64(got->len, want->len, "%s", text)) {
        return;
    }
    for (guint i = 0; i < got->len; i++) {
        const span *a = &g_array_index(got, span, i);
        const span *b = &g_array_index(want, span, i);
        if (!CHECK_I64(a->start, b->start, "%s, %u", text, i) ||
            !CHECK_I64(a->length, b->length, "%s, %u", text, i)) {
            return;
        }
    }
}

/* Each component alone is what is left when all others are left out; several of them, queued by a
 * slow oracle, are what is left without the rest, and all are what is drawn with none left out. */
static void what_queued_comes_as_if_the_others_had_never_been_there(void)
{
    static const char *const PARTS[] = {"fixed:1009ps:237ps",    "tick:500ps:1ps:99ps",
                                        "poisson:800ps:160ps",   "fixed:2003ps:400ps",
                                        "pareto:1500ps:9ps:1.5", "lognormal:900ps:30ps:1"};
    g_autoptr(GRand) random = g_rand_new_with_seed(20260802);
    unsigned queued = 0;
    for (int k = 0; k < 60; k++) {
        const char *name[3];
        for (size_t i = 0; i < 3; i++) { /* three different ones */
            name[i] = PARTS[2 * i + (size_t)g_rand_int_range(random, 0, 2)];
        }
        g_autofree char *text = g_strjoin("+", name[0], name[1], name[2], NULL);
        g_autoptr(noise_signature) s = noise_signature_parse(text, g_rand_int(random), NULL);
        if (s == NULL) {
            continue; /* together they leave no CPU time */
        }
        const noise_detour_trace *whole = noise_signature_trace(s, 0);
        g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(span));
        for (size_t i = 0; i < 3; i++) {
            const char *const others[] = {name[(i + 1) % 3], name[(i + 2) % 3], NULL};
            const char *const this[] = {name[i], NULL};
            g_autoptr(noise_signature) only = noise_signature_without(s, others, NULL);
            g_autoptr(noise_signature) rest = noise_signature_without(s, this, NULL);
            add_all(all, noise_signature_trace(only, 0));
            g_autoptr(GArray) two = g_array_new(FALSE, FALSE, sizeof(span));
            for (size_t j = 1; j < 3; j++) {
                const char *const both[] = {name[i], name[(i + j) % 3], NULL};
                g_autoptr(noise_signature) one = noise_signature_without(s, both, NULL);
                add_all(two, noise_signature_trace(one, 0));
            }
            check_away(noise_signature_trace(rest, 0), two, text);
            CHECK_I64(noise_signature_longest_period(rest), noise_detour_trace_period(whole));
            queued += noise_detour_trace_count(noise_signature_trace(rest, 0)) != two->len;
        }
        check_away(whole, all, text);
    }
    CHECK(queued > 0);
}

SUITE_MAIN("signature_without", TEST(names_say_what_is_left_out),
           TEST(unknown_names_are_refused_with_a_list),
           TEST(a_file_is_named_by_its_name_or_its_path),
           TEST(leaving_out_takes_no_room_from_others), TEST(without_nothing_it_is_the_same),
           TEST(what_queued_comes_as_if_the_others_had_never_been_there))
