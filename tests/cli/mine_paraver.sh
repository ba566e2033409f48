# What ripple view exports of a run under noise is mined as the run itself is.
ripple view 'pattern:stencil2d:8KiB,calc=1ms*40' --ranks=4 --noise=fixed:100Hz:50us --paraver=run >/dev/null
try ripple mine run.prv
try ripple mine 'pattern:stencil2d:8KiB,calc=1ms*40' --ranks=4 --noise=fixed:100Hz:50us
try ripple mine run.prv --noise=fixed:100Hz:50us
printf '#Paraver (01/01/2026 at 00:00):9_ns:1(1):1:1(1:1)\n2:1:1:2:1:5:50000001:1\n' >wrong.prv
try ripple mine wrong.prv
try ripple simulate run.prv
