# The completion script of bash, asked as bash asks it.
source <(ripple --completion=bash)
complete -p ripple
ask() {
    COMP_WORDS=(ripple "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _ripple 2>/dev/null
    echo "ripple $*: ${COMPREPLY[*]}"
}
ask sim
ask simulate --cos
ask simulate --format ''
ask simulate --format = c
ask simulate --set=L=1us --comp
ask simulate --machine data/mach
ask simulate data/pair.g
ask --man sim
ask --ver
ask help si
ask mine --mode ""
ask schedule --format g
