#!/bin/sh
# bench/bench_tracer.sh — SPDX-License-Identifier: GPL-3.0-or-later
# What recording costs: CPU time of a program with 10,000 MPI calls/s, and of calls alone, with
# and without the tracer, in turn. Usage: bench_tracer.sh BUILD-FOLDER
set -eu
build=${1:?usage: bench_tracer.sh BUILD-FOLDER}
tracer=$(realpath "$build/apps/tracer/libripple-trace-openmpi.so")
source=$(dirname "$0")/tracer_rate.c
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mpicc.openmpi -O2 -o "$dir/rate" "$source"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

plain() {
    mpirun.openmpi -n 1 "$dir/rate" "$@"
}
traced() {
    rm -rf "$dir/trace"
    mpirun.openmpi -n 1 env LD_PRELOAD="$tracer" RIPPLE_TRACE_DIR="$dir/trace" "$dir/rate" "$@" \
        2>/dev/null
}
median() {
    sort -n | sed -n 4p
}

# compare CALLS WORK: medians of 7 runs each, taken in turn
compare() {
    : >"$dir/plain" >"$dir/traced"
    for i in 1 2 3 4 5 6 7; do
        plain "$1" "$2" >>"$dir/plain"
        traced "$1" "$2" >>"$dir/traced"
    done
    without=$(median <"$dir/plain")
    with=$(median <"$dir/traced")
    awk -v n="$1" -v a="$without" -v b="$with" 'BEGIN {
        printf "%d calls: %.0f ns each without, %.0f ns with the tracer: %+.0f ns, %+.2f %%, %.0f calls/s\n",
               n, a / n, b / n, (b - a) / n, 100 * (b - a) / a, n / a * 1e9 }'
}
compare 200000 0
compare 5000 54000
