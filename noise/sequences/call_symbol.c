/* noise/sequences/call_symbol.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/call_symbol.h"

#include <stdio.h>
#include <string.h>

static const char *const MATCHES[] = {
    [NOISE_MATCH_FUNCTION] = "function",
    [NOISE_MATCH_DISTANCE] = "distance",
    [NOISE_MATCH_XOR] = "xor",
};

const char *noise_match_name(noise_match match)
{
    return MATCHES[match];
}

bool noise_match_parse(const char *name, noise_match *out)
{
    for (size_t i = 0; i < sizeof MATCHES / sizeof *MATCHES; i++) {
        if (strcmp(name, MATCHES[i]) == 0) {
            *out = (noise_match)i;
            return true;
        }
    }
    return false;
}

/* How far the peer is away: around the ends, the shorter way; half way round is up. */
static int64_t distance_of(const noise_call_peer *peer)
{
    int64_t distance = peer->number - peer->own;
    if (peer->size > 0) {
        distance %= peer->size;
        if (distance > peer->size / 2) {
            distance -= peer->size;
        } else if (distance < -((peer->size - 1) / 2)) {
            distance += peer->size;
        }
    }
    return distance;
}

/* What matters of the peer, as a number. */
static int64_t number_of(noise_match match, const noise_call_peer *peer)
{
    if (peer->kind == NOISE_PEER_RANK) {
        return match == NOISE_MATCH_XOR ? peer->number ^ peer->own : distance_of(peer);
    }
    return peer->kind == NOISE_PEER_ROOT ? peer->number : 0;
}

uint64_t noise_call_symbol(const noise_event_function *function, noise_match match,
                           const noise_call_peer *peer)
{
    if (match == NOISE_MATCH_FUNCTION) {
        return function->hash;
    }
    const bool by_bits = match == NOISE_MATCH_XOR && peer->kind == NOISE_PEER_RANK;
    const uint64_t class = (uint64_t)peer->kind << 2 | (uint64_t)by_bits << 1 | peer->part;
    return noise_event_mix(noise_event_mix(function->hash + class) +
                           (uint64_t)number_of(match, peer));
}

void noise_call_symbol_name(const noise_event_function *function, noise_match match,
                            const noise_call_peer *peer, char out[NOISE_CALL_SYMBOL_BYTES])
{
    const char *word = function->receives ? "from" : "to";
    const long long number = number_of(match, peer);
    char with[48] = "";
    if (match != NOISE_MATCH_FUNCTION) {
        switch (peer->kind) {
        case NOISE_PEER_NONE:
            break;
        case NOISE_PEER_RANK:
            snprintf(with, sizeof with,
                     match == NOISE_MATCH_XOR ? " %s rank^%lld" : " %s rank%+lld", word, number);
            break;
        case NOISE_PEER_NOBODY:
            snprintf(with, sizeof with, " %s nobody", word);
            break;
        case NOISE_PEER_ANY:
            snprintf(with, sizeof with, " %s any", word);
            break;
        case NOISE_PEER_ROOT:
            snprintf(with, sizeof with, " root %lld", number);
            break;
        }
    }
    snprintf(out, NOISE_CALL_SYMBOL_BYTES, "%.50s%s%s", function->name, with,
             match != NOISE_MATCH_FUNCTION && peer->part ? " of a part" : "");
}
