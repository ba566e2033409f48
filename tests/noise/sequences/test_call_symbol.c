/* tests/noise/sequences/test_call_symbol.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/call_symbol.h"

typedef struct row {
    const char *function;
    noise_match match;
    noise_call_peer peer;
    const char *name;
} row;

static const row ROWS[] = {
    {"MPI_Send", NOISE_MATCH_FUNCTION, {NOISE_PEER_RANK, 5, 4, 8, false}, "MPI_Send"},
    {"MPI_Send", NOISE_MATCH_DISTANCE, {NOISE_PEER_RANK, 5, 4, 8, false}, "MPI_Send to rank+1"},
    {"MPI_Send", NOISE_MATCH_DISTANCE, {NOISE_PEER_RANK, 0, 7, 8, false}, "MPI_Send to rank+1"},
    {"MPI_Send", NOISE_MATCH_DISTANCE, {NOISE_PEER_RANK, 7, 0, 8, false}, "MPI_Send to rank-1"},
    {"MPI_Send", NOISE_MATCH_DISTANCE, {NOISE_PEER_RANK, 0, 4, 8, false}, "MPI_Send to rank+4"},
    {"MPI_Send", NOISE_MATCH_DISTANCE, {NOISE_PEER_RANK, 4, 0, 8, false}, "MPI_Send to rank+4"},
    {"MPI_Send", NOISE_MATCH_DISTANCE, {NOISE_PEER_RANK, 7, 0, 0, false}, "MPI_Send to rank+7"},
    {"MPI_Recv",
     NOISE_MATCH_DISTANCE,
     {NOISE_PEER_RANK, 3, 3, 8, true},
     "MPI_Recv from rank+0 of a part"},
    {"MPI_Recv", NOISE_MATCH_DISTANCE, {NOISE_PEER_ANY, 0, 3, 8, false}, "MPI_Recv from any"},
    {"MPI_Send", NOISE_MATCH_XOR, {NOISE_PEER_RANK, 5, 4, 8, false}, "MPI_Send to rank^1"},
    {"MPI_Send", NOISE_MATCH_XOR, {NOISE_PEER_RANK, 4, 5, 8, false}, "MPI_Send to rank^1"},
    {"MPI_Send", NOISE_MATCH_XOR, {NOISE_PEER_RANK, 0, 4, 8, false}, "MPI_Send to rank^4"},
    {"MPI_Send", NOISE_MATCH_XOR, {NOISE_PEER_NOBODY, 0, 4, 8, false}, "MPI_Send to nobody"},
    {"MPI_Send", NOISE_MATCH_DISTANCE, {NOISE_PEER_NOBODY, 0, 4, 8, false}, "MPI_Send to nobody"},
    {"MPI_Bcast", NOISE_MATCH_DISTANCE, {NOISE_PEER_ROOT, 2, 4, 8, false}, "MPI_Bcast root 2"},
    {"MPI_Bcast", NOISE_MATCH_XOR, {NOISE_PEER_ROOT, 2, 5, 8, false}, "MPI_Bcast root 2"},
    {"MPI_Wait", NOISE_MATCH_DISTANCE, {NOISE_PEER_NONE, 0, 4, 8, false}, "MPI_Wait"},
    {"MPI_Barrier", NOISE_MATCH_XOR, {NOISE_PEER_NONE, 0, 0, 4, true}, "MPI_Barrier of a part"},
};

static uint64_t symbol_of(const row *r)
{
    const noise_event_function f = noise_event_function_of(r->function);
    return noise_call_symbol(&f, r->match, &r->peer);
}

static void calls_are_the_same_when_their_names_are(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        for (size_t k = 0; k < i; k++) {
            const bool same_name = strcmp(ROWS[i].name, ROWS[k].name) == 0;
            /* one match at a time: a program is never read with two */
            const bool comparable =
                (ROWS[i].match == ROWS[k].match) || symbol_of(&ROWS[i]) == symbol_of(&ROWS[k]);
            CHECK(!comparable || (symbol_of(&ROWS[i]) == symbol_of(&ROWS[k])) == same_name,
                  "%s, %s", ROWS[i].name, ROWS[k].name);
        }
    }
}

static void names_can_be_read(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        const noise_event_function f = noise_event_function_of(ROWS[i].function);
        char name[NOISE_CALL_SYMBOL_BYTES];
        noise_call_symbol_name(&f, ROWS[i].match, &ROWS[i].peer, name);
        CHECK_STR(name, ROWS[i].name, "row %d", (int)i);
    }
}

static void long_names_are_cut_off(void)
{
    g_autofree char *longest = g_strnfill(300, 'x');
    const noise_event_function f = noise_event_function_of(longest);
    const noise_call_peer peer = {NOISE_PEER_RANK, INT64_MAX, -1, 0, true};
    char name[NOISE_CALL_SYMBOL_BYTES];
    noise_call_symbol_name(&f, NOISE_MATCH_XOR, &peer, name);
    CHECK(g_str_has_prefix(name, "xxxx") && g_str_has_suffix(name, " of a part"), "%s", name);
}

static void symbols_stay_what_they_are(void)
{
    /* Model files hold them. Computed by hand-written FNV-1a and MurmurHash3's finalizer elsewhere.
     */
    const noise_event_function f = noise_event_function_of("MPI_Send");
    const noise_call_peer peer = {NOISE_PEER_RANK, 5, 4, 8, false};
    CHECK(noise_call_symbol(&f, NOISE_MATCH_FUNCTION, &peer) == UINT64_C(0xbc8de1c7f8617013));
    CHECK(noise_call_symbol(&f, NOISE_MATCH_DISTANCE, &peer) == UINT64_C(0x8c80987a59879f14));
    CHECK(noise_call_symbol(&f, NOISE_MATCH_XOR, &peer) == UINT64_C(0xf0b92761f29ee2e9));
}

static void blocking_collectives_of_all_ranks_are_anchors(void)
{
    static const struct {
        const char *function;
        bool part, anchor;
    } rows[] = {
        {"MPI_Barrier", false, true},     {"MPI_Barrier", true, false},
        {"MPI_Allreduce", false, true},   {"MPI_Alltoallv_c", false, true},
        {"MPI_Ibarrier", false, false},   {"MPI_Iallreduce", false, false},
        {"MPI_Send", false, false},       {"MPI_Recv", false, false},
        {"MPI_Wait", false, false},       {"MPI_Test", false, false},
        {"MPI_File_write", false, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const noise_event_function f = noise_event_function_of(rows[i].function);
        const noise_call_peer peer = {.part = rows[i].part};
        CHECK_I64(noise_call_is_anchor(&f, &peer), rows[i].anchor, "%s", rows[i].function);
    }
}

static void matches_have_names(void)
{
    static const noise_match all[] = {NOISE_MATCH_FUNCTION, NOISE_MATCH_DISTANCE, NOISE_MATCH_XOR};
    noise_match out;
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        CHECK(noise_match_parse(noise_match_name(all[i]), &out) && out == all[i]);
    }
    CHECK(!noise_match_parse("peer", &out) && !noise_match_parse("", &out));
}

SUITE_MAIN("call_symbol", TEST(calls_are_the_same_when_their_names_are), TEST(names_can_be_read),
           TEST(long_names_are_cut_off), TEST(symbols_stay_what_they_are),
           TEST(blocking_collectives_of_all_ranks_are_anchors), TEST(matches_have_names))
