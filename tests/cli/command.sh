# The words before a verb, and words that are none.
try ripple
try ripple --version
try ripple docto
try ripple dcotor
try ripple nothing-like-it
try ripple help nothing-like-it
try ripple help simulate x
try ripple --version x
try ripple --verison
try ripple --quiet doctor
try ripple --completion=tcsh
try ripple --man=no-such-verb
try ripple doctor --fromat=json
try ripple doctor --format=xml
try ripple doctor too many
