# A stored schedule in copies and passes: without being stored, and written out.
try ripple schedule data/pair.goal --ranks=4 --repeat=2 --format=goal
try ripple schedule data/pair.goal --ranks=4 --repeat=2 --check
try ripple schedule data/pair.goal --repeat=2 --check --format=csv
ripple schedule collective:allreduce:ring:100KiB --ranks=3 -o ring.goal >/dev/null
ripple schedule ring.goal -o ring.rpl >/dev/null
ripple schedule ring.goal --ranks=9 --repeat=7 -o large.goal >/dev/null 2>&1
ripple schedule ring.rpl --ranks=9 --repeat=7 -o large.bin >/dev/null 2>&1
ripple schedule ring.goal --ranks=9 --repeat=7 -o large.rpl >/dev/null 2>&1
ripple schedule large.bin --format=goal 2>/dev/null | cmp - large.goal && echo "text and binary: the same"
# Every label is there once in its rank.
awk '/^rank/ {rank = $2} /^l[0-9]+: / {print rank, $1}' large.goal | sort | uniq -d | wc -l
for noise in none fixed:10kHz:30us; do
    for from in ring.goal ring.rpl; do
        ripple simulate $from --ranks=9 --repeat=7 --noise=$noise --per-rank --format=csv 2>/dev/null | tail -n +3 >repeated
        for written in large.goal large.bin large.rpl; do
            ripple simulate $written --noise=$noise --per-rank --format=csv | tail -n +3 | cmp - repeated ||
                echo "$from, $written, $noise: another time"
        done
    done
done
wc -l <repeated
# A record in passes, and its schedule in passes.
ripple schedule data/ft8 -o ft8.rpl >/dev/null
ripple simulate data/ft8 --repeat=5 --per-rank --format=csv | tail -n +3 >recorded
ripple simulate ft8.rpl --repeat=5 --per-rank --format=csv | tail -n +3 | cmp - recorded && echo "record and schedule: the same"
try ripple simulate ring.rpl --ranks=3,6,12 --repeat=100 --noise=fixed:1kHz:100us --replicas=5 --cosched --threads=2
try ripple simulate ring.rpl --ranks=6 --format=json -o result.json
jq -c '.result.notices // .notices' result.json 2>/dev/null
try ripple simulate ring.rpl --ranks=7
try ripple simulate ring.rpl --repeat=4000000000
try ripple schedule ring.rpl --repeat=4000000000
try ripple mine data/pair.goal --ranks=4 --repeat=10k --noise=fixed:1kHz:50us@3
try ripple sweep data/pair.goal --sweep=ranks=2,8 --sweep=repeat=1,10 -o x.db
# What cannot be repeated in one is not repeated in many: a deadlock is told of its copy and pass.
try ripple simulate data/deadlock.goal --ranks=4 --repeat=3
# Operations that begin a pass times those that end one: too many edges to write, but not to run.
{ echo "num_ranks 1"; echo "rank 0 {"; seq 1 20000 | sed 's/.*/l&: calc 1/'; echo "}"; } >crowd.goal
ripple schedule crowd.goal --repeat=100 --format=goal 2>&1 | sed 's/[0-9.]* GiB/# GiB/g'
ripple simulate crowd.goal --repeat=100 --format=csv | tail -n 1 | cut -d, -f5 # 100 passes of 20,000 ns
rm -f x.db result.json ft8.rpl recorded
files
