#!/bin/sh
# tests/apps/tracer/table.sh — SPDX-License-Identifier: GPL-3.0-or-later
# No call is silent: every function that the MPI library exports has its place in functions.txt, and is
# exported by the tracer, too, unless the table says why not. Usage: table.sh TRACER FUNCTIONS.TXT
set -eu
tracer=$1
table=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# The functions of MPI in a library: T and W are code, i is chosen when it is loaded.
functions() {
    nm -D --defined-only "$1" | awk '$2 ~ /^[TWi]$/ && $3 ~ /^P?MPIX?_/ { print $3 }'
}

# compare TABLE: what is wrong, one line each
compare() {
    awk -v tracer="${tracer##*/}" '
        FNR == 1 { file++ }
        file == 1 && /^[a-z]/ { how = $1; next }
        file == 1 && /^ / {
            for (i = 1; i <= NF && $i !~ /^#/; i++)
                treatment[($i ~ /^MPIX_/ ? "" : "MPI_") $i] = how
        }
        file == 1 { next }
        file == 2 { wrapped[$1] = 1; next }
        /^P/ { next }
        {
            name = $1
            if (!(name in treatment))
                sub(/_c$/, "", name)
            if (!(name in treatment)) {
                print $1 " is exported by the MPI library, but not in functions.txt"
            } else if (treatment[name] != "silent") {
                if (!($1 in wrapped))
                    print $1 " is \"" treatment[name] "\" in functions.txt, but " tracer " lacks it"
                if (!("P" $1 in wrapped))
                    print "P" $1 ", which Fortran calls: " tracer " lacks it"
            }
        }' "$1" "$dir/tracer" "$dir/library"
}

functions "$tracer" >"$dir/tracer"
ldd "$tracer" | awk '$3 ~ /^\// { print $3 }' | while read -r library; do
    functions "$library"
done | sort -u >"$dir/library"
if [ "$(grep -c '^MPI_' "$dir/library")" -lt 300 ]; then
    echo "table.sh: no MPI library behind $tracer" >&2
    exit 1
fi

# The comparison itself can fail: without this line it must miss that function, and no other.
sed 's/^    Win_test$//' "$table" >"$dir/short"
compare "$dir/short" >"$dir/missed"
compare "$table" >"$dir/wrong"
cat "$dir/wrong" >&2
[ ! -s "$dir/wrong" ] && [ "$(cat "$dir/missed")" = \
    "MPI_Win_test is exported by the MPI library, but not in functions.txt" ]
