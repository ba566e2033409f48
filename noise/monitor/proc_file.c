/* noise/monitor/proc_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "monitor/proc_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

long noise_proc_read(int folder, const char *path, int fd, char *buffer, size_t size)
{
    const int opened = fd < 0 ? openat(folder, path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0 && opened < 0) {
        return -1;
    }
    size_t used = 0;
    long n;
    do { /* some files come in pieces of a page */
        n = pread(fd < 0 ? opened : fd, buffer + used, size - 1 - used, (off_t)used);
        used += n > 0 ? (size_t)n : 0;
    } while ((n > 0 && used + 1 < size && size > 4096) || (n < 0 && errno == EINTR));
    if (opened >= 0) {
        (void)close(opened);
    }
    buffer[used] = '\0';
    return n < 0 ? -1 : (long)used;
}

uint64_t noise_proc_number(const char **at)
{
    const char *p = *at;
    while (*p == ' ' || *p == '\t') {
        p++;
    }
    uint64_t v = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        v = v * 10 + (uint64_t)(*p - '0');
    }
    *at = p;
    return v;
}

bool noise_proc_parse_schedstat(const char *text, proc_schedstat *out)
{
    if (*text < '0' || *text > '9') {
        return false;
    }
    out->cpu_ns = noise_proc_number(&text);
    out->delay_ns = noise_proc_number(&text);
    out->slices = noise_proc_number(&text);
    return true;
}

/* Fields are counted from 1; the second, the name, may hold anything, so that only its last
 * bracket ends it. */
bool noise_proc_parse_stat(const char *text, proc_stat *out)
{
    const char *open = strchr(text, '(');
    const char *close = strrchr(text, ')');
    if (open == NULL || close == NULL || close < open || close[1] != ' ') {
        return false;
    }
    size_t n = (size_t)(close - open - 1);
    n = n < sizeof out->name ? n : sizeof out->name - 1;
    memcpy(out->name, open + 1, n);
    out->name[n] = '\0';
    out->state = close[2];
    out->cpu = UINT32_MAX;
    out->num_threads = 1;
    const char *at = close + 2;
    unsigned field = 3;
    for (; *at != '\0' && *at != '\n' && field <= 39; field++) {
        const char *word = at;
        const uint64_t v = noise_proc_number(&word);
        switch (field) {
        case 4:
            out->parent = (uint32_t)v;
            break;
        case 6:
            out->session = (uint32_t)v;
            break;
        case 7:
            out->terminal = (uint32_t)v;
            break;
        case 9:
            out->flags = (uint32_t)v;
            break;
        case 20:
            out->num_threads = (uint32_t)v;
            break;
        case 22:
            out->start_ticks = v;
            break;
        case 39:
            out->cpu = (uint32_t)v;
            break;
        default:
            break;
        }
        at = strchr(at, ' ');
        if (at == NULL) {
            break;
        }
        at++;
    }
    return field > 4;
}

bool noise_proc_parse_switches(const char *text, proc_switches *out)
{
    static const char VOLUNTARY[] = "\nvoluntary_ctxt_switches:";
    static const char INVOLUNTARY[] = "\nnonvoluntary_ctxt_switches:";
    const char *voluntary = strstr(text, VOLUNTARY);
    const char *involuntary = strstr(text, INVOLUNTARY);
    if (voluntary == NULL || involuntary == NULL) {
        return false;
    }
    voluntary += sizeof VOLUNTARY - 1;
    involuntary += sizeof INVOLUNTARY - 1;
    out->voluntary = noise_proc_number(&voluntary);
    out->involuntary = noise_proc_number(&involuntary);
    return true;
}

static char *put_number(char *at, uint32_t v)
{
    char digits[10];
    int n = 0;
    do {
        digits[n++] = (char)('0' + v % 10);
        v /= 10;
    } while (v > 0);
    while (n > 0) {
        *at++ = digits[--n];
    }
    return at;
}

char *noise_proc_path(char out[64], uint32_t pid, uint32_t tid, const char *name)
{
    static const char TASK[] = "/task/";
    char *at = put_number(out, pid);
    memcpy(at, TASK, sizeof TASK - 1);
    at = put_number(at + sizeof TASK - 1, tid);
    *at++ = '/';
    strncpy(at, name, (size_t)(out + 63 - at));
    out[63] = '\0';
    return out;
}
