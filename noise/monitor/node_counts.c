/* noise/monitor/node_counts.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_interrupt_counts. */
#include "monitor/node_counts.h"

#include "monitor/proc_file.h"

#include <fcntl.h>
#include <unistd.h>

static bool fill(node_counts *c)
{
    return c->fd >= 0 && noise_proc_read(-1, NULL, c->fd, c->buffer, NODE_COUNT_BYTES) > 0;
}

/* The value of a line of that name, which may be cut off. */
static bool find(const char *text, const char *name, uint64_t *out)
{
    const char *at = strstr(text, name);
    if (at == NULL) {
        return false;
    }
    at += strlen(name);
    *out = noise_proc_number(&at);
    return true;
}

/* "cpu3 user nice system idle iowait irq softirq steal …": the line at @p at; @return the next */
static const char *read_cpu(const char *at, uint32_t *cpu, uint64_t *steal)
{
    at += strlen("cpu");
    *cpu = (uint32_t)noise_proc_number(&at);
    for (int field = 0; field < 8; field++) {
        *steal = noise_proc_number(&at);
    }
    at = strchr(at, '\n');
    return at != NULL ? at + 1 : "";
}

static const char *first_cpu(const char *text)
{
    const char *at = strstr(text, "\ncpu");
    return at != NULL ? at + 1 : "";
}

void noise_node_counts_init(node_counts *c, int proc, uint64_t now)
{
    *c = (node_counts){.fd = openat(proc, "stat", O_RDONLY | O_CLOEXEC), .read_at = now};
    c->buffer = g_malloc0(NODE_COUNT_BYTES);
    c->clk_tck = sysconf(_SC_CLK_TCK);
    if (!fill(c)) {
        return;
    }
    (void)find(c->buffer, "\nctxt ", &c->switches);
    (void)find(c->buffer, "\nprocesses ", &c->forks);
    for (const char *at = first_cpu(c->buffer); g_str_has_prefix(at, "cpu"); c->num_cpus++) {
        c->cpus = g_renew(uint32_t, c->cpus, c->num_cpus + 1);
        c->steal = g_renew(uint64_t, c->steal, c->num_cpus + 1);
        at = read_cpu(at, &c->cpus[c->num_cpus], &c->steal[c->num_cpus]);
    }
}

void noise_node_counts_read(node_counts *c, noise_nit_writer *writer, nit_seen *seen, uint64_t now)
{
    if (!fill(c)) {
        return;
    }
    uint64_t switches = c->switches;
    uint64_t forks = c->forks;
    (void)find(c->buffer, "\nctxt ", &switches);
    (void)find(c->buffer, "\nprocesses ", &forks);
    seen->switches += switches - c->switches;
    seen->forks += forks - c->forks;
    c->switches = switches;
    c->forks = forks;
    uint32_t i = 0;
    for (const char *at = first_cpu(c->buffer); g_str_has_prefix(at, "cpu");) {
        uint32_t cpu;
        uint64_t steal;
        at = read_cpu(at, &cpu, &steal);
        while (i < c->num_cpus && c->cpus[i] < cpu) {
            i++; /* it has gone offline */
        }
        if (i < c->num_cpus && c->cpus[i] == cpu && steal > c->steal[i]) {
            const uint64_t ns = (steal - c->steal[i]) * 1000000000 / (uint64_t)c->clk_tck;
            const noise_nit_steal record = {0, cpu, c->read_at, now, ns};
            noise_nit_writer_steal(writer, &record);
            seen->steal_ns += ns;
            c->steal[i] = steal;
        }
    }
    c->read_at = now;
}

void noise_node_counts_clear(node_counts *c)
{
    if (c->fd >= 0) {
        (void)close(c->fd);
    }
    g_free(c->cpus);
    g_free(c->steal);
    g_free(c->buffer);
}
