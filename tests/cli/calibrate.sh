# From measured times of messages to a machine file; a script stands for the launcher and the messages.
try ripple calibrate -- data/launcher/orterun -n 2
dateless='s/calibrate 20[0-9]*-[0-9]*-[0-9]*/calibrate DATE/'
sed "$dateless" machine.ini
ripple simulate data/pair.goal --machine=machine.ini --format=csv 2>&1 | tail -1
echo "the level within a node of another machine"
try ripple calibrate --node-of=xt4 --format=csv -o both.ini -- data/launcher/orterun -n 2
grep -c '^node\.' both.ini
try ripple calibrate --cold --rounds=6 -q -o cold.ini -- data/launcher/orterun -n 2
grep -n '^o=' cold.ini | sed "$dateless"
try ripple calibrate --rounds=6 --format=json -q -- data/launcher/orterun -n 2
rm machine.ini
try ripple calibrate -- data/launcher/orterun -n 1
echo "a machine that changes its speed: twice, and all the time"
try ripple calibrate --rounds=6 -- data/launcher/orterun -n 30
rm machine.ini
try ripple calibrate --rounds=6 -- data/launcher/orterun -n 40
echo "somebody else on the cores: now and then, and all the time"
try ripple calibrate --rounds=6 -- data/launcher/orterun -n 50
try ripple calibrate --rounds=6 -- data/launcher/orterun -n 60
rm machine.ini
try ripple calibrate
try ripple calibrate --rounds=5 -- data/launcher/orterun
try ripple calibrate --node-of=nothing -- data/launcher/orterun
try ripple calibrate -- /no/such/program
try ripple calibrate -- true
try ripple calibrate something -- data/launcher/orterun
try ripple calibrate -o no/such/machine.ini -- data/launcher/orterun
files
