#!/bin/sh
# bench/detect_live.sh — SPDX-License-Identifier: GPL-3.0-or-later
# Does `ripple trace --detect` name the rank that is disturbed, and no other? Two ranks of conjugate
# gradients, each pinned to a CPU of its own, are learned from three clean runs; then a burner has one
# of the two CPUs, in turn, for a part of the run. Said of each run, and judged: that rank alone, its
# onset within 1 s, lost seconds within 20 % of the CPU time that the burner took meanwhile, the same
# table on-line and of the archive; and of runs without a burner, that no rank is called disturbed. A
# rank that is called slower had its CPU all the time: nobody took it, so that is printed and not
# wrong, beside a burner or without (docs/interference.md, section 5). Exit code 1 if anything is
# wrong. Wants a machine that does nothing else.
# Usage: detect_live.sh BUILD-FOLDER [REPETITIONS [ITERATIONS [BURNER-SECONDS]]]
set -eu
build=$(realpath "${1:?usage: detect_live.sh BUILD-FOLDER [REPETITIONS [ITERATIONS [BURNER-SECONDS]]]}")
repetitions=${2:-5}
iterations=${3:-8000}
seconds=${4:-4}
after=3 # s from the start of a run to the burner's
ripple=$build/apps/ripple/ripple
program="$build/apps/proxies/halo_cg 500 $iterations"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cc -O2 -D_GNU_SOURCE -o "$dir/burner" "$(dirname "$0")/burner.c"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cd "$dir"

# The first two CPUs that we may use.
cpus=$(taskset -cp $$ | sed 's/.*: //' | awk -F, '{ for (i = 1; i <= NF; i++) { n = split($i, r, "-")
    for (c = r[1] + 0; c <= r[n] + 0; c++) print c } }' | head -2)
test "$(echo "$cpus" | wc -l)" -eq 2 || { echo "detect_live.sh: needs two CPUs" >&2; exit 1; }
cpu_of() {
    echo "$cpus" | sed -n "$(($1 + 1))p"
}
cat >pinned <<END
#!/bin/sh
rank=\${OMPI_COMM_WORLD_RANK}
test \$rank -ne 0 || date +%s.%N >began
test \$rank -eq 0 && cpu=$(cpu_of 0) || cpu=$(cpu_of 1)
exec taskset -c \$cpu $program
END
chmod +x pinned
run="mpirun.openmpi -n 2 --bind-to none ./pinned"

learn=
for i in 1 2 3; do
    "$ripple" trace -q -o "clean$i" -- $run >/dev/null 2>said || { cat said >&2; exit 1; }
    learn="$learn clean$i"
done
"$ripple" detect learn -q --ref=clean -o model $learn | cut -c1-150

# field COLUMN RANK: of the scores of the archive
field() {
    awk -F, -v name="$1" -v rank="$2" '$1 == "run" { for (i = 1; i <= NF; i++) at[$i] = i; next }
        /^#/ { next } $at["rank"] == rank { print $at[name] == "" ? "-" : $at[name] }' scores.csv
}
# The table as it is printed on-line, without what the program prints, and of the archive.
same_tables() {
    grep -v '^#' after >table
    grep -v '| *r *|' online >lines || true
    cmp -s lines table && echo yes || echo NO
}

wrong=0
judge() {
    awk "BEGIN { exit !($1) }" && echo ok || echo WRONG
}
printf '%-10s %5s  %-20s %8s %8s %8s %8s %8s  %s\n' run burnt "rank 0, rank 1" onset truth lost burner line "on-line = after"
one() { # NAME BURNT-RANK (none: no burner)
    rm -rf recorded burnt began
    "$ripple" trace --detect=model -o recorded -- $run >online 2>said &
    traced=$!
    if [ "$2" != none ]; then
        sleep $after
        date +%s.%N >burnt_began
        ./burner "$(cpu_of "$2")" 1000 1000 "$seconds" >burnt
    fi
    wait $traced || { cat said >&2; exit 1; }
    "$ripple" detect score model recorded >after
    "$ripple" detect score --format=csv model recorded >scores.csv
    verdicts="$(field verdict 0), $(field verdict 1)"
    judged=$(echo "$verdicts" | sed 's/slower/clean/g')
    same=$(same_tables)
    if [ "$2" = none ]; then
        ok=$(judge "\"$judged\" == \"clean, clean\" && \"$same\" == \"yes\"")
        printf '%-10s %5s  %-20s %8s %8s %8s %8s %8s  %s  %s\n' "$1" - "$verdicts" - - - - - "$same" "$ok"
    else
        truth=$(awk '{ print $1 }' burnt_began began | awk 'NR == 1 { b = $1 } NR == 2 { printf "%.3f", b - $1 }')
        onset=$(field onset_s "$2")
        lost=$(field lost_s "$2")
        took=$(cat burnt)
        line=$(sed -n "s/.*rank $2 looks disturbed since .*noticed at \([^)]*\)).*/\1/p" said | head -1)
        wanted="clean, disturbed"
        test "$2" -eq 1 || wanted="disturbed, clean"
        ok=$(judge "\"$judged\" == \"$wanted\" && \"$same\" == \"yes\" && \"$line\" != \"\" &&
            \"$onset\" - $truth < 1 && $truth - \"$onset\" < 1 &&
            \"$lost\" < 1.2 * $took && \"$lost\" > 0.8 * $took")
        printf '%-10s %5s  %-20s %8s %8s %8s %8s %8s  %s  %s\n' "$1" "$2" "$verdicts" "$onset" \
            "$truth" "$lost" "$took" "$line" "$same" "$ok"
    fi
    if [ "$ok" != ok ]; then
        wrong=$((wrong + 1))
        grep -v '^#' after # what is said of it
    fi
}
i=1
while [ $i -le "$repetitions" ]; do
    one "burner $i" $((i % 2))
    one "none $i" none
    i=$((i + 1))
done
echo "$wrong of $((2 * repetitions)) runs wrong"
test $wrong -eq 0
