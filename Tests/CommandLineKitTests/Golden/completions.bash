# bash completions for porch

# Which subcommands and options a command has, and which options are followed by a value.
_porch_model() {
    subcommands='' options='' valued=''
    case $1 in
    porch) subcommands='status validate apps needs run record reconcile plugin policy help' options='-s --suite -v --verbose --version -h --help' valued='-s --suite' ;;
    'porch status') subcommands='' options='-j --json -s --suite -v --verbose -h --help' valued='-s --suite' ;;
    'porch validate') subcommands='' options='-s --suite -v --verbose -h --help' valued='-s --suite' ;;
    'porch apps') subcommands='' options='-j --json --names -s --suite -v --verbose -h --help' valued='-s --suite' ;;
    'porch needs') subcommands='' options='-j --json -s --suite -v --verbose -h --help' valued='-s --suite' ;;
    'porch run') subcommands='' options='--ui --answers -s --suite -v --verbose -h --help' valued='--ui --answers -s --suite' ;;
    'porch record') subcommands='' options='-s --suite -v --verbose -h --help' valued='-s --suite' ;;
    'porch reconcile') subcommands='' options='--all --timeout -n --limit -o --option -j --json -s --suite -v --verbose -h --help' valued='--timeout -n --limit -o --option -s --suite' ;;
    'porch plugin') subcommands='new check' options='-s --suite -v --verbose -h --help' valued='-s --suite' ;;
    'porch plugin new') subcommands='' options='--language -s --suite -v --verbose -h --help' valued='--language -s --suite' ;;
    'porch plugin check') subcommands='' options='-s --suite -v --verbose -h --help' valued='-s --suite' ;;
    'porch policy') subcommands=lock options='-j --json -s --suite -v --verbose -h --help' valued='-s --suite' ;;
    'porch policy lock') subcommands='' options='-s --suite -v --verbose -h --help' valued='-s --suite' ;;
    'porch help') subcommands='' options='-h --help' valued='' ;;
    esac
}

# Offers the values of an option, or of the argument at a position.
_porch_value() {
    case "$1:$2" in
    'porch:-s' | 'porch:--suite') _porch_paths -f ;;
    'porch status:-s' | 'porch status:--suite') _porch_paths -f ;;
    'porch validate:-s' | 'porch validate:--suite') _porch_paths -f ;;
    'porch validate:'[0-9]*) _porch_paths -f ;;
    'porch apps:-s' | 'porch apps:--suite') _porch_paths -f ;;
    'porch needs:-s' | 'porch needs:--suite') _porch_paths -f ;;
    'porch needs:0') _porch_ask apps --names ;;
    'porch run:--ui') _porch_words auto terminal plain gtk ;;
    'porch run:--answers') _porch_paths -f ;;
    'porch run:-s' | 'porch run:--suite') _porch_paths -f ;;
    'porch run:0') _porch_ask apps --names ;;
    'porch record:-s' | 'porch record:--suite') _porch_paths -f ;;
    'porch record:0') _porch_ask apps --names ;;
    'porch record:1') : ;;
    'porch record:2') _porch_words true false ;;
    'porch reconcile:--timeout') : ;;
    'porch reconcile:-n' | 'porch reconcile:--limit') : ;;
    'porch reconcile:-o' | 'porch reconcile:--option') : ;;
    'porch reconcile:-s' | 'porch reconcile:--suite') _porch_paths -f ;;
    'porch reconcile:'[0-9]*) _porch_ask apps --names ;;
    'porch plugin:-s' | 'porch plugin:--suite') _porch_paths -f ;;
    'porch plugin new:--language') _porch_words sh python swift ;;
    'porch plugin new:-s' | 'porch plugin new:--suite') _porch_paths -f ;;
    'porch plugin new:0') : ;;
    'porch plugin new:1') _porch_paths -d ;;
    'porch plugin check:-s' | 'porch plugin check:--suite') _porch_paths -f ;;
    'porch plugin check:'[0-9]*) _porch_paths -f ;;
    'porch policy:-s' | 'porch policy:--suite') _porch_paths -f ;;
    'porch policy lock:-s' | 'porch policy lock:--suite') _porch_paths -f ;;
    'porch policy lock:0') : ;;
    'porch help:'[0-9]*) _porch_words status validate apps needs run record reconcile plugin policy ;;
    esac
}

_porch_words() {
    local candidate
    for candidate in "$@"; do
        if [[ $candidate == "$cur"* ]]; then
            printf -v candidate %q "$candidate"
            COMPREPLY+=("$lead$candidate")
        fi
    done
}

_porch_paths() {
    local candidate
    compopt -o filenames 2>/dev/null
    while IFS= read -r candidate; do
        COMPREPLY+=("$lead$candidate")
    done < <(compgen "$1" -- "$cur")
}

_porch_ask() {
    local candidate
    while IFS= read -r candidate; do
        _porch_words "$candidate"
    done < <("${COMP_WORDS[0]}" "$@" </dev/null 2>/dev/null)
}

_porch() {
    local IFS=$' \t\n'
    local cur=${COMP_WORDS[COMP_CWORD]} path='porch' option='' lead='' terminated='' word
    local subcommands options valued
    local -i position=0 index
    COMPREPLY=()
    _porch_model "$path"
    for ((index = 1; index < COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        if [[ -n $option ]]; then
            [[ $word == '=' ]] || option=''
        elif [[ -z $terminated && $word == '--' ]]; then
            terminated=1
        elif [[ -z $terminated && $word == -?* ]]; then
            if [[ " $valued " == *" $word "* ]]; then option=$word; fi
        elif [[ -z $terminated && " $subcommands " == *" $word "* ]]; then
            path+=" $word"
            _porch_model "$path"
        else
            position+=1
        fi
    done
    if [[ -n $option ]]; then
        if [[ $cur == '=' ]]; then cur=''; fi
        _porch_value "$path" "$option"
    elif [[ -z $terminated && $cur == --*=* ]]; then
        option=${cur%%=*} lead=${cur%%=*}= cur=${cur#*=}
        _porch_value "$path" "$option"
    elif [[ -z $terminated && $cur == -* ]]; then
        _porch_words $options
    elif [[ -z $terminated && -n $subcommands ]]; then
        # After a word that is no subcommand, nothing is known of what may follow.
        if ((position == 0)); then _porch_words $subcommands; fi
    else
        _porch_value "$path" "$position"
    fi
}
complete -F _porch porch
