# A sweep prints its points, and puts them into a database that anything opens.
try ripple sweep data/study.ini -o study.db
try ripple sweep data/study.ini -o study.db -q --format=csv
sqlite3 study.db "SELECT name, value FROM meta ORDER BY name" "SELECT * FROM axes" \
    "SELECT point, ranks, L_ps, o_ps, noise, mode, runs, ideal_ps, median_ps, round(slowdown, 6), round(slowdown_low, 6), slowdown_level, met_by_run, noise_origin, remarks FROM done" \
    "SELECT * FROM makespans WHERE point = 5" "PRAGMA integrity_check" "PRAGMA journal_mode"

# Options take the place of what a file says; the same study from the command line.
try ripple sweep data/study.ini --ranks=8 --noise=fixed:1kHz:50us --set=L=2us -o options.db -q
ripple sweep collective:allreduce:1B --seed=3 --replicas=4 --noise=fixed:1kHz:100us --set=L=1us \
    --sweep=bytes=1,8 --ranks=4,16 --sweep=cosched=no,yes --format=json -o line.db -q
files

# Each situation of a point and the words that it gets, in text, CSV, database, findings and captions.
situations="collective:barrier --ranks=64 --sweep=replicas=1,3,6 --sweep=cosched=no,yes
    --sweep=noise=fixed:100us:10us,fixed:10s:1ms,altix,data/netgauge.detours,data/invalid.detours,none"
try ripple sweep $situations --accept-invalid -o situations.db -q
ripple sweep $situations --accept-invalid -o situations.db -q --format=csv | cut -d, -f1-5,12-
sqlite3 situations.db "SELECT point, code, grave, text FROM conditions WHERE point IN (0, 1, 4, 12)" \
    "SELECT * FROM components WHERE point IN (0, 4)"
ripple sweep $situations --accept-invalid -o situations.db -q --format=json | sed -n '/"conditions"/,/"findings"/p'
ripple report situations.db -o situations
sed -n 's/.*<figcaption>\([^<]*\).*/\1/p' situations/report.html
sed -n '/<h1>/,/<figure>/p' situations/report.html | sed 's/<figure>.*//'

# What a program does not stand for goes into the database, JSON and the page.
try ripple sweep data/pair.goal --sweep=ranks=2,4,8 -o copies.db
ripple sweep data/pair.goal --sweep=ranks=2,4,8 -o copies.db -q --format=json | sed -n '/"notices"/,/]/p'
sqlite3 copies.db "SELECT * FROM notices"
ripple report copies.db -o copies >/dev/null
sed -n '/dropped, assumed/,/<\/p>/p' copies/report.html

# The same bytes on any number of threads.
for threads in 1 3; do
    ripple sweep data/study.ini -o threads$threads.db --threads=$threads -q >/dev/null
    sqlite3 threads$threads.db .dump >threads$threads.dump
done
cmp threads1.dump threads3.dump && echo "the same on 1 and 3 threads"

# Killed again and again, it ends with the same content, and prints the same.
many="collective:allreduce:1B --ranks=256 --noise=altix --replicas=3 --sweep=L=1us..10us/150 -q"
ripple sweep $many -o whole.db >whole.out
for delay in 0.02 0.03 0.05 0.08 0.04; do
    ripple sweep $many -o killed.db >/dev/null 2>&1 &
    sleep $delay
    kill -KILL $! 2>/dev/null
    wait $!
done 2>/dev/null
ripple sweep $many -o killed.db >killed.out
sqlite3 whole.db .dump >whole.dump
sqlite3 killed.db .dump >killed.dump
cmp whole.out killed.out && cmp whole.dump killed.dump && echo "killed: the same in the end"

# Two at once on one database share its points.
ripple sweep $many -o both.db >one.out &
ripple sweep $many -o both.db >two.out
wait $!
sqlite3 both.db .dump >both.dump
cmp whole.out one.out && cmp whole.out two.out && cmp whole.dump both.dump && echo "both: the same in the end"
ls both.db*

# A signal ends it by that signal after it has said how to go on; nothing is half there.
long="collective:allreduce:1B --ranks=256 --noise=altix --replicas=3 --sweep=L=1us..10us/10000 -q"
ripple sweep $long -o stopped.db >/dev/null 2>stopped.err &
done_points() { # 0 while the database is being written
    sqlite3 stopped.db 'SELECT count(*) FROM results' 2>/dev/null || echo 0
}
until [ -s stopped.db ] && [ "$(done_points | tail -n 1)" -gt 1 ]; do
    sleep 0.02
done
kill -TERM $!
wait $! 2>/dev/null
echo "exit $?"
sed 's/[0-9]* of/N of/' stopped.err
sqlite3 stopped.db "SELECT count(*) > 1, count(*) = (SELECT max(point) + 1 FROM results),
    count(*) * 3 = (SELECT count(*) FROM makespans) FROM results" "PRAGMA integrity_check"
ls stopped.db*

# A file that may not grow is as a disk that is full: what is done is kept, and it goes on.
wide="collective:barrier --ranks=4 --noise=altix --replicas=100 --sweep=L=1us..10us/40 -q"
ripple sweep $wide -o wide.db >wide.out
(
    ulimit -f $(($(stat -c %s wide.db) / 2048))
    ripple sweep $wide -o full.db >full.out 2>full.err
    echo "exit $?"
)
sed 's/; [0-9]* of/; N of/' full.err
cat full.out
ripple sweep $wide -o full.db | cmp - wide.out && cmp <(sqlite3 wide.db .dump) <(sqlite3 full.db .dump) &&
    echo "full disk: the same in the end"
