# Completions of plants for fish.
complete --command plants --no-files --keep-order \
    --arguments '(COMPLETE=fish plants -- (commandline -opc) (commandline -ct) 2>/dev/null)'
