# shellcheck shell=bash disable=SC2034
# What the scripts share. Sourced, never run: `. "$(dirname "$0")/lib.sh"`.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What a build needs from the system, and what the tests need beyond that, by Debian's and Ubuntu's package names.
build_packages=(libsqlite3-dev libsystemd-dev pkg-config)
test_packages=(
    bash zsh fish sqlite3 tmux util-linux python3 python3-dbusmock python3-jsonschema shellcheck
    dbus dunst xvfb geoclue-2.0 chromium xdg-desktop-portal gnome-keyring at-spi2-core
    bubblewrap xdg-dbus-proxy libcap2-bin acl iproute2 valgrind binutils
    dconf-cli dconf-gsettings-backend gsettings-desktop-schemas libglib2.0-bin libglib2.0-data
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
# would cost each start of the command more than it does itself.
build_release() {
    local static=$PWD/.build/static product
    mkdir -p "$static"
    # The linker looks here first, and finds nothing that is shared.
    ln -sf "$(clang -print-file-name=libstdc++.a)" "$static/libstdc++.a"
    ln -sf "$(clang -print-file-name=libgcc_eh.a)" "$static/libgcc_s.a"
    for product in "$@"; do
        swift build -c release --product "$product" --static-swift-stdlib -Xlinker "-L$static"
    done
}
