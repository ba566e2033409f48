# Patterns: what was understood, run, written, and written again; and what is refused.
try ripple schedule 'pattern:stencil3d:8KiB,calc=1ms,allreduce:8B*20' --ranks=8
try ripple schedule 'pattern:stencil3d:8KiB,calc=1ms,(allreduce:8B)*20' --ranks=8 --check
try ripple schedule 'pattern:(wavefront:1KiB,calc=2us)*2,ring:10' --ranks=4 --format=goal
try ripple simulate pattern:calc=200us~5%,allreduce:8B --ranks=64,100 --noise=fixed:1kHz:100us --replicas=5 --format=csv
try ripple mine pattern:calc=100us,allreduce --ranks=8 --repeat=2k --noise=fixed:21.34ms:5.7ms@3

# As the run, so what is written: also computation that is drawn, and partners.
all='pattern:seed=3,(stencil2d:70000,calc=30us~20%,random:100)*3,wavefront,calc=5us,(alltoall,ring,scan)*2'
options='--ranks=12 --repeat=3'
ripple simulate "$all" $options --reduce=1ns/B --per-rank --format=csv | tail -n +3 >implicit
for form in goal bin rpl; do
    ripple schedule "$all" $options --reduce=1ns/B -o all.$form >/dev/null
    ripple simulate all.$form --per-rank --format=csv | tail -n +3 >explicit
    cmp implicit explicit && echo "written as $form, it takes the same time on every rank"
done
ripple simulate "$all" $options --coll=alltoall=pairwise --reduce=1ns/B --per-rank --format=csv | tail -n +3 | cmp -s - implicit || echo "--coll has an effect"
ripple simulate "$all" $options --reduce=2us/B --per-rank --format=csv | tail -n +3 | cmp -s - implicit || echo "--reduce has an effect"
ripple simulate "${all/seed=3/seed=4}" $options --reduce=1ns/B --per-rank --format=csv | tail -n +3 | cmp -s - implicit || echo "the seed has an effect"
for threads in 1 3; do
    ripple simulate pattern:stencil3d:1KiB,calc=50us~30%,random --ranks=4Ki --noise=jaguar --replicas=2 --threads=$threads --format=csv | tail -n +2 >$threads.csv
done
cmp 1.csv 3.csv && echo "the same on any number of threads"
ripple run pattern:calc=1ms,ring --ranks=4,16 -o page -q | sed -n 2p
grep -o 'Program: [^<]*' page/report.html
ripple run data/pair.goal -o page -q | sed -n 2p
ripple sweep 'pattern:stencil1d:8,calc=1ms*3' --sweep=ranks=4,8 --sweep=repeat=1,2 -o sweep.db -q | tail -n +2
ripple sweep --sweep='program=pattern:ring,calc=1us;collective:barrier' --ranks=4 -o programs.db -q | tail -n +2
printf '[study]\nschema_version = 1\n[parameters]\nprogram = pattern:ring,calc=1us\n[sweep]\nranks = 4,8\n' >study.ini
ripple sweep study.ini -o study.db -q | tail -n +2

for bad in '' ring, 'ring,(barrier' stencil4d ring:8x calc=5 calc=1us~200% 'ring*0' wavefront,calc=1us*2,ring scan:ring; do
    try ripple simulate "pattern:$bad"
done
try ripple simulate pattern:scan:ring --ranks=6
try ripple simulate pattern:ring --coll=allreduce=ring
try ripple simulate pattern:ring --reduce=1ns/B
try ripple simulate pattern:ring --compute=wall
try ripple simulate pattern:ring --ranks=4 --repeat=4000000000
try ripple sweep pattern:ring --sweep=bytes=1,2
