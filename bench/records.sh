#!/bin/bash
# bench/records.sh — SPDX-License-Identifier: GPL-3.0-or-later
# Records of applications, followed at many ranks without noise: CPU time of the whole command, less that of reading (the
# same command at the ranks that were recorded), for each operation and message, and the geometric mean of all.
# Usage: records.sh BUILD-FOLDER RECORDS [RANKS [THREADS]]
# RECORDS is a folder of records or archives of them, NAME.npN.tar.xz; RANKS [16384] is rounded up to a multiple of N.
set -euo pipefail
build=${1:?usage: records.sh BUILD-FOLDER RECORDS [RANKS [THREADS]]}
records=${2:?usage: records.sh BUILD-FOLDER RECORDS [RANKS [THREADS]]}
ranks=${3:-16384}
threads=${4:-2}
export LC_ALL=C

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT

cpu_seconds() { # RECORD RANKS
    local TIMEFORMAT='%U %S'
    { time "$build/apps/ripple/ripple" simulate --no-symmetry --ranks="$2" --threads="$threads" "$1" \
        >"$room/out" 2>"$room/err"; } 2>&1 | awk '{ print $1 + $2 }'
    if [ ! -s "$room/out" ]; then
        cat "$room/err" >&2
        exit 1
    fi
}

for each in "$records"/*.np*; do
    name=$(basename "$each" .tar.xz)
    record=$each
    if [ -f "$each" ]; then
        tar -C "$room" -xf "$each"
        record=$room/$name
    fi
    recorded=${name##*.np}
    many=$(((ranks + recorded - 1) / recorded * recorded))
    events=$("$build/bench/bench_program" "$record" "$many" |
        awk '{ print $3 + $5 }')
    all=$(cpu_seconds "$record" "$many")
    reading=$(cpu_seconds "$record" "$recorded")
    echo "$name $many $events $all $reading"
    rm -rf "${room:?}/$name"
done | awk '
    {
        ns = 1e9 * ($4 - $5) / $3
        printf "%-16s %8d ranks %12.0f events %8.2f s, %5.2f of them reading %8.1f ns per event\n",
               $1, $2, $3, $4, $5, ns
        fflush()
        if (ns > 0) { sum += log(ns); n++ }
    }
    END { if (n > 0) printf "geometric mean of %d: %.1f ns\n", n, exp(sum / n) }'
