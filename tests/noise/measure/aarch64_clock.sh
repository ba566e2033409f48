#!/bin/sh
# The clock and the loops on AArch64: cross-compiled, and run where qemu can.
# Usage: aarch64_clock.sh SOURCE-FOLDER WORK-FOLDER. 77: skipped.
set -eu
cc=aarch64-linux-gnu-gcc
command -v $cc >/dev/null || {
    echo "skipped: there is no $cc (gcc-aarch64-linux-gnu, libc6-dev-arm64-cross)"
    exit 77
}
out=$2/aarch64_clock.elf
glib=$(mktemp -d)
trap 'rm -rf "$glib"' EXIT
# The loops take three macros of GLib, which need not be there for AArch64.
printf '#define %s\n' 'G_UNLIKELY(x) __builtin_expect(!!(x), 0)' G_BEGIN_DECLS G_END_DECLS >"$glib/glib.h"
$cc -std=gnu17 -O2 -Wall -Wextra -Werror -static -I"$glib" -I"$1/noise" -I"$1/noise/internal" \
    -I"$1/noise/include" -I"$1/sim/include" -I"$1/sim/base/include" -I"$1/sim/base/internal" \
    -o "$out" "$1/tests/noise/measure/aarch64_clock.c"
aarch64-linux-gnu-objdump -d "$out" | grep -q 'mrs.*cntvct_el0' || {
    echo "the program does not read cntvct_el0"
    exit 1
}
aarch64-linux-gnu-objdump -d "$out" | grep -B1 'mrs.*cntvct_el0' | grep -q isb || {
    echo "cntvct_el0 is read without isb before"
    exit 1
}
command -v qemu-aarch64 >/dev/null || {
    echo "built, not run: there is no qemu-aarch64 (qemu-user)"
    exit 0
}
qemu-aarch64 "$out"
