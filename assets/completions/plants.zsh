#compdef plants
# Completions of plants for zsh: source this file, or put it as _plants into a directory of fpath.
_plants() {
    local -a completions whole open
    local completion
    completions=("${(@f)$(COMPLETE=zsh plants -- "${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    for completion in $completions; do
        # After a directory or the name of a field, no space follows.
        if [[ $completion == +* ]]; then
            open+=("${completion[2,-1]}")
        else
            whole+=("${completion[2,-1]}")
        fi
    done
    local shown=1
    (( $#open )) && _describe -V 'completion' open -S '' && shown=0
    (( $#whole )) && _describe -V 'completion' whole && shown=0
    (( shown )) && _files
    return shown
}

if [[ $funcstack[1] == _plants ]]; then
    _plants "$@"
else
    compdef _plants plants
fi
