#!/bin/sh
# bench/large.sh — SPDX-License-Identifier: GPL-3.0-or-later
# The largest runs that Ripple is measured by, under noise, each once: time, ns per event, memory.
# Usage: large.sh BUILD-FOLDER [THREADS [CASE...]]; with 0 threads it counts operations and messages.
set -eu
build=${1:?usage: large.sh BUILD-FOLDER [THREADS [CASE...]]}
threads=${2:-$(nproc)}
if [ $# -gt 2 ]; then
    shift 2
else
    set -- ocean halo dissemination
fi
traces=$(dirname "$0")/../apps/proxies/traces

measure() { # NAME PROGRAM RANKS REPEAT
    echo "$1:"
    if [ "$threads" = 0 ]; then
        "$build/bench/bench_program" "$2" "$3" "$4"
    else
        "$build/bench/bench_program" "$2" "$3" "$4" "$threads"
    fi
}

for case in "$@"; do
    case $case in
    ocean) # the SC'10 paper's largest run in kind
        measure 'ocean model, 32Ki ranks, 107 steps of 5 iterations, 628 M messages' \
            "$traces/ocean-pcg-16" 32768 107 ;;
    halo)
        measure 'halo and allreduce, 1Mi ranks, 20 iterations, 541 M messages' \
            "$traces/ocean-chrongear-16" 1048576 4 ;;
    dissemination)
        measure 'allreduce by dissemination, 1Mi ranks, 21 M messages' \
            allreduce:dissemination 1048576 1 ;;
    *)
        echo "large.sh: there is no case $case; known: ocean halo dissemination" >&2
        exit 2 ;;
    esac
done
