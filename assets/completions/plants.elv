# Completions of plants for elvish.
set edit:completion:arg-completer[plants] = {|@words|
    env COMPLETE=elvish plants -- $@words 2>/dev/null | from-lines
}
