/* sim/sequential/message_form.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sequential. */
#include "sequential/message_form_private.h"

#include <glib.h>

void sim_message_forms_init(message_forms *forms, const sim_params *params)
{
    *forms = (message_forms){.cap_forms = 128, .mask = 255, .G = params->G, .O = params->O};
    forms->form = g_new(message_form, forms->cap_forms);
    forms->slot = g_new0(uint32_t, forms->mask + (size_t)1);
}

void sim_message_forms_clear(message_forms *forms)
{
    g_free(forms->form);
    g_free(forms->slot);
}

static inline uint32_t home_of(const message_forms *forms, int64_t size, uint32_t tag,
                               uint32_t comm)
{
    uint64_t h = (uint64_t)size * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 29 ^ ((uint64_t)tag << 32 | comm)) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)(h >> 32) & forms->mask;
}

static __attribute__((noinline)) void grow(message_forms *forms)
{
    forms->cap_forms *= 2;
    forms->form = g_renew(message_form, forms->form, forms->cap_forms);
    g_free(forms->slot);
    forms->mask = 2 * forms->mask + 1;
    forms->slot = g_new0(uint32_t, forms->mask + (size_t)1);
    for (uint32_t i = 0; i < forms->num_forms; i++) {
        const message_form *f = &forms->form[i];
        uint32_t at = home_of(forms, f->size, f->tag, f->comm);
        while (forms->slot[at] != 0) {
            at = (at + 1) & forms->mask;
        }
        forms->slot[at] = i + 1;
    }
}

static __attribute__((noinline)) uint32_t add(message_forms *forms, const sim_op *op, uint32_t at)
{
    const int64_t b = op->size > 1 ? op->size - 1 : 0;
    const uint32_t number = forms->num_forms++;
    forms->form[number] = (message_form){.size = op->size,
                                         .tag = op->tag,
                                         .comm = op->comm,
                                         .G = sim_rate_times(forms->G, b),
                                         .O = sim_rate_times(forms->O, b)};
    forms->slot[at] = number + 1;
    if (forms->num_forms == forms->cap_forms) {
        grow(forms);
    }
    return number;
}

uint32_t sim_message_forms_number(message_forms *forms, const sim_op *op)
{
    uint32_t at = home_of(forms, op->size, op->tag, op->comm);
    for (; forms->slot[at] != 0; at = (at + 1) & forms->mask) {
        const message_form *f = &forms->form[forms->slot[at] - 1];
        if (f->size == op->size && f->tag == op->tag && f->comm == op->comm) {
            return forms->slot[at] - 1;
        }
    }
    return add(forms, op, at);
}
