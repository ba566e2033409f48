/* host/host_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/host_file.h"

#include <stdlib.h>
#include <string.h>

char *noise_host_file_text(const char *root, const char *path, unsigned cpu)
{
    g_autofree char *number = g_strdup_printf("%u", cpu);
    g_auto(GStrv) parts = g_strsplit(path, "%u", -1);
    g_autofree char *name = g_strjoinv(number, parts);
    g_autofree char *real = g_strconcat(root, name, NULL);
    g_autofree char *text = NULL;
    return g_file_get_contents(real, &text, NULL, NULL) ? g_utf8_make_valid(text, -1) : NULL;
}

char *noise_host_file_line(const char *root, const char *path, unsigned cpu)
{
    char *text = noise_host_file_text(root, path, cpu);
    if (text != NULL) {
        text[strcspn(text, "\n")] = '\0';
    }
    return text;
}

int64_t noise_host_file_number(const char *root, const char *path, unsigned cpu)
{
    g_autofree char *text = noise_host_file_line(root, path, cpu);
    return text != NULL && g_ascii_isdigit(*text) ? strtoll(text, NULL, 10) : -1;
}

int64_t noise_host_file_value(const char *text, const char *key)
{
    const size_t len = strlen(key);
    for (const char *line = text; line != NULL;) {
        if (strncmp(line, key, len) == 0 && line[len] == ' ') {
            return strtoll(line + len, NULL, 10);
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return -1;
}

bool noise_host_file_lists(const char *list, uint32_t cpu)
{
    for (const char *at = list; at != NULL && g_ascii_isdigit(*at);) {
        char *end;
        const unsigned long first = strtoul(at, &end, 10);
        const unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
        if (first <= cpu && cpu <= last) {
            return true;
        }
        at = *end == ',' ? end + 1 : NULL;
    }
    return false;
}

bool noise_host_is_guest(const char *root)
{
    g_autofree char *info = noise_host_file_text(root, "/proc/cpuinfo", 0);
    const char *flags = info != NULL ? strstr(info, "\nflags") : NULL;
    g_autofree char *line = flags != NULL ? g_strndup(flags, strcspn(flags + 1, "\n") + 1) : NULL;
    return line != NULL && strstr(line, " hypervisor") != NULL;
}
