# Files of several processes become one: each run keeps its node and CPU, sources are told by name.
header() { # HOST CPU VALID VERDICT SOURCES BEGIN
    printf '# ripple: {"format":"detours","version":1,"method":"selfish","clock":"tsc","valid":%s,"verdict":"%s",' "$3" "$4"
    printf '"windows":[{"begin_ns":%s,"share":0.1,"valid":true}],"kept":0,' "$6"
    printf '"cpus":[{"cpu":%s,"duration_ns":1000000}],"sources":[%s],"provenance":{"host":"%s"}}\n' "$2" "$5" "$1"
    printf '# Benchmark Method: selfish\n# Time [ns]\tselfish duration [ns]\n'
}
tick='{"name":"tick","kind":"interrupt"}' cron='{"name":"cron","kind":"scheduler"}'
{ header n1 0 true valid "$tick,$cron" 1000000; printf '0.000\t5.000\t0\n100.000\t7.000\t1\n# Measurement period: 0.001 s\n'; } >out.0
{ header n2 0 true 'valid\nnote: CPU 0: loud' "$cron" 3000000; printf '50.000\t9.000\t0\n# Measurement period: 0.001 s\n'; } >out.1
ripple measure --merge out.0 out.1 -o all.detours | grep -v '^#' | head -n 1
sed -n 1p all.detours | sed 's/^# ripple: //' | python3 -c '
import json, sys
h = json.load(sys.stdin)
for key in "valid", "verdict", "nodes", "cpus", "sources":
    print(key, json.dumps(h[key]))'
grep -v '^#' all.detours
# What is merged can be merged again.
{ header n1 1 true valid "$cron" 2000000; printf '10.000\t1.000\t0\n# Measurement period: 0.001 s\n'; } >out.2
ripple measure -q --merge all.detours out.2 -o more.detours >/dev/null
sed -n 's/.*"nodes":\(\[[^]]*\]\).*/\1/p' more.detours
# One that is not valid: all are not.
sed 's/"valid":true,"verdict":"[^"]*"/"valid":false,"verdict":"not valid: CPU 0: the clock went back 2 times"/' out.1 >bad.1
ripple measure -q --merge out.0 bad.1 -o bad.detours >/dev/null
echo "exit $?"
try ripple simulate collective:barrier --ranks=2 --noise=bad.detours
# What does not fit together.
try ripple measure --merge out.0 out.0 -o x.detours
sed 's/"selfish"/"ftq"/' out.1 >ftq.1
ripple measure --merge out.0 ftq.1 -o x.detours 2>&1 | tail -n 1
printf '1.00 2.00\n3.00 4.00\n' >columns
try ripple measure --merge out.0 columns -o x.detours
sed 's/^50.000.*/50.000\t9.000\t4/' out.1 >source.1
ripple measure --merge out.0 source.1 -o x.detours 2>&1 | tail -n 1
try ripple measure --merge out.0 absent -o x.detours
try ripple measure --merge out.0
try ripple measure --merge -o x.detours
try ripple measure --merge out.0 --windows=2 -o x.detours
files
