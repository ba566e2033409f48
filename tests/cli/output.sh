# Results that cannot be written are errors, and nothing half-written stays behind.
ripple doctor >/dev/full
echo "exit $?"
ripple --help >/dev/full
echo "exit $?"
try ripple doctor -o /dev/full
[ -c /dev/full ] && echo "/dev/full is still a device"
try ripple doctor -o no/such/folder/out.txt
ripple doctor -o out.txt && head -n 1 out.txt
stat -c '%a' out.txt
chmod 640 out.txt
ln -s out.txt link.txt
ripple doctor --format=json -o link.txt
readlink link.txt
stat -c '%a' out.txt
head -n 2 out.txt
files
