/* noise/interference/onset.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "interference/onset.h"

double noise_onset_alarm(const noise_interference_onset *parameters, uint32_t peak)
{
    const double usual = parameters->alarm / 1e3, twice = 2 * (peak / 1e3);
    return usual > twice ? usual : twice;
}

/* Towards the alarm. */
static onset_change rise(onset *o, double alarm, double step, const onset_sample *sample,
                         noise_interference_stretch *stretch)
{
    if (o->sum + step <= 0) {
        o->sum = 0;
        o->lost = 0;
        return ONSET_SAME;
    }
    if (o->sum == 0) {
        o->since = sample->begin;
    }
    o->sum += step;
    o->lost += sample->excess;
    o->peak = o->sum > o->peak ? o->sum : o->peak;
    if (o->sum <= alarm) {
        return ONSET_SAME;
    }
    o->disturbed = true;
    o->calm = 0;
    o->regain = 0;
    o->until = sample->end;
    *stretch = (noise_interference_stretch){
        .begin = o->since, .end = sample->end, .lost = o->lost, .open = true};
    return ONSET_BEGAN;
}

/* While disturbed: towards the end, by the same steps the other way. */
static onset_change fall(onset *o, double alarm, double step, const onset_sample *sample,
                         noise_interference_stretch *stretch)
{
    if (step > 0 && o->calm <= step) {
        o->calm = 0;
        o->lost += o->regain + sample->excess;
        o->regain = 0;
        o->until = sample->end;
        return ONSET_SAME;
    }
    o->calm -= step;
    o->regain += sample->excess;
    if (o->calm <= alarm) {
        return ONSET_SAME;
    }
    *stretch = (noise_interference_stretch){.begin = o->since, .end = o->until, .lost = o->lost};
    const double peak = o->peak;
    *o = (onset){.peak = peak};
    return ONSET_ENDED;
}

onset_change noise_onset_add(onset *o, const noise_interference_onset *parameters, double alarm,
                             const onset_sample *sample, noise_interference_stretch *stretch)
{
    const double most = parameters->most / 1e3;
    double z = (double)sample->excess / sample->deviation;
    z = z > most ? most : z < -most ? -most : z;
    const double step = z - parameters->allowance / 1e3;
    return o->disturbed ? fall(o, alarm, step, sample, stretch)
                        : rise(o, alarm, step, sample, stretch);
}

bool noise_onset_finish(const onset *o, noise_interference_stretch *stretch)
{
    *stretch = (noise_interference_stretch){
        .begin = o->since, .end = o->until, .lost = o->lost, .open = true};
    return o->disturbed;
}
