# Completions of plants for PowerShell.
Register-ArgumentCompleter -Native -CommandName plants -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    # Only text that is on the line: no expression in it is evaluated.
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
    $before = $env:COMPLETE
    $env:COMPLETE = 'powershell'
    try {
        # The dot keeps the last word where it is empty: PowerShell before 7.3 passes no empty argument.
        plants -- $words ".$wordToComplete" 2>$null | ForEach-Object {
            $value, $help = $_ -split "`t", 2
            if (-not $help) { $help = $value }
            [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $help)
        }
    } finally {
        if ($null -eq $before) { Remove-Item Env:\COMPLETE } else { $env:COMPLETE = $before }
    }
}
