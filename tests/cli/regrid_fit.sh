# One problem on 27, 64 and 125 ranks: computation fitted to two of them is that of the third; docs/regrid.md, section 4.
traces=$(realpath testdata/../..)/apps/proxies/traces/counted
ln -s "$traces" counted
rate=--flops-per-second=1e6
try ripple schedule --validate counted/strong7-27.ti.xz counted/strong7-125.ti.xz $rate --scaling=strong
try ripple schedule --validate counted/strong7-27.ti.xz counted/strong7-125.ti.xz $rate --scaling=strong --fit=counted/strong7-64.ti.xz
try ripple schedule counted/strong7-27.ti.xz --recognise $rate --fit=counted/strong7-64.ti.xz,counted/strong7-125.ti.xz
try ripple simulate counted/strong7-27.ti.xz $rate --ranks=64,216 --extrapolate=regrid --scaling=strong --fit=counted/strong7-64.ti.xz,counted/strong7-125.ti.xz
# Records of other programs, of as many ranks, of what is none.
try ripple schedule counted/strong7-27.ti.xz --recognise $rate --fit=counted/stencil27-64.ti.xz
try ripple schedule counted/strong7-27.ti.xz --recognise $rate --fit=counted/pop-64.ti.xz
try ripple schedule counted/strong7-27.ti.xz --recognise $rate --fit=counted/stencil7-27.ti.xz
try ripple schedule counted/strong7-27.ti.xz --recognise $rate --fit=data/pair.goal
rm counted
