# Results that cannot be written are errors, and nothing half-written stays behind.
ripple doctor >/dev/full
echo "exit $?"
ripple --help >/dev/full
echo "exit $?"
try ripple doctor -o /dev/full
[ -c /dev/full ] && echo "/dev/full is still a device"
try ripple doctor -o no/such/folder/out.txt
ripple doctor -o out.txt && head -n 1 out.txt
stat -c '%a' out.txt
chmod 640 out.txt
ln -s out.txt link.txt
ripple doctor --format=json -o link.txt
readlink link.txt
stat -c '%a' out.txt
head -n 2 out.txt
# A file that may not grow beyond a kilobyte, as on a full disk.
limited() {
    (ulimit -f 1; try ripple "$@") | cat # not into the file that this script prints to
}
for format in goal goal-binary graphml text json csv; do # igraph leaks a word if dot fails
    limited schedule collective:allreduce:ring:1KiB --ranks=64 --format=$format -o big.$format
done
limited simulate collective:barrier --ranks=1Ki --per-rank --format=csv -o big.csv
limited simulate collective:barrier --ranks=1Ki --per-rank --format=json -o big.json
limited mine data/ft8 --format=json -o mined.json
limited run data/ft8 --ranks=8 --replicas=2 -q -o report | sed -E 's/\.[A-Z0-9]{6}”/”/'
limited run -q -o new-report no-such-file
files
# Where results cannot go is said before there are any: the program is not even looked for.
for verb in simulate mine schedule; do
    try ripple $verb no-such-file -o no/such/folder/out.txt
    try ripple $verb no-such-file -o data
done
try ripple measure --time=1h -o no/such/folder/here.detours
try ripple run no-such-file -o out.txt
try ripple run no-such-file -o /proc/no/such/report
try ripple quick -o out.txt
files
# A name that is none, and links in a circle.
ln -s loop other-loop
ln -s other-loop loop
for verb in 'simulate no-such-file' 'schedule no-such-file --format=goal' 'run no-such-file' \
    'report no-such-file' measure quick; do
    try ripple $verb -o ''
    try ripple $verb -o loop
done
try ripple trace -o '' -- no-such-file
try ripple simulate no-such-file --record=''
try ripple simulate no-such-file --replica-csv=loop
rm loop other-loop
files
# Two results, or a result and the program, in one file: nothing is done, nothing lost.
cp data/pair.goal pair.goal
try ripple simulate pair.goal -o pair.goal
try ripple schedule pair.goal -o pair.goal
try ripple simulate pair.goal --record=./pair.goal
try ripple simulate pair.goal -o result.txt --replica-csv=result.txt
try ripple simulate pair.goal --record=result.txt --replica-csv=result.txt
try ripple simulate pair.goal --record=/dev/null
cmp pair.goal data/pair.goal && files
# A schedule on standard output goes there as it is made: it needs no room elsewhere.
for format in goal goal-binary native dot; do
    TMPDIR=no/such/folder ripple schedule pair.goal --format=$format >piped.$format
    ripple schedule pair.goal --format=$format -o filed.$format >filed.txt
    cmp piped.$format filed.$format && echo "$format: the same"
done
# The same by name, in front of a pipe: nothing is half-written there that could be left, and no summary follows.
for format in goal goal-binary native dot; do
    ripple schedule pair.goal --format=$format -o /dev/stdout | cmp - piped.$format && echo "$format: the same"
done
ripple simulate pair.goal --format=csv -o /dev/stdout | tail -n +2 | head -n 1
ripple view pair.goal -q -o view.txt --page=/dev/stdout | grep -c '^<!DOCTYPE html>'
