# Learn, score, show: on rings of eight ranks that never ran, whose rank 3 computes 4 ms longer in steps 150 to 299
# of the last one. Times in us.
ring() {
    mkdir "$1"
    awk -v folder="$1" -v seed="$2" -v from="$3" -v to="$4" 'BEGIN {
    P = 8
    srand(seed)
    for (r = 0; r < P; r++) {
        f[r] = folder "/pmpi-trace-rank-" r ".txt"
        print "# htor'\''s PMPI Tracer 0.1 Output File\n# time: never\n# hostname: here.there\n# uname: Linux\n" > f[r]
        print "MPI_Init:-:1:1:1000" > f[r]
        t[r] = 1000
    }
    for (i = 0; i < 400; i++) {
        for (r = 0; r < P; r++) {
            x = (x * 1103515245 + 12345 + seed) % 2147483648
            e = t[r] + 4000 + int(x / 65536) % 80 + (r == 3 && i >= from && i < to ? 4000 : 0)
            s[r] = e + 2
            print "MPI_Send:" e ":64:1024:12,1,1:" (r + 1) % P ":0:900," r "," P ":" s[r] > f[r]
        }
        for (r = 0; r < P; r++) {
            l = (r + P - 1) % P
            e = s[r] + 1
            t[r] = (e > s[l] + 4 ? e : s[l] + 4) + 1
            print "MPI_Recv:" e ":64:1024:12,1,1:" l ":0:900," r "," P ":0:" t[r] > f[r]
        }
    }
    for (r = 0; r < P; r++) {
        print "MPI_Finalize:" t[r] + 10 ":-" > f[r]
    }
}'
}
ring clean1 1 0 0
ring clean2 2 0 0
ring quiet 3 0 0
ring today 4 150 300
try ripple detect learn clean1 clean2 -o ring.model
try ripple detect show ring.model --format=csv
ripple detect show ring.model --format=json | sed -n '/"reference"/,/"how"/p; /"call_names"/,/]/p'
try ripple detect score ring.model today
try ripple detect score ring.model quiet
try ripple detect score ring.model quiet today --format=csv
ripple detect score ring.model today --format=json | sed -n '/"rank" : 3,/,/"sequences"/p'
# The same with thresholds that a disturbed run has chosen; with other references.
ripple detect learn clean1 clean2 --with=today -o gain.model | grep thresholds
try ripple detect score gain.model today --alpha=1e-6
for ref in clean mad paper; do
    ripple detect learn clean1 clean2 --ref=$ref -o $ref.model | grep 'compared with'
    ripple detect score $ref.model today -q | grep '^Rank\|^No\|^The other'
done
# Pages.
ripple detect score ring.model today --report=pages --explain=3 --page=rank3.html >/dev/null
ls pages | grep -v svg
grep -c 'sequence [0-9]* disturbed' rank3.html
# Another program.
try ripple detect score ring.model data/ft8
# A simulated program: the same bytes again.
ripple detect learn 'pattern:(calc=1ms~5%,ring)*200' --ranks=16 -o simulated.model -q >/dev/null
ripple detect learn 'pattern:(calc=1ms~5%,ring)*200' --ranks=16 -o again.model -q >/dev/null
cmp simulated.model again.model && echo "the same model"
try ripple detect score simulated.model 'pattern:(calc=1ms~5%,ring)*200' --ranks=16 --noise=fixed:100Hz:5ms@3
# A record that is simulated makes the calls of the record: would the model notice this noise? 50 times 3 ms
# a second are 15 %: what is computed takes 1 / 0.85 times as long.
ripple detect score ring.model quiet -q --noise=none | grep '^No rank'
ripple detect score ring.model quiet -q --noise=fixed:50Hz:3ms@5 | grep '^Rank\|disturbed  '
ripple detect score ring.model quiet -q --repeat=2 --noise=fixed:50Hz:20us@5 | grep '^No rank'
# Programs that are no record have messages only.
try ripple detect score ring.model 'pattern:(calc=1ms~5%,ring)*200' --ranks=8
try ripple detect score simulated.model today
# What is wrong is said in a line.
try ripple detect
try ripple detect guess ring.model
try ripple detect learn
try ripple detect learn clean1
try ripple detect learn clean1 nowhere -o x.model
try ripple detect learn clean1 data/ft8 -o x.model
try ripple detect learn collective:barrier --ranks=2 -o x.model
try ripple detect learn clean1 --filter=2h -o x.model
try ripple detect learn clean1 --min-length=5k -o x.model
try ripple detect learn clean1 -o /nowhere/x.model
try ripple detect score ring.model
try ripple detect score clean1 today
try ripple detect score data/machine.ini today
sed 's/MPI_Send to rank/MPI_Send to rang/' ring.model >broken.model
try ripple detect show broken.model
head -n 5 ring.model >cut.model
try ripple detect show cut.model
try ripple detect score ring.model today --explain=8 --page=x.html
try ripple detect score ring.model today --explain=3
try ripple detect score ring.model today quiet --report=both
try ripple detect score ring.model today --alpha=2
try ripple detect score ring.model today --ref=mad
try ripple detect show ring.model today
try ripple detect show ring.model --noise=altix
rm -r clean1 clean2 quiet today pages
files
