# Stopped by a signal or --time-limit, what is finished is printed and kept. One size is finished at
# once, one not while a test waits; how long the first takes nobody knows, so it is tried with more
# and more time until something is finished.
far="collective:allreduce:dissemination:1B --repeat=20000 --noise=jaguar --replicas=8 -q"
times="1 2 4 8 16 32 64 100"

# interrupt SIGNAL ARGUMENT...: ripple ARGUMENT..., by that signal
interrupt() {
    local number=$1 seconds
    shift
    for seconds in $times; do
        rm -rf report
        env --default-signal="$number" timeout --preserve-status -s "$number" "$seconds" \
            ripple "$@" >out 2>err
        local code=$?
        if [ $code -eq 0 ] || grep -q finished err; then
            break
        fi
    done
    echo "exit $code: $(cat err)"
}
# limit ARGUMENT...: the same by --time-limit
limit() {
    local seconds
    for seconds in $times; do
        rm -rf report
        ripple "$@" --time-limit="${seconds}s" >out 2>err
        local code=$?
        if [ $code -eq 0 ] || grep -q -e finished -e ' are in ' err; then
            break
        fi
    done
    echo "exit $code: $(sed 's/limit=[0-9]*s/limit=Ns/' err)"
}

# The rows are those of the size alone, whoever stops it; each form says what is missing.
ripple simulate $far --ranks=4 --format=csv --replica-csv=whole-replicas.csv >whole.csv
for number in INT TERM HUP; do
    interrupt $number simulate $far --ranks=4,256Ki --format=csv -o part.csv --replica-csv=part-replicas.csv
    for file in whole part whole-replicas part-replicas; do
        tail -n +2 $file.csv >$file.rows
    done
    cmp whole.rows part.rows && cmp whole-replicas.rows part-replicas.rows && echo "the same rows"
    head -qn 1 part.csv part-replicas.csv | grep -o 'stopped=.*'
    rm part*.csv
done
limit simulate $far --ranks=4,256Ki,512Ki
sed 's/limit=[0-9]*s/limit=Ns/' out
interrupt INT simulate $far --ranks=4,256Ki --format=json
ripple simulate $far --ranks=4 --format=json >whole.json
python3 - <<'PYTHON'
import json
part, whole = json.load(open("out")), json.load(open("whole.json"))
print(part["stopped"], part["series"] == whole["series"], "stopped" in whole)
PYTHON

# No size is finished: there is no result, and nothing is left.
try ripple simulate $far --ranks=256Ki --time-limit=1ms -o none.csv --replica-csv=none-replicas.csv
try ripple run $far --ranks=256Ki --time-limit=1ms -o none
ls -d none* 2>&1

# A limit that is far changes nothing; one that is none is refused.
ripple simulate $far --ranks=4 --format=csv --time-limit=100h | cmp - whole.csv && echo "the same"
try ripple simulate $far --ranks=4 --time-limit=0
try ripple simulate $far --ranks=4 --time-limit=soon
try ripple mine whole.csv --time-limit=1s

# The report of what is finished; the size to be mined is not.
interrupt INT run $far --ranks=4,64Ki -o report
grep -e '^stopped' -e NoiseMiner out
ls report
grep -o 'Stopped by [^<]*' report/report.html
limit run $far --ranks=4,256Ki -o report --format=json
python3 - <<'PYTHON'
import json
part = json.load(open("out"))
print(part["stopped"]["missing"], [s["ranks"] for s in part["series"]], "noise_found" in part)
PYTHON

# Whenever quick is stopped: all is there, or the sizes missing are those that are not.
for stop in "interrupt INT" limit; do
    times="0.3 0.6 0.9 1.3 2 3 4.5 7 10 15 22 33 50 75"
    $stop quick --time=100ms --budget=10min -q -o report --format=json >code
    python3 - "$(cat code)" <<'PYTHON'
import json, sys
r = json.load(open("out"))
there = {s["ranks"] for s in r["series"]}
missing = set(r["stopped"]["missing"])
assert there and missing and not there & missing, (there, missing)
print(sorted(there | missing), sys.argv[1].split(":")[0])
PYTHON
    ls report | grep html
done

# A sweep keeps its points, and goes on.
sweep="$far --sweep=ranks=4,256Ki -o points.db"
times="1 2 4 8 16 32 64 100"
limit sweep $sweep
sqlite3 points.db "SELECT point, ranks FROM done" "PRAGMA integrity_check"
