/* tests/noise/detours/test_place.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands behind '@', rates, and who sees which trace. */
#include "check.h"
#include "noise/signature.h"

#include <string.h>

static noise_signature *parse(const char *text)
{
    GError *error = NULL;
    noise_signature *s = noise_signature_parse(text, 1, &error);
    g_assert_no_error(error);
    return s;
}

static void places_are_read(void)
{
    static const struct {
        const char *where;
        noise_place place;
        noise_scope scope;
        uint32_t num_ranges, first, last, stride;
    } ROWS[] = {
        {"", NOISE_PLACE_CORE, NOISE_SCOPE_ALL, 0, 0, 0, 0},
        {"@core", NOISE_PLACE_CORE, NOISE_SCOPE_ALL, 0, 0, 0, 0},
        {"@node", NOISE_PLACE_NODE, NOISE_SCOPE_ALL, 0, 0, 0, 0},
        {"@node-fixed", NOISE_PLACE_NODE_FIXED, NOISE_SCOPE_ALL, 0, 0, 0, 0},
        {"@node-all", NOISE_PLACE_NODE_ALL, NOISE_SCOPE_ALL, 0, 0, 0, 0},
        {"@7", NOISE_PLACE_CORE, NOISE_SCOPE_RANKS, 1, 7, 7, 1},
        {"@5-7,6-9,10", NOISE_PLACE_CORE, NOISE_SCOPE_RANKS, 1, 5, 10, 1},
        {"@0-1023/64", NOISE_PLACE_CORE, NOISE_SCOPE_RANKS, 1, 0, 960, 64},
        {"@0-1023/1", NOISE_PLACE_CORE, NOISE_SCOPE_RANKS, 1, 0, 1023, 1},
        {"@9,0-8/4", NOISE_PLACE_CORE, NOISE_SCOPE_RANKS, 2, 0, 8, 4},
        {"@node:17", NOISE_PLACE_NODE, NOISE_SCOPE_NODES, 1, 17, 17, 1},
        {"@node:3-5", NOISE_PLACE_NODE, NOISE_SCOPE_NODES, 1, 3, 5, 1},
        {"@node-all:0-8/4", NOISE_PLACE_NODE_ALL, NOISE_SCOPE_NODES, 1, 0, 8, 4},
        {"@core:4294967294", NOISE_PLACE_CORE, NOISE_SCOPE_NODES, 1, 4294967294, 4294967294, 1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autofree char *text = g_strconcat("fixed:1kHz:100us", ROWS[i].where, NULL);
        g_autoptr(noise_signature) s = parse(text);
        const noise_component *c = noise_signature_component(s, 0);
        CHECK_I64(c->place, ROWS[i].place, "%s", text);
        CHECK_I64(c->scope, ROWS[i].scope, "%s", text);
        CHECK_I64(c->num_ranges, ROWS[i].num_ranges, "%s", text);
        CHECK((c->ranges == NULL) == (ROWS[i].num_ranges == 0), "%s", text);
        if (c->ranges != NULL) {
            CHECK_I64(c->ranges[0].first, ROWS[i].first, "%s", text);
            CHECK_I64(c->ranges[0].last, ROWS[i].last, "%s", text);
            CHECK_I64(c->ranges[0].stride, ROWS[i].stride, "%s", text);
        }
        CHECK(g_strcmp0(c->where, *ROWS[i].where != '\0' ? ROWS[i].where + 1 : NULL) == 0);
    }
}

static void rates_are_read(void)
{
    static const struct {
        const char *text;
        double slow, share;
        sim_time every, phase;
    } ROWS[] = {
        {"slow:3%", 0.03, 0.03, 0, 0},
        {"slow:0.5%@node:1", 0.005, 0.005, 0, 0},
        {"slow:99%", 0.99, 0.99, 0, 0},
        {"slow:30%:60s:10s", 0.3, 0.05, 60 * SIM_S, 10 * SIM_S},
        {"slow:30%:1kHz:10us", 0.3, 0.003, SIM_MS, 10 * SIM_US},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autoptr(noise_signature) s = parse(ROWS[i].text);
        const noise_component *c = noise_signature_component(s, 0);
        CHECK(c->is_rate && c->longest == 0);
        CHECK_NEAR(c->slow, ROWS[i].slow, 1e-9, "%s", ROWS[i].text);
        CHECK_NEAR(c->share, ROWS[i].share, 1e-9, "%s", ROWS[i].text);
        CHECK_I64(c->phase, ROWS[i].phase, "%s", ROWS[i].text);
        CHECK(c->is_locked == (ROWS[i].every > 0));
        CHECK_I64(c->list_length, MAX(ROWS[i].every, 1));
        CHECK(ROWS[i].every > 0 ? c->interval == (double)ROWS[i].every : c->interval > 1e300);
        CHECK(noise_signature_trace(s, 0) == NULL, "%s", ROWS[i].text);
        CHECK(!noise_signature_is_drawn(s), "%s", ROWS[i].text);
    }
    g_autoptr(noise_signature) constant = parse("slow:3%@node:1+slow:4%@node:2");
    CHECK(!noise_signature_is_drawn(constant), "nothing lies to each other");
    g_autoptr(noise_signature) phases = parse("slow:3%:1s:10ms+fixed:1kHz:1us");
    CHECK(noise_signature_is_drawn(phases));
}

static void what_is_wrong_is_named(void)
{
    static const char *const ROWS[][2] = {
        {"fixed:1kHz:1us@nodes",
         "'@nodes' is neither ranks (0,5-7,64-1023/64) nor a place; did you "
         "mean 'node'"},
        {"fixed:1kHz:1us@", "ranks '' are not of the form 0,5-7,64-1023/64"},
        {"fixed:1kHz:1us@node:", "nodes '' are not of the form"},
        {"fixed:1kHz:1us@node:x", "nodes 'x' are not of the form"},
        {"fixed:1kHz:1us@node:5-3", "nodes '5-3' are not of the form"},
        {"fixed:1kHz:1us@5/2", "ranks '5/2' are not of the form"},
        {"fixed:1kHz:1us@0-9/0", "ranks '0-9/0' are not of the form"},
        {"fixed:1kHz:1us@0-9/", "ranks '0-9/' are not of the form"},
        {"fixed:1kHz:1us@-1", "ranks '-1' are not of the form"},
        {"fixed:1kHz:1us@4294967295", "ranks '4294967295' are not of the form"},
        {"cnk@nowhere", "'@nowhere' is neither ranks"},
        {"drift=20@node", "drift is of all ranks, not of some"},
        {"slow:3", "PERCENT is a number above 0%, up to 99%, not '3'"},
        {"slow:0%", "PERCENT is a number above 0%, up to 99%, not '0%'"},
        {"slow:100%", "PERCENT is a number above 0%, up to 99%, not '100%'"},
        {"slow:nan%", "PERCENT is a number above 0%, up to 99%, not 'nan%'"},
        {"slow:3%:60s", "its form is 'slow:PERCENT[:PERIOD:LENGTH]'"},
        {"slow:3%:60s:60s", "LENGTH is not below PERIOD: '60s'"},
        {"slow:3%:60s:0", "LENGTH is above 0, not '0'"},
        {"slow:3%+drift=20", "drift has no effect: nothing in it is periodic"},
        {"fixed:1kHz:600us+fixed:1kHz:600us@node", "of all places together steal up to 120 %"},
        {"fixed:1s:1us@0-4000000000/65537+fixed:1s:2us@0-4000000000/65539",
         "have no common multiple below 1048576"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_signature) s = noise_signature_parse(ROWS[i][0], 1, &error);
        CHECK(s == NULL && error != NULL, "%s", ROWS[i][0]);
        CHECK(error != NULL && strstr(error->message, ROWS[i][1]) != NULL, "%s: %s", ROWS[i][0],
              error != NULL ? error->message : "");
    }
}

/* Ranks that are on the lists, and no other, see the trace; of strides, too. */
static void strides_are_seen_by_their_ranks(void)
{
    g_autoptr(noise_signature) s =
        parse("fixed:1kHz:1us@3-700/5,8-1000/7+fixed:1kHz:3us@100-200/10");
    const noise_component *c = noise_signature_component(s, 0);
    uint32_t struck = 0;
    for (uint32_t r = 0; r < 1100; r++) {
        const bool first =
            (r >= 3 && r <= 700 && r % 5 == 3) || (r >= 8 && r <= 1000 && r % 7 == 1);
        const bool second = r >= 100 && r <= 200 && r % 10 == 0;
        CHECK(noise_component_holds(c, r, NULL) == first, "%u", r);
        CHECK_NEAR(noise_signature_share(s, r), 0.001 * first + 0.003 * second, 1e-12, "%u", r);
        struck += first;
        CHECK_I64(noise_component_count_ranks(c, r + 1, NULL), struck);
    }
}

static void nodes_are_those_of_the_placement(void)
{
    g_autoptr(noise_signature) s = parse("fixed:1kHz:1us@node:1,3");
    const noise_component *c = noise_signature_component(s, 0);
    const sim_placement block = sim_placement_block(10, 3);
    const sim_placement cyclic = sim_placement_cyclic(10, 3);
    CHECK_I64(noise_component_count_ranks(c, 10, &block), 4);  /* 3-5, 9 */
    CHECK_I64(noise_component_count_ranks(c, 10, &cyclic), 5); /* 1 5 9, 3 7 */
    CHECK_I64(noise_component_count_ranks(c, 10, NULL), 2);
    CHECK(noise_component_holds(c, 5, &block) && !noise_component_holds(c, 6, &block));
    CHECK(noise_signature_trace(s, 3) == NULL, "it is not on cores of its own");
    CHECK_I64(noise_signature_longest_period(s), SIM_MS);
}

SUITE_MAIN("place", TEST(places_are_read), TEST(rates_are_read), TEST(what_is_wrong_is_named),
           TEST(strides_are_seen_by_their_ranks), TEST(nodes_are_those_of_the_placement))
