# One clear line for each mistake; exit 2 if it is in the command line, else 1.
one() {
    try ripple simulate "$@"
}
one_schedule() {
    try ripple schedule "$@"
}
one
one data/pair.goal data/pair.goal
one no-such-file
ln -s round round
one round
rm round
one data/truncated.goal
one data/peer.goal
one data/cycle.goal
one data/deadlock.goal
one data/unmatched.goal
one data/machine.ini
one data
one data/pair.goal --ranks=3
one data/pair.goal --ranks=
one data/pair.goal --ranks=2,x
one collective:bcast --ranks=64,64
one collective:bcast --ranks=64,2^6
one collective:bcast --coll ''
one collective:barrier:8
one_schedule --strict collective:bcast
one data/pair.goal --noise=jaguar --cosched=
RIPPLE_LANES=bogus ripple simulate collective:barrier 2>&1 | sed 's/none of: portable.*;/none of: portable, ...;/'
one data/pair.goal --machine=xt5
one data/pair.goal --machine=data/pair.goal
one data/pair.goal --machine=data/unknown_key.ini
one data/pair.goal --machine=data/bad_value.ini
one data/pair.goal --set=L
one data/pair.goal --set=LL=3us
one data/pair.goal --set=L=-3us
one data/pair.goal --set=progress=never
one data/pair.goal --compat=simgrid
one data/pair.goal --noise=data/overlap.detours
one data/pair.goal --noise=data/pair.goal
one data/pair.goal --noise=jagar
one data/pair.goal --noise=fixed:1kHz
one data/pair.goal --noise=fixed:1kHz:2ms
one data/pair.goal --cosched=soon
one data/pair.goal --replicas=0
one data/pair.goal --replicas=many
one data/pair.goal --replicas=2000000
one data/pair.goal --seed=-1
one data/pair.goal --threads=0
one data/pair.goal --format=yaml
one data/pair.goal --repeat=2^31
one data/pair.goal --compute=wall
one collective
one collective:
one collective:alreduce
one collective:allreduce:rings
one collective:allreduce:rings:8
one collective:allreduce:ring:8:9
one collective:allreduce:ring:8x
one collective:scan:ring
one collective:bcast --coll=alltoallv=fast
one collective:bcast --coll=fast
one collective:bcast --repeat=0
one collective:bcast --reduce=fast
one collective:barrier --ranks=2 --repeat=4000000000
one collective:barrier --ranks=64..1Ki/x4
for verb in simulate 'schedule --check' 'schedule -o ft8.goal'; do
    ripple $verb data/ft8 --ranks=800Mi 2>&1 | sed 's/room for .*/room for #/; s/[0-9.]* \([GT]iB\)/# \1/g'
done
one_schedule collective:barrier --ranks=1Mi --repeat=1M
ripple simulate collective:allreduce --ranks=4000000000 2>&1 | sed 's/[0-9.]* GiB/# GiB/g'
ripple simulate data/pair.goal >/dev/full
echo "exit $?"
try ripple simulate data/pair.goal -o /dev/full
try ripple simulate data/unmatched.goal -o left-behind.txt
files
try ripple simulate collective:allreduce --ranks=4,8 --noise=fixed:1kHz:100us@3,8+jaguar
try ripple simulate collective:allreduce --ranks=4,8 --noise=jaguar+fixed:1kHz:100us@8-9,100

# A byte order mark is named, by every reader of text.
marked() {
    printf '\357\273\277' | cat - "$1" >marked"$2"
}
marked data/pair.goal .goal && one marked.goal
marked data/machine.ini .ini && one data/pair.goal --machine=marked.ini
marked data/good.detours .detours && one data/pair.goal --noise=marked.detours
gzip -c marked.detours >marked.gz && one data/pair.goal --noise=marked.gz
marked data/ft8/pmpi-trace-rank-3.txt .txt && one marked.txt
cp -r data/ft8 marked-ft8
cp marked.txt marked-ft8/pmpi-trace-rank-3.txt && one marked-ft8
cp -r data/simgrid marked-simgrid
marked data/simgrid/rank1 .rank1 && cp marked.rank1 marked-simgrid/rank1
one marked-simgrid/list
marked data/study.ini .study && try ripple sweep marked.study
iconv -t UTF-16 data/machine.ini >wide.ini && one data/pair.goal --machine=wide.ini
