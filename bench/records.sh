#!/bin/bash
# bench/records.sh — SPDX-License-Identifier: GPL-3.0-or-later
# Records of applications, followed at many ranks without noise or use of symmetry, nothing recorded: CPU time of the run for
# each operation and message, and the geometric mean of all. What reading a record takes is not in it.
# Usage: records.sh BUILD-FOLDER RECORDS [RANKS [THREADS [NOISE]]]
# RECORDS is a folder of records or archives of them, NAME.npN.tar.xz; RANKS [16Ki] is rounded up to a multiple of N.
set -euo pipefail
build=${1:?usage: records.sh BUILD-FOLDER RECORDS [RANKS [THREADS [NOISE]]]}
records=${2:?usage: records.sh BUILD-FOLDER RECORDS [RANKS [THREADS [NOISE]]]}
ranks=$(numfmt --from=auto "${3:-16Ki}")
threads=${4:-2}
noise=${5:-none}
export LC_ALL=C

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT

for each in "$records"/*.np*; do
    name=$(basename "$each" .tar.xz)
    record=$each
    if [ -f "$each" ]; then
        tar -C "$room" -xf "$each"
        record=$room/$name
    fi
    recorded=${name##*.np}
    many=$(((ranks + recorded - 1) / recorded * recorded))
    printf '%s %d ' "$name" "$many"
    "$build/bench/bench_program" "$record" "$many" 1 "$threads" "$noise" xt4
    rm -rf "${room:?}/$name"
done | awk '
    {
        if (!match($0, /CPU [0-9.]+ s, [0-9.]+ ns for each of [0-9]+ events/)) { print; exit 1 }
        split(substr($0, RSTART, RLENGTH), word, " ")
        printf "%-16s %8d ranks %12.0f events %8.2f s %8.1f ns per event\n", $1, $2, word[9], word[2], word[4]
        fflush()
        sum += log(word[4])
        n++
    }
    END { if (n > 0) printf "geometric mean of %d: %.1f ns\n", n, exp(sum / n) }'
