# Completions of plants for bash. plants itself says how each word goes on, with what bash would interpret quoted.
_plants() {
    local completion
    COMPREPLY=()
    while IFS= read -r completion; do
        COMPREPLY+=("$completion")
    done < <(COMPLETE=bash plants -- "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[/:=] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}

# Before bash 4.4 there is no order but the alphabet's.
complete -o bashdefault -o default -o nosort -F _plants plants 2>/dev/null ||
    complete -o bashdefault -o default -F _plants plants
