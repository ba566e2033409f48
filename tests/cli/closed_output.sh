# Standard output that is closed, or on a full disk: one line that says so, exit 1, for all that
# prints, and before the work.
ripple sweep collective:barrier --sweep=ranks=4,8 -o sweep.db -q >sweep.txt
nothing_printed() {
    echo "\$ ripple $*"
    ripple "$@" 2>&1 >&-
    echo "[closed: exit $?]"
    ripple "$@" 2>&1 >/dev/full
    echo "[full: exit $?]"
}
nothing_printed --version
# The same for every page of help, all verbs there are.
verbs=$(ripple --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]\{1,\}\) .*/\1/p')
verbs=${verbs//help/}
echo "$verbs" | grep -c simulate
nothing_printed --version | tail -n +2 >wanted
same() {
    nothing_printed "$@" | tail -n +2 | cmp -s - wanted || nothing_printed "$@"
}
same --help
same help
same --completion=bash
same --man=ripple
for verb in $verbs; do
    same help "$verb"
    same "$verb" --help
    same "--man=$verb"
done
nothing_printed doctor
nothing_printed measure --time=10ms -q
nothing_printed mine data/ft8 --format=csv
nothing_printed report sweep.db
nothing_printed schedule collective:barrier --ranks=4
nothing_printed simulate collective:barrier --ranks=4
nothing_printed sweep collective:barrier --sweep=ranks=4,8 -o sweep.db -q
ripple run no-such-file 2>&1 >&- # no program is looked for, nothing is measured
ripple quick 2>&1 >&-
files
# What goes elsewhere needs no standard output; what is open there instead stays as it is.
ripple simulate collective:barrier --ranks=4 -o result.txt >&- && cut -c 1-20 result.txt
ripple simulate collective:barrier --ranks=4 1<result.txt
echo "exit $?"
