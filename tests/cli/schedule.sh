# What schedule prints and writes; text -> binary -> text is stable.
try ripple schedule data/pair.goal
try ripple schedule data/pair.goal --check
try ripple schedule data/pair.goal --check --format=csv
try ripple schedule collective:bcast:binomial:1KiB --ranks=4 --format=goal
try ripple schedule collective:allreduce:ring:10 --ranks=3 --repeat=2 -o ring.goal
try ripple schedule ring.goal --check
ripple schedule ring.goal -o ring.bin >/dev/null
ripple schedule ring.bin --format=goal -o ring2.goal >/dev/null
cmp ring.goal ring2.goal && echo "text, binary, text: the same"
ripple simulate collective:allreduce:ring:10 --ranks=3 --repeat=2 --per-rank --format=csv | tail -n +3 >implicit
ripple simulate ring.bin --per-rank --format=csv | tail -n +3 >explicit
cmp implicit explicit && echo "the collective, written out, takes the same time"
ripple schedule ring.goal -o ring.rpl >/dev/null
ripple schedule ring.rpl -o ring3.goal >/dev/null
cmp ring.goal ring3.goal && echo "text, Ripple's own form, text: the same"
ripple simulate ring.rpl --per-rank --format=csv | tail -n +3 >mapped
cmp implicit mapped && echo "and so from the mapping"
ripple schedule ring.bin --format=native >ring2.rpl
cmp ring.rpl ring2.rpl && echo "the same program, the same bytes"
head -c 1000 ring.rpl >cut.rpl
try ripple simulate cut.rpl
{ head -c 1100 ring.rpl; printf '\377'; tail -c +1102 ring.rpl; } >damaged.rpl
try ripple simulate damaged.rpl
try ripple simulate ring.rpl --ranks=6
ripple schedule data/pair.goal --format=dot | grep -c -- '->'
ripple schedule data/pair.goal -o pair.graphml >/dev/null && xmllint --noout pair.graphml && echo "GraphML is XML"
try ripple schedule data/pair.goal --format=json
for bad in truncated peer cycle deadlock unmatched; do
    try ripple schedule data/$bad.goal --check
done
try ripple schedule data/pair.goal -o pair.unknown
try ripple schedule collective:bcast --ranks=2,4
try ripple schedule data/pair.goal --format=goal -o /dev/full
try ripple schedule data/pair.goal --format=goal-binary -o no/such/folder/x.bin
ripple schedule data/pair.goal --format=goal >/dev/full
echo "exit $?"
try ripple schedule data/truncated.goal -o half.goal
files
