#compdef porch
# zsh completions for porch

# Offers what the program itself answers.
(( $+functions[_porch-ask] )) || _porch-ask() {
    local -a answers=("${(@f)$("$_porch_program" "$@" </dev/null 2>/dev/null)}")
    compadd -a answers
}

_porch() {
    local curcontext="$curcontext" state line
    local -A opt_args
    local _porch_program=$words[1]
    _arguments -C -s -A '-*' \
        '(-s --suite)-s+[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-s --suite)--suite=[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-v --verbose)-v[Say more on standard error.]' \
        '(-v --verbose)--verbose[Say more on standard error.]' \
        '(--version)--version[Show the version.]' \
        '(-h --help)-h[Show help information.]' \
        '(-h --help)--help[Show help information.]' \
        '1: :->command' \
        '*:: :->rest'
    case $state in
    command)
        local -a subcommands=(
            'status:Show every app on one screen.'
            'validate:Check manifests and print every fault at once.'
            'apps:List the registered apps.'
            'needs:Say whether an app still needs its onboarding.'
            'run:Show an app'\''s onboarding.'
            'record:Record an answer.'
            'reconcile:Run the checks and record what they find.'
            'plugin:Work on plugins.'
            'policy:Show the policy.'
            'help:Show help for a command.'
        )
        _describe -t commands subcommand subcommands
        ;;
    rest)
        case $line[1] in
        status) _porch__status ;;
        validate) _porch__validate ;;
        apps) _porch__apps ;;
        needs) _porch__needs ;;
        run) _porch__run ;;
        record) _porch__record ;;
        reconcile) _porch__reconcile ;;
        plugin) _porch__plugin ;;
        policy) _porch__policy ;;
        help) _porch__help ;;
        esac
        ;;
    esac
}

_porch__status() {
    local curcontext="$curcontext" state line
    local -A opt_args
    _arguments -C -s -S \
        '(-j --json)-j[Print JSON with a "version" of 1.]' \
        '(-j --json)--json[Print JSON with a "version" of 1.]' \
        '(-s --suite)-s+[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-s --suite)--suite=[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-v --verbose)-v[Say more on standard error.]' \
        '(-v --verbose)--verbose[Say more on standard error.]' \
        '(-h --help)-h[Show help information.]' \
        '(-h --help)--help[Show help information.]'
}

_porch__validate() {
    local curcontext="$curcontext" state line
    local -A opt_args
    _arguments -C -s -S \
        '(-s --suite)-s+[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-s --suite)--suite=[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-v --verbose)-v[Say more on standard error.]' \
        '(-v --verbose)--verbose[Say more on standard error.]' \
        '(-h --help)-h[Show help information.]' \
        '(-h --help)--help[Show help information.]' \
        '*:file:_files'
}

_porch__apps() {
    local curcontext="$curcontext" state line
    local -A opt_args
    _arguments -C -s -S \
        '(-j --json)-j[Print JSON with a "version" of 1.]' \
        '(-j --json)--json[Print JSON with a "version" of 1.]' \
        '(--names)--names[Print the IDs alone.]' \
        '(-s --suite)-s+[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-s --suite)--suite=[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-v --verbose)-v[Say more on standard error.]' \
        '(-v --verbose)--verbose[Say more on standard error.]' \
        '(-h --help)-h[Show help information.]' \
        '(-h --help)--help[Show help information.]'
}

_porch__needs() {
    local curcontext="$curcontext" state line
    local -A opt_args
    _arguments -C -s -S \
        '(-j --json)-j[Print JSON with a "version" of 1.]' \
        '(-j --json)--json[Print JSON with a "version" of 1.]' \
        '(-s --suite)-s+[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-s --suite)--suite=[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-v --verbose)-v[Say more on standard error.]' \
        '(-v --verbose)--verbose[Say more on standard error.]' \
        '(-h --help)-h[Show help information.]' \
        '(-h --help)--help[Show help information.]' \
        ':app:{_porch-ask apps --names}'
}

_porch__run() {
    local curcontext="$curcontext" state line
    local -A opt_args
    _arguments -C -s -S \
        '(--ui)--ui=[Where the pages are shown.]:ui:(auto terminal plain gtk)' \
        '(--answers)--answers=[A file of answers by step ID, for kiosks and tests.]:file:_files' \
        '(-s --suite)-s+[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-s --suite)--suite=[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-v --verbose)-v[Say more on standard error.]' \
        '(-v --verbose)--verbose[Say more on standard error.]' \
        '(-h --help)-h[Show help information.]' \
        '(-h --help)--help[Show help information.]' \
        ':app:{_porch-ask apps --names}'
}

_porch__record() {
    local curcontext="$curcontext" state line
    local -A opt_args
    _arguments -C -s -S \
        '(-s --suite)-s+[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-s --suite)--suite=[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-v --verbose)-v[Say more on standard error.]' \
        '(-v --verbose)--verbose[Say more on standard error.]' \
        '(-h --help)-h[Show help information.]' \
        '(-h --help)--help[Show help information.]' \
        ':app:{_porch-ask apps --names}' \
        ':step: ' \
        ':value:(true false)'
}

_porch__reconcile() {
    local curcontext="$curcontext" state line
    local -A opt_args
    _arguments -C -s -S \
        '(--all)--all[Check every registered app.]' \
        '(--timeout)--timeout=[How long one check may take.]:timeout: ' \
        '(-n --limit)-n+[How many checks run side by side.]:count: ' \
        '(-n --limit)--limit=[How many checks run side by side.]:count: ' \
        '*-o+[An option of the check; may be repeated.]:key=value: ' \
        '*--option=[An option of the check; may be repeated.]:key=value: ' \
        '(-j --json)-j[Print JSON with a "version" of 1.]' \
        '(-j --json)--json[Print JSON with a "version" of 1.]' \
        '(-s --suite)-s+[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-s --suite)--suite=[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-v --verbose)-v[Say more on standard error.]' \
        '(-v --verbose)--verbose[Say more on standard error.]' \
        '(-h --help)-h[Show help information.]' \
        '(-h --help)--help[Show help information.]' \
        '*:app:{_porch-ask apps --names}'
}

_porch__plugin() {
    local curcontext="$curcontext" state line
    local -A opt_args
    _arguments -C -s -A '-*' \
        '(-s --suite)-s+[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-s --suite)--suite=[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-v --verbose)-v[Say more on standard error.]' \
        '(-v --verbose)--verbose[Say more on standard error.]' \
        '(-h --help)-h[Show help information.]' \
        '(-h --help)--help[Show help information.]' \
        '1: :->command' \
        '*:: :->rest'
    case $state in
    command)
        local -a subcommands=(
            'new:Make a plugin to start from.'
            'check:Try a plugin against the contract.'
        )
        _describe -t commands subcommand subcommands
        ;;
    rest)
        case $line[1] in
        new) _porch__plugin__new ;;
        check) _porch__plugin__check ;;
        esac
        ;;
    esac
}

_porch__plugin__new() {
    local curcontext="$curcontext" state line
    local -A opt_args
    _arguments -C -s -S \
        '(--language)--language=[The language to write the plugin in.]:language:(sh python swift)' \
        '(-s --suite)-s+[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-s --suite)--suite=[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-v --verbose)-v[Say more on standard error.]' \
        '(-v --verbose)--verbose[Say more on standard error.]' \
        '(-h --help)-h[Show help information.]' \
        '(-h --help)--help[Show help information.]' \
        ':step: ' \
        '::directory:_files -/'
}

_porch__plugin__check() {
    local curcontext="$curcontext" state line
    local -A opt_args
    _arguments -C -s -S \
        '(-s --suite)-s+[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-s --suite)--suite=[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-v --verbose)-v[Say more on standard error.]' \
        '(-v --verbose)--verbose[Say more on standard error.]' \
        '(-h --help)-h[Show help information.]' \
        '(-h --help)--help[Show help information.]' \
        '*:file:_files'
}

_porch__policy() {
    local curcontext="$curcontext" state line
    local -A opt_args
    _arguments -C -s -A '-*' \
        '(-j --json)-j[Print JSON with a "version" of 1.]' \
        '(-j --json)--json[Print JSON with a "version" of 1.]' \
        '(-s --suite)-s+[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-s --suite)--suite=[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-v --verbose)-v[Say more on standard error.]' \
        '(-v --verbose)--verbose[Say more on standard error.]' \
        '(-h --help)-h[Show help information.]' \
        '(-h --help)--help[Show help information.]' \
        '1: :->command' \
        '*:: :->rest'
    case $state in
    command)
        local -a subcommands=(
            'lock:Lock a step.'
        )
        _describe -t commands subcommand subcommands
        ;;
    rest)
        case $line[1] in
        lock) _porch__policy__lock ;;
        esac
        ;;
    esac
}

_porch__policy__lock() {
    local curcontext="$curcontext" state line
    local -A opt_args
    _arguments -C -s -S \
        '(-s --suite)-s+[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-s --suite)--suite=[The suite to use instead of $PORCH_SUITE.]:file:_files' \
        '(-v --verbose)-v[Say more on standard error.]' \
        '(-v --verbose)--verbose[Say more on standard error.]' \
        '(-h --help)-h[Show help information.]' \
        '(-h --help)--help[Show help information.]' \
        ':step: '
}

_porch__help() {
    local curcontext="$curcontext" state line
    local -A opt_args
    _arguments -C -s -S \
        '(-h --help)-h[Show help information.]' \
        '(-h --help)--help[Show help information.]' \
        '*:subcommand:(status validate apps needs run record reconcile plugin policy)'
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _porch "$@"
else
    compdef _porch porch
fi
