# fish completions for porch

set -g __porch_commands 'porch status' 'porch validate' 'porch apps' 'porch needs' 'porch run' 'porch record' 'porch reconcile' 'porch plugin' 'porch plugin new' 'porch plugin check' 'porch policy' 'porch policy lock' 'porch help'
set -g __porch_valued 'porch -s' 'porch --suite' 'porch status -s' 'porch status --suite' 'porch validate -s' 'porch validate --suite' 'porch apps -s' 'porch apps --suite' 'porch needs -s' 'porch needs --suite' 'porch run --ui' 'porch run --answers' 'porch run -s' 'porch run --suite' 'porch record -s' 'porch record --suite' 'porch reconcile --timeout' 'porch reconcile -n' 'porch reconcile --limit' 'porch reconcile -o' 'porch reconcile --option' 'porch reconcile -s' 'porch reconcile --suite' 'porch plugin -s' 'porch plugin --suite' 'porch plugin new --language' 'porch plugin new -s' 'porch plugin new --suite' 'porch plugin check -s' 'porch plugin check --suite' 'porch policy -s' 'porch policy --suite' 'porch policy lock -s' 'porch policy lock --suite'

# Prints the command that was typed so far, and how many arguments it has.
function __porch_state
    set -l words (commandline -opc)
    set -e words[1]
    set -l path porch
    set -l position 0
    set -l skips ''
    set -l terminated ''
    for word in $words
        if test -n "$skips"
            set skips ''
        else if test -z "$terminated" -a "x$word" = x--
            set terminated 1
        else if test -z "$terminated"; and string match -q -- '-?*' $word
            contains -- "$path $word" $__porch_valued; and set skips 1
        else if test -z "$terminated"; and contains -- "$path $word" $__porch_commands
            set path "$path $word"
        else
            set position (math $position + 1)
        end
    end
    echo $path
    echo $position
end

# Whether this command was typed, and is at this position if one is named.
function __porch_at
    set -l state (__porch_state)
    test "$state[1]" = "$argv[1]"; or return 1
    test (count $argv) -eq 1; or test $state[2] $argv[2] $argv[3]
end

# Prints what the program itself answers.
function __porch_ask
    set -l words (commandline -opc)
    command $words[1] $argv </dev/null 2>/dev/null
end

complete -c porch -f
complete -c porch -n '__porch_at porch -eq 0' -a status -d 'Show every app on one screen.'
complete -c porch -n '__porch_at porch -eq 0' -a validate -d 'Check manifests and print every fault at once.'
complete -c porch -n '__porch_at porch -eq 0' -a apps -d 'List the registered apps.'
complete -c porch -n '__porch_at porch -eq 0' -a needs -d 'Say whether an app still needs its onboarding.'
complete -c porch -n '__porch_at porch -eq 0' -a run -d 'Show an app\'s onboarding.'
complete -c porch -n '__porch_at porch -eq 0' -a record -d 'Record an answer.'
complete -c porch -n '__porch_at porch -eq 0' -a reconcile -d 'Run the checks and record what they find.'
complete -c porch -n '__porch_at porch -eq 0' -a plugin -d 'Work on plugins.'
complete -c porch -n '__porch_at porch -eq 0' -a policy -d 'Show the policy.'
complete -c porch -n '__porch_at porch -eq 0' -a help -d 'Show help for a command.'
complete -c porch -n '__porch_at porch' -s s -l suite -r -F -d 'The suite to use instead of $PORCH_SUITE.'
complete -c porch -n '__porch_at porch' -s v -l verbose -d 'Say more on standard error.'
complete -c porch -n '__porch_at porch' -l version -d 'Show the version.'
complete -c porch -n '__porch_at porch' -s h -l help -d 'Show help information.'
complete -c porch -n '__porch_at \'porch status\'' -s j -l json -d 'Print JSON with a "version" of 1.'
complete -c porch -n '__porch_at \'porch status\'' -s s -l suite -r -F -d 'The suite to use instead of $PORCH_SUITE.'
complete -c porch -n '__porch_at \'porch status\'' -s v -l verbose -d 'Say more on standard error.'
complete -c porch -n '__porch_at \'porch status\'' -s h -l help -d 'Show help information.'
complete -c porch -n '__porch_at \'porch validate\'' -s s -l suite -r -F -d 'The suite to use instead of $PORCH_SUITE.'
complete -c porch -n '__porch_at \'porch validate\'' -s v -l verbose -d 'Say more on standard error.'
complete -c porch -n '__porch_at \'porch validate\'' -s h -l help -d 'Show help information.'
complete -c porch -n '__porch_at \'porch validate\' -ge 0' -F
complete -c porch -n '__porch_at \'porch apps\'' -s j -l json -d 'Print JSON with a "version" of 1.'
complete -c porch -n '__porch_at \'porch apps\'' -l names -d 'Print the IDs alone.'
complete -c porch -n '__porch_at \'porch apps\'' -s s -l suite -r -F -d 'The suite to use instead of $PORCH_SUITE.'
complete -c porch -n '__porch_at \'porch apps\'' -s v -l verbose -d 'Say more on standard error.'
complete -c porch -n '__porch_at \'porch apps\'' -s h -l help -d 'Show help information.'
complete -c porch -n '__porch_at \'porch needs\'' -s j -l json -d 'Print JSON with a "version" of 1.'
complete -c porch -n '__porch_at \'porch needs\'' -s s -l suite -r -F -d 'The suite to use instead of $PORCH_SUITE.'
complete -c porch -n '__porch_at \'porch needs\'' -s v -l verbose -d 'Say more on standard error.'
complete -c porch -n '__porch_at \'porch needs\'' -s h -l help -d 'Show help information.'
complete -c porch -n '__porch_at \'porch needs\' -eq 0' -f -a '(__porch_ask apps --names)'
complete -c porch -n '__porch_at \'porch run\'' -l ui -r -f -a 'auto terminal plain gtk' -d 'Where the pages are shown.'
complete -c porch -n '__porch_at \'porch run\'' -l answers -r -F -d 'A file of answers by step ID, for kiosks and tests.'
complete -c porch -n '__porch_at \'porch run\'' -s s -l suite -r -F -d 'The suite to use instead of $PORCH_SUITE.'
complete -c porch -n '__porch_at \'porch run\'' -s v -l verbose -d 'Say more on standard error.'
complete -c porch -n '__porch_at \'porch run\'' -s h -l help -d 'Show help information.'
complete -c porch -n '__porch_at \'porch run\' -eq 0' -f -a '(__porch_ask apps --names)'
complete -c porch -n '__porch_at \'porch record\'' -s s -l suite -r -F -d 'The suite to use instead of $PORCH_SUITE.'
complete -c porch -n '__porch_at \'porch record\'' -s v -l verbose -d 'Say more on standard error.'
complete -c porch -n '__porch_at \'porch record\'' -s h -l help -d 'Show help information.'
complete -c porch -n '__porch_at \'porch record\' -eq 0' -f -a '(__porch_ask apps --names)'
complete -c porch -n '__porch_at \'porch record\' -eq 2' -f -a 'true false'
complete -c porch -n '__porch_at \'porch reconcile\'' -l all -d 'Check every registered app.'
complete -c porch -n '__porch_at \'porch reconcile\'' -l timeout -r -f -d 'How long one check may take.'
complete -c porch -n '__porch_at \'porch reconcile\'' -s n -l limit -r -f -d 'How many checks run side by side.'
complete -c porch -n '__porch_at \'porch reconcile\'' -s o -l option -r -f -d 'An option of the check; may be repeated.'
complete -c porch -n '__porch_at \'porch reconcile\'' -s j -l json -d 'Print JSON with a "version" of 1.'
complete -c porch -n '__porch_at \'porch reconcile\'' -s s -l suite -r -F -d 'The suite to use instead of $PORCH_SUITE.'
complete -c porch -n '__porch_at \'porch reconcile\'' -s v -l verbose -d 'Say more on standard error.'
complete -c porch -n '__porch_at \'porch reconcile\'' -s h -l help -d 'Show help information.'
complete -c porch -n '__porch_at \'porch reconcile\' -ge 0' -f -a '(__porch_ask apps --names)'
complete -c porch -n '__porch_at \'porch plugin\' -eq 0' -a new -d 'Make a plugin to start from.'
complete -c porch -n '__porch_at \'porch plugin\' -eq 0' -a check -d 'Try a plugin against the contract.'
complete -c porch -n '__porch_at \'porch plugin\'' -s s -l suite -r -F -d 'The suite to use instead of $PORCH_SUITE.'
complete -c porch -n '__porch_at \'porch plugin\'' -s v -l verbose -d 'Say more on standard error.'
complete -c porch -n '__porch_at \'porch plugin\'' -s h -l help -d 'Show help information.'
complete -c porch -n '__porch_at \'porch plugin new\'' -l language -r -f -a 'sh python swift' -d 'The language to write the plugin in.'
complete -c porch -n '__porch_at \'porch plugin new\'' -s s -l suite -r -F -d 'The suite to use instead of $PORCH_SUITE.'
complete -c porch -n '__porch_at \'porch plugin new\'' -s v -l verbose -d 'Say more on standard error.'
complete -c porch -n '__porch_at \'porch plugin new\'' -s h -l help -d 'Show help information.'
complete -c porch -n '__porch_at \'porch plugin new\' -eq 1' -f -a '(__fish_complete_directories)'
complete -c porch -n '__porch_at \'porch plugin check\'' -s s -l suite -r -F -d 'The suite to use instead of $PORCH_SUITE.'
complete -c porch -n '__porch_at \'porch plugin check\'' -s v -l verbose -d 'Say more on standard error.'
complete -c porch -n '__porch_at \'porch plugin check\'' -s h -l help -d 'Show help information.'
complete -c porch -n '__porch_at \'porch plugin check\' -ge 0' -F
complete -c porch -n '__porch_at \'porch policy\' -eq 0' -a lock -d 'Lock a step.'
complete -c porch -n '__porch_at \'porch policy\'' -s j -l json -d 'Print JSON with a "version" of 1.'
complete -c porch -n '__porch_at \'porch policy\'' -s s -l suite -r -F -d 'The suite to use instead of $PORCH_SUITE.'
complete -c porch -n '__porch_at \'porch policy\'' -s v -l verbose -d 'Say more on standard error.'
complete -c porch -n '__porch_at \'porch policy\'' -s h -l help -d 'Show help information.'
complete -c porch -n '__porch_at \'porch policy lock\'' -s s -l suite -r -F -d 'The suite to use instead of $PORCH_SUITE.'
complete -c porch -n '__porch_at \'porch policy lock\'' -s v -l verbose -d 'Say more on standard error.'
complete -c porch -n '__porch_at \'porch policy lock\'' -s h -l help -d 'Show help information.'
complete -c porch -n '__porch_at \'porch help\'' -s h -l help -d 'Show help information.'
complete -c porch -n '__porch_at \'porch help\' -ge 0' -f -a 'status validate apps needs run record reconcile plugin policy'
