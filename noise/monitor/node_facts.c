/* noise/monitor/node_facts.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "monitor/node_facts.h"

#include "monitor/proc_file.h"

#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

enum { SMALL = 256, LARGE = 1 << 16 };

static uint64_t read_clock(clockid_t id)
{
    struct timespec t;
    (void)clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

uint64_t noise_node_now(void *unused)
{
    (void)unused;
    return read_clock(CLOCK_MONOTONIC);
}

static uint64_t read_tsc(void)
{
#if defined(__x86_64__)
    return __rdtsc();
#elif defined(__aarch64__)
    uint64_t v;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(v));
    return v;
#else
    return 0;
#endif
}

/* The tightest of a few: nobody came in between. */
noise_nit_clocks noise_node_clocks(void)
{
    noise_nit_clocks best = {0};
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 5; i++) {
        const uint64_t before = read_clock(CLOCK_MONOTONIC);
        noise_nit_clocks c = {.monotonic_raw = read_clock(CLOCK_MONOTONIC_RAW),
                              .realtime = read_clock(CLOCK_REALTIME),
                              .tsc = read_tsc()};
        const uint64_t after = read_clock(CLOCK_MONOTONIC);
        if (after - before < least) {
            least = after - before;
            c.monotonic = before + least / 2;
            best = c;
        }
    }
    return best;
}

static char *read_line(int folder, const char *path)
{
    char text[SMALL];
    return noise_proc_read(folder, path, -1, text, sizeof text) > 0 ? g_strdup(g_strchomp(text))
                                                                    : NULL;
}

static void read_cpus(noise_nit_node *node, int proc)
{
    g_autofree char *text = g_malloc(LARGE);
    if (noise_proc_read(proc, "stat", -1, text, LARGE) <= 0) {
        return;
    }
    for (const char *at = strstr(text, "\ncpu"); at != NULL; at = strstr(at, "\ncpu")) {
        at += strlen("\ncpu");
        const uint32_t n = node->num_cpus++;
        node->cpus = g_renew(uint32_t, node->cpus, node->num_cpus);
        node->core = g_renew(uint32_t, node->core, node->num_cpus);
        node->cpus[n] = (uint32_t)noise_proc_number(&at);
        char path[SMALL];
        (void)g_snprintf(path, sizeof path,
                         "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list",
                         node->cpus[n]);
        g_autofree char *siblings = read_line(-1, path);
        const char *first = siblings;
        node->core[n] = siblings != NULL ? (uint32_t)noise_proc_number(&first) : node->cpus[n];
    }
}

/* 0: not known. */
static uint32_t kernel_hz(const char *release)
{
    g_autofree char *path = g_strdup_printf("/boot/config-%s", release);
    g_autofree char *text = NULL;
    const char *at =
        g_file_get_contents(path, &text, NULL, NULL) ? strstr(text, "\nCONFIG_HZ=") : NULL;
    at = at != NULL ? at + strlen("\nCONFIG_HZ=") : "";
    return (uint32_t)noise_proc_number(&at);
}

/* The value of hidepid= that /proc is mounted with; NULL: none. Owned by the caller. */
static char *hidden(int proc)
{
    g_autofree char *text = g_malloc(LARGE);
    if (noise_proc_read(proc, "self/mountinfo", -1, text, LARGE) <= 0) {
        return NULL;
    }
    char *found = NULL;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        const char *option = strstr(*line, "hidepid=");
        if (option != NULL && strstr(*line, " /proc ") != NULL &&
            strstr(*line, " - proc ") != NULL) {
            g_free(found); /* the last mount lies on top */
            found = g_strndup(option, strcspn(option, ", "));
        }
    }
    if (found != NULL && (strcmp(found, "hidepid=0") == 0 || strcmp(found, "hidepid=off") == 0)) {
        g_clear_pointer(&found, g_free);
    }
    return found;
}

static bool counts_time(int proc)
{
    char text[SMALL];
    proc_schedstat s;
    return noise_proc_read(proc, "self/schedstat", -1, text, sizeof text) > 0 &&
           noise_proc_parse_schedstat(text, &s) && (s.cpu_ns > 0 || s.slices > 0);
}

char *noise_node_blind(int proc, bool privileged)
{
    g_autoptr(GPtrArray) why = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *option = hidden(proc);
    if (option != NULL && !privileged) {
        g_ptr_array_add(why, g_strdup_printf("/proc is mounted with %s: only processes of this "
                                             "user are seen",
                                             option));
    }
    g_autofree char *second = read_line(proc, "2/comm"); /* on a whole node it starts all others */
    if (g_strcmp0(second, "kthreadd") != 0 && option == NULL) {
        g_ptr_array_add(why, g_strdup("this is a container: neither kernel threads nor processes "
                                      "outside it are seen"));
    }
    if (!counts_time(proc)) {
        g_ptr_array_add(why, g_strdup("the kernel keeps no schedstat: no CPU time is seen"));
    }
    g_ptr_array_add(why, NULL);
    return why->len > 1 ? g_strjoinv("; ", (char **)why->pdata) : NULL;
}

noise_nit_node *noise_node_facts(int proc)
{
    noise_nit_node *node = g_new0(noise_nit_node, 1);
    struct utsname u;
    const bool known = uname(&u) == 0;
    node->name = g_strdup(known ? u.nodename : "");
    node->kernel = g_strdup(known ? u.release : "");
    node->boot_id = read_line(proc, "sys/kernel/random/boot_id");
    node->hz = kernel_hz(node->kernel);
    node->clk_tck = sysconf(_SC_CLK_TCK);
    read_cpus(node, proc);
    node->blind = noise_node_blind(proc, geteuid() == 0);
    node->num_clocks = 1;
    node->clocks = g_new(noise_nit_clocks, 1);
    node->clocks[0] = noise_node_clocks();
    return node;
}

void noise_node_facts_free(noise_nit_node *node)
{
    noise_nit *nit = g_new0(noise_nit, 1);
    nit->num_nodes = 1;
    nit->nodes = node;
    noise_nit_free(nit);
}
