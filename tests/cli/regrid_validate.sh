# A small record enlarged to the size of a large one, beside it; docs/regrid.md, section 4.
traces=$(realpath testdata/../..)/apps/proxies/traces/counted
ln -s "$traces" counted
rate=--flops-per-second=1e6
try ripple schedule --validate counted/stencil7-27.ti.xz counted/stencil7-64.ti.xz $rate
try ripple schedule --validate counted/stencil27-27.ti.xz counted/stencil27-64.ti.xz $rate --format=csv
try ripple schedule --validate counted/sweep3d-16.ti.xz counted/sweep3d-64.ti.xz $rate
try ripple schedule --validate counted/sweep3d-16.ti.xz counted/sweep3d-64.ti.xz $rate --tolerance=20% --format=json
try ripple schedule --validate counted/pop-16.ti.xz counted/pop-64.ti.xz $rate --report=pages
test -s pages/validate.html && echo "there is a page"
# A program that is not understood is compared in copies, with the reason.
try ripple schedule --validate data/ft8 data/ft8
# What cannot be compared ends with 2, not with 1.
try ripple schedule --validate counted/pop-64.ti.xz counted/pop-16.ti.xz $rate
try ripple schedule --validate counted/pop-16.ti.xz missing $rate
try ripple schedule --validate data/pair.goal data/pair.goal
try ripple schedule --validate counted/pop-16.ti.xz
rm counted
