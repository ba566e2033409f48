#!/bin/sh
# bench/mine_planted.sh — SPDX-License-Identifier: GPL-3.0-or-later
# Two faults at once in a program of two ranks, and what `ripple mine` makes of them: an MPI library in which
# every 17th MPI_Send of rank 0 takes 6 ms, and a process that has rank 1's CPU for 3 ms every 47 ms. Wants
# a quiet machine with two CPUs or more. Usage: bench/mine_planted.sh [BUILD] [STEPS]
set -eu
build=$(realpath "${1:-build/dev}")
steps=${2:-5000}
programs=$build/tests/apps/tracer
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun.openmpi -n 2 env SLOW_RANK=0 SLOW_EVERY=17 SLOW_US=6000 RIPPLE_TRACE_DIR="$dir/trace" \
    LD_PRELOAD="$build/apps/tracer/libripple-trace-openmpi.so:$programs/libslow-openmpi.so" \
    "$programs/slow-openmpi" "$steps" burner
"$build/apps/ripple/ripple" mine "$dir/trace" --min-share=5e-3 | tee "$dir/table"
"$build/apps/ripple/ripple" mine "$dir/trace" --min-share=5e-3 --format=csv |
    awk -F, '$1 == "noise" && $2 > 5.8e6 && $2 < 6.3e6 && $12 == "0" { slow++ }
        $1 == "noise" && $2 > 2.5e6 && $2 < 3.5e6 && $12 == "1" { burned++ }
        $1 == "noise" { rows++ }
        END {
            print (slow > 0 ? "found" : "MISSED") ": the slow MPI_Send of rank 0"
            print (burned > 0 ? "found" : "MISSED") ": the burner on the CPU of rank 1"
            print rows - slow - burned " other rows (0 on a quiet machine, or as real-time: chrt -f 1 bench/mine_planted.sh)"
            exit !(slow > 0 && burned > 0)
        }'
grep -q 'inside MPI_Send' "$dir/table" && echo "named: inside MPI_Send"
