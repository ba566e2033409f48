/* apps/tracer/calls/entry.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "calls/entry.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

void *tracer_next(const char *symbol)
{
    void *f = dlsym(RTLD_NEXT, symbol);
    if (f == NULL) {
        tracer_say("the MPI library of this program has no %s", symbol);
        abort();
    }
    return f;
}

/* Code of the Fortran bindings: their C side calls the PMPI entries, ours among them. */
enum { MAX_BINDINGS = 8 };
static struct {
    uintptr_t from, to;
} binding[MAX_BINDINGS];
static int num_bindings = -1;

static int note_binding(struct dl_phdr_info *info, size_t size, void *count)
{
    (void)size;
    int *n = count;
    static const char *const name[] = {"/libmpi_mpifh", "/libmpi_usempi", "/libmpichfort"};
    bool ours = false;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        ours |= strstr(info->dlpi_name, name[i]) != NULL;
    }
    for (int i = 0; ours && i < info->dlpi_phnum && *n < MAX_BINDINGS; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_LOAD && (p->p_flags & PF_X) != 0) {
            binding[*n].from = info->dlpi_addr + p->p_vaddr;
            binding[*n].to = binding[*n].from + p->p_memsz;
            (*n)++;
        }
    }
    return 0;
}

bool tracer_from_fortran(const void *caller)
{
    if (num_bindings < 0) {
        int n = 0;
        (void)dl_iterate_phdr(note_binding, &n);
        num_bindings = n;
    }
    const uintptr_t at = (uintptr_t)caller;
    for (int i = 0; i < num_bindings; i++) {
        if (at >= binding[i].from && at < binding[i].to) {
            return true;
        }
    }
    return false;
}
