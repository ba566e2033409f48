# What was found of each exchange of a record: octants of a wavefront, a level of multigrid that is not understood.
traces=$(realpath testdata/../..)/apps/proxies/traces
ln -s "$traces" traces
rate=--flops-per-second=1e6
try ripple schedule traces/counted/sweep3d-16.ti.xz $rate --recognise
try ripple schedule traces/counted/pop-16.ti.xz $rate --recognise
try ripple schedule traces/counted/amg-64.ti.xz $rate --recognise
try ripple schedule traces/halo-cg-16 --recognise --grid=8x2
echo "JSON has all of them:"
ripple schedule traces/counted/amg-64.ti.xz $rate --recognise --format=json 2>/dev/null | sed -n '/"exchanges"/,/^  \]/p'
rm traces
