/* noise/sequences/call_stream.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/call_stream.h"

void noise_call_stream_begin(noise_call_stream *s, noise_match match, sim_time leave)
{
    *s = (noise_call_stream){.match = match, .begun = true, .leave = leave};
}

/* It computed until @p enter, and had @p cpu of it (< 0: not known); clocks may be off by a little
 * where records are joined. */
static void compute_until(noise_call_stream *s, sim_time enter, sim_time cpu)
{
    if (s->begun && enter > s->leave) {
        s->compute += enter - s->leave;
        s->cpu += cpu > 0 ? cpu : 0;
        s->unknown = s->unknown || cpu < 0;
    }
    s->begun = true;
}

bool noise_call_stream_take(noise_call_stream *s, const noise_call *call,
                            const noise_call_peer *peer, noise_sequence_call *out)
{
    const bool tests = call->function->tests;
    if (!(s->polls && tests)) {
        compute_until(s, call->enter, call->cpu);
    }
    s->leave = call->leave;
    s->polls = tests && call->completed == 0;
    if (s->polls) {
        return false;
    }
    *out = (noise_sequence_call){.symbol = noise_call_symbol(call->function, s->match, peer),
                                 .compute = s->compute,
                                 .entered = call->enter,
                                 .anchor = noise_call_is_anchor(call->function, peer),
                                 .has_cpu = !s->unknown,
                                 .off = s->unknown ? 0 : s->compute - s->cpu};
    s->compute = 0;
    s->cpu = 0;
    s->unknown = false;
    return true;
}

void noise_call_stream_skip(noise_call_stream *s, sim_time enter, sim_time leave)
{
    compute_until(s, enter, -1);
    s->leave = leave > s->leave ? leave : s->leave;
}
