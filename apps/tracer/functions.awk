# apps/tracer/functions.awk — SPDX-License-Identifier: GPL-3.0-or-later
#
# Wrappers for the functions of one MPI. Usage: awk -f functions.awk functions.txt PROTOTYPES,
# where PROTOTYPES is that MPI's mpi.h as the preprocessor leaves it. Prints a header with
#
#   TRACER_FUNCTIONS(X)  X(NAME, "SYMBOL", ROLE): all that are recorded, in the order of the table
#   TRACER_TIMED(X)      X(NAME, SYMBOL, (parameters), (arguments)): those to be generated
#   TRACER_POLLS(X)      X(NAME, SYMBOL, (parameters), (arguments), flag)
#   TRACER_HAS_NAME      1, for those that have wrappers of their own
#
# NAME is SYMBOL without MPI_, and X_... for MPIX_...

function die(text) {
    print "functions.awk: " text >"/dev/stderr"
    failed = 1
    exit 1
}

# A function of the table: how it is treated, and its role.
function enter(name) {
    if (name !~ /^MPIX_/)
        name = "MPI_" name
    if (name in how)
        die("functions.txt names " name " twice")
    how[name] = treatment
    role[name] = about
    listed[++num_listed] = name
}

# Without attributes: __attribute__ and the parentheses behind it, which nest.
function strip_attributes(text,    at, depth, i, c) {
    while ((at = index(text, "__attribute__")) > 0) {
        depth = 0
        for (i = at + 13; i <= length(text); i++) {
            c = substr(text, i, 1)
            depth += c == "(" ? 1 : c == ")" ? -1 : 0
            if (c == ")" && depth == 0)
                break
        }
        text = substr(text, 1, at - 1) " " substr(text, i + 1)
    }
    return text
}

# One parameter, with a name of ours (a1, a2, ...) in place of its own, if it has one. An array keeps its
# brackets. Notes which one is called "flag".
function parameter(text, i, symbol,    brackets, word) {
    gsub(/^ | $/, "", text)
    if (match(text, / ?\[.*$/)) {
        brackets = substr(text, RSTART)
        text = substr(text, 1, RSTART - 1)
    }
    match(text, /[A-Za-z0-9_]*$/)
    word = substr(text, RSTART)
    if (word == "flag")
        flag_of[symbol] = "a" i
    if (RSTART > 1 && word != "" && word !~ /^(int|char|void|const)$/)
        text = substr(text, 1, RSTART - 1)
    sub(/ $/, "", text)
    return text " a" i brackets
}

# One declaration, up to its semicolon.
function declare(text,    symbol, list, n, i) {
    sub(/.*}/, "", text)
    text = strip_attributes(text)
    gsub(/[ \t\n]+/, " ", text)
    if (!match(text, /MPIX?_[A-Za-z0-9_]+ ?\(/))
        return
    symbol = substr(text, RSTART, RLENGTH - 1)
    list = substr(text, RSTART + RLENGTH)
    sub(/ $/, "", symbol)
    if (text ~ "^ ?(extern )?int " symbol " ?\\(") {
        sub(/\) ?$/, "", list)
        n = list ~ /^ ?(void)? ?$/ ? 0 : split(list, parts, ",")
        params_of[symbol] = n > 0 ? "" : "void"
        args_of[symbol] = ""
        for (i = 1; i <= n; i++) {
            params_of[symbol] = params_of[symbol] (i > 1 ? ", " : "") parameter(parts[i], i, symbol)
            args_of[symbol] = args_of[symbol] (i > 1 ? ", " : "") "a" i
        }
    } else if (text ~ "^ ?(extern )?[A-Za-z_]+ \\*?" symbol " ?\\(") {
        other[symbol] = 1
    }
}

function name_of(symbol) {
    return substr(symbol, symbol ~ /^MPI_/ ? 5 : 4)
}

# The lines of one macro.
function define(macro, lines) {
    printf "#define %s(X)%s\n\n", macro, lines
}

function emit(symbol, as,    start) {
    if (how[as] == "silent" || !((symbol in params_of) || (symbol in other)))
        return
    start = " \\\n    X(" name_of(symbol) ", "
    functions = functions start "\"" symbol "\", " role[as] ")"
    if (how[as] == "own") {
        has = has "#define TRACER_HAS_" name_of(symbol) " 1\n"
        return
    }
    if (symbol in other || params_of[symbol] ~ /\(|\.\.\./)
        die(symbol " needs a wrapper of its own: it does not return int, or takes a function or \"...\"")
    start = start symbol ", (" params_of[symbol] "), (" args_of[symbol] ")"
    if (how[as] == "timed") {
        timed = timed start ")"
    } else if (flag_of[symbol] != "") {
        polls = polls start ", " flag_of[symbol] ")"
    } else {
        die(symbol " is no poll: it has no parameter \"flag\"")
    }
}

FNR == NR && /^(#|$)/ { next }
FNR == NR && /^ / {
    for (i = 1; i <= NF && $i !~ /^#/; i++)
        enter($i)
    next
}
FNR == NR {
    treatment = $1
    about = $2
    if (treatment !~ /^(own|timed|poll|silent)$/)
        die("functions.txt:" FNR ": " treatment " is no treatment")
    next
}
{
    pending = pending " " $0
    while ((at = index(pending, ";")) > 0) {
        if (index(pending, "MPI") > 0)
            declare(substr(pending, 1, at - 1))
        pending = substr(pending, at + 1)
    }
}
END {
    if (failed)
        exit 1
    for (k = 1; k <= num_listed; k++) {
        emit(listed[k], listed[k])
        emit(listed[k] "_c", listed[k])
    }
    if (functions == "" || timed == "")
        die("no functions of MPI in the prototypes")
    print "/* Made by functions.awk from functions.txt and mpi.h. */"
    print "#pragma once\n"
    define("TRACER_FUNCTIONS", functions)
    define("TRACER_TIMED", timed)
    define("TRACER_POLLS", polls)
    printf "%s", has
}
