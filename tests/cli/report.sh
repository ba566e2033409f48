# The figures of a sweep: which, with which data; drawn where gnuplot is, and without it.
ripple sweep collective:allreduce:1B --noise=fixed:1kHz:100us --replicas=5 --ranks=4,64 \
    --sweep=L=1us,10us --sweep=cosched=no,yes -o results.db -q >/dev/null
try ripple report results.db -o drawn
ls drawn
cat drawn/slowdown-ranks.csv drawn/boxes-ranks-1.csv drawn/heat-ranks-L-1.csv
for svg in drawn/*.svg; do xmllint --noout "$svg" || echo "$svg is not well-formed"; done
grep -c '<div class="narrow"><svg' drawn/report.html
grep -o 'http[s]*:' drawn/report.html

# The same bytes again, beside files of others; what an older report left is replaced.
cp -r drawn before
echo mine >drawn/mine
echo old >drawn/slowdown-ranks.csv
ripple report results.db -o drawn >/dev/null
diff -r before drawn

# Without gnuplot there are data and scripts.
mkdir bin
ln -s "$(command -v ripple)" bin/ripple
PATH=$PWD/bin try ripple report results.db -o plain
ls plain
grep -c 'gnuplot was not found' plain/report.html

# A sweep that is not complete.
sqlite3 results.db 'DELETE FROM makespans WHERE point > 2; DELETE FROM results WHERE point > 2'
try ripple report results.db -o part
try ripple report results.db -o part/report.html/below
try ripple report no-such.db
try ripple report data/pair.goal
try ripple report
sqlite3 results.db 'DELETE FROM makespans'
try ripple report results.db -o nothing
files
