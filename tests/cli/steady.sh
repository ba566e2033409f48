# How much slower in the long run, and from how many ranks on. 64 ranks with a barrier every 10 ms lose up
# to 64 x 3 ms / 10 s = 1.9 %; the threshold lies between 128 and 256.
daemon="--noise=poisson:10s:3ms --machine=xt4 -q"
lines() {
    grep -e ' unsynchronized  ' -e '^unsynchronized' -e '^Unsynchronized' -e '^    not'
}
ripple simulate pattern:calc=10ms,barrier $daemon --repeat=auto | lines
ripple simulate pattern:calc=10ms,barrier $daemon --repeat=auto --threshold=5% --ranks=64,1Ki | lines
ripple simulate pattern:calc=10ms,barrier $daemon --repeat=auto --threshold=5% --ranks=64,1Ki --format=json |
    grep -A5 '"threshold" : {'
ripple simulate pattern:calc=10ms,barrier $daemon --repeat=auto --threshold=50% --ranks=64,128 | lines
# One rank that never waits loses s / (1 - s) = 25 / 975.
ripple simulate pattern:calc=10ms --ranks=1 --machine=xt4 --noise=fixed:10Hz:2.5ms --repeat=auto --half-width=1% -q |
    lines
# Not in these cases.
for wrong in --budget=soon --half-width=0 --half-width=ten --threshold=-1%; do
    ripple simulate pattern:calc=10ms $daemon --repeat=auto $wrong || echo "exit $?"
done
ripple mine pattern:calc=10ms $daemon --repeat=auto || echo "exit $?"
