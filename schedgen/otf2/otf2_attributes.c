/* schedgen/otf2/otf2_attributes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_otf2. */
/* What the Enter of a call says in Ripple's archives: sched/otf2_names.h. */
#include "otf2/otf2_call.h"

/* A rank or tag of ours: -1 any, -2 PROC_NULL. */
static uint32_t asked(int32_t value)
{
    return value == -1 ? SCHED_ANY : value == -2 ? SCHED_PROC_NULL : (uint32_t)value;
}

/* CPU time; -1: that cannot be. */
static sim_time from_ns(uint64_t ns)
{
    return ns <= (uint64_t)SIM_TIME_MAX / 1000 ? (sim_time)ns * 1000 : -1;
}

static void take_attribute(sched_otf2_call *c, sched_otf2_attribute which, OTF2_Type type,
                           OTF2_AttributeValue v)
{
    static const OTF2_Type WANTED[] = {
#define X(symbol, name, type, ...) [SCHED_OTF2_ATTR_##symbol] = OTF2_TYPE_##type,
        SCHED_OTF2_ATTRIBUTES(X)
#undef X
    };
    if (type != WANTED[which]) {
        return;
    }
    switch (which) {
    case SCHED_OTF2_ATTR_CPU:
        c->cpu = from_ns(v.uint64);
        break;
    case SCHED_OTF2_ATTR_CPU_INSIDE:
        c->cpu_inside = from_ns(v.uint64);
        c->all_cpu = false;
        break;
    case SCHED_OTF2_ATTR_PEER:
        c->peer = asked(v.int32);
        break;
    case SCHED_OTF2_ATTR_TAG:
        c->tag = asked(v.int32);
        break;
    case SCHED_OTF2_ATTR_SOURCE:
        c->source = asked(v.int32);
        break;
    case SCHED_OTF2_ATTR_RECV_TAG:
        c->recv_tag = asked(v.int32);
        break;
    case SCHED_OTF2_ATTR_BYTES:
        c->bytes = v.uint64;
        c->has_bytes = true;
        break;
    case SCHED_OTF2_ATTR_RECV_BYTES:
        c->recv_bytes = v.uint64;
        c->has_recv_bytes = true;
        break;
    case SCHED_OTF2_ATTR_COMM:
        c->comm = v.commRef;
        break;
    case SCHED_OTF2_ATTR_ROOT:
        c->root = (uint32_t)v.int32;
        break;
    case SCHED_OTF2_ATTR_REQUEST:
        c->request = v.uint64;
        c->has_request = true;
        break;
    case SCHED_OTF2_ATTR_IN_PLACE:
        c->in_place = v.uint8 != 0;
        break;
    default:
        break;
    }
}

/* A bit for each attribute of ours that a reference is. */
static uint32_t attributes_of(const sched_otf2_archive *a, OTF2_AttributeRef ref)
{
    uint32_t all = 0;
    for (guint which = 0; which < SCHED_OTF2_NUM_ATTRIBUTES; which++) {
        all |= (a->attribute[which] == ref ? UINT32_C(1) : 0) << which;
    }
    return ref != OTF2_UNDEFINED_ATTRIBUTE ? all : 0;
}

void sched_otf2_attributes_begin(sched_otf2_rank *s)
{
    for (OTF2_AttributeRef ref = 0; ref < SCHED_OTF2_ATTRIBUTE_REFS; ref++) {
        s->attributes[ref] = attributes_of(s->archive, ref);
    }
}

void sched_otf2_call_attributes(sched_otf2_rank *s, OTF2_AttributeList *list)
{
    const sched_otf2_archive *a = s->archive;
    sched_otf2_call *c = &s->call;
    c->all_cpu = a->ripple && a->attribute[SCHED_OTF2_ATTR_CPU_INSIDE] != OTF2_UNDEFINED_ATTRIBUTE;
    uint32_t seen = 0;
    const uint32_t n = list != NULL && a->ripple ? OTF2_AttributeList_GetNumberOfElements(list) : 0;
    for (uint32_t i = 0; i < n; i++) {
        OTF2_AttributeRef ref;
        OTF2_Type type;
        OTF2_AttributeValue value;
        if (OTF2_AttributeList_PopAttribute(list, &ref, &type, &value) != OTF2_SUCCESS) {
            break;
        }
        const uint32_t all =
            ref < SCHED_OTF2_ATTRIBUTE_REFS ? s->attributes[ref] : attributes_of(a, ref);
        for (uint32_t left = all & ~seen; left != 0; left &= left - 1) {
            take_attribute(c, (sched_otf2_attribute)__builtin_ctz(left), type, value);
        }
        seen |= all; /* of one that comes twice the first counts */
    }
}
