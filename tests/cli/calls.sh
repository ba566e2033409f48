# What calls of collectives take beside their messages: [calls] of a machine, in all that simulates.
ln -s "$(realpath testdata/../..)/apps/proxies/traces" traces
cat >calls.ini <<'END'
[machine]
schema_version=3
name=With calls
L=1us
o=400ns
g=300ns
G=1ns/B

[calls]
allreduce=95ns+2ns/B
barrier=70ns

[provenance]
calls.allreduce=by hand
END
line() { grep -E '^ +[0-9]+ +ideal .*us|^ +[0-9]+ +ideal .*ms'; }
echo "one allreduce of 8 B on two ranks: 2 o + L + 7 G = 1.807us, and 111ns"
ripple simulate collective:allreduce:8B --ranks=2 --machine=calls.ini -q | line
ripple simulate collective:allreduce:8B --ranks=2 --machine=calls.ini --set=calls=none -q | line
ripple simulate collective:allreduce:8B --ranks=2 --machine=calls.ini --set=calls.allreduce=1us -q | line
ripple simulate collective:bcast:8B --ranks=2 --machine=calls.ini -q | line
echo "in a pattern, five times; alone there is nobody to call"
ripple simulate 'pattern:(calc=10us,allreduce:8B)*5' --ranks=1,2 --machine=calls.ini -q | line
echo "in replicas under noise, as a pattern"
ripple simulate collective:allreduce:8B --ranks=64 --machine=calls.ini --noise=fixed:10us:1us --replicas=3 -q | sed -n 2,7p
echo "in a record, and in its sweep"
ripple simulate traces/halo-cg-16 --machine=calls.ini --set=calls.allreduce=50us -q 2>&1 | line
ripple simulate traces/halo-cg-16 --machine=calls.ini --set=calls=none -q 2>&1 | line
ripple sweep collective:allreduce:8B --ranks=2 --sweep=machine=calls.ini,azure --format=csv -q -o calls.db | tail -2
echo "after a computation: in a record, and a collective has none"
ripple simulate traces/halo-cg-16 --machine=calls.ini --set=calls=none --set=calls.cold=10us:20us:5us -q 2>&1 | line
ripple simulate collective:allreduce:8B --ranks=2 --machine=calls.ini --set=calls=none --set=calls.cold=10us:20us:5us 2>&1 | grep -E 'cold|ideal .*us'
echo "in the manifest"
ripple simulate collective:allreduce:8B --ranks=2 --machine=calls.ini --format=json -q | grep '"calls'
echo "not in a stored schedule"
ripple simulate data/pair.goal --machine=calls.ini 2>&1 >/dev/null
echo "what is refused"
try ripple simulate collective:barrier --machine=calls.ini --set=calls=1us
try ripple simulate collective:barrier --machine=calls.ini --set=calls.barier=1us
try ripple simulate collective:barrier --machine=calls.ini --set=calls.barrier=1us+fast
try ripple simulate collective:barrier --machine=calls.ini --set=calls.cold=1us:1ns:2ns
try ripple simulate collective:barrier --machine=calls.ini --compat=loggopsim
try ripple schedule data/pair.goal --machine=calls.ini --check
