# shellcheck shell=bash
# Installs what is missing from the distribution: Debian 12, Debian 13 and Ubuntu 24.04.
# Sourced, never run.

# shellcheck source-path=SCRIPTDIR source=terminal.sh
. "${BASH_SOURCE[0]%/*}/terminal.sh"

# Prints the distribution's name for this release, such as `bookworm`.
release_name() (
  VERSION_CODENAME='' ID=''
  # shellcheck disable=SC1091
  [[ -r /etc/os-release ]] && . /etc/os-release
  printf '%s' "${VERSION_CODENAME:-$ID}"
)

is_ubuntu() { grep -q '^ID=ubuntu$' /etc/os-release 2>/dev/null; }

# packages_of GROUP: prints the packages of a group, one a line. `COMMAND|PACKAGE` stands for a
# package that is needed only where the command is missing, so that Node.js from elsewhere stays.
packages_of() {
  local boost=libboost-dev clang_runtime=libclang-rt-19-dev
  case $(release_name) in
    bookworm) boost=libboost1.81-dev clang_runtime=libclang-rt-14-dev ;;
    noble) boost=libboost1.83-dev clang_runtime=libclang-rt-18-dev ;;
  esac
  case $1 in
    build)
      printf '%s\n' ca-certificates 'git|git' 'curl|curl' cmake ninja-build g++ ccache mold \
        'node|nodejs' 'npm|npm' libcaf-dev nlohmann-json3-dev libspdlog-dev "$boost" \
        libsimdjson-dev libre2-dev libssl-dev zlib1g-dev libbrotli-dev libzstd-dev \
        libsqlite3-dev libsqlitecpp-dev libcli11-dev libexpat1-dev libexpected-dev \
        libprotozero-dev libnats-dev doctest-dev librapidcheck-dev
      ;;
    test)
      printf '%s\n' nats-server 'openssl|openssl' 'strace|strace' 'tmux|tmux'
      # Ubuntu has Chromium only as a snap, which a script cannot count on.
      if ! is_ubuntu; then printf '%s\n' 'chromium|chromium'; fi
      ;;
    lint) printf '%s\n' clang-format shellcheck ;;
    check) printf '%s\n' clang clang-tidy "$clang_runtime" libbenchmark-dev ;;
    *) fail "No package group is named $1: it is build, test, lint or check." ;;
  esac
}

# Prints those packages of the groups that this machine lacks, one a line.
missing_packages() {
  local group entry
  for group in "$@"; do
    while IFS= read -r entry; do
      if [[ $entry == *'|'* ]]; then
        command -v "${entry%%|*}" >/dev/null || printf '%s\n' "${entry#*|}"
      elif [[ $(dpkg-query -W -f='${db:Status-Status}' "$entry" 2>/dev/null) != installed ]]; then
        printf '%s\n' "$entry"
      fi
    done < <(packages_of "$group")
  done | sort -u
}

# Runs a command as root. ensure_root has made sure that this works.
as_root() {
  if ((EUID == 0)); then
    env DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

# Asks for the sudo password where one is needed, before any progress line is on the screen.
ensure_root() {
  if ((EUID == 0)); then return 0; fi
  if ! command -v sudo >/dev/null; then
    fail "Installing packages needs root: run this as root, or as root run: apt-get install $*"
  fi
  sudo -v || fail "sudo did not let this user install packages: $*"
}

apt_install() {
  as_root apt-get -o DPkg::Lock::Timeout=120 install --yes --no-install-recommends "$@"
}

# apt-get update, tried three times, since a mirror in the middle of its own update fails once.
refresh_package_lists() {
  local attempt
  for attempt in 1 2 3; do
    if as_root apt-get -o DPkg::Lock::Timeout=120 update; then return 0; fi
    sleep "$((attempt * 5))"
  done
  return 1
}

# True when every package has a candidate in the package lists that are already here.
lists_know() {
  local name
  for name in "$@"; do
    apt-cache show --no-all-versions "$name" >/dev/null 2>&1 || return 1
  done
}

# The package lists on disk first; fresh ones when they lack a package or have become too old.
install_or_refresh() {
  if lists_know "$@" && apt_install "$@"; then return 0; fi
  refresh_package_lists && apt_install "$@"
}

# install_packages GROUP...: leaves the machine with every package of the groups.
install_packages() {
  local missing=() caf
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    fail "This set-up knows Debian 12, Debian 13 and Ubuntu 24.04. Elsewhere, install the \
libraries listed in tools/scripts/install_packages.sh, then run: cmake --preset release"
  fi
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} > 0)); then
    ensure_root "${missing[@]}"
    run_step "Installing from the distribution: ${missing[*]}" install \
      install_or_refresh "${missing[@]}" ||
      fail "The packages could not be installed. See above for the reason, then run this again."
  fi
  caf=$(dpkg-query -W -f='${Version}' libcaf-dev 2>/dev/null || true)
  if [[ -n $caf && $caf != 0.17.* ]]; then
    fail "Gasoline needs CAF 0.17; this release ships libcaf-dev $caf."
  fi
}
