# shellcheck shell=bash disable=SC2034
# What the scripts share. Sourced, never run: `. "$(dirname "$0")/lib.sh"`.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What a build needs from the system, and what the tests need beyond that, by Debian's and Ubuntu's package names.
build_packages=(libsqlite3-dev libsystemd-dev pkg-config)
test_packages=(
    bash zsh fish groff-base sqlite3 tmux util-linux python3 python3-dbusmock python3-jsonschema shellcheck
    dbus dunst xvfb geoclue-2.0 chromium xdg-desktop-portal gnome-keyring at-spi2-core
    bubblewrap xdg-dbus-proxy libcap2-bin acl iproute2 valgrind binutils
    dconf-cli dconf-gsettings-backend gsettings-desktop-schemas libglib2.0-bin libglib2.0-data
)

# What the window needs beyond that, to build and to test; GTK's own recommendations bring its icons.
gtk_build_packages=(libgtk-4-dev libadwaita-1-dev)
gtk_test_packages=(
    adwaita-icon-theme binutils fonts-dejavu-core xvfb xdotool dbus at-spi2-core gir1.2-atspi-2.0 python3 python3-gi
)

say() { printf '\n== %s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# install PACKAGE…: installs what is missing, or names it where this is no Debian or Ubuntu.
install() {
    local missing=()
    if ! command -v dpkg-query >/dev/null; then
        printf 'This is no Debian or Ubuntu; these packages, or their like, must be there: %s\n' "$*"
        return
    fi
    local package
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "Installing ${missing[*]}"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

need_swift() {
    command -v swift >/dev/null ||
        die "there is no swift on PATH; install the Swift 6.3 toolchain for Debian 12 from https://www.swift.org/install/linux/"
}

# build_release PRODUCT…: optimised, with the standard library inside, and libstdc++ and libgcc_s too: their many relocations
# would cost each start of the command more than it does itself. What is left of those is packed, which glibc understands
# since 2.36 (an older one names GLIBC_ABI_DT_RELR and stops); no symbol is exported, and no library is looked for beside
# the program. What a launch gate runs stands together in the file (scripts/order-gate), so that few pages of it are read.
build_release() {
    local static=$PWD/.build/static product order
    mkdir -p "$static"
    # The linker looks here first, and finds nothing that is shared.
    ln -sf "$(clang -print-file-name=libstdc++.a)" "$static/libstdc++.a"
    ln -sf "$(clang -print-file-name=libgcc_eh.a)" "$static/libgcc_s.a"
    printf '{ local: *; };\n' >"$static/exports"
    for product in "$@"; do
        order=()
        [ "$product" != doorstep ] ||
            order=(-Xlinker "--symbol-ordering-file=$PWD/scripts/gate.order" -Xlinker --no-warn-symbol-ordering)
        swift build -c release --product "$product" --static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=lld \
            -Xlinker "-L$static" -Xlinker "--version-script=$static/exports" \
            -Xlinker -z -Xlinker pack-relative-relocs "${order[@]}"
    done
}

# family DIRECTORY: makes the longest family that a manifest of ours stands for, 50 apps of 12 steps, and records the first
# step of each with DIRECTORY/doorstep; `in_family DIRECTORY COMMAND…` then runs a command there, and nothing else is set.
in_family() { env -i "HOME=$1" "XDG_DATA_HOME=$1/data" PATH=/usr/bin:/bin "${@:2}"; }
family() {
    local number
    python3 - "$1" <<'PYTHON'
import json, os, sys
registry = sys.argv[1] + "/data/doorstep/registry"
os.makedirs(registry)
for number in range(50):
    app = f"com.example.app{number}"
    steps = [{"id": f"{app}.step{step}", "plugin": "info"} for step in range(12)]
    with open(f"{registry}/{app}.json", "w") as file:
        json.dump({"format": 1, "app": app, "steps": steps}, file)
PYTHON
    for number in $(seq 0 49); do
        in_family "$1" "$1/doorstep" record "com.example.app$number" "com.example.app$number.step0" true >/dev/null
    done
    # A suite that was changed a moment ago is read with locks; most gates find one at rest.
    touch -d '1 hour ago' "$1/data/doorstep/suite.db"
}

# loaded_by PROGRAM: what the system loads before a program's first instruction, beside Swift's own runtime, which releases
# hold inside.
loaded_by() {
    readelf -dW "$1" | sed -nE 's/.*\(NEEDED\).*\[([^]]*)\.so.*\].*/\1/p' | sed -E 's/^ld-linux.*/ld-linux/' |
        grep -vE '^(libswift.*|libdispatch|libBlocksRuntime)$' | sort | tr '\n' ' ' | sed 's/ $//'
}

# on_display COMMAND…: runs a command in a desktop session of its own: a display, a bus, and no portal that would read the
# settings of whoever runs this.
on_display() {
    local session status=0 number server
    session=$(mktemp -d)
    mkfifo "$session/number"
    Xvfb -displayfd 3 -screen 0 1000x900x24 -nolisten tcp -noreset 3>"$session/number" 2>/dev/null &
    server=$!
    read -r number <"$session/number" || die "Xvfb didn't start"
    env -u WAYLAND_DISPLAY DISPLAY=":$number" XDG_RUNTIME_DIR="$session" GSK_RENDERER=cairo ADW_DISABLE_PORTAL=1 \
        GTK_USE_PORTAL=0 LANG=C.UTF-8 SWIFT_BACKTRACE=enable=no dbus-run-session -- "$@" || status=$?
    kill "$server"
    wait "$server" 2>/dev/null || true
    rm -rf "$session"
    return "$status"
}
